"""Shader token arrays of the traces, assembled by hand.

Parameter tokens: bit 31, register type in bits 30-28 and 12-11, number in bits 10-0, write mask
0xF0000 of a destination, swizzle 0xE40000 (xyzw) of a source.
"""

from .dp2 import dwords

END = 0x0000FFFF

# destinations
R0 = 0x800F0000
O_POS = 0xC00F0000
O_D0 = 0xD00F0000
O_C0 = 0x800F0800
# sources
SRC_R0 = 0x80E40000
SRC_V0, SRC_V1, SRC_V5 = 0x90E40000, 0x90E40001, 0x90E40005
SRC_C0 = 0xA0E40000
SRC_I0 = 0xF0E40000
SRC_B0 = 0xE0E40800

# declarations of inputs: usage token and register (version 2.0 and later: length in bits 27-24)
DCL = 0x0000001F
DCL_2 = 0x0200001F
USAGE_POSITION, USAGE_TEXCOORD, USAGE_COLOR = 0x80000000, 0x80000005, 0x8000000A
IN_V0, IN_V1, IN_V2 = 0x900F0000, 0x900F0001, 0x900F0002
OUT_O0, OUT_O1 = 0xE00F0000, 0xE00F0001

# Level 8: position from v0, diffuse colour from v5.
VS_1_1 = dwords(
    0xFFFE0101,
    (1, O_POS, SRC_V0),  # mov oPos, v0
    (1, O_D0, SRC_V5),  # mov oD0, v5
    END)  # fmt: skip

# Level 8: position v0 moved by c0, diffuse colour from v5.
VS_1_1_CONST = dwords(
    0xFFFE0101,
    (2, O_POS, SRC_V0, SRC_C0),  # add oPos, v0, c0
    (1, O_D0, SRC_V5),  # mov oD0, v5
    END)  # fmt: skip

# Level 9: position from v0, diffuse colour from v1.
VS_1_1_DCL = dwords(
    0xFFFE0101,
    (DCL, USAGE_POSITION, IN_V0),
    (DCL, USAGE_COLOR, IN_V1),
    (1, O_POS, SRC_V0),
    (1, O_D0, SRC_V1),
    END)  # fmt: skip

# Level 9: the colour of v1 and i0 times c0.
VS_2_0_REP = dwords(
    0xFFFE0200,
    (DCL_2, USAGE_POSITION, IN_V0),
    (DCL_2, USAGE_COLOR, IN_V1),
    (0x02000001, R0, SRC_V1),  # mov r0, v1
    (0x01000026, SRC_I0),  # rep i0
    (0x03000002, R0, SRC_R0, SRC_C0),  # add r0, r0, c0
    0x00000027,  # endrep
    (0x02000001, O_POS, SRC_V0),  # mov oPos, v0
    (0x02000001, O_D0, SRC_R0),  # mov oD0, r0
    END)  # fmt: skip

# Level 9: the colour of v1, or c0 when b0 is FALSE.
VS_2_0_IF = dwords(
    0xFFFE0200,
    (DCL_2, USAGE_POSITION, IN_V0),
    (DCL_2, USAGE_COLOR, IN_V1),
    (0x01000028, SRC_B0),  # if b0
    (0x02000001, O_D0, SRC_V1),  # mov oD0, v1
    0x0000002A,  # else
    (0x02000001, O_D0, SRC_C0),  # mov oD0, c0
    0x0000002B,  # endif
    (0x02000001, O_POS, SRC_V0),  # mov oPos, v0
    END)  # fmt: skip

# Level 9: position v0 moved by v2, colour from v1.
VS_3_0_OFFSET = dwords(
    0xFFFE0300,
    (DCL_2, USAGE_POSITION, IN_V0),
    (DCL_2, USAGE_COLOR, IN_V1),
    (DCL_2, USAGE_TEXCOORD, IN_V2),
    (DCL_2, USAGE_POSITION, OUT_O0),
    (DCL_2, USAGE_COLOR, OUT_O1),
    (0x03000002, OUT_O0, SRC_V0, 0x90E40002),  # add o0, v0, v2
    (0x02000001, OUT_O1, SRC_V1),  # mov o1, v1
    END)  # fmt: skip

# The interpolated diffuse colour.
PS_1_1 = dwords(
    0xFFFF0101,
    (1, R0, SRC_V0),  # mov r0, v0
    END)  # fmt: skip

# The diffuse colour times c0.
PS_1_1_CONST = dwords(
    0xFFFF0101,
    (5, R0, SRC_V0, SRC_C0),  # mul r0, v0, c0
    END)  # fmt: skip

# The diffuse colour and i0 times c0 (version 2.x).
PS_2_X_REP = dwords(
    0xFFFF0201,
    (DCL_2, 0x80000000, IN_V0),
    (0x02000001, R0, SRC_V0),  # mov r0, v0
    (0x01000026, SRC_I0),  # rep i0
    (0x03000002, R0, SRC_R0, SRC_C0),  # add r0, r0, c0
    0x00000027,  # endrep
    (0x02000001, O_C0, SRC_R0),  # mov oC0, r0
    END)  # fmt: skip

# The diffuse colour, or c0 when b0 is FALSE (version 2.x).
PS_2_X_IF = dwords(
    0xFFFF0201,
    (DCL_2, 0x80000000, IN_V0),
    (0x01000028, SRC_B0),  # if b0
    (0x02000001, R0, SRC_V0),  # mov r0, v0
    0x0000002A,  # else
    (0x02000001, R0, SRC_C0),  # mov r0, c0
    0x0000002B,  # endif
    (0x02000001, O_C0, SRC_R0),  # mov oC0, r0
    END)  # fmt: skip

# The diffuse colour, version 3.0.
PS_3_0 = dwords(
    0xFFFF0300,
    (DCL_2, USAGE_COLOR, IN_V0),
    (0x02000001, O_C0, SRC_V0),  # mov oC0, v0
    END)  # fmt: skip

# Level 8 declarations: stream 0, then registers with their data types.
DECL_FIXED = dwords(0x20000000, 0x40020000, 0x40040005, 0xFFFFFFFF)  # FLOAT3 v0, D3DCOLOR v5
