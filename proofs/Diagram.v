(* Diagrams, and that one has exactly the models of its clauses: the first two things that DiagramCheck looks at.

   A diagram is a list of decisions, each a list of products of two earlier slots, read as a sum; shared parts are
   written once. (1) With the literals of a clause made false the root cannot hold. (2) The clauses, the definitions of
   the decisions and "not root" are refuted by a list of clauses, each with the clauses it follows from by unit steps. *)
Require Import List Arith Lia Bool PArith FMapPositive.
Import ListNotations.
Module PM := PositiveMap.

Inductive slot := ST | SF | SL (v : positive) (b : bool) | SD (d : positive).
Definition element := (slot * slot)%type.
Definition diagram := list (list element).
Definition clause := list (positive * bool).

(* ── What a diagram says ── *)

Section Values.
Variable lv : positive -> bool -> bool.    (* which literals hold *)
Definition sv (V : PM.t bool) (s : slot) : bool :=
  match s with
  | ST => true | SF => false | SL v b => lv v b
  | SD d => match PM.find d V with Some b => b | None => false end end.
Definition dv (V : PM.t bool) (es : list element) : bool :=
  existsb (fun e : element => sv V (fst e) && sv V (snd e)) es.
Fixpoint values (k : positive) (V : PM.t bool) (ds : diagram) : PM.t bool :=
  match ds with [] => V | es :: ds => values (Pos.succ k) (PM.add k (dv V es) V) ds end.
Definition value (ds : diagram) (s : slot) : bool := sv (values 1 (PM.empty bool) ds) s.
End Values.
Definition lit (env : positive -> bool) (v : positive) (b : bool) : bool := Bool.eqb (env v) b.
Definition holds (env : positive -> bool) (ds : diagram) (s : slot) : bool := value (lit env) ds s.
Definition satisfied (env : positive -> bool) (c : clause) : bool := existsb (fun l => lit env (fst l) (snd l)) c.

(* slots are used after they are made, and ⊥ is in no product *)
Definition earlier (k : positive) (s : slot) : bool :=
  match s with SD d => Pos.ltb d k | SF => false | _ => true end.
Fixpoint well_ordered (k : positive) (ds : diagram) : bool :=
  match ds with
  | [] => true
  | es :: ds => forallb (fun e : element => earlier k (fst e) && earlier k (snd e)) es && well_ordered (Pos.succ k) ds end.

Fixpoint number {X} (k : positive) (M : PM.t X) (l : list X) : PM.t X :=
  match l with [] => M | x :: l => number (Pos.succ k) (PM.add k x M) l end.
Lemma number_before {X} (l : list X) : forall k M j, Pos.lt j k -> PM.find j (number k M l) = PM.find j M.
Proof.
  induction l; simpl; intros; auto. rewrite IHl by lia. apply PM.gso. lia.
Qed.
Lemma values_before lv ds : forall k V j, Pos.lt j k -> PM.find j (values lv k V ds) = PM.find j V.
Proof.
  induction ds; simpl; intros; auto. rewrite IHds by lia. apply PM.gso. lia.
Qed.
Lemma sv_same lv V V' k s : (forall j, Pos.lt j k -> PM.find j V = PM.find j V') -> earlier k s = true ->
  sv lv V s = sv lv V' s.
Proof. destruct s; simpl; auto. intros H E. apply Pos.ltb_lt in E. now rewrite H. Qed.
Lemma existsb_same {X} (f g : X -> bool) l : (forall x, In x l -> f x = g x) -> existsb f l = existsb g l.
Proof. induction l; simpl; intro H; auto. rewrite H, IHl; auto. Qed.
(* every decision has the value of its products *)
Lemma values_decision lv ds : forall k V (M : PM.t (list element)) d es, well_ordered k ds = true ->
  (forall j es', PM.find j M = Some es' -> Pos.lt j k) ->
  PM.find d (number k M ds) = Some es -> Pos.le k d ->
  PM.find d (values lv k V ds) = Some (dv lv (values lv k V ds) es) /\
  forallb (fun e : element => earlier d (fst e) && earlier d (snd e)) es = true.
Proof.
  induction ds as [|a ds IH]; simpl; intros k V M d es W HM F L.
  - apply HM in F. lia.
  - apply andb_true_iff in W as [W1 W2]. destruct (Pos.eq_dec d k) as [->|N].
    + rewrite number_before, PM.gss in F by lia. inversion F; subst a. split; auto.
      rewrite values_before, PM.gss by lia. f_equal. unfold dv. apply existsb_same. intros e He.
      rewrite forallb_forall in W1. specialize (W1 _ He). apply andb_true_iff in W1 as [E1 E2].
      f_equal; apply (sv_same _ _ _ k); auto; intros j Hj; rewrite values_before, PM.gso by lia; auto.
    + apply (IH (Pos.succ k) _ (PM.add k a M)); auto; [|lia].
      intros j es' Hj. destruct (Pos.eq_dec j k) as [->|N']; [lia|]. rewrite PM.gso in Hj by auto.
      apply HM in Hj. lia.
Qed.
Definition decisions (ds : diagram) : PM.t (list element) := number 1 (PM.empty _) ds.
Lemma value_decision lv ds d es : well_ordered 1 ds = true -> PM.find d (decisions ds) = Some es ->
  value lv ds (SD d) = existsb (fun e : element => value lv ds (fst e) && value lv ds (snd e)) es /\
  forallb (fun e : element => earlier d (fst e) && earlier d (snd e)) es = true.
Proof.
  intros W F. destruct (values_decision lv ds 1 (PM.empty bool) (PM.empty _) d es W) as [H1 H2]; auto; try lia.
  - intros j es' H. rewrite PM.gempty in H. discriminate.
  - split; auto. unfold value at 1. simpl. now rewrite H1.
Qed.
Lemma no_decision lv ds : forall k V (M : PM.t (list element)) d,
  (forall j, PM.find j M = None -> PM.find j V = None) -> PM.find d (number k M ds) = None ->
  PM.find d (values lv k V ds) = None.
Proof.
  induction ds; simpl; intros k V M d H F; auto. eapply IHds; [|exact F].
  intros j Hj. destruct (Pos.eq_dec j k) as [->|N]; [rewrite PM.gss in Hj; discriminate|].
  rewrite PM.gso in * by auto. auto.
Qed.

(* ── 1. The diagram entails each clause ── *)

Lemma values_mono lv lv' ds : (forall v b, lv v b = true -> lv' v b = true) -> forall k V V',
  (forall d, PM.find d V = Some true -> PM.find d V' = Some true) ->
  forall d, PM.find d (values lv k V ds) = Some true -> PM.find d (values lv' k V' ds) = Some true.
Proof.
  intro L. induction ds as [|es ds IH]; simpl; intros k V V' H d; auto.
  apply IH. intros j. destruct (Pos.eq_dec j k) as [->|N]; [rewrite !PM.gss|rewrite !PM.gso by auto; auto].
  intro E. f_equal. inversion E as [E']. rewrite E'. unfold dv in *. apply existsb_exists in E' as [e [I E']].
  apply existsb_exists. exists e; split; auto. apply andb_true_iff in E' as [A B].
  assert (S : forall s, sv lv V s = true -> sv lv' V' s = true).
  { intros [| |v b|j'] K; simpl in *; auto. destruct (PM.find j' V) as [[]|] eqn:F; try discriminate.
    now rewrite (H _ F). }
  now rewrite (S _ A), (S _ B).
Qed.
Definition same (x y : positive * bool) : bool := Pos.eqb (fst x) (fst y) && Bool.eqb (snd x) (snd y).
Definition entails_clause (ds : diagram) (root : slot) (c : clause) : bool :=
  negb (value (fun v b => negb (existsb (same (v, b)) c)) ds root).
Lemma entails_clause_sound ds root c : entails_clause ds root c = true ->
  forall env, holds env ds root = true -> satisfied env c = true.
Proof.
  unfold entails_clause. intros H env R. apply negb_true_iff in H. destruct (satisfied env c) eqn:Sc; auto. exfalso.
  assert (L : forall v b, lit env v b = true -> negb (existsb (same (v, b)) c) = true).
  { intros v b Hl. apply negb_true_iff. destruct (existsb (same (v, b)) c) eqn:E; auto. exfalso.
    apply existsb_exists in E as [[v' b'] [I E]]. unfold same in E. simpl in E.
    apply andb_true_iff in E as [E1 E2]. apply Pos.eqb_eq in E1. apply eqb_prop in E2. subst.
    assert (satisfied env c = true); [|congruence]. apply existsb_exists. exists (v', b'); auto. }
  unfold holds, value in *. destruct root as [| |v b|d]; simpl in *; try discriminate.
  - rewrite (L _ _ R) in H. discriminate.
  - destruct (PM.find d (values (lit env) 1 (PM.empty bool) ds)) as [[]|] eqn:F; try discriminate.
    apply (values_mono _ _ ds L 1%positive (PM.empty bool) (PM.empty bool)) in F; [rewrite F in H; discriminate|].
    intros j K. rewrite PM.gempty in K. discriminate.
Qed.

(* ── 2. The clauses entail the diagram ── *)

(* variables of the refutation: xO v is an atom, xI d a decision *)
Definition denied (s : slot) : clause :=
  match s with SL v b => [(xO v, negb b)] | SD d => [(xI d, false)] | _ => [] end.
Definition of_element (d : positive) (e : element) : clause := denied (fst e) ++ denied (snd e) ++ [(xI d, true)].
Fixpoint definitions (k : positive) (ds : diagram) : list clause :=
  match ds with [] => [] | es :: ds => map (of_element k) es ++ definitions (Pos.succ k) ds end.
Definition lifted (c : clause) : clause := map (fun l => (xO (fst l), snd l)) c.
Definition base (F : list clause) (ds : diagram) (root : slot) : list clause :=
  map lifted F ++ definitions 1 ds ++ match root with SF => [] | _ => [denied root] end.

Definition is_false (A : PM.t bool) (l : positive * bool) : bool :=
  match PM.find (fst l) A with Some a => negb (Bool.eqb a (snd l)) | None => false end.
Fixpoint left_over (A : PM.t bool) (c : clause) : clause :=
  match c with [] => [] | l :: c => if is_false A l then left_over A c else l :: left_over A c end.
Fixpoint unit_steps (B : PM.t clause) (A : PM.t bool) (hints : list positive) : bool :=
  match hints with
  | [] => false
  | h :: hints => match PM.find h B with
    | None => false
    | Some c => match left_over A c with
      | [] => true
      | [l] => unit_steps B (PM.add (fst l) (snd l) A) hints
      | _ => false end end end.
Definition denials (c : clause) : PM.t bool :=
  fold_right (fun (l : positive * bool) A => PM.add (fst l) (negb (snd l)) A) (PM.empty bool) c.
Fixpoint refutation (B : PM.t clause) (k : positive) (lines : list (clause * list positive)) : bool :=
  match lines with
  | [] => false
  | (c, hints) :: lines => unit_steps B (denials c) hints &&
      match c with [] => true | _ => refutation (PM.add k c B) (Pos.succ k) lines end end.

Section Refute.
Variable m : positive -> bool.
Definition agrees (A : PM.t bool) := forall x a, PM.find x A = Some a -> m x = a.
Lemma left_over_sat A c : agrees A -> satisfied m c = true -> satisfied m (left_over A c) = true.
Proof.
  intro H. induction c as [|l c IH]; simpl; auto. intro S. unfold is_false.
  destruct (PM.find (fst l) A) as [a|] eqn:F; simpl.
  - apply H in F. destruct (Bool.eqb a (snd l)) eqn:E; simpl.
    + unfold lit. rewrite F, E. auto.
    + apply IH. unfold lit in S at 1. rewrite F, E in S. auto.
  - apply orb_true_iff in S as [S|S]; [now rewrite S|]. rewrite (IH S). apply orb_true_r.
Qed.
Lemma unit_steps_sound B : (forall k c, PM.find k B = Some c -> satisfied m c = true) ->
  forall hints A, agrees A -> unit_steps B A hints = true -> False.
Proof.
  intro HB. induction hints as [|h hints IH]; simpl; intros A HA H; [discriminate|].
  destruct (PM.find h B) as [c|] eqn:F; [|discriminate].
  pose proof (left_over_sat A c HA (HB _ _ F)) as S.
  destruct (left_over A c) as [|[x b] [|]]; simpl in *; [discriminate| |discriminate].
  apply (IH (PM.add x b A)); auto. intros y a Hy. destruct (Pos.eq_dec y x) as [->|N].
  - rewrite PM.gss in Hy. inversion Hy; subst. rewrite orb_false_r in S. unfold lit in S. now apply eqb_prop in S.
  - rewrite PM.gso in Hy by auto. auto.
Qed.
Lemma denials_agree c : satisfied m c = false -> agrees (denials c).
Proof.
  induction c as [|[x b] c IH]; simpl; intros S y a Hy; [rewrite PM.gempty in Hy; discriminate|].
  apply orb_false_iff in S as [S1 S2]. destruct (Pos.eq_dec y x) as [->|N].
  - rewrite PM.gss in Hy. inversion Hy; subst. unfold lit in S1. simpl in S1. destruct (m x), b; simpl in *; congruence.
  - rewrite PM.gso in Hy by auto. apply IH; auto.
Qed.
Lemma refutation_sound lines : forall B k, (forall j c, PM.find j B = Some c -> satisfied m c = true) ->
  refutation B k lines = true -> False.
Proof.
  induction lines as [|[c hints] lines IH]; simpl; intros B k HB H; [discriminate|].
  apply andb_true_iff in H as [H1 H2].
  assert (S : satisfied m c = true).
  { destruct (satisfied m c) eqn:S; auto. exfalso. eapply unit_steps_sound; eauto. now apply denials_agree. }
  destruct c as [|l c]; [discriminate|]. apply (IH (PM.add k (l :: c) B) (Pos.succ k)); auto.
  intros j d Hj. destruct (Pos.eq_dec j k) as [->|N]; [rewrite PM.gss in Hj; inversion Hj; subst; auto|].
  rewrite PM.gso in Hj by auto. eauto.
Qed.
End Refute.

Lemma number_in {X} (l : list X) : forall k M j x, PM.find j (number k M l) = Some x -> PM.find j M = Some x \/ In x l.
Proof.
  induction l as [|y l IH]; simpl; intros k M j x H; auto.
  apply IH in H as [H|H]; auto. destruct (Pos.eq_dec j k) as [->|N].
  - rewrite PM.gss in H. inversion H; auto.
  - rewrite PM.gso in H by auto. auto.
Qed.
Definition world (env : positive -> bool) (ds : diagram) (x : positive) : bool :=
  match x with xO v => env v | xI d => holds env ds (SD d) | xH => false end.
Lemma denied_world env ds s : s <> ST -> s <> SF -> satisfied (world env ds) (denied s) = negb (holds env ds s).
Proof.
  destruct s as [| |v b|d]; intros; try congruence; unfold satisfied; simpl; rewrite orb_false_r.
  - unfold lit, holds, value; simpl. unfold lit. destruct (env v), b; auto.
  - unfold lit; simpl. destruct (holds env ds (SD d)); auto.
Qed.
Lemma satisfied_app m c d : satisfied m (c ++ d) = satisfied m c || satisfied m d.
Proof. apply existsb_app. Qed.
Lemma find_number_nth {X} (l : list X) : forall k M n x, nth_error l n = Some x ->
  PM.find (Pos.of_nat (Pos.to_nat k + n)) (number k M l) = Some x.
Proof.
  induction l as [|y l IH]; intros k M n x H; [destruct n; discriminate|].
  destruct n; simpl in *.
  - inversion H; subst. rewrite Nat.add_0_r, Pos2Nat.id, number_before by lia. apply PM.gss.
  - rewrite <- (IH (Pos.succ k) (PM.add k y M) n x H). do 2 f_equal. lia.
Qed.
Lemma definitions_in ds : forall k c, In c (definitions k ds) ->
  exists n es e, nth_error ds n = Some es /\ In e es /\ c = of_element (Pos.of_nat (Pos.to_nat k + n)) e.
Proof.
  induction ds as [|a ds IH]; simpl; intros k c H; [tauto|]. apply in_app_iff in H as [H|H].
  - apply in_map_iff in H as [e [<- He]]. exists 0, a, e. simpl. rewrite Nat.add_0_r, Pos2Nat.id. auto.
  - apply IH in H as [n [es [e [H1 [H2 H3]]]]]. exists (S n), es, e. simpl. repeat split; auto.
    rewrite H3. f_equal. f_equal. lia.
Qed.
Definition clauses_entail (F : list clause) (ds : diagram) (root : slot) (lines : list (clause * list positive)) : bool :=
  match root with
  | ST => true
  | _ => let B := base F ds root in refutation (number 1 (PM.empty clause) B) (Pos.of_succ_nat (length B)) lines end.
Lemma clauses_entail_sound F ds root lines : well_ordered 1 ds = true -> clauses_entail F ds root lines = true ->
  forall env, (forall c, In c F -> satisfied env c = true) -> holds env ds root = true.
Proof.
  intros W H env HF. destruct (holds env ds root) eqn:R; auto. exfalso.
  assert (N : root <> ST) by (intros ->; discriminate R).
  assert (H' : refutation (number 1 (PM.empty clause) (base F ds root)) (Pos.of_succ_nat (length (base F ds root))) lines = true)
    by (destruct root; auto; congruence).
  eapply (refutation_sound (world env ds)); [|exact H']. intros j c Hj.
  apply number_in in Hj as [Hj|Hj]; [rewrite PM.gempty in Hj; discriminate|].
  unfold base in Hj. apply in_app_iff in Hj as [Hj|Hj]; [|apply in_app_iff in Hj as [Hj|Hj]].
  - apply in_map_iff in Hj as [c' [<- Hc]]. specialize (HF _ Hc). unfold satisfied, lifted in *.
    apply existsb_exists in HF as [l [I L]]. apply existsb_exists. exists (xO (fst l), snd l). split; auto.
    apply in_map_iff. eauto.
  - apply definitions_in in Hj as [n [es [e [H1 [H2 ->]]]]].
    pose proof (find_number_nth ds 1 (PM.empty _) n es H1) as Fd. fold (decisions ds) in Fd.
    set (d := Pos.of_nat _) in *. destruct (value_decision (lit env) ds d es W Fd) as [V E].
    unfold of_element. rewrite !satisfied_app.
    rewrite forallb_forall in E. specialize (E _ H2). apply andb_true_iff in E as [E1 E2].
    destruct (satisfied (world env ds) (denied (fst e))) eqn:A; auto.
    destruct (satisfied (world env ds) (denied (snd e))) eqn:B; auto. rewrite !orb_false_l.
    change (Bool.eqb (value (lit env) ds (SD d)) true || false = true). rewrite V, orb_false_r.
    assert (K : existsb (fun e0 : element => value (lit env) ds (fst e0) && value (lit env) ds (snd e0)) es = true).
    { apply existsb_exists. exists e. split; auto.
      assert (Y : forall s d', earlier d' s = true -> satisfied (world env ds) (denied s) = false -> value (lit env) ds s = true).
      { intros s d' Es Ds. destruct s as [| |v b|j']; simpl in Es; try discriminate; auto;
        rewrite denied_world in Ds by discriminate; now apply negb_false_iff in Ds. }
      now rewrite (Y _ _ E1 A), (Y _ _ E2 B). }
    now rewrite K.
  - destruct root as [| |v b|d]; [congruence|destruct Hj| |];
    (destruct Hj as [Hj|Hj]; [subst c|destruct Hj]; rewrite denied_world by discriminate; now rewrite R).
Qed.
