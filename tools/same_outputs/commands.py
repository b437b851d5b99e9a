"""The commands that are run, and those that are timed.

One line is one command; a case is some lines that run one after the other in one folder. `IN/` is the inputs' folder,
STORE the committed results, `*.json` all such files that are there by then. A case of which an input is missing is
left out, and that is said. `@task:mnist1` and the like are spelt by the first alternative below of which every option
stands in the command's help; so an older and a newer command line both fit.
"""

from __future__ import annotations

SPELLINGS: dict[str, tuple[str, ...]] = {
    "task": ("--regime {0}", "{0}"),
    "sheet": ("{0} --regime {1}", "{1} --data {0}", "{0} {1}"),  # of `data show`: a data set, a task
}

# Each command in an interpreter of its own: one of each kind, and all that loads torch.
FRESH: dict[str, str] = {
    "version": "--version",
    "fresh": """
        classify IN/pizzeria.ofn --closure
        classify IN/pizzeria.ofn --json --certificate taxonomy.json -o taxonomy.tsv
        check IN/pizzeria.ofn
        explain IN/pizzeria.ofn "SubClassOf(Diavola SpicyDish)" --certificate why.json
        verify taxonomy.json why.json --ontology IN/pizzeria.ofn
        realise IN/pizzeria.ofn
        query IN/clinic.ofn "ClassAssertion(LymePatient anna)" --given consistent --json
        encode IN/clinic.ofn "ClassAssertion(LymePatient anna)" -o lyme.cnf
        ask @task:mnist2 --evidence "Even(a)" --json
        compile @task:mnist2 -o mnist2.circuit --json
        shortcuts @task:mnist2 --json
    """,
    "data": """
        data list --json
        data show digits -o digits.png
        data show @sheet:digits:mnist2 --count 6 --seed 4 -o pairs.png
        data show @sheet:pizzas:pizzaA --count 4 --size 32 --split held_out -o pizzas.png
    """,
    "train-kept": """
        train @task:mnist1 --data digits --count 96 --epochs 2 --size 16 --seed 1 --threads 1 -o model
        evaluate model --json
        evaluate model --seed 2 --test-count 40 --pictures pictures
        predict model IN/grey.pgm IN/bar.pgm --evidence "Even(a), Prime(a)"
        predict model IN/bar.pgm --json
        shortcuts --model model --json --picture followed.png
    """,
    "train-mnist2": "train @task:mnist2 --data digits --count 64 --epochs 1 --size 16 --threads 1 --cover 3 --json",
    "train-mnist3": "train @task:mnist3 --data digits --count 64 --epochs 1 --size 8 --threads 1 --head sigmoid --json",
    "train-pizzaB": "train @task:pizzaB --data pizzas --count 64 --epochs 1 --size 16 --threads 1 --batch-norm --json",
    "bench": """
        bench list --json
        bench report STORE -o report.html --tables tables
        bench run circuits --regimes pizzaC --jobs 1 --store store
        bench list circuits --store store
    """,
}
METHODS = """moose moose-cover moose-honest semantic-loss independent ensemble bears nesydm-rloo nesydm-exact
    deepproblog ltn elembeddings""".split()
METHOD_OPTIONS = {"ensemble": " --option members=2", "bears": " --option members=2"}
for _name in METHODS:
    FRESH[f"method-{_name}"] = (
        "train @task:mnist1 --data digits --count 64 --epochs 1 --size 16 --seed 3 --threads 1 --json"
        f" --method {_name}{METHOD_OPTIONS.get(_name, '')}"
    )
FRESH["method-bears"] += " -o model\nevaluate model --json --test-count 20"

# The rest in processes forked off one that has Moose loaded, which takes a tenth of the time; with --fresh as above.
FORKED: dict[str, str] = {
    "pizzeria-explain": """
        explain IN/pizzeria.ofn "SubClassOf('spicy dish' Food)"
        explain IN/pizzeria.ofn "SubClassOf(Pizza ObjectSomeValuesFrom(contains Gluten))" --json
        explain IN/pizzeria.ofn "SubClassOf(Diavola SpicyDish)" --format svg -o why.svg
        explain IN/pizzeria.ofn "SubClassOf(Diavola SpicyDish)" --format dot
        explain IN/pizzeria.ofn "SubClassOf(VeganSalami owl:Nothing)" --json --certificate vegan.json
        explain IN/pizzeria.ofn "EquivalentClasses(OvenDish Pizza)" --json --certificate oven.json
        explain IN/pizzeria.ofn "EquivalentClasses(Pizza Pizza)"
        explain IN/pizzeria.ofn "DisjointClasses(Anchovy Tomato)" --json
        explain IN/pizzeria.ofn "ClassAssertion(HouseDish tonightsSpecial)" --json --certificate house.json
        explain IN/pizzeria.ofn "ObjectPropertyAssertion(knows gina gina)" --json
        explain IN/pizzeria.ofn "SubClassOf(Diavola DataSomeValuesFrom(hasNumber <http://www.w3.org/2001/XMLSchema#integer>))"
        explain IN/pizzeria.ofn "SubClassOf(Allergen Anchovy)" --json --certificate not.json
        explain IN/pizzeria.ofn "SubClassOf(Margherita DariyDish)"
        explain IN/pizzeria.ofn "SubClassOf(Margherita"
        explain IN/pizzeria.ofn --inconsistency
        explain IN/clinic.ofn --inconsistency --json --certificate clinic.json
        verify vegan.json oven.json house.json not.json clinic.json
        verify vegan.json house.json not.json --ontology IN/pizzeria.ofn --json
        verify IN/weights.json
    """,
    "pizzeria-query": """
        query IN/pizzeria.ofn "SubClassOf(Diavola SpicyDish)" consistent --probabilities IN/pizzeria.tsv
        query IN/pizzeria.ofn "unsatisfiable VeganSalami" --probabilities IN/pizzeria.tsv --json
        query IN/pizzeria.ofn "SubClassOf(Diavola SpicyDish)" --probabilities IN/pizzeria.tsv --json --limit 60s
        query IN/pizzeria.ofn "ClassAssertion(SpicyDish tonightsSpecial)" --probabilities IN/pizzeria.tsv --json
        encode IN/pizzeria.ofn "SubClassOf(Diavola SpicyDish)" --probabilities IN/pizzeria.tsv
        encode IN/pizzeria.ofn "SubClassOf(Diavola SpicyDish)" --probabilities IN/pizzeria.tsv --format problog
        encode IN/pizzeria.ofn "SubClassOf(Diavola SpicyDish)" --probabilities IN/pizzeria.tsv --groundable-heads --json
    """,
    "clinic": """
        query IN/clinic.ofn "ClassAssertion(LymePatient anna)" "unsatisfiable LymeDisease" consistent
        query IN/clinic.ofn "ClassAssertion(ObjectSomeValuesFrom(shows JointPain) anna)" --given consistent --json
        query IN/clinic.ofn "ClassAssertion(NeedsAntibiotic anna)" --justifications 0 --given consistent
        query IN/clinic.ofn "ClassAssertion(LymePatient anna)" --probabilities IN/clinic.tsv
        query IN/clinic.ofn "ClassAssertion(LymePatient anna)" --probabilities IN/clinic.tsv --without-annotations
        encode IN/clinic.ofn "unsatisfiable LymeDisease"
        encode IN/clinic.ofn "ClassAssertion(LymePatient anna)" --format problog -o lyme.pl --json
        classify IN/clinic.ofn
    """,
    "syntaxes": """
        classify IN/small.obo --closure
        check IN/small.obo --json
        classify IN/small.omn --closure
        check IN/small.omn --json
        classify IN/small.owx --closure
        check IN/small.owx --json
        classify IN/family.rdf --closure
        check IN/family.rdf --json
        realise IN/family.ttl --roles
        check IN/family.ttl --json
        check IN/chain.nt --json
        query IN/small.obo "SubClassOf(EX:1 EX:3)" --json
        explain IN/small.omn "SubClassOf(Cat Animal)" --json --certificate cat.json
        verify cat.json --ontology IN/small.owx
    """,
    "imports": """
        check IN/importing.ofn --json
        check IN/importing.ofn --json --ignore-missing-imports
        classify IN/importing.ofn --catalogue IN/catalogue.xml
        realise IN/importing.ofn --catalogue IN/catalogue.xml --json
    """,
    "mistakes": """
        classify IN/absent.ofn
        classify IN/weights.json
        classify IN/broken.ofn
        check IN/outside.ofn
        check IN/outside.ofn --strict --json
        classify IN/outside.ofn --json
        classify IN/pizzeria.ofn --format xml
        query IN/clinic.ofn nonsense
        compile IN/pizzeria.ofn
        shortcuts @task:mnist7
        train @task:mnist1 --data digits --method nothing
        bench report IN/absent
    """,
    "ask": """
        ask @task:mnist1 --evidence "Even(a), not Prime(a)"
        ask @task:mnist1 --evidence "Even(a), Odd(a)" --json
        ask @task:mnist3 --evidence "Prime(a), D8(a)"
        ask @task:mnist3 --evidence "Prime(a), Prime(c)" --encoding paper --json
        ask @task:pizzaB --evidence "SpicyPizza(a)" --no-closure --json
        ask IN/digits.toml --evidence "Even(a)" --weights IN/weights.json
        ask IN/digits.toml --evidence "D8(a)" --observed-only
        ask IN/clash.toml
        ask @task:pizzaA --vtree linear --json
    """,
    "compile": """
        compile IN/digits.toml --encoding paper -o digits.circuit --svg digits.svg
        compile IN/clash.toml --json
        compile IN/stones.toml --svg - --vtree balanced
        compile @task:mnist1 --encoding paper --vtree balanced --json --certificate paper.json
        compile @task:mnist3 --no-pin-roles --json -o free.circuit
        compile @task:pizzaA --no-closure --json --certificate pizzaA.json
        compile @task:mnist2 --size-limit 5
        verify paper.json pizzaA.json --json
    """,
    "shortcuts": """
        shortcuts @task:mnist1 --list 4 --symmetries --sample 3 --json
        shortcuts @task:mnist1 --literals positive --picture maps.png
        shortcuts @task:mnist1 --advise
        shortcuts @task:mnist3 --shown Even,Odd --list 2 --injective
        shortcuts @task:pizzaC --ablate --json
        shortcuts @task:pizzaB --shown NonVegetarianPizza,VegetarianPizza --reads apart --json
        shortcuts @task:mnist2 --no-closure --most 1 --own-encoders --json
        shortcuts IN/stones.toml --advise --ablate --json
    """,
    "pizza": """
        classify IN/pizza.ofn.gz
        classify IN/pizza.ofn.gz --format ofn
        classify IN/pizza.ofn.gz --json --certificate taxonomy.json
        check IN/pizza.ofn.gz --json
        realise IN/pizza.ofn.gz --json
        explain IN/pizza.ofn.gz "SubClassOf(AmericanHot CheeseyPizza)" --json --certificate hot.json
        explain IN/pizza.ofn.gz "SubClassOf(Veneziana RealItalianPizza)" --format svg
        explain IN/pizza.ofn.gz "SubClassOf(CheeseyVegetableTopping owl:Nothing)"
        explain IN/pizza.ofn.gz "SubClassOf(Pizza American)" --json --certificate not.json
        verify hot.json not.json --ontology IN/pizza.ofn.gz
        verify taxonomy.json
    """,
    "pato": """
        classify IN/pato.ofn.gz
        classify IN/pato.ofn.gz --closure -o closure.tsv --json
        classify IN/pato.ofn.gz --format ofn
        check IN/pato.ofn.gz
        explain IN/pato.ofn.gz "SubClassOf(PATO_0000004 PATO_0001241)" --json
        explain IN/pato.ofn.gz "SubClassOf(PATO_0103006 PATO_0000001)" --format dot
        query IN/pato.ofn.gz "SubClassOf(PATO_0103006 PATO_0000001)" --json
    """,
    "not-galen": """
        classify IN/not-galen.owl.gz
        check IN/not-galen.owl.gz --json
    """,
    "go": """
        classify IN/go.ofn.gz -o direct.tsv --json
        classify IN/go.ofn.gz --closure
        explain IN/go.ofn.gz "SubClassOf(GO_0000001 GO_0008150)" --json --certificate why.json
        explain IN/go.ofn.gz "SubClassOf(GO_0000022 ObjectSomeValuesFrom(BFO_0000050 GO_0000278))" --format svg
    """,
}
for _name in "clinic mnist pizzaiolo pizzaiolo_kinds pizzaiolo_spicy pizzeria".split():
    FORKED[f"ontology-{_name}"] = f"""
        classify IN/{_name}.ofn
        classify IN/{_name}.ofn --closure
        classify IN/{_name}.ofn --format ofn
        classify IN/{_name}.ofn --json --certificate taxonomy.json
        verify taxonomy.json --ontology IN/{_name}.ofn
        check IN/{_name}.ofn --json
        realise IN/{_name}.ofn --json
        realise IN/{_name}.ofn --roles
    """
for _name in "mnist1 mnist2 mnist3 pizzaA pizzaB pizzaC".split():
    FORKED[f"task-{_name}"] = f"""
        compile @task:{_name}
        compile IN/{_name}.toml --json -o out.circuit --certificate circuit.json
        compile @task:{_name} --encoding paper --vtree balanced --json
        verify circuit.json
        ask @task:{_name}
        shortcuts @task:{_name}
        shortcuts @task:{_name} --json
        shortcuts IN/{_name}.toml --json
    """

# Of every golden file; the goals are of its expected answers, the probabilities of its axioms.
GOLDEN = """
    classify {file} --closure
    classify {file} --format ofn
    classify {file} --json -o direct.tsv --certificate taxonomy.json
    check {file} --json
"""
GOLDEN_INDIVIDUALS = """
    realise {file}
    realise {file} --roles --json
"""
GOLDEN_INCONSISTENT = """
    explain {file} --inconsistency --json --certificate clash.json
    query {file} consistent --probabilities {weights} --json
    encode {file} consistent --probabilities {weights} --format problog
"""
GOLDEN_FIRST_GOAL = """
    explain {file} '{goal}'
    explain {file} '{goal}' --format svg
    query {file} '{goal}' --probabilities {weights} --json
    encode {file} '{goal}' --probabilities {weights}
    encode {file} '{goal}' --probabilities {weights} --format problog
"""
GOLDEN_GOAL = """
    explain {file} '{goal}' --json --certificate goal{number}.json
"""
GOLDEN_LAST = """
    verify *.json --ontology {file} --json
"""

# What the process does that others are forked off, so that it has loaded what most of them need.
WARMING = """
    classify IN/stones.ofn --certificate warm.json
    explain IN/stones.ofn "SubClassOf(Topaz Hard)" --certificate warm.json
    verify warm.json
    realise IN/stones.ofn
    query IN/clinic.ofn consistent
    encode IN/clinic.ofn consistent --format problog
    compile IN/stones.toml
    shortcuts IN/stones.toml
"""

# What `time` measures. The first two say what starting costs.
TIMED: dict[str, str] = {
    "classify go": "classify IN/go.ofn.gz -o go.tsv",
    "query clinic": 'query IN/clinic.ofn "ClassAssertion(LymePatient anna)" --given consistent',
    "train mnist1": "train @task:mnist1 --data digits --count 32 --epochs 1 --size 8 --threads 1 --json",
    "shortcuts mnist2": "shortcuts @task:mnist2",
}
