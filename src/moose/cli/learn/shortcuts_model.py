"""`moose shortcuts --model DIR`: which map a trained model follows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from moose.base.errors import MooseError
from moose.cli.common.output import writing
from moose.cli.common.progress import stages
from moose.cli.learn.learning_output import refuse_unfinished, run_on
from moose.cli.learn.shortcuts_output import Answer, Extras, add_maps, describe, effort_of, print_facts, seen_in

if TYPE_CHECKING:
    from moose.circuit.limits import Limits
    from moose.learning.examples import Examples
    from moose.methods.base.method import Predictor
    from moose.shortcuts.count.find_shortcuts import Effort
    from moose.shortcuts.model.follow import Confidence, Followed
    from moose.shortcuts.problem.options import Encoder


def judge_model(  # what the command was given
    model: Path,
    where: tuple[str | None, Path | None, Sequence[str]],
    encoder: Encoder,
    extras: Extras,
    limits: Limits,
    *,
    all_evidence: bool,
    as_json: bool,
) -> None:
    """Say which map a model follows on instances that it did not learn from, and print that."""
    from moose.learning.shapes import split_by_shape
    from moose.methods.load_predictor import load_predictor
    from moose.shortcuts.count.find_shortcuts import find_shortcuts
    from moose.shortcuts.model.examples import find_in_examples
    from moose.shortcuts.model.follow import confidence_of, follow
    from moose.shortcuts.problem.options import Showing
    from moose.training.diagnosis.read_by import read_by

    run = run_on(model, *where)
    with stages("reading") as stage:
        refuse_unfinished(model)
        predictor = load_predictor(model)
        dataset = run.open(task=predictor.task)
        train, test = run.split(dataset)[0], dataset[dataset.judged]
        stage.enter("counting maps")
        groups = [group.examples for group in split_by_shape(train)]
        seen = [seen_in(one) for one in groups]
        effort = effort_of(stage, limits)
        found = find_in_examples(seen, encoder=encoder, effort=effort)
        evidence = f"of the data set {run.data}: {len(train):,} examples"
        if all_evidence:
            states = tuple({state for _, state in found.problem.true_states})
            tasks = [one.task for one in seen]
            found = find_shortcuts(tasks, Showing(states=states), encoder=encoder, effort=effort)
            evidence = f"all literals of both kinds that the task can show of the states in {run.data}"
        stage.enter("predicting")
        followed = follow(found, test.task, read_by(predictor, test), test.truth.numpy())
        predicted = predictor.predict(test).posteriors
        sure = followed.confidence and confidence_of(found, test.task, predicted, test.truth.numpy())
        facts, lines = tell(followed, extras, evidence, sure)
        stage.enter("comparing losses")
        add_diagnosis(facts, lines, (predictor, train, test), encoder, effort)
        if extras.picture is not None:
            from moose.shortcuts.model.picture import draw_followed

            draw_followed(followed, extras.picture)
    if as_json:
        print_facts(facts)
        return
    with writing(None) as stream:
        stream.writelines(f"{line}\n" for line in lines)


def add_diagnosis(
    facts: dict[str, object],
    lines: list[str],
    model: tuple[Predictor, Examples, Examples],
    encoder: Encoder,
    effort: Effort,
) -> None:
    """Say why the model reads what it reads, by the losses of all readings; or why that cannot be said."""
    from moose.training.diagnosis.diagnose import diagnose

    try:
        predictor, train, test = model
        found = diagnose(predictor, train, judged=test, encoder=encoder, effort=effort)
    except MooseError as error:  # another objective, a truth that is not known, too many states
        facts["diagnosis"] = None
        lines.append(f"why\tnot known: {error}")
        return
    facts["diagnosis"] = found.as_dict()
    compared = (
        f"{len(found.readings):,} other readings"
        if found.is_complete
        else f"the {len(found.readings):,} likeliest other readings"
    )
    lines += [
        f"why\t{found.text}",
        f"  loss at the truth\t{found.truth:.4f}",
        f"  loss at the model\t{found.model:.4f}",
        f"  loss at what it reads\t{loss_text(found.own.loss)}",
    ]
    if found.readings:
        best = found.readings[0]
        lines.append(f"  lowest of {compared}\t{loss_text(best.loss)}\t{best.text}")


def loss_text(loss: float) -> str:
    """Spell a loss.

    >>> loss_text(float("inf"))
    'infinite: it contradicts the evidence'
    """
    return f"{loss:.4f}" if loss < float("inf") else "infinite: it contradicts the evidence"


def tell(followed: Followed, extras: Extras, evidence: str, predicted: Confidence | None = None) -> Answer:
    """Say what a model follows, after what there is to follow; and how sure its posteriors given evidence are."""
    from moose.shortcuts.count.consistent_map import spell, true_state_text

    found = followed.shortcuts
    facts, lines = describe(found, evidence)
    add_maps(found, listed=extras.listed, sampled=extras.sampled, seed=extras.seed)(facts, lines)
    words, problem = found.problem.vocabulary, found.problem
    read_as = {true_state_text(problem, place): words.text(read) for place, read in followed.most_common.items()}
    sure = followed.confidence
    facts["model"] = {
        "verdict": followed.verdict,
        "text": followed.text,
        "map": read_as,
        "is_consistent": followed.is_consistent,
        "off_map": followed.off_most_common,
        "off_truth": followed.off_truth,
        "nearest_consistent": followed.nearest.text,
        "off_nearest_consistent": followed.off_nearest,
        "collapse": followed.collapse,
        "confidence": None
        if sure is None
        else {
            "model": sure.model,
            "predicted": None if predicted is None else predicted.model,
            "honest": sure.honest,
            "distance": sure.distance,
        },
        "left_out": followed.left_out,
    }
    lines += [
        f"the model\t{followed.text}",
        f"  most often\t{spell(problem, followed.nearest.lens, followed.most_common)}",
        f"  nearest consistent map\t{followed.nearest.text}; {followed.off_nearest:.1%} of the predictions are off it",
        f"  collapse\t{followed.collapse:.0%} of the states are read as one that another is read as, too",
    ]
    if sure is not None:
        numbers = f"confidence {sure.model:.3f}, honest {sure.honest:.3f}, distance {sure.distance:.3f}"
        lines.append(f"  on ambiguous states\t{numbers} (of the network alone)")
        if predicted is not None:
            given = "given theory and evidence, as `moose predict` has it"
            lines.append(f"  the same, predicted\tconfidence {predicted.model:.3f} ({given})")
    if followed.left_out:
        lines.append(f"  left out\t{followed.left_out:,} predictions of states that training does not show")
    return facts, lines
