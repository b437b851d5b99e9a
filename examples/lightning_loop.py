"""Train with Lightning: its Trainer runs the loop, the learner says what is minimised.

The same digits as in `plain_loop.py`. Lightning is no dependency of Moose: `pip install lightning`.
"""

from __future__ import annotations

from importlib.util import find_spec

import torch
from torch import Tensor
from torch.utils.data import DataLoader

import moose
from moose.learning.encoders import mnist_encoder

PAIRS, EPOCHS, SEED = 1_000, 4, 0


def main(pairs: int = PAIRS, epochs: int = EPOCHS) -> float | None:
    """Train, and return how often the network alone names the right digit; nothing without Lightning."""
    if find_spec("lightning") is None:
        print("skipped: Lightning is not installed; run `pip install lightning`")
        return None
    import lightning

    data = moose.open_dataset("digits", regime="mnist3", count=pairs, seed=SEED)
    train = data.train
    learner = moose.ConceptLearner(train.task, mnist_encoder(10, seed=SEED), seed=SEED)

    class Digits(lightning.LightningModule):  # type: ignore[misc]  # Lightning may not be there
        """A learner as Lightning has modules."""

        def __init__(self) -> None:
            super().__init__()
            self.network = learner.network

        def training_step(self, batch: dict[str, Tensor], _: int) -> Tensor:
            """Return what some examples come to."""
            return learner.loss(train[batch["row"]], epochs_done=self.current_epoch)

        def configure_optimizers(self) -> torch.optim.Optimizer:
            """Return the optimiser."""
            return torch.optim.Adam(self.parameters(), lr=2e-3)

    loader = DataLoader(train, batch_size=50, shuffle=True, generator=torch.Generator().manual_seed(SEED))
    quiet = {"logger": False, "enable_progress_bar": False, "enable_model_summary": False}
    trainer = lightning.Trainer(max_epochs=epochs, accelerator="cpu", enable_checkpointing=False, **quiet)
    trainer.fit(Digits(), loader)
    accuracy = learner.evaluate(data.test).network.scores.acc_f or 0.0
    print(f"digits right: {accuracy:.1%}")
    return accuracy


if __name__ == "__main__":
    main()
