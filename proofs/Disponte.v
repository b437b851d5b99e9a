(* The paper's theorems 1 and 2. The verified circuit of a query: its models are the worlds whose selected axioms
   derive the query, its weighted model count is the DISPONTE marginal for arbitrary rational weights, its size is
   2^(|O|+1) - 1. A query has probability zero exactly if no world entails it. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.
From Moose Require Import Shannon Horn Calculus Saturated Decision TreeModel Correctness.
Local Open Scope nat_scope.

(* the axioms that a world selects *)
Fixpoint selectedAxioms (O : ontology) (M : list bool) : ontology :=
  match O, M with
  | a :: O', b :: M' => if b then a :: selectedAxioms O' M' else selectedAxioms O' M'
  | _, _ => []
  end.
Lemma selected_incl O : forall M, incl (selectedAxioms O M) O.
Proof. induction O; intros [|[] M] x H; simpl in *; try tauto; [destruct H|]; auto; right; eapply IHO; eauto. Qed.
Theorem selectedAxioms_app O1 O2 M1 M2 : length M1 = length O1 ->
  selectedAxioms (O1 ++ O2) (M1 ++ M2) = selectedAxioms O1 M1 ++ selectedAxioms O2 M2.
Proof.
  revert M1; induction O1 as [|a O1 IH]; intros [|b M1] L; simpl in *; try discriminate; auto.
  rewrite IH by lia. destruct b; auto.
Qed.

Section Encoding.
Variable U : list concept.
Variable O : ontology.
Hypothesis WF : universe U O.
Variables C D : concept.
Hypothesis HC : In C U.
Definition entailed_in (M : list bool) : bool := satb U O (selectedAxioms O M) C D.
Lemma entailed_in_iff M : entailed_in M = true <-> Sat U (selectedAxioms O M) C D.
Proof. apply satb_iff; auto. apply selected_incl. Qed.

Definition compileSat : Shannon.tree := shannon entailed_in (length O) 0 [].
Definition disponte (w : weight) : Q := model_sum entailed_in w 0 (length O).
Definition world_of (e : nat -> bool) := map e (seq 0 (length O)).

Theorem compileSat_models_iff_sat e : evalT compileSat e = true <-> Sat U (selectedAxioms O (world_of e)) C D.
Proof. unfold compileSat. rewrite shannon_models. apply entailed_in_iff. Qed.
Theorem wmc_compileSat_eq_disponte w : (wmc w compileSat == disponte w)%Q.
Proof. apply shannon_wmc. Qed.
(* over the natural numbers *)
Definition disponteN (w : nat -> bool -> nat) : nat :=
  nsum (fun M => if entailed_in M then world_weightN w 0 M else 0) (worlds (length O)).
Theorem wmc_compileSat_eq_disponteN w : wmcN w compileSat = disponteN w.
Proof. apply shannon_wmcN. Qed.
Theorem compileSat_size_eq : size compileSat = 2 ^ (length O + 1) - 1.
Proof. apply shannon_size. Qed.
Theorem compileSat_wmcCost_eq w : snd (wmc_counted w compileSat) = 2 ^ (length O + 1) - 1.
Proof. rewrite wmcCost_eq_size. apply compileSat_size_eq. Qed.
(* Verified SDD encoding *)
Theorem moose_inference_correct : exists t,
  (forall e, evalT t e = true <-> Sat U (selectedAxioms O (world_of e)) C D) /\
  (forall w, wmc w t == disponte w)%Q /\ size t = 2 ^ (length O + 1) - 1.
Proof.
  exists compileSat. split; [apply compileSat_models_iff_sat|split; [apply wmc_compileSat_eq_disponte|
    apply compileSat_size_eq]].
Qed.

(* Where the calculus is complete for every sub-ontology, worlds that derive are worlds that entail. *)
Theorem moose_pipeline_complete e : In D U -> range_chain_safe O ->
  OWL2ELFragment U (selectedAxioms O (world_of e)) C D ->
  (evalT compileSat e = true <-> Entails (selectedAxioms O (world_of e)) C D).
Proof.
  intros HD S F. rewrite compileSat_models_iff_sat. apply correct_owl2el; auto.
  - eapply universe_incl; eauto. apply selected_incl.
  - apply safe_owl. eapply range_chain_safe_incl; eauto. apply selected_incl.
Qed.

(* Entailment as a zero count *)
Theorem wmc_zero_iff_no_world w : positive w ->
  ((wmc w compileSat == 0)%Q <-> forall M, length M = length O -> ~ Sat U (selectedAxioms O M) C D).
Proof.
  intro P. rewrite wmc_compileSat_eq_disponte. unfold disponte, model_sum. rewrite model_sum_zero by auto. split.
  - intros H M L S. apply entailed_in_iff in S. rewrite H in S; [discriminate|]. rewrite <- L. apply worlds_all.
  - intros H M Hm. destruct (entailed_in M) eqn:E; auto. exfalso. apply (H M); [apply worlds_len;
    auto|apply entailed_in_iff; auto].
Qed.
End Encoding.
