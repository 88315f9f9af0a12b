// Memory for a page: it fills what it hands to the functions of dp2trace.h. The engine is these two functions, and those of a view.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {
// Null: there is none.
uint8_t* dp2trace_allocate(size_t size);
void dp2trace_free(uint8_t* memory);
}

uint8_t* dp2trace_allocate(size_t size) {
  return static_cast<uint8_t*>(std::malloc(size != 0 ? size : 1));  // NOLINT(*-no-malloc)
}

void dp2trace_free(uint8_t* memory) {
  std::free(memory);  // NOLINT(*-no-malloc)
}
