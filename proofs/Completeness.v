(* Completeness with nominals anywhere, keys, ranges, reflexive roles, chains, and Self on simple roles
   (the conditions of OWL 2 EL). The canonical model merges contexts that share a nominal; of every
   other context it has infinitely many copies, so that no context is its own successor by accident.
   This covers the paper's fragments (b), (c), (e) without its restriction to shallow concepts, and lets them be
     mixed. *)
Require Import List Arith Lia Bool Eqdep_dec.
Import ListNotations.
From Moose Require Import Horn Calculus Saturated.

(* no chain implies r *)
Definition simple U O c0 r := forall r1 r2 s, In (RC r1 r2 s) O -> ~ Derives U O c0 (FH s r).

Section Canonical.
Variable U : list concept.
Variable O : ontology.
Variable c0 : concept.
Notation D := (Derives U O c0).
Hypothesis WF : universe U O.
Hypothesis Hc0 : In c0 U.
Hypothesis SAFE : chain_ranges_agree U O c0.
Hypothesis SIMPLE : forall r, In (Self r) U -> simple U O c0 r.
Variable holds : fact -> bool.
Hypothesis holds_iff : forall f, holds f = true <-> D f.
Hypothesis consistent : ~ D (FS (c0, None) Bot).
Ltac rule R := eapply by_rule; [eapply R; eauto|each; eauto].

Definition names : list nat := flat_map (fun c => match c with Nom i => [i] | _ => [] end) U.
Lemma names_In i : In i names <-> In (Nom i) U.
Proof.
  unfold names. rewrite in_flat_map. split.
  - intros [c [H K]]. destruct c; simpl in K; try tauto. destruct K as [<-|[]]; auto.
  - intro H. exists (Nom i); simpl; auto.
Qed.
Lemma reach_nom i : In (Nom i) U -> D (FR (nom i)). Proof. intro H. rule r_nom. Qed.
Lemma reach_root : D (FR (c0, None)). Proof. rule r_root. Qed.
Lemma sub_self x : D (FR x) -> D (FS x (fst x)). Proof. intro H. rule s_init. Qed.

(* the representative of a context: its first nominal, or itself *)
Definition nominal_of (x : ctx) := find (fun i => holds (FS x (Nom i))) names.
Definition rep (x : ctx) : ctx := match nominal_of x with Some i => nom i | None => x end.
Lemma nominal_of_spec x i : nominal_of x = Some i -> In (Nom i) U /\ D (FS x (Nom i)).
Proof. intro H. apply find_some in H. rewrite names_In, holds_iff in H. exact H. Qed.
Lemma same_nominal_sub x y i e : D (FR x) -> D (FS x (Nom i)) -> D (FS y (Nom i)) -> D (FS x e) -> D (FS y e).
Proof. intros. rule (s_nom U c0 x y i e). Qed.
Lemma rep_reach x : D (FR x) -> D (FR (rep x)).
Proof.
  intro H. unfold rep. destruct (nominal_of x) as [i|] eqn:E; auto. apply nominal_of_spec in E. apply reach_nom; tauto.
Qed.
Lemma rep_sub x e : D (FR x) -> (D (FS (rep x) e) <-> D (FS x e)).
Proof.
  intro H. unfold rep. destruct (nominal_of x) as [i|] eqn:E; [|tauto]. apply nominal_of_spec in E as [E1 E2].
  assert (N := reach_nom i E1). assert (S := sub_self (nom i) N).
  split; intro K; [apply (same_nominal_sub (nom i) x i)|apply (same_nominal_sub x (nom i) i)]; auto.
Qed.
Lemma rep_link x r z : D (FR x) -> (D (FL (rep x) r z) <-> D (FL x r z)).
Proof.
  intro H. unfold rep. destruct (nominal_of x) as [i|] eqn:E; [|tauto]. apply nominal_of_spec in E as [E1 E2].
  assert (N := reach_nom i E1). assert (S := sub_self (nom i) N).
  split; intro K; [rule (l_nom U c0 (nom i) x z i r)|rule (l_nom U c0 x (nom i) z i r)].
Qed.
Lemma find_ext {A} (f g : A -> bool) l : (forall x, f x = g x) -> find f l = find g l.
Proof. intro H; induction l; simpl; auto. rewrite H, IHl; auto. Qed.
Lemma rep_eq x y i : D (FR x) -> D (FR y) -> D (FS x (Nom i)) -> D (FS y (Nom i)) -> rep x = rep y.
Proof.
  intros Hx Hy Sx Sy.
  assert (E : nominal_of x = nominal_of y).
  { apply find_ext. intro k. apply eq_true_iff_eq. rewrite !holds_iff.
    split; [apply (same_nominal_sub x y i)|apply (same_nominal_sub y x i)]; auto. }
  unfold rep. destruct (nominal_of y) as [j|] eqn:Ey; rewrite E; auto.
  exfalso. apply find_none with (x := i) in Ey.
  - apply holds_iff in Sy. congruence.
  - apply names_In. apply (sub_placed U O c0 WF Hc0 _ _ Sy).
Qed.
Lemma rep_rep x : D (FR x) -> rep (rep x) = rep x.
Proof.
  intro H. unfold rep at 2 3. destruct (nominal_of x) as [i|] eqn:E; [|unfold rep; rewrite E; auto].
  destruct (nominal_of_spec _ _ E) as [E1 E2].
  rewrite (rep_eq (nom i) x i); auto; [unfold rep; rewrite E; auto|apply reach_nom; auto|].
  apply (sub_self (nom i)), reach_nom; auto.
Qed.

(* elements: representatives; those without a nominal come in numbered copies *)
Definition anonymous x := match nominal_of x with None => true | Some _ => false end.
Definition is_element (p : ctx * nat) : bool :=
  holds (FR (fst p)) && (if ctx_dec (rep (fst p)) (fst p) then true else false) && (anonymous (fst p) ||
    Nat.eqb (snd p) 0).
Definition element := {p : ctx * nat | is_element p = true}.
Definition tag (p : element) : ctx := fst (proj1_sig p).
Lemma element_eq (p q : element) : proj1_sig p = proj1_sig q -> p = q.
Proof. destruct p as [p Hp], q as [q Hq]; simpl. intros <-. f_equal. apply UIP_dec, bool_dec. Qed.
Lemma tag_reach p : D (FR (tag p)).
Proof.
  destruct p as [p Hp]. unfold tag; simpl. unfold is_element in Hp. rewrite !andb_true_iff, holds_iff in Hp. tauto.
Qed.
Lemma tag_rep p : rep (tag p) = tag p.
Proof.
  destruct p as [p Hp]. unfold tag; simpl. unfold is_element in Hp. rewrite !andb_true_iff in Hp.
  destruct (ctx_dec (rep (fst p)) (fst p)); auto. destruct Hp as [[_ X] _]; discriminate.
Qed.
Definition place (x : ctx) (n : nat) : ctx * nat := (rep x, if anonymous (rep x) then n else 0).
Lemma place_ok x n : D (FR x) -> is_element (place x n) = true.
Proof.
  intro H. unfold is_element, place; simpl. rewrite !andb_true_iff. repeat split.
  - apply holds_iff, rep_reach; auto.
  - destruct (ctx_dec (rep (rep x)) (rep x)); auto. exfalso; auto using rep_rep.
  - destruct (anonymous (rep x)); auto.
Qed.
Definition put x n (H : D (FR x)) : element := exist _ (place x n) (place_ok x n H).
Lemma put_eq x y n m Hx Hy : rep x = rep y -> n = m -> put x n Hx = put y m Hy.
Proof. intros E ->. apply element_eq. simpl. unfold place. rewrite E. auto. Qed.
Lemma put_named x n p Hx : rep x = tag p -> anonymous (tag p) = false -> put x n Hx = p.
Proof.
  intros E A. apply element_eq. simpl. unfold place. rewrite E, A. destruct p as [[y m] Hp]; unfold tag in *;
    simpl in *.
  unfold is_element in Hp; simpl in Hp. rewrite !andb_true_iff, A in Hp. simpl in Hp.
  destruct Hp as [_ Hp]. apply Nat.eqb_eq in Hp. subst; auto.
Qed.

(* a name outside the ontology borrows some other element's name *)
Definition individual (i : nat) : element :=
  match in_dec concept_dec (Nom i) U with
  | left h => put (nom i) 0 (reach_nom i h)
  | right _ =>
      match names as l return (forall j, In j l -> In (Nom j) U) -> element with
      | j :: _ => fun h => put (nom j) 0 (reach_nom j (h j (or_introl eq_refl)))
      | [] => fun _ => put (c0, None) 0 reach_root
      end (fun j => proj1 (names_In j))
  end.
Lemma individual_cases i : (names = [] /\ individual i = put (c0, None) 0 reach_root) \/
  exists j (h : In (Nom j) U), individual i = put (nom j) 0 (reach_nom j h).
Proof.
  unfold individual. destruct (in_dec concept_dec (Nom i) U) as [h|h]; [right; eauto|].
  generalize (fun j => proj1 (names_In j)). intro k. revert k. destruct names as [|j l]; intro k; [left; auto|right;
    eauto].
Qed.
Definition canon : interp := mkI element
  (fun a p => D (FS (tag p) (Atom a)))
  (fun r p q => (exists y, D (FL (tag p) r y) /\ rep y = tag q) /\ (simple U O c0 r -> p = q -> D (FF (tag p) r)))
  individual.

Lemma self_edge r (p : element) : D (FF (tag p) r) -> rI canon r p p.
Proof. intro H. split; auto. exists (tag p). split; [rule l_self|apply tag_rep]. Qed.
(* a link leads to an element *)
Lemma link_edge r (p : element) y (L : D (FL (tag p) r y)) :
  exists q : element, rI canon r p q /\ rep y = tag q.
Proof.
  destruct (link_placed U O c0 WF Hc0 _ _ _ L) as [Hx Hy].
  exists (put y (S (snd (proj1_sig p))) Hy). split; [|reflexivity]. split; [exists y; auto|].
  intros _ E. destruct (nominal_of (tag p)) as [i|] eqn:N.
  - destruct (nominal_of_spec _ _ N) as [Ni Ns]. rule (f_nom U c0 (tag p) y i r).
    apply rep_sub; auto. replace (rep y) with (tag p); auto. apply (f_equal tag) in E. exact E.
  - exfalso. apply (f_equal (@proj1_sig _ _)) in E. simpl in E. unfold place in E.
    assert (R : rep y = tag p) by (unfold tag; rewrite E; auto). assert (A : anonymous (rep y) = true).
    { rewrite R. unfold anonymous. rewrite N. auto. }
    rewrite A in E. apply (f_equal snd) in E. simpl in E. lia.
Qed.

Lemma truth e : In e U -> forall p : dom canon, D (FS (tag p) e) <-> eval canon e p.
Proof.
  destruct WF as (HT & HB & HS & HC).
  induction e as [| |a|i|e1 IH1 e2 IH2|r e IH|r]; intros He p; cbn [eval].
  - split; auto. intros _. rule s_top. apply tag_reach.
  - split; [|tauto]. intro H. apply consistent. eapply clash_at_root; eauto.
  - reflexivity.
  - assert (N := reach_nom i He). cbn [iI canon]. unfold individual.
    destruct (in_dec concept_dec (Nom i) U) as [h|h]; [|tauto]. split.
    + intro H. symmetry. apply put_named.
      * rewrite <- (tag_rep p). apply rep_eq with i; auto; [apply tag_reach|apply (sub_self (nom i) N)].
      * unfold anonymous. destruct (nominal_of (tag p)) eqn:E; auto. apply find_none with (x := i) in E;
        [|apply names_In; auto].
        apply holds_iff in H. congruence.
    + intros ->. unfold tag; simpl. apply rep_sub; auto. apply (sub_self (nom i) N).
  - destruct (HS _ He) as [H1 H2]. rewrite <- IH1, <- IH2 by auto. split.
    + intro H. split; [rule s_andl|rule s_andr].
    + intros [A B]. rule s_andi.
  - assert (He' := HS _ He). simpl in He'. split.
    + intro H. assert (L : D (FL (tag p) r (e, Some r))) by (rule l_ex).
      destruct (link_edge r p _ L) as [q [E1 E2]]. exists q. split; auto. apply IH; auto.
      rewrite <- E2. assert (Hy : D (FR (e, Some r))) by (apply (link_placed U O c0 WF Hc0 _ _ _ L)).
      apply rep_sub; auto. apply (sub_self (e, Some r) Hy).
    + intros [q [[[y [L E]] _] Hq]]. apply IH in Hq; auto. rewrite <- E in Hq.
      apply (proj1 (rep_sub y e (proj2 (link_placed U O c0 WF Hc0 _ _ _ L)))) in Hq. rule s_ex.
  - split; [intro H; apply self_edge; rule f_self|].
    intros [_ K]. rule s_self.
Qed.

Lemma simple_down r s : In (RI r s) O -> simple U O c0 s -> simple U O c0 r.
Proof. intros Ha H r1 r2 t Hc K. apply (H r1 r2 t Hc). apply axiom_fact with (U := U) (c0 := c0) in Ha. rule h_step.
  Qed.
Lemma key_fires c rs i j (hi : In (Nom i) U) (hj : In (Nom j) U) : In (Key c rs) O ->
  D (FS (nom i) c) -> D (FS (nom j) c) -> (forall r, In r rs -> D (FK i j r)) -> D (FS (nom i) (Nom j)).
Proof.
  intros Ha Hi Hj H. eapply by_rule; [apply (s_key U c0 c rs i j); auto|].
  apply Forall_app; split; [each; auto; apply axiom_fact; auto|].
  apply Forall_forall. intros f Hf. apply in_map_iff in Hf as [r [<- Hr]]; auto.
Qed.
Lemma edge_named r i k (hi : In (Nom i) U) (hk : In (Nom k) U) :
  rI canon r (put (nom i) 0 (reach_nom i hi)) (put (nom k) 0 (reach_nom k hk)) ->
  exists y, D (FL (nom i) r y) /\ D (FS y (Nom k)).
Proof.
  intros [[y [L E]] _]. unfold tag in *; simpl in *. exists y. split; [apply (proj1 (rep_link _ _ _ (reach_nom i
    hi))); auto|].
  apply rep_sub; [apply (link_placed U O c0 WF Hc0 _ _ _ L)|]. rewrite E.
  apply rep_sub; [apply reach_nom; auto|]. apply (sub_self (nom k)), reach_nom; auto.
Qed.

Theorem canon_satisfies_nominals : model canon O.
Proof.
  intros a Ha. assert (HC := proj2 (proj2 (proj2 WF)) _ Ha).
  assert (Da := axiom_fact U O c0 _ Ha). destruct a as [c d|r s|r1 r2 s|r c|r|c rs]; cbn [satA] in *.
  - intros p Hp. apply truth in Hp; [|tauto]. apply truth; [tauto|]. rule s_gci.
  - intros p q [[y [L E]] K]. split; [exists y; split; auto; rule l_ri|].
    intros S Epq. rule f_ri. apply K; auto. eapply simple_down; eauto.
  - intros p q z [[y [L E]] _] [[y' [L' E']] _]. split.
    + exists y'. split; auto. rewrite <- E in L'.
      apply (proj1 (rep_link _ _ _ (proj2 (link_placed U O c0 WF Hc0 _ _ _ L)))) in L'. rule (l_rc U c0 (tag p) y y').
    + intro S. exfalso. apply (S _ _ _ Ha). rule h_refl.
  - intros p q [[y [L E]] _]. apply truth; auto. rewrite <- E.
    apply rep_sub; [apply (link_placed U O c0 WF Hc0 _ _ _ L)|].
    eapply links_carry_ranges; eauto. rule h_refl.
  - intro p. apply self_edge. rule f_refl. apply tag_reach.
  - intros i j Hi Hj H. cbn [iI canon] in *.
    destruct (individual_cases i) as [[E Ei]|[i' [hi Ei]]], (individual_cases j) as [[E' Ej]|[j' [hj Ej]]];
      rewrite Ei, Ej in *.
    + reflexivity.
    + pose proof (proj2 (names_In j') hj) as X. rewrite E in X. destruct X.
    + pose proof (proj2 (names_In i') hi) as X. rewrite E' in X. destruct X.
    + apply put_eq; auto. apply truth in Hi; auto. apply truth in Hj; auto. unfold tag in Hi, Hj; simpl in Hi, Hj.
      apply (proj1 (rep_sub _ _ (reach_nom i' hi))) in Hi. apply (proj1 (rep_sub _ _ (reach_nom j' hj))) in Hj.
      assert (S : D (FS (nom i') (Nom j'))).
      { apply (key_fires c rs); auto. intros r Hr. destruct (H r Hr) as [k [Hik Hjk]].
        destruct (individual_cases k) as [[Ek _]|[k' [hk Ek]]]; [pose proof (proj2 (names_In i') hi) as X;
          rewrite Ek in X; destruct X|].
        rewrite Ek in Hik, Hjk. apply edge_named in Hik as [y [Y1 Y2]]. apply edge_named in Hjk as [z [Z1 Z2]].
        rule (k_share U c0 i' j' k' r y z). }
      apply rep_eq with j'; auto; try apply reach_nom; auto. apply (sub_self (nom j')), reach_nom; auto.
Qed.

Lemma root_inside : exists p : dom canon, rep (c0, None) = tag p /\ eval canon c0 p.
Proof.
  exists (put (c0, None) 0 reach_root). split; [reflexivity|]. apply truth; auto.
  unfold tag; simpl. apply rep_sub; [apply reach_root|]. apply (sub_self (c0, None) reach_root).
Qed.
Theorem complete_if_consistent d : In d U -> Entails O c0 d -> Sat U O c0 d.
Proof.
  intros Hd H. destruct root_inside as [p [E Hp]]. unfold Sat. apply rep_sub; [apply reach_root|]. rewrite E.
  apply truth; auto. apply H; auto. apply canon_satisfies_nominals.
Qed.
End Canonical.
