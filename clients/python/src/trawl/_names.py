"""Unknown options, refused by name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Optional, TypeVar, cast

from .errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C")


def nearest(name: str, known: Sequence[str]) -> Optional[str]:
    """The known name that someone may have meant."""
    spelt = {_plain(each): each for each in known}
    close = get_close_matches(_plain(name[:60]), spelt, n=1, cutoff=0.7)
    return spelt[close[0]] if close else None


def named(owner: str) -> Callable[[F], F]:
    """For a method that raises a UsageError for an unknown option, with the nearest known name."""

    def decorated(method: F) -> F:
        known = [name for name in inspect.signature(method).parameters if name != "self"]

        @functools.wraps(method)
        def checked(*args: Any, **kwargs: Any) -> Any:
            refuse_unknown(f"{owner} has no option", kwargs, known)
            return method(*args, **kwargs)

        return cast(F, checked)

    return decorated


def checks_names(client: type[C]) -> type[C]:
    """The public methods of a class, each with `named`."""
    for name, member in list(vars(client).items()):
        if inspect.isfunction(member) and (name == "__init__" or not name.startswith("_")):
            owner = client.__name__ if name == "__init__" else name
            setattr(client, name, named(f"{owner}()")(member))
    return client


def refuse_unknown(sentence: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raises UsageError for names that are not known. `sentence` is the beginning of its message."""
    unknown = [name for name in given if name not in known]
    if unknown:
        raise UsageError(f"{sentence} {'; '.join(_advice(unknown, known))}")


def _advice(unknown: Iterable[str], known: Sequence[str]) -> Iterable[str]:
    for name in unknown:
        near = nearest(name, known)
        words = f'"{near}"' if near else f"one of {', '.join(known)}"
        yield f'"{name}": write {words}'


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalpha())
