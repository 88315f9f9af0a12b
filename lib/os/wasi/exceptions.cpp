// The engine is compiled without tables for unwinding: what throws ends it, and the page starts another one.
#include <cstddef>

namespace {

// Where a throw writes what it throws, on its way to the end.
alignas(16) unsigned char thrown[256];

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): names of the C++ ABI
extern "C" {

void* __cxa_allocate_exception(size_t) noexcept {
  return thrown;
}

void __cxa_free_exception(void*) noexcept {}

[[noreturn]] void __cxa_throw(void*, void*, void (*)(void*)) {
  __builtin_trap();
}

[[noreturn]] void __cxa_rethrow() {
  __builtin_trap();
}

void* __cxa_begin_catch(void* exception) noexcept {
  return exception;
}

void __cxa_end_catch() {}

[[noreturn]] void _Unwind_Resume(void*) {
  __builtin_trap();
}

int __gxx_personality_v0(...) {
  return 0;
}
}
// NOLINTEND(bugprone-reserved-identifier)
