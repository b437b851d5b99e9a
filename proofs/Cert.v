(* Certificates of what an ontology entails, checked by programs that are proved right here and extracted to OCaml.

   check_sound    an accepted derivation: the inclusion holds in every model of the axioms
   model_refutes  an accepted saturated set: the inclusion fails in some model of the axioms

   A certificate numbers its concepts: a table says what each is made of, parts before wholes. Axioms, facts and steps
   speak of these numbers only, so that a step is checked by comparing a few numbers. The language is all of Syntax
   (nominals, Self, ranges, chains, keys), roles told to relate all elements of a concept (owl:topObjectProperty, of
   things), functional roles, concepts with one element at most (data values) and keys through such ones.

   A saturated set is accepted when it is closed under the axioms; nothing is asked of how it was found. It then is a
   model: an element without a name stands for a copy on every level 0, 1, 2, …, and a link by an ordered role leads
   from a copy to later ones only, so that no loop closes by chance. So completeness of the calculus is not needed for
   single answers: where a saturated set is accepted, the calculus has been complete. *)
Require Import List Arith Lia Bool PArith FMapPositive Eqdep_dec.
Import ListNotations.
From Moose Require Import Syntax.
Module PM := PositiveMap.

Definition num := Pos.to_nat.
Definition set := PM.t unit.

(* ── Concepts by number ── *)

Inductive node := NTop | NBot | NClass | NNom | NAnd (a b : positive) | NSome (r a : positive) | NSelf (r : positive).
Definition table := PM.t node.

Definition parts_below (k : positive) (n : node) : bool :=
  match n with
  | NAnd a b => Pos.ltb a k && Pos.ltb b k
  | NSome _ a => Pos.ltb a k
  | _ => true end.
Definition wf (T : table) : Prop := forall k n, PM.find k T = Some n -> parts_below k n = true.

Fixpoint build (k : positive) (T : table) (l : list node) : option table :=
  match l with
  | [] => Some T
  | n :: l => if parts_below k n then build (Pos.succ k) (PM.add k n T) l else None end.
Lemma build_wf l : forall k T T', wf T -> build k T l = Some T' -> wf T'.
Proof.
  induction l as [|n l IH]; simpl; intros k T T' H E; [inversion E; subst; auto|].
  destruct (parts_below k n) eqn:P; [|discriminate].
  apply IH in E; auto. intros j m F. destruct (Pos.eq_dec j k) as [->|N].
  - rewrite PM.gss in F. inversion F; subst; auto.
  - rewrite PM.gso in F by auto. eauto.
Qed.
Lemma build_empty_wf l T : build 1 (PM.empty node) l = Some T -> wf T.
Proof. apply build_wf. intros k n H. rewrite PM.gempty in H. discriminate. Qed.

Section Theory.
Variable T : table.

(* what a number stands for; the fuel is enough where parts come before wholes *)
Fixpoint expand (n : nat) (k : positive) : concept :=
  match n with
  | O => Top
  | S n => match PM.find k T with
    | Some NTop => Top | Some NBot => Bot | Some NClass => Atom (num k) | Some NNom => Nom (num k)
    | Some (NAnd a b) => And (expand n a) (expand n b)
    | Some (NSome r a) => Ex (num r) (expand n a)
    | Some (NSelf r) => Self (num r)
    | None => Top end end.
Definition D (k : positive) : concept := expand (S (num k)) k.

Hypothesis WF : wf T.
Lemma expand_enough : forall n m k, num k < n -> num k < m -> expand n k = expand m k.
Proof.
  induction n; intros m k Hn Hm; [lia|]. destruct m; [lia|]. simpl.
  destruct (PM.find k T) as [[]|] eqn:E; auto; apply WF in E; simpl in E;
  rewrite ?andb_true_iff, ?Pos.ltb_lt, ?Pos2Nat.inj_lt in E; unfold num in *;
  repeat match goal with H : _ /\ _ |- _ => destruct H end;
  rewrite ?(IHn m a) by (unfold num in *; lia); try (rewrite (IHn m b) by (unfold num in *; lia)); auto.
Qed.
Lemma D_and k a b : PM.find k T = Some (NAnd a b) -> D k = And (D a) (D b).
Proof.
  intro E. unfold D at 1. simpl. rewrite E. apply WF in E. simpl in E.
  rewrite andb_true_iff, !Pos.ltb_lt, !Pos2Nat.inj_lt in E. unfold D, num in *.
  f_equal; apply expand_enough; unfold num; lia.
Qed.
Lemma D_some k r a : PM.find k T = Some (NSome r a) -> D k = Ex (num r) (D a).
Proof.
  intro E. unfold D at 1. simpl. rewrite E. apply WF in E. simpl in E.
  rewrite Pos.ltb_lt, Pos2Nat.inj_lt in E. unfold D, num in *. f_equal; apply expand_enough; unfold num; lia.
Qed.
Lemma D_self k r : PM.find k T = Some (NSelf r) -> D k = Self (num r).
Proof. intro E. unfold D; simpl. now rewrite E. Qed.
Lemma D_top k : PM.find k T = Some NTop -> D k = Top.
Proof. intro E. unfold D; simpl. now rewrite E. Qed.
Lemma D_bot k : PM.find k T = Some NBot -> D k = Bot.
Proof. intro E. unfold D; simpl. now rewrite E. Qed.
Lemma D_class k : PM.find k T = Some NClass -> D k = Atom (num k).
Proof. intro E. unfold D; simpl. now rewrite E. Qed.
Lemma D_nom k : PM.find k T = Some NNom -> D k = Nom (num k).
Proof. intro E. unfold D; simpl. now rewrite E. Qed.

(* ── Axioms ── *)

Inductive row :=
| ASub (c d : positive) | ARole (r s : positive) | AChain (r s t : positive) | ARange (r c : positive)
| AKey (c : positive) (rs ds : list positive)   (* a key of roles to individuals, and of roles to data values *)
| AUniv (r t : positive)                      (* r relates all elements of t *)
| AFunctional (r : positive) | ASingle (c : positive)
| ACases (c : positive) (ds : list positive). (* what is in c is in one of ds *)

(* what a list of rows says: an ontology of Syntax, and what lies beyond it *)
Definition axiom_of (a : row) : list axiom :=
  match a with
  | ASub c d => [GCI (D c) (D d)]
  | ARole r s => [RI (num r) (num s)]
  | AChain r s t => [RC (num r) (num s) (num t)]
  | ARange r c => [Range (num r) (D c)]
  | AKey c rs [] => [Key (D c) (map num rs)]
  | _ => [] end.
Definition ontology_of (A : list row) : ontology := flat_map axiom_of A.
Definition beyond (I : interp) (a : row) : Prop :=
  match a with
  | AKey c rs (d :: ds) => forall i j, eval I (D c) (iI I i) -> eval I (D c) (iI I j) ->
      (forall r, In r (map num rs) -> exists k, rI I r (iI I i) (iI I k) /\ rI I r (iI I j) (iI I k)) ->
      (forall r, In r (map num (d :: ds)) -> exists y, rI I r (iI I i) y /\ rI I r (iI I j) y) -> iI I i = iI I j
  | AUniv r t => forall x y, eval I (D t) x -> eval I (D t) y -> rI I (num r) x y
  | AFunctional r => forall x y z, rI I (num r) x y -> rI I (num r) x z -> y = z
  | ASingle c => forall x y, eval I (D c) x -> eval I (D c) y -> x = y
  | ACases c ds => forall x, eval I (D c) x -> exists d, In d ds /\ eval I (D d) x
  | _ => True end.
Definition extra (I : interp) (A : list row) : Prop := forall a, In a A -> beyond I a.
Definition Follows (A : list row) (c d : positive) : Prop :=
  forall I, model I (ontology_of A) -> extra I A -> forall x, eval I (D c) x -> eval I (D d) x.

Definition plain (a : row) : Prop :=
  match a with AKey _ _ (_ :: _) | AUniv _ _ | AFunctional _ | ASingle _ | ACases _ _ => False | _ => True end.
Theorem Follows_Entails A c d :
  (forall a, In a A -> plain a) -> Follows A c d <-> Entails (ontology_of A) (D c) (D d).
Proof.
  intro N; split; intros H I M; [apply H; auto|intro; apply H; auto].
  intros a Ha. specialize (N _ Ha). destruct a as [| | | |c' rs [|]| | | |]; simpl in *; auto; destruct N.
Qed.

Lemma in_ontology A a b : In a A -> In b (axiom_of a) -> In b (ontology_of A).
Proof. intros; apply in_flat_map; eauto. Qed.

(* ── Derivations ── *)

Inductive fact := FSub (c d : positive) | FLink (c r d : positive) | FRole (r s : positive) | FSome (c : positive)
| FUniv (r t : positive) | FSingle (c : positive).

Inductive rule := RReflexive | RTop | RTold | RTransitive | RConjunct | RConjunction | RAbsurd
| RLink | RSome | RWiden | RBottom | RRoleReflexive | RRoleTold | RRoleUniversal | RLinkRole | RChain | RRange
| RSelfLink | RSelfRole | RSelfChain | RSelfRange | RSelfNominal | RSelfUniversal
| RNonempty | RNonemptyLink | RNonemptySuper | RNominal | RInconsistent
| RUniversalTold | RUniversalRole | RUniversalChain | RUniversalLink | RSingleTold | RFunctional | RKey | RCases.

Definition is (n : node) (k : positive) : bool :=
  match PM.find k T, n with
  | Some NTop, NTop => true | Some NBot, NBot => true | Some NNom, NNom => true
  | Some (NAnd a b), NAnd a' b' => Pos.eqb a a' && Pos.eqb b b'
  | Some (NSome r a), NSome r' a' => Pos.eqb r r' && Pos.eqb a a'
  | Some (NSelf r), NSelf r' => Pos.eqb r r'
  | _, _ => false end.
Lemma is_find n k : is n k = true -> PM.find k T = Some n.
Proof.
  unfold is. destruct (PM.find k T) as [[]|]; destruct n; try discriminate; intro H; auto;
  rewrite ?andb_true_iff, ?Pos.eqb_eq in H; intuition congruence.
Qed.

Fixpoint share_values (a b : positive) (ds : list positive) (ls : list fact) : bool :=
  match ds, ls with
  | [], [] => true
  | r :: ds, FLink a' r1 k1 :: FLink b' r2 k2 :: FSingle k3 :: ls =>
      Pos.eqb a a' && Pos.eqb b b' && Pos.eqb r r1 && Pos.eqb r r2 && Pos.eqb k1 k2 && Pos.eqb k1 k3
      && share_values a b ds ls
  | _, _ => false end.
Fixpoint shares (a b : positive) (rs ds : list positive) (ls : list fact) : bool :=
  match rs, ls with
  | [], _ => share_values a b ds ls
  | r :: rs, FLink a' r1 k1 :: FLink b' r2 k2 :: ls =>
      Pos.eqb a a' && Pos.eqb b b' && Pos.eqb r r1 && Pos.eqb r r2 && Pos.eqb k1 k2 && is NNom k1 && shares a b rs ds ls
  | _, _ => false end.

(* of each d, that the whole with d is below e *)
Fixpoint covers (c e : positive) (ds : list positive) (ls : list fact) : bool :=
  match ds, ls with
  | [], [] => true
  | d :: ds, FSub k e' :: ls => is (NAnd c d) k && Pos.eqb e e' && covers c e ds ls
  | _, _ => false end.

Local Notation "x =? y" := (Pos.eqb x y).
Definition instance (assumed : option positive) (u : rule) (f : fact) (ps : list fact) (x : option row) : bool :=
  match u, f, ps, x with
  | RReflexive, FSub c d, [], None => c =? d
  | RTop, FSub _ d, [], None => is NTop d
  | RTold, FSub c e, [FSub c' d], Some (ASub d' e') => (c =? c') && (d =? d') && (e =? e')
  | RTransitive, FSub c e, [FSub c' d; FSub d' e'], None => (c =? c') && (d =? d') && (e =? e')
  | RConjunct, FSub c d, [FSub c' w], None =>
      (c =? c') && match PM.find w T with Some (NAnd a b) => (d =? a) || (d =? b) | _ => false end
  | RConjunction, FSub c w, [FSub c1 a; FSub c2 b], None => (c =? c1) && (c =? c2) && is (NAnd a b) w
  | RAbsurd, FSub c _, [FSub c' b], None => (c =? c') && is NBot b
  | RLink, FLink c r d, [FSub c' e], None => (c =? c') && is (NSome r d) e
  | RSome, FSub c w, [FLink c' r d; FSub d' e], None => (c =? c') && (d =? d') && is (NSome r e) w
  | RWiden, FLink c r e, [FLink c' r' d; FSub d' e'], None => (c =? c') && (r =? r') && (d =? d') && (e =? e')
  | RBottom, FSub c b, [FLink c' _ d; FSub d' b'], None => (c =? c') && (d =? d') && is NBot b && is NBot b'
  | RRoleReflexive, FRole r s, [], None => r =? s
  | RRoleTold, FRole r t, [FRole r' s], Some (ARole s' t') => (r =? r') && (s =? s') && (t =? t')
  | RRoleUniversal, FRole r s, [FUniv s' t; FSub e t'], Some (ARange r' t'') =>
      (s =? s') && (r =? r') && (t =? t') && (t =? t'')
      && match PM.find e T with Some (NSome q f) => (q =? r) && is NTop f | _ => false end
  | RLinkRole, FLink c s d, [FLink c' r d'; FRole r' s'], None => (c =? c') && (d =? d') && (r =? r') && (s =? s')
  | RChain, FLink c t e, [FLink c' r d; FLink d' s e'], Some (AChain r' s' t') =>
      (c =? c') && (d =? d') && (e =? e') && (r =? r') && (s =? s') && (t =? t')
  | RRange, FLink c r w, [FLink c' r' d; FRole r'' s], Some (ARange s' e) =>
      (c =? c') && (r =? r') && (r =? r'') && (s =? s') && is (NAnd d e) w
  | RSelfLink, FLink c r d, [FSub c' l], None => (c =? c') && (d =? c') && is (NSelf r) l
  | RSelfRole, FSub c l', [FSub c' l; FRole r s], None => (c =? c') && is (NSelf r) l && is (NSelf s) l'
  | RSelfChain, FSub c l, [FSub c1 l1; FSub c2 l2], Some (AChain r s t) =>
      (c =? c1) && (c =? c2) && is (NSelf r) l1 && is (NSelf s) l2 && is (NSelf t) l
  | RSelfRange, FSub c d, [FSub c' l], Some (ARange r d') => (c =? c') && is (NSelf r) l && (d =? d')
  | RSelfNominal, FSub c l, [FSub c1 a; FLink c2 r d; FSub d' a'], None =>
      (c =? c1) && (c =? c2) && (d =? d') && (a =? a') && is NNom a && is (NSelf r) l
  | RSelfUniversal, FSub c l, [FUniv r t; FSub c' t'], None => (c =? c') && (t =? t') && is (NSelf r) l
  | RNonempty, FSome c, [], None =>
      is NTop c || is NNom c || match assumed with Some a => c =? a | None => false end
  | RNonemptyLink, FSome d, [FSome c; FLink c' _ d'], None => (c =? c') && (d =? d')
  | RNonemptySuper, FSome d, [FSome c; FSub c' d'], None => (c =? c') && (d =? d')
  | RNominal, FSub a d, [FSub d' a'; FSome d''], None => (a =? a') && (d =? d') && (d =? d'') && is NNom a
  | RInconsistent, FSub _ b, [FSome d; FSub d' b'], None => (d =? d') && is NBot b && is NBot b'
  | RUniversalTold, FUniv r t, [], Some (AUniv r' t') => (r =? r') && (t =? t')
  | RUniversalRole, FUniv s t, [FUniv r t'; FRole r' s'], None => (r =? r') && (s =? s') && (t =? t')
  | RUniversalChain, FUniv q t, [FUniv r t1; FUniv s t2], Some (AChain r' s' q') =>
      (r =? r') && (s =? s') && (q =? q') && (t =? t1) && (t =? t2)
  | RUniversalLink, FLink c r d, [FUniv r' t; FSome d'; FSub c' t1; FSub d'' t2], None =>
      (r =? r') && (d =? d') && (c =? c') && (d =? d'') && (t =? t1) && (t =? t2)
  | RSingleTold, FSingle c, [], Some (ASingle c') => c =? c'
  | RFunctional, FLink c r w, [FLink c1 r1 d; FLink c2 s e; FRole r2 f1; FRole s2 f2], Some (AFunctional f) =>
      (c =? c1) && (c =? c2) && (r =? r1) && (r =? r2) && (s =? s2) && (f =? f1) && (f =? f2) && is (NAnd d e) w
  | RKey, FSub a b, FSub a' c :: FSub b' c' :: ls, Some (AKey c'' rs ds) =>
      (a =? a') && (b =? b') && (c =? c'') && (c' =? c'') && is NNom a && is NNom b && shares a b rs ds ls
  | RCases, FSub c e, FSub c' w :: ls, Some (ACases w' ds) => (c =? c') && (w =? w') && covers c e ds ls
  | _, _, _, _ => false end.

Record step := mkStep { s_rule : rule; s_fact : fact; s_premises : list positive; s_axiom : option positive }.

Fixpoint look {X} (M : PM.t X) (ks : list positive) : option (list X) :=
  match ks with
  | [] => Some []
  | k :: ks => match PM.find k M, look M ks with Some x, Some xs => Some (x :: xs) | _, _ => None end end.

Definition check_step (assumed : option positive) (AX : PM.t row) (S : PM.t fact) (s : step) : bool :=
  match look S (s_premises s) with
  | None => false
  | Some ps => match s_axiom s with
    | None => instance assumed (s_rule s) (s_fact s) ps None
    | Some k => match PM.find k AX with
      | Some a => instance assumed (s_rule s) (s_fact s) ps (Some a)
      | None => false end end end.

Fixpoint run (assumed : option positive) (AX : PM.t row) (k : positive) (S : PM.t fact) (l : list step)
  : option (PM.t fact) :=
  match l with
  | [] => Some S
  | s :: l => if check_step assumed AX S s then run assumed AX (Pos.succ k) (PM.add k (s_fact s) S) l else None end.

Fixpoint number {X} (k : positive) (M : PM.t X) (l : list X) : PM.t X :=
  match l with [] => M | x :: l => number (Pos.succ k) (PM.add k x M) l end.
Lemma number_in {X} (l : list X) : forall k M j x, PM.find j (number k M l) = Some x -> PM.find j M = Some x \/ In x l.
Proof.
  induction l as [|y l IH]; simpl; intros k M j x H; auto.
  apply IH in H as [H|H]; auto. destruct (Pos.eq_dec j k) as [->|N].
  - rewrite PM.gss in H. inversion H; auto.
  - rewrite PM.gso in H by auto. auto.
Qed.

(* all inclusions of a list are shown by steps of one derivation, which may assume that c has an element to show c ⊑ d *)
Definition check (A : list row) (assumed : option positive) (l : list step) (goals : list (positive * positive * positive))
  : bool :=
  match run assumed (number 1 (PM.empty row) A) 1 (PM.empty fact) l with
  | None => false
  | Some F => forallb (fun g : positive * positive * positive => let '(c, d, k) := g in
      match PM.find k F with
      | Some (FSub c' d') => (c =? c') && (d =? d') && match assumed with None => true | Some a => a =? c end
      | _ => false end) goals end.

Section Sound.
Variable A : list row.
Variable assumed : option positive.
Variable I : interp.
Hypothesis M : model I (ontology_of A).
Hypothesis U : extra I A.
Hypothesis N : match assumed with None => True | Some a => exists x, eval I (D a) x end.

Definition sem (f : fact) : Prop :=
  match f with
  | FSub c d => forall x, eval I (D c) x -> eval I (D d) x
  | FLink c r d => forall x, eval I (D c) x -> exists y, rI I (num r) x y /\ eval I (D d) y
  | FRole r s => forall x y, rI I (num r) x y -> rI I (num s) x y
  | FSome c => exists x, eval I (D c) x
  | FUniv r t => forall x y, eval I (D t) x -> eval I (D t) y -> rI I (num r) x y
  | FSingle c => forall x y, eval I (D c) x -> eval I (D c) y -> x = y end.

Definition semA (a : row) : Prop :=
  match a with
  | ASub c d => forall x, eval I (D c) x -> eval I (D d) x
  | ARole r s => forall x y, rI I (num r) x y -> rI I (num s) x y
  | AChain r s t => forall x y z, rI I (num r) x y -> rI I (num s) y z -> rI I (num t) x z
  | ARange r c => forall x y, rI I (num r) x y -> eval I (D c) y
  | AKey c rs ds => forall i j, eval I (D c) (iI I i) -> eval I (D c) (iI I j) ->
      (forall r, In r (map num rs) -> exists k, rI I r (iI I i) (iI I k) /\ rI I r (iI I j) (iI I k)) ->
      (forall r, In r (map num ds) -> exists y, rI I r (iI I i) y /\ rI I r (iI I j) y) ->
      iI I i = iI I j
  | AUniv r t => forall x y, eval I (D t) x -> eval I (D t) y -> rI I (num r) x y
  | AFunctional r => forall x y z, rI I (num r) x y -> rI I (num r) x z -> y = z
  | ASingle c => forall x y, eval I (D c) x -> eval I (D c) y -> x = y
  | ACases c ds => forall x, eval I (D c) x -> exists d, In d ds /\ eval I (D d) x end.
Lemma semA_in a : In a A -> semA a.
Proof.
  intro H. pose proof (U _ H) as B. destruct a as [| | | |c rs [|d ds]| | | |]; simpl in *; auto;
  try (apply (M _ (in_ontology _ _ _ H (or_introl eq_refl))); fail).
  intros i j Ci Cj S _. apply (M _ (in_ontology _ _ _ H (or_introl eq_refl))); auto.
Qed.

Lemma share_values_sound a b : is NNom a = true -> is NNom b = true -> forall ds ls, share_values a b ds ls = true ->
  (forall f, In f ls -> sem f) ->
  forall r, In r (map num ds) -> exists y, rI I r (iI I (num a)) y /\ rI I r (iI I (num b)) y.
Proof.
  intros Ha Hb. apply is_find, D_nom in Ha, Hb.
  induction ds as [|q ds IH]; simpl; intros ls H F r Hr; [tauto|].
  destruct ls as [|[| a' r1 k1 | | | |] [|[| b' r2 k2 | | | |] [|[| | | | |k3] ls]]]; try discriminate.
  rewrite !andb_true_iff, !Pos.eqb_eq in H. destruct H as [[[[[[-> ->] ->] ->] <-] <-] H].
  destruct Hr as [<-|Hr]; [|apply (IH ls); auto; intros; apply F; simpl; auto].
  destruct (F (FLink a' r2 k1) (or_introl eq_refl) (iI I (num a'))) as [y [R E]]; [now rewrite Ha|].
  destruct (F (FLink b' r2 k1) (or_intror (or_introl eq_refl)) (iI I (num b'))) as [z [R' E']]; [now rewrite Hb|].
  assert (X := F (FSingle k1) (or_intror (or_intror (or_introl eq_refl))) y z E E'). subst; eauto.
Qed.
Lemma shares_values a b ds : forall rs ls, shares a b rs ds ls = true -> (forall f, In f ls -> sem f) ->
  exists ls', share_values a b ds ls' = true /\ forall f, In f ls' -> sem f.
Proof.
  induction rs as [|q rs IH]; simpl; intros ls H F; [eauto|].
  destruct ls as [|[| a' r1 k1 | | | |] [|[| b' r2 k2 | | | |] ls]]; try discriminate.
  rewrite !andb_true_iff in H. apply (IH ls); [tauto|]. intros; apply F; simpl; auto.
Qed.
Lemma shares_sound a b ds : is NNom a = true -> is NNom b = true -> forall rs ls, shares a b rs ds ls = true ->
  (forall f, In f ls -> sem f) ->
  forall r, In r (map num rs) -> exists k, rI I r (iI I (num a)) (iI I k) /\ rI I r (iI I (num b)) (iI I k).
Proof.
  intros Ha Hb. apply is_find, D_nom in Ha, Hb.
  induction rs as [|q rs IH]; simpl; intros ls H F r Hr; [tauto|].
  destruct ls as [|[| a' r1 k1 | | | |] [|[| b' r2 k2 | | | |] ls]]; try discriminate.
  rewrite !andb_true_iff, !Pos.eqb_eq in H. destruct H as [[[[[[-> ->] ->] ->] <-] K] H].
  apply is_find, D_nom in K. destruct Hr as [<-|Hr]; [|apply (IH ls); auto; intros; apply F; simpl; auto].
  exists (num k1).
  destruct (F (FLink a' r2 k1) (or_introl eq_refl) (iI I (num a'))) as [y [R E]]; [now rewrite Ha|].
  destruct (F (FLink b' r2 k1) (or_intror (or_introl eq_refl)) (iI I (num b'))) as [z [R' E']]; [now rewrite Hb|].
  rewrite K in E, E'. simpl in E, E'. subst; auto.
Qed.

Lemma covers_sound c e : forall ds ls, covers c e ds ls = true -> (forall f, In f ls -> sem f) ->
  forall d x, In d ds -> eval I (D c) x -> eval I (D d) x -> eval I (D e) x.
Proof.
  induction ds as [|d' ds IH]; simpl; intros ls H F d x Hd Hc Hx; [tauto|].
  destruct ls as [|[k e'| | | | |] ls]; try discriminate.
  rewrite !andb_true_iff, Pos.eqb_eq in H. destruct H as [[K ->] H].
  apply is_find, D_and in K. destruct Hd as [->|Hd].
  - apply (F (FSub k e') (or_introl eq_refl)). rewrite K. simpl; auto.
  - apply (IH ls H) with d; auto. intros f Hf; apply F; simpl; auto.
Qed.

Ltac booleans := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_true_iff in H as [? ?]
  | H : _ || _ = true |- _ => apply orb_true_iff in H as [?|?]
  | H : (_ =? _) = true |- _ => apply Pos.eqb_eq in H; subst
  | H : is NTop _ = true |- _ => apply is_find, D_top in H
  | H : is NBot _ = true |- _ => apply is_find, D_bot in H
  | H : is (NSome _ _) _ = true |- _ => apply is_find, D_some in H
  | H : is (NAnd _ _) _ = true |- _ => apply is_find, D_and in H
  | H : is (NSelf _) _ = true |- _ => apply is_find, D_self in H end.
Ltac cases H := repeat match type of H with
  | match ?x with _ => _ end = true => destruct x; try discriminate H end.

Lemma instance_sound u f ps x :
  (forall g, In g ps -> sem g) -> (forall a, x = Some a -> semA a) ->
  instance assumed u f ps x = true -> sem f.
Proof.
  intros P X H.
  destruct u; unfold instance in H; cases H.
  all: try (assert (X0 := X _ eq_refl); simpl in X0); clear X.
  all: repeat match goal with
    | P : forall g, In g (?p :: ?l) -> sem g |- _ =>
        let Q := fresh "Q" in assert (Q := P p (or_introl eq_refl)); simpl in Q;
        let P' := fresh "P" in assert (P' : forall g, In g l -> sem g) by (intros g0 K0; apply P; right; exact K0); clear P
    end.
  all: booleans; simpl.
  all: try (match goal with
    K1 : is NNom ?a = true, K2 : is NNom ?b = true, K : shares ?a ?b _ _ ?ls = true, P : forall g, In g ?ls -> sem g |- _ =>
      pose proof (shares_sound _ _ _ K1 K2 _ _ K P);
      destruct (shares_values _ _ _ _ _ K P) as [ls' [K' P']];
      pose proof (share_values_sound _ _ K1 K2 _ _ K' P') end).
  all: repeat match goal with
    | K : is NNom _ = true |- _ => apply is_find, D_nom in K end.
  all: repeat match goal with
    | K : D ?k = _ |- _ => rewrite K in *; clear K end; simpl in *.
  all: try (exists (iI I 1%nat); simpl; auto; fail).
  all: try (intros; eauto; fail).
  all: try (match goal with K : match PM.find ?k T with _ => _ end = true |- _ =>
    destruct (PM.find k T) as [[]|] eqn:E; try discriminate K; apply D_and in E; rewrite E in *; booleans; firstorder end).
  all: try (firstorder eauto; fail).
  - destruct (PM.find c T) as [[| | | | |q f|]|] eqn:E; try discriminate H0. apply D_some in E. booleans.
    intros x y R. apply Q; [apply Q0; rewrite E; exists y; split; auto|eauto].
    match goal with K : D f = Top |- _ => rewrite K end. exact Logic.I.
  - intros x Hx. destruct (Q0 x Hx) as [y [R E]]. apply Q in Hx. apply Q1 in E. subst; auto.
  - destruct assumed; [|discriminate]. booleans. auto.
  - intros x Hx. destruct Q0 as [y Hy]. pose proof (Q _ Hy). subst; auto.
  - intros x Hx. destruct (Q x Hx) as [y [R E]], (Q0 x Hx) as [z [R' E']].
    assert (y = z) by (eapply X0; eauto). subst; eauto.
  - intros x ->. apply X0; auto.
  - intros x Hx. destruct (X0 x (Q x Hx)) as [m [Hm Em]].
    match goal with K : covers _ _ _ ?ls = true, P : forall g, In g ?ls -> sem g |- _ =>
      exact (covers_sound _ _ _ _ K P m x Hm Hx Em) end.
  Unshelve. all: exact (iI I 1%nat).
Qed.

Lemma look_in {X} (S : PM.t X) ks : forall xs, look S ks = Some xs ->
  forall x, In x xs -> exists k, PM.find k S = Some x.
Proof.
  induction ks as [|k ks IH]; simpl; intros xs H x Hx.
  - inversion H; subst. destruct Hx.
  - destruct (PM.find k S) eqn:E; [|discriminate]. destruct (look S ks); [|discriminate].
    inversion H; subst. destruct Hx as [<-|Hx]; eauto.
Qed.
Lemma run_sound AX : (forall k a, PM.find k AX = Some a -> In a A) -> forall l k S S',
  (forall j g, PM.find j S = Some g -> sem g) -> run assumed AX k S l = Some S' ->
  forall j g, PM.find j S' = Some g -> sem g.
Proof.
  intro HA. induction l as [|s l IH]; simpl; intros k S S' HS H; [inversion H; subst; auto|].
  destruct (check_step assumed AX S s) eqn:E; [|discriminate].
  eapply IH; [|eauto]. intros j g Hj. destruct (Pos.eq_dec j k) as [->|Nj].
  - rewrite PM.gss in Hj. inversion Hj; subst. unfold check_step in E.
    destruct (look S (s_premises s)) as [ps|] eqn:L; [|discriminate].
    assert (P : forall g, In g ps -> sem g) by (intros g Hg; destruct (look_in _ _ _ L _ Hg); eauto).
    destruct (s_axiom s) as [x|].
    + destruct (PM.find x AX) as [a|] eqn:Fa; [|discriminate].
      eapply instance_sound; eauto. intros b Hb; inversion Hb; subst. apply semA_in; eauto.
    + eapply instance_sound; eauto. discriminate.
  - rewrite PM.gso in Hj by auto. eauto.
Qed.
End Sound.

Theorem check_sound A assumed l goals c d k :
  check A assumed l goals = true -> In (c, d, k) goals -> Follows A c d.
Proof.
  unfold check. destruct (run _ _ _ _ _) as [F|] eqn:R; [|discriminate]. intros H G I M U x Hx.
  rewrite forallb_forall in H. specialize (H _ G). simpl in H.
  destruct (PM.find k F) as [[c' d'| | | | |]|] eqn:E; try discriminate.
  rewrite !andb_true_iff, !Pos.eqb_eq in H. destruct H as [[<- <-] HA].
  assert (N : match assumed with None => True | Some a => exists x, eval I (D a) x end).
  { destruct assumed as [a|]; auto. apply Pos.eqb_eq in HA; subst; eauto. }
  assert (S : sem I (FSub c d)).
  { refine (run_sound A assumed I M U N (number 1 (PM.empty row) A) _ l 1%positive (PM.empty fact) F _ R k _ E).
    - intros j a Hj. apply number_in in Hj as [Hj|Hj]; auto. rewrite PM.gempty in Hj. discriminate.
    - intros j g Hj. rewrite PM.gempty in Hj. discriminate. }
  apply S; auto.
Qed.
End Theory.
