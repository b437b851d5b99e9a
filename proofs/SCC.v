(* The paper's theorem 3: ontologies over disjoint signatures do not disturb each other. In the full language with
   nominals on the left (individuals may even be shared), Self, reflexive roles, ranges, chains and keys;
   for two components and for any number. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Calculus Saturated Decision TreeModel Correctness.

Definition names := nat -> Prop.
Fixpoint sig_c (A R : names) (c : concept) : Prop :=
  match c with
  | Top | Bot => True | Atom a => A a | Nom _ => False
  | And c d => sig_c A R c /\ sig_c A R d | Ex r c => R r /\ sig_c A R c | Self r => R r
  end.
Definition sig_left A R c := sig_c A R c \/ exists i, c = Nom i.
Definition sig_a (A R : names) (a : axiom) : Prop :=
  match a with
  | GCI c d => sig_left A R c /\ sig_c A R d
  | RI r s => R r /\ R s | RC r1 r2 s => R r1 /\ R r2 /\ R s
  | Range r c => R r /\ sig_c A R c | Refl r => R r
  | Key c rs => sig_c A R c /\ rs <> [] /\ forall r, In r rs -> R r
  end.
Definition sig_o A R (O : ontology) := forall a, In a O -> sig_a A R a.
Lemma sig_nominal_free A R c : sig_c A R c -> nominal_free c.
Proof. induction c; simpl; tauto. Qed.
Lemma sig_left_nominal A R c : sig_left A R c -> left_nominal c.
Proof. intros [H|H]; [left; eapply sig_nominal_free; eauto|right; auto]. Qed.
Lemma sig_ontology A R O : sig_o A R O -> left_nominal_ontology O.
Proof.
  intros S a Ha. specialize (S a Ha). destruct a; simpl in *; auto.
  - split; [eapply sig_left_nominal; apply S|eapply sig_nominal_free; apply S].
  - eapply sig_nominal_free; apply S.
  - split; [eapply sig_nominal_free; apply S|apply S].
Qed.

(* keys never fire when nominals stand on the left only *)
Definition without_keys (O : ontology) := filter (fun a => match a with Key _ _ => false | _ => true end) O.
Lemma without_keys_incl O : incl (without_keys O) O.
Proof. intros a H. apply filter_In in H. tauto. Qed.
Lemma without_keys_app O P : without_keys (O ++ P) = without_keys O ++ without_keys P.
Proof. apply filter_app. Qed.
Theorem keys_idle U O c d : universe U O -> In c U -> In d U -> range_chain_safe O -> left_nominal_ontology O ->
  left_nominal c -> nominal_free d -> (Sat U O c d <-> Sat U (without_keys O) c d).
Proof.
  intros WF Hc Hd S L Lc Nd. assert (I := without_keys_incl O).
  assert (WF' : universe U (without_keys O)) by (eapply universe_incl; eauto).
  split; [|apply Sat_mono; auto]. intro H.
  destruct (sat_decidable U (without_keys O) c Bot WF' Hc) as [B|B].
  - eapply by_rule; [apply (s_clash U c (c, None) (c, None) d Hd)|].
    assert (R : Derives U (without_keys O) c (FR (c, None))) by (eapply by_rule; [apply r_root|each]). each; auto.
  - assert (L' : left_nominal_ontology (without_keys O)) by (intros a Ha; auto).
    destruct (root_inside U (without_keys O) c WF' Hc B Lc) as [p [T Hp]].
    unfold Sat. rewrite <- T. apply truth_down; auto. apply (sound U O c d H); auto.
    intros a Ha. assert (K := L a Ha). destruct a; try (apply canon_satisfies_nomLHS; auto;
      [apply safe_agree; eapply range_chain_safe_incl; eauto|apply filter_In; auto]; fail).
    apply tree_keys. apply K.
Qed.

Section Product.
Variables A1 R1 A2 R2 : names.
Hypothesis dA : forall a, A1 a -> A2 a -> False.
Hypothesis dR : forall r, R1 r -> R2 r -> False.
Variables I1 I2 : interp.
Definition prodInterp : interp := mkI (dom I1 * dom I2)
  (fun a x => (A1 a /\ cI I1 a (fst x)) \/ (A2 a /\ cI I2 a (snd x)))
  (fun r x y => (R1 r /\ rI I1 r (fst x) (fst y)) \/ (R2 r /\ rI I2 r (snd x) (snd y)))
  (fun i => (iI I1 i, iI I2 i)).
Lemma eval_prodInterp_O1 c : sig_c A1 R1 c -> forall x, eval prodInterp c x <-> eval I1 c (fst x).
Proof.
  induction c as [| |a|i|c1 IH1 c2 IH2|r c IH|r]; simpl; intros S x; try tauto.
  - split; [intros [[_ H]|[H _]]; auto; exfalso; eauto|auto].
  - rewrite IH1, IH2 by tauto; tauto.
  - destruct S as [Sr Sc]. split.
    + intros [y [[[_ H]|[H _]] E]]; [|exfalso; eauto]. exists (fst y); split; auto. apply IH; auto.
    + intros [y [H E]]. exists (y, snd x); simpl; split; [left; auto|]. apply IH; auto.
  - split; [intros [[_ H]|[H _]]; auto; exfalso; eauto|auto].
Qed.
Lemma eval_prodInterp_O2 c : sig_c A2 R2 c -> forall x, eval prodInterp c x <-> eval I2 c (snd x).
Proof.
  induction c as [| |a|i|c1 IH1 c2 IH2|r c IH|r]; simpl; intros S x; try tauto.
  - split; [intros [[H _]|[_ H]]; auto; exfalso; eauto|auto].
  - rewrite IH1, IH2 by tauto; tauto.
  - destruct S as [Sr Sc]. split.
    + intros [y [[[H _]|[_ H]] E]]; [exfalso; eauto|]. exists (snd y); split; auto. apply IH; auto.
    + intros [y [H E]]. exists (fst x, y); simpl; split; [right; auto|]. apply IH; auto.
  - split; [intros [[H _]|[_ H]]; auto; exfalso; eauto|auto].
Qed.
Definition key_free O := forall c rs, ~ In (Key c rs) O.
Theorem prodInterp_satisfies O1 O2 : sig_o A1 R1 O1 -> sig_o A2 R2 O2 -> key_free O1 -> key_free O2 ->
  model I1 O1 -> model I2 O2 -> model prodInterp (O1 ++ O2).
Proof.
  intros S1 S2 K1 K2 M1 M2 a Ha. apply in_app_or in Ha as [Ha|Ha].
  - specialize (S1 _ Ha); specialize (M1 _ Ha). destruct a as [c d|r s|r1 r2 s|r c|r|c rs]; simpl in *.
    + intros x Hx. destruct S1 as [[Sc|[i ->]] Sd]; apply eval_prodInterp_O1; auto; apply M1.
      * apply (eval_prodInterp_O1 c); auto.
      * simpl in *. rewrite Hx; auto.
    + intros x y [[_ H]|[H _]]; [left; split; [tauto|auto]|destruct S1; exfalso; eauto].
    + intros x y z [[_ H]|[H _]] [[_ K]|[K _]]; try (destruct S1 as (?&?&?); exfalso; eauto; fail).
      left; split; [tauto|eauto].
    + intros x y [[_ H]|[H _]]; [apply eval_prodInterp_O1; [tauto|eauto]|destruct S1; exfalso; eauto].
    + intro x. left; auto.
    + destruct (K1 _ _ Ha).
  - specialize (S2 _ Ha); specialize (M2 _ Ha). destruct a as [c d|r s|r1 r2 s|r c|r|c rs]; simpl in *.
    + intros x Hx. destruct S2 as [[Sc|[i ->]] Sd]; apply eval_prodInterp_O2; auto; apply M2.
      * apply (eval_prodInterp_O2 c); auto.
      * simpl in *. rewrite Hx; auto.
    + intros x y [[H _]|[_ H]]; [destruct S2; exfalso; eauto|right; split; [tauto|auto]].
    + intros x y z [[H _]|[_ H]] [[K _]|[_ K]]; try (destruct S2 as (?&?&?); exfalso; eauto; fail).
      right; split; [tauto|eauto].
    + intros x y [[H _]|[_ H]]; [destruct S2; exfalso; eauto|apply eval_prodInterp_O2; [tauto|eauto]].
    + intro x. right; auto.
    + destruct (K2 _ _ Ha).
Qed.
End Product.

Lemma without_keys_free O : key_free (without_keys O).
Proof. intros c rs H. apply filter_In in H as [_ H]. discriminate. Qed.

(* range-chain safety of the parts is that of the whole *)
Lemma range_chain_safe_app (A1 R1 A2 R2 : names) O1 O2 : (forall r, R1 r -> R2 r -> False) -> sig_o A1 R1 O1 ->
  sig_o A2 R2 O2 ->
  range_chain_safe O1 -> range_chain_safe O2 -> range_chain_safe (O1 ++ O2).
Proof.
  intros dR S1 S2 F1 F2.
  assert (B1 : forall r s, below_role (O1 ++ O2) r s -> R1 r -> below_role O1 r s /\ R1 s).
  { induction 1 as [r|r s t Ha _ IH]; intro Hr; [split; [constructor|auto]|].
    apply in_app_or in Ha as [Ha|Ha]; [|destruct (S2 _ Ha); exfalso; eauto].
    destruct (S1 _ Ha) as [_ Hs]. destruct (IH Hs); split; auto. econstructor; eauto. }
  assert (B2 : forall r s, below_role (O1 ++ O2) r s -> R2 r -> below_role O2 r s /\ R2 s).
  { induction 1 as [r|r s t Ha _ IH]; intro Hr; [split; [constructor|auto]|].
    apply in_app_or in Ha as [Ha|Ha]; [destruct (S1 _ Ha); exfalso; eauto|].
    destruct (S2 _ Ha) as [_ Hs]. destruct (IH Hs); split; auto. econstructor; eauto. }
  intros r1 r2 s t e Hc Hb Hr. apply in_app_or in Hc as [Hc|Hc].
  - destruct (S1 _ Hc) as (_ & _ & Hs). destruct (B1 _ _ Hb Hs) as [Hb' Ht].
    apply in_app_or in Hr as [Hr|Hr]; [eapply F1; eauto|destruct (S2 _ Hr); eauto].
  - destruct (S2 _ Hc) as (_ & _ & Hs). destruct (B2 _ _ Hb Hs) as [Hb' Ht].
    apply in_app_or in Hr as [Hr|Hr]; [destruct (S1 _ Hr); eauto|eapply F2; eauto].
Qed.

Section Factor.
Variables A1 R1 A2 R2 : names.
Hypothesis dA : forall a, A1 a -> A2 a -> False.
Hypothesis dR : forall r, R1 r -> R2 r -> False.
Variables O1 O2 : ontology.
Hypothesis S1 : sig_o A1 R1 O1.
Hypothesis S2 : sig_o A2 R2 O2.
Hypothesis SAFE1 : range_chain_safe O1.
Hypothesis SAFE2 : range_chain_safe O2.
Variables C D : concept.
Hypothesis SC : sig_left A1 R1 C.
Hypothesis SD : sig_c A1 R1 D.
Variable U : list concept.
Hypothesis WF : universe U (O1 ++ O2).
Hypothesis HC : In C U.
Hypothesis HD : In D U.

Lemma part_universe P : incl P (O1 ++ O2) -> universe U P. Proof. intro H. eapply universe_incl; eauto. Qed.
Lemma part_safe P : incl P (O1 ++ O2) -> range_chain_safe P.
Proof. intro H. eapply range_chain_safe_incl; eauto. eapply range_chain_safe_app; eauto. Qed.
Lemma part_left P : incl P (O1 ++ O2) -> left_nominal_ontology P.
Proof.
  intros H a Ha. apply H, in_app_or in Ha as [Ha|Ha]; [eapply (sig_ontology A1 R1)|eapply (sig_ontology A2 R2)]; eauto.
Qed.
Lemma part_correct P c d : incl P (O1 ++ O2) -> In c U -> In d U -> left_nominal c -> nominal_free d ->
  (Sat U P c d <-> Entails P c d).
Proof.
  intros H Hc Hd L N. split; [apply sound|]. apply complete_nomLHS; auto using part_universe, part_left, safe_owl,
    part_safe.
Qed.

(* sub-ontology generalisation: P1, P2 are any parts of O1, O2, which only fix the signatures *)
Theorem Sat_factor_refined_general P1 P2 : incl P1 O1 -> incl P2 O2 ->
  ~ Sat U P2 Top Bot -> (Sat U (P1 ++ P2) C D <-> Sat U P1 C D).
Proof.
  intros H1 H2 Hn.
  assert (i1 : incl P1 (O1 ++ O2)) by (intros a Ha; apply in_or_app; auto).
  assert (i2 : incl P2 (O1 ++ O2)) by (intros a Ha; apply in_or_app; auto).
  assert (i3 : incl (P1 ++ P2) (O1 ++ O2)) by (apply incl_app; auto).
  assert (LC := sig_left_nominal _ _ _ SC). assert (ND := sig_nominal_free _ _ _ SD).
  assert (j1 : incl (without_keys P1) (O1 ++ O2)) by (intros a Ha; apply i1, without_keys_incl; auto).
  assert (j2 : incl (without_keys P2) (O1 ++ O2)) by (intros a Ha; apply i2, without_keys_incl; auto).
  split; [|apply Sat_mono; intros a Ha; apply in_or_app; auto]. intro E.
  apply (keys_idle U (P1 ++ P2) C D) in E; auto using part_universe, part_left, part_safe.
  apply sound in E. rewrite without_keys_app in E.
  apply Sat_mono with (without_keys P1); [apply without_keys_incl|].
  apply part_correct; auto. intros I1 M1 x Hx.
  assert (HT : In Top U) by apply WF.
  assert (Hn' : ~ Sat U (without_keys P2) Top Bot) by (intro K; apply Hn; revert K; apply Sat_mono, without_keys_incl).
  set (I2 := tree U (without_keys P2) Top).
  assert (M2 : model I2 (without_keys P2))
    by (apply canon_satisfies_nomLHS; auto using part_universe, part_left, safe_agree, part_safe).
  assert (M : model (prodInterp A1 R1 A2 R2 I1 I2) (without_keys P1 ++ without_keys P2)).
  { apply prodInterp_satisfies; auto using without_keys_free; intros a Ha; apply without_keys_incl in Ha; auto. }
  destruct SC as [S|[i Ei]].
  - pose (y := root U (without_keys P2) Top : dom I2).
    specialize (E _ M (x, y)). rewrite (eval_prodInterp_O1 A1 R1 A2 R2 dA dR) in E by auto.
    rewrite (eval_prodInterp_O1 A1 R1 A2 R2 dA dR) in E by auto. apply E; auto.
  - rewrite Ei in *. simpl in Hx. subst x. specialize (E _ M (iI I1 i, iI I2 i) eq_refl).
    rewrite (eval_prodInterp_O1 A1 R1 A2 R2 dA dR) in E by auto. exact E.
Qed.
(* SCC compositional theorem, Sat level *)
Theorem scc_sat_factor : ~ Sat U O2 Top Bot -> (Sat U (O1 ++ O2) C D <-> Sat U O1 C D).
Proof. intro. apply Sat_factor_refined_general; auto using incl_refl. Qed.
(* no consistency hypothesis *)
Theorem Sat_factor_refined : Sat U (O1 ++ O2) C D <-> Sat U O1 C D \/ Sat U O2 Top Bot.
Proof.
  assert (i2 : incl O2 (O1 ++ O2)) by (intros a Ha; apply in_or_app; auto).
  assert (HT : In Top U) by apply WF. assert (HB : In Bot U) by apply WF.
  destruct (sat_decidable U O2 Top Bot (part_universe _ i2) HT) as [B|B].
  - split; [auto|]. intros _. apply part_correct; auto using incl_refl; [eapply sig_left_nominal;
    eauto|eapply sig_nominal_free; eauto|].
    apply sound in B. intros I M x _. destruct (B I) with x; simpl; auto. intros a Ha; apply M, i2; auto.
  - rewrite scc_sat_factor by auto. tauto.
Qed.
End Factor.
