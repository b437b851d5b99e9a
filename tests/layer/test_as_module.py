"""The layer behaves as torch users expect of a module, and says what is wrong with what it is given."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from moose.base.errors import TORCH, MooseError, UnknownName
from moose.grounding.clauses import clauses_from_lists
from moose.layer.layer import WMCLayer
from tests.layer.examples import atoms, layers, mnist, pair_layers, random_log_weights

EXECUTORS = ["fused", "torch", "auto"]


@cache
def layer_of(executor: str) -> WMCLayer:
    return WMCLayer(mnist("mnist2"), executor=executor)  # type: ignore[arg-type]


def batch(rows: int = 4, *, seed: int = 0) -> Tensor:
    return random_log_weights(rows, len(layer_of("auto").circuit.atoms), seed=seed)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_state_pickle_and_copy(executor: str) -> None:
    layer, weights = layer_of(executor), batch()
    expected = layer(weights)
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(twin(weights), expected)
    file = io.BytesIO()
    torch.save(layer.state_dict(), file)
    file.seek(0)
    layer.load_state_dict(torch.load(file, weights_only=True))
    assert torch.equal(layer(weights), expected)


def test_the_state_of_another_circuit_is_refused() -> None:
    one, other = pair_layers([(1, 2)], 2)[0], pair_layers([(1, -2)], 2)[0]
    with pytest.raises(MooseError, match="another circuit"):
        nn.Sequential(one).load_state_dict(nn.Sequential(other).state_dict())


@pytest.mark.parametrize("executor", EXECUTORS)
def test_moves_between_types_and_devices(executor: str) -> None:
    layer, weights = copy.deepcopy(layer_of(executor)), batch()
    expected = layer(weights)
    assert torch.equal(layer.half().double().to("cpu")(weights), expected)
    assert layer(weights.float()).dtype == torch.float32
    assert layer(weights.bfloat16()).dtype == torch.float32
    torch.testing.assert_close(layer(weights.float()), expected.float())


def test_another_device_takes_the_torch_operations() -> None:
    layer = copy.deepcopy(layer_of("auto")).to("meta")
    weights = batch().to("meta").requires_grad_()
    logs = layer(weights)
    assert logs.shape == (4,) and logs.device.type == "meta"
    assert layer.posteriors(weights).shape == (4, 30)
    assert layer.literal_weights(torch.zeros(4, 20, device="meta")).shape == (4, 60)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_shapes(executor: str) -> None:
    layer, weights = layer_of(executor), batch(6)
    expected, posteriors = layer(weights), layer.posteriors(weights)
    assert layer(weights[:0]).shape == (0,) and layer.posteriors(weights[:0]).shape == (0, 30)
    torch.testing.assert_close(layer(weights[:1]), expected[:1])
    torch.testing.assert_close(layer(weights[0]), expected[0])
    torch.testing.assert_close(layer(weights.reshape(2, 3, -1)), expected.reshape(2, 3))
    torch.testing.assert_close(layer.posteriors(weights.reshape(2, 3, -1)), posteriors.reshape(2, 3, -1))
    torch.testing.assert_close(layer(weights.T.contiguous().T), expected)
    torch.testing.assert_close(layer(weights[::2]), expected[::2])
    shared = layer.evidence([{"Even(a)": True}])
    torch.testing.assert_close(layer(weights, shared), layer(weights, shared.expand(6, -1)))
    torch.testing.assert_close(layer(weights, shared[0]), layer(weights, shared))
    assert layer(weights[0], layer.evidence([{"Even(a)": True}, {}])).shape == (2,)
    large = batch(200, seed=3)  # several tiles
    torch.testing.assert_close(torch.cat([layer(part) for part in large.split(7)]), layer(large))
    torch.testing.assert_close(
        torch.cat([layer.posteriors(part) for part in large.split(70)]), layer.posteriors(large), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("executor", EXECUTORS)
def test_gradient_modes(executor: str) -> None:
    layer, weights = layer_of(executor), batch()
    expected = layer(weights)
    with torch.inference_mode():
        torch.testing.assert_close(layer(weights.clone()), expected)
        layer.posteriors(weights.clone())
    leaf = weights.clone().requires_grad_()
    with torch.no_grad():
        assert not layer(leaf).requires_grad
    part = torch.zeros(4, 1, dtype=torch.float64, requires_grad=True)  # only some columns need a gradient
    joined = torch.cat([part, weights[:, 1:]], 1)
    layer(joined).sum().backward()
    layer(leaf).sum().backward()
    assert part.grad is not None and leaf.grad is not None and part.grad.shape == (4, 1)
    frozen = nn.Parameter(weights, requires_grad=False)
    assert not layer(frozen).requires_grad


def test_auto_is_fused_where_it_can_be() -> None:
    leaf = batch()
    for executor, runs_on_cpu, runs_elsewhere in (("auto", "fused", "levels"), ("torch", "levels", "levels")):
        layer = layer_of(executor)
        assert layer._runner(leaf) is getattr(layer, runs_on_cpu)
        assert layer._runner(leaf.to("meta")) is getattr(layer, runs_elsewhere)
    assert torch.func.vmap(lambda one: torch.tensor(layer_of("auto")._runner(one) is None))(leaf).all()


def test_threads_share_a_layer() -> None:
    layer = layer_of("fused")
    inputs = [batch(50, seed=seed) for seed in range(16)]
    expected = [layer(one) for one in inputs]
    with ThreadPoolExecutor(4) as pool:
        for got, want in zip(pool.map(layer, inputs), expected):
            assert torch.equal(got, want)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # torch's own forward mode uses it
def test_functional_transforms() -> None:
    layer, weights = layer_of("auto"), batch()
    mask = layer.evidence([{"Even(a)": True}, {}, {"Odd(b)": False}, {}])
    expected, posteriors = layer(weights, mask), layer.posteriors(weights, mask)
    torch.testing.assert_close(torch.vmap(layer)(weights, mask), expected)
    torch.testing.assert_close(torch.vmap(layer.posteriors)(weights, mask), posteriors)
    slopes = torch.vmap(torch.func.grad(layer))(weights, mask)
    torch.testing.assert_close(slopes[:, :30], posteriors, rtol=0, atol=1e-12)
    tangent = torch.func.jvp(layer, (weights,), (torch.ones_like(weights),))[1]
    torch.testing.assert_close(tangent, torch.full((4,), 30.0, dtype=torch.float64))  # one literal of each atom holds
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(weights, torch.ones_like(weights))
        torch.testing.assert_close(torch.autograd.forward_ad.unpack_dual(layer(dual)).tangent, tangent)
    with pytest.raises(MooseError, match="fused executor needs plain tensors"):
        torch.vmap(layer_of("fused"))(weights)


def test_torch_compile() -> None:
    layer, *_ = pair_layers([(1, 2), (-1, 3)], 3)
    layer.executor = "auto"
    compiled = torch.compile(layer, backend="aot_eager", fullgraph=True)
    leaf = random_log_weights(4, 3, seed=0).requires_grad_()
    logs = compiled(leaf)
    torch.testing.assert_close(logs, layer(leaf))
    torch.testing.assert_close(
        torch.autograd.grad(logs.sum(), leaf)[0], torch.autograd.grad(layer(leaf).sum(), leaf)[0]
    )


def test_a_compiled_layer_is_few_operators_whatever_the_circuit() -> None:
    sizes = []

    def remember(graph: torch.fx.GraphModule, _: object) -> Callable[..., object]:
        sizes.append(len(graph.graph.nodes))
        return graph.forward

    layer, weights = layer_of("auto"), batch()
    mask = layer.evidence([{"Even(a)": True}, {}, {"Odd(b)": False}, {}])
    torch.compile(layer, backend=remember, fullgraph=True)(weights, mask)
    assert max(sizes) < 20


def test_compiled_posteriors_have_derivatives() -> None:
    layer, weights = layer_of("fused"), batch().requires_grad_()
    compiled = torch.compile(layer.posteriors, backend="aot_eager", fullgraph=True)
    found, wanted = compiled(weights), layer.posteriors(weights)
    torch.testing.assert_close(found, wanted)
    slope = torch.arange(float(wanted.numel()), dtype=wanted.dtype).view_as(wanted)
    torch.testing.assert_close(*(torch.autograd.grad(one, weights, slope)[0] for one in (found, wanted)))


def test_transforms_can_be_compiled() -> None:
    layer, weights = layer_of("auto"), batch()
    slopes = torch.compile(torch.func.grad(lambda one: layer(one).sum()), backend="aot_eager")(weights)
    torch.testing.assert_close(slopes[:, :30], layer.posteriors(weights), rtol=0, atol=1e-12)


def test_importing_the_layer_does_not_import_torchs_compiler() -> None:
    script = "import sys, moose.layer.layer; sys.exit('torch._dynamo' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_unusable_input_is_refused_in_one_sentence() -> None:
    layer, weights = layer_of("auto"), batch()
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: layer(weights[:, :30]), "expected 60 columns"),
        (lambda: layer(weights.long()), "expected weights as float32 or float64"),
        (lambda: layer(weights, torch.zeros(4, 29, dtype=torch.int8)), "column for each of the 30 atoms"),
        (lambda: layer(weights, torch.zeros(4, 30)), "expected evidence as int8"),
        (lambda: layer(weights, torch.zeros(3, 30, dtype=torch.int8)), "as many examples"),
        (lambda: layer.from_probabilities(torch.full((1, 30), 1.5)), "between 0 and 1"),
        (lambda: layer.literal_weights(weights), "20 latent atoms"),
        (lambda: layer.literal_weights(weights[:, :20], scale="odds"), "logits or log_probabilities"),  # type: ignore[arg-type]
        (lambda: layer.evidence({"Even(a)": True}), "put brackets"),  # type: ignore[arg-type]
        (lambda: WMCLayer(layer.circuit, executor="gpu"), "auto, fused, torch"),  # type: ignore[arg-type]
    ]
    for call, words in cases:
        with pytest.raises(MooseError, match=words):
            call()
    with pytest.raises(UnknownName, match="Evn"):
        layer.evidence([{"Evn(a)": True}])


def test_given_literals_that_contradict_each_other_are_refused() -> None:
    clauses = replace(clauses_from_lists(atoms(1), []), given=(1, -1))
    with pytest.raises(MooseError, match="both A0"):
        layers(clauses)


def test_not_a_number_is_not_hidden() -> None:
    for executor in ("fused", "torch"):
        weights = batch()
        weights[1, 3] = torch.nan
        logs = layer_of(executor)(weights)
        assert logs.isnan().tolist() == [False, True, False, False]


def test_without_torch_the_import_says_what_to_install() -> None:
    code = (
        "import sys, importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'torch' else find(name, *rest)\n"
        "try:\n    import moose.layer\nexcept Exception as error:\n    print(type(error).__name__, error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("MooseError the layer needs PyTorch") and "moose-el[learn]" in run.stdout
    first = f"pip install torch=={TORCH}"
    assert 0 < run.stdout.index(first) < run.stdout.index("moose-el[learn]")
    assert first in (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
