/*
 * dp2trace_capture_dp2.h: the tokens of a DP2 command buffer, for dp2trace_capture.h: their numbers, a walk over them, and the contents of
 * what they read.
 *
 * The runtime fills textures and buffers in system memory itself: a driver sees no Lock and no Unlock of them, and is told to copy them
 * (TEXBLT, VOLUMEBLT, BUFFERBLT, BLT, SURFACEBLT) or to draw from them (streams, indices). d2c_ddraw_dp2() looks for such handles in a call,
 * asks a function of yours what they hold, and records what is unknown or has changed, then the call:
 *
 *   static struct d2c_sources sources;              about 1 KB
 *   static struct d2c_known known[1024];            what was recorded: 20 bytes for each level
 *   d2c_sources_init(&sources, find, driver, known, 1024);
 *   ...
 *   D2C_DDRAW_DP2(&call, 0, p);
 *   d2c_ddraw_dp2(&capture, &sources, &call, &number);
 *   ... the driver ...
 *   D2C_DDRAW_DP2_RESULT(&result, number, p);
 *   d2c_call_result(&capture, &result);
 *
 * and d2c_sources_forget() beside each d2c_surface_destroy(). Source: WDK documentation, D3DHAL_DP2COMMAND and the D3DHAL_DP2 structures.
 */
#ifndef DP2TRACE_CAPTURE_DP2_H
#define DP2TRACE_CAPTURE_DP2_H

#include "dp2trace_capture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* bCommand of a D3DHAL_DP2COMMAND; tests/capture compares it with the table of operations. */
/* clang-format off */
enum {
  D2C_OP_POINTS = 1,
  D2C_OP_INDEXEDLINELIST = 2,
  D2C_OP_INDEXEDTRIANGLELIST = 3,
  D2C_OP_RENDERSTATE = 8,
  D2C_OP_LINELIST = 15,
  D2C_OP_LINESTRIP = 16,
  D2C_OP_INDEXEDLINESTRIP = 17,
  D2C_OP_TRIANGLELIST = 18,
  D2C_OP_TRIANGLESTRIP = 19,
  D2C_OP_INDEXEDTRIANGLESTRIP = 20,
  D2C_OP_TRIANGLEFAN = 21,
  D2C_OP_INDEXEDTRIANGLEFAN = 22,
  D2C_OP_TRIANGLEFAN_IMM = 23,
  D2C_OP_LINELIST_IMM = 24,
  D2C_OP_TEXTURESTAGESTATE = 25,
  D2C_OP_INDEXEDTRIANGLELIST2 = 26,
  D2C_OP_INDEXEDLINELIST2 = 27,
  D2C_OP_VIEWPORTINFO = 28,
  D2C_OP_WINFO = 29,
  D2C_OP_SETPALETTE = 30,
  D2C_OP_UPDATEPALETTE = 31,
  D2C_OP_ZRANGE = 32,
  D2C_OP_SETMATERIAL = 33,
  D2C_OP_SETLIGHT = 34,
  D2C_OP_CREATELIGHT = 35,
  D2C_OP_SETTRANSFORM = 36,
  D2C_OP_EXT = 37,
  D2C_OP_TEXBLT = 38,
  D2C_OP_STATESET = 39,
  D2C_OP_SETPRIORITY = 40,
  D2C_OP_SETRENDERTARGET = 41,
  D2C_OP_CLEAR = 42,
  D2C_OP_SETTEXLOD = 43,
  D2C_OP_SETCLIPPLANE = 44,
  D2C_OP_CREATEVERTEXSHADER = 45,
  D2C_OP_DELETEVERTEXSHADER = 46,
  D2C_OP_SETVERTEXSHADER = 47,
  D2C_OP_SETVERTEXSHADERCONST = 48,
  D2C_OP_SETSTREAMSOURCE = 49,
  D2C_OP_SETSTREAMSOURCEUM = 50,
  D2C_OP_SETINDICES = 51,
  D2C_OP_DRAWPRIMITIVE = 52,
  D2C_OP_DRAWINDEXEDPRIMITIVE = 53,
  D2C_OP_CREATEPIXELSHADER = 54,
  D2C_OP_DELETEPIXELSHADER = 55,
  D2C_OP_SETPIXELSHADER = 56,
  D2C_OP_SETPIXELSHADERCONST = 57,
  D2C_OP_CLIPPEDTRIANGLEFAN = 58,
  D2C_OP_DRAWPRIMITIVE2 = 59,
  D2C_OP_DRAWINDEXEDPRIMITIVE2 = 60,
  D2C_OP_DRAWRECTPATCH = 61,
  D2C_OP_DRAWTRIPATCH = 62,
  D2C_OP_VOLUMEBLT = 63,
  D2C_OP_BUFFERBLT = 64,
  D2C_OP_MULTIPLYTRANSFORM = 65,
  D2C_OP_ADDDIRTYRECT = 66,
  D2C_OP_ADDDIRTYBOX = 67,
  D2C_OP_CREATEVERTEXSHADERDECL = 71,
  D2C_OP_DELETEVERTEXSHADERDECL = 72,
  D2C_OP_SETVERTEXSHADERDECL = 73,
  D2C_OP_CREATEVERTEXSHADERFUNC = 74,
  D2C_OP_DELETEVERTEXSHADERFUNC = 75,
  D2C_OP_SETVERTEXSHADERFUNC = 76,
  D2C_OP_SETVERTEXSHADERCONSTI = 77,
  D2C_OP_SETSCISSORRECT = 79,
  D2C_OP_SETSTREAMSOURCE2 = 80,
  D2C_OP_BLT = 81,
  D2C_OP_COLORFILL = 82,
  D2C_OP_SETVERTEXSHADERCONSTB = 83,
  D2C_OP_CREATEQUERY = 84,
  D2C_OP_SETRENDERTARGET2 = 85,
  D2C_OP_SETDEPTHSTENCIL = 86,
  D2C_OP_RESPONSECONTINUE = 87,
  D2C_OP_RESPONSEQUERY = 88,
  D2C_OP_GENERATEMIPSUBLEVELS = 89,
  D2C_OP_DELETEQUERY = 90,
  D2C_OP_ISSUEQUERY = 91,
  D2C_OP_SETPIXELSHADERCONSTI = 93,
  D2C_OP_SETPIXELSHADERCONSTB = 94,
  D2C_OP_SETSTREAMSOURCEFREQ = 95,
  D2C_OP_SURFACEBLT = 96,
  D2C_OP_SETCONVOLUTIONKERNELMONO = 97,
  D2C_OP_COMPOSERECTS = 98
};
/* clang-format on */

/*
 * What a part of a surface holds: fills in `update`, as by D2C_DDRAW_SURFACE_UPDATE or D2C_DDRAW_BUFFER_UPDATE, and returns 1; 0 where there is
 * no such part, or where its memory is not for the CPU to read. Asked for part 0, 1, ... until it returns 0: one for each level and face.
 */
typedef int(D2C_CALL* d2c_source_fn)(void* user, d2c_u32 space, d2c_u32 handle, d2c_u32 part,
                                     struct d2c_surface_update* update);

/* Contents that are in the trace. */
struct d2c_known {
  d2c_u32 space;
  d2c_u32 handle;
  d2c_u32 part;
  struct d2c_u64 hash;
};

#define D2C_SOURCE_CONTEXTS 4
#define D2C_SOURCE_STREAMS 17 /* the last one: indices */

/* Its members are the recorder's. One for each recorder, with the same lock. */
struct d2c_sources {
  d2c_source_fn find;
  void(D2C_CALL* copied)(void* user, d2c_u32 space,
                         d2c_u32 handle); /* or 0: the call writes this buffer by BUFFERBLT */
  void* user;
  struct d2c_known* known;
  d2c_u32 room;
  d2c_u32 used;
  d2c_u32 next; /* the one that is given up next, where there is no room */
  d2c_u32 next_context;
  struct {
    d2c_u32 space;
    struct d2c_u64 context;
    d2c_u32 handles[D2C_SOURCE_STREAMS];
  } bound[D2C_SOURCE_CONTEXTS];
  struct d2c_surface_update update;
  struct d2c_hash hash;
  /* of the call that is being walked: here, and not on the stack */
  const struct d2c_dp2* call;
  d2c_u32* streams; /* of its context */
  d2c_u32 at;       /* its next token */
  d2c_u32 is_walked;
  const d2c_u8* record; /* the next one of its last token */
  const void* op;
  d2c_u32 records;
  d2c_u32 stream; /* the next one that is looked at */
  d2c_u32 handle; /* whose parts are looked at, and which */
  d2c_u32 part;
};

D2C_API void D2C_CALL d2c_sources_init(struct d2c_sources* sources, d2c_source_fn find, void* user,
                                       struct d2c_known* known, d2c_u32 room);
/* Nothing is in the trace any more: a recording begins anew. */
D2C_API void D2C_CALL d2c_sources_restart(struct d2c_sources* sources);
/* The handle is gone: another surface may get it. */
D2C_API void D2C_CALL d2c_sources_forget(struct d2c_sources* sources, d2c_u32 space,
                                         d2c_u32 handle);
/* Records what the call reads and the trace does not have, then the call, as d2c_dp2_numbered() does. */
D2C_API int D2C_CALL d2c_ddraw_dp2(d2c* c, struct d2c_sources* sources, const struct d2c_dp2* call,
                                   struct d2c_u64* number);
/*
 * The bytes of the token at `at`, of which at most `left` follow; 0 where that cannot be told. `offset`: of the token in its command buffer.
 */
D2C_API d2c_u32 D2C_CALL d2c_token_size(const void* at, d2c_u32 left, d2c_u32 offset,
                                        d2c_u32 vertex_size);

#ifdef __cplusplus
}
#endif

#endif /* DP2TRACE_CAPTURE_DP2_H */

#if defined(D2C_IMPLEMENTATION) && !defined(DP2TRACE_CAPTURE_DP2_IMPLEMENTED)
#define DP2TRACE_CAPTURE_DP2_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* What follows a record, or the fixed part of a token without records. */
enum {
  D2C__TAIL_NONE,
  D2C__TAIL_SIZE,      /* bytes, as many as the second word says */
  D2C__TAIL_TWO_SIZES, /* as the second and third say */
  D2C__TAIL_WORDS,     /* words, pairs, quads of words, as many as the second word says */
  D2C__TAIL_PAIRS,
  D2C__TAIL_QUADS,
  D2C__TAIL_PALETTE,
  D2C__TAIL_LIGHT,
  D2C__TAIL_RECT_PATCH,
  D2C__TAIL_TRI_PATCH,
  D2C__TAIL_KERNEL,
  D2C__TAIL_VERTICES
};
#define D2C__NO_SOURCE 255

struct d2c__op {
  d2c_u8 op;
  d2c_u8 fixed;  /* bytes after the header */
  d2c_u8 record; /* bytes of what is repeated */
  d2c_u8
      repeat; /* 1: as often as the count says, and `add`; 2: one less, the first is in the fixed part */
  d2c_u8 add;
  d2c_u8 tail;
  d2c_u8 source; /* where a record has the handle that it reads */
};

/* clang-format off */
static const struct d2c__op d2c__ops[] = {
    {1, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* POINTS */
    {2, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* INDEXEDLINELIST */
    {3, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* INDEXEDTRIANGLELIST */
    {8, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* RENDERSTATE */
    {15, 2, 0, 0, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* LINELIST */
    {16, 2, 0, 0, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* LINESTRIP */
    {17, 2, 2, 1, 1, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* INDEXEDLINESTRIP */
    {18, 2, 0, 0, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* TRIANGLELIST */
    {19, 2, 0, 0, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* TRIANGLESTRIP */
    {20, 2, 2, 1, 2, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* INDEXEDTRIANGLESTRIP */
    {21, 2, 0, 0, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* TRIANGLEFAN */
    {22, 2, 2, 1, 2, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* INDEXEDTRIANGLEFAN */
    {23, 4, 0, 0, 0, D2C__TAIL_VERTICES, D2C__NO_SOURCE}, /* TRIANGLEFAN_IMM */
    {24, 0, 0, 0, 0, D2C__TAIL_VERTICES, D2C__NO_SOURCE}, /* LINELIST_IMM */
    {25, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* TEXTURESTAGESTATE */
    {26, 2, 6, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* INDEXEDTRIANGLELIST2 */
    {27, 2, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* INDEXEDLINELIST2 */
    {28, 0, 16, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* VIEWPORTINFO */
    {29, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* WINFO */
    {30, 0, 12, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETPALETTE */
    {31, 8, 0, 0, 0, D2C__TAIL_PALETTE, D2C__NO_SOURCE}, /* UPDATEPALETTE */
    {32, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* ZRANGE */
    {33, 0, 68, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETMATERIAL */
    {34, 0, 8, 1, 0, D2C__TAIL_LIGHT, D2C__NO_SOURCE}, /* SETLIGHT */
    {35, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* CREATELIGHT */
    {36, 0, 68, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETTRANSFORM */
    {37, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* EXT */
    {38, 0, 36, 1, 0, D2C__TAIL_NONE, 4}, /* TEXBLT */
    {39, 0, 12, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* STATESET */
    {40, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETPRIORITY */
    {41, 8, 0, 0, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETRENDERTARGET */
    {42, 32, 16, 2, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* CLEAR */
    {43, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETTEXLOD */
    {44, 0, 20, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETCLIPPLANE */
    {45, 0, 12, 1, 0, D2C__TAIL_TWO_SIZES, D2C__NO_SOURCE}, /* CREATEVERTEXSHADER */
    {46, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DELETEVERTEXSHADER */
    {47, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETVERTEXSHADER */
    {48, 0, 8, 1, 0, D2C__TAIL_QUADS, D2C__NO_SOURCE}, /* SETVERTEXSHADERCONST */
    {49, 0, 12, 1, 0, D2C__TAIL_NONE, 4}, /* SETSTREAMSOURCE */
    {50, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETSTREAMSOURCEUM */
    {51, 0, 8, 1, 0, D2C__TAIL_NONE, 0}, /* SETINDICES */
    {52, 0, 12, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DRAWPRIMITIVE */
    {53, 0, 24, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DRAWINDEXEDPRIMITIVE */
    {54, 0, 8, 1, 0, D2C__TAIL_SIZE, D2C__NO_SOURCE}, /* CREATEPIXELSHADER */
    {55, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DELETEPIXELSHADER */
    {56, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETPIXELSHADER */
    {57, 0, 8, 1, 0, D2C__TAIL_QUADS, D2C__NO_SOURCE}, /* SETPIXELSHADERCONST */
    {58, 0, 12, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* CLIPPEDTRIANGLEFAN */
    {59, 0, 12, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DRAWPRIMITIVE2 */
    {60, 0, 24, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DRAWINDEXEDPRIMITIVE2 */
    {61, 0, 8, 1, 0, D2C__TAIL_RECT_PATCH, D2C__NO_SOURCE}, /* DRAWRECTPATCH */
    {62, 0, 8, 1, 0, D2C__TAIL_TRI_PATCH, D2C__NO_SOURCE}, /* DRAWTRIPATCH */
    {63, 0, 48, 1, 0, D2C__TAIL_NONE, 4}, /* VOLUMEBLT */
    {64, 0, 24, 1, 0, D2C__TAIL_NONE, 4}, /* BUFFERBLT */
    {65, 0, 68, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* MULTIPLYTRANSFORM */
    {66, 0, 20, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* ADDDIRTYRECT */
    {67, 0, 28, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* ADDDIRTYBOX */
    {71, 0, 8, 1, 0, D2C__TAIL_PAIRS, D2C__NO_SOURCE}, /* CREATEVERTEXSHADERDECL */
    {72, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DELETEVERTEXSHADERDECL */
    {73, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETVERTEXSHADERDECL */
    {74, 0, 8, 1, 0, D2C__TAIL_SIZE, D2C__NO_SOURCE}, /* CREATEVERTEXSHADERFUNC */
    {75, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DELETEVERTEXSHADERFUNC */
    {76, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETVERTEXSHADERFUNC */
    {77, 0, 8, 1, 0, D2C__TAIL_QUADS, D2C__NO_SOURCE}, /* SETVERTEXSHADERCONSTI */
    {79, 0, 16, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETSCISSORRECT */
    {80, 0, 16, 1, 0, D2C__TAIL_NONE, 4}, /* SETSTREAMSOURCE2 */
    {81, 0, 52, 1, 0, D2C__TAIL_NONE, 0}, /* BLT */
    {82, 0, 24, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* COLORFILL */
    {83, 0, 8, 1, 0, D2C__TAIL_WORDS, D2C__NO_SOURCE}, /* SETVERTEXSHADERCONSTB */
    {84, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* CREATEQUERY */
    {85, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETRENDERTARGET2 */
    {86, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETDEPTHSTENCIL */
    {89, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* GENERATEMIPSUBLEVELS */
    {90, 0, 4, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* DELETEQUERY */
    {91, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* ISSUEQUERY */
    {93, 0, 8, 1, 0, D2C__TAIL_QUADS, D2C__NO_SOURCE}, /* SETPIXELSHADERCONSTI */
    {94, 0, 8, 1, 0, D2C__TAIL_WORDS, D2C__NO_SOURCE}, /* SETPIXELSHADERCONSTB */
    {95, 0, 8, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE}, /* SETSTREAMSOURCEFREQ */
    {96, 0, 52, 1, 0, D2C__TAIL_NONE, 0}, /* SURFACEBLT */
    {97, 0, 12, 1, 0, D2C__TAIL_KERNEL, D2C__NO_SOURCE}, /* SETCONVOLUTIONKERNELMONO */
    {98, 0, 32, 1, 0, D2C__TAIL_NONE, D2C__NO_SOURCE} /* COMPOSERECTS */
};
/* clang-format on */

static const struct d2c__op* d2c__op_of(d2c_u32 op) {
  d2c_u32 low = 0;
  d2c_u32 high = (d2c_u32)(sizeof d2c__ops / sizeof d2c__ops[0]);
  while (low < high) {
    const d2c_u32 middle = (low + high) / 2;
    if (d2c__ops[middle].op == op) return d2c__ops + middle;
    if (d2c__ops[middle].op < op)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}

static d2c_u32 d2c__u16_at(const d2c_u8* at) {
  return (d2c_u32)at[0] + ((d2c_u32)at[1] << 8);
}

static d2c_u32 d2c__times(d2c_u32 a, d2c_u32 b) {
  return b != 0 && a > D2C__NO_SIZE / b ? D2C__NO_SIZE : a * b;
}

/* Bytes after the record at `at`, whose `size` bytes are there. */
D2C__APART static d2c_u32 d2c__tail_size(const struct d2c__op* op, const d2c_u8* at) {
  switch (op->tail) {
    case D2C__TAIL_SIZE:
      return D2C__LOAD(at + 4);
    case D2C__TAIL_TWO_SIZES:
      return d2c__sum(D2C__LOAD(at + 4), D2C__LOAD(at + 8));
    case D2C__TAIL_WORDS:
      return d2c__times(D2C__LOAD(at + 4), 4);
    case D2C__TAIL_PAIRS:
      return d2c__times(D2C__LOAD(at + 4), 8);
    case D2C__TAIL_QUADS:
      return d2c__times(D2C__LOAD(at + 4), 16);
    case D2C__TAIL_PALETTE:
      return 4 * d2c__u16_at(at + 6);
    case D2C__TAIL_LIGHT:
      return D2C__LOAD(at + 4) == 2 ? 104u : 0u;
    case D2C__TAIL_RECT_PATCH:
      return ((at[4] & 1) != 0 ? 16u : 0u) + ((at[4] & 2) != 0 ? 28u : 0u);
    case D2C__TAIL_TRI_PATCH:
      return ((at[4] & 1) != 0 ? 12u : 0u) + ((at[4] & 2) != 0 ? 16u : 0u);
    case D2C__TAIL_KERNEL:
      return d2c__sum((at[8] & 1) != 0 ? d2c__times(D2C__LOAD(at), 4) : 0,
                      (at[8] & 2) != 0 ? d2c__times(D2C__LOAD(at + 4), 4) : 0);
    default:
      return 0;
  }
}

/* Of TRIANGLEFAN_IMM and LINELIST_IMM: padding to a multiple of four in the buffer, then vertices. */
static d2c_u32 d2c__vertices_size(d2c_u32 op, d2c_u32 count, d2c_u32 end, d2c_u32 vertex_size) {
  const d2c_u32 vertices = op == D2C_OP_TRIANGLEFAN_IMM ? count + 2 : 2 * count;
  return d2c__sum((4 - (end & 3)) & 3, d2c__times(vertices, vertex_size));
}

D2C_API d2c_u32 D2C_CALL d2c_token_size(const void* at, d2c_u32 left, d2c_u32 offset,
                                        d2c_u32 vertex_size) {
  const d2c_u8* const token = (const d2c_u8*)at;
  const struct d2c__op* op;
  d2c_u32 count;
  d2c_u32 records;
  d2c_u32 size;
  if (token == 0 || left < 4) return 0;
  op = d2c__op_of(token[0]);
  if (op == 0) return 0;
  count = d2c__u16_at(token + 2);
  records = op->repeat == 0 ? 0 : op->repeat == 1 ? count + op->add : count == 0 ? 0 : count - 1;
  size = 4 + (d2c_u32)op->fixed;
  if (op->tail == D2C__TAIL_VERTICES) {
    size = d2c__sum(size, d2c__vertices_size(op->op, count, offset + size, vertex_size));
  } else if (op->tail == D2C__TAIL_NONE) {
    size += records * op->record;
  } else if (op->record == 0) {
    if (size > left) return 0;
    size = d2c__sum(size, d2c__tail_size(op, token + 4));
  } else {
    for (; records != 0 && size <= left; --records) {
      if (left - size < op->record) return 0;
      size = d2c__sum(size + op->record, d2c__tail_size(op, token + size));
    }
  }
  return size > left ? 0 : size;
}

D2C_API void D2C_CALL d2c_sources_init(struct d2c_sources* sources, d2c_source_fn find, void* user,
                                       struct d2c_known* known, d2c_u32 room) {
  d2c__zero(sources, sizeof *sources);
  if (sources == 0) return;
  sources->find = find;
  sources->user = user;
  sources->known = known;
  sources->room = known == 0 ? 0 : room;
}

D2C_API void D2C_CALL d2c_sources_restart(struct d2c_sources* sources) {
  if (sources != 0) sources->used = 0;
}

D2C_API void D2C_CALL d2c_sources_forget(struct d2c_sources* sources, d2c_u32 space,
                                         d2c_u32 handle) {
  d2c_u32 i;
  if (sources == 0) return;
  for (i = 0; i < sources->used;) {
    if (sources->known[i].space == space && sources->known[i].handle == handle)
      sources->known[i] = sources->known[--sources->used];
    else
      ++i;
  }
}

/* Of the bytes of an update, row by row. */
D2C__APART static struct d2c_u64 d2c__hash_of(struct d2c_hash* hash,
                                              const struct d2c_bytes* bytes) {
  d2c_hash_begin(hash);
  for (; bytes != 0; bytes = bytes->next) {
    const d2c_u8* row = (const d2c_u8*)bytes->data;
    d2c_u32 left = row == 0 ? 0 : bytes->size;
    while (left != 0) {
      const d2c_u32 now = bytes->row_size != 0 && bytes->row_size < left ? bytes->row_size : left;
      d2c_hash_add(hash, row, now);
      left -= now;
      if (left != 0) row += bytes->pitch;
    }
  }
  return d2c_hash_end(hash);
}

/* 1 where the contents are not in the trace: they are from now on. */
static int d2c__is_news(struct d2c_sources* sources, d2c_u32 space, d2c_u32 handle, d2c_u32 part,
                        struct d2c_u64 hash) {
  struct d2c_known* known = sources->known;
  struct d2c_known* const end = known + sources->used;
  for (; known != end; ++known) {
    if (known->handle == handle && known->space == space && known->part == part) break;
  }
  if (known == end) {
    if (sources->room == 0) return 1;
    if (sources->used < sources->room)
      ++sources->used;
    else
      known = sources->known + sources->next++ % sources->room;
  } else if (known->hash.lo == hash.lo && known->hash.hi == hash.hi) {
    return 0;
  }
  known->space = space;
  known->handle = handle;
  known->part = part;
  known->hash = hash;
  return 1;
}

/* The streams of the context of a call. */
static d2c_u32* d2c__bound_of(struct d2c_sources* sources, const struct d2c_dp2* call) {
  d2c_u32 i;
  for (i = 0; i < D2C_SOURCE_CONTEXTS; ++i) {
    if (sources->bound[i].space == call->space &&
        sources->bound[i].context.lo == call->context.lo &&
        sources->bound[i].context.hi == call->context.hi)
      return sources->bound[i].handles;
  }
  i = sources->next_context++ % D2C_SOURCE_CONTEXTS;
  d2c__zero(sources->bound + i, sizeof sources->bound[i]);
  sources->bound[i].space = call->space;
  sources->bound[i].context = call->context;
  return sources->bound[i].handles;
}

/* The next record of a token: what it copies, or what it binds. */
D2C__APART static void d2c__next_record(struct d2c_sources* sources) {
  const struct d2c__op* op = (const struct d2c__op*)sources->op;
  const d2c_u32 handle = D2C__LOAD(sources->record + op->source);
  const d2c_u32 first = D2C__LOAD(sources->record);
  --sources->records;
  sources->record += op->record;
  if (op->op == D2C_OP_SETINDICES) {
    sources->streams[D2C_SOURCE_STREAMS - 1] = handle;
  } else if (op->op != D2C_OP_SETSTREAMSOURCE && op->op != D2C_OP_SETSTREAMSOURCE2) {
    sources->handle = handle;
    sources->part = 0;
    if (op->op == D2C_OP_BUFFERBLT && sources->copied != 0)
      sources->copied(sources->user, sources->call->space, first);
  } else if (first < D2C_SOURCE_STREAMS - 1) {
    sources->streams[first] = handle;
  }
}

/* The next token, where it has records that read something. */
D2C__APART static void d2c__next_token(struct d2c_sources* sources) {
  const struct d2c_dp2* call = sources->call;
  const d2c_u8* const token = (const d2c_u8*)call->commands.data + sources->at;
  const d2c_u32 size = d2c_token_size(token, call->commands.size - sources->at,
                                      call->command_offset + sources->at, call->vertex_size);
  sources->at += size;
  sources->is_walked = size == 0 ? 1u : 0u;
  if (size == 0) return;
  sources->op = d2c__op_of(token[0]);
  if (((const struct d2c__op*)sources->op)->source == D2C__NO_SOURCE) return;
  sources->record = token + 4;
  sources->records = d2c__u16_at(token + 2);
}

/* The next part that the call reads, in `update`. 0: there are no more. */
D2C__APART static int d2c__next_part(struct d2c_sources* sources) {
  struct d2c_surface_update* update = &sources->update;
  const d2c_u32 space = sources->call->space;
  while (sources->handle == 0) {
    if (sources->records != 0)
      d2c__next_record(sources);
    else if (!sources->is_walked)
      d2c__next_token(sources);
    else if (sources->stream < D2C_SOURCE_STREAMS)
      sources->handle = sources->streams[sources->stream++];
    else
      return 0;
    sources->part = 0;
  }
  d2c_surface_update_init(update);
  update->space = space;
  update->handle = sources->handle;
  if (sources->part == 0x1000u ||
      !sources->find(sources->user, space, sources->handle, sources->part, update))
    sources->handle = 0;
  return 1;
}

/* What `update` has is not in the trace. */
D2C__APART static int d2c__is_missing(struct d2c_sources* sources) {
  const d2c_u32 handle = sources->handle;
  return handle != 0 && d2c__is_news(sources, sources->call->space, handle, sources->part++,
                                     d2c__hash_of(&sources->hash, &sources->update.data));
}

D2C_API int D2C_CALL d2c_ddraw_dp2(d2c* c, struct d2c_sources* sources, const struct d2c_dp2* call,
                                   struct d2c_u64* number) {
  if (d2c__is_open(c) && sources != 0 && sources->find != 0 && call != 0) {
    sources->call = call;
    sources->streams = d2c__bound_of(sources, call);
    sources->at = 0;
    sources->is_walked = call->commands.data == 0 ? 1u : 0u;
    sources->records = 0;
    sources->stream = 0;
    sources->handle = 0;
    while (d2c__next_part(sources)) {
      if (d2c__is_missing(sources)) d2c_surface_update(c, &sources->update);
    }
  }
  return d2c_dp2_numbered(c, call, number);
}

#ifdef __cplusplus
}
#endif

#endif /* D2C_IMPLEMENTATION */
