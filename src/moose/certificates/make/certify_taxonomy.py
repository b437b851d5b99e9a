"""Certificates for a whole class hierarchy: a derivation of all that is listed, saturated sets without all else."""

from __future__ import annotations

from dataclasses import dataclass, field

from moose.base.errors import MooseError
from moose.certificates.make.certify_entailment import HEAD, self_checked
from moose.certificates.make.countermodel import Countermodel, countermodel
from moose.certificates.make.derive import Derivation
from moose.certificates.make.element_rules import Reached, conclude_inconsistency
from moose.certificates.make.indices import Indices
from moose.certificates.make.packing import Packed, Packer, needed_steps
from moose.certificates.make.rows import read_theory
from moose.owl.normal.normal_form import BOTTOM, TOP
from moose.saturation.answers.taxonomy import Taxonomy


@dataclass
class World:
    """One derivation, and the classes that it settles: some below others, some without an element."""

    derivation: Derivation
    satisfiable: list[int] = field(default_factory=list)
    impossible: list[int] = field(default_factory=list)
    model: Countermodel | None = None


def certify_taxonomy(taxonomy: Taxonomy) -> Packed:
    """Certify a hierarchy, or say what stands in the way."""
    form = taxonomy.closure.form
    theory = read_theory(form, taxonomy.ontology.profile.el_axioms)
    if theory.uncovered:
        raise MooseError(
            f"the taxonomy cannot be certified, as certificates do not cover {theory.uncovered[0]}; "
            "take that out, or use the taxonomy without a certificate"
        )
    numbers = [form.class_number(iri) for iri in taxonomy.classes]
    classes = [number for number in numbers if number is not None and number not in (TOP, BOTTOM)]
    indices = Indices(theory, classes)
    worlds = settle(indices, classes)
    check_agreement(taxonomy, worlds, classes)
    return self_checked(pack(indices, worlds, classes), "the taxonomy")


def settle(indices: Indices, classes: list[int]) -> list[World]:
    """Derive all that follows at once, and again by itself for each class whose elements make a difference."""
    base = World(Derivation(indices).saturate(classes))
    worlds = [base]
    for concept in classes:
        if is_conditional(base.derivation, concept):
            worlds.append(World(Derivation(indices, assumed=concept).saturate([concept])))
            sort_in(worlds[-1], concept)
        else:
            sort_in(base, concept)
    for world in worlds:
        if world.satisfiable or not world.impossible:
            world.model = countermodel(world.derivation, world.satisfiable)
    return worlds


def sort_in(world: World, concept: int) -> None:
    """Put a class with those that can have an element, or with those that cannot."""
    if BOTTOM not in world.derivation.subsumers[concept]:
        conclude_inconsistency(world.derivation, concept)
    is_impossible = BOTTOM in world.derivation.subsumers[concept]
    (world.impossible if is_impossible else world.satisfiable).append(concept)


def is_conditional(derivation: Derivation, concept: int) -> bool:
    """Tell whether more follows where a class has an element: of individuals, or by roles that relate everything."""
    indices = derivation.indices
    if BOTTOM in derivation.subsumers[concept] or not (indices.nominals or indices.everywhere):
        return False
    everywhere = Reached(derivation).came
    queue, seen = [concept], {concept}
    for source in queue:  # grows while it is read
        for _, target in derivation.links_from.get(source, {}):
            if target not in seen:
                seen.add(target)
                queue.append(target)
    wanted = {
        filler
        for filler, rows in indices.somes.items()
        if any(role in indices.everywhere and whole not in derivation.subsumers[TOP] for role, whole in rows)
    }
    for context in seen - everywhere.keys():
        above = derivation.subsumers[context]
        if wanted & above.keys():
            return True
        if any(nominal in above and context not in derivation.subsumers[nominal] for nominal in indices.nominals):
            return True
    return False


def check_agreement(taxonomy: Taxonomy, worlds: list[World], classes: list[int]) -> None:
    """Refuse to certify another hierarchy than the engine's."""
    form = taxonomy.closure.form
    iri = {concept: form.classes[form.first[concept]] for concept in classes}
    impossible = sorted(iri[concept] for world in worlds for concept in world.impossible)
    pairs = {
        (iri[concept], iri[above])
        for world in worlds
        for concept in world.satisfiable
        for above in world.derivation.subsumers[concept]
        if above in iri and above != concept
    }
    if impossible != list(taxonomy.unsatisfiable) or pairs != set(taxonomy.closure_pairs()):
        raise MooseError("the engine and the rules of certificates disagree on the taxonomy; please report this")


def pack(indices: Indices, worlds: list[World], classes: list[int]) -> Packed:
    """Write the hierarchy, the derivations and the saturated sets."""
    packer = Packer(indices)
    packer.use_axioms(range(len(indices.theory.axioms)))
    packer.use_concepts(classes)
    named = set(classes)
    shown: list[dict[tuple[int, int], int]] = []
    for world in worlds:
        above = world.derivation.subsumers
        pairs = {(low, high): above[low][high] for low in world.satisfiable for high in above[low] if high in named}
        pairs |= {(low, BOTTOM): above[low][BOTTOM] for low in world.impossible}
        shown.append(pairs)
        for step in needed_steps(world.derivation.steps, pairs.values()):
            packer.use_fact(world.derivation.steps[step].fact)
        if world.model is not None:
            world.model.use(packer)
    proofs: list[Packed] = []
    models: list[Packed] = []
    entailed: list[list[int]] = []
    rows: dict[int, list[object]] = {}
    for place, (world, pairs) in enumerate(zip(worlds, shown, strict=True)):
        steps, kept = packer.steps(world.derivation.steps, pairs.values())
        assumed = world.derivation.assumed
        proofs.append({"assumed": None if assumed is None else packer.concept(assumed), "steps": steps})
        for (low, high), step in pairs.items():
            entailed.append([packer.concept(low), packer.concept(high), place, kept[step]])
        rows |= {packer.concept(low): [packer.concept(low), None] for low in world.impossible}
        if world.model is not None:
            for low in world.satisfiable:
                above_low = sorted(packer.concept(high) for (sub, high) in pairs if sub == low)
                new = packer.concept(low)
                rows[new] = [new, above_low, len(models), world.model.place[low]]
            models.append(world.model.pack(packer))
    claim: Packed = {"kind": "taxonomy", "taxonomy": [rows[new] for new in sorted(rows)], "entailed": entailed}
    return HEAD | claim | packer.theory() | {"proofs": proofs, "models": models}
