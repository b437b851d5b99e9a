"""Losses and normal forms against mOWL; `make peers-mowl` runs this, in an environment of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Protocol

import pytest
import torch
from torch import Tensor, nn

import moose
from moose.grounding.task.task import Task
from moose.methods.elembeddings import balls as geometry
from moose.methods.elembeddings.balls import Balls
from moose.methods.owl2vec.skip_gram import SkipGram
from moose.methods.owl2vec.walks import SUB, SUPER, Edge, edges_of, walk_sentences
from moose.methods.theory.normal_forms import NormalForms, normal_forms
from moose.methods.theory.task_axioms import told_axioms

COUNT, DIMENSIONS, MARGIN = 6, 5, 0.1
# mOWL's names for the normal forms
NAMES = {
    "nf1": "gci0",
    "nf1_bottom": "gci0_bot",
    "nf2": "gci1",
    "nf2_bottom": "gci1_bot",
    "nf3": "gci2",
    "nf4": "gci3",
    "nf4_bottom": "gci3_bot",
}
# and for the parts of their axioms, in our order
PARTS = {
    "nf1": ("subclass", "superclass"),
    "nf1_bottom": ("subclass",),
    "nf2": ("left_subclass", "right_subclass", "superclass"),
    "nf2_bottom": ("left_subclass", "right_subclass"),
    "nf3": ("subclass", "object_property", "filler"),
    "nf4": ("object_property", "filler", "superclass"),
    "nf4_bottom": ("object_property", "filler"),
}


class Embedding(Protocol):
    """A table of vectors."""

    weight: Tensor


class ElModule(Protocol):
    """What mOWL's module has, besides a loss for each normal form."""

    class_embed: Embedding
    class_rad: Embedding
    rel_embed: Embedding

    def parameters(self) -> Iterator[nn.Parameter]: ...

    def regularization_loss(self) -> Tensor: ...


@pytest.fixture(scope="module")
def java() -> Iterator[None]:
    """Start Java, which mOWL needs before most of it can be imported."""
    package: ModuleType = pytest.importorskip("mowl", reason="mOWL is not installed: make peers-mowl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its docstrings have strange escapes
        try:
            package.init_jvm("512m")
        except (ImportError, OSError) as error:
            pytest.skip(f"mOWL cannot start: {error}")
        yield


@pytest.fixture(scope="module")
def mowl(java: None) -> SimpleNamespace:
    del java
    try:
        found = [import_module(name) for name in ("mowl.nn", "mowl.ontology.normalize")]
    except (ImportError, OSError) as error:
        pytest.skip(f"mOWL cannot start: {error}")
    return SimpleNamespace(ELEmModule=found[0].ELEmModule, ELNormalizer=found[1].ELNormalizer)


@pytest.fixture(scope="module")
def module(mowl: SimpleNamespace) -> ElModule:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        made: ElModule = mowl.ELEmModule(COUNT, 3, 0, embed_dim=DIMENSIONS, margin=MARGIN)
    with torch.no_grad():
        made.class_rad.weight.uniform_(0.05, 0.6, generator=torch.Generator().manual_seed(1))
    return made


def loaded(path: Path) -> object:
    """Load an ontology as mOWL does, with the OWL API."""
    manager = import_module("org.semanticweb.owlapi.apibinding").OWLManager.createOWLOntologyManager()
    ontology: object = manager.loadOntologyFromOntologyDocument(import_module("java.io").File(str(path)))
    return ontology


def balls_of(module: ElModule) -> Balls:
    return Balls(module.class_embed.weight, module.class_rad.weight[:, 0].abs(), module.rel_embed.weight)


def random_forms(seed: int = 0) -> NormalForms:
    """Forty axioms of each kind."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*below: int) -> Tensor:
        return torch.stack([torch.randint(count, (40,), generator=generator) for count in below], 1)

    return NormalForms(
        concepts=COUNT,
        nf1=draw(COUNT, COUNT),
        nf1_bottom=draw(COUNT),
        nf2=draw(COUNT, COUNT, COUNT),
        nf2_bottom=draw(COUNT, COUNT),
        nf3=draw(COUNT, 3, COUNT),
        nf4=draw(3, COUNT, COUNT),
        nf4_bottom=draw(3, COUNT),
    )


@pytest.mark.parametrize("kind", NAMES)
def test_losses_and_their_derivatives(module: ElModule, kind: str) -> None:
    forms = random_forms()
    found = geometry.normal_form_losses(forms, balls_of(module), MARGIN)[kind]
    wanted = getattr(module, NAMES[kind] + "_loss")(getattr(forms, kind))[:, 0]
    # mOWL adds 1e-5 to NF3
    assert found.tolist() == pytest.approx(wanted.tolist(), abs=1.1e-5)
    slopes = [
        torch.autograd.grad(losses.sum(), list(module.parameters()), allow_unused=True) for losses in (found, wanted)
    ]
    for mine, other in zip(*slopes):
        assert (mine is None) == (other is None)
        assert mine is None or other is None or torch.allclose(mine, other, atol=1e-6)


def test_the_regulariser(module: ElModule) -> None:
    assert geometry.on_unit_sphere(balls_of(module)).item() == pytest.approx(module.regularization_loss().item())


@pytest.mark.parametrize("name", ["mnist", "pizzaiolo", "pizzaiolo_spicy"])
def test_normal_forms_of_an_ontology(mowl: SimpleNamespace, name: str) -> None:
    path = Path(moose.__file__).parent / "ontologies" / f"{name}.ofn"
    theirs = mowl.ELNormalizer().normalize(loaded(path))
    ontology = moose.load(path)
    task = Task(ontology, ["a"], observed=ontology.object_properties, latent=ontology.classes)
    forms = normal_forms(told_axioms(task))
    concepts, roles = ([one.iri for one in group] for group in (task.concepts, task.role_predicates))
    for kind, parts in PARTS.items():
        tables = [roles if part == "object_property" else concepts for part in parts]
        found = [tuple(table[number] for table, number in zip(tables, row)) for row in getattr(forms, kind).tolist()]
        wanted = [tuple(str(getattr(axiom, part)) for part in parts) for axiom in theirs[NAMES[kind]]]
        if kind.startswith("nf2"):  # the order of the conjuncts is nobody's choice
            found, wanted = ([(*sorted(row[:2]), *row[2:]) for row in rows] for rows in (found, wanted))
        assert sorted(set(found)) == sorted(set(wanted))


# ------------------------------------------------------------------------------------------------------------ OWL2Vec*

PLAIN = """
SubClassOf(:A :B) SubClassOf(:A ObjectSomeValuesFrom(:r :C)) SubClassOf(ObjectSomeValuesFrom(:s :C) :D)
ObjectPropertyDomain(:t :A) ObjectPropertyRange(:t :B) DisjointClasses(:A :E)
SubObjectPropertyOf(ObjectPropertyChain(:r :s) :t) SubClassOf(:D ObjectSomeValuesFrom(:r ObjectIntersectionOf(:A :B)))
"""
JOINED = """
EquivalentClasses(:E ObjectIntersectionOf(:B ObjectSomeValuesFrom(:s :A))) EquivalentClasses(:A :D)
SubClassOf(:B ObjectIntersectionOf(:C ObjectSomeValuesFrom(:r :D))) SubClassOf(ObjectIntersectionOf(:C :D) :E)
"""
NAMES_OF_EDGES = {"http://subclassof": SUB, "http://superclassof": SUPER}


def both_graphs(folder: Path, axioms: str) -> tuple[set[Edge], set[Edge]]:
    """Return the graph of some axioms as it is here, and as mOWL projects it with edges both ways."""
    declared = [f"Declaration(Class(:{name}))" for name in "ABCDE"]
    declared += [f"Declaration(ObjectProperty(:{name}))" for name in "rst"]
    path = folder / "some.ofn"
    path.write_text(f"Prefix(:=<urn:a#>)\nOntology(<urn:a>\n{' '.join(declared)}\n{axioms})", encoding="utf-8")
    projector = import_module("org.mowl.Projectors").OWL2VecStarProjector(True, False, False)
    edges = [tuple(map(str, (one.src(), one.rel(), one.dst()))) for one in projector.project(loaded(path))]
    theirs = {(source, NAMES_OF_EDGES.get(relation, relation), target) for source, relation, target in edges}
    return set(edges_of(moose.load(path).axioms)), theirs


@pytest.mark.usefixtures("java")
def test_the_graph_is_that_of_mowl(tmp_path: Path) -> None:
    ours, theirs = both_graphs(tmp_path, PLAIN)
    assert ours == theirs and len(ours) == 5


@pytest.mark.usefixtures("java")
def test_conjunctions_and_equivalences_have_more_edges_here(tmp_path: Path) -> None:
    ours, theirs = both_graphs(tmp_path, JOINED)
    assert theirs < ours
    # mOWL leaves SubClassOf with a conjunction out, and reads an equivalence from left to right
    more = {("B", SUB, "C"), ("B", "r", "D"), ("C", SUB, "E"), ("D", SUB, "E"), ("B", SUB, "E"), ("D", SUB, "A")}
    named = {tuple(word.removeprefix("urn:a#") for word in edge) for edge in ours - theirs}
    assert {edge for edge in named if edge[1] != SUPER} == more


@pytest.mark.parametrize(("regime", "least"), [("mnist3", 0.7), ("pizzaA", 0.6)])
def test_word_vectors_are_alike_as_those_of_gensim_are(regime: str, least: float) -> None:
    models = pytest.importorskip("gensim.models", reason="mOWL is not installed: make peers-mowl")
    task = moose.regime(regime)
    concepts = [concept.iri for concept in task.concepts]
    sentences = walk_sentences(
        edges_of(task.ontology.axioms), concepts, count=100, depth=4, generator=torch.Generator().manual_seed(0)
    )
    ours = SkipGram().fit(sentences, torch.Generator().manual_seed(0))
    words = {"vector_size": 100, "window": 5, "min_count": 1, "sg": 1, "negative": 5}
    theirs = models.Word2Vec([list(one) for one in sentences], epochs=100, seed=0, workers=1, **words).wv
    likeness = [
        cosines(torch.stack(rows))
        for rows in ([ours[one] for one in concepts], [torch.tensor(theirs[one]) for one in concepts])
    ]
    ranks = torch.stack([one.argsort().argsort().double() for one in likeness])
    assert torch.corrcoef(ranks)[0, 1] > least  # gensim with another seed: 0.95 and 0.85


def cosines(vectors: Tensor) -> Tensor:
    """Return the likeness of each pair."""
    unit = nn.functional.normalize(vectors, dim=1)
    above = torch.triu_indices(len(vectors), len(vectors), 1)
    return (unit @ unit.T)[above[0], above[1]]
