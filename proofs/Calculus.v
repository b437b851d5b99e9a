(* The saturation calculus for EL++ and its soundness, without any condition on the ontology.
   A context (C, none) stands for C, and (C, some R) for those C that are R-successors of something, so that ranges
   are known where they apply. All facts are relative to a root concept: they hold in every model in which
   the root is not empty, so each context that the root or a nominal reaches is not empty either, and contexts that
   share a nominal are one and the same element. Axioms enter as input facts: the rules do not depend on them. *)
Require Import List Arith Lia Bool.
Import ListNotations.
From Moose Require Export Syntax.
From Moose Require Import Horn.

Definition ctx := (concept * option nat)%type.
Definition nom i : ctx := (Nom i, None).
Definition ctx_dec : forall x y : ctx, {x = y} + {x <> y}.
Proof. decide equality; [decide equality; apply Nat.eq_dec|apply concept_dec]. Defined.

Inductive fact :=
| FR (x : ctx)                       (* x is not empty *)
| FS (x : ctx) (d : concept)         (* x ⊑ D *)
| FL (x : ctx) (r : nat) (y : ctx)   (* x --R--> y *)
| FF (x : ctx) (r : nat)             (* x ⊑ ∃R.Self *)
| FH (r s : nat)                     (* R ⊑* S *)
| FK (i j r : nat)                   (* {i} and {j} share a named R-filler *)
| FA (a : axiom).                    (* the axiom is present *)
Definition fact_dec : forall f g : fact, {f = g} + {f <> g}.
Proof. decide equality; (apply Nat.eq_dec || apply ctx_dec || apply concept_dec || apply axiom_dec). Defined.

(* Premises and conclusion; U is the set of concepts under consideration, c0 the root. *)
Inductive Rule (U : list concept) (c0 : concept) : list fact -> fact -> Prop :=
| r_root : Rule U c0 [] (FR (c0, None))
| r_nom i : In (Nom i) U -> Rule U c0 [] (FR (nom i))
| r_link x r y : Rule U c0 [FR x; FL x r y] (FR y)
| s_init x : Rule U c0 [FR x] (FS x (fst x))
| s_top x : Rule U c0 [FR x] (FS x Top)
| s_clash x y d : In d U -> Rule U c0 [FR y; FS y Bot; FR x] (FS x d)
| s_gci x d e : Rule U c0 [FS x d; FA (GCI d e)] (FS x e)
| s_andl x d e : Rule U c0 [FS x (And d e)] (FS x d)
| s_andr x d e : Rule U c0 [FS x (And d e)] (FS x e)
| s_andi x d e : In (And d e) U -> Rule U c0 [FS x d; FS x e] (FS x (And d e))
| s_ex x r y e : In (Ex r e) U -> Rule U c0 [FL x r y; FS y e] (FS x (Ex r e))
| s_range d r s e : Rule U c0 [FR (d, Some r); FH r s; FA (Range s e)] (FS (d, Some r) e)
| s_srange x r e : Rule U c0 [FF x r; FA (Range r e)] (FS x e)
| s_self x r : In (Self r) U -> Rule U c0 [FF x r] (FS x (Self r))
| s_nom x y i e : Rule U c0 [FR x; FS x (Nom i); FS y (Nom i); FS x e] (FS y e)
| s_key c rs i j : In (Nom i) U -> In (Nom j) U ->
    Rule U c0 ([FA (Key c rs); FS (nom i) c; FS (nom j) c] ++ map (FK i j) rs) (FS (nom i) (Nom j))
| k_share i j k r y z : Rule U c0 [FL (nom i) r y; FS y (Nom k); FL (nom j) r z; FS z (Nom k)] (FK i j r)
| l_ex x r d : In (Ex r d) U -> Rule U c0 [FS x (Ex r d)] (FL x r (d, Some r))
| l_self x r : Rule U c0 [FF x r] (FL x r x)
| l_ri x r s y : Rule U c0 [FL x r y; FA (RI r s)] (FL x s y)
| l_rc x y z r1 r2 s : Rule U c0 [FL x r1 y; FL y r2 z; FA (RC r1 r2 s)] (FL x s z)
| l_nom x y z i r : Rule U c0 [FR x; FS x (Nom i); FS y (Nom i); FL x r z] (FL y r z)
| f_self x r : Rule U c0 [FS x (Self r)] (FF x r)
| f_refl x r : Rule U c0 [FR x; FA (Refl r)] (FF x r)
| f_ri x r s : Rule U c0 [FF x r; FA (RI r s)] (FF x s)
| f_rc x r1 r2 s : Rule U c0 [FF x r1; FF x r2; FA (RC r1 r2 s)] (FF x s)
| f_nom x y i r : Rule U c0 [FL x r y; FS x (Nom i); FS y (Nom i)] (FF x r)
| h_refl r : Rule U c0 [] (FH r r)
| h_step r s t : Rule U c0 [FH r s; FA (RI s t)] (FH r t).

Definition inputs (O : ontology) (f : fact) : Prop := match f with FA a => In a O | _ => False end.
Definition Derives U O c0 : fact -> Prop := Der (Rule U c0) (inputs O).
(* the paper's Sat(O, C, D) *)
Definition Sat U O c d : Prop := Derives U O c (FS (c, None) d).

Lemma Derives_mono U O O' c0 f : incl O O' -> Derives U O c0 f -> Derives U O' c0 f.
Proof. intros H. apply Der_mono; auto. intros [| | | | | |a]; simpl; auto. Qed.
Theorem Sat_mono U O O' c d : incl O O' -> Sat U O c d -> Sat U O' c d.
Proof. apply Derives_mono. Qed.

(* What a fact says in an interpretation. *)
Definition inside (I : interp) (x : ctx) (a : dom I) : Prop :=
  eval I (fst x) a /\ match snd x with None => True | Some r => exists b, rI I r b a end.
Definition true_in (I : interp) (f : fact) : Prop :=
  match f with
  | FR x => exists a, inside I x a
  | FS x d => forall a, inside I x a -> eval I d a
  | FL x r y => forall a, inside I x a -> exists b, rI I r a b /\ inside I y b
  | FF x r => forall a, inside I x a -> rI I r a a
  | FH r s => forall a b, rI I r a b -> rI I s a b
  | FK i j r => exists k, rI I r (iI I i) (iI I k) /\ rI I r (iI I j) (iI I k)
  | FA a => satA I a
  end.

(* (forall p, In p [p1; …; pn] -> Q p) becomes n hypotheses *)
Ltac premises H := apply Forall_forall in H; repeat (apply Forall_cons_iff in H; destruct H as [? H]).

Lemma rule_sound U c0 I b h : Rule U c0 b h -> (exists a, eval I c0 a) ->
  (forall f, In f b -> true_in I f) -> true_in I h.
Proof.
  intros R [a0 Ha0] H.
  destruct R; try (premises H); cbn in *; try (intros a Ha).
  - exists a0; split; simpl; auto.
  - exists (iI I i); split; simpl; auto.
  - destruct H0 as [a Ha]. destruct (H1 a Ha) as [b [_ Hb]]; eauto.
  - apply Ha.
  - auto.
  - destruct H1 as [b Hb]. destruct (H2 b Hb).
  - auto.
  - apply (H0 a Ha).
  - apply (H0 a Ha).
  - auto.
  - destruct (H1 a Ha) as [b [? ?]]; eauto.
  - destruct Ha as [_ [b Hb]]. eapply H2; eauto.
  - eapply H1; eauto.
  - auto.
  - destruct H0 as [b Hb]. rewrite (H2 a Ha), <- (H1 b Hb). auto.
  - destruct Ha as [Ha _]; simpl in Ha. subst a.
    apply H2; [apply H3; split; simpl; auto|apply H4; split; simpl; auto|].
    intros r Hr. rewrite Forall_forall in H. apply (H (FK i j r)), in_map; auto.
  - destruct (H0 (iI I i)) as [b [R1 B1]]; [split; simpl; auto|].
    destruct (H2 (iI I j)) as [b' [R2 B2]]; [split; simpl; auto|].
    rewrite (H1 _ B1) in R1. rewrite (H3 _ B2) in R2. eauto.
  - destruct (H1 a Ha) as [b [? ?]]. exists b; split; auto. split; simpl; eauto.
  - eauto.
  - destruct (H0 a Ha) as [b [? ?]]; eauto.
  - destruct (H0 a Ha) as [b [? Hb]]. destruct (H1 b Hb) as [c [? ?]]; eauto.
  - destruct H0 as [b Hb]. rewrite (H2 a Ha), <- (H1 b Hb). auto.
  - auto.
  - auto.
  - eauto.
  - eauto.
  - destruct (H0 a Ha) as [b [R Hb]]. rewrite (H2 b Hb), <- (H1 a Ha) in R. auto.
  - auto.
  - eauto.
Qed.

Theorem facts_sound U O c0 f : Derives U O c0 f -> forall I, model I O -> (exists a, eval I c0 a) -> true_in I f.
Proof.
  intros D I M N. induction D as [f Hf|b h R _ IH].
  - destruct f; try destruct Hf. apply (M _ Hf).
  - eapply rule_sound; eauto.
Qed.
(* ELK soundness, unconditional *)
Theorem sound U O c d : Sat U O c d -> Entails O c d.
Proof.
  intros H I M x Hx. apply (facts_sound _ _ _ _ H I M); eauto. split; simpl; auto.
Qed.
