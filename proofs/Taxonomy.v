(* Certificates of a whole class hierarchy: derivations of all that is listed, saturated sets without all else.

   taxonomy_sound  of an accepted hierarchy: a class is below another if and only if that is listed
   taxonomy_empty  of an accepted hierarchy: a class that is said to have no element is below everything *)
Require Import List Arith Lia Bool PArith FMapPositive.
Import ListNotations.
From Moose Require Import Syntax Cert Countermodel.

Record derivation := mkDerivation {
  assumed : option positive; steps : list step; shows : list (positive * positive * positive) }.
Inductive line := Empty (c : positive) | Line (c : positive) (listed : set) (z e : positive).
Definition class_of (l : line) : positive := match l with Empty c => c | Line c _ _ _ => c end.

Definition put (s : PM.t set) (c d : positive) : PM.t set :=
  PM.add c (PM.add d tt (match PM.find c s with Some t => t | None => PM.empty unit end)) s.
Definition has (s : PM.t set) (c d : positive) : bool := match PM.find c s with Some t => mem d t | None => false end.
Lemma has_put s c d x y : has (put s c d) x y = true -> (x = c /\ y = d) \/ has s x y = true.
Proof.
  unfold has, put. destruct (Pos.eq_dec x c) as [->|N].
  - rewrite PM.gss. unfold mem. rewrite PM.mem_find. destruct (Pos.eq_dec y d) as [->|N]; auto.
    rewrite PM.gso by auto. intro H. right. destruct (PM.find c s) as [t|]; [now rewrite PM.mem_find|].
    rewrite PM.gempty in H. discriminate.
  - rewrite PM.gso by auto. auto.
Qed.
Definition put_all (s : PM.t set) (l : list (positive * positive * positive)) : PM.t set :=
  fold_left (fun s g => put s (fst (fst g)) (snd (fst g))) l s.
Definition shown (ps : list derivation) : PM.t set := fold_left (fun s p => put_all s (shows p)) ps (PM.empty set).

Section Taxonomy.
Variable T : table.
Variable A : list row.
Hypothesis WF : wf T.
Definition check_derivation (p : derivation) : bool := check T A (assumed p) (steps p) (shows p).
Definition true_of (s : PM.t set) : Prop := forall c d, has s c d = true -> Follows T A c d.
Lemma put_all_true l : forall s, true_of s -> (forall c d k, In (c, d, k) l -> Follows T A c d) -> true_of (put_all s l).
Proof.
  unfold put_all. induction l as [|[[c d] k] l IH]; simpl; intros s S H; auto. apply IH; [|eauto].
  intros x y E. apply has_put in E as [[-> ->]|E]; eauto.
Qed.
Lemma shown_true ps : forallb check_derivation ps = true -> true_of (shown ps).
Proof.
  intro H. rewrite forallb_forall in H. unfold shown.
  assert (G : forall l s, true_of s -> incl l ps -> true_of (fold_left (fun s p => put_all s (shows p)) l s)).
  { induction l as [|p l IH]; simpl; intros s S I; auto. apply IH; [|intros x Hx; apply I; right; auto].
    apply put_all_true; auto. intros c d k K.
    apply (check_sound T WF A (assumed p) (steps p) (shows p) c d k); auto. apply H, I. left; auto. }
  apply G; [|intros x Hx; auto]. intros c d E. unfold has in E. rewrite PM.gempty in E. discriminate.
Qed.

Definition check_line (S : PM.t set) (Zs : PM.t saturated) (classes : list positive) (bot : positive) (l : line) : bool :=
  match l with
  | Empty c => has S c bot
  | Line c listed z e => match PM.find z Zs with
    | None => false
    | Some Z => check_row Z classes c e listed && forallb (fun x : positive * unit => has S c (fst x)) (PM.elements listed)
    end end.
Definition check_taxonomy (ps : list derivation) (zs : list saturated) (bot : positive) (ls : list line) : bool :=
  forallb check_derivation ps && forallb (is_model T A) zs && is T NBot bot
  && let S := shown ps in let Zs := number 1 (PM.empty saturated) zs in let classes := map class_of ls in
     forallb (check_line S Zs classes bot) ls.

Theorem taxonomy_sound ps zs bot ls c listed z e d : check_taxonomy ps zs bot ls = true ->
  In (Line c listed z e) ls -> In d (map class_of ls) -> (Follows T A c d <-> mem d listed = true).
Proof.
  unfold check_taxonomy. rewrite !andb_true_iff, !forallb_forall. intros [[[P M] _] L] I D.
  specialize (L _ I). simpl in L. destruct (PM.find z (number 1 (PM.empty saturated) zs)) as [Z|] eqn:F; [|discriminate].
  apply number_in in F as [F|F]; [rewrite PM.gempty in F; discriminate|].
  apply andb_true_iff in L as [L1 L2]. rewrite forallb_forall in L2. split.
  - intro Fo. destruct (mem d listed) eqn:K; auto. exfalso.
    apply (taxonomy_row T A Z (map class_of ls) c e listed d); auto.
  - intro K. apply (shown_true ps); [now apply forallb_forall|]. apply (L2 (d, tt)). now apply mem_elements.
Qed.
Theorem taxonomy_empty ps zs bot ls c d : check_taxonomy ps zs bot ls = true -> In (Empty c) ls -> Follows T A c d.
Proof.
  unfold check_taxonomy. rewrite !andb_true_iff, !forallb_forall. intros [[[P M] B] L] I.
  specialize (L _ I). simpl in L. apply is_find in B.
  pose proof (shown_true ps (proj2 (forallb_forall _ _) P) _ _ L) as Fo. intros J MJ UJ x X.
  specialize (Fo J MJ UJ x X). rewrite (D_bot _ _ B) in Fo. destruct Fo.
Qed.
End Taxonomy.
