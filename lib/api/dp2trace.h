/* dp2trace.h: checks and draws what a Direct3D 6 to 9 display driver is told, in the process of whoever asks: unit tests of a driver, emulators.
 *
 * A session takes the bytes of a trace in pieces, as dp2trace_capture.h hands them to its callback, and has findings and the surfaces of
 * a reference device at any time:
 *
 *   dp2trace_session* session;
 *   dp2trace_open(NULL, &session);
 *   dp2trace_feed(session, bytes, size);                  any number of times
 *   while ((finding = dp2trace_next_finding(session)) != NULL) ...
 *   level = dp2trace_get_level(session, 0, handle, 0, 0);     what is drawn in the surface by now
 *   dp2trace_close(session);
 *
 * A view (dp2trace_view_open) has a whole trace and answers what the live page asks.
 *
 * Nothing is printed, no file is touched but those of a view, nothing is thrown. A session may be used by one thread at a time; sessions know nothing of each other.
 * Link with -ldp2trace; see pkg-config dp2trace, or find_package(dp2trace) and dp2trace::dp2trace. Page: lib/api/README.md. */
#ifndef DP2TRACE_H
#define DP2TRACE_H

/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using,readability-identifier-naming): C */
#include <stddef.h>
#include <stdint.h>

#if defined(DP2TRACE_BUILDS_LIBRARY) && defined(_WIN32)
#define DP2TRACE_API __declspec(dllexport)
#elif defined(DP2TRACE_BUILDS_LIBRARY)
#define DP2TRACE_API __attribute__((visibility("default")))
#else
#define DP2TRACE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dp2trace_session dp2trace_session;

/* What functions return; later versions may add numbers. */
enum {
  DP2TRACE_OK = 0,
  DP2TRACE_E_ARGUMENT =
      1, /* a pointer is null, a name or number has no meaning; nothing has changed */
  DP2TRACE_E_MEMORY = 2, /* there is no memory; the session is at its end */
  DP2TRACE_E_INPUT =
      3, /* what was fed is not a trace that this version reads; the session is at its end */
  DP2TRACE_E_NOT_FOUND = 4, /* no such surface, face or level; no answer */
  DP2TRACE_E_ENDED = 5,     /* fed after dp2trace_finish(), or cancelled */
  DP2TRACE_E_INTERNAL = 6   /* a defect of the library; the session is at its end */
};

enum { DP2TRACE_ADVICE = 0, DP2TRACE_WARNING = 1, DP2TRACE_ERROR = 2 };

/* A number that is not known. */
#define DP2TRACE_NONE UINT64_MAX

typedef struct dp2trace_options {
  uint64_t max_memory; /* bytes that reading may take, the largest chunk and its events (1 GiB) */
  uint64_t max_surface_memory; /* bytes of all surfaces together (4 GiB) */
  uint64_t
      max_draw_steps; /* work of one draw: vertices, quads of pixels, shader instructions (2^30) */
  uint32_t driver_level; /* 6 to 9, in place of the one in the header; 0: that one */
  uint32_t is_lint;      /* not 0: nothing is drawn, and surfaces have no pixels */
  uint32_t threads;      /* that draw, where the renderer has several; 0: one for each core */
  uint32_t is_verify;    /* not 0: what `dp2trace verify` reports of recordings (RECORD-...), too */
  const char* preset;    /* rules: "minimal", "recommended", "pedantic"; null: "recommended" */
  const char* renderer;  /* "reference", "fast": the same pixels; null: the default */
  uint32_t tolerance;    /* is_verify: of each 8-bit channel of a picture, 0 to 255 */
  uint32_t lists_leaks;  /* is_verify, not 0: what lives when the trace is finished */
  uint64_t max_pixels;   /* is_verify: of a picture, that may be further off */
  uint32_t edge_pixels;  /* is_verify: by which edges may lie elsewhere, 0 to 8 */
  uint32_t reserved;     /* 0 */
} dp2trace_options;

/* Sets the defaults. `size` is sizeof(dp2trace_options). */
DP2TRACE_API void dp2trace_options_init(dp2trace_options* options, size_t size);

/* What is wrong, and where. Members may be added at the end. Texts are UTF-8, never null, empty where there is nothing to say. */
typedef struct dp2trace_finding {
  const char* rule; /* "DP2-TEXBLT-003"; `dp2trace explain RULE` tells all about it */
  int severity;     /* DP2TRACE_ERROR, ... */
  uint64_t
      event; /* number of the event, the header is 0; DP2TRACE_NONE: the finding is about the file */
  uint64_t
      offset; /* bytes from the start of the command buffer, or of the file; or DP2TRACE_NONE */
  uint64_t length;  /* bytes that the finding is about; 0: not known */
  const char* path; /* "commands/17/records/5/value" */
  const char* message;
  const char* actual;
  const char* expected;
} dp2trace_finding;

/* One level of one face of a surface, as stored. Members may be added at the end. */
typedef struct dp2trace_level {
  const void* bytes;       /* the first row of the first slice */
  uint32_t format;         /* D3DFORMAT */
  const char* format_name; /* "X8R8G8B8" */
  uint32_t width;          /* pixels; of a buffer bytes */
  uint32_t height;
  uint32_t slices;      /* of a volume, or samples of a multisampled surface; else 1 */
  uint32_t block_width; /* pixels of one block: 4 x 4 for DXT1, 1 x 1 for plain formats */
  uint32_t block_height;
  uint32_t block_size; /* bytes of one block */
  uint32_t
      rows; /* of blocks; of a planar format those of the first plane, the others lie after it */
  uint64_t row_size;    /* bytes of a row */
  uint64_t pitch;       /* bytes from row to row */
  uint64_t slice_pitch; /* bytes from slice to slice, all planes together */
} dp2trace_level;

/* Of what has been executed. Members may be added at the end. */
typedef struct dp2trace_statistics {
  uint64_t events;
  uint64_t calls;    /* D3dDrawPrimitives2 and D3DKMT_RENDER */
  uint64_t commands; /* tokens */
  uint64_t draws;
  uint64_t frames;
  uint64_t errors; /* findings, listed or not */
  uint64_t warnings;
  uint64_t advice;
  uint64_t
      unlisted; /* findings that were counted and not kept, because 10,000 waited to be taken */
} dp2trace_statistics;

/* "0.1.0": the version of the library. */
DP2TRACE_API const char* dp2trace_version(void);
/* A sentence about a DP2TRACE_E_ number. Never null. */
DP2TRACE_API const char* dp2trace_describe(int result);

/* Makes a session. Null options are the defaults. Fails with E_ARGUMENT or E_MEMORY; *session is null then. */
DP2TRACE_API int dp2trace_open(const dp2trace_options* options, dp2trace_session** session);
/* Frees it with all that it handed out. Null is allowed. */
DP2TRACE_API void dp2trace_close(dp2trace_session* session);

/* The next bytes of the trace, in pieces of any size; they are not needed afterwards. What is whole is executed. Findings are no
 * failure. A call (dp2, render, blt) without a result waits for the next event, which may be its result. Other text may stand before the trace,
 * as of a serial port: that there is no trace after it is E_INPUT after 16 MiB of it, or from dp2trace_finish(). */
DP2TRACE_API int dp2trace_feed(dp2trace_session* session, const void* bytes, size_t size);
/* Executes a call that waits for its result as if that were not known. */
DP2TRACE_API int dp2trace_settle(dp2trace_session* session);
/* The trace has ended: what was cut off is reported. Surfaces stay. */
DP2TRACE_API int dp2trace_finish(dp2trace_session* session);

/* The next finding, each once, in the order in which they were found; null: none by now. Lives until the next call with the session. */
DP2TRACE_API const dp2trace_finding* dp2trace_next_finding(dp2trace_session* session);

/* What is in a surface by now, after dp2trace_settle(). The handle is that of the trace; faces (0 to 5: +X -X +Y -Y +Z -Z) and levels count
 * from the one that it names, which is the first one of a root. Null: there is no such thing, or no pixels, see dp2trace_last_error(). Lives
 * until the next call with the session. Pixels that nobody wrote are 0. */
DP2TRACE_API const dp2trace_level* dp2trace_get_level(dp2trace_session* session, uint32_t space,
                                                      uint32_t handle, uint32_t face,
                                                      uint32_t level);

/* Lives until the next call with the session; null for a null session. */
DP2TRACE_API const dp2trace_statistics* dp2trace_get_statistics(dp2trace_session* session);

/* Why the last call that failed did so; empty: none did. Never null. Lives until the next call with the session. */
DP2TRACE_API const char* dp2trace_last_error(const dp2trace_session* session);

/* A trace that somebody looks at: any of its frames draw by draw, the history of any pixel, all findings, a comparison with a picture or another
 * trace, and what it would show with changes. Questions and answers are those of the live page; lib/live/README.md has them.
 *
 *   dp2trace_view_open(NULL, &view);
 *   dp2trace_view_load(view, "game.dp2t", bytes, size);
 *   if (dp2trace_view_ask(view, "history/12-320-200") == DP2TRACE_OK) puts(dp2trace_view_answer(view, NULL));
 *   dp2trace_view_close(view);
 *
 * One thread at a time uses a view; others may cancel. What was loaded lies in a folder among the temporary files, which goes with the view. */
typedef struct dp2trace_view dp2trace_view;

/* Makes an empty view. Of the options is_lint and is_verify must be 0. Fails with E_ARGUMENT, E_MEMORY, or E_INTERNAL where there is no folder for temporary
 * files; *view is null then. */
DP2TRACE_API int dp2trace_view_open(const dp2trace_options* options, dp2trace_view** view);
/* Frees it with all that it handed out. Null is allowed. */
DP2TRACE_API void dp2trace_view_close(dp2trace_view* view);

/* What is looked at from now on: a trace in either form, a capture of apitrace or a text of hex dumps. The bytes are not needed afterwards. `name` is that of the
 * file, in UTF-8, as answers show it; where the bytes do not say what they are, its end does. The answer is {"notes":[...]}, what a capture has
 * that the trace lacks, a sentence each. Fails with E_INPUT where it cannot be read; the view is empty then. */
DP2TRACE_API int dp2trace_view_load(dp2trace_view* view, const char* name, const void* bytes,
                                    size_t size);
/* A file beside the trace, a PNG or another trace, in place of the one that was there. The answer says what it is. Fails with E_INPUT. */
DP2TRACE_API int dp2trace_view_load_beside(dp2trace_view* view, const char* name, const void* bytes,
                                           size_t size);
/* Asks for something by its name ("overview/0", "frames/3", "findings", "edit/drop draw=7"); the answer is JSON. Fails with E_NOT_FOUND where there is no answer, or
 * with E_ENDED where it was cancelled. */
DP2TRACE_API int dp2trace_view_ask(dp2trace_view* view, const char* question);
/* The trace that is shown, changes included, as a file: the answer is its bytes. */
DP2TRACE_API int dp2trace_view_save(dp2trace_view* view);
/* Of the last call that succeeded; where it failed, why. A zero comes after it. Never null; `size` may be null, and gets the number of bytes. Lives until the next call with
 * the view. */
DP2TRACE_API const char* dp2trace_view_answer(dp2trace_view* view, size_t* size);

/* By any thread: what another thread asks or loads beside fails. A question that comes later does not. */
DP2TRACE_API void dp2trace_view_cancel(dp2trace_view* view);
/* By any thread: how many bytes of the trace the work on the current question has read, of how many (0: not known). Null is allowed. */
DP2TRACE_API void dp2trace_view_get_progress(dp2trace_view* view, uint64_t* done, uint64_t* size);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-deprecated-headers,modernize-use-using,readability-identifier-naming) */

#endif
