#!/usr/bin/env python3
"""Writes small apitrace captures of programs that nobody ran: inputs for the tests and fuzzing of the import.

usage: make_captures.py FOLDER

Every file is an uncompressed container of version 4 (apitrace docs/FORMAT.markdown) whose calls are what a little program of that
interface would do: create, lock and fill, set states, clear, draw, present, read back, release.
"""

import pathlib
import struct
import sys

ENTER, LEAVE = 0, 1
END, ARGUMENT, RETURN = 0, 1, 2
SUCCESS = 0


class Pointer(int):
    """An address."""


class Enumerator(int):
    """A number that the recorder would write as a name."""


class Capture:
    """The bytes of a capture, call by call."""

    def __init__(self):
        self.out = bytearray(uint(4))
        self.signatures = {}
        self.structures = {}
        self.enumerations = {}
        self.count = 0

    def call(self, name, arguments, result=Enumerator(SUCCESS)):
        """A call with its named arguments in order."""
        self.out += bytes([ENTER]) + uint(0)
        is_known = name in self.signatures
        self.out += uint(self.signatures.setdefault(name, len(self.signatures)))
        if not is_known:
            self.out += text(name) + uint(len(arguments)) + b"".join(text(argument) for argument, _ in arguments)
        for index, (_, value) in enumerate(arguments):
            self.out += bytes([ARGUMENT]) + uint(index) + self.value(value)
        self.out += bytes([END, LEAVE]) + uint(self.count) + bytes([RETURN]) + self.value(result) + bytes([END])
        self.count += 1

    def value(self, value):
        """One value with its type byte."""
        if value is None:
            return b"\x00"
        if isinstance(value, bytes):
            return b"\x08" + uint(len(value)) + value
        if isinstance(value, float):
            return b"\x05" + struct.pack("<f", value)
        if isinstance(value, list):
            return b"\x0b" + uint(len(value)) + b"".join(self.value(item) for item in value)
        if isinstance(value, dict):
            return b"\x0c" + self.structure(value)
        if isinstance(value, Pointer):
            return b"\x0d" + uint(value)
        if isinstance(value, Enumerator):
            return b"\x09" + self.enumeration() + self.value(int(value))
        return b"\x03" + uint(-value) if value < 0 else b"\x04" + uint(value)

    def structure(self, members):
        """A structure; its name is that of its members."""
        name = "_".join(members)
        is_known = name in self.structures
        result = uint(self.structures.setdefault(name, len(self.structures)))
        if not is_known:
            result += text(name) + uint(len(members)) + b"".join(text(member) for member in members)
        return result + b"".join(self.value(value) for value in members.values())

    def enumeration(self):
        """The one enumeration: results."""
        is_known = "HRESULT" in self.enumerations
        result = uint(self.enumerations.setdefault("HRESULT", 0))
        return result if is_known else result + uint(1) + text("OK") + self.value(0)

    def copy(self, pointer, data):
        """What the program wrote into locked memory."""
        self.call("memcpy", [("dest", Pointer(pointer)), ("src", data), ("n", len(data))], None)


def uint(value):
    """A variable-length number."""
    result = bytearray()
    while value >= 0x80:
        result.append(value & 0x7F | 0x80)
        value >>= 7
    result.append(value)
    return bytes(result)


def text(value):
    """A counted text."""
    return uint(len(value)) + value.encode()


def floats(*values):
    """Floats as bytes."""
    return struct.pack("<%df" % len(values), *values)


def present_parameters(effect=1, count=1):
    """Of a window with a depth surface."""
    return [{"BackBufferWidth": 64, "BackBufferHeight": 64, "BackBufferFormat": 21, "BackBufferCount": count, "MultiSampleType": 0,
             "MultiSampleQuality": 0, "SwapEffect": effect, "EnableAutoDepthStencil": 1, "AutoDepthStencilFormat": 75}]


def rectangle(left, top, right, bottom):
    """A RECT behind a pointer."""
    return [{"left": left, "top": top, "right": right, "bottom": bottom}]


TRIANGLE = b"".join(floats(x, y, 0.5, 1) + struct.pack("<I", color) for x, y, color in
                    ((4, 4, 0xFFFF0000), (60, 4, 0xFF00FF00), (4, 60, 0xFF0000FF)))
XYZRHW_DIFFUSE = 0x44
DEVICE = ("this", Pointer(0x100))


def direct3d9():
    """Buffers, textures of each kind, targets, user memory, state blocks, a chain that flips, processed vertices, calls without effect."""
    c = Capture()

    def device(name, *arguments, result=Enumerator(SUCCESS)):
        c.call("IDirect3DDevice9::" + name, [DEVICE] + [("a%d" % i, value) for i, value in enumerate(arguments)], result)

    def method(interface, name, this, *arguments, result=Enumerator(SUCCESS)):
        c.call("IDirect3D%s9::%s" % (interface, name), [("this", Pointer(this))] + [("a%d" % i, value) for i, value in enumerate(arguments)], result)

    c.call("Direct3DCreate9", [("SDKVersion", 32)], Pointer(0x50))
    c.call("IDirect3D9::CreateDevice", [("this", Pointer(0x50)), ("Adapter", 0), ("DeviceType", 1), ("hFocusWindow", Pointer(5)), ("BehaviorFlags", 0x20),
                                        ("pPresentationParameters", present_parameters(2, 2)), ("ppReturnedDeviceInterface", [Pointer(0x100)])])
    device("CreateVertexBuffer", 60, 0, XYZRHW_DIFFUSE, 0, [Pointer(0x200)], None)
    method("VertexBuffer", "Lock", 0x200, 0, 0, [Pointer(0x9000)], 0)
    c.copy(0x9000, TRIANGLE)
    method("VertexBuffer", "Unlock", 0x200)
    device("CreateTexture", 4, 4, 0, 0, 21, 1, [Pointer(0x210)], None)
    for level, size in ((0, 4), (1, 2)):
        method("Texture", "LockRect", 0x210, level, [{"Pitch": size * 4, "pBits": Pointer(0xA000)}], None, 0)
        c.copy(0xA000, bytes(range(size * size * 4)))
        method("Texture", "UnlockRect", 0x210, level)
    device("CreateCubeTexture", 4, 2, 1, 21, 0, [Pointer(0x220)], None)
    method("CubeTexture", "GetCubeMapSurface", 0x220, 3, 1, [Pointer(0x221)])
    device("CreateVolumeTexture", 4, 4, 2, 1, 0, 21, 1, [Pointer(0x230)], None)
    method("VolumeTexture", "LockBox", 0x230, 0, [{"RowPitch": 16, "SlicePitch": 64, "pBits": Pointer(0xB000)}], None, 0)
    c.copy(0xB000, bytes(128))
    method("VolumeTexture", "UnlockBox", 0x230, 0)
    device("Clear", 0, None, 3, 0xFF202020, 1.0, 0)
    device("SetRenderTarget", 0, Pointer(0x221))
    device("Clear", 1, rectangle(0, 0, 1, 1), 1, 0xFFFFFFFF, 1.0, 0)
    device("GetBackBuffer", 0, 0, 0, [Pointer(0x240)])
    device("SetRenderTarget", 0, Pointer(0x240))
    for state, value in ((137, 0), (22, 1), (28, 0), (7, 1)):
        device("SetRenderState", state, value)
    device("SetTexture", 0, Pointer(0x210))
    device("SetSamplerState", 0, 6, 2)
    device("SetFVF", XYZRHW_DIFFUSE)
    device("SetStreamSource", 0, Pointer(0x200), 0, 20)
    device("DrawPrimitive", 4, 0, 1)
    device("BeginStateBlock")
    device("SetTextureStageState", 0, 1, 2)
    device("EndStateBlock", [Pointer(0x250)])
    method("StateBlock", "Apply", 0x250)
    device("DrawIndexedPrimitiveUP", 4, 0, 3, 1, struct.pack("<3H", 0, 1, 2), 101, TRIANGLE, 20)
    device("SetTexture", 0, None)
    device("Present", None, None, None, None)
    device("DrawPrimitiveUP", 1, 3, TRIANGLE, 20)
    device("CreateVertexBuffer", 36, 0, 2, 0, [Pointer(0x260)], None)
    device("SetStreamSource", 0, Pointer(0x260), 0, 12)
    device("SetFVF", 2)
    device("ProcessVertices", 0, 0, 3, Pointer(0x200), None, 0)
    device("CreateOffscreenPlainSurface", 64, 64, 21, 2, [Pointer(0x270)], None)
    device("GetRenderTargetData", Pointer(0x240), Pointer(0x270))
    method("Surface", "LockRect", 0x270, [{"Pitch": 256, "pBits": Pointer(0xC000)}], None, 0x10)
    method("Surface", "UnlockRect", 0x270)
    method("Surface", "GetDC", 0x270, [Pointer(9)])
    device("Teleport")
    device("SetViewport", [{"X": 0, "Y": 0, "Width": 999, "Height": 9, "MinZ": 0.0, "MaxZ": 1.0}], result=Enumerator(0x8876086C))
    method("Texture", "Release", 0x210, result=0)
    c.call("IDirect3DDevice9::Release", [DEVICE], 0)
    return c


def direct3d8():
    """Shaders by number, CopyRects, a reset."""
    c = Capture()

    def device(name, *arguments, result=Enumerator(SUCCESS)):
        c.call("IDirect3DDevice8::" + name, [DEVICE] + [("a%d" % i, value) for i, value in enumerate(arguments)], result)

    c.call("IDirect3D8::CreateDevice", [("this", Pointer(0x50)), ("Adapter", 0), ("DeviceType", 1), ("hFocusWindow", Pointer(5)), ("BehaviorFlags", 0x40),
                                        ("pPresentationParameters", present_parameters()), ("ppReturnedDeviceInterface", [Pointer(0x100)])])
    device("SetVertexShader", XYZRHW_DIFFUSE)
    device("Clear", 0, None, 1, 0xFF00FF00, 1.0, 0)
    device("DrawPrimitiveUP", 4, 1, TRIANGLE, 20)
    device("CreateImageSurface", 64, 64, 21, [Pointer(0x200)])
    device("GetBackBuffer", 0, 0, [Pointer(0x210)])
    device("CopyRects", Pointer(0x210), rectangle(0, 0, 32, 32), 1, Pointer(0x200), [{"x": 8, "y": 8}])
    c.call("IDirect3DSurface8::LockRect", [("this", Pointer(0x200)), ("a", [{"Pitch": 256, "pBits": Pointer(0x9000)}]), ("b", None), ("c", 0x10)])
    c.call("IDirect3DSurface8::UnlockRect", [("this", Pointer(0x200))])
    device("Present", None, None, None, None)
    device("Reset", present_parameters())
    device("Clear", 0, None, 3, 0xFF0000FF, 1.0, 0)
    device("Present", None, None, None, None)
    return c


def surface_description(width, height, caps, flags=0x1007, back_buffers=0):
    """A DDSURFACEDESC2 of 32 bits without alpha."""
    return [{"dwFlags": flags, "dwWidth": width, "dwHeight": height, "dwBackBufferCount": back_buffers,
             "ddpfPixelFormat": {"dwFlags": 0x40, "dwRGBBitCount": 32, "dwRBitMask": 0xFF0000, "dwGBitMask": 0xFF00, "dwBBitMask": 0xFF},
             "ddsCaps": {"dwCaps": caps, "dwCaps2": 0, "dwCaps3": 0, "dwCaps4": 0}}]


def direct_draw7():
    """A flip chain, Direct3D 7, a blit with a colour key; a device before Direct3D 7."""
    c = Capture()

    def method(interface, name, this, *arguments, result=Enumerator(SUCCESS)):
        c.call("I%s::%s" % (interface, name), [("this", Pointer(this))] + [("a%d" % i, value) for i, value in enumerate(arguments)], result)

    c.call("DirectDrawCreateEx", [("lpGuid", None), ("lplpDD", [Pointer(0x50)]), ("iid", None), ("pUnkOuter", None)])
    method("DirectDraw7", "SetDisplayMode", 0x50, 64, 64, 32, 0, 0)
    method("DirectDraw7", "CreateSurface", 0x50, surface_description(64, 64, 0x2218, 0x1027, 1), [Pointer(0x100)], None)
    method("DirectDrawSurface7", "GetAttachedSurface", 0x100, [{"dwCaps": 4, "dwCaps2": 0, "dwCaps3": 0, "dwCaps4": 0}], [Pointer(0x110)])
    method("DirectDraw7", "QueryInterface", 0x50, None, [Pointer(0x120)])
    method("Direct3D7", "CreateDevice", 0x120, None, Pointer(0x110), [Pointer(0x130)])
    method("Direct3DDevice7", "Clear", 0x130, 0, None, 1, 0xFF404040, 1.0, 0)
    method("Direct3DDevice7", "BeginScene", 0x130)
    method("Direct3DDevice7", "DrawPrimitive", 0x130, 4, XYZRHW_DIFFUSE, TRIANGLE, 3, 0)
    method("Direct3DDevice7", "EndScene", 0x130)
    method("DirectDrawSurface7", "Flip", 0x100, None, 0)
    method("DirectDrawSurface7", "Lock", 0x100, None, surface_description(64, 64, 0x200), 0x11, None)
    method("DirectDrawSurface7", "Unlock", 0x100, None)
    method("Direct3DDevice3", "DrawPrimitive", 0x999, 4, XYZRHW_DIFFUSE, TRIANGLE, 3, 0)
    return c


def main():
    """Writes all captures."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (direct3d9, direct3d8, direct_draw7):
        (folder / (make.__name__.replace("_", "-") + ".trace")).write_bytes(make().out)


if __name__ == "__main__":
    sys.exit(main())
