/* A trace that somebody looks at, through libdp2trace and in C: what dp2trace.h promises of a view.
 * usage: api_view_test TRACE.json     a trace of one frame with several draws */
#include <dp2trace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(int is_right, const char* what) {
  if (is_right) return;
  fprintf(stderr, "not so: %s\n", what);
  ++failures;
}
#define CHECK(condition) check(condition, #condition)

static int holds(dp2trace_view* view, const char* text) {
  return strstr(dp2trace_view_answer(view, NULL), text) != NULL;
}

static void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  void* bytes = malloc(1 << 24);
  *size = file != NULL && bytes != NULL ? fread(bytes, 1, 1 << 24, file) : 0;
  if (file != NULL) fclose(file);
  return bytes;
}

static void test_arguments(void) {
  dp2trace_view* view = NULL;
  dp2trace_options options;
  size_t size = 7;
  uint64_t done = 7;
  CHECK(dp2trace_view_open(NULL, NULL) == DP2TRACE_E_ARGUMENT);
  dp2trace_options_init(&options, sizeof options);
  options.is_lint = 1;
  CHECK(dp2trace_view_open(&options, &view) == DP2TRACE_E_ARGUMENT);
  CHECK(view == NULL);
  CHECK(dp2trace_view_load(NULL, "x", "x", 1) == DP2TRACE_E_ARGUMENT);
  CHECK(dp2trace_view_ask(NULL, "findings") == DP2TRACE_E_ARGUMENT);
  CHECK(dp2trace_view_answer(NULL, &size)[0] == '\0');
  CHECK(size == 0);
  dp2trace_view_cancel(NULL);
  dp2trace_view_get_progress(NULL, &done, NULL);
  CHECK(done == 0);
  dp2trace_view_close(NULL);
}

int main(int argc, char** argv) {
  static const char kNonsense[] = "neither a trace nor a capture nor a dump";
  static const unsigned char kBytes[] = {0, 1, 2, 3};
  dp2trace_view* view = NULL;
  uint64_t done = 0, whole = 0;
  size_t size = 0, saved_size = 0;
  void* bytes = argc == 2 ? read_file(argv[1], &size) : NULL;
  const char* answer;
  void* saved;
  if (bytes == NULL || size == 0) return 2;
  test_arguments();

  CHECK(dp2trace_view_open(NULL, &view) == DP2TRACE_OK);
  CHECK(dp2trace_view_ask(view, "findings") == DP2TRACE_E_NOT_FOUND);
  CHECK(holds(view, "no trace is open"));
  CHECK(dp2trace_view_load(view, "nonsense.bin", kNonsense, sizeof kNonsense - 1) ==
        DP2TRACE_E_INPUT);
  CHECK(dp2trace_view_load(view, "nonsense.bin", kBytes, sizeof kBytes) == DP2TRACE_E_INPUT);
  CHECK(holds(view, "nonsense.bin"));
  CHECK(!holds(view, "/nonsense.bin"));
  CHECK(dp2trace_view_load(view, "../a:b.json", bytes, size) == DP2TRACE_OK);
  CHECK(dp2trace_view_load(view, NULL, bytes, size) == DP2TRACE_E_ARGUMENT);
  CHECK(dp2trace_view_load(view, "scene.json", bytes, size) == DP2TRACE_OK);
  CHECK(strcmp(dp2trace_view_answer(view, NULL), "{\"notes\":[]}") == 0);

  /* Frames, draws, states, pictures, histories, findings: as the page asks for them. */
  CHECK(dp2trace_view_ask(view, "overview/0") == DP2TRACE_OK);
  CHECK(holds(view, "\"trace\":\"scene.json\""));
  dp2trace_view_get_progress(view, &done, &whole);
  CHECK(done != 0 && done <= whole);
  CHECK(dp2trace_view_ask(view, "frames/1") == DP2TRACE_OK);
  CHECK(holds(view, "\"items\""));
  CHECK(dp2trace_view_ask(view, "items/1-0") == DP2TRACE_OK);
  CHECK(dp2trace_view_ask(view, "history/1-0-0") == DP2TRACE_OK);
  CHECK(holds(view, "CLEAR"));
  CHECK(dp2trace_view_ask(view, "findings") == DP2TRACE_OK);
  CHECK(holds(view, "\"error\":0"));
  CHECK(dp2trace_view_ask(view, "frames/99") == DP2TRACE_E_NOT_FOUND);
  CHECK(dp2trace_view_ask(view, NULL) == DP2TRACE_E_ARGUMENT);

  /* What if: the trace without a draw beside the trace as it was. */
  CHECK(dp2trace_view_ask(view, "edit/drop draw=2") == DP2TRACE_OK);
  CHECK(dp2trace_view_save(view) == DP2TRACE_OK);
  answer = dp2trace_view_answer(view, &saved_size);
  CHECK(saved_size > 0);
  saved = malloc(saved_size);
  if (saved == NULL) return 2;
  memcpy(saved, answer, saved_size);
  CHECK(dp2trace_view_ask(view, "edit/") == DP2TRACE_OK);
  CHECK(dp2trace_view_load_beside(view, "changed.dp2t", saved, saved_size) == DP2TRACE_OK);
  CHECK(holds(view, "\"kind\":\"trace\""));
  CHECK(dp2trace_view_ask(view, "diff") == DP2TRACE_OK);
  CHECK(holds(view, "changed.dp2t"));
  CHECK(dp2trace_view_load_beside(view, "nonsense.png", kNonsense, sizeof kNonsense - 1) ==
        DP2TRACE_E_INPUT);
  CHECK(dp2trace_view_ask(view, "diff") == DP2TRACE_E_NOT_FOUND);

  /* A cancelled question is over; the next one is not. */
  dp2trace_view_cancel(view);
  CHECK(dp2trace_view_ask(view, "findings") == DP2TRACE_OK);

  /* Another trace in its place. */
  CHECK(dp2trace_view_load(view, "changed.dp2t", saved, saved_size) == DP2TRACE_OK);
  CHECK(dp2trace_view_ask(view, "overview/0") == DP2TRACE_OK);
  CHECK(holds(view, "\"trace\":\"changed.dp2t\""));
  dp2trace_view_close(view);
  free(saved);
  free(bytes);
  return failures == 0 ? 0 : 1;
}
