(* The DeepProbLog correspondence, in the form that is true. A clause is translated to a constraint,
   viol :- its body, not its heads, and the query to q :- evidence, not viol;
     then the success probability of q under the
   distribution semantics is the weighted model count, for all rational weights, so for losses and gradients too.
   The printed translation (a probabilistic fact and a rule for the same atom) is a noisy-or, and its value differs. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.
From Moose Require Import Horn Shannon Closure.
Local Open Scope nat_scope.

(* Atoms of the logic program: literals on probabilistic facts, the constraint atom, its negation, the query. *)
Inductive patom := PL (l : literal) | Viol | NotViol | Query.
Definition patom_dec : forall a b : patom, {a = b} + {a <> b}.
Proof. decide equality. decide equality; [apply bool_dec|apply Nat.eq_dec]. Defined.
Definition negate (l : literal) : literal := (fst l, negb (snd l)).

(* lower stratum: viol :- b1, …, bk, not h1, …   for each clause ¬b1 ∨ … ∨ h1 ∨ … *)
Definition constraints (F : list clause) : list (list patom * patom) :=
  map (fun c => (map (fun l => PL (negate l)) c, Viol)) F.
(* upper stratum: q :- e, not viol *)
Definition question (ev : list literal) : list (list patom * patom) := [(map PL ev ++ [NotViol], Query)].
Definition chosen (M : nat -> bool) (a : patom) : bool := match a with PL l => evL M l | _ => false end.
Definition violated F M : bool := decide patom patom_dec (constraints F) (chosen M) Viol.
Definition with_negation F M (a : patom) : bool := match a with NotViol => negb (violated F M) | _ => chosen M a end.
(* one total choice M of the facts; the program is stratified, each stratum has its least model *)
Definition succeeds F ev M : bool := decide patom patom_dec (question ev) (with_negation F M) Query.

Lemma derivable_one P i (a : patom) : (forall b h, In (b, h) P -> h = a) ->
  (forall b p, In (b, a) P -> In p b -> p <> a) -> i a = false ->
  (derivable patom P i a <-> exists b, In (b, a) P /\ forall p, In p b -> i p = true).
Proof.
  intros HH HB Hi. split.
  - intro H. inversion H as [f Hf|b h Hr Hd]; subst; [congruence|]. exists b. split; auto.
    intros p Hp. specialize (Hd p Hp). inversion Hd as [f Hf|b' h' Hr' _]; subst; auto.
    exfalso. apply (HB b p Hr Hp). eapply HH; eauto.
  - intros [b [Hb K]]. eapply der_rule; [exact Hb|]. intros p Hp. apply der_in. auto.
Qed.
Lemma violated_iff F M : violated F M = negb (evF M F).
Proof.
  assert (HN : forall a, head patom (constraints F) a -> chosen M a = false).
  { intros a [b H]. apply in_map_iff in H as [c [E _]]. inversion E; auto. }
  apply eq_true_iff_eq. unfold violated. rewrite decide_correct by exact HN.
  rewrite derivable_one; auto.
  - split.
    + intros [b [Hb K]]. apply in_map_iff in Hb as [c [E Hc]]. inversion E; subst. apply negb_true_iff.
      apply not_true_is_false. intro T. unfold evF in T. rewrite forallb_forall in T. specialize (T c Hc).
      unfold evC in T. apply existsb_exists in T as [l [Hl Tl]].
      assert (X : evL M (negate l) = true) by (apply (K (PL (negate l))), in_map_iff; eauto).
      unfold evL, negate in *; simpl in *. destruct (M (fst l)), (snd l); discriminate.
    + intro H. apply negb_true_iff in H. unfold evF in H.
      assert (X : exists c, In c F /\ evC M c = false).
      { clear - H. induction F as [|c F IH]; simpl in H; [discriminate|].
        destruct (evC M c) eqn:E; [|exists c; simpl; auto].
        destruct (IH H) as [d [? ?]]. exists d; simpl; auto. }
      destruct X as [c [Hc Ec]]. exists (map (fun l => PL (negate l)) c). split; [apply in_map_iff; exists c; auto|].
      intros p Hp. apply in_map_iff in Hp as [l [<- Hl]]. simpl.
      destruct (evL M l) eqn:El; [exfalso|].
      * assert (T : evC M c = true) by (apply existsb_exists; eauto). congruence.
      * unfold evL, negate in *; simpl in *. destruct (M (fst l)), (snd l); auto.
  - intros b h H. apply in_map_iff in H as [c [E _]]. inversion E; auto.
  - intros b p H Hp. apply in_map_iff in H as [c [E _]]. inversion E; subst.
    apply in_map_iff in Hp as [l [<- _]]. discriminate.
Qed.
(* Qualitative: q succeeds in a choice iff the choice satisfies clauses and evidence *)
Theorem succeeds_iff F ev M : succeeds F ev M = evF M F && forallb (evL M) ev.
Proof.
  assert (HN : forall a, head patom (question ev) a -> with_negation F M a = false).
  { intros a [b H]. destruct H as [E|[]]. inversion E; auto. }
  apply eq_true_iff_eq. unfold succeeds. rewrite decide_correct by exact HN.
  rewrite derivable_one; auto.
  - rewrite andb_true_iff, forallb_forall. split.
    + intros [b [[E|[]] K]]. inversion E; subst. split.
      * assert (X : with_negation F M NotViol = true) by (apply K, in_or_app; right; left; auto).
        simpl in X. rewrite violated_iff, negb_involutive in X. auto.
      * intros l Hl. apply (K (PL l)). apply in_or_app; left. apply in_map; auto.
    + intros [H1 H2]. exists (map PL ev ++ [NotViol]). split; [left; auto|]. intros p Hp.
      apply in_app_or in Hp as [Hp|[<-|[]]].
      * apply in_map_iff in Hp as [l [<- Hl]]. simpl. auto.
      * simpl. rewrite violated_iff, negb_involutive. auto.
  - intros b h [E|[]]. inversion E; auto.
  - intros b p [E|[]] Hp. inversion E; subst. apply in_app_or in Hp as [Hp|[<-|[]]]; [|discriminate].
    apply in_map_iff in Hp as [l [<- _]]. discriminate.
Qed.

(* Quantitative: success probability = weighted model count of clauses and evidence *)
Definition success_probability n F ev (w : weight) : Q := model_sum (fun M => succeeds F ev (env M)) w 0 n.
Definition units (ev : list literal) : list clause := map (fun l => [l]) ev.
Lemma units_ev e ev : evF e (units ev) = forallb (evL e) ev.
Proof. unfold evF, units. induction ev; simpl; auto. rewrite IHev. unfold evC; simpl. rewrite orb_false_r. auto. Qed.
Theorem deepproblog_equals_wmc n F ev w :
  (success_probability n F ev w == wmc w (compile n (F ++ units ev)))%Q.
Proof.
  rewrite wmc_compile_eq_model_sum. unfold success_probability, model_sum. apply qsum_ext. intros M _.
  rewrite succeeds_iff, evF_app, units_ev. reflexivity.
Qed.
(* so any function of the weights that respects equality (a loss, its gradient) is the same on both sides *)
Corollary deepproblog_operator_invariant n F ev (T : (weight -> Q) -> Q) :
  (forall f g, (forall w, f w == g w)%Q -> (T f == T g)%Q) ->
  (T (success_probability n F ev) == T (fun w => wmc w (compile n (F ++ units ev))))%Q.
Proof. intro H. apply H. intro w. apply deepproblog_equals_wmc. Qed.

(* The printed translation: facts 0.3::h, 0.6::b and the rule h :- b. *)
Definition noisy_or_program : list (list nat * nat) := [([1], 0)].   (* h is 0, b is 1 *)
Definition noisy_weights : weight := fun i b =>
  match i, b with 0, true => 3#10 | 0, false => 7#10 | _, true => 6#10 | _, false => 4#10 end.
Definition derives_h (M : list bool) : bool :=
  env M 0 || existsb (fun r => Nat.eqb (snd r) 0 && forallb (env M) (fst r)) noisy_or_program.
Theorem printed_translation_differs :
  (model_sum derives_h noisy_weights 0 2 == 72#100)%Q /\
  (wmc noisy_weights (compile 2 [[(1, false); (0, true)]; [(0, true)]]%nat) == 30#100)%Q.
Proof. split; vm_compute; reflexivity. Qed.
