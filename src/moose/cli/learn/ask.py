"""`moose ask`: what follows from a task and evidence, and how probable the rest is."""

from __future__ import annotations

import json as json_syntax
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.cli.common.completeness import ListUnused, completeness, say_open
from moose.cli.common.messages import DOES_NOT_FOLLOW, say
from moose.cli.common.options import Json
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages
from moose.cli.common.task_options import Bounded, Compilation, EvidenceText, TaskSource
from moose.cli.learn.bounded import BoundedAnswer, bounded_answer

if TYPE_CHECKING:
    from moose.circuit.circuit import Circuit
    from moose.circuit.inference.weights import Weights
    from moose.cli.common.progress import Stage
    from moose.grounding.clauses import Clauses
    from moose.grounding.task.task import Task


def ask(
    source: TaskSource,
    *,
    evidence: EvidenceText = "",
    weights: Annotated[
        Path | None, typer.Option(metavar="JSON", help='Probabilities by atom, such as {"D3(a)": 0.9}; ½ for others.')
    ] = None,
    observed_only: Annotated[bool, typer.Option("--observed-only", help="Refuse evidence on latent atoms.")] = False,
    compilation: Compilation,
    bounds: Bounded = False,
    json: Json = False,
    unused: ListUnused = False,
) -> None:
    """Print what evidence entails, and how probable the rest is. Also the most probable world.

    With `--bounds` the probabilities are intervals, which are certain also where an exact circuit would be too large.
    Evidence that contradicts the theory is refused with exit code 1, and a clash is named, nothing of which can be left
    out.
    """
    with stages("reading") as stage:
        given = read_weights_file(weights)
        task = source.read()
        result: Answer | BoundedAnswer | ContradictoryEvidence
        if bounds:
            result = bounded_or_clash(
                compilation, task, stage, spelt(task, evidence), given, observed_only=observed_only
            )
        else:
            circuit = compilation.run(task, stage)
            stage.enter("asking")
            result = answer_or_clash(circuit, spelt(task, evidence), given, observed_only=observed_only)
    if isinstance(result, ContradictoryEvidence):
        refuse(result, as_json=json)
    if json:
        print_json(result.facts() | completeness(compilation.left_out(task)))
        return
    with writing(None) as stream:
        stream.writelines(f"{line}\n" for line in result.lines())
    say_open(task, compilation.left_out(task), source.path, is_listed=unused)


def read_weights_file(path: Path | None) -> Weights | None:
    """Read weights from a JSON object."""
    if path is None:
        return None
    expected = f"{path}: expected probabilities by atom in JSON, but"
    try:
        value = json_syntax.loads(path.read_text(encoding="utf-8"), object_pairs_hook=without_conflict)
    except (UnicodeDecodeError, json_syntax.JSONDecodeError) as error:
        raise MooseError(f"{expected} it cannot be read: {error}") from None
    except RecursionError:
        raise MooseError(f"{expected} its lists are nested too deeply; a weight is a number or a list of two") from None
    except MooseError as error:
        raise MooseError(f"{path}: {error}") from None
    except ValueError:  # Python reads no more than 4,300 digits
        raise MooseError(f"{expected} a number in it has thousands of digits; write a shorter one") from None
    if not isinstance(value, dict):
        raise MooseError(f'{path}: expected an object such as {{"D3(a)": 0.9}}, but got {type(value).__name__}')
    return {atom: tuple(weight) if isinstance(weight, list) else weight for atom, weight in value.items()}


def without_conflict(members: list[tuple[str, object]]) -> dict[str, object]:
    """Return the members of a JSON object, or say which stands twice with different values."""
    values: dict[str, object] = {}
    for key, value in members:
        if values.setdefault(key, value) != value:
            raise MooseError(f"{key!r} stands twice, with {values[key]} and {value}; keep one")
    return values


@dataclass(frozen=True, slots=True)
class Answer:
    """What a circuit says given evidence."""

    evidence: list[str]
    models: int
    entailed: list[str]
    """Literals that hold in every model, without the evidence itself."""
    world: list[str]
    """The atoms that hold in the most probable world."""
    world_probability: float
    posterior: dict[str, float]
    assumptions: list[str]

    def facts(self) -> dict[str, object]:
        """Return it for programs."""
        return {
            "evidence": self.evidence,
            "models": self.models,
            "entailed": self.entailed,
            "most_probable": {"true": self.world, "probability": self.world_probability},
            "posterior": self.posterior,
            "assumptions": self.assumptions,
        }

    def lines(self) -> Iterator[str]:
        """Spell it for people."""
        yield f"evidence\t{', '.join(self.evidence) or 'none'}"
        yield f"models\t{self.models}"
        yield f"entailed\t{', '.join(self.entailed) or 'nothing more'}"
        yield f"most probable\t{', '.join(self.world) or 'nothing holds'} ({self.world_probability:.6g})"
        yield "posterior"
        yield from (f"  {atom}\t{probability:.6g}" for atom, probability in self.posterior.items())
        yield f"under the assumptions\t{', '.join(self.assumptions)}"


def answer(circuit: Circuit, literals: list[str], weights: Weights | None, *, observed_only: bool) -> Answer:
    """Ask a circuit all there is to ask."""
    check_evidence(circuit.clauses, literals, observed_only=observed_only)
    posterior = circuit.posterior(literals, weights)
    world = circuit.most_probable(literals, weights)
    entailed = [atom if is_true else f"not {atom}" for atom, is_true in circuit.entailed(literals).items()]
    return Answer(
        evidence=literals,
        models=circuit.model_count(literals),
        entailed=[literal for literal in entailed if literal not in literals],
        world=[atom for atom, is_true in world.assignment.items() if is_true],
        world_probability=world.probability,
        posterior=dict(posterior),
        assumptions=list(dict.fromkeys(one.name for one in circuit.assumptions)),
    )


def spelt(task: Task, evidence: str) -> list[str]:
    """Return the literals of evidence in the names of the task."""
    return [str(atom) if is_true else f"not {atom}" for atom, is_true in task.literals(evidence)]


def check_evidence(clauses: Clauses, literals: list[str], *, observed_only: bool) -> None:
    """Refuse evidence on what is no atom, and on latent ones if only observed ones are allowed."""
    from moose.grounding.evidence import read_evidence

    read_evidence(clauses, literals, allow_latent=not observed_only)


def answer_or_clash(
    circuit: Circuit, literals: list[str], weights: Weights | None, *, observed_only: bool
) -> Answer | ContradictoryEvidence:
    """Ask, or return why there is no answer."""
    try:
        return answer(circuit, literals, weights, observed_only=observed_only)
    except ContradictoryEvidence as error:
        return error


def bounded_or_clash(
    compilation: Compilation,
    task: Task,
    stage: Stage,
    literals: list[str],
    weights: Weights | None,
    *,
    observed_only: bool,
) -> BoundedAnswer | ContradictoryEvidence:
    """Bound, tightly for what is asked, and ask; or return why there is no answer."""
    try:
        bounds = compilation.run_bounds(task, stage, literals, weights)
        stage.enter("asking")
        check_evidence(bounds.clauses, literals, observed_only=observed_only)
        return bounded_answer(bounds, literals, weights)
    except ContradictoryEvidence as error:
        return error


def refuse(error: ContradictoryEvidence, *, as_json: bool) -> NoReturn:
    """Say what clashes, and end with the exit code for no."""
    if as_json:
        print_json({"contradiction": str(error), "literals": list(error.literals), "clauses": list(error.clauses)})
    else:
        say(str(error))
    raise typer.Exit(DOES_NOT_FOLLOW)
