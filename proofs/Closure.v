(* Clauses over numbered atoms, their compilation, and what the closure axioms say: the closure-augmented circuit's
   models are the models of the EL clauses that also satisfy, at each declared family, mutex, cover and profiles. *)
Require Import List Arith Lia Bool QArith.
Import ListNotations.
From Moose Require Import Shannon.
Local Open Scope nat_scope.

Notation literal := (nat * bool)%type.
Notation clause := (list (nat * bool)).
Definition evL (e : nat -> bool) (l : literal) := eqb (e (fst l)) (snd l).
Definition evC e (c : clause) := existsb (evL e) c.
Definition evF e (F : list clause) := forallb (evC e) F.
Definition env (M : list bool) i := nth i M false.
Definition below n (F : list clause) := forall c l, In c F -> In l c -> fst l < n.

Lemma evF_app e F G : evF e (F ++ G) = evF e F && evF e G. Proof. apply forallb_app. Qed.
Lemma evF_ext n F e e' : below n F -> (forall i, i < n -> e i = e' i) -> evF e F = evF e' F.
Proof.
  intros B H. unfold evF. induction F as [|c F IH]; simpl; auto.
  rewrite IH by (intros c0 l ? ?; eapply B; [right|]; eauto). f_equal.
  assert (Bc : forall l, In l c -> fst l < n) by (intros; eapply B; [left|]; eauto).
  unfold evC. clear - Bc H. induction c as [|l c IH]; simpl; auto.
  rewrite IH by (intros; apply Bc; right; auto). f_equal. unfold evL. rewrite H; auto. apply Bc; left; auto.
Qed.
Lemma env_map e n i : i < n -> env (map e (seq 0 n)) i = e i.
Proof.
  intro Hi. unfold env. rewrite nth_indep with (d' := e 0) by (rewrite map_length, seq_length; auto).
  rewrite map_nth with (d := 0). rewrite seq_nth; auto.
Qed.

Definition compile n F := shannon (fun M => evF (env M) F) n 0 [].
(* SDD compile-correctness, for the Shannon circuit *)
Theorem compile_correct n F e : below n F -> evalT (compile n F) e = evF e F.
Proof.
  intro B. unfold compile. rewrite shannon_models. apply evF_ext with n; auto. intros; apply env_map; auto.
Qed.
(* weighted model count = sum over models *)
Theorem wmc_compile_eq_model_sum n F w : (wmc w (compile n F) == model_sum (fun M => evF (env M) F) w 0 n)%Q.
Proof. apply shannon_wmc. Qed.

(* Entailment queries: with positive weights the count of clauses and evidence is zero iff no assignment satisfies them;
   so C(a) follows from clauses and evidence iff the count with ¬C(a) is zero, and posteriors are defined otherwise. *)
Theorem wmc_zero_iff_unsatisfiable n F w : below n F -> positive w ->
  ((wmc w (compile n F) == 0)%Q <-> forall e, evF e F = false).
Proof.
  intros B P. rewrite wmc_compile_eq_model_sum. unfold model_sum. rewrite model_sum_zero by auto. split.
  - intros H e. rewrite <- (H (map e (seq 0 n))); [apply evF_ext with n; auto; intros; symmetry; apply env_map; auto|].
    replace n with (length (map e (seq 0 n))) at 2 by (rewrite map_length, seq_length; auto). apply worlds_all.
  - intros H M _. apply H.
Qed.
Theorem entailment_query n F (g : literal) w : below n (F ++ [[(fst g, negb (snd g))]]) -> positive w ->
  ((wmc w (compile n (F ++ [[(fst g, negb (snd g))]])) == 0)%Q <-> forall e, evF e F = true -> evL e g = true).
Proof.
  intros B P. rewrite wmc_zero_iff_unsatisfiable by auto. split; intros H e.
  - intro E. specialize (H e). rewrite evF_app, E in H. simpl in H. unfold evC, evL in *; simpl in *.
    destruct (e (fst g)), (snd g); simpl in *; auto.
  - rewrite evF_app. destruct (evF e F) eqn:E; auto. specialize (H e E). simpl. unfold evC, evL in *; simpl.
    destruct (e (fst g)), (snd g); simpl in *; auto.
Qed.

(* A declared family: its members, and profiles (literals that identify, members they leave). *)
Record family := mkFamily { members : list nat; profiles : list (list literal * list nat) }.
Fixpoint mutex (ds : list nat) : list clause :=
  match ds with [] => [] | x :: l => map (fun y => [(x, false); (y, false)]) l ++ mutex l end.
Definition cover (ds : list nat) : clause := map (fun d => (d, true)) ds.
Definition profile (p : list literal * list nat) : clause :=
  map (fun l => (fst l, negb (snd l))) (fst p) ++ cover (snd p).
Definition closure (f : family) : list clause := mutex (members f) ++ [cover (members f)] ++ map profile (profiles f).

Lemma ev_cover e ds : evC e (cover ds) = existsb e ds.
Proof. unfold evC, cover. induction ds; simpl; auto. rewrite IHds. unfold evL; simpl. now destruct (e a). Qed.
Lemma ev_profile e p : evC e (profile p) = implb (forallb (evL e) (fst p)) (existsb e (snd p)).
Proof.
  destruct p as [pi ds]. unfold profile, evC. cbn [fst snd]. rewrite existsb_app.
  change (existsb (evL e) (cover ds)) with (evC e (cover ds)). rewrite ev_cover.
  induction pi as [|[i b] pi IH]; simpl; auto.
  assert (X : evL e (i, negb b) = negb (evL e (i, b))) by (unfold evL; simpl; destruct (e i), b; auto).
  rewrite X. destruct (evL e (i, b)); simpl; auto.
Qed.
(* no two members, by position, hold together *)
Lemma ev_mutex e ds : evF e (mutex ds) = true <->
  forall i j, i < j < length ds -> e (nth i ds 0) && e (nth j ds 0) = false.
Proof.
  unfold evF. induction ds as [|x l IH]; cbn [mutex].
  - split; auto. simpl. intros; lia.
  - rewrite forallb_app, andb_true_iff, IH.
    assert (H1 : forallb (evC e) (map (fun y => [(x, false); (y, false)]) l) = true <->
      forall y, In y l -> e x && e y = false).
    { rewrite forallb_forall. split; intros H y Hy.
      - specialize (H _ (in_map (fun y => [(x, false); (y, false)]) _ _ Hy)). unfold evC, evL in H; simpl in H.
        destruct (e x), (e y); simpl in *; auto.
      - apply in_map_iff in Hy as [z [<- Hz]]. specialize (H z Hz). unfold evC, evL; simpl.
        destruct (e x), (e z); simpl in *; auto. }
    rewrite H1. split.
    + intros [A B] i j L. destruct i; destruct j; try lia; simpl.
      * apply A. apply nth_In. simpl in L; lia.
      * apply B. simpl in L; lia.
    + intro H. split.
      * intros y Hy. apply In_nth with (d := 0) in Hy as [k [Hk <-]]. apply (H 0 (S k)). simpl; lia.
      * intros i j L. apply (H (S i) (S j)). simpl; lia.
Qed.
Definition partition e ds := existsb e ds = true /\ forall i j, i < j < length ds ->
  e (nth i ds 0) && e (nth j ds 0) = false.
Definition matches e (p : list literal * list nat) := forall l, In l (fst p) -> evL e l = true.
Lemma ev_closure e f : evF e (closure f) = true <->
  partition e (members f) /\ forall p, In p (profiles f) -> matches e p -> existsb e (snd p) = true.
Proof.
  unfold closure. rewrite !evF_app, !andb_true_iff, ev_mutex. unfold partition.
  assert (C : evF e [cover (members f)] = existsb e (members f)) by (simpl; rewrite ev_cover, andb_true_r; auto).
  rewrite C. assert (Q : evF e (map profile (profiles f)) = true <->
    forall p, In p (profiles f) -> matches e p -> existsb e (snd p) = true).
  { unfold evF. rewrite forallb_forall. split.
    - intros H p Hp Hm. specialize (H _ (in_map profile _ _ Hp)). rewrite ev_profile in H.
      unfold matches in Hm. rewrite <- forallb_forall in Hm. rewrite Hm in H. exact H.
    - intros H c Hc. apply in_map_iff in Hc as [p [<- Hp]]. rewrite ev_profile.
      destruct (forallb (evL e) (fst p)) eqn:E; auto. simpl. apply H; auto. unfold matches.
        apply forallb_forall; auto. }
  rewrite Q. tauto.
Qed.
(* Correctness of the closure-augmented circuit, for any number of families at any number of individuals *)
Theorem closure_correct n G fs e : below n (G ++ flat_map closure fs) ->
  evalT (compile n (G ++ flat_map closure fs)) e = true <->
  evF e G = true /\ forall f, In f fs -> partition e (members f) /\
    forall p, In p (profiles f) -> matches e p -> existsb e (snd p) = true.
Proof.
  intro B. rewrite compile_correct, evF_app, andb_true_iff by auto.
  assert (H : evF e (flat_map closure fs) = true <-> forall f, In f fs -> evF e (closure f) = true).
  { unfold evF. rewrite forallb_forall. split.
    - intros H f Hf. apply forallb_forall. intros c Hc. apply H, in_flat_map; eauto.
    - intros H c Hc. apply in_flat_map in Hc as [f [Hf Hc]]. specialize (H f Hf). rewrite forallb_forall in H. auto. }
  rewrite H. split; intros [A C]; split; auto; intros f Hf; apply ev_closure; auto.
Qed.
(* a partition: exactly one member, when members are distinct *)
Theorem partition_exactly_one e ds : NoDup ds -> partition e ds <->
  exists d, In d ds /\ e d = true /\ forall d', In d' ds -> e d' = true -> d' = d.
Proof.
  intro N. unfold partition. rewrite existsb_exists. split.
  - intros [[d [Hd Ed]] H]. exists d; repeat split; auto. intros d' Hd' Ed'.
    apply In_nth with (d := 0) in Hd as [i [Hi <-]]. apply In_nth with (d := 0) in Hd' as [j [Hj <-]].
    destruct (Nat.lt_trichotomy i j) as [L|[->|L]]; auto.
    + specialize (H i j ltac:(lia)). rewrite Ed, Ed' in H. discriminate.
    + specialize (H j i ltac:(lia)). rewrite Ed, Ed' in H. discriminate.
  - intros [d [Hd [Ed U]]]. split; [eauto|]. intros i j L.
    destruct (e (nth i ds 0)) eqn:Ei, (e (nth j ds 0)) eqn:Ej; auto. exfalso.
    apply U in Ei; [|apply nth_In; lia]. apply U in Ej; [|apply nth_In; lia].
    assert (X : i = j) by (apply (proj1 (NoDup_nth ds 0) N); try lia; congruence). lia.
Qed.
(* K(K-1)/2 mutex clauses, one cover, one clause per profile *)
Theorem closure_size f : 2 * length (closure f) = length (members f) * (length (members f) - 1) + 2 + 2 * length
  (profiles f).
Proof.
  unfold closure. rewrite !app_length, map_length. simpl.
  assert (M : forall ds, 2 * length (mutex ds) = length ds * (length ds - 1)).
  { induction ds as [|x l IH]; auto. cbn [mutex]. rewrite app_length, map_length. simpl length.
    destruct l; simpl in *; lia || nia. }
  specialize (M (members f)). lia.
Qed.
