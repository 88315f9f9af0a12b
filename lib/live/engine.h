// The engine of the page: a session behind a C interface, for WebAssembly (scripts/build_web.sh). One trace at a time.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// Memory that the page fills, for the next call. Null: there is none.
uint8_t* dp2trace_allocate(size_t size);
void dp2trace_free(uint8_t* memory);
// Opens what somebody dropped (live/loader.h), and takes its memory. 1, and the answer is JSON: {"notes":[...]}; 0, and the answer is a sentence that
// says why not. `name` is UTF-8, without a folder.
int dp2trace_open(const char* name, size_t name_size, uint8_t* bytes, size_t size);
// Session::Put(): a file beside the trace. Takes its memory; 1, and the answer is JSON; 0, and it is a sentence.
int dp2trace_beside(const char* name, size_t name_size, uint8_t* bytes, size_t size);
// Session::Ask(). 1, and the answer is JSON; 0, and it is a sentence.
int dp2trace_ask(const char* name, size_t size);
// The trace as a file (.dp2t), where it was made of something else or is one: 1, and the answer is its bytes; 0: there is none.
int dp2trace_file();
// Of the last call; until the next one.
const char* dp2trace_answer();
size_t dp2trace_answer_size();
}
