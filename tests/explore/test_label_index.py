"""The search by label finds what a plain look at every name finds, the best first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moose.explore.label_index import LabelIndex, folded

NAMES = st.text(alphabet="aAbB éÉ\n\t'-_<", max_size=12)
ENTITIES = st.lists(st.tuples(st.integers(0, 9).map(str), st.lists(NAMES, max_size=3)), max_size=8)


def by_looking(named: list[tuple[str, list[str]]], text: str) -> dict[str, int]:
    """Return the entities that fit, with how well: the same name, its start, the start of a word, inside, words."""
    wanted = folded(text)
    ranks: dict[str, int] = {}
    for iri, names in named:
        for name in map(folded, names):
            fits = [name == wanted, name.startswith(wanted), f" {wanted}" in name, wanted in name]
            fits.append(all(word in name for word in wanted.split()))
            if wanted and any(fits):
                ranks[iri] = min(ranks.get(iri, 9), fits.index(True))
    return ranks


@given(ENTITIES, NAMES)
def test_it_finds_what_looking_finds_in_the_same_order_of_ranks(named: list[tuple[str, list[str]]], text: str) -> None:
    expected = by_looking(named, text)
    found = LabelIndex(named).search(text, 100)
    assert sorted(found) == sorted(expected)
    assert [expected[iri] for iri in found] == sorted(expected.values())


@given(ENTITIES, NAMES, st.integers(1, 4))
def test_fewer_are_the_first_of_all(named: list[tuple[str, list[str]]], text: str, most: int) -> None:
    index = LabelIndex(named)
    assert index.search(text, most) == index.search(text, 100)[:most]


def test_accents_and_letters_of_all_sizes_are_alike() -> None:
    index = LabelIndex([("urn:s", ["Sjögren's  SYNDROME"]), ("urn:t", ["STRASSE"])])
    assert index.search("sjogren's synd", 9) == ["urn:s"]
    assert index.search("straße", 9) == ["urn:t"]
    assert LabelIndex([]).search("a", 9) == []
