(* Sentential decision diagrams over a vtree. If every element's prime lives left and its sub right of a vtree node
   (decomposability) and primes exclude each other (determinism), then one bottom-up pass, in which missing
   variables contribute w(X) + w(not X), is the weighted sum over models, for arbitrary rational weights. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.

Inductive vtree := VL (v : nat) | VN (l r : vtree).
Fixpoint vars (t : vtree) : list nat := match t with VL v => [v] | VN l r => vars l ++ vars r end.

(* SDD over a vtree; decision = list of (prime, sub) *)
Inductive sdd := STrue | SFalse | SLit (v : nat) (b : bool) | SDec (es : elems)
with elems := ENil | ECons (p s : sdd) (es : elems).
Fixpoint ev (s : sdd) (e : nat -> bool) : bool :=
  match s with STrue => true | SFalse => false | SLit v b => eqb (e v) b | SDec es => evE es e end
with evE (es : elems) e : bool :=
  match es with ENil => false | ECons p s es => (ev p e && ev s e) || evE es e end.
Fixpoint primes (es : elems) e : bool := match es with ENil => false | ECons p _ es => ev p e || primes es e end.

(* model sum over the variables of the vtree, by enumerating assignments of vars t *)
Definition upd (e : nat -> bool) v b := fun x => if Nat.eqb x v then b else e x.
Fixpoint msum (w : nat -> bool -> Q) (vs : list nat) (f : (nat -> bool) -> bool) (e : nat -> bool) : Q :=
  match vs with [] => if f e then 1 else 0
  | v :: vs => w v true * msum w vs f (upd e v true) + w v false * msum w vs f (upd e v false) end.

Fixpoint tot (w : nat -> bool -> Q) (t : vtree) : Q :=
  match t with VL v => w v true + w v false | VN l r => tot w l * tot w r end.

Definition dep (vs : list nat) (f : (nat -> bool) -> bool) := forall e e', (forall v, In v vs -> e v = e' v) ->
  f e = f e'.

(* respects t s: s is normalised for vtree t or a descendant; primes pairwise exclusive (determinism);
   indexed by the WMC value computed by the linear bottom-up pass with smoothing factors. *)
Section W.
Variable w : nat -> bool -> Q.
Inductive W : vtree -> sdd -> Q -> Prop :=
| W_t v : W v STrue (tot w v)
| W_f v : W v SFalse 0
| W_l v b : W (VL v) (SLit v b) (w v b)
| W_d l r es q : WE l r es q -> W (VN l r) (SDec es) q
| W_left l r s q : W l s q -> W (VN l r) s (q * tot w r)
| W_right l r s q : W r s q -> W (VN l r) s (tot w l * q)
with WE : vtree -> vtree -> elems -> Q -> Prop :=
| WE_nil l r : WE l r ENil 0
| WE_cons l r p s es a b q : W l p a -> W r s b -> WE l r es q ->
    (forall e, ev p e = true -> primes es e = false) -> WE l r (ECons p s es) (a * b + q).
Scheme W_m := Induction for W Sort Prop with WE_m := Induction for WE Sort Prop.
Combined Scheme WWE from W_m, WE_m.
End W.

Lemma msum_ext w vs : forall f g e, (forall e, f e = g e) -> msum w vs f e == msum w vs g e.
Proof. induction vs; simpl; intros; [rewrite H; reflexivity|]. rewrite !(IHvs f g) by auto. reflexivity. Qed.
Lemma msum_env w vs : forall f e e', (forall e1 e2, (forall v, ~ In v vs -> e1 v = e v) -> (forall v, ~ In v vs ->
  e2 v = e' v) ->
   (forall v, In v vs -> e1 v = e2 v) -> f e1 = f e2) -> msum w vs f e == msum w vs f e'.
Proof.
  induction vs as [|v vs IH]; simpl; intros f e e' H.
  - rewrite (H e e'); auto; try reflexivity; intros; tauto.
  - assert (K : forall b, msum w vs f (upd e v b) == msum w vs f (upd e' v b)).
    { intro b. apply IH. intros e1 e2 H1 H2 H3. apply H.
      - intros x Hx. rewrite H1 by tauto. unfold upd. destruct (Nat.eqb_spec x v); auto. subst; tauto.
      - intros x Hx. rewrite H2 by tauto. unfold upd. destruct (Nat.eqb_spec x v); auto. subst; tauto.
      - intros x [<-|Hx]; auto. destruct (in_dec Nat.eq_dec v vs) as [i|i]; auto.
        rewrite H1, H2 by auto. unfold upd. rewrite Nat.eqb_refl. auto. }
    rewrite !K. reflexivity.
Qed.
Lemma dep_upd vs f : dep vs f -> forall e e', (forall v, In v vs -> e v = e' v) -> f e = f e'.
Proof. auto. Qed.

(* product rule: f depends on vs1, g on vs2, disjoint *)
Lemma msum_const w vs f c : forall e, (forall e', (forall v, ~ In v vs -> e' v = e v) -> f e' = c) ->
  msum w vs f e == msum w vs (fun _ => c) e.
Proof.
  induction vs as [|v vs IH]; simpl; intros e H; [rewrite H; auto; reflexivity|].
  assert (K : forall b, msum w vs f (upd e v b) == msum w vs (fun _ => c) (upd e v b)).
  { intro b; apply IH. intros e' H'. apply H. intros x Hx. rewrite H' by tauto. unfold upd.
    destruct (Nat.eqb_spec x v); auto; subst; tauto. }
  rewrite !K; reflexivity.
Qed.

Lemma msum_cong_local w vs f g : forall e, (forall e', (forall v, ~ In v vs -> e' v = e v) -> f e' = g e') ->
  msum w vs f e == msum w vs g e.
Proof.
  induction vs as [|v vs IH]; simpl; intros e H; [rewrite H; auto; reflexivity|].
  assert (K : forall b, msum w vs f (upd e v b) == msum w vs g (upd e v b)).
  { intro b; apply IH. intros e' H'. apply H. intros x Hx. rewrite H' by tauto. unfold upd.
    destruct (Nat.eqb_spec x v); auto; subst; tauto. }
  rewrite !K; reflexivity.
Qed.
Lemma msum_prod w vs1 vs2 f g : (forall v, In v vs1 -> In v vs2 -> False) -> dep vs1 f -> dep vs2 g ->
  forall e, msum w (vs1 ++ vs2) (fun e => f e && g e) e == msum w vs1 f e * msum w vs2 g e.
Proof.
  intros D F G e. 
  assert (X : forall vs1' e, (forall v, In v vs1' -> In v vs2 -> False) ->
     msum w (vs1' ++ vs2) (fun e => f e && g e) e == msum w vs1' (fun e' => f e') e * msum w vs2 g e).
  { induction vs1' as [|v vs IH]; intros e0 D'.
    - simpl. destruct (f e0) eqn:E.
      + assert (Y : msum w vs2 (fun e => f e && g e) e0 == msum w vs2 g e0).
        { apply msum_cong_local. intros e' He'. rewrite (F e' e0), E; auto. intros x Hx. apply He'. intro; eauto. }
        rewrite Y; ring.
      + rewrite (msum_const w vs2 _ false e0).
        * assert (Z : forall vs e, msum w vs (fun _ => false) e == 0) by (clear; induction vs; simpl; intros;
          [reflexivity|rewrite !IHvs; ring]).
          rewrite Z; ring.
        * intros e' He'. rewrite (F e' e0), E; auto. intros x Hx. apply He'. intro; eauto.
    - simpl. rewrite !IH by (intros; eapply D'; eauto; right; auto).
      assert (Y : forall b, msum w vs2 g (upd e0 v b) == msum w vs2 g e0).
      { intro b. apply msum_env. intros e1 e2 _ _ H. apply G; auto. }
      rewrite !Y. ring. }
  apply X; auto.
Qed.

Lemma msum_or w vs f g : (forall e, f e = true -> g e = false) ->
  forall e, msum w vs (fun e => f e || g e) e == msum w vs f e + msum w vs g e.
Proof.
  intro H; induction vs; simpl; intro e.
  - specialize (H e). destruct (f e); [rewrite H by auto|destruct (g e)]; simpl; ring.
  - rewrite !IHvs. ring.
Qed.
Lemma msum_true w t : forall e, msum w (vars t) (fun _ => true) e == tot w t.
Proof.
  assert (A : forall vs1 vs2 e, msum w (vs1 ++ vs2) (fun _ => true) e == msum w vs1 (fun _ => true) e * msum w vs2
    (fun _ => true) e).
  { induction vs1; simpl; intros; [ring|]. rewrite !IHvs1.
    assert (Y : forall v b, msum w vs2 (fun _ => true) (upd e v b) == msum w vs2 (fun _ => true) e) by (intros;
      apply msum_env; auto).
    rewrite !Y. ring. }
  induction t; intro e; simpl; [ring|]. rewrite A, IHt1, IHt2. reflexivity.
Qed.
Lemma msum_false w vs : forall e, msum w vs (fun _ => false) e == 0.
Proof. induction vs; simpl; intro e; [reflexivity|]. rewrite !IHvs. ring. Qed.

Fixpoint disj (t : vtree) : Prop := match t with VL _ => True
  | VN l r => disj l /\ disj r /\ forall v, In v (vars l) -> In v (vars r) -> False end.
Lemma W_dep w : (forall t s q, W w t s q -> dep (vars t) (ev s)) /\
  (forall l r es q, WE w l r es q -> dep (vars l ++ vars r) (evE es)).
Proof.
  apply (WWE w (fun t s q _ => dep (vars t) (ev s)) (fun l r es q _ => dep (vars l ++ vars r) (evE es)));
  intros; intros x x' E; simpl; auto.
  - rewrite E by (left; auto). auto.
  - apply H. intros; apply E. simpl. apply in_or_app; auto.
  - apply H. intros; apply E. simpl. apply in_or_app; auto.
  - rewrite (H x x'), (H0 x x'), (H1 x x'); auto; intros; apply E; apply in_or_app; auto.
Qed.
Lemma primes_false es e : primes es e = false -> evE es e = false.
Proof. induction es; simpl; auto. intro H; apply orb_false_iff in H as [H1 H2]. rewrite H1, IHes; auto. Qed.

Theorem sdd_wmc_correct w : 
  (forall t s q, W w t s q -> disj t -> forall e, q == msum w (vars t) (ev s) e) /\
  (forall l r es q, WE w l r es q -> disj (VN l r) -> forall e, q == msum w (vars l ++ vars r) (evE es) e).
Proof.
  apply (WWE w (fun t s q _ => disj t -> forall e, q == msum w (vars t) (ev s) e)
     (fun l r es q _ => disj (VN l r) -> forall e, q == msum w (vars l ++ vars r) (evE es) e)); intros.
  - rewrite <- msum_true. reflexivity.
  - rewrite <- (msum_false w (vars v) e). reflexivity.
  - simpl. unfold upd. rewrite !Nat.eqb_refl. destruct b; simpl; ring.
  - apply H; auto.
  - destruct H0 as (d1 & d2 & d3). rewrite (H d1 e). rewrite <- (msum_true w r e).
    rewrite <- msum_prod; auto.
    + apply msum_ext. intro; rewrite andb_true_r; auto.
    + apply (proj1 (W_dep w) _ _ _ w0).
    + intros ? ? ?; auto.
  - destruct H0 as (d1 & d2 & d3). rewrite (H d2 e). rewrite <- (msum_true w l e).
    rewrite <- msum_prod; auto.
    + apply msum_ext. intro; auto.
    + intros ? ? ?; auto.
    + apply (proj1 (W_dep w) _ _ _ w0).
  - rewrite <- (msum_false w (vars l ++ vars r) e). reflexivity.
  - pose proof H2 as (d1 & d2 & d3). simpl. rewrite msum_or.
    + rewrite msum_prod; auto; [|apply (proj1 (W_dep w) _ _ _ w0)|apply (proj1 (W_dep w) _ _ _ w1)].
      rewrite <- (H d1 e0), <- (H0 d2 e0), <- (H1 H2 e0). reflexivity.
    + intros e1 K. apply andb_true_iff in K as [K _]. apply primes_false. auto.
Qed.
