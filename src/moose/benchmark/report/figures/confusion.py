"""What each method takes for what: a figure a regime, a panel a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.concepts import draw_concepts
from moose.benchmark.report.figures.panels import WIDTH, Panels, details_of, trained_methods, write_title
from moose.benchmark.report.figures.svg import add, drawing, group, write, write_svg
from moose.benchmark.report.model.model import Figure
from moose.benchmark.report.model.numbers import write_spread
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.statistics.compare import chosen, principal
from moose.benchmark.store.records import Record

LEVELS = 8
"""Of shading; a share below half of one is left white."""
Matrix = tuple[tuple[int, ...], ...]


def confusion_matrices(records: Sequence[Record], regimes: Sequence[str]) -> tuple[Figure, ...]:
    """Draw a figure for each latent family of a regime; where none is latent, one of its concepts."""
    figures: list[Figure] = []
    for regime in regimes:
        if trained_methods(records, regime):
            families = chosen(records, regime=regime)[0]["families"]
            for number, family in enumerate(families):
                figures.append(draw_family(records, regime, family=family, number=number))
            if not families:
                figures.append(draw_concepts(records, regime))
    return tuple(figures)


def draw_family(records: Sequence[Record], regime: str, *, family: Sequence[str], number: int) -> Figure:
    """Draw a panel for each method."""
    methods = trained_methods(records, regime)
    title = f"{regime_title(regime)}: confusions" + (f", family {number + 1}" if number else "")
    panels = Panels(len(methods), height=112.0, left=24.0, below=32.0, gap=22.0)
    root = drawing(WIDTH, panels.total + 16.0, title)
    names = short_names(family)
    shares = {}
    for index, method in enumerate(methods):
        pooled = pool_matrices([one["confusions"][number] for one in details_of(records, regime, method)])
        panel = group(root, panels.corner(index))
        write_title(panel, title_of(method), panels.width)
        share = share_right(pooled)
        if share is not None:
            shares[method] = share
            draw_matrix(panel, pooled, names=names, size=panels.height)
            write(
                panel, f"{write_spread(share, None)} % right", (panels.height, panels.height + 23.0), "label end muted"
            )
    write(root, "predicted (across) and true (down)", (WIDTH / 2, panels.total + 11.0), "name middle")
    key = f"confusion-{regime}" + (f"-{number + 1}" if number else "")
    return Figure(key, title, say_family(regime, family, shares), write_svg(root))


def pool_matrices(matrices: Sequence[Sequence[Sequence[int]]]) -> Matrix:
    """Add the matrices of all seeds.

    >>> pool_matrices([[[1, 0], [2, 3]], [[1, 1], [0, 0]]])
    ((2, 1), (2, 3))
    """
    return tuple(tuple(map(sum, zip(*rows))) for rows in zip(*matrices))


def share_right(matrix: Matrix) -> float | None:
    """Return the share that lies on the diagonal."""
    total = sum(map(sum, matrix))
    return sum(row[index] for index, row in enumerate(matrix)) / total if total else None


def draw_matrix(panel: Element, matrix: Matrix, *, names: Sequence[str], size: float) -> None:
    """Draw a matrix whose rows add up to one: a path for each level of shading keeps it short."""
    cell = size / len(matrix)
    add(panel, "rect", {"class": "field", "width": size, "height": size})
    shaded = add(panel, "g", {"transform": f"scale({cell:.3f})"}, tip=say_matrix(matrix, names))
    for level, cells in groupby(sorted(_shades(matrix)), key=lambda one: one[0]):
        path = "".join(f"M{column} {row}h1v1h-1z" for _, row, column in cells)
        add(shaded, "path", {"class": f"s{level}", "d": path})
    ticks = add(panel, "g", {"class": "ticks"})
    for index, name in enumerate(names):
        write(ticks, name, ((index + 0.5) * cell, size + 11.0), "middle")
        write(ticks, name, (-4.0, (index + 0.5) * cell + 3.5), "end")


def _shades(matrix: Matrix) -> list[tuple[int, int, int]]:
    """Return level, row and column of each cell that is not white."""
    shades = []
    for row, counts in enumerate(matrix):
        total = sum(counts)
        for column, count in enumerate(counts):
            level = int(LEVELS * count / total + 0.5) if total else 0
            if level:
                shades.append((level, row, column))
    return shades


def say_matrix(matrix: Matrix, names: Sequence[str]) -> str:
    """Say what is most often taken for something else."""
    wrong = [
        (counts[column] / sum(counts), names[row], names[column])
        for row, counts in enumerate(matrix)
        for column in range(len(counts))
        if column != row and counts[column]
    ]
    if not wrong:
        return "nothing is taken for anything else"
    share, true, predicted = max(wrong, key=lambda one: one[0])
    return f"most confused: {true} as {predicted}, {write_spread(share, None)} %"


def short_names(family: Sequence[str]) -> list[str]:
    """Return the shortest beginnings that tell the members apart, without what all begin with.

    >>> short_names(["D0", "D1"]), short_names(["Mushroom", "Cajun", "Capricciosa"])
    (['0', '1'], ['M', 'Caj', 'Cap'])
    """
    start = _shared(min(family), max(family))
    rest = [name[start:] if all(len(one) > start for one in family) else name for name in family]
    ordered = sorted(rest)
    shared = dict.fromkeys(ordered, 0)
    for first, second in pairwise(ordered):
        length = _shared(first, second)
        shared[first], shared[second] = max(shared[first], length), max(shared[second], length)
    return [name[: shared[name] + 1] for name in rest]


def _shared(first: str, second: str) -> int:
    """Return how many letters two words share at their beginning."""
    unlike = (index for index, (one, other) in enumerate(zip(first, second)) if one != other)
    return next(unlike, min(len(first), len(second)))


def say_family(regime: str, family: Sequence[str], shares: Mapping[str, float]) -> str:
    """Say in words what is to be seen; shares are what each method has right."""
    text = "The darker a cell, the more of what its row says is taken for what its column says; all seeds together."
    if principal(regime).split == "held_out":
        text += " Pizzas that were never shown."
    if shares:
        best = max(shares, key=shares.__getitem__)
        text += f" Most is right by {title_of(best)}: {write_spread(shares[best], None)} %."
    names = short_names(family)
    if not all(name.endswith(short) for name, short in zip(family, names)):
        text += " " + ", ".join(f"{short}: {name}" for short, name in zip(names, family)) + "."
    return text
