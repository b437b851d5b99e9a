(* What both canonical models need of a saturation: the side conditions on the set U of concepts,
   that derived facts stay inside it, that links carry ranges, that a clash anywhere is a clash at the root. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Calculus.

(* U holds ⊤ and ⊥, every concept of the ontology, and the parts of what it holds *)
Definition subclosed (U : list concept) := forall c, In c U ->
  match c with And d e => In d U /\ In e U | Ex _ d => In d U | _ => True end.
Definition covers (U : list concept) (O : ontology) := forall a, In a O ->
  match a with GCI c d => In c U /\ In d U | Range _ c => In c U | Key c _ => In c U | _ => True end.
Definition universe U O := In Top U /\ In Bot U /\ subclosed U /\ covers U O.

Lemma universe_incl U O O' : incl O O' -> universe U O' -> universe U O.
Proof. intros H (T & B & S & C). repeat split; auto; try (apply S; auto). intros a Ha. apply C; auto. Qed.

(* The range condition of OWL 2 EL: what a chain's target may reach by its range, its last link has as range too.
   (The paper asks for more: no range at all above the target of a chain.) *)
Definition chain_ranges_agree U O c0 := forall r1 r2 s t e,
  In (RC r1 r2 s) O -> Derives U O c0 (FH s t) -> In (Range t e) O ->
  exists t', Derives U O c0 (FH r2 t') /\ In (Range t' e) O.

Ltac each := repeat (apply Forall_cons || apply Forall_nil).

Section Saturated.
Variable U : list concept.
Variable O : ontology.
Variable c0 : concept.
Notation D := (Derives U O c0).
Hypothesis WF : universe U O.
Hypothesis Hc0 : In c0 U.

Lemma axiom_fact a : In a O -> D (FA a).
Proof. intro H. apply der_in. exact H. Qed.
Lemma axiom_inv a : D (FA a) -> In a O.
Proof. intro H. inversion H as [f Hf|b h R]; subst; [exact Hf|inversion R]. Qed.
Lemma by_rule b h : Rule U c0 b h -> Forall D b -> D h.
Proof. intros R H. apply der_rule with b; auto. apply Forall_forall; auto. Qed.

Definition valid (x : ctx) := match snd x with None => In (fst x) U | Some r => In (Ex r (fst x)) U end.
Lemma valid_in x : valid x -> In (fst x) U.
Proof. destruct x as [d [r|]]; unfold valid; simpl; auto. intro H. destruct WF as (_ & _ & S & _). apply (S _ H). Qed.

Ltac rule R := eapply by_rule; [eapply R; eauto|each; eauto].
(* derived facts stay in the universe, and speak of reachable contexts *)
Definition there (x : ctx) := D (FR x) /\ valid x.
Definition placed (f : fact) : Prop :=
  match f with
  | FR x => valid x
  | FS x d => there x /\ In d U
  | FL x r y => there x /\ there y
  | FF x r => there x
  | _ => True
  end.
Lemma all_placed f : D f -> placed f.
Proof.
  destruct WF as (HT & HB & HS & HC).
  induction 1 as [f Hf|b h R HD H]; [destruct f; simpl in *; tauto|].
  assert (HD' := HD). destruct R; premises H; premises HD'; cbn in *; unfold there in *;
  try (match goal with A : Der _ _ (FA _) |- _ => apply axiom_inv in A; pose proof (HC _ A) as K; cbn in K end);
  try tauto.
  - split; auto. apply valid_in; auto.
  - destruct H0 as [? H0]. apply HS in H0. tauto.
  - destruct H0 as [? H0]. apply HS in H0. tauto.
  - split; [tauto|]. split; auto. rule (r_link U c0 x r); [apply H1|]. rule l_ex.
Qed.
Lemma reach_valid x : D (FR x) -> valid x. Proof. apply (all_placed (FR x)). Qed.
Lemma sub_placed x d : D (FS x d) -> D (FR x) /\ In d U. Proof. intro H. apply all_placed in H. cbn in H.
  unfold there in H. tauto. Qed.
Lemma link_placed x r y : D (FL x r y) -> D (FR x) /\ D (FR y). Proof. intro H. apply all_placed in H. cbn in H.
  unfold there in H. tauto. Qed.
Lemma self_placed x r : D (FF x r) -> D (FR x). Proof. intro H. apply all_placed in H. cbn in H. unfold there in H.
  tauto. Qed.


Lemma clash_at_root x : D (FS x Bot) -> D (FS (c0, None) Bot).
Proof.
  intro H. destruct (sub_placed _ _ H) as [Hx HB]. rule (s_clash U c0 (c0, None) x).
  rule r_root.
Qed.
Lemma hierarchy_left r s t : In (RI r s) O -> D (FH s t) -> D (FH r t).
Proof.
  intros Ha H. remember (FH s t) as f eqn:E. revert s t Ha E.
  induction H as [f Hf|b h R HD IH]; intros s t Ha E; subst; [destruct Hf|].
  inversion R; subst.
  - rule (h_step U c0 r r t); [|apply axiom_fact; auto]. rule h_refl.
  - premises HD. rule (h_step U c0 r s0 t). apply (IH (FH s s0)) with s; simpl; auto.
Qed.
Lemma self_up x r s : D (FH r s) -> D (FF x r) -> D (FF x s).
Proof.
  intro H. remember (FH r s) as f eqn:E. revert r s E.
  induction H as [f Hf|b h R HD IH]; intros r s E HF; subst; [destruct Hf|].
  inversion R; subst; auto.
  premises HD. rule (f_ri U c0 x s0 s). apply (IH (FH r s0)) with r; simpl; auto.
Qed.

Hypothesis SAFE : chain_ranges_agree U O c0.
Lemma links_carry_ranges x r y : D (FL x r y) -> forall s e, D (FH r s) -> In (Range s e) O -> D (FS y e).
Proof.
  intro H. remember (FL x r y) as f eqn:E. revert x r y E.
  induction H as [f Hf|b h R HD IH]; intros x r y E s e Hs He; subst; [destruct Hf|].
  inversion R; subst.
  - premises HD. apply axiom_fact in He.
    assert (Hr : D (FR (d, Some r))).
    { apply (link_placed x r). rule l_ex. }
    rule (s_range U c0 d r s e).
  - premises HD. apply axiom_fact in He. rule (s_srange U c0 y s e). eapply self_up; eauto.
  - premises HD. apply (IH (FL x r0 y)) with x r0 s; simpl; auto.
    apply hierarchy_left with r; auto. apply axiom_inv; auto.
  - premises HD. destruct (SAFE r1 r2 r s e) as [t' [T1 T2]]; auto; [apply axiom_inv; auto|].
    apply (IH (FL y0 r2 y)) with y0 r2 t'; simpl; auto.
  - premises HD. apply (IH (FL x0 r y)) with x0 r s; simpl; auto.
Qed.
End Saturated.
