"""HermiT, a reasoner for all of OWL 2, asked where EL leaves something open.

In: axioms of OWL 2. Out: whether they have a model, and what follows. Start with `hermit.py`; `java.py` finds Java and
the jars of the extra `peers`, `renaming.py` gives every entity a plain name, `Server.java` is the other side.
"""
