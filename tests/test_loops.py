"""The examples with training loops of the user's own run, and learn."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("sklearn")


def test_the_plain_loop_learns() -> None:
    from examples import plain_loop

    assert plain_loop.main(pairs=600, epochs=3) > 0.5


def test_the_loop_of_lightning_learns() -> None:
    pytest.importorskip("lightning", reason="Lightning is not installed")
    from examples import lightning_loop

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Lightning's advice
        found = lightning_loop.main(pairs=600, epochs=3)
    assert found is not None and found > 0.5


def test_without_lightning_the_example_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from examples import lightning_loop

    monkeypatch.setattr(lightning_loop, "find_spec", lambda _: None)
    assert lightning_loop.main() is None
    assert capsys.readouterr().out.startswith("skipped: Lightning is not installed")
