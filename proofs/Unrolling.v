(* Stages 2-5 as propositional theories: Clark completion with time-stamped copies inside each component.
   For every choice of input axioms the theory has exactly one model, and that model is the least fixed point;
   the same holds of its Tseitin clauses. Its definitions number the sum of |S| (|S| + 2) over the components. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Tseitin.

Arguments FTrue {A}. Arguments FFalse {A}. Arguments FVar {A}. Arguments FNot {A}.
Arguments FAnd {A}. Arguments FOr {A}. Arguments evalF {A}.

Section Unrolling.
Variable fact : Type.
Variable fact_dec : forall a b : fact, {a = b} + {a <> b}.
Variable P : list (list fact * fact).
Notation memb := (memb fact fact_dec).
Notation stamped := (stamped fact fact_dec P).

Inductive tvar := X (a : fact) | Xt (a : fact) (t : nat).   (* x_a and its copy at time t *)
Definition formula := form tvar.
Definition iff_form (f g : formula) : formula := FOr (FAnd f g) (FAnd (FNot f) (FNot g)).
Definition big_and := fold_right (A := formula) FAnd FTrue.
Definition big_or := fold_right (A := formula) FOr FFalse.
Lemma eval_iff v f g : evalF v (iff_form f g) = true <-> evalF v f = evalF v g.
Proof. simpl. destruct (evalF v f), (evalF v g); simpl; split; congruence. Qed.
Lemma eval_and v l : evalF v (big_and l) = true <-> forall f, In f l -> evalF v f = true.
Proof.
  induction l; simpl; [split; auto; intros _ f []|]. rewrite andb_true_iff, IHl.
  split; [intros [H K] f [<-|Hf]; auto|intro H; split; auto].
Qed.
Lemma eval_or v l : evalF v (big_or l) = true <-> exists f, In f l /\ evalF v f = true.
Proof.
  induction l; simpl; [split; [discriminate|intros [f [[] _]]]|]. rewrite orb_true_iff, IHl.
  split; [intros [H|[f [? ?]]]; eauto|intros [f [[<-|Hf] H]]; eauto].
Qed.

Section Component.
Variable G : list fact.
Definition at_time t b : formula := if memb b G then FVar (Xt b t) else FVar (X b).
Definition justifications a t : formula :=
  big_or (map (fun r => big_and (map (at_time t) (fst r)))
              (filter (fun r => if fact_dec (snd r) a then true else false) P)).
Definition definitions a : list formula :=
  iff_form (FVar (Xt a 0)) FFalse :: iff_form (FVar (X a)) (FVar (Xt a (length G)))
  :: map (fun t => iff_form (FVar (Xt a (S t))) (FOr (FVar (Xt a t)) (justifications a t))) (seq 0 (length G)).
Definition component_theory : list formula := flat_map definitions G.

Lemma component_theory_size : length component_theory = length G * (length G + 2).
Proof.
  assert (K : forall l, length (flat_map definitions l) = length l * (length G + 2)); [|apply K].
  induction l as [|a l IH]; auto.
  cbn [flat_map]. rewrite app_length, IH. simpl. rewrite map_length, seq_length. lia.
Qed.

Variable v : tvar -> bool.
Definition plain a := v (X a).
Lemma eval_justifications a t u : (forall b, evalF v (at_time t b) = u b) ->
  evalF v (justifications a t) = fires fact fact_dec P u a.
Proof.
  intro H. apply eq_true_iff_eq. unfold justifications. rewrite eval_or, fires_spec. split.
  - intros [f [Hf E]]. apply in_map_iff in Hf as [[b h] [<- Hr]]. apply filter_In in Hr as [Hr Hh]. simpl in *.
    destruct (fact_dec h a); [subst|discriminate]. exists b; split; auto. intros p Hp. rewrite <- H.
    rewrite eval_and in E. apply E, in_map; auto.
  - intros [b [Hb K]]. exists (big_and (map (at_time t) b)). split.
    + apply in_map_iff. exists (b, a); split; auto. apply filter_In; split; auto. simpl. destruct (fact_dec a a); auto.
    + apply eval_and. intros f Hf. apply in_map_iff in Hf as [p [<- Hp]]. rewrite H; auto.
Qed.

(* the definitions of one component say that the copies are the stages, and the plain variable the last one *)
Lemma component_theory_models :
  (forall f, In f component_theory -> evalF v f = true) <->
  forall a, In a G -> v (X a) = v (Xt a (length G)) /\ forall t, t <= length G -> v (Xt a t) = stamped plain G t a.
Proof.
  split.
  - intro H.
    assert (D : forall a f, In a G -> In f (definitions a) -> evalF v f = true)
      by (intros a f Ha Hf; apply H, in_flat_map; eauto).
    assert (T : forall t, t <= length G -> forall a, In a G -> v (Xt a t) = stamped plain G t a).
    { induction t as [|t IH]; intros L a Ha.
      - pose proof (D a _ Ha (or_introl eq_refl)) as E. apply eval_iff in E. simpl in E.
        simpl. apply (memb_In fact fact_dec) in Ha. rewrite Ha, E. auto.
      - assert (E : evalF v (iff_form (FVar (Xt a (S t))) (FOr (FVar (Xt a t)) (justifications a t))) = true).
        { apply (D a); auto. right; right. apply in_map_iff. exists t; split; auto. apply in_seq; lia. }
        apply eval_iff in E. cbn [evalF] in E. rewrite E, (IH ltac:(lia) a Ha).
        rewrite (eval_justifications a t (stamped plain G t)).
        + simpl. apply (memb_In fact fact_dec) in Ha. rewrite Ha. auto.
        + intro b. unfold at_time. destruct (memb b G) eqn:M; cbn [evalF].
          * apply memb_In in M. apply IH; auto; lia.
          * apply memb_not in M. rewrite stamped_out; auto. }
    intros a Ha. split; auto.
    pose proof (D a _ Ha (or_intror (or_introl eq_refl))) as E. apply eval_iff in E. exact E.
  - intros H f Hf. apply in_flat_map in Hf as [a [Ha Hf]]. destruct (H a Ha) as [E T].
    destruct Hf as [<-|[<-|Hf]]; [apply eval_iff; cbn [evalF]|apply eval_iff; exact E|].
    + rewrite T by lia. simpl. apply (memb_In fact fact_dec) in Ha. rewrite Ha; auto.
    + apply in_map_iff in Hf as [t [<- Ht]]. apply in_seq in Ht. apply eval_iff. cbn [evalF].
      rewrite (eval_justifications a t (stamped (plain) G t)); [rewrite (T (S t)), (T t) by lia|].
      * simpl. apply (memb_In fact fact_dec) in Ha. rewrite Ha; auto.
      * intro b. unfold at_time. destruct (memb b G) eqn:M; cbn [evalF].
        -- apply memb_In in M. apply H; auto; lia.
        -- apply memb_not in M. rewrite stamped_out; auto.
Qed.
End Component.

Definition theory (Gs : list (list fact)) : formula := big_and (flat_map component_theory Gs).

Section Models.
Variable Gs : list (list fact).
Hypothesis ordered : topological fact P [] Gs.
Variable inp : fact -> bool.
Hypothesis inputs_have_no_rule : forall a, head fact P a -> inp a = false.
Definition reads_inputs (v : tvar -> bool) := forall a, ~ head fact P a -> v (X a) = inp a.

Lemma theory_component v G : evalF v (theory Gs) = true -> In G Gs ->
  forall a, In a G -> v (X a) = v (Xt a (length G)) /\ forall t, t <= length G -> v (Xt a t) = stamped (plain v) G t a.
Proof.
  intros H HG. apply component_theory_models. intros f Hf. unfold theory in H. rewrite eval_and in H.
  apply H, in_flat_map; eauto.
Qed.
Lemma not_head_derivable a : ~ head fact P a -> (inp a = true <-> derivable fact P inp a).
Proof. intro N. split; intro H; [apply der_in; auto|]. inversion H; subst; auto. exfalso; apply N; eexists; eauto. Qed.

(* any model of the theory is the least fixed point *)
Theorem theory_model_is_least_fixed_point v : reads_inputs v -> evalF v (theory Gs) = true ->
  forall a, head fact P a \/ ~ head fact P a -> (v (X a) = true <-> derivable fact P inp a).
Proof.
  intros R H.
  assert (K : forall Ls done, topological fact P done Ls -> (forall G, In G Ls -> In G Gs) ->
    (forall a, In a done \/ ~ head fact P a -> (v (X a) = true <-> derivable fact P inp a)) ->
    forall a, head fact P a \/ ~ head fact P a -> (v (X a) = true <-> derivable fact P inp a)).
  { induction Ls as [|G Ls IH]; intros done T S E a D; inversion T; subst.
    - apply E. destruct D; auto.
    - eapply IH; eauto; [intros; apply S; right; auto|]. intros p Hp. rewrite in_app_iff in Hp.
      destruct (in_dec fact_dec p G) as [i|i]; [|apply E; tauto].
      destruct (theory_component v G H (S _ (or_introl eq_refl)) p i) as [E1 E2].
      rewrite E1, E2, component_least_fixed_point by lia.
      apply component_step with (done := done); auto. }
  apply (K Gs []); auto. intros a [[]|N]. rewrite R by auto. apply not_head_derivable; auto.
Qed.

(* and there is a model *)
Definition home a := find (memb a) Gs.
Definition intended : tvar -> bool := fun x =>
  let u := unrolled fact fact_dec P inp Gs in
  match x with X a => u a | Xt a t => match home a with Some G => stamped u G t a | None => false end end.
Lemma home_unique : forall Ls done, topological fact P done Ls ->
  forall G a, In G Ls -> In a G -> find (memb a) Ls = Some G /\ ~ In a done.
Proof.
  induction Ls as [|G Ls IH]; intros done T G' a HG Ha; inversion T as [|? ? ? T1 T2 T3]; subst; [destruct HG|].
  destruct HG as [->|HG].
  - split; [simpl; apply (memb_In fact fact_dec) in Ha; rewrite Ha; auto|apply T1; auto].
  - destruct (IH _ T3 G' a HG Ha) as [F N]. rewrite in_app_iff in N. split; [|tauto].
    simpl. destruct (memb a G) eqn:M; auto. apply memb_In in M. tauto.
Qed.
Lemma component_parts : forall Ls done, topological fact P done Ls -> forall G, In G Ls ->
  exists D, (forall a, In a G -> head fact P a /\ ~ In a D) /\
    (forall b a p, In a G -> In (b, a) P -> In p b -> In p G \/ In p D \/ ~ head fact P p).
Proof.
  induction Ls as [|G Ls IH]; intros done T G' HG; inversion T; subst; [destruct HG|].
  destruct HG as [->|HG]; [exists done; auto|eapply IH; eauto].
Qed.
Theorem theory_has_model : reads_inputs intended /\ evalF intended (theory Gs) = true.
Proof.
  set (u := unrolled fact fact_dec P inp Gs).
  assert (U : forall a, u a = true <-> derivable fact P inp a)
    by (intro a; apply scc_unrolling_least_fixed_point; auto).
  split.
  - intros a N. apply eq_true_iff_eq. simpl. fold u. rewrite U. symmetry. apply not_head_derivable; auto.
  - apply eval_and. intros f Hf. apply in_flat_map in Hf as [G [HG Hf]]. revert f Hf.
    apply component_theory_models. intros a Ha. unfold intended; cbn. fold u. unfold home.
    rewrite (proj1 (home_unique Gs [] ordered G a HG Ha)). split; auto.
    apply eq_true_iff_eq. rewrite U, component_least_fixed_point.
    destruct (component_parts Gs [] ordered G HG) as [D [D1 D2]]. symmetry.
    apply component_step with (done := D); auto.
Qed.

(* Stages 2-5 together: the clauses have a model over these inputs, and in each the query says what is derivable *)
Theorem clauses_have_model : exists v, reads_inputs (fun x => v (inl x)) /\ all_hold tvar v (tseitin tvar (theory
  Gs)) = true.
Proof.
  destruct theory_has_model as [R M]. apply tseitin_models in M as [v [E H]].
  exists v; split; auto. intros a N. rewrite E. apply R; auto.
Qed.
Theorem clauses_model_is_least_fixed_point v : reads_inputs (fun x => v (inl x)) ->
  all_hold tvar v (tseitin tvar (theory Gs)) = true -> forall a, v (inl (X a)) = true <-> derivable fact P inp a.
Proof.
  intros R H a. apply (theory_model_is_least_fixed_point (fun x => v (inl x)) R).
  - apply tseitin_models. exists v; split; auto. intro; auto.
  - assert (E : head fact P a <-> In a (map snd P)).
    { unfold head. rewrite in_map_iff. split; [intros [b K]; exists (b, a); auto|intros [[b h] [<- K]]; eauto]. }
    rewrite E. destruct (in_dec fact_dec a (map snd P)); auto.
Qed.
End Models.
End Unrolling.
