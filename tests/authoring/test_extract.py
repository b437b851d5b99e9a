"""Modules: a part, closed under extraction, as good as the whole for their terms, and the same as the OWLAPI's."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from bench.peers import Peers, PeersAbsentError, find_peers
from moose.authoring.extract import extract, module_positions
from moose.authoring.module_methods import ModuleMethod
from moose.base.errors import MooseError, UnknownName
from moose.owl.model.axioms import without_annotations
from moose.owl.model.expressions import Class, Datatype, Entity, ObjectProperty
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, ROLES, random_axioms
from tests.saturation.test_oracle import find
from tests.searching import examples

NAMES: list[Entity] = [*CLASSES, *ROLES, *INDIVIDUALS]
METHODS = list(ModuleMethod)


@given(st.randoms(use_true_random=False), st.sampled_from(METHODS))
@examples(60)
def test_what_follows_about_the_terms_follows_from_the_module(random: Random, method: ModuleMethod) -> None:
    ontology = moose.ontology(random_axioms(random, features=ALL_FEATURES), declarations=NAMES)
    terms: list[Entity] = [*random.sample(CLASSES, 2), random.choice(ROLES)]
    module = extract(ontology, terms, method=method)
    assert set(module.axioms) <= set(ontology.axioms)
    assert extract(module, terms, method=method).axioms == module.axioms
    whole, part = moose.classify(ontology), moose.classify(module)
    assert whole.is_consistent == part.is_consistent
    for low, high in permutations([one for one in terms if isinstance(one, Class)], 2):
        assert whole.is_below(low.iri, high.iri) == part.is_below(low.iri, high.iri)


@given(st.randoms(use_true_random=False))
@examples(30)
def test_star_is_within_the_others(random: Random) -> None:
    axioms = random_axioms(random, features=ALL_FEATURES)
    terms = random.sample(CLASSES, 2)
    star, bot, _ = (set(module_positions(axioms, terms, method)) for method in (METHODS[2], METHODS[0], METHODS[1]))
    assert star <= bot


def test_a_bottom_module_keeps_what_is_above() -> None:
    taxonomy = moose.classify(moose.load(moose.PIZZERIA))
    module = moose.classify(extract(taxonomy.ontology, ["Napoli", "Diavola"], method="bot"))
    for name in ("Napoli", "Diavola"):
        assert module.ancestors(name) == taxonomy.ancestors(name)


def test_annotations_come_along(tmp_path: Path) -> None:
    file = tmp_path / "a.ofn"
    file.write_text(
        "Prefix(:=<urn:x:>) Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Ontology(<urn:x>\n"
        "Declaration(AnnotationProperty(:note)) Declaration(Class(:A)) SubClassOf(:A :B) SubClassOf(:C :D)\n"
        'AnnotationAssertion(rdfs:label :A "an a") AnnotationAssertion(:note :B "a b") '
        'AnnotationAssertion(rdfs:label :note "note") AnnotationAssertion(rdfs:label :C "a c"))'
    )
    module = extract(moose.load(file), ["an a"], method="bot", iri="urn:module")
    assert module.iri == "urn:module"
    assert {told.subject for told in module.annotations.assertions} == {"urn:x:A", "urn:x:B", "urn:x:note"}
    assert {told.entity.iri for told in module.annotations.declarations} == {"urn:x:A", "urn:x:B", "urn:x:note"}
    assert [render(axiom) for axiom in module.axioms] == ["SubClassOf(<urn:x:A> <urn:x:B>)"]
    moose.write(module, tmp_path / "module.owl")
    assert set(moose.load(tmp_path / "module.owl").axioms) == set(module.axioms)


TAGGED = """\
format-version: 1.4
subsetdef: other "Of nobody here"
subsetdef: slim "A slim"
synonymtypedef: UK "British spelling" EXACT
ontology: x

[Term]
id: X:1
subset: slim
synonym: "colour" EXACT UK []

[Term]
id: X:2
subset: other
"""


def test_the_definitions_of_subsets_and_kinds_of_synonyms_come_along(tmp_path: Path) -> None:
    file = tmp_path / "x.obo"
    file.write_text(TAGGED, encoding="utf-8")
    moose.write(moose.load(file), tmp_path / "again.obo")
    assert (tmp_path / "again.obo").read_text(encoding="utf-8").splitlines() == TAGGED.splitlines()
    moose.write(extract(moose.load(file), ["X:1"]), tmp_path / "module.obo")
    lines = (tmp_path / "module.obo").read_text(encoding="utf-8").splitlines()
    assert lines == [line for line in TAGGED.splitlines()[:10] if "other" not in line]


def test_mistakes() -> None:
    ontology = moose.load(moose.PIZZERIA)
    with pytest.raises(UnknownName, match="expected the name of a term, but the ontology has no 'Napolli'"):
        extract(ontology, ["Napolli"])
    with pytest.raises(MooseError, match="expected terms"):
        extract(ontology, [])


# ── Against the OWLAPI ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def peers() -> Peers:
    try:
        return find_peers()
    except PeersAbsentError as absent:
        pytest.skip(str(absent))


def tokens(text: str) -> tuple[str, ...]:
    """Return what is in the text of an axiom, whatever the order of its operands and the spelling of its marks."""
    full = text.replace("owl:", "http://www.w3.org/2002/07/owl#").replace("xsd:", "http://www.w3.org/2001/XMLSchema#")
    return tuple(sorted(re.findall(r"[^\s()<>^]+", full)))


def owlapi_modules(peers: Peers, file: Path, questions: Sequence[str]) -> list[set[tuple[str, ...]]]:
    done = subprocess.run(
        peers.command("OwlapiModules", file), input="\n".join(questions), capture_output=True, text=True, check=True
    )
    return [set(map(tokens, line.split("\t")[1:])) - {()} for line in done.stdout.splitlines()]


def ours(ontology: Ontology, terms: Sequence[Entity], method: ModuleMethod) -> set[tuple[str, ...]]:
    return {tokens(render(without_annotations(axiom))) for axiom in extract(ontology, terms, method=method).axioms}


def compare(peers: Peers, ontology: Ontology, file: Path, *, count: int) -> None:
    random = Random(5)
    names: list[Entity] = [*map(Class, ontology.classes), *map(ObjectProperty, ontology.object_properties)]
    asked = [(method, random.sample(names, random.randrange(1, 5))) for method in METHODS for _ in range(count)]
    questions = [f"{method.upper()} {' '.join(term.iri for term in terms)}" for method, terms in asked]
    for (method, terms), theirs in zip(asked, owlapi_modules(peers, file, questions), strict=True):
        assert ours(ontology, terms, method) == theirs, (method, terms)


def test_the_owlapi_extracts_the_same(peers: Peers) -> None:
    compare(peers, moose.load(moose.PIZZERIA), moose.PIZZERIA, count=8)


def test_the_owlapi_extracts_the_same_of_a_real_ontology(peers: Peers, tmp_path: Path) -> None:
    ontology = moose.load(find("ontologies", "pato.ofn.gz"))
    file = tmp_path / "pato.ofn"
    moose.write(ontology, file)
    compare(peers, ontology, file, count=4)


OBO_TERMS = """Prefix(obo:=<http://purl.obolibrary.org/obo/>) Ontology(<http://e.org/o>
  SubClassOf(obo:X_0000001 obo:X_0000002)
  SubClassOf(obo:X_0000001 ObjectSomeValuesFrom(obo:BFO_0000050 obo:X_0000002))
)"""


@pytest.mark.parametrize(
    "term", ["X:0000001", "obo:X_0000001", "<http://purl.obolibrary.org/obo/X_0000001>", "BFO:0000050"]
)
def test_no_term_is_taken_for_a_datatype(tmp_path: Path, term: str) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(OBO_TERMS, "utf-8")
    module = moose.extract(moose.load(path), [term], method="bot")
    assert not [one for one in module.declarations if isinstance(one, Datatype)]


@pytest.mark.parametrize("term", ["X:9999999", "http://typo.org/zzz", "<http://typo.org/zzz>", "zzz"])
def test_a_term_that_is_not_there_is_refused(tmp_path: Path, term: str) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(OBO_TERMS, "utf-8")
    with pytest.raises(UnknownName, match="the name of a term"):
        moose.extract(moose.load(path), [term], method="bot")


def test_other_kinds_of_modules_are_refused() -> None:
    with pytest.raises(MooseError, match="a kind of module"):
        moose.extract(moose.load(moose.PIZZERIA), ["Napoli"], method="foo")
