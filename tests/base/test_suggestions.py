"""What may have been meant is said in one way."""

from __future__ import annotations

from pathlib import Path

from moose.base.suggestions import close_files, close_matches, did_you_mean, no_such_file, no_such_folder, similarity


def test_the_most_alike_come_first_and_few() -> None:
    known = ["Margherita", "Marinara", "Calzone", "Margaritas", "Margarit"]
    assert close_matches("Margarita", known) == ["Margaritas", "Margarit", "Margherita"]
    assert close_matches("Margarita", known, most=1) == ["Margaritas"]
    assert close_matches("xyz", known) == []
    assert similarity("Margarita", "Margaritas") > similarity("Margarita", "Calzone")


def test_other_advice_stands_where_nothing_is_close() -> None:
    assert did_you_mean(["A"], otherwise="no") == "did you mean A?"
    assert did_you_mean([], otherwise="check the spelling") == "check the spelling"


def test_files_beside_one_that_is_not_there(tmp_path: Path) -> None:
    for name in ("bike.omn", "bike.toml", "Drinks.toml", "other.ofn"):
        (tmp_path / name).touch()
    (tmp_path / "biker.omn").mkdir()
    assert close_files(tmp_path / "bik.omn")[0] == str(tmp_path / "bike.omn")
    assert close_files(tmp_path / "drinks.toml")[0] == str(tmp_path / "Drinks.toml")
    assert close_files(tmp_path / "bikes") == [str(tmp_path / name) for name in ("bike.omn", "bike.toml")]
    assert close_files(tmp_path / "xylophone.csv") == []
    assert close_files(tmp_path / "nowhere" / "bike.omn") == []
    assert str(no_such_folder(tmp_path / "bikr.omn", "a folder")).endswith(
        "did you mean " + str(tmp_path / "biker.omn?")
    )
    assert str(no_such_file(tmp_path / "nowhere" / "a", "a file")).endswith("there is no such file; check the path")
