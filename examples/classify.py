"""Load the bundled pizzeria, classify it, and ask why a Diavola is a spicy dish."""

from __future__ import annotations

import moose


def main() -> None:
    """Print what the ontology says, what follows from it, and one proof."""
    ontology = moose.load(moose.PIZZERIA)
    names = moose.Names(ontology)
    print(f"{moose.PIZZERIA.name}: {len(ontology.axioms)} axioms about {len(ontology.classes)} classes\n")

    taxonomy = moose.classify(ontology)
    print("Unsatisfiable:", *(names.display(iri) for iri in taxonomy.unsatisfiable))
    print("Above Diavola:", *(names.display(iri) for iri in taxonomy.ancestors("Diavola")), "\n")

    print("Why is every Diavola a spicy dish?\n")
    print(taxonomy.explain("Diavola", "SpicyDish"))


if __name__ == "__main__":
    main()
