"""Shader assembly text to token arrays. It knows the words and checks nothing else.

Lines end with a newline or ';'. `+` co-issues, `1-r0` is the complement, other modifiers of a
source follow its register (`r0_bx2`), those of a destination the instruction (`mul_sat`, `add_x2`).

Source: rendering specification, 8.1; written by hand so that the traces are a second opinion.
"""

import re

from .dp2 import bits, dwords

END = 0x0000FFFF
PARAMETER = 0x80000000
RELATIVE = 0x2000

OPCODES = {
    "nop": 0, "mov": 1, "add": 2, "sub": 3, "mad": 4, "mul": 5, "rcp": 6, "rsq": 7, "dp3": 8,
    "dp4": 9, "min": 10, "max": 11, "slt": 12, "sge": 13, "exp": 14, "log": 15, "lit": 16,
    "dst": 17, "lrp": 18, "frc": 19, "loop": 27, "ret": 28, "endloop": 29, "dcl": 31, "pow": 32,
    "crs": 33, "sgn": 34, "abs": 35, "nrm": 36, "sincos": 37, "rep": 38, "endrep": 39, "if": 40,
    "else": 42, "endif": 43, "mova": 46, "defb": 47, "defi": 48, "texcoord": 64, "texcrd": 64,
    "texkill": 65, "tex": 66, "texld": 66, "texldp": 66, "texbem": 67, "expp": 78, "logp": 79,
    "cnd": 80, "def": 81, "texdepth": 87, "cmp": 88, "dp2add": 90, "dsx": 91, "dsy": 92,
    "texldl": 95, "phase": 0xFFFD,
}  # fmt: skip
CONTROLS = {"texldp": 1}
WITHOUT_DESTINATION = {"loop", "rep", "if"}
# register name -> type; `a` and `t` are one type
REGISTERS = {
    "r": 0, "v": 1, "c": 2, "a": 3, "t": 3, "oD": 5, "oT": 6, "o": 6, "i": 7, "oC": 8, "s": 10,
    "b": 14,
}  # fmt: skip
SPECIAL = {
    "oPos": (4, 0), "oFog": (4, 1), "oPts": (4, 2), "oDepth": (9, 0), "aL": (15, 0),
    "vPos": (17, 0), "vFace": (17, 1),
}  # fmt: skip
RESULT_MODIFIERS = {
    "sat": 1 << 20, "pp": 2 << 20, "x2": 1 << 24, "x4": 2 << 24, "x8": 3 << 24, "d2": 15 << 24,
}  # fmt: skip
SOURCE_MODIFIERS = {"bias": 2, "bx2": 4, "x2": 7, "dz": 9, "dw": 10, "abs": 11}
USAGES = {
    "position": 0, "blendweight": 1, "normal": 3, "psize": 4, "texcoord": 5, "color": 10,
}  # fmt: skip
SAMPLERS = {"2d": 2, "cube": 3, "volume": 4}


def letter(component):
    """0 to 3 for x to w or r to a."""
    return "xyzwrgba".index(component) % 4


def register(name):
    """The bits of a register's type and number."""
    if name in SPECIAL:
        kind, number = SPECIAL[name]
    else:
        word, digits = re.fullmatch(r"([a-zA-Z]+)(\d+)", name).groups()
        kind, number = REGISTERS[word], int(digits)
    return PARAMETER | (kind & 7) << 28 | (kind & 0x18) << 8 | number


def swizzle(components):
    """The bits of a swizzle; the last component repeats."""
    order = [letter(component) for component in components or "xyzw"]
    order += [order[-1]] * (4 - len(order))
    return sum(component << (16 + 2 * place) for place, component in enumerate(order))


def indexed(text, major):
    """The bits of a register that may be indexed ("c[a0.x + 16]"), and its address token."""
    found = re.fullmatch(r"([a-z]+)\[(a0|aL)(?:\.([xyzw]))?(?: *\+ *(\d+))?\]", text)
    if not found:
        return register(text), []
    word, index, component, offset = found.groups()
    address = register(index) | swizzle(component)
    return register(f"{word}{offset or 0}") | RELATIVE, [address] if major > 1 else []


def split(text):
    """Register and components of an operand."""
    found = re.fullmatch(r"(\w+(?:\[[^]]*\])?)(?:\.(\w+))?", text)
    return found.groups()


def destination(text, modifiers, major):
    """The tokens of a destination."""
    name, components = split(text)
    word, address = indexed(name, major)
    mask = sum(1 << letter(component) for component in components or "xyzw")
    return [word | mask << 16 | modifiers, *address]


def source(text, major):
    """The tokens of a source."""
    modifier = 0
    if text.startswith("1-"):
        text, modifier = text[2:], 6
    is_negative = text.startswith("-")
    name, components = split(text.removeprefix("-"))
    base, _, suffix = name.partition("_")
    modifier = SOURCE_MODIFIERS[suffix] if suffix else modifier
    modifier += is_negative
    word, address = indexed(base, major)
    return [word | swizzle(components) | modifier << 24, *address]


def declaration(words, operand, major):
    """The tokens behind a declaration's own: usage or kind of texture, and the register."""
    usage = PARAMETER
    if words and words[0] in SAMPLERS:
        usage |= SAMPLERS[words[0]] << 27
    elif words:
        name, digits = re.fullmatch(r"([a-z]+)(\d*)", words[0]).groups()
        usage |= USAGES[name] | int(digits or 0) << 16
    return [usage, *destination(operand, 0, major)]


def constant(name, operands, major):
    """The tokens behind the one of def, defi or defb."""
    kinds = {"def": float, "defi": int, "defb": int}
    values = [kinds[name](value) for value in operands[1:]]
    words = [bits(value) if name == "def" else value & 0xFFFFFFFF for value in values]
    return [*destination(operands[0], 0, major), *words]


def body(name, words, operands, major):
    """The tokens behind the instruction's own."""
    if name == "dcl":
        return declaration(words, operands[0], major)
    if name in ("def", "defi", "defb"):
        return constant(name, operands, major)
    tokens = []
    if operands and name not in WITHOUT_DESTINATION:
        modifiers = sum(RESULT_MODIFIERS[word] for word in words)
        tokens += destination(operands.pop(0), modifiers, major)
    for operand in operands:
        tokens += source(operand, major)
    return tokens


def instruction(line, major):
    """The tokens of one line."""
    is_coissued = line.startswith("+")
    head, _, rest = line.removeprefix("+").strip().partition(" ")
    name, *words = head.split("_")
    operands = [operand.strip() for operand in rest.split(",")] if rest else []
    tokens = body(name, words, operands, major)
    word = OPCODES[name] | CONTROLS.get(name, 0) << 16 | is_coissued << 30
    if major > 1:
        word |= len(tokens) << 24
    return [word, *tokens]


def assemble(text):
    """The token array of a shader; the first line names the version, "vs_1_1" or "ps_2_x"."""
    lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
    kind, major, minor = lines[0].split("_")
    version = int(major) << 8 | (1 if minor == "x" else int(minor))
    tokens = [(0xFFFE0000 if kind == "vs" else 0xFFFF0000) | version]
    for line in lines[1:]:
        tokens += instruction(line, int(major))
    return dwords(tokens, END)
