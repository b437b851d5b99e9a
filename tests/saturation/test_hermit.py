"""Random ontologies: everything that Moose says, HermiT says too, and the other way round. Needs Java and the wheel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.fuzz_hermit import FAMILIES, Contest, contest
from bench.hermit import Hermit
from bench.peers import PeersAbsentError, find_peers


@pytest.fixture(scope="module")
def hermit() -> Iterator[Hermit]:
    try:
        peers = find_peers()
    except PeersAbsentError as absent:
        pytest.skip(str(absent))
    with Hermit(peers) as running:
        yield running


def differences(hermit: Hermit, folder: Path, seeds: range, family: str) -> list[str]:
    """Describe every difference, and fail where HermiT refuses so many that little was compared."""
    refused: list[str] = []
    found = [
        str(report) for report in contest(Contest(hermit, folder / "random.ofn"), seeds, FAMILIES[family], refused)
    ]
    assert len(refused) * 20 <= len(seeds), refused[:5]
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_hermit(hermit: Hermit, tmp_path: Path, family: str) -> None:
    assert differences(hermit, tmp_path, range(60), family) == []


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_hermit_at_length(hermit: Hermit, tmp_path: Path, family: str) -> None:
    assert differences(hermit, tmp_path, range(1_000, 2_000), family) == []
