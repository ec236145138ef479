"""The frameworks that are optional."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(package: str, minimum: str, *, module: str, extra: str) -> Iterator[None]:
    """For the imports of a framework: one that is missing or too old is an error that names the extra to install. An error of
    what the framework itself imports stays as it is."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").split(".")[0] != module:
            raise
        raise ImportError(
            f"trawl.{extra} needs {package} {minimum} or newer: pip install 'trawl-client[{extra}]'",
            name=error.name,
        ) from error
