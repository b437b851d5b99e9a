(* Saturated sets: a program that accepts only closed ones, and the proof that a closed one is a model.

   model_refutes  an accepted set with an element in c and not in d: c ⊑ d does not follow from the axioms
   taxonomy_row   the same for all classes at once, as a class hierarchy needs it

   The model has, for each element, one copy (a named individual) or a copy on every level. A link by an ordered role
   leads to later copies or to individuals; other links lead to all copies. Loops by ordered roles are those that the
   set lists as ∃r.Self. Nothing is assumed of how the set was found. *)
Require Import List Arith Lia Bool PArith FMapPositive Eqdep_dec.
Import ListNotations.
From Moose Require Import Syntax Cert.

Local Notation "x =? y" := (Pos.eqb x y).
Definition mem (k : positive) (s : set) : bool := PM.mem k s.
Notation imp a b := (if a then b else true) (only parsing).   (* b is looked at only where a holds *)
Lemma imp_true (a b : bool) : imp a b = true -> a = true -> b = true.
Proof. intros H ->; auto. Qed.

Record saturated := mkSaturated {
  members : PM.t set;                               (* the concepts that each element is in *)
  leaving : PM.t (PM.t (list positive));            (* the links that leave an element: target, roles *)
  homes : PM.t positive;                            (* the element of each nominal *)
  single : set;                                     (* elements with one copy only *)
  above : PM.t set;                                 (* roles above a role *)
  ordered : set;
  everywhere : set;                                 (* roles that relate everything *)
  negative : set;                                   (* concepts that are recognised *)
  loops : PM.t positive;                            (* the concept ∃r.Self of a role *)
  default : positive }.                             (* what individuals are that are not spoken of *)

Section Check.
Variable T : table.
Variable A : list row.
Variable Z : saturated.

Definition inS (e k : positive) : bool := match PM.find e (members Z) with Some s => mem k s | None => false end.
Definition out (e : positive) : list (positive * positive) :=
  match PM.find e (leaving Z) with
  | Some m => flat_map (fun x : positive * list positive => map (fun p => (p, fst x)) (snd x)) (PM.elements m)
  | None => [] end.
Definition up (p r : positive) : bool := match PM.find p (above Z) with Some s => mem r s | None => false end.
Definition edge (e r f : positive) : bool :=
  match PM.find e (leaving Z) with
  | Some m => match PM.find f m with Some ps => existsb (fun p => up p r) ps | None => false end
  | None => false end.
Definition univ (r : positive) := mem r (everywhere Z).
Definition ord (r : positive) := mem r (ordered Z).
Definition neg (k : positive) := mem k (negative Z).
Definition one (e : positive) := mem e (single Z).
Definition loop (e r : positive) : bool := match PM.find r (loops Z) with Some k => inS e k | None => false end.
Definition all : list (positive * set) := PM.elements (members Z).
Definition inhabited (k : positive) : bool := existsb (fun x : positive * set => mem k (snd x)) all.
Definition every (p : positive -> set -> bool) : bool := forallb (fun x : positive * set => p (fst x) (snd x)) all.
Definition links (p : positive -> positive -> positive -> bool) : bool :=
  every (fun e _ => forallb (fun x : positive * positive => p e (fst x) (snd x)) (out e)).

(* an element is in a concept: so are its parts, and it has the successors that it needs *)
Definition downward (e : positive) (s : set) (k : positive) : bool :=
  match PM.find k T with
  | Some NTop | Some NClass => true
  | Some NBot | None => false
  | Some NNom => match PM.find k (homes Z) with Some f => e =? f | None => false end
  | Some (NAnd a b) => mem a s && mem b s
  | Some (NSome r a) =>
      existsb (fun x : positive * positive => up (fst x) r && inS (snd x) a) (out e) || (univ r && inhabited a)
  | Some (NSelf r) => univ r || edge e r e end.

(* a concept is recognised: whatever should be in it is *)
Definition upward (k : positive) : bool :=
  match PM.find k T with
  | Some NBot | Some NClass => true
  | None => false
  | Some NTop => every (fun _ s => mem k s)
  | Some NNom => match PM.find k (homes Z) with Some f => inS f k | None => false end
  | Some (NAnd a b) => neg a && neg b && every (fun _ s => imp (mem a s && mem b s) (mem k s))
  | Some (NSome r a) => neg a && links (fun e p f => imp (up p r && inS f a) (inS e k))
      && imp (univ r && inhabited a) (every (fun _ s => mem k s))
  | Some (NSelf r) => (univ r || ord r) && imp (univ r) (every (fun _ s => mem k s))
      && every (fun e s => imp (one e && edge e r e) (mem k s)) end.

Definition related (e r f : positive) : bool := univ r || edge e r f.
Definition named : list positive := default Z :: map snd (PM.elements (homes Z)).

Definition closed (a : row) : bool :=
  match a with
  | ASub c d => neg c && every (fun _ s => imp (mem c s) (mem d s))
  | ARole r s => forallb (fun x : positive * set => imp (mem r (snd x)) (mem s (snd x))) (PM.elements (above Z))
      && imp (univ r) (univ s) && imp (ord s) (ord r && every (fun e _ => imp (loop e r) (loop e s)))
  | AChain r s t => imp (univ r || univ s) (univ t)
      && imp (ord t) (ord r && ord s && PM.is_empty (single Z) && every (fun e _ => imp (loop e r && loop e s) (loop e t)))
      && links (fun e p f => imp (up p r)
          (forallb (fun x : positive * positive => imp (up (fst x) s) (univ t || edge e t (snd x))) (out f)))
  | ARange r c => links (fun _ p f => imp (up p r) (inS f c)) && imp (univ r) (every (fun _ s => mem c s))
  | AKey c rs [] => neg c && forallb (fun e => forallb (fun f => (e =? f)
      || negb (inS e c && inS f c && forallb (fun r => existsb (fun h => related e r h && related f r h) named) rs))
      named) named
  | AUniv r _ => univ r
  | AKey _ _ (_ :: _) | AFunctional _ | ASingle _ | ACases _ _ => false end.   (* what a saturated set does not cover *)

Definition is_model : bool :=
  forallb (fun x : positive * set => forallb (fun y : positive * unit => downward (fst x) (snd x) (fst y))
    (PM.elements (snd x))) all
  && forallb (fun x : positive * unit => upward (fst x)) (PM.elements (negative Z))
  && forallb closed A
  && links (fun _ _ f => PM.mem f (members Z))
  && forallb (fun x : positive * positive => PM.mem (snd x) (members Z) && one (snd x)) (PM.elements (homes Z))
  && PM.mem (default Z) (members Z)
  && forallb (fun x : positive * node => match snd x with
      | NSelf r => match PM.find r (loops Z) with Some k => k =? fst x | None => false end | _ => true end) (PM.elements T)
  && forallb (fun x : positive * positive => match PM.find (snd x) T with Some (NSelf r) => r =? fst x | _ => false end)
      (PM.elements (loops Z))
  && forallb (fun x : positive * unit => negb (univ (fst x))) (PM.elements (ordered Z)).

(* an element that is in c and not in d *)
Definition refutes (c d e : positive) : bool := inS e c && neg d && negb (inS e d).
Definition check_model (goals : list (positive * positive * positive)) : bool :=
  is_model && forallb (fun g : positive * positive * positive => refutes (fst (fst g)) (snd (fst g)) (snd g)) goals.

(* an element of a class that is in no class but those listed *)
Definition check_row (classes : list positive) (c e : positive) (listed : set) : bool :=
  inS e c && forallb (fun d => neg d && (mem d listed || negb (inS e d))) classes.

(* ── The model ── *)

Hypothesis WF : wf T.
Hypothesis OK : is_model = true.

Definition copy (p : positive * nat) : bool := PM.mem (fst p) (members Z) && (negb (one (fst p)) || Nat.eqb (snd p) 0).
Definition point := {p : positive * nat | copy p = true}.
Lemma point_eq (x y : point) : proj1_sig x = proj1_sig y -> x = y.
Proof.
  destruct x as [p h], y as [q h']; simpl; intro E. subst q. now rewrite (UIP_dec bool_dec h h').
Qed.
Definition el (x : point) := fst (proj1_sig x).
Definition level (x : point) := snd (proj1_sig x).

Lemma mem_elements (s : set) k : mem k s = true -> In (k, tt) (PM.elements s).
Proof.
  unfold mem. rewrite PM.mem_find. destruct (PM.find k s) as [[]|] eqn:E; intro H; [|discriminate H].
  now apply PM.elements_correct.
Qed.
Lemma in_all e s : PM.find e (members Z) = Some s -> In (e, s) all.
Proof. apply PM.elements_correct. Qed.
Lemma pm_mem {X} k (m : PM.t X) : PM.mem k m = true -> exists x, PM.find k m = Some x.
Proof. rewrite PM.mem_find. destruct (PM.find k m); eauto; discriminate. Qed.
Lemma every_use p : every p = true -> forall e s, PM.find e (members Z) = Some s -> p e s = true.
Proof. unfold every. rewrite forallb_forall. intros H e s E. apply (H (e, s)), in_all, E. Qed.
Lemma links_use p : links p = true -> forall e r f, PM.mem e (members Z) = true -> In (r, f) (out e) -> p e r f = true.
Proof.
  intros H e r f E L. apply pm_mem in E as [s E]. unfold links in H.
  assert (K := every_use _ H e s E). simpl in K. rewrite forallb_forall in K. apply (K (r, f) L).
Qed.
Lemma inS_find e k : inS e k = true -> exists s, PM.find e (members Z) = Some s /\ mem k s = true.
Proof. unfold inS. destruct (PM.find e (members Z)); eauto; discriminate. Qed.
Lemma edge_in e r f : edge e r f = true <-> exists p, In (p, f) (out e) /\ up p r = true.
Proof.
  unfold edge, out. destruct (PM.find e (leaving Z)) as [m|]; [|split; [discriminate|intros [p [[] _]]]]. split.
  - destruct (PM.find f m) as [ps|] eqn:F; [|discriminate]. intro H. apply existsb_exists in H as [p [I U]].
    exists p. split; auto. apply in_flat_map. exists (f, ps). split; [now apply PM.elements_correct|].
    simpl. apply in_map_iff. eauto.
  - intros [p [I U]]. apply in_flat_map in I as [[g ps] [I L]]. simpl in L. apply in_map_iff in L as [q [E L]].
    inversion E; subst. apply PM.elements_complete in I. rewrite I. apply existsb_exists. eauto.
Qed.

Lemma parts : 
  (forall e s k, PM.find e (members Z) = Some s -> mem k s = true -> downward e s k = true) /\
  (forall k, neg k = true -> upward k = true) /\
  (forall a, In a A -> closed a = true) /\
  (forall e p f, PM.mem e (members Z) = true -> In (p, f) (out e) -> PM.mem f (members Z) = true) /\
  (forall k f, PM.find k (homes Z) = Some f -> PM.mem f (members Z) = true /\ one f = true) /\
  PM.mem (default Z) (members Z) = true /\
  (forall k r, PM.find k T = Some (NSelf r) -> PM.find r (loops Z) = Some k) /\
  (forall k r, PM.find r (loops Z) = Some k -> PM.find k T = Some (NSelf r)) /\
  (forall r, ord r = true -> univ r = false).
Proof.
  unfold is_model in OK. rewrite !andb_true_iff in OK.
  destruct OK as [[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9]. rewrite forallb_forall in *.
  repeat split; auto.
  - intros e s k E K. specialize (H1 _ (in_all _ _ E)). simpl in H1. rewrite forallb_forall in H1.
    apply (H1 (k, tt)), mem_elements, K.
  - intros k K. apply (H2 (k, tt)), mem_elements, K.
  - intros e p f E L. apply (links_use _ H4 e p f E L).
  - specialize (H5 (k, f) (PM.elements_correct _ _ H)). simpl in H5. apply andb_true_iff in H5; tauto.
  - specialize (H5 (k, f) (PM.elements_correct _ _ H)). simpl in H5. apply andb_true_iff in H5; tauto.
  - intros k r E. specialize (H7 (k, NSelf r) (PM.elements_correct _ _ E)). simpl in H7.
    destruct (PM.find r (loops Z)); [|discriminate]. apply Pos.eqb_eq in H7; subst; auto.
  - intros k r E. specialize (H8 (r, k) (PM.elements_correct _ _ E)). simpl in H8.
    destruct (PM.find k T) as [[]|]; try discriminate. apply Pos.eqb_eq in H8; subst; auto.
  - intros r R. specialize (H9 (r, tt) (mem_elements _ _ R)). simpl in H9. now apply negb_true_iff in H9.
Qed.

Lemma default_copy : copy (default Z, 0) = true.
Proof. unfold copy; simpl. destruct parts as (_&_&_&_&_&H&_). rewrite H, orb_true_r. auto. Qed.
Definition default_point : point := exist _ (default Z, 0) default_copy.
Definition at0 (e : positive) : point :=
  match bool_dec (copy (e, 0)) true with left h => exist _ (e, 0) h | right _ => default_point end.
Lemma at0_el (e : positive) : PM.mem e (members Z) = true -> proj1_sig (at0 e) = (e, 0).
Proof.
  intro H. unfold at0. destruct (bool_dec (copy (e, 0)) true) as [h|h]; [reflexivity|].
  exfalso; apply h. unfold copy; simpl. now rewrite H, orb_true_r.
Qed.

Definition Rel (r : positive) (x y : point) : Prop :=
  univ r = true \/ (edge (el x) r (el y) = true /\ (ord r = true -> level x < level y \/ one (el y) = true))
  \/ (ord r = true /\ x = y /\ loop (el x) r = true).
Definition canon : interp := mkI point
  (fun a x => inS (el x) (Pos.of_nat a) = true)
  (fun r x y => Rel (Pos.of_nat r) x y)
  (fun i => match PM.find (Pos.of_nat i) (homes Z) with Some e => at0 e | None => default_point end).
Lemma canon_role r x y : rI canon (num r) x y <-> Rel r x y.
Proof. simpl. unfold num. now rewrite Pos2Nat.id. Qed.
Lemma canon_nominal k f : PM.find k (homes Z) = Some f -> iI canon (num k) = at0 f.
Proof. intro H. simpl. unfold num. rewrite Pos2Nat.id, H. auto. Qed.
Lemma point_mem (x : point) : PM.mem (el x) (members Z) = true.
Proof. destruct x as [p h]. unfold el, copy in *; simpl. apply andb_true_iff in h; tauto. Qed.
Lemma single_level (x : point) : one (el x) = true -> level x = 0.
Proof.
  destruct x as [[e n] h]. unfold el, level, copy in *; simpl in *. intro H. rewrite H in h. simpl in h.
  apply andb_true_iff in h as [_ h]. now apply Nat.eqb_eq in h.
Qed.
(* a copy of f later than level n, or its only one *)
Lemma later (f : positive) n : PM.mem f (members Z) = true -> exists y : point, el y = f /\ (n < level y \/ one f = true).
Proof.
  intro H. destruct (one f) eqn:O.
  - exists (at0 f). unfold el. rewrite at0_el by auto. auto.
  - assert (C : copy (f, S n) = true) by (unfold copy; simpl; now rewrite H, O).
    exists (exist _ (f, S n) C). unfold level; simpl. split; auto.
Qed.

Lemma truth1 : forall n k, num k < n -> forall x : dom canon, inS (el x) k = true -> eval canon (D T k) x.
Proof.
  destruct parts as (Hd&_&_&Ht&_&_&Hl&_&Ho).
  induction n; intros k Hn x Hx; [lia|].
  destruct (inS_find _ _ Hx) as [s [E K]]. assert (W := Hd _ _ _ E K). unfold downward in W.
  destruct (PM.find k T) as [[| | | |a b|r a|r]|] eqn:F; try discriminate.
  - rewrite (D_top _ _ F). simpl; auto.
  - rewrite (D_class _ _ F). simpl. unfold num. now rewrite Pos2Nat.id.
  - rewrite (D_nom _ _ F). destruct (PM.find k (homes Z)) as [f|] eqn:G; [|discriminate].
    apply Pos.eqb_eq in W. change (x = iI canon (num k)). rewrite (canon_nominal _ _ G).
    destruct parts as (_&_&_&_&Hh&_). destruct (Hh _ _ G) as [G1 G2].
    apply point_eq. rewrite at0_el by auto. subst f. pose proof (single_level x G2). destruct x as [[e m] h].
    unfold el, level in *; simpl in *. congruence.
  - pose proof (WF _ _ F) as B. simpl in B. rewrite andb_true_iff, !Pos.ltb_lt, !Pos2Nat.inj_lt in B.
    rewrite (D_and _ WF _ _ _ F). apply andb_true_iff in W as [W1 W2].
    split; apply IHn; unfold num in *; try lia; unfold inS; now rewrite E.
  - pose proof (WF _ _ F) as B. simpl in B. rewrite Pos.ltb_lt, Pos2Nat.inj_lt in B.
    rewrite (D_some _ WF _ _ _ F). apply orb_true_iff in W as [W|W].
    + apply existsb_exists in W as [[p f] [L W]]. simpl in W. apply andb_true_iff in W as [W1 W2].
      destruct (later f (level x) (Ht _ _ _ (point_mem x) L)) as [y [Ey Ly]].
      exists y. split; [|apply IHn; [unfold num in *; lia|now rewrite Ey]].
      apply (proj2 (canon_role _ _ _)). right; left. rewrite Ey. split; [apply edge_in; eauto|auto].
    + apply andb_true_iff in W as [W1 W2]. unfold inhabited in W2. apply existsb_exists in W2 as [[f s'] [L W2]].
      simpl in W2. apply PM.elements_complete in L.
      assert (G : PM.mem f (members Z) = true) by (now rewrite PM.mem_find, L).
      exists (at0 f). split; [apply (proj2 (canon_role _ _ _)); left; auto|].
      apply IHn; [unfold num in *; lia|]. unfold el. rewrite at0_el by auto. simpl. unfold inS. now rewrite L.
  - rewrite (D_self _ _ _ F). change (rI canon (num r) x x). apply (proj2 (canon_role _ _ _)).
    destruct (univ r) eqn:Ur; [left; auto|]. simpl in W. destruct (ord r) eqn:Or.
    + right; right. split; auto. split; auto. unfold loop. now rewrite (Hl _ _ F).
    + right; left. split; auto. congruence.
Qed.
Lemma truth2 : forall n k, num k < n -> neg k = true ->
  forall x : dom canon, eval canon (D T k) x -> inS (el x) k = true.
Proof.
  destruct parts as (_&Hu&_&_&Hh&_&Hl&Hl'&Ho).
  induction n; intros k Hn Kn x Hx; [lia|].
  pose proof (Hu _ Kn) as W. unfold upward in W.
  destruct (pm_mem _ _ (point_mem x)) as [s E].
  assert (IS : forall j, mem j s = true -> inS (el x) j = true) by (intros; unfold inS; now rewrite E).
  assert (SI : forall j, inS (el x) j = true -> mem j s = true) by (unfold inS; rewrite E; auto).
  destruct (PM.find k T) as [[| | | |a b|r a|r]|] eqn:F; try discriminate.
  - apply IS. apply (every_use _ W _ _ E).
  - rewrite (D_bot _ _ F) in Hx. destruct Hx.
  - rewrite (D_class _ _ F) in Hx. simpl in Hx. unfold num in Hx. now rewrite Pos2Nat.id in Hx.
  - rewrite (D_nom _ _ F) in Hx. destruct (PM.find k (homes Z)) as [f|] eqn:G; [|discriminate].
    change (x = iI canon (num k)) in Hx. rewrite (canon_nominal _ _ G) in Hx. subst x.
    unfold el. rewrite at0_el; auto. apply (Hh _ _ G).
  - pose proof (WF _ _ F) as B. simpl in B. rewrite andb_true_iff, !Pos.ltb_lt, !Pos2Nat.inj_lt in B.
    rewrite (D_and _ WF _ _ _ F) in Hx. destruct Hx as [X1 X2]. rewrite !andb_true_iff in W. destruct W as [[N1 N2] W].
    apply IHn in X1, X2; auto; try (unfold num in *; lia). apply IS.
    apply (imp_true _ _ (every_use _ W _ _ E)). rewrite (SI _ X1), (SI _ X2). auto.
  - pose proof (WF _ _ F) as B. simpl in B. rewrite Pos.ltb_lt, Pos2Nat.inj_lt in B.
    rewrite (D_some _ WF _ _ _ F) in Hx. destruct Hx as [y [R Y]].
    rewrite !andb_true_iff in W. destruct W as [[N1 W1] W2].
    apply IHn in Y; auto; try (unfold num in *; lia). apply (proj1 (canon_role _ _ _)) in R.
    assert (G : edge (el x) r (el y) = true -> inS (el x) k = true).
    { intro Ed. apply edge_in in Ed as [p [L Up]].
      apply (imp_true _ _ (links_use _ W1 _ _ _ (point_mem x) L)). now rewrite Up, Y. }
    assert (V : univ r = true -> inS (el x) k = true).
    { intro V. apply IS. eapply (every_use (fun _ s => mem k s)); [|exact E]. apply (imp_true _ _ W2). rewrite V. simpl.
      unfold inhabited. apply existsb_exists. destruct (inS_find _ _ Y) as [s' [E' K']].
      exists (el y, s'). split; auto. now apply in_all. }
    destruct R as [R|[[R _]|[_ [<- R]]]]; auto.
    destruct parts as (Hd&_). unfold loop in R. destruct (PM.find r (loops Z)) as [l|] eqn:Fl; [|discriminate].
    assert (W := Hd _ _ _ E (SI _ R)). unfold downward in W. rewrite (Hl' _ _ Fl) in W.
    apply orb_true_iff in W as [W|W]; auto.
  - rewrite (D_self _ _ _ F) in Hx. change (rI canon (num r) x x) in Hx. apply (proj1 (canon_role _ _ _)) in Hx.
    rewrite !andb_true_iff in W. destruct W as [[W0 W1] W2].
    destruct Hx as [V|[[Ed O]|[_ [_ L]]]].
    + apply IS. eapply (every_use (fun _ s => mem k s)); [|exact E]. apply (imp_true _ _ W1); auto.
    + destruct (univ r) eqn:V; [apply IS; eapply (every_use (fun _ s => mem k s)); [|exact E]; apply W1|].
      simpl in W0. destruct (O W0) as [O'|O']; [lia|]. apply IS.
      apply (imp_true _ _ (every_use _ W2 _ _ E)). now rewrite O', Ed.
    + unfold loop in L. now rewrite (Hl _ _ F) in L.
Qed.
Lemma holds k x : inS (el x) k = true -> eval canon (D T k) x.
Proof. intro H. apply (truth1 (S (num k)) k); auto. Qed.
Lemma found k x : neg k = true -> eval canon (D T k) x -> inS (el x) k = true.
Proof. intros H. apply (truth2 (S (num k)) k); auto. Qed.

(* ∃r.Self is a link to oneself *)
Lemma loop_edge x r : loop (el x) r = true -> univ r = true \/ edge (el x) r (el x) = true.
Proof.
  destruct parts as (Hd&_&_&_&_&_&_&Hl'&_). intro R. unfold loop in R.
  destruct (PM.find r (loops Z)) as [l|] eqn:Fl; [|discriminate R]. destruct (inS_find _ _ R) as [s [E K]].
  assert (W := Hd _ _ _ E K). unfold downward in W. rewrite (Hl' _ _ Fl) in W. now apply orb_true_iff in W.
Qed.
Lemma Rel_edge x y r : univ r = false -> Rel r x y -> edge (el x) r (el y) = true.
Proof.
  intros V [R|[[R _]|[_ [<- R]]]]; [congruence|auto|]. apply loop_edge in R as [R|R]; [congruence|auto].
Qed.

Lemma sub_holds c d : closed (ASub c d) = true -> satA canon (GCI (D T c) (D T d)).
Proof.
  intros H x Hx. apply andb_true_iff in H as [H1 H2]. apply found in Hx; auto. apply holds.
  destruct (inS_find _ _ Hx) as [s [E K]]. unfold inS. rewrite E. apply (imp_true _ _ (every_use _ H2 _ _ E) K).
Qed.
Lemma role_holds r s : closed (ARole r s) = true -> satA canon (RI (num r) (num s)).
Proof.
  intros H x y R. apply (proj1 (canon_role _ _ _)) in R. apply (proj2 (canon_role _ _ _)).
  apply andb_true_iff in H as [H H3]. apply andb_true_iff in H as [H1 H2].
  assert (UP : forall p, up p r = true -> up p s = true).
  { intros p P. unfold up in *. destruct (PM.find p (above Z)) as [q|] eqn:E; [|discriminate P].
    rewrite forallb_forall in H1. apply (imp_true _ _ (H1 (p, q) (PM.elements_correct _ _ E)) P). }
  assert (ED : forall e f, edge e r f = true -> edge e s f = true).
  { intros e f Ed. apply edge_in in Ed as [p [L P]]. apply edge_in. eauto. }
  destruct (univ s) eqn:V; [left; auto|]. right.
  assert (V' : univ r = false) by (destruct (univ r); auto; simpl in H2; congruence).
  destruct (ord s) eqn:O.
  - simpl in H3. apply andb_true_iff in H3 as [H3 H4]. destruct R as [R|[[R N]|[_ [<- R]]]]; [congruence| |].
    + left; split; auto.
    + right. split; auto. split; auto. destruct (pm_mem _ _ (point_mem x)) as [q E].
      apply (imp_true _ _ (every_use _ H4 _ _ E) R).
  - left. split; [|congruence]. apply ED. apply Rel_edge; auto.
Qed.
Lemma chain_holds r s t : closed (AChain r s t) = true -> satA canon (RC (num r) (num s) (num t)).
Proof.
  intros H x y z R S. apply (proj1 (canon_role _ _ _)) in R, S. apply (proj2 (canon_role _ _ _)).
  apply andb_true_iff in H as [H H3]. apply andb_true_iff in H as [H1 H2].
  destruct (univ t) eqn:V; [left; auto|].
  assert (V' : univ r = false /\ univ s = false) by
    (destruct (univ r), (univ s); simpl in H1; auto; discriminate H1). destruct V' as [Vr Vs].
  assert (ED : edge (el x) t (el z) = true).
  { pose proof (Rel_edge _ _ _ Vr R) as E1. pose proof (Rel_edge _ _ _ Vs S) as E2.
    apply edge_in in E1 as [p [L P]]. apply edge_in in E2 as [q [L' Q]].
    assert (K := imp_true _ _ (links_use _ H3 _ _ _ (point_mem x) L) P). rewrite forallb_forall in K.
    assert (K' := imp_true _ _ (K _ L') Q). exact K'. }
  destruct (ord t) eqn:O; [|right; left; split; auto; congruence].
  simpl in H2. rewrite !andb_true_iff in H2. destruct H2 as [[[O1 O2] NS] H4].
  assert (NO : forall e, one e = false).
  { intro e. unfold one, mem. rewrite PM.mem_find. apply PM.is_empty_2 in NS.
    destruct (PM.find e (single Z)) eqn:E; auto. exfalso. apply (NS e u). exact E. }
  assert (LV : forall a b q, univ q = false -> ord q = true -> Rel q a b -> level a < level b \/ a = b /\ loop (el a) q = true).
  { intros a b q Vq Oq [C|[[_ C]|[_ [C C']]]]; [congruence| |auto]. destruct (C Oq) as [C'|C']; auto. rewrite NO in C'. discriminate C'. }
  destruct (LV _ _ _ Vr O1 R) as [L1|[<- L1]]; destruct (LV _ _ _ Vs O2 S) as [L2|[<- L2]].
  - right; left; split; auto. intros _. left; lia.
  - right; left; split; auto.
  - right; left; split; auto.
  - right; right. split; auto. split; auto. destruct (pm_mem _ _ (point_mem x)) as [q E].
    apply (imp_true _ _ (every_use _ H4 _ _ E)). now rewrite L1, L2.
Qed.
Lemma range_holds r c : closed (ARange r c) = true -> satA canon (Range (num r) (D T c)).
Proof.
  intros H x y R. apply (proj1 (canon_role _ _ _)) in R. apply andb_true_iff in H as [H1 H2]. apply holds.
  destruct (univ r) eqn:V.
  - destruct (pm_mem _ _ (point_mem y)) as [s E]. unfold inS. rewrite E. apply (every_use _ H2 _ _ E).
  - apply Rel_edge in R; auto. apply edge_in in R as [p [L P]]. apply (imp_true _ _ (links_use _ H1 _ _ _ (point_mem x) L) P).
Qed.
Lemma named_point i : In (el (iI canon i)) named /\ level (iI canon i) = 0.
Proof.
  destruct parts as (_&_&_&_&Hh&_). simpl. destruct (PM.find (Pos.of_nat i) (homes Z)) as [e|] eqn:E.
  - unfold el, level. rewrite at0_el by apply (Hh _ _ E). simpl. split; auto. right.
    apply in_map_iff. exists (Pos.of_nat i, e). split; auto. now apply PM.elements_correct.
  - unfold el, level; simpl; auto.
Qed.
Lemma key_holds c rs : closed (AKey c rs []) = true -> satA canon (Key (D T c) (map num rs)).
Proof.
  intros H i j Ci Cj S. apply andb_true_iff in H as [H1 H2]. apply found in Ci, Cj; auto.
  destruct (named_point i) as [Ni Li], (named_point j) as [Nj Lj].
  rewrite forallb_forall in H2. specialize (H2 _ Ni). rewrite forallb_forall in H2. specialize (H2 _ Nj).
  apply orb_true_iff in H2 as [H2|H2].
  - apply Pos.eqb_eq in H2. apply point_eq. unfold el, level in *.
    destruct (proj1_sig (iI canon i)), (proj1_sig (iI canon j)); simpl in *; congruence.
  - exfalso. apply negb_true_iff in H2. rewrite Ci, Cj in H2. simpl in H2.
    assert (K : forallb (fun r => existsb (fun h => related (el (iI canon i)) r h && related (el (iI canon j)) r h) named) rs = true).
    { apply forallb_forall. intros r Hr. destruct (S (num r)) as [k [R1 R2]]; [now apply in_map|].
      apply existsb_exists. exists (el (iI canon k)). split; [apply named_point|].
      apply (proj1 (canon_role _ _ _)) in R1, R2. unfold related. destruct (univ r) eqn:V; auto.
      now rewrite (Rel_edge _ _ _ V R1), (Rel_edge _ _ _ V R2). }
    pose proof (eq_trans (eq_sym K) H2) as X. discriminate X.
Qed.
Lemma canon_model : model canon (ontology_of T A) /\ extra T canon A.
Proof.
  destruct parts as (_&_&Ha&_). split.
  - intros b Hb. apply in_flat_map in Hb as [a [Ia Hb]]. apply Ha in Ia.
    destruct a as [| | | |c rs [|]| | | |]; simpl in Hb; try (destruct Hb; fail);
    destruct Hb as [<-|Hb]; try (destruct Hb; fail);
    [apply sub_holds|apply role_holds|apply chain_holds|apply range_holds|apply key_holds]; auto.
  - intros a Ia. apply Ha in Ia. destruct a as [| | | |c rs [|]|r t| | |]; simpl; auto; try discriminate Ia.
    intros x y _ _. apply (proj2 (canon_role _ _ _)). left; exact Ia.
Qed.
Lemma refuted c d e : inS e c = true -> neg d = true -> inS e d = false -> ~ Follows T A c d.
Proof.
  intros Hc Hn Hd F. destruct (inS_find _ _ Hc) as [s [E _]].
  assert (M : PM.mem e (members Z) = true) by (rewrite PM.mem_find, E; auto).
  destruct canon_model as [CM CU].
  assert (X : inS (el (at0 e)) d = true).
  { apply found; auto. apply (F canon CM CU). apply holds. unfold el. rewrite at0_el by auto. exact Hc. }
  unfold el in X. rewrite at0_el in X by auto. simpl in X. congruence.
Qed.
End Check.

Theorem model_refutes T A Z goals c d e :
  wf T -> check_model T A Z goals = true -> In (c, d, e) goals -> ~ Follows T A c d.
Proof.
  intros W H G. apply andb_true_iff in H as [H1 H2]. rewrite forallb_forall in H2. specialize (H2 _ G). simpl in H2.
  unfold refutes in H2. rewrite !andb_true_iff, negb_true_iff in H2. destruct H2 as [[Hc Hn] Hd].
  apply (refuted T A Z W H1 c d e); auto.
Qed.
Theorem taxonomy_row T A Z classes c e listed d :
  wf T -> is_model T A Z = true -> check_row Z classes c e listed = true ->
  In d classes -> mem d listed = false -> ~ Follows T A c d.
Proof.
  intros W H1 H2 I L. unfold check_row in H2. apply andb_true_iff in H2 as [Hc H2]. rewrite forallb_forall in H2.
  specialize (H2 _ I). rewrite L in H2. simpl in H2. rewrite andb_true_iff, negb_true_iff in H2.
  apply (refuted T A Z W H1 c d e); tauto.
Qed.
(* with no role that relates everything, this is entailment as Syntax defines it *)
Corollary not_entailed T A Z goals c d e : (forall a, In a A -> plain a) ->
  wf T -> check_model T A Z goals = true -> In (c, d, e) goals -> ~ Entails (ontology_of T A) (D T c) (D T d).
Proof. intros N W H G E. apply (model_refutes T A Z goals c d e W H G). now apply Follows_Entails. Qed.
