"""How measures, formats, models, tests and profiles make themselves known.

A registry is a dictionary that fills itself: the modules of one package (each new file is found, no list
to edit) and the entry points of one group (plug-ins from other distributions). Both are loaded the first
time anybody asks, so that starting inexlab costs nothing. Where only names are needed, as in the help of the
command line, `names_in` reads them from the source files, and nothing is loaded at all.

Errors name the plug-in that causes them: a function that a plug-in adds is wrapped, and any exception
that is not one of inexlab's own becomes a `PlugInError`.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import importlib
import importlib.util
import pkgutil
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from types import FrameType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from inexlab.errors import InexlabError, PlugInError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
Returned = type | tuple[type, ...]

_OURS = "inexlab"
_REMEDY = "report that to its authors, or uninstall it"
_loading: list[EntryPoint] = []  # the plug-in being loaded is the last one: whatever is added now is its own

_one_loads = threading.RLock()  # of all registries: what one loads may ask another


class Registry(Generic[T]):
    """Named things of one kind, found in `package` and among the entry points of group `package`.

    `returns` has the type that functions of an entry return, by the name of the field (empty for an entry
    that is a function): a plug-in that returns something else is named.
    """

    def __init__(self, kind: str, package: str, returns: Mapping[str, Returned] | None = None) -> None:
        self.kind, self.package, self.returns = kind, package, returns or {}
        self._entries: dict[str, T] = {}
        self._foreign: list[str] = []  # the names that other packages, or a user's script, added
        self._loaded = self._loading = False

    def add(self, name: str, entry: T) -> T:
        """Register `entry`; two different things with one name are a mistake in the program."""
        if name in self._entries:
            raise ValueError(f"two {self.kind}s are called {name!r}")
        self._entries[name] = entry
        if _module_being_run().partition(".")[0] != self.package.partition(".")[0]:
            self._foreign.append(name)
            if _loading:
                self._entries[name] = _guarded(entry, _loading[-1], self.returns)
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

    def __len__(self) -> int:
        self._load()
        return len(self._entries)

    def get(self, name: str) -> T | None:
        """Return what is registered under a name, or None."""
        self._load()
        return self._entries.get(name)

    def values(self) -> list[T]:
        """Return everything registered, in the order of registration; plug-ins come last."""
        self._load()
        return list(self._entries.values())

    def items(self) -> list[tuple[str, T]]:
        """Return everything registered, with its name."""
        self._load()
        return list(self._entries.items())

    def of_plug_ins(self) -> list[T]:
        """Return what other packages added, and scripts."""
        self._load()
        return [self._entries[name] for name in self._foreign]

    def _load(self) -> None:
        if self._loaded:
            return
        with _one_loads:  # a second thread waits, where the same one goes on with what there is
            self._load_once()

    def _load_once(self) -> None:
        if self._loaded or self._loading:
            return
        self._loading = True
        try:
            package = importlib.import_module(self.package)
            for module in pkgutil.iter_modules(getattr(package, "__path__", ())):
                importlib.import_module(f"{self.package}.{module.name}")
            for plug_in in _plug_ins(self.package):
                if plug_in.value.partition(".")[0] == _OURS:
                    plug_in.load()
                else:
                    self._load_plug_in(plug_in)
            # what was added before the first lookup comes last all the same
            self._entries |= {name: self._entries.pop(name) for name in self._foreign}
            self._loaded = True
        finally:
            self._loading = False

    def _load_plug_in(self, plug_in: EntryPoint) -> None:
        before, foreign = dict(self._entries), list(self._foreign)
        _loading.append(plug_in)
        try:
            plug_in.load()
        except Exception as error:  # whatever a plug-in may raise, it is named, not shown as ours
            self._entries, self._foreign = before, foreign  # so that the next attempt says the same
            raise PlugInError(
                f"{_named(plug_in)} cannot be loaded ({_what(error)}); repair or uninstall it."
            ) from error
        finally:
            _loading.pop()


def _module_being_run() -> str:
    """Return the name of the module whose own lines are being run: one that is imported, or a script."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return "" if frame is None else str(frame.f_globals.get("__name__", ""))


def _named(plug_in: EntryPoint) -> str:
    whose = plug_in.dist.name if plug_in.dist is not None else "an unknown distribution"
    return f"the plug-in {plug_in.value} of {whose}"


def _what(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return type(error).__name__ + (f": {text}" if text else "")


@contextlib.contextmanager
def _naming(plug_in: EntryPoint) -> Iterator[None]:
    """Turn any exception but inexlab's own into one that names the plug-in and the place in it."""
    try:
        yield
    except InexlabError:
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        module = plug_in.module.partition(".")[0]
        inside = [f for f in frames if module in Path(f.filename).with_suffix("").parts] or frames
        place = f"{Path(inside[-1].filename).name}, line {inside[-1].lineno}"
        raise PlugInError(f"{_named(plug_in)} failed ({_what(error)}; {place}); {_REMEDY}.") from error


def _guarded(entry: T, plug_in: EntryPoint, returns: Mapping[str, Returned]) -> T:
    """Return what a plug-in adds, or a function of it returns, with functions and iterators guarded."""
    if dataclasses.is_dataclass(entry) and not isinstance(entry, type):
        values = {f.name: getattr(entry, f.name) for f in dataclasses.fields(entry)}
        guarded = {name: _guarded_one(value, plug_in, returns.get(name)) for name, value in values.items()}
        changed = {name: value for name, value in guarded.items() if value is not values[name]}
        return dataclasses.replace(entry, **changed) if changed else entry
    one: T = _guarded_one(entry, plug_in, returns.get(""))
    return one


def _guarded_one(value: Any, plug_in: EntryPoint, returned: Returned | None) -> Any:
    if isinstance(value, FunctionType | MethodType | functools.partial):
        ours = (getattr(value, "__module__", "") or "").partition(".")[0] == _OURS
        return value if ours else _guarded_function(value, plug_in, returned)
    return _guarded_iterator(value, plug_in) if isinstance(value, Iterator) else value


def _guarded_function(function: Any, plug_in: EntryPoint, returned: Returned | None) -> Any:
    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        with _naming(plug_in):
            result = _guarded(function(*arguments, **options), plug_in, {})
        if returned is not None and not isinstance(result, returned):
            types = returned if isinstance(returned, tuple) else (returned,)
            expected = " or ".join(one.__name__ for one in types)
            raise PlugInError(
                f"{_named(plug_in)} returned {type(result).__name__} where {expected} is expected "
                f"(function {function.__name__}); {_REMEDY}."
            )
        return result

    return call


def _guarded_iterator(iterator: Iterator[T], plug_in: EntryPoint) -> Iterator[T]:
    while True:
        with _naming(plug_in):
            try:
                item = next(iterator)
            except StopIteration:
                return
        yield item


def _plug_ins(group: str) -> list[EntryPoint]:
    """Return what installed packages add to a group."""
    path = tuple(sys.path)
    changed = tuple(_changed(place) for place in path)
    declared = _declared(path, changed)
    if declared is not None and group.encode() not in declared:
        return []
    return _all_plug_ins(path, changed).get(group, [])


@functools.lru_cache(maxsize=1)
def _declared(path: tuple[str, ...], _changed: tuple[int, ...]) -> bytes | None:
    """Return what installed packages say of their entry points; None where not all of it is in plain files.

    To understand it takes longer than a small search does, and few packages have anything for us.
    """
    if any(finder is not PathFinder and hasattr(finder, "find_distributions") for finder in sys.meta_path):
        return None
    found = []
    for place in path:
        folder = Path(place)
        try:
            if folder.suffix == ".egg" or folder.is_file():  # an archive
                return None
            for info in folder.iterdir():
                if info.suffix in (".dist-info", ".egg-info"):
                    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                        found.append((info / "entry_points.txt").read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            return None
    return b"\n".join(found)


@functools.lru_cache(maxsize=1)
def _all_plug_ins(_path: tuple[str, ...], _changed: tuple[int, ...]) -> dict[str, list[EntryPoint]]:
    """Return the entry points by group; all packages are looked at once, not once for each group."""
    from importlib.metadata import entry_points

    points = entry_points()
    return {group: list(points.select(group=group)) for group in points.groups}


def _changed(place: str) -> int:
    """Return when something was installed in a folder, or removed; 0 where there is none."""
    try:
        return Path(place).stat().st_mtime_ns
    except OSError:
        return 0


def names_in(package: str, *adders: str, except_by: tuple[str, ...] = ()) -> list[str]:
    """Return the names that modules of a package and plug-ins of that group register; nothing is imported.

    `adders` are the functions that register, such as `model` or `run_formats.add`; a name is the string they
    are called with. A plug-in whose source does not tell is known by the name of its entry point, unless it
    registers something else in the same group, by a function of `except_by`.
    """
    found = {name: None for file in _sources(package) for name in _registered(file, adders)}
    for plug_in in _plug_ins(package):
        if plug_in.value.partition(".")[0] != _OURS:
            file = _source_of(plug_in.module)
            names = _registered(file, adders)
            found |= dict.fromkeys(names or ([] if _registered(file, except_by) else [plug_in.name]))
    return list(found)


def _sources(package: str) -> list[Path]:
    """Return the files of a package, or of a module that holds all there is."""
    file = _source_of(package)
    if file is None:
        return []
    return sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]


def _source_of(module: str) -> Path | None:
    """Return the file of a module without importing it, or what it is in."""
    top, *below = module.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    for part in below:
        places = spec.submodule_search_locations if spec is not None else None
        spec = PathFinder.find_spec(part, places) if places else None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def _folder_of(package: str) -> Any:
    """Return the folder of a package; one that is on disk is not imported."""
    file = _source_of(package)
    if file is not None:
        return file.parent
    from importlib.resources import files

    return files(package)


def _registered(file: Path | None, adders: tuple[str, ...]) -> list[str]:
    """Return the names that a module registers, as its source says."""
    try:
        tree = ast.parse(file.read_bytes()) if file is not None else ast.Module([], [])
    except (OSError, ValueError, SyntaxError):
        return []
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    names = [
        (call.lineno, call.args[0].value)
        for call in calls
        if isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
        and f".{ast.unparse(call.func)}".endswith(tuple(f".{adder}" for adder in adders))
    ]
    return [name for _, name in sorted(names)]


def data_files(package: str, folder: str, ending: str = ".toml") -> dict[str, Any]:
    """Return the data files of a folder in a package by name, and those of plug-ins.

    A plug-in names its package in an entry point of the group `package.folder`: `mine = "mypackage"` is the
    file `mine.toml` in `mypackage`.
    """
    found = {
        file.name.removesuffix(ending): file
        for file in sorted((_folder_of(package) / folder).iterdir(), key=lambda file: file.name)
        if file.name.endswith(ending)
    }
    for plug_in in _plug_ins(f"{package}.{folder}"):
        try:
            file = _folder_of(plug_in.module) / f"{plug_in.name}{ending}"
            if not file.is_file():
                raise FileNotFoundError(f"it has no {plug_in.name}{ending}")
        except Exception as error:
            raise PlugInError(
                f"{_named(plug_in)} cannot be loaded ({_what(error)}); repair or uninstall it."
            ) from error
        if plug_in.name in found:
            raise PlugInError(
                f"{_named(plug_in)} cannot be loaded (there is {plug_in.name}{ending} already); uninstall it."
            )
        found[plug_in.name] = file
    return found
