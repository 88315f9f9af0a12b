// Loaded before a program (LD_PRELOAD), it changes the control of floating point as $FLOAT_MODE says, before main() and at the start of every
// thread: up, down, zero (rounding), flush (FTZ and DAZ), trap (exceptions), single (precision of x87).
#include <dlfcn.h>
#include <pthread.h>

#include <cfenv>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace {

void Change() {
  const char* const text = std::getenv("FLOAT_MODE");
  const std::string_view mode = text == nullptr ? "" : text;
  if (mode == "up") std::fesetround(FE_UPWARD);
  if (mode == "down") std::fesetround(FE_DOWNWARD);
  if (mode == "zero") std::fesetround(FE_TOWARDZERO);
  if (mode == "trap") feenableexcept(FE_ALL_EXCEPT);
  if (mode == "flush") {
    uint32_t control = 0;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    control |= 0x8040;
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
  }
  if (mode == "single") {
    uint16_t control = 0;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    control = static_cast<uint16_t>(control & ~0x0300);
    __asm__ volatile("fldcw %0" : : "m"(control));
  }
}

using Run = void* (*)(void*);

struct Work {
  Run run;
  void* argument;
};

void* RunChanged(void* data) {
  const std::unique_ptr<Work> work(static_cast<Work*>(data));
  Change();
  return work->run(work->argument);
}

[[gnu::constructor]] void Start() {
  Change();
}

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, Run run,
                              void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, Run, void*);
  const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, RunChanged, new Work{run, argument});
}
