/*
 * dp2trace_capture_ddraw.h: dp2trace_capture.h for DirectDraw and Direct3D drivers of Windows 9x (D3DHAL_...) and NT4 to XP
 * (D3DNTHAL_...). Their structures have the same members under other names, so these are macros: include the driver headers of yours
 * (ddrawi.h and d3dhal.h, or winddi.h and d3dnthal.h), then this one. Nothing here names a type of theirs.
 *
 * A macro fills an event from a structure that the driver was called with; you may change the event before you record it:
 *
 *   struct d2c_dp2 call;
 *   D2C_DDRAW_DP2(&call, 0, p);                     p: LPD3DHAL_DRAWPRIMITIVES2DATA or LPD3DNTHAL_DRAWPRIMITIVES2DATA
 *   number = d2c_next_event(&capture);
 *   d2c_dp2_call(&capture, &call);
 *   ... the driver ...
 *   D2C_DDRAW_DP2_RESULT(&result, number, p);
 *   d2c_call_result(&capture, &result);
 *
 * The functions at the end turn calls from before DrawPrimitives2 into tokens. Define D2C_IMPLEMENTATION in one file, as for the other
 * header. Source: Windows Driver Kit documentation (ddrawi.h, d3dhal.h); mingw-w64 headers.
 */
#ifndef DP2TRACE_CAPTURE_DDRAW_H
#define DP2TRACE_CAPTURE_DDRAW_H

#include "dp2trace_capture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of the public headers that the macros ask for. */
#define D2C__DDRAWISURF_HASCKEYSRCBLT 0x00000800
#define D2C__DDRAWISURF_HASPIXELFORMAT 0x00002000
#define D2C__DDSCAPS_SYSTEMMEMORY 0x00000800
#define D2C__DDSCAPS_TEXTURE 0x00001000
#define D2C__DDSCAPS_3DDEVICE 0x00002000
#define D2C__DDSCAPS_ZBUFFER 0x00020000
#define D2C__DDSCAPS_EXECUTEBUFFER 0x00800000
#define D2C__DDSCAPS2_COMMANDBUFFER 0x00000040
#define D2C__DDSCAPS2_CUBEMAP 0x00000200
#define D2C__DDSCAPS2_CUBEFACES 0x0000FC00
#define D2C__DDSCAPS2_MIPMAPSUBLEVEL 0x00010000
#define D2C__DDSCAPS2_VOLUME 0x00200000
#define D2C__DDSCAPS2_INDEXBUFFER 0x04000000 /* DDSCAPS2_RESERVED3 */
#define D2C__DP2_USERMEMVERTICES 0x00000001
#define D2C__DP2_EXECUTEBUFFER 0x00000002
#define D2C__MAX_RSTATES 256

/* The handle that tokens name a surface by; `surface`: a surface local, or null. */
#define D2C_DDRAW_HANDLE(surface)                                                                 \
  ((surface) != 0 && (surface)->lpSurfMore != 0 ? (d2c_u32)(surface)->lpSurfMore->dwSurfaceHandle \
                                                : 0u)

/* dwCaps2; `surface`: a surface local, or null. */
#define D2C__DDRAW_CAPS2(surface)                          \
  ((surface) != 0 && (surface)->lpSurfMore != 0            \
       ? (d2c_u32)(surface)->lpSurfMore->ddsCapsEx.dwCaps2 \
       : 0u)

/* Where the memory of a surface starts, in the address space of the driver. */
#define D2C_DDRAW_MEMORY(surface) \
  ((surface)->lpGbl == 0 ? (const d2c_u8*)0 : (const d2c_u8*)(size_t)(surface)->lpGbl->fpVidMem)

/* What `caps` and `caps2` say that a surface is for (D2C_SURFACE_KIND_...). */
#define D2C_DDRAW_KIND(caps, caps2)                                                          \
  (((caps)&D2C__DDSCAPS_EXECUTEBUFFER)                                                       \
       ? (((caps2)&D2C__DDSCAPS2_INDEXBUFFER)     ? (d2c_u32)D2C_SURFACE_KIND_INDEX_BUFFER   \
          : ((caps2)&D2C__DDSCAPS2_COMMANDBUFFER) ? (d2c_u32)D2C_SURFACE_KIND_COMMAND_BUFFER \
                                                  : (d2c_u32)D2C_SURFACE_KIND_VERTEX_BUFFER) \
   : ((caps)&D2C__DDSCAPS_ZBUFFER)  ? (d2c_u32)D2C_SURFACE_KIND_DEPTH                        \
   : ((caps)&D2C__DDSCAPS_3DDEVICE) ? (d2c_u32)D2C_SURFACE_KIND_TARGET                       \
   : ((caps)&D2C__DDSCAPS_TEXTURE)  ? (d2c_u32)D2C_SURFACE_KIND_TEXTURE                      \
                                    : (d2c_u32)D2C_SURFACE_KIND_PLAIN)

/* A DDPIXELFORMAT, into struct d2c_pixel_format; the unions of both hold the masks in the same words. */
#define D2C_DDRAW_PIXEL_FORMAT(out, in)   \
  do {                                    \
    d2c_u32 d2c__words[8];                \
    d2c_ddraw_words(d2c__words, (in), 8); \
    (out)->size = d2c__words[0];          \
    (out)->flags = d2c__words[1];         \
    (out)->four_cc = d2c__words[2];       \
    (out)->bit_count = d2c__words[3];     \
    (out)->red_mask = d2c__words[4];      \
    (out)->green_mask = d2c__words[5];    \
    (out)->blue_mask = d2c__words[6];     \
    (out)->alpha_mask = d2c__words[7];    \
  } while (0)

/*
 * D3dCreateSurfaceEx (and CreateSurface before DirectX 7): `surface` is the root. `display`: the DDPIXELFORMAT of the screen, for surfaces
 * that have none of their own. The levels and faces below the root: D2C_DDRAW_SUB_SURFACES.
 */
#define D2C_DDRAW_SURFACE_CREATE(event, space_, surface, display)                         \
  do {                                                                                    \
    d2c_surface_create_init(event);                                                       \
    (event)->space = (space_);                                                            \
    (event)->handle = D2C_DDRAW_HANDLE(surface);                                          \
    (event)->caps = (d2c_u32)(surface)->ddsCaps.dwCaps;                                   \
    if ((surface)->lpSurfMore != 0) {                                                     \
      (event)->caps2 = (d2c_u32)(surface)->lpSurfMore->ddsCapsEx.dwCaps2;                 \
      (event)->caps3 = (d2c_u32)(surface)->lpSurfMore->ddsCapsEx.dwCaps3;                 \
      (event)->caps4 = (d2c_u32)(surface)->lpSurfMore->ddsCapsEx.dwCaps4;                 \
    }                                                                                     \
    (event)->kind = D2C_DDRAW_KIND((event)->caps, (event)->caps2);                        \
    if ((event)->caps2 & D2C__DDSCAPS2_CUBEMAP)                                           \
      (event)->faces = ((event)->caps2 & D2C__DDSCAPS2_CUBEFACES) >> 10;                  \
    if ((event)->caps2 & D2C__DDSCAPS2_VOLUME) (event)->depth = (event)->caps4 & 0xFFFFu; \
    if ((surface)->lpGbl == 0) {                                                          \
      (event)->width = 0;                                                                 \
    } else if ((event)->caps & D2C__DDSCAPS_EXECUTEBUFFER) {                              \
      (event)->width = (d2c_u32)(surface)->lpGbl->dwLinearSize;                           \
    } else {                                                                              \
      (event)->width = (d2c_u32)(surface)->lpGbl->wWidth;                                 \
      (event)->height = (d2c_u32)(surface)->lpGbl->wHeight;                               \
      (event)->has_pitch = 1;                                                             \
      (event)->pitch = (d2c_u32)(surface)->lpGbl->lPitch;                                 \
      (event)->has_pixel_format = 1;                                                      \
      if ((surface)->dwFlags & D2C__DDRAWISURF_HASPIXELFORMAT)                            \
        D2C_DDRAW_PIXEL_FORMAT(&(event)->pixel_format, &(surface)->lpGbl->ddpfSurface);   \
      else                                                                                \
        D2C_DDRAW_PIXEL_FORMAT(&(event)->pixel_format, (display));                        \
    }                                                                                     \
    if ((surface)->dwFlags & D2C__DDRAWISURF_HASCKEYSRCBLT) {                             \
      (event)->has_color_key = 1;                                                         \
      (event)->color_key.low = (d2c_u32)(surface)->ddckCKSrcBlt.dwColorSpaceLowValue;     \
      (event)->color_key.high = (d2c_u32)(surface)->ddckCKSrcBlt.dwColorSpaceHighValue;   \
    }                                                                                     \
  } while (0)

/*
 * The levels and faces below `surface`, through its attachments, into `subs` (room for `room` of them; a cube map of 16384 texels has 89),
 * and their number and that of the levels into the event. `type`: the pointer type of surface locals (LPDDRAWI_DDRAWSURFACE_LCL,
 * PDD_SURFACE_LOCAL), `link`: that of attachments (LPATTACHLIST, PDD_ATTACHLIST).
 */
#define D2C_DDRAW_SUB_SURFACES(event, type, link, surface, subs, room)                     \
  do {                                                                                     \
    type d2c__face = (surface);                                                            \
    link d2c__faces = (surface)->lpAttachList;                                             \
    d2c_u32 d2c__count = 0;                                                                \
    for (;;) {                                                                             \
      type d2c__level = d2c__face;                                                         \
      const d2c_u32 d2c__caps2 = D2C__DDRAW_CAPS2(d2c__face);                              \
      d2c_u32 d2c__number = 0;                                                             \
      while (d2c__level != 0 && d2c__number < 32) {                                        \
        link d2c__next = d2c__level->lpAttachList;                                         \
        if (d2c__level != (surface) && d2c__count < (d2c_u32)(room))                       \
          d2c_ddraw_sub(&(subs)[d2c__count++], D2C_DDRAW_HANDLE(d2c__level), d2c__caps2,   \
                        d2c__number, D2C__DDRAW_CAPS2(d2c__level),                         \
                        d2c__level->lpGbl != 0 ? (d2c_u32)d2c__level->lpGbl->lPitch : 0u); \
        while (d2c__next != 0 &&                                                           \
               !(D2C__DDRAW_CAPS2(d2c__next->lpAttached) & D2C__DDSCAPS2_MIPMAPSUBLEVEL))  \
          d2c__next = d2c__next->lpLink;                                                   \
        d2c__level = d2c__next != 0 ? d2c__next->lpAttached : 0;                           \
        if (++d2c__number > (event)->levels) (event)->levels = d2c__number;                \
      }                                                                                    \
      while (d2c__faces != 0 &&                                                            \
             (!(D2C__DDRAW_CAPS2(d2c__faces->lpAttached) & D2C__DDSCAPS2_CUBEFACES) ||     \
              (D2C__DDRAW_CAPS2(d2c__faces->lpAttached) & D2C__DDSCAPS2_MIPMAPSUBLEVEL)))  \
        d2c__faces = d2c__faces->lpLink;                                                   \
      if (d2c__faces == 0) break;                                                          \
      d2c__face = d2c__faces->lpAttached;                                                  \
      d2c__faces = d2c__faces->lpLink;                                                     \
      (event)->faces |= (D2C__DDRAW_CAPS2(d2c__face) & D2C__DDSCAPS2_CUBEFACES) >> 10;     \
    }                                                                                      \
    (event)->sub_surfaces = (subs);                                                        \
    (event)->sub_surfaces_items = d2c__count;                                              \
  } while (0)

/* DestroySurface, and D3dCreateSurfaceEx for a surface that is going. */
#define D2C_DDRAW_SURFACE_DESTROY(event, space_, surface) \
  do {                                                    \
    d2c_surface_destroy_init(event);                      \
    (event)->space = (space_);                            \
    (event)->handle = D2C_DDRAW_HANDLE(surface);          \
  } while (0)

/* The bytes of a pixel that an area of `width` pixels has in a row; formats of blocks: give the bytes of a row of blocks instead. */
#define D2C_DDRAW_ROW(format, width) ((d2c_u32)(width) * ((d2c_u32)(format)->dwRGBBitCount / 8u))

/*
 * Unlock: what the application wrote between Lock and Unlock, or the whole surface. `area`: the RECT of the Lock, or null. `bits`: the
 * address of the surface's first byte. Surfaces whose pixels have whole bytes; buffers: D2C_DDRAW_BUFFER_UPDATE.
 */
#define D2C_DDRAW_SURFACE_UPDATE(event, space_, surface, area, bits, bytes_per_pixel)        \
  do {                                                                                       \
    const d2c_u32 d2c__bpp = (d2c_u32)(bytes_per_pixel);                                     \
    const d2c_i32 d2c__pitch = (d2c_i32)(surface)->lpGbl->lPitch;                            \
    d2c_surface_update_init(event);                                                          \
    (event)->space = (space_);                                                               \
    (event)->handle = D2C_DDRAW_HANDLE(surface);                                             \
    (event)->has_rect = 1;                                                                   \
    (event)->rect.right = (d2c_i32)(surface)->lpGbl->wWidth;                                 \
    (event)->rect.bottom = (d2c_i32)(surface)->lpGbl->wHeight;                               \
    if ((area) != 0) d2c_ddraw_words(&(event)->rect, (area), 4);                             \
    (event)->data =                                                                          \
        d2c_rows_of((const d2c_u8*)(bits) + (size_t)(event)->rect.top * (size_t)d2c__pitch + \
                        (size_t)(event)->rect.left * d2c__bpp,                               \
                    (d2c_u32)((event)->rect.right - (event)->rect.left) * d2c__bpp,          \
                    (d2c_u32)((event)->rect.bottom - (event)->rect.top), d2c__pitch);        \
  } while (0)

/* Unlock of a vertex, index or command buffer: `size` bytes at `offset`. */
#define D2C_DDRAW_BUFFER_UPDATE(event, space_, surface, offset_, size_)                       \
  do {                                                                                        \
    d2c_surface_update_init(event);                                                           \
    (event)->space = (space_);                                                                \
    (event)->handle = D2C_DDRAW_HANDLE(surface);                                              \
    (event)->has_range = 1;                                                                   \
    (event)->range.offset = (offset_);                                                        \
    (event)->range.size = (size_);                                                            \
    (event)->data = d2c_bytes_of(D2C_DDRAW_MEMORY(surface) + (event)->range.offset, (size_)); \
  } while (0)

/*
 * ContextCreate, after the driver's own: dwhContext is the driver's then. `runtime`: what dwhContext held before (0 to 5; drivers before
 * DirectX 7 do not get it: 2 for DirectX 6, 1 before).
 */
#define D2C_DDRAW_CONTEXT_CREATE(event, space_, p, runtime)               \
  do {                                                                    \
    d2c_context_create_init(event);                                       \
    (event)->space = (space_);                                            \
    (event)->context = d2c_pointer((const void*)(size_t)(p)->dwhContext); \
    (event)->target = D2C_DDRAW_HANDLE((p)->lpDDSLcl);                    \
    (event)->depth = D2C_DDRAW_HANDLE((p)->lpDDSZLcl);                    \
    (event)->runtime_version = (runtime);                                 \
    (event)->has_ddrval = 1;                                              \
    (event)->ddrval = (d2c_u32)(p)->ddrval;                               \
  } while (0)

#define D2C_DDRAW_CONTEXT_DESTROY(event, space_, p)                       \
  do {                                                                    \
    d2c_context_destroy_init(event);                                      \
    (event)->space = (space_);                                            \
    (event)->context = d2c_pointer((const void*)(size_t)(p)->dwhContext); \
  } while (0)

/*
 * DrawPrimitives2, before the driver's own: dwVertexSize shares its place with ddrval. Vertices go into the event, from user memory and
 * from buffers alike. An event that was filled can be changed: where the driver sees buffers at other addresses, set commands.data and
 * vertices.data.
 */
#define D2C_DDRAW_DP2(event, space_, p)                                                            \
  do {                                                                                             \
    d2c_dp2_init(event);                                                                           \
    (event)->space = (space_);                                                                     \
    (event)->context = d2c_pointer((const void*)(size_t)(p)->dwhContext);                          \
    (event)->flags = (d2c_u32)(p)->dwFlags;                                                        \
    (event)->vertex_type = (d2c_u32)(p)->dwVertexType;                                             \
    (event)->vertex_size = (d2c_u32)(p)->dwVertexSize;                                             \
    (event)->vertex_offset = (d2c_u32)(p)->dwVertexOffset;                                         \
    (event)->has_vertex_length = 1;                                                                \
    (event)->vertex_length = (d2c_u32)(p)->dwVertexLength;                                         \
    (event)->command_offset = (d2c_u32)(p)->dwCommandOffset;                                       \
    (event)->req_vertex_buf_size = (d2c_u32)(p)->dwReqVertexBufSize;                               \
    (event)->req_command_buf_size = (d2c_u32)(p)->dwReqCommandBufSize;                             \
    (event)->commands_pointer = d2c_pointer((p)->lpDDCommands);                                    \
    (event)->vertices_pointer = d2c_pointer((p)->lpVertices);                                      \
    (event)->rstates_pointer = d2c_pointer((p)->lpdwRStates);                                      \
    if ((p)->lpDDCommands != 0)                                                                    \
      (event)->commands = d2c_ddraw_bytes(D2C_DDRAW_MEMORY((p)->lpDDCommands),                     \
                                          (event)->command_offset, (d2c_u32)(p)->dwCommandLength); \
    if ((p)->lpVertices != 0 && ((event)->flags & D2C__DP2_USERMEMVERTICES))                       \
      (event)->vertices = d2c_ddraw_bytes((p)->lpVertices, (event)->vertex_offset,                 \
                                          (event)->vertex_length * (event)->vertex_size);          \
    else if ((p)->lpDDVertex != 0)                                                                 \
      (event)->vertices =                                                                          \
          d2c_ddraw_bytes(D2C_DDRAW_MEMORY((p)->lpDDVertex), (event)->vertex_offset,               \
                          (event)->vertex_length * (event)->vertex_size);                          \
    if ((p)->lpdwRStates != 0 && ((event)->flags & D2C__DP2_EXECUTEBUFFER))                        \
      (event)->rstates = d2c_bytes_of((p)->lpdwRStates, 4 * D2C__MAX_RSTATES);                     \
  } while (0)

/* And after it. `number`: of the call, from d2c_next_event() before it was recorded. */
#define D2C_DDRAW_DP2_RESULT(event, number, p)           \
  do {                                                   \
    d2c_call_result_init(event);                         \
    (event)->call = (number);                            \
    (event)->ddrval = (d2c_u32)(p)->ddrval;              \
    (event)->error_offset = (d2c_u32)(p)->dwErrorOffset; \
    (event)->has_flags_out = 1;                          \
    (event)->flags_out = (d2c_u32)(p)->dwFlags;          \
  } while (0)

/* Flip: the surface that is shown from now on. */
#define D2C_DDRAW_FLIP(event, space_, target)   \
  do {                                          \
    d2c_present_init(event);                    \
    (event)->space = (space_);                  \
    (event)->handle = D2C_DDRAW_HANDLE(target); \
  } while (0)

/*
 * The raster operation of a Blt, and whether an event describes the Blt: a fill, or SRCCOPY, BLACKNESS and WHITENESS without a destination
 * colour key, mirroring, rotation and a list of clipped rectangles. After any other record what the target holds: D2C_DDRAW_SURFACE_UPDATE.
 */
#define D2C_DDRAW_ROP(p) (((p)->dwFlags & 0x20000) ? (d2c_u32)(p)->dwROPFlags : 0x00CC0020u)
#define D2C_DDRAW_IS_BLT(p)                                                                      \
  (!(p)->IsClipped && ((p)->dwFlags & 0x6000) == 0 /* DDBLT_KEYDEST, DDBLT_KEYDESTOVERRIDE */ && \
   (((p)->dwFlags & 0x800) == 0 /* DDBLT_DDFX: mirrors, rotations, Z */ ||                       \
    ((p)->bltFX.dwDDFX & 0x1F6) == 0) &&                                                         \
   (((p)->dwFlags & 0x02000400) != 0 || D2C_DDRAW_ROP(p) == 0x00CC0020u ||                       \
    D2C_DDRAW_ROP(p) == D2C__BLACKNESS || D2C_DDRAW_ROP(p) == D2C__WHITENESS))
#define D2C__BLACKNESS 0x00000042u
#define D2C__WHITENESS 0x00FF0062u

/*
 * Blt: `p` is the LPDDHAL_BLTDATA or PDD_BLTDATA, of which D2C_DDRAW_IS_BLT() is true. A blit to the primary ends a frame: d2c_present() after
 * it.
 */
#define D2C_DDRAW_BLT(event, space_, p)                                                          \
  do {                                                                                           \
    d2c_blt_init(event);                                                                         \
    (event)->space = (space_);                                                                   \
    (event)->flags = (d2c_u32)(p)->dwFlags;                                                      \
    (event)->kind = ((p)->dwFlags & 0x400)        ? D2C_BLT_KIND_COLOR_FILL                      \
                    : ((p)->dwFlags & 0x02000000) ? D2C_BLT_KIND_DEPTH_FILL                      \
                    : D2C_DDRAW_ROP(p) == D2C__BLACKNESS || D2C_DDRAW_ROP(p) == D2C__WHITENESS   \
                        ? D2C_BLT_KIND_COLOR_FILL                                                \
                        : D2C_BLT_KIND_COPY;                                                     \
    (event)->dest = D2C_DDRAW_HANDLE((p)->lpDDDestSurface);                                      \
    (event)->has_dest_rect = 1;                                                                  \
    d2c_ddraw_words(&(event)->dest_rect, &(p)->rDest, 4);                                        \
    if ((event)->kind == D2C_BLT_KIND_COPY) {                                                    \
      (event)->src = D2C_DDRAW_HANDLE((p)->lpDDSrcSurface);                                      \
      (event)->has_src_rect = 1;                                                                 \
      d2c_ddraw_words(&(event)->src_rect, &(p)->rSrc, 4);                                        \
      if ((p)->dwFlags & 0x10000) { /* DDBLT_KEYSRCOVERRIDE */                                   \
        (event)->has_src_color_key = 1;                                                          \
        (event)->src_color_key.low = (d2c_u32)(p)->bltFX.ddckSrcColorkey.dwColorSpaceLowValue;   \
        (event)->src_color_key.high = (d2c_u32)(p)->bltFX.ddckSrcColorkey.dwColorSpaceHighValue; \
      }                                                                                          \
    } else if (((p)->dwFlags & 0x02000400) != 0) {                                               \
      (event)->fill = (d2c_u32)(p)->bltFX.dwFillColor;                                           \
    } else {                                                                                     \
      (event)->fill = D2C_DDRAW_ROP(p) == D2C__WHITENESS ? 0xFFFFFFFFu : 0u;                     \
    }                                                                                            \
  } while (0)

/* ---------- calls from before DrawPrimitives2, as one DP2 call each ---------- */

/* Clear2, and Clear with a depth of 1 (bits 0x3F800000). `depth`: the bits of dvFillDepth; `rects`: D3DRECTs. */
D2C_API int D2C_CALL d2c_old_clear(d2c* c, d2c_u32 space, struct d2c_u64 context, d2c_u32 flags,
                                   d2c_u32 color, d2c_u32 depth, d2c_u32 stencil, const void* rects,
                                   d2c_u32 count);
/* SetRenderTarget: the handles of both surfaces. */
D2C_API int D2C_CALL d2c_old_target(d2c* c, d2c_u32 space, struct d2c_u64 context, d2c_u32 target,
                                    d2c_u32 depth);
/* RenderState: `count` D3DSTATEs (type and value), at lpExeBuf + dwOffset. */
D2C_API int D2C_CALL d2c_old_states(d2c* c, d2c_u32 space, struct d2c_u64 context,
                                    const void* states, d2c_u32 count);
/*
 * RenderPrimitive: the D3DINSTRUCTION's bOpcode (point 1, line 2, triangle 3) and wCount, its records at lpExeBuf + dwOffset, and the
 * D3DTLVERTEXes at lpTLBuf + dwTLOffset, as many as the records name.
 */
D2C_API int D2C_CALL d2c_old_render(d2c* c, d2c_u32 space, struct d2c_u64 context, d2c_u32 opcode,
                                    const void* records, d2c_u32 count, const void* vertices);
/* DrawOnePrimitive; DrawOneIndexedPrimitive where `indices` is not null. `type`: D3DPRIMITIVETYPE. Vertices are D3DTLVERTEXes. */
D2C_API int D2C_CALL d2c_old_draw(d2c* c, d2c_u32 space, struct d2c_u64 context, d2c_u32 type,
                                  const void* vertices, d2c_u32 vertex_count, const void* indices,
                                  d2c_u32 index_count);
/* DrawPrimitives: what lpvData points to, batch by batch. */
D2C_API int D2C_CALL d2c_old_draws(d2c* c, d2c_u32 space, struct d2c_u64 context, const void* data);

#define D2C__CONTEXT(p) d2c_pointer((const void*)(size_t)(p)->dwhContext)
#define D2C_DDRAW_CLEAR2(c, space, p)                                                            \
  d2c_old_clear((c), (space), D2C__CONTEXT(p), (d2c_u32)(p)->dwFlags, (d2c_u32)(p)->dwFillColor, \
                d2c_ddraw_word(&(p)->dvFillDepth), (d2c_u32)(p)->dwFillStencil, (p)->lpRects,    \
                (d2c_u32)(p)->dwNumRects)
#define D2C_DDRAW_CLEAR(c, space, p)                                                             \
  d2c_old_clear((c), (space), D2C__CONTEXT(p), (d2c_u32)(p)->dwFlags, (d2c_u32)(p)->dwFillColor, \
                0x3F800000u, 0, (p)->lpRects, (d2c_u32)(p)->dwNumRects)
#define D2C_DDRAW_SET_RENDER_TARGET(c, space, p)                                 \
  d2c_old_target((c), (space), D2C__CONTEXT(p), D2C_DDRAW_HANDLE((p)->lpDDSLcl), \
                 D2C_DDRAW_HANDLE((p)->lpDDSZLcl))
#define D2C_DDRAW_DRAW_PRIMITIVES(c, space, p) \
  d2c_old_draws((c), (space), D2C__CONTEXT(p), (p)->lpvData)
#define D2C_DDRAW_DRAW_ONE_PRIMITIVE(c, space, p)                                            \
  d2c_old_draw((c), (space), D2C__CONTEXT(p), (d2c_u32)(p)->PrimitiveType, (p)->lpvVertices, \
               (d2c_u32)(p)->dwNumVertices, 0, 0)
#define D2C_DDRAW_DRAW_ONE_INDEXED_PRIMITIVE(c, space, p)                                    \
  d2c_old_draw((c), (space), D2C__CONTEXT(p), (d2c_u32)(p)->PrimitiveType, (p)->lpvVertices, \
               (d2c_u32)(p)->dwNumVertices, (p)->lpwIndices, (d2c_u32)(p)->dwNumIndices)
/* `exe` and `tl`: the addresses of lpExeBuf's and lpTLBuf's memory. */
#define D2C_DDRAW_RENDER_PRIMITIVE(c, space, p, exe, tl)                                   \
  d2c_old_render((c), (space), D2C__CONTEXT(p), (d2c_u32)(p)->diInstruction.bOpcode,       \
                 (const d2c_u8*)(exe) + (p)->dwOffset, (d2c_u32)(p)->diInstruction.wCount, \
                 (const d2c_u8*)(tl) + (p)->dwTLOffset)
#define D2C_DDRAW_RENDER_STATE(c, space, p, exe)                                      \
  d2c_old_states((c), (space), D2C__CONTEXT(p), (const d2c_u8*)(exe) + (p)->dwOffset, \
                 (d2c_u32)(p)->dwCount)

/* `count` words of memory of another type. */
D2C_API void D2C_CALL d2c_ddraw_words(void* to, const void* from, d2c_u32 count);
D2C_API d2c_u32 D2C_CALL d2c_ddraw_word(const void* from);
/* `size` bytes at `offset`; none where there is no memory. */
D2C_API struct d2c_bytes D2C_CALL d2c_ddraw_bytes(const void* memory, d2c_u32 offset, d2c_u32 size);
D2C_API void D2C_CALL d2c_ddraw_sub(struct d2c_sub_surface* sub, d2c_u32 handle, d2c_u32 face_caps2,
                                    d2c_u32 level, d2c_u32 caps2, d2c_u32 pitch);

#ifdef __cplusplus
}
#endif

#endif /* DP2TRACE_CAPTURE_DDRAW_H */

#if defined(D2C_IMPLEMENTATION) && !defined(DP2TRACE_CAPTURE_DDRAW_IMPLEMENTED)
#define DP2TRACE_CAPTURE_DDRAW_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

#define D2C__TL_VERTEX 0x1C4u /* XYZRHW, DIFFUSE, SPECULAR, TEX1 */
#define D2C__TL_VERTEX_SIZE 32u

D2C_API struct d2c_bytes D2C_CALL d2c_ddraw_bytes(const void* memory, d2c_u32 offset,
                                                  d2c_u32 size) {
  return memory == 0 ? d2c_bytes_of(0, 0) : d2c_bytes_of((const d2c_u8*)memory + offset, size);
}

D2C_API void D2C_CALL d2c_ddraw_words(void* to, const void* from, d2c_u32 count) {
  if (to == 0) return;
  if (from == 0)
    d2c__zero(to, 4 * (size_t)count);
  else
    d2c__copy((d2c_u8*)to, (const d2c_u8*)from, 4 * count);
}

D2C_API d2c_u32 D2C_CALL d2c_ddraw_word(const void* from) {
  const d2c_u8* at = (const d2c_u8*)from;
  return at == 0 ? 0 : D2C__LOAD(at);
}

D2C_API void D2C_CALL d2c_ddraw_sub(struct d2c_sub_surface* sub, d2c_u32 handle, d2c_u32 face_caps2,
                                    d2c_u32 level, d2c_u32 caps2, d2c_u32 pitch) {
  d2c_u32 faces = (face_caps2 & D2C__DDSCAPS2_CUBEFACES) >> 10;
  if (sub == 0) return;
  d2c__zero(sub, sizeof *sub);
  sub->handle = handle;
  while (faces > 1) {
    faces >>= 1;
    ++sub->face;
  }
  sub->level = level;
  sub->has_caps2 = 1;
  sub->caps2 = caps2;
  sub->has_pitch = 1;
  sub->pitch = pitch;
}

/* A call that is put together: its first bytes, and where they are. In the recorder, and not on the stack. */
struct d2c__old {
  struct d2c_dp2 call;
  struct d2c_bytes records;
  const d2c_u8* at; /* what d2c_old_draws() has not recorded yet */
  d2c_u32 vertices; /* of its batch, whose states were recorded */
  d2c_u32 type;
  d2c_u32 is_last;
  d2c_u8 head[20];
};
typedef char
    d2c__scratch_is_large_enough[sizeof(struct d2c__old) <= sizeof((d2c*)0)->scratch ? 1 : -1];

static struct d2c__old* d2c__old_of(d2c* c) {
  return (struct d2c__old*)(void*)c->scratch;
}

/* A call without a token, or what its caller returns where there can be none. */
D2C__APART static int d2c__old_begin(d2c* c, d2c_u32 space, struct d2c_u64 context) {
  struct d2c__old* old;
  const int entered = d2c__enter(c);
  if (entered != D2C_OK) return entered;
  old = d2c__old_of(c);
  d2c_dp2_init(&old->call);
  old->call.space = space;
  old->call.context = context;
  return D2C_OK;
}

/* Records the call, which is lost where it cannot be, and ends what d2c__old_begin() began. */
D2C__INLINE int d2c__old_end(d2c* c, int is_wrong) {
  d2c__put_event(c, D2C__DP2, D2C__DP2_LAYOUT, is_wrong ? 0 : &d2c__old_of(c)->call);
  return d2c__leave(c);
}

/* A token: the first bytes, of `head_size`, and the records after them. */
D2C__APART static void d2c__old_token(struct d2c__old* old, d2c_u32 op, d2c_u32 count,
                                      d2c_u32 head_size) {
  d2c_u8* head = old->head;
  head[0] = (d2c_u8)op;
  head[1] = 0;
  head[2] = (d2c_u8)(count & 0xFF);
  head[3] = (d2c_u8)(count >> 8 & 0xFF);
  old->call.commands = d2c_bytes_of(head, head_size);
  old->call.commands.next = &old->records;
}

D2C__APART static void d2c__old_records(struct d2c__old* old, const void* records, d2c_u32 size) {
  old->records = d2c_bytes_of(records, size);
}

static void d2c__old_vertices(struct d2c__old* old, const void* vertices, d2c_u32 count) {
  struct d2c_dp2* call = &old->call;
  call->flags = D2C__DP2_USERMEMVERTICES;
  call->vertex_type = D2C__TL_VERTEX;
  call->vertex_size = D2C__TL_VERTEX_SIZE;
  call->has_vertex_length = 1;
  call->vertex_length = count;
  call->vertices = d2c_bytes_of(vertices, count * D2C__TL_VERTEX_SIZE);
}

static void d2c__old_without_vertices(struct d2c__old* old) {
  old->call.flags = 0;
  old->call.vertex_type = 0;
  old->call.vertex_size = 0;
  old->call.has_vertex_length = 0;
  old->call.vertices.size = 0;
}

D2C_API int D2C_CALL d2c_old_clear(d2c* c, d2c_u32 space, struct d2c_u64 context, d2c_u32 flags,
                                   d2c_u32 color, d2c_u32 depth, d2c_u32 stencil, const void* rects,
                                   d2c_u32 count) {
  const int begun = d2c__old_begin(c, space, context);
  d2c_u8* head;
  if (begun != D2C_OK) return begun;
  head = d2c__old_of(c)->head;
  D2C__STORE(head + 4, flags);
  D2C__STORE(head + 8, color);
  D2C__STORE(head + 12, depth);
  D2C__STORE(head + 16, stencil);
  d2c__old_records(d2c__old_of(c), rects, count * 16);
  d2c__old_token(d2c__old_of(c), 42, count, 20);
  return d2c__old_end(c, count > 0xFFFFu || (rects == 0 && count != 0));
}

D2C_API int D2C_CALL d2c_old_target(d2c* c, d2c_u32 space, struct d2c_u64 context, d2c_u32 target,
                                    d2c_u32 depth) {
  const int begun = d2c__old_begin(c, space, context);
  d2c_u8* head;
  if (begun != D2C_OK) return begun;
  head = d2c__old_of(c)->head;
  D2C__STORE(head + 4, target);
  D2C__STORE(head + 8, depth);
  d2c__old_records(d2c__old_of(c), 0, 0);
  d2c__old_token(d2c__old_of(c), 41, 1, 12);
  return d2c__old_end(c, 0);
}

D2C_API int D2C_CALL d2c_old_states(d2c* c, d2c_u32 space, struct d2c_u64 context,
                                    const void* states, d2c_u32 count) {
  const int begun = d2c__old_begin(c, space, context);
  if (begun != D2C_OK) return begun;
  d2c__old_records(d2c__old_of(c), states, count * 8);
  d2c__old_token(d2c__old_of(c), 8, count, 4);
  return d2c__old_end(c, count > 0xFFFFu || (states == 0 && count != 0));
}

static const d2c_u8 d2c__old_record_sizes[4] = {0, 4, 4, 8};

/* The vertices that the records of a D3DINSTRUCTION name. */
D2C__APART static d2c_u32 d2c__old_needed(d2c_u32 opcode, const d2c_u8* at, d2c_u32 count) {
  d2c_u32 needed = 0;
  d2c_u32 k;
  for (; count != 0; --count, at += d2c__old_record_sizes[opcode]) {
    d2c_u32 end = 0;
    if (opcode == 1) {
      end = (d2c_u32)at[0] + ((d2c_u32)at[1] << 8) + (d2c_u32)at[2] + ((d2c_u32)at[3] << 8);
    } else {
      for (k = 0; k < opcode; ++k) {
        const d2c_u32 index = (d2c_u32)at[2 * k] + ((d2c_u32)at[2 * k + 1] << 8);
        if (index + 1 > end) end = index + 1;
      }
    }
    if (end > needed) needed = end;
  }
  return needed;
}

D2C_API int D2C_CALL d2c_old_render(d2c* c, d2c_u32 space, struct d2c_u64 context, d2c_u32 opcode,
                                    const void* records, d2c_u32 count, const void* vertices) {
  /* Records of D3DPOINT, D3DLINE and D3DTRIANGLE are those of POINTS, INDEXEDLINELIST and INDEXEDTRIANGLELIST: 1, 2 and 3. */
  const int is_wrong = opcode == 0 || opcode > 3 || count > 0xFFFFu || (records == 0 && count != 0);
  const int begun = d2c__old_begin(c, space, context);
  if (begun != D2C_OK) return begun;
  if (is_wrong) return d2c__old_end(c, 1);
  d2c__old_vertices(d2c__old_of(c), vertices,
                    d2c__old_needed(opcode, (const d2c_u8*)records, count));
  d2c__old_records(d2c__old_of(c), records, count * d2c__old_record_sizes[opcode]);
  d2c__old_token(d2c__old_of(c), opcode, count, 4);
  return d2c__old_end(c, 0);
}

/* The primitives of `count` vertices, or indices. */
static d2c_u32 d2c__old_count(d2c_u32 type, d2c_u32 count) {
  switch (type) {
    case 2:
      return count / 2;
    case 3:
      return count < 2 ? 0 : count - 1;
    case 4:
      return count / 3;
    case 5:
    case 6:
      return count < 3 ? 0 : count - 2;
    default:
      return 1;
  }
}

/* The token of the D3DPRIMITIVETYPE in `type`, and its vertices; indices may be absent. */
D2C__APART static int d2c__old_primitives(struct d2c__old* old, const void* vertices,
                                          const void* indices, d2c_u32 index_count) {
  static const d2c_u8 plain[7] = {0, 1, 15, 16, 18, 19, 21};
  static const d2c_u8 indexed[7] = {0, 0, 27, 17, 26, 20, 22};
  const d2c_u32 type = old->type;
  const d2c_u32 count = d2c__old_count(type, indices != 0 ? index_count : old->vertices);
  d2c_u8* head = old->head;
  if (type == 0 || type > 6 || (indices != 0 && type == 1) || old->vertices > 0xFFFFu ||
      count > 0xFFFFu)
    return D2C_E_ARGUMENT;
  head[4] = head[5] = head[6] = head[7] = 0; /* the first vertex */
  if (type == 1) {
    head[4] = (d2c_u8)(old->vertices & 0xFF);
    head[5] = (d2c_u8)(old->vertices >> 8);
  }
  d2c__old_vertices(old, vertices, old->vertices);
  d2c__old_records(old, indices, index_count * 2);
  d2c__old_token(old, indices != 0 ? indexed[type] : plain[type], count, type == 1 ? 8 : 6);
  return D2C_OK;
}

D2C_API int D2C_CALL d2c_old_draw(d2c* c, d2c_u32 space, struct d2c_u64 context, d2c_u32 type,
                                  const void* vertices, d2c_u32 vertex_count, const void* indices,
                                  d2c_u32 index_count) {
  const int begun = d2c__old_begin(c, space, context);
  if (begun != D2C_OK) return begun;
  d2c__old_of(c)->type = type;
  d2c__old_of(c)->vertices = vertex_count;
  return d2c__old_end(
      c, d2c__old_primitives(d2c__old_of(c), vertices, indices, index_count) != D2C_OK);
}

/*
 * The next call of DrawPrimitives: the states of a batch, then its vertices. Batches are D3DHAL_DRAWPRIMCOUNTS, the states, and on the next
 * boundary of 32 bytes the vertices; the last one has no vertices. 0: there are no more.
 */
D2C__APART static int d2c__old_next(struct d2c__old* old, int* result) {
  while (old->vertices == 0) {
    const d2c_u8* at = old->at;
    d2c_u32 states;
    if (old->is_last) return 0;
    states = (d2c_u32)at[0] + ((d2c_u32)at[1] << 8);
    old->type = (d2c_u32)at[2] + ((d2c_u32)at[3] << 8);
    old->vertices = (d2c_u32)at[6] + ((d2c_u32)at[7] << 8);
    old->is_last = old->vertices == 0 ? 1u : 0u;
    old->at = at + 8 + 8 * (size_t)states;
    d2c__old_records(old, at + 8, states * 8);
    d2c__old_token(old, 8, states, 4);
    if (states != 0) return 1;
  }
  old->at += (32 - ((D2C_UPTR)old->at & 31)) & 31;
  *result = d2c__old_primitives(old, old->at, 0, 0);
  old->at += (size_t)old->vertices * D2C__TL_VERTEX_SIZE;
  old->vertices = 0;
  return 1;
}

D2C_API int D2C_CALL d2c_old_draws(d2c* c, d2c_u32 space, struct d2c_u64 context,
                                   const void* data) {
  int result = d2c__old_begin(c, space, context);
  if (result != D2C_OK) return result;
  d2c__old_of(c)->at = (const d2c_u8*)data;
  d2c__old_of(c)->vertices = 0;
  d2c__old_of(c)->is_last = 0;
  while (result == D2C_OK) {
    if (data == 0)
      result = D2C_E_ARGUMENT;
    else if (!d2c__old_next(d2c__old_of(c), &result))
      break;
    d2c__put_event(c, D2C__DP2, D2C__DP2_LAYOUT, result != D2C_OK ? 0 : &d2c__old_of(c)->call);
    d2c__old_without_vertices(d2c__old_of(c));
  }
  return d2c__leave(c);
}

#ifdef __cplusplus
}
#endif

#endif /* D2C_IMPLEMENTATION */
