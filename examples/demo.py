"""Teach a network ten digits without ever naming one.

It sees pairs of handwritten digits. Of each pair it is told that the second digit follows the first, and one to three
facts such as "a is prime" or "b is not composite"; the ontology says what that has to do with digits. Leaves the model,
a reliability diagram and a sheet of predictions in the folder `demo`.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import torch

import moose
from moose.learning.encoders import mnist_encoder
from moose.learning.evaluation.pictures import draw_confusion, draw_predictions, draw_reliability
from moose.learning.fit.watchers import Bar

FOLDER = Path("demo")
PAIRS, EPOCHS, SEED = 4_000, 6, 0


def main() -> None:
    """Train, print how good the predictions are, and draw them."""
    torch.set_num_threads(1)  # so small a network gains little from a second
    data = moose.open_dataset("digits", regime="mnist2", count=PAIRS, seed=SEED)
    print(f"{len(data.train):,} pairs of real digits to learn from, {len(data.test):,} to be tested on.")
    print("What is known of the first pair:", ", ".join(data.train.literals(0)), "and succ(a,b)\n")

    learner = moose.ConceptLearner(data.train.task, mnist_encoder(10, seed=SEED), cover=moose.Cover(weight=3, epochs=3))
    start = monotonic()
    with Bar("learning") as bar:
        learner.fit(data.train, epochs=EPOCHS, seed=SEED, watchers=[bar])
    evaluation = learner.evaluate(data.test)

    print(f"Learnt in {monotonic() - start:.0f} s. On digits it has not seen:\n")
    views = {
        "the image alone": evaluation.network,
        "a pair of images": evaluation.without_evidence,
        "and the evidence": evaluation.given_evidence,
    }
    for name, view in views.items():
        accuracy, error = view.scores.acc_f, view.scores.ece
        print(f"  {name:18} {accuracy:6.1%} of digits right, calibration error {error:.1%}")

    shown = data.test.take(slice(0, 12))
    draw_predictions(shown, learner.predict(shown), FOLDER / "predictions.png")
    draw_reliability(evaluation.network.reliability, FOLDER / "reliability.png", title="the image alone")
    digits = [str(digit) for digit in range(10)]
    draw_confusion(evaluation.network.confusions[0], digits, FOLDER / "confusion.png", title="the image alone")
    learner.save(FOLDER)
    print(f"\nPictures: {', '.join(str(path) for path in sorted(FOLDER.glob('*.png')))}")
    print("Try it: moose predict demo ONE.png TWO.png (light digits on dark, the second following the first)")


if __name__ == "__main__":
    main()
