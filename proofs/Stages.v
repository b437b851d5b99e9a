(* The stages of the pipeline for an ontology. The saturation stops; its facts are at most 5 n³ (r + 1), for n concepts
   and r roles; and the clauses of Stages 2-5 have, for every choice of axioms, a model in which the variable of the
   query says whether those axioms derive it; every model says so. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Tseitin Unrolling Calculus Saturated Decision.

Section Ontology.
Variable U : list concept.
Variable O : ontology.
Hypothesis WF : universe U O.

Section Bound.
Variable c0 : concept.
Hypothesis Hc0 : In c0 U.
Definition saturation_facts : list fact :=
  map FR (contexts U) ++ (for x of contexts U, map (FS x) U) ++ (for x of contexts U, map (FF x) (roles U O))
  ++ (for x of contexts U, for r of roles U O, map (FL x r) (contexts U)).
Theorem saturation_within f : Derives U O c0 f ->
  match f with FH _ _ | FK _ _ _ | FA _ => True | _ => In f saturation_facts end.
Proof.
  intro H. assert (P := all_placed U O c0 WF Hc0 f H).
  assert (K := roles_known U O c0 O (incl_refl O) WF Hc0 f H).
  unfold saturation_facts. destruct f; auto; simpl in P, K; rewrite !in_app_iff.
  - left. apply in_map, contexts_In; auto.
  - right; left. apply in_flat_map. exists x. split; [apply contexts_In; apply P|apply in_map; apply P].
  - right; right; right. apply in_flat_map. exists x. split; [apply contexts_In; apply P|].
    apply in_flat_map. exists r. split; auto. apply in_map, contexts_In. apply P.
  - right; right; left. apply in_flat_map. exists x. split; [apply contexts_In; apply P|apply in_map; auto].
Qed.
Lemma contexts_length : length (contexts U) <= 2 * length U.
Proof.
  unfold contexts. rewrite app_length, map_length.
  assert (L : forall l, length (flat_map (fun c => match c with Ex r d => [(d, Some r)] | _ => [] end) l) <= length l).
  { induction l as [|c l IH]; simpl; auto. rewrite app_length. destruct c; simpl; lia. }
  specialize (L U). lia.
Qed.
Lemma flat_map_length {A B} (f : A -> list B) k l : (forall x, length (f x) = k) ->
  length (flat_map f l) = length l * k.
Proof. intro H. induction l; simpl; auto. rewrite app_length, H, IHl. lia. Qed.
Theorem sat_closure_total_polynomial_bound :
  length saturation_facts <= 5 * length U ^ 3 * (length (roles U O) + 1).
Proof.
  unfold saturation_facts. rewrite !app_length, map_length.
  rewrite (flat_map_length _ (length U)) by (intro; apply map_length).
  rewrite (flat_map_length _ (length (roles U O))) by (intro; apply map_length).
  rewrite (flat_map_length _ (length (roles U O) * length (contexts U)))
    by (intro x; apply flat_map_length; intro; apply map_length).
  assert (L := contexts_length). assert (N : 2 <= length U).
  { destruct WF as (HT & HB & _). destruct U as [|a [|b l]]; simpl in *; try lia; try tauto.
    destruct HT as [HT|[]], HB as [HB|[]]. congruence. }
  revert L N. generalize (length (contexts U)) as k, (length (roles U O)) as r, (length U) as n. intros k r n L N.
  assert (Hn : n * n <= n * n * n) by nia. assert (Hm : 2 * n <= n * n) by nia.
  assert (H1 : k + k * n <= 2 * n + 2 * n * n) by nia. assert (H2 : k * r <= 2 * n * r) by nia.
  assert (H3 : k * (r * k) <= 4 * (n * n) * r) by nia.
  assert (H4 : 2 * n * r <= n * n * r) by nia. assert (H5 : n * n * r <= n * n * n * r) by nia.
  simpl Nat.pow. nia.
Qed.
(* after as many rounds as there are rules nothing new is derived *)
Theorem saturation_terminates f :
  let e := input_bits O in let P := program U O c0 in let n := length (heads fact P) in
  stamped fact fact_dec P e (heads fact P) (S n) f = stamped fact fact_dec P e (heads fact P) n f.
Proof. apply stable_at_size. Qed.
End Bound.

(* Stages 2-5 *)
Variables C D : concept.
Hypothesis HC : In C U.
Variable Gs : list (list fact).
Hypothesis ordered : topological fact (program U O C) [] Gs.
Definition query : tvar fact := X fact (FS (C, None) D).
Definition stage5_clauses := tseitin (tvar fact) (theory fact fact_dec (program U O C) Gs).
Definition chooses (v : var (tvar fact) -> bool) (P : ontology) :=
  reads_inputs fact (program U O C) (input_bits P) (fun x => v (inl x)).

Theorem stages_have_model P : incl P O -> exists v, chooses v P /\ all_hold (tvar fact) v stage5_clauses = true.
Proof.
  intro S. apply clauses_have_model; auto. apply inputs_no_head.
Qed.
Theorem stages_correct P v : incl P O -> chooses v P -> all_hold (tvar fact) v stage5_clauses = true ->
  (v (inl query) = true <-> Sat U P C D).
Proof.
  intros S R H. unfold query.
  rewrite (clauses_model_is_least_fixed_point fact fact_dec (program U O C) Gs ordered (input_bits P)
    (inputs_no_head U O C P) v R H).
  rewrite derivable_Ground. apply program_correct; auto. exact I.
Qed.
(* an ontology always has an order of components: at worst a single one *)
Theorem components_exist : topological fact (program U O C) [] [heads fact (program U O C)].
Proof. apply heads_topological. exact fact_dec. Qed.
End Ontology.
