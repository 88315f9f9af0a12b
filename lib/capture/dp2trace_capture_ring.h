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
 * frames), so that the trace is whole; where there is none, with a header of the ring's (`start` is bare) and the oldest chunk. Events have
 * other numbers then: the results of calls name the new ones, and an empty marker takes the place of a result whose call is gone.
 * With D2C_FLUSH_FRAME and `most_chunks` it holds so many frames. With D2C_FLUSH_EVENT a crash costs nothing.
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
  /* of a dump */
  d2c_u8 stage[512];
  d2c_u32 staged;
};

/* An empty ring in `size` bytes; `driver_level` as in the header. D2C_E_ARGUMENT: the bytes are too few. */
D2C_API int D2C_CALL d2c_ring_init(struct d2c_ring* ring, void* memory, d2c_u32 size,
                                   d2c_u32 driver_level);
/* The ring that an earlier run left in the same bytes. D2C_E_ARGUMENT: there is none; it is not touched. */
D2C_API int D2C_CALL d2c_ring_open(struct d2c_ring* ring, void* memory, d2c_u32 size);
/* The callback of d2c_open(); `user` is the d2c_ring. It fails for a chunk that is larger than the ring: the trace says what that cost. */
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
 * In front of the chunks, as little-endian words: a mark, the size, where the oldest chunk begins, the bytes of all chunks, their number, the
 * driver level, and in two words the number of the newest header that is gone.
 * Chunks lie one after the other, and go on at the front where the end is reached.
 */
#define D2C__RING_HEAD 32u
#define D2C__RING_MARK 0x52443244u /* "D2DR" */
enum {
  D2C__RING_SIZE = 4,
  D2C__RING_FIRST = 8,
  D2C__RING_USED = 12,
  D2C__RING_CHUNKS = 16,
  D2C__RING_LEVEL = 20,
  D2C__RING_SESSION = 24
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

/* Bytes of the chunk `offset` after the oldest one, its header into `header`; 0: that is none. */
static d2c_u32 d2c__ring_chunk(struct d2c_ring* ring, d2c_u32 offset, d2c_u8* header) {
  const d2c_u32 used = d2c__ring_get(ring, D2C__RING_USED);
  d2c_u32 stored;
  if (used - offset < D2C__CHUNK_HEADER) return 0;
  d2c__ring_copy(ring, d2c__ring_place(ring, offset), header, D2C__CHUNK_HEADER, 0);
  stored = D2C__LOAD(header + 28);
  return stored > used - offset - D2C__CHUNK_HEADER ? 0 : stored + D2C__CHUNK_HEADER;
}

/* A chunk that begins with a header, and so a session: its first event is one. Of packed ones the first word follows a byte. */
static int d2c__ring_is_session(struct d2c_ring* ring, d2c_u32 offset, const d2c_u8* header) {
  d2c_u8 start[4];
  if (D2C__LOAD(header + 28) < sizeof start) return 0;
  d2c__ring_copy(ring, d2c__ring_place(ring, offset) + D2C__CHUNK_HEADER, start, sizeof start, 0);
  return start[header[9] == 0 ? 0 : 1] == D2C__HEADER;
}

/* The bytes of a chunk, one after the other, packed or not. */
struct d2c__ring_source {
  struct d2c_ring* ring;
  d2c_u32 at;     /* of the next one that is stored */
  d2c_u32 stored; /* bytes that are left of these */
  d2c_u32 is_packed;
  d2c_u32 words; /* and what follows: of packed ones. Words that are left */
  d2c_u32 alone; /* words that come as they are */
  d2c_u32 run;   /* times that the word comes again */
  d2c_u32 left;  /* bytes of the word */
  d2c_u8 word[4];
};

#define D2C__RING_EVENT 8u /* bytes in front of the payload of an event: kind and size */

/* Bytes as they are stored; zeros where there are no more. */
static void d2c__ring_take(struct d2c__ring_source* from, d2c_u8* to, d2c_u32 size) {
  const d2c_u32 now = size < from->stored ? size : from->stored;
  d2c__ring_copy(from->ring, from->at, to, now, 0);
  d2c__zero(to + now, size - now);
  from->stored -= now;
  from->at += now;
  if (from->at >= from->ring->size) from->at -= from->ring->size;
}

static void d2c__ring_read(struct d2c__ring_source* from, d2c_u8* to, d2c_u32 size) {
  while (size != 0) {
    d2c_u8 control = 0;
    if (from->left != 0) {
      *to++ = from->word[4 - from->left--];
      --size;
    } else if (!from->is_packed || from->words == 0) {
      d2c__ring_take(from, to, size);
      return;
    } else if (from->run != 0 || from->alone != 0) {
      if (from->run != 0) {
        --from->run;
      } else {
        --from->alone;
        d2c__ring_take(from, from->word, 4);
      }
      --from->words;
      from->left = 4;
    } else {
      d2c__ring_take(from, &control, 1);
      if (control < 128) {
        from->alone = control + 1u;
      } else {
        from->run = control - 126u;
        d2c__ring_take(from, from->word, 4);
      }
    }
  }
}

/* `size` bytes are passed over. */
static void d2c__ring_skip(struct d2c__ring_source* from, d2c_u32 size) {
  d2c_u8 piece[64];
  if (!from->is_packed) {
    const d2c_u32 now = size < from->stored ? size : from->stored;
    from->stored -= now;
    from->at += now;
    if (from->at >= from->ring->size) from->at -= from->ring->size;
    return;
  }
  while (size != 0) {
    const d2c_u32 now = size < sizeof piece ? size : (d2c_u32)sizeof piece;
    d2c__ring_read(from, piece, now);
    size -= now;
  }
}

/* The events of the chunk, as they were before it was packed: how many bytes. 0: its header is damaged. */
static d2c_u32 d2c__ring_source(struct d2c__ring_source* from, struct d2c_ring* ring,
                                d2c_u32 offset, const d2c_u8* header) {
  const d2c_u32 size = D2C__LOAD(header + 24);
  d2c__zero(from, sizeof *from);
  from->ring = ring;
  from->at = d2c__ring_place(ring, offset + D2C__CHUNK_HEADER);
  from->stored = D2C__LOAD(header + 28);
  from->is_packed = header[9] != 0 ? 1u : 0u;
  from->words = size / 4;
  /* Five bytes that are packed have at most 129 words. */
  return from->is_packed == 0 ? (size == from->stored ? size : 0)
                              : (size / 104 <= from->stored ? size : 0);
}

/* The number of the last header in the chunk, where there is one. */
static void d2c__ring_find_header(struct d2c_ring* ring, d2c_u32 offset, const d2c_u8* header) {
  struct d2c__ring_source from;
  d2c_u32 left = d2c__ring_source(&from, ring, offset, header);
  struct d2c_u64 number = d2c_u64_of(D2C__LOAD(header + 20), D2C__LOAD(header + 16));
  d2c_u8 event[D2C__RING_EVENT];
  while (left >= D2C__RING_EVENT) {
    d2c_u32 size;
    d2c__ring_read(&from, event, D2C__RING_EVENT);
    left -= D2C__RING_EVENT;
    size = D2C__LOAD(event + 4) < left ? D2C__LOAD(event + 4) : left;
    if (D2C__LOAD(event) == D2C__HEADER) {
      d2c__ring_set(ring, D2C__RING_SESSION, number.lo);
      d2c__ring_set(ring, D2C__RING_SESSION + 4, number.hi);
    }
    d2c__ring_skip(&from, size);
    left -= size;
    number = d2c__add(number, d2c_u64_of(0, 1));
  }
}

/* The oldest chunk goes. */
static void d2c__ring_drop(struct d2c_ring* ring) {
  d2c_u8 header[D2C__CHUNK_HEADER];
  const d2c_u32 size = d2c__ring_chunk(ring, 0, header);
  const d2c_u32 next = d2c__ring_place(ring, size);
  const d2c_u32 used = size == 0 ? 0 : d2c__ring_get(ring, D2C__RING_USED) - size;
  const d2c_u32 chunks = size == 0 ? 0 : d2c__ring_get(ring, D2C__RING_CHUNKS) - 1;
  if (size != 0) d2c__ring_find_header(ring, 0, header);
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

/* A header has come: makes room for its chunk. Index and footer are not kept. 0: the chunk is larger than the ring. */
D2C__APART static int d2c__ring_begin(struct d2c_ring* ring) {
  const d2c_u32 stored = D2C__LOAD(ring->header + 28);
  ring->left = stored;
  ring->is_kept = ring->header[8] == D2C__EVENTS ? 1u : 0u;
  if (ring->is_kept && (stored > ring->size || ring->size - stored < D2C__CHUNK_HEADER)) {
    ++ring->left_out;
    ring->header_size = 0; /* nothing more of it comes */
    return 0;
  }
  if (!ring->is_kept) return 1;
  while (ring->size - d2c__ring_get(ring, D2C__RING_USED) < stored + D2C__CHUNK_HEADER ||
         (ring->most_chunks != 0 && d2c__ring_get(ring, D2C__RING_CHUNKS) >= ring->most_chunks))
    d2c__ring_drop(ring);
  d2c__ring_copy(ring, d2c__ring_place(ring, d2c__ring_get(ring, D2C__RING_USED)), ring->header,
                 D2C__CHUNK_HEADER, 1);
  return 1;
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
  if (ring == 0 || ring->memory == 0 || (bytes == 0 && size != 0)) return 1;
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
        if (!d2c__ring_begin(ring)) return 1;
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

/* The header of a chunk, of which `stored` bytes follow, with its events counted from `base`. */
static int d2c__ring_put_chunk_header(struct d2c_ring* ring, d2c_u8* header, struct d2c_u64 base,
                                      d2c_u32 stored, d2c_write_fn write, void* user) {
  const d2c_u32 lo = D2C__LOAD(header + 16);
  D2C__STORE(header + 16, lo - base.lo);
  D2C__STORE(header + 20, D2C__LOAD(header + 20) - base.hi - (lo < base.lo ? 1u : 0u));
  D2C__STORE(header + 28, stored);
  d2c__store64(header + 40, d2c__ring_hash(ring, header, 40));
  return write(user, header, D2C__CHUNK_HEADER) != 0;
}

/* The chunk with its events counted from `base`. */
D2C__APART static int d2c__ring_put(struct d2c_ring* ring, d2c_u32 offset, d2c_u8* header,
                                    struct d2c_u64 base, d2c_write_fn write, void* user) {
  const d2c_u32 stored = D2C__LOAD(header + 28);
  const d2c_u32 at = d2c__ring_place(ring, offset + D2C__CHUNK_HEADER);
  const d2c_u32 until_end = ring->size - at < stored ? ring->size - at : stored;
  d2c_u8* const chunks = ring->memory + D2C__RING_HEAD;
  if (d2c__ring_put_chunk_header(ring, header, base, stored, write, user)) return 1;
  if (until_end != 0 && write(user, chunks + at, until_end) != 0) return 1;
  return stored != until_end && write(user, chunks, stored - until_end) != 0;
}

/* ---------- chunks of a session whose header is gone ---------- */

#define D2C__RING_MARKER 12u

/* Where the bytes go: into the hash, without a callback; how many they are. */
struct d2c__ring_target {
  d2c_write_fn write;
  void* user;
  d2c_u32 size;
};

static struct d2c_u64 d2c__ring_minus(struct d2c_u64 a, struct d2c_u64 b) {
  return d2c_u64_of(a.hi - b.hi - (a.lo < b.lo ? 1u : 0u), a.lo - b.lo);
}

static int d2c__ring_is_below(struct d2c_u64 a, struct d2c_u64 b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static int d2c__ring_flush(struct d2c_ring* ring, const struct d2c__ring_target* to) {
  const d2c_u32 size = ring->staged;
  ring->staged = 0;
  return size != 0 && to->write(to->user, ring->stage, size) != 0;
}

static int d2c__ring_emit(struct d2c_ring* ring, struct d2c__ring_target* to, const d2c_u8* bytes,
                          d2c_u32 size) {
  to->size += size;
  if (to->write == 0) {
    d2c_hash_add(&ring->hash, bytes, size);
    return 0;
  }
  while (size != 0) {
    const d2c_u32 room = (d2c_u32)sizeof ring->stage - ring->staged;
    const d2c_u32 now = size < room ? size : room;
    d2c__copy(ring->stage + ring->staged, bytes, now);
    ring->staged += now;
    bytes += now;
    size -= now;
    if (now == room && d2c__ring_flush(ring, to)) return 1;
  }
  return 0;
}

/* `size` bytes as they are. */
static int d2c__ring_pass(struct d2c__ring_source* from, struct d2c__ring_target* to,
                          d2c_u32 size) {
  d2c_u8 piece[64];
  while (size != 0) {
    const d2c_u32 now = size < sizeof piece ? size : (d2c_u32)sizeof piece;
    d2c__ring_read(from, piece, now);
    size -= now;
    if (d2c__ring_emit(from->ring, to, piece, now)) return 1;
  }
  return 0;
}

/* An event that is a result: `event` has its kind, size and members, and its call, `size` bytes. `first`: the oldest call that is there. */
static int d2c__ring_put_result(struct d2c__ring_source* from, struct d2c__ring_target* to,
                                d2c_u8* event, d2c_u32 size, struct d2c_u64 first) {
  const d2c_u32 rest = D2C__LOAD(event + 4) + D2C__RING_EVENT - size;
  struct d2c_u64 call = d2c_u64_of(0, 0);
  if (size == 24 && (event[8] & 1) != 0)
    call = d2c_u64_of(D2C__LOAD(event + 20), D2C__LOAD(event + 16));
  if (!d2c__ring_is_below(call, first)) {
    /* After the header of the ring, which is event 0. */
    d2c__store64(event + 16, d2c__add(d2c__ring_minus(call, first), d2c_u64_of(0, 1)));
    return d2c__ring_emit(from->ring, to, event, size) || d2c__ring_pass(from, to, rest);
  }
  D2C__STORE(event, D2C__RING_MARKER);
  D2C__STORE(event + 4, 8);
  d2c__zero(event + 8, 8);
  d2c__ring_skip(from, rest);
  return d2c__ring_emit(from->ring, to, event, 16);
}

/* The events of the chunk. `results`: how many of them are results of the session whose header is gone; `is_bare`: that one goes on. */
static int d2c__ring_events(struct d2c_ring* ring, d2c_u32 offset, const d2c_u8* header,
                            struct d2c_u64 first, struct d2c__ring_target* to, d2c_u32* results,
                            d2c_u32* is_bare) {
  struct d2c__ring_source from;
  d2c_u32 left = d2c__ring_source(&from, ring, offset, header);
  d2c_u8 event[24];
  *results = 0;
  while (left >= D2C__RING_EVENT) {
    d2c_u32 size = D2C__RING_EVENT;
    d2c_u32 payload;
    int failed;
    d2c__ring_read(&from, event, size);
    payload = D2C__LOAD(event + 4);
    if (payload > left - D2C__RING_EVENT) payload = left - D2C__RING_EVENT;
    left -= D2C__RING_EVENT + payload;
    if (D2C__LOAD(event) == D2C__HEADER) *is_bare = 0;
    if (*is_bare && D2C__LOAD(event) == D2C__CALL_RESULT && D2C__LOAD(event + 4) == payload &&
        payload >= 8) {
      size += payload < 16 ? 8u : 16u;
      d2c__ring_read(&from, event + D2C__RING_EVENT, size - D2C__RING_EVENT);
      ++*results;
      failed = d2c__ring_put_result(&from, to, event, size, first);
    } else {
      failed = d2c__ring_emit(ring, to, event, size) || d2c__ring_pass(&from, to, payload);
    }
    if (failed) return 1;
  }
  return d2c__ring_pass(&from, to, left) || (to->write != 0 && d2c__ring_flush(ring, to));
}

/* A chunk of a session whose header is gone, with the numbers of calls that it has now. `session`: the number of that header. */
D2C__APART static int d2c__ring_put_bare(struct d2c_ring* ring, d2c_u32 offset, d2c_u8* header,
                                         struct d2c_u64 base, struct d2c_u64 session,
                                         struct d2c__ring_target* to, d2c_u32* is_bare) {
  const struct d2c_u64 first =
      d2c__ring_minus(d2c__add(base, d2c_u64_of(0, 1)), session); /* as results name it */
  const d2c_write_fn write = to->write;
  d2c_u32 was_bare = *is_bare;
  d2c_u32 results;
  to->write = 0;
  to->size = 0;
  d2c_hash_begin(&ring->hash);
  (void)d2c__ring_events(ring, offset, header, first, to, &results, is_bare);
  to->write = write;
  if (results == 0) return d2c__ring_put(ring, offset, header, base, write, to->user);
  D2C__STORE(header + 8, D2C__EVENTS);
  D2C__STORE(header + 24, to->size);
  d2c__store64(header + 32, d2c_hash_end(&ring->hash));
  if (d2c__ring_put_chunk_header(ring, header, base, to->size, write, to->user)) return 1;
  ring->staged = 0;
  d2c__ring_chunk(ring, offset, header);
  return d2c__ring_events(ring, offset, header, first, to, &results, &was_bare);
}

D2C_API int D2C_CALL d2c_ring_dump(struct d2c_ring* ring, d2c_write_fn write, void* user) {
  static const d2c_u8 file[16] = {0x89, 0x44, 0x32, 0x54, 0x0D, 0x0A, 0x1A, 0x0A,
                                  1,    0,    0,    0,    0,    0,    0,    0};
  d2c_u8 header[D2C__CHUNK_HEADER];
  struct d2c_u64 base = d2c_u64_of(0, 0);
  struct d2c_u64 session;
  d2c_u32 first = 0;
  d2c_u32 is_bare = 1;
  d2c_u32 offset;
  d2c_u32 size;
  struct d2c__ring_target to;
  if (ring == 0 || ring->memory == 0 || write == 0) return D2C_E_ARGUMENT;
  to.write = write;
  to.user = user;
  to.size = 0;
  session = d2c_u64_of(d2c__ring_get(ring, D2C__RING_SESSION + 4),
                       d2c__ring_get(ring, D2C__RING_SESSION));
  for (offset = 0; (size = d2c__ring_chunk(ring, offset, header)) != 0; offset += size) {
    if (!d2c__ring_is_session(ring, offset, header)) continue;
    first = offset;
    is_bare = 0;
    break;
  }
  if (write(user, file, 16) != 0) return D2C_E_WRITE;
  if (is_bare && d2c__ring_put_header(ring, write, user) != 0) return D2C_E_WRITE;
  for (offset = first; (size = d2c__ring_chunk(ring, offset, header)) != 0; offset += size) {
    if (offset == first) {
      base = d2c_u64_of(D2C__LOAD(header + 20), D2C__LOAD(header + 16));
      if (is_bare) base = d2c_u64_of(base.hi - (base.lo == 0 ? 1u : 0u), base.lo - 1);
    }
    if ((is_bare ? d2c__ring_put_bare(ring, offset, header, base, session, &to, &is_bare)
                 : d2c__ring_put(ring, offset, header, base, write, user)) != 0)
      return D2C_E_WRITE;
  }
  return D2C_OK;
}

#ifdef __cplusplus
}
#endif

#endif /* D2C_IMPLEMENTATION */
