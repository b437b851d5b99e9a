"""`moose shortcuts`: which wrong readings of the latent concepts agree with everything, and which one a model took."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import LimitReached, MooseError
from moose.cli.common.options import Json
from moose.cli.common.output import writing
from moose.cli.common.progress import stages
from moose.cli.common.task_options import SEED, ClosureOption, CompilerOptions, DataSource, TaskSource
from moose.cli.learn.learning_output import warn_of_impossible_concepts, warn_of_uneven_members
from moose.cli.learn.shortcuts_output import (
    Answer,
    Extras,
    add_ablation,
    add_advice,
    add_maps,
    add_symmetries,
    bounds,
    describe,
    effort_of,
    print_facts,
    seen_in,
)

if TYPE_CHECKING:
    from moose.grounding.task.task import Task
    from moose.learning.examples import Examples
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
    source: TaskSource,
    *,
    literals: Annotated[
        LiteralKind | None, typer.Option(help="Evidence says what holds and what does not, or only what holds.")
    ] = None,
    shown: Annotated[
        str | None, typer.Option(metavar="CONCEPTS", help="What evidence speaks of, such as Prime,Composite.")
    ] = None,
    most: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Literals that are seen at once; all if not given.")
    ] = None,
    all_evidence: Annotated[
        bool,
        typer.Option("--all-evidence", help="Count under all evidence that there could be, not under the data's."),
    ] = False,
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
    closure: ClosureOption = True,
    listed: Annotated[int, typer.Option("--list", metavar="N", min=0, help="List the N nearest maps.")] = 0,
    sampled: Annotated[int, typer.Option("--sample", metavar="N", min=0, help="Draw N maps.")] = 0,
    advise: Annotated[bool, typer.Option("--advise", help="Say what would remove the shortcuts.")] = False,
    axiom: Annotated[
        list[str] | None, typer.Option(metavar="AXIOM", help="An axiom that may be added; with --advise.")
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Say what each axiom and clause removes.")] = False,
    model: Annotated[Path | None, typer.Option(metavar="DIR", help="A model that `moose train -o DIR` kept.")] = None,
    where: DataSource,
    allow_latent: Annotated[
        bool, typer.Option("--allow-latent", help="Literals of your own data may be of latent concepts too: labels.")
    ] = False,
    seed: Annotated[int, SEED] = 0,
    picture: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Draw the maps, beside what a model predicts.")
    ] = None,
    compiler: CompilerOptions,
    json: Json = False,
) -> None:
    """Count the wrong readings of concepts that the evidence allows.

    Counted are the maps from true to predicted states that agree with everything; what they confuse is said.

    They are counted under the evidence that the data hold: of a data set with --data, of a regime as its data are
    drawn; where there are no data, and with --all-evidence, under all that the task can show. Where the truth of some
    data is not known, none of it is used: counted is what the evidence allows whatever is true. With --model DIR in
    place of a task: which of them the model follows, why, and how sure it is where nobody can be. When the time is up
    before the maps are counted, bounds on their number are printed, if pyapproxmc is installed.
    """
    from moose.shortcuts.problem.options import Encoder

    encoder = Encoder(not own_encoders, reads.value, injective)
    extras = Extras(listed, sampled, advise, tuple(axiom or ()), ablate, symmetries, seed, picture)
    if model is not None:
        if source.task is not None:
            raise MooseError("expected a task or --model DIR, but got both; a model knows its task")
        given = {"--literals": literals, "--shown": shown, "--most": most}
        refuse("--model", given | {"--no-closure": not closure, "--allow-latent": allow_latent, **extras.on_tasks()})
        from moose.cli.learn.shortcuts_model import judge_model

        with compiler.applied():
            judge_model(
                model,
                (where.name, where.place, where.patterns),
                encoder,
                extras,
                compiler.limits,
                all_evidence=all_evidence,
                as_json=json,
            )
        return
    if where.name is None and where.folder is not None and source.regime is None:
        where = replace(where, data="images")  # as `moose train` takes it
    if where.name is not None:
        refuse("--data", {"--literals": literals, "--shown": shown, "--most": most})
    elif where.folder is not None or where.features:
        raise MooseError("--folder and --features are about a data set; name one with --data or --table")
    elif allow_latent:
        raise MooseError("--allow-latent is about the literals of a data set; name one with --table or --folder")
    if axiom and not advise:
        raise MooseError("--axiom is an axiom that may be added; ask for advice with --advise")
    with stages("reading") as stage, compiler.applied():
        problem = TaskProblem.of(
            source.read(() if picture is None else (picture,)),
            Evidence(source.regime, literals, shown, most, where, seed, all_evidence, allow_latent),
            encoder,
            closure=closure,
        )
        warn_of_impossible_concepts(problem.task)
        warn_of_uneven_members(problem.task)
        facts, lines = answer(problem, extras, effort_of(stage, compiler.limits))
    if json:
        print_facts(facts)
        return
    with writing(None) as stream:
        stream.writelines(f"{line}\n" for line in lines)


NOTHING_OBSERVED = (
    ", which is none, as the task has no observed concept; to count under labels of your data, add --table FILE, or "
    "--data images --folder FOLDER, and --allow-latent"
)


def refuse(option: str, others: dict[str, object]) -> None:
    """Refuse options that another one leaves no use for."""
    for name, value in others.items():
        if value not in (None, False):
            raise MooseError(f"{option} brings its own evidence, so {name} has no meaning beside it; leave one out")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What evidence is there, as the arguments say."""

    regime: str | None
    literals: LiteralKind | None
    shown: str | None
    most: int | None
    where: DataSource
    seed: int
    is_all: bool
    """Whether all evidence that there could be is asked for."""
    allow_latent: bool = False
    """Whether the literals of the user's own data may be of latent concepts."""

    @property
    def is_drawn(self) -> bool:
        """Whether it is that of a regime, as its data are drawn."""
        is_said = (self.literals, self.shown, self.most) != (None, None, None)
        return self.regime is not None and not (self.is_all or is_said)

    def text(self, showing: Showing, examples: int | None) -> str:
        """Say which evidence is counted under."""
        if examples is not None and not self.is_all:
            return f"of the data set {self.where.name}: {examples:,} examples"
        if self.is_drawn and self.regime is not None:
            from moose.datasets.base.regimes import find_regime
            from moose.training.regime_evidence import shown_text

            return f"as the data of {self.regime} are drawn: {shown_text(find_regime(self.regime))}"
        most = "all" if showing.most is None else f"up to {showing.most}"
        kind = "that hold" if showing.literals == "positive" else "of both kinds"
        occurring = "" if examples is None else f" of the states in {self.where.name}"
        return f"{most} literals {kind} that the task can show{occurring}"

    def showing(self) -> Showing:
        """Return what is shown: as the regime says, where the arguments do not."""
        if self.is_drawn and self.regime is not None:
            from moose.datasets.base.regimes import find_regime
            from moose.training.regime_evidence import showing_of

            return showing_of(find_regime(self.regime))
        return self.possible()

    def possible(self) -> Showing:
        """Return all that could be shown, as far as the arguments do not say otherwise."""
        from moose.shortcuts.problem.options import Showing

        concepts: tuple[str, ...] | None = None
        kind = self.literals or LiteralKind.both
        if self.regime is not None:
            from moose.datasets.base.regimes import ROWS

            row = ROWS[self.regime]
            concepts = row.pool
            if self.literals is None and row.only_positive:
                kind = LiteralKind.positive
        if self.shown is not None:
            from moose.owl.atom_text import split_names

            concepts = tuple(split_names(self.shown))
        return Showing(concepts, kind.value, self.most)


@dataclass(frozen=True, slots=True)
class TaskProblem:
    """A task, what is shown of it, and the problem that these make."""

    task: Task
    showing: Showing
    """All evidence that there could be of the states that occur, which advice is about."""
    encoder: Encoder
    problem: Problem
    evidence: str
    """Which evidence it is, in words."""

    @classmethod
    def of(cls, task: Task, evidence: Evidence, encoder: Encoder, *, closure: bool) -> TaskProblem:
        """Find what is shown of a task."""
        from moose.shortcuts.problem.problem import ShownTask, make_problem

        if not closure:
            task = replace(task, closure=())
        where = evidence.where
        if where.name is None:
            showing = evidence.showing()
            nothing = "" if showing.shown_in(task) else NOTHING_OBSERVED
            text = evidence.text(showing, None) + nothing
            possible = replace(showing, most=None) if evidence.is_drawn else showing
            return cls(task, possible, encoder, make_problem([ShownTask(task, showing)], encoder), text)
        from moose.datasets.open import open_dataset
        from moose.learning.shapes import split_by_shape
        from moose.shortcuts.model.examples import UnknownTruth, problem_of_evidence, problem_of_examples

        regime = evidence.regime or task
        size = 1 if where.name == "images" else None  # only what is said of images counts, whatever their sizes
        train = open_dataset(
            where.name,
            regime=regime,
            folder=where.place,
            seed=evidence.seed,
            features=where.patterns,
            size=size,
            allow_latent=evidence.allow_latent,
        ).train
        groups = [group.examples for group in split_by_shape(train)]
        tasks = [task] if train.graphs is None else [replace(one.task, closure=task.closure) for one in groups]
        seen = [replace(seen_in(one), task=own) for own, one in zip(tasks, groups, strict=True)]
        truth = ""
        try:
            problem = problem_of_examples(seen, encoder)
        except UnknownTruth:
            problem = problem_of_evidence(seen, encoder)
            truth = ", whatever is true of them, as the truth of some is not known"
        occurring = replace(evidence.possible(), states=tuple({state for _, state in problem.true_states}))
        occurring = replace(occurring, concepts=(*occurring.shown_in(task), *labelled(train)))
        if evidence.is_all:
            problem = make_problem([ShownTask(one, occurring) for one in tasks], encoder)
        return cls(task, occurring, encoder, problem, evidence.text(occurring, len(train)) + truth)


def labelled(examples: Examples) -> list[str]:
    """Return the latent concepts that evidence speaks of; what a label was given to, one can be given to."""
    is_said = examples.evidence.any(dim=0).any(dim=0).tolist()
    return [one.name for one, is_seen in zip(examples.task.concepts, is_said, strict=True) if is_seen and one.is_latent]


def answer(problem: TaskProblem, extras: Extras, effort: Effort) -> Answer:
    """Count, or bound, and say what else is asked for."""
    from moose.shortcuts.count.find_shortcuts import solve

    try:
        solution = solve(problem.problem, effort)
    except LimitReached as error:
        facts, lines = bounds(problem.problem, extras.seed, error, effort)
        return {"evidence": problem.evidence, **facts}, [f"evidence\t{problem.evidence}", *lines]
    facts, lines = describe(solution, problem.evidence)
    adders = [add_maps(solution, listed=extras.listed, sampled=extras.sampled, seed=extras.seed)]
    if extras.symmetries:
        adders.append(add_symmetries(solution, effort))
    if extras.advise:
        adders.append(add_advice(problem.task, problem.showing, problem.encoder, extras.axioms, effort))
    if extras.ablate:
        adders.append(add_ablation(problem.task, problem.showing, problem.encoder, effort))
    for add in adders:
        add(facts, lines)
    if extras.picture is not None:
        from moose.shortcuts.model.picture import draw_maps

        draw_maps(solution, extras.picture)
    return facts, lines
