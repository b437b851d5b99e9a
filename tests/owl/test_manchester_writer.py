from __future__ import annotations

import contextlib
import re

from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import ParseError
from moose.owl.model import axioms as ax
from moose.owl.syntax.manchester.read_manchester import read_manchester
from tests.owl.manchester_writer import expressible, write_axioms
from tests.owl.strategies import axioms


@given(st.lists(axioms().filter(lambda axiom: not isinstance(axiom, ax.UnreadAxiom)), max_size=3))
def test_reading_undoes_writing(found: list[ax.Axiom]) -> None:
    said = tuple(expressible(axiom) for axiom in found)
    assert read_manchester(write_axioms(said), "o.omn").axioms == said  # type: ignore[arg-type]  # axioms still


@given(st.lists(axioms(), max_size=2), st.data())
def test_a_broken_text_is_refused_or_read_but_never_crashes(found: list[ax.Axiom], data: st.DataObject) -> None:
    kept = [expressible(axiom) for axiom in found if not isinstance(axiom, ax.UnreadAxiom)]
    tokens = re.findall(r"\S+|\s+", write_axioms(kept))  # type: ignore[arg-type]  # axioms still
    at = data.draw(st.integers(0, len(tokens)))
    broken = data.draw(
        st.sampled_from(["", "(", ")", "{", "[", ",", '"', "<", "and", "not", "Class:", "Facts:", "5", "\\"])
    )
    text = "".join(tokens[:at]) + broken + "".join(tokens[at + data.draw(st.integers(0, 2)) :])
    with contextlib.suppress(ParseError):
        read_manchester(text, "o.omn")
