(* The description logic EL++ of the paper (appendix A), without datatypes: syntax, semantics, entailment.
   Names of concepts, roles and individuals are natural numbers, three separate vocabularies.
   Keys follow OWL 2: only named individuals are compared, and only through named fillers. *)
Require Import List Arith Lia Bool.
Import ListNotations.

Inductive concept :=
| Top | Bot | Atom (a : nat) | Nom (i : nat)
| And (c d : concept) | Ex (r : nat) (c : concept) | Self (r : nat).

Inductive axiom :=
| GCI (c d : concept)            (* C ⊑ D *)
| RI (r s : nat)                 (* R ⊑ S *)
| RC (r1 r2 s : nat)             (* R1 ∘ R2 ⊑ S *)
| Range (r : nat) (c : concept)  (* range(R) ⊑ C *)
| Refl (r : nat)                 (* Ref(R) *)
| Key (c : concept) (rs : list nat).  (* HasKey(C, R1, …, Rn) *)

Definition ontology := list axiom.

Definition concept_dec : forall c d : concept, {c = d} + {c <> d}.
Proof. decide equality; apply Nat.eq_dec. Defined.
Definition axiom_dec : forall a b : axiom, {a = b} + {a <> b}.
Proof. decide equality; (apply Nat.eq_dec || apply concept_dec || apply list_eq_dec, Nat.eq_dec). Defined.

Record interp := mkI {
  dom : Type;
  cI : nat -> dom -> Prop;
  rI : nat -> dom -> dom -> Prop;
  iI : nat -> dom }.

Fixpoint eval (I : interp) (c : concept) (x : dom I) : Prop :=
  match c with
  | Top => True
  | Bot => False
  | Atom a => cI I a x
  | Nom i => x = iI I i
  | And c d => eval I c x /\ eval I d x
  | Ex r c => exists y, rI I r x y /\ eval I c y
  | Self r => rI I r x x
  end.

Definition satA (I : interp) (a : axiom) : Prop :=
  match a with
  | GCI c d => forall x, eval I c x -> eval I d x
  | RI r s => forall x y, rI I r x y -> rI I s x y
  | RC r1 r2 s => forall x y z, rI I r1 x y -> rI I r2 y z -> rI I s x z
  | Range r c => forall x y, rI I r x y -> eval I c y
  | Refl r => forall x, rI I r x x
  | Key c rs => forall i j, eval I c (iI I i) -> eval I c (iI I j) ->
      (forall r, In r rs -> exists k, rI I r (iI I i) (iI I k) /\ rI I r (iI I j) (iI I k)) -> iI I i = iI I j
  end.

Definition model (I : interp) (O : ontology) : Prop := forall a, In a O -> satA I a.
Definition Entails (O : ontology) (c d : concept) : Prop :=
  forall I, model I O -> forall x, eval I c x -> eval I d x.

Lemma Entails_mono O O' c d : incl O O' -> Entails O c d -> Entails O' c d.
Proof. intros H E I M. apply E. intros a Ha; apply M; auto. Qed.
