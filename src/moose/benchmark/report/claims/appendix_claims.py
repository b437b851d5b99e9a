"""What the paper says of its ablation, of unseen pairs, of learning rates and of circuits."""

from __future__ import annotations

from moose.benchmark.report.claims.checks import (
    NEAR_CHANCE,
    TENS,
    alike,
    at_most,
    best,
    indistinct,
    leads,
    leads_by_tens,
    leads_surely,
)
from moose.benchmark.report.claims.evidence import ClaimRow, ResultColumn, all_of
from moose.benchmark.report.claims.sweep_checks import (
    all_lose,
    collapses,
    compiles_in_time,
    counts_as_stated,
    drops,
    ends_are_worst,
    falls_deeper,
    is_flat,
    is_same_over_seeds,
    is_tuned,
    is_unimodal,
    keeps,
    spreads,
)
from moose.benchmark.report.model.paper import REGIMES

PAIRS = ("mnist2", "mnist3")
DIGITS = ("mnist1", *PAIRS)
OPEN_ROWS = ("moose-open", "bears-sigmoid-open", "nesydm-rloo-open", "nesydm-exact-open")
CLOSED = {
    "moose": "moose-open",
    "bears-sigmoid": "bears-sigmoid-open",
    "nesydm-rloo": "nesydm-rloo-open",
    "nesydm-exact": "nesydm-exact-open",
}
"""Rows of the ablation with the closure, and the same without."""
LITTLE = 0.001


def ablated(regime: str) -> ResultColumn:
    """Return the accuracy with and without the closure."""
    return ResultColumn(regime, plan="ablation")


def unseen(regime: str) -> ResultColumn:
    """Return the accuracy on pairs of kinds that were not trained on."""
    return ResultColumn(regime, plan="inductive", split="held_out")


CLOSURE_CLAIMS = (
    ClaimRow(
        "closure-near-chance",
        "Without the closure Moose falls near chance in all three experiments.",
        "section 5, findings on Exps. 1-3; appendix F, closure ablation",
        all_of(*(at_most(ablated(regime), "moose-open", NEAR_CHANCE) for regime in DIGITS)),
    ),
    ClaimRow(
        "closure-tens",
        "Without the closure Moose loses tens of points in all three experiments.",
        "appendix F, table of the closure ablation",
        all_of(*(leads_by_tens(ablated(regime), "moose", over="moose-open") for regime in DIGITS)),
    ),
    ClaimRow(
        "closure-deepens",
        "What Moose loses without the closure grows from Exp. 1 over Exp. 2 to Exp. 3.",
        "appendix F, closure ablation",
        falls_deeper(DIGITS, "moose", without="moose-open"),
    ),
    ClaimRow(
        "closure-exp1-one-number",
        "Without the closure all four rows come to the same accuracy on Exp. 1, whatever the seed.",
        "appendix F, closure ablation",
        is_same_over_seeds(ablated("mnist1"), OPEN_ROWS),
    ),
    ClaimRow(
        "closure-buffered",
        "Without the closure BEARS and NeSyDM (RLOO) keep more accuracy than Moose on Exps. 2 and 3.",
        "section 5, findings on Exps. 1-3; appendix F, closure ablation",
        all_of(*(leads(ablated(regime), row, over="moose-open") for regime in PAIRS for row in OPEN_ROWS[1:3])),
    ),
    ClaimRow(
        "closure-exact-splits",
        "Without the closure NeSyDM (exact) falls as low as Moose on Exp. 2 and keeps the most on Exp. 3.",
        "appendix F, closure ablation",
        all_of(
            alike(ablated("mnist2"), "nesydm-exact-open", over="moose-open"),
            best(ablated("mnist3"), ("nesydm-exact-open",), among=OPEN_ROWS),
        ),
    ),
    ClaimRow(
        "closure-never-replaced",
        "No row is as accurate without the closure as with it.",
        "appendix F, closure ablation",
        all_lose(DIGITS, CLOSED),
    ),
    ClaimRow(
        "closure-rs-cons",
        "Without the closure BEARS and NeSyDM (RLOO) have a lower RS_cons than Moose on Exps. 2 and 3.",
        "appendix F, closure ablation",
        all_of(
            *(
                leads(ResultColumn(regime, "rs_cons", "ablation"), row, over="moose-open")
                for regime in PAIRS
                for row in OPEN_ROWS[1:3]
            )
        ),
    ),
)

FURTHER_CLAIMS = (
    ClaimRow(
        "inductive-moose-keeps",
        "On pairs of kinds that were never trained on, Moose is as accurate as on others.",
        "section 5, findings on Exps. 1-3; appendix F, table of inductive generalisation",
        all_of(*(keeps(regime, "moose") for regime in PAIRS)),
    ),
    ClaimRow(
        "inductive-nesydm-collapses",
        "On pairs of kinds that were never trained on, NeSyDM loses tens of points and ends near chance.",
        "section 5, findings on Exps. 1-3; appendix F, table of inductive generalisation",
        all_of(
            *(collapses(regime, "nesydm-rloo") for regime in PAIRS),
            *(at_most(unseen(regime), "nesydm-rloo", NEAR_CHANCE) for regime in PAIRS),
        ),
    ),
    ClaimRow(
        "inductive-independent-degrades",
        "On pairs of kinds that were never trained on, Independent loses something, but less than tens of points.",
        "appendix F, inductive generalisation",
        all_of(*(drops(regime, "independent", least=LITTLE, most=TENS) for regime in PAIRS)),
    ),
    ClaimRow(
        "inductive-exp2-significant",
        "On pairs of Exp. 2 of kinds never trained on, Moose is significantly more accurate than Independent.",
        "appendix F, inductive generalisation",
        leads_surely(unseen("mnist2"), "moose", over="independent"),
    ),
    ClaimRow(
        "inductive-exp3-not-significant",
        "On pairs of Exp. 3 of kinds never trained on, Moose and Independent do not differ significantly.",
        "appendix F, inductive generalisation",
        indistinct(unseen("mnist3"), "independent"),
    ),
    ClaimRow(
        "rates-unimodal",
        "On Exps. 2 and 3 and track A accuracy rises to a learning rate inside the grid and falls after it.",
        "appendix F, learning-rate sensitivity",
        all_of(*(is_unimodal(regime) for regime in (*PAIRS, "pizzaA"))),
    ),
    ClaimRow(
        "rates-ends-worst",
        "On Exps. 2 and 3 and track A the outermost learning rates are the worst.",
        "appendix F, learning-rate sensitivity",
        all_of(*(ends_are_worst(regime) for regime in (*PAIRS, "pizzaA"))),
    ),
    ClaimRow(
        "rates-flat-on-track-b",
        "On track B the mean accuracy hardly depends on the learning rate.",
        "appendix F, learning-rate sensitivity",
        is_flat("pizzaB"),
    ),
    ClaimRow(
        "rates-robust",
        "On Exp. 2 and track A all runs at all learning rates lie within 10 points, on Exp. 3 and track B they do not.",
        "appendix F, table of learning rates",
        all_of(
            *(spreads(regime, is_small=True) for regime in ("mnist2", "pizzaA")),
            *(spreads(regime, is_small=False) for regime in ("mnist3", "pizzaB")),
        ),
    ),
    ClaimRow(
        "rates-tuned",
        "The learning rate of the headline is the best of the grid or next to it.",
        "appendix F, learning-rate sensitivity",
        all_of(*(is_tuned(regime) for regime in (*PAIRS, "pizzaA", "pizzaB"))),
    ),
    ClaimRow(
        "circuits-in-time",
        "Each circuit of the paper's encoding compiles in at most 0.75 s.",
        "appendix F, table of compiled circuits",
        all_of(*(compiles_in_time(regime, "paper") for regime in REGIMES)),
    ),
    ClaimRow(
        "circuits-counts",
        "The paper's encoding has as many atoms and clauses as the paper states.",
        "appendix F, table of compiled circuits",
        all_of(*(counts_as_stated(regime, ("atoms", "clauses")) for regime in REGIMES)),
    ),
    ClaimRow(
        "circuits-sizes",
        "The circuits of the paper's encoding are as large as the paper states.",
        "appendix F, table of compiled circuits",
        all_of(*(counts_as_stated(regime, ("nodes",)) for regime in REGIMES)),
    ),
)
