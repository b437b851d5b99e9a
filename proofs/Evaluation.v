(* Inference in linear time. A circuit with shared nodes is a list in which each node reads earlier ones; one pass
   over it does one step per node and two operations per element, whatever the algebra: counts, models, gradients.
   On a structured, deterministic circuit with normalised weights that pass is the weighted model count; clamping
   a literal conditions on it; and a count is affine in each weight, so a derivative is a count again. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.
From Moose Require Import Circuit.
Local Open Scope nat_scope.

Inductive node := NTrue | NFalse | NLit (v : nat) (b : bool) | NDec (es : list (nat * nat)).
Definition circuit_size (ns : list node) : nat :=
  fold_right (fun n s => (match n with NDec es => 1 + length es | _ => 1 end) + s) 0 ns.

Section Pass.
Variable A : Type.
Variables zero one : A.
Variable lit : nat -> bool -> A.
Variables add mul : A -> A -> A.
Definition read (acc : list A) i := nth i acc zero.
Definition value (acc : list A) (n : node) : A :=
  match n with
  | NTrue => one | NFalse => zero | NLit v b => lit v b
  | NDec es => fold_right (fun p s => add (mul (read acc (fst p)) (read acc (snd p))) s) zero es
  end.
Fixpoint pass (acc : list A) (ns : list node) : list A :=
  match ns with [] => acc | n :: ns => pass (acc ++ [value acc n]) ns end.
(* the same pass, counting nodes visited and operations done *)
Fixpoint elements_counted (acc : list A) (es : list (nat * nat)) : A * nat :=
  match es with
  | [] => (zero, 0)
  | p :: es => let '(s, k) := elements_counted acc es in (add (mul (read acc (fst p)) (read acc (snd p))) s, 2 + k)
  end.
Definition value_counted acc n : A * nat :=
  match n with
  | NDec es => let '(s, k) := elements_counted acc es in (s, 1 + k)
  | n => (value acc n, 1)
  end.
Fixpoint pass_counted (acc : list A) (ns : list node) : list A * nat :=
  match ns with
  | [] => (acc, 0)
  | n :: ns => let '(x, k) := value_counted acc n in let '(l, m) := pass_counted (acc ++ [x]) ns in (l, k + m)
  end.
Lemma elements_counted_spec acc es : elements_counted acc es = (value acc (NDec es), 2 * length es).
Proof. induction es as [|p es IH]; simpl; auto. rewrite IH. simpl. f_equal. lia. Qed.
Lemma value_counted_spec acc n : value_counted acc n = (value acc n, match n with NDec es => 1 + 2 * length es |
  _ => 1 end).
Proof. destruct n; auto. cbn [value_counted]. rewrite elements_counted_spec. auto. Qed.
Theorem pass_counted_value : forall ns acc, fst (pass_counted acc ns) = pass acc ns.
Proof.
  induction ns as [|n ns IH]; intro acc; auto. cbn [pass_counted pass]. rewrite value_counted_spec. cbv iota beta.
  specialize (IH (acc ++ [value acc n])). destruct (pass_counted (acc ++ [value acc n]) ns). exact IH.
Qed.
Theorem wmc_linear : forall ns acc, snd (pass_counted acc ns) <= 2 * circuit_size ns.
Proof.
  induction ns as [|n ns IH]; intro acc; auto. cbn [pass_counted]. rewrite value_counted_spec. cbv iota beta.
  specialize (IH (acc ++ [value acc n])). destruct (pass_counted (acc ++ [value acc n]) ns) as [l m]. cbn [snd] in *.
  cbn [circuit_size fold_right]. fold (circuit_size ns). destruct n; lia.
Qed.
End Pass.

(* Sharing changes nothing: node i has the value of the tree it unfolds to. *)
Fixpoint elems_of (l : list (sdd * sdd)) : elems := match l with [] => ENil | (p, s) :: l => ECons p s (elems_of l) end.
Definition unfold_node (acc : list sdd) (n : node) : sdd :=
  match n with
  | NTrue => STrue | NFalse => SFalse | NLit v b => SLit v b
  | NDec es => SDec (elems_of (map (fun p => (nth (fst p) acc SFalse, nth (snd p) acc SFalse)) es))
  end.
Fixpoint unfold (acc : list sdd) (ns : list node) : list sdd :=
  match ns with [] => acc | n :: ns => unfold (acc ++ [unfold_node acc n]) ns end.
Fixpoint count (w : nat -> bool -> Q) (s : sdd) : Q :=
  match s with STrue => 1 | SFalse => 0 | SLit v b => w v b | SDec es => countE w es end
with countE w (es : elems) : Q :=
  match es with ENil => 0 | ECons p s es => count w p * count w s + countE w es end.

Definition count_pass w := pass Q 0%Q 1%Q w Qplus Qmult.
Theorem pass_is_count w : forall ns accS, count_pass w (map (count w) accS) ns = map (count w) (unfold accS ns).
Proof.
  unfold count_pass. induction ns as [|n ns IH]; intro accS; auto. cbn [pass unfold]. rewrite <- IH, map_app. f_equal.
  f_equal. cbn [map]. f_equal. destruct n; auto. cbn [value unfold_node count].
  induction es as [|p es IHe]; auto. cbn [fold_right map elems_of countE]. rewrite IHe. unfold read.
  rewrite <- !(map_nth (count w)). reflexivity.
Qed.
Definition model_pass e := pass bool false true (fun v b => eqb (e v) b) orb andb.
Theorem pass_is_model e : forall ns accS, model_pass e (map (fun s => ev s e) accS) ns = map (fun s => ev s e)
  (unfold accS ns).
Proof.
  unfold model_pass. induction ns as [|n ns IH]; intro accS; auto. cbn [pass unfold]. rewrite <- IH, map_app. f_equal.
  f_equal. cbn [map]. f_equal. destruct n; auto. cbn [value unfold_node ev].
  induction es as [|p es IHe]; auto. cbn [fold_right map elems_of evE]. rewrite IHe. unfold read.
  rewrite <- !(map_nth (fun s => ev s e)). reflexivity.
Qed.

(* The recursion of the paper (equation sdd-wmc) counts models when the two weights of each variable sum to one. *)
Definition normalised (w : nat -> bool -> Q) := forall v, (w v true + w v false == 1)%Q.
Lemma tot_one w t : normalised w -> (tot w t == 1)%Q.
Proof. intro H. induction t; simpl; [apply H|]. rewrite IHt1, IHt2. ring. Qed.
Lemma structured_count w : normalised w -> (forall t s q, W w t s q -> (q == count w s)%Q) /\
  (forall l r es q, WE w l r es q -> (q == countE w es)%Q).
Proof.
  intro H. apply (WWE w (fun t s q _ => (q == count w s)%Q) (fun l r es q _ => (q == countE w es)%Q)); intros; simpl;
  rewrite ?tot_one by auto; try (assumption || reflexivity).
  - rewrite H0. ring.
  - rewrite H0. ring.
  - rewrite H0, H1, H2. reflexivity.
Qed.
Theorem recursion_is_model_count w t s q e : normalised w -> W w t s q -> disj t ->
  (count w s == msum w (vars t) (ev s) e)%Q.
Proof.
  intros H HW D. rewrite <- (proj1 (structured_count w H) t s q HW). apply (proj1 (sdd_wmc_correct w) t s q HW D).
Qed.

(* Weights change only through the variables summed over. *)
Lemma msum_weights w w' vs f : (forall v b, In v vs -> (w v b == w' v b)%Q) ->
  forall e, (msum w vs f e == msum w' vs f e)%Q.
Proof.
  induction vs as [|v vs IH]; intros H e; simpl; [reflexivity|].
  rewrite !IH by (intros; apply H; right; auto). rewrite !(H v) by (left; auto). reflexivity.
Qed.
Lemma msum_fixed w vs f v b e : ~ In v vs ->
  (msum w vs (fun e => f e && eqb (e v) b) e == if eqb (e v) b then msum w vs f e else 0)%Q.
Proof.
  intro N. destruct (eqb (e v) b) eqn:E.
  - apply msum_cong_local. intros e' He. rewrite He, E, andb_true_r; auto.
  - rewrite <- (msum_false w vs e). apply msum_cong_local. intros e' He. rewrite He, E, andb_false_r; auto.
Qed.
(* Conditioning on evidence = clamping the literal's weight: with it, posteriors are two passes *)
Definition clamp (w : nat -> bool -> Q) v b : nat -> bool -> Q :=
  fun x c => if Nat.eqb x v then (if eqb c b then w x c else 0%Q) else w x c.
Theorem clamp_conditions w v b f : forall vs, NoDup vs -> In v vs -> forall e,
  (msum (clamp w v b) vs f e == msum w vs (fun e => f e && eqb (e v) b) e)%Q.
Proof.
  induction vs as [|u vs IH]; intros ND Hv e; [destruct Hv|]. inversion ND as [|? ? Nu ND']; subst. simpl.
  destruct (Nat.eq_dec u v) as [->|Ne].
  - rewrite !(msum_fixed w vs f v b) by auto. unfold upd at 3 5. rewrite Nat.eqb_refl.
    rewrite !(msum_weights (clamp w v b) w vs f); [|intros x c Hx; unfold clamp; destruct (Nat.eqb_spec x v); [subst;
      tauto|reflexivity]..].
    unfold clamp. rewrite Nat.eqb_refl. destruct b; simpl; ring.
  - assert (Hv' : In v vs) by (destruct Hv; [congruence|auto]). rewrite !IH by auto.
    unfold clamp. destruct (Nat.eqb_spec u v); [congruence|]. reflexivity.
Qed.
(* Affine in each weight: the derivative by w(v, b) is the count with that literal's weight one and its negation's
   zero *)
Definition point (w : nat -> bool -> Q) v b : nat -> bool -> Q :=
  fun x c => if Nat.eqb x v then (if eqb c b then 1%Q else 0%Q) else w x c.
Theorem wmc_affine w v f : forall vs, NoDup vs -> In v vs -> forall e,
  (msum w vs f e == w v true * msum (point w v true) vs f e + w v false * msum (point w v false) vs f e)%Q.
Proof.
  induction vs as [|u vs IH]; intros ND Hv e; [destruct Hv|]. inversion ND as [|? ? Nu ND']; subst. simpl.
  destruct (Nat.eq_dec u v) as [->|Ne].
  - assert (K : forall b e, (msum (point w v b) vs f e == msum w vs f e)%Q).
    { intros b e'. apply msum_weights. intros x c Hx. unfold point. destruct (Nat.eqb_spec x v); [subst;
      tauto|reflexivity]. }
    rewrite !K. unfold point. rewrite Nat.eqb_refl. simpl. ring.
  - assert (Hv' : In v vs) by (destruct Hv; [congruence|auto]). rewrite (IH ND' Hv' (upd e u true)), (IH ND' Hv' (upd
    e u false)).
    assert (Pu : forall b c, point w v b u c = w u c) by (intros; unfold point; destruct (Nat.eqb_spec u v);
      congruence).
    rewrite !Pu. ring.
Qed.
