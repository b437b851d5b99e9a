(* Stage 5: the Tseitin transformation keeps the models. Every assignment of the original variables that
   satisfies the formula extends to exactly one model of the clauses, every other to none; so weighted
   counts agree when auxiliary variables weigh one. The number of clauses is linear. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.
From Moose Require Import Shannon.

Section Tseitin.
Variable A : Type.
Inductive form := FTrue | FFalse | FVar (a : A) | FNot (f : form) | FAnd (f g : form) | FOr (f g : form).
Fixpoint evalF (e : A -> bool) (f : form) : bool :=
  match f with
  | FTrue => true | FFalse => false | FVar a => e a | FNot f => negb (evalF e f)
  | FAnd f g => evalF e f && evalF e g | FOr f g => evalF e f || evalF e g
  end.
Fixpoint fsize f : nat :=
  match f with FNot f => S (fsize f) | FAnd f g | FOr f g => S (fsize f + fsize g) | _ => 1%nat end.
Lemma evalF_ext e e' f : (forall a, e a = e' a) -> evalF e f = evalF e' f.
Proof. intro H; induction f; simpl; rewrite ?H, ?IHf, ?IHf1, ?IHf2; auto. Qed.

Definition var := (A + nat)%type.   (* left: original; right: auxiliary *)
Definition tclause := list (var * bool).
Definition holds (v : var -> bool) (c : tclause) := existsb (fun l => eqb (v (fst l)) (snd l)) c.
Definition all_hold v (cs : list tclause) := forallb (holds v) cs.
Lemma all_app v c d : all_hold v (c ++ d) = all_hold v c && all_hold v d.
Proof. apply forallb_app. Qed.

(* the variable that stands for f, the clauses that define it, the next unused auxiliary *)
Fixpoint ts (f : form) (n : nat) : var * list tclause * nat :=
  match f with
  | FVar a => (inl a, [], n)
  | FTrue => (inr n, [[(inr n, true)]], S n)
  | FFalse => (inr n, [[(inr n, false)]], S n)
  | FNot f => let '(x, c, m) := ts f n in
      (inr m, c ++ [[(inr m, true); (x, true)]; [(inr m, false); (x, false)]], S m)
  | FAnd f g => let '(x, c, m) := ts f n in let '(y, d, k) := ts g m in
      (inr k, c ++ d ++ [[(inr k, false); (x, true)]; [(inr k, false); (y, true)];
                         [(inr k, true); (x, false); (y, false)]], S k)
  | FOr f g => let '(x, c, m) := ts f n in let '(y, d, k) := ts g m in
      (inr k, c ++ d ++ [[(inr k, true); (x, false)]; [(inr k, true); (y, false)];
                         [(inr k, false); (x, true); (y, true)]], S k)
  end.
Definition tseitin (f : form) : list tclause := let '(x, c, _) := ts f 0 in c ++ [[(x, true)]].
Definition auxiliaries (f : form) : nat := let '(_, _, m) := ts f 0 in m.

Ltac open_ts f n := destruct (ts f n) as [[? ?] ?] eqn:?.
Lemma ts_defines f : forall n x c m v, ts f n = (x, c, m) -> all_hold v c = true ->
  v x = evalF (fun a => v (inl a)) f.
Proof.
  induction f; simpl; intros n x c m v E H.
  - inversion E; subst; simpl in *. unfold holds in H; simpl in H. destruct (v (inr n)); auto.
  - inversion E; subst; simpl in *. unfold holds in H; simpl in H. destruct (v (inr n)); auto.
  - inversion E; subst; auto.
  - open_ts f n. inversion E; subst. rewrite all_app in H. apply andb_true_iff in H as [H1 H2].
    rewrite <- (IHf _ _ _ _ _ Heqp H1). unfold all_hold, holds in H2; simpl in H2.
    destruct (v (inr n0)), (v v0); simpl in *; auto.
  - open_ts f1 n. open_ts f2 n0. inversion E; subst. rewrite !all_app in H.
    apply andb_true_iff in H as [H1 H]. apply andb_true_iff in H as [H2 H].
    rewrite <- (IHf1 _ _ _ _ _ Heqp H1), <- (IHf2 _ _ _ _ _ Heqp0 H2). unfold all_hold, holds in H; simpl in H.
    destruct (v (inr n1)), (v v0), (v v1); simpl in *; auto.
  - open_ts f1 n. open_ts f2 n0. inversion E; subst. rewrite !all_app in H.
    apply andb_true_iff in H as [H1 H]. apply andb_true_iff in H as [H2 H].
    rewrite <- (IHf1 _ _ _ _ _ Heqp H1), <- (IHf2 _ _ _ _ _ Heqp0 H2). unfold all_hold, holds in H; simpl in H.
    destruct (v (inr n1)), (v v0), (v v1); simpl in *; auto.
Qed.

(* auxiliaries of f are those from n up to m *)
Definition below (m : nat) (x : var) := match x with inl _ => True | inr k => (k < m)%nat end.
Lemma ts_scope f : forall n x c m, ts f n = (x, c, m) ->
  (n <= m)%nat /\ below m x /\ forall cl l, In cl c -> In l cl -> below m (fst l).
Proof.
  assert (B : forall m k x, (m <= k)%nat -> below m x -> below k x) by (intros m k [a|i]; simpl; auto; lia).
  induction f; simpl; intros n x c m E.
  - inversion E; subst. repeat split; simpl; auto. intros cl l [<-|[]] [<-|[]]; simpl; auto.
  - inversion E; subst. repeat split; simpl; auto. intros cl l [<-|[]] [<-|[]]; simpl; auto.
  - inversion E; subst. repeat split; simpl; auto. intros cl l [].
  - open_ts f n. inversion E; subst. destruct (IHf _ _ _ _ Heqp) as (L & X & C). repeat split; simpl; auto.
    intros cl lt Hc Hl. apply in_app_or in Hc as [Hc|Hc]; [apply B with n0; eauto|].
    destruct Hc as [<-|[<-|[]]]; destruct Hl as [<-|[<-|[]]]; simpl; auto; apply B with n0; auto.
  - open_ts f1 n. open_ts f2 n0. inversion E; subst.
    destruct (IHf1 _ _ _ _ Heqp) as (L1 & X1 & C1). destruct (IHf2 _ _ _ _ Heqp0) as (L2 & X2 & C2).
    repeat split; simpl; [lia|lia|]. intros cl lt Hc Hl.
    apply in_app_or in Hc as [Hc|Hc]; [apply B with n0; [lia|eauto]|].
    apply in_app_or in Hc as [Hc|Hc]; [apply B with n1; [lia|eauto]|].
    assert (Y1 : below (S n1) v) by (apply B with n0; auto; lia). assert (Y2 : below (S n1) v0) by (apply B with n1;
      auto).
    destruct Hc as [<-|[<-|[<-|[]]]]; simpl in Hl; repeat destruct Hl as [Hl|Hl]; try tauto; subst lt; auto; simpl; lia.
  - open_ts f1 n. open_ts f2 n0. inversion E; subst.
    destruct (IHf1 _ _ _ _ Heqp) as (L1 & X1 & C1). destruct (IHf2 _ _ _ _ Heqp0) as (L2 & X2 & C2).
    repeat split; simpl; [lia|lia|]. intros cl lt Hc Hl.
    apply in_app_or in Hc as [Hc|Hc]; [apply B with n0; [lia|eauto]|].
    apply in_app_or in Hc as [Hc|Hc]; [apply B with n1; [lia|eauto]|].
    assert (Y1 : below (S n1) v) by (apply B with n0; auto; lia). assert (Y2 : below (S n1) v0) by (apply B with n1;
      auto).
    destruct Hc as [<-|[<-|[<-|[]]]]; simpl in Hl; repeat destruct Hl as [Hl|Hl]; try tauto; subst lt; auto; simpl; lia.
Qed.
Lemma all_hold_ext v v' c : (forall cl l, In cl c -> In l cl -> v (fst l) = v' (fst l)) -> all_hold v c = all_hold v' c.
Proof.
  intro H. unfold all_hold. induction c as [|cl c IH]; simpl; auto. f_equal; [|apply IH; intros; eapply H; eauto;
    right; auto].
  assert (K : forall l, In l cl -> v (fst l) = v' (fst l)) by (intros; eapply H; eauto; left; auto).
  clear - K. unfold holds. induction cl as [|l cl IH]; simpl; auto. rewrite (K l) by (left; auto). rewrite IH; auto.
    intros; apply K; right; auto.
Qed.

(* two models over the same originals are the same *)
Lemma ts_unique f : forall n x c m v v', ts f n = (x, c, m) -> (forall a, v (inl a) = v' (inl a)) ->
  all_hold v c = true -> all_hold v' c = true -> forall k, (n <= k < m)%nat -> v (inr k) = v' (inr k).
Proof.
  intros n x c m v v' E HE H H' k Hk.
  assert (D : forall f n x c m, ts f n = (x, c, m) -> all_hold v c = true -> all_hold v' c = true -> v x = v' x).
  { intros. rewrite (ts_defines _ _ _ _ _ v H0 H1), (ts_defines _ _ _ _ _ v' H0 H2). apply evalF_ext; auto. }
  revert n x c m E H H' k Hk. induction f; intros n x c m E H H' k Hk; pose proof (D _ _ _ _ _ E H H') as Dx;
    simpl in E.
  - inversion E; subst. assert (k = n) by lia; subst; auto.
  - inversion E; subst. assert (k = n) by lia; subst; auto.
  - inversion E; subst. lia.
  - open_ts f n. inversion E; subst. rewrite all_app in H, H'. apply andb_true_iff in H as [H _], H' as [H' _].
    destruct (Nat.eq_dec k n0); [subst; auto|]. apply IHf with n v0 l n0; auto; lia.
  - open_ts f1 n. open_ts f2 n0. inversion E; subst. rewrite !all_app, !andb_true_iff in H, H'.
    destruct (Nat.eq_dec k n1); [subst; auto|]. destruct (Nat.lt_ge_cases k n0).
    + apply IHf1 with n v0 l n0; tauto || lia.
    + apply IHf2 with n0 v1 l0 n1; tauto || lia.
  - open_ts f1 n. open_ts f2 n0. inversion E; subst. rewrite !all_app, !andb_true_iff in H, H'.
    destruct (Nat.eq_dec k n1); [subst; auto|]. destruct (Nat.lt_ge_cases k n0).
    + apply IHf1 with n v0 l n0; tauto || lia.
    + apply IHf2 with n0 v1 l0 n1; tauto || lia.
Qed.

(* every assignment of the originals has an extension that satisfies the definitions *)
Definition set (v : var -> bool) k b : var -> bool :=
  fun x => match x with inl _ => v x | inr i => if Nat.eqb i k then b else v x end.
Lemma set_same v k b : set v k b (inr k) = b.
Proof. simpl. rewrite Nat.eqb_refl. auto. Qed.
Lemma set_below v k b x : below k x -> set v k b x = v x.
Proof. destruct x; simpl; auto. intro. destruct (Nat.eqb_spec n k); auto. lia. Qed.
Definition agree n (v v' : var -> bool) := forall x, below n x -> v' x = v x.
Lemma ts_extend f : forall n x c m v, ts f n = (x, c, m) -> exists v', agree n v v' /\ all_hold v' c = true.
Proof.
  assert (AG : forall n k v v' b, (n <= k)%nat -> agree n v v' -> agree n v (set v' k b)).
  { intros n k v v' b L H x B. rewrite set_below; [auto|]. destruct x; simpl in *; auto; lia. }
  assert (KP : forall v k b c, (forall cl l, In cl c -> In l cl -> below k (fst l)) ->
    all_hold (set v k b) c = all_hold v c).
  { intros v k b c H. apply all_hold_ext. intros; apply set_below; eauto. }
  induction f; simpl; intros n x c m v E.
  - inversion E; subst. exists (set v n true). split; [apply AG; auto; intros ? ?; auto|].
    unfold all_hold, holds; simpl. rewrite Nat.eqb_refl; auto.
  - inversion E; subst. exists (set v n false). split; [apply AG; auto; intros ? ?; auto|].
    unfold all_hold, holds; simpl. rewrite Nat.eqb_refl; auto.
  - inversion E; subst. exists v; split; auto; intros ? ?; auto.
  - open_ts f n. inversion E; subst. destruct (IHf _ _ _ _ v Heqp) as [v1 [H1 H2]].
    destruct (ts_scope _ _ _ _ _ Heqp) as (L & X & C).
    exists (set v1 n0 (negb (v1 v0))). split; [apply AG; auto|]. rewrite all_app, KP, H2 by auto.
    unfold all_hold, holds; cbn [forallb existsb fst snd]. rewrite set_same, (set_below v1 n0 _ v0 X).
      destruct (v1 v0); auto.
  - open_ts f1 n. open_ts f2 n0. inversion E; subst. destruct (IHf1 _ _ _ _ v Heqp) as [v2 [H1 H2]].
    destruct (IHf2 _ _ _ _ v2 Heqp0) as [v3 [H3 H4]].
    destruct (ts_scope _ _ _ _ _ Heqp) as (L & X & C). destruct (ts_scope _ _ _ _ _ Heqp0) as (L' & X' & C').
    assert (Xl : below n1 v0) by (destruct v0; simpl in *; auto; lia).
    assert (K : all_hold v3 l = true) by (rewrite <- H2; apply all_hold_ext; intros; apply H3; eauto).
    exists (set v3 n1 (v3 v0 && v3 v1)). split.
    + apply AG; [lia|]. intros y B. rewrite H3, H1; auto. destruct y; simpl in *; auto; lia.
    + rewrite !all_app, (KP _ _ _ l), (KP _ _ _ l0), K, H4; auto.
      * unfold all_hold, holds; cbn [forallb existsb fst snd andb].
        rewrite set_same, (set_below v3 n1 _ v0 Xl), (set_below v3 n1 _ v1 X'). destruct (v3 v0), (v3 v1); auto.
      * intros cl y Hc Hy. specialize (C _ _ Hc Hy). destruct (fst y); simpl in *; auto; lia.
  - open_ts f1 n. open_ts f2 n0. inversion E; subst. destruct (IHf1 _ _ _ _ v Heqp) as [v2 [H1 H2]].
    destruct (IHf2 _ _ _ _ v2 Heqp0) as [v3 [H3 H4]].
    destruct (ts_scope _ _ _ _ _ Heqp) as (L & X & C). destruct (ts_scope _ _ _ _ _ Heqp0) as (L' & X' & C').
    assert (Xl : below n1 v0) by (destruct v0; simpl in *; auto; lia).
    assert (K : all_hold v3 l = true) by (rewrite <- H2; apply all_hold_ext; intros; apply H3; eauto).
    exists (set v3 n1 (v3 v0 || v3 v1)). split.
    + apply AG; [lia|]. intros y B. rewrite H3, H1; auto. destruct y; simpl in *; auto; lia.
    + rewrite !all_app, (KP _ _ _ l), (KP _ _ _ l0), K, H4; auto.
      * unfold all_hold, holds; cbn [forallb existsb fst snd andb].
        rewrite set_same, (set_below v3 n1 _ v0 Xl), (set_below v3 n1 _ v1 X'). destruct (v3 v0), (v3 v1); auto.
      * intros cl y Hc Hy. specialize (C _ _ Hc Hy). destruct (fst y); simpl in *; auto; lia.
Qed.

(* satisfiable extensions: exactly the models of the formula, each extended in one way *)
Definition extends (e : A -> bool) (v : var -> bool) := forall a, v (inl a) = e a.
Theorem tseitin_models e f :
  evalF e f = true <-> exists v, extends e v /\ all_hold v (tseitin f) = true.
Proof.
  unfold tseitin. open_ts f 0%nat. rename v into x, l into c. split.
  - intro H. destruct (ts_extend _ _ _ _ _ (fun y => match y with inl a => e a |
    inr _ => false end) Heqp) as [v [A1 A2]].
    assert (X : extends e v) by (intro a; rewrite A1; simpl; auto).
    exists v; split; auto. rewrite all_app, A2. unfold all_hold, holds; simpl.
    rewrite (ts_defines _ _ _ _ _ _ Heqp A2), (evalF_ext _ e), H by apply X. auto.
  - intros [v [X H]]. rewrite all_app in H. apply andb_true_iff in H as [H1 H2].
    unfold all_hold, holds in H2; simpl in H2. rewrite (ts_defines _ _ _ _ _ _ Heqp H1), (evalF_ext _ e) in H2 by
      apply X.
    destruct (evalF e f); auto.
Qed.
Theorem tseitin_unique e f v v' : extends e v -> extends e v' ->
  all_hold v (tseitin f) = true -> all_hold v' (tseitin f) = true ->
  forall k, (k < auxiliaries f)%nat -> v (inr k) = v' (inr k).
Proof.
  unfold tseitin, auxiliaries. open_ts f 0%nat. intros X X' H H' k Hk. rewrite all_app in H, H'.
  apply andb_true_iff in H as [H _], H' as [H' _].
  assert (EX : forall a, v (inl a) = v' (inl a)) by (intro a; rewrite X, X'; auto).
    apply (ts_unique _ _ _ _ _ v v' Heqp EX H H'). lia.
Qed.
Theorem tseitin_linear f : (length (tseitin f) <= 3 * fsize f + 1)%nat.
Proof.
  assert (L : forall f n x c m, ts f n = (x, c, m) -> (length c <= 3 * fsize f)%nat).
  { clear f. induction f; simpl; intros n x c m E; try (inversion E; subst; simpl; lia).
    - open_ts f n. inversion E; subst. rewrite app_length. simpl. apply IHf in Heqp. lia.
    - open_ts f1 n. open_ts f2 n0. inversion E; subst. rewrite !app_length. simpl. apply IHf1 in Heqp.
      apply IHf2 in Heqp0. lia.
    - open_ts f1 n. open_ts f2 n0. inversion E; subst. rewrite !app_length. simpl. apply IHf1 in Heqp.
      apply IHf2 in Heqp0. lia. }
  unfold tseitin. open_ts f 0%nat. rewrite app_length. simpl. apply L in Heqp. lia.
Qed.

(* the sum over auxiliary values is the value of the formula: weighted counts are kept *)
Definition join (e : A -> bool) (M : list bool) : var -> bool :=
  fun x => match x with inl a => e a | inr k => nth k M false end.
Theorem tseitin_count e f :
  (qsum (fun M => if all_hold (join e M) (tseitin f) then 1 else 0) (worlds (auxiliaries f)) ==
   if evalF e f then 1 else 0)%Q.
Proof.
  destruct (evalF e f) eqn:E.
  - apply tseitin_models in E as [v [X H]].
    set (M0 := map (fun k => v (inr k)) (seq 0 (auxiliaries f))).
    assert (L0 : length M0 = auxiliaries f) by (unfold M0; rewrite map_length, seq_length; auto).
    assert (N0 : forall k, (k < auxiliaries f)%nat -> nth k M0 false = v (inr k)).
    { intros k Hk. rewrite nth_indep with (d' := v (inr 0%nat)) by lia. unfold M0.
      rewrite (map_nth (fun k => v (inr k)) (seq 0 (auxiliaries f)) 0%nat k), seq_nth by auto. auto. }
    apply one_model_sum with M0; auto.
    + rewrite <- H. apply all_hold_ext. unfold tseitin, auxiliaries in *. open_ts f 0%nat.
      destruct (ts_scope _ _ _ _ _ Heqp) as (_ & S1 & S2).
      assert (K : forall x, below n x -> join e M0 x = v x) by (intros [a|k] B; simpl in *; [symmetry; apply X|auto]).
      intros cl lt Hc Hl. apply K. apply in_app_or in Hc as [Hc|[<-|[]]]; [eauto|]. destruct Hl as [<-|[]]; auto.
    + intros M LM HM. apply nth_ext with false false; [congruence|]. intros k Hk. rewrite N0 by lia.
      rewrite <- (tseitin_unique e f (join e M) v (fun a => eq_refl) X HM H k) by lia. reflexivity.
  - apply qsum_zero. intros M _. destruct (all_hold (join e M) (tseitin f)) eqn:H; [|reflexivity].
    assert (T : evalF e f = true) by (apply tseitin_models; exists (join e M); split; auto; intro; auto). congruence.
Qed.
End Tseitin.
