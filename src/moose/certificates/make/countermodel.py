"""The saturated set as a model: elements with the concepts that they are in, and the links between them."""

from __future__ import annotations

from dataclasses import dataclass

from moose.certificates.make.derive import Derivation
from moose.certificates.make.element_rules import Reached
from moose.certificates.make.packing import Packed, Packer
from moose.owl.normal.normal_form import BOTTOM, TOP


@dataclass(frozen=True)
class Countermodel:
    """The part of a saturated set that can be reached; what is one individual under several names is one element."""

    derivation: Derivation
    contexts: tuple[int, ...]
    place: dict[int, int]
    """Of each context, also those that are merged with another: the element that stands for it."""

    def use(self, packer: Packer) -> None:
        """Tell the packer what the model speaks of."""
        for context in self.contexts:
            packer.use_concepts(self.derivation.subsumers[context])
        packer.use_concepts(self.derivation.indices.negative)
        packer.use_roles(role for context in self.contexts for role, _ in self._links(context))
        packer.use_roles(range(len(self.derivation.indices.theory.roles)))

    def _links(self, context: int) -> list[tuple[int, int]]:
        leaving = self.derivation.links_from.get(context, {})
        return sorted({(role, self.place[target]) for role, target in leaving})

    def pack(self, packer: Packer) -> Packed:
        """Write the model."""
        indices = self.derivation.indices
        return {
            "elements": [
                sorted(packer.concept(concept) for concept in self.derivation.subsumers[context])
                for context in self.contexts
            ],
            "links": [
                [place, packer.role(role), target]
                for place, context in enumerate(self.contexts)
                for role, target in self._links(context)
            ],
            "nominals": [[packer.concept(nominal), self.place[nominal]] for nominal in indices.nominals],
            "above": [sorted(packer.role(role) for role in above) for above in indices.above],
            "ordered": sorted(packer.role(role) for role in ordered_roles(self.derivation)),
            "universal": sorted(packer.role(role) for role in indices.everywhere),
            "negative": sorted(packer.concept(concept) for concept in indices.negative),
        }


def ordered_roles(derivation: Derivation) -> set[int]:
    """Return the roles whose ∃r.Self is asked for, and all that lead to one: their links must not close by chance."""
    indices = derivation.indices
    found = {int(indices.nodes[concept][1]) for concept in indices.negative if indices.nodes[concept][0] == "self"}
    found -= indices.everywhere.keys()
    size = -1
    while size < len(found):
        size = len(found)
        found |= {role for role, above in enumerate(indices.above) if above & found}
        found |= {part for left, right, result, _ in indices.chains if result in found for part in (left, right)}
        found -= indices.everywhere.keys()
    return found


def countermodel(derivation: Derivation, roots: list[int]) -> Countermodel | None:
    """Make a model of all that can be reached from some concepts; None where one of these can have no element."""
    came = dict(Reached(derivation).came)
    if derivation.indices.everything != TOP:  # which then is neither a thing nor a value
        del came[derivation.indices.everything]
    queue = [*came, *(root for root in roots if root not in came)]
    seen = set(queue)
    for source in queue:  # grows while it is read
        for _, target in derivation.links_from.get(source, {}):
            if target not in seen:
                seen.add(target)
                queue.append(target)
    if any(BOTTOM in derivation.subsumers[context] for context in queue):
        return None
    stands_for = {context: representative(derivation, context) for context in queue}
    contexts = tuple(context for context in queue if stands_for[context] == context)
    places = {context: place for place, context in enumerate(contexts)}
    return Countermodel(derivation, contexts, {context: places[stands_for[context]] for context in queue})


def representative(derivation: Derivation, context: int) -> int:
    """Return the first individual that a context is, or itself."""
    above = derivation.subsumers[context]
    return next((nominal for nominal in derivation.indices.nominals if nominal in above), context)
