"""Unknown options, refused by name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Optional, TypeVar, cast

from .errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C")


def nearest(name: str, known: Sequence[str]) -> Optional[str]:
    """The known name that someone may have meant: in another spelling, or up to two letters away."""
    # no known name is longer, and each letter is a call
    meant = _plain(name[:60])
    for edits in range(3):
        for each in known:
            if _is_within(edits, meant, _plain(each)):
                return each
    return None


def _is_within(edits: int, a: str, b: str) -> bool:
    """Whether one becomes the other when at most `edits` letters are added, removed or replaced."""
    if a[:1] == b[:1]:
        return a == b or _is_within(edits, a[1:], b[1:])
    return edits > 0 and any(
        _is_within(edits - 1, *pair) for pair in ((a[1:], b[1:]), (a[1:], b), (a, b[1:]))
    )


_API_OPTIONS = 'options of the API are the second argument, as in {"num_results": 2}'


def named(owner: str) -> Callable[[F], F]:
    """For a method that raises a UsageError for an unknown option, with the nearest known name."""

    def decorated(method: F) -> F:
        known = [name for name in inspect.signature(method).parameters if name != "self"]
        elsewhere = _API_OPTIONS if "options" in known else None

        @functools.wraps(method)
        def checked(*args: Any, **kwargs: Any) -> Any:
            refuse_unknown(f"{owner} has no option", kwargs, known, elsewhere)
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


def refuse_unknown(
    sentence: str, given: Iterable[str], known: Sequence[str], elsewhere: Optional[str] = None
) -> None:
    """Raises UsageError for names that are not known. `sentence` is the beginning of its message, and `elsewhere` says where
    other names belong."""
    unknown = [name for name in given if name not in known]
    if unknown:
        advice = [*_advice(unknown, known), *([elsewhere] if elsewhere else [])]
        raise UsageError(f"{sentence} {'; '.join(advice)}")


def _advice(unknown: Iterable[str], known: Sequence[str]) -> Iterable[str]:
    for name in unknown:
        near = nearest(name, known)
        words = f'"{near}"' if near else f"one of {', '.join(known)}"
        yield f'"{name}": write {words}'


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if "a" <= letter <= "z")
