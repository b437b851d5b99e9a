"""How a function becomes a command: options that stand together in a value, and help that is printed in groups.

Help is drawn by typer without rich, as loading that would take longer than all else together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, get_type_hints

import typer
from typer._click.exceptions import UsageError
from typer.core import TyperCommand, TyperGroup
from typer.models import ParameterInfo

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter


USUAL_LENGTH = 10
"""Of the names of commands; a longer one leaves less of a line to its group alone."""


class GroupedHelp(TyperGroup):
    """A command of commands whose help lists them under titles, one line each."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002  # as its base takes it
        """Write the commands, those of one title together."""
        groups: dict[str, list[tuple[str, TyperCommand | TyperGroup]]] = {}
        for name, command in self.commands.items():
            assert isinstance(command, TyperCommand | TyperGroup)
            groups.setdefault(command.rich_help_panel or "Commands", []).append((name, command))
        usual = max((len(name) for name in self.commands if len(name) <= USUAL_LENGTH), default=0)
        for title, members in groups.items():
            widest = max(usual, *(len(name) for name, _ in members))
            with formatter.section(title):
                # Padded, so that the lines stand below each other in all groups but those with a long name.
                formatter.write_dl(
                    [
                        (name.ljust(widest), command.get_short_help_str(formatter.width - 6 - widest))
                        for name, command in members
                    ]
                )


class CommandOnData(TyperCommand):
    """A command that says how a table is given to it, where one stands among its arguments."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse as usual, and explain what is left over."""
        tables = [word for word in args if Path(word).suffix.lower() in TABLES]  # before they are parsed: none is left
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            takes_one = any("--table" in parameter.opts for parameter in self.params)
            if takes_one and tables and error.message.startswith("Got unexpected extra argument"):
                error.message += f"; a table is given by --table {tables[-1]}"
            raise


TABLES = (".csv", ".tsv", ".parquet", ".pq")
"""Endings of tables' names."""

Commands = Mapping[str, Callable[..., None] | typer.Typer]
"""Functions, and groups of further commands, by the names of the commands."""


def command_group(description: str, titled: Mapping[str, Commands], *, epilog: str | None = None) -> typer.Typer:
    """Return a command that has commands, under the titles that its help has for them."""
    group = typer.Typer(
        cls=GroupedHelp,
        help=description,
        epilog=epilog,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for title, commands in titled.items():
        for name, command in commands.items():
            if isinstance(command, typer.Typer):
                group.add_typer(command, name=name, rich_help_panel=title)
            else:
                group.command(name, rich_help_panel=title, cls=CommandOnData)(spread(command))
    return group


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Return a function that takes the fields of a value one by one, in the place of a parameter that is a dataclass.

    Typer reads the options of a command off its parameters; so options that several commands take together are
    written once, as the fields of a frozen dataclass, and each command takes the value.
    """
    parameters = signature(command, eval_str=True).parameters
    values = {
        name: one.annotation
        for name, one in parameters.items()
        if isinstance(one.annotation, type) and is_dataclass(one.annotation)
    }

    def run(**arguments: object) -> None:
        for name, kind in values.items():
            arguments[name] = kind(**{field.name: arguments.pop(field.name) for field in fields(kind)})
        command(**arguments)

    flat = [
        option
        for name, parameter in parameters.items()
        for option in (options_of(values[name]) if name in values else [parameter])
    ]
    for option in flat:
        for noted in getattr(option.annotation, "__metadata__", ()):
            if isinstance(noted, ParameterInfo):
                noted.readable = False  # who reads the file says in one line why it cannot be read
    by_keyword = [option.replace(kind=Parameter.KEYWORD_ONLY) for option in flat]
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = Signature(by_keyword)  # type: ignore[attr-defined]  # where `inspect` and so typer look first
    run.__annotations__ = {option.name: option.annotation for option in flat}
    return run


def options_of(kind: type) -> list[Parameter]:
    """Return the fields of a dataclass as parameters."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(kind)
    ]
