(* Counting on a diagram that DiagramCheck accepts is right.

   circuit_counts  with weights that sum to one for each atom, one pass of sums and products over the diagram is the
                   weighted count of the worlds in which every clause holds. Other weights are these times a constant. *)
Require Import List Arith Lia Bool PArith FMapPositive QArith.
Import ListNotations.
From Moose Require Import DiagramCheck.
Local Open Scope Q_scope.

Section Count.
Variable w : positive -> bool -> Q.
Hypothesis normalised : forall v, w v true + w v false == 1.

Definition env := positive -> bool.
Definition upd (e : env) v b : env := fun x => if Pos.eqb x v then b else e x.
(* the weighted number of worlds over some atoms in which f holds *)
Fixpoint total (vs : list positive) (f : env -> bool) (e : env) : Q :=
  match vs with
  | [] => if f e then 1 else 0
  | v :: vs => w v true * total vs f (upd e v true) + w v false * total vs f (upd e v false) end.

Lemma total_ext vs : forall f g e, (forall e, f e = g e) -> total vs f e == total vs g e.
Proof. induction vs; simpl; intros f g e H; [now rewrite H|]. now rewrite !(IHvs f g). Qed.
Lemma total_or vs : forall f g e, (forall e, f e = true -> g e = false) ->
  total vs (fun e => f e || g e) e == total vs f e + total vs g e.
Proof.
  induction vs; simpl; intros f g e H; [|rewrite !IHvs by auto; ring].
  destruct (f e) eqn:F; simpl; [rewrite (H _ F); ring|]. destruct (g e); ring.
Qed.
Lemma total_false vs : forall e, total vs (fun _ => false) e == 0.
Proof. induction vs; simpl; intro e; [reflexivity|]. rewrite !IHvs. ring. Qed.
Lemma total_true vs : forall e, total vs (fun _ => true) e == 1.
Proof. induction vs as [|v vs IH]; simpl; intro e; [reflexivity|]. rewrite !IH. rewrite !Qmult_1_r. apply normalised. Qed.

Definition on (t : set) (f : env -> bool) : Prop :=
  forall e e', (forall v, mem v t = true -> e v = e' v) -> f e = f e'.
Lemma total_same vs : forall t f e e', on t f -> (forall v, mem v t = true -> e v = e' v) -> total vs f e == total vs f e'.
Proof.
  induction vs as [|v vs IH]; simpl; intros t f e e' O H; [rewrite (O e e' H); reflexivity|].
  rewrite (IH t f (upd e v true) (upd e' v true)), (IH t f (upd e v false) (upd e' v false)); auto; try reflexivity;
  intros x X; unfold upd; destruct (Pos.eqb x v); auto.
Qed.
Lemma total_free vs t f e v b b' : on t f -> mem v t = false -> total vs f (upd e v b) == total vs f (upd e v b').
Proof.
  intros O N. apply (total_same vs t); auto. intros x X. unfold upd.
  destruct (Pos.eqb_spec x v); auto. congruence.
Qed.
Lemma total_and vs : forall s t f g e, on s f -> on t g -> (forall v, mem v s = true -> mem v t = true -> False) ->
  total vs (fun e => f e && g e) e == total vs f e * total vs g e.
Proof.
  induction vs as [|v vs IH]; simpl; intros s t f g e F G D; [destruct (f e), (g e); simpl; ring|].
  rewrite !(IH s t) by auto. destruct (mem v t) eqn:T.
  - assert (S : mem v s = false) by (destruct (mem v s) eqn:S; auto; destruct (D _ S T)).
    rewrite (total_free vs s f e v false true F S).
    set (A := total vs f (upd e v true)). set (B := total vs g (upd e v true)). set (C := total vs g (upd e v false)).
    setoid_replace (w v true * (A * B) + w v false * (A * C)) with (A * (w v true * B + w v false * C)) by ring.
    setoid_replace (w v true * A + w v false * A) with (A * (w v true + w v false)) by ring.
    rewrite normalised. ring.
  - rewrite (total_free vs t g e v false true G T).
    set (A := total vs f (upd e v true)). set (B := total vs f (upd e v false)). set (C := total vs g (upd e v true)).
    setoid_replace (w v true * (A * C) + w v false * (B * C)) with (C * (w v true * A + w v false * B)) by ring.
    setoid_replace (w v true * C + w v false * C) with (C * (w v true + w v false)) by ring.
    rewrite normalised. ring.
Qed.
Lemma total_literal vs v b : In v vs -> forall e, total vs (fun e => lit e v b) e == w v b.
Proof.
  assert (O : on (PM.add v tt (PM.empty unit)) (fun e => lit e v b)).
  { intros e e' H. unfold lit. rewrite (H v); auto. now rewrite mem_add, Pos.eqb_refl. }
  induction vs as [|x vs IH]; simpl; [tauto|]. intros I e.
  destruct (in_dec Pos.eq_dec v vs) as [J|J].
  - rewrite !IH by auto. setoid_replace (w x true * w v b + w x false * w v b) with (w v b * (w x true + w x false)) by ring.
    rewrite normalised. ring.
  - destruct I as [->|I]; [|tauto].
    assert (K : forall c, total vs (fun e => lit e v b) (upd e v c) == if Bool.eqb c b then 1 else 0).
    { intro c. clear IH. assert (G : forall l e', ~ In v l -> e' v = c -> total l (fun e => lit e v b) e' == if Bool.eqb c b then 1 else 0).
      { induction l as [|y l IHl]; simpl; intros e' N E; [unfold lit; rewrite E; reflexivity|].
        rewrite !IHl by (try tauto; unfold upd; destruct (Pos.eqb_spec v y); subst; tauto).
        destruct (Bool.eqb c b); [rewrite !Qmult_1_r; apply normalised|ring]. }
      apply G; auto. unfold upd. now rewrite Pos.eqb_refl. }
    rewrite !K. destruct b; simpl; ring.
Qed.

(* one pass of sums and products *)
Definition slot_weight (V : PM.t Q) (s : slot) : Q :=
  match s with
  | ST => 1 | SF => 0 | SL v b => w v b
  | SD d => match PM.find d V with Some q => q | None => 0 end end.
Definition sum (V : PM.t Q) (es : list element) : Q :=
  fold_right (fun (e : element) q => slot_weight V (fst e) * slot_weight V (snd e) + q) 0 es.
Fixpoint weights (k : positive) (V : PM.t Q) (ds : diagram) : PM.t Q :=
  match ds with [] => V | es :: ds => weights (Pos.succ k) (PM.add k (sum V es) V) ds end.
Definition count (ds : diagram) (s : slot) : Q := slot_weight (weights 1 (PM.empty Q) ds) s.

Lemma weights_before ds : forall k V j, Pos.lt j k -> PM.find j (weights k V ds) = PM.find j V.
Proof. induction ds; simpl; intros; auto. rewrite IHds by lia. apply PM.gso. lia. Qed.
Lemma slot_weight_same V V' k s : (forall j, Pos.lt j k -> PM.find j V = PM.find j V') -> earlier k s = true ->
  slot_weight V s = slot_weight V' s.
Proof. destruct s; simpl; auto. intros H E. apply Pos.ltb_lt in E. now rewrite H. Qed.
Lemma sum_same V V' k es : (forall j, Pos.lt j k -> PM.find j V = PM.find j V') ->
  forallb (fun e : element => earlier k (fst e) && earlier k (snd e)) es = true -> sum V es = sum V' es.
Proof.
  intros H. induction es as [|e es IH]; simpl; auto. intro E. rewrite !andb_true_iff in E. destruct E as [[E1 E2] E].
  now rewrite (slot_weight_same V V' k (fst e)), (slot_weight_same V V' k (snd e)), IH.
Qed.
Lemma weights_decision ds : forall k V (M : PM.t (list element)) d es, well_ordered k ds = true ->
  (forall j es', PM.find j M = Some es' -> Pos.lt j k) -> PM.find d (number k M ds) = Some es -> Pos.le k d ->
  PM.find d (weights k V ds) = Some (sum (weights k V ds) es).
Proof.
  induction ds as [|a ds IH]; simpl; intros k V M d es W HM F L; [apply HM in F; lia|].
  apply andb_true_iff in W as [W1 W2]. destruct (Pos.eq_dec d k) as [->|N].
  - rewrite number_before, PM.gss in F by lia. inversion F; subst a. rewrite weights_before, PM.gss by lia. f_equal.
    apply (sum_same _ _ k); auto. intros j Hj. rewrite weights_before, PM.gso by lia. auto.
  - apply (IH (Pos.succ k) _ (PM.add k a M)); auto; [|lia]. intros j es' Hj.
    destruct (Pos.eq_dec j k) as [->|N']; [lia|]. rewrite PM.gso in Hj by auto. apply HM in Hj. lia.
Qed.
Lemma weights_none ds : forall k V (M : PM.t (list element)) d,
  (forall j, PM.find j M = None -> PM.find j V = None) -> PM.find d (number k M ds) = None -> PM.find d (weights k V ds) = None.
Proof.
  induction ds; simpl; intros k V M d H F; auto. eapply IHds; [|exact F]. intros j Hj.
  destruct (Pos.eq_dec j k) as [->|N]; [rewrite PM.gss in Hj; discriminate|]. rewrite PM.gso in * by auto. auto.
Qed.

Section Diagram.
Variable ds : diagram.
Hypothesis W : well_ordered 1 ds = true.
Hypothesis EX : forall d es, PM.find d (decisions ds) = Some es -> forall e,
  ForallOrdPairs (fun x y => holds_both ds e x = true -> holds_both ds e y = true -> False) es.
Hypothesis DE : forall d es x, PM.find d (decisions ds) = Some es -> In x es -> exists s t : set,
  (forall v, mem v s = true -> mem v t = true -> False) /\ depends ds (fst x) s /\ depends ds (snd x) t.
Variable vs : list positive.
Definition covered (s : slot) : Prop := match s with SL v _ => In v vs | _ => True end.
Hypothesis CO : forall d es x, PM.find d (decisions ds) = Some es -> In x es -> covered (fst x) /\ covered (snd x).

Lemma count_decision n : forall d, (Pos.to_nat d < n)%nat -> forall e,
  total vs (fun e => holds e ds (SD d)) e == count ds (SD d).
Proof.
  induction n as [|n IH]; intros d L e; [lia|].
  destruct (PM.find d (decisions ds)) as [es|] eqn:F.
  - unfold count. cbn [slot_weight].
    rewrite (weights_decision ds 1 (PM.empty Q) (PM.empty _) d es W) by
      (auto; try lia; intros j x H; rewrite PM.gempty in H; discriminate).
    rewrite (total_ext vs _ (fun e => existsb (holds_both ds e) es)) by
      (intro e'; apply (proj1 (value_decision (lit e') ds d es W F))).
    pose proof (proj2 (value_decision (lit e) ds d es W F)) as EA.
    assert (SL' : forall s, earlier d s = true -> covered s ->
      forall e, total vs (fun e => holds e ds s) e == slot_weight (weights 1 (PM.empty Q) ds) s).
    { intros [| |v b|j] E C e'; simpl in E; try discriminate.
      - apply total_true.
      - apply (total_literal vs v b C).
      - apply Pos.ltb_lt in E. apply IH. lia. }
    assert (G : forall l, incl l es -> ForallOrdPairs (fun x y => forall e, holds_both ds e x = true -> holds_both ds e y = true -> False) l ->
      total vs (fun e => existsb (holds_both ds e) l) e == sum (weights 1 (PM.empty Q) ds) l).
    { induction l as [|x l IHl]; simpl; intros I P; [apply total_false|]. inversion P; subst.
      assert (Ix : In x es) by (apply I; left; auto).
      rewrite total_or.
      - rewrite IHl by (auto; intros y Y; apply I; right; auto).
        destruct (DE d es x F Ix) as [s [t [D [D1 D2]]]]. destruct (CO d es x F Ix) as [C1 C2].
        rewrite forallb_forall in EA. specialize (EA _ Ix). apply andb_true_iff in EA as [E1 E2].
        unfold holds_both at 1. rewrite (total_and vs s t) by auto. rewrite !SL' by auto. reflexivity.
      - intros e' X. destruct (existsb (holds_both ds e') l) eqn:Y; auto. exfalso.
        apply existsb_exists in Y as [y [Iy Y]]. rewrite Forall_forall in H1. exact (H1 y Iy e' X Y). }
    apply G; [intros x X; auto|]. clear G SL' EA IH L. pose proof (EX d es F) as P. revert P. clear.
    induction es as [|x es IH]; intro P; constructor.
    + apply Forall_forall. intros y Y e0. specialize (P e0). inversion P as [|a l Q1 Q2]; subst. rewrite Forall_forall in Q1. exact (Q1 y Y).
    + apply IH. intro e0. specialize (P e0). inversion P; auto.
  - unfold count. cbn [slot_weight].
    rewrite (weights_none ds 1 (PM.empty Q) (PM.empty _) d) by (auto; intros; apply PM.gempty).
    rewrite (total_ext vs _ (fun _ => false)); [apply total_false|]. intro e'. unfold holds, value. cbn [sv].
    rewrite (no_decision (lit e') ds 1 (PM.empty bool) (PM.empty _) d); auto. intros; apply PM.gempty.
Qed.
Lemma count_slot s e : covered s -> total vs (fun e => holds e ds s) e == count ds s.
Proof.
  destruct s as [| |v b|d]; intro C.
  - apply total_true.
  - apply total_false.
  - apply (total_literal vs v b C).
  - apply (count_decision (S (Pos.to_nat d))). lia.
Qed.
End Diagram.

Theorem circuit_counts F ds root ex lines vs e : check_circuit F ds root ex lines = true ->
  covered vs root -> (forall es x, In es ds -> In x es -> covered vs (fst x) /\ covered vs (snd x)) ->
  total vs (fun e => forallb (satisfied e) F) e == count ds root.
Proof.
  intros H C CO. pose proof H as W. unfold check_circuit in W. rewrite !andb_true_iff in W.
  destruct W as [[[[W _] _] _] _]. apply circuit_sound in H as [H1 [H2 H3]].
  assert (IN : forall d es, PM.find d (decisions ds) = Some es -> In es ds).
  { intros d es Hd. apply number_in in Hd as [Hd|Hd]; auto. rewrite PM.gempty in Hd. discriminate. }
  rewrite (total_ext vs _ (fun e => holds e ds root)).
  - apply count_slot; auto; intros; eauto.
  - intro e'. apply eq_true_iff_eq. rewrite H1, forallb_forall. reflexivity.
Qed.
End Count.
