(* The saturation as a finite ground Horn program, and what follows: Sat is decided by bottom-up evaluation of
   polynomially many facts. The program is the same for every sub-ontology; axioms are its inputs.
   So Stages 2-5 (Unrolling.v) apply to it as they stand. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Import Horn Calculus Saturated.

Definition contexts (U : list concept) : list ctx :=
  map (fun c => (c, None)) U ++ flat_map (fun c => match c with Ex r d => [(d, Some r)] | _ => [] end) U.
Definition nominals (U : list concept) : list nat := flat_map (fun c => match c with Nom i => [i] | _ => [] end) U.
Definition roles_c c : list nat := match c with Ex r _ => [r] | Self r => [r] | _ => [] end.
Definition roles_a a : list nat :=
  match a with RI r s => [r; s] | RC r1 r2 s => [r1; r2; s] | Range r _ => [r] | Refl r => [r] | Key _ rs => rs |
    _ => [] end.
Definition roles U O : list nat := flat_map roles_c U ++ flat_map roles_a O.

Notation "'for' x 'of' l , e" := (flat_map (fun x => e) l) (at level 200, x name, l at level 100).
Section Ground.
Variable U : list concept.
Variable O : ontology.
Variable c0 : concept.
Local Notation rule := (list fact * fact)%type.
Let CT := contexts U.
Let NM := nominals U.
Let RL := roles U O.

Definition of_axiom (a : axiom) : list rule :=
  match a with
  | GCI d e => for x of CT, [([FS x d; FA a], FS x e)]
  | RI r s =>
      (for x of CT, ([FF x r; FA a], FF x s) :: for y of CT, [([FL x r y; FA a], FL x s y)])
      ++ (for t of RL, [([FH t r; FA a], FH t s)])
  | RC r1 r2 s => for x of CT, ([FF x r1; FF x r2; FA a], FF x s) ::
      for y of CT, for z of CT, [([FL x r1 y; FL y r2 z; FA a], FL x s z)]
  | Range r e => for x of CT, ([FF x r; FA a], FS x e) ::
      match x with (d, Some q) => [([FR (d, Some q); FH q r; FA a], FS (d, Some q) e)] | _ => [] end
  | Refl r => for x of CT, [([FR x; FA a], FF x r)]
  | Key c rs => for i of NM, for j of NM, [([FA a; FS (nom i) c; FS (nom j) c] ++ map (FK i j) rs, FS (nom i) (Nom j))]
  end.
Definition of_concept (c : concept) : list rule :=
  match c with
  | And d e => for x of CT, [([FS x c], FS x d); ([FS x c], FS x e); ([FS x d; FS x e], FS x c)]
  | Ex r d => for x of CT, ([FS x c], FL x r (d, Some r)) :: for y of CT, [([FL x r y; FS y d], FS x c)]
  | Self r => for x of CT, [([FF x r], FS x c); ([FS x c], FF x r)]
  | _ => []
  end.
Definition of_context (x : ctx) : list rule :=
  [([FR x], FS x (fst x)); ([FR x], FS x Top)]
  ++ (for y of CT, for d of U, [([FR y; FS y Bot; FR x], FS x d)])
  ++ (for r of RL, ([FF x r], FL x r x) :: for y of CT, [([FR x; FL x r y], FR y)]).
Definition of_nominal (i : nat) : list rule :=
  [([], FR (nom i))]
  ++ (for x of CT, for y of CT, for e of U, [([FR x; FS x (Nom i); FS y (Nom i); FS x e], FS y e)])
  ++ (for r of RL, for x of CT, for y of CT, ([FL x r y; FS x (Nom i); FS y (Nom i)], FF x r) ::
        for z of CT, [([FR x; FS x (Nom i); FS y (Nom i); FL x r z], FL y r z)])
  ++ (for j of NM, for k of NM, for r of RL, for y of CT, for z of CT,
        [([FL (nom i) r y; FS y (Nom k); FL (nom j) r z; FS z (Nom k)], FK i j r)]).
Definition program : list rule :=
  [([], FR (c0, None))] ++ (for a of O, of_axiom a) ++ (for c of U, of_concept c) ++ (for x of CT, of_context x)
  ++ (for i of NM, of_nominal i) ++ (for r of RL, [([], FH r r)]).

Lemma nominals_In i : In i NM <-> In (Nom i) U.
Proof.
  unfold NM, nominals. rewrite in_flat_map. split.
  - intros [c [H K]]. destruct c; simpl in K; try tauto. destruct K as [<-|[]]; auto.
  - intro H. exists (Nom i); simpl; auto.
Qed.
Lemma contexts_In x : valid U x -> In x CT.
Proof.
  unfold CT, contexts, valid. destruct x as [d [r|]]; simpl; intro H; apply in_or_app.
  - right. apply in_flat_map. exists (Ex r d); simpl; auto.
  - left. apply in_map_iff. eauto.
Qed.

(* every ground rule is an instance of a rule of the calculus *)
Ltac open H := repeat match type of H with
  | In _ (_ ++ _) => apply in_app_or in H; destruct H as [H|H]
  | In _ (flat_map _ _) => apply in_flat_map in H; let y := fresh "y" in destruct H as [y [? H]]
  | In _ (_ :: _) => destruct H as [H|H]
  | In _ [] => destruct H
  | (_, _) = (_, _) => inversion H; clear H; subst
  end.
Lemma program_sound b h : In (b, h) program -> Rule U c0 b h.
Proof.
  unfold program. intro H. cbn [app] in H.
  open H; try (constructor; fail).
  - destruct y; cbn [of_axiom] in H; open H; try constructor; try (apply nominals_In; auto).
    destruct y as [d [q|]]; open H; constructor.
  - destruct y; cbn [of_concept] in H; open H; constructor; auto.
  - unfold of_context in H. open H; constructor; auto.
  - unfold of_nominal in H. open H; econstructor; try (apply nominals_In; auto).
Qed.

(* Sub-ontologies P of O as inputs. *)
Variable P : ontology.
Hypothesis sub : incl P O.
Hypothesis WF : universe U O.
Hypothesis Hc0 : In c0 U.
Notation D := (Derives U P c0).
Definition Ground := Der (fun b h => In (b, h) program) (inputs P).
Lemma WFP : universe U P. Proof. eapply universe_incl; eauto. Qed.

Lemma axiom_role a r : In a P -> In r (roles_a a) -> In r RL.
Proof. intros Ha Hr. apply in_or_app; right. apply in_flat_map; eauto. Qed.
Lemma concept_role c r : In c U -> In r (roles_c c) -> In r RL.
Proof. intros Hc Hr. apply in_or_app; left. apply in_flat_map; eauto. Qed.
Definition known_role (f : fact) : Prop := match f with FL _ r _ => In r RL | FF _ r => In r RL | _ => True end.
Lemma roles_known f : D f -> known_role f.
Proof.
  induction 1 as [f Hf|b h R HD IH]; [destruct f; simpl in *; tauto|].
  destruct R; premises IH; premises HD; cbn in *; auto;
  try (match goal with A : Der _ _ (FA _) |- _ => apply (axiom_inv U P c0) in A; apply (axiom_role _ _ A); simpl;
    auto end).
  - apply (concept_role (Ex r d)); simpl; auto.
  - apply (concept_role (Self r)); simpl; auto. apply (sub_placed U P c0 WFP Hc0 _ _ H0).
Qed.

Lemma part_root : In ([], FR (c0, None)) program. Proof. left; reflexivity. Qed.
Lemma part_axiom a R : In a O -> In R (of_axiom a) -> In R program.
Proof. intros. unfold program. apply in_or_app; right. apply in_or_app; left. apply in_flat_map; eauto. Qed.
Lemma part_concept c R : In c U -> In R (of_concept c) -> In R program.
Proof. intros. unfold program. apply in_or_app; right. apply in_or_app; right. apply in_or_app; left.
  apply in_flat_map; eauto. Qed.
Lemma part_context x R : In x CT -> In R (of_context x) -> In R program.
Proof. intros. unfold program. apply in_or_app; right. do 2 (apply in_or_app; right). apply in_or_app; left.
  apply in_flat_map; eauto. Qed.
Lemma part_nominal i R : In i NM -> In R (of_nominal i) -> In R program.
Proof. intros. unfold program. apply in_or_app; right. do 3 (apply in_or_app; right). apply in_or_app; left.
  apply in_flat_map; eauto. Qed.
Lemma part_role r : In r RL -> In ([], FH r r) program.
Proof. intros. unfold program. apply in_or_app; right. do 4 (apply in_or_app; right). apply in_flat_map.
  exists r; simpl; auto. Qed.
Lemma context_nominal i : In (nom i) CT -> In i NM.
Proof.
  unfold CT, contexts. intro H. apply nominals_In. apply in_app_or in H as [H|H].
  - apply in_map_iff in H as [c [E H]]. inversion E; subst; auto.
  - apply in_flat_map in H as [c [Hc H]]. destruct c; simpl in H; try tauto. destruct H as [H|[]]. discriminate.
Qed.
Lemma context_role d r : In (d, Some r) CT -> In r RL.
Proof.
  unfold CT, contexts. intro H. apply in_app_or in H as [H|H].
  - apply in_map_iff in H as [c [E _]]. discriminate.
  - apply in_flat_map in H as [c [Hc H]]. apply (concept_role c); auto.
    destruct c; simpl in H; try tauto. destruct H as [H|[]]. inversion H; simpl; auto.
Qed.

Ltac found := match goal with
  | |- In _ (_ ++ _) => apply in_or_app; first [left; solve [found] | right; solve [found]]
  | H : In ?x ?l |- In _ (flat_map _ ?l) => apply in_flat_map; exists x; split; [exact H|cbv beta iota; found]
  | |- In _ (_ :: _) => first [left; reflexivity | right; found]
  end.
Ltac in_program := first
  [ apply part_root
  | apply part_role; assumption
  | match goal with A : In ?a O |- _ => apply (part_axiom a _ A); cbn [of_axiom]; solve [found] end
  | match goal with A : In ?c U |- _ => apply (part_concept c _ A); cbn [of_concept]; solve [found] end
  | match goal with A : In ?x CT |- _ => apply (part_context x _ A); unfold of_context; solve [found] end
  | match goal with A : In ?i NM |- _ => apply (part_nominal i _ A); unfold of_nominal; solve [found] end ].
Definition small (f : fact) : Prop := match f with FH r _ => In r RL | _ => True end.
Lemma program_complete f : D f -> small f -> Ground f.
Proof.
  induction 1 as [f Hf|b h R HD IH]; intro Hs; [apply der_in; auto|].
  assert (HP := HD). assert (G : (forall a, In a b -> small a) -> In (b, h) program -> Ground h).
  { intros S J. apply der_rule with b; [exact J|]. intros; apply IH; auto. }
  assert (PL : forall a, In a b -> placed U P c0 a) by (intros; apply all_placed; auto using WFP; apply HD; auto).
  assert (KR : forall a, In a b -> known_role a) by (intros; apply roles_known; apply HD; auto).
  assert (CX : forall x, there U P c0 x -> In x CT) by (intros x [_ V]; apply contexts_In; auto).
  assert (HT : In Top U) by apply WF. assert (HB : In Bot U) by apply WF.
  clear IH HD. destruct R; premises PL; premises HP; premises KR; cbn [placed known_role small] in *;
  repeat match goal with
  | A : Der _ _ (FA _) |- _ => apply (axiom_inv U P c0) in A; apply sub in A
  | A : there _ _ _ _ /\ _ |- _ => destruct A
  | A : there _ _ _ ?x |- _ => apply CX in A
  | A : valid U ?x |- _ => apply contexts_In in A
  | A : In (Nom ?i) U |- _ => apply nominals_In in A
  end; apply G;
  try (intros f Hf; destruct f; try exact I; cbn in Hf; exfalso; intuition discriminate).
  all: try in_program.
  - intros f [<-|[<-|[<-|[]]]]; cbn; auto. eapply context_role; eauto.
  - intros f Hf. apply in_app_or in Hf as [[<-|[<-|[<-|[]]]]|Hf]; cbn; auto.
    apply in_map_iff in Hf as [r [<- _]]. exact I.
  - assert (Ni : In i NM) by (apply context_nominal; auto). assert (Nj : In j NM) by (apply context_nominal; auto).
    in_program.
  - intros f [<-|[<-|[]]]; cbn; auto.
Qed.
Theorem program_correct f : small f -> (Ground f <-> D f).
Proof.
  intro H. split; [|intro K; apply program_complete; auto].
  apply Der_mono; auto. apply program_sound.
Qed.

(* The decision: evaluate the program on the axioms of P. *)
Definition input_bits (f : fact) : bool :=
  match f with FA a => if in_dec axiom_dec a P then true else false | _ => false end.
Lemma input_bits_iff f : input_bits f = true <-> inputs P f.
Proof. destruct f; cbn; try (split; [discriminate|tauto]). destruct (in_dec axiom_dec a P); split; auto;
  discriminate. Qed.
Lemma inputs_no_head f : head fact program f -> input_bits f = false.
Proof. intros [b H]. apply program_sound in H. inversion H; reflexivity. Qed.
Lemma derivable_Ground f : derivable fact program input_bits f <-> Ground f.
Proof. split; apply Der_mono; auto; intros a Ha; apply input_bits_iff; auto. Qed.
Definition holds (f : fact) : bool :=
  decide fact fact_dec program input_bits f || match f with FH r s => Nat.eqb r s | _ => false end.
Lemma hierarchy_known r s : D (FH r s) -> r = s \/ In r RL.
Proof.
  intro H. remember (FH r s) as f eqn:E. revert s E. induction H as [f Hf|b h R HD IH]; intros s E; subst;
    [destruct Hf|].
  inversion R; subst; auto. premises HD. destruct (IH (FH r s0)) with s0 as [K|K]; simpl; auto. subst.
  right. apply (axiom_role (RI s0 s)); [apply (axiom_inv U P c0); auto|simpl; auto].
Qed.
Theorem holds_iff f : holds f = true <-> D f.
Proof.
  unfold holds. rewrite orb_true_iff, (decide_correct fact fact_dec program input_bits inputs_no_head),
    derivable_Ground.
  split.
  - intros [H|H]; [revert H; apply Der_mono; auto; apply program_sound|].
    destruct f; try discriminate. apply Nat.eqb_eq in H. subst. apply der_rule with []; [apply h_refl|intros a []].
  - intro H. destruct f; try (left; apply program_complete; simpl; auto; fail).
    destruct (hierarchy_known _ _ H) as [->|K]; [right; apply Nat.eqb_refl|left; apply program_complete; auto].
Qed.
End Ground.

(* Polynomial Sat decision *)
Definition satb U O P c d := holds U O c P (FS (c, None) d).
Theorem satb_iff U O P c d : incl P O -> universe U O -> In c U -> (satb U O P c d = true <-> Sat U P c d).
Proof. intros. apply holds_iff; auto. Qed.
Definition derivableClosure U O := filter (fun p => satb U O O (fst p) (snd p)) (list_prod U U).
Theorem sat_decision_polynomial U O : universe U O ->
  length (derivableClosure U O) <= length U * length U /\
  forall c d, In c U -> In d U -> (Sat U O c d <-> In (c, d) (derivableClosure U O)).
Proof.
  intro WF. split.
  - rewrite <- prod_length. unfold derivableClosure. generalize (list_prod U U). induction l as [|p l IH]; simpl; auto.
    destruct (satb _ _ _ _ _); simpl; lia.
  - intros c d Hc Hd. unfold derivableClosure. rewrite filter_In, in_prod_iff. simpl.
    rewrite satb_iff; auto using incl_refl. tauto.
Qed.
Theorem sat_decidable U O c d : universe U O -> In c U -> Sat U O c d \/ ~ Sat U O c d.
Proof.
  intros WF Hc. destruct (satb U O O c d) eqn:E.
  - left. apply (satb_iff U O O c d); auto using incl_refl.
  - right. intro H. apply (satb_iff U O O c d) in H; auto using incl_refl. congruence.
Qed.
