(* The ground program of an ontology is polynomial: at most 18 s⁶ rule instances, where s adds twice the concepts, the
   axioms and the roles. Bottom-up evaluation takes at most that many rounds, and a round reads each instance once,
   so Sat is decided in polynomial time; the degree comes from the rule for keys. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Calculus Saturated Decision Stages.

Section Polynomial.
Variable U : list concept.
Variable O : ontology.
Variable c0 : concept.
Definition measure := 2 * length U + length O + length (roles U O).
Notation size := measure.

Lemma flat_map_bound {A B} (f : A -> list B) l k : length l <= size -> (forall x, In x l -> length (f x) <= k) ->
  length (flat_map f l) <= size * k.
Proof.
  intros L H. apply Nat.le_trans with (length l * k); [|apply Nat.mul_le_mono_r; auto].
  clear L. induction l as [|x l IH]; simpl; [lia|]. rewrite app_length.
  specialize (H x (or_introl eq_refl)) as H1. assert (H2 := IH (fun y Hy => H y (or_intror Hy))). lia.
Qed.
Lemma contexts_bound : length (contexts U) <= size.
Proof. pose proof (contexts_length U). unfold measure. lia. Qed.
Lemma nominals_bound : length (nominals U) <= size.
Proof.
  unfold measure, nominals. assert (L : forall l, length (flat_map (fun c => match c with Nom i => [i] |
    _ => [] end) l) <= length l).
  { induction l as [|c l IH]; simpl; auto. rewrite app_length. destruct c; simpl; lia. }
  specialize (L U). lia.
Qed.
Lemma roles_bound : length (roles U O) <= size. Proof. unfold measure. lia. Qed.
Lemma concepts_bound : length U <= size. Proof. unfold measure. lia. Qed.
Lemma axioms_bound : length O <= size. Proof. unfold measure. lia. Qed.
Ltac bound := first
  [ apply flat_map_bound; [first [apply contexts_bound|apply nominals_bound|apply roles_bound|apply concepts_bound]|
    intros; bound]
  | simpl length; apply le_n_S; bound
  | apply Nat.le_refl ].

Hypothesis nonempty : In c0 U.
Lemma measure_positive : 1 <= size.
Proof. unfold measure. destruct U; simpl in *; [tauto|lia]. Qed.
Lemma of_axiom_bound a : length (of_axiom U O a) <= 3 * (size * size * size).
Proof.
  assert (P := measure_positive). assert (P2 : size <= size * size) by nia.
    assert (P3 : size * size <= size * size * size) by nia.
  destruct a; cbn [of_axiom].
  - apply Nat.le_trans with (size * 1); [bound|lia].
  - rewrite app_length. apply Nat.le_trans with (size * S (size * 1) + size * 1); [apply Nat.add_le_mono; bound|nia].
  - apply Nat.le_trans with (size * S (size * (size * 1))); [bound|nia].
  - apply Nat.le_trans with (size * 2); [|lia]. apply flat_map_bound; [apply contexts_bound|].
    intros [d [q|]] _; simpl; lia.
  - apply Nat.le_trans with (size * 1); [bound|lia].
  - apply Nat.le_trans with (size * (size * 1)); [bound|nia].
Qed.
Lemma of_concept_bound c : length (of_concept U c) <= 3 * (size * size * size).
Proof.
  assert (P := measure_positive). assert (P2 : size <= size * size) by nia.
    assert (P3 : size * size <= size * size * size) by nia.
  destruct c; cbn [of_concept]; try (simpl; lia).
  - apply Nat.le_trans with (size * 3); [bound|lia].
  - apply Nat.le_trans with (size * S (size * 1)); [bound|nia].
  - apply Nat.le_trans with (size * 2); [bound|lia].
Qed.
Lemma of_context_bound x : length (of_context U O x) <= 5 * (size * size * size).
Proof.
  assert (P := measure_positive). assert (P2 : size <= size * size) by nia.
    assert (P3 : size * size <= size * size * size) by nia.
  unfold of_context. rewrite !app_length.
  apply Nat.le_trans with (2 + (size * (size * 1) + size * S (size * 1))); [|nia].
  repeat apply Nat.add_le_mono; bound.
Qed.
Lemma of_nominal_bound i : length (of_nominal U O i) <= 5 * (size * size * size * size * size).
Proof.
  assert (P := measure_positive). assert (P2 : size <= size * size) by nia.
    assert (P3 : size * size <= size * size * size) by nia.
  assert (P4 : size * size * size <= size * size * size * size) by nia.
    assert (P5 : size * size * size * size <= size * size * size * size * size) by nia.
  unfold of_nominal. rewrite !app_length.
  apply Nat.le_trans with (1 + (size * (size * (size * 1)) + (size * (size * (size * S (size * 1))) + size * (size *
    (size * (size * (size * 1)))))));
    [repeat apply Nat.add_le_mono; bound|].
  replace (size * (size * (size * 1))) with (size * size * size) by lia.
  replace (size * (size * (size * S (size * 1)))) with (size * size * size + size * size * size * size) by lia.
  replace (size * (size * (size * (size * (size * 1))))) with (size * size * size * size * size) by lia. lia.
Qed.
Theorem program_polynomial : length (program U O c0) <= 18 * size ^ 6.
Proof.
  assert (P := measure_positive). assert (P2 : size <= size * size) by nia.
    assert (P3 : size * size <= size * size * size) by nia.
  assert (P4 : size * size * size <= size * size * size * size) by nia.
    assert (P5 : size * size * size * size <= size * size * size * size * size) by nia.
  assert (P6 : size * size * size * size * size <= size * size * size * size * size * size) by nia.
  unfold program. rewrite !app_length.
  apply Nat.le_trans with (1 + (size * (3 * (size * size * size)) + (size * (3 * (size * size * size)) + (size * (5 *
    (size * size * size)) +
    (size * (5 * (size * size * size * size * size)) + size * 1))))).
  - repeat apply Nat.add_le_mono; try apply Nat.le_refl; apply flat_map_bound;
    auto using axioms_bound, concepts_bound, contexts_bound, nominals_bound, roles_bound, of_axiom_bound,
      of_concept_bound,
      of_context_bound, of_nominal_bound.
  - replace (size ^ 6) with (size * size * size * size * size * size) by (simpl; lia). lia.
Qed.
(* the facts derived in round t are those of round |program|, for all later t *)
Theorem sat_polynomial_decidable P f : incl P O -> universe U O ->
  (decide fact fact_dec (program U O c0) (input_bits P) f = true <-> Ground U O c0 P f) /\
  length (heads fact (program U O c0)) <= 18 * size ^ 6.
Proof.
  intros S WF. split.
  - rewrite decide_correct by apply inputs_no_head. apply derivable_Ground.
  - unfold heads. rewrite map_length. apply program_polynomial.
Qed.
End Polynomial.
