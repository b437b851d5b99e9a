"""Components are switched by name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from moose.base.errors import UnknownName
from moose.grounding.task.components import Components


def test_only_and_without_are_complements() -> None:
    assert Components.just("mutex", "links").names == ("mutex", "links")
    others = ("cover", "profiles", "only", "reverse_links", "outside_el")
    assert Components.without(*others) == Components.just("mutex", "links")
    assert Components.just().names == ()
    assert Components.without() == Components()


def test_a_task_narrows_the_closure_only() -> None:
    assert Components.just("mutex", "links").narrowed(["cover"]).names == ("links",)


@pytest.mark.parametrize("make", [Components.just, Components.without])
def test_an_unknown_component_is_named(make: Callable[..., Components]) -> None:
    with pytest.raises(UnknownName, match="expected a component, but got 'link'; did you mean links"):
        make("link")
