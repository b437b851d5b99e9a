"""The one error that Moose raises for what a user can mend, and the few kinds a caller would treat apart."""

from __future__ import annotations


class MooseError(ValueError):
    r"""Something a user gave cannot be used: says what was expected, what came, where, and what to do.

    That is one line, also where what came has several.

    >>> print(MooseError("expected a name, but got 'a\nb'"))
    expected a name, but got 'a b'
    """

    def __str__(self) -> str:
        return " ".join(super().__str__().splitlines())


class MooseWarning(UserWarning):
    """Something that a user may want to change, and that changes no answer."""


TORCH = "2.13.0"
"""The one that is tested; to be installed first, as pip would choose another."""


def needs_torch(what: str) -> MooseError:
    """Say that PyTorch is missing, and how to get it.

    >>> print(needs_torch("learning").args[0].partition("; ")[0])
    learning needs PyTorch, which is not installed
    """
    get = f"run `pip install torch=={TORCH}`, then `pip install 'moose-el[learn]'`"
    return MooseError(f"{what} needs PyTorch, which is not installed; {get}")


class ParseError(MooseError):
    """A document is not written in the syntax it is read as."""


class MissingImport(MooseError):
    """An `owl:imports` names an ontology that no local folder or catalogue holds."""


class UnknownName(MooseError):
    """A name is not in the ontology's signature, or stands for several of its entities."""


class InconsistentOntology(MooseError):
    """The ontology has no model, so that everything follows from it."""


class ContradictoryEvidence(MooseError):
    """The evidence, together with the theory, has no model."""

    def __init__(
        self,
        message: str,
        *,
        literals: tuple[str, ...] = (),
        clauses: tuple[str, ...] = (),
        examples: tuple[int, ...] = (),
    ) -> None:
        super().__init__(message)
        self.literals = literals
        """The literals of a smallest clash: leave one out and the rest can hold together."""
        self.clauses = clauses
        """The clauses of the theory that they clash with."""
        self.examples = examples
        """Of many examples, which have such evidence, all of them; the clash is that of the first."""


class LimitReached(MooseError):
    """A limit on time or size, set by the caller, was reached before the work was done."""


class TimeIsOver(LimitReached):
    """The seconds that the caller allowed are over; who asked goes on with what is known by then."""


class TooManyInstances(LimitReached):
    """More rule instances were met than were allowed; who allowed them goes on with fewer axioms."""
