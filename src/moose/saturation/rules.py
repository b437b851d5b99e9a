"""The table of rules: every completion rule with its sequent, and where it is realised.

C, D, E are concepts; r, s, t roles; d, e, f data properties; a, b, c individuals. What stands before ⊢ are the
premises, after a semicolon what is told. A rule is realised

- in the kernel (`moose.saturation.engine`), which is fast and keeps no instances. Some rules it need not know: the
  normal form (`moose.owl.normal`) has written them as rows C ⊑ D, or as the target of a link, before it starts;
- in what records every instance (`moose.saturation.recorded`), from which proofs, groundings, queries and certificates
  are made. Some rules only cut a recorded instance into smaller steps (`moose.saturation.proofs`);
- in the checker of certificates (`moose.certificates.checker`), which shares no code with the others;
- in Coq (`proofs/Cert.v`), where `instance_sound` shows that each of its rules is sound.

A rule is added in these four places and here (docs/extending/completion-rule.md): where proofs and certificates have
nothing of their own for it, they are written by its row. `tests/saturation/test_rules.py` fails when one is missing.
"""

from __future__ import annotations

from dataclasses import dataclass

KERNEL = "moose.saturation.engine.kernel"
GLOBAL = "moose.saturation.engine.global_rules"
SATURATE = "moose.saturation.engine.saturate"
FORM = "moose.owl.normal"
CALCULUS = "moose.saturation.recorded.calculus:Calculus"
LINKS = "moose.saturation.recorded.role_rules:LinkRules"
INDIVIDUALS = "moose.saturation.recorded.individual_rules"
ROLES = "moose.saturation.recorded.role_rules:RoleFacts"
READ = "moose.saturation.recorded.derivations:Derivations"
WRITTEN = "moose.saturation.proofs.rule_writers"


@dataclass(frozen=True, slots=True)
class Rule:
    """A completion rule and its realisers: `module:name` for Python, the checker's names, and Coq's constructors."""

    name: str
    sequent: str
    kernel: str
    recorded: str
    checker: tuple[str, ...]
    coq: tuple[str, ...]

    @property
    def axioms(self) -> int:
        """How many axioms an instance cites: one where the sequent has something told before its ⊢."""
        return int(";" in self.sequent.partition("⊢")[0])


def _rule(name: str, sequent: str, kernel: str, recorded: str, checker: str) -> Rule:
    """Make a row; Coq's constructors are the checker's names in another spelling."""
    names = tuple(checker.split())
    return Rule(name, sequent, kernel, recorded, names, tuple(f"R{one.title().replace('-', '')}" for one in names))


RULES = {
    rule.name: rule
    for rule in (
        # ── Concepts ──
        _rule("R0", "⊢ C ⊑ C", f"{KERNEL}:activate", f"{CALCULUS}.start", "reflexive"),
        _rule("R⊤", "⊢ C ⊑ ⊤", f"{KERNEL}:activate", f"{CALCULUS}.start", "top"),
        _rule("R⊑", "C ⊑ D; D ⊑ E is told ⊢ C ⊑ E", f"{KERNEL}:told_superclass", f"{CALCULUS}.subsumer", "told"),
        _rule("R⊑⊑", "C ⊑ D, D ⊑ E ⊢ C ⊑ E", f"{KERNEL}:told_superclass", f"{INDIVIDUALS}:nominal", "transitive"),
        _rule("R⊓−", "C ⊑ D ⊓ E ⊢ C ⊑ D, and C ⊑ E", f"{KERNEL}:decompose", f"{CALCULUS}.decompose", "conjunct"),
        _rule(
            "R⊓+",
            "C ⊑ D, C ⊑ E ⊢ C ⊑ D ⊓ E, where D ⊓ E is on a left-hand side",
            f"{KERNEL}:conjunction_plus",
            f"{CALCULUS}.subsumer",
            "conjunction",
        ),
        _rule(
            "Rdisjoint",
            "C ⊑ D, C ⊑ E; D and E are told disjoint, or two individuals different ⊢ C ⊑ ⊥",
            f"{KERNEL}:disjoint",
            f"{CALCULUS}.subsumer",
            "conjunction told",
        ),
        _rule(
            "Rcases",
            "C ⊑ D, C ⊓ D₁ ⊑ E, …, C ⊓ Dₙ ⊑ E; D ⊑ D₁ ⊔ … ⊔ Dₙ is told ⊢ C ⊑ E",
            f"{GLOBAL}:cases",
            "moose.saturation.recorded.case_rules:CaseRules.decide",
            "cases",
        ),
        _rule("R⊥⊑", "C ⊑ ⊥ ⊢ C ⊑ D", f"{KERNEL}:propagate_bottom", "moose.saturation.proofs.explain:prove", "absurd"),
        # ── Links ──
        _rule(
            "R∃−",
            "C ⊑ ∃r.D ⊢ C → r → D ⊓ the ranges of r",
            f"{KERNEL}:decompose",
            f"{CALCULUS}.decompose",
            "link range",
        ),
        _rule(
            "R∃+",
            "C → r → D, D ⊑ E, r ⊑* s ⊢ C ⊑ ∃s.E, where ∃s.E is on a left-hand side",
            f"{KERNEL}:some_plus_forward",
            f"{CALCULUS}.some_plus",
            "some",
        ),
        _rule("R⊥", "C → r → D, D ⊑ ⊥ ⊢ C ⊑ ⊥", f"{KERNEL}:propagate_bottom", f"{CALCULUS}.some_plus", "bottom"),
        _rule(
            "Rrange",
            "C → r → D, r ⊑* s; E is told a range of s ⊢ C → r → D ⊓ E",
            f"{FORM}.normalise:link_targets",
            f"{INDIVIDUALS}:between_individuals",
            "range widen",
        ),
        _rule(
            "R⊥role",
            "C → r → D or C ⊑ ∃r.Self, where r is a bottom role ⊢ C ⊑ ⊥",
            f"{FORM}.normalise:add_reserved_roles",
            f"{READ}._told",
            "told",
        ),
        # ── Roles ──
        _rule("Rrefl-role", "⊢ r ⊑ r", f"{FORM}.normalise:close_hierarchy", f"{ROLES}.below", "role-reflexive"),
        _rule(
            "Rrole", "r ⊑ s; s ⊑ t is told ⊢ r ⊑ t", f"{FORM}.normalise:close_hierarchy", f"{ROLES}._climb", "role-told"
        ),
        _rule(
            "Rrinc",
            "C → r → D, r ⊑ s ⊢ C → s → D",
            f"{KERNEL}:some_plus_forward",
            f"{INDIVIDUALS}:between_individuals",
            "link-role",
        ),
        _rule(
            "Rrchain",
            "C → r → D, D → s → E; r ∘ s ⊑ t is told ⊢ C → t → E",
            f"{KERNEL}:chain_forward",
            f"{LINKS}.compose",
            "chain",
        ),
        _rule(
            "Runiversal-chain",
            "r and s relate everything; r ∘ s ⊑ t is told ⊢ t relates everything",
            f"{FORM}.normalise:close_hierarchy",
            "moose.saturation.proofs.writer:Writer.inclusion",
            "universal-chain role-universal",
        ),
        # ── Self ──
        _rule("Rself", "C ⊑ ∃r.Self ⊢ C → r → C", f"{KERNEL}:decompose", f"{CALCULUS}.decompose", "self-link"),
        _rule(
            "Rself-⊤",
            "r relates everything ⊢ C ⊑ ∃r.Self",
            f"{FORM}.normalise:add_self_rows",
            f"{READ}._told",
            "self-universal",
        ),
        _rule(
            "Rself-inc",
            "C ⊑ ∃r.Self, r ⊑ s ⊢ C ⊑ ∃s.Self",
            f"{FORM}.normalise:add_self_role_axioms",
            f"{READ}._told_axiom",
            "self-role",
        ),
        _rule(
            "Rself-chain",
            "C ⊑ ∃r.Self, C ⊑ ∃s.Self; r ∘ s ⊑ t is told ⊢ C ⊑ ∃t.Self",
            f"{FORM}.normalise:add_self_role_axioms",
            f"{READ}._told_axiom",
            "self-chain",
        ),
        _rule(
            "Rself-range",
            "C ⊑ ∃r.Self; D is told a range of r ⊢ C ⊑ D",
            f"{FORM}.normalise:add_self_role_axioms",
            f"{READ}._told_axiom",
            "self-range",
        ),
        _rule(
            "Rself-nominal",
            "C ⊑ {a}, C → r → D, D ⊑ {a} ⊢ C ⊑ ∃r.Self",
            f"{FORM}.normalise:add_loops",
            f"{READ}._told",
            "self-nominal",
        ),
        # ── What has an element ──
        _rule(
            "Rnonempty",
            "⊢ C has an element, where C is ⊤, {a} or what is assumed to have one",
            f"{GLOBAL}:conclude",
            f"{CALCULUS}.give",
            "nonempty",
        ),
        _rule(
            "Rnonempty-link",
            "C has an element, C → r → D ⊢ D has an element",
            f"{GLOBAL}:conclude",
            f"{CALCULUS}.nonempty",
            "nonempty-link",
        ),
        _rule(
            "Rnonempty-⊑",
            "C has an element, C ⊑ D ⊢ D has an element",
            f"{GLOBAL}:conclude",
            f"{WRITTEN}:universal",
            "nonempty-super",
        ),
        _rule(
            "Rnominal",
            "D ⊑ {a}, D has an element ⊢ {a} ⊑ D",
            f"{GLOBAL}:nominals",
            f"{INDIVIDUALS}:nominal",
            "nominal",
        ),
        _rule(
            "Rlink-nominal",
            "{a} → r → C, C ⊑ {b} ⊢ {a} → r → {b}",
            f"{GLOBAL}:fillers",
            f"{INDIVIDUALS}:named_target",
            "some link",
        ),
        _rule(
            "Runiversal",
            "D ⊑ E, D has an element ⊢ C ⊑ ∃r.E, where r is owl:topObjectProperty",
            f"{GLOBAL}:universal",
            f"{CALCULUS}.exists",
            "universal-told universal-link",
        ),
        _rule(
            "Runiversal-role",
            "D ⊑ E, D has an element, r relates everything, r ⊑ s ⊢ C ⊑ ∃s.E",
            f"{GLOBAL}:universal",
            f"{WRITTEN}:everywhere",
            "universal-role universal-link",
        ),
        _rule(
            "Rinconsistent",
            "D has an element, D ⊑ ⊥ ⊢ C ⊑ ⊥",
            f"{SATURATE}:is_possible",
            f"{READ}._inconsistency",
            "inconsistent",
        ),
        # ── Keys and data ──
        _rule(
            "Rkey",
            "{a} ⊑ C, {b} ⊑ C, {a} → r → {c}, {b} → r → {c} for each r of a key of C ⊢ {a} ⊑ {b}, all of them named",
            f"{GLOBAL}:keys",
            f"{INDIVIDUALS}:agreeing",
            "key single-told",
        ),
        _rule(
            "Rfunctional",
            "C → d → D, C → e → E, d ⊑* f, e ⊑* f; f is told functional ⊢ C → d → D ⊓ E",
            f"{GLOBAL}:functional_links",
            f"{LINKS}.functional",
            "functional",
        ),
        _rule(
            "Rdata",
            "⊢ D ⊑ E for data ranges with every value of D in E; ⊢ D ⊑ ⊥ where D has no value",
            f"{FORM}.normalise:add_values",
            f"{READ}._told",
            "told",
        ),
        _rule(
            "Rdata-top",
            "⊢ C ⊑ ∃d.D, where d is owl:topDataProperty and D has a value",
            f"{FORM}.normalise:add_values",
            f"{READ}._told",
            "told",
        ),
        _rule(
            "Rdata-≡",
            "C ⊑ D ⊢ C ⊑ E, where E is D but for data ranges that are written otherwise and have the same values",
            f"{FORM}.axiom_rows:Interner.data",
            "moose.saturation.proofs.writer:Writer.respelt",
            "told",
        ),
    )
}
"""The rules by their names in proofs, which are the paper's where it has one."""
