"""Certificates for a whole class hierarchy: a derivation of all that is listed, saturated sets without all else."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from moose.base.errors import MooseError
from moose.certificates.make.certify_entailment import left_out, self_checked
from moose.certificates.make.countermodel import Packer, countermodel, speak_of
from moose.certificates.make.from_proof import add_inferences
from moose.certificates.make.proof_steps import Derivation, NoInstance
from moose.certificates.make.told_ontology import tell_axioms, tell_data, tell_meaning, uncovered
from moose.certificates.make.vocabulary import HEAD, Packed, Vocabulary
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Axiom
from moose.owl.normal.normal_form import BOTTOM, TOP, NormalForm
from moose.saturation.answers.taxonomy import Taxonomy, classify
from moose.saturation.engine.facts import Facts
from moose.saturation.proofs.rule_writers import write_proof
from moose.saturation.proofs.writer import Writer
from moose.saturation.recorded.derivations import Concluded, Derivations
from moose.saturation.recorded.rule_instance import Chosen, Inhabited, Instance, NumberFact, Sub

Pairs = list[tuple[int, int]]
"""Classes and what is above each; ⊥ above one that can have no element."""


@dataclass
class World:
    """Facts, and the classes that they settle: some below others, some without an element."""

    facts: Facts
    satisfiable: list[int] = field(default_factory=list)
    impossible: list[int] = field(default_factory=list)


def certify_taxonomy(taxonomy: Taxonomy) -> Packed:
    """Certify a hierarchy, or say what stands in the way; of unions, which have no place here, nothing is used."""
    profile = taxonomy.ontology.profile
    if profile.disjunctions:
        taxonomy = classify(replace(taxonomy.ontology, profile=replace(profile, disjunctions=())))
    form, axioms = taxonomy.closure.form, taxonomy.ontology.profile.el_axioms
    if (what := uncovered(form, axioms)) is not None:
        raise MooseError(
            f"the taxonomy cannot be certified, as certificates do not cover {what}; "
            "take that out, or use the taxonomy without a certificate"
        )
    words = Vocabulary(has_data=any(isinstance(role, owl.DataProperty) for role in form.roles))
    tell_axioms(words, axioms)
    speak_of(words, form)
    numbers = [form.class_number(iri) for iri in taxonomy.classes]
    classes = [number for number in numbers if number is not None and number not in (TOP, BOTTOM)]
    concepts = {number: words.concept(owl.Class(form.classes[form.first[number]])) for number in classes}
    concepts[BOTTOM] = words.bottom
    worlds = settle(taxonomy, classes)
    try:
        derivations = [one for world in worlds for one in derive(words, world, taxonomy, set(classes))]
    except NoInstance:
        raise MooseError(
            "the taxonomy cannot be certified, as beside data something rests on there being an individual, and the "
            "ontology names none; add one, or use the taxonomy without a certificate"
        ) from None
    tell_meaning(words)
    tell_data(words)
    certificate = pack(words, worlds, derivations, concepts) | left_out(taxonomy.unused)
    return self_checked(certificate, "the taxonomy")


def settle(taxonomy: Taxonomy, classes: Iterable[int]) -> list[World]:
    """Sort the classes by the facts in which what they are below is complete."""
    closure = taxonomy.closure
    worlds = {id(closure.base): World(closure.base)}
    for concept in classes:
        facts = closure.world_of(concept)
        world = worlds.setdefault(id(facts), World(facts))
        (world.satisfiable if closure.is_satisfiable(concept) else world.impossible).append(concept)
    return list(worlds.values())


def derive(words: Vocabulary, world: World, taxonomy: Taxonomy, classes: set[int]) -> list[tuple[Derivation, Pairs]]:
    """Derive what the classes of a world are below: at once, or each by itself where it is assumed to have elements."""
    form, axioms = taxonomy.closure.form, taxonomy.ontology.profile.el_axioms
    rows = {low: [high for high in world.facts.subsumers(low).tolist() if high in classes] for low in world.satisfiable}
    empty = [(low, BOTTOM) for low in world.impossible]
    if world.facts is taxonomy.closure.base:
        derivations = Derivations(form, TOP, others=[*rows, *world.impossible], is_sparing=True)
        return [written(words, derivations, axioms, rows, empty)]
    found = []
    for low in (*rows, *world.impossible):
        derivations = Derivations(form, low, is_assumed=True, is_sparing=True)
        row, bottom = ({low: rows[low]}, []) if low in rows else ({}, [(low, BOTTOM)])
        found.append(written(words, derivations, axioms, row, bottom))
    return found


def written(
    words: Vocabulary, derivations: Derivations, axioms: Sequence[Axiom], rows: dict[int, list[int]], empty: Pairs
) -> tuple[Derivation, Pairs]:
    """Write that each class is below what its row lists, shared steps once; return the steps and what they show."""
    near, far = cover(rows)
    chosen = derivations.joined(choose(derivations.stepwise()))
    writer = Writer(derivations.form, axioms)
    for low, high in (*near, *empty):
        if Sub(low, high) not in chosen:
            chosen[Sub(low, high)] = inconsistency(derivations.form, chosen)
        write_proof(writer, chosen, Sub(low, high))

    def concept(number: int) -> int:
        return words.concept(writer.expressions.concept(number))

    root = concept(derivations.root) if derivations.root != TOP else None
    steps = Derivation(words, assumption=root, root=root)
    add_inferences(steps, writer.steps.values())
    for low, middle, high in far:
        one, two, three = concept(low), concept(middle), concept(high)
        steps.step("transitive", ("sub", one, three), [steps.known["sub", one, two], steps.known["sub", two, three]])
    return steps, [*near, *((low, high) for low, _, high in far), *empty]


def inconsistency(form: NormalForm, chosen: Chosen) -> Instance:
    """Return the instance by which everything is impossible, as an individual or ⊤ is.

    An individual first: beside data, that owl:Thing has an element is shown by something that is one.
    """
    everywhere = (*form.nominal_concepts.tolist(), TOP)
    concept = next(one for one in everywhere if Sub(one, BOTTOM) in chosen)
    return Instance("Rinconsistent", (Inhabited(concept), Sub(concept, BOTTOM)))


def cover(rows: dict[int, list[int]]) -> tuple[Pairs, list[tuple[int, int, int]]]:
    """Part what is to be shown into inclusions to prove and those that follow by transitivity, each from earlier ones.

    Classes come in the order of how much is above them, and what is above one from near to far: so what is above
    something that has been proved is not proved again.
    """
    near: Pairs = []
    far: list[tuple[int, int, int]] = []
    above: dict[int, set[int]] = {}
    for low in sorted(rows, key=lambda one: (len(rows[one]), one)):
        through: dict[int, int] = {}
        for high in sorted(rows[low], key=lambda one: (-len(rows.get(one, ())), one not in above, one)):
            if high in through:
                far.append((low, through[high], high))
                continue
            near.append((low, high))
            if high != low:
                through |= {other: high for other in above.get(high, ()) if other != high and other not in through}
        above[low] = set(rows[low])
    return near, far


def choose(concluded: Iterable[Concluded]) -> Chosen:
    """Choose for each fact the first rule instance whose premises are there before it."""
    instances = list(concluded)
    uses: dict[NumberFact, list[int]] = {}
    missing = []
    for number, (_, instance) in enumerate(instances):
        premises = set(instance.premises)
        missing.append(len(premises))
        for premise in premises:
            uses.setdefault(premise, []).append(number)
    ready = deque(number for number, count in enumerate(missing) if count == 0)
    chosen: Chosen = {}
    while ready:
        fact, instance = instances[ready.popleft()]
        if fact not in chosen:
            chosen[fact] = instance
            for user in uses.get(fact, ()):
                missing[user] -= 1
                if missing[user] == 0:
                    ready.append(user)
    return chosen


def pack(
    words: Vocabulary, worlds: list[World], derivations: list[tuple[Derivation, Pairs]], concepts: dict[int, int]
) -> Packed:
    """Write the hierarchy, the derivations and the saturated sets."""
    entailed: list[list[int]] = []
    above: dict[int, list[int]] = {}
    for position, (steps, pairs) in enumerate(derivations):
        for low, high in pairs:
            sides = concepts[low], concepts[high]
            entailed.append([*sides, position, steps.known["sub", *sides]])
            above.setdefault(low, []).append(concepts[high])
    packer = Packer(words, worlds[0].facts.form, [concepts[low] for low in concepts if low != BOTTOM])
    models: list[Packed] = []
    rows: list[list[object]] = []
    for world in worlds:
        rows += [[concepts[low], None] for low in world.impossible]
        model = countermodel(world.facts, world.satisfiable) if world.satisfiable or not world.impossible else None
        if model is not None:
            rows += [
                [concepts[low], sorted(above[low]), len(models), model.element_of[low]] for low in world.satisfiable
            ]
            models.append(packer.pack(model))
    proofs = [steps.packed() for steps, _ in derivations]
    claim: Packed = {
        "kind": "taxonomy",
        "taxonomy": sorted(rows, key=lambda row: int(str(row[0]))),
        "entailed": entailed,
    }
    return HEAD | claim | words.theory() | {"proofs": proofs, "models": models}
