"""Shader assembly text as token arrays: the encodings of lib/raster/rendering-shaders.md 8.1.

Lines end with ';' or a newline, the first names the version: "ps_2_0; dcl t0; mov oC0, t0". Nothing is checked,
so that wrong shaders can be written as well as right ones.
"""

import re
import struct

END = 0x0000FFFF
PARAMETER = 0x80000000
RELATIVE = 1 << 13

OPCODES = {
    "nop": 0, "mov": 1, "add": 2, "sub": 3, "mad": 4, "mul": 5, "rcp": 6, "rsq": 7, "dp3": 8,
    "dp4": 9, "min": 10, "max": 11, "slt": 12, "sge": 13, "exp": 14, "log": 15, "lit": 16,
    "dst": 17, "lrp": 18, "frc": 19, "m4x4": 20, "m4x3": 21, "m3x4": 22, "m3x3": 23, "m3x2": 24,
    "call": 25, "callnz": 26, "loop": 27, "ret": 28, "endloop": 29, "label": 30, "dcl": 31,
    "pow": 32, "crs": 33, "sgn": 34, "abs": 35, "nrm": 36, "sincos": 37, "rep": 38, "endrep": 39,
    "if": 40, "ifc": 41, "else": 42, "endif": 43, "break": 44, "breakc": 45, "mova": 46,
    "defb": 47, "defi": 48, "texcoord": 64, "texcrd": 64, "texkill": 65, "tex": 66, "texld": 66,
    "texldp": 66 | 1 << 16, "texldb": 66 | 2 << 16, "texbem": 67, "texbeml": 68, "texreg2ar": 69,
    "texreg2gb": 70, "texm3x2pad": 71, "texm3x2tex": 72, "texm3x3pad": 73, "texm3x3tex": 74,
    "texm3x3spec": 76, "texm3x3vspec": 77, "expp": 78, "logp": 79, "cnd": 80, "def": 81,
    "texreg2rgb": 82, "texdp3tex": 83, "texm3x2depth": 84, "texdp3": 85, "texm3x3": 86,
    "texdepth": 87, "cmp": 88, "bem": 89, "dp2add": 90, "dsx": 91, "dsy": 92, "texldd": 93,
    "setp": 94, "texldl": 95, "breakp": 96, "phase": 0xFFFD,
}  # fmt: skip
# Those without a destination.
FLOW = {"call", "callnz", "loop", "label", "rep", "if", "ifc", "breakc", "breakp"}

COMPARISONS = {"gt": 1, "eq": 2, "ge": 3, "lt": 4, "ne": 5, "le": 6}
RESULTS = {"sat": 1 << 20, "pp": 1 << 21, "centroid": 1 << 22, "x2": 1 << 24, "x4": 2 << 24,
           "x8": 3 << 24, "d8": 13 << 24, "d4": 14 << 24, "d2": 15 << 24}  # fmt: skip
USAGES = ("position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent",
          "binormal", "tessfactor", "positiont", "color", "fog", "depth", "sample")  # fmt: skip
TEXTURES = {"2d": 2, "cube": 3, "volume": 4}
MODIFIERS = {"bias": 2, "bx2": 4, "x2": 7, "dz": 9, "dw": 10, "abs": 11}

# name -> register type, and the number where none follows the name
REGISTERS = {"oPos": (4, 0), "oFog": (4, 1), "oPts": (4, 2), "oDepth": (9, 0), "vPos": (17, 0),
             "vFace": (17, 1), "aL": (15, 0), "oC": (8, None), "oD": (5, None), "oT": (6, None),
             "o": (6, None), "r": (0, None), "v": (1, None), "c": (2, None), "a": (3, None),
             "t": (3, None), "i": (7, None), "s": (10, None), "b": (14, None), "l": (18, None),
             "p": (19, None)}  # fmt: skip

OPERAND = re.compile(
    r"(?P<sign>1-|-|!)?(?P<name>oPos|oFog|oPts|oDepth|vPos|vFace|aL|o[CDT]|[orvcatisblp])"
    r"(?P<number>\d*)(?:\[(?P<address>[^]+]*?) *(?:\+ *(?P<index>\d+))?\])?"
    r"(?:_(?P<modifier>\w+))?(?:\.(?P<components>[xyzwrgba]+))?"
)


def register_bits(name, number):
    """Type and number of a register in a parameter token."""
    kind, fixed = REGISTERS[name]
    if fixed is None:
        fixed = int(number or 0)
    return PARAMETER | (kind & 7) << 28 | (kind & 0x18) << 8 | fixed


def components(names):
    """Component numbers of "xyz" or "rgb"."""
    return ["xyzwrgba".index(name) & 3 for name in names]


def operand(text, major, result=None):
    """The words of one operand; a destination where `result`, its modifier bits, is given."""
    part = OPERAND.fullmatch(text.strip())
    if part is None:
        raise ValueError(f"'{text}' is no operand")
    word = register_bits(part["name"], part["index"] or part["number"])
    if result is not None:
        mask = sum(1 << one for one in components(part["components"] or "xyzw"))
        word |= mask << 16 | result
    else:
        names = components(part["components"] or "xyzw")
        names += names[-1:] * (4 - len(names))
        modifier = MODIFIERS.get(part["modifier"], 0)
        if part["sign"] == "-":
            modifier += 1
        modifier = {"1-": 6, "!": 13}.get(part["sign"], modifier)
        word |= sum(one << (16 + 2 * at) for at, one in enumerate(names)) | modifier << 24
    if part["address"] is None:
        return [word]
    is_whole = "." in part["address"] or part["address"] == "aL"
    address = part["address"] if is_whole else part["address"] + ".x"
    return [word | RELATIVE] + (operand(address, major) if major >= 2 else [])


def literals(name, values):
    """The words of a constant."""
    if name == "defb":
        return [int(values[0] == "true")]
    if name == "defi":
        return [int(value) & 0xFFFFFFFF for value in values]
    return [struct.unpack("<I", struct.pack("<f", float(value)))[0] for value in values]


def declaration(suffixes):
    """The usage token of a declaration."""
    word = PARAMETER
    for suffix in suffixes:
        usage = re.fullmatch(r"([a-z]+)(\d*)", suffix)
        if suffix in TEXTURES:
            word |= TEXTURES[suffix] << 27
        elif usage and usage[1] in USAGES:
            word |= USAGES.index(usage[1]) | int(usage[2] or 0) << 16
    return word


def instruction(line, major):
    """The words of one line."""
    token, predicate = 0, None
    if line.startswith("+"):
        token, line = 1 << 30, line[1:]
    if line.startswith("("):
        predicate, line = line[1:].split(")", 1)
        token |= 1 << 28
    name, _, rest = line.strip().partition(" ")
    name, *suffixes = name.split("_")
    operands = re.split(r", *", rest) if rest else []
    comparison = next((COMPARISONS[one] for one in suffixes if one in COMPARISONS), None)
    if comparison and name in ("if", "break"):
        name += "c"
    result = sum(RESULTS.get(one, 0) for one in suffixes)
    words = [declaration(suffixes)] if name == "dcl" else []
    if operands and name not in FLOW:
        words += operand(operands.pop(0), major, result)
        words += operand(predicate, major) if predicate else []
    if name.startswith("def"):
        words += literals(name, operands)
    else:
        words += [word for one in operands for word in operand(one, major)]
    length = len(words) << 24 if major >= 2 else 0
    return [token | OPCODES[name] | (comparison or 0) << 16 | length] + words


def version(name):
    """The version token of "vs_1_1", "ps_2_x", "vs_3_sw"."""
    stage, major, minor = name.split("_")
    low = 255 if minor == "sw" else 1 if minor == "x" else int(minor)
    return (0xFFFF0000 if stage == "ps" else 0xFFFE0000) | int(major) << 8 | low


class Code:
    """A token array and the places of its lines."""

    def __init__(self, text):
        name, *lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
        self.words = [version(name)]
        self.offsets = [0]  # bytes from the start of the code: version, instructions, END
        for line in lines:
            self.offsets.append(4 * len(self.words))
            self.words += instruction(line, self.words[0] >> 8 & 0xFF)
        self.offsets.append(4 * len(self.words))
        self.words.append(END)

    @property
    def data(self):
        """The bytes."""
        return struct.pack(f"<{len(self.words)}I", *self.words)


def assemble(text):
    """The bytes of a shader."""
    return Code(text).data
