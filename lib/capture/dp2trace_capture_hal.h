/*
 * dp2trace_capture_hal.h: records a DirectDraw and Direct3D driver of Windows 9x, or of NT 5 (Windows 2000 and XP), at its tables of callbacks.
 * The driver does not change: each callback of a table is replaced by one that records the call and calls the driver's own.
 *
 *   #include <ddrawi.h>                                       and d3dhal.h; for NT winddi.h and d3dnthal.h, with
 *   #define D2C_HAL_NT                                        this before the next two lines
 *   #define D2C_IMPLEMENTATION
 *   #include "dp2trace_capture_hal.h"
 *
 *   static d2c capture;
 *   static struct d2c_hal recording;                          about 250 KB, one for each driver
 *
 *   d2c_open(&capture, append, file, buffer, size, 0, 0);     where the driver starts
 *   d2c_header_init(&header);
 *   header.driver_level = 7;
 *   d2c_put_header(&capture, &header);
 *   d2c_hal_init(&recording, &capture, 7, &display);          display: the DDPIXELFORMAT of the screen
 *
 *   d2c_hal_surfaces(&recording, &SurfaceCallbacks);          where it hands out its tables: DDHAL_DDSURFACECALLBACKS, DD_SURFACECALLBACKS
 *   d2c_hal_buffers(&recording, &ExecuteBufferCallbacks);     DDHAL_DDEXEBUFCALLBACKS, DD_D3DBUFCALLBACKS
 *   d2c_hal_direct3d(&recording, &D3DCallbacks);              D3DHAL_CALLBACKS, D3DNTHAL_CALLBACKS
 *   d2c_hal_directdraw(&recording, &DDCallbacks);             DDHAL_DDCALLBACKS, DD_CALLBACKS: before DirectX 7
 *   d2c_hal_driver_info(&recording, p);                       at the end of GetDriverInfo
 *
 * Each function may be called again, as when the driver starts twice; d2c_hal_init() begins anew, and the tables keep what they have.
 * A driver whose surfaces are not where fpVidMem says sets `recording.memory`; NT counts from the start of the frame buffer, and without it what is
 * not in system memory is left out. Several threads: DirectDraw serialises the calls. Source: Windows Driver Kit documentation (ddrawi.h, d3dhal.h, ddrawint.h, d3dnthal.h); mingw-w64 headers.
 */
#ifndef DP2TRACE_CAPTURE_HAL_H
#define DP2TRACE_CAPTURE_HAL_H

#include "dp2trace_capture_ddraw.h"
#include "dp2trace_capture_dp2.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef D2C_HAL_NT
#define D2C_HAL_CALL APIENTRY
#define D2C_HAL_DATA(Name) PDD_##Name
#define D2C_HAL_D3D_DATA(Name) LPD3DNTHAL_##Name
#define D2C_HAL_SURFACE PDD_SURFACE_LOCAL
#define D2C_HAL_ATTACHMENT PDD_ATTACHLIST
#define D2C_HAL_DIRECTDRAW_TABLE DD_CALLBACKS
#define D2C_HAL_SURFACE_TABLE DD_SURFACECALLBACKS
#define D2C_HAL_BUFFER_TABLE DD_D3DBUFCALLBACKS
#define D2C_HAL_D3D_TABLE D3DNTHAL_CALLBACKS
#define D2C_HAL_D3D2_TABLE D3DNTHAL_CALLBACKS2
#define D2C_HAL_D3D3_TABLE D3DNTHAL_CALLBACKS3
#define D2C_HAL_MISC2_TABLE DD_MISCELLANEOUS2CALLBACKS
#define D2C__HAL_BUFFER(Verb) Verb##D3DBuffer
#else
#define D2C_HAL_CALL PASCAL
#define D2C_HAL_DATA(Name) LPDDHAL_##Name
#define D2C_HAL_D3D_DATA(Name) LPD3DHAL_##Name
#define D2C_HAL_SURFACE LPDDRAWI_DDRAWSURFACE_LCL
#define D2C_HAL_ATTACHMENT LPATTACHLIST
#define D2C_HAL_DIRECTDRAW_TABLE DDHAL_DDCALLBACKS
#define D2C_HAL_SURFACE_TABLE DDHAL_DDSURFACECALLBACKS
#define D2C_HAL_BUFFER_TABLE DDHAL_DDEXEBUFCALLBACKS
#define D2C_HAL_D3D_TABLE D3DHAL_CALLBACKS
#define D2C_HAL_D3D2_TABLE D3DHAL_CALLBACKS2
#define D2C_HAL_D3D3_TABLE D3DHAL_CALLBACKS3
#define D2C_HAL_MISC2_TABLE DDHAL_DDMISCELLANEOUS2CALLBACKS
#define D2C__HAL_BUFFER(Verb) Verb##ExecuteBuffer
#endif

/* The surfaces in the data of SetRenderTarget. Headers with other names of theirs: define both before this one. */
#ifndef D2C_HAL_TARGET
#define D2C_HAL_TARGET(p) ((p)->lpDDS)
#endif
#ifndef D2C_HAL_TARGET_DEPTH
#define D2C_HAL_TARGET_DEPTH(p) ((p)->lpDDSZ)
#endif

/* The callbacks that are recorded: name, name of the data. Those of the second list exist only on Windows 9x. */
/* clang-format off */
#define D2C_HAL_DD_CALLBACKS(X) \
  X(CreateSurface, CREATESURFACEDATA) X(DestroySurface, DESTROYSURFACEDATA) X(Flip, FLIPDATA) X(Lock, LOCKDATA) X(Unlock, UNLOCKDATA) \
  X(Blt, BLTDATA) X(SetColorKey, SETCOLORKEYDATA) X(CreateBuffer, CREATESURFACEDATA) X(DestroyBuffer, DESTROYSURFACEDATA) \
  X(UnlockBuffer, UNLOCKDATA) X(CreateSurfaceEx, CREATESURFACEEXDATA) X(DestroyDDLocal, DESTROYDDLOCALDATA)
#define D2C_HAL_D3D_CALLBACKS(X) \
  X(ContextCreate, CONTEXTCREATEDATA) X(ContextDestroy, CONTEXTDESTROYDATA) X(ContextDestroyAll, CONTEXTDESTROYALLDATA) \
  X(SetRenderTarget, SETRENDERTARGETDATA) X(Clear2, CLEAR2DATA) X(DrawPrimitives2, DRAWPRIMITIVES2DATA)
#define D2C_HAL_D3D_9X_CALLBACKS(X) \
  X(RenderState, RENDERSTATEDATA) X(RenderPrimitive, RENDERPRIMITIVEDATA) X(TextureCreate, TEXTURECREATEDATA) \
  X(TextureDestroy, TEXTUREDESTROYDATA) X(TextureSwap, TEXTURESWAPDATA) X(Clear, CLEARDATA) X(DrawOnePrimitive, DRAWONEPRIMITIVEDATA) \
  X(DrawOneIndexedPrimitive, DRAWONEINDEXEDPRIMITIVEDATA) X(DrawPrimitives, DRAWPRIMITIVESDATA)
/* clang-format on */

#define D2C__HAL_DD_MEMBER(Name, DATA) DWORD(D2C_HAL_CALL* Name)(D2C_HAL_DATA(DATA));
#define D2C__HAL_D3D_MEMBER(Name, DATA) DWORD(D2C_HAL_CALL* Name)(D2C_HAL_D3D_DATA(DATA));
struct d2c_hal_callbacks {
  D2C_HAL_DD_CALLBACKS(D2C__HAL_DD_MEMBER)
  D2C_HAL_D3D_CALLBACKS(D2C__HAL_D3D_MEMBER)
#ifndef D2C_HAL_NT
  D2C_HAL_D3D_9X_CALLBACKS(D2C__HAL_D3D_MEMBER)
#endif
};

#ifndef D2C_HAL_SURFACES
#define D2C_HAL_SURFACES 4096 /* that live at the same time; a power of two */
#endif
#define D2C_HAL_LOCKS 64
#define D2C_HAL_CONTEXTS 16
#define D2C_HAL_SPACES 16 /* DirectDraw objects that live at the same time */
#define D2C_HAL_SUBS 96
#define D2C_HAL_BUFFERS 64   /* vertex and index buffers whose contents are compared */
#define D2C_HAL_BLOCKS 64    /* of a buffer, at most */
#define D2C_HAL_PALETTES 256 /* textures before DirectX 7 whose texels are indices */

/* A surface of the driver. */
struct d2c_hal_surface {
  D2C_HAL_SURFACE surface; /* 0: there is none here */
  d2c_u32 number;          /* that the trace names it by */
  d2c_u32 space;           /* that of its DirectDraw object */
  d2c_u32 is_root;         /* it was announced, and is no level or face below another one */
  size_t memory;           /* fpVidMem: what a number names, where the runtime has no handles */
  d2c_u32 next;            /* of those with the same low bits of the number: index + 1 */
};

struct d2c_hal_context {
  struct d2c_u64 context; /* 0: there is none here */
  D2C_HAL_SURFACE target;
  D2C_HAL_SURFACE depth;
  d2c_u32 target_number; /* in the trace */
  d2c_u32 depth_number;
  d2c_u32 runtime;
  d2c_u32 space;
  d2c_u32 process;
};

/* A surface that is locked: Unlock does not say which of several locks ends. */
struct d2c_hal_lock {
  D2C_HAL_SURFACE surface;
  struct d2c_rect area; /* of all its locks */
  d2c_u32 count;
  d2c_u32 is_read_only; /* all of them */
};

/* What the trace has of a buffer. */
struct d2c_hal_buffer {
  d2c_u32 number; /* 0: there is none here */
  d2c_u32 space;
  d2c_u32 size;
  struct d2c_u64 blocks[D2C_HAL_BLOCKS]; /* their hashes */
};

/* A texture whose texels are indices, and the palette that the trace has for it: before DirectX 7 no token says so. */
struct d2c_hal_paletted {
  D2C_HAL_SURFACE surface;
  d2c_u32 palette; /* 0: none */
};

/* A palette, whose number in the trace is its place + 1. */
struct d2c_hal_palette {
  const void* colors; /* PALETTEENTRYs */
  d2c_u32 flags;      /* DDRAWIPAL_... */
  d2c_u32 draw;       /* the last draw that looked at it */
  struct d2c_u64 hash;
};

/* Its members are the recorder's, but `memory` and `user`, which the driver may set after d2c_hal_init(). */
struct d2c_hal {
  d2c* capture;
  const void*(D2C_CALL* memory)(void* user,
                                D2C_HAL_SURFACE surface); /* its first byte; null: fpVidMem */
  void* user;
  d2c_u32 level;    /* of the driver: 5 to 9 */
  d2c_u32 left_out; /* surfaces, locks, contexts and DirectDraw objects that found no room */
  d2c_u32 next_number;
  d2c_u32 surfaces_used;
  d2c_u32 locks_used;
  d2c_u32 paletted_used;
  d2c_u32 palettes_used;
  d2c_u32 draws;       /* before DirectX 7 */
  d2c_u32 next_buffer; /* the one that is given up next, where there is no room */
  struct d2c_pixel_format display;
  struct d2c_sources sources;
  struct d2c_dp2 call;
  struct d2c_surface_create create;
  struct d2c_sub_surface subs[D2C_HAL_SUBS];
  struct d2c_state state;
  const void* spaces[D2C_HAL_SPACES]; /* the DirectDraw object of each space; 0: there is none */
  struct d2c_hal_context contexts[D2C_HAL_CONTEXTS];
  struct d2c_hal_lock locks[D2C_HAL_LOCKS];
  struct d2c_hal_buffer buffers[D2C_HAL_BUFFERS];
  struct d2c_hal_paletted paletted[D2C_HAL_PALETTES];
  struct d2c_hal_palette palettes[D2C_HAL_PALETTES];
  d2c_u8 tokens[16 + 12 + 1024]; /* SETPALETTE, UPDATEPALETTE and its colours */
  struct d2c_hal_surface surfaces[D2C_HAL_SURFACES];
  d2c_u32 numbers[256];
  struct d2c_known known[D2C_HAL_SURFACES];
};

/* `capture` has its header; `level`: of the driver, 5 to 9; `display`: the DDPIXELFORMAT of the screen. */
D2C_API void D2C_CALL d2c_hal_init(struct d2c_hal* hal, d2c* capture, d2c_u32 level,
                                   const void* display);
/* The mode of the screen has changed, and with it the DDPIXELFORMAT of surfaces that have none of their own. */
D2C_API void D2C_CALL d2c_hal_display(struct d2c_hal* hal, const void* display);
/* The callbacks of a table are recorded from now on; null members stay null. */
D2C_API void D2C_CALL d2c_hal_directdraw(struct d2c_hal* hal, D2C_HAL_DIRECTDRAW_TABLE* table);
D2C_API void D2C_CALL d2c_hal_surfaces(struct d2c_hal* hal, D2C_HAL_SURFACE_TABLE* table);
D2C_API void D2C_CALL d2c_hal_buffers(struct d2c_hal* hal, D2C_HAL_BUFFER_TABLE* table);
D2C_API void D2C_CALL d2c_hal_direct3d(struct d2c_hal* hal, D2C_HAL_D3D_TABLE* table);
/* The driver has answered GetDriverInfo: the tables that it has handed out there. */
D2C_API void D2C_CALL d2c_hal_driver_info(struct d2c_hal* hal, D2C_HAL_DATA(GETDRIVERINFODATA) p);
/* Fills in the state of a context (dwhContext) as the driver keeps it; d2c_state_init() was called. */
typedef void(D2C_CALL* d2c_hal_state_fn)(void* user, struct d2c_u64 context,
                                         struct d2c_state* state);
/*
 * The recording begins, or begins anew after d2c_pause(): the header as a snapshot, all surfaces with what they hold, depth surfaces, too, and
 * all contexts with their states. `fill` (or 0): states, which the recorder does not know. Between calls of the driver.
 */
D2C_API int D2C_CALL d2c_hal_snapshot(struct d2c_hal* hal, const struct d2c_header* header,
                                      d2c_hal_state_fn fill, void* user);
/* The number of a surface in the trace, for d2c_picture(); 0: it has none. */
D2C_API d2c_u32 D2C_CALL d2c_hal_number(const struct d2c_hal* hal, D2C_HAL_SURFACE surface);

#ifdef __cplusplus
}
#endif

#endif /* DP2TRACE_CAPTURE_HAL_H */

#if defined(D2C_IMPLEMENTATION) && !defined(DP2TRACE_CAPTURE_HAL_IMPLEMENTED)
#define DP2TRACE_CAPTURE_HAL_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

#define D2C__HAL_FLIP 0x00000010u           /* DDSCAPS_FLIP */
#define D2C__HAL_PRIMARY 0x00000200u        /* DDSCAPS_PRIMARYSURFACE */
#define D2C__HAL_MIPMAP 0x00400000u         /* DDSCAPS_MIPMAP */
#define D2C__HAL_LOCK_READ_ONLY 0x00000010u /* DDLOCK_READONLY */
#define D2C__HAL_KEY_SOURCE 0x00000008u     /* DDCKEY_SRCBLT */
#define D2C__HAL_HANDLED 1u                 /* DDHAL_DRIVER_HANDLED */
#define D2C__HAL_FOURCC 0x00000004u         /* DDPF_FOURCC */
#define D2C__HAL_INDEXED 0x00000020u        /* DDPF_PALETTEINDEXED8 */
#define D2C__HAL_PALETTE_16 0x00000002u     /* DDRAWIPAL_16, and so on */
#define D2C__HAL_PALETTE_4 0x00000400u
#define D2C__HAL_PALETTE_2 0x00000800u
#define D2C__HAL_PALETTE_ALPHA 0x00002000u
#define D2C__HAL_OWN_NUMBERS 0x00080000u /* where the runtime gives none */

/* The recording of this driver: its callbacks have no other way to it. */
static struct d2c_hal* d2c__hal;

/* The driver's own: a table that is recorded stays so when the recording begins again, so these stay, too. */
static struct d2c_hal_callbacks d2c__hal_driver;

/* ---------- surfaces ---------- */

static d2c_u32 d2c__hal_slot(const struct d2c_hal* hal, D2C_HAL_SURFACE surface) {
  d2c_u32 slot = ((d2c_u32)((size_t)surface >> 4) * 0x9E3779B1u) & (D2C_HAL_SURFACES - 1);
  while (hal->surfaces[slot].surface != 0 && hal->surfaces[slot].surface != surface)
    slot = (slot + 1) & (D2C_HAL_SURFACES - 1);
  return slot;
}

/*
 * The number that the surface has now; 0: none is known. From DirectX 7 on the runtime gives it. A flip exchanges the handles of a chain, as it
 * does the memory: Microsoft's page "D3dCreateSurfaceEx Handles and Flip". Before there are none: a number goes with the memory.
 */
static d2c_u32 d2c__hal_live(const struct d2c_hal* hal, D2C_HAL_SURFACE surface) {
  const struct d2c_hal_surface* const known = hal->surfaces + d2c__hal_slot(hal, surface);
  size_t memory;
  d2c_u32 i;
  if (hal->level >= 7) return D2C_DDRAW_HANDLE(surface);
  if (known->surface == 0 || surface->lpGbl == 0) return 0;
  memory = (size_t)surface->lpGbl->fpVidMem;
  if (known->memory == memory || !(surface->ddsCaps.dwCaps & D2C__HAL_FLIP)) return known->number;
  for (i = 0; i < D2C_HAL_SURFACES; ++i) {
    const struct d2c_hal_surface* const other = hal->surfaces + i;
    if (other->surface != 0 && other->memory == memory &&
        (other->surface->ddsCaps.dwCaps & D2C__HAL_FLIP) != 0)
      return other->number;
  }
  return known->number;
}

D2C_API d2c_u32 D2C_CALL d2c_hal_number(const struct d2c_hal* hal, D2C_HAL_SURFACE surface) {
  d2c_u32 number;
  if (hal == 0 || surface == 0) return 0;
  number = d2c__hal_live(hal, surface);
  if (number != 0) return number;
  if (hal->surfaces[d2c__hal_slot(hal, surface)].surface != 0)
    number = hal->surfaces[d2c__hal_slot(hal, surface)].number;
  return number != 0 ? number : D2C_DDRAW_HANDLE(surface);
}

static void d2c__hal_unlink(struct d2c_hal* hal, d2c_u32 slot) {
  d2c_u32* link = hal->numbers + (hal->surfaces[slot].number & 255u);
  while (*link != 0 && *link != slot + 1)
    link = &hal->surfaces[*link - 1].next;
  if (*link != 0) *link = hal->surfaces[slot].next;
}

static void d2c__hal_link(struct d2c_hal* hal, d2c_u32 slot) {
  d2c_u32* const link = hal->numbers + (hal->surfaces[slot].number & 255u);
  hal->surfaces[slot].next = *link;
  *link = slot + 1;
}

/* Something found no room: the trace says so. */
static void d2c__hal_leave_out(struct d2c_hal* hal) {
  ++hal->left_out;
  d2c_leave_out(hal->capture, D2C_LOST_CAUSE_ROOM);
}

/* Where the surface of this number is: index + 1; 0: there is none. */
static d2c_u32 d2c__hal_numbered(const struct d2c_hal* hal, d2c_u32 space, d2c_u32 number) {
  d2c_u32 at = hal->numbers[number & 255u];
  while (at != 0 &&
         (hal->surfaces[at - 1].number != number || hal->surfaces[at - 1].space != space))
    at = hal->surfaces[at - 1].next;
  return at;
}

/* The table follows a flip: the surface changes places with the one that had its number, that one with the next, and so on. */
static void d2c__hal_follow(struct d2c_hal* hal, D2C_HAL_SURFACE surface) {
  d2c_u32 left = 16;
  while (surface != 0 && left-- != 0) {
    struct d2c_hal_surface* const known = hal->surfaces + d2c__hal_slot(hal, surface);
    const d2c_u32 number = d2c__hal_live(hal, surface);
    const d2c_u32 before = known->number;
    const size_t memory = known->memory;
    d2c_u32 other;
    if (known->surface == 0 || number == 0) return;
    if (surface->lpGbl != 0) known->memory = (size_t)surface->lpGbl->fpVidMem;
    if (number == before) return;
    other = d2c__hal_numbered(hal, known->space, number);
    d2c__hal_unlink(hal, (d2c_u32)(known - hal->surfaces));
    known->number = number;
    surface = 0;
    if (other != 0) {
      d2c__hal_unlink(hal, other - 1);
      hal->surfaces[other - 1].number = before;
      hal->surfaces[other - 1].memory = memory;
      d2c__hal_link(hal, other - 1);
      surface = hal->surfaces[other - 1].surface;
    }
    d2c__hal_link(hal, (d2c_u32)(known - hal->surfaces));
  }
}

static d2c_u32 d2c__hal_named(D2C_HAL_SURFACE surface) {
  if (surface != 0) d2c__hal_follow(d2c__hal, surface);
  return d2c_hal_number(d2c__hal, surface);
}

/* The surface of this number. */
static D2C_HAL_SURFACE d2c__hal_find(struct d2c_hal* hal, d2c_u32 space, d2c_u32 number) {
  d2c_u32 at = d2c__hal_numbered(hal, space, number);
  if (at != 0) {
    d2c__hal_follow(hal, hal->surfaces[at - 1].surface);
    at = d2c__hal_numbered(hal, space, number);
  }
  return at != 0 ? hal->surfaces[at - 1].surface : 0;
}

/* The surface has this number from now on. */
static void d2c__hal_remember(struct d2c_hal* hal, D2C_HAL_SURFACE surface, d2c_u32 space,
                              d2c_u32 number, d2c_u32 is_root) {
  const d2c_u32 slot = d2c__hal_slot(hal, surface);
  if (hal->surfaces[slot].surface != 0) {
    d2c__hal_unlink(hal, slot);
  } else if (hal->surfaces_used >= D2C_HAL_SURFACES / 4 * 3) {
    d2c__hal_leave_out(hal);
    return;
  } else {
    ++hal->surfaces_used;
  }
  hal->surfaces[slot].surface = surface;
  hal->surfaces[slot].space = space;
  hal->surfaces[slot].number = number;
  hal->surfaces[slot].is_root = is_root;
  hal->surfaces[slot].memory = surface->lpGbl != 0 ? (size_t)surface->lpGbl->fpVidMem : 0;
  d2c__hal_link(hal, slot);
}

/* What the buffer holds is not in the trace. */
static void d2c__hal_forget_buffer(struct d2c_hal* hal, d2c_u32 space, d2c_u32 number) {
  d2c_u32 i;
  for (i = 0; i < D2C_HAL_BUFFERS; ++i) {
    if (hal->buffers[i].number == number && hal->buffers[i].space == space)
      hal->buffers[i].number = 0;
  }
}

static void d2c__hal_forget(struct d2c_hal* hal, D2C_HAL_SURFACE surface) {
  d2c_u32 at = d2c__hal_slot(hal, surface);
  d2c_u32 i;
  if (hal->surfaces[at].surface == 0) return;
  d2c__hal_follow(hal, surface);
  d2c_sources_forget(&hal->sources, hal->surfaces[at].space, hal->surfaces[at].number);
  d2c__hal_forget_buffer(hal, hal->surfaces[at].space, hal->surfaces[at].number);
  d2c__hal_unlink(hal, at);
  hal->surfaces[at].surface = 0;
  --hal->surfaces_used;
  for (i = 0; i < hal->locks_used;) {
    if (hal->locks[i].surface == surface)
      hal->locks[i] = hal->locks[--hal->locks_used];
    else
      ++i;
  }
  for (i = 0; i < D2C_HAL_CONTEXTS; ++i) {
    if (hal->contexts[i].target == surface) hal->contexts[i].target = 0;
    if (hal->contexts[i].depth == surface) hal->contexts[i].depth = 0;
  }
  for (i = 0; i < hal->paletted_used; ++i) {
    if (hal->paletted[i].surface == surface)
      hal->paletted[i--] = hal->paletted[--hal->paletted_used];
  }
  for (;;) {
    struct d2c_hal_surface moved;
    at = (at + 1) & (D2C_HAL_SURFACES - 1);
    moved = hal->surfaces[at];
    if (moved.surface == 0) return;
    d2c__hal_unlink(hal, at);
    hal->surfaces[at].surface = 0;
    --hal->surfaces_used;
    d2c__hal_remember(hal, moved.surface, moved.space, moved.number, moved.is_root);
    hal->surfaces[d2c__hal_slot(hal, moved.surface)].memory = moved.memory;
  }
}

/* The space of this DirectDraw object, or, of 0, one that nobody has; D2C_HAL_SPACES: there is none. */
static d2c_u32 d2c__hal_find_space(const struct d2c_hal* hal, const void* object) {
  d2c_u32 space = 0;
  while (space < D2C_HAL_SPACES && hal->spaces[space] != object)
    ++space;
  return space;
}

/*
 * Each DirectDraw object counts handles of its own, from DirectX 7 on, and several processes have theirs in one driver. `object`: lpDDLcl. A
 * driver without DestroyDDLocal never hears that one has ended: the space of one that has nothing left is another's.
 */
static d2c_u32 d2c__hal_space(struct d2c_hal* hal, const void* object) {
  d2c_u32 space;
  d2c_u32 i;
  if (hal->level < 7 || object == 0) return 0;
  space = d2c__hal_find_space(hal, object);
  if (space == D2C_HAL_SPACES) space = d2c__hal_find_space(hal, 0);
  if (space == D2C_HAL_SPACES) {
    unsigned char is_used[D2C_HAL_SPACES];
    d2c__zero(is_used, sizeof is_used);
    for (i = 0; i < D2C_HAL_SURFACES; ++i) {
      if (hal->surfaces[i].surface != 0) is_used[hal->surfaces[i].space] = 1;
    }
    for (i = 0; i < D2C_HAL_CONTEXTS; ++i) {
      if ((hal->contexts[i].context.lo | hal->contexts[i].context.hi) != 0)
        is_used[hal->contexts[i].space] = 1;
    }
    for (space = 0; space < D2C_HAL_SPACES && is_used[space]; ++space)
      ;
    if (space == D2C_HAL_SPACES) {
      d2c__hal_leave_out(hal);
      return 0;
    }
  }
  hal->spaces[space] = object;
  return space;
}

static d2c_u32 d2c__hal_space_of(const struct d2c_hal* hal, D2C_HAL_SURFACE surface) {
  const struct d2c_hal_surface* const known = hal->surfaces + d2c__hal_slot(hal, surface);
  return known->surface != 0 ? known->space : 0;
}

/* A surface that was announced itself, such as the next one of a flip chain. */
static d2c_u32 d2c__hal_is_root(const struct d2c_hal* hal, D2C_HAL_SURFACE surface) {
  const struct d2c_hal_surface* const known = hal->surfaces + d2c__hal_slot(hal, surface);
  return known->surface != 0 ? known->is_root : 0;
}

static const d2c_u8* d2c__hal_memory(D2C_HAL_SURFACE surface) {
  struct d2c_hal* const hal = d2c__hal;
  if (surface == 0 || surface->lpGbl == 0) return 0;
  if (hal->memory != 0) return (const d2c_u8*)hal->memory(hal->user, surface);
#ifdef D2C_HAL_NT
  /* An offset into the frame buffer, which only the driver can map. */
  if (!(surface->ddsCaps.dwCaps & D2C__DDSCAPS_SYSTEMMEMORY)) {
    d2c__hal_leave_out(hal);
    return 0;
  }
#endif
  return D2C_DDRAW_MEMORY(surface);
}

/* The format of a surface: its own, or that of the screen. */
static void d2c__hal_format(D2C_HAL_SURFACE surface, struct d2c_pixel_format* format) {
  *format = d2c__hal->display;
  if (surface->dwFlags & D2C__DDRAWISURF_HASPIXELFORMAT)
    D2C_DDRAW_PIXEL_FORMAT(format, &surface->lpGbl->ddpfSurface);
}

/* Blocks of 4 x 4 pixels: their bytes; 0: pixels. */
static d2c_u32 d2c__hal_block(const struct d2c_pixel_format* format) {
  if (!(format->flags & D2C__HAL_FOURCC) || (format->four_cc & 0xFFFFFFu) != 0x545844u) return 0;
  return format->four_cc >> 24 == '1' ? 8 : 16; /* DXT1 to DXT5 */
}

/* Bytes of a pixel of a FourCC; 0: they are not known. */
static d2c_u32 d2c__hal_pixel(const struct d2c_pixel_format* format) {
  return format->four_cc == 0x32595559u || format->four_cc == 0x59565955u ? 2u /* YUY2, UYVY */
                                                                          : format->bit_count / 8;
}

static int d2c__hal_is_buffer(D2C_HAL_SURFACE surface) {
  return (surface->ddsCaps.dwCaps & D2C__DDSCAPS_EXECUTEBUFFER) != 0;
}

/* What an area of the surface holds, or all of it. 0: that cannot be told. */
static int d2c__hal_contents(struct d2c_surface_update* update, D2C_HAL_SURFACE surface,
                             d2c_u32 space, d2c_u32 number, const struct d2c_rect* area) {
  const d2c_u8* const memory = d2c__hal_memory(surface);
  struct d2c_pixel_format format;
  d2c_u32 block;
  d2c_u32 bytes;
  d2c_u32 width;
  d2c_u32 height;
  d2c_u32 slices;
  d2c_surface_update_init(update);
  update->space = space;
  update->handle = number;
  if (memory == 0 || number == 0) return 0;
  if (d2c__hal_is_buffer(surface)) {
    update->has_range = 1;
    update->range.size = (d2c_u32)surface->lpGbl->dwLinearSize;
    update->data = d2c_bytes_of(memory, update->range.size);
    return 1;
  }
  d2c__hal_format(surface, &format);
  block = d2c__hal_block(&format);
  bytes = format.flags & D2C__HAL_FOURCC ? d2c__hal_pixel(&format) : format.bit_count / 8;
  width = (d2c_u32)surface->lpGbl->wWidth;
  height = (d2c_u32)surface->lpGbl->wHeight;
  slices = D2C__DDRAW_CAPS2(surface) & D2C__DDSCAPS2_VOLUME
               ? (d2c_u32)surface->lpSurfMore->ddsCapsEx.dwCaps4 & 0xFFFFu
               : 1;
  if (block == 0 && bytes == 0) {
    d2c__hal_leave_out(d2c__hal);
    return 0;
  }
  if (slices > 1) {
    update->has_box = 1;
    update->box.right = (d2c_i32)width;
    update->box.bottom = (d2c_i32)height;
    update->box.back = (d2c_i32)slices;
  } else {
    update->has_rect = 1;
    update->rect.right = (d2c_i32)width;
    update->rect.bottom = (d2c_i32)height;
  }
  if (block != 0) {
    /* All of it: a surface of blocks has a linear size in place of a pitch. */
    update->data = d2c_bytes_of(memory, (width + 3) / 4 * ((height + 3) / 4) * block * slices);
    return update->data.size != 0;
  }
  if (slices > 1) {
    /* All of it, with what is between rows and slices. */
    update->has_pitch = 1;
    update->pitch = (d2c_u32)surface->lpGbl->lPitch;
    update->has_slice_pitch = 1;
    update->slice_pitch = (d2c_u32)surface->lpGbl->dwBlockSizeY;
    if (width == 0 || height == 0) return 0;
    update->data = d2c_bytes_of(
        memory, update->slice_pitch * (slices - 1) + update->pitch * (height - 1) + width * bytes);
    return 1;
  }
  if (area != 0) {
    update->rect.left = area->left < 0 ? 0 : area->left;
    update->rect.top = area->top < 0 ? 0 : area->top;
    if (area->right < update->rect.right) update->rect.right = area->right;
    if (area->bottom < update->rect.bottom) update->rect.bottom = area->bottom;
  }
  if (update->rect.left >= update->rect.right || update->rect.top >= update->rect.bottom) return 0;
  update->data = d2c_rows_of(memory + (ptrdiff_t)update->rect.top * surface->lpGbl->lPitch +
                                 (ptrdiff_t)update->rect.left * (ptrdiff_t)bytes,
                             (d2c_u32)(update->rect.right - update->rect.left) * bytes,
                             (d2c_u32)(update->rect.bottom - update->rect.top),
                             (d2c_i32)surface->lpGbl->lPitch);
  return 1;
}

/* The buffer of `update`, which has all of it; one that is new to the trace has no size. */
static struct d2c_hal_buffer* d2c__hal_buffer_of(struct d2c_hal* hal,
                                                 const struct d2c_surface_update* update) {
  struct d2c_hal_buffer* free = 0;
  d2c_u32 i;
  for (i = 0; i < D2C_HAL_BUFFERS; ++i) {
    struct d2c_hal_buffer* const buffer = hal->buffers + i;
    if (buffer->number == update->handle && buffer->space == update->space) {
      if (buffer->size != update->range.size) buffer->size = 0;
      return buffer;
    }
    if (free == 0 && buffer->number == 0) free = buffer;
  }
  if (free == 0) free = hal->buffers + hal->next_buffer++ % D2C_HAL_BUFFERS;
  free->number = update->handle;
  free->space = update->space;
  free->size = 0;
  return free;
}

/*
 * What the buffer holds and the trace does not have, in whole blocks: the data of LockExecuteBuffer and LockD3DBuffer has no range of bytes (Windows
 * Driver Kit documentation, DD_LOCKDATA: rArea is an area of a surface).
 */
static void d2c__hal_record_buffer(D2C_HAL_SURFACE surface) {
  struct d2c_hal* const hal = d2c__hal;
  struct d2c_surface_update update;
  struct d2c_hal_buffer* buffer;
  const d2c_u8* memory;
  d2c_u32 size;
  d2c_u32 block;
  d2c_u32 at = 0;
  d2c_u32 changed = 0; /* bytes before `at` */
  d2c_u32 i;
  if (!d2c__hal_contents(&update, surface, d2c__hal_space_of(hal, surface), d2c__hal_named(surface),
                         0))
    return;
  buffer = d2c__hal_buffer_of(hal, &update);
  memory = (const d2c_u8*)update.data.data;
  size = update.range.size;
  block = ((size - 1) / D2C_HAL_BLOCKS + 256) & ~255u;
  for (i = 0; changed != 0 || at < size; ++i) {
    const d2c_u32 now = size - at < block ? size - at : block;
    struct d2c_u64 hash = {0, 0};
    if (now != 0) {
      d2c_hash_begin(&hal->sources.hash);
      d2c_hash_add(&hal->sources.hash, memory + at, now);
      hash = d2c_hash_end(&hal->sources.hash);
    }
    if (now != 0 &&
        (buffer->size == 0 || hash.lo != buffer->blocks[i].lo || hash.hi != buffer->blocks[i].hi)) {
      buffer->blocks[i] = hash;
      changed += now;
    } else if (changed != 0) {
      update.range.offset = at - changed;
      update.range.size = changed;
      update.data = d2c_bytes_of(memory + update.range.offset, changed);
      if (d2c_surface_update(hal->capture, &update) != D2C_OK) {
        buffer->number = 0;
        return;
      }
      changed = 0;
    }
    at += now;
  }
  buffer->size = size;
}

static void d2c__hal_record_contents(D2C_HAL_SURFACE surface, const struct d2c_rect* area) {
  struct d2c_surface_update update;
  if (surface != 0 && d2c__hal_is_buffer(surface)) {
    d2c__hal_record_buffer(surface);
    return;
  }
  if (surface == 0 || !d2c__hal_contents(&update, surface, d2c__hal_space_of(d2c__hal, surface),
                                         d2c__hal_named(surface), area))
    return;
  d2c_surface_update(d2c__hal->capture, &update);
  d2c_sources_forget(&d2c__hal->sources, update.space, update.handle);
}

/* Level or face `part` of a surface in system memory, which the runtime fills without a call. */
static int D2C_CALL d2c__hal_source(void* user, d2c_u32 space, d2c_u32 handle, d2c_u32 part,
                                    struct d2c_surface_update* update) {
  struct d2c_hal* const hal = (struct d2c_hal*)user;
  D2C_HAL_SURFACE surface = d2c__hal_find(hal, space, handle);
  if (surface == 0 || !(surface->ddsCaps.dwCaps & D2C__DDSCAPS_SYSTEMMEMORY)) return 0;
  if (d2c__hal_is_buffer(surface)) {
    d2c__hal_record_buffer(surface);
    return 0;
  }
  if (part != 0) {
    D2C_DDRAW_SUB_SURFACES(&hal->create, D2C_HAL_SURFACE, D2C_HAL_ATTACHMENT, surface, hal->subs,
                           D2C_HAL_SUBS);
    if (part > hal->create.sub_surfaces_items) return 0;
    handle = hal->subs[part - 1].handle;
    surface = d2c__hal_find(hal, space, handle);
    if (surface == 0) return 0;
  }
  return d2c__hal_contents(update, surface, space, handle, 0);
}

/* BUFFERBLT has written a buffer. */
static void D2C_CALL d2c__hal_copied(void* user, d2c_u32 space, d2c_u32 handle) {
  d2c__hal_forget_buffer((struct d2c_hal*)user, space, handle);
}

/* An attached surface of its own, such as a back buffer or a depth surface: no level and no face. */
static int d2c__hal_is_separate(D2C_HAL_SURFACE surface) {
  return surface != 0 && surface->lpGbl != 0 && D2C_DDRAW_HANDLE(surface) != 0 &&
         (D2C__DDRAW_CAPS2(surface) & (D2C__DDSCAPS2_MIPMAPSUBLEVEL | D2C__DDSCAPS2_CUBEFACES)) ==
             0;
}

/* The level below, before DirectX 7. */
static D2C_HAL_SURFACE d2c__hal_below(D2C_HAL_SURFACE surface) {
  D2C_HAL_ATTACHMENT next = surface->lpAttachList;
  while (next != 0 && (next->lpAttached == 0 || next->lpAttached->lpGbl == 0 ||
                       !(next->lpAttached->ddsCaps.dwCaps & D2C__HAL_MIPMAP)))
    next = next->lpLink;
  return next != 0 ? next->lpAttached : 0;
}

static void d2c__hal_destroyed(D2C_HAL_SURFACE surface);

/* The levels of a texture before DirectX 7: they have numbers of the recorder's, and may have been announced when they were created. */
static void d2c__hal_old_levels(D2C_HAL_SURFACE surface, d2c_u32 space) {
  struct d2c_hal* const hal = d2c__hal;
  D2C_HAL_SURFACE level = d2c__hal_below(surface);
  d2c_u32 count = 0;
  for (; level != 0 && level != surface && count < 15; level = d2c__hal_below(level)) {
    d2c_u32 number;
    if (d2c__hal_is_root(hal, level)) d2c__hal_destroyed(level);
    number = d2c__hal_named(level);
    if (number == 0) number = hal->next_number++;
    d2c__hal_remember(hal, level, space, number, 0);
    ++count;
    d2c_ddraw_sub(hal->subs + count - 1, number, 0, count, D2C__DDSCAPS2_MIPMAPSUBLEVEL,
                  (d2c_u32)level->lpGbl->lPitch);
  }
  hal->create.levels = count + 1;
  hal->create.sub_surfaces = hal->subs;
  hal->create.sub_surfaces_items = count;
}

/* One surface with its levels and faces: `create` is filled in. */
static void d2c__hal_describe(D2C_HAL_SURFACE surface, d2c_u32 space, d2c_u32 number) {
  struct d2c_hal* const hal = d2c__hal;
  struct d2c_surface_create* const create = &hal->create;
  D2C_HAL_ATTACHMENT next;
  D2C_DDRAW_SURFACE_CREATE(create, space, surface, &hal->display);
  create->handle = number;
  if (hal->level < 7) {
    if ((surface->ddsCaps.dwCaps & D2C__HAL_MIPMAP) != 0) d2c__hal_old_levels(surface, space);
  } else if (!d2c__hal_is_buffer(surface) && surface->lpSurfMore != 0) {
    D2C_DDRAW_SUB_SURFACES(create, D2C_HAL_SURFACE, D2C_HAL_ATTACHMENT, surface, hal->subs,
                           D2C_HAL_SUBS);
    for (next = surface->lpAttachList; next != 0; next = next->lpLink) {
      /* The levels of this face and the other faces, each with its own levels. */
      D2C_HAL_SURFACE level = next->lpAttached;
      d2c_u32 left = 16; /* a flip chain is a circle */
      while (level != 0 && level != surface && left-- != 0) {
        D2C_HAL_ATTACHMENT below = level->lpAttachList;
        if (D2C_DDRAW_HANDLE(level) != 0 && !d2c__hal_is_root(hal, level))
          d2c__hal_remember(hal, level, space, D2C_DDRAW_HANDLE(level), 0);
        level = below != 0 ? below->lpAttached : 0;
      }
    }
  }
  d2c__hal_remember(hal, surface, space, number, 1);
}

#ifndef D2C_HAL_NT
/* The texture is new to the trace, and has no palette there. */
static void d2c__hal_add_paletted(struct d2c_hal* hal, D2C_HAL_SURFACE surface) {
  d2c_u32 i = 0;
  while (i < hal->paletted_used && hal->paletted[i].surface != surface)
    ++i;
  if (i == D2C_HAL_PALETTES) {
    d2c__hal_leave_out(hal);
    return;
  }
  if (i == hal->paletted_used) ++hal->paletted_used;
  hal->paletted[i].surface = surface;
  hal->paletted[i].palette = 0;
}
#endif

static void d2c__hal_announce_one(D2C_HAL_SURFACE surface, d2c_u32 space, d2c_u32 number) {
  struct d2c_hal* const hal = d2c__hal;
  d2c__hal_describe(surface, space, number);
  d2c_surface_create(hal->capture, &hal->create);
  d2c__hal_forget_buffer(hal, space, number);
#ifndef D2C_HAL_NT
  if (hal->level < 7 && (hal->create.caps & D2C__DDSCAPS_TEXTURE) != 0 &&
      (hal->create.pixel_format.flags & D2C__HAL_INDEXED) != 0)
    d2c__hal_add_paletted(hal, surface);
#endif
}

/*
 * The root, and the surfaces of its flip chain, each with its depth surface, which the driver finds only by the root: Microsoft's page
 * "Points to Consider when Restoring Complex Flipping Chains". One without memory is announced when the runtime restores it.
 */
static void d2c__hal_announce(D2C_HAL_SURFACE surface, d2c_u32 space, d2c_u32 number) {
  struct d2c_hal* const hal = d2c__hal;
  D2C_HAL_SURFACE at = surface;
  d2c_u32 left = 16;
  if (surface == 0 || surface->lpGbl == 0) return;
  d2c__hal_announce_one(surface, space, number);
  while (at != 0 && left-- != 0) {
    D2C_HAL_ATTACHMENT next;
    D2C_HAL_SURFACE after = 0;
    for (next = at->lpAttachList; next != 0; next = next->lpLink) {
      D2C_HAL_SURFACE const attached = next->lpAttached;
      if (!d2c__hal_is_separate(attached) || attached == surface) continue;
      if (!d2c__hal_is_root(hal, attached) &&
          (attached->lpGbl->fpVidMem != 0 || (attached->ddsCaps.dwCaps & D2C__HAL_PRIMARY) != 0))
        d2c__hal_announce_one(attached, space, D2C_DDRAW_HANDLE(attached));
      if ((attached->ddsCaps.dwCaps & D2C__HAL_FLIP) != 0) after = attached;
    }
    at = after;
  }
}

/* The surface is gone; before DirectX 7 and in system memory, too. */
static void d2c__hal_destroyed(D2C_HAL_SURFACE surface) {
  struct d2c_surface_destroy destroy;
  const d2c_u32 number = d2c__hal_named(surface);
  if (number == 0) return;
  d2c_surface_destroy_init(&destroy);
  destroy.space = d2c__hal_space_of(d2c__hal, surface);
  destroy.handle = number;
  d2c_surface_destroy(d2c__hal->capture, &destroy);
  d2c__hal_forget(d2c__hal, surface);
}

/* A surface that the runtime has not numbered: before DirectX 7 nobody tells the driver of it again. */
static void d2c__hal_created(D2C_HAL_SURFACE* list, d2c_u32 count) {
  d2c_u32 i;
  for (i = 0; list != 0 && i < count; ++i) {
    if (list[i] != 0 && d2c__hal->level < 7 && d2c__hal_named(list[i]) == 0)
      d2c__hal_announce(list[i], 0, d2c__hal->next_number++);
  }
}

/* ---------- DirectDraw ---------- */

static DWORD D2C_HAL_CALL d2c__hal_CreateSurface(D2C_HAL_DATA(CREATESURFACEDATA) p) {
  const DWORD result = d2c__hal_driver.CreateSurface(p);
  if (p != 0 && p->ddRVal >= 0) d2c__hal_created(p->lplpSList, (d2c_u32)p->dwSCnt);
  return result;
}

static DWORD D2C_HAL_CALL d2c__hal_CreateBuffer(D2C_HAL_DATA(CREATESURFACEDATA) p) {
  const DWORD result = d2c__hal_driver.CreateBuffer(p);
  if (p != 0 && p->ddRVal >= 0) d2c__hal_created(p->lplpSList, (d2c_u32)p->dwSCnt);
  return result;
}

static DWORD D2C_HAL_CALL d2c__hal_DestroySurface(D2C_HAL_DATA(DESTROYSURFACEDATA) p) {
  if (p != 0 && p->lpDDSurface != 0) d2c__hal_destroyed(p->lpDDSurface);
  return d2c__hal_driver.DestroySurface(p);
}

static DWORD D2C_HAL_CALL d2c__hal_DestroyBuffer(D2C_HAL_DATA(DESTROYSURFACEDATA) p) {
  if (p != 0 && p->lpDDSurface != 0) d2c__hal_destroyed(p->lpDDSurface);
  return d2c__hal_driver.DestroyBuffer(p);
}

static void d2c__hal_show(d2c_u32 space, d2c_u32 number) {
  struct d2c_present present;
  d2c_present_init(&present);
  present.space = space;
  present.handle = number;
  if (number != 0) d2c_present(d2c__hal->capture, &present);
}

/* The runtime asks again where the driver is still drawing: one frame. It exchanges handles and memory when the driver has returned. */
static DWORD D2C_HAL_CALL d2c__hal_Flip(D2C_HAL_DATA(FLIPDATA) p) {
  const d2c_u32 space = p == 0 ? 0 : d2c__hal_space_of(d2c__hal, p->lpSurfTarg);
  const d2c_u32 number = p == 0 ? 0 : d2c__hal_named(p->lpSurfTarg);
  const DWORD result = d2c__hal_driver.Flip(p);
  if (p != 0 && result == D2C__HAL_HANDLED && p->ddRVal >= 0) d2c__hal_show(space, number);
  return result;
}

/* The driver has done what it was asked for. It says that it has not while it is still drawing: the runtime asks again. */
static int d2c__hal_has_done(DWORD result, d2c_i32 value) {
  return result != D2C__HAL_HANDLED || value >= 0;
}

/* How many calls were recorded since the next event was to be `first`, of `most`: a `lost` may follow them. */
static d2c_u32 d2c__hal_since(struct d2c_u64 first, d2c_u32 most) {
  const d2c_u32 count = d2c_next_event(d2c__hal->capture).lo - first.lo;
  return count < most ? count : most;
}

/* The driver came back from `count` calls, from `first` on. */
static void d2c__hal_returned(struct d2c_u64 first, d2c_u32 count, DWORD result, d2c_i32 value) {
  struct d2c_call_result returned;
  for (; count != 0; --count) {
    d2c_call_result_init(&returned);
    returned.call = first;
    if (result == D2C__HAL_HANDLED) returned.ddrval = (d2c_u32)value;
    d2c_call_result(d2c__hal->capture, &returned);
    if (++first.lo == 0) ++first.hi;
  }
}

/* Its lock, or the place after the last one. */
static struct d2c_hal_lock* d2c__hal_find_lock(D2C_HAL_SURFACE surface) {
  struct d2c_hal_lock* lock = d2c__hal->locks;
  while (lock != d2c__hal->locks + d2c__hal->locks_used && lock->surface != surface)
    ++lock;
  return lock;
}

static void d2c__hal_locked(D2C_HAL_SURFACE surface, const struct d2c_rect* area,
                            d2c_u32 is_read_only) {
  struct d2c_hal* const hal = d2c__hal;
  struct d2c_hal_lock* const lock = d2c__hal_find_lock(surface);
  if (lock == hal->locks + D2C_HAL_LOCKS) {
    d2c__hal_leave_out(hal);
  } else if (lock == hal->locks + hal->locks_used) {
    ++hal->locks_used;
    lock->surface = surface;
    lock->area = *area;
    lock->count = 1;
    lock->is_read_only = is_read_only;
  } else {
    if (area->left < lock->area.left) lock->area.left = area->left;
    if (area->top < lock->area.top) lock->area.top = area->top;
    if (area->right > lock->area.right) lock->area.right = area->right;
    if (area->bottom > lock->area.bottom) lock->area.bottom = area->bottom;
    ++lock->count;
    if (!is_read_only) lock->is_read_only = 0;
  }
}

static DWORD D2C_HAL_CALL d2c__hal_Lock(D2C_HAL_DATA(LOCKDATA) p) {
  struct d2c_hal* const hal = d2c__hal;
  const DWORD result = d2c__hal_driver.Lock(p);
  if (p != 0 && p->lpDDSurface != 0 && d2c__hal_has_done(result, (d2c_i32)p->ddRVal)) {
    const d2c_u32 is_read_only = (p->dwFlags & D2C__HAL_LOCK_READ_ONLY) != 0 ? 1u : 0u;
    struct d2c_surface_read read;
    d2c_surface_read_init(&read);
    read.space = d2c__hal_space_of(hal, p->lpDDSurface);
    read.handle = d2c__hal_named(p->lpDDSurface);
    read.has_rect = p->bHasRect && !(D2C__DDRAW_CAPS2(p->lpDDSurface) & D2C__DDSCAPS2_VOLUME);
    if (read.has_rect)
      d2c_ddraw_words(&read.rect, &p->rArea, 4);
    else
      read.rect.right = read.rect.bottom = 0x7FFFFFFF;
    d2c__hal_locked(p->lpDDSurface, &read.rect, is_read_only);
    if (is_read_only && read.handle != 0) d2c_surface_read(hal->capture, &read);
  }
  return result;
}

/* Without a lock that is known, all of the surface. */
static DWORD D2C_HAL_CALL d2c__hal_Unlock(D2C_HAL_DATA(UNLOCKDATA) p) {
  struct d2c_hal* const hal = d2c__hal;
  if (p != 0 && p->lpDDSurface != 0) {
    struct d2c_hal_lock* const lock = d2c__hal_find_lock(p->lpDDSurface);
    if (lock == hal->locks + hal->locks_used) {
      d2c__hal_record_contents(p->lpDDSurface, 0);
    } else {
      if (!lock->is_read_only) d2c__hal_record_contents(p->lpDDSurface, &lock->area);
      if (--lock->count == 0) *lock = hal->locks[--hal->locks_used];
    }
  }
  return d2c__hal_driver.Unlock(p);
}

static DWORD D2C_HAL_CALL d2c__hal_UnlockBuffer(D2C_HAL_DATA(UNLOCKDATA) p) {
  /* A DP2 call has its commands and vertices itself. */
  if (p != 0 && p->lpDDSurface != 0 && p->lpDDSurface->lpSurfMore != 0 &&
      D2C_DDRAW_KIND((d2c_u32)p->lpDDSurface->ddsCaps.dwCaps,
                     (d2c_u32)p->lpDDSurface->lpSurfMore->ddsCapsEx.dwCaps2) !=
          D2C_SURFACE_KIND_COMMAND_BUFFER)
    d2c__hal_record_contents(p->lpDDSurface, 0);
  return d2c__hal_driver.UnlockBuffer(p);
}

/* The source of a copy, where it is in system memory and the trace does not have what it holds. */
static void d2c__hal_record_source(D2C_HAL_SURFACE surface) {
  struct d2c_hal* const hal = d2c__hal;
  struct d2c_surface_update update;
  if (surface == 0 || !(surface->ddsCaps.dwCaps & D2C__DDSCAPS_SYSTEMMEMORY)) return;
  if (d2c__hal_contents(&update, surface, d2c__hal_space_of(hal, surface), d2c__hal_named(surface),
                        0) &&
      d2c__is_news(&hal->sources, update.space, update.handle, 0,
                   d2c__hash_of(&hal->sources.hash, &update.data)))
    d2c_surface_update(hal->capture, &update);
}

/* A Blt that no event describes: what the target holds when the driver has drawn. */
static DWORD D2C_HAL_CALL d2c__hal_Blt(D2C_HAL_DATA(BLTDATA) p) {
  const d2c_u32 space = p == 0 ? 0 : d2c__hal_space_of(d2c__hal, p->lpDDDestSurface);
  const d2c_u32 dest = p == 0 ? 0 : d2c__hal_named(p->lpDDDestSurface);
  const int is_known = dest != 0 && D2C_DDRAW_IS_BLT(p);
  struct d2c_call_result returned;
  DWORD result;
  d2c_call_result_init(&returned);
  if (is_known) {
    struct d2c_blt blt;
    D2C_DDRAW_BLT(&blt, space, p);
    blt.dest = dest;
    if (blt.kind == D2C_BLT_KIND_COPY) {
      blt.src = d2c__hal_named(p->lpDDSrcSurface);
      d2c__hal_record_source(p->lpDDSrcSurface);
    }
    returned.call = d2c_next_event(d2c__hal->capture);
    d2c_blt(d2c__hal->capture, &blt);
  }
  result = d2c__hal_driver.Blt(p);
  if (dest == 0) return result;
  if (is_known) {
    if (result == D2C__HAL_HANDLED) returned.ddrval = (d2c_u32)p->ddRVal;
    d2c_call_result(d2c__hal->capture, &returned);
  } else if (d2c__hal_has_done(result, (d2c_i32)p->ddRVal)) {
    struct d2c_rect area;
    d2c_ddraw_words(&area, &p->rDest, 4);
    d2c__hal_record_contents(p->lpDDDestSurface, &area);
  }
  if (result == D2C__HAL_HANDLED && p->ddRVal >= 0 &&
      (p->lpDDDestSurface->ddsCaps.dwCaps & D2C__HAL_PRIMARY) != 0)
    d2c__hal_show(space, dest);
  return result;
}

/* The runtime has the source key in the surface when the driver returns: it is announced again. Of others no event knows. */
static DWORD D2C_HAL_CALL d2c__hal_SetColorKey(D2C_HAL_DATA(SETCOLORKEYDATA) p) {
  const DWORD result = d2c__hal_driver.SetColorKey(p);
  if (p != 0 && p->lpDDSurface != 0 && p->lpDDSurface->lpGbl != 0 &&
      (p->dwFlags & D2C__HAL_KEY_SOURCE) != 0 && d2c__hal_is_root(d2c__hal, p->lpDDSurface)) {
    const d2c_u32 number = d2c__hal_named(p->lpDDSurface);
    if (number != 0) {
      struct d2c_surface_create* const create = &d2c__hal->create;
      d2c__hal_describe(p->lpDDSurface, d2c__hal_space_of(d2c__hal, p->lpDDSurface), number);
      create->has_color_key = 1;
      create->color_key.low = (d2c_u32)p->ckNew.dwColorSpaceLowValue;
      create->color_key.high = (d2c_u32)p->ckNew.dwColorSpaceHighValue;
      d2c_surface_create(d2c__hal->capture, create);
    }
  }
  return result;
}

static DWORD D2C_HAL_CALL d2c__hal_CreateSurfaceEx(D2C_HAL_DATA(CREATESURFACEEXDATA) p) {
  if (p != 0 && p->lpDDSLcl != 0 && p->lpDDSLcl->lpGbl != 0) {
    const D2C_HAL_SURFACE surface = p->lpDDSLcl;
    const d2c_u32 number = D2C_DDRAW_HANDLE(surface);
    /* In system memory, without memory, it is going: Microsoft's page of D3dCreateSurfaceEx. Video memory of NT begins at 0. */
    if (number != 0 && (surface->lpGbl->fpVidMem != 0 ||
                        (surface->ddsCaps.dwCaps & D2C__DDSCAPS_SYSTEMMEMORY) == 0))
      d2c__hal_announce(surface, d2c__hal_space(d2c__hal, p->lpDDLcl), number);
    else if (number != 0)
      d2c__hal_destroyed(surface);
  }
  return d2c__hal_driver.CreateSurfaceEx(p);
}

/* ---------- Direct3D ---------- */

/* Before DirectX 7 members that are called surfaces are interfaces of theirs. */
static D2C_HAL_SURFACE d2c__hal_local(const void* surface) {
#ifndef D2C_HAL_NT
  if (surface != 0 && d2c__hal->level < 7)
    return ((const struct _DDRAWI_DDRAWSURFACE_INT*)surface)->lpLcl;
#endif
  return (D2C_HAL_SURFACE)(size_t)surface;
}

static struct d2c_hal_context* d2c__hal_context(struct d2c_u64 context) {
  d2c_u32 i;
  for (i = 0; i < D2C_HAL_CONTEXTS; ++i) {
    if (d2c__hal->contexts[i].context.lo == context.lo &&
        d2c__hal->contexts[i].context.hi == context.hi)
      return d2c__hal->contexts + i;
  }
  return 0;
}

static void d2c__hal_record_context(struct d2c_hal_context* context) {
  struct d2c_context_create create;
  d2c_context_create_init(&create);
  create.space = context->space;
  create.process = context->process;
  create.context = context->context;
  create.target = context->target_number = d2c__hal_named(context->target);
  create.depth = context->depth_number = d2c__hal_named(context->depth);
  create.runtime_version = context->runtime;
  d2c_context_create(d2c__hal->capture, &create);
}

/* A context has palettes of its own: all are new to it. */
static void d2c__hal_forget_palettes(struct d2c_hal* hal) {
  d2c_u32 i;
  hal->palettes_used = 0;
  for (i = 0; i < hal->paletted_used; ++i)
    hal->paletted[i].palette = 0;
}

static DWORD D2C_HAL_CALL d2c__hal_ContextCreate(D2C_HAL_D3D_DATA(CONTEXTCREATEDATA) p) {
  d2c_u32 runtime = 0;
  DWORD result;
  if (p != 0 && d2c__hal->level >= 7) runtime = (d2c_u32)p->dwhContext;
  result = d2c__hal_driver.ContextCreate(p);
  if (p != 0 && p->ddrval >= 0) {
    struct d2c_hal_context* const free = d2c__hal_context(d2c_u64_of(0, 0));
    struct d2c_hal_context context;
    context.context = D2C__CONTEXT(p);
    context.target = d2c__hal_local(p->lpDDSLcl);
    context.depth = d2c__hal_local(p->lpDDSZLcl);
    context.space = d2c__hal_space(d2c__hal, p->lpDDLcl);
    context.process = (d2c_u32)p->dwPID;
    context.runtime = d2c__hal->level >= 7 ? runtime : d2c__hal->level == 6 ? 2u : 1u;
    d2c__hal_record_context(&context);
    d2c__hal_forget_palettes(d2c__hal);
    if (free != 0)
      *free = context;
    else
      d2c__hal_leave_out(d2c__hal);
  }
  return result;
}

static d2c_u32 d2c__hal_context_space(struct d2c_u64 context) {
  const struct d2c_hal_context* const known = d2c__hal_context(context);
  return known != 0 ? known->space : 0;
}

static DWORD D2C_HAL_CALL d2c__hal_ContextDestroy(D2C_HAL_D3D_DATA(CONTEXTDESTROYDATA) p) {
  if (p != 0) {
    struct d2c_hal_context* const known = d2c__hal_context(D2C__CONTEXT(p));
    struct d2c_context_destroy destroy;
    D2C_DDRAW_CONTEXT_DESTROY(&destroy, known != 0 ? known->space : 0, p);
    d2c_context_destroy(d2c__hal->capture, &destroy);
    if (known != 0) d2c__zero(known, sizeof *known);
  }
  return d2c__hal_driver.ContextDestroy(p);
}

/* The context goes with its process or its DirectDraw object. */
static void d2c__hal_end_context(struct d2c_hal_context* context) {
  struct d2c_context_destroy destroy;
  if ((context->context.lo | context->context.hi) == 0) return;
  d2c_context_destroy_init(&destroy);
  destroy.space = context->space;
  destroy.context = context->context;
  d2c_context_destroy(d2c__hal->capture, &destroy);
  d2c__zero(context, sizeof *context);
}

static DWORD D2C_HAL_CALL d2c__hal_ContextDestroyAll(D2C_HAL_D3D_DATA(CONTEXTDESTROYALLDATA) p) {
  d2c_u32 i;
  for (i = 0; p != 0 && i < D2C_HAL_CONTEXTS; ++i) {
    if (d2c__hal->contexts[i].process == (d2c_u32)p->dwPID)
      d2c__hal_end_context(d2c__hal->contexts + i);
  }
  return d2c__hal_driver.ContextDestroyAll(p);
}

/* A DirectDraw object goes with all that it has: the runtime destroys none of it one by one. */
static DWORD D2C_HAL_CALL d2c__hal_DestroyDDLocal(D2C_HAL_DATA(DESTROYDDLOCALDATA) p) {
  struct d2c_hal* const hal = d2c__hal;
  const d2c_u32 space =
      p == 0 || p->pDDLcl == 0 ? D2C_HAL_SPACES : d2c__hal_find_space(hal, p->pDDLcl);
  d2c_u32 i;
  if (space != D2C_HAL_SPACES) {
    for (i = 0; i < D2C_HAL_CONTEXTS; ++i) {
      if (hal->contexts[i].space == space) d2c__hal_end_context(hal->contexts + i);
    }
    for (i = 0; i < D2C_HAL_SURFACES; ++i) {
      /* Another one may move to this place. */
      while (hal->surfaces[i].surface != 0 && hal->surfaces[i].space == space) {
        if (hal->surfaces[i].is_root)
          d2c__hal_destroyed(hal->surfaces[i].surface);
        else
          d2c__hal_forget(hal, hal->surfaces[i].surface);
      }
    }
    hal->spaces[space] = 0;
  }
  return d2c__hal_driver.DestroyDDLocal(p);
}

#ifndef D2C_HAL_NT
/* The first bytes of the tokens as a call of each context. */
static void d2c__hal_record_tokens(d2c_u32 size) {
  struct d2c_hal* const hal = d2c__hal;
  d2c_u32 i;
  for (i = 0; i < D2C_HAL_CONTEXTS; ++i) {
    if ((hal->contexts[i].context.lo | hal->contexts[i].context.hi) == 0) continue;
    d2c_dp2_init(&hal->call);
    hal->call.space = hal->contexts[i].space;
    hal->call.context = hal->contexts[i].context;
    hal->call.commands = d2c_bytes_of(hal->tokens, size);
    d2c__own_call(hal->capture, &hal->call, &hal->state.returned);
  }
}

/* UPDATEPALETTE at `at`: all colours. Its bytes. */
static d2c_u32 d2c__hal_put_colors(d2c_u8* at, d2c_u32 number,
                                   const struct d2c_hal_palette* palette) {
  const d2c_u8* color = (const d2c_u8*)palette->colors;
  const d2c_u32 count = palette->flags & D2C__HAL_PALETTE_16  ? 16u
                        : palette->flags & D2C__HAL_PALETTE_4 ? 4u
                        : palette->flags & D2C__HAL_PALETTE_2 ? 2u
                                                              : 256u;
  d2c_u32 i;
  D2C__STORE(at, D2C_OP_UPDATEPALETTE | 1u << 16);
  D2C__STORE(at + 4, number);
  D2C__STORE(at + 8, count << 16); /* from 0 on */
  for (i = 0; i < count; ++i, color += 4) {
    const d2c_u32 alpha = palette->flags & D2C__HAL_PALETTE_ALPHA ? color[3] : 0u;
    D2C__STORE(at + 12 + 4 * (size_t)i,
               alpha << 24 | (d2c_u32)color[0] << 16 | (d2c_u32)color[1] << 8 | (d2c_u32)color[2]);
  }
  return 12 + 4 * count;
}

/* The number of this palette; 0: there is no room. */
static d2c_u32 d2c__hal_palette_number(struct d2c_hal* hal, const void* colors, d2c_u32 flags) {
  d2c_u32 i = 0;
  while (i < hal->palettes_used &&
         (hal->palettes[i].colors != colors || hal->palettes[i].flags != flags))
    ++i;
  if (i == D2C_HAL_PALETTES) return 0;
  if (i == hal->palettes_used) {
    ++hal->palettes_used;
    d2c__zero(hal->palettes + i, sizeof hal->palettes[i]);
    hal->palettes[i].colors = colors;
    hal->palettes[i].flags = flags;
  }
  return i + 1;
}

/*
 * Before a draw: the palettes that textures have now, as tokens. The runtime has them in the surface; a driver reads them there when it draws, and
 * need not have a callback.
 */
static void d2c__hal_record_palettes(void) {
  struct d2c_hal* const hal = d2c__hal;
  d2c_u32 i;
  ++hal->draws;
  for (i = 0; i < hal->paletted_used; ++i) {
    struct d2c_hal_paletted* const texture = hal->paletted + i;
    const void* colors = 0;
    d2c_u32 flags = 0;
    d2c_u32 number = 0;
    d2c_u32 size = 0;
    if (texture->surface->lpDDPalette != 0 && texture->surface->lpDDPalette->lpLcl != 0 &&
        texture->surface->lpDDPalette->lpLcl->lpGbl != 0) {
      colors = texture->surface->lpDDPalette->lpLcl->lpGbl->lpColorTable;
      flags =
          (d2c_u32)texture->surface->lpDDPalette->lpLcl->lpGbl->dwFlags &
          (D2C__HAL_PALETTE_16 | D2C__HAL_PALETTE_4 | D2C__HAL_PALETTE_2 | D2C__HAL_PALETTE_ALPHA);
    }
    if (colors != 0) {
      number = d2c__hal_palette_number(hal, colors, flags);
      if (number ==
          0) { /* those that are gone are in the way: once more from the first texture on */
        d2c__hal_forget_palettes(hal);
        i = 0xFFFFFFFFu;
        continue;
      }
    }
    if (number != texture->palette) {
      D2C__STORE(hal->tokens, D2C_OP_SETPALETTE | 1u << 16);
      D2C__STORE(hal->tokens + 4, number);
      D2C__STORE(hal->tokens + 8, flags & D2C__HAL_PALETTE_ALPHA);
      D2C__STORE(hal->tokens + 12, d2c__hal_named(texture->surface));
      texture->palette = number;
      size = 16;
    }
    if (number != 0 && hal->palettes[number - 1].draw != hal->draws) {
      struct d2c_hal_palette* const palette = hal->palettes + (number - 1);
      const d2c_u32 bytes = d2c__hal_put_colors(hal->tokens + size, number, palette);
      struct d2c_u64 hash;
      d2c_hash_begin(&hal->sources.hash);
      d2c_hash_add(&hal->sources.hash, hal->tokens + size, bytes);
      hash = d2c_hash_end(&hal->sources.hash);
      palette->draw = hal->draws;
      if (hash.lo != palette->hash.lo || hash.hi != palette->hash.hi) size += bytes;
      palette->hash = hash;
    }
    if (size != 0) d2c__hal_record_tokens(size);
  }
}
#endif

/* Before a call that draws: before DirectX 7 a flip has given the surfaces of the context other numbers. */
static void d2c__hal_draws(struct d2c_u64 id) {
  struct d2c_hal_context* const context = d2c__hal_context(id);
  struct d2c_u64 first;
  d2c_u32 target;
  d2c_u32 depth;
  if (d2c__hal->level >= 7) return;
#ifndef D2C_HAL_NT
  d2c__hal_record_palettes();
#endif
  if (context == 0) return;
  target = d2c__hal_named(context->target);
  depth = d2c__hal_named(context->depth);
  if (target == 0 || (target == context->target_number && depth == context->depth_number)) return;
  context->target_number = target;
  context->depth_number = depth;
  first = d2c_next_event(d2c__hal->capture);
  d2c_old_target(d2c__hal->capture, context->space, id, target, depth);
  d2c__hal_returned(first, d2c__hal_since(first, 1), D2C__HAL_HANDLED, 0);
}

static DWORD D2C_HAL_CALL d2c__hal_SetRenderTarget(D2C_HAL_D3D_DATA(SETRENDERTARGETDATA) p) {
  const struct d2c_u64 first = d2c_next_event(d2c__hal->capture);
  d2c_u32 count;
  DWORD result;
  if (p != 0) {
    struct d2c_hal_context* const known = d2c__hal_context(D2C__CONTEXT(p));
    D2C_HAL_SURFACE const target = d2c__hal_local(D2C_HAL_TARGET(p));
    D2C_HAL_SURFACE const depth = d2c__hal_local(D2C_HAL_TARGET_DEPTH(p));
    d2c_old_target(d2c__hal->capture, known != 0 ? known->space : 0, D2C__CONTEXT(p),
                   d2c__hal_named(target), d2c__hal_named(depth));
    if (known != 0) {
      known->target = target;
      known->depth = depth;
      known->target_number = d2c__hal_named(target);
      known->depth_number = d2c__hal_named(depth);
    }
  }
  count = d2c__hal_since(first, 1);
  result = d2c__hal_driver.SetRenderTarget(p);
  if (count != 0) d2c__hal_returned(first, count, result, (d2c_i32)p->ddrval);
  return result;
}

/* A callback from before DrawPrimitives2: `record` records it as `most` calls or fewer, where `is_there` is true. */
#define D2C__HAL_OLD(Name, DATA, is_there, most, record)                         \
  static DWORD D2C_HAL_CALL d2c__hal_##Name(D2C_HAL_D3D_DATA(DATA) p) {          \
    struct d2c_u64 first = {0, 0};                                               \
    d2c_u32 count = 0;                                                           \
    DWORD result;                                                                \
    if (p != 0 && (is_there)) {                                                  \
      d2c__hal_draws(D2C__CONTEXT(p));                                           \
      first = d2c_next_event(d2c__hal->capture);                                 \
      record;                                                                    \
      count = d2c__hal_since(first, most);                                       \
    }                                                                            \
    result = d2c__hal_driver.Name(p);                                            \
    if (count != 0) d2c__hal_returned(first, count, result, (d2c_i32)p->ddrval); \
    return result;                                                               \
  }

D2C__HAL_OLD(Clear2, CLEAR2DATA, 1, 1,
             D2C_DDRAW_CLEAR2(d2c__hal->capture, d2c__hal_context_space(D2C__CONTEXT(p)), p))

static DWORD D2C_HAL_CALL d2c__hal_DrawPrimitives2(D2C_HAL_D3D_DATA(DRAWPRIMITIVES2DATA) p) {
  struct d2c_hal* const hal = d2c__hal;
  struct d2c_u64 number = d2c_u64_of(0, 0);
  DWORD result;
  if (p != 0) {
    struct d2c_dp2* const call = &hal->call;
    d2c__hal_draws(D2C__CONTEXT(p));
    D2C_DDRAW_DP2(call, d2c__hal_context_space(D2C__CONTEXT(p)), p);
    /* Where the driver has its buffers elsewhere. */
    if (p->lpDDCommands != 0)
      call->commands = d2c_ddraw_bytes(d2c__hal_memory(p->lpDDCommands), call->command_offset,
                                       (d2c_u32)p->dwCommandLength);
    if (p->lpDDVertex != 0 && !(call->flags & D2C__DP2_USERMEMVERTICES))
      call->vertices = d2c_ddraw_bytes(d2c__hal_memory(p->lpDDVertex), call->vertex_offset,
                                       call->vertex_length * call->vertex_size);
    d2c_ddraw_dp2(hal->capture, &hal->sources, call, &number);
  }
  result = d2c__hal_driver.DrawPrimitives2(p);
  if (p != 0) {
    struct d2c_call_result event;
    D2C_DDRAW_DP2_RESULT(&event, number, p);
    d2c_call_result(hal->capture, &event);
  }
  return result;
}

#ifndef D2C_HAL_NT
/* The memory of an execute buffer that a call names. */
static const d2c_u8* d2c__hal_execute(const void* surface) {
  return d2c__hal_memory(d2c__hal_local(surface));
}

D2C__HAL_OLD(RenderState, RENDERSTATEDATA, d2c__hal_execute(p->lpExeBuf) != 0, 1,
             D2C_DDRAW_RENDER_STATE(d2c__hal->capture, 0, p, d2c__hal_execute(p->lpExeBuf)))

D2C__HAL_OLD(RenderPrimitive, RENDERPRIMITIVEDATA,
             d2c__hal_execute(p->lpExeBuf) != 0 && d2c__hal_execute(p->lpTLBuf) != 0, 1,
             D2C_DDRAW_RENDER_PRIMITIVE(d2c__hal->capture, 0, p, d2c__hal_execute(p->lpExeBuf),
                                        d2c__hal_execute(p->lpTLBuf)))

/* The texture has this number from now on; what it holds goes with it. */
static void d2c__hal_renumber(D2C_HAL_SURFACE surface, d2c_u32 number) {
  D2C_HAL_SURFACE level = surface;
  d2c_u32 left = 16;
  d2c__hal_announce(surface, 0, number);
  for (; level != 0 && left-- != 0; level = d2c__hal_below(level)) {
    d2c__hal_record_contents(level, 0);
    if ((level->ddsCaps.dwCaps & D2C__HAL_MIPMAP) == 0) return;
  }
}

/* The driver's number is the texture's from now on. */
static DWORD D2C_HAL_CALL d2c__hal_TextureCreate(D2C_HAL_D3D_DATA(TEXTURECREATEDATA) p) {
  const DWORD result = d2c__hal_driver.TextureCreate(p);
  D2C_HAL_SURFACE surface = p == 0 ? 0 : d2c__hal_local(p->lpDDS);
  if (surface != 0 && p->ddrval >= 0 && p->dwHandle != 0) {
    if (d2c__hal_named(surface) >= D2C__HAL_OWN_NUMBERS) d2c__hal_destroyed(surface);
    d2c__hal_renumber(surface, (d2c_u32)p->dwHandle);
  }
  return result;
}

static DWORD D2C_HAL_CALL d2c__hal_TextureDestroy(D2C_HAL_D3D_DATA(TEXTUREDESTROYDATA) p) {
  const d2c_u32 at = p == 0 ? 0 : d2c__hal_numbered(d2c__hal, 0, (d2c_u32)p->dwHandle);
  if (at != 0) {
    const D2C_HAL_SURFACE surface = d2c__hal->surfaces[at - 1].surface;
    d2c__hal_destroyed(surface);
    d2c__hal_renumber(surface, d2c__hal->next_number++);
  }
  return d2c__hal_driver.TextureDestroy(p);
}

/* The two numbers change places: each surface is announced with what it holds under its new one. */
static DWORD D2C_HAL_CALL d2c__hal_TextureSwap(D2C_HAL_D3D_DATA(TEXTURESWAPDATA) p) {
  const DWORD result = d2c__hal_driver.TextureSwap(p);
  const d2c_u32 first = p == 0 ? 0 : d2c__hal_numbered(d2c__hal, 0, (d2c_u32)p->dwHandle1);
  const d2c_u32 second = p == 0 ? 0 : d2c__hal_numbered(d2c__hal, 0, (d2c_u32)p->dwHandle2);
  if (first != 0 && second != 0 && first != second) {
    const D2C_HAL_SURFACE a = d2c__hal->surfaces[first - 1].surface;
    const D2C_HAL_SURFACE b = d2c__hal->surfaces[second - 1].surface;
    d2c__hal_destroyed(a);
    d2c__hal_destroyed(b);
    d2c__hal_renumber(a, (d2c_u32)p->dwHandle2);
    d2c__hal_renumber(b, (d2c_u32)p->dwHandle1);
  }
  return result;
}

D2C__HAL_OLD(Clear, CLEARDATA, 1, 1, D2C_DDRAW_CLEAR(d2c__hal->capture, 0, p))

D2C__HAL_OLD(DrawOnePrimitive, DRAWONEPRIMITIVEDATA, 1, 1,
             D2C_DDRAW_DRAW_ONE_PRIMITIVE(d2c__hal->capture, 0, p))

D2C__HAL_OLD(DrawOneIndexedPrimitive, DRAWONEINDEXEDPRIMITIVEDATA, 1, 1,
             D2C_DDRAW_DRAW_ONE_INDEXED_PRIMITIVE(d2c__hal->capture, 0, p))

D2C__HAL_OLD(DrawPrimitives, DRAWPRIMITIVESDATA, 1, 0xFFFFFFFFu,
             D2C_DDRAW_DRAW_PRIMITIVES(d2c__hal->capture, 0, p))
#endif

/* ---------- from the middle ---------- */

D2C_API int D2C_CALL d2c_hal_snapshot(struct d2c_hal* hal, const struct d2c_header* header,
                                      d2c_hal_state_fn fill, void* user) {
  d2c_u32 i;
  int begun;
  if (hal == 0 || hal != d2c__hal || header == 0) return D2C_E_ARGUMENT;
  begun = d2c_begin_snapshot(hal->capture, header);
  d2c_sources_restart(&hal->sources);
  d2c__hal_forget_palettes(hal);
  d2c__zero(hal->buffers, sizeof hal->buffers);
  for (i = 0; i < D2C_HAL_SURFACES; ++i) {
    if (hal->surfaces[i].surface == 0 || !hal->surfaces[i].is_root) continue;
    d2c__hal_follow(hal, hal->surfaces[i].surface);
    d2c__hal_announce_one(hal->surfaces[i].surface, hal->surfaces[i].space,
                          hal->surfaces[i].number);
  }
  for (i = 0; i < D2C_HAL_SURFACES; ++i)
    d2c__hal_record_contents(hal->surfaces[i].surface, 0);
  for (i = 0; i < D2C_HAL_CONTEXTS; ++i) {
    if ((hal->contexts[i].context.lo | hal->contexts[i].context.hi) == 0) continue;
    d2c__hal_record_context(hal->contexts + i);
    if (fill == 0) continue;
    d2c_state_init(&hal->state);
    hal->state.context = hal->contexts[i].context;
    fill(user, hal->contexts[i].context, &hal->state);
    d2c_snapshot_state(hal->capture, &hal->state);
  }
  return begun;
}

/* ---------- tables ---------- */

/* A callback of a table, unless it is null or recorded already. */
#define D2C__HAL_WRAP(table, Member, Name)                            \
  do {                                                                \
    if ((table)->Member != 0 && (table)->Member != d2c__hal_##Name) { \
      d2c__hal_driver.Name = (table)->Member;                         \
      (table)->Member = d2c__hal_##Name;                              \
    }                                                                 \
  } while (0)

D2C_API void D2C_CALL d2c_hal_init(struct d2c_hal* hal, d2c* capture, d2c_u32 level,
                                   const void* display) {
  d2c__zero(hal, sizeof *hal);
  if (hal == 0) return;
  hal->capture = capture;
  hal->level = level;
  hal->next_number = D2C__HAL_OWN_NUMBERS;
  d2c_ddraw_words(&hal->display, display, 8);
  d2c_sources_init(&hal->sources, d2c__hal_source, hal, hal->known, D2C_HAL_SURFACES);
  hal->sources.copied = d2c__hal_copied;
  d2c__hal = hal;
}

D2C_API void D2C_CALL d2c_hal_display(struct d2c_hal* hal, const void* display) {
  if (hal != 0) d2c_ddraw_words(&hal->display, display, 8);
}

D2C_API void D2C_CALL d2c_hal_directdraw(struct d2c_hal* hal, D2C_HAL_DIRECTDRAW_TABLE* table) {
  if (hal == 0 || hal != d2c__hal || table == 0) return;
  D2C__HAL_WRAP(table, CreateSurface, CreateSurface);
}

D2C_API void D2C_CALL d2c_hal_surfaces(struct d2c_hal* hal, D2C_HAL_SURFACE_TABLE* table) {
  if (hal == 0 || hal != d2c__hal || table == 0) return;
  D2C__HAL_WRAP(table, DestroySurface, DestroySurface);
  D2C__HAL_WRAP(table, Flip, Flip);
  D2C__HAL_WRAP(table, Lock, Lock);
  D2C__HAL_WRAP(table, Unlock, Unlock);
  D2C__HAL_WRAP(table, Blt, Blt);
  D2C__HAL_WRAP(table, SetColorKey, SetColorKey);
}

D2C_API void D2C_CALL d2c_hal_buffers(struct d2c_hal* hal, D2C_HAL_BUFFER_TABLE* table) {
  if (hal == 0 || hal != d2c__hal || table == 0) return;
  D2C__HAL_WRAP(table, D2C__HAL_BUFFER(Create), CreateBuffer);
  D2C__HAL_WRAP(table, D2C__HAL_BUFFER(Destroy), DestroyBuffer);
  D2C__HAL_WRAP(table, D2C__HAL_BUFFER(Unlock), UnlockBuffer);
}

D2C_API void D2C_CALL d2c_hal_direct3d(struct d2c_hal* hal, D2C_HAL_D3D_TABLE* table) {
  if (hal == 0 || hal != d2c__hal || table == 0) return;
  D2C__HAL_WRAP(table, ContextCreate, ContextCreate);
  D2C__HAL_WRAP(table, ContextDestroy, ContextDestroy);
  D2C__HAL_WRAP(table, ContextDestroyAll, ContextDestroyAll);
#ifndef D2C_HAL_NT
  D2C__HAL_WRAP(table, RenderState, RenderState);
  D2C__HAL_WRAP(table, RenderPrimitive, RenderPrimitive);
  D2C__HAL_WRAP(table, TextureCreate, TextureCreate);
  D2C__HAL_WRAP(table, TextureDestroy, TextureDestroy);
  D2C__HAL_WRAP(table, TextureSwap, TextureSwap);
#endif
}

/* 1 where both GUIDs are the same. */
static int d2c__hal_is(const void* guid, d2c_u32 a, d2c_u32 b, d2c_u32 c, d2c_u32 d) {
  const d2c_u8* const at = (const d2c_u8*)guid;
  return D2C__LOAD(at) == a && D2C__LOAD(at + 4) == b && D2C__LOAD(at + 8) == c &&
         D2C__LOAD(at + 12) == d;
}

D2C_API void D2C_CALL d2c_hal_driver_info(struct d2c_hal* hal, D2C_HAL_DATA(GETDRIVERINFODATA) p) {
  if (hal == 0 || hal != d2c__hal || p == 0 || p->lpvData == 0 || p->ddRVal < 0 ||
      p->dwActualSize == 0)
    return;
  if (d2c__hal_is(&p->guidInfo, 0x0BA584E1, 0x11D070B6, 0xAA009D88, 0x6AB7BB00)) {
    /* GUID_D3DCallbacks2 */
    D2C_HAL_D3D2_TABLE* const table = (D2C_HAL_D3D2_TABLE*)p->lpvData;
    D2C__HAL_WRAP(table, SetRenderTarget, SetRenderTarget);
#ifndef D2C_HAL_NT
    D2C__HAL_WRAP(table, Clear, Clear);
    D2C__HAL_WRAP(table, DrawOnePrimitive, DrawOnePrimitive);
    D2C__HAL_WRAP(table, DrawOneIndexedPrimitive, DrawOneIndexedPrimitive);
    D2C__HAL_WRAP(table, DrawPrimitives, DrawPrimitives);
#endif
  } else if (d2c__hal_is(&p->guidInfo, 0xDDF41230, 0x11D0EC0A, 0xAA00B6A9, 0x3E99C000)) {
    /* GUID_D3DCallbacks3 */
    D2C_HAL_D3D3_TABLE* const table = (D2C_HAL_D3D3_TABLE*)p->lpvData;
    D2C__HAL_WRAP(table, Clear2, Clear2);
    D2C__HAL_WRAP(table, DrawPrimitives2, DrawPrimitives2);
  } else if (d2c__hal_is(&p->guidInfo, 0x406B2F00, 0x11D13E5A, 0xAA0040B6, 0x6AF9A100)) {
    /* GUID_Miscellaneous2Callbacks */
    D2C_HAL_MISC2_TABLE* const table = (D2C_HAL_MISC2_TABLE*)p->lpvData;
    D2C__HAL_WRAP(table, CreateSurfaceEx, CreateSurfaceEx);
    D2C__HAL_WRAP(table, DestroyDDLocal, DestroyDDLocal);
  }
}

#ifdef __cplusplus
}
#endif

#endif /* D2C_IMPLEMENTATION */
