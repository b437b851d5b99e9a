(* The Shannon tree of a Boolean function over n variables: its models (compile_correct), its size 2^(n+1) - 1,
   its weighted model count over the rationals for arbitrary weights, and the cost of evaluating it. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.

Definition weight := nat -> bool -> Q.   (* weight of a variable at a truth value; nothing need sum to one *)

Inductive tree := Leaf (b : bool) | Node (i : nat) (hi lo : tree).
Fixpoint evalT (t : tree) (e : nat -> bool) : bool :=
  match t with Leaf b => b | Node i h l => if e i then evalT h e else evalT l e end.
Fixpoint size t : nat := match t with Leaf _ => 1 | Node _ h l => S (size h + size l) end.
Fixpoint wmc (w : weight) (t : tree) : Q :=
  match t with Leaf b => if b then 1 else 0 | Node i h l => w i true * wmc w h + w i false * wmc w l end.

(* the same count, together with the number of nodes that computing it visits *)
Fixpoint wmc_counted (w : weight) (t : tree) : Q * nat :=
  match t with
  | Leaf b => (if b then 1 else 0, 1%nat)
  | Node i h l => let '(a, m) := wmc_counted w h in let '(b, n) := wmc_counted w l in
      (w i true * a + w i false * b, S (m + n))
  end.
Lemma wmc_counted_value w t : fst (wmc_counted w t) = wmc w t.
Proof. induction t; simpl; auto. destruct (wmc_counted w t1), (wmc_counted w t2); simpl in *; congruence. Qed.
Theorem wmcCost_eq_size w t : snd (wmc_counted w t) = size t.
Proof. induction t; simpl; auto. destruct (wmc_counted w t1), (wmc_counted w t2); simpl in *; congruence. Qed.

Fixpoint shannon (f : list bool -> bool) (n i : nat) (pre : list bool) : tree :=
  match n with
  | O => Leaf (f (rev pre))
  | S n => Node i (shannon f n (S i) (true :: pre)) (shannon f n (S i) (false :: pre))
  end.

(* worlds, their weights, and sums over lists *)
Fixpoint worlds n : list (list bool) :=
  match n with O => [[]] | S n => map (cons true) (worlds n) ++ map (cons false) (worlds n) end.
Fixpoint world_weight (w : weight) i (M : list bool) : Q :=
  match M with [] => 1 | b :: M => w i b * world_weight w (S i) M end.
Definition qsum {A} (g : A -> Q) (l : list A) : Q := fold_right (fun x s => g x + s) 0 l.

Lemma qsum_app {A} (g : A -> Q) l m : qsum g (l ++ m) == qsum g l + qsum g m.
Proof. induction l; simpl; [ring|]. rewrite IHl; ring. Qed.
Lemma qsum_map {A B} (g : B -> Q) (h : A -> B) l : qsum g (map h l) = qsum (fun x => g (h x)) l.
Proof. induction l; simpl; congruence. Qed.
Lemma qsum_scale {A} (g : A -> Q) k l : qsum (fun x => k * g x) l == k * qsum g l.
Proof. induction l; simpl; [ring|]. rewrite IHl; ring. Qed.
Lemma qsum_ext {A} (g h : A -> Q) l : (forall x, In x l -> g x == h x) -> qsum g l == qsum h l.
Proof. induction l; simpl; intros; [reflexivity|]. rewrite IHl by auto. rewrite H by auto. reflexivity. Qed.
Lemma qsum_zero {A} (g : A -> Q) l : (forall x, In x l -> g x == 0) -> qsum g l == 0.
Proof. induction l; simpl; intro H; [reflexivity|]. rewrite H, IHl by auto. ring. Qed.
Lemma worlds_len n M : In M (worlds n) -> length M = n.
Proof.
  revert M; induction n; simpl; intros M H; [destruct H as [<-|[]]; auto|].
  apply in_app_or in H as [H|H]; apply in_map_iff in H as [M' [<- H]]; simpl; f_equal; auto.
Qed.
Lemma worlds_all M : In M (worlds (length M)).
Proof.
  induction M as [|b M IH]; simpl; auto. apply in_or_app. destruct b; [left|right]; apply in_map; auto.
Qed.
Lemma worlds_count n : length (worlds n) = (2 ^ n)%nat.
Proof. induction n; simpl; auto. rewrite app_length, !map_length, IHn. lia. Qed.
(* World-summation factorisation *)
Theorem sum_worlds_factor n m (g : list bool -> Q) :
  qsum g (worlds (n + m)) == qsum (fun M1 => qsum (fun M2 => g (M1 ++ M2)) (worlds m)) (worlds n).
Proof.
  revert g; induction n; intro g; simpl; [rewrite Qplus_0_r; reflexivity|].
  rewrite !qsum_app, !qsum_map, !IHn. reflexivity.
Qed.
Lemma world_weight_app w M1 M2 : forall i,
  world_weight w i (M1 ++ M2) == world_weight w i M1 * world_weight w (i + length M1) M2.
Proof.
  induction M1; intros i; simpl; [rewrite Nat.add_0_r; ring|].
  rewrite IHM1. replace (S i + length M1)%nat with (i + S (length M1))%nat by lia. ring.
Qed.
Fixpoint total (w : weight) i n : Q :=
  match n with O => 1 | S n => (w i true + w i false) * total w (S i) n end.
Lemma world_weight_total w n : forall i, qsum (world_weight w i) (worlds n) == total w i n.
Proof.
  induction n; intro i; simpl; [ring|]. rewrite qsum_app, !qsum_map; simpl.
  rewrite !qsum_scale, IHn. ring.
Qed.

(* The explicit sum over models. *)
Definition model_sum (f : list bool -> bool) (w : weight) i n : Q :=
  qsum (fun M => if f M then world_weight w i M else 0) (worlds n).

Theorem shannon_models f n : forall i pre e, evalT (shannon f n i pre) e = f (rev pre ++ map e (seq i n)).
Proof.
  induction n; intros; simpl; [now rewrite app_nil_r|].
  rewrite !IHn. simpl. rewrite <- !app_assoc. simpl. destruct (e i); auto.
Qed.
Theorem shannon_size f n : forall i pre, size (shannon f n i pre) = (2 ^ (n + 1) - 1)%nat.
Proof.
  induction n; intros; simpl; auto. rewrite !IHn. simpl.
  assert (2 ^ (n + 1) <> 0)%nat by (apply Nat.pow_nonzero; lia). lia.
Qed.
Theorem shannon_wmc f w n : forall i pre,
  wmc w (shannon f n i pre) == qsum (fun M => if f (rev pre ++ M) then world_weight w i M else 0) (worlds n).
Proof.
  induction n; intros; simpl.
  - rewrite app_nil_r. destruct (f (rev pre)); ring.
  - rewrite !IHn, qsum_app, !qsum_map, <- !qsum_scale.
    apply Qplus_comp; apply qsum_ext; intros M _; simpl; rewrite <- app_assoc; simpl;
    match goal with |- context [if ?b then _ else _] => destruct b end; ring.
Qed.

(* With positive weights a sum is zero exactly if it has no model. *)
Definition positive (w : weight) := forall i b, 0 < w i b.
Lemma world_weight_positive w M : positive w -> forall i, (0 < world_weight w i M)%Q.
Proof. intro P. induction M; intro i; simpl; [reflexivity|]. apply Qmult_lt_0_compat; auto. Qed.
Lemma model_sum_zero (f : list bool -> bool) w i l : positive w ->
  ((qsum (fun M => if f M then world_weight w i M else 0) l == 0)%Q <-> forall M, In M l -> f M = false).
Proof.
  intro P. assert (N : forall l, (0 <= qsum (fun M => if f M then world_weight w i M else 0) l)%Q).
  { induction l0 as [|M m IH]; simpl; [apply Qle_refl|]. apply Qle_trans with (0 + 0)%Q; [discriminate|].
    apply Qplus_le_compat; auto.
    destruct (f M); [apply Qlt_le_weak, world_weight_positive; auto|apply Qle_refl]. }
  split.
  - induction l as [|M m IH]; simpl; [intros _ M []|]. intros H M' Hm. specialize (N m). destruct (f M) eqn:E.
    + exfalso. assert (W := world_weight_positive w M P i).
      assert (K : (0 < world_weight w i M + qsum (fun M => if f M then world_weight w i M else 0) m)%Q).
      { apply Qlt_le_trans with (world_weight w i M + 0)%Q; [rewrite Qplus_0_r; auto|].
        apply Qplus_le_compat; [apply Qle_refl|auto]. }
      rewrite H in K. apply Qlt_irrefl in K. auto.
    + destruct Hm as [<-|Hm]; auto. apply IH; auto. rewrite Qplus_0_l in H. auto.
  - intro H. apply qsum_zero. intros M Hm. rewrite (H M Hm). reflexivity.
Qed.

(* a function with one model counts one, whatever it is *)
Lemma one_model_sum n : forall (f : list bool -> bool) M0, length M0 = n -> f M0 = true ->
  (forall M, length M = n -> f M = true -> M = M0) -> qsum (fun M => if f M then 1 else 0) (worlds n) == 1.
Proof.
  induction n; intros f M0 L F U.
  - destruct M0; [|discriminate]. simpl. rewrite F. reflexivity.
  - destruct M0 as [|b M0]; [discriminate|]. simpl in L. injection L as L. simpl. rewrite qsum_app, !qsum_map.
    assert (Z : qsum (fun M => if f (negb b :: M) then 1 else 0) (worlds n) == 0).
    { apply qsum_zero. intros M HM. apply worlds_len in HM. destruct (f (negb b :: M)) eqn:E; [|reflexivity].
      apply U in E; [|simpl; congruence]. injection E as E _. destruct b; discriminate. }
    assert (O : qsum (fun M => if f (b :: M) then 1 else 0) (worlds n) == 1).
    { apply IHn with M0; auto. intros M LM E. apply U in E; [congruence|simpl; congruence]. }
    destruct b; simpl in Z; rewrite O, Z; reflexivity.
Qed.
Local Close Scope Q_scope.
Local Open Scope nat_scope.
(* The same over the natural numbers. *)
Fixpoint wmcN (w : nat -> bool -> nat) (t : tree) : nat :=
  match t with Leaf b => if b then 1 else 0 | Node i h l => w i true * wmcN w h + w i false * wmcN w l end.
Fixpoint world_weightN (w : nat -> bool -> nat) i (M : list bool) : nat :=
  match M with [] => 1 | b :: M => w i b * world_weightN w (S i) M end.
Definition nsum {A} (g : A -> nat) (l : list A) : nat := fold_right (fun x s => g x + s) 0 l.
Lemma nsum_app {A} (g : A -> nat) l m : nsum g (l ++ m) = nsum g l + nsum g m.
Proof. induction l; simpl; lia. Qed.
Lemma nsum_map {A B} (g : B -> nat) (h : A -> B) k (g' : A -> nat) l : (forall x, g (h x) = k * g' x) ->
  nsum g (map h l) = k * nsum g' l.
Proof. intro H. induction l; simpl; [lia|]. rewrite H, IHl. lia. Qed.
Theorem shannon_wmcN f w n : forall i pre,
  wmcN w (shannon f n i pre) = nsum (fun M => if f (rev pre ++ M) then world_weightN w i M else 0) (worlds n).
Proof.
  induction n; intros i pre; simpl.
  - rewrite app_nil_r. destruct (f (rev pre)); auto.
  - rewrite !IHn, nsum_app. f_equal; symmetry; apply nsum_map; intro M; simpl; rewrite <- app_assoc; simpl;
    destruct (f _); lia.
Qed.
