"""Learning against the sum over all worlds: likelihood, posterior and step exactly; and what comes out of it."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.names import Names
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.queries.estimate.cases import ObservedCase, ObservedPattern, patterns, read_observed_cases
from moose.queries.estimate.expectation import Likelihood, maximised
from moose.queries.estimate.learn import LearningOptions, LearningStep, LearntProbabilities, learn_probabilities
from moose.queries.estimate.likelihood import compile_patterns
from moose.queries.estimate.parameters import Beta, CoinSharing, ParameterModel, make_model
from moose.queries.probabilities.probabilities import Probabilities
from moose.saturation.proofs.explain import inclusions
from tests.queries.small_ontologies import CLASSES, INDIVIDUALS, axioms
from tests.queries.worlds import entails, worlds
from tests.searching import examples

ONE = Fraction(1)
MOST_UNCERTAIN = 5
seen_goals = st.one_of(
    st.builds(ax.SubClassOf, st.sampled_from(CLASSES), st.sampled_from(CLASSES)),
    st.builds(ax.ClassAssertion, st.sampled_from(CLASSES), st.sampled_from(INDIVIDUALS)),
)


class Problem:
    """An ontology with uncertain axioms, some of them tied, and cases drawn from its own worlds."""

    def __init__(self, told: Sequence[ax.Axiom], goals: Sequence[ax.Axiom], source: random.Random) -> None:
        self.ontology = ontology_from_axioms(told)
        places = range(len(self.ontology.axioms))
        chosen = source.sample(places, min(len(places), MOST_UNCERTAIN))
        self.start = Probabilities(self.ontology, {one: Fraction(source.randint(1, 8), 9) for one in chosen})
        tied = [self.ontology.axioms[one] for one in chosen[:2]]
        if len(tied) == 2:
            self.start = Probabilities(self.ontology, {**self.start.stated, chosen[1]: self.start.stated[chosen[0]]})
        self.sharing = CoinSharing(tied=(tuple(tied),) if len(tied) == 2 else ())
        self.goals = goals
        self.worlds = list(worlds(self.ontology, {one: (p, 1 - p) for one, p in self.start.uncertain.items()}))
        self.cases = [self.draw(source) for _ in range(4)]

    def draw(self, source: random.Random) -> ObservedCase:
        """See some of the goals in a world."""
        world, _ = source.choice(self.worlds)
        looked = [goal for goal in self.goals if source.random() < 0.7]
        return ObservedCase({goal: self.follows(world, goal) for goal in looked}, source.randint(1, 3))

    def follows(self, world: set[int], goal: ax.Axiom) -> bool:
        """Tell whether a goal follows in a world."""
        axioms = [self.ontology.axioms[one] for one in sorted(world)]
        return all(entails(axioms, *pair) for pair in inclusions(goal))

    def compiled(self) -> tuple[ParameterModel, Likelihood]:
        """Compile the cases."""
        model = make_model(self.start, self.sharing, list(INDIVIDUALS))
        outcomes = compile_patterns(model, patterns(self.cases, Names(self.ontology)))
        return model, Likelihood(outcomes, model.parameters)

    def agreeing(self, case: ObservedCase) -> list[tuple[set[int], Fraction]]:
        """Return the worlds that look like a case."""
        return [
            (world, weight)
            for world, weight in self.worlds
            if all(self.follows(world, goal) == truth for goal, truth in case.observed.items())  # type: ignore[arg-type]
        ]


problems = st.builds(
    Problem,
    st.lists(axioms, min_size=2, max_size=7, unique=True),
    st.lists(seen_goals, min_size=1, max_size=3, unique=True),
    st.randoms(use_true_random=False),
)


def by_worlds(problem: Problem, model: ParameterModel, likelihood: Likelihood) -> tuple[float, list[Fraction]]:
    """Return the log-likelihood, and the expected heads of each parameter, by going through all worlds."""
    logarithm = 0.0
    heads = [Fraction(0)] * len(model.parameters)
    places = {
        tuple(sorted(goal.text for goal in pattern.goals)): set(outcomes.axioms)
        for pattern, outcomes in zip(patterns(problem.cases, Names(problem.ontology)), likelihood.outcomes, strict=True)
    }
    names = Names(problem.ontology)
    for case in problem.cases:
        (pattern,) = patterns([case], names)
        matter = places[tuple(sorted(goal.text for goal in pattern.goals))]
        agreeing = problem.agreeing(case)
        total = sum((weight for _, weight in agreeing), start=Fraction(0))
        logarithm += case.count * (math.log(total.numerator) - math.log(total.denominator))
        for number, parameter in enumerate(model.parameters):
            for place in matter.intersection(parameter.positions):
                heads[number] += case.count * sum(weight for world, weight in agreeing if place in world) / total
    return logarithm, heads


@examples(60)
@given(problems)
def test_likelihood_posteriors_and_step_are_those_of_all_worlds(problem: Problem) -> None:
    assume(not problem.ontology.profile.outside)
    model, likelihood = problem.compiled()
    values = [parameter.start for parameter in model.parameters]
    counted = likelihood.count(values, ONE)
    logarithm, heads = by_worlds(problem, model, likelihood)
    assert counted.log_likelihood == pytest.approx(logarithm, abs=1e-9)
    assert counted.heads == heads  # exactly
    for value, tosses, expected, better in zip(
        values, counted.tosses, heads, maximised(counted, values, model.parameters, ONE), strict=True
    ):
        assert better == (expected / tosses if tosses else value)


@examples(40)
@given(problems, st.booleans())
def test_no_step_lowers_the_objective(problem: Problem, has_prior: bool) -> None:
    assume(not problem.ontology.profile.outside and problem.start.uncertain)
    prior = Beta(2.0, 3.0) if has_prior else Beta()
    sharing = CoinSharing(tied=problem.sharing.tied, priors=prior)
    for method in ("em", "gradient"):
        found = learn_probabilities(
            problem.ontology,
            problem.cases,
            probabilities=problem.start,
            sharing=sharing,
            learning=LearningOptions(method=method, steps=15),
        )
        assert all(after >= before - 1e-9 for before, after in zip(found.history, found.history[1:]))


# ── By hand ──

A, B, C, D = (owl.Class(f"urn:{name}") for name in "ABCD")
X, Y = (owl.NamedIndividual(f"urn:{name}") for name in "xy")
DIAMOND: tuple[ax.Axiom, ...] = (
    ax.ClassAssertion(A, X),
    ax.ClassAssertion(B, X),
    ax.SubClassOf(A, C),
    ax.SubClassOf(B, C),
    ax.SubClassOf(C, D),
)
TRUTH = (0.3, 0.6, 0.8, 0.5, 0.9)


def case(observed: Mapping[ax.Axiom, bool], count: int = 1) -> ObservedCase:
    """Return a case of axioms."""
    return ObservedCase(observed, count)


def halves(ontology: Ontology) -> Probabilities:
    """Return probability ½ for every axiom."""
    return Probabilities(ontology, dict.fromkeys(range(len(ontology.axioms)), Fraction(1, 2)))


def diamond_cases(count: int, seed: int, share: float) -> list[ObservedCase]:
    """Draw worlds of the diamond, and look at each class with some probability."""
    source = random.Random(seed)
    cases = []
    for _ in range(count):
        a, b, from_a, from_b, up = (source.random() < chance for chance in TRUTH)
        c = (a and from_a) or (b and from_b)
        truths = zip((A, B, C, D), (a, b, c, c and up), strict=True)
        cases.append(case({ax.ClassAssertion(one, X): truth for one, truth in truths if source.random() < share}))
    return cases


@pytest.mark.parametrize("method", ["em", "gradient"])
def test_the_truth_is_recovered_within_its_standard_error(method: str) -> None:
    ontology = ontology_from_axioms(DIAMOND)
    cases = diamond_cases(10_000, seed=1, share=0.8)
    found = learn_probabilities(
        ontology, cases, probabilities=halves(ontology), learning=LearningOptions(method=method)
    )
    assert found.is_converged
    for axiom, truth in zip(DIAMOND, TRUTH, strict=True):
        error = found.standard_errors[axiom]
        assert 0 < error < 0.02
        assert abs(float(found.probabilities.of(axiom)) - truth) < 3 * error


def test_standard_errors_are_those_of_many_repetitions() -> None:
    ontology = ontology_from_axioms(DIAMOND[:1])
    seen = [ObservedCase({DIAMOND[0]: True}, 300), ObservedCase({DIAMOND[0]: False}, 700)]
    found = learn_probabilities(ontology, seen, probabilities=halves(ontology))
    assert found.probabilities.of(DIAMOND[0]) == Fraction(3, 10)
    assert found.standard_errors[DIAMOND[0]] == pytest.approx(math.sqrt(0.3 * 0.7 / 1000))


def test_a_prior_counts_like_cases() -> None:
    ontology = ontology_from_axioms(DIAMOND[:1])
    seen = [ObservedCase({DIAMOND[0]: True}, 3), ObservedCase({DIAMOND[0]: False})]
    for method in ("em", "gradient"):
        learning = LearningOptions(method=method, tolerance=1e-14)
        found = learn_probabilities(
            ontology, seen, probabilities=halves(ontology), sharing=CoinSharing(priors=Beta(2, 5)), learning=learning
        )
        assert float(found.probabilities.of(DIAMOND[0])) == pytest.approx((3 + 1) / (4 + 1 + 4), abs=1e-5)


def test_certain_and_fixed_axioms_keep_their_probability() -> None:
    ontology = ontology_from_axioms(DIAMOND)
    start = Probabilities(ontology, {0: Fraction(1, 2), 2: Fraction(1, 3)})
    seen = [case({ax.ClassAssertion(A, X): True}, 2), case({ax.ClassAssertion(A, X): False}, 6)]
    found = learn_probabilities(ontology, seen, probabilities=start, sharing=CoinSharing(fixed=(DIAMOND[2],)))
    assert found.probabilities.stated == {0: Fraction(1, 4), 2: Fraction(1, 3)}
    assert set(found.standard_errors) == {DIAMOND[0]}


def test_tied_axioms_share_their_cases() -> None:
    ontology = ontology_from_axioms(DIAMOND[:2])
    seen = [
        ObservedCase({DIAMOND[0]: True, DIAMOND[1]: False}, 3),
        ObservedCase({DIAMOND[0]: False, DIAMOND[1]: False}),
    ]
    found = learn_probabilities(
        ontology, seen, probabilities=halves(ontology), sharing=CoinSharing(tied=((DIAMOND[0], DIAMOND[1]),))
    )
    assert set(found.probabilities.stated.values()) == {Fraction(3, 8)}


def learnt_flyers(sharing: CoinSharing) -> LearntProbabilities:
    """Learn from two birds, of which one flies, how likely it is that birds fly."""
    told: list[ax.Axiom] = [ax.ClassAssertion(A, X), ax.ClassAssertion(A, Y), ax.SubClassOf(A, B)]
    ontology = ontology_from_axioms(told)
    start = Probabilities(ontology, {2: Fraction(1, 2)})
    seen = [case({ax.ClassAssertion(B, X): True, ax.ClassAssertion(B, Y): False})]
    return learn_probabilities(ontology, seen, probabilities=start, sharing=sharing)


def test_a_coin_for_each_individual_lets_them_differ() -> None:
    found = learnt_flyers(CoinSharing(per_individual=("SubClassOf(A B)",)))
    assert found.probabilities.uncertain == {2: Fraction(1, 2)}
    assert found.log_likelihood == pytest.approx(math.log(1 / 4))
    with pytest.raises(MooseError, match="case 1: expected what some world entails, but in none"):
        learnt_flyers(CoinSharing())  # with one coin for all, either both fly or none


def test_what_was_not_looked_at_makes_no_difference() -> None:
    ontology = ontology_from_axioms(DIAMOND)
    seen = [
        case({ax.ClassAssertion(A, X): True}, 3),
        case({ax.ClassAssertion(A, X): False}),
        ObservedCase({}, 5),
    ]
    found = learn_probabilities(ontology, seen, probabilities=halves(ontology))
    assert found.probabilities.of(DIAMOND[0]) == Fraction(3, 4)
    assert found.probabilities.of(DIAMOND[4]) == Fraction(1, 2)
    assert found.standard_errors[DIAMOND[4]] == math.inf


def test_held_out_cases_are_weighed_and_not_learnt_from() -> None:
    ontology = ontology_from_axioms(DIAMOND[:1])
    seen = [ObservedCase({DIAMOND[0]: True}), ObservedCase({DIAMOND[0]: False})]
    found = learn_probabilities(
        ontology, seen, probabilities=halves(ontology), held_out=[ObservedCase({DIAMOND[0]: True}, 10)]
    )
    assert found.held_out == pytest.approx(10 * math.log(1 / 2))


def test_equal_patterns_are_compiled_once() -> None:
    ontology = ontology_from_axioms(DIAMOND)
    grouped = patterns(diamond_cases(1000, seed=2, share=1.0), Names(ontology))
    assert len(grouped) == 1
    assert sum(grouped[0].counts.values()) == 1000
    assert isinstance(grouped[0], ObservedPattern)


def test_learning_goes_on_where_it_stopped(tmp_path: Path) -> None:
    ontology = ontology_from_axioms(DIAMOND)
    cases = diamond_cases(300, seed=3, share=0.5)
    path, steps = tmp_path / "state.json", list[LearningStep]()
    whole = learn_probabilities(ontology, cases, probabilities=halves(ontology), learning=LearningOptions(steps=12))
    learn_probabilities(
        ontology, cases, probabilities=halves(ontology), learning=LearningOptions(steps=5, checkpoint=path)
    )
    rest = learn_probabilities(
        ontology,
        cases,
        probabilities=halves(ontology),
        learning=LearningOptions(steps=12, checkpoint=path, progress=steps.append),
    )
    assert rest.history == whole.history
    assert rest.probabilities.stated == whole.probabilities.stated
    assert [step.number for step in steps] == list(range(5, 13))
    with pytest.raises(MooseError, match="it is of others"):
        learn_probabilities(
            ontology, cases[1:], probabilities=halves(ontology), learning=LearningOptions(checkpoint=path)
        )
    path.write_text("{}")
    with pytest.raises(MooseError, match="something else"):
        learn_probabilities(ontology, cases, probabilities=halves(ontology), learning=LearningOptions(checkpoint=path))


def test_cases_are_read_from_both_formats(tmp_path: Path) -> None:
    table, listed = tmp_path / "cases.csv", tmp_path / "cases.json"
    table.write_text("ClassAssertion(A x),SubClassOf(A B),count\n1,0,2\n?,yes,1\n\nfalse,,3\n")
    rows = [
        {"observed": {"ClassAssertion(A x)": True, "SubClassOf(A B)": False}, "count": 2},
        {"observed": {"SubClassOf(A B)": True}},
        {"observed": {"ClassAssertion(A x)": False}, "count": 3},
    ]
    listed.write_text(json.dumps(rows))
    assert read_observed_cases(table) == read_observed_cases(listed)
    for word in ("NA", "NaN", "null"):
        table.write_text(f"ClassAssertion(A x),SubClassOf(A B),count\n1,0,2\n{word},yes,1\n\nfalse,{word},3\n")
        assert read_observed_cases(table) == read_observed_cases(listed)


def test_probabilities_are_learnt_from_phenopackets(tmp_path: Path) -> None:
    flu, fever, rash = owl.Class("urn:Flu"), owl.Class("urn:Fever"), owl.Class("urn:Rash")
    role = owl.ObjectProperty("urn:hasFinding")
    said = [ax.SubClassOf(flu, owl.ObjectSomeValuesFrom(role, one)) for one in (fever, rash)]
    ontology = ontology_from_axioms(said)
    packets = [
        {
            "id": f"patient {number}",
            "phenotypicFeatures": [
                {"type": {"id": "Fever"}, "excluded": number == 0},
                *([{"type": {"id": "Rash"}}] if number == 1 else []),
            ],
            "diseases": [{"term": {"id": "Flu"}}],
        }
        for number in range(4)
    ]
    path = tmp_path / "packets.json"
    path.write_text(json.dumps(packets))
    start = Probabilities(ontology, dict.fromkeys(range(2), Fraction(1, 2)))
    sharing = CoinSharing(priors={said[1]: Beta(2, 2)})
    learnt = learn_probabilities(ontology, read_observed_cases(path), probabilities=start, sharing=sharing)
    assert learnt.probabilities.of(said[0]) == Fraction(3, 4)
    assert learnt.probabilities.of(said[1]) == pytest.approx(Fraction(2, 3))  # once present, else not looked at
    path.write_text(json.dumps({**packets[0], "diseases": []}))
    with pytest.raises(MooseError, match="expected a Phenopacket with a disease"):
        read_observed_cases(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1\n", "cases:2: expected 2 cells"),
        ("a,a\n1,0\n", "cases:1: expected a header of goals"),
        ("a\nmaybe\n", "cases:2: expected 1, 0 or nothing for a, but got 'maybe'"),
        ("a,count\n1,x\n", "cases:2: expected a count such as 3"),
        ("a\n", "expected at least one case"),
        ('[{"observed": {"a": 1}}]', "expected True or False for a, but got 1"),
        ('[{"observed": {}, "count": 0}]', "expected a count of 1 or more"),
        ("[1]", "case 1: expected a list of cases"),
        ('{"observed": {}}', "put it in a list"),
        ("[", "the JSON is broken"),
    ],
)
def test_what_is_wrong_with_cases_is_said(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "cases"
    path.write_text(text)
    with pytest.raises(MooseError) as caught:
        read_observed_cases(path)
    assert message in str(caught.value)


def test_what_is_wrong_with_options_is_said() -> None:
    ontology = ontology_from_axioms([*DIAMOND, ax.SubClassOf(D, C)])
    start = Probabilities(ontology, dict.fromkeys(range(5), Fraction(1, 2)))
    seen = [ObservedCase({DIAMOND[0]: True})]

    def message(cases: Sequence[ObservedCase] = seen, **options: object) -> str:
        with pytest.raises(MooseError) as caught:
            learn_probabilities(ontology, cases, probabilities=start, **options)  # type: ignore[arg-type]
        return str(caught.value)

    assert "SubClassOf(D C) is certain" in message(sharing=CoinSharing(fixed=("SubClassOf(D C)",)))
    assert "one is in two" in message(sharing=CoinSharing(tied=((DIAMOND[0], DIAMOND[1]), (DIAMOND[1], DIAMOND[2]))))
    assert "a pair (α, β)" in message(sharing=CoinSharing(priors=Beta(0.5, 1)))
    assert "expected SubClassOf(C D)" in message(sharing=CoinSharing(per_individual=(DIAMOND[0],)))
    assert "all are certain or fixed" in message(sharing=CoinSharing(fixed=DIAMOND))
    assert "at least one case" in message([])
    assert message([ObservedCase({"SubClassOf(A Nowhere)": True})]).startswith("case 1: ")
    with pytest.raises(MooseError, match="expected the method em or gradient"):
        LearningOptions(method="guess")


def test_the_facade_has_it() -> None:
    assert moose.learn_probabilities is learn_probabilities
    assert moose.read_observed_cases is read_observed_cases
