(* Diagrams, and that one has exactly the models of its clauses: the first two things that DiagramCheck looks at.

   A diagram is a list of decisions, each a list of products of two earlier slots, read as a sum; shared parts are
   written once. (1) The root entails each clause: a literal those that it is in, a product what its
   sides entail, a sum what all its products do. (2) The clauses, the definitions of
   the decisions and "not root" are refuted by a list of clauses, each with the clauses it follows from by unit steps. *)
Require Import List Arith Lia Bool PArith FMapPositive.
Import ListNotations.
Module PM := PositiveMap.

Inductive slot := ST | SF | SL (v : positive) (b : bool) | SD (d : positive).
Definition element := (slot * slot)%type.
Definition diagram := list (list element).
Definition clause := list (positive * bool).

(* ── Sets of numbers, as tries ── *)

Definition set := PM.t unit.
Definition mem (k : positive) (s : set) : bool := PM.mem k s.
Fixpoint union (s t : set) : set :=
  match s, t with
  | PM.Leaf _, _ => t
  | _, PM.Leaf _ => s
  | PM.Node l o r, PM.Node l' o' r' => PM.Node (union l l') (match o with Some _ => o | None => o' end) (union r r') end.
Definition node (l : set) (o : option unit) (r : set) : set :=
  match l, o, r with PM.Leaf _, None, PM.Leaf _ => PM.empty unit | _, _, _ => PM.Node l o r end.
Fixpoint inter (s t : set) : set :=
  match s, t with
  | PM.Node l o r, PM.Node l' o' r' => node (inter l l') (match o with Some _ => o' | None => None end) (inter r r')
  | _, _ => PM.empty unit end.
Fixpoint disjoint (s t : set) : bool :=
  match s, t with
  | PM.Node l o r, PM.Node l' o' r' =>
      match o, o' with Some _, Some _ => false | _, _ => true end && disjoint l l' && disjoint r r'
  | _, _ => true end.
Fixpoint subset (s t : set) : bool :=
  match s with
  | PM.Leaf _ => true
  | PM.Node l o r => match t with
    | PM.Leaf _ => match o with Some _ => false | None => true end && subset l (PM.empty unit) && subset r (PM.empty unit)
    | PM.Node l' o' r' =>
        match o, o' with Some _, None => false | _, _ => true end && subset l l' && subset r r' end end.
Lemma mem_find k (s : set) : mem k s = match PM.find k s with Some _ => true | None => false end.
Proof. apply PM.mem_find. Qed.
Lemma mem_empty k : mem k (PM.empty unit) = false.
Proof. now rewrite mem_find, PM.gempty. Qed.
Lemma mem_add j k (s : set) : mem j (PM.add k tt s) = Pos.eqb j k || mem j s.
Proof.
  rewrite !mem_find. destruct (Pos.eqb_spec j k) as [->|N]; [now rewrite PM.gss|]. now rewrite PM.gso by auto.
Qed.
Lemma mem_leaf k : mem k (PM.Leaf unit) = false.
Proof. exact (mem_empty k). Qed.
Lemma mem_union k s t : mem k (union s t) = true <-> mem k s = true \/ mem k t = true.
Proof.
  revert t k. induction s as [|l IHl o r IHr]; intros t k; [simpl; rewrite mem_leaf; intuition discriminate|].
  destruct t as [|l' o' r']; [simpl union; rewrite mem_leaf; intuition discriminate|].
  destruct k; simpl; [apply IHr|apply IHl|]. destruct o, o'; simpl; intuition discriminate.
Qed.
Lemma mem_node k l o r : mem k (node l o r) = mem k (PM.Node l o r).
Proof. destruct l, o, r; auto. destruct k; simpl; auto; try (symmetry; apply mem_leaf); apply mem_leaf. Qed.
Lemma mem_inter k s t : mem k (inter s t) = true <-> mem k s = true /\ mem k t = true.
Proof.
  revert t k. induction s as [|l IHl o r IHr]; intros t k; [simpl; rewrite mem_empty, mem_leaf; intuition discriminate|].
  destruct t as [|l' o' r']; [simpl inter; rewrite mem_empty, mem_leaf; intuition discriminate|].
  simpl inter. rewrite mem_node. destruct k; simpl; [apply IHr|apply IHl|]. destruct o, o'; simpl; intuition discriminate.
Qed.
Lemma disjoint_sound s t k : disjoint s t = true -> mem k s = true -> mem k t = true -> False.
Proof.
  revert t k. induction s as [|l IHl o r IHr]; intros t k; [rewrite mem_leaf; discriminate|].
  destruct t as [|l' o' r']; [rewrite mem_leaf; discriminate|]. simpl. rewrite !andb_true_iff. intros [[O L] R].
  destruct k; simpl; [apply IHr; auto|apply IHl; auto|]. destruct o, o'; discriminate.
Qed.
Lemma subset_sound s t k : subset s t = true -> mem k s = true -> mem k t = true.
Proof.
  revert t k. induction s as [|l IHl o r IHr]; intros t k; [rewrite mem_leaf; discriminate|].
  destruct t as [|l' o' r']; simpl; rewrite !andb_true_iff; intros [[O L] R] M; destruct k; simpl in M |- *;
    try (now apply (IHr _ _ R)); try (now apply (IHl _ _ L)).
  - pose proof (IHr _ _ R M) as X. rewrite mem_empty in X. discriminate.
  - pose proof (IHl _ _ L M) as X. rewrite mem_empty in X. discriminate.
  - destruct o; discriminate.
  - destruct o, o'; auto; discriminate.
Qed.

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

Lemma find_number_nth {X} (l : list X) : forall k M n x, nth_error l n = Some x ->
  PM.find (Pos.of_nat (Pos.to_nat k + n)) (number k M l) = Some x.
Proof.
  induction l as [|y l IH]; intros k M n x H; [destruct n; discriminate|].
  destruct n; simpl in *.
  - inversion H; subst. rewrite Nat.add_0_r, Pos2Nat.id, number_before by lia. apply PM.gss.
  - rewrite <- (IH (Pos.succ k) (PM.add k y M) n x H). do 2 f_equal. lia.
Qed.
Definition same (x y : positive * bool) : bool := Pos.eqb (fst x) (fst y) && Bool.eqb (snd x) (snd y).
(* for each literal the clauses of a block that it is in, and all clauses of the block, by number *)
Definition literal_code (v : positive) (b : bool) : positive := if b then xO v else xI v.
Definition among (L : PM.t set) (x : positive) : set := match PM.find x L with Some s => s | None => PM.empty unit end.
Fixpoint index (k : positive) (L : PM.t set) (c : clause) : PM.t set :=
  match c with
  | [] => L
  | (v, b) :: c => let x := literal_code v b in index k (PM.add x (PM.add k tt (among L x)) L) c end.
Fixpoint index_all (k : positive) (L : PM.t set) (F : list clause) : PM.t set :=
  match F with [] => L | c :: F => index_all (Pos.succ k) (index k L c) F end.
Fixpoint numbers (k : positive) (F : list clause) : set :=
  match F with [] => PM.empty unit | _ :: F => PM.add k tt (numbers (Pos.succ k) F) end.
Definition shown (L G : PM.t set) (s : slot) : set :=
  match s with SL v b => among L (literal_code v b) | SD d => among G d | _ => PM.empty unit end.
Definition product_shows (L G : PM.t set) (e : element) : set := union (shown L G (fst e)) (shown L G (snd e)).
Fixpoint sum_shows (L G : PM.t set) (es : list element) (t : set) : set :=
  match es with [] => t | e :: es => sum_shows L G es (inter t (product_shows L G e)) end.
Fixpoint show (L : PM.t set) (all : set) (k : positive) (G : PM.t set) (ds : diagram) : PM.t set :=
  match ds with
  | [] => G
  | es :: ds => let t := match es with [] => all | e :: es => sum_shows L G es (product_shows L G e) end in
      show L all (Pos.succ k) (PM.add k t G) ds end.
Definition entails_block (ds : diagram) (root : slot) (F : list clause) : bool :=
  let all := numbers 1 F in let L := index_all 1 (PM.empty set) F in
  match root with
  | SF => true
  | _ => subset all (shown L (show L all 1 (PM.empty set) ds) root) end.

Section Entails.
Variable F : list clause.
Variable env : positive -> bool.
Definition proves (s : set) : Prop :=
  forall k c, mem k s = true -> PM.find k (number 1 (PM.empty clause) F) = Some c -> satisfied env c = true.
Lemma proves_empty : proves (PM.empty unit).
Proof. intros k c H. rewrite mem_empty in H. discriminate. Qed.
Lemma proves_union s t : proves s -> proves t -> proves (union s t).
Proof. intros S T k c H. apply mem_union in H as [H|H]; [apply S|apply T]; auto. Qed.
Lemma proves_inter s t : proves s \/ proves t -> proves (inter s t).
Proof. intros [S|T] k c H; apply mem_inter in H as [H1 H2]; [apply S|apply T]; auto. Qed.
(* a set of the index is of clauses that the literal is in *)
Definition indexed (L : PM.t set) : Prop := forall v b k c, mem k (among L (literal_code v b)) = true ->
  PM.find k (number 1 (PM.empty clause) F) = Some c -> In (v, b) c.
Lemma literal_code_inj v b u a : literal_code v b = literal_code u a -> v = u /\ b = a.
Proof. destruct b, a; simpl; intro H; inversion H; auto. Qed.
Lemma index_right k c0 : PM.find k (number 1 (PM.empty clause) F) = Some c0 -> forall c L,
  incl c c0 -> indexed L -> indexed (index k L c).
Proof.
  intro K. induction c as [|[v b] c IH]; simpl; intros L I H; auto. apply IH; [intros x X; apply I; simpl; auto|].
  intros u a j d M N. unfold among at 1 in M. destruct (Pos.eq_dec (literal_code u a) (literal_code v b)) as [E|E].
  - rewrite E, PM.gss, mem_add, orb_true_iff, Pos.eqb_eq in M. apply literal_code_inj in E as [-> ->].
    destruct M as [->|M]; [|eapply H; eauto]. rewrite K in N. inversion N; subst. apply I; simpl; auto.
  - rewrite PM.gso in M by auto. eapply H; eauto.
Qed.
Lemma index_all_right l : forall k L M, number k M l = number 1 (PM.empty clause) F ->
  indexed L -> indexed (index_all k L l).
Proof.
  induction l as [|c l IH]; simpl; intros k L M E H; auto. apply (IH _ _ (PM.add k c M)); auto.
  apply (index_right k c); [|apply incl_refl|auto]. rewrite <- E, number_before, PM.gss by lia. auto.
Qed.
Lemma indexed_empty : indexed (PM.empty set).
Proof. intros v b k c H. unfold among in H. rewrite PM.gempty, mem_empty in H. discriminate. Qed.

Variable ds0 : diagram.
Hypothesis W : well_ordered 1 ds0 = true.
Variable L : PM.t set.
Hypothesis R : indexed L.
Variable all : set.
Definition good (G : PM.t set) : Prop := forall d, holds env ds0 (SD d) = true -> proves (among G d).
Lemma shown_right G s : good G -> holds env ds0 s = true -> proves (shown L G s).
Proof.
  intros H. destruct s as [| |v b|d]; simpl; intro T; try apply proves_empty.
  - intros k c M N. apply existsb_exists. exists (v, b). split; [eapply R; eauto|exact T].
  - now apply H.
Qed.
Lemma sum_shows_right G es : good G -> forall t,
  (proves t \/ exists e, In e es /\ holds env ds0 (fst e) = true /\ holds env ds0 (snd e) = true) ->
  proves (sum_shows L G es t).
Proof.
  intros H. induction es as [|e es IH]; simpl; intros t T.
  - destruct T as [T|[e [[] _]]]; auto.
  - apply IH. destruct T as [T|[x [[<-|I] [A B]]]]; [left|left|right; exists x; auto]; apply proves_inter; auto.
    right. apply proves_union; apply shown_right; auto.
Qed.
Lemma show_right ds : forall k G M, number k M ds = decisions ds0 -> good G -> good (show L all k G ds).
Proof.
  induction ds as [|es ds IH]; simpl; intros k G M E H; auto. apply (IH _ _ (PM.add k es M)); auto.
  assert (Fk : PM.find k (decisions ds0) = Some es) by (rewrite <- E, number_before, PM.gss by lia; auto).
  intros d T. unfold among. destruct (Pos.eq_dec d k) as [->|N]; [rewrite PM.gss|rewrite PM.gso by auto; now apply H].
  unfold holds in T. rewrite (proj1 (value_decision _ ds0 k es W Fk)) in T.
  apply existsb_exists in T as [e [I T]]. apply andb_true_iff in T as [A B].
  destruct es as [|e0 es]; [destruct I|]. apply sum_shows_right; auto.
  destruct I as [<-|I]; [left|right; exists e; auto]. apply proves_union; apply shown_right; auto.
Qed.
End Entails.
Lemma numbers_mem F : forall k n c, nth_error F n = Some c -> mem (Pos.of_nat (Pos.to_nat k + n)) (numbers k F) = true.
Proof.
  induction F as [|x F IH]; intros k n c H; [destruct n; discriminate|]. simpl. rewrite mem_add.
  destruct n; simpl in *; [rewrite Nat.add_0_r, Pos2Nat.id, Pos.eqb_refl; auto|].
  apply orb_true_iff. right. rewrite <- (IH (Pos.succ k) n c H). f_equal. lia.
Qed.
Lemma entails_block_sound ds root F : well_ordered 1 ds = true -> entails_block ds root F = true ->
  forall env, holds env ds root = true -> forall c, In c F -> satisfied env c = true.
Proof.
  unfold entails_block. intros W H env T c I. apply In_nth_error in I as [n I].
  assert (P : proves F env (shown (index_all 1 (PM.empty set) F)
    (show (index_all 1 (PM.empty set) F) (numbers 1 F) 1 (PM.empty set) ds) root)).
  { assert (X : indexed F (index_all 1 (PM.empty set) F))
      by (apply (index_all_right F F 1 _ (PM.empty clause)); [auto|apply indexed_empty]).
    apply (shown_right F env ds _ X); auto. apply (show_right F env ds W _ X _ ds 1 _ (PM.empty _)); [auto|].
    intros d _ k x M. unfold among in M. rewrite PM.gempty, mem_empty in M. discriminate. }
  assert (S : subset (numbers 1 F) (shown (index_all 1 (PM.empty set) F)
    (show (index_all 1 (PM.empty set) F) (numbers 1 F) 1 (PM.empty set) ds) root) = true)
    by (destruct root; auto; discriminate T).
  apply (P _ _ (subset_sound _ _ _ S (numbers_mem F 1 n c I))). now apply find_number_nth.
Qed.
(* blocks of clauses, so that the sets of all decisions stay small together *)
Fixpoint blocks (size room : nat) (block F : list clause) : list (list clause) :=
  match F with
  | [] => [block]
  | c :: F => match room with
    | O => block :: blocks size size [c] F
    | S room => blocks size room (c :: block) F end end.
Lemma blocks_in size c F : forall room block, In c block \/ In c F -> exists l, In l (blocks size room block F) /\ In c l.
Proof.
  induction F as [|d F IH]; simpl; intros room block H; [exists block; split; auto; tauto|].
  destruct room as [|room]; [|apply IH; simpl; tauto]. destruct H as [H|H]; [exists block; simpl; auto|].
  destruct (IH size [d]) as [l [I J]]; [simpl; tauto|]. exists l. simpl. auto.
Qed.
Definition entails_all (ds : diagram) (root : slot) (F : list clause) : bool :=
  forallb (entails_block ds root) (blocks 63 63 [] F).
Lemma entails_all_sound ds root F : well_ordered 1 ds = true -> entails_all ds root F = true ->
  forall env, holds env ds root = true -> forall c, In c F -> satisfied env c = true.
Proof.
  unfold entails_all. rewrite forallb_forall. intros W H env T c I.
  destruct (blocks_in 63 c F 63 []) as [l [B J]]; [auto|]. exact (entails_block_sound ds root l W (H _ B) env T c J).
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
