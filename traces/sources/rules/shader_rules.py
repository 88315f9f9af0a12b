"""Shaders that break one rule each, with the place of the finding, and their legal twins."""

from ..assembly import END, Code
from ..dp2 import Stream, dwords, with_tail
from ..malformed import Case
from ..packets import Packets
from ..trace import Trace

VS_1_1, VS_2_0, PS_1_1 = 0xFFFE0101, 0xFFFE0200, 0xFFFF0101
MOV_POSITION = (1, 0xC00F0000, 0x90E40000)  # mov oPos, v0
LAST = -1  # the END token

# Bytes of the token before the code: header, record.
CODE_AT = 12


def token(code, is_pixel):
    """A stream that creates the shader."""
    name = "CREATEPIXELSHADER" if is_pixel else "CREATEVERTEXSHADERFUNC"
    return Stream().op(name, with_tail(1, len(code), tail=code))


def trace_of(code, is_pixel, **fields):
    """A trace that creates the shader."""
    return Trace(None).target().context().dp2(token(code, is_pixel), **fields)


def repeated(head, line, count):
    """A shader with one line many times."""
    return head + f"; {line}" * count


# (rule, name, assembly, line of the finding: 0 is the version)
BROKEN = (
    (11, "frc-in-ps-1-1", "ps_1_1; mov r0, v0; frc r0, r0", 2),
    (12, "output-is-read", "vs_1_1; mov oPos, v0; mov r0, oPos", 2),
    (12, "coordinate-is-computed-with", "ps_1_4; texld r0, t0; mul r0, r0, t1", 2),
    (13, "input-is-written", "ps_1_1; mov r0, v0; mov v1, r0", 2),
    (13, "colour-output-by-add", "ps_2_0; def c0, 1, 1, 1, 1; mov oC0, c0; add oC1, c0, c0", 3),
    (14, "r2-of-ps-1-1", "ps_1_1; mov r0, v0; mov r2, v0", 2),
    (14, "c8-of-ps-1-1", "ps_1_1; mov r0, c8", 1),
    (16, "bx2-in-a-vertex-shader", "vs_1_1; mov oPos, v0_bx2", 1),
    (16, "abs-in-ps-2-0", "ps_2_0; mov r0, c0_abs; mov oC0, r0", 1),
    (17, "sat-in-vs-2-0", "vs_2_0; dcl_position v0; mov_sat oPos, v0", 2),
    (18, "x2-in-ps-2-0", "ps_2_0; mov_x2 r0, c0; mov oC0, r0", 1),
    (18, "x8-in-ps-1-1", "ps_1_1; mov_x8 r0, c0", 1),
    (19, "red-in-ps-1-1", "ps_1_1; mov r0, c0.r", 1),
    (19, "yyxx-in-ps-2-0", "ps_2_0; mov r0, c0.yyxx; mov oC0, r0", 1),
    (20, "rcp", "vs_2_0; rcp r0, c0; mov oPos, r0", 1),
    (21, "constant-of-a-pixel-shader",
     "ps_3_0; loop aL, i0; mov r0, c[aL]; endloop; mov oC0, r0", 2),
    (22, "a1", "vs_2_0; dcl_position v0; mov oPos, v0; mov r0, c[a1.x]", 3),
    (23, "vs-2-0", "vs_2_0; dcl_position v0; (p0) mov oPos, v0", 2),
    (24, "vertex-shader", "vs_1_1; mov oPos, v0; +mov r0, v0", 2),
    (24, "first-instruction", "ps_1_1; +mov r0, v0", 1),
    (25, "comparison-0", "ps_3_0; setp p0, c0, c0; mov oC0, c0", 1),
    (27, "two-constants", "vs_1_1; add oPos, c0, c1", 1),
    (27, "one-constant-and-a-relative-one",
     "vs_1_1; mov a0.x, c0.x; add oPos, c1, c[a0.x + 1]", 2),
    (27, "three-constants", "ps_1_1; mad r0, c0, c1, c2", 1),
    (28, "m4x4", "vs_1_1; m4x4 oPos, v0, c253", 1),
    (29, "crs", "vs_2_0; dcl_position v0; mov oPos, v0; mov r0, v0; crs r0.xyz, r0, v0", 4),
    (30, "frc", "vs_1_1; mov oPos, v0; frc r0.z, v0", 2),
    (30, "crs", "ps_2_0; mov r0, c0; crs r1, r0, c0; mov oC0, r0", 2),
    (31, "def", "ps_1_1; mov r0, v0; def c0, 1, 1, 1, 1", 2),
    (32, "def", "ps_1_1; def c0, 1, 1, 1, 1; def c0, 1, 1, 1, 1; mov r0, v0", 2),
    (33, "one-component", "ps_2_0; dcl t0; dcl t0.x; mov oC0, t0", 2),
    (35, "no-type", "ps_2_0; dcl s0; mov oC0, c0", 1),
    (36, "input", "vs_2_0; mov oPos, v0", 1),
    (36, "sampler", "ps_2_0; dcl t0; texld r0, t0, s0; mov oC0, r0", 2),
    (36, "position-of-the-pixel", "ps_3_0; mov oC0, vPos.xyxy", 1),
    (37, "two-positions", "vs_2_0; dcl_position v0; dcl_position v1; mov oPos, v0", 2),
    (38, "129-of-vs-1-1", repeated("vs_1_1", "mov oPos, v0", 129), 129),
    (38, "33-matrices-of-vs-1-1", repeated("vs_1_1", "m4x4 oPos, v0, c0", 33), 33),
    (38, "9-of-ps-1-1", repeated("ps_1_1", "mov r0, v0", 9), 9),
    (38, "65-of-ps-2-0", repeated("ps_2_0; dcl v0", "mov r0, v0", 64) + "; mov oC0, r0", 66),
    (39, "33-of-ps-2-0",
     repeated("ps_2_0; dcl t0; dcl_2d s0; mov oC0, c0", "texld r0, t0, s0", 33), 36),
    (40, "never-written", "ps_1_1; add r0, r0, v0", 1),
    (40, "one-component-not-written",
     "ps_2_0; mov r0.xy, c0; dp3 r1, r0, c0; mov oC0, r1", 2),
    (41, "colour-only", "vs_1_1; mov oD0, v0", LAST),
    (41, "no-declared-position", "vs_3_0; dcl_color o0; mov o0, c0", LAST),
    (42, "r1-only", "ps_1_1; mov r1, v0", LAST),
    (42, "second-colour-only", "ps_3_0; mov oC1, c0", LAST),
    (43, "x-of-the-second-colour", "ps_2_0; mov oC0, c0; mov oC1.x, c0", 2),
    (44, "two-markers", "ps_1_4; phase; phase; mov r0, v0", 2),
    (45, "tex", "ps_1_1; mov r0, v0; tex t0", 2),
    (46, "tex", "ps_1_1; tex t0; tex t0; mov r0, t0", 2),
    (47, "pad-alone", "ps_1_1; tex t0; texm3x2pad t1, t0; mov r0, t0", 3),
    (47, "no-pad", "ps_1_1; tex t0; texm3x2tex t1, t0; mov r0, t1", 2),
    (47, "gap", "ps_1_1; tex t0; texm3x2pad t1, t0; texm3x2tex t3, t0; mov r0, t3", 3),
    (48, "later-stage", "ps_1_1; tex t1; texbem t0, t1; mov r0, t0", 2),
    (48, "no-result", "ps_1_1; texbem t1, t0; mov r0, t1", 1),
    (49, "both-write-alpha", "ps_1_1; mov r0, v0; +mov r0.a, v0", 2),
    (50, "diffuse", "ps_1_4; mov r0, v0; phase; mov r0, v0", 1),
    (51, "red-of-ps-1-1", "ps_1_1; mov r0, v0; mov r0.r, c0", 2),
    (51, "colour-and-alpha-of-a-texture", "ps_1_1; tex t0.rgb; mov r0, v0", 1),
    (51, "colour-of-texld-in-ps-1-4", "ps_1_4; texld r0.rgb, t0; mov r0, c0", 1),
    (52, "r0", "ps_1_4; mov r0, c0; phase; texdepth r0; mov r0, c0", 3),
    (52, "first-phase", "ps_1_4; mov r5, c0; texdepth r5; phase; mov r0, c0", 2),
    (52, "r5-is-read-behind",
     "ps_1_4; mov r0, c0; phase; texcrd r5.rgb, t0; texdepth r5; mov r0.rgb, r5", 5),
    (53, "endif", "vs_2_0; endif", 1),
    (53, "second-else", "vs_2_0; if b0; else; else; endif", 3),
    (53, "endloop-of-rep", "vs_2_0; rep i0; endloop; endrep", 2),
    (54, "if", "vs_2_0; if b0", 1),
    (55, "inside-if", "vs_3_0; if b0; break; endif", 2),
    (56, "two-loops-of-vs-2-0", "vs_2_0; rep i0; rep i1; mov oPos, c0; endrep; endrep", 2),
    (57, "call", "vs_2_0; call l1; ret", 1),
    (58, "l1", "vs_2_0; ret; label l1; ret; label l1; ret", 4),
    (59, "inside-if", "vs_2_0; if b0; ret; label l1; endif; ret", 3),
    (60, "from-l1-to-l0", "vs_2_0; mov oPos, c0; ret; label l0; ret; label l1; call l0; ret", 6),
    (61, "two-levels-of-vs-2-0",
     "vs_2_0; mov oPos, c0; call l0; ret; label l0; call l1; ret; label l1; ret", 7),
    (62, "no-loop", "vs_2_0; mov oPos, c[aL]", 1),
    (63, "before-the-label", "vs_2_0; call l0; mov oPos, c0; label l0; ret", 3),
    (63, "end-of-the-subroutine",
     "vs_2_0; call l0; mov oPos, c0; ret; label l0; mov r0, c0", 4),
    (64, "texld-behind-a-comparison-of-inputs",
     "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0; mul r0, v0, c0; if_gt v0.x, c0.x;"
     "texld r1, r0, s0; endif", 6),
    (64, "dsx-behind-the-break-of-a-loop",
     "ps_2_x; dcl t0; mul r0, t0, c0; rep i0; break_gt r0.x, c0.x; add r0, r0, c1;"
     "dsx r1, r0; endrep; mov oC0, r0", 6),
    (64, "texld-in-a-subroutine",
     "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0; mul r0, v0, c0; setp_gt p0, r0, c0;"
     "callnz l0, p0.x; ret; label l0; texld r1, r0, s0; ret", 9),
    (65, "predicated", "vs_2_x; dcl_position v0; mov oPos, v0; (p0) mov r0, c0", 3),
    (65, "y-is-not-set",
     "ps_3_0; dcl_texcoord v0; mov oC0, c0; setp_gt p0.x, v0, c0; if p0.y; mov oC0, c1; endif", 4),
    (66, "vs-1-1", "vs_1_1; mov oPos, c[a0.x]", 1),
    (66, "y-is-not-written", "vs_2_0; mova a0.x, c0.x; mov oPos, c[a0.y]", 2),
    (67, "z-of-the-position", "ps_3_0; dcl vPos.xyz; mov oC0, c0", 1),
    (67, "all-of-the-position", "ps_3_0; dcl vPos.xy; mov oC0, vPos", 2),
    (67, "yz-of-the-face", "ps_3_0; dcl vFace.yz; mov oC0, c0", 1),
    (68, "z-of-a-coordinate", "ps_2_0; dcl t0.xy; mov r0, t0; mov oC0, r0", 2),
    (68, "w-of-an-output",
     "vs_3_0; dcl_position v0; dcl_position o0; dcl_texcoord o1.xyz; mov o0, v0; mov o1, v0", 5),
    (69, "position-of-a-pixel-shader", "ps_3_0; dcl_position v0; mov oC0, v0", 1),
    (69, "transformed-position", "vs_2_0; dcl_positiont v0; mov oPos, v0", 1),
    (74, "five-lookups",
     "ps_2_0; dcl t0; dcl_2d s0; texld r0, t0, s0; texld r0, r0, s0; add r1, r0, c0;"
     "texld r0, r1, s0; texld r0, r0, s0; texld r0, r0, s0; mov oC0, r0", 8),
    (75, "17-calls", repeated("vs_2_0; mov oPos, c0", "callnz l0, b0", 17) + "; ret; label l0; ret",
     18),
    (75, "9-conditions-with-else",
     repeated("vs_2_0; mov oPos, c0", "if b0; else; endif", 9), 26),
    (76, "256-times", "vs_2_0; defi i0, 256, 0, 0, 0; rep i0; mov oPos, c0; endrep", 2),
    (76, "step-128", "vs_2_0; defi i0, 1, 0, 128, 0; loop aL, i0; mov oPos, c0; endloop", 2),
    (77, "never-loaded", "ps_1_1; mul r0, v0, t0", 1),
    (77, "killed-only", "ps_1_3; texkill t1; mov r0, t1", 2),
    (78, "mov", "ps_1_4; texld r1, t0; phase; mov r0, r1", 3),
    (79, "twice", "ps_2_0; mov oC0, c0; mov oC0, c1", 2),
    (79, "depth-twice",
     "ps_2_0; mov r0, c0; mov oC0, c0; mov oDepth, r0.x; mov oDepth, r0.y", 4),
    (79, "predicated", "ps_2_x; dcl t0; setp_gt p0, t0, c0; (p0) mov oC0, c0", 3),
    (79, "in-dynamic-flow", "ps_2_x; dcl t0; if_gt t0.x, c0.x; mov oC0, c0; endif", 3),
    (80, "second-is-missing", "ps_2_0; mov oC0, c0; mov oC2, c0", 2),
    (81, "swizzle", "ps_2_0; mov oC0, c0.x", 1),
    (81, "modifier", "ps_2_0; mov oC0, -c0", 1),
    (81, "depth-of-four", "ps_2_0; mov r0, c0; mov oC0, r0; mov oDepth, r0", 3),
)  # fmt: skip

# (rule, name, assembly)
LEGAL = (
    (1, "software-version", "vs_2_sw; mov oPos, c0"),
    (2, "end-behind-the-only-instruction", "vs_1_1; mov oPos, v0"),
    (4, "both-operands", "vs_1_1; mov oPos, v0"),
    (5, "last-opcode", "vs_3_0; dcl_position o0; mov o0, c0; setp_gt p0, c0, c0; rep i0;"
     "breakp p0.x; endrep"),
    (6, "literal-with-bit-31-clear", "ps_1_1; def c0, 1, 1, 1, 1; mov r0, c0"),
    (7, "with-a-token-of-the-address", "vs_2_0; mova a0.x, c0.x; mov oPos, c[a0.x + 1]"),
    (8, "end-is-the-last-token", "vs_1_1; mov oPos, v0"),
    (9, "last-type-and-modifier", "vs_2_x; dcl_position v0; mov oPos, v0; setp_gt p0, v0, c0;"
     "(!p0) mov r0, c0"),
    (10, "pixel-shader", "ps_1_1; mov r0, v0"),
    (10, "vertex-shader", "vs_1_1; mov oPos, v0"),
    (11, "frc-in-ps-2-0", "ps_2_0; frc r0, c0; mov oC0, r0"),
    (12, "texture-is-computed-with", "ps_1_1; tex t0; mul r0, t0, v0"),
    (13, "colour-output-by-mov", "ps_2_0; mov oC0, c0; mov oC1, c0"),
    (14, "last-registers", "ps_1_1; mov r1, c7; mov r0, r1"),
    (15, "one-component", "vs_1_1; mov oPos, v0; mov r0.w, v0"),
    (16, "bx2-in-ps-1-1", "ps_1_1; tex t0; mov r0, t0_bx2"),
    (17, "sat-in-vs-3-0", "vs_3_0; dcl_position v0; dcl_position o0; mov_sat o0, v0"),
    (18, "x4-in-ps-1-1", "ps_1_1; mov_x4 r0, c0"),
    (18, "x8-in-ps-1-4", "ps_1_4; mov_x8 r0, c0"),
    (19, "blue-in-ps-1-1", "ps_1_1; mov r0, c0.b"),
    (19, "wzyx-in-ps-2-0", "ps_2_0; mov r0, c0.wzyx; mov oC0, r0"),
    (20, "rcp", "vs_2_0; rcp r0, c0.w; mov oPos, r0"),
    (21, "input-of-a-pixel-shader", "ps_3_0; dcl_texcoord v0; loop aL, i0; mov r0, v[aL];"
     "endloop; mov oC0, r0"),
    (22, "a0-w", "vs_2_0; mova a0, c0; mov oPos, c[a0.w]"),
    (23, "vs-2-x", "vs_2_x; dcl_position v0; setp_gt p0, v0, c0; mov oPos, v0;"
     "(p0) mov oPos.x, c0"),
    (24, "second-instruction", "ps_1_1; mov r0.rgb, v0; +mov r0.a, v0"),
    (25, "comparison-6", "ps_3_0; setp_le p0, c0, c0; mov oC0, c0"),
    (26, "texldb", "ps_2_0; dcl t0; dcl_2d s0; texldb r0, t0, s0; mov oC0, r0"),
    (27, "one-constant-twice", "vs_1_1; add oPos, c1, c1"),
    (27, "two-constants-of-three", "ps_1_1; mad r0, c0, c1, c1"),
    (28, "m4x4", "vs_1_1; m4x4 oPos, v0, c252"),
    (29, "crs", "vs_2_0; dcl_position v0; mov oPos, v0; mov r0, v0; crs r1.xyz, r0, v0"),
    (30, "frc", "vs_1_1; mov oPos, v0; frc r0.xy, v0"),
    (30, "crs", "ps_2_0; mov r0, c0; crs r1.xyz, r0, c0; mov oC0, r0"),
    (31, "def", "ps_1_1; def c0, 1, 1, 1, 1; mov r0, v0"),
    (32, "two-constants", "ps_1_1; def c0, 1, 1, 1, 1; def c1, 1, 1, 1, 1; mov r0, v0"),
    (33, "other-components", "ps_3_0; dcl_texcoord v0.xy; dcl_texcoord1 v0.zw; mov oC0, v0"),
    (34, "last-usage", "vs_2_0; dcl_sample v0; mov oPos, v0"),
    (35, "volume", "ps_2_0; dcl_volume s0; mov oC0, c0"),
    (36, "no-declarations-in-vs-1-1", "vs_1_1; mov oPos, v0"),
    (37, "two-indices", "vs_2_0; dcl_position v0; dcl_position1 v1; mov oPos, v0"),
    (38, "128-of-vs-1-1", repeated("vs_1_1", "mov oPos, v0", 128)),
    (38, "32-matrices-of-vs-1-1", repeated("vs_1_1", "m4x4 oPos, v0, c0", 32)),
    (38, "8-pairs-of-ps-1-1", repeated("ps_1_1", "mov r0.rgb, v0; +mov r0.a, v0", 8)),
    (38, "8-per-phase-of-ps-1-4", repeated(repeated("ps_1_4", "mov r0, c0", 8) + "; phase",
                                           "mov r0, c0", 8)),
    (39, "32-of-ps-2-0",
     repeated("ps_2_0; dcl t0; dcl_2d s0; mov oC0, c0", "texld r0, t0, s0", 32)),
    (40, "the-components-that-are-read",
     "ps_2_0; mov r0.xy, c0; dp2add r1, r0, c0, c0.x; mov oC0, r1"),
    (41, "one-component", "vs_1_1; mov oPos.x, v0"),
    (41, "no-instructions", "vs_1_1"),
    (42, "one-component", "ps_1_1; mov r0.a, v0"),
    (43, "x-in-ps-3-0", "ps_3_0; mov oC0, c0; mov oC1.x, c0"),
    (44, "one-marker", "ps_1_4; phase; mov r0, v0"),
    (45, "next-phase", "ps_1_4; texld r0, t0; mov r0, c0; phase; texld r1, r0; mov r0, r1"),
    (46, "next-phase", "ps_1_4; texld r0, t0; phase; texld r0, r0; mov r0, r0"),
    (47, "pad-and-tex", "ps_1_1; tex t0; texm3x2pad t1, t0; texm3x2tex t2, t0; mov r0, t2"),
    (48, "earlier-stage", "ps_1_1; tex t0; texbem t1, t0; mov r0, t1"),
    (49, "colour-and-alpha", "ps_1_1; mov r0.rgb, v0; +mov r0.a, v1"),
    (50, "diffuse-in-the-second-phase", "ps_1_4; mov r0, c0; phase; mul r0, v0, c0"),
    (51, "alpha-of-ps-1-1", "ps_1_1; mov r0, v0; mov r0.a, c0"),
    (51, "colour-of-texcrd-in-ps-1-4", "ps_1_4; texcrd r0.rgb, t0; mov r0, c0"),
    (52, "r5-of-the-second-phase",
     "ps_1_4; mov r0, c0; phase; texcrd r5.rgb, t0; texdepth r5; mov r0, c0"),
    (53, "else-and-endif", "vs_2_0; mov oPos, c0; if b0; else; endif"),
    (54, "closed-by-the-last-instruction", "vs_2_0; mov oPos, c0; if b0; endif"),
    (55, "inside-rep", "vs_3_0; dcl_position o0; mov o0, c0; rep i0; if b0; break; endif; endrep"),
    (56, "four-loops-of-vs-3-0", "vs_3_0; dcl_position o0; rep i0; rep i1; rep i2; rep i3;"
     "mov o0, c0; endrep; endrep; endrep; endrep"),
    (57, "call", "vs_2_0; mov oPos, c0; call l1; ret; label l1; ret"),
    (58, "l1-and-l2", "vs_2_0; mov oPos, c0; ret; label l1; ret; label l2; ret"),
    (59, "behind-endif", "vs_2_0; mov oPos, c0; if b0; endif; ret; label l1; ret"),
    (60, "forward", "vs_2_x; mov oPos, c0; call l0; ret; label l0; call l1; ret; label l1; ret"),
    (61, "four-levels-of-vs-3-0", "vs_3_0; dcl_position o0; mov o0, c0; call l0; ret; label l0;"
     "call l1; ret; label l1; call l2; ret; label l2; call l3; ret; label l3; ret"),
    (62, "in-a-subroutine", "vs_2_0; loop aL, i0; call l0; endloop; ret; label l0;"
     "mov oPos, c[aL]; ret"),
    (63, "both-end-with-ret", "vs_2_0; call l0; ret; label l0; mov oPos, c0; ret"),
    (64, "coordinate-of-the-vertex", "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0;"
     "if_gt v0.x, c0.x; texld r1, v0, s0; endif"),
    (64, "explicit-level", "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0; mul r0, v0, c0;"
     "if_gt v0.x, c0.x; texldl r1, r0, s0; endif"),
    (64, "same-condition-for-all", "ps_3_0; dcl_texcoord v0; dcl_2d s0; mov oC0, c0;"
     "mul r0, v0, c0; mov r1.w, c1.x; rep i0; break_gt r1.w, c0.x; texld r2, r0, s0;"
     "add r1.w, r1.w, c0.y; endrep"),
    (65, "components-that-are-set", "ps_3_0; dcl_texcoord v0; mov oC0, c0; setp_gt p0.x, v0, c0;"
     "(p0.x) mov oC0, c1"),
    (66, "component-that-is-written", "vs_2_0; mova a0.y, c0; mov oPos, c[a0.y]"),
    (67, "two-numbers-and-one", "ps_3_0; dcl vPos.xy; dcl vFace; add r0, vPos.xyyx, vFace.x;"
     "mov oC0, r0"),
    (68, "components-of-two-declarations",
     "ps_3_0; dcl_texcoord v0.xy; dcl_color v0.zw; mov oC0, v0"),
    (69, "second-position", "ps_3_0; dcl_position1 v0; mov oC0, v0"),
    (74, "four-lookups", "ps_2_0; dcl t0; dcl_2d s0; texld r0, t0, s0; texld r0, r0, s0;"
     "texld r0, r0, s0; texld r0, r0, s0; texld r1, t0, s0; add r0, r0, r1; mov oC0, r0"),
    (75, "16-calls",
     repeated("vs_2_0; mov oPos, c0", "callnz l0, b0", 16) + "; ret; label l0; ret"),
    (75, "17-of-vs-3-0",
     repeated("vs_3_0; dcl_position o0; mov o0, c0", "if b0; endif", 17)),
    (76, "255-times", "vs_2_0; defi i0, 255, 255, -128, 0; loop aL, i0; mov oPos, c0; endloop"),
    (77, "loaded", "ps_1_1; texcoord t0; mul r0, v0, t0"),
    (77, "written", "ps_1_1; mov t0, v0; mul r0, v0, t0"),
    (78, "colour", "ps_1_4; texld r1, t0; phase; mov r0.rgb, r1; mov r0.a, c0.a"),
    (79, "in-static-flow", "ps_2_x; if b0; mov oC0, c0; endif"),
    (80, "three-in-any-order", "ps_2_0; mov oC2, c0; mov oC1, c0; mov oC0, c0"),
    (81, "depth-of-one", "ps_2_0; mov r0, c0; mov oC0, r0; mov oDepth, r0.x"),
)  # fmt: skip


def case(number, name, code, offset, is_pixel=False, **fields):
    """One file; `offset` counts from the start of the code."""
    rule = f"DP2-SHADER-{number:03}"
    trace = trace_of(code, is_pixel, **fields)
    place = fields.get("command_offset", 0) + CODE_AT + offset
    return Case(rule, name, trace, [(rule, f"{len(trace.events) - 1}+{place:#x}")])


def token_cases():
    """Codes that no assembler writes."""
    yield case(1, "version-4-1", dwords(0xFFFE0401, END), 0)
    yield case(5, "opcode-99", dwords(VS_1_1, 99, END), 4)
    yield case(7, "one-word-less", dwords(VS_2_0, 0x01000001, 0xC00F0000, END), 4)
    yield case(7, "one-word-more",
               dwords(VS_2_0, 0x03000001, 0xC00F0000, 0xA0E40000, 0xA0E40000, END), 4)  # fmt: skip
    yield case(8, "one-word", dwords(VS_1_1, MOV_POSITION, END, 0), 20)
    yield case(9, "register-type-28", dwords(VS_1_1, 1, 0xC00F1800, 0x90E40000, END), 4)
    yield case(9, "modifier-14", dwords(VS_1_1, 1, 0xC00F0000, 0x9EE40000, END), 4)
    yield case(15, "mov", dwords(VS_1_1, MOV_POSITION, 1, 0x80000000, 0x90E40000, END), 16)
    yield case(26, "mov", dwords(PS_1_1, 0x00010001, 0x800F0000, 0x90E40000, END), 4, True)
    yield case(34, "usage-14",
               dwords(VS_2_0, 0x0200001F, 0x8000000E, 0x900F0000, 0x02000001, 0xC00F0000,
                      0x90E40000, END), 4)  # fmt: skip


def place_cases():
    """The place of the code in other tokens and buffers."""
    code = Code("vs_1_1; mov oPos, v0; mov r0, oPos").data
    good = Code("vs_1_1; mov oPos, v0").data
    rule = "DP2-SHADER-012"
    yield case(12, "with-command-offset", code, 16, command_offset=64)

    stream = Stream().op("CREATEVERTEXSHADERFUNC", with_tail(1, len(good), tail=good),
                         with_tail(2, len(code), tail=code))  # fmt: skip
    trace = Trace(None).target().context().dp2(stream)
    yield Case(rule, "second-record", trace, [(rule, f"3+{CODE_AT + len(good) + 8 + 16:#x}"),
                                            ("DP2-COUNT-006", "3+0x0")])  # fmt: skip

    declaration = dwords(0x20000000, 0x40020000, 0xFFFFFFFF)
    stream = Stream().op("CREATEVERTEXSHADER", with_tail(
        17, len(declaration), len(code), tail=declaration + code))  # fmt: skip
    trace = Trace(None, 8).target().context().dp2(stream)
    yield Case(rule, "behind-a-declaration", trace, [(rule, f"3+{16 + len(declaration) + 16:#x}")])

    packets = Packets(None, 64)
    packets.render(command_buffer=bytes(token(code, False).data), status=None)
    event = len(packets.trace.events) - 1
    yield Case(rule, "packet", packets.end(), [(rule, f"{event}+{CODE_AT + 16:#x}")])


def cases():
    """Yields every Case."""
    yield from token_cases()
    yield from place_cases()
    for number, name, text, line in BROKEN:
        code = Code(text)
        yield case(number, name, code.data, code.offsets[line], text.startswith("ps"))


def accepted():
    """Yields (rule, name, Trace): shaders that only just do not break the rule."""
    comment = dwords(VS_1_1, MOV_POSITION, 0x0001FFFE, 0, END)
    yield "DP2-SHADER-003", "comment-up-to-the-end-token", trace_of(comment, False)
    for number, name, text in LEGAL:
        rule = f"DP2-SHADER-{number:03}"
        yield rule, name, trace_of(Code(text).data, text.startswith("ps"))
