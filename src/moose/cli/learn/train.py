"""`moose train`: learn the latent concepts of a regime, and say how good the predictions are."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import fields, replace
from enum import StrEnum
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import LimitReached, MooseError
from moose.cli.common.messages import harmless, say
from moose.cli.common.options import Json
from moose.cli.common.output import print_json
from moose.cli.common.progress import stages
from moose.cli.common.task_options import (
    SEED,
    THREADS,
    ClosureOption,
    CompilerOptions,
    DataSource,
    ImageSize,
    TaskSource,
)
from moose.cli.common.terminal import steered
from moose.cli.learn.learning_output import (
    PATIENCE,
    Resumption,
    check_writable,
    draw_pictures,
    print_scores,
    saying_how_to_go_on,
    warn_of_impossible_concepts,
    warn_of_open_concepts,
    warn_of_uneven_members,
    what_it_came_to,
    write_record,
)
from moose.cli.learn.shortcuts_output import seen_in
from moose.training.run import Run, evaluate_splits

if TYPE_CHECKING:
    from moose.datasets.open import Dataset
    from moose.grounding.task.task import Task
    from moose.learning.examples import Examples
    from moose.methods.base.method import Predictor

FREE_CONCEPTS = (
    "no family of latent concepts is declared, so that nothing says that one of them must hold: by the paper's "
    "objective, which is then taken, a network may learn that none does; declare what excludes each other as a family, "
    "or compare with --objective conditional"
)


class ObjectiveKind(StrEnum):
    """What is maximised."""

    conditional = "conditional"
    paper = "paper"


class StopKind(StrEnum):
    """What must get better on examples that are held back."""

    loss = "loss"
    au_prc = "au_prc"


class ValidKind(StrEnum):
    """What the split `valid` is for."""

    stop = "stop"
    learn = "learn"
    refit = "refit"


class HeadKind(StrEnum):
    """How the network's outputs are read."""

    softmax = "softmax"
    sigmoid = "sigmoid"


def train(
    source: TaskSource,
    *,
    where: DataSource,
    seed: Annotated[int, SEED] = 0,
    epochs: Annotated[int, typer.Option(min=1)] = 6,
    batch_size: Annotated[int, typer.Option(min=1)] = 64,
    learning_rate: Annotated[float, typer.Option(help="Of Adam.")] = 1e-3,
    method: Annotated[
        str | None,
        typer.Option("--method", metavar="NAME", help="Another method, such as bears; see the page on methods."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="KEY=VALUE", help="An option of that method; can be given more than once."),
    ] = None,
    head: Annotated[
        HeadKind | None, typer.Option(help="A softmax for each latent family, or the paper's sigmoids.")
    ] = None,
    objective: Annotated[
        ObjectiveKind | None,
        typer.Option(help="The evidence's likelihood given the theory, or the paper's; by the task if not given."),
    ] = None,
    cover: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            metavar="WEIGHT",
            help="Weight of the term against collapse, 0 for none; 3 if not given and a family is latent.",
        ),
    ] = None,
    cover_epochs: Annotated[
        float | None, typer.Option(metavar="N", help="After so many epochs that weight is 0; 3 if not given.")
    ] = None,
    batch_norm: Annotated[
        bool | None,
        typer.Option(help="An encoder with batch normalisation; with it for your own images, if not given."),
    ] = None,
    closure: ClosureOption = True,
    allow_latent: Annotated[
        bool, typer.Option("--allow-latent", help="Literals may be of latent concepts too: labels to learn from.")
    ] = False,
    count: Annotated[int | None, typer.Option(metavar="N", min=1, help="Instances to train on.")] = None,
    size: ImageSize = None,
    threads: Annotated[int | None, THREADS] = None,
    device: Annotated[str, typer.Option(metavar="NAME", help="Where the encoder runs, such as cuda.")] = "cpu",
    hold_back: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Learn from the others alone; stop when the loss of these no longer falls."),
    ] = 0.0,
    valid: Annotated[
        ValidKind | None,
        typer.Option(
            help="Stop by the loss of the data set's split valid, learn from it too, or first one, then the other."
        ),
    ] = None,
    patience: Annotated[
        int, typer.Option(metavar="N", min=0, help="Epochs without a better loss before it stops; 5 if not given.")
    ] = 0,
    hidden: Annotated[
        str, typer.Option(metavar="WIDTHS", help="Full layers that look at features, such as 500,500.")
    ] = "",
    dropout: Annotated[float, typer.Option(metavar="SHARE", help="Left out after each of these, by chance.")] = 0.0,
    patches: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Look at images by patches; the N that speak most for a concept decide."),
    ] = 0,
    weight_decay: Annotated[float, typer.Option(metavar="FACTOR", help="Of Adam.")] = 0.0,
    stop_by: Annotated[
        StopKind, typer.Option(help="What must get better on what is held back: the loss, or AU(PRC) of its labels.")
    ] = StopKind.loss,
    base_rates: Annotated[
        bool, typer.Option("--base-rates", help="Start at the base rates of the labels: biases learn first.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Keep the model, checkpoints, log and pictures here."),
    ] = None,
    compiler: CompilerOptions,
    json: Json = False,
) -> None:
    """Learn concepts that nobody labelled, from partial evidence. Evaluate on instances that were not learnt from.

    With -o, a training that was interrupted goes on where it was when the same command is given again.
    """
    if method is not None:
        refuse_beside(method, head=head, objective=objective, cover=cover, cover_epochs=cover_epochs)
    is_cover_asked = cover is not None
    if cover is None:
        cover = 3.0 if method is None else 0.0
    if cover_epochs is not None and not cover:
        raise MooseError("--cover-epochs needs a cover; give its weight, such as --cover 3")
    data = where.name or default_data(source.regime)
    run = Run(
        regime=source.name,
        data=data,
        seed=seed,
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        head=(head or HeadKind.softmax).value,
        cover=cover,
        cover_epochs=3.0 if cover_epochs is None else cover_epochs,
        batch_norm=data == "images" if batch_norm is None else batch_norm,
        closure=closure,
        count=count,
        size=size,
        by=method,
        options=read_options(option or ()),
        objective=None if objective is None else objective.value,
        allow_latent=allow_latent,
        device=device,
        hold_back=hold_back,
        valid="" if valid is None else valid.value,
        patience=patience,
        hidden=read_widths(hidden),
        dropout=dropout,
        patches=patches,
        weight_decay=weight_decay,
        stop_by=stop_by.value,
        base_rates=base_rates,
        folder=None if where.place is None else str(where.place.resolve()),
        features=where.patterns,
    )
    run.check_layers()  # a wrong option is said before the data are opened
    run.check_stopping()
    if method is not None:
        run.make_method()
    if output is not None:
        check_writable(output)
    ensure_temporary_folder(output)
    with saying_how_to_go_on(run, output), stages(f"opening {run.data}"):
        dataset = run.open()
        run = run.with_named_features(dataset.train.task)
    if not has_latent_family(dataset.train.task):
        run = run if is_cover_asked else replace(run, cover=0.0)
        is_paper = method is None and objective is None and not is_conditional(dataset.train.task)
        if source.regime is None and is_paper:
            say(FREE_CONCEPTS)
    warn_of_impossible_concepts(dataset.train.task)
    warn_of_uneven_members(dataset.train.task, dataset.train)
    if threads is not None:
        import torch

        torch.set_num_threads(threads)
    with compiler.applied(), saying_how_to_go_on(run, output):
        if source.regime is None:
            warn_of_open_concepts(dataset.train.task)
        record = train_and_tell(run, dataset, output)
    if json:
        print_json(record)
    else:
        print_scores(record)


OWN_NAMES = {"cover": "cover_weight"}
"""What options of methods are called where they have another name than those of the command."""


def refuse_beside(method: str, **said: float | StrEnum | None) -> None:
    """Refuse options that are not for a named method: say which of its own to give, or that it leaves no choice."""
    from moose.methods.registry import find_method

    known = [one.name for one in fields(find_method(method))]
    for name, value in said.items():
        flag, own = f"--{name.replace('_', '-')}", OWN_NAMES.get(name, name)
        if value is not None and own in known:
            raise MooseError(f"{flag} is not for a named method; give its own option, --option {own}={value}")
        if value is not None:
            has = f"its options: {', '.join(known)}" if known else "it has no options"
            raise MooseError(f"{flag} has no meaning for {method}, which leaves no such choice ({has}); leave it out")


def is_conditional(task: Task) -> bool:
    """Return whether moose, if nothing is said, takes the likelihood of the evidence for a task."""
    from moose.learning.loss.likelihood import is_usually_conditional

    return is_usually_conditional(task)


def has_latent_family(task: Task) -> bool:
    """Return whether the members of some family are all latent."""
    from moose.learning.binding import latent_families

    return bool(latent_families(task))


def train_and_tell(run: Run, dataset: Dataset, output: Path | None) -> dict[str, object]:
    """Train with a bar, keep what is to be kept, and return the record."""
    from moose.learning.fit.watchers import Bar

    gc.enable()  # unlike ontologies, what a training makes may hold itself
    title = harmless(f"{run.method}, {run.regime}, {run.data}")
    resumption = Resumption(run, output)
    with Bar(title, steered(sys.stderr)) as bar:
        predictor = run.fit(dataset, folder=output, watchers=[bar, resumption])
    resumption.end()
    with stages("evaluating"):
        evaluations = evaluate_splits(predictor, run.to_judge(dataset))
        judged = dataset[dataset.judged]
        record = run.record(predictor.seconds, evaluations) | what_it_came_to(predictor)
        record |= why(predictor, run.split(dataset)[0], judged)
        if output is not None:
            predictor.save(output)
            write_record(output, record)
            draw_pictures(output, predictor, judged, evaluations[dataset.judged])
    return record


def why(predictor: Predictor, learnt: Examples, judged: Examples) -> dict[str, object]:
    """Return why the model reads what it reads, where the truth is known and it can be said in good time."""
    from moose.circuit.limits import Limits
    from moose.shortcuts.count.find_shortcuts import Effort
    from moose.shortcuts.model.examples import UnknownTruth
    from moose.training.diagnosis.diagnose import diagnose

    try:
        found = diagnose(predictor, learnt, judged=judged, effort=Effort(Limits(seconds=PATIENCE)))
    except LimitReached as error:
        say(f"why the model reads what it reads is not known: {error}")
        return {}
    except UnknownTruth:
        return readings_allowed(learnt)
    except MooseError:  # another objective
        return {}
    return {"diagnosis": found.as_dict()}


def readings_allowed(learnt: Examples) -> dict[str, object]:
    """Return which readings the evidence allows whatever is true, where that can be said in good time."""
    from moose.circuit.limits import Limits
    from moose.learning.shapes import split_by_shape
    from moose.shortcuts.count.find_shortcuts import Effort
    from moose.shortcuts.count.verdict import verdict
    from moose.shortcuts.model.examples import find_in_evidence

    if not has_latent_family(learnt.task):
        return {}
    seen = [seen_in(group.examples) for group in split_by_shape(learnt)]
    try:
        found = find_in_evidence(seen, effort=Effort(Limits(seconds=PATIENCE)))
    except MooseError:  # too many worlds, or too little time
        return {}
    return {"readings": {"shortcuts": found.shortcuts, "verdict": verdict(found)}}


def read_options(texts: Iterable[str]) -> dict[str, object]:
    """Read `key=value` pairs; a value is JSON where it can be, such as 2, 0.1 or true, and else a word."""
    options = dict[str, object]()
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise MooseError(f"expected an option as key=value, such as gamma1=2.0, but got {text!r}")
        if key in options:
            raise MooseError(f"the option {key} is given twice; leave one out")
        try:
            options[key] = loads(value)
        except ValueError:
            options[key] = value
    return options


def read_widths(text: str) -> tuple[int, ...]:
    """Read the widths of layers, such as 500,500.

    >>> read_widths("500, 200")
    (500, 200)
    """
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if not all(word.isdecimal() and int(word) for word in words):
        raise MooseError(f"expected the widths of layers, such as 500,500, but got {text!r}")
    return tuple(map(int, words))


def default_data(regime: str | None) -> str:
    """Return the data set that comes with Moose for a regime; without one, the user's own images."""
    if regime is None:
        return "images"
    return "pizzas" if regime.startswith("pizza") else "digits"


# ── A folder for what other libraries file for a while, also on a machine whose disks are read-only ───────────────

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108  # only where there is no folder for temporary files


def ensure_temporary_folder(output: Path | None) -> None:
    """See to it that there is one: PyTorch looks for it when it makes its first optimiser, though it files nothing."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        for folder in (SHARED_MEMORY, *([] if output is None else [output.absolute().parent])):
            if os.access(folder, os.W_OK | os.X_OK):
                tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
                return
