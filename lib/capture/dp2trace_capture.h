/*
 * dp2trace_capture.h: a driver records what it is told, as a trace that dp2trace reads (.dp2t).
 *
 * C89 and C++, one header. No C library, no allocation, no floating point, no 64-bit integer type. In one source file:
 *
 *   #define D2C_IMPLEMENTATION
 *   #include "dp2trace_capture.h"
 *
 * and wherever the driver is called:
 *
 *   d2c capture;                                                       less than 4 KB, in memory of yours
 *   d2c_open(&capture, append, file, buffer, sizeof buffer, 0, 0);     append: your function that takes the bytes of the file in order
 *   struct d2c_dp2 call;
 *   d2c_dp2_init(&call);                                               all defaults
 *   call.context = d2c_pointer(context);
 *   call.commands.data = bytes; call.commands.size = size;             ... what the driver was called with
 *   d2c_dp2_call(&capture, &call);                                     before the driver executes it
 *
 * The file is written front to back, never sought in, and readable after a crash up to its last whole event. lib/capture/README.md of
 * dp2trace says where to call what; traces/README.md says what the fields mean and what is written. It reads what it is given and probes
 * nothing: user memory is the caller's to guard. A call with null pointers, on a recorder that is zeroed or not open, out of the callback
 * or from a second thread is refused; what is lost so is counted, and the trace says it (the event `lost`).
 *
 * What can be overridden by a macro before the header is included:
 *
 *   D2C_API             storage class of the functions (default: extern); `static` to have them in only one file
 *   D2C_CALL            calling convention of the functions and of the callback (default: the compiler's)
 *   D2C_U8, D2C_U16, D2C_U32, D2C_I32, D2C_UPTR    types of these widths; D2C_UPTR holds a pointer
 *   D2C_COPY(to, from, size)                       copies memory that does not overlap, such as RtlCopyMemory
 *   D2C_CHUNK_SIZE      bytes of events after which a chunk is written (default: 1 MiB, as dp2trace writes)
 *   D2C_LOCK(c), D2C_UNLOCK(c)                     a lock around each call, which a thread may take twice, as a mutex of Windows. Without
 *                       one, a call that comes while another thread is in the recorder is refused and counted
 *   D2C_EXCHANGE(at, value)                        stores a D2C_U32 and returns what was there, in one step; only for a compiler or machine
 *                       that the header does not know (it knows GCC, Clang, MSVC, Open Watcom, TCC)
 *   D2C_PORTABLE        only 32-bit arithmetic: neither vectors nor the 64-bit product that a compiler has
 *
 * Licence: that of dp2trace.
 */
#ifndef DP2TRACE_CAPTURE_H
#define DP2TRACE_CAPTURE_H

#include <stddef.h> /* size_t, offsetof: part of every freestanding C */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef D2C_API
#define D2C_API extern
#endif
#ifndef D2C_CALL
#define D2C_CALL
#endif
#ifndef D2C_U8
#define D2C_U8 unsigned char
#endif
#ifndef D2C_U16
#define D2C_U16 unsigned short
#endif
#ifndef D2C_U32
#define D2C_U32 unsigned int
#endif
#ifndef D2C_I32
#define D2C_I32 signed int
#endif
#ifndef D2C_UPTR
#define D2C_UPTR size_t
#endif
#ifndef D2C_CHUNK_SIZE
#define D2C_CHUNK_SIZE 0x100000
#endif

typedef D2C_U8 d2c_u8;
typedef D2C_U16 d2c_u16;
typedef D2C_U32 d2c_u32;
typedef D2C_I32 d2c_i32;

/* Fail to compile where a type has another width. */
typedef char d2c__u16_has_16_bits[sizeof(d2c_u16) == 2 ? 1 : -1];
typedef char d2c__u32_has_32_bits[sizeof(d2c_u32) == 4 && sizeof(d2c_i32) == 4 ? 1 : -1];
typedef char d2c__uptr_holds_a_pointer[sizeof(D2C_UPTR) >= sizeof(void*) ? 1 : -1];

/* A number of 64 bits. d2c_u64_of() and d2c_pointer() make one. */
struct d2c_u64 {
  d2c_u32 lo;
  d2c_u32 hi;
};

/*
 * Bytes that an event carries. `size` bytes at `data`; where row_size is not 0 they are rows of row_size bytes each (the last one may be
 * shorter), `pitch` bytes from one to the next, so that the gaps of a locked surface are neither read nor written. `next`: more bytes,
 * that follow directly; 0 ends. Null data are no bytes, whatever the size says.
 */
struct d2c_bytes {
  const void* data;
  d2c_u32 size;
  d2c_u32 row_size;
  d2c_i32 pitch;
  const struct d2c_bytes* next;
};

/* What a call returns. A driver need not look: recording goes on, and the trace says what was lost. d2c_error() has the first of 1 and 2. */
enum {
  D2C_OK = 0,
  D2C_E_WRITE =
      1,          /* the callback returned something other than 0: the events of a chunk are lost */
  D2C_E_SIZE = 2, /* the event does not fit into 4 GiB: it is lost */
  D2C_E_FINISHED = 3, /* a call after d2c_finish() */
  D2C_E_ARGUMENT = 4, /* no recorder that is open, no event, or a count without what it counts */
  D2C_E_NESTED = 5    /* a call from inside the callback, or while another thread records */
};

/* When what was recorded goes to the callback. Without a buffer each event does. */
enum {
  D2C_FLUSH_WHEN_FULL = 0, /* the fastest; a crash costs what is in the buffer */
  D2C_FLUSH_FRAME = 1,     /* and after each `present` */
  D2C_FLUSH_EVENT =
      2 /* each event is a chunk of its own: a crash costs nothing, a torn write one event */
};

/* Appends `size` bytes to the file. 0 = done. It must not call the recorder. */
typedef int(D2C_CALL* d2c_write_fn)(void* user, const void* bytes, d2c_u32 size);

/* XXH3-64 of bytes that come in pieces. */
struct d2c_hash {
  d2c_u32 acc[16]; /* 8 numbers of 64 bits, low word first */
  d2c_u8 kept[256];
  d2c_u32 kept_size;
  d2c_u32 key; /* where the one of the next stripe is; 128: after a block */
  struct d2c_u64 size;
  d2c_u8 last[64];        /* the stripe before `kept` */
  const d2c_u8* ahead[2]; /* what is hashed soon and was not asked for yet */
  d2c_u32 ahead_size[2];
};

/* A structure that is being written. */
struct d2c_walk {
  const void* layout;
  const d2c_u8* event;
  struct d2c_u64 mask; /* members that are present */
  d2c_u32 field;       /* the next one */
  d2c_u32 elements;    /* of the array at `field` - 1 that follow */
};

/* Words that are being packed: those that stand alone, and a run of equal ones after them. */
struct d2c_runs {
  d2c_u8 out[1 + 4 * 128 + 5];
  d2c_u32 out_size;
  d2c_u32 count; /* of the words in `out`, after its first byte */
  d2c_u32 word;
  d2c_u32 run;
  d2c_u8 rest[4];
  d2c_u32 rest_size;
};

/* One recording. Its members are the recorder's. */
typedef struct d2c {
  d2c_write_fn write;
  void* user;
  d2c_u8* buffer;   /* room for a chunk header, then events */
  d2c_u8* index;    /* chunks from the front, frames from the back */
  d2c_u32 capacity; /* bytes of events that the buffer holds; 0 = no buffer */
  d2c_u32 used;
  d2c_u32 chunk_events;
  d2c_u32 index_size;
  d2c_u32 index_chunks;
  d2c_u32 index_frames;
  d2c_u32 is_index_lost;
  d2c_u32 flush;
  d2c_u32 is_open; /* D2C__OPEN */
  d2c_u32 has_header;
  d2c_u32 is_finished;
  int error;             /* of the call */
  int first_error;       /* of all calls */
  volatile d2c_u32 busy; /* a call is in the recorder */
  d2c_u32
      is_writing; /* D2C__OPEN: the callback has not returned; D2C__UNWOUND: and d2c_recover() was called */
  d2c_u32 unwound; /* times in a row that the callback did not return */
  /* what was lost and is not in the trace yet */
  volatile d2c_u32 refused; /* calls while another one was in the recorder */
  d2c_u32 lost;
  d2c_u32 lost_cause;  /* of the first of them */
  d2c_u32 chunk_count; /* events of the chunk that is being gathered */
  d2c_u32 chunk_lost;  /* what a `lost` in it says */
  d2c_u32 chunk_cause; /* and its cause */
  d2c_u32 report[2];   /* a `lost` that is being recorded */
  /* of the call: what was given, and how far it is */
  const void* given;
  d2c_u32 given_kind;
  d2c_u32 given_layout;
  d2c_u32 step;
  int before;            /* the error of its events so far */
  struct d2c_u64 number; /* of what was given */
  struct d2c_u64 session_before;
  struct d2c_u64 events_before;
  d2c_u32 largest;         /* d2c_set_largest() */
  d2c_u32 packs;           /* d2c_set_packing() */
  d2c_u32 is_paused;       /* d2c_pause() */
  d2c_u32 frames;          /* presents since the header */
  d2c_u32 is_spare;        /* `spare` has the numbers of the last header */
  struct d2c_u64 events;   /* recorded so far */
  struct d2c_u64 session;  /* number of the last header */
  struct d2c_u64 position; /* bytes given to the callback */
  /* of the event or chunk that is being written */
  d2c_u32 mode;
  d2c_u32 left; /* bytes that it still owes */
  d2c_u32 kind; /* of the event */
  d2c_u32 size; /* of its payload */
  d2c_u32 staged;
  d2c_u32 hashed; /* bytes of the buffer, from its front, that are in `hash` */
  d2c_u32 is_packing;
  d2c_u32 packed;      /* bytes of the chunk that is being packed */
  d2c_u32 packed_left; /* of these: those that it still owes */
  struct d2c_runs runs;
  struct d2c_hash hash;
  struct d2c_walk walk[2]; /* an event, and a structure in it: here, and not on the stack */
  d2c_u32 depth;
  const struct d2c_bytes* bytes; /* whose rows come next */
  const d2c_u8* at;              /* bytes that come next, in rows */
  d2c_u32 at_left;
  const d2c_u8* text;
  d2c_u32 text_left;
  d2c_u8 small[64]; /* numbers that come next */
  d2c_u32 small_size;
  d2c_u8 stage[256];
  /* structures of the recorder's own: not on the stack */
  void* spare[32];   /* a header */
  void* scratch[80]; /* a call from before DirectX 6 */
} d2c;

/*
 * Starts a recording into `write`. `buffer` (or 0): memory that lives as long as the recording, of any size; 64 KB is a good one. What is
 * smaller than a chunk header counts as none. `index` (or 0): 24 bytes for each chunk and 8 for each frame; where it is full the file
 * gets an empty index, which costs readers a jump and nothing else.
 */
D2C_API void D2C_CALL d2c_open(d2c* c, d2c_write_fn write, void* user, void* buffer,
                               d2c_u32 buffer_size, void* index, d2c_u32 index_size);
D2C_API void D2C_CALL
d2c_set_flush(d2c* c, d2c_u32 policy);   /* D2C_FLUSH_..., from now on; at first WHEN_FULL */
D2C_API int D2C_CALL d2c_flush(d2c* c);  /* what is in the buffer goes to the callback */
D2C_API int D2C_CALL d2c_finish(d2c* c); /* and index and footer after it: the end of the file */
D2C_API int D2C_CALL d2c_error(const d2c* c); /* the first failure so far: D2C_E_WRITE or _SIZE */
/* Events of more than `bytes` are left out from now on, and counted as lost (cause `limit`); 0, as at first: none is. */
D2C_API void D2C_CALL d2c_set_largest(d2c* c, d2c_u32 bytes);
/* Counts an event that the caller could not record; `cause`: D2C_LOST_CAUSE_... The trace says so, as of events that the recorder loses. */
D2C_API int D2C_CALL d2c_leave_out(d2c* c, d2c_u32 cause);
/* What was recorded goes to the callback; from now on calls return 0 and record nothing, until d2c_begin_snapshot() or d2c_put_header(). */
D2C_API int D2C_CALL d2c_pause(d2c* c);
/*
 * Not 0: a chunk is packed where that makes it smaller, runs of equal words of 4 bytes as one, from now on. That takes no memory; an
 * event that does not fit into the buffer and does not get smaller is read three times. For slow ports.
 */
D2C_API void D2C_CALL d2c_set_packing(d2c* c, d2c_u32 on);
/* 1 in the first of each `n` frames: for pictures that need not be taken of every one. */
D2C_API int D2C_CALL d2c_every(const d2c* c, d2c_u32 n);
/*
 * After an exception unwound a call of the recorder (memory of the caller that was not there): the event that was being recorded is left
 * out, or, where its beginning is already in the file, filled up with zeros. Recording can go on. Not in the callback.
 */
D2C_API int D2C_CALL d2c_recover(d2c* c);
/*
 * The number that the next event will have, counted from its header; take it before d2c_dp2_call() and give it to d2c_call_result(). Where
 * several threads record, d2c_dp2_numbered() and d2c_render_numbered() say what number the event got.
 */
D2C_API struct d2c_u64 D2C_CALL d2c_next_event(const d2c* c);

D2C_API struct d2c_u64 D2C_CALL d2c_u64_of(d2c_u32 hi, d2c_u32 lo);
D2C_API struct d2c_u64 D2C_CALL d2c_pointer(const void* pointer);
/* Bytes without gaps. */
D2C_API struct d2c_bytes D2C_CALL d2c_bytes_of(const void* data, d2c_u32 size);
/* `rows` rows of a locked surface. */
D2C_API struct d2c_bytes D2C_CALL d2c_rows_of(const void* data, d2c_u32 row_size, d2c_u32 rows,
                                              d2c_i32 pitch);

D2C_API void D2C_CALL d2c_hash_begin(struct d2c_hash* hash);
D2C_API void D2C_CALL d2c_hash_add(struct d2c_hash* hash, const void* bytes, d2c_u32 size);
D2C_API struct d2c_u64 D2C_CALL d2c_hash_end(struct d2c_hash* hash); /* uses it up */

/* ---------- events: from lib/trace/events.h, generated; tests/capture compares ---------- */
/* clang-format off */
/* <generated: declarations> */
enum {
  D2C_OS_PROFILE_VISTA = 0,
  D2C_OS_PROFILE_WIN7 = 1,
  D2C_OS_PROFILE_WIN8 = 2,
  D2C_OS_PROFILE_WIN10 = 3
};
enum {
  D2C_LENGTH_ORIGIN_ZERO = 0,
  D2C_LENGTH_ORIGIN_OFFSET = 1
};
enum {
  D2C_DP2_HANDLE_MODE_TABLE = 0,
  D2C_DP2_HANDLE_MODE_IDENTITY = 1
};
enum {
  D2C_PALETTE_ORDER_ARGB = 0,
  D2C_PALETTE_ORDER_RGBX = 1
};
enum {
  D2C_START_BEGINNING = 0,
  D2C_START_SNAPSHOT = 1,
  D2C_START_BARE = 2
};
enum {
  D2C_SURFACE_KIND_TEXTURE = 0,
  D2C_SURFACE_KIND_TARGET = 1,
  D2C_SURFACE_KIND_DEPTH = 2,
  D2C_SURFACE_KIND_PLAIN = 3,
  D2C_SURFACE_KIND_VERTEX_BUFFER = 4,
  D2C_SURFACE_KIND_INDEX_BUFFER = 5,
  D2C_SURFACE_KIND_COMMAND_BUFFER = 6
};
enum {
  D2C_ORIGIN_USER = 0,
  D2C_ORIGIN_KERNEL = 1
};
enum {
  D2C_PAYLOAD_KIND_DP2 = 0,
  D2C_PAYLOAD_KIND_OPAQUE = 1,
  D2C_PAYLOAD_KIND_RENDERKM = 2
};
enum {
  D2C_BLT_KIND_COPY = 0,
  D2C_BLT_KIND_COLOR_FILL = 1,
  D2C_BLT_KIND_DEPTH_FILL = 2
};
enum {
  D2C_LOST_CAUSE_NONE = 0,
  D2C_LOST_CAUSE_WRITE = 1,
  D2C_LOST_CAUSE_SIZE = 2,
  D2C_LOST_CAUSE_BUSY = 3,
  D2C_LOST_CAUSE_ARGUMENT = 4,
  D2C_LOST_CAUSE_FAULT = 5,
  D2C_LOST_CAUSE_LIMIT = 6,
  D2C_LOST_CAUSE_ROOM = 7
};
enum {
  D2C_CONTEXT_KIND_LEGACY = 0,
  D2C_CONTEXT_KIND_VIRTUAL = 1
};
enum {
  D2C_BIND_KIND_TARGET = 0,
  D2C_BIND_KIND_DEPTH = 1,
  D2C_BIND_KIND_TEXTURE = 2,
  D2C_BIND_KIND_VOLUME = 3,
  D2C_BIND_KIND_CUBE = 4,
  D2C_BIND_KIND_VERTEX_BUFFER = 5,
  D2C_BIND_KIND_INDEX_BUFFER = 6,
  D2C_BIND_KIND_SYSTEM_MEMORY = 7,
  D2C_BIND_KIND_OTHER = 8
};
enum {
  D2C_VERTEX_SOURCE_NONE = 0,
  D2C_VERTEX_SOURCE_INLINE = 1,
  D2C_VERTEX_SOURCE_ALLOCATION = 2
};

struct d2c_rect {
  d2c_i32 left; /* first column */
  d2c_i32 top; /* first row */
  d2c_i32 right; /* column after the last one */
  d2c_i32 bottom; /* row after the last one */
};

struct d2c_box {
  d2c_u32 left; /* first column */
  d2c_u32 top; /* first row */
  d2c_u32 right; /* column after the last one */
  d2c_u32 bottom; /* row after the last one */
  d2c_u32 front; /* first slice */
  d2c_u32 back; /* slice after the last one */
};

struct d2c_range {
  d2c_u32 offset; /* first byte */
  d2c_u32 size; /* number of bytes */
};

struct d2c_color_key {
  d2c_u32 low; /* lowest value in the format of the surface */
  d2c_u32 high; /* highest value */
};

struct d2c_pixel_format {
  d2c_u32 size; /* dwSize, 32 bytes; at first 32 */
  d2c_u32 flags; /* dwFlags; DDPF */
  d2c_u32 four_cc; /* dwFourCC, or the number of a D3DFORMAT */
  d2c_u32 bit_count; /* bits of a pixel, dwRGBBitCount or dwZBitDepth */
  d2c_u32 red_mask; /* bits of red, of luminance or of dU; of a depth format dwStencilBitDepth */
  d2c_u32 green_mask; /* bits of green, of dV or of depth */
  d2c_u32 blue_mask; /* bits of blue, of bump luminance or of stencil */
  d2c_u32 alpha_mask; /* bits of alpha */
};

struct d2c_cap_value {
  const char *name; /* member of D3DCAPS9 in snake_case, as max_texture_width */
  d2c_u32 value; /* its 32 bits; of a float the bits of the float */
};

struct d2c_sub_surface {
  d2c_u32 handle; /* handle of this level or face; 0: it has none of its own */
  d2c_u32 face; /* face of a cube map, 0 to 5: +X, -X, +Y, -Y, +Z, -Z */
  d2c_u32 level; /* mip level, 0 is the largest */
  d2c_u32 has_caps2;
  d2c_u32 caps2; /* dwCaps2, where it differs from what the root implies; DDSCAPS2 */
  d2c_u32 has_width;
  d2c_u32 width; /* pixels, where it differs from what the root implies */
  d2c_u32 has_height;
  d2c_u32 height; /* pixels, where it differs from what the root implies */
  d2c_u32 has_pitch;
  d2c_u32 pitch; /* bytes from row to row */
};

struct d2c_dp2_env {
  d2c_u32 flags; /* dwFlags of the call; D3DHALDP2 */
  d2c_u32 vertex_type; /* FVF of the vertices; 0 with a declaration or a shader */
  d2c_u32 vertex_size; /* bytes from vertex to vertex, dwVertexSize */
  d2c_u32 vertex_offset; /* bytes into the vertex buffer, dwVertexOffset */
  d2c_u32 has_vertex_length;
  d2c_u32 vertex_length; /* number of vertices, dwVertexLength; without it as many as the bytes hold */
  d2c_u32 vertex_source; /* where the vertices are; D2C_VERTEX_SOURCE_* */
  struct d2c_bytes vertices; /* the vertices, with `inline` */
  d2c_u32 allocation_index; /* element of the allocation list that holds the vertices, with `allocation` */
};

struct d2c_triple {
  struct d2c_u64 command_buffer; /* pointer to the command buffer, kept as a number */
  d2c_u32 command_buffer_size; /* bytes */
  struct d2c_u64 allocation_list; /* pointer to the allocation list, kept as a number */
  d2c_u32 allocation_list_size; /* elements */
  struct d2c_u64 patch_location_list; /* pointer to the patch location list, kept as a number */
  d2c_u32 patch_location_list_size; /* elements */
};

struct d2c_d3d_context {
  d2c_u32 runtime_version; /* interface of the application: 0 is 3.0, 1 is 5.0, 2 is 6.0, 3 is 7.0, 4 is 8.0, 5 is 9.0; at first 5 */
  d2c_u32 target; /* handle of the first render target */
  d2c_u32 depth; /* handle of the first depth surface; 0: none */
  d2c_u32 pure_device; /* D3DCREATE_PUREDEVICE */
};

struct d2c_allocation_info {
  d2c_u32 allocation; /* hAllocation */
  struct d2c_u64 system_memory; /* pSystemMem, kept as a number */
  d2c_u32 flags; /* Flags of D3DDDI_ALLOCATIONINFO: 1 Primary, 2 Stereo */
  d2c_u32 vidpn_source_id; /* VidPnSourceId */
  struct d2c_u64 model_size; /* bytes of the allocation, as the recorder knows it; 0: unknown */
  d2c_u32 model_kind; /* what the allocation holds, as the recorder knows it; D2C_BIND_KIND_*; at first 8 */
  struct d2c_bytes private_driver_data; /* bytes of the driver's own */
};

struct d2c_header {
  const char *generator; /* name and version of the recorder */
  d2c_u32 driver_level; /* level of the driver interface, 6 to 9; at first 9 */
  d2c_u32 d3d9ex; /* a driver of Direct3D 9Ex */
  d2c_u32 pointer_width; /* bits of a pointer in the recorded structures, 32 or 64; at first 32 */
  d2c_u32 os_profile; /* Windows version, which says which fields the structures of D3DKMT have; D2C_OS_PROFILE_*; at first 3 */
  d2c_u32 length_origin; /* where CommandLength of a packet counts from: the start of the buffer, or CommandOffset; D2C_LENGTH_ORIGIN_* */
  d2c_u32 dp2_handle_mode; /* what a handle in a packet's tokens is: a number that `dp2_bind` ties to an allocation, or the allocation itself; D2C_DP2_HANDLE_MODE_* */
  d2c_u32 palette_order; /* order of the bytes of palette entries: 0xAARRGGBB, or red first; D2C_PALETTE_ORDER_* */
  const struct d2c_cap_value *caps; /* capabilities that the device advertises; empty: not recorded */
  d2c_u32 caps_items;
  const d2c_u32 *formats; /* D3DFORMAT values that the device advertises */
  d2c_u32 formats_items;
  d2c_u32 start; /* where the recording begins: with the first object, with all live objects and their state, or in the middle; D2C_START_* */
  struct d2c_bytes raw_caps; /* D3DCAPS8 or D3DCAPS9 as the driver fills it; `caps` replaces members of it */
};

D2C_API void D2C_CALL d2c_header_init(struct d2c_header *event);
D2C_API int D2C_CALL d2c_put_header(d2c *c, const struct d2c_header *event);

struct d2c_context_create {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  struct d2c_u64 context; /* dwhContext */
  d2c_u32 target; /* handle of the render target */
  d2c_u32 depth; /* handle of the depth surface; 0: none */
  d2c_u32 runtime_version; /* interface of the application: 0 is 3.0, 1 is 5.0, 2 is 6.0, 3 is 7.0, 4 is 8.0, 5 is 9.0; at first 5 */
  d2c_u32 pure_device; /* D3DCREATE_PUREDEVICE */
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 has_ddrval;
  d2c_u32 ddrval; /* HRESULT that the call returned */
};

D2C_API void D2C_CALL d2c_context_create_init(struct d2c_context_create *event);
D2C_API int D2C_CALL d2c_context_create(d2c *c, const struct d2c_context_create *event);

struct d2c_context_destroy {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  struct d2c_u64 context; /* dwhContext */
};

D2C_API void D2C_CALL d2c_context_destroy_init(struct d2c_context_destroy *event);
D2C_API int D2C_CALL d2c_context_destroy(d2c *c, const struct d2c_context_destroy *event);

struct d2c_surface_create {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  d2c_u32 handle; /* handle of the root surface */
  d2c_u32 kind; /* what the surface is; D2C_SURFACE_KIND_* */
  d2c_u32 caps; /* dwCaps of DDSCAPSEX; DDSCAPS */
  d2c_u32 caps2; /* dwCaps2; DDSCAPS2 */
  d2c_u32 caps3; /* dwCaps3; DDSCAPS3 */
  d2c_u32 caps4; /* dwCaps4, of a volume its depth */
  d2c_u32 format; /* D3DFORMAT; 0 where `pixel_format` describes it */
  d2c_u32 has_pixel_format;
  struct d2c_pixel_format pixel_format; /* DDPIXELFORMAT as given */
  d2c_u32 width; /* pixels; bytes of a buffer */
  d2c_u32 height; /* pixels; 1 of a buffer; at first 1 */
  d2c_u32 depth; /* slices of a volume, which has DDSCAPS2_VOLUME, too; at first 1 */
  d2c_u32 levels; /* number of mip levels, 1 without any below the root; at first 1 */
  d2c_u32 faces; /* cube faces that exist; 0: not a cube map; DDSCAPS2_CUBEMAP */
  d2c_u32 samples; /* samples of a pixel; 0: not multisampled */
  d2c_u32 sample_quality; /* quality level of the multisampling */
  d2c_u32 has_pitch;
  d2c_u32 pitch; /* bytes from row to row of level 0 */
  d2c_u32 has_color_key;
  struct d2c_color_key color_key; /* source colour key */
  d2c_u32 empty_face_color; /* dwEmptyFaceColor, of cube faces that do not exist */
  const d2c_u32 *flip_chain; /* handles of the back buffers, in the order in which they are shown */
  d2c_u32 flip_chain_items;
  const struct d2c_sub_surface *sub_surfaces; /* levels and faces that have a handle of their own, or differ from what the root implies */
  d2c_u32 sub_surfaces_items;
};

D2C_API void D2C_CALL d2c_surface_create_init(struct d2c_surface_create *event);
D2C_API int D2C_CALL d2c_surface_create(d2c *c, const struct d2c_surface_create *event);

struct d2c_surface_destroy {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  d2c_u32 handle; /* handle of the root, of a level or a face */
};

D2C_API void D2C_CALL d2c_surface_destroy_init(struct d2c_surface_destroy *event);
D2C_API int D2C_CALL d2c_surface_destroy(d2c *c, const struct d2c_surface_destroy *event);

struct d2c_surface_update {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  d2c_u32 handle; /* handle of the surface, or of one of its levels and faces */
  d2c_u32 face; /* face of a cube map, 0 to 5: +X, -X, +Y, -Y, +Z, -Z */
  d2c_u32 level; /* mip level, 0 is the largest */
  d2c_u32 has_rect;
  struct d2c_rect rect; /* pixels of the level; without it the whole level */
  d2c_u32 has_box;
  struct d2c_box box; /* pixels and slices of a level of a volume */
  d2c_u32 has_range;
  struct d2c_range range; /* bytes of a buffer */
  d2c_u32 has_pitch;
  d2c_u32 pitch; /* bytes from row to row of `data` (of blocks, where the format has them); without it rows follow each other */
  d2c_u32 has_slice_pitch;
  d2c_u32 slice_pitch; /* bytes from slice to slice of `data`; without it slices follow each other */
  d2c_u32 flags; /* DDLOCK flags of the lock; DDLOCK */
  struct d2c_bytes data; /* the bytes that the CPU wrote */
};

D2C_API void D2C_CALL d2c_surface_update_init(struct d2c_surface_update *event);
D2C_API int D2C_CALL d2c_surface_update(d2c *c, const struct d2c_surface_update *event);

struct d2c_surface_read {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  d2c_u32 handle; /* handle of the surface, or of one of its levels and faces */
  d2c_u32 face; /* face of a cube map, 0 to 5: +X, -X, +Y, -Y, +Z, -Z */
  d2c_u32 level; /* mip level, 0 is the largest */
  d2c_u32 has_rect;
  struct d2c_rect rect; /* pixels of the level; without it the whole level */
  d2c_u32 has_box;
  struct d2c_box box; /* pixels and slices of a level of a volume */
  d2c_u32 has_range;
  struct d2c_range range; /* bytes of a buffer */
  d2c_u32 flags; /* DDLOCK flags of the lock; DDLOCK */
};

D2C_API void D2C_CALL d2c_surface_read_init(struct d2c_surface_read *event);
D2C_API int D2C_CALL d2c_surface_read(d2c *c, const struct d2c_surface_read *event);

struct d2c_dp2 {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  struct d2c_u64 context; /* dwhContext */
  d2c_u32 flags; /* dwFlags before the call; D3DHALDP2 */
  d2c_u32 vertex_type; /* FVF of the vertices; 0 with a declaration or a shader */
  d2c_u32 vertex_size; /* bytes from vertex to vertex, dwVertexSize */
  d2c_u32 vertex_offset; /* bytes into the vertex buffer, dwVertexOffset */
  d2c_u32 has_vertex_length;
  d2c_u32 vertex_length; /* number of vertices, dwVertexLength; without it as many as the bytes hold */
  d2c_u32 command_offset; /* dwCommandOffset, bytes */
  d2c_u32 has_command_length;
  d2c_u32 command_length; /* dwCommandLength, bytes; without it all of `commands` */
  d2c_u32 has_command_buffer_size;
  d2c_u32 command_buffer_size; /* bytes of the surface that the commands are in */
  d2c_u32 has_vertex_buffer_size;
  d2c_u32 vertex_buffer_size; /* bytes of the buffer that the vertices are in */
  d2c_u32 vertex_buffer; /* handle of lpDDVertex; 0: the vertices are in user memory, or there are none */
  d2c_u32 req_vertex_buf_size; /* dwReqVertexBufSize, bytes */
  d2c_u32 req_command_buf_size; /* dwReqCommandBufSize, bytes */
  struct d2c_u64 commands_pointer; /* lpDDCommands, kept as a number */
  struct d2c_u64 vertices_pointer; /* lpDDVertex or lpVertices, kept as a number */
  struct d2c_u64 rstates_pointer; /* lpdwRStates, kept as a number */
  struct d2c_bytes commands; /* the tokens, from dwCommandOffset on */
  struct d2c_bytes vertices; /* the vertices in user memory, from dwVertexOffset on */
  struct d2c_bytes rstates; /* lpdwRStates before the call, 4 bytes of each render state */
  d2c_u32 has_ddrval;
  d2c_u32 ddrval; /* HRESULT that the call returned */
  d2c_u32 error_offset; /* dwErrorOffset after the call: bytes into the command buffer, of the token that failed */
  d2c_u32 has_flags_out;
  d2c_u32 flags_out; /* dwFlags after the call, where it differs; D3DHALDP2 */
  struct d2c_u64 commands_pointer_out; /* lpDDCommands after the call, where the driver gave another buffer */
  struct d2c_u64 vertices_pointer_out; /* lpDDVertex after the call, where the driver gave another buffer */
  struct d2c_bytes response; /* bytes that the driver wrote for queries (level 9) */
};

D2C_API void D2C_CALL d2c_dp2_init(struct d2c_dp2 *event);
D2C_API int D2C_CALL d2c_dp2_call(d2c *c, const struct d2c_dp2 *event);

struct d2c_render {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 thread; /* number of the thread */
  d2c_u32 origin; /* who made the call, an application or the kernel; D2C_ORIGIN_* */
  d2c_u32 payload; /* what the command buffer holds; D2C_PAYLOAD_KIND_* */
  d2c_u32 context; /* hContext, or hDevice with the implicit context */
  d2c_u32 command_offset; /* CommandOffset, bytes */
  d2c_u32 has_command_length;
  d2c_u32 command_length; /* CommandLength, bytes; without it as many as `command_buffer` has */
  d2c_u32 has_allocation_count;
  d2c_u32 allocation_count; /* AllocationCount; without it the elements of `allocation_list` */
  d2c_u32 has_patch_location_count;
  d2c_u32 patch_location_count; /* PatchLocationCount; without it the elements of `patch_location_list` */
  struct d2c_u64 new_command_buffer_pointer; /* pNewCommandBuffer before the call */
  d2c_u32 new_command_buffer_size; /* NewCommandBufferSize before the call, bytes */
  struct d2c_u64 new_allocation_list_pointer; /* pNewAllocationList before the call */
  d2c_u32 new_allocation_list_size; /* NewAllocationListSize before the call, elements */
  struct d2c_u64 new_patch_location_list_pointer; /* pNewPatchLocationList before the call */
  d2c_u32 new_patch_location_list_size; /* NewPatchLocationListSize before the call, elements */
  d2c_u32 flags; /* D3DKMT_RENDERFLAGS; D3DKMT_RENDERFLAGS */
  struct d2c_u64 present_history_token; /* PresentHistoryToken */
  d2c_u32 broadcast_context_count; /* BroadcastContextCount, 0 to 64 */
  const d2c_u32 *broadcast_context; /* hContext of each context that gets the packet, too */
  d2c_u32 broadcast_context_items;
  d2c_u32 has_new_command_buffer;
  struct d2c_u64 new_command_buffer; /* NewCommandBuffer before the call, a GPU virtual address; Vista has none */
  d2c_u32 has_private_driver_data;
  struct d2c_u64 private_driver_data; /* pPrivateDriverData, kept as a number */
  d2c_u32 has_private_driver_data_size;
  d2c_u32 private_driver_data_size; /* PrivateDriverDataSize, bytes */
  struct d2c_bytes command_buffer; /* the command buffer from its first byte, with what stands before CommandOffset */
  struct d2c_bytes allocation_list; /* the allocation list, 8 bytes an element */
  struct d2c_bytes patch_location_list; /* the patch location list, 24 bytes an element */
  struct d2c_bytes raw_in; /* D3DKMT_RENDER before the call, byte for byte */
  struct d2c_bytes raw_out; /* the structure after the call, byte for byte */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
  d2c_u32 has_out;
  struct d2c_triple out; /* buffer and lists that the call returned for the next packet */
  d2c_u32 queued_buffer_count; /* QueuedBufferCount after the call: packets that wait */
  d2c_u32 has_new_command_buffer_out;
  struct d2c_u64 new_command_buffer_out; /* NewCommandBuffer after the call, a GPU virtual address */
  d2c_u32 has_dp2_env;
  struct d2c_dp2_env dp2_env; /* what a DP2 call carries outside of its tokens */
  d2c_u32 has_buffers;
  struct d2c_triple buffers; /* where buffer and lists were written; a pointer or a size of 0 is not recorded */
};

D2C_API void D2C_CALL d2c_render_init(struct d2c_render *event);
D2C_API int D2C_CALL d2c_render(d2c *c, const struct d2c_render *event);

struct d2c_blt {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  d2c_u32 kind; /* a copy or a fill; D2C_BLT_KIND_* */
  d2c_u32 src; /* handle of the source */
  d2c_u32 src_face; /* face of the source, 0 to 5 */
  d2c_u32 src_level; /* level of the source */
  d2c_u32 has_src_rect;
  struct d2c_rect src_rect; /* pixels of the source; without it the whole level */
  d2c_u32 dest; /* handle of the destination */
  d2c_u32 dest_face; /* face of the destination, 0 to 5 */
  d2c_u32 dest_level; /* level of the destination */
  d2c_u32 has_dest_rect;
  struct d2c_rect dest_rect; /* pixels of the destination; without it the whole level */
  d2c_u32 flags; /* DDBLT flags */
  d2c_u32 has_src_color_key;
  struct d2c_color_key src_color_key; /* with DDBLT_KEYSRCOVERRIDE */
  d2c_u32 has_dest_color_key;
  struct d2c_color_key dest_color_key; /* with DDBLT_KEYDESTOVERRIDE */
  d2c_u32 fill; /* value of a fill, in the format of the destination */
  d2c_u32 has_ddrval;
  d2c_u32 ddrval; /* HRESULT that the call returned */
};

D2C_API void D2C_CALL d2c_blt_init(struct d2c_blt *event);
D2C_API int D2C_CALL d2c_blt(d2c *c, const struct d2c_blt *event);

struct d2c_present {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  d2c_u32 handle; /* handle of the surface that is shown */
  d2c_u32 has_rect;
  struct d2c_rect rect; /* pixels that are shown; without it all */
};

D2C_API void D2C_CALL d2c_present_init(struct d2c_present *event);
D2C_API int D2C_CALL d2c_present(d2c *c, const struct d2c_present *event);

struct d2c_marker {
  const char *text; /* any text */
  const char *source; /* file or capture that `position` is in */
  d2c_u32 has_position;
  struct d2c_u64 position; /* line of a file, or number of an API call */
};

D2C_API void D2C_CALL d2c_marker_init(struct d2c_marker *event);
D2C_API int D2C_CALL d2c_marker(d2c *c, const struct d2c_marker *event);

struct d2c_call_result {
  struct d2c_u64 call; /* number of the event that returned, from the header of its session */
  d2c_u32 ddrval; /* HRESULT; of a render and of other calls of D3DKMT the NTSTATUS */
  d2c_u32 error_offset; /* dwErrorOffset after the call: bytes into the command buffer, of the token that failed */
  d2c_u32 has_flags_out;
  d2c_u32 flags_out; /* dwFlags after the call, where it differs; D3DHALDP2 */
  struct d2c_u64 commands_pointer_out; /* lpDDCommands after the call, where the driver gave another buffer */
  struct d2c_u64 vertices_pointer_out; /* lpDDVertex after the call, where the driver gave another buffer */
  struct d2c_bytes response; /* bytes that the driver wrote for queries (level 9) */
  struct d2c_bytes raw_out; /* the structure after the call, byte for byte */
  d2c_u32 has_out;
  struct d2c_triple out; /* buffer and lists that the call returned for the next packet */
  d2c_u32 queued_buffer_count; /* QueuedBufferCount after the call: packets that wait */
  d2c_u32 has_new_command_buffer_out;
  struct d2c_u64 new_command_buffer_out; /* NewCommandBuffer after the call, a GPU virtual address */
};

D2C_API void D2C_CALL d2c_call_result_init(struct d2c_call_result *event);
D2C_API int D2C_CALL d2c_call_result(d2c *c, const struct d2c_call_result *event);

struct d2c_picture {
  d2c_u32 space; /* which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap */
  d2c_u32 handle; /* handle of the surface, or of one of its levels and faces */
  d2c_u32 face; /* face of a cube map, 0 to 5: +X, -X, +Y, -Y, +Z, -Z */
  d2c_u32 level; /* mip level, 0 is the largest */
  d2c_u32 has_rect;
  struct d2c_rect rect; /* pixels of the level; without it the whole level */
  d2c_u32 format; /* D3DFORMAT of `data`; 0: that of the surface */
  d2c_u32 has_pixel_format;
  struct d2c_pixel_format pixel_format; /* DDPIXELFORMAT as given, where `format` is 0 */
  d2c_u32 has_pitch;
  d2c_u32 pitch; /* bytes from row to row of `data`; without it rows follow each other */
  struct d2c_bytes data; /* the pixels */
};

D2C_API void D2C_CALL d2c_picture_init(struct d2c_picture *event);
D2C_API int D2C_CALL d2c_picture(d2c *c, const struct d2c_picture *event);

struct d2c_lost {
  d2c_u32 events; /* events that were not recorded since the last `lost` */
  d2c_u32 cause; /* why the first of them was not recorded; D2C_LOST_CAUSE_* */
};

D2C_API void D2C_CALL d2c_lost_init(struct d2c_lost *event);
D2C_API int D2C_CALL d2c_lost(d2c *c, const struct d2c_lost *event);

struct d2c_adapter_open {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 adapter; /* hAdapter of D3DKMT */
  d2c_u32 has_max_allocation_list_slot_id;
  d2c_u32 max_allocation_list_slot_id; /* MaxAllocationListSlotId of DXGK_DRIVERCAPS */
  d2c_u32 has_wddm_version;
  d2c_u32 wddm_version; /* 100 times major plus 10 times minor: 130 is 1.3 */
  d2c_u32 no_dma_patching; /* NoDmaPatching of DXGK_DRIVERCAPS */
  d2c_u32 supports_gdi_accel; /* the driver accelerates GDI */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_adapter_open_init(struct d2c_adapter_open *event);
D2C_API int D2C_CALL d2c_adapter_open(d2c *c, const struct d2c_adapter_open *event);

struct d2c_adapter_close {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 adapter; /* hAdapter of D3DKMT */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_adapter_close_init(struct d2c_adapter_close *event);
D2C_API int D2C_CALL d2c_adapter_close(d2c *c, const struct d2c_adapter_close *event);

struct d2c_device_create {
  d2c_u32 space; /* which handles the surfaces of the device have */
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 adapter; /* hAdapter of D3DKMT */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 flags; /* D3DKMT_CREATEDEVICEFLAGS; D3DKMT_CREATEDEVICEFLAGS */
  d2c_u32 has_triple;
  struct d2c_triple triple; /* buffer and lists of the implicit context */
  d2c_u32 guaranteed_contract; /* a guaranteed contract: each packet fits in one DMA buffer */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_device_create_init(struct d2c_device_create *event);
D2C_API int D2C_CALL d2c_device_create(d2c *c, const struct d2c_device_create *event);

struct d2c_device_destroy {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_device_destroy_init(struct d2c_device_destroy *event);
D2C_API int D2C_CALL d2c_device_destroy(d2c *c, const struct d2c_device_destroy *event);

struct d2c_kmt_context_create {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 context; /* hContext of D3DKMT */
  d2c_u32 kind; /* a context of D3DKMTCreateContext, or of D3DKMTCreateContextVirtual; D2C_CONTEXT_KIND_* */
  d2c_u32 node_ordinal; /* NodeOrdinal */
  d2c_u32 engine_affinity; /* EngineAffinity */
  d2c_u32 flags; /* D3DDDI_CREATECONTEXTFLAGS; D3DDDI_CREATECONTEXTFLAGS */
  d2c_u32 client_hint; /* ClientHint; D3DKMT_CLIENTHINT */
  struct d2c_bytes private_driver_data; /* bytes of the driver's own */
  d2c_u32 has_triple;
  struct d2c_triple triple; /* buffer and lists that the call returned */
  d2c_u32 has_command_buffer_address;
  struct d2c_u64 command_buffer_address; /* CommandBuffer, a GPU virtual address, since Windows 7 */
  d2c_u32 has_d3d;
  struct d2c_d3d_context d3d; /* the D3D context whose tokens the packets carry */
  d2c_u32 no_patching; /* NoPatching of DXGK_CONTEXTINFO_CAPS */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_kmt_context_create_init(struct d2c_kmt_context_create *event);
D2C_API int D2C_CALL d2c_kmt_context_create(d2c *c, const struct d2c_kmt_context_create *event);

struct d2c_kmt_context_destroy {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 context; /* hContext of D3DKMT */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_kmt_context_destroy_init(struct d2c_kmt_context_destroy *event);
D2C_API int D2C_CALL d2c_kmt_context_destroy(d2c *c, const struct d2c_kmt_context_destroy *event);

struct d2c_allocation_create {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 origin; /* who made the call, an application or the kernel; D2C_ORIGIN_* */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 resource; /* hResource before the call */
  d2c_u32 resource_out; /* hResource after the call */
  d2c_u32 global_share; /* hGlobalShare after the call */
  d2c_u32 flags; /* D3DKMT_CREATEALLOCATIONFLAGS; D3DKMT_CREATEALLOCATIONFLAGS */
  const struct d2c_allocation_info *allocations; /* elements of pAllocationInfo */
  d2c_u32 allocations_items;
  struct d2c_bytes private_runtime_data; /* bytes of the runtime's own */
  struct d2c_bytes private_driver_data; /* bytes of the driver's own */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_allocation_create_init(struct d2c_allocation_create *event);
D2C_API int D2C_CALL d2c_allocation_create(d2c *c, const struct d2c_allocation_create *event);

struct d2c_allocation_destroy {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 resource; /* hResource */
  const d2c_u32 *allocations; /* hAllocation of each */
  d2c_u32 allocations_items;
  d2c_u32 flags; /* D3DDDICB_DESTROYALLOCATION2FLAGS */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_allocation_destroy_init(struct d2c_allocation_destroy *event);
D2C_API int D2C_CALL d2c_allocation_destroy(d2c *c, const struct d2c_allocation_destroy *event);

struct d2c_sync_create {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 sync; /* hSyncObject */
  d2c_u32 type; /* what the object is; D3DDDI_SYNCHRONIZATIONOBJECT_TYPE; at first 1 */
  struct d2c_bytes info; /* D3DDDI_SYNCHRONIZATIONOBJECTINFO, 68 bytes */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_sync_create_init(struct d2c_sync_create *event);
D2C_API int D2C_CALL d2c_sync_create(d2c *c, const struct d2c_sync_create *event);

struct d2c_sync_destroy {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 sync; /* hSyncObject */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_sync_destroy_init(struct d2c_sync_destroy *event);
D2C_API int D2C_CALL d2c_sync_destroy(d2c *c, const struct d2c_sync_destroy *event);

struct d2c_resource_open {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 global_share; /* hGlobalShare */
  d2c_u32 external; /* the share was created outside of the trace */
  d2c_u32 resource; /* hResource after the call */
  const struct d2c_allocation_info *allocations; /* the allocations of the resource */
  d2c_u32 allocations_items;
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_resource_open_init(struct d2c_resource_open *event);
D2C_API int D2C_CALL d2c_resource_open(d2c *c, const struct d2c_resource_open *event);

struct d2c_lock {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 allocation; /* hAllocation */
  d2c_u32 allocation_out; /* hAllocation after the call; 0: the same */
  d2c_u32 flags; /* D3DDDICB_LOCKFLAGS; D3DDDICB_LOCKFLAGS */
  d2c_u32 private_driver_data; /* PrivateDriverData */
  const d2c_u32 *pages; /* pages that are locked, by number; empty: all */
  d2c_u32 pages_items;
  struct d2c_u64 data_pointer; /* pData, kept as a number */
  struct d2c_u64 gpu_virtual_address; /* GpuVirtualAddress */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_lock_init(struct d2c_lock *event);
D2C_API int D2C_CALL d2c_lock(d2c *c, const struct d2c_lock *event);

struct d2c_unlock {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  const d2c_u32 *allocations; /* hAllocation of each */
  d2c_u32 allocations_items;
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_unlock_init(struct d2c_unlock *event);
D2C_API int D2C_CALL d2c_unlock(d2c *c, const struct d2c_unlock *event);

struct d2c_offer {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  const d2c_u32 *resources; /* hResource of each */
  d2c_u32 resources_items;
  const d2c_u32 *allocations; /* hAllocation of each */
  d2c_u32 allocations_items;
  d2c_u32 priority; /* 1 low, 2 normal, 3 high, 4 auto */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_offer_init(struct d2c_offer *event);
D2C_API int D2C_CALL d2c_offer(d2c *c, const struct d2c_offer *event);

struct d2c_reclaim {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  const d2c_u32 *resources; /* hResource of each */
  d2c_u32 resources_items;
  const d2c_u32 *allocations; /* hAllocation of each */
  d2c_u32 allocations_items;
  const d2c_u32 *discarded; /* pDiscarded, 1 where the contents are gone, one per object */
  d2c_u32 discarded_items;
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_reclaim_init(struct d2c_reclaim *event);
D2C_API int D2C_CALL d2c_reclaim(d2c *c, const struct d2c_reclaim *event);

struct d2c_sync_wait {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 context; /* hContext of D3DKMT */
  const d2c_u32 *objects; /* hSyncObject of each, 1 to 32 */
  d2c_u32 objects_items;
  d2c_u32 has_fence_value;
  struct d2c_u64 fence_value; /* value of a fence object */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_sync_wait_init(struct d2c_sync_wait *event);
D2C_API int D2C_CALL d2c_sync_wait(d2c *c, const struct d2c_sync_wait *event);

struct d2c_sync_signal {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 context; /* hContext of D3DKMT */
  const d2c_u32 *objects; /* hSyncObject of each, 1 to 32 */
  d2c_u32 objects_items;
  d2c_u32 flags; /* D3DDDICB_SIGNALFLAGS; D3DDDICB_SIGNALFLAGS */
  const d2c_u32 *broadcast_context; /* hContext of each further context that signals */
  d2c_u32 broadcast_context_items;
  d2c_u32 has_fence_value;
  struct d2c_u64 fence_value; /* value of a fence object, or CpuEventHandle */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_sync_signal_init(struct d2c_sync_signal *event);
D2C_API int D2C_CALL d2c_sync_signal(d2c *c, const struct d2c_sync_signal *event);

struct d2c_submit_command {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 payload; /* what the command buffer holds; D2C_PAYLOAD_KIND_*; at first 1 */
  struct d2c_u64 commands; /* GPU virtual address of the command buffer */
  d2c_u32 command_length; /* CommandLength, bytes */
  d2c_u32 flags; /* D3DKMT_SUBMITCOMMANDFLAGS; D3DKMT_SUBMITCOMMANDFLAGS */
  struct d2c_u64 present_history_token; /* PresentHistoryToken */
  const d2c_u32 *broadcast_context; /* hContext of each context that gets it, the submitting one included */
  d2c_u32 broadcast_context_items;
  struct d2c_bytes private_driver_data; /* bytes of the driver's own */
  const d2c_u32 *written_primaries; /* hAllocation of each primary that is written */
  d2c_u32 written_primaries_items;
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_submit_command_init(struct d2c_submit_command *event);
D2C_API int D2C_CALL d2c_submit_command(d2c *c, const struct d2c_submit_command *event);

struct d2c_kmt_present {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 context; /* hContext, or hDevice with the implicit context */
  d2c_u32 source; /* hSource, an allocation */
  d2c_u32 destination; /* hDestination, an allocation; 0: the screen */
  d2c_u32 flags; /* D3DKMT_PRESENTFLAGS; D3DKMT_PRESENTFLAGS */
  d2c_u32 color; /* colour of a fill */
  d2c_u32 has_dst_rect;
  struct d2c_rect dst_rect; /* pixels of the destination */
  d2c_u32 has_src_rect;
  struct d2c_rect src_rect; /* pixels of the source */
  const struct d2c_rect *sub_rects; /* pixels of the destination that change */
  d2c_u32 sub_rects_items;
  d2c_u32 present_count; /* PresentCount */
  d2c_u32 flip_interval; /* D3DDDI_FLIPINTERVAL_TYPE: vertical blanks to wait */
  const d2c_u32 *broadcast_context; /* hContext of each context that gets the packet, too */
  d2c_u32 broadcast_context_items;
  d2c_u32 queued_present_count; /* presents that wait, after the call */
  d2c_u32 has_status;
  d2c_u32 status; /* NTSTATUS that the call returned */
};

D2C_API void D2C_CALL d2c_kmt_present_init(struct d2c_kmt_present *event);
D2C_API int D2C_CALL d2c_kmt_present(d2c *c, const struct d2c_kmt_present *event);

struct d2c_dp2_bind {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 handle; /* number that the tokens use */
  d2c_u32 allocation; /* hAllocation */
  struct d2c_u64 base_offset; /* bytes into the allocation */
  d2c_u32 kind; /* what the handle is used as; D2C_BIND_KIND_*; at first 2 */
  struct d2c_u64 size; /* bytes; 0: unknown */
};

D2C_API void D2C_CALL d2c_dp2_bind_init(struct d2c_dp2_bind *event);
D2C_API int D2C_CALL d2c_dp2_bind(d2c *c, const struct d2c_dp2_bind *event);

struct d2c_dp2_unbind {
  d2c_u32 process; /* number of the process, as the recorder counts or names them */
  d2c_u32 device; /* hDevice of D3DKMT */
  d2c_u32 handle; /* number that the tokens used */
};

D2C_API void D2C_CALL d2c_dp2_unbind_init(struct d2c_dp2_unbind *event);
D2C_API int D2C_CALL d2c_dp2_unbind(d2c *c, const struct d2c_dp2_unbind *event);

/* </generated> */
/* clang-format on */

/* A flip is the present of the surface that is shown from now on. */
#define d2c_flip d2c_present
#define d2c_flip_init d2c_present_init

/*
 * d2c_dp2_call() and d2c_render() that say in `number` (or 0) what d2c_call_result() needs. A call that was lost gets a number of ones; the
 * result of such a call is not recorded.
 */
D2C_API int D2C_CALL d2c_dp2_numbered(d2c* c, const struct d2c_dp2* event, struct d2c_u64* number);
D2C_API int D2C_CALL d2c_render_numbered(d2c* c, const struct d2c_render* event,
                                         struct d2c_u64* number);

/* ---------- from the middle ---------- */

/* A texture stage state as the token holds it. */
struct d2c_texture_state {
  d2c_u16 stage;
  d2c_u16 state;
  d2c_u32 value;
};

/*
 * The state of a context, for a recording that begins in the middle. Null pointers and zero counts are left out. Floats are given as
 * their bits. About 1 KB: keep it off a kernel stack.
 */
struct d2c_state {
  d2c_u32 space;
  struct d2c_u64 context;
  const d2c_u32* targets;       /* SETRENDERTARGET: target and depth surface */
  const d2c_u32* viewport;      /* x, y, width, height */
  const d2c_u32* z_range;       /* smallest, largest depth */
  const d2c_u32* transforms;    /* 17 words each: D3DTRANSFORMSTATETYPE and 16 floats, row by row */
  const d2c_u32* material;      /* D3DMATERIAL7: 17 floats */
  const d2c_u32* clip_planes;   /* 5 words each: index and 4 floats */
  const d2c_u32* render_states; /* pairs of D3DRENDERSTATETYPE and value */
  const struct d2c_texture_state* texture_states;
  d2c_u32 transforms_count;
  d2c_u32 clip_planes_count;
  d2c_u32 render_states_count; /* pairs */
  d2c_u32 texture_states_count;
  struct d2c_bytes tokens; /* whole tokens after the others: lights, palettes, shaders, ... */
  /* the recorder's */
  struct d2c_dp2 call;
  struct d2c_call_result returned;
  struct d2c_bytes pieces[17];
  d2c_u8 heads[8][4];
};

/*
 * Starts a recording from the middle: the header, with `start` as snapshot. Then record all live surfaces (d2c_surface_create(), and
 * d2c_surface_update() for their contents) and contexts, then for each context its state, then go on as from the beginning.
 */
D2C_API int D2C_CALL d2c_begin_snapshot(d2c* c, const struct d2c_header* header);
D2C_API void D2C_CALL d2c_state_init(struct d2c_state* state);
/* One DP2 call that sets the state, and its result. D2C_E_ARGUMENT for more than 65535 of a kind. */
D2C_API int D2C_CALL d2c_snapshot_state(d2c* c, struct d2c_state* state);

#ifdef __cplusplus
}
#endif

#endif /* DP2TRACE_CAPTURE_H */

#if defined(D2C_IMPLEMENTATION) && !defined(DP2TRACE_CAPTURE_IMPLEMENTED)
#define DP2TRACE_CAPTURE_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* ---------- memory ---------- */

#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define D2C__LITTLE_ENDIAN
struct d2c__word {
  d2c_u32 value;
} __attribute__((packed, may_alias));
#define D2C__LOAD(at) (((const struct d2c__word*)(const void*)(at))->value)
#define D2C__STORE(at, word) (((struct d2c__word*)(void*)(at))->value = (word))
#define D2C__ZERO(at) (((volatile struct d2c__word*)(volatile void*)(at))->value = 0)
#elif defined(_MSC_VER) && (defined(_M_IX86) || defined(_M_X64))
#define D2C__LITTLE_ENDIAN
#define D2C__LOAD(at) (*(const d2c_u32*)(const void*)(at))
#define D2C__STORE(at, word) (*(d2c_u32*)(void*)(at) = (word))
#define D2C__ZERO(at) (*(volatile d2c_u32*)(volatile void*)(at) = 0)
#else
#define D2C__LOAD(at)                                                                        \
  ((d2c_u32)(at)[0] | (d2c_u32)((d2c_u32)(at)[1] << 8) | (d2c_u32)((d2c_u32)(at)[2] << 16) | \
   (d2c_u32)((d2c_u32)(at)[3] << 24))
#define D2C__STORE(at, word)                                                \
  ((at)[0] = (d2c_u8)((word)&0xFF), (at)[1] = (d2c_u8)((word) >> 8 & 0xFF), \
   (at)[2] = (d2c_u8)((word) >> 16 & 0xFF), (at)[3] = (d2c_u8)((word) >> 24 & 0xFF))
#endif

/* Vectors of 128 bits, integers only: every x86-64 has them, and its kernels may use them. */
#if !defined(D2C_PORTABLE) && defined(__GNUC__) && defined(__x86_64__) && defined(__SSE2__)
#define D2C__VECTORS
typedef unsigned int d2c__lane __attribute__((mode(DI))); /* 64 bits, whatever the standard */
typedef d2c__lane d2c__vector __attribute__((vector_size(16)));
typedef d2c__lane d2c__vector_at __attribute__((vector_size(16), aligned(1), may_alias));
typedef int d2c__vector_int __attribute__((vector_size(16)));
#define D2C__VLOAD(at) (*(const d2c__vector_at*)(const void*)(at))
#define D2C__VSTORE(at, v) (*(d2c__vector_at*)(void*)(at) = (v))
#endif

/* Compilers make calls of memcpy() and memset() from loops over bytes that they recognise: these are none. */
static void d2c__copy(d2c_u8* to, const d2c_u8* from, d2c_u32 size) {
#ifdef D2C_COPY
  D2C_COPY(to, from, (size_t)size);
#else
#ifdef D2C__VECTORS
  while (size >= 64) {
    const d2c__vector a = D2C__VLOAD(from);
    const d2c__vector b = D2C__VLOAD(from + 16);
    const d2c__vector e = D2C__VLOAD(from + 32);
    const d2c__vector f = D2C__VLOAD(from + 48);
    D2C__VSTORE(to, a);
    D2C__VSTORE(to + 16, b);
    D2C__VSTORE(to + 32, e);
    D2C__VSTORE(to + 48, f);
    to += 64;
    from += 64;
    size -= 64;
  }
#endif
  while (size >= 16) {
    const d2c_u32 a = D2C__LOAD(from);
    const d2c_u32 b = D2C__LOAD(from + 4);
    const d2c_u32 e = D2C__LOAD(from + 8);
    const d2c_u32 f = D2C__LOAD(from + 12);
    D2C__STORE(to, a);
    D2C__STORE(to + 4, b);
    D2C__STORE(to + 8, e);
    D2C__STORE(to + 12, f);
    to += 16;
    from += 16;
    size -= 16;
  }
  if (size & 8) {
    const d2c_u32 a = D2C__LOAD(from);
    const d2c_u32 b = D2C__LOAD(from + 4);
    D2C__STORE(to, a);
    D2C__STORE(to + 4, b);
    to += 8;
    from += 8;
  }
  if (size & 4) {
    const d2c_u32 a = D2C__LOAD(from);
    D2C__STORE(to, a);
    to += 4;
    from += 4;
  }
  if (size & 2) {
    const d2c_u8 a = from[0];
    const d2c_u8 b = from[1];
    to[0] = a;
    to[1] = b;
    to += 2;
    from += 2;
  }
  if (size & 1) *to = *from;
#endif
}

/* What is called seldom or deep down does not make the frames of its callers larger. */
#if defined(__GNUC__)
#define D2C__APART __attribute__((noinline))
#define D2C__INLINE __attribute__((always_inline)) static __inline__
#elif defined(_MSC_VER)
#define D2C__APART __declspec(noinline)
#define D2C__INLINE static __forceinline
#else
#define D2C__APART
#define D2C__INLINE static
#endif

/* One step of the machine: what is there, for `value`. */
#ifndef D2C_EXCHANGE
#define D2C_EXCHANGE(at, value) d2c__exchange((at), (value))
#if (defined(__GNUC__) || defined(__TINYC__)) && (defined(__i386__) || defined(__x86_64__))
static d2c_u32 d2c__exchange(volatile d2c_u32* at, d2c_u32 value) {
  __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*at) : : "memory");
  return value;
}
#elif defined(__GNUC__) && defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4)
static d2c_u32 d2c__exchange(volatile d2c_u32* at, d2c_u32 value) {
  __sync_synchronize();
  return __sync_lock_test_and_set(at, value);
}
#elif defined(_MSC_VER)
long _InterlockedExchange(long volatile* at, long value);
#pragma intrinsic(_InterlockedExchange)
static d2c_u32 d2c__exchange(volatile d2c_u32* at, d2c_u32 value) {
  return (d2c_u32)_InterlockedExchange((long volatile*)at, (long)value);
}
#elif defined(__WATCOMC__) && defined(__386__)
extern d2c_u32 d2c__exchange(volatile d2c_u32* at, d2c_u32 value);
#pragma aux d2c__exchange = "xchg [edx], eax" parm[edx][eax] value[eax] modify exact[eax];
#else /* a machine with one thread */
static d2c_u32 d2c__exchange(volatile d2c_u32* at, d2c_u32 value) {
  const d2c_u32 before = *at;
  *at = value;
  return before;
}
#endif
#endif
#ifndef D2C_LOCK
#define D2C_LOCK(c) ((void)(c))
#define D2C_UNLOCK(c) ((void)(c))
#endif

static void d2c__zero(void* memory, size_t size) {
  volatile d2c_u8* at = (volatile d2c_u8*)memory;
#ifdef D2C__VECTORS
  const d2c__vector none = {0, 0};
#endif
  if (at == 0) return;
#ifdef D2C__VECTORS
  for (; size >= 16; size -= 16, at += 16)
    *(volatile d2c__vector_at*)(volatile void*)at = none;
#endif
#ifdef D2C__ZERO
  for (; size >= 4; size -= 4, at += 4)
    D2C__ZERO(at);
#endif
  while (size-- != 0)
    *at++ = 0;
}

/* ---------- 64 bits in two words ---------- */

/* lo, hi = a * b */
#if defined(__GNUC__) && !defined(D2C_PORTABLE)
typedef unsigned int d2c__product __attribute__((mode(DI))); /* 64 bits, whatever the standard */
#elif defined(_MSC_VER) && !defined(D2C_PORTABLE)
typedef unsigned __int64 d2c__product;
#else
#define D2C__NO_PRODUCT
#endif
#ifndef D2C__NO_PRODUCT
#define D2C__MULTIPLY(a, b, lo, hi)                      \
  {                                                      \
    const d2c__product d2c__p = (d2c__product)(a) * (b); \
    lo = (d2c_u32)(d2c__p & 0xFFFFFFFFu);                \
    hi = (d2c_u32)(d2c__p >> 32);                        \
  }
#else
#define D2C__MULTIPLY(a, b, lo, hi)                                    \
  {                                                                    \
    const d2c_u32 d2c__al = (a)&0xFFFFu;                               \
    const d2c_u32 d2c__ah = (a) >> 16;                                 \
    const d2c_u32 d2c__bl = (b)&0xFFFFu;                               \
    const d2c_u32 d2c__bh = (b) >> 16;                                 \
    const d2c_u32 d2c__low = d2c__al * d2c__bl;                        \
    const d2c_u32 d2c__mid = d2c__al * d2c__bh + (d2c__low >> 16);     \
    const d2c_u32 d2c__sum = d2c__ah * d2c__bl + (d2c__mid & 0xFFFFu); \
    lo = (d2c__sum << 16) | (d2c__low & 0xFFFFu);                      \
    hi = d2c__ah * d2c__bh + (d2c__mid >> 16) + (d2c__sum >> 16);      \
  }
#endif

D2C_API struct d2c_u64 D2C_CALL d2c_u64_of(d2c_u32 hi, d2c_u32 lo) {
  struct d2c_u64 value;
  value.lo = lo;
  value.hi = hi;
  return value;
}

static struct d2c_u64 d2c__load64(const d2c_u8* at) {
  return d2c_u64_of(D2C__LOAD(at + 4), D2C__LOAD(at));
}

static struct d2c_u64 d2c__xor(struct d2c_u64 a, struct d2c_u64 b) {
  return d2c_u64_of(a.hi ^ b.hi, a.lo ^ b.lo);
}

static struct d2c_u64 d2c__add(struct d2c_u64 a, struct d2c_u64 b) {
  const d2c_u32 lo = a.lo + b.lo;
  return d2c_u64_of(a.hi + b.hi + (lo < a.lo ? 1u : 0u), lo);
}

/* By 1 to 63 bits. */
static struct d2c_u64 d2c__shift_right(struct d2c_u64 a, d2c_u32 bits) {
  if (bits == 32) return d2c_u64_of(0, a.hi);
  if (bits > 32) return d2c_u64_of(0, a.hi >> (bits - 32));
  return d2c_u64_of(a.hi >> bits, a.lo >> bits | a.hi << (32 - bits));
}

static struct d2c_u64 d2c__rotate_left(struct d2c_u64 a, d2c_u32 bits) {
  struct d2c_u64 r = d2c__shift_right(a, 64 - bits);
  if (bits >= 32) {
    r.hi |= bits == 32 ? a.lo : a.lo << (bits - 32);
  } else {
    r.hi |= a.hi << bits | a.lo >> (32 - bits);
    r.lo |= a.lo << bits;
  }
  return r;
}

/* The lower 64 bits of the product. */
static struct d2c_u64 d2c__multiply(struct d2c_u64 a, struct d2c_u64 b) {
  struct d2c_u64 r;
  D2C__MULTIPLY(a.lo, b.lo, r.lo, r.hi)
  r.hi += a.lo * b.hi + a.hi * b.lo;
  return r;
}

/* The lower 64 bits of the product of 128, xor the upper ones. */
D2C__APART static struct d2c_u64 d2c__fold(struct d2c_u64 a, struct d2c_u64 b) {
  struct d2c_u64 low;
  struct d2c_u64 one;
  struct d2c_u64 two;
  struct d2c_u64 high;
  d2c_u32 carry;
  D2C__MULTIPLY(a.lo, b.lo, low.lo, low.hi)
  D2C__MULTIPLY(a.lo, b.hi, one.lo, one.hi)
  D2C__MULTIPLY(a.hi, b.lo, two.lo, two.hi)
  D2C__MULTIPLY(a.hi, b.hi, high.lo, high.hi)
  low.hi += one.lo;
  carry = low.hi < one.lo ? 1u : 0u;
  low.hi += two.lo;
  carry += low.hi < two.lo ? 1u : 0u;
  high = d2c__add(high, d2c_u64_of(0, one.hi));
  high = d2c__add(high, d2c_u64_of(0, two.hi));
  high = d2c__add(high, d2c_u64_of(0, carry));
  return d2c__xor(low, high);
}

/* ---------- XXH3-64, seed 0. Source: xxHash, doc/xxhash_spec.md ---------- */

static const d2c_u8 d2c__secret[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

#define D2C__STRIPE 64u
#define D2C__STRIPES 16u /* of a block */

#ifdef D2C__VECTORS

#if defined(__clang__)
/* Compiles to one pmuludq. */
#define D2C__VMULTIPLY(a, b) (((a)&d2c__low_words) * ((b)&d2c__low_words))
#define D2C__VSWAP(v) __builtin_shufflevector(v, v, 1, 0)
#define D2C__VHIGH(v) ((v) >> 32)
#else
#define D2C__VMULTIPLY(a, b) \
  ((d2c__vector)__builtin_ia32_pmuludq128((d2c__vector_int)(a), (d2c__vector_int)(b)))
#define D2C__VSWAP(v) ((d2c__vector)__builtin_ia32_pshufd((d2c__vector_int)(v), 0x4E))
#define D2C__VHIGH(v) ((d2c__vector)__builtin_ia32_pshufd((d2c__vector_int)(v), 0xF5))
#endif

/* Each sum takes the product of its own words and the plain words of its neighbour: those gather apart, and change places at last. */
#ifdef _WIN64 /* where a function saves all vectors but six that it uses */
#define D2C__VPLAIN(sum, plain) sum += D2C__VSWAP(d2c__data)
#else
#define D2C__VPLAIN(sum, plain) plain += d2c__data
#endif
#define D2C__VLANES(sum, plain, at, keep)                            \
  {                                                                  \
    const d2c__vector d2c__data = D2C__VLOAD(in + (at));             \
    const d2c__vector d2c__key = d2c__data ^ D2C__VLOAD(key + (at)); \
    keep;                                                            \
    D2C__VPLAIN(sum, plain);                                         \
    sum += D2C__VMULTIPLY(d2c__key, D2C__VHIGH(d2c__key));           \
  }
#define D2C__VSTRIPES(keep, move)         \
  for (; stripes != 0; --stripes) {       \
    D2C__VLANES(a, plain_a, 0, keep(0))   \
    D2C__VLANES(b, plain_b, 16, keep(16)) \
    D2C__VLANES(e, plain_e, 32, keep(32)) \
    D2C__VLANES(f, plain_f, 48, keep(48)) \
    in += D2C__STRIPE;                    \
    key += 8;                             \
    D2C__VNEXT;                           \
    D2C__VNEXT;                           \
    move;                                 \
  }
#define D2C__KEEP(at) D2C__VSTORE(out + (at), d2c__data)
#define D2C__KEEP_NOT(at) (void)0
#ifdef _WIN64 /* keys stay in memory */
#define D2C__VNEXT __asm__ __volatile__("" : : : "memory")
#else
#define D2C__VNEXT (void)0
#endif

/* Adds stripes to the sums; the key moves on by 8 bytes with each. Where there is `out`, they are copied there. */
D2C__APART static void d2c__accumulate(struct d2c_hash* hash, const d2c_u8* in, d2c_u32 stripes,
                                       d2c_u8* out) {
  d2c_u32* acc = hash->acc;
  const d2c_u8* key = d2c__secret + hash->key;
#if defined(__clang__)
  const d2c__vector d2c__low_words = {0xFFFFFFFFu, 0xFFFFFFFFu};
#endif
  d2c__vector a = D2C__VLOAD(acc);
  d2c__vector b = D2C__VLOAD(acc + 4);
  d2c__vector e = D2C__VLOAD(acc + 8);
  d2c__vector f = D2C__VLOAD(acc + 12);
  d2c__vector plain_a = {0, 0};
  d2c__vector plain_b = {0, 0};
  d2c__vector plain_e = {0, 0};
  d2c__vector plain_f = {0, 0};
  if (out != 0)
    D2C__VSTRIPES(D2C__KEEP, out += D2C__STRIPE)
  else
    D2C__VSTRIPES(D2C__KEEP_NOT, (void)0)
  D2C__VSTORE(acc, a + D2C__VSWAP(plain_a));
  D2C__VSTORE(acc + 4, b + D2C__VSWAP(plain_b));
  D2C__VSTORE(acc + 8, e + D2C__VSWAP(plain_e));
  D2C__VSTORE(acc + 12, f + D2C__VSWAP(plain_f));
  hash->key = (d2c_u32)(key - d2c__secret);
}

D2C__APART static void d2c__scramble(d2c_u32* acc) {
#if defined(__clang__)
  const d2c__vector d2c__low_words = {0xFFFFFFFFu, 0xFFFFFFFFu};
#endif
  const d2c__vector prime = {0x9E3779B1u, 0x9E3779B1u};
  d2c_u32 i;
  for (i = 0; i < 16; i += 4) {
    d2c__vector sum = D2C__VLOAD(acc + i);
    sum ^= sum >> 47;
    sum ^= D2C__VLOAD(d2c__secret + 128 + 4 * i);
    sum = D2C__VMULTIPLY(sum, prime) + (D2C__VMULTIPLY(D2C__VHIGH(sum), prime) << 32);
    D2C__VSTORE(acc + i, sum);
  }
}

#else

/* Adds 16 bytes to two neighbouring sums: each takes the product of its own words and, plain, the words of the other. */
#define D2C__LANES                                 \
  {                                                \
    const d2c_u32 d0 = D2C__LOAD(in);              \
    const d2c_u32 d1 = D2C__LOAD(in + 4);          \
    const d2c_u32 d2 = D2C__LOAD(in + 8);          \
    const d2c_u32 d3 = D2C__LOAD(in + 12);         \
    const d2c_u32 k0 = d0 ^ D2C__LOAD(secret);     \
    const d2c_u32 k1 = d1 ^ D2C__LOAD(secret + 4); \
    d2c_u32 k2;                                    \
    d2c_u32 k3;                                    \
    d2c_u32 lo;                                    \
    d2c_u32 hi;                                    \
    d2c_u32 sum;                                   \
    D2C__MULTIPLY(k0, k1, lo, hi)                  \
    lo += d2;                                      \
    hi += d3 + (lo < d2 ? 1u : 0u);                \
    sum = acc[0] + lo;                             \
    acc[0] = sum;                                  \
    acc[1] += hi + (sum < lo ? 1u : 0u);           \
    k2 = d2 ^ D2C__LOAD(secret + 8);               \
    k3 = d3 ^ D2C__LOAD(secret + 12);              \
    D2C__MULTIPLY(k2, k3, lo, hi)                  \
    lo += d0;                                      \
    hi += d1 + (lo < d0 ? 1u : 0u);                \
    sum = acc[2] + lo;                             \
    acc[2] = sum;                                  \
    acc[3] += hi + (sum < lo ? 1u : 0u);           \
  }

/* Adds stripes to the sums; the key moves on by 8 bytes with each. `out`: they were copied before. */
D2C__APART static void d2c__accumulate(struct d2c_hash* hash, const d2c_u8* in, d2c_u32 stripes,
                                       d2c_u8* out) {
  d2c_u32* acc = hash->acc;
  const d2c_u8* secret = d2c__secret + hash->key;
  (void)out;
  hash->key += 8 * stripes;
  for (; stripes != 0; --stripes) {
    const d2c_u32* const end = acc + 16;
    for (; acc != end; acc += 4, in += 16, secret += 16)
      D2C__LANES
    acc -= 16;
    secret -= D2C__STRIPE - 8;
  }
}

D2C__APART static void d2c__scramble(d2c_u32* acc) {
  const struct d2c_u64 prime = d2c_u64_of(0, 0x9E3779B1u);
  d2c_u32 i;
  for (i = 0; i < 8; ++i) {
    struct d2c_u64 value = d2c_u64_of(acc[2 * i + 1], acc[2 * i]);
    value = d2c__xor(value, d2c__shift_right(value, 47));
    value = d2c__multiply(d2c__xor(value, d2c__load64(d2c__secret + 128 + 8 * i)), prime);
    acc[2 * i] = value.lo;
    acc[2 * i + 1] = value.hi;
  }
}

#endif

#define D2C__AHEAD 6144u /* bytes between those that are read and those that are asked for */
#define D2C__FAR \
  4096u /* pieces that are worth it: the processor looks ahead by itself in smaller ones */

/* Asks the memory for bytes that are read soon, `size` of those that were announced: they are hashed as fast as they arrive. */
static void d2c__look_ahead(struct d2c_hash* hash, d2c_u32 size) {
#ifdef D2C__VECTORS
  const d2c_u8* at = hash->ahead[0];
  const d2c_u8* end;
  if (size > hash->ahead_size[0]) size = hash->ahead_size[0];
  hash->ahead[0] = end = at + size;
  hash->ahead_size[0] -= size;
  for (; at < end; at += 64)
    __builtin_prefetch(at);
  if (hash->ahead_size[0] == 0) {
    hash->ahead[0] = hash->ahead[1];
    hash->ahead_size[0] = hash->ahead_size[1];
    hash->ahead_size[1] = 0;
  }
#else
  (void)hash;
  (void)size;
#endif
}

/* Announces bytes: two pieces, what is more comes by itself. */
static void d2c__announce(struct d2c_hash* hash, const d2c_u8* bytes, d2c_u32 size) {
  const d2c_u32 slot = hash->ahead_size[0] != 0 ? 1 : 0;
  hash->ahead[slot] = bytes;
  hash->ahead_size[slot] = size;
}

/* Where there is `out`, the stripes are copied there. */
D2C__APART static void d2c__consume(struct d2c_hash* hash, const d2c_u8* in, d2c_u32 stripes,
                                    d2c_u8* out) {
  while (stripes != 0) {
    d2c_u32 now = D2C__STRIPES - hash->key / 8;
    if (now > stripes) now = stripes;
    stripes -= now;
    if (hash->ahead_size[0] != 0) d2c__look_ahead(hash, now * D2C__STRIPE);
    d2c__accumulate(hash, in, now, out);
    now *= D2C__STRIPE;
    in += now;
    if (out != 0) out += now;
    if (hash->key == 8 * D2C__STRIPES) {
      d2c__scramble(hash->acc);
      hash->key = 0;
    }
  }
}

D2C__APART static void d2c__hash_begin(struct d2c_hash* hash) {
  static const d2c_u32 start[16] = {0xC2B2AE3Du, 0,           0x85EBCA87u, 0x9E3779B1u,
                                    0x27D4EB4Fu, 0xC2B2AE3Du, 0x9E3779F9u, 0x165667B1u,
                                    0xC2B2AE63u, 0x85EBCA77u, 0x85EBCA77u, 0,
                                    0x165667C5u, 0x27D4EB2Fu, 0x9E3779B1u, 0};
  d2c_u32 i;
  for (i = 0; i < 16; ++i)
    hash->acc[i] = start[i];
  hash->kept_size = 0;
  hash->key = 0;
  hash->size = d2c_u64_of(0, 0);
}

D2C_API void D2C_CALL d2c_hash_begin(struct d2c_hash* hash) {
  if (hash == 0) return;
  hash->ahead_size[0] = 0;
  hash->ahead_size[1] = 0;
  d2c__hash_begin(hash);
}

/* Short inputs are hashed as a whole, so the first 256 bytes wait; later ones wait until more than a stripe follows. */
D2C_API void D2C_CALL d2c_hash_add(struct d2c_hash* hash, const void* bytes, d2c_u32 size) {
  const d2c_u8* in = (const d2c_u8*)bytes;
  if (hash == 0 || in == 0) return;
  hash->size = d2c__add(hash->size, d2c_u64_of(0, size));
  if (size > 256 - hash->kept_size) {
    if (hash->kept_size != 0) {
      const d2c_u32 rest = 256 - hash->kept_size;
      d2c__copy(hash->kept + hash->kept_size, in, rest);
      d2c__consume(hash, hash->kept, 4, 0);
      d2c__copy(hash->last, hash->kept + 192, 64);
      in += rest;
      size -= rest;
      hash->kept_size = 0;
    }
    if (size > 256) {
      const d2c_u32 stripes = (size - 1) / D2C__STRIPE;
      d2c__consume(hash, in, stripes, 0);
      in += stripes * D2C__STRIPE;
      size -= stripes * D2C__STRIPE;
      d2c__copy(hash->last, in - 64, 64);
    }
  }
  d2c__copy(hash->kept + hash->kept_size, in, size);
  hash->kept_size += size;
}

static struct d2c_u64 d2c__avalanche(struct d2c_u64 h) {
  h = d2c__xor(h, d2c__shift_right(h, 37));
  h = d2c__multiply(h, d2c_u64_of(0x16566791u, 0x9E3779F9u));
  return d2c__xor(h, d2c__shift_right(h, 32));
}

/* XXH64's, for the shortest inputs. */
static struct d2c_u64 d2c__avalanche64(struct d2c_u64 h) {
  h = d2c__xor(h, d2c__shift_right(h, 33));
  h = d2c__multiply(h, d2c_u64_of(0xC2B2AE3Du, 0x27D4EB4Fu));
  h = d2c__xor(h, d2c__shift_right(h, 29));
  h = d2c__multiply(h, d2c_u64_of(0x165667B1u, 0x9E3779F9u));
  return d2c__xor(h, d2c__shift_right(h, 32));
}

static struct d2c_u64 d2c__key(d2c_u32 a, d2c_u32 b) {
  return d2c__xor(d2c__load64(d2c__secret + a), d2c__load64(d2c__secret + b));
}

static d2c_u32 d2c__swap(d2c_u32 word) {
  return word << 24 | (word & 0xFF00u) << 8 | (word >> 8 & 0xFF00u) | word >> 24;
}

D2C__APART static struct d2c_u64 d2c__hash_to_16(const d2c_u8* in, d2c_u32 size) {
  struct d2c_u64 h;
  if (size > 8) {
    const struct d2c_u64 lo = d2c__xor(d2c__load64(in), d2c__key(24, 32));
    const struct d2c_u64 hi = d2c__xor(d2c__load64(in + size - 8), d2c__key(40, 48));
    h = d2c__add(d2c_u64_of(d2c__swap(lo.lo), d2c__swap(lo.hi)), d2c_u64_of(0, size));
    return d2c__avalanche(d2c__add(d2c__add(h, hi), d2c__fold(lo, hi)));
  }
  if (size >= 4) {
    const struct d2c_u64 prime = d2c_u64_of(0x9FB21C65u, 0x1E98DF25u);
    h = d2c__xor(d2c_u64_of(D2C__LOAD(in), D2C__LOAD(in + size - 4)), d2c__key(8, 16));
    h = d2c__xor(h, d2c__xor(d2c__rotate_left(h, 49), d2c__rotate_left(h, 24)));
    h = d2c__multiply(h, prime);
    h = d2c__xor(h, d2c__add(d2c__shift_right(h, 35), d2c_u64_of(0, size)));
    h = d2c__multiply(h, prime);
    return d2c__xor(h, d2c__shift_right(h, 28));
  }
  if (size == 0) return d2c__avalanche64(d2c__key(56, 64));
  h = d2c_u64_of(0, (d2c_u32)in[0] << 16 | (d2c_u32)in[size >> 1] << 24 | in[size - 1] | size << 8);
  h.lo ^= D2C__LOAD(d2c__secret) ^ D2C__LOAD(d2c__secret + 4);
  return d2c__avalanche64(h);
}

/* Adds 16 bytes at `at` to the first sum. */
D2C__APART static void d2c__mix(struct d2c_hash* hash, d2c_u32 at, d2c_u32 key) {
  const d2c_u8* in = hash->kept + at;
  const d2c_u8* secret = d2c__secret + key;
  const struct d2c_u64 folded = d2c__fold(d2c__xor(d2c__load64(in), d2c__load64(secret)),
                                          d2c__xor(d2c__load64(in + 8), d2c__load64(secret + 8)));
  const struct d2c_u64 sum = d2c__add(d2c_u64_of(hash->acc[1], hash->acc[0]), folded);
  hash->acc[0] = sum.lo;
  hash->acc[1] = sum.hi;
}

/* The first sum, whose bits depend on each other then. */
D2C__APART static void d2c__avalanche_sum(struct d2c_hash* hash) {
  const struct d2c_u64 sum = d2c__avalanche(d2c_u64_of(hash->acc[1], hash->acc[0]));
  hash->acc[0] = sum.lo;
  hash->acc[1] = sum.hi;
}

D2C__APART static struct d2c_u64 d2c__hash_to_240(struct d2c_hash* hash) {
  const d2c_u32 size = hash->kept_size;
  const struct d2c_u64 start =
      d2c__multiply(d2c_u64_of(0, size), d2c_u64_of(0x9E3779B1u, 0x85EBCA87u));
  d2c_u32 i;
  hash->acc[0] = start.lo;
  hash->acc[1] = start.hi;
  if (size <= 128) {
    for (i = (size - 1) / 32 + 1; i-- != 0;) {
      d2c__mix(hash, 16 * i, 32 * i);
      d2c__mix(hash, size - 16 * (i + 1), 32 * i + 16);
    }
  } else {
    for (i = 0; i < 8; ++i)
      d2c__mix(hash, 16 * i, 16 * i);
    d2c__avalanche_sum(hash);
    for (; i < size / 16; ++i)
      d2c__mix(hash, 16 * i, 16 * (i - 8) + 3);
    d2c__mix(hash, size - 16, 119);
  }
  d2c__avalanche_sum(hash);
  return d2c_u64_of(hash->acc[1], hash->acc[0]);
}

/* The last 64 bytes, put together in `last`. */
D2C__APART static void d2c__last_stripe(struct d2c_hash* hash) {
  const d2c_u32 size = hash->kept_size;
  d2c_u32 i;
  if (size >= 64) {
    d2c__copy(hash->last, hash->kept + size - 64, 64);
    return;
  }
  for (i = 0; i + size < 64; ++i)
    hash->last[i] = hash->last[i + size];
  d2c__copy(hash->last + 64 - size, hash->kept, size);
}

D2C__APART static struct d2c_u64 d2c__merge(const struct d2c_hash* hash) {
  const d2c_u32* acc = hash->acc;
  const d2c_u8* key = d2c__secret + 11;
  struct d2c_u64 h = d2c__multiply(hash->size, d2c_u64_of(0x9E3779B1u, 0x85EBCA87u));
  for (; acc != hash->acc + 16; acc += 4, key += 16) {
    h = d2c__add(h, d2c__fold(d2c__xor(d2c_u64_of(acc[1], acc[0]), d2c__load64(key)),
                              d2c__xor(d2c_u64_of(acc[3], acc[2]), d2c__load64(key + 8))));
  }
  return d2c__avalanche(h);
}

D2C_API struct d2c_u64 D2C_CALL d2c_hash_end(struct d2c_hash* hash) {
  if (hash == 0) return d2c_u64_of(0, 0);
  if (hash->size.hi == 0 && hash->size.lo <= 240)
    return hash->size.lo > 16 ? d2c__hash_to_240(hash)
                              : d2c__hash_to_16(hash->kept, hash->kept_size);
  if (hash->kept_size >= 64) d2c__consume(hash, hash->kept, (hash->kept_size - 1) / D2C__STRIPE, 0);
  d2c__last_stripe(hash);
  hash->key = 121;
  d2c__accumulate(hash, hash->last, 1, 0);
  return d2c__merge(hash);
}

/* ---------- bytes of the file ---------- */

#define D2C__CHUNK_HEADER 48u
#define D2C__EVENT_HEADER 8u
#define D2C__NO_SIZE 0xFFFFFFFFu
#define D2C__NO_EVENT d2c_u64_of(D2C__NO_SIZE, D2C__NO_SIZE)
#define D2C__EVENTS 1u /* types of chunks */
#define D2C__INDEX 2u
#define D2C__FOOTER 3u
#define D2C__HEADER 1u         /* the kind of `header` */
#define D2C__HEADER_LAYOUT 11u /* and its layout */
#define D2C__PRESENT 11u       /* the kind that ends a frame */
#define D2C__DP2 8u
#define D2C__CALL_RESULT 13u
#define D2C__DP2_LAYOUT 18u
#define D2C__LOST 15u
#define D2C__LOST_LAYOUT 25u
#define D2C__RUNS 0x200u      /* compression 2, beside the type of a chunk */
#define D2C__OPEN 0x44325443u /* d2c_open() was there */
#define D2C__UNWOUND 0x4432554Eu
#define D2C__MOST_UNWOUND \
  8u /* a callback that calls d2c_recover() and records must not go on for ever */
/* Kinds (bits) after which a `lost` may stand: no call, whose result would have to be the next event. 0: no event. */
#define D2C__LOST_AFTER 0x78FBu

/* Where d2c__put() puts bytes. */
enum { D2C__TO_BUFFER, D2C__TO_HASH, D2C__TO_FILE };

static void d2c__write(d2c* c, const d2c_u8* bytes, d2c_u32 size) {
  int failed;
  if (c->error != D2C_OK || size == 0) return;
  c->is_writing = D2C__OPEN;
  failed = c->write(c->user, bytes, size);
  if (c->is_writing !=
      D2C__OPEN) { /* d2c_recover() gave the recorder back, and this call goes on */
    D2C_LOCK(c);
    (void)D2C_EXCHANGE(&c->busy, 1);
    if (c->is_writing == 0) { /* and something was recorded: nothing of this call is left */
      c->is_finished = 1;
      failed = 1;
    }
  }
  c->is_writing = 0;
  c->unwound = 0;
  if (failed) {
    c->error = D2C_E_WRITE;
    return;
  }
  c->position = d2c__add(c->position, d2c_u64_of(0, size));
}

/* Bytes on their way to the callback gather in the buffer, where it is empty, or in a small one. */
static d2c_u8* d2c__stage(d2c* c) {
  return c->capacity != 0 && c->used == 0 ? c->buffer : c->stage;
}

D2C__APART static void d2c__write_stage(d2c* c) {
  const d2c_u32 size = c->staged;
  c->staged = 0;
  d2c__write(c, d2c__stage(c), size);
}

#define D2C__LARGE 512u /* bytes that are worth hashing while they are copied */

/* A large piece after those in the buffer: hashed with what is before it, all but the last stripe. */
D2C__APART static void d2c__append_large(d2c* c, const d2c_u8* bytes, d2c_u32 size, d2c_u32 end) {
  d2c_u8* const to = c->buffer + D2C__CHUNK_HEADER;
  const d2c_u32 fill = (c->hashed - end) % D2C__STRIPE;
  d2c_u32 stripes;
  d2c__copy(to + end, bytes, D2C__STRIPE); /* `fill` of it; what is after comes once more */
  bytes += fill;
  size -= fill;
  end += fill;
  if (c->hashed == 0) d2c__hash_begin(&c->hash);
  d2c__consume(&c->hash, to + c->hashed, (end - c->hashed) / D2C__STRIPE, 0);
  stripes = (size - 1) / D2C__STRIPE;
#ifdef D2C__VECTORS
  d2c__consume(&c->hash, bytes, stripes, to + end);
  /* The rest as a whole stripe, without branches; of what was hashed the bytes stay that were. */
  stripes *= D2C__STRIPE;
  d2c__copy(c->hash.last, to + end + stripes - D2C__STRIPE, D2C__STRIPE);
  d2c__copy(to + end + size - D2C__STRIPE, bytes + size - D2C__STRIPE, D2C__STRIPE);
  d2c__copy(to + end + stripes - D2C__STRIPE, c->hash.last, D2C__STRIPE);
#else
  d2c__copy(to + end, bytes, size);
  d2c__consume(&c->hash, to + end, stripes, 0);
  stripes *= D2C__STRIPE;
#endif
  c->hashed = end + stripes;
}

/* Bytes after those in the buffer, never more than it was said to have. */
D2C__APART static void d2c__append(d2c* c, const d2c_u8* bytes, d2c_u32 size) {
  const d2c_u32 end = c->used + c->staged;
  if (size > c->left) size = c->left;
  c->staged += size;
  c->left -= size;
  if (size >= D2C__LARGE)
    d2c__append_large(c, bytes, size, end);
  else
    d2c__copy(c->buffer + D2C__CHUNK_HEADER + end, bytes, size);
}

static void d2c__append32(d2c* c, d2c_u32 word) {
  d2c_u8* to = c->buffer + D2C__CHUNK_HEADER + c->used + c->staged;
  if (c->left < 4) return;
  D2C__STORE(to, word);
  c->staged += 4;
  c->left -= 4;
}

/* All `size` bytes of the buffer are in the hash. */
static void d2c__hash_whole_buffer(d2c* c, d2c_u32 size) {
  const d2c_u8* in = c->buffer + D2C__CHUNK_HEADER;
  if (c->hashed == 0) {
    d2c__hash_begin(&c->hash);
    d2c_hash_add(&c->hash, in, size);
    return;
  }
  d2c__consume(&c->hash, in + c->hashed, (size - c->hashed - 1) / D2C__STRIPE, 0);
  c->hashed += (size - c->hashed - 1) / D2C__STRIPE * D2C__STRIPE;
  c->hash.size = d2c_u64_of(0, size);
  c->hash.kept_size = size - c->hashed;
  d2c__copy(c->hash.kept, in + c->hashed, c->hash.kept_size);
  d2c__copy(c->hash.last, in + c->hashed - D2C__STRIPE, D2C__STRIPE);
  c->hashed = 0;
}

/* Bytes on their way to the callback, of those that are owed. */
D2C__APART static void d2c__put_staged(d2c* c, const d2c_u8* bytes, d2c_u32 size, d2c_u32* owed) {
  const d2c_u32 room =
      d2c__stage(c) != c->stage ? c->capacity + D2C__CHUNK_HEADER : (d2c_u32)sizeof c->stage;
  while (size != 0 && c->error == D2C_OK) {
    d2c_u32 now = room - c->staged;
    if (now > size) now = size;
    d2c__copy(d2c__stage(c) + c->staged, bytes, now);
    c->staged += now;
    *owed -= now;
    bytes += now;
    size -= now;
    if (c->staged == room) d2c__write_stage(c);
  }
}

/* Packed bytes, never more than were counted. */
D2C__INLINE void d2c__emit(d2c* c, const d2c_u8* bytes, d2c_u32 size) {
  if (c->mode == D2C__TO_HASH) {
    c->packed = size > D2C__NO_SIZE - c->packed ? D2C__NO_SIZE : c->packed + size;
    d2c_hash_add(&c->hash, bytes, size);
  } else {
    d2c__put_staged(c, bytes, size > c->packed_left ? c->packed_left : size, &c->packed_left);
  }
}

/* The words that stand alone: a byte with their number less 1, from 0 to 127, and they. Their size in `out`. */
static d2c_u32 d2c__end_words(struct d2c_runs* runs) {
  const d2c_u32 size = runs->count == 0 ? 0 : 1 + 4 * runs->count;
  runs->out[0] = (d2c_u8)(runs->count - 1);
  runs->count = 0;
  return size;
}

/* A run of 3 to 129: a byte with its length and 126, and the word. Shorter ones stand alone. 1: `out` is to be emitted before what is left. */
static int d2c__end_run(struct d2c_runs* runs) {
  if (runs->run > 2) {
    const d2c_u32 size = d2c__end_words(runs);
    runs->out[size] = (d2c_u8)(runs->run + 126);
    D2C__STORE(runs->out + size + 1, runs->word);
    runs->out_size = size + 5;
    runs->run = 0;
    return 1;
  }
  if (runs->count + runs->run > 128) {
    runs->out_size = d2c__end_words(runs);
    return 1;
  }
  for (; runs->run != 0; --runs->run, ++runs->count)
    D2C__STORE(runs->out + 1 + 4 * runs->count, runs->word);
  return 0;
}

/* Takes bytes until there are no more, or `out` is to be emitted; how many. */
D2C__APART static d2c_u32 d2c__pack(struct d2c_runs* runs, const d2c_u8* bytes, d2c_u32 size) {
  d2c_u32 at = 0;
  for (;;) {
    const int is_whole = runs->rest_size == 0 && size - at >= 4;
    d2c_u32 word;
    while (!is_whole && runs->rest_size < 4 && at < size)
      runs->rest[runs->rest_size++] = bytes[at++];
    if (!is_whole && runs->rest_size < 4) return at;
    word = is_whole ? D2C__LOAD(bytes + at) : D2C__LOAD(runs->rest);
    if (runs->run != 0 && (runs->word != word || runs->run == 129) && d2c__end_run(runs)) return at;
    runs->word = word;
    ++runs->run;
    runs->rest_size = 0;
    if (is_whole) at += 4;
  }
}

/* After the last byte: what is to be emitted yet, in `out`; at the end what is no whole word, as it is. 0: nothing. */
D2C__APART static int d2c__end_packing(struct d2c_runs* runs) {
  if (runs->run != 0 && d2c__end_run(runs)) return 1;
  runs->out_size = d2c__end_words(runs);
  if (runs->out_size != 0) return 1;
  d2c__copy(runs->out, runs->rest, 4);
  runs->out_size = runs->rest_size;
  runs->rest_size = 0;
  return runs->out_size != 0;
}

/* The same, packed. */
D2C__INLINE void d2c__put_packed(d2c* c, const d2c_u8* bytes, d2c_u32 size) {
  if (size > c->left) size = c->left;
  c->left -= size;
  for (;;) {
    const d2c_u32 now = d2c__pack(&c->runs, bytes, size);
    bytes += now;
    size -= now;
    if (c->runs.out_size == 0 && (c->left != 0 || !d2c__end_packing(&c->runs))) break;
    d2c__emit(c, c->runs.out, c->runs.out_size);
    c->runs.out_size = 0;
  }
}

/* The next bytes of what is being written, never more than it was said to have. */
static void d2c__put(d2c* c, const d2c_u8* bytes, d2c_u32 size) {
  if (size > c->left) size = c->left;
  if (c->mode == D2C__TO_HASH) {
    c->left -= size;
    d2c_hash_add(&c->hash, bytes, size);
  } else {
    d2c__put_staged(c, bytes, size, &c->left);
  }
}

static void d2c__put_zeros(d2c* c) {
  static const d2c_u8 zeros[64] = {0};
  while (c->left != 0 && c->error == D2C_OK)
    d2c__put(c, zeros, 64);
}

static void d2c__store64(d2c_u8* at, struct d2c_u64 value) {
  D2C__STORE(at, value.lo);
  D2C__STORE(at + 4, value.hi);
}

/* The header of a chunk, in front of what is on its way to the callback. */
D2C__APART static void d2c__chunk_header(d2c* c, d2c_u32 type, d2c_u32 events, d2c_u32 size) {
  static const d2c_u8 sync[8] = {0xFE, 0x9C, 0xD2, 0xC8, 0xA7, 0xFF, 0xB1, 0xE5};
  d2c_u8* out = d2c__stage(c);
  struct d2c_u64 first = c->events;
  if (type == D2C__EVENTS) {
    first.hi -= first.lo < events ? 1u : 0u;
    first.lo -= events;
  }
  d2c__copy(out, sync, 8);
  D2C__STORE(out + 8, c->is_packing ? type | D2C__RUNS : type);
  D2C__STORE(out + 12, events);
  d2c__store64(out + 16, first);
  D2C__STORE(out + 24, size);
  D2C__STORE(out + 28, c->is_packing ? c->packed : size);
}

/* The checksums in it: of the data, which were hashed, and its own. */
D2C__APART static void d2c__seal(d2c* c) {
  d2c_u8* out = d2c__stage(c);
  d2c__store64(out + 32, d2c_hash_end(&c->hash));
  d2c__copy(c->hash.kept, out, 40);
  c->hash.kept_size = 40;
  c->hash.size = d2c_u64_of(0, 40);
  d2c__store64(out + 40, d2c_hash_end(&c->hash));
}

static void d2c__file_header(d2c* c) {
  static const d2c_u8 header[16] = {0x89, 0x44, 0x32, 0x54, 0x0D, 0x0A, 0x1A, 0x0A,
                                    1,    0,    0,    0,    0,    0,    0,    0};
  if ((c->position.lo | c->position.hi) == 0) d2c__write(c, header, 16);
}

/* A chunk of events goes out at c->position. */
D2C__APART static void d2c__index_chunk(d2c* c, d2c_u32 events, d2c_u32 size) {
  struct d2c_u64 first = c->events;
  d2c_u8* at;
  first.hi -= first.lo < events ? 1u : 0u;
  first.lo -= events;
  if (c->is_index_lost || c->index_size - 24 * c->index_chunks - 8 * c->index_frames < 24) {
    c->is_index_lost = 1;
    return;
  }
  at = c->index + 24 * c->index_chunks++;
  d2c__store64(at, c->position);
  d2c__store64(at + 8, first);
  D2C__STORE(at + 16, events);
  D2C__STORE(at + 20, size);
}

/* The event that was recorded last ends a frame. */
static void d2c__index_frame(d2c* c) {
  const struct d2c_u64 number =
      d2c_u64_of(c->events.hi - (c->events.lo == 0 ? 1u : 0u), c->events.lo - 1);
  if (c->is_index_lost || c->index_size - 24 * c->index_chunks - 8 * c->index_frames < 8) {
    c->is_index_lost = 1;
    return;
  }
  ++c->index_frames;
  d2c__store64(c->index + c->index_size - 8 * c->index_frames, number);
}

/* `count` events will not be in the file. */
static void d2c__lose(d2c* c, d2c_u32 count, d2c_u32 cause) {
  if (count == 0) return;
  if (c->lost == 0) c->lost_cause = cause;
  c->lost = count > D2C__NO_SIZE - c->lost ? D2C__NO_SIZE : c->lost + count;
}

/* A chunk was written, or what it had is lost, the header perhaps. */
D2C__APART static void d2c__end_chunk(d2c* c, d2c_u32 events) {
  if (c->error != D2C_OK) {
    if (c->chunk_lost != 0) {
      d2c__lose(c, c->chunk_lost, c->chunk_cause);
      c->lost_cause = c->chunk_cause;
    }
    d2c__lose(c, c->chunk_count, D2C_LOST_CAUSE_WRITE);
    c->is_index_lost = 1;
    if (c->events.lo - c->session.lo <= events) c->has_header = 0;
  }
  c->chunk_count = 0;
  c->chunk_lost = 0;
}

/* Before the second of two passes over the same bytes, of which the first one hashed them; then d2c__seal(). */
D2C__APART static void d2c__begin_file(d2c* c, d2c_u32 type, d2c_u32 events, d2c_u32 size) {
  d2c__chunk_header(c, type, events, size);
  if (type == D2C__EVENTS) d2c__index_chunk(c, events, size);
  c->staged = D2C__CHUNK_HEADER;
  c->left = size;
  c->packed_left = c->packed;
  c->mode = D2C__TO_FILE;
}

static void d2c__begin_hash(d2c* c, d2c_u32 size) {
  d2c__hash_begin(&c->hash);
  c->left = size;
  c->mode = D2C__TO_HASH;
}

/* The same for bytes that are packed, and counted. */
static void d2c__begin_packing(d2c* c, d2c_u32 size) {
  d2c__zero(&c->runs, sizeof c->runs);
  c->is_packing = 1;
  c->packed = 0;
  d2c__begin_hash(c, size);
}

/* What changed since it was counted: bytes that it still owes. */
D2C__APART static void d2c__fill_packed(d2c* c) {
  static const d2c_u8 zeros[64] = {0};
  while (c->packed_left != 0 && c->error == D2C_OK)
    d2c__put_staged(c, zeros, c->packed_left < 64 ? c->packed_left : 64, &c->packed_left);
  c->is_packing = 0;
}

/* The buffer goes out as one chunk, packed. 0: that would not be smaller, or there is nothing. */
D2C__APART static int d2c__flush_packed(d2c* c) {
  const d2c_u32 size = c->used;
  const d2c_u32 events = c->chunk_events;
  const d2c_u8* in;
  d2c__file_header(c);
  if (size == 0 || c->error != D2C_OK) return 0;
  in = c->buffer + D2C__CHUNK_HEADER;
  d2c__begin_packing(c, size);
  d2c__put_packed(c, in, size);
  c->hashed = 0; /* the plain bytes are not in the hash any more */
  c->is_packing = c->packed < size ? 1u : 0u;
  if (!c->is_packing) return 0;
  d2c__begin_file(c, D2C__EVENTS, events, size);
  d2c__seal(c);
  d2c__put_packed(c, in, size);
  d2c__write_stage(c);
  c->is_packing = 0;
  c->used = 0;
  c->chunk_events = 0;
  c->hashed = 0;
  d2c__end_chunk(c, events);
  return 1;
}

/* The same as it is. */
D2C__APART static void d2c__flush_plain(d2c* c) {
  const d2c_u32 size = c->used;
  const d2c_u32 events = c->chunk_events;
  d2c__file_header(c);
  if (size == 0) return;
  c->used = 0; /* the header stands in front of it */
  if (c->error == D2C_OK) {
    d2c__hash_whole_buffer(c, size);
    d2c__chunk_header(c, D2C__EVENTS, events, size);
    d2c__seal(c);
    d2c__index_chunk(c, events, size);
  }
  c->chunk_events = 0;
  c->hashed = 0;
  d2c__write(c, c->buffer, D2C__CHUNK_HEADER + size);
  d2c__end_chunk(c, events);
}

D2C__INLINE void d2c__flush_chunk(d2c* c) {
  if (c->packs == 0 || !d2c__flush_packed(c)) d2c__flush_plain(c);
}

/* ---------- events ---------- */

/* How a member of an event is written. */
enum {
  D2C__U32,
  D2C__U64,
  D2C__BOOL,
  D2C__TEXT,
  D2C__BYTES,
  D2C__WORDS,
  D2C__STRUCT,
  D2C__STRUCTS
};
#define D2C__ALWAYS 0xFFFFu

struct d2c__field {
  d2c_u16 at;    /* offset of the member */
  d2c_u16 has;   /* offset of has_NAME or NAME_items, or D2C__ALWAYS */
  d2c_u16 type;  /* D2C__U32, ... */
  d2c_u16 inner; /* layout of a structure */
  d2c_u32 value; /* the default, which is not written */
};

struct d2c__layout {
  const struct d2c__field* fields;
  d2c_u32 count;
  d2c_u32 size; /* of the structure in memory */
};

static const struct d2c__layout* d2c__layout_at(d2c_u32 index);

static d2c_u32 d2c__word_at(const d2c_u8* at) {
  return *(const d2c_u32*)(const void*)at;
}

/* Pointers of all types lie in memory alike. */
static const void* d2c__pointer_at(const d2c_u8* at) {
  union {
    const void* pointer;
    d2c_u8 bytes[sizeof(void*)];
  } value;
  size_t i;
  for (i = 0; i < sizeof(void*); ++i)
    value.bytes[i] = at[i];
  return value.pointer;
}

/* Sums that stay at D2C__NO_SIZE once they are there. */
static d2c_u32 d2c__sum(d2c_u32 a, d2c_u32 b) {
  return a > D2C__NO_SIZE - b ? D2C__NO_SIZE : a + b;
}

static d2c_u32 d2c__text_size(const char* text) {
  d2c_u32 size = 0;
  if (text == 0) return 0;
  while (text[size] != 0 && size != 0xFFFFu)
    ++size;
  return size;
}

/* Pieces that never end are too large. */
static d2c_u32 d2c__bytes_size(const struct d2c_bytes* bytes) {
  d2c_u32 size = 0;
  d2c_u32 pieces = 0;
  for (; bytes != 0; bytes = bytes->next) {
    if (++pieces == 0x10000u) return D2C__NO_SIZE;
    if (bytes->data != 0) size = d2c__sum(size, bytes->size);
  }
  return size;
}

/* Bytes of a member that is a number; 0 where it is absent. */
D2C__INLINE d2c_u32 d2c__number_size(const struct d2c__field* field, const d2c_u8* event) {
  const d2c_u8* at = event + field->at;
  const d2c_u32 size = field->type == D2C__U32 ? 4u : field->type == D2C__U64 ? 8u : 1u;
  if (field->has != D2C__ALWAYS) return d2c__word_at(event + field->has) != 0 ? size : 0;
  if (field->type == D2C__U32) return d2c__word_at(at) != field->value ? size : 0;
  if (field->type == D2C__U64) return (d2c__word_at(at) | d2c__word_at(at + 4)) != 0 ? size : 0;
  return (d2c__word_at(at) != 0) != (field->value != 0) ? size : 0;
}

/* Bytes of a member that is no structure; 0 where it is absent. */
D2C__APART static d2c_u32 d2c__member_size(const struct d2c__field* field, const d2c_u8* event) {
  const d2c_u8* at = event + field->at;
  d2c_u32 count;
  if (field->type <= D2C__BOOL) return d2c__number_size(field, event);
  if (field->type == D2C__WORDS) {
    count = d2c__pointer_at(at) == 0 ? 0 : d2c__word_at(event + field->has);
    if (count >= 0x3FFFFFFFu) return D2C__NO_SIZE;
    count *= 4;
  } else if (field->type == D2C__TEXT) {
    count = d2c__text_size((const char*)d2c__pointer_at(at));
  } else {
    count = d2c__bytes_size((const struct d2c_bytes*)(const void*)at);
  }
  return count == 0 ? 0 : d2c__sum(4, count);
}

/* Structures in a member: how many, and the first one. */
static d2c_u32 d2c__elements(const struct d2c__field* field, const d2c_u8* event,
                             const d2c_u8** first) {
  const d2c_u8* at = event + field->at;
  *first = at;
  if (field->type == D2C__STRUCT)
    return field->has == D2C__ALWAYS || d2c__word_at(event + field->has) != 0 ? 1u : 0u;
  *first = (const d2c_u8*)d2c__pointer_at(at);
  return *first == 0 ? 0 : d2c__word_at(event + field->has);
}

/* Bytes of a member that has structures, in which there are none; 0 where it is absent. */
D2C__APART static d2c_u32 d2c__inner_size(const struct d2c__field* field, const d2c_u8* event) {
  const struct d2c__layout* inner = d2c__layout_at(field->inner);
  const d2c_u8* element;
  d2c_u32 count = d2c__elements(field, event, &element);
  d2c_u32 size = field->type == D2C__STRUCTS && count != 0 ? 4 : 0;
  d2c_u32 i;
  for (; count != 0 && size != D2C__NO_SIZE; --count, element += inner->size) {
    size = d2c__sum(size, 8); /* the mask */
    for (i = 0; i < inner->count; ++i)
      size = d2c__sum(size, d2c__member_size(inner->fields + i, element));
  }
  return size;
}

static void d2c__announce_piece(d2c* c, const struct d2c_bytes* bytes) {
  if (bytes->data != 0 && bytes->row_size == 0 && bytes->size >= D2C__FAR)
    d2c__announce(&c->hash, (const d2c_u8*)bytes->data, bytes->size);
}

/* Bytes of the payload of the event at walk[0], and there, which members are present. */
D2C__APART static d2c_u32 d2c__event_size(d2c* c) {
  struct d2c_walk* walk = c->walk;
  const struct d2c__layout* layout = (const struct d2c__layout*)walk->layout;
  const struct d2c__field* field = layout->fields;
  const struct d2c__field* const end = field + layout->count;
  d2c_u32 size = 8; /* of the mask */
  d2c_u32 bit = 1;
  c->hash.ahead_size[0] = 0;
  c->hash.ahead_size[1] = 0;
  walk->mask = d2c_u64_of(0, 0);
  for (; field != end; ++field) {
    const d2c_u32 more = field->type <= D2C__BOOL    ? d2c__number_size(field, walk->event)
                         : field->type < D2C__STRUCT ? d2c__member_size(field, walk->event)
                                                     : d2c__inner_size(field, walk->event);
    if (more != 0) {
      if (more >= D2C__FAR && field->type == D2C__BYTES)
        d2c__announce_piece(c, (const struct d2c_bytes*)(const void*)(walk->event + field->at));
      size = d2c__sum(size, more);
      if (field < layout->fields + 32)
        walk->mask.lo |= bit;
      else
        walk->mask.hi |= bit;
    }
    bit = bit << 1 | bit >> 31;
  }
  if (c->hash.ahead_size[0] != 0) d2c__look_ahead(&c->hash, D2C__AHEAD);
  return size;
}

/* Bytes of the character at `text`, or 0 where there is none: UTF-8 without overlong forms and surrogates. */
static d2c_u32 d2c__utf8_size(const d2c_u8* text, d2c_u32 left) {
  const d2c_u32 first = text[0];
  const d2c_u32 size = first < 0x80   ? 1u
                       : first < 0xC2 ? 0u
                       : first < 0xE0 ? 2u
                       : first < 0xF0 ? 3u
                       : first < 0xF5 ? 4u
                                      : 0u;
  d2c_u32 i;
  if (size == 0 || size > left) return 0;
  for (i = 1; i < size; ++i) {
    if ((text[i] & 0xC0) != 0x80) return 0;
  }
  if (first == 0xE0 && text[1] < 0xA0) return 0;
  if (first == 0xED && text[1] > 0x9F) return 0;
  if (first == 0xF0 && text[1] < 0x90) return 0;
  if (first == 0xF4 && text[1] > 0x8F) return 0;
  return size;
}

static void d2c__small32(d2c* c, d2c_u32 word) {
  d2c_u8* at = c->small + c->small_size;
  D2C__STORE(at, word);
  c->small_size += 4;
}

/* The members of the structure at the walk, whose mask is there; then they come. */
static void d2c__begin_members(d2c* c) {
  struct d2c_walk* walk = c->walk + c->depth;
  walk->field = 0;
  walk->elements = 0;
  d2c__small32(c, walk->mask.lo);
  d2c__small32(c, walk->mask.hi);
}

#define D2C__TO_BEGIN 0xFFFFFFFFu /* in place of a field */

/* A structure within the event: begun where its first bytes are asked for. */
static void d2c__begin_inner(d2c* c, const struct d2c__layout* layout, const d2c_u8* event) {
  c->depth = 1;
  c->walk[1].layout = layout;
  c->walk[1].event = event;
  c->walk[1].field = D2C__TO_BEGIN;
}

D2C__APART static void d2c__begin_structure(d2c* c) {
  struct d2c_walk* walk = c->walk + 1;
  const struct d2c__layout* layout = (const struct d2c__layout*)walk->layout;
  d2c_u32 i;
  walk->mask = d2c_u64_of(0, 0);
  for (i = 0; i < layout->count; ++i) {
    if (d2c__member_size(layout->fields + i, walk->event) != 0) walk->mask.lo |= (d2c_u32)1 << i;
  }
  d2c__begin_members(c);
}

/* A structure has come to its end. */
static void d2c__end_structure(d2c* c) {
  const struct d2c_walk* inner = c->walk + 1;
  const struct d2c__layout* layout = (const struct d2c__layout*)inner->layout;
  if (c->walk[0].elements != 0) {
    --c->walk[0].elements;
    d2c__begin_inner(c, layout, inner->event + layout->size);
  } else {
    c->depth = 0;
  }
}

/* One member: numbers go to `small`, what is longer is kept in mind. */
D2C__APART static void d2c__begin_field(d2c* c, const struct d2c__field* field,
                                        const d2c_u8* event) {
  const d2c_u8* at = event + field->at;
  switch (field->type) {
    case D2C__U64:
      d2c__small32(c, d2c__word_at(at));
      d2c__small32(c, d2c__word_at(at + 4));
      break;
    case D2C__BOOL:
      c->small[c->small_size++] = d2c__word_at(at) != 0 ? 1 : 0;
      break;
    case D2C__TEXT:
      c->text = (const d2c_u8*)d2c__pointer_at(at);
      c->text_left = d2c__text_size((const char*)c->text);
      d2c__small32(c, c->text_left);
      break;
    case D2C__BYTES:
      c->bytes = (const struct d2c_bytes*)(const void*)at;
      c->at = 0;
      c->at_left = 0;
      d2c__small32(c, d2c__bytes_size(c->bytes));
      break;
    case D2C__WORDS:
      c->at = (const d2c_u8*)d2c__pointer_at(at);
      c->at_left = d2c__word_at(event + field->has);
      d2c__small32(c, c->at_left);
      c->at_left *= 4;
      break;
    case D2C__STRUCT:
      d2c__begin_inner(c, d2c__layout_at(field->inner), at);
      break;
    case D2C__STRUCTS:
      c->walk[0].elements = d2c__word_at(event + field->has) - 1;
      d2c__small32(c, c->walk[0].elements + 1);
      d2c__begin_inner(c, d2c__layout_at(field->inner), (const d2c_u8*)d2c__pointer_at(at));
      break;
    default:
      d2c__small32(c, d2c__word_at(at));
      break;
  }
}

/* The next row of bytes, or the next word: its size; 0 where no bytes are left. */
static d2c_u32 d2c__next_row(d2c* c, const d2c_u8** piece) {
  d2c_u32 size = c->at_left;
  *piece = c->at;
  if (c->bytes == 0) {
#ifndef D2C__LITTLE_ENDIAN
    if (size > 4) size = 4;
    if (size != 0) {
      const d2c_u32 word = d2c__word_at(c->at);
      D2C__STORE(c->small, word);
      *piece = c->small;
    }
#endif
    if (size != 0) c->at += size;
  } else {
    const struct d2c_bytes* bytes = c->bytes;
    while (size == 0 && bytes != 0) { /* the first row of the next piece */
      size = bytes->data == 0 ? 0 : bytes->size;
      if (size == 0) bytes = bytes->next;
    }
    if (c->at_left == 0) {
      c->bytes = bytes;
      if (bytes == 0) return 0;
      *piece = c->at = (const d2c_u8*)bytes->data;
      c->at_left = size;
    }
    if (bytes->row_size != 0 && bytes->row_size < size) size = bytes->row_size;
    if (size == c->at_left)
      c->bytes = bytes->next;
    else
      c->at += bytes->pitch;
  }
  c->at_left -= size;
  return size;
}

/* The next characters of a text: its size. Bytes that are no UTF-8 become question marks. */
static d2c_u32 d2c__next_characters(d2c* c, const d2c_u8** piece) {
  static const d2c_u8 question = '?';
  d2c_u32 size = 0;
  d2c_u32 next = 1;
  *piece = c->text;
  while (next != 0 && size < c->text_left) {
    next = d2c__utf8_size(c->text + size, c->text_left - size);
    size += next;
  }
  if (size == 0) {
    *piece = &question;
    size = 1;
  }
  c->text += size;
  c->text_left -= size;
  return size;
}

/* The next member, or the end of a structure; 0 at the end of the event. */
static int d2c__next_field(d2c* c) {
  struct d2c_walk* walk = c->walk + c->depth;
  const struct d2c__layout* layout = (const struct d2c__layout*)walk->layout;
  const d2c_u32 i = walk->field;
  if (i == D2C__TO_BEGIN) {
    d2c__begin_structure(c);
    return 1;
  }
  if (i == layout->count) {
    if (c->depth == 0) return 0;
    d2c__end_structure(c);
    return 1;
  }
  ++walk->field;
  if (((i < 32 ? walk->mask.lo >> i : walk->mask.hi >> (i - 32)) & 1) != 0)
    d2c__begin_field(c, layout->fields + i, walk->event);
  return 1;
}

/* The next bytes of the event; 0 at its end. */
D2C__APART static d2c_u32 d2c__next_piece(d2c* c, const d2c_u8** piece) {
  int goes_on = 1;
  while (goes_on) {
    d2c_u32 size;
    while (goes_on && c->bytes == 0 && c->at_left == 0 && c->text_left == 0 && c->small_size <= 48)
      goes_on = d2c__next_field(c);
    size = c->small_size;
    if (size != 0) {
      *piece = c->small;
      c->small_size = 0;
      return size;
    }
    if (c->text_left != 0) return d2c__next_characters(c, piece);
    size = d2c__next_row(c, piece); /* 0 where the last ones of a list of bytes are empty */
    if (size != 0) return size;
  }
  return 0;
}

/* From here on d2c__next_piece() gives the bytes of the event at walk[0], whose size was taken. */
D2C__APART static void d2c__begin_event(d2c* c) {
  c->left = c->size + D2C__EVENT_HEADER;
  c->depth = 0;
  c->bytes = 0;
  c->at_left = 0;
  c->text_left = 0;
  c->small_size = 0;
  d2c__small32(c, c->kind); /* and no flags */
  d2c__small32(c, c->size);
  d2c__begin_members(c);
}

/* The event has its number, and is in the chunk that is being made. */
static void d2c__count_event(d2c* c) {
  c->events = d2c__add(c->events, d2c_u64_of(0, 1));
  if (c->kind != D2C__LOST) ++c->chunk_count;
}

/* An event that is larger than the buffer: its own chunk, in two passes over the same bytes, of which the first one hashes them. */
D2C__APART static void d2c__record_streamed(d2c* c) {
  static const d2c_u8 zeros[64] = {0};
  const d2c_u8* piece;
  d2c_u32 now;
  const d2c_u32 all = c->size + D2C__EVENT_HEADER;
  if (c->packs)
    d2c__begin_packing(c, all);
  else
    d2c__begin_hash(c, all);
  while (!c->is_finished) {
    d2c__begin_event(c);
    while (c->error == D2C_OK && c->left != 0) {
      now = d2c__next_piece(c, &piece);
      if (now == 0) { /* what changed since its size was taken */
        piece = zeros;
        now = 64;
      }
      if (c->is_packing)
        d2c__put_packed(c, piece, now);
      else
        d2c__put(c, piece, now);
    }
    if (c->mode == D2C__TO_FILE) break;
    if (c->is_packing && c->packed >= all) {
      c->is_packing = 0;
      d2c__begin_hash(c, all);
      continue;
    }
    d2c__count_event(c);
    d2c__begin_file(c, D2C__EVENTS, 1, all);
    d2c__seal(c);
  }
  if (c->is_packing) d2c__fill_packed(c);
  d2c__write_stage(c);
  d2c__end_chunk(c, 1);
}

/* A member that is no number, after those in the buffer, where it is one piece; otherwise the pieces come. */
D2C__APART static void d2c__append_field(d2c* c, const struct d2c__field* field) {
  const d2c_u8* event = c->walk[0].event;
  const struct d2c_bytes* bytes = (const struct d2c_bytes*)(const void*)(event + field->at);
  if (field->type == D2C__BYTES && bytes->next == 0 && bytes->row_size == 0) {
    d2c__append32(c, bytes->size);
    d2c__append(c, (const d2c_u8*)bytes->data, bytes->size);
  } else {
    d2c__begin_field(c, field, event);
  }
}

/* An event that has room after those in the buffer. */
D2C__APART static void d2c__record_buffered(d2c* c) {
  static const d2c_u8 zeros[64] = {0};
  const struct d2c__field* field = ((const struct d2c__layout*)c->walk[0].layout)->fields;
  struct d2c_u64 bits = c->walk[0].mask;
  const d2c_u8* piece;
  d2c_u32 size;
  c->mode = D2C__TO_BUFFER;
  c->staged = 0;
  d2c__begin_event(c);
  c->walk[0].field =
      ((const struct d2c__layout*)c->walk[0].layout)->count; /* only for inner ones */
  d2c__append(c, c->small, c->small_size);
  c->small_size = 0;
  for (; (bits.lo | bits.hi) != 0; ++field) {
    const d2c_u8* at = c->walk[0].event + field->at;
    const d2c_u32 is_present = bits.lo & 1;
    bits.lo = bits.lo >> 1 | bits.hi << 31;
    bits.hi >>= 1;
    if (!is_present) continue;
    if (field->type == D2C__U32) {
      d2c__append32(c, d2c__word_at(at));
    } else if (field->type == D2C__U64) {
      d2c__append32(c, d2c__word_at(at));
      d2c__append32(c, d2c__word_at(at + 4));
    } else {
      d2c__append_field(c, field);
      while ((size = d2c__next_piece(c, &piece)) != 0)
        d2c__append(c, piece, size);
    }
  }
  while (c->left != 0) /* what changed since its size was taken */
    d2c__append(c, zeros, 64);
  c->used += c->staged;
  c->staged = 0;
  ++c->chunk_events;
  d2c__count_event(c);
}

/* Whether the event at walk[0] can be recorded: its size is taken. */
static int d2c__has_size(d2c* c) {
  c->size = d2c__event_size(c);
  if (c->size > D2C__NO_SIZE - 1 - D2C__EVENT_HEADER) {
    d2c__lose(c, 1, D2C_LOST_CAUSE_SIZE);
    c->error = D2C_E_SIZE;
    return 0;
  }
  if (c->largest != 0 && c->size > c->largest && c->kind != D2C__HEADER && c->kind != D2C__LOST) {
    d2c__lose(c, 1, D2C_LOST_CAUSE_LIMIT);
    return 0;
  }
  return 1;
}

/* How the event at walk[0] is recorded: not at all, in the buffer, on its own; and whether the buffer is to be emptied before. */
enum { D2C__LEFT_OUT = 0, D2C__BUFFERED = 1, D2C__STREAMED = 2, D2C__FULL = 4 };

D2C__APART static int d2c__prepare(d2c* c) {
  if (!d2c__has_size(c)) return D2C__LEFT_OUT;
  if (c->size + D2C__EVENT_HEADER > c->capacity) return D2C__STREAMED | D2C__FULL;
  return c->used > c->capacity - c->size - D2C__EVENT_HEADER ? D2C__BUFFERED | D2C__FULL
                                                             : D2C__BUFFERED;
}

/* After the emptying, which may have failed. */
D2C__APART static int d2c__admit(d2c* c, int how) {
  if (c->is_finished) return D2C__LEFT_OUT;
  if (c->error != D2C_OK && how == D2C__LEFT_OUT) return how;
  if (c->error != D2C_OK && ((how & D2C__STREAMED) != 0 || c->kind == D2C__LOST)) {
    d2c__lose(c, c->kind != D2C__LOST ? 1u : 0u, D2C_LOST_CAUSE_WRITE);
    return D2C__LEFT_OUT;
  }
  if (c->before == D2C_OK) c->before = c->error;
  c->error = D2C_OK;
  return how & ~D2C__FULL;
}

/* ---------- calls ---------- */

static int d2c__is_open(const d2c* c) {
  return c != 0 && c->is_open == D2C__OPEN;
}

/* Adds to a number that other threads add to: what another one put there meanwhile is added next. */
static void d2c__add_shared(volatile d2c_u32* at, d2c_u32 count) {
  while (count != 0) {
    count += D2C_EXCHANGE(at, 0);
    count = D2C_EXCHANGE(at, count);
  }
}

static void d2c__repair(d2c* c);

/* Takes the recorder for a call, or says why not. */
static int d2c__enter(d2c* c) {
  if (!d2c__is_open(c)) return D2C_E_ARGUMENT;
  D2C_LOCK(c);
  if (D2C_EXCHANGE(&c->busy, 1) != 0) {
    if (c->is_writing != D2C__UNWOUND || c->unwound >= D2C__MOST_UNWOUND) {
      d2c__add_shared(&c->refused, 1);
      D2C_UNLOCK(c);
      return D2C_E_NESTED;
    }
    ++c->unwound;
    d2c__repair(c);
  }
  c->error = c->is_finished ? D2C_E_FINISHED : D2C_OK;
  return D2C_OK;
}

/* And gives it back. */
static int d2c__leave(d2c* c) {
  const int error = c->error;
  if (c->first_error == D2C_OK && (error == D2C_E_WRITE || error == D2C_E_SIZE))
    c->first_error = error;
  (void)D2C_EXCHANGE(&c->busy, 0);
  D2C_UNLOCK(c);
  return error;
}

static const d2c_u8* d2c__default_header(d2c* c);
static void d2c__keep_header(d2c* c, const void* event);
static int d2c__is_of_none(const void* event);

/* A `lost` for what was lost and is not in the trace yet, or 0. */
static const void* d2c__tell(d2c* c) {
  if (c->refused != 0) d2c__lose(c, D2C_EXCHANGE(&c->refused, 0), D2C_LOST_CAUSE_BUSY);
  if (c->lost == 0 || c->error != D2C_OK || !c->has_header) return 0;
  c->report[0] = c->lost;
  c->report[1] = c->lost_cause;
  if (c->chunk_lost == 0) c->chunk_cause = c->lost_cause;
  c->chunk_lost = c->lost > D2C__NO_SIZE - c->chunk_lost ? D2C__NO_SIZE : c->chunk_lost + c->lost;
  c->lost = 0;
  return c->report;
}

/* The number of the next event, counted from its header. */
static struct d2c_u64 d2c__number(const d2c* c) {
  return d2c_u64_of(c->events.hi - c->session.hi - (c->events.lo < c->session.lo ? 1 : 0),
                    c->events.lo - c->session.lo);
}

/*
 * The next event of a call, to walk[0]: a header of default values where there is none yet, what was given, and what was lost, where that may
 * stand. 0: there are no more.
 */
D2C__APART static int d2c__choose(d2c* c) {
  const void* event = 0;
  d2c_u32 layout = D2C__HEADER_LAYOUT;
  c->kind = D2C__HEADER;
  if (c->step == 0 && ++c->step && !c->has_header && c->given_kind != D2C__HEADER)
    event = d2c__default_header(c);
  if (event == 0 && c->step == 1) {
    ++c->step;
    c->number = d2c__number(c);
    c->kind = c->given_kind;
    layout = c->given_layout;
    event = c->given;
  }
  if (event == 0 && c->step == 2) {
    ++c->step;
    c->kind = D2C__LOST;
    layout = D2C__LOST_LAYOUT;
    if (c->given_kind < 16 && (D2C__LOST_AFTER >> c->given_kind & 1) != 0) event = d2c__tell(c);
  }
  if (event == 0) return 0;
  c->walk[0].layout = d2c__layout_at(layout);
  c->walk[0].event = (const d2c_u8*)event;
  c->before = c->error;
  c->error = D2C_OK;
  c->session_before = c->session;
  c->events_before = c->events;
  if (c->kind == D2C__HEADER) {
    c->session = c->events;
    c->has_header = 1;
  }
  return 1;
}

/* After the recording of it. 1: the buffer is to be emptied. */
D2C__APART static int d2c__settle(d2c* c) {
  const int is_lost = c->events.lo == c->events_before.lo;
  if (c->kind == D2C__HEADER) {
    c->frames = 0;
    if (is_lost) {
      c->session = c->session_before;
      c->has_header = 0;
    }
    d2c__keep_header(c, c->walk[0].event);
  }
  if (c->kind == D2C__PRESENT && !is_lost) {
    ++c->frames;
    d2c__index_frame(c);
  }
  if (is_lost && c->step == 2) c->number = D2C__NO_EVENT;
  return c->used != 0 && (c->used >= c->capacity || c->flush == D2C_FLUSH_EVENT ||
                          (c->flush == D2C_FLUSH_FRAME && c->kind == D2C__PRESENT));
}

/* Within a call: the event (kind 0: none), and what goes before and after it. */
D2C__INLINE void d2c__put_event(d2c* c, d2c_u32 kind, d2c_u32 layout, const void* event) {
  c->number = D2C__NO_EVENT;
  if (c->is_finished) return;
  if (kind == D2C__HEADER && event != 0) c->is_paused = 0;
  if (c->is_paused && kind != 0) return;
  if (kind != 0 && event == 0) {
    d2c__lose(c, 1, D2C_LOST_CAUSE_ARGUMENT);
    c->error = D2C_E_ARGUMENT;
    return;
  }
  if (kind == D2C__CALL_RESULT && d2c__is_of_none(event)) return;
  c->given = event;
  c->given_kind = kind;
  c->given_layout = layout;
  c->step = 0;
  while (d2c__choose(c)) {
    int how = d2c__prepare(c);
    if ((how & D2C__FULL) != 0) d2c__flush_chunk(c);
    how = d2c__admit(c, how);
    if (how == D2C__BUFFERED)
      d2c__record_buffered(c);
    else if (how == D2C__STREAMED)
      d2c__record_streamed(c);
    if (d2c__settle(c)) d2c__flush_chunk(c);
    if (c->error == D2C_OK) c->error = c->before;
  }
}

/* A call that records the event. */
D2C__APART static int d2c__event(d2c* c, d2c_u32 kind, d2c_u32 layout, const void* event) {
  const int entered = d2c__enter(c);
  if (entered != D2C_OK) return entered;
  d2c__put_event(c, kind, layout, event);
  return d2c__leave(c);
}

/* And says what number it got. */
D2C__INLINE int d2c__numbered(d2c* c, d2c_u32 kind, d2c_u32 layout, const void* event,
                              struct d2c_u64* number) {
  int entered;
  if (number != 0) *number = D2C__NO_EVENT;
  entered = d2c__enter(c);
  if (entered != D2C_OK) return entered;
  d2c__put_event(c, kind, layout, event);
  if (number != 0) *number = c->number;
  return d2c__leave(c);
}

D2C__APART static void d2c__init(void* event, d2c_u32 layout) {
  const struct d2c__layout* of = d2c__layout_at(layout);
  d2c_u32 i;
  if (event == 0) return;
  d2c__zero(event, of->size);
  for (i = 0; i < of->count; ++i) {
    const struct d2c__field* field = of->fields + i;
    if (field->value != 0) *(d2c_u32*)(void*)((d2c_u8*)event + field->at) = field->value;
    if (field->type == D2C__STRUCT) d2c__init((d2c_u8*)event + field->at, field->inner);
  }
}

D2C_API void D2C_CALL d2c_open(d2c* c, d2c_write_fn write, void* user, void* buffer,
                               d2c_u32 buffer_size, void* index, d2c_u32 index_size) {
  if (c == 0) return;
  if (d2c__is_open(c) && c->busy && c->is_writing == D2C__OPEN) { /* the callback does it */
    d2c__add_shared(&c->refused, 1);
    return;
  }
  d2c__zero(c, sizeof *c);
  c->write = write;
  c->user = user;
  if (buffer != 0 && buffer_size > D2C__CHUNK_HEADER) {
    c->buffer = (d2c_u8*)buffer;
    c->capacity = buffer_size - D2C__CHUNK_HEADER;
    if (c->capacity > D2C_CHUNK_SIZE) c->capacity = D2C_CHUNK_SIZE;
  }
  c->index = (d2c_u8*)index;
  c->index_size = index == 0 ? 0 : index_size;
  c->is_index_lost = index == 0 ? 1u : 0u;
  c->is_open = write == 0 ? 0u : D2C__OPEN;
}

D2C_API void D2C_CALL d2c_set_flush(d2c* c, d2c_u32 policy) {
  if (d2c__is_open(c)) c->flush = policy;
}

D2C_API void D2C_CALL d2c_set_largest(d2c* c, d2c_u32 bytes) {
  if (d2c__is_open(c)) c->largest = bytes;
}

D2C_API int D2C_CALL d2c_leave_out(d2c* c, d2c_u32 cause) {
  const int entered = d2c__enter(c);
  if (entered != D2C_OK) return entered;
  if (!c->is_finished && !c->is_paused) d2c__lose(c, 1, cause);
  return d2c__leave(c);
}

D2C_API int D2C_CALL d2c_pause(d2c* c) {
  const int flushed = d2c_flush(c);
  if (d2c__is_open(c) && flushed != D2C_E_NESTED) c->is_paused = 1;
  return flushed;
}

D2C_API void D2C_CALL d2c_set_packing(d2c* c, d2c_u32 on) {
  if (d2c__is_open(c)) c->packs = on;
}

D2C_API int D2C_CALL d2c_every(const d2c* c, d2c_u32 n) {
  return d2c__is_open(c) && n != 0 && c->frames % n == 0;
}

D2C_API int D2C_CALL d2c_error(const d2c* c) {
  return d2c__is_open(c) ? c->first_error : D2C_E_ARGUMENT;
}

D2C_API struct d2c_u64 D2C_CALL d2c_next_event(const d2c* c) {
  if (!d2c__is_open(c) || c->is_paused) return D2C__NO_EVENT;
  return c->has_header ? d2c__number(c) : d2c_u64_of(0, 1); /* after a header of default values */
}

D2C_API int D2C_CALL d2c_flush(d2c* c) {
  const int entered = d2c__enter(c);
  if (entered != D2C_OK) return entered;
  if (!c->is_finished) {
    d2c__flush_chunk(c);
    if (c->has_header && (c->lost | c->refused) != 0) {
      d2c__put_event(c, 0, 0, 0);
      d2c__flush_chunk(c);
    }
  }
  return d2c__leave(c);
}

/* A number of the index or the footer, in `small`. */
static void d2c__small64(d2c* c, struct d2c_u64 value) {
  d2c__small32(c, value.lo);
  d2c__small32(c, value.hi);
}

D2C__APART static void d2c__put_index(d2c* c) {
  d2c_u32 i;
  if (!c->is_index_lost) {
    c->small_size = 0;
    d2c__small64(c, c->events);
    d2c__small64(c, d2c_u64_of(0, c->index_chunks));
    d2c__small64(c, d2c_u64_of(0, c->index_frames));
    d2c__put(c, c->small, c->small_size);
    d2c__put(c, c->index, 24 * c->index_chunks);
    for (i = 1; i <= c->index_frames; ++i)
      d2c__put(c, c->index + c->index_size - 8 * i, 8);
  }
  d2c__put_zeros(c);
}

/* `size`: of the chunk of the index at `offset`. */
D2C__APART static void d2c__begin_footer(d2c* c, struct d2c_u64 offset, d2c_u32 size) {
  const d2c_u32 is_known = c->is_index_lost ? 0u : 1u;
  c->small_size = 0;
  d2c__small64(c, offset);
  d2c__small64(c, d2c_u64_of(0, size));
  d2c__small64(c, is_known ? c->events : d2c_u64_of(0, 0));
  d2c__small64(c, d2c_u64_of(0, is_known * c->index_frames));
  d2c__small64(c, d2c_u64_of(0, is_known * c->index_chunks));
  d2c__small64(c, d2c__add(offset, d2c_u64_of(0, size + D2C__CHUNK_HEADER + 48)));
}

D2C__APART static int d2c__finish(d2c* c) {
  struct d2c_u64 offset;
  d2c_u32 size;
  const int entered = d2c__enter(c);
  if (entered != D2C_OK) return entered;
  if (c->is_finished) return d2c__leave(c);
  d2c__flush_chunk(c);
  offset = c->position;
  size = c->is_index_lost ? 24 : 24 + 24 * c->index_chunks + 8 * c->index_frames;
  d2c__begin_hash(c, size);
  d2c__put_index(c);
  d2c__begin_file(c, D2C__INDEX, 0, size);
  d2c__seal(c);
  d2c__put_index(c);
  d2c__write_stage(c);
  d2c__begin_footer(c, offset, size + D2C__CHUNK_HEADER);
  d2c__begin_hash(c, 48);
  d2c__put(c, c->small, 48);
  d2c__begin_file(c, D2C__FOOTER, 0, 48);
  d2c__seal(c);
  d2c__put(c, c->small, 48);
  d2c__write_stage(c);
  c->is_finished = 1;
  return d2c__leave(c);
}

D2C_API int D2C_CALL d2c_finish(d2c* c) {
  const int begun = d2c__event(c, 0, 0, 0); /* the header, where there is no event */
  return begun != D2C_OK ? begun : d2c__finish(c);
}

/* After a call that was unwound. */
D2C__APART static void d2c__repair(d2c* c) {
  c->is_writing = 0;
  if (c->mode == D2C__TO_FILE && c->error == D2C_OK) {
    if (c->is_packing)
      d2c__fill_packed(c);
    else
      d2c__put_zeros(c);
    d2c__write_stage(c);
  }
  c->is_packing = 0;
  c->staged = 0;
  c->hashed = 0; /* what was left out may be in the hash */
  c->left = 0;
  c->mode = D2C__TO_BUFFER;
  d2c__lose(c, 1, D2C_LOST_CAUSE_FAULT);
}

D2C_API int D2C_CALL d2c_recover(d2c* c) {
  if (!d2c__is_open(c)) return D2C_E_ARGUMENT;
  if (!c->busy || c->is_writing == D2C__UNWOUND) return D2C_OK;
  if (c->is_writing == D2C__OPEN) {
    /* The callback was unwound, and the next call repairs; or it calls this itself, and its return undoes it. */
    c->is_writing = D2C__UNWOUND;
    D2C_UNLOCK(c);
    return D2C_OK;
  }
  d2c__repair(c);
  return d2c__leave(c);
}

D2C_API struct d2c_u64 D2C_CALL d2c_pointer(const void* pointer) {
  const D2C_UPTR value = (D2C_UPTR)pointer;
  return d2c_u64_of((d2c_u32)(value >> 16 >> 16 & 0xFFFFFFFFu), (d2c_u32)(value & 0xFFFFFFFFu));
}

D2C_API struct d2c_bytes D2C_CALL d2c_bytes_of(const void* data, d2c_u32 size) {
  struct d2c_bytes bytes;
  bytes.data = data;
  bytes.size = size;
  bytes.row_size = 0;
  bytes.pitch = 0;
  bytes.next = 0;
  return bytes;
}

D2C_API struct d2c_bytes D2C_CALL d2c_rows_of(const void* data, d2c_u32 row_size, d2c_u32 rows,
                                              d2c_i32 pitch) {
  struct d2c_bytes bytes = d2c_bytes_of(data, row_size * rows);
  bytes.row_size = row_size;
  bytes.pitch = pitch;
  return bytes;
}

#define D2C__AT(type, member) ((d2c_u16)offsetof(struct type, member))
#define D2C__LAYOUT(name)                                                                    \
  {                                                                                          \
    d2c__fields_##name, (d2c_u32)(sizeof d2c__fields_##name / sizeof d2c__fields_##name[0]), \
        (d2c_u32)sizeof(struct d2c_##name)                                                   \
  }

/* clang-format off */
/* <generated: definitions> */
static const struct d2c__field d2c__fields_rect[] = {
    {D2C__AT(d2c_rect, left), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_rect, top), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_rect, right), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_rect, bottom), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_box[] = {
    {D2C__AT(d2c_box, left), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_box, top), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_box, right), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_box, bottom), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_box, front), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_box, back), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_range[] = {
    {D2C__AT(d2c_range, offset), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_range, size), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_color_key[] = {
    {D2C__AT(d2c_color_key, low), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_color_key, high), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_pixel_format[] = {
    {D2C__AT(d2c_pixel_format, size), D2C__ALWAYS, D2C__U32, 0, 32},
    {D2C__AT(d2c_pixel_format, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_pixel_format, four_cc), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_pixel_format, bit_count), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_pixel_format, red_mask), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_pixel_format, green_mask), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_pixel_format, blue_mask), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_pixel_format, alpha_mask), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_cap_value[] = {
    {D2C__AT(d2c_cap_value, name), D2C__ALWAYS, D2C__TEXT, 0, 0},
    {D2C__AT(d2c_cap_value, value), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_sub_surface[] = {
    {D2C__AT(d2c_sub_surface, handle), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sub_surface, face), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sub_surface, level), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sub_surface, caps2), D2C__AT(d2c_sub_surface, has_caps2), D2C__U32, 0, 0},
    {D2C__AT(d2c_sub_surface, width), D2C__AT(d2c_sub_surface, has_width), D2C__U32, 0, 0},
    {D2C__AT(d2c_sub_surface, height), D2C__AT(d2c_sub_surface, has_height), D2C__U32, 0, 0},
    {D2C__AT(d2c_sub_surface, pitch), D2C__AT(d2c_sub_surface, has_pitch), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_dp2_env[] = {
    {D2C__AT(d2c_dp2_env, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_env, vertex_type), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_env, vertex_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_env, vertex_offset), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_env, vertex_length), D2C__AT(d2c_dp2_env, has_vertex_length), D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_env, vertex_source), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_env, vertices), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_dp2_env, allocation_index), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_triple[] = {
    {D2C__AT(d2c_triple, command_buffer), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_triple, command_buffer_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_triple, allocation_list), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_triple, allocation_list_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_triple, patch_location_list), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_triple, patch_location_list_size), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_d3d_context[] = {
    {D2C__AT(d2c_d3d_context, runtime_version), D2C__ALWAYS, D2C__U32, 0, 5},
    {D2C__AT(d2c_d3d_context, target), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_d3d_context, depth), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_d3d_context, pure_device), D2C__ALWAYS, D2C__BOOL, 0, 0}};
static const struct d2c__field d2c__fields_allocation_info[] = {
    {D2C__AT(d2c_allocation_info, allocation), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_info, system_memory), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_allocation_info, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_info, vidpn_source_id), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_info, model_size), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_allocation_info, model_kind), D2C__ALWAYS, D2C__U32, 0, 8},
    {D2C__AT(d2c_allocation_info, private_driver_data), D2C__ALWAYS, D2C__BYTES, 0, 0}};
static const struct d2c__field d2c__fields_header[] = {
    {D2C__AT(d2c_header, generator), D2C__ALWAYS, D2C__TEXT, 0, 0},
    {D2C__AT(d2c_header, driver_level), D2C__ALWAYS, D2C__U32, 0, 9},
    {D2C__AT(d2c_header, d3d9ex), D2C__ALWAYS, D2C__BOOL, 0, 0},
    {D2C__AT(d2c_header, pointer_width), D2C__ALWAYS, D2C__U32, 0, 32},
    {D2C__AT(d2c_header, os_profile), D2C__ALWAYS, D2C__U32, 0, 3},
    {D2C__AT(d2c_header, length_origin), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_header, dp2_handle_mode), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_header, palette_order), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_header, caps), D2C__AT(d2c_header, caps_items), D2C__STRUCTS, 5, 0},
    {D2C__AT(d2c_header, formats), D2C__AT(d2c_header, formats_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_header, start), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_header, raw_caps), D2C__ALWAYS, D2C__BYTES, 0, 0}};
static const struct d2c__field d2c__fields_context_create[] = {
    {D2C__AT(d2c_context_create, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_context_create, context), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_context_create, target), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_context_create, depth), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_context_create, runtime_version), D2C__ALWAYS, D2C__U32, 0, 5},
    {D2C__AT(d2c_context_create, pure_device), D2C__ALWAYS, D2C__BOOL, 0, 0},
    {D2C__AT(d2c_context_create, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_context_create, ddrval), D2C__AT(d2c_context_create, has_ddrval), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_context_destroy[] = {
    {D2C__AT(d2c_context_destroy, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_context_destroy, context), D2C__ALWAYS, D2C__U64, 0, 0}};
static const struct d2c__field d2c__fields_surface_create[] = {
    {D2C__AT(d2c_surface_create, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, handle), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, kind), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, caps), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, caps2), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, caps3), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, caps4), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, format), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, pixel_format), D2C__AT(d2c_surface_create, has_pixel_format), D2C__STRUCT, 4, 0},
    {D2C__AT(d2c_surface_create, width), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, height), D2C__ALWAYS, D2C__U32, 0, 1},
    {D2C__AT(d2c_surface_create, depth), D2C__ALWAYS, D2C__U32, 0, 1},
    {D2C__AT(d2c_surface_create, levels), D2C__ALWAYS, D2C__U32, 0, 1},
    {D2C__AT(d2c_surface_create, faces), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, samples), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, sample_quality), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, pitch), D2C__AT(d2c_surface_create, has_pitch), D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, color_key), D2C__AT(d2c_surface_create, has_color_key), D2C__STRUCT, 3, 0},
    {D2C__AT(d2c_surface_create, empty_face_color), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_create, flip_chain), D2C__AT(d2c_surface_create, flip_chain_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_surface_create, sub_surfaces), D2C__AT(d2c_surface_create, sub_surfaces_items), D2C__STRUCTS, 6, 0}};
static const struct d2c__field d2c__fields_surface_destroy[] = {
    {D2C__AT(d2c_surface_destroy, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_destroy, handle), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_surface_update[] = {
    {D2C__AT(d2c_surface_update, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_update, handle), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_update, face), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_update, level), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_update, rect), D2C__AT(d2c_surface_update, has_rect), D2C__STRUCT, 0, 0},
    {D2C__AT(d2c_surface_update, box), D2C__AT(d2c_surface_update, has_box), D2C__STRUCT, 1, 0},
    {D2C__AT(d2c_surface_update, range), D2C__AT(d2c_surface_update, has_range), D2C__STRUCT, 2, 0},
    {D2C__AT(d2c_surface_update, pitch), D2C__AT(d2c_surface_update, has_pitch), D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_update, slice_pitch), D2C__AT(d2c_surface_update, has_slice_pitch), D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_update, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_update, data), D2C__ALWAYS, D2C__BYTES, 0, 0}};
static const struct d2c__field d2c__fields_surface_read[] = {
    {D2C__AT(d2c_surface_read, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_read, handle), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_read, face), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_read, level), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_surface_read, rect), D2C__AT(d2c_surface_read, has_rect), D2C__STRUCT, 0, 0},
    {D2C__AT(d2c_surface_read, box), D2C__AT(d2c_surface_read, has_box), D2C__STRUCT, 1, 0},
    {D2C__AT(d2c_surface_read, range), D2C__AT(d2c_surface_read, has_range), D2C__STRUCT, 2, 0},
    {D2C__AT(d2c_surface_read, flags), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_dp2[] = {
    {D2C__AT(d2c_dp2, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, context), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_dp2, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, vertex_type), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, vertex_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, vertex_offset), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, vertex_length), D2C__AT(d2c_dp2, has_vertex_length), D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, command_offset), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, command_length), D2C__AT(d2c_dp2, has_command_length), D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, command_buffer_size), D2C__AT(d2c_dp2, has_command_buffer_size), D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, vertex_buffer_size), D2C__AT(d2c_dp2, has_vertex_buffer_size), D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, vertex_buffer), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, req_vertex_buf_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, req_command_buf_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, commands_pointer), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_dp2, vertices_pointer), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_dp2, rstates_pointer), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_dp2, commands), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_dp2, vertices), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_dp2, rstates), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_dp2, ddrval), D2C__AT(d2c_dp2, has_ddrval), D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, error_offset), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, flags_out), D2C__AT(d2c_dp2, has_flags_out), D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2, commands_pointer_out), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_dp2, vertices_pointer_out), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_dp2, response), D2C__ALWAYS, D2C__BYTES, 0, 0}};
static const struct d2c__field d2c__fields_render[] = {
    {D2C__AT(d2c_render, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, thread), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, origin), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, payload), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, context), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, command_offset), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, command_length), D2C__AT(d2c_render, has_command_length), D2C__U32, 0, 0},
    {D2C__AT(d2c_render, allocation_count), D2C__AT(d2c_render, has_allocation_count), D2C__U32, 0, 0},
    {D2C__AT(d2c_render, patch_location_count), D2C__AT(d2c_render, has_patch_location_count), D2C__U32, 0, 0},
    {D2C__AT(d2c_render, new_command_buffer_pointer), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_render, new_command_buffer_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, new_allocation_list_pointer), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_render, new_allocation_list_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, new_patch_location_list_pointer), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_render, new_patch_location_list_size), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, present_history_token), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_render, broadcast_context_count), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, broadcast_context), D2C__AT(d2c_render, broadcast_context_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_render, new_command_buffer), D2C__AT(d2c_render, has_new_command_buffer), D2C__U64, 0, 0},
    {D2C__AT(d2c_render, private_driver_data), D2C__AT(d2c_render, has_private_driver_data), D2C__U64, 0, 0},
    {D2C__AT(d2c_render, private_driver_data_size), D2C__AT(d2c_render, has_private_driver_data_size), D2C__U32, 0, 0},
    {D2C__AT(d2c_render, command_buffer), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_render, allocation_list), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_render, patch_location_list), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_render, raw_in), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_render, raw_out), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_render, status), D2C__AT(d2c_render, has_status), D2C__U32, 0, 0},
    {D2C__AT(d2c_render, out), D2C__AT(d2c_render, has_out), D2C__STRUCT, 8, 0},
    {D2C__AT(d2c_render, queued_buffer_count), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_render, new_command_buffer_out), D2C__AT(d2c_render, has_new_command_buffer_out), D2C__U64, 0, 0},
    {D2C__AT(d2c_render, dp2_env), D2C__AT(d2c_render, has_dp2_env), D2C__STRUCT, 7, 0},
    {D2C__AT(d2c_render, buffers), D2C__AT(d2c_render, has_buffers), D2C__STRUCT, 8, 0}};
static const struct d2c__field d2c__fields_blt[] = {
    {D2C__AT(d2c_blt, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, kind), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, src), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, src_face), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, src_level), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, src_rect), D2C__AT(d2c_blt, has_src_rect), D2C__STRUCT, 0, 0},
    {D2C__AT(d2c_blt, dest), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, dest_face), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, dest_level), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, dest_rect), D2C__AT(d2c_blt, has_dest_rect), D2C__STRUCT, 0, 0},
    {D2C__AT(d2c_blt, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, src_color_key), D2C__AT(d2c_blt, has_src_color_key), D2C__STRUCT, 3, 0},
    {D2C__AT(d2c_blt, dest_color_key), D2C__AT(d2c_blt, has_dest_color_key), D2C__STRUCT, 3, 0},
    {D2C__AT(d2c_blt, fill), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_blt, ddrval), D2C__AT(d2c_blt, has_ddrval), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_present[] = {
    {D2C__AT(d2c_present, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_present, handle), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_present, rect), D2C__AT(d2c_present, has_rect), D2C__STRUCT, 0, 0}};
static const struct d2c__field d2c__fields_marker[] = {
    {D2C__AT(d2c_marker, text), D2C__ALWAYS, D2C__TEXT, 0, 0},
    {D2C__AT(d2c_marker, source), D2C__ALWAYS, D2C__TEXT, 0, 0},
    {D2C__AT(d2c_marker, position), D2C__AT(d2c_marker, has_position), D2C__U64, 0, 0}};
static const struct d2c__field d2c__fields_call_result[] = {
    {D2C__AT(d2c_call_result, call), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_call_result, ddrval), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_call_result, error_offset), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_call_result, flags_out), D2C__AT(d2c_call_result, has_flags_out), D2C__U32, 0, 0},
    {D2C__AT(d2c_call_result, commands_pointer_out), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_call_result, vertices_pointer_out), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_call_result, response), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_call_result, raw_out), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_call_result, out), D2C__AT(d2c_call_result, has_out), D2C__STRUCT, 8, 0},
    {D2C__AT(d2c_call_result, queued_buffer_count), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_call_result, new_command_buffer_out), D2C__AT(d2c_call_result, has_new_command_buffer_out), D2C__U64, 0, 0}};
static const struct d2c__field d2c__fields_picture[] = {
    {D2C__AT(d2c_picture, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_picture, handle), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_picture, face), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_picture, level), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_picture, rect), D2C__AT(d2c_picture, has_rect), D2C__STRUCT, 0, 0},
    {D2C__AT(d2c_picture, format), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_picture, pixel_format), D2C__AT(d2c_picture, has_pixel_format), D2C__STRUCT, 4, 0},
    {D2C__AT(d2c_picture, pitch), D2C__AT(d2c_picture, has_pitch), D2C__U32, 0, 0},
    {D2C__AT(d2c_picture, data), D2C__ALWAYS, D2C__BYTES, 0, 0}};
static const struct d2c__field d2c__fields_lost[] = {
    {D2C__AT(d2c_lost, events), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_lost, cause), D2C__ALWAYS, D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_adapter_open[] = {
    {D2C__AT(d2c_adapter_open, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_adapter_open, adapter), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_adapter_open, max_allocation_list_slot_id), D2C__AT(d2c_adapter_open, has_max_allocation_list_slot_id), D2C__U32, 0, 0},
    {D2C__AT(d2c_adapter_open, wddm_version), D2C__AT(d2c_adapter_open, has_wddm_version), D2C__U32, 0, 0},
    {D2C__AT(d2c_adapter_open, no_dma_patching), D2C__ALWAYS, D2C__BOOL, 0, 0},
    {D2C__AT(d2c_adapter_open, supports_gdi_accel), D2C__ALWAYS, D2C__BOOL, 0, 0},
    {D2C__AT(d2c_adapter_open, status), D2C__AT(d2c_adapter_open, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_adapter_close[] = {
    {D2C__AT(d2c_adapter_close, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_adapter_close, adapter), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_adapter_close, status), D2C__AT(d2c_adapter_close, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_device_create[] = {
    {D2C__AT(d2c_device_create, space), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_device_create, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_device_create, adapter), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_device_create, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_device_create, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_device_create, triple), D2C__AT(d2c_device_create, has_triple), D2C__STRUCT, 8, 0},
    {D2C__AT(d2c_device_create, guaranteed_contract), D2C__ALWAYS, D2C__BOOL, 0, 0},
    {D2C__AT(d2c_device_create, status), D2C__AT(d2c_device_create, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_device_destroy[] = {
    {D2C__AT(d2c_device_destroy, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_device_destroy, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_device_destroy, status), D2C__AT(d2c_device_destroy, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_kmt_context_create[] = {
    {D2C__AT(d2c_kmt_context_create, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_create, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_create, context), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_create, kind), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_create, node_ordinal), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_create, engine_affinity), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_create, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_create, client_hint), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_create, private_driver_data), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_kmt_context_create, triple), D2C__AT(d2c_kmt_context_create, has_triple), D2C__STRUCT, 8, 0},
    {D2C__AT(d2c_kmt_context_create, command_buffer_address), D2C__AT(d2c_kmt_context_create, has_command_buffer_address), D2C__U64, 0, 0},
    {D2C__AT(d2c_kmt_context_create, d3d), D2C__AT(d2c_kmt_context_create, has_d3d), D2C__STRUCT, 9, 0},
    {D2C__AT(d2c_kmt_context_create, no_patching), D2C__ALWAYS, D2C__BOOL, 0, 0},
    {D2C__AT(d2c_kmt_context_create, status), D2C__AT(d2c_kmt_context_create, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_kmt_context_destroy[] = {
    {D2C__AT(d2c_kmt_context_destroy, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_destroy, context), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_context_destroy, status), D2C__AT(d2c_kmt_context_destroy, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_allocation_create[] = {
    {D2C__AT(d2c_allocation_create, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_create, origin), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_create, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_create, resource), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_create, resource_out), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_create, global_share), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_create, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_create, allocations), D2C__AT(d2c_allocation_create, allocations_items), D2C__STRUCTS, 10, 0},
    {D2C__AT(d2c_allocation_create, private_runtime_data), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_allocation_create, private_driver_data), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_allocation_create, status), D2C__AT(d2c_allocation_create, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_allocation_destroy[] = {
    {D2C__AT(d2c_allocation_destroy, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_destroy, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_destroy, resource), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_destroy, allocations), D2C__AT(d2c_allocation_destroy, allocations_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_allocation_destroy, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_allocation_destroy, status), D2C__AT(d2c_allocation_destroy, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_sync_create[] = {
    {D2C__AT(d2c_sync_create, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_create, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_create, sync), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_create, type), D2C__ALWAYS, D2C__U32, 0, 1},
    {D2C__AT(d2c_sync_create, info), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_sync_create, status), D2C__AT(d2c_sync_create, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_sync_destroy[] = {
    {D2C__AT(d2c_sync_destroy, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_destroy, sync), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_destroy, status), D2C__AT(d2c_sync_destroy, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_resource_open[] = {
    {D2C__AT(d2c_resource_open, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_resource_open, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_resource_open, global_share), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_resource_open, external), D2C__ALWAYS, D2C__BOOL, 0, 0},
    {D2C__AT(d2c_resource_open, resource), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_resource_open, allocations), D2C__AT(d2c_resource_open, allocations_items), D2C__STRUCTS, 10, 0},
    {D2C__AT(d2c_resource_open, status), D2C__AT(d2c_resource_open, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_lock[] = {
    {D2C__AT(d2c_lock, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_lock, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_lock, allocation), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_lock, allocation_out), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_lock, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_lock, private_driver_data), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_lock, pages), D2C__AT(d2c_lock, pages_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_lock, data_pointer), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_lock, gpu_virtual_address), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_lock, status), D2C__AT(d2c_lock, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_unlock[] = {
    {D2C__AT(d2c_unlock, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_unlock, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_unlock, allocations), D2C__AT(d2c_unlock, allocations_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_unlock, status), D2C__AT(d2c_unlock, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_offer[] = {
    {D2C__AT(d2c_offer, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_offer, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_offer, resources), D2C__AT(d2c_offer, resources_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_offer, allocations), D2C__AT(d2c_offer, allocations_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_offer, priority), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_offer, status), D2C__AT(d2c_offer, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_reclaim[] = {
    {D2C__AT(d2c_reclaim, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_reclaim, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_reclaim, resources), D2C__AT(d2c_reclaim, resources_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_reclaim, allocations), D2C__AT(d2c_reclaim, allocations_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_reclaim, discarded), D2C__AT(d2c_reclaim, discarded_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_reclaim, status), D2C__AT(d2c_reclaim, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_sync_wait[] = {
    {D2C__AT(d2c_sync_wait, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_wait, context), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_wait, objects), D2C__AT(d2c_sync_wait, objects_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_sync_wait, fence_value), D2C__AT(d2c_sync_wait, has_fence_value), D2C__U64, 0, 0},
    {D2C__AT(d2c_sync_wait, status), D2C__AT(d2c_sync_wait, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_sync_signal[] = {
    {D2C__AT(d2c_sync_signal, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_signal, context), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_signal, objects), D2C__AT(d2c_sync_signal, objects_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_sync_signal, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_sync_signal, broadcast_context), D2C__AT(d2c_sync_signal, broadcast_context_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_sync_signal, fence_value), D2C__AT(d2c_sync_signal, has_fence_value), D2C__U64, 0, 0},
    {D2C__AT(d2c_sync_signal, status), D2C__AT(d2c_sync_signal, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_submit_command[] = {
    {D2C__AT(d2c_submit_command, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_submit_command, payload), D2C__ALWAYS, D2C__U32, 0, 1},
    {D2C__AT(d2c_submit_command, commands), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_submit_command, command_length), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_submit_command, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_submit_command, present_history_token), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_submit_command, broadcast_context), D2C__AT(d2c_submit_command, broadcast_context_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_submit_command, private_driver_data), D2C__ALWAYS, D2C__BYTES, 0, 0},
    {D2C__AT(d2c_submit_command, written_primaries), D2C__AT(d2c_submit_command, written_primaries_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_submit_command, status), D2C__AT(d2c_submit_command, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_kmt_present[] = {
    {D2C__AT(d2c_kmt_present, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, context), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, source), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, destination), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, flags), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, color), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, dst_rect), D2C__AT(d2c_kmt_present, has_dst_rect), D2C__STRUCT, 0, 0},
    {D2C__AT(d2c_kmt_present, src_rect), D2C__AT(d2c_kmt_present, has_src_rect), D2C__STRUCT, 0, 0},
    {D2C__AT(d2c_kmt_present, sub_rects), D2C__AT(d2c_kmt_present, sub_rects_items), D2C__STRUCTS, 0, 0},
    {D2C__AT(d2c_kmt_present, present_count), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, flip_interval), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, broadcast_context), D2C__AT(d2c_kmt_present, broadcast_context_items), D2C__WORDS, 0, 0},
    {D2C__AT(d2c_kmt_present, queued_present_count), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_kmt_present, status), D2C__AT(d2c_kmt_present, has_status), D2C__U32, 0, 0}};
static const struct d2c__field d2c__fields_dp2_bind[] = {
    {D2C__AT(d2c_dp2_bind, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_bind, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_bind, handle), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_bind, allocation), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_bind, base_offset), D2C__ALWAYS, D2C__U64, 0, 0},
    {D2C__AT(d2c_dp2_bind, kind), D2C__ALWAYS, D2C__U32, 0, 2},
    {D2C__AT(d2c_dp2_bind, size), D2C__ALWAYS, D2C__U64, 0, 0}};
static const struct d2c__field d2c__fields_dp2_unbind[] = {
    {D2C__AT(d2c_dp2_unbind, process), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_unbind, device), D2C__ALWAYS, D2C__U32, 0, 0},
    {D2C__AT(d2c_dp2_unbind, handle), D2C__ALWAYS, D2C__U32, 0, 0}};

static const struct d2c__layout d2c__layouts[] = {
    D2C__LAYOUT(rect),
    D2C__LAYOUT(box),
    D2C__LAYOUT(range),
    D2C__LAYOUT(color_key),
    D2C__LAYOUT(pixel_format),
    D2C__LAYOUT(cap_value),
    D2C__LAYOUT(sub_surface),
    D2C__LAYOUT(dp2_env),
    D2C__LAYOUT(triple),
    D2C__LAYOUT(d3d_context),
    D2C__LAYOUT(allocation_info),
    D2C__LAYOUT(header),
    D2C__LAYOUT(context_create),
    D2C__LAYOUT(context_destroy),
    D2C__LAYOUT(surface_create),
    D2C__LAYOUT(surface_destroy),
    D2C__LAYOUT(surface_update),
    D2C__LAYOUT(surface_read),
    D2C__LAYOUT(dp2),
    D2C__LAYOUT(render),
    D2C__LAYOUT(blt),
    D2C__LAYOUT(present),
    D2C__LAYOUT(marker),
    D2C__LAYOUT(call_result),
    D2C__LAYOUT(picture),
    D2C__LAYOUT(lost),
    D2C__LAYOUT(adapter_open),
    D2C__LAYOUT(adapter_close),
    D2C__LAYOUT(device_create),
    D2C__LAYOUT(device_destroy),
    D2C__LAYOUT(kmt_context_create),
    D2C__LAYOUT(kmt_context_destroy),
    D2C__LAYOUT(allocation_create),
    D2C__LAYOUT(allocation_destroy),
    D2C__LAYOUT(sync_create),
    D2C__LAYOUT(sync_destroy),
    D2C__LAYOUT(resource_open),
    D2C__LAYOUT(lock),
    D2C__LAYOUT(unlock),
    D2C__LAYOUT(offer),
    D2C__LAYOUT(reclaim),
    D2C__LAYOUT(sync_wait),
    D2C__LAYOUT(sync_signal),
    D2C__LAYOUT(submit_command),
    D2C__LAYOUT(kmt_present),
    D2C__LAYOUT(dp2_bind),
    D2C__LAYOUT(dp2_unbind)};

D2C_API void D2C_CALL d2c_header_init(struct d2c_header *event) {
  d2c__init(event, 11);
}
D2C_API int D2C_CALL d2c_put_header(d2c *c, const struct d2c_header *event) {
  return d2c__event(c, 1, 11, event);
}
D2C_API void D2C_CALL d2c_context_create_init(struct d2c_context_create *event) {
  d2c__init(event, 12);
}
D2C_API int D2C_CALL d2c_context_create(d2c *c, const struct d2c_context_create *event) {
  return d2c__event(c, 2, 12, event);
}
D2C_API void D2C_CALL d2c_context_destroy_init(struct d2c_context_destroy *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_context_destroy(d2c *c, const struct d2c_context_destroy *event) {
  return d2c__event(c, 3, 13, event);
}
D2C_API void D2C_CALL d2c_surface_create_init(struct d2c_surface_create *event) {
  d2c__init(event, 14);
}
D2C_API int D2C_CALL d2c_surface_create(d2c *c, const struct d2c_surface_create *event) {
  return d2c__event(c, 4, 14, event);
}
D2C_API void D2C_CALL d2c_surface_destroy_init(struct d2c_surface_destroy *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_surface_destroy(d2c *c, const struct d2c_surface_destroy *event) {
  return d2c__event(c, 5, 15, event);
}
D2C_API void D2C_CALL d2c_surface_update_init(struct d2c_surface_update *event) {
  d2c__init(event, 16);
}
D2C_API int D2C_CALL d2c_surface_update(d2c *c, const struct d2c_surface_update *event) {
  return d2c__event(c, 6, 16, event);
}
D2C_API void D2C_CALL d2c_surface_read_init(struct d2c_surface_read *event) {
  d2c__init(event, 17);
}
D2C_API int D2C_CALL d2c_surface_read(d2c *c, const struct d2c_surface_read *event) {
  return d2c__event(c, 7, 17, event);
}
D2C_API void D2C_CALL d2c_dp2_init(struct d2c_dp2 *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_dp2_call(d2c *c, const struct d2c_dp2 *event) {
  return d2c__event(c, 8, 18, event);
}
D2C_API void D2C_CALL d2c_render_init(struct d2c_render *event) {
  d2c__init(event, 19);
}
D2C_API int D2C_CALL d2c_render(d2c *c, const struct d2c_render *event) {
  return d2c__event(c, 9, 19, event);
}
D2C_API void D2C_CALL d2c_blt_init(struct d2c_blt *event) {
  d2c__init(event, 20);
}
D2C_API int D2C_CALL d2c_blt(d2c *c, const struct d2c_blt *event) {
  return d2c__event(c, 10, 20, event);
}
D2C_API void D2C_CALL d2c_present_init(struct d2c_present *event) {
  d2c__init(event, 21);
}
D2C_API int D2C_CALL d2c_present(d2c *c, const struct d2c_present *event) {
  return d2c__event(c, 11, 21, event);
}
D2C_API void D2C_CALL d2c_marker_init(struct d2c_marker *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_marker(d2c *c, const struct d2c_marker *event) {
  return d2c__event(c, 12, 22, event);
}
D2C_API void D2C_CALL d2c_call_result_init(struct d2c_call_result *event) {
  d2c__init(event, 23);
}
D2C_API int D2C_CALL d2c_call_result(d2c *c, const struct d2c_call_result *event) {
  return d2c__event(c, 13, 23, event);
}
D2C_API void D2C_CALL d2c_picture_init(struct d2c_picture *event) {
  d2c__init(event, 24);
}
D2C_API int D2C_CALL d2c_picture(d2c *c, const struct d2c_picture *event) {
  return d2c__event(c, 14, 24, event);
}
D2C_API void D2C_CALL d2c_lost_init(struct d2c_lost *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_lost(d2c *c, const struct d2c_lost *event) {
  return d2c__event(c, 15, 25, event);
}
D2C_API void D2C_CALL d2c_adapter_open_init(struct d2c_adapter_open *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_adapter_open(d2c *c, const struct d2c_adapter_open *event) {
  return d2c__event(c, 20, 26, event);
}
D2C_API void D2C_CALL d2c_adapter_close_init(struct d2c_adapter_close *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_adapter_close(d2c *c, const struct d2c_adapter_close *event) {
  return d2c__event(c, 21, 27, event);
}
D2C_API void D2C_CALL d2c_device_create_init(struct d2c_device_create *event) {
  d2c__init(event, 28);
}
D2C_API int D2C_CALL d2c_device_create(d2c *c, const struct d2c_device_create *event) {
  return d2c__event(c, 22, 28, event);
}
D2C_API void D2C_CALL d2c_device_destroy_init(struct d2c_device_destroy *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_device_destroy(d2c *c, const struct d2c_device_destroy *event) {
  return d2c__event(c, 23, 29, event);
}
D2C_API void D2C_CALL d2c_kmt_context_create_init(struct d2c_kmt_context_create *event) {
  d2c__init(event, 30);
}
D2C_API int D2C_CALL d2c_kmt_context_create(d2c *c, const struct d2c_kmt_context_create *event) {
  return d2c__event(c, 24, 30, event);
}
D2C_API void D2C_CALL d2c_kmt_context_destroy_init(struct d2c_kmt_context_destroy *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_kmt_context_destroy(d2c *c, const struct d2c_kmt_context_destroy *event) {
  return d2c__event(c, 25, 31, event);
}
D2C_API void D2C_CALL d2c_allocation_create_init(struct d2c_allocation_create *event) {
  d2c__init(event, 32);
}
D2C_API int D2C_CALL d2c_allocation_create(d2c *c, const struct d2c_allocation_create *event) {
  return d2c__event(c, 26, 32, event);
}
D2C_API void D2C_CALL d2c_allocation_destroy_init(struct d2c_allocation_destroy *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_allocation_destroy(d2c *c, const struct d2c_allocation_destroy *event) {
  return d2c__event(c, 27, 33, event);
}
D2C_API void D2C_CALL d2c_sync_create_init(struct d2c_sync_create *event) {
  d2c__init(event, 34);
}
D2C_API int D2C_CALL d2c_sync_create(d2c *c, const struct d2c_sync_create *event) {
  return d2c__event(c, 28, 34, event);
}
D2C_API void D2C_CALL d2c_sync_destroy_init(struct d2c_sync_destroy *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_sync_destroy(d2c *c, const struct d2c_sync_destroy *event) {
  return d2c__event(c, 29, 35, event);
}
D2C_API void D2C_CALL d2c_resource_open_init(struct d2c_resource_open *event) {
  d2c__init(event, 36);
}
D2C_API int D2C_CALL d2c_resource_open(d2c *c, const struct d2c_resource_open *event) {
  return d2c__event(c, 30, 36, event);
}
D2C_API void D2C_CALL d2c_lock_init(struct d2c_lock *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_lock(d2c *c, const struct d2c_lock *event) {
  return d2c__event(c, 31, 37, event);
}
D2C_API void D2C_CALL d2c_unlock_init(struct d2c_unlock *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_unlock(d2c *c, const struct d2c_unlock *event) {
  return d2c__event(c, 32, 38, event);
}
D2C_API void D2C_CALL d2c_offer_init(struct d2c_offer *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_offer(d2c *c, const struct d2c_offer *event) {
  return d2c__event(c, 33, 39, event);
}
D2C_API void D2C_CALL d2c_reclaim_init(struct d2c_reclaim *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_reclaim(d2c *c, const struct d2c_reclaim *event) {
  return d2c__event(c, 34, 40, event);
}
D2C_API void D2C_CALL d2c_sync_wait_init(struct d2c_sync_wait *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_sync_wait(d2c *c, const struct d2c_sync_wait *event) {
  return d2c__event(c, 35, 41, event);
}
D2C_API void D2C_CALL d2c_sync_signal_init(struct d2c_sync_signal *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_sync_signal(d2c *c, const struct d2c_sync_signal *event) {
  return d2c__event(c, 36, 42, event);
}
D2C_API void D2C_CALL d2c_submit_command_init(struct d2c_submit_command *event) {
  d2c__init(event, 43);
}
D2C_API int D2C_CALL d2c_submit_command(d2c *c, const struct d2c_submit_command *event) {
  return d2c__event(c, 37, 43, event);
}
D2C_API void D2C_CALL d2c_kmt_present_init(struct d2c_kmt_present *event) {
  d2c__init(event, 44);
}
D2C_API int D2C_CALL d2c_kmt_present(d2c *c, const struct d2c_kmt_present *event) {
  return d2c__event(c, 38, 44, event);
}
D2C_API void D2C_CALL d2c_dp2_bind_init(struct d2c_dp2_bind *event) {
  d2c__init(event, 45);
}
D2C_API int D2C_CALL d2c_dp2_bind(d2c *c, const struct d2c_dp2_bind *event) {
  return d2c__event(c, 39, 45, event);
}
D2C_API void D2C_CALL d2c_dp2_unbind_init(struct d2c_dp2_unbind *event) {
  d2c__zero(event, sizeof *event);
}
D2C_API int D2C_CALL d2c_dp2_unbind(d2c *c, const struct d2c_dp2_unbind *event) {
  return d2c__event(c, 40, 46, event);
}
/* </generated> */
/* clang-format on */

static const struct d2c__layout* d2c__layout_at(d2c_u32 index) {
  return d2c__layouts + index;
}

/* A recording whose first event is not the header began somewhere in the middle. */
typedef char d2c__spare_is_large_enough[sizeof(struct d2c_header) <= 32 * sizeof(void*) ? 1 : -1];

/* Its numbers, for another one where it is lost. What it points to is the caller's. */
static void d2c__keep_header(d2c* c, const void* event) {
  struct d2c_header* header = (struct d2c_header*)(void*)c->spare;
  if (event != header) d2c__copy((d2c_u8*)header, (const d2c_u8*)event, (d2c_u32)sizeof *header);
  header->generator = 0;
  header->caps = 0;
  header->formats = 0;
  header->raw_caps.data = 0;
  header->raw_caps.next = 0;
  c->is_spare = 1;
}

/* The result of a call that was lost. */
static int d2c__is_of_none(const void* event) {
  const struct d2c_call_result* result = (const struct d2c_call_result*)event;
  return (result->call.lo & result->call.hi) == D2C__NO_SIZE;
}

static const d2c_u8* d2c__default_header(d2c* c) {
  struct d2c_header* header = (struct d2c_header*)(void*)c->spare;
  if (!c->is_spare) d2c_header_init(header);
  header->generator = "dp2trace_capture.h";
  header->start = D2C_START_BARE;
  return (const d2c_u8*)header;
}

D2C_API int D2C_CALL d2c_begin_snapshot(d2c* c, const struct d2c_header* header) {
  struct d2c_header* copy = 0;
  int entered;
  d2c_flush(c); /* it begins with a chunk of its own */
  entered = d2c__enter(c);
  if (entered != D2C_OK) return entered;
  if (header != 0) {
    copy = (struct d2c_header*)(void*)c->spare;
    d2c__copy((d2c_u8*)copy, (const d2c_u8*)header, (d2c_u32)sizeof *copy);
    copy->start = D2C_START_SNAPSHOT;
  }
  d2c__put_event(c, D2C__HEADER, D2C__HEADER_LAYOUT, copy);
  return d2c__leave(c);
}

D2C_API int D2C_CALL d2c_dp2_numbered(d2c* c, const struct d2c_dp2* event, struct d2c_u64* number) {
  return d2c__numbered(c, D2C__DP2, D2C__DP2_LAYOUT, event, number);
}

D2C_API int D2C_CALL d2c_render_numbered(d2c* c, const struct d2c_render* event,
                                         struct d2c_u64* number) {
  return d2c__numbered(c, 9, 19, event, number);
}

D2C_API void D2C_CALL d2c_state_init(struct d2c_state* state) {
  d2c__zero(state, sizeof *state);
}

/* Two pieces: the header of a token, and its records. */
static void d2c__add_token(struct d2c_state* state, d2c_u32* used, d2c_u32 op, const void* records,
                           d2c_u32 count, d2c_u32 record_size) {
  struct d2c_bytes* piece = state->pieces + 2 * *used;
  d2c_u8* head = state->heads[*used];
  if (records == 0 || count == 0) return;
  head[0] = (d2c_u8)op;
  head[1] = 0;
  head[2] = (d2c_u8)(count & 0xFF);
  head[3] = (d2c_u8)(count >> 8);
  piece[0] = d2c_bytes_of(head, 4);
  piece[1] = d2c_bytes_of(records, count * record_size);
  piece[0].next = piece + 1;
  piece[1].next = piece + 2;
  ++*used;
}

/* The call that sets it. */
D2C__APART static const struct d2c_dp2* d2c__state_call(struct d2c_state* state) {
  struct d2c_dp2* call;
  d2c_u32 used = 0;
  if (state == 0 || state->transforms_count > 0xFFFF || state->clip_planes_count > 0xFFFF ||
      state->render_states_count > 0xFFFF || state->texture_states_count > 0xFFFF)
    return 0;
  d2c__add_token(state, &used, 41, state->targets, 1, 8);
  d2c__add_token(state, &used, 28, state->viewport, 1, 16);
  d2c__add_token(state, &used, 32, state->z_range, 1, 8);
  d2c__add_token(state, &used, 36, state->transforms, state->transforms_count, 68);
  d2c__add_token(state, &used, 33, state->material, 1, 68);
  d2c__add_token(state, &used, 44, state->clip_planes, state->clip_planes_count, 20);
  d2c__add_token(state, &used, 8, state->render_states, state->render_states_count, 8);
  d2c__add_token(state, &used, 25, state->texture_states, state->texture_states_count, 8);
  state->pieces[2 * used] = state->tokens;
  call = &state->call;
  d2c_dp2_init(call);
  call->space = state->space;
  call->context = state->context;
  call->commands = state->pieces[0];
  return call;
}

/* A call that the recorder makes itself: it returns at once. `result` is room for what says so, off the stack. */
static int d2c__own_call(d2c* c, const struct d2c_dp2* call, struct d2c_call_result* result) {
  int recorded;
  d2c_call_result_init(result);
  recorded = d2c_dp2_numbered(c, call, &result->call);
  d2c_call_result(c, result);
  return recorded;
}

D2C_API int D2C_CALL d2c_snapshot_state(d2c* c, struct d2c_state* state) {
  const struct d2c_dp2* const call = d2c__state_call(state);
  return call == 0 ? d2c_dp2_call(c, 0) : d2c__own_call(c, call, &state->returned);
}

#ifdef __cplusplus
}
#endif

#endif /* D2C_IMPLEMENTATION */
