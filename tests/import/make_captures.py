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
        if isinstance(value, str):
            return b"\x07" + text(value)
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
    # What GDI drew here is in the copy of the lock that follows.
    device("CreateOffscreenPlainSurface", 4, 4, 21, 2, [Pointer(0x280)], None)
    method("Surface", "GetDC", 0x280, [Pointer(9)])
    method("Surface", "ReleaseDC", 0x280, Pointer(9))
    method("Surface", "LockRect", 0x280, [{"Pitch": 16, "pBits": Pointer(0xD000)}], None, 0)
    c.copy(0xD000, bytes(range(64)))
    method("Surface", "UnlockRect", 0x280)
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
    """A flip chain, Direct3D 7, a blit with a colour key; a device that nothing made."""
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


IDENTITY = [{"m": [1.0 if i % 5 == 0 else 0.0 for i in range(16)]}]
HAL_DEVICE = "IID_IDirect3DHALDevice"
FVF_TLVERTEX, FVF_LVERTEX = 0x1C4, 0x1E2


def material(red, green, blue):
    """A D3DMATERIAL of this diffuse colour."""
    color = lambda r, g, b: {"r": r, "g": g, "b": b, "a": 1.0}
    return [{"dwSize": 80, "diffuse": color(red, green, blue), "ambient": color(red, green, blue), "specular": color(0.0, 0.0, 0.0),
             "emissive": color(0.0, 0.0, 0.0), "power": 0.0, "hTexture": 0, "dwRampSize": 0}]


def light(kind):
    """A white D3DLIGHT2 along z."""
    return [{"dwSize": 80, "dltType": kind, "dcvColor": {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0},
             "dvPosition": {"x": 0.0, "y": 0.0, "z": 0.0}, "dvDirection": {"x": 0.0, "y": 0.0, "z": 1.0}, "dvRange": 100.0, "dvFalloff": 0.0,
             "dvAttenuation0": 1.0, "dvAttenuation1": 0.0, "dvAttenuation2": 0.0, "dvTheta": 0.0, "dvPhi": 0.0}]


def viewport(clip_x=-1.0, clip_y=1.0, clip_width=2.0, clip_height=2.0):
    """A D3DVIEWPORT2; with scales as its clip volume a D3DVIEWPORT."""
    return [{"dwSize": 44, "dwX": 0, "dwY": 0, "dwWidth": 64, "dwHeight": 64, "a": clip_x, "b": clip_y, "c": clip_width, "d": clip_height,
             "dvMinZ": 0.0, "dvMaxZ": 1.0}]


def lit_vertex(x, y, color, z=0.5):
    """A D3DLVERTEX."""
    return floats(x, y, z) + struct.pack("<3I", 0, color, 0) + floats(x, y)


def screen_vertex(x, y, color):
    """A D3DTLVERTEX."""
    return floats(x, y, 0.5, 1.0) + struct.pack("<2I", color, 0) + floats(0, 0)


def normal_vertex(x, y):
    """A D3DVERTEX that looks at the viewer."""
    return floats(x, y, 0.5, 0, 0, -1, 0, 0)


LIT_TRIANGLE = b"".join(lit_vertex(x, y, 0xFFFF8040) for x, y in ((-1, -1), (0, 1), (1, -1)))
# Its tip lies after the viewer, as a projection sees it.
NEAR_TRIANGLE = b"".join(lit_vertex(x, y, 0xFF40FF80, z) for x, y, z in ((-1, -1, 0.5), (0, 1, -0.5), (1, -1, 0.5)))
SCREEN_TRIANGLE = b"".join(screen_vertex(x, y, 0xFF8080FF) for x, y in ((4, 4), (60, 4), (4, 60)))
NORMAL_TRIANGLE = b"".join(normal_vertex(x, y) for x, y in ((-1, -1), (-1, 1), (1, -1)))


def instruction(opcode, *records):
    """A D3DINSTRUCTION with its records."""
    return struct.pack("<BBH", opcode, len(records[0]) if records else 0, len(records)) + b"".join(records)


def old_program(c, version):
    """What all interfaces before Direct3D 7 share: objects, a target with a depth surface, a texture. Returns the callers."""
    surface_name = "DirectDrawSurface4" if version == 3 else "DirectDrawSurface"
    draw = "DirectDraw4" if version == 3 else "DirectDraw"

    def method(interface, name, this, *arguments, result=Enumerator(SUCCESS)):
        c.call("I%s::%s" % (interface, name), [("this", Pointer(this))] + [("a%d" % i, value) for i, value in enumerate(arguments)], result)

    c.call("DirectDrawCreate", [("lpGUID", None), ("lplpDD", [Pointer(0x50)]), ("pUnkOuter", None)])
    method(draw, "CreateSurface", 0x50, surface_description(64, 64, 0x2040), [Pointer(0x100)], None)
    method(draw, "CreateSurface", 0x50, [{"dwFlags": 0x47, "dwWidth": 64, "dwHeight": 64, "dwZBufferBitDepth": 16, "ddsCaps": {"dwCaps": 0x20000}}],
           [Pointer(0x110)], None)
    method(surface_name, "AddAttachedSurface", 0x100, Pointer(0x110))
    method(draw, "CreateSurface", 0x50, surface_description(4, 4, 0x1000), [Pointer(0x120)], None)
    method(draw, "CreateSurface", 0x50, surface_description(4, 4, 0x1000), [Pointer(0x130)], None)
    method(surface_name, "Lock", 0x120, None, [{"dwFlags": 8, "lPitch": 16, "lpSurface": Pointer(0x9000)}], 0, None)
    c.copy(0x9000, struct.pack("<16I", *range(0xFF00FF, 0xFF00FF + 16)))
    method(surface_name, "Unlock", 0x120, Pointer(0x9000))
    method(surface_name, "QueryInterface", 0x120, "IID_IDirect3DTexture2", [Pointer(0x121)])
    method(surface_name, "QueryInterface", 0x130, "IID_IDirect3DTexture2", [Pointer(0x131)])
    method("Direct3DTexture2", "Load", 0x131, Pointer(0x121))
    return method, surface_name


def scene_objects(method, device_interface, direct3d):
    """A viewport with a background, a material and a light."""
    method(direct3d, "CreateMaterial", 0x60, [Pointer(0x210)], None)
    method("Direct3DMaterial2", "SetMaterial", 0x210, material(0.25, 0.5, 1.0))
    method("Direct3DMaterial2", "GetHandle", 0x210, Pointer(0x200), [1])
    method(direct3d, "CreateViewport", 0x60, [Pointer(0x220)], None)
    method(device_interface, "AddViewport", 0x200, Pointer(0x220))
    method("Direct3DViewport3", "SetBackground", 0x220, 1)
    method(direct3d, "CreateLight", 0x60, [Pointer(0x230)], None)
    method("Direct3DLight", "SetLight", 0x230, light(3))
    method("Direct3DViewport3", "AddLight", 0x220, Pointer(0x230))


def read_back(method, surface_name):
    """A lock that the program reads through."""
    method(surface_name, "Lock", 0x100, None, surface_description(64, 64, 0x40), 0x11, None)
    method(surface_name, "Unlock", 0x100, None)


def direct3d3():
    """Execute buffers with every instruction."""
    c = Capture()
    method, surface_name = old_program(c, 1)
    method(surface_name, "QueryInterface", 0x100, HAL_DEVICE, [Pointer(0x200)])
    method("Direct3DDevice", "GetDirect3D", 0x200, [Pointer(0x60)])
    scene_objects(method, "Direct3DDevice", "Direct3D")
    method("Direct3DViewport3", "SetViewport", 0x220, viewport(32.0, 32.0, 1.0, 1.0))
    method("Direct3DViewport3", "Clear", 0x220, 1, rectangle(0, 0, 64, 64), 3)
    method("Direct3DTexture2", "GetHandle", 0x121, Pointer(0x200), [1])
    method("Direct3DTexture2", "GetHandle", 0x131, Pointer(0x200), [2])
    for handle in (1, 2, 3):
        method("Direct3DDevice", "CreateMatrix", 0x200, [handle])
        method("Direct3DDevice", "SetMatrix", 0x200, handle, IDENTITY)
    vertices = LIT_TRIANGLE + NORMAL_TRIANGLE + SCREEN_TRIANGLE
    pair = lambda a, b: struct.pack("<2I", a, b)
    transform = lambda flags, start, dest: struct.pack("<IHHII", flags, start, dest, 3, 0)
    instructions = (instruction(4, pair(2, 1)) + instruction(5, struct.pack("<3I", 3, 1, 2)) + instruction(6, pair(1, 1), pair(2, 2), pair(3, 3))
                    + instruction(7, pair(1, 1), pair(2, 0x404040)) + instruction(8, pair(22, 1), pair(1, 1), pair(21, 2)) + instruction(10, pair(2, 1))
                    + instruction(9, transform(1, 0, 0), transform(0, 3, 3), transform(2, 6, 6))
                    + instruction(3, struct.pack("<4H", 0, 1, 2, 0x700), struct.pack("<4H", 3, 4, 5, 0x300), struct.pack("<4H", 6, 7, 8, 0))
                    + instruction(2, struct.pack("<2H", 0, 4)) + instruction(1, struct.pack("<2H", 3, 6))
                    + instruction(14, struct.pack("<6I", 1, 0x10, 0, 0, 0, 0)) + instruction(12, struct.pack("<4I", 0x10, 0x10, 0, 32))
                    + instruction(8, pair(8, 2)) + instruction(11))
    size = len(vertices + instructions)
    method("Direct3DDevice", "CreateExecuteBuffer", 0x200, [{"dwSize": 24, "dwFlags": 1, "dwCaps": 0, "dwBufferSize": size, "lpData": None}],
           [Pointer(0x240)], None)
    method("Direct3DExecuteBuffer", "Lock", 0x240, [{"dwSize": 24, "dwFlags": 0, "dwCaps": 0, "dwBufferSize": size, "lpData": None}])
    c.copy(0xA000, vertices + instructions)
    method("Direct3DExecuteBuffer", "Unlock", 0x240)
    method("Direct3DExecuteBuffer", "SetExecuteData", 0x240, [
        {"dwSize": 48, "dwVertexOffset": 0, "dwVertexCount": 9, "dwInstructionOffset": len(vertices), "dwInstructionLength": len(instructions),
         "dwHVertexOffset": 0, "dsStatus": {"dwFlags": 0, "dwStatus": 0, "drExtent": {"x1": 0, "y1": 0, "x2": 0, "y2": 0}}}])
    method("Direct3DDevice", "BeginScene", 0x200)
    method("Direct3DDevice", "Execute", 0x200, Pointer(0x240), Pointer(0x220), 1)
    method("Direct3DDevice", "EndScene", 0x200)
    method("Direct3DDevice", "SwapTextureHandles", 0x200, Pointer(0x121), Pointer(0x131))
    method("Direct3DDevice", "Pick", 0x200, Pointer(0x240), Pointer(0x220), 0, rectangle(0, 0, 1, 1))
    read_back(method, surface_name)
    method("Direct3DDevice", "Release", 0x200, result=0)
    return c


def direct3d5():
    """IDirect3DDevice2: vertex types, lights, states of textures, a vertex that the capture does not hold."""
    c = Capture()
    method, surface_name = old_program(c, 2)
    method("DirectDraw", "QueryInterface", 0x50, "IID_IDirect3D2", [Pointer(0x60)])
    method("Direct3D2", "CreateDevice", 0x60, HAL_DEVICE, Pointer(0x100), [Pointer(0x200)])
    scene_objects(method, "Direct3DDevice2", "Direct3D2")
    method("Direct3DViewport3", "SetViewport2", 0x220, viewport())
    method("Direct3DDevice2", "SetCurrentViewport", 0x200, Pointer(0x220))
    method("Direct3DViewport3", "Clear", 0x220, 1, rectangle(0, 0, 64, 64), 3)
    method("Direct3DTexture2", "GetHandle", 0x121, Pointer(0x200), [1])
    method("Direct3DDevice2", "BeginScene", 0x200)
    for state, value in ((1, 1), (17, 2), (18, 4), (44, 3), (45, 2), (5, 1), (21, 4), (43, 0xFF00FF00), (49, 2), (22, 1), (41, 1), (33, 0), (42, 1)):
        method("Direct3DDevice2", "SetRenderState", 0x200, state, value)
    for state, value in ((1, 1), (2, 0x202020), (4, 3), (5, 0), (6, 0x3F800000)):
        method("Direct3DDevice2", "SetLightState", 0x200, state, value)
    method("Direct3DDevice2", "SetTransform", 0x200, 1, IDENTITY)
    for kind, vertices in ((1, NORMAL_TRIANGLE), (2, LIT_TRIANGLE), (2, NEAR_TRIANGLE), (3, SCREEN_TRIANGLE)):
        method("Direct3DDevice2", "DrawPrimitive", 0x200, 4, kind, vertices, 3, 0)
    method("Direct3DDevice2", "DrawIndexedPrimitive", 0x200, 2, 2, NEAR_TRIANGLE, 3, struct.pack("<4H", 0, 1, 1, 2), 4, 0)
    method("Direct3DDevice2", "Begin", 0x200, 4, 3, 0)
    for at in range(0, 96, 32):
        method("Direct3DDevice2", "Vertex", 0x200, SCREEN_TRIANGLE[at:at + 32])
    method("Direct3DDevice2", "End", 0x200, 0)
    method("Direct3DDevice2", "Begin", 0x200, 4, 3, 0)
    method("Direct3DDevice2", "Vertex", 0x200, Pointer(0x7777))
    method("Direct3DDevice2", "End", 0x200, 0)
    method("Direct3DDevice2", "EndScene", 0x200)
    read_back(method, surface_name)
    method("Direct3DDevice2", "Release", 0x200, result=0)
    return c


def direct3d6():
    """IDirect3DDevice3: texture stages, vertex buffers, strided vertices."""
    c = Capture()
    method, surface_name = old_program(c, 3)
    method("DirectDraw4", "QueryInterface", 0x50, "IID_IDirect3D3", [Pointer(0x60)])
    method("Direct3D3", "CreateDevice", 0x60, HAL_DEVICE, Pointer(0x100), [Pointer(0x200)], None)
    scene_objects(method, "Direct3DDevice3", "Direct3D3")
    method("Direct3DViewport3", "SetViewport2", 0x220, viewport())
    method("Direct3DDevice3", "SetCurrentViewport", 0x200, Pointer(0x220))
    method("Direct3DViewport3", "Clear2", 0x220, 1, rectangle(0, 0, 64, 64), 3, 0xFF102030, 1.0, 0)
    method("Direct3DDevice3", "BeginScene", 0x200)
    method("Direct3DDevice3", "SetRenderState", 0x200, 22, 1)
    method("Direct3DDevice3", "SetTexture", 0x200, 0, Pointer(0x121))
    method("Direct3DDevice3", "SetTextureStageState", 0x200, 0, 1, 4)
    method("Direct3DDevice3", "DrawPrimitive", 0x200, 4, FVF_LVERTEX, NEAR_TRIANGLE, 3, 0)
    method("Direct3D3", "CreateVertexBuffer", 0x60, [{"dwSize": 16, "dwCaps": 0, "dwFVF": FVF_LVERTEX, "dwNumVertices": 3}], [Pointer(0x240)], 0, None)
    method("Direct3D3", "CreateVertexBuffer", 0x60, [{"dwSize": 16, "dwCaps": 0, "dwFVF": FVF_TLVERTEX, "dwNumVertices": 3}], [Pointer(0x250)], 0, None)
    method("Direct3DVertexBuffer", "Lock", 0x240, 0, [Pointer(0xB000)], [96])
    c.copy(0xB000, LIT_TRIANGLE)
    method("Direct3DVertexBuffer", "Unlock", 0x240)
    method("Direct3DVertexBuffer", "ProcessVertices", 0x250, 1, 0, 3, Pointer(0x240), 0, Pointer(0x200), 0)
    method("Direct3DDevice3", "DrawPrimitiveVB", 0x200, 4, Pointer(0x240), 0, 3, 0)
    method("Direct3DDevice3", "DrawIndexedPrimitiveVB", 0x200, 4, Pointer(0x250), struct.pack("<3H", 0, 1, 2), 3, 0)
    element = lambda data, stride: {"lpvData": data, "dwStride": stride}
    nothing = element(b"", 0)
    strided = [{"position": element(floats(-1, -1, 0.5, 0, 1, 0.5, 1, -1, 0.5), 12), "normal": nothing,
                "diffuse": element(struct.pack("<3I", 0xFFFF0000, 0xFF00FF00, 0xFF0000FF), 4), "specular": nothing, "textureCoords": [nothing] * 8}]
    method("Direct3DDevice3", "DrawPrimitiveStrided", 0x200, 4, 0x42, strided, 3, 0)
    method("Direct3DDevice3", "DrawIndexedPrimitiveStrided", 0x200, 4, 0x42, strided, 3, struct.pack("<3H", 2, 1, 0), 3, 0)
    method("Direct3DDevice3", "EndScene", 0x200)
    method("Direct3DViewport3", "TransformVertices", 0x220, 3, None, 0, None)
    read_back(method, surface_name)
    method("Direct3DDevice3", "Release", 0x200, result=0)
    return c


def main():
    """Writes all captures."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (direct3d9, direct3d8, direct_draw7, direct3d3, direct3d5, direct3d6):
        (folder / (make.__name__.replace("_", "-") + ".trace")).write_bytes(make().out)


if __name__ == "__main__":
    sys.exit(main())
