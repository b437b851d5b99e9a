(* Stage 6: ground clauses over named individuals. Each shape listed in `ground_clause` holds in every model of the
   ontology. The Links clauses do not (a counter-model is given): they hold under role pinning, stated as a hypothesis.
   A propositional refutation of clauses, evidence and a negated atom proves the atom. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Calculus.

Inductive gatom := GC (a : nat) (i : nat) | GR (r : nat) (i j : nat).   (* A(i), R(i, j) *)
Definition gclause := (list gatom * list gatom)%type.   (* all of the first imply one of the second *)
Definition true_at (I : interp) (g : gatom) : Prop :=
  match g with GC a i => cI I a (iI I i) | GR r i j => rI I r (iI I i) (iI I j) end.
Definition clause_holds (I : interp) (c : gclause) : Prop :=
  (forall g, In g (fst c) -> true_at I g) -> exists g, In g (snd c) /\ true_at I g.

Fixpoint conj (l : list nat) : concept := match l with [] => Top | [a] => Atom a | a :: l => And (Atom a) (conj l) end.
Lemma eval_conj I l x : eval I (conj l) x <-> forall a, In a l -> cI I a x.
Proof.
  induction l as [|a [|b l] IH]; [simpl; split; auto; tauto|simpl; split; [intros H c [<-|[]]; auto|auto]|].
  change (eval I (conj (a :: b :: l)) x) with (cI I a x /\ eval I (conj (b :: l)) x). rewrite IH. simpl. split.
  - intros [H K] c [<-|Hc]; auto.
  - intro H; split; auto.
Qed.

(* The sound shapes; Sat may be any derivation, so these are the saturation's consequences, not only told axioms. *)
Inductive ground_clause (U : list concept) (O : ontology) : gclause -> Prop :=
| g_AtomSub a b i : Sat U O (Atom a) (Atom b) -> ground_clause U O ([GC a i], [GC b i])
| g_Unsat a i : Sat U O (Atom a) Bot -> ground_clause U O ([GC a i], [])
| g_Disj l i : Sat U O (conj l) Bot -> ground_clause U O (map (fun a => GC a i) l, [])
| g_Conj l b i : Sat U O (conj l) (Atom b) -> ground_clause U O (map (fun a => GC a i) l, [GC b i])
| g_ExLeft r a b i j : Sat U O (Ex r (Atom a)) (Atom b) -> ground_clause U O ([GR r i j; GC a j], [GC b i])
| g_Domain r b i j : Sat U O (Ex r Top) (Atom b) -> ground_clause U O ([GR r i j], [GC b i])
| g_Range r b i j : In (Range r (Atom b)) O -> ground_clause U O ([GR r i j], [GC b j])
| g_RoleInc r s i j : In (RI r s) O -> ground_clause U O ([GR r i j], [GR s i j])
| g_Chain r1 r2 s i j k : In (RC r1 r2 s) O -> ground_clause U O ([GR r1 i j; GR r2 j k], [GR s i k])
| g_Refl r i : In (Refl r) O -> ground_clause U O ([], [GR r i i])
| g_SelfRight a r i : Sat U O (Atom a) (Self r) -> ground_clause U O ([GC a i], [GR r i i])
| g_SelfLeft a r i : Sat U O (Self r) (Atom a) -> ground_clause U O ([GR r i i], [GC a i])
| g_Assert a i : Sat U O (Nom i) (Atom a) -> ground_clause U O ([], [GC a i])
| g_AssertRole r i j : Sat U O (Nom i) (Ex r (Nom j)) -> ground_clause U O ([], [GR r i j])
| g_Value a r i j : Sat U O (Atom a) (Ex r (Nom j)) -> ground_clause U O ([GC a i], [GR r i j])
| g_ValueLeft a r i j : Sat U O (Ex r (Nom j)) (Atom a) -> ground_clause U O ([GR r i j], [GC a i]).

Theorem grounding_sound U O c : ground_clause U O c -> forall I, model I O -> clause_holds I c.
Proof.
  intros G I M. destruct G; intro HB; cbn in *;
  try match goal with S : Sat _ _ _ _ |- _ => apply sound in S; specialize (S I M); rename S into SS end;
  try match goal with S : In _ O |- _ => apply M in S; cbn in S; rename S into AA end.
  - exists (GC b i). split; [left; auto|]. apply SS. apply (HB (GC a i)); auto.
  - destruct (SS (iI I i)). apply (HB (GC a i)); auto.
  - exfalso. apply (SS (iI I i)). apply eval_conj. intros a Ha. apply (HB (GC a i)), in_map_iff; eauto.
  - exists (GC b i). split; [left; auto|]. apply SS, eval_conj. intros a Ha. apply (HB (GC a i)), in_map_iff; eauto.
  - exists (GC b i). split; [left; auto|]. apply SS. exists (iI I j). split;
    [apply (HB (GR r i j))|apply (HB (GC a j))]; auto.
  - exists (GC b i). split; [left; auto|]. apply SS. exists (iI I j). split; [apply (HB (GR r i j));
    auto|exact Logic.I].
  - exists (GC b j). split; [left; auto|]. apply (AA (iI I i)). apply (HB (GR r i j)); auto.
  - exists (GR s i j). split; [left; auto|]. apply AA. apply (HB (GR r i j)); auto.
  - exists (GR s i k). split; [left; auto|]. apply (AA _ (iI I j)); [apply (HB (GR r1 i j))|apply (HB (GR r2 j k))];
    auto.
  - exists (GR r i i). split; [left; auto|]. apply AA.
  - exists (GR r i i). split; [left; auto|]. apply SS. apply (HB (GC a i)); auto.
  - exists (GC a i). split; [left; auto|]. apply SS. apply (HB (GR r i i)); auto.
  - exists (GC a i). split; [left; auto|]. apply SS. reflexivity.
  - exists (GR r i j). split; [left; auto|]. destruct (SS (iI I i) eq_refl) as [y [R ->]]. exact R.
  - exists (GR r i j). split; [left; auto|]. destruct (SS (iI I i)) as [y [R ->]]; [apply (HB (GC a i)); auto|exact R].
  - exists (GC a i). split; [left; auto|]. apply SS. exists (iI I j). split; [apply (HB (GR r i j)); auto|reflexivity].
Qed.

(* Links: A ⊑ ∃R.B becomes A(i) ∧ R(i,j) → B(j). Not a consequence. *)
Definition links_forward e r c i j : gclause := ([GC e i; GR r i j], [GC c j]).
Definition links_reverse e r c i j : gclause := ([GR r i j; GC c j], [GC e i]).
Theorem links_not_entailed : exists O I, In (GCI (Atom 0) (Ex 0 (Atom 1))) O /\ model I O /\
  ~ clause_holds I (links_forward 0 0 1 0 1).
Proof.
  exists [GCI (Atom 0) (Ex 0 (Atom 1))].
  (* 0 is an A with two successors: 1, which is no B, and 2, which is one *)
  exists (mkI nat (fun a x => (a = 0 /\ x = 0) \/ (a = 1 /\ x = 2)) (fun _ x y => x = 0 /\ (y = 1 \/ y = 2)) (fun i
    => i)).
  split; [left; auto|]. split.
  - intros a [<-|[]]. cbn. intros x [[_ ->]|[E _]]; [exists 2; auto|discriminate].
  - intro H. destruct H as [g [[<-|[]] K]].
    + intros g [<-|[<-|[]]]; cbn; auto.
    + cbn in K. lia.
Qed.
(* Role pinning: a named individual has at most one R-successor, as when R is observed as a function. *)
Definition role_pinned (I : interp) r := forall i y z, rI I r (iI I i) y -> rI I r (iI I i) z -> y = z.
Theorem links_forward_pinned U O e r c i j : Sat U O (Atom e) (Ex r (Atom c)) ->
  forall I, model I O -> role_pinned I r -> clause_holds I (links_forward e r c i j).
Proof.
  intros S I M P H. cbn in H. apply sound in S. destruct (S I M (iI I i)) as [y [R Hy]].
  - apply (H (GC e i)); auto.
  - exists (GC c j). split; [left; auto|]. cbn. rewrite (P i (iI I j) y); auto. apply (H (GR r i j)); auto.
Qed.
(* The reverse clause asks for more: whoever has an R-successor lies in some class that the links speak of, and
   the other links lead to classes that exclude this one. *)
Definition sources_cover (I : interp) r (L : list (nat * nat)) := forall i j, rI I r (iI I i) (iI I j) ->
  exists p, In p L /\ cI I (fst p) (iI I i).
Theorem links_reverse_pinned U O e r c L i j : (forall p, In p L -> Sat U O (Atom (fst p)) (Ex r (Atom (snd p)))) ->
  (forall p, In p L -> fst p = e \/ Sat U O (And (Atom (snd p)) (Atom c)) Bot) ->
  forall I, model I O -> role_pinned I r -> sources_cover I r L -> clause_holds I (links_reverse e r c i j).
Proof.
  intros HL HX I M P C H. cbn in H. assert (R : rI I r (iI I i) (iI I j)) by (apply (H (GR r i j)); auto).
  assert (Cj : cI I c (iI I j)) by (apply (H (GC c j)); auto).
  destruct (C i j R) as [p [Hp Ep]]. exists (GC e i). split; [left; auto|]. cbn.
  destruct (HX p Hp) as [<-|X]; auto. exfalso.
  destruct (links_forward_pinned U O (fst p) r (snd p) i j (HL p Hp) I M P) as [g [[<-|[]] K]].
  - intros g [<-|[<-|[]]]; cbn; auto.
  - apply sound in X. apply (X I M (iI I j)). split; auto.
Qed.

(* Propositional side: v lists the truth of the ground atoms of I. *)
Definition sat_clause (v : gatom -> bool) (c : gclause) := implb (forallb v (fst c)) (existsb v (snd c)).
Definition reflects (v : gatom -> bool) (I : interp) := forall g, v g = true <-> true_at I g.
Lemma clause_reflected v I c : reflects v I -> (sat_clause v c = true <-> clause_holds I c).
Proof.
  intro R. unfold sat_clause, clause_holds. split.
  - intros H K. assert (E : forallb v (fst c) = true) by (apply forallb_forall; intros; apply R; auto).
    rewrite E in H. simpl in H. apply existsb_exists in H as [g [Hg Hv]]. exists g; split; auto. apply R; auto.
  - intro H. destruct (forallb v (fst c)) eqn:E; auto. simpl. rewrite forallb_forall in E.
    destruct H as [g [Hg T]]; [intros; apply R; auto|]. apply existsb_exists. exists g; split; auto. apply R; auto.
Qed.
(* Entailment query: if no assignment satisfies the clauses, the evidence and ¬g, then g holds in every model
   that agrees with the evidence. *)
Theorem refutation_entails U O (G : list gclause) (pos neg : list gatom) g : (forall c, In c G ->
  ground_clause U O c) ->
  (forall v, forallb (sat_clause v) G && forallb v pos && forallb (fun x => negb (v x)) neg = true -> v g = true) ->
  forall I v, reflects v I -> model I O -> (forall x, In x pos -> true_at I x) -> (forall x, In x neg ->
    ~ true_at I x) ->
  true_at I g.
Proof.
  intros HG HV I v R M HP HN. apply R, HV. rewrite !andb_true_iff, !forallb_forall. repeat split.
  - intros c Hc. apply (clause_reflected v I); auto. eapply grounding_sound; eauto.
  - intros x Hx. apply R; auto.
  - intros x Hx. destruct (v x) eqn:E; auto. exfalso. apply (HN x Hx), R; auto.
Qed.

(* Sizes: m clauses for each subsumption, m² at most for each link. *)
Definition ground_unary (Δ : list nat) (f : nat -> gclause) := map f Δ.
Definition ground_binary (Δ : list nat) (f : nat -> nat -> gclause) :=
  flat_map (fun i => map (f i) (filter (fun j => negb (Nat.eqb i j)) Δ)) Δ.
Theorem ground_unary_size Δ f : length (ground_unary Δ f) = length Δ.
Proof. apply map_length. Qed.
Theorem ground_binary_size Δ f : length (ground_binary Δ f) <= length Δ * length Δ.
Proof.
  unfold ground_binary. assert (F : forall (p : nat -> bool) l, length (filter p l) <= length l)
    by (induction l as [|x l IH]; simpl; [lia|]; destruct (p x); simpl; lia).
  assert (K : forall l, length (flat_map (fun i => map (f i) (filter (fun j => negb (Nat.eqb i j)) Δ)) l) <= length l
    * length Δ).
  { induction l as [|i l IH]; simpl; [lia|]. rewrite app_length, map_length.
    specialize (F (fun j => negb (Nat.eqb i j)) Δ). lia. }
  apply K.
Qed.
