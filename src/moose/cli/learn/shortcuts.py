"""`moose shortcuts`: which wrong readings of the latent concepts agree with everything, and which one a model took."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import LimitReached, MooseError
from moose.cli.common.options import Json
from moose.cli.common.output import writing
from moose.cli.common.progress import Stage, stages
from moose.cli.common.task_options import RegimeName, TaskFile, TaskSource, TimeLimit
from moose.cli.learn.shortcuts_output import (
    Answer,
    add_ablation,
    add_advice,
    add_maps,
    add_symmetries,
    bounds,
    describe,
    print_facts,
)

if TYPE_CHECKING:
    from moose.grounding.task.task import Task
    from moose.shortcuts.count.find_shortcuts import Effort
    from moose.shortcuts.problem.options import Encoder, Showing
    from moose.shortcuts.problem.problem import Problem


class LiteralKind(StrEnum):
    """Which true literals evidence holds."""

    both = "both"
    positive = "positive"


class ReadingKind(StrEnum):
    """What a prediction may depend on."""

    whole = "whole"
    apart = "apart"
    exchanged = "exchanged"


def shortcuts(
    task: TaskFile = None,
    regime: RegimeName = None,
    literals: Annotated[
        LiteralKind | None, typer.Option(help="Evidence says what holds and what does not, or only what holds.")
    ] = None,
    shown: Annotated[
        str | None, typer.Option(metavar="CONCEPTS", help="What evidence speaks of, such as Prime,Composite.")
    ] = None,
    most: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Literals that are seen at once; all if not given.")
    ] = None,
    own_encoders: Annotated[
        bool, typer.Option("--own-encoders", help="An encoder for each individual, not one for all.")
    ] = False,
    reads: Annotated[ReadingKind, typer.Option(help="What a prediction may depend on.")] = ReadingKind.whole,
    injective: Annotated[
        bool, typer.Option("--injective", help="Only maps that take different states for different ones.")
    ] = False,
    symmetries: Annotated[
        bool, typer.Option("--symmetries", help="Count also up to symmetries of the theory.")
    ] = False,
    closure: Annotated[
        bool, typer.Option("--closure/--no-closure", help="Hold predictions to the families' closure, or not.")
    ] = True,
    listed: Annotated[int, typer.Option("--list", metavar="N", min=0, help="List the N nearest maps.")] = 0,
    sampled: Annotated[int, typer.Option("--sample", metavar="N", min=0, help="Draw N maps.")] = 0,
    advise: Annotated[bool, typer.Option("--advise", help="Say what would remove the shortcuts.")] = False,
    axiom: Annotated[
        list[str] | None, typer.Option(metavar="AXIOM", help="An axiom that may be added; with --advise.")
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Say what each axiom and clause removes.")] = False,
    model: Annotated[Path | None, typer.Option(metavar="DIR", help="A model that `moose train -o DIR` kept.")] = None,
    data: Annotated[
        str | None, typer.Option("--data", metavar="NAME", help="Count under the evidence of this data set.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the data set's files are, if it has some.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of samples, of the data set's draw, and of bounds.")] = 0,
    picture: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw the maps, beside what a model predicts.")
    ] = None,
    time_limit: TimeLimit = None,
    json: Json = False,
) -> None:
    """Count the maps from true to predicted states that agree with everything, and say what is confused with what.

    With --model DIR: which of them the model follows, and how sure it is where nobody can be. When the time is up
    before the maps are counted, bounds on their number are printed, if pyapproxmc is installed.
    """
    from moose.shortcuts.problem.options import Encoder

    encoder = Encoder(not own_encoders, reads.value, injective)
    wishes = Wishes(listed, sampled, advise, tuple(axiom or ()), ablate, symmetries, seed, picture)
    if model is not None:
        if task is not None or regime is not None:
            raise MooseError("expected a task or --model DIR, but got both; a model knows its regime")
        given = {"--literals": literals, "--shown": shown, "--most": most}
        refuse("--model", given | {"--no-closure": not closure, **wishes.on_tasks()})
        from moose.cli.learn.shortcuts_model import judge_model

        judge_model(model, data, folder, encoder, wishes, time_limit, as_json=json)
        return
    if data is not None:
        refuse("--data", {"--literals": literals, "--shown": shown, "--most": most})
    elif folder is not None:
        raise MooseError("--folder is where a data set's files are; name the data set with --data")
    if axiom and not advise:
        raise MooseError("--axiom is an axiom that may be added; ask for advice with --advise")
    source = TaskSource(task, regime, () if picture is None else (picture,))
    with stages("reading") as stage:
        posed = Posed.of(source, Evidence(literals, shown, most, data, folder, seed), encoder, closure=closure)
        facts, lines = answer(posed, wishes, effort_of(stage, time_limit))
    if json:
        print_facts(facts)
        return
    with writing(None) as stream:
        stream.writelines(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is to be said besides the count."""

    listed: int
    sampled: int
    advise: bool
    axioms: tuple[str, ...]
    ablate: bool
    symmetries: bool
    seed: int
    picture: Path | None

    def on_tasks(self) -> dict[str, object]:
        """Return what can only be said of all that a task can show."""
        return {"--advise": self.advise, "--ablate": self.ablate}


def refuse(option: str, others: dict[str, object]) -> None:
    """Refuse options that another one leaves no use for."""
    for name, value in others.items():
        if value not in (None, False):
            raise MooseError(f"{option} brings its own evidence, so {name} has no meaning beside it; leave one out")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What evidence is there, as the arguments say."""

    literals: LiteralKind | None
    shown: str | None
    most: int | None
    data: str | None
    folder: Path | None
    seed: int

    def showing(self, regime: str | None) -> Showing:
        """Return what is shown: as the regime says, where the arguments do not."""
        from moose.shortcuts.problem.options import Showing

        concepts: tuple[str, ...] | None = None
        kind = self.literals or LiteralKind.both
        if regime is not None:
            from moose.datasets.base.regimes import ROWS

            row = ROWS[regime]
            concepts = row.pool
            if self.literals is None and row.only_positive:
                kind = LiteralKind.positive
        if self.shown is not None:
            concepts = tuple(name.strip() for name in self.shown.split(",") if name.strip())
        return Showing(concepts, kind.value, self.most)


@dataclass(frozen=True, slots=True)
class Posed:
    """A task, what is shown of it, and the problem that these make."""

    task: Task
    showing: Showing
    encoder: Encoder
    problem: Problem

    @classmethod
    def of(cls, source: TaskSource, evidence: Evidence, encoder: Encoder, *, closure: bool) -> Posed:
        """Read a task and find what is shown."""
        from dataclasses import replace

        from moose.shortcuts.problem.problem import ShownTask, make_problem

        task = source.read()
        if not closure:
            task = replace(task, closure=())
        showing = evidence.showing(source.regime)
        if evidence.data is None:
            return cls(task, showing, encoder, make_problem([ShownTask(task, showing)], encoder))
        from moose.datasets.open import open_dataset
        from moose.shortcuts.model.examples import Seen, problem_of_examples

        regime = source.regime or task
        train = open_dataset(evidence.data, regime=regime, folder=evidence.folder, seed=evidence.seed).train
        seen = Seen(task, train.evidence.numpy(), train.truth.numpy())
        problem = problem_of_examples(seen, encoder)
        # Advice is about the states that occur, and all evidence that there could be of them.
        occurring = replace(showing, states=tuple({state for _, state in problem.true_states}))
        return cls(task, occurring, encoder, problem)


def effort_of(stage: Stage, seconds: float | None) -> Effort:
    """Return how long counting may take, and have the stage tell how far it is."""
    from moose.circuit.limits import Limits
    from moose.shortcuts.count.find_shortcuts import Effort

    return Effort(Limits(seconds=seconds), lambda what, share: stage.enter(f"{what}, {share:.0%}"))


def answer(posed: Posed, wishes: Wishes, effort: Effort) -> Answer:
    """Count, or bound, and do what else is wished for."""
    from moose.shortcuts.count.find_shortcuts import solve

    try:
        found = solve(posed.problem, effort)
    except LimitReached as error:
        return bounds(posed.problem, wishes.seed, error, effort)
    facts, lines = describe(found)
    adders = [add_maps(found, listed=wishes.listed, sampled=wishes.sampled, seed=wishes.seed)]
    if wishes.symmetries:
        adders.append(add_symmetries(found, effort))
    if wishes.advise:
        adders.append(add_advice(posed.task, posed.showing, posed.encoder, wishes.axioms, effort))
    if wishes.ablate:
        adders.append(add_ablation(posed.task, posed.showing, posed.encoder, effort))
    for add in adders:
        add(facts, lines)
    if wishes.picture is not None:
        from moose.shortcuts.model.picture import draw_maps

        draw_maps(found, wishes.picture)
    return facts, lines
