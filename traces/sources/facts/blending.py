"""B: blending, alpha test, colour fill, clears."""

from ..dp2 import dwords
from . import names, shading
from .names import COMPUTERECTS, DESTALPHA, INVDESTALPHA, INVSRCALPHA, SRCALPHA, TARGET, UNIT
from .registry import fact

RED, GREEN, BLUE, WHITE = 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF


@fact("B1", 1)
def source_alpha(s):
    """Green of alpha .25 over red"""
    s.clear(RED).blend(SRCALPHA, INVSRCALPHA).quad(color=0x4000FF00).expect(8, 8, "bf4000")


def destination_alpha(s):
    """Blue over red of alpha .5 with the factors DESTALPHA and INVDESTALPHA."""
    return s.clear(0x80FF0000).blend(DESTALPHA, INVDESTALPHA).quad(color=BLUE)


@fact("B2", 1, pixel_format="A8R8G8B8")
def stored_alpha(s):
    """DESTALPHA factors on a target with alpha"""
    destination_alpha(s).expect(8, 8, "7f0080")


@fact("B3", 1)
def missing_alpha(s):
    """DESTALPHA factors on a target without alpha: it reads 1"""
    destination_alpha(s).expect(8, 8, "0000ff")


def antialiased(s, color):
    """Green of alpha 7f over red of alpha cc, with ANTIALIASEDLINEENABLE off and on."""
    for enabled in (0, 1):
        s.clear(0xCCFF0000).states(ANTIALIASEDLINEENABLE=enabled).quad(color=0x7F00FF00)
        s.expect(8, 8, color).present()


@fact("B4", 1, pixel_format="A8R8G8B8")
def antialiased_blending(s):
    """Factors SRCALPHA and DESTALPHA"""
    s.blend(SRCALPHA, DESTALPHA)
    antialiased(s, "cc7f00")


@fact("B5", 1, pixel_format="A8R8G8B8")
def antialiased_without_blending(s):
    """Without blending: green, ANTIALIASEDLINEENABLE changes nothing"""
    antialiased(s, "00ff00")


# ---- alpha and depth test ----


@fact("B6", size=(36, 4))
def alpha_test(s):
    """The alpha test over alpha 80: three references, six functions"""
    s.clear().show_texture(s.texture((1, 1), dwords(0x8000FF00))).states(ALPHATESTENABLE=1)
    compare = {
        names.LESS: lambda a, b: a < b, names.LESSEQUAL: lambda a, b: a <= b,
        names.EQUAL: lambda a, b: a == b, names.NOTEQUAL: lambda a, b: a != b,
        names.GREATER: lambda a, b: a > b, names.GREATEREQUAL: lambda a, b: a >= b,
    }  # fmt: skip
    left = 0
    for reference in (0x70, 0x80, 0x90):
        for function, passes in compare.items():
            s.states(ALPHAREF=reference, ALPHAFUNC=function).quad(
                (left, 0, left + 2, 4), sets=[UNIT]
            )
            s.expect(left, 2, "00ff00" if passes(0x80, reference) else "000000")
            left += 2


@fact("B7")
def wide_reference(s):
    """Of an alpha reference the low eight bits count: ff70 acts as 70"""
    s.clear().states(ALPHATESTENABLE=1, ALPHAREF=0xFF70, ALPHAFUNC=names.GREATER)
    s.quad((0, 0, 8, 16), color=0x8000FF00).quad((8, 0, 16, 16), color=0x7000FF00)
    s.expect(4, 8, "00ff00").expect(12, 8, "000000")


@fact("B8", depth="D24S8")
def no_depth_write(s):
    """ZENABLE off and ZWRITEENABLE on: no depth is written"""
    s.clear_all().states(ZENABLE=0, ZWRITEENABLE=1).quad(z=0.1, color=RED)
    s.states(ZENABLE=1).quad(z=0.9, color=GREEN).expect(8, 8, "00ff00")


# ---- colour fill ----


def filled(s, rows):
    """COLORFILL of deadbeef into surfaces of several formats."""
    for pixel_format, color in rows:
        surface = s.target(pixel_format)
        s.op("COLORFILL", (surface, (0, 0, 16, 16), 0xDEADBEEF)).read(surface)
        s.expect_read(0, 0, color).expect_read(15, 15, color)


@fact("B9")
def fill_integer(s):
    """COLORFILL of A8R8G8B8, R5G6B5 (adfd) and G16R16 (bebeadad)"""
    filled(s, (("A8R8G8B8", "deadbeef"), ("R5G6B5", "adbeef"), ("G16R16", "adbeff")))


@fact("B10", 2)
def fill_sixteen_bits(s):
    """COLORFILL of A16B16G16R16 and A16B16G16R16F"""
    filled(s, (("A16B16G16R16", "deadbeef"), ("A16B16G16R16F", "deadbeef")))


@fact("B11", 2)
def fill_float(s):
    """COLORFILL of R32F, R16F and G16R16F"""
    filled(s, (("R32F", "adffff"), ("R16F", "adffff"), ("G16R16F", "adbeff")))


# ---- clears ----

PURE = {"size": (64, 48), "pure_device": True}


@fact("B12")
def inverted_rectangle(s):
    """Clear of a rectangle upside down and of a good one: the first is ignored"""
    s.clear(WHITE).clear(RED, rects=[(0, 16, 8, 8), (0, 0, 8, 8)])
    s.expect(4, 4, "ff0000").expect(4, 12, "ffffff").expect(12, 4, "ffffff").expect(
        12, 12, "ffffff"
    )


@fact("B13")
def inverted_both_ways(s):
    """Clear of a rectangle that is inverted in both directions does nothing"""
    s.clear(WHITE).clear(RED, rects=[(16, 16, 0, 0)]).expect(4, 4, "ffffff").expect(
        12, 12, "ffffff"
    )


@fact("B14", **PURE)
def clear_viewport(s):
    """Clear of a pure device without rectangles clears the viewport"""
    s.clear(WHITE).op("VIEWPORTINFO", (16, 12, 16, 12)).clear(BLUE, TARGET | COMPUTERECTS, rects=[])
    s.expect(16, 12, "0000ff").expect(31, 23, "0000ff")
    for x, y in ((15, 12), (16, 11), (32, 23), (31, 24)):
        s.expect(x, y, "ffffff")


def clipped_clear(s, left, top, right, bottom):
    """Only this area is green."""
    s.expect(left, top, "00ff00").expect(right - 1, bottom - 1, "00ff00")
    for x, y in ((left - 1, top), (left, top - 1), (right, top), (left, bottom)):
        s.expect(x, y, "ffffff")


@fact("B15", **PURE)
def clear_in_viewport(s):
    """Clear of a rectangle by a pure device is clipped to the viewport"""
    s.clear(WHITE).op("VIEWPORTINFO", (32, 24, 31, 23))
    clipped_clear(s.clear(GREEN, TARGET | COMPUTERECTS, rects=[(16, 12, 48, 36)]), 32, 24, 48, 36)


@fact("B16", **PURE)
def clear_in_scissor(s):
    """Clear is clipped to the scissor rectangle"""
    s.clear(WHITE).op("SETSCISSORRECT", ((10, 8, 30, 20),)).states(SCISSORTESTENABLE=1)
    clipped_clear(s.clear(GREEN, TARGET | COMPUTERECTS, rects=[]), 10, 8, 30, 20)


@fact("B17")
def clear_ignores_mask(s):
    """Clear ignores COLORWRITEENABLE"""
    s.clear(WHITE).states(COLORWRITEENABLE=2).clear(BLUE).expect(8, 8, "0000ff")


@fact("B18", **PURE)
def clear_counts(s):
    """No rectangles: nothing without COMPUTERECTS, the whole viewport with it"""
    s.clear(WHITE).clear(RED, rects=[]).expect(32, 24, "ffffff").present()
    s.clear(GREEN, TARGET | COMPUTERECTS, rects=[])
    s.expect(0, 0, "00ff00").expect(63, 47, "00ff00")


@fact("B19", **PURE)
def clear_each_in_viewport(s):
    """Each of several rectangles is clipped to the viewport"""
    s.clear(WHITE).op("VIEWPORTINFO", (16, 12, 32, 24))
    s.clear(GREEN, TARGET | COMPUTERECTS, rects=[(0, 0, 24, 20), (40, 30, 64, 48)])
    for x, y in ((16, 12), (23, 19), (40, 30), (47, 35)):
        s.expect(x, y, "00ff00")
    for x, y in ((15, 12), (16, 11), (24, 19), (39, 30), (48, 35), (47, 36)):
        s.expect(x, y, "ffffff")


@fact("B20", pixel_format="A8R8G8B8")
def shader_targets(s):
    """A pixel shader that writes oC0 alone leaves the second target as it was; oC1 writes it"""
    second = s.target("A8R8G8B8")
    s.op("SETRENDERTARGET2", (1, second)).clear(0xFF123456)
    pixel = "ps_3_0; def c0, 0, 1, 0, 0; def c1, 0, 0, 1, 1; mov oC0, c0"
    shading.shaders(s, shading.PASS_POSITION_3, pixel)
    s.quad().read(1).expect_read(8, 8, "0000ff00").read(second).expect_read(8, 8, "ff123456")
    shading.pixel_shader(s, f"{pixel}; mov oC1, c1")
    s.quad().read(1).expect_read(8, 8, "0000ff00").read(second).expect_read(8, 8, "ff0000ff")


@fact("B21")
def clear_all_targets(s):
    """Clear colours every target of a group"""
    second = s.target("A8R8G8B8")
    s.op("SETRENDERTARGET2", (1, second)).clear(0xFF123456)
    s.expect(8, 8, "123456").read(second).expect_read(8, 8, "ff123456")


@fact("B22", samples=4, depth="D24S8")
def multisampled_depth(s):
    """The depth of a multisampled surface outlives blending and a resolve"""
    resolved = s.target("X8R8G8B8")
    area = (0, 0, 16, 16)
    s.clear_all(RED).states(ZENABLE=1).quad((0, 0, 8, 16), z=0.25, color=GREEN)
    s.op("BLT", (1, area, 0, resolved, area, 0, 1)).expect(4, 8, "00ff00").expect(
        12, 8, "ff0000"
    ).present(resolved)
    s.blend(names.ONE, names.ONE).quad(z=0.5, color=BLUE)
    s.op("BLT", (1, area, 0, resolved, area, 0, 1)).expect(4, 8, "00ff00").expect(
        12, 8, "ff00ff"
    ).present(resolved)
