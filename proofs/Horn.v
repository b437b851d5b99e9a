(* Stages 2-4 of the pipeline, on any ground Horn program: what bottom-up evaluation derives,
   and that time-stamped unrolling, one strongly connected component after the other and as many steps
   as the component has atoms, reaches exactly the least fixed point (paper, equations unroll-base/step/final). *)
Require Import List Arith Lia Bool.
Import ListNotations.

(* Derivability from inputs by a set of rules, finite or not. *)
Inductive Der {fact : Type} (R : list fact -> fact -> Prop) (inp : fact -> Prop) : fact -> Prop :=
| der_in a : inp a -> Der R inp a
| der_rule b h : R b h -> (forall a, In a b -> Der R inp a) -> Der R inp h.

Lemma Der_mono {fact} (R R' : list fact -> fact -> Prop) (i i' : fact -> Prop) :
  (forall b h, R b h -> R' b h) -> (forall a, i a -> i' a) -> forall a, Der R i a -> Der R' i' a.
Proof. intros HR Hi a; induction 1; [apply der_in; auto|]. eapply der_rule; eauto. Qed.

Section Program.
Variable fact : Type.
Variable fact_dec : forall a b : fact, {a = b} + {a <> b}.
Variable P : list (list fact * fact).   (* ground rules: body, head *)

Definition memb (a : fact) l := if in_dec fact_dec a l then true else false.
Lemma memb_In a l : memb a l = true <-> In a l.
Proof. unfold memb; destruct in_dec; split; auto; discriminate. Qed.
Lemma memb_not a l : memb a l = false <-> ~ In a l.
Proof. rewrite <- memb_In. destruct (memb a l); split; congruence || (intro; tauto) || auto. Qed.

(* some rule for a has a body that holds under v *)
Definition fires (v : fact -> bool) (a : fact) : bool :=
  existsb (fun r => (if fact_dec (snd r) a then true else false) && forallb v (fst r)) P.
Lemma fires_spec v a : fires v a = true <-> exists b, In (b, a) P /\ forall p, In p b -> v p = true.
Proof.
  unfold fires. rewrite existsb_exists. split.
  - intros [[b h] [H K]]. simpl in K. apply andb_true_iff in K as [K1 K2]. rewrite forallb_forall in K2.
    destruct (fact_dec h a); [subst; eauto|discriminate].
  - intros [b [H K]]. exists (b, a); split; auto. simpl. destruct (fact_dec a a); [|congruence].
    apply forallb_forall; auto.
Qed.
Lemma fires_ext v v' a : (forall p, v p = v' p) -> fires v a = fires v' a.
Proof.
  intro H. apply eq_true_iff_eq. rewrite !fires_spec.
  split; intros [b [? K]]; exists b; split; auto; intros; [rewrite <- H|rewrite H]; auto.
Qed.

(* One component: time-stamped copies for the atoms of G, plain values e outside. *)
Section Component.
Variable e : fact -> bool.
Variable G : list fact.
Fixpoint stamped (t : nat) : fact -> bool :=
  match t with
  | 0 => fun a => if memb a G then false else e a
  | S t => let v := stamped t in fun a => if memb a G then v a || fires v a else e a
  end.

Inductive DerG : fact -> Prop :=
| dg_out a : ~ In a G -> e a = true -> DerG a
| dg_rule b a : In a G -> In (b, a) P -> (forall p, In p b -> DerG p) -> DerG a.

Lemma stamped_out t a : ~ In a G -> stamped t a = e a.
Proof. rewrite <- memb_not. intro H; destruct t; simpl; rewrite H; auto. Qed.
Lemma stamped_sound t : forall a, stamped t a = true -> DerG a.
Proof.
  induction t; simpl; intros a H; destruct (memb a G) eqn:E;
  rewrite ?memb_In, ?memb_not in E; try discriminate; try (apply dg_out; auto; fail).
  apply orb_true_iff in H as [H|H]; auto.
  apply fires_spec in H as [b [H K]]. apply dg_rule with b; auto.
Qed.
Lemma stamped_mono t a : stamped t a = true -> stamped (S t) a = true.
Proof. simpl. destruct (memb a G) eqn:E; [intros ->; auto|]. apply memb_not in E. rewrite stamped_out; auto. Qed.

Lemma filter_grows (f g : fact -> bool) l : (forall a, f a = true -> g a = true) ->
  length (filter f l) <= length (filter g l) /\
  (length (filter f l) = length (filter g l) -> forall a, In a l -> f a = g a).
Proof.
  intro H; induction l as [|x l [IH1 IH2]]; simpl; [split; auto; intros _ a []|].
  destruct (f x) eqn:Ef; [rewrite (H _ Ef)|destruct (g x) eqn:Eg]; simpl; split; try lia.
  - intros L a [<-|Ha]; [rewrite Ef, (H _ Ef); auto|apply IH2; auto].
  - intros L a [<-|Ha]; [congruence|apply IH2; auto].
Qed.
Definition count t := length (filter (stamped t) G).
Definition stable t := forall a, stamped (S t) a = stamped t a.

Lemma stamped_step t t' a : (forall p, stamped t p = stamped t' p) -> stamped (S t) a = stamped (S t') a.
Proof. intro H. simpl. destruct (memb a G); auto. rewrite H. f_equal. apply fires_ext; auto. Qed.
Lemma progress t : t <= count t \/ stable t.
Proof.
  induction t as [|t [IH|IH]]; [left; lia| |right; intro a; apply stamped_step; exact IH].
  destruct (filter_grows (stamped t) (stamped (S t)) G (stamped_mono t)) as [L E]. fold (count t) (count (S t)) in *.
  destruct (Nat.eq_dec (count t) (count (S t))) as [e0|n]; [|left; lia].
  right. intro a. apply stamped_step. intro p. symmetry.
  destruct (in_dec fact_dec p G) as [i|i]; [apply E; auto|rewrite !stamped_out; auto].
Qed.
Lemma filter_all (f : fact -> bool) l : length l <= length (filter f l) -> forall a, In a l -> f a = true.
Proof.
  assert (B : forall l, length (filter f l) <= length l)
    by (clear; induction l as [|x l IH]; simpl; [lia|]; destruct (f x); simpl; lia).
  induction l as [|x l IH]; simpl; intros L a Ha; [tauto|]. specialize (B l).
  destruct (f x) eqn:E; simpl in L; [|lia]. destruct Ha as [<-|Ha]; auto. apply IH; auto; lia.
Qed.
Lemma stable_at_size : stable (length G).
Proof.
  destruct (progress (length G)) as [H|H]; auto.
  intro a. destruct (in_dec fact_dec a G) as [i|i]; [|rewrite !stamped_out; auto].
  pose proof (filter_all _ _ H a i) as K. rewrite K. apply stamped_mono; auto.
Qed.
(* the bound T = |S| of the paper suffices *)
Theorem component_least_fixed_point a : stamped (length G) a = true <-> DerG a.
Proof.
  split; [apply stamped_sound|]. induction 1 as [a Ha He|b a Ha Hr _ IH].
  - rewrite stamped_out; auto.
  - rewrite <- stable_at_size. simpl. apply memb_In in Ha. rewrite Ha. apply orb_true_iff; right.
    apply fires_spec. eauto.
Qed.
End Component.

(* All components in topological order. *)
Fixpoint unrolled (e : fact -> bool) (Gs : list (list fact)) : fact -> bool :=
  match Gs with [] => e | G :: Gs => unrolled (stamped e G (length G)) Gs end.

Definition head a := exists b, In (b, a) P.
Definition derivable (inp : fact -> bool) := Der (fun b h => In (b, h) P) (fun a => inp a = true).

(* every atom that a rule of component G reads is an input, or stands in G or in an earlier component *)
Inductive topological : list fact -> list (list fact) -> Prop :=
| topo_nil done : (forall a, head a -> In a done) -> topological done []
| topo_cons done G Gs :
    (forall a, In a G -> head a /\ ~ In a done) ->
    (forall b a p, In a G -> In (b, a) P -> In p b -> In p G \/ In p done \/ ~ head p) ->
    topological (G ++ done) Gs -> topological done (G :: Gs).

Section Whole.
Variable inp : fact -> bool.
Hypothesis inputs_have_no_rule : forall a, head a -> inp a = false.

Lemma component_step done G e :
  (forall a, In a G -> head a /\ ~ In a done) ->
  (forall b a p, In a G -> In (b, a) P -> In p b -> In p G \/ In p done \/ ~ head p) ->
  (forall a, In a done \/ ~ head a -> (e a = true <-> derivable inp a)) ->
  forall a, In a G \/ In a done \/ ~ head a -> (DerG e G a <-> derivable inp a).
Proof.
  intros HG HB HE a Ha. split; intro H.
  - revert Ha. induction H as [a Hn He|b a Hi Hr _ IH]; intro Ha.
    + apply HE; tauto.
    + eapply der_rule; [exact Hr|]. intros p Hp. apply IH; auto. apply HB with b a; auto.
  - revert Ha. induction H as [a Hi|b a Hr Hd IH]; intro Ha.
    + assert (N : ~ head a) by (intro h; apply inputs_have_no_rule in h; congruence).
      apply dg_out; [intro i; apply N, HG; auto|]. apply HE; auto. apply der_in; auto.
    + destruct (in_dec fact_dec a G) as [i|i].
      * apply dg_rule with b; auto. intros p Hp. apply IH; auto. apply HB with b a; auto.
      * apply dg_out; auto. apply HE; [|apply der_rule with b; auto].
        destruct Ha as [?|[?|Ha]]; try tauto.
Qed.
Lemma unrolled_correct : forall Gs done e, topological done Gs ->
  (forall a, In a done \/ ~ head a -> (e a = true <-> derivable inp a)) ->
  forall a, head a \/ ~ head a -> (unrolled e Gs a = true <-> derivable inp a).
Proof.
  induction Gs as [|G Gs IH]; intros done e T HE a D; inversion T; subst; simpl.
  - apply HE. destruct D; auto.
  - eapply IH; eauto. intros p Hp. rewrite component_least_fixed_point.
    apply component_step with done; auto. rewrite in_app_iff in Hp. tauto.
Qed.
(* Stages 2-4: for every choice of input axioms the unrolled theory computes the saturation *)
Theorem scc_unrolling_least_fixed_point Gs a : topological [] Gs ->
  (unrolled inp Gs a = true <-> derivable inp a).
Proof.
  intro T. apply unrolled_correct with []; auto.
  - intros p [[]|Hp]. split; intro H; [apply der_in; auto|]. inversion H; subst; auto.
    exfalso; apply Hp; exists b; auto.
  - assert (E : head a <-> In a (map snd P)).
    { unfold head. rewrite in_map_iff. split; [intros [b H]; exists (b, a); auto|intros [[b h] [<- H]]; eauto]. }
    rewrite E. destruct (in_dec fact_dec a (map snd P)); auto.
Qed.

(* the whole program as one component: a decision procedure *)
Definition heads := map snd P.
Lemma heads_topological : topological [] [heads].
Proof.
  assert (E : forall a, head a <-> In a heads).
  { intro a. unfold head, heads. rewrite in_map_iff. split; [intros [b H]; exists (b, a); auto|intros [[b h] [<- H]];
    eauto]. }
  constructor; [intros a Ha; split; [apply E; auto|tauto]| |].
  - intros b a p _ _ _. rewrite E. destruct (in_dec fact_dec p heads); auto.
  - constructor. intros a Ha. apply in_or_app; left; apply E; auto.
Qed.
Definition decide a := stamped inp heads (length heads) a.
Theorem decide_correct a : decide a = true <-> derivable inp a.
Proof. apply (scc_unrolling_least_fixed_point [heads] a heads_topological). Qed.
End Whole.
End Program.
