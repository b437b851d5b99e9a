"""Moose: an OWL 2 EL reasoner that explains what it derives.

>>> import moose
>>> taxonomy = moose.classify(moose.load(moose.PIZZERIA))
>>> taxonomy.unsatisfiable
('https://example.org/pizzeria#VeganSalami',)

Names are looked up when they are first used, so that `import moose` is quick and loads neither numba nor torch.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

__version__ = "0.2.0"

PIZZERIA = Path(__file__).parent / "ontologies" / "pizzeria.ofn"
"""A small ontology to try things on."""

if TYPE_CHECKING:
    from moose.authoring.diff import Difference as Difference
    from moose.authoring.diff import diff as diff
    from moose.authoring.extract import extract as extract
    from moose.authoring.reasoned import Reasoned as Reasoned
    from moose.authoring.reasoned import reason as reason
    from moose.base.errors import ContradictoryEvidence as ContradictoryEvidence
    from moose.base.errors import InconsistentOntology as InconsistentOntology
    from moose.base.errors import LimitReached as LimitReached
    from moose.base.errors import MissingImport as MissingImport
    from moose.base.errors import MooseError as MooseError
    from moose.base.errors import ParseError as ParseError
    from moose.base.errors import UnknownName as UnknownName
    from moose.base.processes.parallel import Workers as Workers
    from moose.certificates.check_proof import check_proof as check_proof
    from moose.circuit.bounds.bounds import Bounds as Bounds
    from moose.circuit.bounds.compile_bounds import compile_bounds as compile_bounds
    from moose.circuit.bounds.interval import Interval as Interval
    from moose.circuit.circuit import Circuit as Circuit
    from moose.circuit.compile.compile_circuit import compile_circuit as compile_circuit
    from moose.circuit.compile.settings import compiling as compiling
    from moose.circuit.limits import Limits as Limits
    from moose.datasets.open import Dataset as Dataset
    from moose.datasets.open import open_dataset as open_dataset
    from moose.grounding.atoms import Atom as Atom
    from moose.grounding.clauses import Clauses as Clauses
    from moose.grounding.ground import ground as ground
    from moose.grounding.task.components import Components as Components
    from moose.grounding.task.kinds import Kind as Kind
    from moose.grounding.task.regimes import REGIMES as REGIMES
    from moose.grounding.task.regimes import regime as regime
    from moose.grounding.task.task import Task as Task
    from moose.grounding.task.task_file import read_task as read_task
    from moose.grounding.task.task_file import write_task as write_task
    from moose.hermit.hermit import Hermit as Hermit
    from moose.layer.bounds_layer import BoundsLayer as BoundsLayer
    from moose.layer.layer import WMCLayer as WMCLayer
    from moose.learning.encoders import embedding_encoder as embedding_encoder
    from moose.learning.encoders import mlp_encoder as mlp_encoder
    from moose.learning.encoders import patch_encoder as patch_encoder
    from moose.learning.examples import Examples as Examples
    from moose.learning.fit.training_loop import Training as Training
    from moose.learning.graph_pairs import pair_examples as pair_examples
    from moose.learning.loss.cover import Cover as Cover
    from moose.methods.concept_learner import ConceptLearner as ConceptLearner
    from moose.methods.load_predictor import load_predictor as load_predictor
    from moose.methods.registry import make_method as make_method
    from moose.owl.load import load as load
    from moose.owl.load import load_document as load_document
    from moose.owl.load import merge as merge
    from moose.owl.make import make_ontology as ontology
    from moose.owl.model.annotations import AnnotationAxioms as AnnotationAxioms
    from moose.owl.names import Names as Names
    from moose.owl.names import NameStyle as NameStyle
    from moose.owl.ontology import Ontology as Ontology
    from moose.owl.ontology import with_annotations as with_annotations
    from moose.owl.ontology import with_axioms as with_axioms
    from moose.owl.write import write as write
    from moose.queries.answer import Answer as Answer
    from moose.queries.answer import Justification as Justification
    from moose.queries.estimate.cases import ObservedCase as ObservedCase
    from moose.queries.estimate.cases import read_observed_cases as read_observed_cases
    from moose.queries.estimate.learn import LearningOptions as LearningOptions
    from moose.queries.estimate.learn import LearntProbabilities as LearntProbabilities
    from moose.queries.estimate.learn import learn_probabilities as learn_probabilities
    from moose.queries.estimate.parameters import Beta as Beta
    from moose.queries.estimate.parameters import CoinSharing as CoinSharing
    from moose.queries.justify.justifications import Repair as Repair
    from moose.queries.justify.justifications import justifications as justifications
    from moose.queries.justify.justifications import repairs as repairs
    from moose.queries.probabilities.probabilities import Probabilities as Probabilities
    from moose.queries.probabilities.probabilities import probabilities_of as probabilities
    from moose.queries.query import query as query
    from moose.queries.query import query_all as query_all
    from moose.ranking.cases import Case as Case
    from moose.ranking.cases import Observation as Observation
    from moose.ranking.cases import case_of as case
    from moose.ranking.hypotheses import Hypotheses as Hypotheses
    from moose.ranking.listing.learn_listing import LearntListing as LearntListing
    from moose.ranking.listing.learn_listing import ListingOptions as ListingOptions
    from moose.ranking.listing.learn_listing import learn_listing as learn_listing
    from moose.ranking.listing.listing_files import read_listing as read_listing
    from moose.ranking.listing.listing_files import write_listing as write_listing
    from moose.ranking.noise import Listing as Listing
    from moose.ranking.noise import Noise as Noise
    from moose.ranking.rank import Ranking as Ranking
    from moose.ranking.rank import rank as rank
    from moose.ranking.reading.case_files import read_cases as read_cases
    from moose.ranking.reading.from_ontology import hypotheses_of as hypotheses
    from moose.saturation.answers.closure import Closure as Closure
    from moose.saturation.answers.closure import saturate as saturate
    from moose.saturation.answers.entailment import Entailment as Entailment
    from moose.saturation.answers.entailment import entailment as entailment
    from moose.saturation.answers.realise import Realisation as Realisation
    from moose.saturation.answers.realise import realise as realise
    from moose.saturation.answers.taxonomy import Taxonomy as Taxonomy
    from moose.saturation.answers.taxonomy import classify as classify
    from moose.saturation.answers.unsatisfiable import unsatisfiable_classes as unsatisfiable_classes
    from moose.saturation.dl.dl_queries import ClassMatches as ClassMatches
    from moose.saturation.proofs.explain import Explanation as Explanation
    from moose.saturation.proofs.explain import explain as explain
    from moose.saturation.proofs.proof import Proof as Proof
    from moose.shortcuts.count.find_shortcuts import find_shortcuts as find_shortcuts
    from moose.shortcuts.count.shortcuts import Shortcuts as Shortcuts
    from moose.training.diagnosis.diagnose import Diagnosis as Diagnosis
    from moose.training.diagnosis.diagnose import diagnose as diagnose

_HOMES = {
    "AnnotationAxioms": "moose.owl.model.annotations:AnnotationAxioms",
    "Answer": "moose.queries.answer:Answer",
    "Atom": "moose.grounding.atoms:Atom",
    "Beta": "moose.queries.estimate.parameters:Beta",
    "Bounds": "moose.circuit.bounds.bounds:Bounds",
    "BoundsLayer": "moose.layer.bounds_layer:BoundsLayer",
    "Case": "moose.ranking.cases:Case",
    "Circuit": "moose.circuit.circuit:Circuit",
    "ClassMatches": "moose.saturation.dl.dl_queries:ClassMatches",
    "Clauses": "moose.grounding.clauses:Clauses",
    "Closure": "moose.saturation.answers.closure:Closure",
    "CoinSharing": "moose.queries.estimate.parameters:CoinSharing",
    "Components": "moose.grounding.task.components:Components",
    "ConceptLearner": "moose.methods.concept_learner:ConceptLearner",
    "ContradictoryEvidence": "moose.base.errors:ContradictoryEvidence",
    "Cover": "moose.learning.loss.cover:Cover",
    "Dataset": "moose.datasets.open:Dataset",
    "Diagnosis": "moose.training.diagnosis.diagnose:Diagnosis",
    "Difference": "moose.authoring.diff:Difference",
    "Entailment": "moose.saturation.answers.entailment:Entailment",
    "Examples": "moose.learning.examples:Examples",
    "Explanation": "moose.saturation.proofs.explain:Explanation",
    "Hermit": "moose.hermit.hermit:Hermit",
    "Hypotheses": "moose.ranking.hypotheses:Hypotheses",
    "InconsistentOntology": "moose.base.errors:InconsistentOntology",
    "Interval": "moose.circuit.bounds.interval:Interval",
    "Justification": "moose.queries.answer:Justification",
    "Kind": "moose.grounding.task.kinds:Kind",
    "LearningOptions": "moose.queries.estimate.learn:LearningOptions",
    "LearntListing": "moose.ranking.listing.learn_listing:LearntListing",
    "LearntProbabilities": "moose.queries.estimate.learn:LearntProbabilities",
    "LimitReached": "moose.base.errors:LimitReached",
    "Limits": "moose.circuit.limits:Limits",
    "Listing": "moose.ranking.noise:Listing",
    "ListingOptions": "moose.ranking.listing.learn_listing:ListingOptions",
    "MissingImport": "moose.base.errors:MissingImport",
    "MooseError": "moose.base.errors:MooseError",
    "NameStyle": "moose.owl.names:NameStyle",
    "Names": "moose.owl.names:Names",
    "Noise": "moose.ranking.noise:Noise",
    "Observation": "moose.ranking.cases:Observation",
    "ObservedCase": "moose.queries.estimate.cases:ObservedCase",
    "Ontology": "moose.owl.ontology:Ontology",
    "ParseError": "moose.base.errors:ParseError",
    "Probabilities": "moose.queries.probabilities.probabilities:Probabilities",
    "Proof": "moose.saturation.proofs.proof:Proof",
    "REGIMES": "moose.grounding.task.regimes:REGIMES",
    "Ranking": "moose.ranking.rank:Ranking",
    "Realisation": "moose.saturation.answers.realise:Realisation",
    "Reasoned": "moose.authoring.reasoned:Reasoned",
    "Repair": "moose.queries.justify.justifications:Repair",
    "Shortcuts": "moose.shortcuts.count.shortcuts:Shortcuts",
    "Task": "moose.grounding.task.task:Task",
    "Taxonomy": "moose.saturation.answers.taxonomy:Taxonomy",
    "Training": "moose.learning.fit.training_loop:Training",
    "UnknownName": "moose.base.errors:UnknownName",
    "WMCLayer": "moose.layer.layer:WMCLayer",
    "Workers": "moose.base.processes.parallel:Workers",
    "case": "moose.ranking.cases:case_of",
    "check_proof": "moose.certificates.check_proof:check_proof",
    "classify": "moose.saturation.answers.taxonomy:classify",
    "compile_bounds": "moose.circuit.bounds.compile_bounds:compile_bounds",
    "compile_circuit": "moose.circuit.compile.compile_circuit:compile_circuit",
    "compiling": "moose.circuit.compile.settings:compiling",
    "diagnose": "moose.training.diagnosis.diagnose:diagnose",
    "diff": "moose.authoring.diff:diff",
    "embedding_encoder": "moose.learning.encoders:embedding_encoder",
    "entailment": "moose.saturation.answers.entailment:entailment",
    "explain": "moose.saturation.proofs.explain:explain",
    "extract": "moose.authoring.extract:extract",
    "find_shortcuts": "moose.shortcuts.count.find_shortcuts:find_shortcuts",
    "ground": "moose.grounding.ground:ground",
    "hypotheses": "moose.ranking.reading.from_ontology:hypotheses_of",
    "justifications": "moose.queries.justify.justifications:justifications",
    "learn_listing": "moose.ranking.listing.learn_listing:learn_listing",
    "learn_probabilities": "moose.queries.estimate.learn:learn_probabilities",
    "load": "moose.owl.load:load",
    "load_document": "moose.owl.load:load_document",
    "load_predictor": "moose.methods.load_predictor:load_predictor",
    "make_method": "moose.methods.registry:make_method",
    "merge": "moose.owl.load:merge",
    "mlp_encoder": "moose.learning.encoders:mlp_encoder",
    "patch_encoder": "moose.learning.encoders:patch_encoder",
    "ontology": "moose.owl.make:make_ontology",
    "open_dataset": "moose.datasets.open:open_dataset",
    "pair_examples": "moose.learning.graph_pairs:pair_examples",
    "probabilities": "moose.queries.probabilities.probabilities:probabilities_of",
    "query": "moose.queries.query:query",
    "query_all": "moose.queries.query:query_all",
    "rank": "moose.ranking.rank:rank",
    "read_cases": "moose.ranking.reading.case_files:read_cases",
    "read_listing": "moose.ranking.listing.listing_files:read_listing",
    "read_observed_cases": "moose.queries.estimate.cases:read_observed_cases",
    "read_task": "moose.grounding.task.task_file:read_task",
    "realise": "moose.saturation.answers.realise:realise",
    "reason": "moose.authoring.reasoned:reason",
    "regime": "moose.grounding.task.regimes:regime",
    "repairs": "moose.queries.justify.justifications:repairs",
    "saturate": "moose.saturation.answers.closure:saturate",
    "unsatisfiable_classes": "moose.saturation.answers.unsatisfiable:unsatisfiable_classes",
    "with_annotations": "moose.owl.ontology:with_annotations",
    "with_axioms": "moose.owl.ontology:with_axioms",
    "write": "moose.owl.write:write",
    "write_listing": "moose.ranking.listing.listing_files:write_listing",
    "write_task": "moose.grounding.task.task_file:write_task",
}
"""Public name to `module:attribute`."""

__all__ = [
    "PIZZERIA",
    "REGIMES",
    "AnnotationAxioms",
    "Answer",
    "Atom",
    "Beta",
    "Bounds",
    "BoundsLayer",
    "Case",
    "Circuit",
    "ClassMatches",
    "Clauses",
    "Closure",
    "CoinSharing",
    "Components",
    "ConceptLearner",
    "ContradictoryEvidence",
    "Cover",
    "Dataset",
    "Diagnosis",
    "Difference",
    "Entailment",
    "Examples",
    "Explanation",
    "Hermit",
    "Hypotheses",
    "InconsistentOntology",
    "Interval",
    "Justification",
    "Kind",
    "LearningOptions",
    "LearntListing",
    "LearntProbabilities",
    "LimitReached",
    "Limits",
    "Listing",
    "ListingOptions",
    "MissingImport",
    "MooseError",
    "NameStyle",
    "Names",
    "Noise",
    "Observation",
    "ObservedCase",
    "Ontology",
    "ParseError",
    "Probabilities",
    "Proof",
    "Ranking",
    "Realisation",
    "Reasoned",
    "Repair",
    "Shortcuts",
    "Task",
    "Taxonomy",
    "Training",
    "UnknownName",
    "WMCLayer",
    "Workers",
    "__version__",
    "case",
    "check_proof",
    "classify",
    "compile_bounds",
    "compile_circuit",
    "compiling",
    "diagnose",
    "diff",
    "embedding_encoder",
    "entailment",
    "explain",
    "extract",
    "find_shortcuts",
    "ground",
    "hypotheses",
    "justifications",
    "learn_listing",
    "learn_probabilities",
    "load",
    "load_document",
    "load_predictor",
    "make_method",
    "merge",
    "mlp_encoder",
    "ontology",
    "open_dataset",
    "pair_examples",
    "patch_encoder",
    "probabilities",
    "query",
    "query_all",
    "rank",
    "read_cases",
    "read_listing",
    "read_observed_cases",
    "read_task",
    "realise",
    "reason",
    "regime",
    "repairs",
    "saturate",
    "unsatisfiable_classes",
    "with_annotations",
    "with_axioms",
    "write",
    "write_listing",
    "write_task",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'moose' has no attribute {name!r}")
    module, _, attribute = home.partition(":")
    value: object = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
