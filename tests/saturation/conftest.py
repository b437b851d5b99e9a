from __future__ import annotations

from pathlib import Path

import pytest

import moose
from moose.saturation.answers.taxonomy import Taxonomy, classify

DATA = Path(__file__).parents[3] / "shared" / "data" / "ontologies"


@pytest.fixture(scope="session", params=["pizza", pytest.param("pato", marks=pytest.mark.slow)])
def taxonomy(request: pytest.FixtureRequest) -> Taxonomy:
    path = DATA / f"{request.param}.ofn.gz"
    if not path.exists():
        pytest.skip(f"the data folder ../shared/data has no ontologies/{path.name}")
    return classify(moose.load(path))
