"""V: shaders. No fact of this section can do without one."""

from .registry import omit

TEXTS = (
    "cnd of versions 1.1 to 1.3 looks at the alpha of r0 alone",
    "cnd of version 1.4 decides for each component",
    "A pair of co-issued cnd",
    "mova rounds to nearest",
    "mov to a0 in version 1.1 rounds down",
    "sge of vectors",
    "slt of vectors",
    "slt of scalars with swizzles",
    "dp2add with and without saturation",
    "Constants beyond 1 in the versions of pixel and vertex shaders",
    "Indexing with aL in a loop",
    "Nested loops",
    "nrm of three and of two components",
    "nrm of further vectors, in both kinds of shader",
    "nrm scales w, too",
    "Scalar operations without a swizzle read w",
    "exp, rcp, expp, log, logp",
    "sgn",
    "vPos counts pixels from their upper left corner",
    "vFace of a counter-clockwise triangle is negative",
    "dsy of a ramp that rises downwards",
    "A sampler without a texture",
    "Varyings that the vertex shader does not write",
    "Varyings of which only x is written",
    "Transformed vertices with a pixel shader of version 3.0",
    "sincos: the cosine in x, the sine in y",
    "Vertex textures",
    "Vertex elements of half floats",
    "Special floating point values depend on the driver",
    "A vertex shader reads a colour that the declaration lacks",
)
for _index, _text in enumerate(TEXTS, 1):
    omit(f"V{_index}", _text)
