"""The one table of methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.methods.base.method import Method

METHODS = {
    "moose": "moose.methods.ours.moose:Moose",
    "moose-cover": "moose.methods.ours.moose_cover:MooseCover",
    "moose-labels": "moose.methods.ours.moose_labels:MooseLabels",
    "moose-siblings": "moose.methods.ours.moose_siblings:MooseSiblings",
    "moose-honest": "moose.methods.ours.moose_honest:MooseHonest",
    "semantic-loss": "moose.methods.semantic_loss:SemanticLoss",
    "spl": "moose.methods.spl:Spl",
    "independent": "moose.methods.independent:Independent",
    "max-constraint": "moose.methods.maximum.max_constraint:MaxConstraint",
    "max-propagation": "moose.methods.maximum.max_propagation:MaxPropagation",
    "ensemble": "moose.methods.ensemble:Ensemble",
    "bears": "moose.methods.bears.bears:Bears",
    "nesydm-rloo": "moose.methods.nesydm.nesydm_rloo:NesydmRloo",
    "nesydm-exact": "moose.methods.nesydm.nesydm_exact:NesydmExact",
    "deepproblog": "moose.methods.deepproblog.deepproblog:Deepproblog",
    "ltn": "moose.methods.ltn.ltn:Ltn",
    "elembeddings": "moose.methods.elembeddings.elembeddings:Elembeddings",
    "deepgozero": "moose.methods.deepgozero.deepgozero:Deepgozero",
    "a-nesi": "moose.methods.anesi.anesi:Anesi",
    "ilr": "moose.methods.ilr.ilr:Ilr",
    "top-k": "moose.methods.top_k.top_k:TopK",
    "neurasp": "moose.methods.neurasp.neurasp:Neurasp",
    "df-el": "moose.methods.dfel.dfel:Dfel",
    "owl2vec": "moose.methods.owl2vec.owl2vec:Owl2vec",
    "embed2sym": "moose.methods.embed2sym.embed2sym:Embed2sym",
}
"""For each name the file and the class."""


def find_method(name: str) -> type[Method]:
    """Return the method of that name.

    >>> find_method("moose").name
    'moose'
    """
    if name not in METHODS:
        raise unknown_word("a method", name, tuple(METHODS))
    module, _, attribute = METHODS[name].partition(":")
    kind = getattr(import_module(module), attribute)
    assert isinstance(kind, type) and issubclass(kind, Method)
    return kind


def restore_method(name: str, options: Mapping[str, object]) -> Method:
    """Make a method from its `options`, which leave out what is as it was before there was a choice.

    >>> restore_method("moose", {"head": "softmax"})
    Moose(head='softmax', closure=True, objective='paper', open_weights='half')
    """
    return make_method(name, **{**find_method(name).before, **options})


def make_method(name: str, **options: object) -> Method:
    """Make a method with some of its options, checked.

    >>> make_method("moose", closure=False)
    Moose(head='sigmoid', closure=False, objective='auto', open_weights='learnt')
    """
    kind = find_method(name)
    known = tuple(field.name for field in fields(kind))
    for option in options:
        if option not in known:
            if not known:
                raise MooseError(f"the method {name} has no options, but got {option}")
            raise unknown_word(f"an option of {name}", option, known)
    return kind(**options)
