(* A training step in linear time: one backward pass gives the derivative of a circuit by every literal weight.
   Tangents follow the sum and product rules, and are the exact derivatives of decomposable circuits; the backward
   pass agrees with them in every direction, and does two updates per element and one step per node. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.
From Moose Require Import Evaluation.
Local Open Scope nat_scope.

(* Nodes are listed last first: the node before `rest` has number `length rest` and reads smaller numbers. *)
Fixpoint reads_earlier (ns : list node) : Prop :=
  match ns with
  | [] => True
  | n :: rest => reads_earlier rest /\
      match n with NDec es => forall p, In p es -> fst p < length rest /\ snd p < length rest | _ => True end
  end.
Definition vector := nat -> Q.
Definition sum_elements (f : nat * nat -> Q) es : Q := fold_right (fun p s => f p + s)%Q 0%Q es.
(* v holds the values of all nodes under w, t their derivatives when w changes in direction dw *)
Fixpoint values (w : nat -> bool -> Q) (v : vector) (ns : list node) : Prop :=
  match ns with
  | [] => True
  | n :: rest => values w v rest /\ (v (length rest) ==
      match n with NTrue => 1 | NFalse => 0 | NLit x b => w x b | NDec es => sum_elements (fun p => v (fst p) * v
        (snd p)) es end)%Q
  end.
Fixpoint tangents (dw : nat -> bool -> Q) (v t : vector) (ns : list node) : Prop :=
  match ns with
  | [] => True
  | n :: rest => tangents dw v t rest /\ (t (length rest) ==
      match n with NLit x b => dw x b
      | NDec es => sum_elements (fun p => t (fst p) * v (snd p) + v (fst p) * t (snd p)) es | _ => 0 end)%Q
  end.

(* the backward pass: adjoints flow from each node to the nodes it reads; out come the literals' derivatives *)
Definition bump i x (a : vector) : vector := fun j => if Nat.eqb j i then (a j + x)%Q else a j.
Definition spread (g : Q) (v : vector) (es : list (nat * nat)) (a : vector) : vector :=
  fold_right (fun p a => bump (fst p) (g * v (snd p))%Q (bump (snd p) (g * v (fst p))%Q a)) a es.
Fixpoint backward (v : vector) (ns : list node) (a : vector) : list (nat * bool * Q) :=
  match ns with
  | [] => []
  | n :: rest =>
      match n with
      | NLit x b => (x, b, a (length rest)) :: backward v rest a
      | NDec es => backward v rest (spread (a (length rest)) v es a)
      | _ => backward v rest a
      end
  end.
Definition direction (dw : nat -> bool -> Q) (out : list (nat * bool * Q)) : Q :=
  fold_right (fun o s => snd o * dw (fst (fst o)) (snd (fst o)) + s)%Q 0%Q out.

Fixpoint dot n (a t : vector) : Q := match n with 0 => 0%Q | S n => (dot n a t + a n * t n)%Q end.
Lemma dot_bump n i x a t : i < n -> (dot n (bump i x a) t == dot n a t + x * t i)%Q.
Proof.
  assert (O : forall m, m <= i -> (dot m (bump i x a) t == dot m a t)%Q).
  { induction m as [|m IH]; simpl; intro L; [reflexivity|]. rewrite IH by lia. unfold bump.
    destruct (Nat.eqb_spec m i); [lia|reflexivity]. }
  induction n as [|n IH]; intro L; [lia|]. simpl. destruct (Nat.eq_dec i n) as [->|Ne].
  - rewrite O by lia. unfold bump. rewrite Nat.eqb_refl. ring.
  - rewrite IH by lia. unfold bump at 1. destruct (Nat.eqb_spec n i); [lia|]. ring.
Qed.
Lemma dot_spread n g v t es : (forall p, In p es -> fst p < n /\ snd p < n) -> forall a,
  (dot n (spread g v es a) t == dot n a t + g * sum_elements (fun p => t (fst p) * v (snd p) + v (fst p) * t (snd p))
    es)%Q.
Proof.
  induction es as [|p es IH]; intros H a; simpl; [ring|].
  destruct (H p (or_introl eq_refl)). rewrite !dot_bump by auto. rewrite IH by (intros; apply H; right; auto). ring.
Qed.
(* Backward agrees with forward, for any adjoints at the start. *)
Theorem backward_is_tangent dw v t : forall ns, reads_earlier ns -> tangents dw v t ns ->
  forall a, (direction dw (backward v ns a) == dot (length ns) a t)%Q.
Proof.
  induction ns as [|n rest IH]; intros R T a; [reflexivity|]. destruct R as [R1 R2], T as [T1 T2].
  simpl length. cbn [dot]. rewrite T2. destruct n; cbn [backward].
  - rewrite IH by auto. ring.
  - rewrite IH by auto. ring.
  - cbn [direction fold_right fst snd]. fold (direction dw (backward v rest a)). rewrite IH by auto. ring.
  - rewrite IH, dot_spread by auto. reflexivity.
Qed.
(* From the root alone: the derivative of the root in direction dw, all literals at once. *)
Definition at_root k : vector := fun i => if Nat.eqb i k then 1%Q else 0%Q.
Theorem gradient_correct dw v t n rest : reads_earlier (n :: rest) -> tangents dw v t (n :: rest) ->
  (direction dw (backward v (n :: rest) (at_root (length rest))) == t (length rest))%Q.
Proof.
  intros R T. rewrite (backward_is_tangent dw v t) by auto. simpl length. cbn [dot].
  assert (Z : forall m, m <= length rest -> (dot m (at_root (length rest)) t == 0)%Q).
  { induction m as [|m IH]; intro L; [reflexivity|]. cbn [dot]. rewrite IH by lia. unfold at_root.
    destruct (Nat.eqb_spec m (length rest)); [lia|ring]. }
  rewrite Z by auto. unfold at_root. rewrite Nat.eqb_refl. ring.
Qed.
(* The tangents are the derivatives. When dw touches one variable, decomposability leaves at most one factor of each
   product that depends on it, and the values are exactly affine: for every ε, w + ε dw gives v + ε t. *)
Fixpoint one_sided (t : vector) (ns : list node) : Prop :=
  match ns with
  | [] => True
  | n :: rest => one_sided t rest /\
      match n with NDec es => forall p, In p es -> (t (fst p) * t (snd p) == 0)%Q | _ => True end
  end.
Theorem tangent_exact w dw ε v t v' : forall ns, reads_earlier ns -> values w v ns -> tangents dw v t ns ->
  one_sided t ns -> values (fun x b => w x b + ε * dw x b)%Q v' ns ->
  forall i, i < length ns -> (v' i == v i + ε * t i)%Q.
Proof.
  induction ns as [|n rest IH]; intros R V T D V' i L; [simpl in L; lia|].
  destruct R as [R1 R2], V as [V1 V2], T as [T1 T2], D as [D1 D2], V' as [V1' V2'].
  specialize (IH R1 V1 T1 D1 V1'). simpl in L. destruct (Nat.eq_dec i (length rest)) as [->|Ne]; [|apply IH; lia].
  rewrite V2, T2, V2'. destruct n; try ring. clear - R2 D2 IH.
  induction es as [|p es IHe]; simpl; [ring|]. destruct (R2 p (or_introl eq_refl)) as [L1 L2].
  rewrite IHe by (intros; (apply R2 || apply D2); right; auto). rewrite (IH _ L1), (IH _ L2).
  assert (X : ((v (fst p) + ε * t (fst p)) * (v (snd p) + ε * t (snd p)) ==
    v (fst p) * v (snd p) + ε * (t (fst p) * v (snd p) + v (fst p) * t (snd p)) +
    (ε * ε) * (t (fst p) * t (snd p)))%Q) by ring.
  rewrite X, (D2 p (or_introl eq_refl)). ring.
Qed.
(* the cost of the backward pass *)
Fixpoint backward_cost (ns : list node) : nat :=
  match ns with [] => 0 | n :: rest => 1 + (match n with NDec es => 2 * length es |
    _ => 0 end) + backward_cost rest end.
Theorem backward_linear ns : backward_cost ns <= 2 * circuit_size ns.
Proof. induction ns as [|n ns IH]; simpl; auto. destruct n; lia. Qed.
