"""Write docs/api.md, and the table of rules in docs/explain.md, from docstrings: `python docs/make_api.py`.

Only source is read, nothing is run: the pages are the same on every Python version and machine. A test compares them
with what this writes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent

PAGE = Path(__file__).with_name("api.md")
PROOFS = Path(__file__).with_name("explain.md")
SOURCE = Path(__file__).parent.parent / "src"

OPENING = """\
# API reference

Written by `python docs/make_api.py` from the docstrings. Names of the façade are used as `moose.load`; the modules
below it are imported by their full names. Everything here is typed, and values are frozen.
"""
FACADE = {
    "Reading": ("load", "load_document", "ontology", "Ontology", "Names", "NameStyle", "PIZZERIA"),
    "Writing": ("write", "merge", "with_axioms", "with_annotations", "AnnotationAxioms"),
    "Reasoning": ("classify", "Taxonomy", "ClassMatches", "realise", "Realisation", "saturate", "Closure"),
    "Building": ("reason", "Reasoned", "extract", "diff", "Difference"),
    "Explaining": (
        *("explain", "Explanation", "Proof", "check_proof", "entailment", "Entailment", "Hermit"),
        *("justifications", "Justification", "repairs", "Repair", "unsatisfiable_classes"),
    ),
    "Grounding": (
        "Task",
        "read_task",
        "write_task",
        "regime",
        "REGIMES",
        "ground",
        "Components",
        "Kind",
        "Clauses",
        "Atom",
    ),
    "Circuits": ("compile_circuit", "compiling", "Limits", "Circuit", "compile_bounds", "Bounds", "Interval"),
    "Layer": ("WMCLayer", "BoundsLayer"),
    "Learning": (
        "ConceptLearner",
        "Examples",
        "Training",
        "Cover",
        "mlp_encoder",
        "patch_encoder",
        "embedding_encoder",
        "pair_examples",
    ),
    "Data sets": ("open_dataset", "Dataset"),
    "Methods": ("make_method", "load_predictor"),
    "Shortcuts": ("find_shortcuts", "Shortcuts", "diagnose", "Diagnosis"),
    "Queries": ("query", "query_all", "Workers", "Answer", "probabilities", "Probabilities"),
    "Learning probabilities": (
        "Beta",
        "CoinSharing",
        "LearningOptions",
        "LearntProbabilities",
        "ObservedCase",
        "learn_probabilities",
        "read_observed_cases",
    ),
    "Ranking": (
        *("hypotheses", "Hypotheses", "Noise", "case", "Case", "Observation", "read_cases", "rank", "Ranking"),
        *("learn_listing", "LearntListing", "Listing", "ListingOptions", "read_listing", "write_listing"),
    ),
    "Errors": (
        "MooseError",
        "ParseError",
        "MissingImport",
        "UnknownName",
        "InconsistentOntology",
        "ContradictoryEvidence",
        "LimitReached",
    ),
}
"""The names of the façade, by what they are for; a test checks that none is left out."""

MODULES = {
    "moose.queries.top_proofs": ("top_proofs", "TopProofs"),
    "moose.queries.contexts": ("ContextualOntology", "read_contexts", "query_in_context", "ContextAnswer"),
    "moose.datasets.base.regimes": ("Regime", "find_regime"),
    "moose.datasets.base.subjects": ("Subject", "Recipe", "recipes", "meanings"),
    "moose.learning.encoders": ("mnist_encoder", "pizza_encoder", "encoder_for"),
    "moose.learning.prediction": ("Predictions",),
    "moose.learning.evaluation.evaluate": ("Evaluation", "View", "Scores"),
    "moose.learning.evaluation.metrics": (
        "family_accuracy",
        "atom_accuracy",
        "negative_log_likelihood",
        "calibration_error",
        "reliability",
        "shortcut_consistency",
        "confident_error",
        "macro_f1",
        "confusion",
        "collapse",
    ),
    "moose.learning.evaluation.label_metrics": (
        "LabelScores",
        "score_labels",
        "f_max",
        "s_min",
        "information_content",
        "macro_auc",
        "consistency",
    ),
    "moose.learning.labels.complete_labels": ("complete_examples", "completion", "Completion"),
    "moose.learning.evaluation.pictures": ("draw_reliability", "draw_confusion", "draw_predictions"),
    "moose.learning.fit.watchers": ("Watcher", "Bar", "Step", "Epoch"),
    "moose.methods.base.method": ("Method", "Predictor"),
    "moose.methods.base.perception": ("Perception",),
    "moose.methods.base.model": ("Model", "Stage"),
    "moose.methods.base.answers": ("BatchAnswer",),
    "moose.methods.settings": ("find_settings", "Settings"),
    "moose.methods.ours.moose": ("Moose",),
    "moose.methods.ours.moose_cover": ("MooseCover",),
    "moose.methods.semantic_loss": ("SemanticLoss",),
    "moose.methods.spl": ("Spl",),
    "moose.methods.independent": ("Independent",),
    "moose.methods.maximum.max_constraint": ("MaxConstraint",),
    "moose.methods.maximum.max_propagation": ("MaxPropagation",),
    "moose.methods.ensemble": ("Ensemble",),
    "moose.methods.bears.bears": ("Bears",),
    "moose.methods.nesydm.nesydm_rloo": ("NesydmRloo",),
    "moose.methods.nesydm.nesydm_exact": ("NesydmExact",),
    "moose.methods.deepproblog.deepproblog": ("Deepproblog",),
    "moose.methods.ours.moose_labels": ("MooseLabels",),
    "moose.methods.ours.moose_siblings": ("MooseSiblings", "MooseSiblingsModel", "GroupOdds"),
    "moose.methods.ours.moose_honest": ("MooseHonest", "Readings", "count_readings"),
    "moose.methods.ltn.ltn": ("Ltn",),
    "moose.methods.elembeddings.elembeddings": ("Elembeddings",),
    "moose.methods.anesi.anesi": ("Anesi",),
    "moose.methods.ilr.ilr": ("Ilr",),
    "moose.methods.top_k.top_k": ("TopK",),
    "moose.methods.neurasp.neurasp": ("Neurasp",),
    "moose.methods.embed2sym.embed2sym": ("Embed2sym",),
    "moose.methods.dfel.dfel": ("Dfel",),
    "moose.methods.deepgozero.deepgozero": ("Deepgozero",),
    "moose.methods.owl2vec.owl2vec": ("Owl2vec",),
    "moose.shortcuts.problem.options": ("Showing", "Encoder"),
    "moose.shortcuts.model.examples": ("Seen", "find_in_examples"),
    "moose.shortcuts.count.ceiling": ("Ceiling", "ceiling"),
    "moose.shortcuts.count.verdict": ("verdict", "confused_groups"),
    "moose.shortcuts.count.symmetry": ("count_up_to_symmetry",),
    "moose.shortcuts.count.approximate": ("Interval", "bound_maps"),
    "moose.shortcuts.advice.advise": ("Advice", "AdviceStep", "advise"),
    "moose.shortcuts.advice.ablation": ("Ablation", "ablate"),
    "moose.shortcuts.model.follow": ("Followed", "Confidence", "follow"),
    "moose.shortcuts.model.picture": ("draw_followed", "draw_maps"),
    "moose.training.diagnosis.readings": ("ReadingLoss",),
    "moose.owl.model.axioms": ("Document", "Imported"),
    "moose.owl.syntax.common.written": ("Written", "Unwritten"),
    "moose.owl.profile.profile": ("Profile", "Outside"),
    "moose.owl.profile.check_profile": ("check_profile",),
    "moose.owl.syntax.functional.read_functional": ("read_functional", "parse_axiom", "parse_expression"),
    "moose.owl.syntax.functional.write_functional": ("render", "write_functional"),
    "moose.queries.answer": ("ProbableJustification",),
    "moose.queries.estimate.learn": ("LearningStep",),
    "moose.queries.justify.justifications": ("Justifications",),
    "moose.ranking.reasons": ("Reasons", "ObservationReason", "AxiomReason", "Comparison", "Difference"),
    "moose.ranking.information_gain": ("Question",),
    "moose.ranking.hypotheses": ("Coin", "make_hypotheses"),
    "moose.ranking.findings": ("Findings", "hierarchy"),
    "moose.ranking.reading.hpoa": ("read_hpoa", "annotated_diseases", "Frequencies", "Background"),
    "moose.saturation.answers.unsatisfiable": ("UnsatisfiableClass",),
    "moose.queries.probabilities.probabilities": ("read_probabilities",),
    "moose.queries.export.encode": ("encode", "Encoding", "Diagnostics"),
    "moose.saturation.proofs.proof": ("Subsumption", "Link", "RoleInclusion", "NonEmpty", "Inference"),
    "moose.saturation.proofs.picture": ("proof_text", "proof_json", "proof_dot", "proof_svg"),
    "moose.certificates.check_proof": ("RefusedProof", "find_fault"),
}
"""Names below the façade that a program may use."""

CONSTRUCTS = {
    "moose.owl.model.expressions": "Entities, class expressions and data ranges, named as in the OWL 2 specification.",
    "moose.owl.model.axioms": "Axioms, under the names of the OWL 2 specification.",
}

WIDTH = 100
"""Signatures longer than this are written on several lines."""

Definition = ast.FunctionDef | ast.ClassDef


def render_api() -> str:
    """Return the whole page."""
    parts = [OPENING]
    for title, names in FACADE.items():
        parts.append(f"## {title}\n")
        parts += [f"### `moose.{name}`\n\n{entry(name, *home(name))}" for name in names]
    parts.append("## Below the façade\n")
    for module, names in MODULES.items():
        parts.append(f"### `{module}`\n\n{first_paragraph(tree(module))}\n")
        parts += [f"#### `{name}`\n\n{entry(name, module, name)}" for name in names]
    parts.append("## The OWL model\n")
    parts += [constructs(module, about) for module, about in CONSTRUCTS.items()]
    return "\n".join(parts)


def render_proofs(page: str) -> str:
    """Return the page on proofs with the checker's rules between its markers."""
    begin, end = "<!-- rules: written by python docs/make_api.py -->\n", "<!-- rules: end -->"
    before, after = page.partition(begin)[0], page.partition(end)[2]
    rows = "".join(f"| `{name}` | {sentence(text).removesuffix('.')} |\n" for name, text in rules())
    return f"{before}{begin}| rule | premises ⊢ conclusion |\n| --- | --- |\n{rows}{end}{after}"


def rules() -> Iterator[tuple[str, str]]:
    """Yield the rules of proofs by name, each with its sequent; first those that have one of their own in proofs."""
    own = set()
    for node in tree("moose.certificates.make.from_proof").body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                assert key is not None and isinstance(value, ast.Call), "each rule has a name and is a Rule(…)"
                own.add(ast.literal_eval(key))
                yield ast.literal_eval(key), ast.literal_eval(value.args[0])
    for call in ast.walk(tree("moose.saturation.rules")):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "_rule":
            name, sequent, _, _, checker = call.args
            if ast.literal_eval(name) not in own and len(ast.literal_eval(checker).split()) == 1:
                yield ast.literal_eval(name), ast.literal_eval(sequent)


# ── Finding a name ────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def tree(module: str) -> ast.Module:
    """Parse a module."""
    path = SOURCE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def homes() -> dict[str, str]:
    """Return the façade's table from a public name to `module:attribute`."""
    for node in tree("moose").body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            table: dict[str, str] = ast.literal_eval(node.value)
            return table
    raise LookupError("moose/__init__.py has no _HOMES; the façade is made in another way now")


def home(name: str) -> tuple[str, str]:
    """Return the module in which a name of the façade is defined, and its name there."""
    module, _, attribute = homes().get(name, f"moose:{name}").partition(":")
    return resolve(module, attribute)


def resolve(module: str, name: str) -> tuple[str, str]:
    """Follow `from x import y` to where a name is defined."""
    for node in tree(module).body:
        if isinstance(node, ast.ImportFrom) and node.module and module != "moose":
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return resolve(node.module, alias.name)
    return module, name


# ── Writing about it ──────────────────────────────────────────────────────────────────────────────────────────────


def entry(shown: str, module: str, name: str) -> str:
    """Return what is to say about one name, which the façade may show under another."""
    for node, following in with_docstrings(tree(module).body):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return f"```python\n{signature(node, shown)}\n```\n\n{docstring(node)}\n"
        if isinstance(node, ast.ClassDef) and node.name == name:
            return class_text(node)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return f"{following}\n"
    raise LookupError(f"{module} defines no {name}; mend the tables in docs/make_api.py")


def with_docstrings(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Yield each statement with the string that stands below it, if one does."""
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        text = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            text = dedent(after.value.value).strip()
        yield node, text


def signature(node: ast.FunctionDef, shown: str) -> str:
    """Return name, parameters and result, on several lines where one would be long."""
    given = parameters(node.args)
    result = f" -> {plain(node.returns)}" if node.returns else ""
    line = f"{shown}({', '.join(given)}){result}"
    if len(line) <= WIDTH:
        return line
    rows = "".join(f"    {parameter},\n" for parameter in given)
    return f"{shown}(\n{rows}){result}"


def parameters(told: ast.arguments) -> list[str]:
    """Return the parameters of a function as they are written, but for `self`."""
    positional = [*told.posonlyargs, *told.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(told.defaults)) + list(told.defaults)
    found = [parameter(one, default) for one, default in zip(positional, defaults, strict=True) if one.arg != "self"]
    if told.vararg:
        found.append(f"*{parameter(told.vararg, None)}")
    elif told.kwonlyargs:
        found.append("*")
    return found + [parameter(one, default) for one, default in zip(told.kwonlyargs, told.kw_defaults, strict=True)]


def parameter(told: ast.arg, default: ast.expr | None) -> str:
    """Return one parameter with its type and its default."""
    typed = f"{told.arg}: {plain(told.annotation)}" if told.annotation else told.arg
    return typed if default is None else f"{typed} = {ast.unparse(default)}"


def plain(node: ast.expr) -> str:
    """Return a type as it is written, without the short names under which the code imports the OWL model."""
    return re.sub(r"\b(?:ax|owl)\.", "", ast.unparse(node))


def class_text(node: ast.ClassDef) -> str:
    """Return a class's docstring, fields, properties and methods."""
    bases = [ast.unparse(base) for base in node.bases]
    about = f"A `{bases[0]}`. " if bases and bases[0].endswith("Error") else ""
    lines = [about + docstring(node), ""]
    for field, text in with_docstrings(node.body):
        if isinstance(field, ast.AnnAssign) and not ast.unparse(field.target).startswith("_"):
            told = f": {sentence(text)}" if text else ""
            lines.append(f"- `{ast.unparse(field.target)}: {plain(field.annotation)}`{told}")
    functions = [part for part in node.body if isinstance(part, ast.FunctionDef) and not part.name.startswith("_")]
    properties = [function for function in functions if is_property(function)]
    methods = [function for function in functions if function not in properties]
    lines += [f"- `{one.name}: {plain(one.returns)}`: {sentence(docstring(one))}" for one in properties if one.returns]
    lines += [f"- `{signature(one, one.name)}`: {sentence(docstring(one))}" for one in methods]
    return "\n".join(lines).rstrip() + "\n"


def is_property(function: ast.FunctionDef) -> bool:
    """Tell whether a function is read like a field."""
    return any("property" in ast.unparse(mark) for mark in function.decorator_list)


def docstring(node: Definition) -> str:
    """Return a docstring as Markdown, examples as code."""
    text = ast.get_docstring(node) or ""
    return re.sub(
        r"(?m)(?:^>>> .*\n?)(?:^\S.*\n?|^    .*\n?)*", lambda found: f"```pycon\n{found[0].rstrip()}\n```", text
    )


def sentence(text: str) -> str:
    """Return the first paragraph on one line, with a full stop."""
    line = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    return line if line.endswith((".", "?", "!")) else f"{line}."


def first_paragraph(module: ast.Module) -> str:
    """Return how a module's docstring begins."""
    return (ast.get_docstring(module) or "").split("\n\n")[0]


def constructs(module: str, about: str) -> str:
    """Return one line for each class of a module of the model: its name and its fields."""
    lines = [f"### `{module}`\n\n{about}\n"]
    for node in tree(module).body:
        if isinstance(node, ast.ClassDef):
            fields = [
                f"{ast.unparse(part.target)}: {plain(part.annotation)}"
                + (f" = {ast.unparse(part.value)}" if part.value else "")
                for part in node.body
                if isinstance(part, ast.AnnAssign)
            ]
            lines.append(f"- `{node.name}({', '.join(fields)})`")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render_api(), encoding="utf-8", newline="\n")
    PROOFS.write_text(render_proofs(PROOFS.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
