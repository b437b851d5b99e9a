(* executable, verified structural checker + exact rational WMC for SDDs over a vtree *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.
From Moose Require Import Disponte Circuit.

Fixpoint tol (es : elems) : list (sdd * sdd) := match es with ENil => [] | ECons p s es => (p, s) :: tol es end.
Lemma evE_tol es e : evE es e = existsb (fun x => ev (fst x) e && ev (snd x) e) (tol es).
Proof. induction es; simpl; auto. now rewrite IHes. Qed.
Lemma primes_tol es e : primes es e = existsb (fun x => ev (fst x) e) (tol es).
Proof. induction es; simpl; auto. now rewrite IHes. Qed.

(* sound disjointness test, O(|a||b|) with memo *)
Fixpoint disjb (n : nat) (a b : sdd) : bool :=
  match n with O => false | S n =>
  match a, b with
  | SFalse, _ => true | _, SFalse => true
  | SLit v x, SLit u y => Nat.eqb v u && negb (eqb x y)
  | SDec es, SDec fs => forallb (fun x => forallb (fun y => disjb n (fst x) (fst y) || disjb n (snd x) (snd y)) (tol fs)) (tol es)
  | SDec es, _ => forallb (fun x => disjb n (fst x) b || disjb n (snd x) b) (tol es)
  | _, SDec fs => forallb (fun y => disjb n a (fst y) || disjb n a (snd y)) (tol fs)
  | _, _ => false end end.
Lemma disjb_sound n : forall a b e, disjb n a b = true -> ev a e = true -> ev b e = true -> False.
Proof.
  induction n as [|n IH]; intros a b e H Ha Hb; [discriminate|].
  destruct a as [| |v x|es], b as [| |u y|fs]; simpl in H, Ha, Hb; try discriminate.
  - rewrite evE_tol in Hb. apply existsb_exists in Hb as [z [Hz Hb]]. rewrite forallb_forall in H. specialize (H _ Hz).
    apply andb_true_iff in Hb as [B1 B2]. apply orb_true_iff in H as [H|H]; eapply IH; eauto.
  - apply andb_true_iff in H as [H1 H2]. apply Nat.eqb_eq in H1; subst. destruct (e u), x, y; simpl in *; discriminate.
  - rewrite evE_tol in Hb. apply existsb_exists in Hb as [z [Hz Hb]]. rewrite forallb_forall in H. specialize (H _ Hz).
    apply andb_true_iff in Hb as [B1 B2]. apply orb_true_iff in H as [H|H]; eapply IH; eauto.
  - rewrite evE_tol in Ha. apply existsb_exists in Ha as [z [Hz Ha]]. rewrite forallb_forall in H. specialize (H _ Hz).
    apply andb_true_iff in Ha as [B1 B2]. apply orb_true_iff in H as [H|H]; eapply IH; eauto.
  - rewrite evE_tol in Ha. apply existsb_exists in Ha as [z [Hz Ha]]. rewrite forallb_forall in H. specialize (H _ Hz).
    apply andb_true_iff in Ha as [B1 B2]. apply orb_true_iff in H as [H|H]; eapply IH; eauto.
  - rewrite evE_tol in Ha, Hb. apply existsb_exists in Ha as [z [Hz Ha]]. apply existsb_exists in Hb as [y [Hy Hb]].
    rewrite forallb_forall in H. specialize (H _ Hz). rewrite forallb_forall in H. specialize (H _ Hy).
    apply andb_true_iff in Ha as [A1 A2]. apply andb_true_iff in Hb as [B1 B2].
    apply orb_true_iff in H as [H|H]; eapply IH; eauto.
Qed.

Section F.
Variable w : nat -> bool -> Q.
Definition mulR (o : option Q) (k : Q) := match o with Some q => Some (q * k) | None => None end.
Definition mulL (k : Q) (o : option Q) := match o with Some q => Some (k * q) | None => None end.
Fixpoint wmcF (n : nat) (t : vtree) (s : sdd) : option Q :=
  match n with O => None | S n =>
  match s, t with
  | STrue, _ => Some (tot w t) | SFalse, _ => Some 0
  | SLit v b, VL u => if Nat.eqb v u then Some (w v b) else None
  | SLit v b, VN l r => if existsb (Nat.eqb v) (vars l) then mulR (wmcF n l s) (tot w r) else mulL (tot w l) (wmcF n r s)
  | SDec es, VN l r =>
      match (fix go es := match es with ENil => Some 0
        | ECons p s es' => match wmcF n l p, wmcF n r s, go es' with
            | Some a, Some b, Some q => if forallb (fun x => disjb n p (fst x)) (tol es') then Some (a * b + q) else None
            | _, _, _ => None end end) es with
      | Some q => Some q
      | None => match mulR (wmcF n l s) (tot w r) with Some q => Some q | None => mulL (tot w l) (wmcF n r s) end end
  | SDec _, VL _ => None end end.
Lemma wmcF_W n : forall t s q, wmcF n t s = Some q -> W w t s q.
Proof.
  induction n as [|n IH]; intros t s q H; [discriminate|]. simpl in H.
  assert (ML : forall l r s q, mulR (wmcF n l s) (tot w r) = Some q -> W w (VN l r) s q).
  { intros l r s0 q0 E. unfold mulR in E. destruct (wmcF n l s0) eqn:K; inversion E; subst. apply W_left; auto. }
  assert (MR : forall l r s q, mulL (tot w l) (wmcF n r s) = Some q -> W w (VN l r) s q).
  { intros l r s0 q0 E. unfold mulL in E. destruct (wmcF n r s0) eqn:K; inversion E; subst. apply W_right; auto. }
  destruct s as [| |v b|es].
  - inversion H; constructor.
  - inversion H; constructor.
  - destruct t as [u|l r].
    + destruct (Nat.eqb_spec v u); inversion H; subst; constructor.
    + destruct (existsb _ _); auto.
  - destruct t as [u|l r]; [discriminate|].
    match type of H with context [match ?g es with _ => _ end] => set (go := g) in H end.
    destruct (go es) eqn:G.
    + inversion H; subst q0. apply W_d. clear H ML MR. revert q G.
      induction es as [|p s es' IHe]; intros q G.
      * simpl in G. inversion G; constructor.
      * simpl in G. fold go in G. destruct (wmcF n l p) eqn:E1; [|discriminate]. destruct (wmcF n r s) eqn:E2; [|discriminate].
        destruct (go es') eqn:E3; [|discriminate]. destruct (forallb _ _) eqn:E4; [|discriminate]. inversion G; subst.
        constructor; auto. intros e He. rewrite primes_tol. apply not_true_is_false. intro X.
        apply existsb_exists in X as [z [Hz X]]. rewrite forallb_forall in E4. specialize (E4 _ Hz).
        eapply disjb_sound; eauto.
    + destruct (mulR (wmcF n l (SDec es)) (tot w r)) eqn:E1; [inversion H; subst; auto|auto].
Qed.
Theorem wmcF_correct n t s q e : wmcF n t s = Some q -> disj t -> q == msum w (vars t) (ev s) e.
Proof. intros H D. apply (proj1 (sdd_wmc_correct w)); auto. eapply wmcF_W; eauto. Qed.
End F.
(* run: (x1 & x2) | (~x1 & x3), w = 1/2 *)
Definition ex := SDec (ECons (SLit 1 true) (SLit 2 true) (ECons (SLit 1 false) (SLit 3 true) ENil)).
