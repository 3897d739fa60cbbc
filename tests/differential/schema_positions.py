"""Compares src/tflite/schema.fbs with the schema module of ai-edge-litert.

    schema_positions.py [SCHEMA.fbs]

The module's generated accessors are called on a table that records which vtable slot they ask
for and how they read it; so the positions come from the code that other tools read models with,
and not from a second copy of the schema text. Compared are the slot, the type and the default
of every field, the members of the option unions, and the numbers of operators and element types.
"""

import pathlib
import re
import sys

from ai_edge_litert import schema_py_generated as public

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCALARS = {"byte": "Int8", "ubyte": "Uint8", "bool": "Bool", "short": "Int16", "ushort": "Uint16",
           "int": "Int32", "uint": "Uint32", "long": "Int64", "ulong": "Uint64",
           "float": "Float32", "double": "Float64"}
# Positions of fields that the public format has given up; they only keep their place.
RETIRED = {"SignatureDef": {"unused"}, "ResizeBilinearOptions": {"new_height", "new_width"}}


class Recorder:
    """Stands for a FlatBuffers table in which every field is there, or none."""

    Pos, Bytes = 0, b""

    def __init__(self, present):
        self.present, self.slot, self.kind = present, None, []

    def Offset(self, slot):
        self.slot = slot
        return 4 if self.present else 0

    def Get(self, flags, _position):
        self.kind.append(flags.__name__.removesuffix("Flags"))
        return 0

    def Vector(self, _offset):
        self.kind.append("vector")
        return 0

    def String(self, _position):
        self.kind.append("string")

    def Union(self, _table, _offset):
        self.kind.append("union")

    def Indirect(self, _position):
        self.kind.append("table")
        return 0


def public_field(table, name):
    """(slot, kind, default) of a field by the module's accessor; None when there is none."""
    accessor = getattr(getattr(public, table), name, None)
    if accessor is None:
        return None
    result = []
    for present in (True, False):
        instance = getattr(public, table)()
        instance._tab = Recorder(present)
        takes_index = accessor.__code__.co_argcount == 2
        value = accessor(instance, 0) if takes_index else accessor(instance)
        result.append((instance._tab.slot, " ".join(instance._tab.kind), value))
    return result[0][0], result[0][1], result[1][2]


def public_fields(table):
    """The names of a table's accessors that give a field's value."""
    helper = re.compile(r"Init$|GetRootAs|\w+BufferHasIdentifier|\w+(AsNumpy|Length|IsNone)$")
    return {name for name, value in vars(getattr(public, table)).items()
            if name[0].isupper() and callable(value) and not helper.match(name)}


def numbers(name):
    """An enumeration of the module as {member: number}."""
    return {k: v for k, v in vars(getattr(public, name)).items() if not k.startswith("_")}


def read_schema(path):
    """The schema's text with its includes, without comments."""
    text = re.sub(r"//.*", "", path.read_text())
    return re.sub(r'include "(.+?)";', lambda m: read_schema(path.parent / m[1]), text)


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def our_kind(kind, unions, enums):
    if kind.startswith("["):
        return "vector " + our_kind(kind[1:-1], unions, enums)
    if kind in unions:
        return "union"
    return SCALARS.get(enums.get(kind, kind), "string" if kind == "string" else "table")


def compare_field(table, name, kind, default, slot, where):
    """What differs between one field of ours and the module's."""
    found = public_field(table, camel(name))
    if found is None:
        return [] if name in RETIRED.get(table, ()) else [f"{where}: the format has no such field"]
    faults = []
    if found[0] != slot:
        faults.append(f"{where}: slot {slot}, in the format {found[0]}")
    # What we never look into may stand as an empty table.
    if found[1] != kind and (found[1], kind) != ("union", "table"):
        faults.append(f"{where}: {kind}, in the format {found[1]}")
    scalar = kind in SCALARS.values()
    if scalar and float({"true": 1, "false": 0, "": 0}.get(default, default)) != float(found[2]):
        faults.append(f"{where}: default {default or 0}, in the format {found[2]}")
    return faults


def compare_tables(text, unions, enums):
    faults, options = [], set().union(*unions.values())
    for table, body in re.findall(r"table (\w+) \{(.*?)\}", text, re.S):
        if table == "Unread":
            continue
        names = set()
        for name, kind, default, number in re.findall(
                r"(\w+): ([\w\[\]]+)(?: = ([-\w.]+))? \(id: (\d+)\);", body):
            names.add(camel(name))
            where, slot = f"{table}.{name}", 4 + 2 * int(number)
            kind = our_kind(kind, unions, enums)
            faults += compare_field(table, name, kind, default, slot, where)
            if kind == "union":
                names.add(camel(name + "_type"))
                faults += compare_field(table, name + "_type", "Uint8", "", slot - 2, where)
        if len(re.findall(";", body)) != len(re.findall(r"\(id: \d+\);", body)):
            faults.append(f"{table}: a field without an explicit position")
        if table in options:
            faults += [f"{table}.{name}: missing" for name in
                       sorted(public_fields(table) - names)]
    return faults


def compare_numbers(name, ours):
    theirs = numbers(name)
    return [f"{name}.{key}: {ours.get(key, 'missing')}, in the format {theirs.get(key, 'missing')}"
            for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)]


def compare(text):
    """All differences of a schema's text from the module, as sentences."""
    unions = {name: re.findall(r"\w+", body)
              for name, body in re.findall(r"union (\w+) \{(.*?)\}", text, re.S)}
    enums = dict(re.findall(r"enum (\w+): (\w+)", text))
    faults = compare_tables(text, unions, enums)
    for name, members in unions.items():
        faults += compare_numbers(name, dict(zip(["NONE"] + members, range(len(members) + 1))))
    for name, body in re.findall(r"enum (\w+): \w+ \{(.*?)\}", text, re.S):
        pairs = re.findall(r"(\w+) = (\d+)", body)
        faults += compare_numbers(name, {key: int(number) for key, number in pairs})
    return faults


def compare_element_types():
    """The numbers of ir::DataType; it need not have all the types."""
    header = (ROOT / "src/ir/types.h").read_text()
    body = re.search(r"enum class DataType[^{]*\{(.*?)\}", header, re.S)[1]
    theirs = numbers("TensorType")
    ours = {("BOOL" if key == "boolean" else key.upper()): int(number)
            for key, number in re.findall(r"(\w+) = (\d+)", body)}
    return [f"ir::DataType {key}: {number}, in the format {theirs.get(key)}"
            for key, number in ours.items() if theirs.get(key) != number] or (
                [] if ours else ["ir::DataType: no members found"])


def prove_that_it_can_fail(text):
    """Schemas with one mistake each must be found out."""
    mistakes = {
        "two positions exchanged": ("stride_w: int (id: 1);\n  stride_h: int (id: 2);",
                                    "stride_w: int (id: 2);\n  stride_h: int (id: 1);"),
        "a default": ("dilation_w_factor: int = 1", "dilation_w_factor: int"),
        "a width": ("rank: int (id: 0)", "rank: long (id: 0)"),
        "an operator's number": ("SVDF = 27", "SVDF = 28"),
        "a union's order": ("AddOptions, L2NormOptions", "L2NormOptions, AddOptions"),
        "a missing field": ("  quantized_bias_type: byte (id: 6);\n", ""),
        "a union's position": ("builtin_options: BuiltinOptions (id: 4)",
                               "builtin_options: BuiltinOptions (id: 5)"),
    }
    faults = []
    for what, (before, after) in mistakes.items():
        if before not in text or not compare(text.replace(before, after)):
            faults.append(f"the comparison does not notice {what}")
    return faults


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "src/tflite/schema.fbs"
    text = read_schema(path)
    faults = compare(text) + compare_element_types() + prove_that_it_can_fail(text)
    tables = len(re.findall(r"table \w+", text))
    if tables < 150:
        faults.append(f"only {tables} tables were read")
    print("\n".join(faults) or f"{tables} tables agree with the format")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
