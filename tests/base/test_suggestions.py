"""What may have been meant is said in one way."""

from __future__ import annotations

from moose.base.suggestions import close_matches, did_you_mean, similarity


def test_the_most_alike_come_first_and_few() -> None:
    known = ["Margherita", "Marinara", "Calzone", "Margaritas", "Margarit"]
    assert close_matches("Margarita", known) == ["Margaritas", "Margarit", "Margherita"]
    assert close_matches("Margarita", known, most=1) == ["Margaritas"]
    assert close_matches("xyz", known) == []
    assert similarity("Margarita", "Margaritas") > similarity("Margarita", "Calzone")


def test_other_advice_stands_where_nothing_is_close() -> None:
    assert did_you_mean(["A"], otherwise="no") == "did you mean A?"
    assert did_you_mean([], otherwise="check the spelling") == "check the spelling"
