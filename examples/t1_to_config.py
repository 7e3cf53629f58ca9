#!/usr/bin/env python3
"""T1, in which Kernel Tuner and KTT describe tuning problems, as a config.

  t1_to_config.py PROBLEM.json >CONFIG.toml
Needs the Python package of benchctl. Source: the JSON schema of KTT's TuningLoader, and Kernel Tuner's benchmark suite,
whose files say `Constraints` for `Conditions` and give parameters a `Default`. Python's parser reads expressions; nothing
of a file is run."""
from __future__ import annotations

import ast
import itertools
import json
import math
import operator
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

_HERE = Path(__file__).resolve().parent
sys.path += map(str, (_HERE / "../python", _HERE / "../../../lib/python3/dist-packages"))  # beside it: in the tree, in a bundle
from benchctl import toml  # noqa: E402

MOST_VALUES = 100_000
"""Values that the lists of a file make, and combinations of a sweep."""
_TYPES = {"half": "f16", "bool": "u8", "float": "f32", "double": "f64", **{f"{kind}int{bits}": f"{kind or 'i'}{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)}}
_KINDS: dict[Any, str] = {str: "a string", list: "a list", dict: "an object"}
_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {  # the plus signs refuse words and lists
    ast.Add: lambda a, b: a + b if isinstance(a, list) else +a + +b, ast.Sub: operator.sub, ast.Mult: lambda a, b: +a * +b,
    ast.Mod: lambda a, b: +a % +b, ast.FloorDiv: operator.floordiv,
    ast.Div: lambda a, b: a // b if isinstance(a // b, int) and a // b == a / b else a / b,
    ast.Pow: lambda a, b: a**b if abs((1.0 * a)**b) <= 2**53 else math.inf,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}
_FUNCTIONS: dict[str, Callable[..., Any]] = {"min": min, "max": max, "ceil_div": lambda a, b: -(-a // b), "range": range, "list": list}
_OURS = (ast.BoolOp, ast.boolop, ast.BinOp, ast.operator, ast.UnaryOp, ast.USub, ast.Not, ast.Compare, ast.cmpop, ast.Call, ast.List,
         ast.Name, ast.Load, ast.Constant)
_OUR_FUNCTIONS = ("min", "max", "ceil_div", "sqrt", "log2", "is_pow2", "bit_ceil", "sizeof", "ctype")


class T1Error(ValueError):
    """A file that is not T1, or asks for what benchctl does not have. The text says where, and what."""


def read(path: str | Path) -> tuple[dict[str, Any], list[str]]:
    """The config of a T1 file, for run() and toml.dumps(), and a sentence for each thing that it leaves out.

    Files are named as seen from the working directory. Raises T1Error and OSError.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"),
                              object_pairs_hook=lambda pairs: {key: value for key, value in pairs if value is not None})
        problem = _Problem(os.path.relpath(Path(path).parent))
        return problem.config(document), problem.left_out
    except T1Error as error:
        raise T1Error(f"{path}: {error}") from None
    except RecursionError:
        raise T1Error(f"{path}: nested too deeply") from None
    except ValueError as error:
        raise T1Error(f"{path}: this is not a JSON document: {error}") from None


def text(config: dict[str, Any], left_out: list[str]) -> str:
    """What read() gives, as the text of a TOML file. Comments say what is left out and what is compared with what."""
    (workload,) = config["workload"].values()
    truth = ("The truth is in its reference files." if "files" in workload["check"] else
             "It does not say what is right: every configuration is compared with that of the default parameters.")
    lines = [f"Made from a T1 file. {truth}", *(f"Left out: {visible(sentence)}" for sentence in left_out)]
    return "".join(f"# {line}\n" for line in lines) + "\n" + toml.dumps(config)


def visible(text: str) -> str:
    """On one line."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def refuse(place: str, why: str) -> NoReturn:
    raise T1Error(f"{place}: {visible(why)}")


def name_of(value: Any, place: str) -> str:
    return str(value) if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", str(value)) else refuse(place, f"'{value}' is not a name of letters, digits and '_'")


def choice(value: Any, place: str, *known: str) -> str:
    return str(value) if value in known else refuse(place, f"'{value}' is not supported, only {', '.join(known)}")


def strings(values: list[Any], place: str) -> list[str]:
    return values if all(isinstance(value, str) for value in values) else refuse(place, "is not a list of strings")


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class _Python:
    """A text in Python: a list, a number or a condition. `made` counts the values of lists."""

    def __init__(self, words: str, place: str, made: itertools.count[int]) -> None:
        self.words, self.place, self.made = words.strip(), place, made
        if len(words) > 2 * MOST_VALUES:
            refuse(place, f"has more than {2 * MOST_VALUES} characters")
        try:
            self.tree = ast.parse(self.words, mode="eval").body
        except SyntaxError as error:
            self.fail(error.offset or len(self.words) + 1, error.msg)
        except (ValueError, MemoryError) as error:
            self.fail(1, str(error) or "nested too deeply")

    def fail(self, at: ast.AST | int, why: str) -> NoReturn:
        column = at if isinstance(at, int) else getattr(at, "col_offset", 0) + 1
        refuse(self.place, f"\"{self.words[:1000]}\", column {column}: {why}; Python beyond our own expressions is not evaluated")

    def ours(self, parameters: Mapping[str, Any]) -> str:
        """The expression in our own language."""
        functions = {node.func for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        for node in ast.walk(self.tree):
            if node in functions and ast.unparse(node) not in _OUR_FUNCTIONS:
                self.fail(node, f"unknown function '{ast.unparse(node)}'")
            if not isinstance(node, _OURS) or isinstance(node, ast.Constant) and type(node.value) not in (int, float, str):
                self.fail(node, f"'{ast.unparse(node)}' is not one of our expressions")
            if isinstance(node, ast.Name) and node not in functions and node.id not in parameters:
                self.fail(node, f"mentions '{node.id}', which is not a tuning parameter")
        return ast.unparse(self.tree)

    def value(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        """What a part gives, with the values of names and of calls such as `max(NAME)`."""
        try:
            result = self._given(node, names)
            for _ in range(0 if isinstance(result, str) or not hasattr(result, "__len__") else len(result)):
                if next(self.made) >= MOST_VALUES:
                    self.fail(node, "the lists of this file have too many values")
        except T1Error:
            raise
        except (ArithmeticError, TypeError, ValueError) as error:
            self.fail(node, "the result is beyond 2^53" if isinstance(error, OverflowError) else str(error))
        if isinstance(result, complex) or isinstance(result, (int, float)) and not abs(result) <= 2**53:
            self.fail(node, "the result is beyond 2^53, or not a real number")
        return result

    def _given(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        def value(inner: ast.expr) -> Any:
            return self.value(inner, names)

        match node:
            case ast.Constant(value=int() | float() | str()):
                return node.value
            case ast.Name() | ast.Call() if ast.unparse(node) in names:
                return names[ast.unparse(node)]
            case ast.Name():
                self.fail(node, f"'{node.id}' has no value here")
            case ast.List() | ast.Tuple():
                return [value(one) for one in node.elts]
            case ast.ListComp(generators=[ast.comprehension(target=ast.Name(id=name)) as source]):
                places = [{**names, name: one} for one in value(source.iter)]
                return [self.value(node.elt, place) for place in places if all(self.value(condition, place) for condition in source.ifs)]
            case ast.BinOp() if type(node.op) in _OPERATORS:
                return _OPERATORS[type(node.op)](value(node.left), value(node.right))
            case ast.UnaryOp(op=ast.USub()):
                return -value(node.operand)
            case ast.BoolOp():
                return (all if isinstance(node.op, ast.And) else any)(value(one) for one in node.values)
            case ast.Compare() if all(type(kind) in _OPERATORS for kind in node.ops):
                values = [value(one) for one in (node.left, *node.comparators)]
                return all(_OPERATORS[type(kind)](*pair) for kind, pair in zip(node.ops, zip(values, values[1:])))
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _FUNCTIONS:
                return _FUNCTIONS[name](*map(value, node.args))
            case ast.Call():
                self.fail(node, f"unknown function '{ast.unparse(node.func)}'")
        self.fail(node, f"'{ast.unparse(node)}' is not one of our expressions")


class _Problem:
    """A document, read in the order in which its parts refer to each other."""

    def __init__(self, folder: str) -> None:
        self.left_out: list[str] = []
        self.folder = folder
        self.parameters: dict[str, list[Any]] = {}
        self.sizes: list[str] = []
        self.made = itertools.count()

    def config(self, document: Any) -> dict[str, Any]:
        parts = self.fields(document, "the document", ConfigurationSpace=dict, KernelSpecification=dict, General=None)
        space = self.fields(parts["ConfigurationSpace"], "ConfigurationSpace", TuningParameters=list, Conditions=[], Constraints=[])
        kernel = self.fields(parts["KernelSpecification"], "KernelSpecification", Language=str, KernelName=str, KernelFile=str, Arguments=list,
                             KernelTypeNames=[], ProblemSize=None, GlobalSizeType="", GlobalSize=None, LocalSize=None, GridDivX=None, GridDivY=None,
                             GridDivZ=None, SharedMemory="", CompilerOptions=[], ReferenceArguments=[], BenchmarkName=None)
        starts = dict(self.parameter(entry) for entry in space["TuningParameters"] or refuse("TuningParameters", "is empty"))
        size = kernel["ProblemSize"]
        self.sizes = (list(map(str, self.values(size, "ProblemSize"))) if isinstance(size, str) and size.startswith("[") else
                      [self.expression(one, "ProblemSize") for one in listed(size or [])])
        where = [self.expression(self.fields(entry, key, Expression=str, Parameters=None)["Expression"] if isinstance(entry, dict) else entry,
                                 f"an expression in {key}") for key in ("Conditions", "Constraints") for entry in space[key]]
        name = name_of(kernel["KernelName"], "KernelName")
        language = choice(kernel["Language"], "Language", "CUDA", "OpenCL")
        common = {"workload": f"{name}_t1"}
        workload, arguments = self.arguments(kernel, name, language)
        return {
            "experiment": {"name": name},
            **({"search": {"strategy": "hill_climb"}} if math.prod(map(len, self.parameters.values())) > MOST_VALUES else {}),
            "workload": {f"{name}_t1": workload},
            "kernel": [{"name": name, **common, "backend": language.lower(), "source": self.path(kernel["KernelFile"]), **arguments,
                        **self.launch(kernel, name, language), **self.options(kernel["CompilerOptions"]), "tunables": starts}],
            "sweep": [{**common, "variants": [name], "backends": [language.lower()], "where": where, "parameters": self.parameters}]}

    def fields(self, entry: Any, place: str, **known: Any) -> dict[str, Any]:
        """The members of an object, those that it lacks with their defaults; a type stands for what it must have."""
        if not isinstance(entry, dict):
            refuse(place, "is not an object")
        for key, default in known.items():
            value, kind = entry.get(key, default), default if isinstance(default, type) else type(default)
            if value is kind:
                refuse(place, f"has no '{key}'")
            if kind in _KINDS and not isinstance(value, kind):
                refuse(f"{place}, {key}", f"is not {_KINDS[kind]}")
        self.left_out += [f"'{key}' of {place} was not converted" for key in entry if key not in known]
        return known | entry

    def path(self, file: str) -> str:
        return os.path.normpath(os.path.join(self.folder, file))

    def in_full(self, given: Any, place: str) -> str:
        """With the problem's sizes in their places."""
        return re.sub(r"ProblemSize\[(\d{1,3})\]", lambda found: f"({self.sizes[int(found[1])]})" if int(found[1]) < len(self.sizes) else found[0],
                      given if isinstance(given, str) else refuse(place, "is not a string"))

    def expression(self, given: Any, place: str) -> str:
        """In our language."""
        return str(self.number(given, place)) if type(given) in (int, float) else _Python(self.in_full(given, place), place, self.made).ours(self.parameters)

    def number(self, given: Any, place: str) -> Any:
        """What an expression gives. It may name parameters that have one value, and take the min and the max of others."""
        if isinstance(given, str):
            names: dict[str, Any] = {}
            for name, values in self.parameters.items():
                names |= {name: values[0]} if len(values) == 1 else {}
                names |= {} if any(isinstance(value, str) for value in values) else {f"min({name})": min(values), f"max({name})": max(values)}
            text = _Python(self.in_full(given, place), place, self.made)
            given = text.value(text.tree, names)
        if type(given) not in (int, float) or not abs(given) < 2**63:
            refuse(place, f"'{given}' is not a number below 2^63")
        return int(given) if given == math.trunc(given) else given

    def values(self, given: Any, place: str) -> list[Any]:
        """A list, or a text with one."""
        if isinstance(given, str):
            text = _Python(given, place, self.made)
            given = text.value(text.tree, {})
        if not isinstance(given, (list, range)):
            refuse(place, "expected a list of values, range(…) or [… for … in …]")
        for value in given:
            if not isinstance(value, (int, float, str)) or not isinstance(value, str) and not abs(value) < 2**63:
                refuse(place, f"{value} is neither a word nor a number below 2^63")
        return list(given) or refuse(place, "is empty")

    def parameter(self, entry: Any) -> tuple[str, Any]:
        """Its name and its default."""
        entry = self.fields(entry, "a parameter", Name=str, Values=object, Default=None, Type=None)
        name, start = name_of(entry["Name"], "Name in TuningParameters"), entry["Default"]
        if name in self.parameters:
            refuse("TuningParameters", f"has {name} twice")
        values = {(isinstance(value, bool), value): value for value in self.values(entry["Values"], f"Values of parameter {name}")}
        self.parameters[name] = list(values.values())
        place = f"Default of parameter {name}"
        if isinstance(start, list) or isinstance(start, str) and start.startswith("["):
            start = self.values(start, place)[0]
        return name, self.parameters[name][0] if start is None else start if start in self.parameters[name] else self.number(start, place)

    def launch(self, kernel: dict[str, Any], name: str, language: str) -> dict[str, Any]:
        """Entry, block and grid. GlobalSize counts threads in OpenCL and blocks in CUDA; or, as in Kernel Tuner, the grid is the
        problem's sizes over the divisors, rounded up."""
        types = strings(kernel["KernelTypeNames"], "KernelTypeNames")
        if types and language != "CUDA":
            refuse("KernelTypeNames", "only kernels in CUDA can be templates")
        kind = choice(kernel["GlobalSizeType"] or language, "GlobalSizeType", "CUDA", "OpenCL")
        usual = [f"block_size_{axis}" if f"block_size_{axis}" in self.parameters else "1" for axis in "xyz"]
        given = {key: self.fields(kernel[key] or {}, key, X=1, Y=1, Z=1) for key in ("LocalSize", "GlobalSize")}
        block, sizes = ([self.expression(of_axis[axis], f"{key} {axis}") for axis in "XYZ"] for key, of_axis in given.items())
        block = usual if kernel["LocalSize"] is None else block
        by = [[self.expression(one, f"GridDiv{axis}") for one in listed(kernel[f"GridDiv{axis}"] or [])] for axis in "XYZ"]
        has_sizes = kernel["GlobalSize"] is not None
        divides = not has_sizes or any(by)
        if not has_sizes and not self.sizes:
            refuse("KernelSpecification", "has neither 'GlobalSize' nor 'ProblemSize'")
        if divides and self.sizes:
            self.left_out += ["'GlobalSize' was not converted: 'ProblemSize' and 'GridDiv' say how many blocks"] if has_sizes else []
            sizes = [*self.sizes, "1", "1"]
        divisors = block if kind == "OpenCL" else ["1"] * 3
        if divides:
            divisors = [" * ".join(f"({one})" for one in all_by) if len(all_by) > 1 else (all_by or [one])[0] for all_by, one in zip(by, usual)]
        grid = [size if divisor == "1" or divides and size == "1" else f"ceil_div({size}, {divisor})" for size, divisor in zip(sizes, divisors)]
        shared = {"shared_bytes": self.expression(kernel["SharedMemory"], "SharedMemory")} if kernel["SharedMemory"] else {}
        return {"entry": f"{name}<{', '.join(types)}>" if types else name, "block": block, "grid": grid, **shared}

    def options(self, given: list[Any]) -> dict[str, Any]:
        """`-D` becomes a definition, as parameters do."""
        words, defines = [], {}
        for option in " ".join(strings(given, "CompilerOptions")).split():
            found = re.fullmatch(r"-D([A-Za-z_][A-Za-z0-9_]*)(?:=([A-Za-z0-9_.+-]+))?", option)
            if "{" in option:
                refuse("CompilerOptions", f"'{option}' has braces, in which our options have expressions")
            if found:
                defines[found[1]] = (found[2] or "1") if (found[2] or "1")[0].isdigit() else f"'{found[2]}'"
            elif option.startswith("-D"):
                refuse("CompilerOptions", f"'{option}' is not NAME=VALUE with a number or a word")
            elif option.startswith("-I") or "arch" in option:
                why = "headers are found beside the kernel" if option.startswith("-I") else "kernels are compiled for the device"
                self.left_out.append(f"the compiler option '{option}' was not converted: {why}")
            else:
                words.append(option)
        return ({"options": words} if words else {}) | {"defines": defines | {name: name for name in self.parameters}}

    def arguments(self, kernel: dict[str, Any], name: str, language: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The workload, and what the kernel's table says of its arguments."""
        passed: list[Any] = []
        constants: dict[str, str] = {}
        parts: dict[str, list[dict[str, Any]]] = {"buffer": [], "scalar": []}
        for place, entry in enumerate(kernel["Arguments"]):
            memory, argument = self.argument(entry, place, language)
            if memory != "Local":
                parts["scalar" if memory == "Scalar" else "buffer"].append(argument)
            if memory == "Symbol":
                constants[argument["name"]] = argument["name"]
            else:
                passed.append(argument if memory == "Local" else argument["name"])
        outputs = [buffer["name"] for buffer in parts["buffer"] if buffer["role"] != "in"]
        if not outputs:
            refuse("Arguments", "no vector is WriteOnly or ReadWrite, so nothing can be checked")
        check = self.check(kernel["ReferenceArguments"], outputs)
        self.left_out += [f"the inputs that the reference files belong to: {buffer['name']} is drawn at random" for buffer in parts["buffer"]
                          if check and not {"constant", "file"} & set(buffer.get("fill", ["file"]))]
        return ({"doc": f"what kernel {name} computes", **{key: found for key, found in parts.items() if found},
                 "check": check or {"kernel": name, "relative": 1e-3, "absolute": 1e-5}},
                {"arguments": passed, **({"constants": constants} if constants else {})})

    def argument(self, entry: Any, index: int, language: str) -> tuple[str, dict[str, Any]]:
        """Its memory type and what the config says of it."""
        entry = self.fields(entry, f"argument {entry.get('Name', index) if isinstance(entry, dict) else index}", Name=f"argument_{index}", Type=str,
                            TypeSize=0, MemoryType=str, FillType="Constant", FillValue=None, DataSource="", Size=0, AccessType="ReadOnly")
        place = f"argument {name_of(entry['Name'], f'Name of argument {index}')}"
        vector = re.fullmatch("(half|float|double)(2|3|4|8|16)", entry["Type"])
        components = 4 if vector and vector[2] == "3" and language == "OpenCL" else int(vector[2]) if vector else 1
        kind = vector[1] if vector else entry["Type"]
        if kind == "custom":
            kind, components = "uint8", self.count(entry, "TypeSize", place)
        if kind not in _TYPES:
            refuse(place, f"element type '{kind}' is not supported, only {', '.join(_TYPES)} and vectors such as float4")
        memory = choice(entry["MemoryType"], f"{place}, MemoryType", "Vector", "Scalar", "Symbol" if language == "CUDA" else "Local")
        argument = {"name": entry["Name"], "type": _TYPES[kind]}
        if memory == "Scalar":
            if components > 1:
                refuse(place, "a scalar of a vector type is not supported")
            return memory, argument | {"value": self.number(entry["FillValue"], f"{place}, FillValue")}
        count = self.count(entry, "Size", place) * components
        if memory == "Local":
            return memory, {"local_bytes": count * int(_TYPES[kind][1:]) // 8}
        role = {"ReadOnly": "in", "WriteOnly": "out", "ReadWrite": "inout"}[
            choice(entry["AccessType"], f"{place}, AccessType", "ReadOnly", "WriteOnly", "ReadWrite")]
        return memory, argument | {"count": count, "role": role} | ({"fill": self.fill(entry, place, kind)} if role != "out" else {})

    def count(self, entry: dict[str, Any], key: str, place: str) -> int:
        number = self.number(entry[key], f"{place}, {key}")
        return number if isinstance(number, int) and 0 < number < 2**53 else refuse(place, f"{key} is not a positive integer below 2^53")

    def fill(self, entry: dict[str, Any], place: str, kind: str) -> Any:
        """Random values are uniform from 0 to FillValue, as in KTT; without one integers are whatever benchctl takes."""
        if entry["FillType"] == "BinaryRaw":
            return {"file": self.path(entry["DataSource"] or refuse(place, "has no 'DataSource'"))}
        if entry["FillType"] not in ("Constant", "Random"):
            refuse(place, f"fill type '{entry['FillType']}' is not supported, only Constant, Random and BinaryRaw; a data program "
                   "([workload.NAME.data]) can make such inputs")
        value = self.number(entry["FillValue"] or 0, f"{place}, FillValue")
        if entry["FillType"] == "Constant":
            return {"constant": value}
        if kind in ("half", "float", "double"):
            return {"uniform": sorted((0, value or 1))}
        return {"integers": sorted((0, math.trunc(value)))} if math.trunc(value) else "integers"

    def check(self, references: list[Any], outputs: list[str]) -> dict[str, Any]:
        """Reference files of all outputs, or nothing. KTT's rules for elements; the smallest threshold counts for all."""
        files: dict[str, str] = {}
        rules: dict[str, float] = {}
        for entry in references:
            entry = self.fields(entry, "ReferenceArguments", TargetName=str, FillType="Constant", DataSource="", ValidationThreshold=None, Name=None,
                                ValidationMethod="SideBySideComparison", Type=None, MemoryType=None, Size=None, FillValue=None)
            place, method = f"the reference of {entry['TargetName']}", entry["ValidationMethod"]
            if entry["TargetName"] not in outputs:
                refuse("ReferenceArguments", f"'{entry['TargetName']}' is not a vector that the kernel writes")
            if entry["FillType"] != "BinaryRaw":
                self.left_out.append(f"{place} was not converted: FillType {entry['FillType']} is not BinaryRaw")
                continue
            files[entry["TargetName"]] = self.path(entry["DataSource"] or refuse(place, "has no 'DataSource'"))
            if entry["ValidationThreshold"] is None:
                continue
            threshold = self.number(entry["ValidationThreshold"], f"{place}, ValidationThreshold")
            if threshold < 0:
                refuse(place, "ValidationThreshold is negative")
            is_ratio = method == "SideBySideRelativeComparison"  # KTT takes none of values below 1e-4
            for key, limit in (("relative", threshold if is_ratio else math.inf), ("absolute", 1e-4 if is_ratio else threshold)):
                rules[key] = min(limit, rules.get(key, math.inf))
            if not is_ratio and method != "SideBySideComparison":
                self.left_out.append(f"{place}: the threshold of {method} is taken for single elements")
        for name in outputs:
            if files and name not in files:
                self.left_out.append(f"no reference was imported: {name} has none, and the check needs all")
                return {}
        if rules.get("relative") == math.inf:
            rules["relative"] = 0
        return {"files": files, **(rules or {"relative": 1e-3, "absolute": 1e-5})} if files else {}


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        asked = arguments in (["-h"], ["--help"])
        print(__doc__, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    try:
        config, left_out = read(arguments[0])
        written = text(config, left_out)
    except (OSError, ValueError) as error:
        print(f"t1_to_config: {error}", file=sys.stderr)
        return 2
    sys.stdout.write(written)
    sys.stderr.writelines(f"t1_to_config: left out: {visible(sentence)}\n" for sentence in left_out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
