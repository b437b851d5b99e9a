(* Completeness for nominal-free and left-nominal ontologies (the paper's fragments (a), (b), (d)), with Self on any
   role.
   The canonical model has numbered copies of every context, and every link leads from a lower number to a higher,
   so that only derived self-links are loops. Keys can then never fire, so they hold for free. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Calculus Saturated.

Fixpoint nominal_free (c : concept) : Prop :=
  match c with
  | Nom _ => False | And c d => nominal_free c /\ nominal_free d | Ex _ c => nominal_free c | _ => True
  end.
(* on the left, a single nominal {a} may stand for a nominal-free concept *)
Definition left_nominal c := nominal_free c \/ exists i, c = Nom i.
Definition left_nominal_axiom a :=
  match a with
  | GCI c d => left_nominal c /\ nominal_free d
  | Range _ c => nominal_free c
  | Key c rs => nominal_free c /\ rs <> []
  | _ => True
  end.
Definition left_nominal_ontology (O : ontology) := forall a, In a O -> left_nominal_axiom a.
Definition nominal_free_axiom a :=
  match a with
  | GCI c d => nominal_free c /\ nominal_free d
  | Range _ c => nominal_free c
  | Key c rs => nominal_free c /\ rs <> []
  | _ => True
  end.
Lemma nominal_free_left a : nominal_free_axiom a -> left_nominal_axiom a.
Proof. destruct a; simpl; unfold left_nominal; tauto. Qed.

Section Tree.
Variable U : list concept.
Variable O : ontology.
Variable c0 : concept.
Notation D := (Derives U O c0).
Hypothesis WF : universe U O.
Hypothesis Hc0 : In c0 U.
Hypothesis SAFE : chain_ranges_agree U O c0.
Hypothesis LEFT : left_nominal_ontology O.
Hypothesis consistent : ~ D (FS (c0, None) Bot).
Hypothesis root_left : left_nominal c0.
Ltac rule R := eapply by_rule; [eapply R; eauto|each; eauto].

Definition element := {p : ctx * nat | D (FR (fst p))}.
Definition tag (p : element) : ctx := fst (proj1_sig p).
Definition level (p : element) : nat := snd (proj1_sig p).
Lemma reach_root : D (FR (c0, None)). Proof. rule r_root. Qed.
Lemma reach_nom i : In (Nom i) U -> D (FR (nom i)). Proof. intro. rule r_nom. Qed.
Definition root : element := exist _ ((c0, None), 0) reach_root.
Definition tree : interp := mkI element
  (fun a p => D (FS (tag p) (Atom a)))
  (fun r p q => (level p < level q /\ D (FL (tag p) r (tag q))) \/ (p = q /\ D (FF (tag p) r)))
  (fun i => match in_dec concept_dec (Nom i) U with
    | left h => exist _ (nom i, 0) (reach_nom i h)
    | right _ => root end).

Lemma truth_up e : nominal_free e -> forall p : dom tree, D (FS (tag p) e) -> eval tree e p.
Proof.
  induction e as [| |a|i|e1 IH1 e2 IH2|r e IH|r]; intros N p H; cbn [eval]; cbn [nominal_free] in N; auto; try tauto.
  - apply consistent. eapply clash_at_root; eauto.
  - destruct N. split; [apply IH1|apply IH2]; auto; [rule s_andl|rule s_andr].
  - assert (K : In (Ex r e) U) by (apply (sub_placed U O c0 WF Hc0 _ _ H)).
    assert (L : D (FL (tag p) r (e, Some r))) by (rule l_ex).
    assert (R : D (FR (e, Some r))) by (apply (link_placed U O c0 WF Hc0 _ _ _ L)).
    exists (exist _ ((e, Some r), S (level p)) R). split; [left; split; [unfold level; simpl; lia|exact L]|].
    apply IH; auto. unfold tag; simpl. eapply by_rule; [apply (s_init U c0 (e, Some r))|each; auto].
  - right. split; auto. rule f_self.
Qed.
Lemma truth_down e : In e U -> nominal_free e -> forall p : dom tree, eval tree e p -> D (FS (tag p) e).
Proof.
  destruct WF as (HT & HB & HS & HC).
  induction e as [| |a|i|e1 IH1 e2 IH2|r e IH|r]; intros He N p H; cbn [eval] in H; cbn [nominal_free] in N; try tauto.
  - rule s_top. destruct p as [p Hp]; exact Hp.
  - destruct (HS _ He), H, N. rule s_andi.
  - assert (He' := HS _ He). destruct H as [q [Hr Hq]]. apply IH in Hq; auto.
    destruct Hr as [[_ L]|[<- F]]; [rule s_ex|]. rule (s_ex U c0 (tag p) r (tag p)). rule l_self.
  - destruct H as [[L _]|[_ F]]; [lia|]. rule s_self.
Qed.
Lemma truth_named i : In (Nom i) U -> forall p : dom tree, eval tree (Nom i) p -> D (FS (tag p) (Nom i)).
Proof.
  intros Hi p Hp. cbn in Hp. subst p. destruct (in_dec concept_dec (Nom i) U) as [h|h]; [|tauto].
  unfold tag; simpl. eapply by_rule; [apply (s_init U c0 (nom i))|each; apply reach_nom; auto].
Qed.
Lemma named_level i : level (iI tree i) = 0.
Proof. cbn. destruct (in_dec concept_dec (Nom i) U); reflexivity. Qed.
Lemma edge_level r (p q : dom tree) : rI tree r p q -> level q = 0 -> p = q.
Proof. intros [[L _]|[E _]] H; [lia|exact E]. Qed.
(* whatever the keys are *)
Lemma tree_keys c rs : rs <> [] -> satA tree (Key c rs).
Proof.
  intros N i j _ _ H. destruct rs as [|r rs]; [tauto|]. destruct (H r (or_introl eq_refl)) as [k [H1 H2]].
  apply edge_level in H1; [|apply named_level]. apply edge_level in H2; [|apply named_level]. congruence.
Qed.

Theorem canon_satisfies_nomLHS : model tree O.
Proof.
  intros a Ha. assert (F := LEFT _ Ha). assert (HC := proj2 (proj2 (proj2 WF)) _ Ha).
  assert (Da := axiom_fact U O c0 _ Ha). destruct a as [c d|r s|r1 r2 s|r c|r|c rs]; cbn [left_nominal_axiom] in F.
  - intros p Hp. destruct F as [Fl Fr]. apply truth_up; auto. rule s_gci.
    destruct Fl as [Fl|[i ->]]; [apply truth_down|apply truth_named]; tauto || auto.
  - intros p q [[L K]|[E K]]; [left; split; auto; rule l_ri|right; split; auto; rule f_ri].
  - intros p q z [[L K]|[<- K]] [[L' K']|[<- K']].
    + left; split; [lia|]. rule (l_rc U c0 (tag p) (tag q) (tag z)).
    + left; split; [auto|]. rule (l_rc U c0 (tag p) (tag q) (tag q)). rule l_self.
    + left; split; [auto|]. rule (l_rc U c0 (tag p) (tag p) (tag z)). rule l_self.
    + right; split; auto. rule (f_rc U c0 (tag p) r1 r2 s).
  - intros p q [[L K]|[<- K]]; apply truth_up; auto.
    + eapply links_carry_ranges; eauto. rule h_refl.
    + rule s_srange.
  - intro p. right; split; auto. rule f_refl. destruct p as [p Hp]; exact Hp.
  - apply tree_keys. tauto.
Qed.
Lemma root_inside : exists p : dom tree, tag p = (c0, None) /\ eval tree c0 p.
Proof.
  destruct root_left as [N|[i E]].
  - exists root; split; auto. apply truth_up; auto. eapply by_rule; [apply (s_init U c0 (c0, None))|each;
    apply reach_root].
  - exists (iI tree i). split; [cbn; destruct (in_dec concept_dec (Nom i) U); [unfold tag, nom; simpl;
    congruence|reflexivity]|].
    rewrite E. reflexivity.
Qed.
Theorem complete_nomLHS_if_consistent d : In d U -> nominal_free d -> Entails O c0 d -> Sat U O c0 d.
Proof.
  intros Hd Nd H. destruct root_inside as [p [T Hp]]. unfold Sat. rewrite <- T. apply truth_down; auto.
  apply H; auto. apply canon_satisfies_nomLHS.
Qed.
End Tree.
