(* ELK soundness and completeness on EL++ (paper, theorem el-coverage): Sat O C D iff O entails C ⊑ D,
   for every ontology that meets one of two conditions. Constructive: consistency is decided, not assumed. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Calculus Saturated Decision TreeModel Completeness.

(* The paper's range-chain safety: no range above the target of a chain. It passes to every sub-ontology. *)
Inductive below_role (O : ontology) : nat -> nat -> Prop :=
| br_refl r : below_role O r r
| br_step r s t : In (RI r s) O -> below_role O s t -> below_role O r t.
Definition range_chain_safe (O : ontology) := forall r1 r2 s t e,
  In (RC r1 r2 s) O -> below_role O s t -> ~ In (Range t e) O.

Lemma below_role_trans O r s t : below_role O r s -> below_role O s t -> below_role O r t.
Proof. induction 1; auto. intro. econstructor; eauto. Qed.
Lemma hierarchy_below U O c0 r s : Derives U O c0 (FH r s) <-> below_role O r s.
Proof.
  split.
  - intro H. remember (FH r s) as f eqn:E. revert s E. induction H as [f Hf|b h R HD IH]; intros s E; subst;
    [destruct Hf|].
    inversion R; subst; [constructor|]. premises HD. apply below_role_trans with s0.
    + apply (IH (FH r s0)); simpl; auto.
    + econstructor; [apply (axiom_inv U O c0); eauto|constructor].
  - induction 1; [apply der_rule with []; [apply h_refl|intros a []]|]. eapply hierarchy_left; eauto.
Qed.
Lemma below_role_incl O O' r s : incl O O' -> below_role O r s -> below_role O' r s.
Proof. intro H; induction 1; econstructor; eauto. Qed.
Lemma range_chain_safe_incl O O' : incl O O' -> range_chain_safe O' -> range_chain_safe O.
Proof. intros H S r1 r2 s t e Hc Hb Hr. eapply S; eauto. eapply below_role_incl; eauto. Qed.
Lemma safe_agree U O c0 : range_chain_safe O -> chain_ranges_agree U O c0.
Proof. intros S r1 r2 s t e Hc Hh Hr. exfalso. apply hierarchy_below in Hh. eapply S; eauto. Qed.
(* the condition of OWL 2 EL itself *)
Definition owl_chain_ranges (O : ontology) := forall r1 r2 s t e, In (RC r1 r2 s) O -> below_role O s t ->
  In (Range t e) O -> exists t', below_role O r2 t' /\ In (Range t' e) O.
Lemma owl_agree U O c0 : owl_chain_ranges O -> chain_ranges_agree U O c0.
Proof.
  intros S r1 r2 s t e Hc Hh Hr. apply hierarchy_below in Hh. destruct (S _ _ _ _ _ Hc Hh Hr) as [t' [H1 H2]].
  exists t'. split; auto. apply hierarchy_below; auto.
Qed.
Lemma safe_owl O : range_chain_safe O -> owl_chain_ranges O.
Proof. intros S r1 r2 s t e Hc Hb Hr. exfalso. eapply S; eauto. Qed.

(* completeness: nominals only on the left *)
Theorem complete_nomLHS U O c d : universe U O -> In c U -> In d U -> owl_chain_ranges O ->
  left_nominal_ontology O -> left_nominal c -> nominal_free d -> Entails O c d -> Sat U O c d.
Proof.
  intros WF Hc Hd S L Lc Nd E. destruct (sat_decidable U O c Bot WF Hc) as [B|B].
  - eapply by_rule; [apply (s_clash U c (c, None) (c, None) d Hd)|].
    assert (R : Derives U O c (FR (c, None))) by (eapply by_rule; [apply r_root|each]). each; auto.
  - apply complete_nomLHS_if_consistent; auto. apply owl_agree; auto.
Qed.
Theorem complete_nominal_free U O c d : universe U O -> In c U -> In d U -> owl_chain_ranges O ->
  (forall a, In a O -> nominal_free_axiom a) -> nominal_free c -> nominal_free d -> Entails O c d -> Sat U O c d.
Proof.
  intros. apply complete_nomLHS; auto; [|left; auto]. intros a Ha. apply nominal_free_left; auto.
Qed.
(* completeness: nominals and keys anywhere, Self on simple roles *)
Definition simple_role O r := forall r1 r2 s, In (RC r1 r2 s) O -> ~ below_role O s r.
Theorem complete_nominals U O c d : universe U O -> In c U -> In d U -> owl_chain_ranges O ->
  (forall r, In (Self r) U -> simple_role O r) -> Entails O c d -> Sat U O c d.
Proof.
  intros WF Hc Hd S SI E. destruct (sat_decidable U O c Bot WF Hc) as [B|B].
  - eapply by_rule; [apply (s_clash U c (c, None) (c, None) d Hd)|].
    assert (R : Derives U O c (FR (c, None))) by (eapply by_rule; [apply r_root|each]). each; auto.
  - apply complete_if_consistent with (holds := holds U O c O); auto.
    + apply owl_agree; auto.
    + intros r Hr r1 r2 s Ha Hh. apply hierarchy_below in Hh. eapply SI; eauto.
    + intro f. apply holds_iff; auto using incl_refl.
Qed.

(* The fragment witness of the paper. *)
Inductive OWL2ELFragment U O c d : Prop :=
| fragment_left_nominal : left_nominal_ontology O -> left_nominal c -> nominal_free d -> OWL2ELFragment U O c d
| fragment_simple_self : (forall r, In (Self r) U -> simple_role O r) -> OWL2ELFragment U O c d.
Theorem complete_owl2el U O c d : universe U O -> In c U -> In d U -> owl_chain_ranges O ->
  OWL2ELFragment U O c d -> Entails O c d -> Sat U O c d.
Proof. intros WF Hc Hd S [L Lc Nd|SI] E; [apply complete_nomLHS|apply complete_nominals]; auto. Qed.
Theorem correct_owl2el U O c d : universe U O -> In c U -> In d U -> owl_chain_ranges O ->
  OWL2ELFragment U O c d -> (Sat U O c d <-> Entails O c d).
Proof. intros. split; [apply sound|apply complete_owl2el; auto]. Qed.

(* so entailment is decidable on these ontologies *)
Corollary entailment_decidable U O c d : universe U O -> In c U -> In d U -> owl_chain_ranges O ->
  OWL2ELFragment U O c d -> Entails O c d \/ ~ Entails O c d.
Proof.
  intros WF Hc Hd S F. rewrite <- (correct_owl2el U O c d) by auto. apply sat_decidable; auto.
Qed.

(* A universe always exists: the concepts of the ontology and the query, with their parts. *)
Fixpoint parts (c : concept) : list concept :=
  c :: match c with And d e => parts d ++ parts e | Ex _ d => parts d | _ => [] end.
Definition concepts_of (a : axiom) : list concept :=
  match a with GCI c d => [c; d] | Range _ c => [c] | Key c _ => [c] | _ => [] end.
Definition subconcepts (O : ontology) (c d : concept) : list concept :=
  flat_map parts ([Top; Bot; c; d] ++ flat_map concepts_of O).
Lemma parts_self c : In c (parts c). Proof. destruct c; simpl; auto. Qed.
Lemma parts_closed c : subclosed (parts c).
Proof.
  induction c as [| |a|i|d IHd e IHe|r d IHd|r]; intros x Hx; simpl in Hx; destruct Hx as [<-|Hx]; try tauto.
  - simpl. split; right; apply in_or_app; [left|right]; apply parts_self.
  - apply in_app_or in Hx as [Hx|Hx]; [specialize (IHd x Hx)|specialize (IHe x Hx)]; destruct x; simpl in *; auto;
    try (split; right; apply in_or_app; tauto); right; apply in_or_app; auto.
  - simpl. right. apply parts_self.
  - specialize (IHd x Hx). destruct x; simpl in *; auto; tauto.
Qed.
Theorem subconcepts_universe O c d :
  universe (subconcepts O c d) O /\ In c (subconcepts O c d) /\ In d (subconcepts O c d).
Proof.
  assert (I : forall x, In x ([Top; Bot; c; d] ++ flat_map concepts_of O) -> In x (subconcepts O c d))
    by (intros x Hx; apply in_flat_map; exists x; split; [auto|apply parts_self]).
  assert (A : forall a x, In a O -> In x (concepts_of a) -> In x (subconcepts O c d))
    by (intros a x Ha Hx; apply I, in_or_app; right; apply in_flat_map; eauto).
  split; [|split; apply I; simpl; auto]. repeat split; try (apply I; simpl; auto; fail).
  - intros x Hx. apply in_flat_map in Hx as [y [Hy Hx]].
    assert (K : forall z, In z (parts y) -> In z (subconcepts O c d)) by (intros; apply in_flat_map; eauto).
    pose proof (parts_closed y x Hx) as P. destruct x; auto. destruct P; split; auto.
  - intros a Ha. assert (K := A a). destruct a; simpl in *; auto.
Qed.
(* The theorem without a universe to choose: derivability over the ontology's own concepts is entailment. *)
Definition Saturates O c d := Sat (subconcepts O c d) O c d.
Corollary saturates_iff_entails O c d : owl_chain_ranges O -> OWL2ELFragment (subconcepts O c d) O c d ->
  (Saturates O c d <-> Entails O c d).
Proof. intros S F. destruct (subconcepts_universe O c d) as (WF & Hc & Hd). apply correct_owl2el; auto. Qed.

(* An inference that needs merging of nominals across successors, with a deep existential behind it, and a key:
   A ⊑ ∃r.({i} ⊓ B), A ⊑ ∃s.({i} ⊓ ∃t.B) give A ⊑ ∃r.∃t.B. *)
Example nominal_merging :
  let O := [GCI (Atom 0) (Ex 0 (And (Nom 0) (Atom 1))); GCI (Atom 0) (Ex 1 (And (Nom 0) (Ex 2 (Atom 1))));
    Key (Atom 1) [0]] in
  Saturates O (Atom 0) (Ex 0 (Ex 2 (Atom 1))).
Proof.
  intro O. apply saturates_iff_entails.
  - intros r1 r2 s t e [H|[H|[H|[]]]]; discriminate.
  - apply fragment_simple_self. intros r H r1 r2 s [K|[K|[K|[]]]]; discriminate.
  - intros I M x Hx. assert (M1 := M _ (or_introl eq_refl) x Hx). assert (M2 := M _ (or_intror (or_introl eq_refl)) x
    Hx).
    cbn in *. destruct M1 as [y [R [-> B]]]. destruct M2 as [z [_ [-> T]]]. eauto.
Qed.
