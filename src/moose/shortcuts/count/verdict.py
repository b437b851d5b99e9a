"""What the shortcuts of a task come to, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from moose.base.graphs import component_of
from moose.shortcuts.count.count_text import count_text
from moose.shortcuts.count.shortcuts import Shortcuts

NO_SHORTCUT = "no shortcut: only the right map agrees with all that is shown"
MOST_NAMED = 12


def verdict(shortcuts: Shortcuts) -> str:
    """Say in one sentence whether the latent concepts can be learnt.

    >>> import moose
    >>> verdict(moose.find_shortcuts(moose.regime("mnist1")))
    '728 shortcuts: 4 of 10 concepts are identifiable; confused: D3, D5, D7 | D4, D6, D8'
    """
    if shortcuts.shortcuts == 0:
        return NO_SHORTCUT
    roles = "".join(f"; {role_verdict(shortcuts, role)}" for role in shortcuts.problem.vocabulary.roles)
    count = len(shortcuts.identifiable)
    latent = len(shortcuts.problem.vocabulary.latent)
    text = (
        f"{count_text(shortcuts.shortcuts)} shortcut{'s' * (shortcuts.shortcuts != 1)}: {count} of {latent} concepts "
    )
    text += "is identifiable" if count == 1 else "are identifiable"
    groups = confused_groups(shortcuts)
    loose = [group[0] for group in groups if len(group) == 2 and group[1] == f"not {group[0]}"]
    parts = [_listed(group) for group in groups if group[0] not in loose]
    if loose:
        parts.append(f"whether {_listed(loose)} hold{'s' * (len(loose) == 1)}")
    return (f"{text}; confused: {' | '.join(parts)}" if parts else text) + roles


def role_verdict(shortcuts: Shortcuts, role: str) -> str:
    """Say how far a latent role can be learnt."""
    if role in shortcuts.identifiable_roles:
        return f"the role {role} is identifiable"
    shares = {atom: share for atom, share in shortcuts.pair_beliefs.items() if atom.predicate == role}
    right = sum(share == shortcuts.problem.pairs[atom] for atom, share in shares.items())
    return f"the role {role} is settled for {count_text(right)} of {count_text(len(shares))} pairs of states"


def confused_groups(shortcuts: Shortcuts) -> list[tuple[str, ...]]:
    """Return the values that are confused with one another, directly or by way of others."""
    words = shortcuts.problem.vocabulary
    component = component_of(
        (value, other)
        for value, others in shortcuts.confused.items()
        for other in others
        if other != f"not {value}" or value not in words.in_family or others == (f"not {value}",)
    )
    groups: dict[str, list[str]] = {}
    names = [text for name in words.latent for text in (name, f"not {name}")]
    for name in names:
        if name in component:
            groups.setdefault(component[name], []).append(name)
    return [tuple(group) for group in groups.values()]


def _listed(names: Sequence[str]) -> str:
    named = ", ".join(names[:MOST_NAMED])
    return f"{named} and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else named
