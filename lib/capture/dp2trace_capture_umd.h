/*
 * dp2trace_capture_umd.h: records a Direct3D 9 user-mode display driver of WDDM at its table of device functions. The driver does not
 * change: each function of the table is replaced by one that records the call as the tokens, surfaces and copies that a driver of
 * DrawPrimitives2 would have got, and calls the driver's own.
 *
 *   #include <d3dumddi.h>
 *   #define D2C_IMPLEMENTATION
 *   #include "dp2trace_capture_umd.h"
 *
 *   static d2c capture;
 *   static struct d2c_umd recording;                          about 2 MB, one for each process
 *
 *   d2c_open(&capture, append, file, buffer, size, 0, 0);     in OpenAdapter, once
 *   d2c_header_init(&header);
 *   d2c_put_header(&capture, &header);
 *   d2c_umd_init(&recording, &capture);
 *
 *   d2c_umd_wrap(&recording, p);                              at the end of CreateDevice, p: its D3DDDIARG_CREATEDEVICE
 *
 * From the middle of a program, or with a ring (dp2trace_capture_ring.h):
 *
 *   d2c_umd_keep(&recording, memory, 4 << 20);                after d2c_umd_init(): states and shaders are kept
 *   d2c_pause(&capture);                                      nothing is recorded
 *   d2c_umd_snapshot(&recording, &header);                    at a hotkey, in Present: from now on everything is
 *
 * What is recorded, and when:
 *   - states and bindings wait, and leave with the next draw, clear or copy, as one `dp2` before the driver is called; what the driver
 *     returns for it is its `call_result`. Where they leave without such a call (Present, Flush, more than fit), the result is 0;
 *   - vertices in user memory go with the draw, indices in user memory into an index buffer that only the trace has;
 *   - a Lock for reading is a `surface_read`, an Unlock a `surface_update` of the area of its Lock, the contents of resources in system
 *     memory are recorded when a copy or a draw reads them and they have changed;
 *   - Present is a `present`.
 * Functions without a part in the picture are not wrapped: lib/capture/README.md lists all 98.
 *
 * Several devices and threads: define D2C_LOCK and D2C_UNLOCK, as for dp2trace_capture.h. Source: Windows Driver Kit documentation,
 * D3DDDI_DEVICEFUNCS and the D3DDDIARG_ structures (d3dumddi.h, d3dukmdt.h).
 */
#ifndef DP2TRACE_CAPTURE_UMD_H
#define DP2TRACE_CAPTURE_UMD_H

#include "dp2trace_capture_dp2.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room for what lives at the same time; what finds none is not recorded, and counted in `left_out`. */
#ifndef D2C_UMD_DEVICES
#define D2C_UMD_DEVICES 8
#endif
#ifndef D2C_UMD_OBJECTS
#define D2C_UMD_OBJECTS \
  16384 /* resources, shaders, declarations, state blocks, queries; a power of two */
#endif
#ifndef D2C_UMD_PARTS
#define D2C_UMD_PARTS 8192 /* levels and faces in system memory */
#endif
#define D2C_UMD_LOCKS 64
#define D2C_UMD_TOKENS 16384 /* bytes of tokens that wait, for each device */

/* The functions that are wrapped: name, name of the type. */
/* clang-format off */
#define D2C_UMD_FUNCTIONS(X) \
  X(SetRenderState, SETRENDERSTATE) X(UpdateWInfo, UPDATEWINFO) X(SetTextureStageState, SETTEXTURESTAGESTATE) \
  X(SetTexture, SETTEXTURE) X(SetPixelShader, SETPIXELSHADER) X(SetPixelShaderConst, SETPIXELSHADERCONST) \
  X(SetStreamSourceUm, SETSTREAMSOURCEUM) X(SetIndices, SETINDICES) X(SetIndicesUm, SETINDICESUM) \
  X(DrawPrimitive, DRAWPRIMITIVE) X(DrawIndexedPrimitive, DRAWINDEXEDPRIMITIVE) X(DrawRectPatch, DRAWRECTPATCH) \
  X(DrawTriPatch, DRAWTRIPATCH) X(DrawPrimitive2, DRAWPRIMITIVE2) X(DrawIndexedPrimitive2, DRAWINDEXEDPRIMITIVE2) \
  X(VolBlt, VOLBLT) X(BufBlt, BUFBLT) X(TexBlt, TEXBLT) X(StateSet, STATESET) X(SetPriority, SETPRIORITY) X(Clear, CLEAR) \
  X(UpdatePalette, UPDATEPALETTE) X(SetPalette, SETPALETTE) X(SetVertexShaderConst, SETVERTEXSHADERCONST) \
  X(MultiplyTransform, MULTIPLYTRANSFORM) X(SetTransform, SETTRANSFORM) X(SetViewport, SETVIEWPORT) X(SetZRange, SETZRANGE) \
  X(SetMaterial, SETMATERIAL) X(SetLight, SETLIGHT) X(CreateLight, CREATELIGHT) X(SetClipPlane, SETCLIPPLANE) \
  X(Lock, LOCK) X(Unlock, UNLOCK) X(CreateResource, CREATERESOURCE) X(DestroyResource, DESTROYRESOURCE) X(Present, PRESENT) \
  X(Flush, FLUSH) X(CreateVertexShaderFunc, CREATEVERTEXSHADERFUNC) X(DeleteVertexShaderFunc, DELETEVERTEXSHADERFUNC) \
  X(SetVertexShaderFunc, SETVERTEXSHADERFUNC) X(CreateVertexShaderDecl, CREATEVERTEXSHADERDECL) \
  X(DeleteVertexShaderDecl, DELETEVERTEXSHADERDECL) X(SetVertexShaderDecl, SETVERTEXSHADERDECL) \
  X(SetVertexShaderConstI, SETVERTEXSHADERCONSTI) X(SetVertexShaderConstB, SETVERTEXSHADERCONSTB) \
  X(SetScissorRect, SETSCISSORRECT) X(SetStreamSource, SETSTREAMSOURCE) X(SetStreamSourceFreq, SETSTREAMSOURCEFREQ) \
  X(SetConvolutionKernelMono, SETCONVOLUTIONKERNELMONO) X(ComposeRects, COMPOSERECTS) X(Blt, BLT) X(ColorFill, COLORFILL) \
  X(DepthFill, DEPTHFILL) X(CreateQuery, CREATEQUERY) X(DestroyQuery, DESTROYQUERY) X(IssueQuery, ISSUEQUERY) \
  X(SetRenderTarget, SETRENDERTARGET) X(SetDepthStencil, SETDEPTHSTENCIL) X(GenerateMipSubLevels, GENERATEMIPSUBLEVELS) \
  X(SetPixelShaderConstI, SETPIXELSHADERCONSTI) X(SetPixelShaderConstB, SETPIXELSHADERCONSTB) \
  X(CreatePixelShader, CREATEPIXELSHADER) X(DeletePixelShader, DELETEPIXELSHADER) X(DestroyDevice, DESTROYDEVICE) \
  X(LockAsync, LOCKASYNC) X(UnlockAsync, UNLOCKASYNC)
/* clang-format on */

#define D2C__UMD_MEMBER(Name, TYPE) PFND3DDDI_##TYPE pfn##Name;
struct d2c_umd_functions {
  D2C_UMD_FUNCTIONS(D2C__UMD_MEMBER)
};

/* An object of the driver, by the handle that the runtime names it by. */
struct d2c_umd_object {
  D2C_UPTR handle; /* 0: there is none here */
  d2c_u32 kind;
  d2c_u32 number; /* that the trace names it by; a resource's first surface */
  d2c_u32 format; /* and the rest: of a resource */
  d2c_u32 width;
  d2c_u32 height;
  d2c_u32 depth;
  d2c_u32 levels;
  d2c_u32 surfaces; /* levels and faces together */
  d2c_u32 flags;    /* D3DDDI_RESOURCEFLAGS */
  d2c_u32 samples;
  d2c_u32 sample_quality;
  d2c_u32 device;       /* that made it: place in the list */
  d2c_u32 is_list;      /* surfaces that are no levels and faces of one: back buffers */
  d2c_u32 has_handles;  /* each of its surfaces has a number: `number` and those after it */
  d2c_u32 is_in_memory; /* system memory, which has parts */
};

/* A surface in system memory. */
struct d2c_umd_part {
  d2c_u32 number; /* of the surface_update, with face and level */
  d2c_u32 face;
  d2c_u32 level;
  d2c_u32 order;  /* of the parts of the number, from 0 */
  d2c_u32 owner;  /* the resource's number */
  d2c_u32 format; /* 0: a buffer of `width` bytes */
  d2c_u32 width;
  d2c_u32 height;
  d2c_u32 depth;
  d2c_u32 next; /* of the bucket, or of those that are free: index + 1 */
  d2c_i32 pitch;
  d2c_u32 slice_pitch;
  const void* memory;
};

/* A Lock whose Unlock is to come. */
struct d2c_umd_lock {
  D2C_UPTR resource; /* 0: there is none here */
  d2c_u32 index;
  d2c_u32 is_read_only;
  struct d2c_surface_update update; /* without the data */
  d2c_u32 format;
  d2c_i32 pitch;
  d2c_u32 slice_pitch;
  const void* memory; /* of the area's first byte */
};

struct d2c_umd_device {
  D2C_UPTR device; /* as the runtime names it; 0: there is none here */
  struct d2c_umd_functions driver;
  struct d2c_u64 context;
  d2c_u32 has_context; /* it is in the trace */
  d2c_u32 is_pure;
  d2c_u32 target;
  d2c_u32 depth;
  d2c_u32 private_target; /* where the driver was given none in time */
  d2c_u32 block;          /* the state block that is being recorded */
  d2c_u32 is_in_block;
  const d2c_u8* vertices; /* in user memory */
  d2c_u32 stride;         /* of stream 0 */
  const d2c_u8* indices;  /* in user memory */
  d2c_u32 index_size;
  d2c_u32 index_buffer; /* that draws use, and what the trace has */
  d2c_u32 index_stride;
  d2c_u32 bound_buffer;
  d2c_u32 bound_stride;
  d2c_u32 private_indices; /* the index buffer that only the trace has, and its size */
  d2c_u32 private_size;
  d2c_u32 used;
  d2c_u8 tokens[D2C_UMD_TOKENS];
};

/* Its members are the recorder's. */
struct d2c_umd {
  d2c* capture;
  d2c_u32 left_out; /* objects, parts, locks, devices and states that found no room */
  d2c_u32
      unread; /* surfaces whose contents the last snapshot lacks: the driver refused to lock them */
  d2c_u32 next_number;
  d2c_u32 objects_used;
  d2c_u32 free_parts;
  d2c_u32 locks_used;
  d2c_u32* kept; /* d2c_umd_keep(): the index, and after it the tokens */
  d2c_u32 kept_slots;
  d2c_u32 kept_words; /* of both */
  d2c_u32 kept_used;  /* words */
  d2c_u32 kept_count;
  d2c_u32 is_replaying;
  struct d2c_sources sources;
  struct d2c_dp2 call;
  struct d2c_call_result returned;
  struct d2c_bytes rest;
  struct d2c_surface_create create;
  struct d2c_umd_device
      devices[D2C_UMD_DEVICES + 1]; /* the last one: calls of a device that nobody knows */
  struct d2c_umd_lock locks[D2C_UMD_LOCKS];
  struct d2c_sub_surface subs[6 * 16];
  d2c_u32 buckets[256];
  struct d2c_umd_part parts[D2C_UMD_PARTS];
  struct d2c_known known[D2C_UMD_PARTS];
  struct d2c_umd_object objects[D2C_UMD_OBJECTS];
};

/*
 * `capture` has its header, and outlives the devices. A second time, as in an OpenAdapter that does not look: what was known is forgotten, and
 * devices that live go to the driver unrecorded.
 */
D2C_API void D2C_CALL d2c_umd_init(struct d2c_umd* umd, d2c* capture);
/* The driver has created the device and filled in its table: records it from now on. D2C_E_ARGUMENT: there is no room, or no table. */
D2C_API int D2C_CALL d2c_umd_wrap(struct d2c_umd* umd, D3DDDIARG_CREATEDEVICE* created);
/*
 * Memory for what snapshots need to know of states and shaders, before the first d2c_umd_wrap(): about 200 KB for each device, and the code of all
 * shaders. It outlives the devices.
 */
D2C_API void D2C_CALL d2c_umd_keep(struct d2c_umd* umd, void* memory, d2c_u32 size);
/*
 * The recording begins, or begins anew after d2c_pause(): the header as a snapshot, all resources with what they hold (the driver is asked by
 * its own Lock; `unread` counts what it refuses), all devices with their states and shaders. Between calls of the runtime, on the thread
 * that draws, as in Present. State blocks are not part of it. D2C_E_ARGUMENT: there was no d2c_umd_keep().
 */
D2C_API int D2C_CALL d2c_umd_snapshot(struct d2c_umd* umd, const struct d2c_header* header);
/*
 * After OpenResource, which says nothing of size and format: what the shared resource is, as the driver knows it. `event`: kind, format,
 * width, height and whatever else d2c_surface_create_init() does not set; one surface, without levels and faces.
 */
D2C_API int D2C_CALL d2c_umd_opened(struct d2c_umd* umd, HANDLE resource,
                                    struct d2c_surface_create* event);
/* The number of a surface of a resource in the trace, for d2c_picture(); 0 where there is none. `index`: SubResourceIndex. */
D2C_API d2c_u32 D2C_CALL d2c_umd_surface(struct d2c_umd* umd, HANDLE resource, d2c_u32 index);
/* The blocks of a D3DDDIFORMAT: pixels in a row and rows of one, and its bytes, 0 where the format is not known. */
D2C_API d2c_u32 D2C_CALL d2c_umd_block(d2c_u32 format, d2c_u32* width, d2c_u32* height);

#ifdef __cplusplus
}
#endif

#endif /* DP2TRACE_CAPTURE_UMD_H */

#if defined(D2C_IMPLEMENTATION) && !defined(DP2TRACE_CAPTURE_UMD_IMPLEMENTED)
#define DP2TRACE_CAPTURE_UMD_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

enum {
  D2C__UMD_RESOURCE = 1,
  D2C__UMD_VERTEX_FUNC,
  D2C__UMD_VERTEX_DECL,
  D2C__UMD_PIXEL_SHADER,
  D2C__UMD_STATE_BLOCK,
  D2C__UMD_QUERY
};

/* Bits of D3DDDI_RESOURCEFLAGS, D3DDDI_BLTFLAGS, D3DDDI_ISSUEQUERYFLAGS and of a Clear. */
#define D2C__UMD_RENDER_TARGET 0x00000001u
#define D2C__UMD_Z_BUFFER 0x00000002u
#define D2C__UMD_AUTOGEN 0x00000010u
#define D2C__UMD_PRIMARY 0x00008000u
#define D2C__UMD_POINTS 0x00000100u
#define D2C__UMD_RT_PATCHES 0x00000200u
#define D2C__UMD_N_PATCHES 0x00000400u
#define D2C__UMD_TEXTURE 0x00010000u
#define D2C__UMD_CUBE_MAP 0x00020000u
#define D2C__UMD_VOLUME 0x00040000u
#define D2C__UMD_VERTEX_BUFFER 0x00080000u
#define D2C__UMD_INDEX_BUFFER 0x00100000u
#define D2C__UMD_SRC_COLOR_KEY 0x04u
#define D2C__UMD_DST_COLOR_KEY 0x08u
#define D2C__UMD_QUERY_BEGIN 0x01u
#define D2C__UMD_QUERY_END 0x02u
#define D2C__UMD_COMPUTE_RECTS 0x08u /* D3DCLEAR_COMPUTERECTS */

/* The recording of this process: the functions of the table have no other way to it. */
static struct d2c_umd* d2c__umd;

/* The driver's own functions, of the last table: that of a device which nobody knows, such as one from before d2c_umd_init() was called again. */
static struct d2c_umd_functions d2c__umd_driver;

/* Something found no room: the trace says so. */
static void d2c__umd_leave_out(struct d2c_umd* umd) {
  ++umd->left_out;
  d2c_leave_out(umd->capture, D2C_LOST_CAUSE_ROOM);
}

D2C_API d2c_u32 D2C_CALL d2c_umd_block(d2c_u32 format, d2c_u32* width, d2c_u32* height) {
  /* By number: bytes of a pixel. Those with larger blocks are FOURCCs and A1. */
  d2c_u32 nowhere;
  static const d2c_u8 sizes[120] = {
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 4, 2, 2, 2, 2,  1, 1, 2,
      2, 4, 4, 4, 4, 4, 8, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 0,  0, 0, 0,
      2, 2, 4, 4, 4, 4, 0, 4, 0, 0, 2, 4, 2, 2, 4, 4, 4, 4, 4, 4, 2, 2, 4, 4, 4, 1, 0,  0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 0, 0, 0, 0, 0, 0, 0, 8, 2, 4, 8, 4, 8, 16, 2, 0, 4};
  if (width == 0) width = &nowhere;
  if (height == 0) height = &nowhere;
  *width = 1;
  *height = 1;
  if (format < 120 && sizes[format] != 0) return sizes[format];
  switch (format) {
    case 100:         /* VERTEXDATA */
    case 199:         /* BINARYBUFFER */
    case 0x3231564Eu: /* NV12 and YV12: rows of the first plane */
    case 0x32315659u:
      return 1;
    case 0x36314644u: /* DF16 */
      return 2;
    case 0x34324644u: /* DF24 */
    case 0x5A544E49u: /* INTZ */
      return 4;
    case 0x3154454Du: /* MULTI2_ARGB8 */
      return 8;
    case 118: /* A1 */
      *width = 8;
      return 1;
    case 0x32595559u: /* YUY2 */
    case 0x59565955u: /* UYVY */
    case 0x42475247u: /* G8R8_G8B8 */
    case 0x47424752u: /* R8G8_B8G8 */
      *width = 2;
      return 4;
    case 0x31545844u: /* DXT1 */
    case 0x31495441u: /* ATI1 */
      *width = *height = 4;
      return 8;
    case 0x32545844u: /* DXT2 to DXT5 */
    case 0x33545844u:
    case 0x34545844u:
    case 0x35545844u:
    case 0x32495441u: /* ATI2 */
      *width = *height = 4;
      return 16;
    default:
      return 0;
  }
}

/* ---------- objects ---------- */

/* Where the object is, or would be. */
static d2c_u32 d2c__umd_slot(const struct d2c_umd* umd, D2C_UPTR handle, d2c_u32 kind) {
  d2c_u32 slot = ((d2c_u32)(handle >> 3) * 0x9E3779B1u + kind) & (D2C_UMD_OBJECTS - 1);
  while (umd->objects[slot].handle != 0 &&
         (umd->objects[slot].handle != handle || umd->objects[slot].kind != kind))
    slot = (slot + 1) & (D2C_UMD_OBJECTS - 1);
  return slot;
}

static struct d2c_umd_object* d2c__umd_find(struct d2c_umd* umd, D2C_UPTR handle, d2c_u32 kind) {
  struct d2c_umd_object* const object = umd->objects + d2c__umd_slot(umd, handle, kind);
  return handle != 0 && object->handle != 0 ? object : 0;
}

static struct d2c_umd_object* d2c__umd_add(struct d2c_umd* umd, D2C_UPTR handle, d2c_u32 kind,
                                           d2c_u32 number) {
  struct d2c_umd_object* const object = umd->objects + d2c__umd_slot(umd, handle, kind);
  /* One place in four stays empty, so that a search is short. */
  if (handle == 0 || (object->handle == 0 && umd->objects_used >= D2C_UMD_OBJECTS / 4 * 3)) {
    d2c__umd_leave_out(umd);
    return 0;
  }
  if (object->handle == 0) ++umd->objects_used;
  d2c__zero(object, sizeof *object);
  object->handle = handle;
  object->kind = kind;
  object->number = number;
  return object;
}

static void d2c__umd_remove(struct d2c_umd* umd, struct d2c_umd_object* object) {
  d2c_u32 hole = (d2c_u32)(object - umd->objects);
  d2c_u32 at = hole;
  --umd->objects_used;
  umd->objects[hole].handle = 0;
  for (;;) {
    struct d2c_umd_object moved;
    at = (at + 1) & (D2C_UMD_OBJECTS - 1);
    if (umd->objects[at].handle == 0) return;
    /* What stands further on than its place was pushed there. */
    moved = umd->objects[at];
    umd->objects[at].handle = 0;
    umd->objects[d2c__umd_slot(umd, moved.handle, moved.kind)] = moved;
  }
}

/* Numbers of `count` things that the trace names. Odd ones for shaders and declarations, as the runtime has them. */
static d2c_u32 d2c__umd_number(struct d2c_umd* umd, d2c_u32 count) {
  const d2c_u32 number = umd->next_number;
  umd->next_number += count;
  return number;
}

static d2c_u32 d2c__umd_number_of(const void* handle, d2c_u32 kind) {
  const struct d2c_umd_object* const object = d2c__umd_find(d2c__umd, (D2C_UPTR)handle, kind);
  if (object != 0) return object->number;
  return handle == 0 ? 0u : 0xFFFFFFFFu; /* a handle that nobody was given */
}

/* The four words of a RECT. */
static void d2c__umd_rect(void* to, const void* rect) {
  d2c__copy((d2c_u8*)to, (const d2c_u8*)rect, 16);
}

/* The surface of a resource: by its own number, or by that of a larger one and `level`. */
static d2c_u32 d2c__umd_surface(const void* handle, d2c_u32 index, d2c_u32* level) {
  const struct d2c_umd_object* const object =
      d2c__umd_find(d2c__umd, (D2C_UPTR)handle, D2C__UMD_RESOURCE);
  *level = 0;
  if (object == 0) return handle == 0 ? 0u : 0xFFFFFFFFu;
  if (object->is_list) return object->number + index;
  *level = index % object->levels;
  return object->number + (object->has_handles ? index - *level : 0);
}

/* By a number of its own: what tokens without a level name. */
static d2c_u32 d2c__umd_surface_handle(const void* handle, d2c_u32 index) {
  d2c_u32 level;
  const d2c_u32 number = d2c__umd_surface(handle, index, &level);
  return number == 0xFFFFFFFFu ? number : number + level;
}

D2C_API d2c_u32 D2C_CALL d2c_umd_surface(struct d2c_umd* umd, HANDLE resource, d2c_u32 index) {
  if (umd == 0 || umd != d2c__umd || d2c__umd_find(umd, (D2C_UPTR)resource, D2C__UMD_RESOURCE) == 0)
    return 0;
  return d2c__umd_surface_handle(resource, index);
}

/* ---------- contents ---------- */

static void d2c__umd_place(struct d2c_surface_update* update, d2c_u32 number, d2c_u32 face,
                           d2c_u32 level) {
  d2c_surface_update_init(update);
  update->handle = number;
  update->face = face;
  update->level = level;
}

/* The bytes of the area of an update: `memory` is that of its first byte. 0: the format is not known, or the area is empty. */
static int d2c__umd_bytes(struct d2c_surface_update* update, d2c_u32 format, const void* memory,
                          d2c_i32 pitch, d2c_u32 slice_pitch) {
  d2c_u32 width;
  d2c_u32 height;
  const d2c_u32 size = d2c_umd_block(format, &width, &height);
  if (memory == 0) return 0;
  if (update->has_range) {
    update->data = d2c_bytes_of(memory, update->range.size);
    return update->range.size != 0;
  }
  if (size == 0) return 0;
  if (update->has_box) {
    const struct d2c_box* box = &update->box;
    const d2c_u32 row = (box->right - box->left + width - 1) / width * size;
    const d2c_u32 rows = (box->bottom - box->top + height - 1) / height;
    const d2c_u32 slices = box->back - box->front;
    if (row == 0 || rows == 0 || slices == 0) return 0;
    update->has_pitch = 1;
    update->pitch = (d2c_u32)pitch;
    update->has_slice_pitch = 1;
    update->slice_pitch = slice_pitch;
    update->data =
        d2c_bytes_of(memory, d2c__sum(d2c__times(slices - 1, slice_pitch),
                                      d2c__sum(d2c__times(rows - 1, (d2c_u32)pitch), row)));
    return 1;
  } else {
    const struct d2c_rect* rect = &update->rect;
    const d2c_u32 row = ((d2c_u32)(rect->right - rect->left) + width - 1) / width * size;
    const d2c_u32 rows = ((d2c_u32)(rect->bottom - rect->top) + height - 1) / height;
    update->data = d2c_rows_of(memory, row, rows, pitch);
    return row != 0 && rows != 0;
  }
}

/* The whole of a surface. */
static void d2c__umd_whole(struct d2c_surface_update* update, d2c_u32 format, d2c_u32 width,
                           d2c_u32 height, d2c_u32 depth) {
  if (format == 0) {
    update->has_range = 1;
    update->range.size = width;
  } else if (depth > 1) {
    update->has_box = 1;
    update->box.right = width;
    update->box.bottom = height;
    update->box.back = depth;
  } else {
    update->has_rect = 1;
    update->rect.right = (d2c_i32)width;
    update->rect.bottom = (d2c_i32)height;
  }
}

static int D2C_CALL d2c__umd_source(void* user, d2c_u32 space, d2c_u32 handle, d2c_u32 part,
                                    struct d2c_surface_update* update) {
  struct d2c_umd* const umd = (struct d2c_umd*)user;
  d2c_u32 at = umd->buckets[handle & 255u];
  d2c_u32 i;
  (void)space;
  for (; at != 0; at = umd->parts[at - 1].next) {
    const struct d2c_umd_part* p = umd->parts + at - 1;
    if (p->owner != handle || p->order != part) continue;
    d2c__umd_place(update, p->number, p->face, p->level);
    d2c__umd_whole(update, p->format, p->width, p->height, p->depth);
    return d2c__umd_bytes(update, p->format, p->memory, p->pitch, p->slice_pitch);
  }
  /* A buffer that is drawn from while it is locked (MightDrawFromLocked). */
  for (i = 0; part == 0 && i < umd->locks_used; ++i) {
    const struct d2c_umd_lock* lock = umd->locks + i;
    if (lock->resource == 0 || lock->update.handle != handle || !lock->update.has_range ||
        lock->is_read_only)
      continue;
    *update = lock->update;
    return d2c__umd_bytes(update, 0, lock->memory, 0, 0);
  }
  return 0;
}

static void d2c__umd_add_part(struct d2c_umd* umd, const struct d2c_umd_part* part) {
  d2c_u32* const bucket = umd->buckets + (part->owner & 255u);
  const d2c_u32 at = umd->free_parts;
  if (at == 0) {
    d2c__umd_leave_out(umd);
    return;
  }
  umd->free_parts = umd->parts[at - 1].next;
  umd->parts[at - 1] = *part;
  umd->parts[at - 1].next = *bucket;
  *bucket = at;
}

static void d2c__umd_remove_parts(struct d2c_umd* umd, d2c_u32 owner) {
  d2c_u32* link = umd->buckets + (owner & 255u);
  while (*link != 0) {
    struct d2c_umd_part* const part = umd->parts + *link - 1;
    if (part->owner != owner) {
      link = &part->next;
    } else {
      const d2c_u32 at = *link;
      *link = part->next;
      part->next = umd->free_parts;
      umd->free_parts = at;
    }
  }
}

/* ---------- tokens ---------- */

/* The device of a call, locked; the last one, which records nothing, where nobody knows it. */
static struct d2c_umd_device* d2c__umd_enter(HANDLE device) {
  struct d2c_umd* const umd = d2c__umd;
  d2c_u32 i;
  D2C_LOCK(umd->capture);
  for (i = 0; device != 0 && i < D2C_UMD_DEVICES; ++i) {
    if (umd->devices[i].device == (D2C_UPTR)device) return umd->devices + i;
  }
  return umd->devices + D2C_UMD_DEVICES;
}

static void d2c__umd_leave(void) {
  D2C_UNLOCK(d2c__umd->capture);
}

/* A surface that only the trace has. */
static d2c_u32 d2c__umd_private(d2c_u32 kind, d2c_u32 format, d2c_u32 width) {
  struct d2c_umd* const umd = d2c__umd;
  struct d2c_surface_create* const create = &umd->create;
  d2c_surface_create_init(create);
  create->handle = d2c__umd_number(umd, 1);
  create->kind = kind;
  create->format = format;
  create->width = width;
  d2c_surface_create(umd->capture, create);
  return create->handle;
}

static void d2c__umd_destroy(d2c_u32 number) {
  struct d2c_surface_destroy destroy;
  d2c_surface_destroy_init(&destroy);
  destroy.handle = number;
  d2c_surface_destroy(d2c__umd->capture, &destroy);
  d2c_sources_forget(&d2c__umd->sources, 0, number);
}

/* A context has a target from its beginning: it is recorded with the first tokens that leave. */
static void d2c__umd_begin_context(struct d2c_umd_device* d) {
  struct d2c_context_create create;
  if (d->has_context) return;
  d->has_context = 1;
  if (d->target == 0)
    d->private_target = d2c__umd_private(D2C_SURFACE_KIND_TARGET, 22 /* X8R8G8B8 */, 1);
  d2c_context_create_init(&create);
  create.context = d->context;
  create.target = d->target != 0 ? d->target : d->private_target;
  create.depth = d->depth;
  create.pure_device = d->is_pure;
  d2c_context_create(d2c__umd->capture, &create);
}

/*
 * What waits, with `vertices` of the user memory that stream 0 is bound to, as the call of the driver that follows. The number of the event
 * for d2c__umd_result(): ones where nothing waits.
 */
static struct d2c_u64 d2c__umd_send(struct d2c_umd_device* d, d2c_u32 vertices) {
  struct d2c_umd* const umd = d2c__umd;
  struct d2c_dp2* const call = &umd->call;
  struct d2c_u64 number = D2C__NO_EVENT;
  if (d->used == 0) return number;
  d2c__umd_begin_context(d);
  d2c_dp2_init(call);
  call->context = d->context;
  call->commands = d2c_bytes_of(d->tokens, d->used);
  call->vertex_size = d->stride;
  if (d->vertices != 0 && vertices != 0) {
    call->flags = 1; /* D3DHALDP2_USERMEMVERTICES */
    call->has_vertex_length = 1;
    call->vertex_length = vertices;
    call->vertices_pointer = d2c_pointer(d->vertices);
    call->vertices = d2c_bytes_of(d->vertices, d2c__times(vertices, d->stride));
  }
  d2c_ddraw_dp2(umd->capture, &umd->sources, call, &number);
  d->used = 0;
  return number;
}

/* What waits, where the driver is not called for it. */
static void d2c__umd_send_own(struct d2c_umd_device* d) {
  struct d2c_call_result* const result = &d2c__umd->returned;
  d2c_call_result_init(result);
  result->call = d2c__umd_send(d, 0);
  d2c_call_result(d2c__umd->capture, result);
}

/*
 * What a snapshot says of states and shaders is kept as tokens, the last one of each kind and key: behind an index of places. Words of one:
 */
enum {
  D2C__KEPT_WORDS, /* all of them */
  D2C__KEPT_OWNER, /* place of the device in the list, from 1; 0: something newer has come */
  D2C__KEPT_KIND,  /* an operation */
  D2C__KEPT_KEY,
  D2C__KEPT_OP, /* of the token, and its bytes */
  D2C__KEPT_BYTES,
  D2C__KEPT_HEAD
};

static d2c_u32 d2c__umd_owner(const struct d2c_umd_device* d) {
  return (d2c_u32)(d - d2c__umd->devices) + 1;
}

/* Its place in the index, or where it would be. */
static d2c_u32* d2c__umd_kept_slot(const struct d2c_umd* umd, d2c_u32 owner, d2c_u32 kind,
                                   d2c_u32 key) {
  d2c_u32 slot = ((key * 64 + kind) * 0x9E3779B1u ^ owner * 0x85EBCA6Bu) >> 7;
  for (;; ++slot) {
    d2c_u32* const at = umd->kept + (slot & (umd->kept_slots - 1));
    const d2c_u32* const entry = umd->kept + *at;
    if (*at == 0 || (entry[D2C__KEPT_OWNER] == owner && entry[D2C__KEPT_KIND] == kind &&
                     entry[D2C__KEPT_KEY] == key))
      return at;
  }
}

static d2c_u32* d2c__umd_kept(const struct d2c_umd_device* d, d2c_u32 kind, d2c_u32 key) {
  const struct d2c_umd* const umd = d2c__umd;
  const d2c_u32 at = umd->kept == 0 ? 0 : *d2c__umd_kept_slot(umd, d2c__umd_owner(d), kind, key);
  return at == 0 ? 0 : umd->kept + at;
}

static void d2c__umd_forget_kept(const struct d2c_umd_device* d, d2c_u32 kind, d2c_u32 key) {
  d2c_u32* const entry = d2c__umd_kept(d, kind, key);
  if (entry != 0) entry[D2C__KEPT_OWNER] = 0;
}

/* Closes the gaps, and makes the index anew. */
static void d2c__umd_tidy_kept(struct d2c_umd* umd) {
  d2c_u32 from = umd->kept_slots;
  d2c_u32 to = umd->kept_slots;
  d2c__zero(umd->kept, umd->kept_slots * 4);
  umd->kept_count = 0;
  while (from < umd->kept_used) {
    const d2c_u32 words = umd->kept[from];
    d2c_u32 i;
    if (umd->kept[from + D2C__KEPT_OWNER] != 0) {
      for (i = 0; i < words; ++i)
        umd->kept[to + i] = umd->kept[from + i];
      *d2c__umd_kept_slot(umd, umd->kept[to + D2C__KEPT_OWNER], umd->kept[to + D2C__KEPT_KIND],
                          umd->kept[to + D2C__KEPT_KEY]) = to;
      ++umd->kept_count;
      to += words;
    }
    from += words;
  }
  umd->kept_used = to;
}

/* A place for the bytes of a token, in the place of what had the same key; 0: there is no room. */
static d2c_u32* d2c__umd_keep_room(const struct d2c_umd_device* d, d2c_u32 kind, d2c_u32 key,
                                   d2c_u32 op, d2c_u32 bytes) {
  struct d2c_umd* const umd = d2c__umd;
  const d2c_u32 words = D2C__KEPT_HEAD + (bytes + 3) / 4;
  d2c_u32* entry = d2c__umd_kept(d, kind, key);
  if (entry == 0 || entry[D2C__KEPT_WORDS] != words) {
    if (entry != 0) entry[D2C__KEPT_OWNER] = 0;
    if (words > umd->kept_words - umd->kept_used || umd->kept_count >= umd->kept_slots / 4 * 3)
      d2c__umd_tidy_kept(umd);
    if (words > umd->kept_words - umd->kept_used || umd->kept_count >= umd->kept_slots / 4 * 3) {
      d2c__umd_leave_out(umd);
      return 0;
    }
    entry = umd->kept + umd->kept_used;
    entry[D2C__KEPT_WORDS] = words;
    entry[D2C__KEPT_OWNER] = d2c__umd_owner(d);
    entry[D2C__KEPT_KIND] = kind;
    entry[D2C__KEPT_KEY] = key;
    *d2c__umd_kept_slot(umd, entry[D2C__KEPT_OWNER], kind, key) = umd->kept_used;
    umd->kept_used += words;
    ++umd->kept_count;
  }
  entry[D2C__KEPT_OP] = op;
  entry[D2C__KEPT_BYTES] = bytes;
  return entry;
}

static void d2c__umd_keep_as(const struct d2c_umd_device* d, d2c_u32 kind, d2c_u32 key, d2c_u32 op,
                             const d2c_u32* words, d2c_u32 word_count, const void* data,
                             d2c_u32 size) {
  d2c_u32* const entry = d2c__umd_keep_room(d, kind, key, op, d2c__sum(4 * word_count, size));
  d2c_u8* at;
  if (entry == 0) return;
  at = (d2c_u8*)(entry + D2C__KEPT_HEAD);
  for (; word_count != 0; --word_count, at += 4) {
    D2C__STORE(at, *words);
    ++words;
  }
  if (size != 0) d2c__copy(at, (const d2c_u8*)data, size);
}

/* Matrices that a transform was multiplied by since it was set have numbers in their keys. */
static d2c_u32 d2c__umd_factor(const struct d2c_umd_device* d, d2c_u32 transform, int forgets) {
  d2c_u32 key = transform;
  for (;; key += 0x10000u) {
    d2c_u32* const entry = d2c__umd_kept(d, D2C_OP_MULTIPLYTRANSFORM, key);
    if (entry == 0) return key;
    if (forgets) entry[D2C__KEPT_OWNER] = 0;
  }
}

static void d2c__umd_forget_device(const struct d2c_umd_device* d) {
  struct d2c_umd* const umd = d2c__umd;
  d2c_u32 at;
  for (at = umd->kept_slots; umd->kept != 0 && at < umd->kept_used; at += umd->kept[at]) {
    if (umd->kept[at + D2C__KEPT_OWNER] == d2c__umd_owner(d)) umd->kept[at + D2C__KEPT_OWNER] = 0;
  }
}

/* All of a palette, zeros where nothing was set yet. */
static void d2c__umd_keep_palette(const struct d2c_umd_device* d, const d2c_u32* words,
                                  const void* entries) {
  const d2c_u32 first = words[1] & 0xFFFFu;
  const d2c_u32 count = words[1] >> 16;
  const int is_new = d2c__umd_kept(d, D2C_OP_UPDATEPALETTE, words[0]) == 0;
  d2c_u32* entry;
  d2c_u8* at;
  if (first + count > 256) return;
  entry = d2c__umd_keep_room(d, D2C_OP_UPDATEPALETTE, words[0], D2C_OP_UPDATEPALETTE, 8 + 256 * 4);
  if (entry == 0) return;
  at = (d2c_u8*)(entry + D2C__KEPT_HEAD);
  if (is_new) d2c__zero(at, 8 + 256 * 4);
  D2C__STORE(at, words[0]);
  D2C__STORE(at + 4, 256u << 16);
  d2c__copy(at + 8 + 4 * first, (const d2c_u8*)entries, 4 * count);
}

static void d2c__umd_keep_token(const struct d2c_umd_device* d, d2c_u32 op, const d2c_u32* words,
                                d2c_u32 word_count, const void* data, d2c_u32 size) {
  d2c_u32 key = 0;
  d2c_u32 kind = op;
  switch (op) {
    case D2C_OP_RENDERSTATE:
    case D2C_OP_TEXTURESTAGESTATE:
    case D2C_OP_SETSTREAMSOURCEFREQ:
    case D2C_OP_SETRENDERTARGET2:
    case D2C_OP_CREATEVERTEXSHADERDECL:
    case D2C_OP_CREATEVERTEXSHADERFUNC:
    case D2C_OP_CREATEPIXELSHADER:
    case D2C_OP_CREATEQUERY:
      key = words[0];
      break;
    case D2C_OP_SETSTREAMSOURCE2:
    case D2C_OP_SETSTREAMSOURCEUM:
      kind = D2C_OP_SETSTREAMSOURCE2;
      key = words[0];
      break;
    case D2C_OP_SETLIGHT: /* its values, or whether it is on */
      key = words[0] << 1 | (words[1] == 2 ? 1u : 0u);
      break;
    case D2C_OP_SETPALETTE:
      key = words[2];
      break;
    case D2C_OP_SETTRANSFORM:
      key = D2C__LOAD((const d2c_u8*)data);
      d2c__umd_factor(d, key, 1);
      break;
    case D2C_OP_CREATELIGHT:
    case D2C_OP_SETCLIPPLANE:
      key = D2C__LOAD((const d2c_u8*)data);
      break;
    case D2C_OP_WINFO:
    case D2C_OP_VIEWPORTINFO:
    case D2C_OP_ZRANGE:
    case D2C_OP_SETMATERIAL:
    case D2C_OP_SETSCISSORRECT:
    case D2C_OP_SETVERTEXSHADERFUNC:
    case D2C_OP_SETVERTEXSHADERDECL:
    case D2C_OP_SETPIXELSHADER:
    case D2C_OP_SETDEPTHSTENCIL:
    case D2C_OP_SETCONVOLUTIONKERNELMONO:
      break;
    case D2C_OP_SETVERTEXSHADERCONST:
    case D2C_OP_SETVERTEXSHADERCONSTI:
    case D2C_OP_SETVERTEXSHADERCONSTB:
    case D2C_OP_SETPIXELSHADERCONST:
    case D2C_OP_SETPIXELSHADERCONSTI:
    case D2C_OP_SETPIXELSHADERCONSTB: {
      const d2c_u32 one = words[1] == 0 ? 0 : size / words[1];
      d2c_u32 register_and_count[2];
      d2c_u32 i;
      register_and_count[1] = 1;
      for (i = 0; i < words[1]; ++i) {
        register_and_count[0] = words[0] + i;
        d2c__umd_keep_as(d, op, register_and_count[0], op, register_and_count, 2,
                         (const d2c_u8*)data + i * one, one);
      }
      return;
    }
    case D2C_OP_MULTIPLYTRANSFORM:
      key = d2c__umd_factor(d, D2C__LOAD((const d2c_u8*)data) & 0xFFFFu, 0);
      break;
    case D2C_OP_UPDATEPALETTE:
      d2c__umd_keep_palette(d, words, data);
      return;
    case D2C_OP_DELETEVERTEXSHADERDECL:
      d2c__umd_forget_kept(d, D2C_OP_CREATEVERTEXSHADERDECL, words[0]);
      return;
    case D2C_OP_DELETEVERTEXSHADERFUNC:
      d2c__umd_forget_kept(d, D2C_OP_CREATEVERTEXSHADERFUNC, words[0]);
      return;
    case D2C_OP_DELETEPIXELSHADER:
      d2c__umd_forget_kept(d, D2C_OP_CREATEPIXELSHADER, words[0]);
      return;
    case D2C_OP_DELETEQUERY:
      d2c__umd_forget_kept(d, D2C_OP_CREATEQUERY, words[0]);
      d2c__umd_forget_kept(d, D2C_OP_ISSUEQUERY, words[0]);
      return;
    case D2C_OP_ISSUEQUERY: /* one that has begun and not ended */
      key = words[0];
      if (words[1] == 2) break;
      d2c__umd_forget_kept(d, op, key);
      return;
    default:
      return;
  }
  d2c__umd_keep_as(d, kind, key, op, words, word_count, data, size);
}

/* A token of `word_count` words and `size` bytes; it waits for the next draw, or leaves at once where it is large. */
static void d2c__umd_put(struct d2c_umd_device* d, d2c_u32 op, d2c_u32 count, const d2c_u32* words,
                         d2c_u32 word_count, const void* data, d2c_u32 size) {
  struct d2c_umd* const umd = d2c__umd;
  const d2c_u32 head = 4 + 4 * word_count;
  d2c_u8* at;
  if (d->device == 0 || (data == 0 && size != 0)) return;
  if (umd->kept != 0 && !umd->is_replaying && !d->is_in_block)
    d2c__umd_keep_token(d, op, words, word_count, data, size);
  if (d2c__sum(head, size) > D2C_UMD_TOKENS - d->used) d2c__umd_send_own(d);
  at = d->tokens + d->used;
  D2C__STORE(at, op | count << 16);
  for (at += 4; word_count != 0; --word_count, at += 4) {
    D2C__STORE(at, *words);
    ++words;
  }
  if (size <= D2C_UMD_TOKENS - d->used - head) {
    if (size != 0) d2c__copy(at, (const d2c_u8*)data, size);
    d->used += head + size;
    return;
  }
  d2c__umd_begin_context(d);
  d2c_dp2_init(&umd->call);
  umd->call.context = d->context;
  umd->call.commands = d2c_bytes_of(d->tokens, head);
  umd->rest = d2c_bytes_of(data, size);
  umd->call.commands.next = &umd->rest;
  d2c__own_call(umd->capture, &umd->call, &umd->returned);
}

static void d2c__umd_put1(struct d2c_umd_device* d, d2c_u32 op, d2c_u32 word) {
  d2c__umd_put(d, op, 1, &word, 1, 0, 0);
}

static void d2c__umd_put2(struct d2c_umd_device* d, d2c_u32 op, d2c_u32 first, d2c_u32 second) {
  d2c_u32 words[2];
  words[0] = first;
  words[1] = second;
  d2c__umd_put(d, op, 1, words, 2, 0, 0);
}

/* With bytes that another structure has in the same order. */
static void d2c__umd_put_bytes(struct d2c_umd_device* d, d2c_u32 op, const void* data,
                               d2c_u32 size) {
  d2c__umd_put(d, op, 1, 0, 0, data, size);
}

/* Constants: `size` bytes each. */
static void d2c__umd_put_registers(struct d2c_umd_device* d, d2c_u32 op, d2c_u32 first,
                                   d2c_u32 count, const void* data, d2c_u32 size) {
  d2c_u32 words[2];
  words[0] = first;
  words[1] = count;
  d2c__umd_put(d, op, 1, words, 2, data, d2c__times(count, size));
}

/* What the driver returned for event `number`. */
static void d2c__umd_result(HANDLE device, struct d2c_u64 number, HRESULT result) {
  struct d2c_call_result event;
  struct d2c_umd_device* const d = d2c__umd_enter(device);
  if (d->device != 0) {
    d2c_call_result_init(&event);
    event.call = number;
    event.ddrval = (d2c_u32)result;
    d2c_call_result(d2c__umd->capture, &event);
  }
  d2c__umd_leave();
}

/* The vertices or indices of `count` primitives. */
static d2c_u32 d2c__umd_vertices(d2c_u32 type, d2c_u32 count) {
  if (count == 0) return 0;
  switch (type) {
    case 1:
      return count;
    case 2:
      return d2c__times(count, 2);
    case 3:
      return d2c__sum(count, 1);
    case 4:
      return d2c__times(count, 3);
    default:
      return d2c__sum(count, 2);
  }
}

/* Whole vertices in the first `bytes` of a stream of `stride`. */
static d2c_u32 d2c__umd_whole_vertices(d2c_u32 bytes, d2c_u32 stride) {
  return stride == 0 ? 0 : bytes / stride + (bytes % stride != 0 ? 1u : 0u);
}

static void d2c__umd_bind_indices(struct d2c_umd_device* d, d2c_u32 buffer, d2c_u32 stride) {
  if (d->bound_buffer == buffer && d->bound_stride == stride) return;
  d->bound_buffer = buffer;
  d->bound_stride = stride;
  d2c__umd_put2(d, D2C_OP_SETINDICES, buffer, stride);
}

/* `count` indices of `size` bytes at `offset` of user memory, into the index buffer that only the trace has. */
static void d2c__umd_bind_user_indices(struct d2c_umd_device* d, const d2c_u8* indices,
                                       d2c_u32 offset, d2c_u32 count, d2c_u32 size) {
  struct d2c_surface_update update;
  const d2c_u32 bytes = d2c__times(count, size);
  const d2c_u32 end = d2c__sum(offset, bytes);
  if (d->device == 0 || indices == 0 || end > 0x40000000u) return;
  if (end > d->private_size) {
    if (d->private_indices != 0) {
      d2c__umd_bind_indices(d, 0, size);
      d2c__umd_send_own(d); /* nothing that waits names the old one */
      d2c__umd_destroy(d->private_indices);
    }
    for (d->private_size = 65536; d->private_size < end;)
      d->private_size *= 2;
    d->private_indices = d2c__umd_private(D2C_SURFACE_KIND_INDEX_BUFFER, 0, d->private_size);
  }
  d2c__umd_place(&update, d->private_indices, 0, 0);
  update.has_range = 1;
  update.range.offset = offset;
  update.range.size = bytes;
  update.data = d2c_bytes_of(indices + offset, bytes);
  d2c_surface_update(d2c__umd->capture, &update);
  d2c__umd_bind_indices(d, d->private_indices, size);
}

/* ---------- resources ---------- */

static d2c_u32 d2c__umd_kind(d2c_u32 flags) {
  if (flags & D2C__UMD_VERTEX_BUFFER) return D2C_SURFACE_KIND_VERTEX_BUFFER;
  if (flags & D2C__UMD_INDEX_BUFFER) return D2C_SURFACE_KIND_INDEX_BUFFER;
  if (flags & D2C__UMD_TEXTURE) return D2C_SURFACE_KIND_TEXTURE;
  if (flags & D2C__UMD_Z_BUFFER) return D2C_SURFACE_KIND_DEPTH;
  if (flags & (D2C__UMD_RENDER_TARGET | D2C__UMD_PRIMARY)) return D2C_SURFACE_KIND_TARGET;
  return D2C_SURFACE_KIND_PLAIN;
}

/* DDSCAPS_, DDSCAPS2_ and DDSCAPS3_ as the runtime gives them to a driver of DrawPrimitives2. */
static void d2c__umd_caps(struct d2c_surface_create* create, d2c_u32 flags, int is_in_memory) {
  create->caps = is_in_memory ? 0x800u : 0x10004000u; /* SYSTEMMEMORY; VIDEOMEMORY, LOCALVIDMEM */
  if (flags & (D2C__UMD_VERTEX_BUFFER | D2C__UMD_INDEX_BUFFER)) {
    create->caps |= 0x00800000u; /* EXECUTEBUFFER */
    if (flags & D2C__UMD_VERTEX_BUFFER) create->caps2 |= 0x20u;
    if (flags & D2C__UMD_POINTS) create->caps2 |= 0x00800000u;
    if (flags & D2C__UMD_RT_PATCHES) create->caps2 |= 0x01000000u;
    if (flags & D2C__UMD_N_PATCHES) create->caps2 |= 0x02000000u;
    return;
  }
  if (flags & D2C__UMD_TEXTURE) create->caps |= create->levels > 1 ? 0x00401000u : 0x1000u;
  if (flags & D2C__UMD_RENDER_TARGET) create->caps |= 0x2000u; /* 3DDEVICE */
  if (flags & D2C__UMD_Z_BUFFER) create->caps |= 0x20000u;
  if (flags & D2C__UMD_CUBE_MAP) create->caps2 |= 0xFE00u;
  if (flags & D2C__UMD_VOLUME) create->caps2 |= 0x00200000u;
  create->caps3 = create->samples | create->sample_quality << 5;
  if (flags & D2C__UMD_AUTOGEN) create->caps3 |= 0x800u;
}

static d2c_u32 d2c__umd_full_levels(d2c_u32 width, d2c_u32 height) {
  d2c_u32 largest = width > height ? width : height;
  d2c_u32 levels = 1;
  for (; largest > 1; largest >>= 1)
    ++levels;
  return levels;
}

/* Surface `index` of the list, as a surface of its own or as the root of all. */
static void d2c__umd_announce(const struct d2c_umd_object* object, d2c_u32 index) {
  struct d2c_umd* const umd = d2c__umd;
  struct d2c_surface_create* const create = &umd->create;
  const d2c_u32 flags = object->flags;
  d2c_u32 i;
  d2c_surface_create_init(create);
  create->handle = object->number + index;
  create->kind = d2c__umd_kind(flags);
  create->width = object->width;
  create->levels = object->levels;
  create->samples = object->samples;
  create->sample_quality = object->sample_quality;
  if (object->format != 0) {
    create->format = object->format;
    create->height = object->height;
    if (flags & D2C__UMD_VOLUME) create->depth = object->depth;
    if (flags & D2C__UMD_CUBE_MAP) create->faces = 0x3F;
    if (flags & D2C__UMD_AUTOGEN)
      create->levels = d2c__umd_full_levels(create->width, create->height);
  }
  d2c__umd_caps(create, flags, object->is_in_memory != 0);
  if (object->has_handles && !object->is_list) {
    for (i = 1; i < object->surfaces; ++i) {
      struct d2c_sub_surface* const sub = umd->subs + i - 1;
      d2c__zero(sub, sizeof *sub);
      sub->handle = object->number + i;
      sub->face = i / object->levels;
      sub->level = i % object->levels;
    }
    create->sub_surfaces = umd->subs;
    create->sub_surfaces_items = object->surfaces - 1;
  }
  d2c_surface_create(umd->capture, create);
}

static void d2c__umd_add_memory(const struct d2c_umd_object* object,
                                const D3DDDIARG_CREATERESOURCE* p, d2c_u32 index) {
  const D3DDDI_SURFACEINFO* const surface = p->pSurfList + index;
  struct d2c_umd_part part;
  part.face = object->is_list ? 0 : index / object->levels;
  part.level = object->is_list ? 0 : index % object->levels;
  part.number = object->number + (object->is_list ? index : 0);
  part.owner = part.number;
  part.order = object->is_list ? 0 : index;
  part.format = object->format;
  part.width = (d2c_u32)surface->Width;
  part.height = (d2c_u32)surface->Height;
  part.depth = (d2c_u32)surface->Depth;
  part.next = 0;
  part.pitch = (d2c_i32)surface->SysMemPitch;
  part.slice_pitch = (d2c_u32)surface->SysMemSlicePitch;
  part.memory = surface->pSysMem;
  if (part.memory == 0) return;
  d2c__umd_add_part(d2c__umd, &part);
  if (part.face == 0) return;
  part.owner = object->number + index - part.level; /* a copy names the face */
  part.order = part.level;
  d2c__umd_add_part(d2c__umd, &part);
}

static void d2c__umd_create(const struct d2c_umd_device* d, const D3DDDIARG_CREATERESOURCE* p) {
  struct d2c_umd* const umd = d2c__umd;
  const d2c_u32 flags = (d2c_u32)p->Flags.Value;
  const d2c_u32 count = (d2c_u32)p->SurfCount;
  const d2c_u32 faces = (flags & D2C__UMD_CUBE_MAP) != 0 ? 6 : 1;
  struct d2c_umd_object* object;
  d2c_u32 i;
  if (p->pSurfList == 0 || count == 0) return;
  object = d2c__umd_add(umd, (D2C_UPTR)p->hResource, D2C__UMD_RESOURCE, umd->next_number);
  if (object == 0) return;
  if (!(flags & (D2C__UMD_VERTEX_BUFFER | D2C__UMD_INDEX_BUFFER)))
    object->format = (d2c_u32)p->Format;
  object->width = (d2c_u32)p->pSurfList[0].Width;
  object->height = (d2c_u32)p->pSurfList[0].Height;
  object->depth = (d2c_u32)p->pSurfList[0].Depth;
  object->flags = flags;
  object->samples = (d2c_u32)p->MultisampleType;
  object->sample_quality = (d2c_u32)p->MultisampleQuality;
  object->device = (d2c_u32)(d - umd->devices);
  object->surfaces = count;
  object->is_list = !(flags & D2C__UMD_TEXTURE) && count > 1 ? 1u : 0u;
  object->levels = object->is_list || count < faces ? 1 : count / faces;
  object->has_handles = object->is_list || ((faces != 1 || (flags & D2C__UMD_RENDER_TARGET) != 0) &&
                                            count <= sizeof umd->subs / sizeof umd->subs[0])
                            ? 1u
                            : 0u;
  object->is_in_memory = p->Pool == D3DDDIPOOL_SYSTEMMEM ? 1u : 0u;
  d2c__umd_number(umd, object->has_handles ? count : 1);
  for (i = 0; i < (object->is_list ? count : 1); ++i)
    d2c__umd_announce(object, i);
  for (i = 0; object->is_in_memory && i < count; ++i)
    d2c__umd_add_memory(object, p, i);
}

static void d2c__umd_destroy_resource(struct d2c_umd_object* object) {
  struct d2c_umd* const umd = d2c__umd;
  const d2c_u32 numbers = object->has_handles ? object->surfaces : 1;
  d2c_u32 i;
  for (i = 0; i < umd->locks_used; ++i) {
    if (umd->locks[i].resource == object->handle) umd->locks[i].resource = 0;
  }
  for (i = 0; i < numbers; ++i) {
    if (object->is_in_memory) d2c__umd_remove_parts(umd, object->number + i);
    if (i == 0 || object->is_list)
      d2c__umd_destroy(object->number + i);
    else
      d2c_sources_forget(&umd->sources, 0, object->number + i);
  }
  for (i = 0; i < D2C_UMD_DEVICES; ++i) {
    struct d2c_umd_device* const d = umd->devices + i;
    if (d->target - object->number < numbers) d->target = 0;
    if (d->depth - object->number < numbers) d->depth = 0;
  }
  d2c__umd_remove(umd, object);
}

D2C_API int D2C_CALL d2c_umd_opened(struct d2c_umd* umd, HANDLE resource,
                                    struct d2c_surface_create* event) {
  struct d2c_umd_object* object;
  int result = D2C_E_ARGUMENT;
  if (umd == 0 || umd != d2c__umd || event == 0) return D2C_E_ARGUMENT;
  D2C_LOCK(umd->capture);
  object = d2c__umd_add(umd, (D2C_UPTR)resource, D2C__UMD_RESOURCE, umd->next_number);
  if (object != 0) {
    object->format = event->format;
    object->flags = event->kind == D2C_SURFACE_KIND_TEXTURE  ? D2C__UMD_TEXTURE
                    : event->kind == D2C_SURFACE_KIND_DEPTH  ? D2C__UMD_Z_BUFFER
                    : event->kind == D2C_SURFACE_KIND_TARGET ? D2C__UMD_RENDER_TARGET
                                                             : 0;
    object->samples = event->samples;
    object->sample_quality = event->sample_quality;
    object->device = D2C_UMD_DEVICES; /* nobody knows whose */
    object->width = event->width;
    object->height = event->height;
    object->depth = 1;
    object->levels = object->surfaces = 1;
    event->handle = d2c__umd_number(umd, 1);
    result = d2c_surface_create(umd->capture, event);
  }
  D2C_UNLOCK(umd->capture);
  return result;
}

/* ---------- locks ---------- */

/* The area of a Lock, in `update`: `p` is a D3DDDIARG_LOCK or D3DDDIARG_LOCKASYNC. */
#define D2C__UMD_AREA(update, object, p)                   \
  do {                                                     \
    if ((p)->Flags.RangeValid) {                           \
      (update)->has_range = 1;                             \
      (update)->range.offset = (d2c_u32)(p)->Range.Offset; \
      (update)->range.size = (d2c_u32)(p)->Range.Size;     \
    } else if ((p)->Flags.AreaValid) {                     \
      (update)->has_rect = 1;                              \
      d2c__umd_rect(&(update)->rect, &(p)->Area);          \
    } else if ((p)->Flags.BoxValid) {                      \
      (update)->has_box = 1;                               \
      (update)->box.left = (d2c_u32)(p)->Box.Left;         \
      (update)->box.top = (d2c_u32)(p)->Box.Top;           \
      (update)->box.right = (d2c_u32)(p)->Box.Right;       \
      (update)->box.bottom = (d2c_u32)(p)->Box.Bottom;     \
      (update)->box.front = (d2c_u32)(p)->Box.Front;       \
      (update)->box.back = (d2c_u32)(p)->Box.Back;         \
    } else {                                               \
      d2c__umd_whole_level((update), (object));            \
    }                                                      \
  } while (0)

static d2c_u32 d2c__umd_extent(d2c_u32 extent, d2c_u32 level) {
  extent = level < 32 ? extent >> level : 0;
  return extent == 0 ? 1 : extent;
}

static void d2c__umd_whole_level(struct d2c_surface_update* update,
                                 const struct d2c_umd_object* object) {
  if (object->format == 0)
    d2c__umd_whole(update, 0, object->width, 1, 1);
  else
    d2c__umd_whole(update, object->format, d2c__umd_extent(object->width, update->level),
                   d2c__umd_extent(object->height, update->level),
                   object->depth > 1 ? d2c__umd_extent(object->depth, update->level) : 1);
}

/* The surface of a lock; 0: a resource that was never announced. */
static const struct d2c_umd_object* d2c__umd_locked(const void* resource, d2c_u32 index,
                                                    struct d2c_surface_update* update) {
  const struct d2c_umd_object* const object =
      d2c__umd_find(d2c__umd, (D2C_UPTR)resource, D2C__UMD_RESOURCE);
  if (object == 0 || index >= object->surfaces) return 0;
  if (object->is_list)
    d2c__umd_place(update, object->number + index, 0, 0);
  else
    d2c__umd_place(update, object->number, index / object->levels, index % object->levels);
  return object;
}

static void d2c__umd_read(const struct d2c_surface_update* area) {
  struct d2c_surface_read read;
  d2c_surface_read_init(&read);
  read.handle = area->handle;
  read.face = area->face;
  read.level = area->level;
  read.has_rect = area->has_rect;
  read.rect = area->rect;
  read.has_box = area->has_box;
  read.box = area->box;
  read.has_range = area->has_range;
  read.range = area->range;
  d2c_surface_read(d2c__umd->capture, &read);
}

/* The area of an object is locked: `memory` is that of its first byte, as the runtime gives it to the application. */
static void d2c__umd_add_lock(const struct d2c_umd_object* object, d2c_u32 index,
                              const struct d2c_surface_update* area, const void* memory,
                              d2c_u32 pitch, d2c_u32 slice_pitch, int is_read_only) {
  struct d2c_umd* const umd = d2c__umd;
  struct d2c_umd_lock* lock;
  d2c_u32 i;
  for (i = 0; i < umd->locks_used && umd->locks[i].resource != 0;)
    ++i;
  if (i == D2C_UMD_LOCKS) {
    d2c__umd_leave_out(umd);
    return;
  }
  if (i == umd->locks_used) ++umd->locks_used;
  lock = umd->locks + i;
  lock->resource = object->handle;
  lock->index = index;
  lock->is_read_only = is_read_only ? 1u : 0u;
  lock->update = *area;
  lock->format = object->format;
  lock->pitch = (d2c_i32)pitch;
  lock->slice_pitch = slice_pitch;
  lock->memory = memory;
}

/* The area is unlocked: what it holds now. */
static void d2c__umd_unlock(const void* resource, d2c_u32 index) {
  struct d2c_umd* const umd = d2c__umd;
  d2c_u32 i;
  for (i = umd->locks_used; i != 0; --i) {
    struct d2c_umd_lock* const lock = umd->locks + i - 1;
    if (lock->resource != (D2C_UPTR)resource || lock->index != index) continue;
    lock->resource = 0;
    if (i == umd->locks_used) --umd->locks_used;
    if (!lock->is_read_only &&
        d2c__umd_bytes(&lock->update, lock->format, lock->memory, lock->pitch, lock->slice_pitch)) {
      d2c_surface_update(umd->capture, &lock->update);
      d2c_sources_forget(&umd->sources, 0, lock->update.handle);
    }
    return;
  }
}

/* ---------- the functions of the table ---------- */

static HRESULT APIENTRY d2c__umd_SetRenderState(HANDLE h, const D3DDDIARG_RENDERSTATE* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) d2c__umd_put2(d, D2C_OP_RENDERSTATE, (d2c_u32)p->State, (d2c_u32)p->Value);
  d2c__umd_leave();
  return d->driver.pfnSetRenderState(h, p);
}

static d2c_u32 d2c__umd_float(const void* value) {
  return D2C__LOAD((const d2c_u8*)value);
}

static HRESULT APIENTRY d2c__umd_UpdateWInfo(HANDLE h, const D3DDDIARG_WINFO* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) d2c__umd_put2(d, D2C_OP_WINFO, d2c__umd_float(&p->WNear), d2c__umd_float(&p->WFar));
  d2c__umd_leave();
  return d->driver.pfnUpdateWInfo(h, p);
}

static HRESULT APIENTRY d2c__umd_SetTextureStageState(HANDLE h,
                                                      const D3DDDIARG_TEXTURESTAGESTATE* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0)
    d2c__umd_put2(d, D2C_OP_TEXTURESTAGESTATE,
                  ((d2c_u32)p->Stage & 0xFFFFu) | (d2c_u32)p->State << 16, (d2c_u32)p->Value);
  d2c__umd_leave();
  return d->driver.pfnSetTextureStageState(h, p);
}

static HRESULT APIENTRY d2c__umd_SetTexture(HANDLE h, UINT stage, HANDLE texture) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  d2c__umd_put2(d, D2C_OP_TEXTURESTAGESTATE, stage & 0xFFFFu,
                d2c__umd_number_of(texture, D2C__UMD_RESOURCE));
  d2c__umd_leave();
  return d->driver.pfnSetTexture(h, stage, texture);
}

static HRESULT APIENTRY d2c__umd_SetStreamSourceUm(HANDLE h, const D3DDDIARG_SETSTREAMSOURCEUM* p,
                                                   const VOID* memory) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    d->vertices = (const d2c_u8*)memory;
    d->stride = (d2c_u32)p->Stride;
    d2c__umd_put2(d, D2C_OP_SETSTREAMSOURCEUM, (d2c_u32)p->Stream, (d2c_u32)p->Stride);
  }
  d2c__umd_leave();
  return d->driver.pfnSetStreamSourceUm(h, p, memory);
}

static HRESULT APIENTRY d2c__umd_SetStreamSource(HANDLE h, const D3DDDIARG_SETSTREAMSOURCE* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    d2c_u32 words[4];
    words[0] = (d2c_u32)p->Stream;
    words[1] = d2c__umd_number_of(p->hVertexBuffer, D2C__UMD_RESOURCE);
    words[2] = (d2c_u32)p->Offset;
    words[3] = (d2c_u32)p->Stride;
    d2c__umd_put(d, D2C_OP_SETSTREAMSOURCE2, 1, words, 4, 0, 0);
    if (words[0] == 0) {
      d->vertices = 0;
      d->stride = words[3];
    }
  }
  d2c__umd_leave();
  return d->driver.pfnSetStreamSource(h, p);
}

static HRESULT APIENTRY d2c__umd_SetStreamSourceFreq(HANDLE h,
                                                     const D3DDDIARG_SETSTREAMSOURCEFREQ* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) d2c__umd_put2(d, D2C_OP_SETSTREAMSOURCEFREQ, (d2c_u32)p->Stream, (d2c_u32)p->Divider);
  d2c__umd_leave();
  return d->driver.pfnSetStreamSourceFreq(h, p);
}

static HRESULT APIENTRY d2c__umd_SetIndices(HANDLE h, const D3DDDIARG_SETINDICES* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    d->indices = 0;
    d->index_buffer = d2c__umd_number_of(p->hIndexBuffer, D2C__UMD_RESOURCE);
    d->index_stride = (d2c_u32)p->Stride;
    d2c__umd_bind_indices(d, d->index_buffer, d->index_stride);
  }
  d2c__umd_leave();
  return d->driver.pfnSetIndices(h, p);
}

static HRESULT APIENTRY d2c__umd_SetIndicesUm(HANDLE h, UINT size, const VOID* memory) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  d->indices = (const d2c_u8*)memory;
  d->index_size = size;
  d2c__umd_leave();
  return d->driver.pfnSetIndicesUm(h, size, memory);
}

static HRESULT APIENTRY d2c__umd_DrawPrimitive(HANDLE h, const D3DDDIARG_DRAWPRIMITIVE* p,
                                               const UINT* edges) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c_u32 words[3];
    words[0] = (d2c_u32)p->PrimitiveType;
    words[1] = (d2c_u32)p->VStart;
    words[2] = (d2c_u32)p->PrimitiveCount;
    if (edges != 0 && words[0] == 6) {
      /* A fan that was clipped: the same triangles with the flags of their edges. */
      words[0] = d2c__times(words[1], d->stride);
      words[1] = (d2c_u32)*edges;
      d2c__umd_put(d, D2C_OP_CLIPPEDTRIANGLEFAN, 1, words, 3, 0, 0);
    } else {
      d2c__umd_put(d, D2C_OP_DRAWPRIMITIVE, 1, words, 3, 0, 0);
    }
    number = d2c__umd_send(
        d, d2c__sum((d2c_u32)p->VStart,
                    d2c__umd_vertices((d2c_u32)p->PrimitiveType, (d2c_u32)p->PrimitiveCount)));
  }
  d2c__umd_leave();
  result = d->driver.pfnDrawPrimitive(h, p, edges);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_DrawIndexedPrimitive(HANDLE h,
                                                      const D3DDDIARG_DRAWINDEXEDPRIMITIVE* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c_u32 words[6];
    words[0] = (d2c_u32)p->PrimitiveType;
    words[1] = (d2c_u32)p->BaseVertexIndex;
    words[2] = (d2c_u32)p->MinIndex;
    words[3] = (d2c_u32)p->NumVertices;
    words[4] = (d2c_u32)p->StartIndex;
    words[5] = (d2c_u32)p->PrimitiveCount;
    if (d->indices != 0)
      d2c__umd_bind_user_indices(d, d->indices, d2c__times(words[4], d->index_size),
                                 d2c__umd_vertices(words[0], words[5]), d->index_size);
    else
      d2c__umd_bind_indices(d, d->index_buffer, d->index_stride);
    d2c__umd_put(d, D2C_OP_DRAWINDEXEDPRIMITIVE, 1, words, 6, 0, 0);
    number = d2c__umd_send(d, words[1] + d2c__sum(words[2], words[3]));
  }
  d2c__umd_leave();
  result = d->driver.pfnDrawIndexedPrimitive(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_DrawPrimitive2(HANDLE h, const D3DDDIARG_DRAWPRIMITIVE2* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c_u32 words[3];
    words[0] = (d2c_u32)p->PrimitiveType;
    words[1] = (d2c_u32)p->FirstVertexOffset;
    words[2] = (d2c_u32)p->PrimitiveCount;
    d2c__umd_put(d, D2C_OP_DRAWPRIMITIVE2, 1, words, 3, 0, 0);
    number = d2c__umd_send(d, d2c__sum(d2c__umd_whole_vertices(words[1], d->stride),
                                       d2c__umd_vertices(words[0], words[2])));
  }
  d2c__umd_leave();
  result = d->driver.pfnDrawPrimitive2(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

/* Unspecified: flags of edges, which come with a single triangle, have no token here. The triangle is recorded with all its edges. */
static HRESULT APIENTRY d2c__umd_DrawIndexedPrimitive2(HANDLE h,
                                                       const D3DDDIARG_DRAWINDEXEDPRIMITIVE2* p,
                                                       UINT size, const VOID* indices,
                                                       const UINT* edges) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c_u32 words[6];
    words[0] = (d2c_u32)p->PrimitiveType;
    words[1] = (d2c_u32)p->BaseVertexOffset;
    words[2] = (d2c_u32)p->MinIndex;
    words[3] = (d2c_u32)p->NumVertices;
    words[4] = (d2c_u32)p->StartIndexOffset;
    words[5] = (d2c_u32)p->PrimitiveCount;
    d2c__umd_bind_user_indices(d, (const d2c_u8*)indices, words[4],
                               d2c__umd_vertices(words[0], words[5]), size);
    d2c__umd_put(d, D2C_OP_DRAWINDEXEDPRIMITIVE2, 1, words, 6, 0, 0);
    number = d2c__umd_send(
        d, d2c__umd_whole_vertices(words[1] + d2c__times(d2c__sum(words[2], words[3]), d->stride),
                                   d->stride));
  }
  d2c__umd_leave();
  result = d->driver.pfnDrawIndexedPrimitive2(h, p, size, indices, edges);
  d2c__umd_result(h, number, result);
  return result;
}

/* Segments (RTPATCHFLAG_HASSEGS) and information (RTPATCHFLAG_HASINFO) of a patch, where there are any. */
static struct d2c_u64 d2c__umd_patch(struct d2c_umd_device* d, d2c_u32 op, d2c_u32 handle,
                                     const void* segments, d2c_u32 segments_size, const void* info,
                                     d2c_u32 info_size) {
  d2c_u8 rest[16 + 28];
  d2c_u32 words[2];
  d2c_u32 used = 0;
  words[0] = handle;
  words[1] = (segments != 0 ? 1u : 0u) | (info != 0 ? 2u : 0u);
  if (segments != 0) {
    d2c__copy(rest, (const d2c_u8*)segments, segments_size);
    used = segments_size;
  }
  if (info != 0) {
    d2c__copy(rest + used, (const d2c_u8*)info, info_size);
    used += info_size;
  }
  d2c__umd_put(d, op, 1, words, 2, rest, used);
  return d2c__umd_send(d, 0);
}

static HRESULT APIENTRY d2c__umd_DrawRectPatch(HANDLE h, const D3DDDIARG_DRAWRECTPATCH* p,
                                               const D3DDDIRECTPATCH_INFO* info,
                                               const FLOAT* segments) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0)
    number = d2c__umd_patch(d, D2C_OP_DRAWRECTPATCH, (d2c_u32)p->Handle, segments, 16, info, 28);
  d2c__umd_leave();
  result = d->driver.pfnDrawRectPatch(h, p, info, segments);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_DrawTriPatch(HANDLE h, const D3DDDIARG_DRAWTRIPATCH* p,
                                              const D3DDDITRIPATCH_INFO* info,
                                              const FLOAT* segments) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0)
    number = d2c__umd_patch(d, D2C_OP_DRAWTRIPATCH, (d2c_u32)p->Handle, segments, 12, info, 16);
  d2c__umd_leave();
  result = d->driver.pfnDrawTriPatch(h, p, info, segments);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_VolBlt(HANDLE h, const D3DDDIARG_VOLUMEBLT* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c_u32 words[12];
    words[0] = d2c__umd_number_of(p->hDstResource, D2C__UMD_RESOURCE);
    words[1] = d2c__umd_number_of(p->hSrcResource, D2C__UMD_RESOURCE);
    words[2] = (d2c_u32)p->DstX;
    words[3] = (d2c_u32)p->DstY;
    words[4] = (d2c_u32)p->DstZ;
    words[5] = (d2c_u32)p->SrcBox.Left;
    words[6] = (d2c_u32)p->SrcBox.Top;
    words[7] = (d2c_u32)p->SrcBox.Right;
    words[8] = (d2c_u32)p->SrcBox.Bottom;
    words[9] = (d2c_u32)p->SrcBox.Front;
    words[10] = (d2c_u32)p->SrcBox.Back;
    words[11] = 0;
    d2c__umd_put(d, D2C_OP_VOLUMEBLT, 1, words, 12, 0, 0);
    number = d2c__umd_send(d, 0);
  }
  d2c__umd_leave();
  result = d->driver.pfnVolBlt(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_BufBlt(HANDLE h, const D3DDDIARG_BUFFERBLT* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c_u32 words[6];
    words[0] = d2c__umd_number_of(p->hDstResource, D2C__UMD_RESOURCE);
    words[1] = d2c__umd_number_of(p->hSrcResource, D2C__UMD_RESOURCE);
    words[2] = (d2c_u32)p->Offset;
    words[3] = (d2c_u32)p->SrcRange.Offset;
    words[4] = (d2c_u32)p->SrcRange.Size;
    words[5] = 0;
    d2c__umd_put(d, D2C_OP_BUFFERBLT, 1, words, 6, 0, 0);
    number = d2c__umd_send(d, 0);
  }
  d2c__umd_leave();
  result = d->driver.pfnBufBlt(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_TexBlt(HANDLE h, const D3DDDIARG_TEXBLT* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    const struct d2c_umd_object* const to =
        d2c__umd_find(d2c__umd, (D2C_UPTR)p->hDstResource, D2C__UMD_RESOURCE);
    d2c_u32 words[9];
    words[0] = d2c__umd_number_of(p->hDstResource, D2C__UMD_RESOURCE);
    words[1] = d2c__umd_number_of(p->hSrcResource, D2C__UMD_RESOURCE);
    words[2] = (d2c_u32)p->DstPoint.x;
    words[3] = (d2c_u32)p->DstPoint.y;
    d2c__umd_rect(words + 4, &p->SrcRect);
    /* A face is a DDSCAPS2_CUBEMAP_ bit there. */
    words[8] = to != 0 && to->surfaces != to->levels ? 0x400u << ((d2c_u32)p->CubeMapFace & 7u) : 0;
    d2c__umd_put(d, D2C_OP_TEXBLT, 1, words, 9, 0, 0);
    number = d2c__umd_send(d, 0);
  }
  d2c__umd_leave();
  result = d->driver.pfnTexBlt(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_StateSet(HANDLE h, D3DDDIARG_STATESET* p) {
  enum { kBegin, kEnd, kDelete, kExecute, kCapture, kCreate };
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  d2c_u32 made = 0;
  HRESULT result;
  if (p != 0) {
    const d2c_u32 operation = (d2c_u32)p->Operation;
    struct d2c_umd_object* const known =
        d2c__umd_find(d2c__umd, (D2C_UPTR)p->hStateSet, D2C__UMD_STATE_BLOCK);
    d2c_u32 words[3];
    if (operation == kBegin || operation == kCreate) made = d2c__umd_number(d2c__umd, 1);
    if (operation == kBegin) d->block = made;
    words[0] = operation;
    if (operation == kBegin || operation == kEnd) d->is_in_block = operation == kBegin ? 1u : 0u;
    words[1] = made != 0           ? made
               : operation == kEnd ? d->block
               : known != 0        ? known->number
                                   : 0xFFFFFFFFu;
    words[2] = (d2c_u32)p->StateBlockType;
    d2c__umd_put(d, D2C_OP_STATESET, 1, words, 3, 0, 0);
    if (operation == kDelete && known != 0) d2c__umd_remove(d2c__umd, known);
  }
  d2c__umd_leave();
  result = d->driver.pfnStateSet(h, p);
  if (made != 0 && result >= 0) {
    d2c__umd_enter(h);
    d2c__umd_add(d2c__umd, (D2C_UPTR)p->hStateSet, D2C__UMD_STATE_BLOCK, made);
    d2c__umd_leave();
  }
  return result;
}

static HRESULT APIENTRY d2c__umd_SetPriority(HANDLE h, const D3DDDIARG_SETPRIORITY* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0)
    d2c__umd_put2(d, D2C_OP_SETPRIORITY, d2c__umd_number_of(p->hResource, D2C__UMD_RESOURCE),
                  (d2c_u32)p->Priority);
  d2c__umd_leave();
  return d->driver.pfnSetPriority(h, p);
}

static HRESULT APIENTRY d2c__umd_Clear(HANDLE h, const D3DDDIARG_CLEAR* p, UINT count,
                                       const RECT* rects) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    static const d2c_u32 nothing[4] = {0, 0, 0, 0};
    d2c_u32 left = rects == 0 ? 0 : count;
    d2c_u32 words[4];
    words[0] = (d2c_u32)p->Flags;
    words[1] = (d2c_u32)p->FillColor;
    words[2] = d2c__umd_float(&p->FillDepth);
    words[3] = (d2c_u32)p->FillStencil;
    if (words[0] & D2C__UMD_COMPUTE_RECTS) d->is_pure = 1;
    do {
      const d2c_u32 now = left < 4096 ? left : 4096;
      d2c__umd_put(d, D2C_OP_CLEAR, now, words, 4,
                   now == 0 ? (const void*)nothing : (const void*)(rects + (count - left)),
                   now == 0 ? 16 : now * 16);
      left -= now;
    } while (left != 0);
    number = d2c__umd_send(d, 0);
  }
  d2c__umd_leave();
  result = d->driver.pfnClear(h, p, count, rects);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_UpdatePalette(HANDLE h, const D3DDDIARG_UPDATEPALETTE* p,
                                               const PALETTEENTRY* entries) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    d2c_u32 words[2];
    words[0] = (d2c_u32)p->PaletteHandle;
    words[1] = ((d2c_u32)p->StartIndex & 0xFFFFu) | (d2c_u32)p->NumEntries << 16;
    d2c__umd_put(d, D2C_OP_UPDATEPALETTE, 1, words, 2, entries,
                 ((d2c_u32)p->NumEntries & 0xFFFFu) * 4);
  }
  d2c__umd_leave();
  return d->driver.pfnUpdatePalette(h, p, entries);
}

static HRESULT APIENTRY d2c__umd_SetPalette(HANDLE h, const D3DDDIARG_SETPALETTE* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    d2c_u32 words[3];
    words[0] = (d2c_u32)p->PaletteHandle;
    words[1] = (d2c_u32)p->PaletteFlags;
    words[2] = d2c__umd_number_of(p->hResource, D2C__UMD_RESOURCE);
    d2c__umd_put(d, D2C_OP_SETPALETTE, 1, words, 3, 0, 0);
  }
  d2c__umd_leave();
  return d->driver.pfnSetPalette(h, p);
}

/* Constants of shaders: 16 bytes for each register of floats and of integers, 4 for each boolean. */
#define D2C__UMD_CONSTANTS(Name, OP, ARG, Type, size)                                       \
  static HRESULT APIENTRY d2c__umd_##Name(HANDLE h, const ARG* p, const Type* values) {     \
    struct d2c_umd_device* const d = d2c__umd_enter(h);                                     \
    if (p != 0)                                                                             \
      d2c__umd_put_registers(d, OP, (d2c_u32)p->Register, (d2c_u32)p->Count, values, size); \
    d2c__umd_leave();                                                                       \
    return d->driver.pfn##Name(h, p, values);                                               \
  }
D2C__UMD_CONSTANTS(SetVertexShaderConst, D2C_OP_SETVERTEXSHADERCONST,
                   D3DDDIARG_SETVERTEXSHADERCONST, VOID, 16)
D2C__UMD_CONSTANTS(SetVertexShaderConstI, D2C_OP_SETVERTEXSHADERCONSTI,
                   D3DDDIARG_SETVERTEXSHADERCONSTI, INT, 16)
D2C__UMD_CONSTANTS(SetVertexShaderConstB, D2C_OP_SETVERTEXSHADERCONSTB,
                   D3DDDIARG_SETVERTEXSHADERCONSTB, BOOL, 4)
D2C__UMD_CONSTANTS(SetPixelShaderConst, D2C_OP_SETPIXELSHADERCONST, D3DDDIARG_SETPIXELSHADERCONST,
                   FLOAT, 16)
D2C__UMD_CONSTANTS(SetPixelShaderConstI, D2C_OP_SETPIXELSHADERCONSTI,
                   D3DDDIARG_SETPIXELSHADERCONSTI, INT, 16)
D2C__UMD_CONSTANTS(SetPixelShaderConstB, D2C_OP_SETPIXELSHADERCONSTB,
                   D3DDDIARG_SETPIXELSHADERCONSTB, BOOL, 4)

/* A structure whose members are those of the token, in its order. */
#define D2C__UMD_SAME(Name, OP, ARG, size)                          \
  static HRESULT APIENTRY d2c__umd_##Name(HANDLE h, const ARG* p) { \
    struct d2c_umd_device* const d = d2c__umd_enter(h);             \
    if (p != 0) d2c__umd_put_bytes(d, OP, p, size);                 \
    d2c__umd_leave();                                               \
    return d->driver.pfn##Name(h, p);                               \
  }
D2C__UMD_SAME(MultiplyTransform, D2C_OP_MULTIPLYTRANSFORM, D3DDDIARG_MULTIPLYTRANSFORM, 68)
D2C__UMD_SAME(SetTransform, D2C_OP_SETTRANSFORM, D3DDDIARG_SETTRANSFORM, 68)
D2C__UMD_SAME(SetViewport, D2C_OP_VIEWPORTINFO, D3DDDIARG_VIEWPORTINFO, 16)
D2C__UMD_SAME(SetZRange, D2C_OP_ZRANGE, D3DDDIARG_ZRANGE, 8)
D2C__UMD_SAME(SetMaterial, D2C_OP_SETMATERIAL, D3DDDIARG_SETMATERIAL, 68)
D2C__UMD_SAME(CreateLight, D2C_OP_CREATELIGHT, D3DDDIARG_CREATELIGHT, 4)
D2C__UMD_SAME(SetClipPlane, D2C_OP_SETCLIPPLANE, D3DDDIARG_SETCLIPPLANE, 20)
D2C__UMD_SAME(SetScissorRect, D2C_OP_SETSCISSORRECT, RECT, 16)

static HRESULT APIENTRY d2c__umd_SetLight(HANDLE h, const D3DDDIARG_SETLIGHT* p,
                                          const D3DDDI_LIGHT* light) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    d2c_u32 words[2];
    words[0] = (d2c_u32)p->Index;
    words[1] = (d2c_u32)p->DataType;
    d2c__umd_put(d, D2C_OP_SETLIGHT, 1, words, 2, light, words[1] == 2 ? 104 : 0);
  }
  d2c__umd_leave();
  return d->driver.pfnSetLight(h, p, light);
}

static HRESULT APIENTRY d2c__umd_Lock(HANDLE h, D3DDDIARG_LOCK* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  const struct d2c_umd_object* object;
  struct d2c_surface_update area;
  HRESULT result;
  if (p != 0 && p->Flags.ReadOnly && !p->Flags.NotifyOnly && d->device != 0) {
    object = d2c__umd_locked(p->hResource, (d2c_u32)p->SubResourceIndex, &area);
    if (object != 0) {
      D2C__UMD_AREA(&area, object, p);
      d2c__umd_read(&area);
    }
  }
  d2c__umd_leave();
  result = d->driver.pfnLock(h, p);
  if (p == 0 || result < 0 || p->Flags.NotifyOnly) return result;
  d2c__umd_enter(h);
  object = d2c__umd_locked(p->hResource, (d2c_u32)p->SubResourceIndex, &area);
  if (object != 0) {
    D2C__UMD_AREA(&area, object, p);
    d2c__umd_add_lock(object, (d2c_u32)p->SubResourceIndex, &area, p->pSurfData, (d2c_u32)p->Pitch,
                      (d2c_u32)p->SlicePitch, p->Flags.ReadOnly != 0);
  }
  d2c__umd_leave();
  return result;
}

static HRESULT APIENTRY d2c__umd_Unlock(HANDLE h, const D3DDDIARG_UNLOCK* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0 && !p->Flags.NotifyOnly) d2c__umd_unlock(p->hResource, (d2c_u32)p->SubResourceIndex);
  d2c__umd_leave();
  return d->driver.pfnUnlock(h, p);
}

/*
 * The memory that LockAsync gave for discarded contents becomes the resource's with Rename. The contents are recorded at UnlockAsync: no draw
 * comes between the two.
 */
static HRESULT APIENTRY d2c__umd_LockAsync(HANDLE h, D3DDDIARG_LOCKASYNC* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  const struct d2c_umd_object* object;
  struct d2c_surface_update area;
  HRESULT result;
  d2c__umd_leave();
  result = d->driver.pfnLockAsync(h, p);
  if (p == 0 || result < 0 || p->Flags.NotifyOnly) return result;
  d2c__umd_enter(h);
  object = d2c__umd_locked(p->hResource, (d2c_u32)p->SubResourceIndex, &area);
  if (object != 0) {
    D2C__UMD_AREA(&area, object, p);
    d2c__umd_add_lock(object, (d2c_u32)p->SubResourceIndex, &area, p->pSurfData, (d2c_u32)p->Pitch,
                      (d2c_u32)p->SlicePitch, 0);
  }
  d2c__umd_leave();
  return result;
}

static HRESULT APIENTRY d2c__umd_UnlockAsync(HANDLE h, const D3DDDIARG_UNLOCKASYNC* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) d2c__umd_unlock(p->hResource, (d2c_u32)p->SubResourceIndex);
  d2c__umd_leave();
  return d->driver.pfnUnlockAsync(h, p);
}

static HRESULT APIENTRY d2c__umd_CreateResource(HANDLE h, D3DDDIARG_CREATERESOURCE* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  HRESULT result;
  d2c__umd_leave();
  result = d->driver.pfnCreateResource(h, p);
  if (p == 0 || result < 0) return result;
  if (d2c__umd_enter(h)->device != 0) d2c__umd_create(d, p);
  d2c__umd_leave();
  return result;
}

static HRESULT APIENTRY d2c__umd_DestroyResource(HANDLE h, HANDLE resource) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_umd_object* const object =
      d2c__umd_find(d2c__umd, (D2C_UPTR)resource, D2C__UMD_RESOURCE);
  if (object != 0) {
    d2c_u32 i;
    for (i = 0; i < D2C_UMD_DEVICES; ++i)
      d2c__umd_send_own(d2c__umd->devices + i); /* what waits may name it */
    d2c__umd_destroy_resource(object);
  }
  d2c__umd_leave();
  return d->driver.pfnDestroyResource(h, resource);
}

static HRESULT APIENTRY d2c__umd_Present(HANDLE h, const D3DDDIARG_PRESENT* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0 && p->hSrcResource != 0 && d->device != 0) {
    struct d2c_present present;
    d2c__umd_send_own(d);
    d2c_present_init(&present);
    present.handle = d2c__umd_surface_handle(p->hSrcResource, (d2c_u32)p->SrcSubResourceIndex);
    d2c_present(d2c__umd->capture, &present);
  }
  d2c__umd_leave();
  return d->driver.pfnPresent(h, p);
}

static HRESULT APIENTRY d2c__umd_Flush(HANDLE h) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  d2c__umd_send_own(d);
  d2c__umd_leave();
  return d->driver.pfnFlush(h);
}

/* What the driver has made, by the number that its token has. Where it has failed, the token is taken back. */
static void d2c__umd_made(HANDLE h, HRESULT result, const void* handle, d2c_u32 kind,
                          d2c_u32 number, d2c_u32 delete_op) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (result < 0)
    d2c__umd_put1(d, delete_op, number);
  else
    d2c__umd_add(d2c__umd, (D2C_UPTR)handle, kind, number);
  d2c__umd_leave();
}

/* The number of a shader or declaration has bit 0. */
static d2c_u32 d2c__umd_shader_number(void) {
  return d2c__umd_number(d2c__umd, 2) | 1u;
}

#define D2C__UMD_SHADER(Create, Delete, Set, Created, OP, KIND, SIZE)                            \
  static HRESULT APIENTRY d2c__umd_##Create(HANDLE h, Created* p, const UINT* code) {            \
    struct d2c_umd_device* const d = d2c__umd_enter(h);                                          \
    const d2c_u32 number = d2c__umd_shader_number();                                             \
    HRESULT result;                                                                              \
    if (p != 0) d2c__umd_put_registers(d, D2C_OP_CREATE##OP, number, (d2c_u32)p->SIZE, code, 1); \
    d2c__umd_leave();                                                                            \
    result = d->driver.pfn##Create(h, p, code);                                                  \
    if (p != 0) d2c__umd_made(h, result, p->ShaderHandle, KIND, number, D2C_OP_DELETE##OP);      \
    return result;                                                                               \
  }                                                                                              \
  D2C__UMD_SHADER_USE(Delete, Set, OP, KIND)
#define D2C__UMD_SHADER_USE(Delete, Set, OP, KIND)                                         \
  static HRESULT APIENTRY d2c__umd_##Delete(HANDLE h, HANDLE shader) {                     \
    struct d2c_umd_device* const d = d2c__umd_enter(h);                                    \
    struct d2c_umd_object* const object = d2c__umd_find(d2c__umd, (D2C_UPTR)shader, KIND); \
    if (object != 0) {                                                                     \
      d2c__umd_put1(d, D2C_OP_DELETE##OP, object->number);                                 \
      d2c__umd_remove(d2c__umd, object);                                                   \
    }                                                                                      \
    d2c__umd_leave();                                                                      \
    return d->driver.pfn##Delete(h, shader);                                               \
  }                                                                                        \
  static HRESULT APIENTRY d2c__umd_##Set(HANDLE h, HANDLE shader) {                        \
    struct d2c_umd_device* const d = d2c__umd_enter(h);                                    \
    d2c__umd_put1(d, D2C_OP_SET##OP, d2c__umd_number_of(shader, KIND));                    \
    d2c__umd_leave();                                                                      \
    return d->driver.pfn##Set(h, shader);                                                  \
  }
D2C__UMD_SHADER(CreateVertexShaderFunc, DeleteVertexShaderFunc, SetVertexShaderFunc,
                D3DDDIARG_CREATEVERTEXSHADERFUNC, VERTEXSHADERFUNC, D2C__UMD_VERTEX_FUNC, Size)
D2C__UMD_SHADER(CreatePixelShader, DeletePixelShader, SetPixelShader, D3DDDIARG_CREATEPIXELSHADER,
                PIXELSHADER, D2C__UMD_PIXEL_SHADER, CodeSize)
D2C__UMD_SHADER_USE(DeleteVertexShaderDecl, SetVertexShaderDecl, VERTEXSHADERDECL,
                    D2C__UMD_VERTEX_DECL)

static HRESULT APIENTRY d2c__umd_CreateVertexShaderDecl(HANDLE h,
                                                        D3DDDIARG_CREATEVERTEXSHADERDECL* p,
                                                        const D3DDDIVERTEXELEMENT* elements) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  const d2c_u32 number = d2c__umd_shader_number();
  HRESULT result;
  if (p != 0)
    d2c__umd_put_registers(d, D2C_OP_CREATEVERTEXSHADERDECL, number, (d2c_u32)p->NumVertexElements,
                           elements, 8);
  d2c__umd_leave();
  result = d->driver.pfnCreateVertexShaderDecl(h, p, elements);
  if (p != 0)
    d2c__umd_made(h, result, p->ShaderHandle, D2C__UMD_VERTEX_DECL, number,
                  D2C_OP_DELETEVERTEXSHADERDECL);
  return result;
}

static HRESULT APIENTRY
d2c__umd_SetConvolutionKernelMono(HANDLE h, const D3DDDIARG_SETCONVOLUTIONKERNELMONO* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0 && p->Width <= 7 && p->Height <= 7) {
    d2c_u32 words[3];
    d2c_u8 rest[2 * 7 * 4];
    d2c_u32 used = 0;
    words[0] = (d2c_u32)p->Width;
    words[1] = (d2c_u32)p->Height;
    words[2] = (p->pKernelRow != 0 ? 1u : 0u) | (p->pKernelCol != 0 ? 2u : 0u);
    if (p->pKernelRow != 0) {
      d2c__copy(rest, (const d2c_u8*)p->pKernelRow, words[0] * 4);
      used = words[0] * 4;
    }
    if (p->pKernelCol != 0) {
      d2c__copy(rest + used, (const d2c_u8*)p->pKernelCol, words[1] * 4);
      used += words[1] * 4;
    }
    d2c__umd_put(d, D2C_OP_SETCONVOLUTIONKERNELMONO, 1, words, 3, rest, used);
  }
  d2c__umd_leave();
  return d->driver.pfnSetConvolutionKernelMono(h, p);
}

static HRESULT APIENTRY d2c__umd_ComposeRects(HANDLE h, const D3DDDIARG_COMPOSERECTS* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c_u32 words[8];
    words[0] = d2c__umd_surface_handle(p->hSrcResource, (d2c_u32)p->SrcSubResourceIndex);
    words[1] = d2c__umd_surface_handle(p->hDstResource, (d2c_u32)p->DstSubResourceIndex);
    words[2] = d2c__umd_number_of(p->hSrcRectDescsVB, D2C__UMD_RESOURCE);
    words[3] = (d2c_u32)p->NumRects;
    words[4] = d2c__umd_number_of(p->hDstRectDescsVB, D2C__UMD_RESOURCE);
    words[5] = (d2c_u32)p->Operation;
    words[6] = (d2c_u32)p->XOffset;
    words[7] = (d2c_u32)p->YOffset;
    d2c__umd_put(d, D2C_OP_COMPOSERECTS, 1, words, 8, 0, 0);
    number = d2c__umd_send(d, 0);
  }
  d2c__umd_leave();
  result = d->driver.pfnComposeRects(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

/* With a colour key: DirectDraw's Blt, which the token does not have. */
static void d2c__umd_keyed_blt(const D3DDDIARG_BLT* p) {
  struct d2c_blt blt;
  d2c_blt_init(&blt);
  blt.kind = D2C_BLT_KIND_COPY;
  blt.src = d2c__umd_surface(p->hSrcResource, (d2c_u32)p->SrcSubResourceIndex, &blt.src_level);
  blt.dest = d2c__umd_surface(p->hDstResource, (d2c_u32)p->DstSubResourceIndex, &blt.dest_level);
  blt.has_src_rect = blt.has_dest_rect = 1;
  d2c__umd_rect(&blt.src_rect, &p->SrcRect);
  d2c__umd_rect(&blt.dest_rect, &p->DstRect);
  if (p->Flags.Value & D2C__UMD_SRC_COLOR_KEY) {
    blt.flags = 0x10000; /* DDBLT_KEYSRCOVERRIDE */
    blt.has_src_color_key = 1;
    blt.src_color_key.low = blt.src_color_key.high = (d2c_u32)p->ColorKey;
  } else {
    blt.flags = 0x4000; /* DDBLT_KEYDESTOVERRIDE */
    blt.has_dest_color_key = 1;
    blt.dest_color_key.low = blt.dest_color_key.high = (d2c_u32)p->ColorKey;
  }
  d2c_blt(d2c__umd->capture, &blt);
}

/* Unspecified: mirroring, rotation and conversion to sRGB have neither token nor event; such a copy is recorded without them. */
static HRESULT APIENTRY d2c__umd_Blt(HANDLE h, const D3DDDIARG_BLT* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0 && d->device != 0) {
    if (p->Flags.Value & (D2C__UMD_SRC_COLOR_KEY | D2C__UMD_DST_COLOR_KEY)) {
      d2c__umd_send_own(d);
      d2c__umd_keyed_blt(p);
    } else {
      d2c_u32 words[13];
      words[0] = d2c__umd_surface(p->hSrcResource, (d2c_u32)p->SrcSubResourceIndex, words + 5);
      d2c__umd_rect(words + 1, &p->SrcRect);
      words[6] = d2c__umd_surface(p->hDstResource, (d2c_u32)p->DstSubResourceIndex, words + 11);
      d2c__umd_rect(words + 7, &p->DstRect);
      words[12] = (d2c_u32)p->Flags.Value & 3u; /* DP2BLT_POINT, DP2BLT_LINEAR */
      d2c__umd_put(d, D2C_OP_BLT, 1, words, 13, 0, 0);
      number = d2c__umd_send(d, 0);
    }
  }
  d2c__umd_leave();
  result = d->driver.pfnBlt(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_ColorFill(HANDLE h, const D3DDDIARG_COLORFILL* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c_u32 words[6];
    words[0] = d2c__umd_surface_handle(p->hResource, (d2c_u32)p->SubResourceIndex);
    d2c__umd_rect(words + 1, &p->DstRect);
    words[5] = (d2c_u32)p->Color;
    d2c__umd_put(d, D2C_OP_COLORFILL, 1, words, 6, 0, 0);
    number = d2c__umd_send(d, 0);
  }
  d2c__umd_leave();
  result = d->driver.pfnColorFill(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_DepthFill(HANDLE h, const D3DDDIARG_DEPTHFILL* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0 && d->device != 0) {
    struct d2c_blt blt;
    d2c__umd_send_own(d);
    d2c_blt_init(&blt);
    blt.kind = D2C_BLT_KIND_DEPTH_FILL;
    blt.flags = 0x02000000; /* DDBLT_DEPTHFILL */
    blt.dest = d2c__umd_surface(p->hResource, (d2c_u32)p->SubResourceIndex, &blt.dest_level);
    blt.has_dest_rect = 1;
    d2c__umd_rect(&blt.dest_rect, &p->DstRect);
    blt.fill = (d2c_u32)p->Depth;
    d2c_blt(d2c__umd->capture, &blt);
  }
  d2c__umd_leave();
  return d->driver.pfnDepthFill(h, p);
}

static HRESULT APIENTRY d2c__umd_CreateQuery(HANDLE h, D3DDDIARG_CREATEQUERY* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  const d2c_u32 number = d2c__umd_number(d2c__umd, 1);
  HRESULT result;
  if (p != 0) d2c__umd_put2(d, D2C_OP_CREATEQUERY, number, (d2c_u32)p->QueryType);
  d2c__umd_leave();
  result = d->driver.pfnCreateQuery(h, p);
  if (p != 0) d2c__umd_made(h, result, p->hQuery, D2C__UMD_QUERY, number, D2C_OP_DELETEQUERY);
  return result;
}

static HRESULT APIENTRY d2c__umd_DestroyQuery(HANDLE h, HANDLE query) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_umd_object* const object = d2c__umd_find(d2c__umd, (D2C_UPTR)query, D2C__UMD_QUERY);
  if (object != 0) {
    d2c__umd_put1(d, D2C_OP_DELETEQUERY, object->number);
    d2c__umd_remove(d2c__umd, object);
  }
  d2c__umd_leave();
  return d->driver.pfnDestroyQuery(h, query);
}

static HRESULT APIENTRY d2c__umd_IssueQuery(HANDLE h, const D3DDDIARG_ISSUEQUERY* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    const d2c_u32 flags = (d2c_u32)p->Flags.Value;
    /* D3DISSUE_END is 1 and D3DISSUE_BEGIN 2 there. */
    d2c__umd_put2(d, D2C_OP_ISSUEQUERY, d2c__umd_number_of(p->hQuery, D2C__UMD_QUERY),
                  ((flags & D2C__UMD_QUERY_END) != 0 ? 1u : 0u) |
                      ((flags & D2C__UMD_QUERY_BEGIN) != 0 ? 2u : 0u));
  }
  d2c__umd_leave();
  return d->driver.pfnIssueQuery(h, p);
}

static HRESULT APIENTRY d2c__umd_SetRenderTarget(HANDLE h, const D3DDDIARG_SETRENDERTARGET* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    const d2c_u32 target = d2c__umd_surface_handle(p->hRenderTarget, (d2c_u32)p->SubResourceIndex);
    if (p->RenderTargetIndex == 0) d->target = target;
    d2c__umd_put2(d, D2C_OP_SETRENDERTARGET2, (d2c_u32)p->RenderTargetIndex, target);
  }
  d2c__umd_leave();
  return d->driver.pfnSetRenderTarget(h, p);
}

static HRESULT APIENTRY d2c__umd_SetDepthStencil(HANDLE h, const D3DDDIARG_SETDEPTHSTENCIL* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  if (p != 0) {
    d->depth = d2c__umd_number_of(p->hZBuffer, D2C__UMD_RESOURCE);
    d2c__umd_put1(d, D2C_OP_SETDEPTHSTENCIL, d->depth);
  }
  d2c__umd_leave();
  return d->driver.pfnSetDepthStencil(h, p);
}

static HRESULT APIENTRY d2c__umd_GenerateMipSubLevels(HANDLE h,
                                                      const D3DDDIARG_GENERATEMIPSUBLEVELS* p) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  struct d2c_u64 number = D2C__NO_EVENT;
  HRESULT result;
  if (p != 0) {
    d2c__umd_put2(d, D2C_OP_GENERATEMIPSUBLEVELS,
                  d2c__umd_number_of(p->hResource, D2C__UMD_RESOURCE), (d2c_u32)p->Filter);
    number = d2c__umd_send(d, 0);
  }
  d2c__umd_leave();
  result = d->driver.pfnGenerateMipSubLevels(h, p);
  d2c__umd_result(h, number, result);
  return result;
}

static HRESULT APIENTRY d2c__umd_DestroyDevice(HANDLE h) {
  struct d2c_umd_device* const d = d2c__umd_enter(h);
  PFND3DDDI_DESTROYDEVICE const destroy = d->driver.pfnDestroyDevice;
  if (d->device != 0) {
    d2c__umd_send_own(d);
    if (d->has_context) {
      struct d2c_context_destroy event;
      d2c_context_destroy_init(&event);
      event.context = d->context;
      d2c_context_destroy(d2c__umd->capture, &event);
    }
    if (d->private_indices != 0) d2c__umd_destroy(d->private_indices);
    if (d->private_target != 0) d2c__umd_destroy(d->private_target);
    d2c__umd_forget_device(d);
    d->device = 0;
  }
  d2c__umd_leave();
  return destroy(h);
}

/* ---------- from the middle ---------- */

/* What the driver has in a surface of a resource, by a lock of its own. 0: it refuses. */
static int d2c__umd_record_contents(const struct d2c_umd_object* object, d2c_u32 index) {
  struct d2c_umd* const umd = d2c__umd;
  const struct d2c_umd_device* const d = umd->devices + object->device;
  const HANDLE device = (HANDLE)d->device;
  struct d2c_surface_update update;
  D3DDDIARG_LOCK lock;
  D3DDDIARG_UNLOCK unlock;
  int is_read = 0;
  if (d->device == 0 || d->driver.pfnLock == 0 || d->driver.pfnUnlock == 0) return 0;
  d2c__zero(&lock, sizeof lock);
  lock.hResource = (HANDLE)object->handle;
  lock.SubResourceIndex = index;
  lock.Flags.ReadOnly = 1;
  if (object->format == 0) {
    lock.Flags.RangeValid = 1;
    lock.Range.Size = object->width;
  }
  if (d->driver.pfnLock(device, &lock) < 0) return 0;
  d2c__umd_locked((const void*)object->handle, index, &update);
  d2c__umd_whole_level(&update, object);
  if (d2c__umd_bytes(&update, object->format, lock.pSurfData, (d2c_i32)lock.Pitch,
                     (d2c_u32)lock.SlicePitch)) {
    d2c_surface_update(umd->capture, &update);
    is_read = 1;
  }
  d2c__zero(&unlock, sizeof unlock);
  unlock.hResource = lock.hResource;
  unlock.SubResourceIndex = index;
  d->driver.pfnUnlock(device, &unlock);
  return is_read;
}

/* Resources in system memory are recorded when something reads them. */
static void d2c__umd_record_resource(const struct d2c_umd_object* object) {
  d2c_u32 i;
  for (i = 0; i < (object->is_list ? object->surfaces : 1); ++i)
    d2c__umd_announce(object, i);
  for (i = 0; !object->is_in_memory && i < object->surfaces; ++i) {
    if (!d2c__umd_record_contents(object, i)) ++d2c__umd->unread;
  }
}

/* What is kept of a device: first what others name. */
static void d2c__umd_replay_kept(struct d2c_umd_device* d) {
  struct d2c_umd* const umd = d2c__umd;
  int makes;
  d2c_u32 at;
  for (makes = 1; makes >= 0; --makes) {
    for (at = umd->kept_slots; at < umd->kept_used; at += umd->kept[at]) {
      const d2c_u32* const entry = umd->kept + at;
      const d2c_u32 op = entry[D2C__KEPT_OP];
      const int is_made = op == D2C_OP_CREATEVERTEXSHADERDECL ||
                          op == D2C_OP_CREATEVERTEXSHADERFUNC || op == D2C_OP_CREATEPIXELSHADER ||
                          op == D2C_OP_CREATEQUERY || op == D2C_OP_CREATELIGHT ||
                          op == D2C_OP_UPDATEPALETTE;
      if (entry[D2C__KEPT_OWNER] == d2c__umd_owner(d) && is_made == makes)
        d2c__umd_put_bytes(d, op, entry + D2C__KEPT_HEAD, entry[D2C__KEPT_BYTES]);
    }
  }
  d2c__umd_send_own(d);
}

D2C_API int D2C_CALL d2c_umd_snapshot(struct d2c_umd* umd, const struct d2c_header* header) {
  d2c_u32 i;
  int begun;
  if (umd == 0 || umd != d2c__umd || umd->kept == 0 || header == 0) return D2C_E_ARGUMENT;
  D2C_LOCK(umd->capture);
  for (i = 0; i < D2C_UMD_DEVICES; ++i)
    d2c__umd_send_own(umd->devices + i); /* it belongs to what was before */
  umd->unread = 0;
  begun = d2c_begin_snapshot(umd->capture, header);
  d2c_sources_restart(&umd->sources);
  for (i = 0; i < D2C_UMD_OBJECTS; ++i) {
    if (umd->objects[i].handle != 0 && umd->objects[i].kind == D2C__UMD_RESOURCE)
      d2c__umd_record_resource(umd->objects + i);
  }
  umd->is_replaying = 1;
  for (i = 0; i < D2C_UMD_DEVICES; ++i) {
    struct d2c_umd_device* const d = umd->devices + i;
    if (d->device == 0) continue;
    d->has_context = 0;
    d->private_target = d->private_indices = d->private_size = 0;
    d->bound_buffer = d->bound_stride = 0; /* draws bind their own */
    d2c__umd_replay_kept(d);
  }
  umd->is_replaying = 0;
  D2C_UNLOCK(umd->capture);
  return begun;
}

/* ---------- begin ---------- */

D2C_API void D2C_CALL d2c_umd_keep(struct d2c_umd* umd, void* memory, d2c_u32 size) {
  const d2c_u32 gap = (0u - (d2c_u32)(D2C_UPTR)memory) & 3u;
  const d2c_u32 words = size < gap ? 0 : (size - gap) / 4;
  if (umd == 0 || memory == 0 || words < 1024) return;
  for (umd->kept_slots = 128; umd->kept_slots * 2 <= words / 8;)
    umd->kept_slots *= 2;
  umd->kept = (d2c_u32*)(void*)((d2c_u8*)memory + gap);
  umd->kept_words = words;
  umd->kept_used = umd->kept_slots;
  umd->kept_count = 0;
  d2c__zero(umd->kept, umd->kept_slots * 4);
}

D2C_API void D2C_CALL d2c_umd_init(struct d2c_umd* umd, d2c* capture) {
  d2c_u32 i;
  d2c__zero(umd, sizeof *umd);
  if (umd == 0) return;
  umd->capture = capture;
  umd->next_number = 1;
  for (i = 0; i < D2C_UMD_PARTS; ++i)
    umd->parts[i].next = i;
  umd->free_parts = D2C_UMD_PARTS;
  umd->devices[D2C_UMD_DEVICES].driver = d2c__umd_driver;
  d2c_sources_init(&umd->sources, d2c__umd_source, umd, umd->known, D2C_UMD_PARTS);
}

D2C_API int D2C_CALL d2c_umd_wrap(struct d2c_umd* umd, D3DDDIARG_CREATEDEVICE* created) {
  struct d2c_umd_device* d;
  d2c_u32 i;
  if (umd == 0 || umd->capture == 0 || created == 0 || created->pDeviceFuncs == 0 ||
      created->hDevice == 0 || (d2c__umd != 0 && d2c__umd != umd))
    return D2C_E_ARGUMENT;
  D2C_LOCK(umd->capture);
  for (i = 0; i < D2C_UMD_DEVICES && umd->devices[i].device != (D2C_UPTR)created->hDevice;)
    ++i;
  if (i == D2C_UMD_DEVICES) {
    for (i = 0; i < D2C_UMD_DEVICES && umd->devices[i].device != 0;)
      ++i;
  }
  d = umd->devices + i;
  if (i == D2C_UMD_DEVICES) {
    d2c__umd_leave_out(umd);
    D2C_UNLOCK(umd->capture);
    return D2C_E_ARGUMENT;
  }
  d2c__umd = umd;
  if (d->device == 0) {
    d2c__zero(d, sizeof *d);
    d->device = (D2C_UPTR)created->hDevice;
    d->context = d2c_u64_of(0, d2c__umd_number(umd, 1));
  }
  /* Where the table is recorded already, the driver's own is known. */
#define D2C__UMD_KEEP(Name, TYPE)                                                              \
  d->driver.pfn##Name = created->pDeviceFuncs->pfn##Name;                                      \
  if (d->driver.pfn##Name == d2c__umd_##Name) d->driver.pfn##Name = d2c__umd_driver.pfn##Name; \
  if (d->driver.pfn##Name != 0) {                                                              \
    d2c__umd_driver.pfn##Name = d->driver.pfn##Name;                                           \
    created->pDeviceFuncs->pfn##Name = d2c__umd_##Name;                                        \
  }
  D2C_UMD_FUNCTIONS(D2C__UMD_KEEP)
  umd->devices[D2C_UMD_DEVICES].driver = d2c__umd_driver;
  D2C_UNLOCK(umd->capture);
  return D2C_OK;
}

#ifdef __cplusplus
}
#endif

#endif /* D2C_IMPLEMENTATION */
