"""What the commands that learn print and keep."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from moose.base.errors import LimitReached, MooseError
from moose.base.suggestions import no_such_folder, shortened
from moose.base.user_files import is_there, parse_json
from moose.cli.common.messages import say
from moose.cli.common.output import writing
from moose.cli.learn.shortcuts_output import REMEDY
from moose.training.run import Run, check_there

if TYPE_CHECKING:
    from moose.grounding.task.task import Task
    from moose.learning.evaluation.evaluate import Evaluation
    from moose.learning.examples import Examples
    from moose.learning.fit.watchers import Epoch, Step
    from moose.methods.base.method import Predictor

RECORD = "run.json"
VIEWS = {
    "metrics": "given the evidence",
    "metrics_without_evidence": "without evidence",
    "metrics_network": "network alone",
}
ROLE_VIEWS = ("roles", "roles_without_evidence", "roles_network")
MOST_FEATURES = 12
"""So many columns of a table are named at most."""
PATIENCE = 20.0
"""Seconds that counting readings, comparing their losses, and compiling for a warning may take, each."""
MOST_IMPOSSIBLE = 5
"""So many unsatisfiable concepts of a task are named at most."""
NOTHING_KNOWN = (
    "  no scores, as the truth of these rows is not known; a column `truth` of the data would tell it: labels of rows "
    "to test on can be moved there from `literals`; they are then no evidence, and the model is judged by them, by as "
    "many as there are\n"
)
LEFT_OPEN = ("given_evidence", "without_evidence", "network")
"""The same views, as a record calls them that tells what is left open."""
WITHOUT_EVIDENCE = {"metrics_observed": "", "metrics_labels": "label_"}
"""Metrics of observed concepts, and of all labels, which make sense without evidence alone, and how they begin."""


def write_record(folder: Path, record: Mapping[str, object]) -> None:
    """Keep the run's record beside its model."""
    from moose.learning.tensor_files import write_whole

    write_whole(folder / RECORD, (json.dumps(record, indent=2) + "\n").encode())


def read_record(folder: Path) -> dict[str, object]:
    """Read the record of a run that `moose train -o` kept."""
    path = folder / RECORD
    refuse_unfinished(folder)
    try:
        found = parse_json(path.read_bytes(), f"{path}: expected the record of a run in JSON, but")
    except OSError:
        if not is_there(folder):
            raise no_such_folder(folder, "a folder that `moose train -o DIR` wrote") from None
        raise MooseError(f"{path}: cannot be read; expected a folder that `moose train -o DIR` wrote") from None
    if not isinstance(found, dict) or "configuration" not in found:
        raise MooseError(f"{path}: expected the record of a run; train again with `moose train -o DIR`")
    return found


def refuse_unfinished(folder: Path) -> None:
    """Say of a training that was interrupted that it was; evaluating and predicting need a finished one."""
    if (folder / RECORD).exists():
        return
    from moose.learning.fit.checkpoints import last_epoch

    if (last := last_epoch(folder)) is not None:
        raise MooseError(
            f"{folder}: the training was stopped after {last}, before it was finished; give the same `moose train` "
            f"command once more, and it goes on from there"
        )


def check_writable(output: Path) -> None:
    """See to it that a folder can be written to, before hours of training."""
    there = next(place for place in (output, *output.absolute().parents) if is_there(place))
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        raise MooseError(f"{output}: cannot be written ({reason}); give -o another folder") from None


class Resumption:
    """Says of a training that goes on, at its first step, after which epoch; and at its end, that it had none left."""

    def __init__(self, run: Run, output: Path | None) -> None:
        from moose.learning.fit.checkpoints import last_epoch

        self._last = None if output is None else last_epoch(output)
        self._kept, self._has_begun = f"of {run.epochs}, which is kept in {output}", False

    def step(self, _: Step) -> None:
        """Hear of one step."""
        if not self._has_begun and self._last is not None:
            say(f"going on after {self._last}, {self._kept}")
        self._has_begun = True

    def epoch(self, _: Epoch) -> None:
        """Say nothing."""

    def end(self) -> None:
        """Say that nothing was left to do, if so."""
        if not self._has_begun and self._last is not None:
            say(f"nothing is left to train after {self._last}, {self._kept}; its scores are told again")


@contextmanager
def saying_how_to_go_on(run: Run, output: Path | None) -> Iterator[None]:
    """Say after an interruption where the same command would go on, or what it would need for that."""
    try:
        yield
    except KeyboardInterrupt:
        from moose.learning.fit.checkpoints import last_epoch

        last = None if output is None else last_epoch(output)
        if output is None:
            say("stopped, and nothing is kept; with -o DIR, the same command would go on after its last epoch")
        elif last is None:
            say(f"stopped before the first of {run.epochs} epochs was done; the same command begins anew")
        else:
            say(f"stopped; the same command goes on after {last}, of {run.epochs}, which is kept in {output}")
        raise


def warn_of_uneven_members(task: Task, examples: Examples | None = None) -> None:
    """Say beforehand that members of a family leave different amounts open, and which literals examples lack."""
    from moose.shortcuts.advice.open_members import uneven_members

    contested = set[str]()
    if examples is not None:
        evidence = examples.evidence.flatten(0, 1)
        has_both = ((evidence > 0).any(0) & (evidence < 0).any(0)).tolist()
        contested = {concept.name for concept, is_both in zip(task.concepts, has_both, strict=True) if is_both}
    warning = uneven_members(task, contested)
    if warning is not None:
        say(warning)


def warn_of_open_concepts(task: Task) -> None:
    """Say beforehand which observed concepts nothing will be learnt of, if that can be said in good time."""
    from moose.circuit.limits import Limits
    from moose.shortcuts.advice.open_concepts import advice_on_open_concepts

    with suppress(LimitReached):
        if (advice := advice_on_open_concepts(task, Limits(seconds=PATIENCE))) is not None:
            say(advice)


def warn_of_impossible_concepts(task: Task) -> None:
    """Say beforehand which concepts of a task are unsatisfiable: a task that lists one does not mean that."""
    from moose.grounding.encodings.shapes import impossible_concepts

    if names := impossible_concepts(task):
        what = "is unsatisfiable" if len(names) == 1 else "are unsatisfiable"
        say(
            f"{shortened(names, MOST_IMPOSSIBLE)} {what}: nothing can ever be one, so it is never predicted; leave it "
            "out of the task, or mend the ontology (`moose explain FILE --unsatisfiable` shows why)"
        )


def run_of(record: dict[str, object], model: Path) -> Run:
    """Return the run that a record tells of."""
    configuration = record["configuration"]
    try:
        assert isinstance(configuration, dict)
        named = {key: record[key] for key in ("regime", "data", "seed")}
        return Run(**named, **configuration)  # type: ignore[arg-type]  # written by us; a stranger's fails below
    except (AssertionError, KeyError, TypeError) as error:
        raise MooseError(f"{model}: the record of its run is another version's ({error}); train again") from None


def run_on(model: Path, data: str | None = None, place: Path | None = None, features: Sequence[str] = ()) -> Run:
    """Return the run of a model, on the data of its training or on those that are named."""
    run = run_of(read_record(model), model)
    if data not in (None, run.data):
        run = replace(run, data=str(data), folder=None, features=())
    if features:
        run = replace(run, features=features)
    if place is None:
        return run
    check_there(place, run.data)
    return replace(run, folder=str(place))


def what_it_came_to(predictor: Predictor) -> dict[str, object]:
    """Return which objective a method took, where it has a choice, and the odds that it learnt of siblings."""
    from moose.methods.ours.moose_siblings import MooseSiblingsModel

    objective = {} if predictor.objective is None else {"objective": predictor.objective}
    if not isinstance(predictor.model, MooseSiblingsModel):
        return dict(objective)
    return {**objective, "siblings": [one.as_dict() for one in predictor.model.learnt_odds()]}


def _sibling_lines(siblings: Sequence[Mapping[str, float | str | None]]) -> Iterator[str]:
    """Yield the mean and the extremes of both odds over all groups of which they say something."""
    for key, sign in (("some", "λ"), ("several", "μ")):
        values = sorted(
            (float(odds), str(one["above"] or "no class")) for one in siblings if (odds := one[key]) is not None
        )
        if values:
            mean, (least, where), (most, there) = sum(value for value, _ in values) / len(values), values[0], values[-1]
            span = f", from {least:.2f} (below {where}) to {most:.2f} (below {there})" if len(values) > 1 else ""
            yield f"{key} of siblings\t{sign} {mean:.2f} in the mean of {len(values):,}{span}\n"


def print_scores(record: Mapping[str, object]) -> None:
    """Print the metrics: a column for each view, a block for each split."""
    with writing(None) as stream:
        stream.write(f"{record['method']}\t{record['regime']}\t{record['data']}\tseed {record['seed']}\n")
        if options := cast(Mapping[str, object], record["options"]):
            stream.write("options\t" + "\t".join(option_text(*option) for option in options.items()) + "\n")
        if "objective" in record:
            stream.write(f"objective\t{record['objective']}\n")
        stream.writelines(_sibling_lines(cast(Sequence[Mapping[str, float | str | None]], record.get("siblings", ()))))
        if features := cast(Mapping[str, Sequence[str]], record["configuration"]).get("features"):
            stream.write(f"features\t{shortened(features, MOST_FEATURES)}\n")
        stream.write(f"trained in\t{record['seconds']} s\n")
        blocks = {str(record.get("split", "test")): record} | {
            key.removesuffix("_split"): cast(Mapping[str, object], value)
            for key, value in record.items()
            if key.endswith("_split")
        }
        for split, block in blocks.items():
            stream.write(f"{split}\t" + "\t".join(VIEWS.values()) + "\n")
            stream.writelines(_score_lines(block) or [NOTHING_KNOWN])
            stream.writelines(f"  left open\t{text}\n" for text in _left_open(block))
        if "diagnosis" in record:
            stream.write(f"why\t{cast(Mapping[str, object], record['diagnosis'])['text']}\n")
        if "readings" in record:
            readings = cast(Mapping[str, object], record["readings"])
            stream.write(f"whatever is true\t{readings['verdict']}\n")
            if readings["shortcuts"] and record["method"] != "moose-honest":
                stream.write(f"what helps\t{REMEDY}\n")


def _score_lines(block: Mapping[str, object]) -> list[str]:
    """Return a line for each metric that has a value, with a column for each view."""
    rows = list[tuple[str, list[float | None]]]()
    for prefix, keys in (("", VIEWS), ("role_", ROLE_VIEWS)):
        columns = [cast(Mapping[str, float | None], block[key]) for key in keys if key in block]
        rows += [(prefix + metric, [view[metric] for view in columns]) for metric in (columns[0] if columns else ())]
    for key, prefix in WITHOUT_EVIDENCE.items():
        metrics = cast(Mapping[str, float | None], block.get(key, {}))
        rows += [(prefix + metric, [None, value, None]) for metric, value in metrics.items()]
    return [
        f"  {metric}\t" + "\t".join("-" if value is None else f"{value:.4f}" for value in values) + "\n"
        for metric, values in rows
        if any(value is not None for value in values)
    ]


def _left_open(block: Mapping[str, object]) -> list[str]:
    """Say how much of what is judged nothing decides, so that a low score is understood."""
    shares = cast(Mapping[str, float], block.get("left_open", {}))
    views = zip(LEFT_OPEN, VIEWS.values())
    told = ", ".join(f"{shares[view]:.1%} {name}" for view, name in views if view in shares)
    has_family = cast(Mapping[str, float | None], block["metrics"])["acc_f"] is not None
    each = "several members of a family are equally likely" if has_family else "an atom is as likely as not"
    lines = [f"{told} of what is judged: {each}, and none is predicted"] if told else []
    if "observed" in shares:
        lines.append(
            f"{shares['observed']:.1%} of the observed atoms that are judged are left at 1/2 without evidence: nothing "
            "that was learnt decides them, and they are not predicted to hold"
        )
    return lines


def option_text(name: str, value: object) -> str:
    """Spell an option as `--option` takes it.

    >>> option_text("head", "softmax"), option_text("closure", False)
    ('head=softmax', 'closure=false')
    """
    return f"{name}={value if isinstance(value, str) else json.dumps(value)}"


def draw_pictures(folder: Path, predictor: Predictor, examples: Examples, evaluation: Evaluation) -> None:
    """Draw reliability and confusion without evidence, where there is truth, and some predictions given theirs."""
    from importlib.util import find_spec

    from moose.cli.common.messages import say
    from moose.learning.binding import latent_families
    from moose.learning.evaluation.pictures import draw_confusion, draw_predictions, draw_reliability

    if find_spec("matplotlib") is None:
        say("goes on without pictures, which need matplotlib; run `pip install 'moose-el[learn]'`")
        return
    view = evaluation.without_evidence
    if view.reliability.counts.any():
        draw_reliability(view.reliability, folder / "reliability.png", title="posterior without evidence")
    names = [[evaluation.task.concepts[column].name for column in family] for family in latent_families(predictor.task)]
    for place, (matrix, undecided, members) in enumerate(zip(view.confusions, view.undecided, names)):
        if matrix.any() or undecided.any():
            path = folder / f"confusion{place or ''}.png"
            draw_confusion(matrix, members, path, title="posterior without evidence", undecided=undecided)
    shown = examples.take(slice(0, 12))
    draw_predictions(shown, predictor.predict(shown), folder / "predictions.png")
