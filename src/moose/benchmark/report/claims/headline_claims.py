"""What the paper says of the headline: accuracy, calibration, and who is significantly better."""

from __future__ import annotations

from moose.benchmark.report.claims.checks import (
    CLUSTER,
    MOOSE_ROWS,
    NEAR_CHANCE,
    NEAR_PERFECT,
    NESYDM,
    about,
    alike,
    at_most,
    best,
    commits,
    costs_nothing,
    indistinct,
    leads,
    leads_by_a_few,
    leads_by_tens,
    leads_in_half,
    leads_surely,
    most_reach,
    within,
)
from moose.benchmark.report.claims.evidence import ClaimRow, ResultColumn, all_of
from moose.benchmark.report.model.paper import REGIMES

PAIRS = ("mnist2", "mnist3")
DIGITS = ("mnist1", *PAIRS)
AMBIGUOUS = ("pizzaB", "pizzaC")


def ece(regime: str) -> ResultColumn:
    """Return the calibration error of atoms, which is the paper's."""
    return ResultColumn(regime, "ece")


def rs_cons(regime: str) -> ResultColumn:
    """Return how sure errors are."""
    return ResultColumn(regime, "rs_cons")


def repeated(regime: str) -> ResultColumn:
    """Return the accuracy of the plan with the seeds for tests."""
    return ResultColumn(regime, plan="significance")


DIGIT_CLAIMS = (
    ClaimRow(
        "exp1-over-deepproblog",
        "On Exp. 1 Moose is more accurate than DeepProbLog.",
        "section 5, findings on Exps. 1-3",
        leads(ResultColumn("mnist1"), "moose", over="deepproblog"),
    ),
    ClaimRow(
        "independent-near-chance",
        "Without a theory (Independent), digits are guessed near chance in all three experiments.",
        "section 5, research questions and findings on Exps. 1-3",
        all_of(*(at_most(ResultColumn(regime), "independent", NEAR_CHANCE) for regime in DIGITS)),
    ),
    ClaimRow(
        "exp1-bears-calibrates",
        "On Exp. 1 BEARS lowers the calibration error of Moose at no cost in accuracy.",
        "section 5, findings on Exps. 1-3",
        all_of(
            leads(ece("mnist1"), "bears", over="moose"),
            costs_nothing(ResultColumn("mnist1"), "bears", over="moose"),
        ),
    ),
    ClaimRow(
        "exp1-nesydm-matches",
        "On Exp. 1 NeSyDM is as accurate as Moose with either estimator.",
        "section 5, findings on Exps. 1-3",
        all_of(*(alike(ResultColumn("mnist1"), method, over="moose") for method in NESYDM)),
    ),
    ClaimRow(
        "pairs-tens-over-deepproblog",
        "On Exps. 2 and 3 Moose is tens of points more accurate than DeepProbLog.",
        "section 5, findings on Exps. 1-3; conclusion",
        all_of(*(leads_by_tens(ResultColumn(regime), "moose", over="deepproblog") for regime in PAIRS)),
    ),
    ClaimRow(
        "pairs-bears-lowers-rs-cons",
        "BEARS lowers RS_cons on Exps. 2 and 3.",
        "section 5, findings on Exps. 1-3",
        all_of(*(leads(rs_cons(regime), "bears", over="moose") for regime in PAIRS)),
    ),
    ClaimRow(
        "exp3-bears-costs-a-few",
        "On Exp. 3 BEARS gives up a few points of accuracy.",
        "section 5, findings on Exps. 1-3",
        leads_by_a_few(ResultColumn("mnist3"), "moose", over="bears"),
    ),
    ClaimRow(
        "pairs-nesydm-lags",
        "On Exps. 2 and 3 NeSyDM is less accurate than Moose with either estimator.",
        "section 5, findings on Exps. 1-3",
        all_of(*(leads(ResultColumn(regime), "moose", over=method) for regime in PAIRS for method in NESYDM)),
    ),
    ClaimRow(
        "pairs-fuzzy-and-embedding-lag",
        "On Exps. 2 and 3 LTN and ELEmbeddings are less accurate than Moose.",
        "section 5, findings on Exps. 1-3",
        all_of(
            *(leads(ResultColumn(regime), "moose", over=one) for regime in PAIRS for one in ("ltn", "elembeddings"))
        ),
    ),
    ClaimRow(
        "ltn-says-nothing",
        "LTN's calibration error on Exps. 2 and 3 is that of a constant guess, 10 %.",
        "section 5, findings on Exps. 1-3",
        all_of(*(about(ece(regime), "ltn", 0.10) for regime in PAIRS)),
    ),
    ClaimRow(
        "elembeddings-calibrated-not-accurate",
        "On Exps. 2 and 3 ELEmbeddings has a lower calibration error than LTN and is still tens of points below Moose.",
        "section 5, findings on Exps. 1-3",
        all_of(
            *(leads(ece(regime), "elembeddings", over="ltn") for regime in PAIRS),
            *(leads_by_tens(ResultColumn(regime), "moose", over="elembeddings") for regime in PAIRS),
        ),
    ),
    ClaimRow(
        "pairs-plain-best",
        "On Exps. 2 and 3 plain Moose is the most accurate of its family: nothing is left to mitigate.",
        "section 5, findings on Exp. 4",
        all_of(*(best(ResultColumn(regime), ("moose",), among=MOOSE_ROWS) for regime in PAIRS)),
    ),
    ClaimRow(
        "pairs-significant",
        "On Exps. 2 and 3 Moose is significantly more accurate than DeepProbLog, NeSyDM (RLOO) and LTN.",
        "appendix F, table of paired significance",
        all_of(
            *(
                leads_surely(repeated(regime), "moose", over=method)
                for regime in PAIRS
                for method in ("deepproblog", "nesydm-rloo", "ltn")
            )
        ),
    ),
)

PIZZA_CLAIMS = (
    ClaimRow(
        "track-a-near-perfect-in-distribution",
        "On track A most methods are near perfect on the kinds of pizza that they were trained on.",
        "section 5, findings on Exp. 4",
        most_reach(ResultColumn("pizzaA", split="test"), NEAR_PERFECT),
    ),
    ClaimRow(
        "track-a-cluster",
        "On the held-out pizzas of track A the four rows of Moose are close together.",
        "section 5, findings on Exp. 4",
        within(ResultColumn("pizzaA"), MOOSE_ROWS, CLUSTER),
    ),
    ClaimRow(
        "track-a-nesydm-most-accurate",
        "On the held-out pizzas of track A NeSyDM (RLOO) is the most accurate of all.",
        "section 5, table of headline accuracy",
        best(ResultColumn("pizzaA"), ("nesydm-rloo",)),
    ),
    ClaimRow(
        "track-a-nesydm-significant",
        "On the held-out pizzas of track A NeSyDM (RLOO) is significantly more accurate than Moose.",
        "section 5, findings on Exp. 4; appendix F, table of paired significance",
        leads_surely(repeated("pizzaA"), "nesydm-rloo", over="moose"),
    ),
    ClaimRow(
        "track-a-bears-not-significant",
        "On the held-out pizzas of track A Moose and BEARS do not differ significantly.",
        "appendix F, table of paired significance",
        indistinct(repeated("pizzaA"), "bears"),
    ),
    ClaimRow(
        "track-a-nesydm-calibrated",
        "On the held-out pizzas of track A NeSyDM (RLOO) has the lowest calibration error of all.",
        "section 5, table of headline calibration",
        best(ece("pizzaA"), ("nesydm-rloo",)),
    ),
    ClaimRow(
        "track-b-moose-commits",
        "On track B plain Moose settles on one pizza that fits the evidence, right or wrong, and is sure of it.",
        "section 5, findings on Exp. 4",
        commits(ResultColumn("pizzaB"), "moose"),
    ),
    ClaimRow(
        "track-b-bears-lifts",
        "On track B BEARS is significantly more accurate than plain Moose.",
        "section 5, findings on Exp. 4; appendix F, table of paired significance",
        leads_surely(repeated("pizzaB"), "bears", over="moose"),
    ),
    ClaimRow(
        "track-b-nesydm-calibrated",
        "On track B NeSyDM (RLOO) has the lowest calibration error of all.",
        "section 5, findings on Exp. 4",
        best(ece("pizzaB"), ("nesydm-rloo",)),
    ),
    ClaimRow(
        "track-b-nesydm-costs-a-few",
        "On track B NeSyDM (RLOO) pays for its calibration with a few points of accuracy.",
        "section 5, findings on Exp. 4",
        leads_by_a_few(ResultColumn("pizzaB"), "moose", over="nesydm-rloo"),
    ),
    ClaimRow(
        "track-b-family-tells-nothing",
        "On track B all methods name the right pizza equally often.",
        "appendix F, table of kinds of pizza",
        within(ResultColumn("pizzaB", "acc_f"), ("ltn", *MOOSE_ROWS), CLUSTER),
    ),
    ClaimRow(
        "track-c-bears-lifts",
        "On track C BEARS is significantly more accurate than plain Moose.",
        "section 5, findings on Exp. 4; appendix F, table of paired significance",
        leads_surely(repeated("pizzaC"), "bears", over="moose"),
    ),
    ClaimRow(
        "track-c-nesydm-calibrated",
        "On track C NeSyDM (exact) has the lowest calibration error of all.",
        "section 5, findings on Exp. 4",
        best(ece("pizzaC"), ("nesydm-exact",)),
    ),
    ClaimRow(
        "track-c-ltn-matches-bears",
        "On track C LTN is as accurate as BEARS, with a higher calibration error.",
        "section 5, findings on Exp. 4",
        all_of(
            alike(ResultColumn("pizzaC"), "ltn", over="bears"),
            leads(ece("pizzaC"), "bears", over="ltn"),
        ),
    ),
    ClaimRow(
        "pizzas-moose-over-nesydm",
        "On tracks B and C Moose is significantly more accurate than NeSyDM (RLOO).",
        "appendix F, table of paired significance",
        all_of(*(leads_surely(repeated(regime), "moose", over="nesydm-rloo") for regime in AMBIGUOUS)),
    ),
    ClaimRow(
        "trade-off",
        "On tracks B and C accuracy and calibration part: of the rows of Moose, BEARS is the most accurate and NeSyDM "
        "the best calibrated.",
        "introduction; section 5, findings on Exp. 4; conclusion",
        all_of(
            *(best(ResultColumn(regime), ("bears",), among=MOOSE_ROWS) for regime in AMBIGUOUS),
            *(best(ece(regime), NESYDM, among=MOOSE_ROWS) for regime in AMBIGUOUS),
        ),
    ),
    ClaimRow(
        "over-all-baselines",
        "Moose is more accurate than the propositional, the fuzzy and the embedding baseline (in at least half of the "
        "regimes).",
        "abstract",
        all_of(*(leads_in_half(REGIMES, "moose", over=method) for method in ("deepproblog", "ltn", "elembeddings"))),
    ),
)
