(* Range elimination (Baader, Brandt, Lutz 2008). Ranges are removed from an ontology in normal form: an axiom
   A ⊑ ∃R.B sends its successors to a fresh name for "B, and in every range of R"; reflexive roles and Self put their
   elements in the ranges too. The result has no range, and entails the same subsumptions of the old vocabulary:
   both directions, with nominals, keys, Self and chains, under the condition of OWL 2 EL on chains and ranges. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Calculus Saturated Decision Correctness NormalForms.

Section Eliminate.
Variable N : nat.                 (* names below N are old *)
Variable sup : nat -> list nat.   (* the roles above a role: the hierarchy's closure *)
Variable B : nat.                 (* roles are below B *)
Variable O : ontology.
Definition fresh r b := N + b * B + r.   (* the name of "b, reached by r" *)
(* the ranges that an r-successor has *)
Definition ranges_of r : list concept :=
  flat_map (fun a => match a with Range s e => if in_dec Nat.eq_dec s (sup r) then [e] else [] | _ => [] end) O.
Definition eliminate (a : axiom) : list axiom :=
  match a with
  | GCI (Atom a) (Ex r (Atom b)) =>
      GCI (Atom a) (Ex r (Atom (fresh r b))) :: GCI (Atom (fresh r b)) (Atom b)
      :: map (GCI (Atom (fresh r b))) (ranges_of r)
  | GCI c d => [GCI c d]
  | Range _ _ => []
  | Refl r => Refl r :: map (GCI Top) (ranges_of r)
  | a => [a]
  end.
(* loops are in the ranges of their role *)
Definition loops (r : nat) : list axiom := map (GCI (Self r)) (ranges_of r).
Definition eliminateRanges : ontology := flat_map eliminate O ++ flat_map loops (seq 0 B).

Theorem eliminateRanges_strict r c : ~ In (Range r c) eliminateRanges.
Proof.
  intro H. apply in_app_or in H as [H|H]; apply in_flat_map in H as [a [_ H]].
  - assert (M : forall c' l, ~ In (Range r c) (map (GCI c') l)) by (intros c' l K;
    apply in_map_iff in K as [? [? _]]; discriminate).
    destruct a as [[] []| | | | |]; simpl in H; try (destruct c1 || destruct c0); simpl in H;
    repeat match goal with
    | K : _ \/ _ |- _ => destruct K as [K|K]
    | K : GCI _ _ = Range _ _ |- _ => discriminate K
    | K : In (Range _ _) (map _ _) |- _ => destruct (M _ _ K)
    end; try discriminate; try tauto.
  - apply in_map_iff in H as [? [? _]]; discriminate.
Qed.

Hypothesis NORMAL : forall a, In a O -> normal a.
Hypothesis OLD : forall a, In a O -> old_axiom N a.
Hypothesis ROLES : forall a, In a O -> forall r, In r (match a with GCI c d => roles_c c ++ roles_c d |
  _ => roles_a a end) -> r < B.
Hypothesis sup_above : forall r s e, In (Range s e) O -> (In s (sup r) <-> below_role O r s).
Hypothesis CHAINS : owl_chain_ranges O.

Lemma ranges_of_In r e : In e (ranges_of r) <-> exists s, In (Range s e) O /\ below_role O r s.
Proof.
  unfold ranges_of. rewrite in_flat_map. split.
  - intros [a [Ha H]]. destruct a; simpl in H; try tauto. destruct (in_dec Nat.eq_dec r0 (sup r)); [|destruct H].
    destruct H as [<-|[]]. exists r0. split; auto. eapply sup_above; eauto.
  - intros [s [Ha H]]. exists (Range s e). split; auto. simpl. apply (sup_above r s e) in H; auto.
    destruct (in_dec Nat.eq_dec s (sup r)); simpl; tauto.
Qed.
Lemma range_atomic r e : In e (ranges_of r) -> exists a, e = Atom a /\ a < N.
Proof.
  intro H. apply ranges_of_In in H as [s [Ha _]]. assert (K := NORMAL _ Ha). assert (L := OLD _ Ha).
  inversion K; subst. simpl in L. eauto.
Qed.

(* from a model without ranges: keep the links whose target is in the ranges *)
Definition in_ranges (I : interp) r (y : dom I) := forall e, In e (ranges_of r) -> eval I e y.
Definition trim (I : interp) : interp := mkI (dom I) (cI I) (fun r x y => rI I r x y /\ in_ranges I r y) (iI I).
Lemma in_ranges_up I r s y : In (RI r s) O -> in_ranges I r y -> in_ranges I s y.
Proof.
  intros Ha H e He. apply H. apply ranges_of_In in He as [t [Ht Hb]]. apply ranges_of_In. exists t; split; auto.
    econstructor; eauto.
Qed.
Lemma elim_In a b : In a O -> In b (eliminate a) -> In b eliminateRanges.
Proof. intros. apply in_or_app; left. apply in_flat_map; eauto. Qed.
Lemma loop_ranges I r x : model I eliminateRanges -> r < B -> rI I r x x -> in_ranges I r x.
Proof.
  intros M L H e He. apply (M (GCI (Self r) e)); auto. apply in_or_app; right. apply in_flat_map. exists r.
  split; [apply in_seq; lia|apply in_map; auto].
Qed.
Lemma trim_down I c : forall x, (basic c \/ c = Top \/ c = Bot) -> eval (trim I) c x -> eval I c x.
Proof. destruct c; simpl; intros x [H|[H|H]]; try tauto; try discriminate. Qed.
Lemma trim_up I c : model I eliminateRanges -> (basic c \/ c = Bot) -> (forall r, In r (roles_c c) -> r < B) ->
  forall x, eval I c x -> eval (trim I) c x.
Proof.
  intros M H R x E. destruct c; simpl in *; try tauto; [destruct H; [tauto|discriminate]..|].
  split; auto. apply loop_ranges; auto.
Qed.
Theorem trim_model I : model I eliminateRanges -> model (trim I) O.
Proof.
  intros M a Ha. assert (NF := NORMAL _ Ha). assert (RB := ROLES _ Ha).
  assert (E := fun b => M b). destruct NF as [a b c|r a b|r a b|a|c d Hc Hd|a|a|r s|r1 r2 s|r a|r|a rs]; cbn [satA].
  - assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl))). intros x Hx. apply (K x Hx).
  - assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl))). intros x [y [[R _] Hy]]. apply (K x). exists y; auto.
  - intros x Hx. assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl)) x Hx). destruct K as [y [R Hy]].
    exists y. split; [split; auto|].
    + intros e He. apply (M _ (elim_In _ (GCI (Atom (fresh r b)) e) Ha (or_intror (or_intror (in_map _ _ _ He)))) y Hy).
    + apply (M _ (elim_In _ (GCI (Atom (fresh r b)) (Atom b)) Ha (or_intror (or_introl eq_refl))) y Hy).
  - assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl))). intros x Hx. apply (K x Hx).
  - assert (K : satA I (GCI c d)).
    { apply M. apply (elim_In (GCI c d)); auto. destruct c; simpl in *; auto; destruct d; simpl in *; auto; tauto. }
    intros x Hx. apply trim_up; auto; [intros r Hr; apply RB; simpl; apply in_or_app; auto|].
    apply K. apply trim_down; auto.
  - assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl))). intros x Hx. apply (K x Hx).
  - intros x [].
  - assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl))). intros x y [R H].
    split; [apply (K x y R)|eapply in_ranges_up; eauto].
  - assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl))). intros x y z [R1 _] [R2 H]. split; [apply (K x y z R1 R2)|].
    intros e He. apply H. apply ranges_of_In in He as [t [Ht Hb]].
    destruct (CHAINS _ _ _ _ _ Ha Hb Ht) as [t' [Hb' Ht']]. apply ranges_of_In; eauto.
  - intros x y [_ H]. apply (H (Atom a)). apply ranges_of_In. exists r. split; auto. constructor.
  - assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl))). intro x. split; [apply K|].
    intros e He. apply (M _ (elim_In _ (GCI Top e) Ha (or_intror (in_map _ _ _ He)))). exact I0 || exact Logic.I.
  - assert (K := M _ (elim_In _ _ Ha (or_introl eq_refl))). intros i j Hi Hj H. apply K; auto.
    intros r Hr. destruct (H r Hr) as [k [[H1 _] [H2 _]]]. eauto.
Qed.

(* from a model with ranges: say what the fresh names mean *)
Definition widen (I : interp) : interp := mkI (dom I)
  (fun n x => if n <? N then cI I n x else cI I ((n - N) / B) x /\ in_ranges I ((n - N) mod B) x) (rI I) (iI I).
Lemma widen_old I c : old N c -> forall x, eval (widen I) c x <-> eval I c x.
Proof.
  induction c as [| |a|i|d IHd e IHe|r d IHd|r]; simpl; intros H x; try tauto.
  - apply Nat.ltb_lt in H. rewrite H. tauto.
  - rewrite IHd, IHe by tauto. tauto.
  - split; intros [y [R Hy]]; exists y; split; auto; apply IHd; auto.
Qed.
Lemma widen_fresh I r b x : r < B -> (cI (widen I) (fresh r b) x <-> cI I b x /\ in_ranges I r x).
Proof.
  intro L. simpl. unfold fresh. replace (N + b * B + r <? N) with false by (symmetry; apply Nat.ltb_ge; lia).
  replace (N + b * B + r - N) with (b * B + r) by lia.
  rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia.
  rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. tauto.
Qed.
Lemma model_ranges I r x y : model I O -> rI I r x y -> in_ranges I r y.
Proof.
  intros M R e He. apply ranges_of_In in He as [s [Ha Hb]].
  assert (U : forall r s, below_role O r s -> rI I r x y -> rI I s x y).
  { clear - M. induction 1 as [|r s t Ha _ IH]; auto. intro. apply IH. apply (M _ Ha); auto. }
  apply (M _ Ha x y). eapply U; eauto.
Qed.
Lemma widen_range I r e y : In e (ranges_of r) -> (eval (widen I) e y <-> eval I e y).
Proof. intro H. apply range_atomic in H as [a [-> L]]. apply widen_old. exact L. Qed.
Theorem widen_model I : model I O -> model (widen I) eliminateRanges.
Proof.
  intros M a Ha. apply in_app_or in Ha as [Ha|Ha]; apply in_flat_map in Ha as [b [Hb Ha]].
  - assert (NF := NORMAL _ Hb). assert (OL := OLD _ Hb). assert (RB := ROLES _ Hb). assert (S := M _ Hb).
    assert (keep : forall c d, old N c -> old N d -> satA I (GCI c d) -> satA (widen I) (GCI c d)).
    { intros c d Lc Ld K x Hx. apply (widen_old I d Ld). apply K. apply (widen_old I c Lc). exact Hx. }
    destruct NF as [a1 b c|r a1 b|r a1 b|a1|c d Hc Hd|a1|a1|r s|r1 r2 s|r a1|r|a1 rs]; cbn [eliminate In] in Ha.
    + destruct Ha as [<-|[]]. apply keep; apply OL || exact S.
    + destruct Ha as [<-|[]]. apply keep; apply OL || exact S.
    + assert (Lr : r < B) by (apply RB; simpl; auto). destruct OL as [La Lb]. destruct Ha as [<-|[<-|Ha]].
      * intros x Hx. apply (widen_old I (Atom a1) La) in Hx. destruct (S x Hx) as [y [R Hy]].
        exists y. split; [exact R|]. apply widen_fresh; auto. split; [exact Hy|eapply model_ranges; eauto].
      * intros x Hx. apply (widen_fresh I r b x Lr) in Hx. apply (widen_old I (Atom b) Lb). exact (proj1 Hx).
      * apply in_map_iff in Ha as [e [<- He]]. intros x Hx. apply (widen_fresh I r b x Lr) in Hx.
        apply (widen_range I r e x He). apply (proj2 Hx); auto.
    + destruct Ha as [<-|[]]. apply keep; apply OL || exact S.
    + assert (Ha' : GCI c d = a) by (destruct c; simpl in *; try tauto; destruct d; simpl in *; tauto).
      subst a. apply keep; apply OL || exact S.
    + destruct Ha as [<-|[]]. apply keep; apply OL || exact S.
    + destruct Ha as [<-|[]]. intros x [].
    + destruct Ha as [<-|[]]. exact S.
    + destruct Ha as [<-|[]]. exact S.
    + destruct Ha.
    + destruct Ha as [<-|Ha]; [exact S|]. apply in_map_iff in Ha as [e [<- He]]. intros x _.
      apply (widen_range I r e x He). apply (model_ranges I r x x M (S x)); auto.
    + destruct Ha as [<-|[]]. intros i j Hi Hj H. apply S; auto; apply (widen_old I (Atom a1) OL); auto.
  - apply in_map_iff in Ha as [e [<- He]]. intros x Hx. apply (widen_range I b e x He).
    apply (model_ranges I b x x M Hx); auto.
Qed.

(* conservative for names of the old vocabulary (and, by NormalForms.v, for any concepts) *)
Theorem eliminateRanges_conservative a b : a < N -> b < N ->
  (Entails O (Atom a) (Atom b) <-> Entails eliminateRanges (Atom a) (Atom b)).
Proof.
  intros La Lb. split; intros E I M x Hx.
  - apply (E (trim I) (trim_model I M) x Hx).
  - apply (widen_old I (Atom b) Lb). apply (E (widen I) (widen_model I M)). apply (widen_old I (Atom a) La). exact Hx.
Qed.
End Eliminate.

(* without ranges nothing changes but the names of successors *)
Theorem no_range_no_loops sup O r : (forall s c, ~ In (Range s c) O) -> loops sup O r = [] /\ ranges_of sup O r = [].
Proof.
  intro H. assert (E : ranges_of sup O r = []).
  { unfold ranges_of. induction O as [|a l IH]; auto. simpl. rewrite IH by (intros s c K; apply (H s c); right; auto).
    destruct a; auto. exfalso. eapply H. left; reflexivity. }
  unfold loops. rewrite E. auto.
Qed.
(* the hierarchy's closure can be computed *)
Theorem superroles_computable U O : universe U O -> exists sup, forall r s e, In (Range s e) O ->
  (In s (sup r) <-> below_role O r s).
Proof.
  intro WF. assert (HT : In Top U) by apply WF.
  exists (fun r => filter (fun s => holds U O Top O (FH r s)) (roles U O)). intros r s e Ha.
  rewrite filter_In, holds_iff, hierarchy_below by auto using incl_refl. split; [tauto|]. intro H. split; auto.
  apply in_or_app; right. apply in_flat_map. exists (Range s e). simpl; auto.
Qed.

(* Sat-conservativity: what the ontology derives between old names, the ontology without ranges derives too. *)
Lemma no_range_agrees O : (forall r c, ~ In (Range r c) O) -> owl_chain_ranges O.
Proof. intros H r1 r2 s t e _ _ Hr. destruct (H _ _ Hr). Qed.
Theorem Sat_to_eliminated_full N sup B O U U' a b :
  (forall x, In x O -> normal x) -> (forall x, In x O -> old_axiom N x) ->
  (forall x, In x O -> forall r, In r (match x with GCI c d => roles_c c ++ roles_c d | _ => roles_a x end) -> r < B) ->
  (forall r s e, In (Range s e) O -> (In s (sup r) <-> below_role O r s)) -> owl_chain_ranges O ->
  a < N -> b < N -> let E := eliminateRanges N sup B O in
  universe U' E -> In (Atom a) U' -> In (Atom b) U' -> OWL2ELFragment U' E (Atom a) (Atom b) ->
  Sat U O (Atom a) (Atom b) -> Sat U' E (Atom a) (Atom b).
Proof.
  intros NF OL RB SA CH La Lb E WF Ha Hb F S. apply complete_owl2el; auto.
  - apply no_range_agrees. intros r c. apply eliminateRanges_strict.
  - apply eliminateRanges_conservative; auto. eapply sound; eauto.
Qed.
