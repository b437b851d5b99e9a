(* Certificates of compiled circuits: a program that accepts only diagrams with exactly the models of their clauses.

   circuit_sound     an accepted certificate: in every world the diagram holds if and only if every clause does; the
                     sides of each product depend on disjoint atoms; the products of each sum exclude each other. These
                     are the conditions under which sums and products of weights count models (DiagramCount).
   quantified_sound  the same where atoms of the clauses are quantified away: the diagram holds if and only if there are
                     values of these with which every clause does

   A diagram is a list of decisions, each a list of products of two earlier slots, read as a sum; shared parts are
   written once. Three things are checked. (1) The root entails each clause, in one pass for 64 clauses at a time. (2) The clauses, the definitions of the decisions and "not root" are refuted by a list of
   clauses, each with the clauses that it follows from by unit steps. (3) Supports are disjoint, and products exclude
   each other by a list of pairs of slots, each of which follows from those before it. *)
Require Import List Arith Lia Bool PArith FMapPositive.
Import ListNotations.
From Moose Require Export Diagram.

(* ── 3. Products are independent, sums are exclusive ── *)

Definition supp (S : PM.t set) (s : slot) : set :=
  match s with
  | SL v _ => PM.add v tt (PM.empty unit)
  | SD d => match PM.find d S with Some t => t | None => PM.empty unit end
  | _ => PM.empty unit end.
Definition supp_all (S : PM.t set) (es : list element) : set :=
  fold_right (fun (e : element) t => union (supp S (fst e)) (union (supp S (snd e)) t)) (PM.empty unit) es.
Fixpoint decomposable (k : positive) (S : PM.t set) (ds : diagram) : option (PM.t set) :=
  match ds with
  | [] => Some S
  | es :: ds => if forallb (fun e : element => disjoint (supp S (fst e)) (supp S (snd e))) es
      then decomposable (Pos.succ k) (PM.add k (supp_all S es) S) ds else None end.
Definition depends (ds : diagram) (s : slot) (t : set) : Prop :=
  forall env env', (forall v, mem v t = true -> env v = env' v) -> holds env ds s = holds env' ds s.

Lemma supp_all_in S es : forall e, In e es -> forall v,
  (mem v (supp S (fst e)) = true \/ mem v (supp S (snd e)) = true) -> mem v (supp_all S es) = true.
Proof.
  induction es as [|a es IH]; simpl; [intros e []|]. intros e [->|H] v Hv; rewrite !mem_union; [tauto|eauto].
Qed.
Lemma decomposable_before ds : forall k S S' j, decomposable k S ds = Some S' -> Pos.lt j k -> PM.find j S' = PM.find j S.
Proof.
  induction ds; simpl; intros k S S' j H L; [inversion H; auto|].
  destruct (forallb _ a); [|discriminate]. rewrite (IHds _ _ _ _ H) by lia. apply PM.gso. lia.
Qed.
(* the values below k are right and depend on their supports only *)
Lemma decomposable_sound ds0 : well_ordered 1 ds0 = true -> forall ds k S S' (M : PM.t (list element)),
  number k M ds = decisions ds0 -> (forall j es, PM.find j M = Some es -> Pos.lt j k) ->
  well_ordered k ds = true -> decomposable k S ds = Some S' ->
  (forall j, Pos.lt j k -> depends ds0 (SD j) (supp S (SD j))) ->
  (forall d es e, Pos.le k d -> PM.find d (decisions ds0) = Some es -> In e es ->
     disjoint (supp S' (fst e)) (supp S' (snd e)) = true /\
     depends ds0 (fst e) (supp S' (fst e)) /\ depends ds0 (snd e) (supp S' (snd e))).
Proof.
  intro W0. induction ds as [|a ds IH]; simpl; intros k S S' M EM HM W H D d es e L F I.
  - simpl in EM. rewrite <- EM in F. apply HM in F. lia.
  - destruct (forallb _ a) eqn:DJ in H; [|discriminate]. apply andb_true_iff in W as [W1 W2].
    assert (Fk : PM.find k (decisions ds0) = Some a) by (rewrite <- EM, number_before, PM.gss by lia; auto).
    assert (SS : forall s, earlier k s = true -> supp S' s = supp S s).
    { intros [| |v b|j] E; simpl in *; auto. apply Pos.ltb_lt in E.
      rewrite (decomposable_before _ _ _ _ j H) by lia. now rewrite PM.gso by lia. }
    assert (DS : forall s, earlier k s = true -> depends ds0 s (supp S s)).
    { intros [| |v b|j] E; simpl in E; try discriminate; intros env env' Q; auto.
      - unfold holds, value, lit; simpl. unfold lit. rewrite Q; auto. simpl. rewrite mem_add, Pos.eqb_refl. auto.
      - apply Pos.ltb_lt in E. now apply D. }
    destruct (Pos.eq_dec d k) as [->|N].
    + rewrite Fk in F. inversion F; subst es. rewrite forallb_forall in W1, DJ. specialize (W1 _ I). specialize (DJ _ I).
      apply andb_true_iff in W1 as [E1 E2]. rewrite !SS by auto. auto.
    + refine (IH (Pos.succ k) (PM.add k (supp_all S a) S) S' (PM.add k a M) EM _ W2 H _ d es e _ F I); [| |lia].
      * intros j es' Hj. destruct (Pos.eq_dec j k) as [->|N']; [lia|]. rewrite PM.gso in Hj by auto. apply HM in Hj. lia.
      * intros j Lj. destruct (Pos.eq_dec j k) as [->|N'].
        -- simpl. rewrite PM.gss. intros env env' Q. unfold holds.
           rewrite !(proj1 (value_decision _ ds0 k a W0 Fk)). apply existsb_same. intros x Hx.
           rewrite forallb_forall in W1. specialize (W1 _ Hx). apply andb_true_iff in W1 as [E1 E2].
           f_equal; [apply (DS _ E1)|apply (DS _ E2)]; intros v Hv; apply Q; eapply supp_all_in; eauto.
        -- simpl. rewrite PM.gso by auto. apply D. lia.
Qed.

Definition code (s : slot) : positive :=
  match s with ST => xH | SF => xO xH | SL v true => xO (xO v) | SL v false => xO (xI v) | SD d => xI d end.
Lemma code_inj s t : code s = code t -> s = t.
Proof. destruct s as [| |v []|d], t as [| |v' []|d']; simpl; intro H; inversion H; auto. Qed.
Definition pairs := PM.t set.
Definition known (K : pairs) (a b : slot) : bool :=
  match PM.find (code a) K with Some s => mem (code b) s | None => false end.
Definition learn1 (K : pairs) (a b : slot) : pairs :=
  PM.add (code a) (PM.add (code b) tt (match PM.find (code a) K with Some s => s | None => PM.empty unit end)) K.
Definition learn (K : pairs) (a b : slot) : pairs := learn1 (learn1 K a b) b a.
Definition sides (e : element) : list slot := [fst e; snd e].
Definition apart (K : pairs) (l r : list slot) : bool := existsb (fun a => existsb (fun b => known K a b) r) l.
Definition opposite (a b : slot) : bool :=
  match a, b with SL v x, SL u y => Pos.eqb v u && negb (Bool.eqb x y) | _, _ => false end.
Definition elements_of (M : PM.t (list element)) (s : slot) : option (list element) :=
  match s with SD d => PM.find d M | _ => None end.
Definition excludes (M : PM.t (list element)) (K : pairs) (a b : slot) : bool :=
  opposite a b
  || match elements_of M a with Some es => forallb (fun e => apart K (sides e) [b]) es | None => false end
  || match elements_of M b with Some es => forallb (fun e => apart K [a] (sides e)) es | None => false end
  || match elements_of M a, elements_of M b with
     | Some es, Some fs => forallb (fun e => forallb (fun f => apart K (sides e) (sides f)) fs) es | _, _ => false end.
Fixpoint exclusive (M : PM.t (list element)) (K : pairs) (l : list (slot * slot)) : option pairs :=
  match l with
  | [] => Some K
  | (a, b) :: l => if excludes M K a b then exclusive M (learn K a b) l else None end.
Fixpoint all_apart (K : pairs) (es : list element) : bool :=
  match es with [] => true | e :: es => forallb (fun f => apart K (sides e) (sides f)) es && all_apart K es end.

Section Exclusive.
Variable ds : diagram.
Hypothesis W : well_ordered 1 ds = true.
Definition right (K : pairs) : Prop :=
  forall a b, known K a b = true -> forall env, holds env ds a = true -> holds env ds b = true -> False.
Lemma known_learn1 K a b x y : known (learn1 K a b) x y = true -> (x = a /\ y = b) \/ known K x y = true.
Proof.
  unfold known at 1, learn1. destruct (Pos.eq_dec (code x) (code a)) as [E|N].
  - rewrite E, PM.gss, mem_add, orb_true_iff, Pos.eqb_eq. apply code_inj in E; subst x.
    intros [H|H]; [left; split; auto; now apply code_inj|right]. unfold known.
    destruct (PM.find (code a) K); auto. now rewrite mem_empty in H.
  - rewrite PM.gso by auto. auto.
Qed.
Lemma apart_sound K l r : right K -> apart K l r = true -> forall env,
  (forall a, In a l -> holds env ds a = true) -> (forall b, In b r -> holds env ds b = true) -> False.
Proof.
  intros R H env L Q. unfold apart in H. apply existsb_exists in H as [a [Ia H]]. apply existsb_exists in H as [b [Ib H]].
  exact (R a b H env (L a Ia) (Q b Ib)).
Qed.
Lemma holds_element env s es : elements_of (decisions ds) s = Some es -> holds env ds s = true ->
  exists e, In e es /\ forall a, In a (sides e) -> holds env ds a = true.
Proof.
  destruct s as [| |v b|d]; intros F H; try discriminate F. unfold holds in H.
  rewrite (proj1 (value_decision _ ds d es W F)) in H. apply existsb_exists in H as [e [I H]].
  apply andb_true_iff in H as [H1 H2]. exists e. split; auto. unfold sides. intros a [<-|[<-|[]]]; auto.
Qed.
Lemma excludes_sound K a b : right K -> excludes (decisions ds) K a b = true ->
  forall env, holds env ds a = true -> holds env ds b = true -> False.
Proof.
  intros R H env A B. unfold excludes in H. rewrite !orb_true_iff in H. destruct H as [[[H|H]|H]|H].
  - destruct a as [| |v x|], b as [| |u y|]; simpl in H; try discriminate.
    apply andb_true_iff in H as [E N]. apply Pos.eqb_eq in E; subst. unfold holds, value, lit in *; simpl in *.
    unfold lit in *. destruct (env u), x, y; simpl in *; discriminate.
  - destruct (elements_of (decisions ds) a) as [es|] eqn:E; [|discriminate].
    destruct (holds_element env a es E A) as [e [I Q]]. rewrite forallb_forall in H.
    eapply (apart_sound K); [exact R|apply (H _ I)|exact Q|]. intros c [<-|[]]; auto.
  - destruct (elements_of (decisions ds) b) as [es|] eqn:E; [|discriminate].
    destruct (holds_element env b es E B) as [e [I Q]]. rewrite forallb_forall in H.
    eapply (apart_sound K); [exact R|apply (H _ I)| |exact Q]. intros c [<-|[]]; auto.
  - destruct (elements_of (decisions ds) a) as [es|] eqn:E; [|discriminate].
    destruct (elements_of (decisions ds) b) as [fs|] eqn:E'; [|discriminate].
    destruct (holds_element env a es E A) as [e [I Q]]. destruct (holds_element env b fs E' B) as [f [I' Q']].
    rewrite forallb_forall in H. specialize (H _ I). rewrite forallb_forall in H.
    eapply (apart_sound K); eauto.
Qed.
Lemma exclusive_sound l : forall K K', right K -> exclusive (decisions ds) K l = Some K' -> right K'.
Proof.
  induction l as [|[a b] l IH]; simpl; intros K K' R H; [inversion H; subst; auto|].
  destruct (excludes (decisions ds) K a b) eqn:E; [|discriminate]. eapply IH; [|exact H].
  intros x y N env X Y. apply known_learn1 in N as [[-> ->]|N].
  - eapply (excludes_sound K a b); eauto.
  - apply known_learn1 in N as [[-> ->]|N]; [eapply (excludes_sound K a b); eauto|exact (R _ _ N env X Y)].
Qed.
Definition holds_both env (e : element) := holds env ds (fst e) && holds env ds (snd e).
Lemma all_apart_sound K es : right K -> all_apart K es = true -> forall env,
  ForallOrdPairs (fun e f => holds_both env e = true -> holds_both env f = true -> False) es.
Proof.
  intros R. induction es as [|e es IH]; simpl; intros H env; constructor.
  - apply andb_true_iff in H as [H _]. rewrite forallb_forall in H. apply Forall_forall. intros f If E F.
    apply andb_true_iff in E as [E1 E2]. apply andb_true_iff in F as [F1 F2].
    apply (apart_sound K (sides e) (sides f) R (H _ If) env); intros a [<-|[<-|[]]]; auto.
  - apply andb_true_iff in H as [_ H]. now apply IH.
Qed.
End Exclusive.

(* ── 4. Atoms that are quantified away ── *)

(* after y is eliminated from G, G' says at least all that is left: what does not mention y, and all resolvents on y *)
Definition upd (env : positive -> bool) (y : positive) (b : bool) : positive -> bool :=
  fun x => if Pos.eqb x y then b else env x.
Definition has_literal (y : positive) (b : bool) (c : clause) : bool := existsb (same (y, b)) c.
Definition without (y : positive) (c : clause) : clause := filter (fun l => negb (Pos.eqb (fst l) y)) c.
Definition tautology (c : clause) : bool := existsb (fun l => existsb (same (fst l, negb (snd l))) c) c.
Definition subsumes (d c : clause) : bool := forallb (fun l => existsb (same l) c) d.
Definition covered_by (G' : list clause) (c : clause) : bool := tautology c || existsb (fun d => subsumes d c) G'.
Definition eliminated (y : positive) (G G' : list clause) : bool :=
  forallb (fun c => has_literal y true c || has_literal y false c || covered_by G' c) G
  && forallb (fun c => forallb (fun d => covered_by G' (without y c ++ without y d)) (filter (has_literal y false) G))
       (filter (has_literal y true) G).
Fixpoint eliminate_all (G : list clause) (l : list (positive * list clause)) : option (list clause) :=
  match l with
  | [] => Some G
  | (y, G') :: l => if eliminated y G G' then eliminate_all G' l else None end.

Lemma same_eq x y : same x y = true <-> x = y.
Proof.
  destruct x as [v b], y as [u c]. unfold same; simpl. rewrite andb_true_iff, Pos.eqb_eq, eqb_true_iff.
  split; [intros [-> ->]; auto|intro H; inversion H; auto].
Qed.
Lemma existsb_same_in l c : existsb (same l) c = true <-> In l c.
Proof.
  rewrite existsb_exists. split; [intros [x [I E]]; apply same_eq in E; subst; auto|].
  intro I. exists l. split; auto. now apply same_eq.
Qed.
Lemma satisfied_in env c l : In l c -> lit env (fst l) (snd l) = true -> satisfied env c = true.
Proof. intros I L. apply existsb_exists. eauto. Qed.
Lemma covered_by_sound env G' c : (forall d, In d G' -> satisfied env d = true) -> covered_by G' c = true ->
  satisfied env c = true.
Proof.
  intros H K. apply orb_true_iff in K as [K|K].
  - apply existsb_exists in K as [[v b] [I E]]. apply existsb_same_in in E. simpl in E.
    destruct (Bool.eqb (env v) b) eqn:B.
    + apply (satisfied_in _ _ (v, b)); auto.
    + apply (satisfied_in _ _ (v, negb b)); auto. unfold lit; simpl. destruct (env v), b; simpl in *; auto; discriminate.
  - apply existsb_exists in K as [d [I S]]. specialize (H _ I). apply existsb_exists in H as [l [J L]].
    unfold subsumes in S. rewrite forallb_forall in S. specialize (S _ J). apply existsb_same_in in S.
    apply (satisfied_in _ _ l); auto.
Qed.
Lemma lit_upd env y b l : fst l <> y -> lit (upd env y b) (fst l) (snd l) = lit env (fst l) (snd l).
Proof. intro N. unfold lit, upd. destruct (Pos.eqb_spec (fst l) y); auto. congruence. Qed.
Lemma satisfied_without env y b c : satisfied env (without y c) = true -> satisfied (upd env y b) c = true.
Proof.
  intro S. apply existsb_exists in S as [l [I L]]. apply filter_In in I as [I N].
  apply negb_true_iff, Pos.eqb_neq in N. apply (satisfied_in _ _ l); auto. now rewrite lit_upd.
Qed.
Lemma satisfied_free env y b c : has_literal y true c = false -> has_literal y false c = false ->
  satisfied env c = true -> satisfied (upd env y b) c = true.
Proof.
  intros T F S. apply existsb_exists in S as [[v x] [I L]]. apply (satisfied_in _ _ (v, x)); auto.
  rewrite lit_upd; auto. simpl. intros ->. unfold has_literal in *. apply existsb_same_in in I.
  destruct x; congruence.
Qed.
Lemma satisfied_set env y b c : has_literal y b c = true -> satisfied (upd env y b) c = true.
Proof.
  intro H. apply existsb_same_in in H. apply (satisfied_in _ _ (y, b)); auto. unfold lit, upd; simpl.
  rewrite Pos.eqb_refl. apply eqb_reflx.
Qed.
Lemma eliminated_sound y G G' env : eliminated y G G' = true -> (forall d, In d G' -> satisfied env d = true) ->
  exists b, forall c, In c G -> satisfied (upd env y b) c = true.
Proof.
  unfold eliminated. rewrite andb_true_iff, !forallb_forall. intros [H1 H2] S.
  assert (Free : forall b c, In c G -> has_literal y true c = false -> has_literal y false c = false ->
    satisfied (upd env y b) c = true).
  { intros b c I T F. specialize (H1 _ I). rewrite T, F in H1. simpl in H1.
    apply satisfied_free; auto. eapply covered_by_sound; eauto. }
  destruct (forallb (fun c => satisfied env (without y c)) (filter (has_literal y true) G)) eqn:P.
  - rewrite forallb_forall in P. exists false. intros c I.
    destruct (has_literal y true c) eqn:T; [apply satisfied_without, P, filter_In; auto|].
    destruct (has_literal y false c) eqn:F; [now apply satisfied_set|]. now apply Free.
  - assert (E : exists c, In c (filter (has_literal y true) G) /\ satisfied env (without y c) = false).
    { clear - P. induction (filter (has_literal y true) G) as [|c l IH]; simpl in P; [discriminate|].
      apply andb_false_iff in P as [P|P]; [exists c; simpl; auto|].
      destruct (IH P) as [d [I D]]. exists d; simpl; auto. }
    destruct E as [c0 [I0 S0]]. exists true. intros c I.
    destruct (has_literal y true c) eqn:T; [now apply satisfied_set|].
    destruct (has_literal y false c) eqn:F; [|now apply Free].
    specialize (H2 _ I0). rewrite forallb_forall in H2.
    assert (K : In c (filter (has_literal y false) G)) by (apply filter_In; auto).
    pose proof (covered_by_sound env G' _ S (H2 _ K)) as R. rewrite satisfied_app, S0 in R. simpl in R.
    now apply satisfied_without.
Qed.
Lemma eliminate_all_sound l : forall G H env, eliminate_all G l = Some H -> (forall d, In d H -> satisfied env d = true) ->
  exists env', (forall v, ~ In v (map fst l) -> env' v = env v) /\ forall c, In c G -> satisfied env' c = true.
Proof.
  induction l as [|[y G'] l IH]; simpl; intros G H env E S; [inversion E; subst; exists env; auto|].
  destruct (eliminated y G G') eqn:K; [|discriminate]. destruct (IH G' H env E S) as [env1 [A1 S1]].
  destruct (eliminated_sound y G G' env1 K S1) as [b S2]. exists (upd env1 y b). split; auto.
  intros v N. unfold upd. destruct (Pos.eqb_spec v y); [subst; tauto|]. apply A1. tauto.
Qed.

(* the diagram does not speak of what was eliminated *)
Definition silent (ys : list positive) (s : slot) : bool :=
  match s with SL v _ => negb (existsb (Pos.eqb v) ys) | _ => true end.
Lemma sv_silent ys env env' V s : (forall v, ~ In v ys -> env' v = env v) -> silent ys s = true ->
  sv (lit env') V s = sv (lit env) V s.
Proof.
  destruct s as [| |v b|d]; simpl; auto. intros H K. unfold lit. rewrite H; auto. intro I.
  apply negb_true_iff in K. assert (existsb (Pos.eqb v) ys = true); [|congruence].
  apply existsb_exists. exists v. split; auto. apply Pos.eqb_refl.
Qed.
Lemma values_silent ys env env' ds : (forall v, ~ In v ys -> env' v = env v) ->
  forallb (forallb (fun e : element => silent ys (fst e) && silent ys (snd e))) ds = true ->
  forall k V, values (lit env') k V ds = values (lit env) k V ds.
Proof.
  intros A. induction ds as [|es ds IH]; simpl; intros K k V; auto. apply andb_true_iff in K as [K1 K2].
  rewrite IH by auto. f_equal. f_equal. unfold dv. apply existsb_same. intros e I. rewrite forallb_forall in K1.
  specialize (K1 _ I). apply andb_true_iff in K1 as [E1 E2]. now rewrite !(sv_silent ys env env').
Qed.

(* ── The whole check ── *)

Definition reaches (k : positive) (s : slot) : bool := match s with SD d => Pos.ltb d k | _ => true end.
Definition check_circuit (F : list clause) (ds : diagram) (root : slot) (ex : list (slot * slot))
  (lines : list (clause * list positive)) : bool :=
  well_ordered 1 ds
  && entails_all ds root F
  && clauses_entail F ds root lines
  && match decomposable 1 (PM.empty set) ds with Some _ => true | None => false end
  && match exclusive (decisions ds) (PM.empty set) ex with Some K => forallb (all_apart K) ds | None => false end.

(* products depend on disjoint atoms, sums exclude each other *)
Definition counts_right (ds : diagram) : Prop :=
  (forall es, In es ds -> forall env,
     ForallOrdPairs (fun e f => holds_both ds env e = true -> holds_both ds env f = true -> False) es)
  /\ (forall es e, In es ds -> In e es -> exists s t : set,
       (forall v, mem v s = true -> mem v t = true -> False) /\ depends ds (fst e) s /\ depends ds (snd e) t).
Lemma structure_sound ds ex : well_ordered 1 ds = true ->
  match decomposable 1 (PM.empty set) ds with Some _ => true | None => false end = true ->
  match exclusive (decisions ds) (PM.empty set) ex with Some K => forallb (all_apart K) ds | None => false end = true ->
  counts_right ds.
Proof.
  intros W D X. split.
  - destruct (exclusive (decisions ds) (PM.empty set) ex) as [K|] eqn:EX; [|discriminate].
    rewrite forallb_forall in X. intros es I env. apply all_apart_sound with (K := K); auto.
    eapply exclusive_sound; [exact W| |exact EX]. intros a b H. unfold known in H. rewrite PM.gempty in H. discriminate.
  - destruct (decomposable 1 (PM.empty set) ds) as [S'|] eqn:DC; [|discriminate]. intros es e I Ie.
    apply In_nth_error in I as [n I]. pose proof (find_number_nth ds 1 (PM.empty _) n es I) as Fd.
    exists (supp S' (fst e)), (supp S' (snd e)).
    assert (H : disjoint (supp S' (fst e)) (supp S' (snd e)) = true /\
      depends ds (fst e) (supp S' (fst e)) /\ depends ds (snd e) (supp S' (snd e))).
    { refine (decomposable_sound ds W ds 1 (PM.empty set) S' (PM.empty _) eq_refl _ W DC _
        (Pos.of_nat (Pos.to_nat 1 + n)) es e _ Fd Ie).
      - intros j es' H. rewrite PM.gempty in H. discriminate.
      - intros j L. lia.
      - lia. }
    destruct H as [H1 [H2 H3]]. repeat split; auto. intros v. now apply disjoint_sound.
Qed.

Theorem circuit_sound F ds root ex lines : check_circuit F ds root ex lines = true ->
  (forall env, holds env ds root = true <-> forall c, In c F -> satisfied env c = true) /\ counts_right ds.
Proof.
  unfold check_circuit. rewrite !andb_true_iff. intros [[[[W E] C] D] X]. split; [|eapply structure_sound; eauto].
  intro env; split.
  - intros H c I. exact (entails_all_sound ds root F W E env H c I).
  - apply (clauses_entail_sound F ds root lines); auto.
Qed.

(* the same where some atoms of the clauses are quantified away, in a given order *)
Definition check_quantified (F : list clause) (ds : diagram) (root : slot) (ex : list (slot * slot))
  (lines : list (clause * list positive)) (away : list (positive * list clause)) : bool :=
  match eliminate_all F away with
  | None => false
  | Some H => entails_all ds root H
    && well_ordered 1 ds && clauses_entail F ds root lines
    && silent (map fst away) root
    && forallb (forallb (fun e : element => silent (map fst away) (fst e) && silent (map fst away) (snd e))) ds
    && match decomposable 1 (PM.empty set) ds with Some _ => true | None => false end
    && match exclusive (decisions ds) (PM.empty set) ex with Some K => forallb (all_apart K) ds | None => false end end.
Theorem quantified_sound F ds root ex lines away : check_quantified F ds root ex lines away = true ->
  (forall env, holds env ds root = true <->
    exists env', (forall v, ~ In v (map fst away) -> env' v = env v) /\ forall c, In c F -> satisfied env' c = true)
  /\ counts_right ds.
Proof.
  unfold check_quantified. destruct (eliminate_all F away) as [H|] eqn:E; [|discriminate]. rewrite !andb_true_iff.
  intros [[[[[[H1 W] H2] H3] H4] D] X]. split; [|eapply structure_sound; eauto]. intro env. split.
  - intro R. apply (eliminate_all_sound away F H env E). intros d I.
    exact (entails_all_sound ds root H W H1 env R d I).
  - intros [env' [A S]]. pose proof (clauses_entail_sound F ds root lines W H2 env' S) as R.
    unfold holds, value in *. rewrite (values_silent (map fst away) env env' ds A H4) in R.
    now rewrite (sv_silent (map fst away) env env') in R.
Qed.
