"""What the layer is measured beside: KLay, the recursion node by node, and max-propagation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import klay
import torch
from pysdd.sdd import SddManager, SddNode, Vtree
from torch import Tensor

from moose.circuit.circuit import Circuit
from moose.circuit.diagram import Diagram
from moose.grounding.clauses import Clauses

Function = Callable[[Tensor], Tensor]
Decisions = Sequence[tuple[int, Sequence[tuple[int, int]]]]


def balanced_sdd(clauses: Clauses) -> SddNode:
    """Compile the clauses by PySDD alone, as the other sides would."""
    manager = SddManager.from_vtree(Vtree(var_count=len(clauses.atoms), vtree_type="balanced"))
    theory = manager.true()
    for clause in clauses:
        disjunction = manager.false()
        for literal in clause:
            disjunction = disjunction | manager.literal(literal)
        theory = theory & disjunction
    return theory


def klay_of_sdd(theory: SddNode) -> klay.Circuit:
    """Return KLay's reading of an SDD."""
    built = klay.Circuit()
    built.add_sdd(theory)
    return built


def klay_of_diagram(diagram: Diagram) -> klay.Circuit:
    """Return one of our circuits as KLay's nodes; it has no products by true and no sums of one part."""
    built = klay.Circuit()
    atoms = range(1, diagram.atom_count + 1)
    nodes = [*(built.literal_node(atom) for atom in atoms), *(built.literal_node(-atom) for atom in atoms)]
    nodes += [built.true_node(), built.false_node()]
    for start, stop in zip(diagram.starts[:-1].tolist(), diagram.starts[1:].tolist()):
        products = []
        for prime, sub in zip(diagram.primes[start:stop].tolist(), diagram.subs[start:stop].tolist()):
            factors = [nodes[slot] for slot in (prime, sub) if slot != diagram.true]
            products.append(factors[0] if len(factors) == 1 else built.and_node(factors))
        nodes.append(products[0] if len(products) == 1 else built.or_node(products))
    built.set_root(nodes[diagram.root])
    built.remove_unused_nodes()
    return built


def klay_functions(built: klay.Circuit, atoms: int, *, modes: Sequence[bool]) -> dict[str, Function]:
    """Return KLay in both semirings, with and without torch.compile, which is what it does by default."""
    torch._dynamo.reset()  # or the modules of an earlier circuit would use up the limit on recompilations
    functions = dict[str, Function]()
    for is_compiled in modes:
        for semiring in ("log", "real"):
            module = built.to_torch_module(semiring=semiring, compile=is_compiled)
            label = f"klay, {semiring}" + (", compiled" if is_compiled else "")
            functions[label] = klay_function(module, semiring, atoms)
    return functions


def klay_function(module: Function, semiring: str, atoms: int) -> Function:
    """Return a function from log weights to log WMC; batches go in as matrices, which is fastest."""
    call: Callable[..., Tensor] = module
    if semiring == "log":
        return lambda weights: call(weights[:, :atoms], weights[:, atoms:])[:, 0]

    def real(weights: Tensor) -> Tensor:
        probabilities = weights.exp()
        return call(probabilities[:, :atoms], probabilities[:, atoms:])[:, 0].log()

    return real


def node_functions(theory: SddNode) -> dict[str, Function]:
    """Return the plainest evaluations, torch operations for every node of the SDD by itself.

    `per node` is the paper's recursion (eq:sdd-wmc) as it stands: 0 and 1 at the constants, p and 1 - p at literals,
    the sum over all elements of prime times sub at decisions. `per node, trimmed` leaves out what is false, as we do.
    """
    nodes = list[SddNode]()
    visit(theory, set(), nodes)
    false = next(node.id for node in nodes if node.is_false())
    whole = [(node.id, [(prime.id, sub.id) for prime, sub in node.elements()]) for node in nodes if node.is_decision()]
    trimmed = [(slot, [pair for pair in elements if false not in pair]) for slot, elements in whole]
    leaves = {node.id: node.literal for node in nodes if node.is_literal()}
    true = {node.id for node in nodes if node.is_true()}
    return {
        "per node": lambda weights: count_nodes(whole, leaves, {false}, true, weights),
        "per node, trimmed": lambda weights: count_nodes(trimmed, leaves, {false}, true, weights),
    }


def visit(node: SddNode, seen: set[int], nodes: list[SddNode]) -> None:
    """List the nodes below a node and itself, those it needs before it."""
    if node.id not in seen:
        seen.add(node.id)
        for element in node.elements() if node.is_decision() else ():
            for child in element:
                visit(child, seen, nodes)
        nodes.append(node)


def count_nodes(
    decisions: Decisions, literals: Mapping[int, int], false: set[int], true: set[int], weights: Tensor
) -> Tensor:
    """Evaluate node after node, in real numbers."""
    columns = weights.exp().unbind(1)
    atoms = len(columns) // 2
    values = {node: columns[k - 1 if k > 0 else atoms - k - 1] for node, k in literals.items()}
    values |= {node: torch.zeros(len(weights)) for node in false} | {node: torch.ones(len(weights)) for node in true}
    for node, elements in decisions:
        first, *others = elements
        total = values[first[0]] * values[first[1]]
        for prime, sub in others:
            total = total + values[prime] * values[sub]
        values[node] = total
    return values[decisions[-1][0]].log()


def propagation_functions(circuit: Circuit, pairs: Sequence[tuple[str, str]]) -> dict[str, Function]:
    """Return max-propagation over a hierarchy: the mean of log maxima, so that all classes have a derivative."""
    names = [local_name(atom.predicate) for atom in circuit.atoms]
    place = {name: position for position, name in enumerate(names)}
    below = torch.eye(len(names))
    direct: dict[int, list[int]] = {position: [] for position in range(len(names))}
    for low, high in pairs:
        direct[place[local_name(high)]].append(place[local_name(low)])

    def descendants(position: int, seen: set[int]) -> set[int]:
        for one in direct[position]:
            if one not in seen:
                seen.add(one)
                descendants(one, seen)
        return seen

    for position in range(len(names)):
        below[position, list(descendants(position, set()))] = 1.0
    ancestors, descendant = below.nonzero(as_tuple=True)

    def dense(weights: Tensor) -> Tensor:
        probabilities = weights[:, : len(names)].exp()
        spread = probabilities.unsqueeze(1).expand(-1, len(names), -1) * below
        return spread.max(2).values.log().mean(1)

    def by_pairs(weights: Tensor) -> Tensor:
        probabilities = weights[:, : len(names)].exp().T
        picked = probabilities.index_select(0, descendant)
        index = ancestors.unsqueeze(1).expand_as(picked)
        highest = torch.zeros_like(probabilities).scatter_reduce(0, index, picked, "amax")
        return highest.T.log().mean(1)

    return {"max-propagation": dense, "max-propagation, pairs": by_pairs}


def local_name(iri: str) -> str:
    """Return what stands after the last slash."""
    return iri.rsplit("/", 1)[-1]
