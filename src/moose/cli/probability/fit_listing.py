"""`moose fit-listing`: how case reports list findings, learnt from cases of which it is known what held."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import say
from moose.cli.common.options import File, Imports, Output
from moose.cli.common.output import check_output, finite, write_json, writing
from moose.cli.common.progress import stages
from moose.cli.probability.rank import Family

if TYPE_CHECKING:
    from collections.abc import Callable

    from moose.owl.ontology import Ontology
    from moose.ranking.cases import Case
    from moose.ranking.hypotheses import Coins, Hypotheses
    from moose.ranking.noise import Listing


def fit_listing(
    file: File,
    cases: Annotated[Path, typer.Argument(metavar="CASES", help="A table (CSV), JSON or Phenopackets, with truths.")],
    *,
    output: Output = None,
    family: Family,
    steps: Annotated[int, typer.Option(min=1, metavar="N", help="So many steps.")] = 600,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="For the cases that are drawn for each step.")] = 0,
    held_out: Annotated[
        Path | None, typer.Option(metavar="CASES", help="Cases to weigh at the end, and not to learn from.")
    ] = None,
    keep_own_papers: Annotated[
        bool, typer.Option("--keep-own-papers", help="Use annotations that a case's own paper wrote, too.")
    ] = False,
    skip_unknown: Annotated[
        bool, typer.Option("--skip-unknown", help="Leave out findings that the ontology does not have.")
    ] = False,
    imports: Imports,
) -> None:
    """Learn from cases what reports list of findings. `moose rank --listing` reads the result.

    A case needs what turned out to hold (`truth`); one whose truth is none of the hypotheses is one that none of them
    explains. Learning begins with --listing, or with numbers that are usual for published case reports.
    """
    check_output(output, source=file)
    with stages("reading") as stage:
        from moose.ranking.listing.learn_listing import ListingOptions, held_out_loss, learn_listing
        from moose.ranking.listing.listing_files import listing_object
        from moose.ranking.noise import Listing
        from moose.ranking.reading.case_files import read_cases

        if family.missed is not None or family.reported is not None:
            raise MooseError(
                "expected no noise of two numbers, as a listing is learnt in its place, but got --missed or "
                "--reported; leave them out"
            )
        noise, told = family.noise(), read_cases(cases)
        start = noise if isinstance(noise, Listing) else Listing()
        other = [] if held_out is None else read_cases(held_out)
        hypotheses, replaced = read_family(family, imports.read(file), start)
        stage.enter("learning, steps done")
        options = ListingOptions(
            start=start,
            steps=steps,
            seed=seed,
            progress=stage.count,
            replaced=None if keep_own_papers else replaced,
            skip_unknown=skip_unknown,
        )
        learnt = learn_listing(hypotheses, told, options=options)
        facts: dict[str, object] = {"cases": learnt.cases, "loss_before": learnt.before, "loss": learnt.after}
        if other:
            facts["held_out_loss"] = held_out_loss(hypotheses.with_noise(learnt.listing), other, options)
            facts["held_out_loss_before"] = held_out_loss(hypotheses, other, options)
    with writing(output, source=file) as stream:
        write_json(listing_object(learnt.listing, {key: finite(value) for key, value in facts.items()}), stream)
    say(f"{cases}: {learnt}")
    if learnt.unexplained:
        many = f"{len(learnt.unexplained):,} truths that are none of the hypotheses, or have no finding left"
        say(f"{cases}: {many}, such as {learnt.unexplained[0]}")
    if other:
        say(f"{held_out}: mean loss {facts['held_out_loss_before']:.4g} before, {facts['held_out_loss']:.4g} after")


def read_family(
    family: Family, ontology: Ontology, start: Listing
) -> tuple[Hypotheses, Callable[[Case], Coins] | None]:
    """Return the hypotheses and, of annotations, the coins that they have without a case's own papers."""
    if family.annotations is None:
        return family.of(ontology, start), None
    from moose.ranking.reading.hpoa import LISTED

    diseases = family.diseases(ontology)
    return diseases.hypotheses(noise=start), lambda case: diseases.without(case.papers, LISTED)
