/*
 * dp2trace_capture_ring.h: the last part of a recording, in memory, for dp2trace_capture.h: nothing is written until somebody asks, or after
 * the machine has started again, where the memory outlives that (a section that the system maps from a file, memory of the device).
 *
 *   static struct d2c_ring ring;
 *   d2c_ring_init(&ring, memory, 8 << 20, 7);
 *   d2c_open(&capture, d2c_ring_write, &ring, buffer, sizeof buffer, 0, 0);
 *   ...
 *   d2c_flush(&capture);
 *   d2c_ring_dump(&ring, append, file);            when somebody asks: a whole trace
 *
 *   if (d2c_ring_open(&ring, memory, 8 << 20) == D2C_OK) d2c_ring_dump(&ring, append, file);     at the next start
 *
 * What is dumped begins with the oldest snapshot that is still there (d2c_begin_snapshot(), d2c_hal_snapshot(): take one every so many
 * frames), so that the trace is whole; where there is none, with a header of the ring's (`start` is bare) and the oldest chunk. With D2C_FLUSH_FRAME and `most_chunks` it holds so many
 * frames. With D2C_FLUSH_EVENT a crash costs nothing.
 */
#ifndef DP2TRACE_CAPTURE_RING_H
#define DP2TRACE_CAPTURE_RING_H

#include "dp2trace_capture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its members are the recorder's, but `most_chunks`, which may be set after d2c_ring_init(). */
struct d2c_ring {
  d2c_u8* memory;
  d2c_u32 size;        /* of the chunks; what says where they are is in front of them */
  d2c_u32 most_chunks; /* 0: as many as there is room for */
  d2c_u32 left_out;    /* chunks that are larger than the ring */
  /* of the chunk that is being written */
  d2c_u8 header[48];
  d2c_u32 header_size;
  d2c_u32 passed_over; /* bytes of the file header that are still to come */
  d2c_u32 left;
  d2c_u32 is_kept;
  struct d2c_hash hash;
};

/* An empty ring in `size` bytes; `driver_level` as in the header. D2C_E_ARGUMENT: the bytes are too few. */
D2C_API int D2C_CALL d2c_ring_init(struct d2c_ring* ring, void* memory, d2c_u32 size,
                                   d2c_u32 driver_level);
/* The ring that an earlier run left in the same bytes. D2C_E_ARGUMENT: there is none; it is not touched. */
D2C_API int D2C_CALL d2c_ring_open(struct d2c_ring* ring, void* memory, d2c_u32 size);
/* The callback of d2c_open(); `user` is the d2c_ring. */
D2C_API int D2C_CALL d2c_ring_write(void* user, const void* bytes, d2c_u32 size);
/* Writes what the ring holds as a trace; it stays. D2C_E_WRITE: `write` returned something else than 0. */
D2C_API int D2C_CALL d2c_ring_dump(struct d2c_ring* ring, d2c_write_fn write, void* user);

#ifdef __cplusplus
}
#endif

#endif /* DP2TRACE_CAPTURE_RING_H */

#if defined(D2C_IMPLEMENTATION) && !defined(DP2TRACE_CAPTURE_RING_IMPLEMENTED)
#define DP2TRACE_CAPTURE_RING_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In front of the chunks, as little-endian words: a mark, the size, where the oldest chunk begins, the bytes of all chunks, their number, and the
 * driver level.
 * Chunks lie one after the other, and go on at the front where the end is reached.
 */
#define D2C__RING_HEAD 32u
#define D2C__RING_MARK 0x52443244u /* "D2DR" */
enum {
  D2C__RING_SIZE = 4,
  D2C__RING_FIRST = 8,
  D2C__RING_USED = 12,
  D2C__RING_CHUNKS = 16,
  D2C__RING_LEVEL = 20
};

static d2c_u32 d2c__ring_get(const struct d2c_ring* ring, d2c_u32 at) {
  return D2C__LOAD(ring->memory + at);
}

static void d2c__ring_set(struct d2c_ring* ring, d2c_u32 at, d2c_u32 value) {
  D2C__STORE(ring->memory + at, value);
}

/* Bytes of the ring, `at` from its front, to or from a place outside. */
static void d2c__ring_copy(struct d2c_ring* ring, d2c_u32 at, d2c_u8* outside, d2c_u32 size,
                           int is_in) {
  d2c_u8* const chunks = ring->memory + D2C__RING_HEAD;
  while (size != 0) {
    d2c_u32 now;
    at = at >= ring->size ? at - ring->size : at;
    now = ring->size - at < size ? ring->size - at : size;
    if (is_in)
      d2c__copy(chunks + at, outside, now);
    else
      d2c__copy(outside, chunks + at, now);
    outside += now;
    at += now;
    size -= now;
  }
}

static d2c_u32 d2c__ring_place(const struct d2c_ring* ring, d2c_u32 offset) {
  const d2c_u32 at = d2c__ring_get(ring, D2C__RING_FIRST) + offset;
  return at >= ring->size ? at - ring->size : at;
}

/* Bytes of the chunk `offset` behind the oldest one, its header into `header`; 0: that is none. */
static d2c_u32 d2c__ring_chunk(struct d2c_ring* ring, d2c_u32 offset, d2c_u8* header) {
  const d2c_u32 used = d2c__ring_get(ring, D2C__RING_USED);
  d2c_u32 stored;
  if (used - offset < D2C__CHUNK_HEADER) return 0;
  d2c__ring_copy(ring, d2c__ring_place(ring, offset), header, D2C__CHUNK_HEADER, 0);
  stored = D2C__LOAD(header + 28);
  return stored > used - offset - D2C__CHUNK_HEADER ? 0 : stored + D2C__CHUNK_HEADER;
}

/* The oldest chunk goes. */
static void d2c__ring_drop(struct d2c_ring* ring) {
  d2c_u8 header[D2C__CHUNK_HEADER];
  const d2c_u32 size = d2c__ring_chunk(ring, 0, header);
  const d2c_u32 next = d2c__ring_place(ring, size);
  const d2c_u32 used = size == 0 ? 0 : d2c__ring_get(ring, D2C__RING_USED) - size;
  const d2c_u32 chunks = size == 0 ? 0 : d2c__ring_get(ring, D2C__RING_CHUNKS) - 1;
  /* In this order a machine that stops between two leaves less, and no chunk that is none. */
  d2c__ring_set(ring, D2C__RING_USED, 0);
  d2c__ring_set(ring, D2C__RING_FIRST, next);
  d2c__ring_set(ring, D2C__RING_CHUNKS, chunks);
  d2c__ring_set(ring, D2C__RING_USED, used);
}

static int d2c__ring_attach(struct d2c_ring* ring, void* memory, d2c_u32 size) {
  if (ring == 0) return 0;
  d2c__zero(ring, sizeof *ring);
  if (memory == 0 || size <= D2C__RING_HEAD + D2C__CHUNK_HEADER) return 0;
  ring->memory = (d2c_u8*)memory;
  ring->size = size - D2C__RING_HEAD;
  ring->passed_over = 16;
  return 1;
}

D2C_API int D2C_CALL d2c_ring_init(struct d2c_ring* ring, void* memory, d2c_u32 size,
                                   d2c_u32 driver_level) {
  if (!d2c__ring_attach(ring, memory, size)) return D2C_E_ARGUMENT;
  d2c__zero(ring->memory, D2C__RING_HEAD);
  d2c__ring_set(ring, D2C__RING_SIZE, ring->size);
  d2c__ring_set(ring, D2C__RING_LEVEL, driver_level);
  d2c__ring_set(ring, 0, D2C__RING_MARK);
  return D2C_OK;
}

D2C_API int D2C_CALL d2c_ring_open(struct d2c_ring* ring, void* memory, d2c_u32 size) {
  if (!d2c__ring_attach(ring, memory, size)) return D2C_E_ARGUMENT;
  if (d2c__ring_get(ring, 0) == D2C__RING_MARK &&
      d2c__ring_get(ring, D2C__RING_SIZE) == ring->size &&
      d2c__ring_get(ring, D2C__RING_FIRST) < ring->size &&
      d2c__ring_get(ring, D2C__RING_USED) <= ring->size)
    return D2C_OK;
  ring->memory = 0;
  return D2C_E_ARGUMENT;
}

/* A header has come: makes room for its chunk. Index and footer are not kept. */
D2C__APART static void d2c__ring_begin(struct d2c_ring* ring) {
  const d2c_u32 stored = D2C__LOAD(ring->header + 28);
  ring->left = stored;
  ring->is_kept = ring->header[8] == D2C__EVENTS ? 1u : 0u;
  if (ring->is_kept && (stored > ring->size || ring->size - stored < D2C__CHUNK_HEADER)) {
    ++ring->left_out;
    ring->is_kept = 0;
  }
  if (!ring->is_kept) return;
  while (ring->size - d2c__ring_get(ring, D2C__RING_USED) < stored + D2C__CHUNK_HEADER ||
         (ring->most_chunks != 0 && d2c__ring_get(ring, D2C__RING_CHUNKS) >= ring->most_chunks))
    d2c__ring_drop(ring);
  d2c__ring_copy(ring, d2c__ring_place(ring, d2c__ring_get(ring, D2C__RING_USED)), ring->header,
                 D2C__CHUNK_HEADER, 1);
}

/* The chunk is there as a whole. */
static void d2c__ring_end(struct d2c_ring* ring) {
  const d2c_u32 stored = D2C__LOAD(ring->header + 28);
  ring->header_size = 0;
  if (!ring->is_kept) return;
  d2c__ring_set(ring, D2C__RING_CHUNKS, d2c__ring_get(ring, D2C__RING_CHUNKS) + 1);
  d2c__ring_set(ring, D2C__RING_USED,
                d2c__ring_get(ring, D2C__RING_USED) + stored + D2C__CHUNK_HEADER);
}

D2C_API int D2C_CALL d2c_ring_write(void* user, const void* bytes, d2c_u32 size) {
  struct d2c_ring* const ring = (struct d2c_ring*)user;
  const d2c_u8* from = (const d2c_u8*)bytes;
  if (ring == 0 || ring->memory == 0) return 1;
  while (size != 0) {
    d2c_u32 now;
    if (ring->passed_over != 0) {
      now = size < ring->passed_over ? size : ring->passed_over;
      ring->passed_over -= now;
    } else if (ring->header_size < D2C__CHUNK_HEADER) {
      now = D2C__CHUNK_HEADER - ring->header_size;
      if (now > size) now = size;
      d2c__copy(ring->header + ring->header_size, from, now);
      ring->header_size += now;
      if (ring->header_size == D2C__CHUNK_HEADER) {
        d2c__ring_begin(ring);
        if (ring->left == 0) d2c__ring_end(ring);
      }
    } else {
      const d2c_u32 done = D2C__LOAD(ring->header + 28) - ring->left;
      now = size < ring->left ? size : ring->left;
      if (ring->is_kept)
        d2c__ring_copy(
            ring,
            d2c__ring_place(ring, d2c__ring_get(ring, D2C__RING_USED)) + D2C__CHUNK_HEADER + done,
            (d2c_u8*)(size_t)from, now, 1);
      ring->left -= now;
      if (ring->left == 0) d2c__ring_end(ring);
    }
    from += now;
    size -= now;
  }
  return 0;
}

/* A chunk that begins with a header, and so a session: its first event is one. Of packed ones the first word follows a byte. */
static int d2c__ring_is_session(struct d2c_ring* ring, d2c_u32 offset, const d2c_u8* header) {
  d2c_u8 start[4];
  if (D2C__LOAD(header + 28) < sizeof start) return 0;
  d2c__ring_copy(ring, d2c__ring_place(ring, offset) + D2C__CHUNK_HEADER, start, sizeof start, 0);
  return start[header[9] == 0 ? 0 : 1] == D2C__HEADER;
}

static struct d2c_u64 d2c__ring_hash(struct d2c_ring* ring, const d2c_u8* bytes, d2c_u32 size) {
  d2c_hash_begin(&ring->hash);
  d2c_hash_add(&ring->hash, bytes, size);
  return d2c_hash_end(&ring->hash);
}

/* A chunk with a header event: the driver level, and that the trace begins anywhere. */
D2C__APART static int d2c__ring_put_header(struct d2c_ring* ring, d2c_write_fn write, void* user) {
  static const d2c_u8 sync[8] = {0xFE, 0x9C, 0xD2, 0xC8, 0xA7, 0xFF, 0xB1, 0xE5};
  d2c_u8 chunk[D2C__CHUNK_HEADER + 24];
  d2c_u8* const event = chunk + D2C__CHUNK_HEADER;
  d2c__zero(chunk, sizeof chunk);
  D2C__STORE(event, D2C__HEADER);
  D2C__STORE(event + 4, 16); /* its payload: which members there are, and they */
  D2C__STORE(event + 8, 1u << 1 | 1u << 10);
  D2C__STORE(event + 16, d2c__ring_get(ring, D2C__RING_LEVEL));
  D2C__STORE(event + 20, D2C_START_BARE);
  d2c__copy(chunk, sync, 8);
  D2C__STORE(chunk + 8, D2C__EVENTS);
  D2C__STORE(chunk + 12, 1);
  D2C__STORE(chunk + 24, 24);
  D2C__STORE(chunk + 28, 24);
  d2c__store64(chunk + 32, d2c__ring_hash(ring, event, 24));
  d2c__store64(chunk + 40, d2c__ring_hash(ring, chunk, 40));
  return write(user, chunk, sizeof chunk);
}

/* The chunk with its events counted from `base`. */
D2C__APART static int d2c__ring_put(struct d2c_ring* ring, d2c_u32 offset, d2c_u8* header,
                                    struct d2c_u64 base, d2c_write_fn write, void* user) {
  const d2c_u32 stored = D2C__LOAD(header + 28);
  const d2c_u32 at = d2c__ring_place(ring, offset + D2C__CHUNK_HEADER);
  const d2c_u32 until_end = ring->size - at < stored ? ring->size - at : stored;
  const d2c_u32 lo = D2C__LOAD(header + 16);
  d2c_u8* const chunks = ring->memory + D2C__RING_HEAD;
  D2C__STORE(header + 16, lo - base.lo);
  D2C__STORE(header + 20, D2C__LOAD(header + 20) - base.hi - (lo < base.lo ? 1u : 0u));
  d2c__store64(header + 40, d2c__ring_hash(ring, header, 40));
  if (write(user, header, D2C__CHUNK_HEADER) != 0) return 1;
  if (until_end != 0 && write(user, chunks + at, until_end) != 0) return 1;
  return stored != until_end && write(user, chunks, stored - until_end) != 0;
}

D2C_API int D2C_CALL d2c_ring_dump(struct d2c_ring* ring, d2c_write_fn write, void* user) {
  static const d2c_u8 file[16] = {0x89, 0x44, 0x32, 0x54, 0x0D, 0x0A, 0x1A, 0x0A,
                                  1,    0,    0,    0,    0,    0,    0,    0};
  d2c_u8 header[D2C__CHUNK_HEADER];
  struct d2c_u64 base = d2c_u64_of(0, 0);
  d2c_u32 first = 0;
  d2c_u32 has_session = 0;
  d2c_u32 offset;
  d2c_u32 size;
  if (ring == 0 || ring->memory == 0 || write == 0) return D2C_E_ARGUMENT;
  for (offset = 0; (size = d2c__ring_chunk(ring, offset, header)) != 0; offset += size) {
    if (!d2c__ring_is_session(ring, offset, header)) continue;
    first = offset;
    has_session = 1;
    break;
  }
  if (write(user, file, 16) != 0) return D2C_E_WRITE;
  if (!has_session && d2c__ring_put_header(ring, write, user) != 0) return D2C_E_WRITE;
  for (offset = first; (size = d2c__ring_chunk(ring, offset, header)) != 0; offset += size) {
    if (offset == first) {
      base = d2c_u64_of(D2C__LOAD(header + 20), D2C__LOAD(header + 16));
      if (!has_session) base = d2c_u64_of(base.hi - (base.lo == 0 ? 1u : 0u), base.lo - 1);
    }
    if (d2c__ring_put(ring, offset, header, base, write, user) != 0) return D2C_E_WRITE;
  }
  return D2C_OK;
}

#ifdef __cplusplus
}
#endif

#endif /* D2C_IMPLEMENTATION */
