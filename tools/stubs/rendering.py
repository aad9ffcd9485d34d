"""The text of one stub: imports, aliases, values and functions of a namespace."""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import re
import sys
import textwrap
import types
from typing import Any

from gradtape.core.dtypes import DType
from tools.stubs.origins import COMMON, defining_module, is_class_of, origin
from tools.stubs.overloads import VARIABLES
from tools.stubs.parameters import type_of

_PLAIN = (bool, int, float, str, type(None))


class Stub:
    """A namespace that is being written: its public names and what they need."""

    def __init__(self, namespace: str, reserved: list[str]) -> None:
        self.package = "gradtape" + (f".{namespace}" if namespace else "")
        self._public: dict[str, str] = {}
        self._imports: set[str] = set()
        self._private: dict[tuple[str, str | None], str] = {}  # imported for annotations
        self._later: list[tuple[str, Any]] = []
        self._taken = set(reserved)
        self._templates: dict[str, str] = {}
        self._returned_by: dict[str, str] = {}
        self._variables: set[str] = set()

    # --- what a namespace has --------------------------------------------------------------------

    def add_namespace(self, name: str) -> None:
        self._import(self.package, name, name)

    def add_alias(self, name: str, home: str) -> None:
        """Add a function that is written out under another name."""
        path, _, last = f"gradtape.{home}".rpartition(".")
        if path == self.package:
            self._public[name] = f"{name} = {last}\n"
            self._taken.add(name)
        else:
            self._import(path, last, name)

    def add_written(self, name: str, template: str, function: Any) -> None:
        """Add a function whose types are written by hand, in `overloads.py`."""
        self._taken.add(name)
        self._later.append((name, function))
        self._templates[name] = template

    def add(self, name: str, value: Any, returned: str | None = None) -> None:
        """Add a class, which is imported, or a function or value, which is written out."""
        self._taken.add(name)
        if returned is not None:
            self._returned_by[name] = returned
        if isinstance(value, type) and (module := _definer(value)):
            self._import(module, value.__name__, name)
        elif isinstance(value, types.UnionType):
            self._import("gradtape.core.typing", name, name)
        else:
            self._later.append((name, value))

    def text(self, extra: str) -> str:
        """Return the file."""
        for name, value in self._later:
            self._public[name] = self._written(name, value)
        if "Any" in extra:
            self._named("Any", None)
        body = "".join(self._public[name] for name in sorted(self._public, key=_aliases_last(self)))
        imports = sorted(self._imports | {_import_line(*k, v) for k, v in self._private.items()})
        variables = [f"{name} = {VARIABLES[name]}" for name in sorted(self._variables)]
        parts = ["", *imports, "", *variables, extra.strip("\n"), "", body]
        return re.sub("\n\n\n+", "\n\n", "\n".join(parts)).rstrip("\n") + "\n"

    def _import(self, module: str, attribute: str, name: str) -> None:
        self._taken.add(name)
        if attribute == name:  # the form that exports a name from a stub
            self._imports.add(f"from {module} import {name} as {name}")
        else:
            self._imports.add(f"from {module} import {attribute} as _{attribute}")
            self._public[name] = f"{name} = _{attribute}\n"

    # --- definitions -----------------------------------------------------------------------------

    def _written(self, name: str, value: Any) -> str:
        if name in self._templates:
            return self._from_template(self._templates[name], value)
        if isinstance(value, (types.FunctionType, types.MethodType)):
            return self._function(name, value)
        if isinstance(value, type):  # made by a function: nothing static is known of it
            kind = self._named("Any", None)
            return (
                f"class {name}:\n{_docstring(value)}"
                f"    def __init__(self, **fields: {kind}) -> None: ...\n"
                f"    def __getattr__(self, name: {self._builtin('str')}) -> {kind}: ...\n\n"
            )
        if isinstance(value, tuple):
            return f"{name}: {self._builtin('tuple')}[{self._builtin('type')}, ...]\n"
        if isinstance(value, (DType, enum.Enum)):
            kind = type(value)
            return f"{name}: {self._annotation(kind.__name__, kind.__module__)}\n"
        if value is None:
            return f"{name}: None\n"
        return f"{name}: {self._builtin(type(value).__name__)}\n"

    def _function(self, name: str, function: Any) -> str:
        plain = inspect.unwrap(function)
        module = defining_module(plain)
        signature = inspect.signature(function)
        parts: list[str] = []
        previous = None
        for parameter in signature.parameters.values():
            if previous is not None and previous.kind == previous.POSITIONAL_ONLY != parameter.kind:
                parts.append("/")
            if parameter.kind == parameter.KEYWORD_ONLY and (
                previous is None
                or previous.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
            ):
                parts.append("*")
            parts.append(self._parameter(parameter, module))
            previous = parameter
        if name in self._returned_by:
            returns = self._annotation(self._returned_by[name], None)
        else:
            returns = self._returned(signature, plain, function)
        line = f"def {name}({', '.join(parts)}) -> {returns}:"
        if len(line) > 100:
            line = f"def {name}(\n" + "".join(f"    {p},\n" for p in parts) + f") -> {returns}:"
        docstring = _docstring(function)
        return f"{line}\n{docstring}\n" if docstring else f"{line} ...\n\n"

    def _from_template(self, template: str, function: Any) -> str:
        """Fill in a definition of `overloads.py`: `{options}` are all parameters but the first."""
        module = defining_module(inspect.unwrap(function))
        _, *options = inspect.signature(function).parameters.values()
        for name in sorted(set(re.findall(r"\b[A-Za-z_]\w*", template))):
            if name in VARIABLES:
                self._variables.add(name)
                self._named(VARIABLES[name].partition("(")[0], None)
            elif name in COMMON:
                self._named(name, None)
        return template.format(
            options=", ".join(self._parameter(each, module) for each in options),
            doc=_docstring(function),
        ).lstrip("\n")

    def _parameter(self, parameter: inspect.Parameter, module: str) -> str:
        if parameter.annotation in (parameter.empty, "Any"):
            kind = self._annotation(type_of(parameter), None)
        else:
            kind = self._annotation(_source(parameter.annotation), module)
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
        text = f"{stars.get(parameter.kind, '')}{parameter.name}: {kind}"
        if parameter.default is not parameter.empty:
            is_plain = type(parameter.default) in _PLAIN and parameter.default == parameter.default
            finite = is_plain and repr(parameter.default) not in ("inf", "-inf")
            text += f" = {parameter.default!r}" if finite else " = ..."
        return text

    def _returned(self, signature: inspect.Signature, plain: Any, function: Any) -> str:
        returned = signature.return_annotation
        if returned is signature.empty:
            return self._annotation("Any", None)
        text = _source(returned)
        is_context = inspect.isgeneratorfunction(plain) and not inspect.isgeneratorfunction(
            function
        )
        if is_context and text.startswith(("Generator[", "Iterator[")):
            yielded = text.partition("[")[2].removesuffix("]").split(",")[0]
            inner = self._annotation(yielded, defining_module(plain))
            return f"{self._named('AbstractContextManager', None)}[{inner}]"
        return self._annotation(text, defining_module(plain))

    # --- names in annotations --------------------------------------------------------------------

    def _annotation(self, text: str, module: str | None) -> str:
        """Return a type of the source as the stub has to write it, and import what it names."""
        tree = ast.parse(text, mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = self._named(node.id, module)
        return ast.unparse(tree)

    def _named(self, name: str, module: str | None) -> str:
        source = origin(name, module)
        if source is None:
            return self._builtin(name)
        public = f"from {source[0]} import {source[1]} as {name}"
        if public in self._imports:
            return name
        own = f"_{name}" if name in self._taken else name
        return self._private.setdefault(source, own)

    def _builtin(self, name: str) -> str:
        """Return the name of a builtin, which a public name (`tf.bool`) may hide."""
        if name not in self._taken or not hasattr(builtins, name):
            return name
        self._private["builtins", None] = "_builtins"
        return f"_builtins.{name}"


def _aliases_last(stub: Stub) -> Any:
    return lambda name: (stub._public[name].startswith(f"{name} = "), name)


def _import_line(module: str, attribute: str | None, name: str) -> str:
    if attribute is None:
        return f"import {module}" if module == name else f"import {module} as {name}"
    same = attribute == name
    return f"from {module} import {attribute}" + ("" if same else f" as {name}")


def _source(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _definer(value: type) -> str | None:
    """Return the module that has the statement of a class; None if it was made by a call."""
    name = value.__name__
    if value.__module__ == "numpy":
        return "numpy"
    claimed = [value.__module__] if value.__module__ != "gradtape" else sorted(sys.modules)
    for module in claimed:
        if not module.startswith("gradtape."):
            continue
        if vars(sys.modules[module]).get(name) is value and is_class_of(name, module):
            return module
    return None


def _docstring(value: Any) -> str:
    text = inspect.getdoc(value)
    if not text:
        return ""
    prefix = "r" if "\\" in text else ""
    quoted = text.replace('"""', "'''")
    end = '\n"""' if "\n" in quoted or quoted.endswith('"') else '"""'
    return textwrap.indent(f'{prefix}"""{quoted}{end}\n', "    ", lambda line: bool(line.strip()))
