(* The paper's theorem 4, for arbitrary rational weights: the DISPONTE marginal over two components is the marginal over
   the relevant one times the total weight of the other; so posteriors agree. And the theorems for k components. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.
From Moose Require Import Shannon Horn Calculus Saturated Decision TreeModel Correctness Disponte SCC.
Local Open Scope nat_scope.

Section Weights.
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
Hypothesis consistent : ~ Sat U O2 Top Bot.

Theorem per_world_sat_factor_consistent M1 M2 : length M1 = length O1 ->
  (Sat U (selectedAxioms (O1 ++ O2) (M1 ++ M2)) C D <-> Sat U (selectedAxioms O1 M1) C D).
Proof.
  intro L. rewrite selectedAxioms_app by auto.
  apply Sat_factor_refined_general with (A1 := A1) (R1 := R1) (A2 := A2) (R2 := R2) (O1 := O1) (O2 := O2);
    auto using selected_incl.
  intro K. apply consistent. revert K. apply Sat_mono, selected_incl.
Qed.
Theorem disponte_scc_factor w :
  (disponte U (O1 ++ O2) C D w == disponte U O1 C D w * total w (length O1) (length O2))%Q.
Proof.
  assert (i1 : incl O1 (O1 ++ O2)) by (intros a Ha; apply in_or_app; auto).
  unfold disponte, model_sum. rewrite app_length, sum_worlds_factor.
  rewrite <- world_weight_total, Qmult_comm, <- qsum_scale. apply qsum_ext. intros M1 H1. apply worlds_len in H1.
  rewrite Qmult_comm, <- qsum_scale. apply qsum_ext. intros M2 H2.
  assert (E : entailed_in U (O1 ++ O2) C D (M1 ++ M2) = entailed_in U O1 C D M1).
  { apply eq_true_iff_eq. rewrite !entailed_in_iff; auto; [apply per_world_sat_factor_consistent; auto|].
    eapply universe_incl; eauto. }
  rewrite E, <- H1. destruct (entailed_in U O1 C D M1); [apply world_weight_app|ring].
Qed.
(* weights that are probabilities: nothing changes *)
Corollary disponte_scc_probability w : (forall i, w i true + w i false == 1)%Q ->
  (disponte U (O1 ++ O2) C D w == disponte U O1 C D w)%Q.
Proof.
  intro H. rewrite disponte_scc_factor.
  assert (T : forall n i, (total w i n == 1)%Q) by (induction n; intro i; simpl; [reflexivity|rewrite H, IHn; ring]).
  rewrite T; ring.
Qed.
(* the posterior, normalised by the weight of all worlds, is the same *)
Corollary disponte_scc_posterior w : ~ (total w 0 (length O1) == 0)%Q -> ~ (total w (length O1) (length O2) == 0)%Q ->
  (disponte U (O1 ++ O2) C D w / total w 0 (length (O1 ++ O2)) == disponte U O1 C D w / total w 0 (length O1))%Q.
Proof.
  intros N1 N2. rewrite disponte_scc_factor, app_length.
  assert (T : forall n m i, (total w i (n + m) == total w i n * total w (i + n) m)%Q).
  { induction n; intros m i; simpl; [rewrite Nat.add_0_r; ring|]. rewrite IHn.
    replace (S i + n) with (i + S n) by lia. ring. }
  rewrite (T (length O1) (length O2) 0). simpl. field. auto.
Qed.
(* w ≡ 1 *)
Corollary disponteWMCRat_uniform_scc_factor :
  (disponte U (O1 ++ O2) C D (fun _ _ => 1) == disponte U O1 C D (fun _ _ => 1) * inject_Z (2 ^ Z.of_nat (length
    O2)))%Q.
Proof.
  rewrite disponte_scc_factor. apply Qmult_comp; [reflexivity|].
  generalize (length O1) as i. induction (length O2) as [|n IH]; intro i; [reflexivity|].
  simpl total. rewrite IH. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite inject_Z_mult. reflexivity.
Qed.
End Weights.

Lemma sig_c_weaken (A R A' R' : names) c : (forall a, A a -> A' a) -> (forall r, R r -> R' r) -> sig_c A R c ->
  sig_c A' R' c.
Proof. intros HA HR. induction c; simpl; intuition. Qed.
Lemma sig_o_weaken (A R A' R' : names) O : (forall a, A a -> A' a) -> (forall r, R r -> R' r) -> sig_o A R O ->
  sig_o A' R' O.
Proof.
  intros HA HR S a Ha. specialize (S a Ha). destruct a; simpl in *; unfold sig_left in *;
    intuition eauto using sig_c_weaken.
Qed.

(* k components: the names of component k are those that part k owns *)
Section Components.
Variables cA cR : nat -> nat.   (* the component of a concept name, of a role *)
Definition own k : names * names := (fun a => cA a = k, fun r => cR r = k).
Definition after k : names * names := (fun a => k < cA a, fun r => k < cR r).
Definition components (k : nat) (Os : list ontology) :=
  forall j, sig_o (fst (own (k + j))) (snd (own (k + j))) (nth j Os []) /\ range_chain_safe (nth j Os []).
Lemma components_tail k O Os : components k (O :: Os) -> components (S k) Os.
Proof. intros H j. specialize (H (S j)). simpl nth in H. replace (k + S j) with (S k + j) in H by lia. exact H. Qed.
Lemma nil_safe : range_chain_safe []. Proof. intros r1 r2 s t e []. Qed.
Lemma components_after : forall Os k, components (S k) Os ->
  sig_o (fst (after k)) (snd (after k)) (concat Os) /\ range_chain_safe (concat Os).
Proof.
  induction Os as [|O Os IH]; intros k H; simpl concat; [split; [intros a []|apply nil_safe]|].
  assert (H0 := H 0). simpl nth in H0. rewrite Nat.add_0_r in H0. destruct H0 as [S0 F0].
  destruct (IH (S k) (components_tail _ _ _ H)) as [S1 F1]. split.
  - intros a Ha. apply in_app_or in Ha as [Ha|Ha].
    + revert a Ha. eapply sig_o_weaken; [| |exact S0]; simpl; intros; lia.
    + revert a Ha. eapply sig_o_weaken; [| |exact S1]; simpl; intros; lia.
  - eapply range_chain_safe_app; eauto. simpl; intros; lia.
Qed.
Section Fixed.
Variable U : list concept.
Theorem joint_consistent : forall Os k, components (S k) Os -> universe U (concat Os) ->
  (forall O, In O Os -> ~ Sat U O Top Bot) -> ~ Sat U (concat Os) Top Bot \/ Os = [].
Proof.
  induction Os as [|O Os IH]; intros k H WF N; auto. left. simpl concat in *.
  assert (H0 := H 0). simpl nth in H0. rewrite Nat.add_0_r in H0. destruct H0 as [S0 F0].
  destruct (components_after Os (S k) (components_tail _ _ _ H)) as [S1 F1].
  assert (HT : In Top U) by apply WF. assert (HB : In Bot U) by apply WF.
  assert (WF' : universe U (concat Os)) by (eapply universe_incl; eauto; intros a Ha; apply in_or_app; auto).
  rewrite Sat_factor_refined with (A1 := fst (own (S k))) (R1 := snd (own (S k))) (A2 := fst (after (S k))) (R2 :=
    snd (after (S k)));
    auto; try (simpl; intros; lia); try (left; exact I); try exact I.
  intros [K|K]; [apply (N O); simpl; auto|].
  destruct (IH (S k) (components_tail _ _ _ H) WF') as [J|J]; auto; [intros; apply N; right; auto|].
  subst Os. simpl in K. apply (N O); [left; auto|]. revert K. apply Sat_mono. intros a [].
Qed.
(* k-component generalisation *)
Theorem scc_sat_factor_k O Os C D : components 0 (O :: Os) -> universe U (concat (O :: Os)) ->
  (forall P, In P Os -> ~ Sat U P Top Bot) -> In C U -> In D U ->
  sig_left (fst (own 0)) (snd (own 0)) C -> sig_c (fst (own 0)) (snd (own 0)) D ->
  (Sat U (concat (O :: Os)) C D <-> Sat U O C D).
Proof.
  intros H WF N HC HD SC SD. simpl concat in *.
  assert (H0 := H 0). simpl nth in H0. destruct H0 as [S0 F0].
  destruct (components_after Os 0 (components_tail _ _ _ H)) as [S1 F1].
  assert (WF' : universe U (concat Os)) by (eapply universe_incl; eauto; intros a Ha; apply in_or_app; auto).
  destruct (joint_consistent Os 0 (components_tail _ _ _ H) WF' N) as [J| ->].
  - apply scc_sat_factor with (A1 := fst (own 0)) (R1 := snd (own 0)) (A2 := fst (after 0)) (R2 := snd (after 0)); auto;
    simpl; intros; lia.
  - simpl. rewrite app_nil_r. reflexivity.
Qed.
End Fixed.
End Components.

(* The remaining corollaries of the paper's index. *)
Section Corollaries.
Variables A1 R1 A2 R2 : names.
Hypothesis dA : forall a, A1 a -> A2 a -> False.
Hypothesis dR : forall r, R1 r -> R2 r -> False.
Variables O1 O2 : ontology.
Hypothesis S1 : sig_o A1 R1 O1.
Hypothesis S2 : sig_o A2 R2 O2.
Variables C D : concept.
Variable U : list concept.
Hypothesis WF : universe U (O1 ++ O2).
Hypothesis HC : In C U.
Hypothesis HD : In D U.

Theorem scc_sat_factor_symm : range_chain_safe O1 -> range_chain_safe O2 -> sig_left A2 R2 C -> sig_c A2 R2 D ->
  ~ Sat U O1 Top Bot -> (Sat U (O1 ++ O2) C D <-> Sat U O2 C D).
Proof.
  intros F1 F2 SC SD N. assert (i : incl (O2 ++ O1) (O1 ++ O2)) by (intros a; rewrite !in_app_iff; tauto).
  assert (j : incl (O1 ++ O2) (O2 ++ O1)) by (intros a; rewrite !in_app_iff; tauto).
  assert (K : Sat U (O2 ++ O1) C D <-> Sat U O2 C D).
  { apply (scc_sat_factor A2 R2 A1 R1); auto; [intros a H2 H1; exact (dA a H1 H2)|intros r H2 H1; exact (dR r H1 H2)|].
    eapply universe_incl; eauto. }
  rewrite <- K. split; apply Sat_mono; auto.
Qed.
Theorem joint_consistent_pair : range_chain_safe O1 -> range_chain_safe O2 ->
  ~ Sat U O1 Top Bot -> ~ Sat U O2 Top Bot -> ~ Sat U (O1 ++ O2) Top Bot.
Proof.
  intros F1 F2 N1 N2. assert (HT : In Top U) by apply WF. assert (HB : In Bot U) by apply WF.
  rewrite (scc_sat_factor A1 R1 A2 R2); auto; [left; exact I|exact I].
Qed.
Definition chain_free (O : ontology) := forall r1 r2 s, ~ In (RC r1 r2 s) O.
Definition range_free (O : ontology) := forall r c, ~ In (Range r c) O.
Lemma chain_free_safe O : chain_free O -> range_chain_safe O.
Proof. intros H r1 r2 s t e Hc. destruct (H _ _ _ Hc). Qed.
Lemma range_free_safe O : range_free O -> range_chain_safe O.
Proof. intros H r1 r2 s t e Hc Hb Hr. destruct (H _ _ Hr). Qed.
Hypothesis SC : sig_left A1 R1 C.
Hypothesis SD : sig_c A1 R1 D.
Theorem scc_sat_factor_no_chain : chain_free O1 -> chain_free O2 -> ~ Sat U O2 Top Bot ->
  (Sat U (O1 ++ O2) C D <-> Sat U O1 C D).
Proof. intros. apply (scc_sat_factor A1 R1 A2 R2); auto using chain_free_safe. Qed.
Theorem scc_sat_factor_no_range : range_free O1 -> range_free O2 -> ~ Sat U O2 Top Bot ->
  (Sat U (O1 ++ O2) C D <-> Sat U O1 C D).
Proof. intros. apply (scc_sat_factor A1 R1 A2 R2); auto using range_free_safe. Qed.
Theorem moose_scc_summary : range_chain_safe O1 -> range_chain_safe O2 -> ~ Sat U O2 Top Bot ->
  (Sat U (O1 ++ O2) C D <-> Sat U O1 C D) /\
  (forall w, disponte U (O1 ++ O2) C D w == disponte U O1 C D w * total w (length O1) (length O2))%Q.
Proof.
  intros F1 F2 N. split; [apply (scc_sat_factor A1 R1 A2 R2); auto|].
  intro w. apply (disponte_scc_factor A1 R1 A2 R2); auto.
Qed.
End Corollaries.
