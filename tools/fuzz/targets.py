"""What is done with the files of a case, and what counts as a finding."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random

import moose
from moose.base.errors import MooseError
from moose.certificates.checker.reading import Refused
from moose.certificates.checker.verify import verify_text
from moose.circuit.circuit import Circuit
from moose.circuit.limits import Limits
from moose.owl.syntax.functional.read_functional import read_functional
from moose.shortcuts.count.find_shortcuts import Effort
from tools.fuzz.case import Case, Outcome, TooLong, Wrong
from tools.fuzz.commands import run_command, run_process
from tools.fuzz.documents import ENDINGS, WRITERS
from tools.fuzz.oracles import check_rewriting, demand, in_pairs, question, sentence
from tools.fuzz.random_axioms import DECLARED

Steps = list[str]
Target = Callable[[Case, Path, Steps], None]
"""Reads the first file of a case, lists the steps that it reaches, and raises what is wrong."""
REFUSALS = (MooseError, Refused)

# ── Ontologies ────────────────────────────────────────────────────────────────────────────────────────────────────


def read_ontology(case: Case, path: Path, steps: Steps) -> None:
    """Load, and ask some of all that can be asked."""
    random = case.random()
    steps.append("load")
    ontology = moose.load(path, ignore_missing_imports=random.randrange(4) > 0)
    check_rewriting(ontology)
    if random.randrange(2):  # reading takes a tenth of the time of asking
        question(ontology, random, steps)


def read_axioms(case: Case, path: Path, steps: Steps) -> None:
    """Demand that axioms written in another syntax are read as they were, and have the same hierarchy."""
    random = case.random()
    steps.append("load")
    ontology = moose.load(path)
    syntax = random.choice([name for name in ENDINGS if name != case.kind])
    other_path = path.with_name(f"other.{ENDINGS[syntax]}")
    other_path.write_bytes(WRITERS[syntax](ontology.axioms, DECLARED))
    steps.append(syntax)
    other = moose.load(other_path)
    lost = in_pairs(ontology.axioms) - in_pairs(other.axioms)
    demand(not lost, f"read from {syntax}, these axioms are others: {sorted(map(repr, lost))[:1]}")
    one, two = moose.classify(ontology), moose.classify(other)
    demand(one.unsatisfiable == two.unsatisfiable, f"in {syntax}, other classes are unsatisfiable")
    demand(one.closure_pairs() == two.closure_pairs(), f"in {syntax}, the hierarchy is another one")
    check_rewriting(ontology)
    question(ontology, random, steps)


def read_imports(case: Case, path: Path, steps: Steps) -> None:
    """Load with imports and a catalogue."""
    random = case.random()
    steps.append("load")
    ontology = moose.load(
        path,
        imports_from=path.parent if random.randrange(3) == 0 else None,
        ignore_missing_imports=random.randrange(4) > 0,
        allow_import_cycles=random.randrange(2) == 0,
    )
    for imported in ontology.imports:
        inside = Path(imported.path).resolve().is_relative_to(path.parent.resolve())
        demand(inside or not imported.path.startswith("/etc"), f"read from elsewhere: {imported.path}")
    steps.append("classify")
    moose.classify(ontology)


# ── Other files ───────────────────────────────────────────────────────────────────────────────────────────────────


def read_probabilities(case: Case, path: Path, steps: Steps) -> None:
    """Read probabilities and ask a query with them."""
    ontology = moose.load(path.with_name("clinic.ofn"))
    steps.append("probabilities")
    probabilities = moose.probabilities(ontology, path)
    steps.append("query")
    names = case.random().sample(["Patient", "LymePatient", "NeedsAntibiotic"], 1)
    answer = moose.query(ontology, f"ClassAssertion({names[0]} anna)", probabilities=probabilities, justifications=1)
    demand(0 <= answer.lower <= answer.upper <= 1, f"bounds {answer.lower} and {answer.upper}")


def read_certificate(_case: Case, path: Path, steps: Steps) -> None:
    """Verify; what is accepted, and takes nothing for granted, must be true."""
    steps.append("verify")
    text = path.read_bytes().decode("utf-8", "replace")
    verdict = verify_text(text)
    steps.append(f"accepted {verdict.kind}")
    if verdict.kind not in ("entailment", "non-entailment") or verdict.granted:
        return
    claim = json.loads(text)["claim"]
    told = "\n".join([*verdict.sources, claim])
    *axioms, goal = read_functional(f"Ontology({told})", "certificate").axioms
    follows = moose.explain(moose.ontology(axioms), goal) is not None
    demand(follows == (verdict.kind == "entailment"), f"accepted, but false: {verdict.kind} of {claim}")


def read_task(case: Case, path: Path, steps: Steps) -> None:
    """Read a task, compile it, ask, count shortcuts."""
    random = case.random()
    steps.append("read")
    task = moose.read_task(path)
    steps.append("ground")
    clauses = moose.ground(task, encoding=random.choice(("full", "paper")))
    steps.append("compile")
    circuit = moose.compile_circuit(clauses, limits=Limits(seconds=5, size=20_000))
    steps.append("ask")
    ask(circuit, random)
    if random.randrange(3) == 0:
        steps.append("shortcuts")
        moose.find_shortcuts(task, effort=Effort(Limits(seconds=5)))


def ask(circuit: Circuit, random: Random) -> None:
    """Demand that a circuit's answers agree."""
    if not circuit.model_count():
        return
    atoms = [str(atom) for atom in circuit.atoms]
    evidence = [random.choice(("", "not ")) + atom for atom in random.sample(atoms, min(2, len(atoms)))]
    count = circuit.model_count(evidence)
    models = sum(1 for _ in circuit.models(limit=200, evidence=evidence))
    demand(models == min(count, 200), f"{count} models are counted, and {models} listed")
    if count:
        posterior = circuit.posterior(evidence)
        demand(all(-1e-9 <= value <= 1 + 1e-9 for value in posterior.values()), "a posterior outside 0 to 1")
        circuit.most_probable(evidence)


def read_circuit(case: Case, path: Path, steps: Steps) -> None:
    """Load a circuit and ask it; one that was forged well may say anything, but must not crash."""
    steps.append("load")
    circuit = Circuit.load(path)
    steps.append("ask")
    report = circuit.check()
    circuit.model_count()
    if report.is_decomposable and report.is_deterministic and report.is_exact:
        ask(circuit, case.random())


def read_store(_case: Case, path: Path, steps: Steps) -> None:
    """Read packed results as `moose bench report` does."""
    from moose.benchmark.store.store import Store

    steps.append("read")
    store = Store(path)
    for listing in store.listings():
        store.results(listing.plan, listing.scale)
        store.failures(listing.plan, listing.scale)


def read_model(_case: Case, path: Path, steps: Steps) -> None:
    """Load a saved model."""
    steps.append("load")
    moose.load_predictor(path.parent)


def read_image(case: Case, path: Path, steps: Steps) -> None:
    """Read an image, or a file of images."""
    from moose.datasets.base.resizing import is_grey
    from moose.datasets.base.resizing import read_image as read_pixels
    from moose.datasets.mnist_files.published import IMAGES, read_file

    steps.append("read")
    if "idx" in path.name:
        read_file(path.parent, IMAGES["train"])
        return
    is_grey(path)
    read_pixels(path, channels=case.random().choice((1, 3)), size=8)


TARGETS: dict[str, Target] = {
    "ontology": read_ontology,
    "axioms": read_axioms,
    "imports": read_imports,
    "probabilities": read_probabilities,
    "certificate": read_certificate,
    "task": read_task,
    "circuit": read_circuit,
    "store": read_store,
    "model": read_model,
    "image": read_image,
    "command": run_command,
    "process": run_process,
}

# ── One case ──────────────────────────────────────────────────────────────────────────────────────────────────────


def run_case(case: Case, folder: Path) -> Outcome:
    """Run a case in an empty folder. Whatever is raised but a refusal in one sentence is a finding."""
    steps: Steps = []
    try:
        try:
            TARGETS[case.target](case, case.write(folder), steps)
        except REFUSALS as refusal:
            sentence(refusal)
            return Outcome("refused", tuple(steps))
    except (Exception, TooLong) as error:  # noqa: BLE001 - whatever it is, it was found
        return finding(error, steps)
    return Outcome("read", tuple(steps))


def finding(error: BaseException, steps: Steps) -> Outcome:
    """Describe what was raised; its signature is the kind of error and where in Moose it was."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "/moose/" in one.filename]
    where = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "tools"
    step = steps[-1] if steps else "start"
    kind = type(error).__name__
    # What a disagreement is about begins its message; names come after.
    about = str(error)[:25] if isinstance(error, Wrong) else ""
    return Outcome(
        "found",
        tuple(steps),
        what=f"{step}: {kind}: {str(error)[:300]}".replace("\n", " "),
        signature=f"{kind} {where} {about}".strip(),
        details="".join(traceback.format_exception(error))[-6_000:],
    )
