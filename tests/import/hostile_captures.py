"""Captures and dumps that ask for too much: each below 1 MB. Everything about them is fixed, but for what a seed chooses among.

A capture is bytes of an apitrace container (apitrace docs/FORMAT.markdown) without framing; frames() says in which framings it is tried.
"""

import ctypes
import ctypes.util
import gzip
import random
import struct

from make_captures import Capture, Enumerator, Pointer, floats, present_parameters, surface_description, text, uint

ENTER, LEAVE = b"\x00", b"\x01"
END, ARGUMENT, RETURN, THREAD, BACKTRACE = b"\x00", b"\x01", b"\x02", b"\x03", b"\x04"
NULL, UINT, BLOB, STRING, ENUM, BITMASK, ARRAY, STRUCT, REPR, WIDE = (bytes([n]) for n in (0, 4, 8, 7, 9, 10, 11, 12, 14, 15))
VERSION = 4
MAX_SIZE = 1 << 20
HUGE = 1 << 62
DEEP = 50000
MANY = 1 << 20


# ---------- framings ----------

def library(name):
    """A compressor of the system, or None."""
    path = ctypes.util.find_library(name)
    return ctypes.CDLL(path) if path else None


def zstd(data):
    """A zstd frame, or None where there is no compressor."""
    code = library("zstd")
    if code is None:
        return None
    code.ZSTD_compressBound.restype = code.ZSTD_compress.restype = ctypes.c_size_t
    code.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    code.ZSTD_compress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    out = ctypes.create_string_buffer(code.ZSTD_compressBound(len(data)))
    size = code.ZSTD_compress(out, len(out), data, len(data), 3)
    return ctypes.string_at(out, size)


def brotli(data):
    """A brotli stream, or None where there is no compressor."""
    code = library("brotlienc")
    if code is None:
        return None
    size = ctypes.c_size_t(len(data) // 8 + 1000)
    out = ctypes.create_string_buffer(size.value)
    code.BrotliEncoderCompress.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
    return ctypes.string_at(out, size.value) if code.BrotliEncoderCompress(3, 22, 0, len(data), data, ctypes.byref(size), out) == 1 else None


def snappy(data):
    """Chunks of literals, with runs of one byte as copies."""
    out = bytearray(b"at")
    for start in range(0, len(data), MAX_SIZE):
        part = data[start:start + MAX_SIZE]
        chunk = bytearray(uint(len(part)))
        at = 0
        while at < len(part):
            is_run = at > 0 and part[at:at + 64] == part[at - 1:at] * len(part[at:at + 64])
            size = min(64, len(part) - at) if is_run else min(60, len(part) - at)
            if is_run:
                chunk += bytes([(size - 1) << 2 | 2, 1, 0])
            else:
                chunk += bytes([(size - 1) << 2]) + part[at:at + size]
            at += size
        out += struct.pack("<I", len(chunk)) + chunk
    return bytes(out)


def smallest(data):
    """The framing that a stranger would choose: zstd where it can be had."""
    return zstd(data) or gzip.compress(data, 6, mtime=0)


# ---------- what is wrong with the container ----------

def signature(number, name, arguments=()):
    """A function in full."""
    return uint(number) + text(name) + uint(len(arguments)) + b"".join(text(argument) for argument in arguments)


def enter(function, details=b""):
    """An event of thread 0."""
    return ENTER + uint(0) + function + details + END


def leave(number, details=b""):
    """The end of a call."""
    return LEAVE + uint(number) + details + END


def one_value(value):
    """A capture whose only call has one argument."""
    return uint(VERSION) + ENTER + uint(0) + signature(0, "f", ["a"]) + ARGUMENT + uint(0) + value


def nested(kind, depth):
    """Values in values."""
    level = {
        "enum": lambda i: ENUM + uint(i) + uint(1) + text("n"),
        "struct": lambda i: STRUCT + uint(i) + text("s") + uint(1) + text("m"),
        "array": lambda i: ARRAY + uint(1),
        "repr": lambda i: REPR,
    }
    return one_value(b"".join(level[kind](i) for i in range(depth)))


def nested_mixed(depth, generator):
    """All kinds."""
    out = bytearray()
    for i in range(depth):
        out += generator.choice([ENUM + uint(i) + uint(1) + text("n"), STRUCT + uint(i) + text("s") + uint(1) + text("m"), ARRAY + uint(1), REPR])
    return one_value(bytes(out))


def partial_arrays(depth, size):
    """Arrays whose last element is the next one: each is allowed, all of them are too much."""
    return one_value(b"".join(ARRAY + uint(size) + NULL * (size - 1) for _ in range(depth)))


def container_cases(generator, share):
    """Names, and what makes the bytes; it is called before the next one is asked for. `share`: the part of the default limits that is in force."""
    for kind in ("enum", "struct", "array", "repr"):
        yield "nested-" + kind, lambda: nested(kind, DEEP)
    yield "nested-mixed", lambda: nested_mixed(DEEP, generator)
    for name, value in (("array", ARRAY + uint(HUGE)), ("wide", WIDE + uint(HUGE)), ("blob", BLOB + uint(HUGE)), ("string", STRING + uint(HUGE)),
                        ("enum", ENUM + uint(0) + uint(HUGE)), ("bitmask", BITMASK + uint(0) + uint(HUGE)), ("members", STRUCT + uint(0) + text("s") + uint(HUGE)),
                        ("name", STRUCT + uint(0) + uint(HUGE))):
        yield "count-" + name, lambda: one_value(value)
        yield "count-" + name + "-filled", lambda: one_value(value + b"\x00" * (1 << 27))
    yield "count-argument", lambda: uint(VERSION) + ENTER + uint(0) + signature(0, "f") + ARGUMENT + uint(HUGE)
    yield "count-frames", lambda: uint(VERSION) + ENTER + uint(0) + signature(0, "f") + BACKTRACE + uint(HUGE) + b"\x00" * (1 << 27)
    yield "arguments", lambda: uint(VERSION) + ENTER + uint(0) + uint(0) + text("f") + uint(MANY) + uint(0) * MANY + END + enter(uint(0)) * 200
    wide = signature(0, "f", ["a"] * 256)
    yield "arguments-open", lambda: uint(VERSION) + enter(wide) + enter(uint(0)) * MANY
    yield "arguments-returned", lambda: uint(VERSION) + enter(wide) + leave(0) + b"".join(enter(uint(0)) + leave(i + 1) for i in range(MANY // 2))
    yield "open", lambda: uint(VERSION) + enter(signature(0, "f")) + enter(uint(0)) * (30 << 20)
    yield "partial-arrays", lambda: partial_arrays(60, 3 << 20)
    yield "functions", lambda: uint(VERSION) + b"".join(enter(signature(i, "f%d" % i)) + leave(i) for i in range(MANY // 8))
    yield "names", lambda: one_value(b"".join([STRUCT, uint(0), text("s"), uint(MANY), text("n" * 100) * MANY]))
    yield "long-names", lambda: uint(VERSION) + b"".join(enter(signature(i, "n" * 4096)) for i in range(200000 // share))
    yield "properties", lambda: uint(6) + uint(0) + (text("name") + text("v" * 200)) * ((4 << 20) // share)
    yield "property", lambda: uint(6) + uint(0) + text("name") + uint(1 << 30) + b"v" * (1 << 27)
    yield "frames", lambda: uint(VERSION) + ENTER + uint(0) + signature(0, "f") + BACKTRACE + uint(MANY // 2) + b"".join(uint(i) + END for i in range(MANY // 2)) + END
    yield "backtraces", lambda: uint(VERSION) + enter(signature(0, "f"), BACKTRACE + uint(1) + uint(0) + b"\x01" + text("m") + END) + (
        ENTER + uint(0) + uint(0) + (BACKTRACE + uint(1) + uint(0)) * 64 + END) * MANY
    yield "threads", lambda: uint(VERSION) + ENTER + uint(0) + signature(0, "f") + (THREAD + uint(1)) * (40 << 20)


def framing_cases():
    """Files as they are."""
    zeros = one_value(BLOB + uint(HUGE)) + b"\x00" * (1 << 28)
    yield "gzip-bomb", lambda: gzip.compress(zeros, 9, mtime=0)
    yield "snappy-chunk", lambda: b"at" + struct.pack("<I", 0xFFFFFFFF) + b"\x00" * 100
    yield "snappy-chunk-cut", lambda: b"at" + struct.pack("<I", 1 << 25) + b"\x00" * 100
    yield "snappy-content", lambda: b"at" + struct.pack("<I", 100) + uint(0xFFFFFFF0) + b"\x00" * 100
    yield "snappy-bomb", lambda: snappy(one_value(BLOB + uint(HUGE)) + b"\x00" * (18 << 20))
    for name, frame in (("zstd-bomb", zstd(zeros)), ("brotli-bomb", brotli(zeros))):
        if frame:
            yield name, lambda: frame
    # Frames of zstd that fill blocks of 128 KiB with one byte each; the first one asks for the largest window.
    frame = b"\x28\xb5\x2f\xfd\x00" + bytes([17 << 3]) + (struct.pack("<I", 128 << 10 << 3 | 1 << 1)[:3] + b"\x00") * 200000
    yield "zstd-window", lambda: frame


# ---------- what is wrong with what the program did ----------

class Program9(Capture):
    """A capture of Direct3D 9 with one device."""

    def __init__(self):
        super().__init__()
        self.call("Direct3DCreate9", [("SDKVersion", 32)], Pointer(0x50))
        self.create_device(0x100)

    def create_device(self, pointer):
        """Of software processing: the contents of vertex buffers are kept."""
        self.call("IDirect3D9::CreateDevice", [("this", Pointer(0x50)), ("Adapter", 0), ("DeviceType", 1), ("hFocusWindow", Pointer(5)), ("BehaviorFlags", 0x20),
                                               ("pPresentationParameters", present_parameters()), ("ppReturnedDeviceInterface", [Pointer(pointer)])])

    def device(self, name, *arguments, result=Enumerator(0)):
        """A method of the device."""
        self.method("Device", name, 0x100, *arguments, result=result)

    def method(self, interface, name, this, *arguments, result=Enumerator(0)):
        """A method of an object."""
        self.call("IDirect3D%s9::%s" % (interface, name), [("this", Pointer(this))] + [("a%d" % i, value) for i, value in enumerate(arguments)], result)


def repeated(capture, count, make):
    """`make` gets the number of the repetition."""
    for i in range(count):
        make(capture, i)
    return bytes(capture.out)


def tiled(capture, make, count):
    """The same calls over and over, each under a number of its own."""
    make(capture, 0)
    # From here on every name is known. Numbers that stand nowhere else say where the calls return.
    start, number, mark = len(capture.out), capture.count, 1 << 60
    capture.count = mark
    make(capture, 0)
    rest = bytes(capture.out[start:])
    pieces = []
    for i in range(capture.count - mark):
        piece, _, rest = rest.partition(uint(mark + i))
        pieces.append(piece)
    del capture.out[start:]
    capture.count = number
    out = bytearray(capture.out)
    for _ in range(count):
        for piece in pieces:
            out += piece + uint(number)
            number += 1
        out += rest
    # What follows the number of a call stands at the start of the next piece.
    return bytes(out)


def direct3d9_cases():
    """Names, and what makes the bytes; it is called before the next one is asked for."""
    many = 60000
    base = 0x10000
    yield "textures", lambda: repeated(Program9(), many, lambda c, i: c.device("CreateTexture", 4096, 4096, 0, 1, 21, 0, [Pointer(base + i)], None))
    yield "cube-textures", lambda: repeated(Program9(), many, lambda c, i: c.device("CreateCubeTexture", 16384, 0, 1, 21, 0, [Pointer(base + i)], None))
    yield "vertex-buffers", lambda: repeated(Program9(), 20000, lambda c, i: c.device("CreateVertexBuffer", 64 << 20, 0, 0x44, 0, [Pointer(base + i)], None))
    yield "released-buffers", lambda: tiled(Program9(), lambda c, i: (c.device("CreateVertexBuffer", 512 << 20, 0, 0x44, 0, [Pointer(base)], None),
                                                              c.method("VertexBuffer", "Release", base, result=0)), 20000)
    yield "devices", lambda: repeated(Program9(), 30000, lambda c, i: c.create_device(base + i))
    yield "swap-chains", lambda: repeated(Program9(), 30000, lambda c, i: c.device("CreateAdditionalSwapChain", present_parameters(2, 1 << 31), [Pointer(base + i)]))
    yield "shaders", lambda: repeated(Program9(), many, lambda c, i: c.device("CreatePixelShader", struct.pack("<2I", 0xFFFF0101, 0xFFFF), [Pointer(base + i)]))
    yield "lights", lambda: repeated(Program9(), many, lambda c, i: c.device("LightEnable", i, 1))
    yield "palettes", lambda: repeated(Program9(), many, lambda c, i: c.device("SetPaletteEntries", i, b"\x00" * 1024))
    yield "constants", lambda: repeated(Program9(), many, lambda c, i: c.device("SetVertexShaderConstantF", i << 8, b"\x00" * 4096, 256))
    lights = Program9()
    for i in range(2000):
        lights.device("LightEnable", i, 1)
    yield "state-blocks", lambda: tiled(lights, lambda c, i: c.device("CreateStateBlock", 1, [Pointer(base)]), 100000)
    blocks = Program9()
    for i in range(2000):
        blocks.device("LightEnable", i, 1)
    yield "kept-state-blocks", lambda: repeated(blocks, many, lambda c, i: c.device("CreateStateBlock", 1, [Pointer(base + i)]))
    texture = Program9()
    texture.device("CreateTexture", 16384, 16384, 1, 0, 50, 1, [Pointer(0x210)], None)
    yield "locks", lambda: repeated(texture, many, lambda c, i: c.method("Texture", "LockRect", 0x210, i, [{"Pitch": 16384, "pBits": Pointer(0x100000 * i)}], None, 0))
    locked = Program9()
    locked.device("CreateVertexBuffer", 1 << 30, 0, 0, 0, [Pointer(0x200)], None)
    locked.method("VertexBuffer", "Lock", 0x200, 0, 0, [Pointer(0x9000)], 0)
    yield "copies", lambda: tiled(locked, lambda c, i: c.copy(0x9000, b"\x00" * (1 << 20)), 1500)
    yield "updates", lambda: tiled(locked, lambda c, i: (c.copy(0x9000, b"\x00" * (1 << 20)), c.method("VertexBuffer", "Unlock", 0x200),
                                                 c.method("VertexBuffer", "Lock", 0x200, 0, 0, [Pointer(0x9000)], 0)), 1500)
    held = Program9()
    held.device("CreateTexture", 16384, 16384, 1, 0, 50, 1, [Pointer(0x210)], None)
    held.device("SetTexture", 0, Pointer(0x210))
    held.device("DrawPrimitive", 4, 0, 1)
    held.method("Texture", "LockRect", 0x210, 0, [{"Pitch": 16384, "pBits": Pointer(0xA000)}], None, 0x8000)
    held.copy(0xA000, b"\x01" * 16384)
    held.method("Texture", "UnlockRect", 0x210, 0)
    yield "held-writes", lambda: tiled(held, lambda c, i: c.method("Texture", "AddDirtyRect", 0x210, None), 50000)
    yield "dirty", lambda: repeated(held, many, lambda c, i: c.method(
        "Texture", "AddDirtyRect", 0x210, [{"left": i % 8000, "top": i // 10, "right": i % 8000 + 1, "bottom": i // 10 + 1}]))
    pointers = Program9()
    pointers.device("CreateTexture", 4, 4, 1, 0, 21, 0, [Pointer(0x210)], None)
    for i in range(many):
        pointers.method("Texture", "QueryInterface", 0x210, b"\x00" * 16, [Pointer(base + i)])
    pointers.method("Texture", "Release", 0x210, result=0)
    yield "pointers", lambda: bytes(pointers.out)
    evicted = Program9()
    for i in range(many // 4):
        evicted.device("CreateTexture", 4, 4, 1, 0, 21, 1, [Pointer(base + i)], None)
    yield "evictions", lambda: tiled(evicted, lambda c, i: c.device("EvictManagedResources"), 100000)
    processed = Program9()
    processed.device("CreateVertexBuffer", 32 << 20, 0, 0x002, 0, [Pointer(0x200)], None)
    processed.device("CreateVertexBuffer", 32 << 20, 0, 0x004, 2, [Pointer(0x201)], None)
    processed.device("SetFVF", 0x002)
    processed.device("SetStreamSource", 0, Pointer(0x200), 0, 12)
    for i in range(1000):
        processed.device("LightEnable", i, 1)
    yield "processed-vertices", lambda: tiled(processed, lambda c, i: c.device("ProcessVertices", 0, 0, 1 << 20, Pointer(0x201), None, 0), 50000)
    yield "user-draws", lambda: tiled(Program9(), lambda c, i: c.device("DrawPrimitiveUP", 4, 20000, b"\x00" * (1 << 20), 16), 1200)
    yield "presents", lambda: tiled(Program9(), lambda c, i: c.device("Present", None, None, None, None), 2 << 20)
    yield "states", lambda: tiled(Program9(), lambda c, i: (c.device("SetRenderState", 7, 1), c.device("SetRenderState", 7, 0)), 1 << 20)
    shader = Program9()
    shader.device("CreatePixelShader", struct.pack("<I", 0xFFFF0101) + b"\x01" * (100 << 20), [Pointer(0x300)])
    yield "large-shader", lambda: bytes(shader.out)
    rects = Program9()
    rects.device("CreateRenderTarget", 64, 64, 21, 0, 0, 0, [Pointer(0x230)], None)
    rects.device("Clear", 1 << 20, struct.pack("<4i", 0, 0, 1, 1) * (10 << 20), 1, 0, 1.0, 0)
    yield "clear-rectangles", lambda: bytes(rects.out)
    unknown = Program9()
    yield "unknown-calls", lambda: tiled(unknown, lambda c, i: c.device("Teleport"), 3 << 20)


class Program7(Capture):
    """A capture of Direct3D 7 with one device."""

    def __init__(self):
        super().__init__()
        self.call("DirectDrawCreateEx", [("lpGUID", None), ("lplpDD", [Pointer(0x50)]), ("iid", "IID_IDirectDraw7"), ("pUnkOuter", None)])
        self.surface(0x100, 64, 64, 0x2040)
        self.method("Direct3D7", "CreateDevice", 0x50, "IID_IDirect3DHALDevice", Pointer(0x100), [Pointer(0x200)])

    def method(self, interface, name, this, *arguments, result=Enumerator(0)):
        """A method of an object."""
        self.call("I%s::%s" % (interface, name), [("this", Pointer(this))] + [("a%d" % i, value) for i, value in enumerate(arguments)], result)

    def surface(self, pointer, width, height, caps):
        """A surface of 32 bits."""
        self.method("DirectDraw7", "CreateSurface", 0x50, surface_description(width, height, caps), [Pointer(pointer)], None)


def directdraw_cases():
    """Names, and what makes the bytes; it is called before the next one is asked for."""
    many = 40000
    base = 0x10000
    yield "surfaces", lambda: repeated(Program7(), many, lambda c, i: c.surface(base + i, 16384, 16384, 0x401008))
    yield "ddraw-palettes", lambda: repeated(Program7(), many, lambda c, i: c.method("DirectDraw7", "CreatePalette", 0x50, 4, b"\x00" * 1024, [Pointer(base + i)], None))
    yield "clippers", lambda: repeated(Program7(), many, lambda c, i: c.method("DirectDraw7", "CreateClipper", 0x50, 0, [Pointer(base + i)], None))
    yield "ddraw-lights", lambda: repeated(Program7(), many, lambda c, i: c.method("Direct3DDevice7", "LightEnable", 0x200, i, 1))
    lit = Program7()
    for i in range(2000):
        lit.method("Direct3DDevice7", "LightEnable", 0x200, i, 1)
    yield "ddraw-blocks", lambda: repeated(lit, many, lambda c, i: c.method("Direct3DDevice7", "CreateStateBlock", 0x200, 1, [i]))
    yield "ddraw-stages", lambda: repeated(Program7(), many, lambda c, i: c.method("Direct3DDevice7", "SetTextureStageState", 0x200, i, 1, i))
    attached = Program7()
    for i in range(1000):
        attached.surface(base + i, 4, 4, 0x40)
    yield "attachments", lambda: repeated(attached, many, lambda c, i: c.method("DirectDrawSurface7", "AddAttachedSurface", base + i % 1000, Pointer(base + i // 40)))
    vertices = Program7()
    description = [{"dwSize": 16, "dwCaps": 0, "dwFVF": 0x112, "dwNumVertices": 65535}]
    for pointer in (0x300, 0x301):
        vertices.method("Direct3D7", "CreateVertexBuffer", 0x50, description, [Pointer(pointer)], 0)
    yield "ddraw-vertices", lambda: tiled(vertices, lambda c, i: c.method("Direct3DVertexBuffer7", "ProcessVertices", 0x301, 0x401, 0, 65535, Pointer(0x300), 0,
                                                                  Pointer(0x200), 0), 50000)
    yield "ddraw-draws", lambda: tiled(vertices, lambda c, i: c.method("Direct3DDevice7", "DrawPrimitiveVB", 0x200, 4, Pointer(0x300), 0, 65535, 0), 20000)
    yield "ddraw-flips", lambda: tiled(Program7(), lambda c, i: c.method("DirectDrawSurface7", "Blt", 0x100, None, Pointer(0x100), None, 0x1000000, None), 1 << 18)


def captures(seed, share=1):
    """Names, what makes the files, and whether a program did something in them."""
    for name, make in container_cases(random.Random(seed), share):
        yield name, lambda: smallest(make()), False
    for name, make in framing_cases():
        yield name, make, False
    for name, make in direct3d9_cases():
        yield name, lambda: smallest(make()), True
    for name, make in directdraw_cases():
        yield name, lambda: smallest(make()), True


# ---------- dumps ----------

HEAD = "level 7\ntarget 64x64 X8R8G8B8\nfvf XYZRHW|DIFFUSE\n"
LINE = "%08x  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"


def repeats(step, count):
    """Lines of `*` that stand for `step` bytes each."""
    return "".join(LINE % (i * (step + 16)) + "*\n" for i in range(count)) + "%08x\n" % (count * (step + 16))


def dumps():
    """Names and texts."""
    step = (1 << 24) - 16
    yield "repeats", HEAD + "vertices\n" + repeats(step, 200) + "commands\n00 00 00 00\n"
    yield "repeated-vertices", HEAD + "vertices\n" + repeats(step, 1) + "commands\n00 00 00 00\n" * 40000
    yield "repeated-textures", HEAD + ("texture 5 4096x1024 A8R8G8B8\n" + repeats(step, 1)) * 4000 + "commands\n00 00 00 00\n"
    yield "repeated-commands", HEAD + ("commands\n" + repeats(step, 1)) * 4000
    yield "lines", HEAD + "vertices\n" + "00\n" * 300000 + "commands\n00 00 00 00\n"
    yield "stars", HEAD + "vertices\n00\n" + "*\n" * 500000
    yield "long-line", HEAD + "vertices\n" + "00 " * 300000 + "\ncommands\n00 00 00 00\n"
    yield "markers", HEAD + "marker x\n" * 100000 + "commands\n00 00 00 00\n"
    yield "long-word", HEAD + "x" * 1000000
    yield "many-words", HEAD + "vertices\n" + "a " * 500000
    yield "suggestions", HEAD + "texture 5 64x64 " + "R5G6B" * 190000
