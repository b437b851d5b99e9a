(* Normal forms (appendix A, NF1-NF7). Every concept of U gets a fresh name, defined by axioms in normal form; every
   axiom then speaks of names only. The result is linear in size, and conservative: it entails, between concepts
   of the old vocabulary, what the ontology entails; and a subsumption of U iff that of the two names. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Syntax Saturated.

(* names below N are old *)
Fixpoint old (N : nat) (c : concept) : Prop :=
  match c with Atom a => a < N | And c d => old N c /\ old N d | Ex _ c => old N c | _ => True end.
Definition old_axiom N a :=
  match a with GCI c d => old N c /\ old N d | Range _ c => old N c | Key c _ => old N c | _ => True end.

(* the shapes of the paper, with nominals and Self as further atoms; role axioms are normal already *)
Definition atomic c := match c with Atom _ => True | _ => False end.
Definition basic c := match c with Atom _ | Nom _ | Self _ => True | _ => False end.
Inductive normal : axiom -> Prop :=
| NF1 a b c : normal (GCI (And (Atom a) (Atom b)) (Atom c))
| NF2 r a b : normal (GCI (Ex r (Atom a)) (Atom b))
| NF3 r a b : normal (GCI (Atom a) (Ex r (Atom b)))
| NF4 a : normal (GCI (Atom a) Bot)
| NF5 c d : basic c -> basic d -> normal (GCI c d)
| NF6 a : normal (GCI Top (Atom a))
| NF7 a : normal (GCI Bot (Atom a))
| NF_ri r s : normal (RI r s)
| NF_rc r1 r2 s : normal (RC r1 r2 s)
| NF_range r a : normal (Range r (Atom a))
| NF_refl r : normal (Refl r)
| NF_key a rs : normal (Key (Atom a) rs).

Section Normalise.
Variable N : nat.
Variable U : list concept.
Fixpoint position (c : concept) (l : list concept) : nat :=
  match l with [] => 0 | d :: l => if concept_dec c d then 0 else S (position c l) end.
Definition name (c : concept) : nat := N + position c U.
Definition X c : concept := Atom (name c).
Lemma position_nth c : In c U -> nth (position c U) U Top = c.
Proof.
  induction U as [|d l IH]; simpl; [tauto|]. intro H. destruct (concept_dec c d); auto. apply IH.
  destruct H; [congruence|auto].
Qed.

Definition define (c : concept) : list axiom :=
  match c with
  | Top => [GCI Top (X c)]
  | Bot => [GCI Bot (X c); GCI (X c) Bot]
  | And d e => [GCI (And (X d) (X e)) (X c); GCI (X c) (X d); GCI (X c) (X e)]
  | Ex r d => [GCI (Ex r (X d)) (X c); GCI (X c) (Ex r (X d))]
  | _ => [GCI c (X c); GCI (X c) c]
  end.
Definition name_axiom (a : axiom) : axiom :=
  match a with GCI c d => GCI (X c) (X d) | Range r c => Range r (X c) | Key c rs => Key (X c) rs | a => a end.
Definition normalise (O : ontology) : ontology := map name_axiom O ++ flat_map define U.

Theorem normalise_normal O a : In a (normalise O) -> normal a.
Proof.
  intro H. apply in_app_or in H as [H|H].
  - apply in_map_iff in H as [b [<- _]]. destruct b; cbn; [apply NF5; exact I|..]; constructor.
  - apply in_flat_map in H as [c [_ H]]. destruct c; simpl in H; repeat destruct H as [<-|H]; try destruct H;
    first [apply NF6|apply NF7|apply NF4|apply NF1|apply NF2|apply NF3|apply NF5; exact I].
Qed.
Theorem normalise_size O : length (normalise O) <= length O + 3 * length U.
Proof.
  unfold normalise. rewrite app_length, map_length.
  assert (L : forall l, length (flat_map define l) <= 3 * length l).
  { induction l as [|c l IH]; simpl; auto. rewrite app_length. destruct c; simpl; lia. }
  specialize (L U). lia.
Qed.

Variable O : ontology.
Hypothesis WF : universe U O.
Hypothesis OLDU : forall c, In c U -> old N c.
Hypothesis OLDO : forall a, In a O -> old_axiom N a.

(* in a model of the normal form, a name means its concept *)
Lemma name_means I : model I (normalise O) -> forall c, In c U -> forall x, cI I (name c) x <-> eval I c x.
Proof.
  intros M. assert (HS : subclosed U) by apply WF.
  assert (DF : forall c a, In c U -> In a (define c) -> satA I a)
    by (intros c a Hc Ha; apply M, in_or_app; right; apply in_flat_map; eauto).
  assert (B : forall c, In c U -> In (GCI c (X c)) (define c) -> In (GCI (X c) c) (define c) ->
    forall x, cI I (name c) x <-> eval I c x).
  { intros c Hc H1 H2 x. split; [apply (DF c _ Hc H2)|apply (DF c _ Hc H1)]. }
  induction c as [| |a|i|d IHd e IHe|r d IHd|r]; intros Hc x; try (apply B; simpl; auto; fail).
  - split; [simpl; auto|]. apply (DF Top _ Hc (or_introl eq_refl)).
  - destruct (HS _ Hc) as [Hd He]. cbn [eval]. rewrite <- IHd, <- IHe by auto.
    assert (E := fun a => DF _ a Hc). split.
    + intro H. split; [apply (E _ (or_intror (or_introl eq_refl)))|apply (E _ (or_intror (or_intror (or_introl
      eq_refl))))]; exact H.
    + intros H. apply (E _ (or_introl eq_refl)). exact H.
  - assert (Hd := HS _ Hc). simpl in Hd. assert (E := fun a => DF _ a Hc). cbn [eval]. split.
    + intro H. destruct (E _ (or_intror (or_introl eq_refl)) x H) as [y [R Hy]]. exists y. split; auto. apply IHd; auto.
    + intros [y [R Hy]]. apply (E _ (or_introl eq_refl)). exists y. split; auto. apply IHd; auto.
Qed.
Lemma normal_model_is_model I : model I (normalise O) -> model I O.
Proof.
  intros M a Ha. assert (HC := proj2 (proj2 (proj2 WF)) _ Ha). assert (T := name_means I M).
  assert (K : satA I (name_axiom a)) by (apply M, in_or_app; left; apply in_map; auto).
  destruct a; cbn in *; auto.
  - intros x Hx. apply T; [tauto|]. apply K. apply T; tauto.
  - intros x y R. apply T; auto. apply (K x y R).
  - intros i j Hi Hj. apply K; apply T; auto.
Qed.

(* a model of the ontology says what the names mean *)
Definition expand (I : interp) : interp :=
  mkI (dom I) (fun a x => if a <? N then cI I a x else eval I (nth (a - N) U Top) x) (rI I) (iI I).
Lemma expand_old I c : old N c -> forall x, eval (expand I) c x <-> eval I c x.
Proof.
  induction c as [| |a|i|d IHd e IHe|r d IHd|r]; simpl; intros H x; try tauto.
  - apply Nat.ltb_lt in H. rewrite H. tauto.
  - rewrite IHd, IHe by tauto. tauto.
  - split; intros [y [R Hy]]; exists y; split; auto; apply IHd; auto.
Qed.
Lemma expand_name I c : In c U -> forall x, cI (expand I) (name c) x <-> eval I c x.
Proof.
  intros Hc x. simpl. unfold name. replace (N + position c U <? N) with false by (symmetry; apply Nat.ltb_ge; lia).
  replace (N + position c U - N) with (position c U) by lia. rewrite position_nth by auto. tauto.
Qed.
Lemma expand_model I : model I O -> model (expand I) (normalise O).
Proof.
  intros M a Ha. apply in_app_or in Ha as [Ha|Ha].
  - apply in_map_iff in Ha as [b [<- Hb]]. assert (HC := proj2 (proj2 (proj2 WF)) _ Hb). specialize (M _ Hb).
    destruct b; cbn [name_axiom satA] in *; auto.
    + intros x Hx. change (cI (expand I) (name d) x). apply expand_name; [tauto|]. apply M.
      apply (expand_name I c); tauto.
    + intros x y R. apply (expand_name I c); auto. apply (M x y R).
    + intros i j Hi Hj. apply M; apply (expand_name I c); auto.
  - apply in_flat_map in Ha as [c [Hc Ha]]. assert (OC := OLDU _ Hc). assert (HS := proj1 (proj2 (proj2 WF)) _ Hc).
    assert (E := expand_name I c Hc). assert (V := expand_old I c OC).
    destruct c as [| |a'|i|d e|r d|r]; cbn [define In] in Ha; repeat destruct Ha as [<-|Ha]; try destruct Ha;
      intros x Hx; cbn [X eval] in *; try (apply E; apply V; auto; fail); try (apply V; apply E; auto; fail);
        try exact (proj1 (E x) Hx).
    + destruct HS as [Hd He]. apply E. destruct Hx. split; [apply (expand_name I d)|apply (expand_name I e)]; auto.
    + apply (expand_name I d); [tauto|]. apply E in Hx. apply Hx.
    + apply (expand_name I e); [tauto|]. apply E in Hx. apply Hx.
    + apply E. destruct Hx as [y [R Hy]]. exists y. split; auto. apply (expand_name I d); auto.
    + apply E in Hx. destruct Hx as [y [R Hy]]. exists y. split; auto. apply (expand_name I d); auto.
Qed.

(* conservative over the old vocabulary *)
Theorem normalise_conservative C D : old N C -> old N D -> (Entails O C D <-> Entails (normalise O) C D).
Proof.
  intros HC HD. split.
  - intros E I M. apply E. apply normal_model_is_model; auto.
  - intros E I M x Hx. apply (expand_old I D HD). apply E; [apply expand_model; auto|]. apply expand_old; auto.
Qed.
(* and faithful on names: subsumption becomes subsumption between atoms *)
Theorem normalise_names C D : In C U -> In D U -> (Entails O C D <-> Entails (normalise O) (X C) (X D)).
Proof.
  intros HC HD. split.
  - intros E I M x Hx. simpl in *. apply (name_means I M D HD). apply E; [apply normal_model_is_model; auto|].
    apply (name_means I M C HC); auto.
  - intros E I M x Hx. apply (expand_name I D HD). apply (E (expand I)); [apply expand_model; auto|].
    apply (expand_name I C HC); auto.
Qed.
End Normalise.
