"""`moose query`: how likely it is that something follows, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from moose.cli.common.completeness import OutsideEl, say_unused, unused_texts
from moose.cli.common.messages import say
from moose.cli.common.naming import Naming
from moose.cli.common.ontology_notes import outside_rows, say_outside
from moose.cli.common.options import File, Imports, Json, Output, Processes, read_duration
from moose.cli.common.output import write_json, writing
from moose.cli.common.progress import stages
from moose.cli.probability.query_options import (
    ProbabilitiesFile,
    ProbabilitySource,
    WithoutAnnotations,
    find_probabilities,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from moose.owl.model.axioms import Axiom
    from moose.owl.names import Names
    from moose.queries.answer import Answer
    from moose.queries.probabilities.probabilities import Probabilities

MOST_SENSITIVITIES = 5
"""How many axioms are shown to people; the rest is in JSON."""
LONGEST_FRACTION = 40
"""Characters; a longer fraction tells people nothing, and is in JSON."""


def query(
    file: File,
    goals: Annotated[
        list[str],
        typer.Argument(
            metavar="GOAL...", help='"A SubClassOf B", "SubClassOf(A B)", consistent, or "unsatisfiable C".'
        ),
    ],
    *,
    output: Output = None,
    probabilities: ProbabilitiesFile = None,
    without_annotations: WithoutAnnotations = False,
    given: Annotated[
        list[str] | None, typer.Option(metavar="GOAL", help="Take for granted that this holds; may be repeated.")
    ] = None,
    justifications: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many minimal sets of axioms to show, most probable first.")
    ] = 10,
    limit: Annotated[
        str | None, typer.Option(metavar="TIME", help="Such as 10s, for each goal: then bounds instead of the answer.")
    ] = None,
    json: Json = False,
    naming: Naming,
    outside_el: OutsideEl,
    processes: Processes,
    imports: Imports,
) -> None:
    """Say how likely it is that goals follow, and why. Axioms have probabilities, or are certain.

    Goals are axioms on classes and individuals in Manchester or functional syntax, as `moose explain` takes them, or
    the words `consistent` or `unsatisfiable C`. An inconsistent world entails everything: to look at the
    other worlds only, add --given consistent. Where axioms that may matter are outside OWL 2 EL and not used whole, the
    answer is `≥ p`.
    """
    start = perf_counter()
    seconds = read_duration(limit)
    source = ProbabilitySource(probabilities, without_annotations)
    with stages("reading") as stage:
        ontology = imports.read(file)
        stated = find_probabilities(ontology, source, file)
        stage.enter("asking")
        from moose.queries.query import query_all

        with outside_el.running() as reasoner:
            answers = query_all(
                ontology,
                goals,
                given=given or (),
                probabilities=stated,
                limit=seconds,
                justifications=justifications,
                reasoner=reasoner,
                workers=processes.workers(),
            )
    names = naming.of(ontology)
    writers = [
        Writer(answer, stated, names, tuple(given or ()), goal) for answer, goal in zip(answers, goals, strict=True)
    ]
    with writing(output, source=file) as stream:
        if json:
            rest = {"outside_el": outside_rows(ontology), "seconds": round(perf_counter() - start, 3)}
            rows = [writer.facts() for writer in writers]
            write_json({**(rows[0] if len(rows) == 1 else {"answers": rows}), **rest}, stream)
        else:
            stream.write("\n".join("".join(f"{line}\n" for line in writer.lines()) for writer in writers))
    if not json:
        say_outside(ontology, file)
    if cut := sum(answer.is_limit_reached for answer in answers):
        say(f"{file}: the limit was reached for {cut:,} of {len(answers):,} goals; what is written are bounds")
    open_rows = {id(row): row for answer in answers if not answer.is_exact for row in answer.unused}
    what = "only bounds are known"
    say_unused(list(open_rows.values()), names, file, what=what, is_listed=outside_el.unused)
    if names_of := {answer.reasoner for answer in answers if answer.reasoner}:
        say(f"{file}: where EL leaves it open, the answer is from {', '.join(sorted(names_of))}")


@dataclass(frozen=True, slots=True)
class Writer:
    """Puts an answer into words."""

    answer: Answer
    probabilities: Probabilities
    names: Names
    given: tuple[str, ...]
    goal: str

    def facts(self) -> dict[str, object]:
        """Return it for programs: fractions as num/den, axioms with full IRIs."""
        answer = self.answer
        world = answer.most_probable_world
        return {
            "goal": answer.goal,
            "given": list(self.given),
            "probability": ratio(answer.lower) if answer.is_exact else None,
            "value": answer.value,
            "lower": ratio(answer.lower),
            "upper": ratio(answer.upper),
            "exact": answer.is_exact,
            "complete": not answer.unused,
            "unused": unused_texts(answer.unused),
            "limit_reached": answer.is_limit_reached,
            "reasoner": answer.reasoner,
            "inconsistent": range_of(answer.inconsistent),
            "justifications": [
                {
                    "probability": ratio(one.probability),
                    "value": float(one.probability),
                    "axioms": [self._row(axiom) for axiom in one.axioms],
                }
                for one in answer.justifications
            ],
            "all_justifications": answer.are_all_justifications,
            "sensitivities": [
                {**self._row(axiom), "sensitivity": ratio(slope), "sensitivity_value": float(slope)}
                for axiom, slope in self._slopes()
            ],
            "most_probable_world": {
                "true": [written(axiom) for axiom, holds in world.items() if holds],
                "false": [written(axiom) for axiom, holds in world.items() if not holds],
            },
        }

    def lines(self) -> Iterator[str]:
        """Spell it for people, in short names."""
        answer = self.answer
        yield self._shown(self.goal) + "".join(f"\n  given {self._shown(goal)}" for goal in self.given)
        if answer.is_exact:
            yield f"  probability {decimal(answer.lower, 10)}"
        elif answer.upper == 1 and not answer.is_limit_reached:
            yield f"  probability ≥ {decimal(answer.lower, 10)}"
        elif not answer.lower and not answer.is_limit_reached:
            yield f"  probability ≤ {decimal(answer.upper, 10)}"
        else:
            yield f"  probability between {number(answer.lower, 10)} and {number(answer.upper, 10)}"
        yield from self._inconsistency_lines()
        if answer.justifications:
            more = "" if answer.are_all_justifications else ", and there may be more"
            what = "contradictions" if answer.goal == "consistent" else "justifications"
            yield f"  {what} ({len(answer.justifications):,}{more})"
        for one in answer.justifications:
            yield f"    {decimal(one.probability)}"
            yield from (f"      {self._written(axiom)}" for axiom in one.axioms)
        yield from self._sensitivity_lines()

    def _inconsistency_lines(self) -> Iterator[str]:
        """Say how likely worlds are inconsistent, if some are, and how to leave them out."""
        if self.answer.inconsistent is None or self.answer.goal == "consistent":
            return
        lower, upper = self.answer.inconsistent
        if not lower:
            return
        if lower < 1:
            chance = decimal(lower, 10) if lower == upper else f"≥ {decimal(lower, 10)}"
            yield f"  inconsistent with probability {chance}; give --given consistent to leave those worlds out"
        elif self.given:
            told = "what is given follows from contradictions alone; write a new fact into the ontology, as an axiom"
            yield f"  inconsistent in all worlds that are left: {told}"
        else:
            yield "  inconsistent in every world; `moose explain FILE --inconsistency` shows why"

    def _shown(self, goal: str) -> str:
        """Write a goal as the axioms below it are written."""
        from moose.owl.syntax.functional.write_functional import render
        from moose.queries.program.goals import read_goal

        read = read_goal(goal, self.names)
        return read.text if read.axiom is None else render(read.axiom, self.names.show)

    def _sensitivity_lines(self) -> Iterator[str]:
        slopes = self._slopes()
        if slopes:
            yield "  sensitivities"
        for axiom, slope in slopes[:MOST_SENSITIVITIES]:
            yield f"    {number(slope)}  {self._written(axiom)}"
        if len(slopes) > MOST_SENSITIVITIES:
            yield f"    … and {len(slopes) - MOST_SENSITIVITIES:,} more, in --json"

    def _slopes(self) -> list[tuple[Axiom, Fraction]]:
        """Return the sensitivities, those that matter most first."""
        return sorted(self.answer.sensitivities.items(), key=lambda pair: (-abs(pair[1]), written(pair[0])))

    def _written(self, axiom: Axiom) -> str:
        """Write an axiom in short names, with its probability unless it is certain."""
        from moose.owl.model.axioms import without_annotations
        from moose.owl.syntax.functional.write_functional import render

        value = self.probabilities.of(axiom)
        shown = number(value) if is_exact(number(value), value) else str(value)
        return render(without_annotations(axiom), self.names.show) + ("" if value == 1 else f"  [{shown}]")

    def _row(self, axiom: Axiom) -> dict[str, object]:
        return {"axiom": written(axiom), "probability": ratio(self.probabilities.of(axiom))}


def range_of(bounds: tuple[Fraction, Fraction] | None) -> dict[str, str] | None:
    """Write bounds of a probability, which are equal where it is known, as fractions."""
    return None if bounds is None else {"lower": ratio(bounds[0]), "upper": ratio(bounds[1])}


def ratio(value: Fraction) -> str:
    """Write a fraction as num/den, whole numbers too."""
    return f"{value.numerator}/{value.denominator}"


def decimal(value: Fraction, digits: int = 6) -> str:
    """Write a fraction as a decimal for people, and the fraction itself behind it, unless that is too long to read."""
    shown = number(value, digits)
    if value.denominator == 1 or len(ratio(value)) > LONGEST_FRACTION:
        return shown
    return f"{shown} {'=' if is_exact(shown, value) else '≈'} {ratio(value)}"


def number(value: Fraction, digits: int = 6) -> str:
    """Write a fraction as a decimal."""
    from moose.queries.probabilities.numbers import decimal_text

    return ("-" if value < 0 else "") + decimal_text(abs(value), digits)


def is_exact(shown: str, value: Fraction) -> bool:
    """Return whether a decimal is a fraction, not only near it."""
    from fractions import Fraction

    return Fraction(shown) == value


def written(axiom: Axiom) -> str:
    """Write an axiom with full IRIs, without its annotations."""
    from dataclasses import replace

    from moose.owl.syntax.functional.write_functional import render

    return render(replace(axiom, annotations=()) if axiom.annotations else axiom)
