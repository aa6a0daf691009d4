"""How measures, formats, models, tests and profiles make themselves known.

A registry is a dictionary that fills itself: the modules of one package (each new file is found, no list
to edit) and the entry points of one group (plug-ins from other distributions). Both are loaded the first
time anybody asks, so that starting inexlab costs nothing.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from inexlab.errors import UnknownNameError, UsageError

T = TypeVar("T")


class Registry(Generic[T]):
    """Named things of one kind, found in `package` and among the entry points of group `package`."""

    def __init__(self, kind: str, package: str) -> None:
        self.kind, self.package = kind, package
        self._entries: dict[str, T] = {}
        self._loaded = self._loading = False

    def add(self, name: str, entry: T) -> T:
        """Register `entry`; two different things with one name are a mistake in the program."""
        if name in self._entries:
            raise ValueError(f"two {self.kind}s are called {name!r}")
        self._entries[name] = entry
        return entry

    def __getitem__(self, name: str) -> T:
        self._load()
        if name not in self._entries:
            raise UnknownNameError(self.kind, name, self._entries)
        return self._entries[name]

    def __contains__(self, name: object) -> bool:
        self._load()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        self._load()
        return iter(self._entries)

    def values(self) -> list[T]:
        """Return everything registered, in the order of registration."""
        self._load()
        return list(self._entries.values())

    def _load(self) -> None:
        if self._loaded or self._loading:
            return
        self._loading = True
        try:
            package = importlib.import_module(self.package)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self.package}.{module.name}")
            for plug_in in entry_points(group=self.package):
                try:
                    plug_in.load()
                except Exception as error:  # whatever a plug-in may raise, it is named, not shown as ours
                    whose = plug_in.dist.name if plug_in.dist is not None else "an unknown distribution"
                    raise UsageError(
                        f"the plug-in {plug_in.value} of {whose} cannot be loaded "
                        f"({type(error).__name__}: {error}); mend or uninstall it."
                    ) from error
            self._loaded = True
        finally:
            self._loading = False
