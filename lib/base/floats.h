// The control of floating point: rounding to nearest, denormals as they are, no traps, x87 in its full precision. Renderers need it
// (lib/raster/rendering.md 0.3); a caller or a library that is loaded first may have set another one.
#pragma once

#include <cfenv>
#include <thread>
#include <utility>

namespace dp2trace {

// For the calling thread, from here on.
void SetDefaultFloats();

// As long as it lives; then the caller's control is back.
class DefaultFloats {
 public:
  DefaultFloats();
  ~DefaultFloats();
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;

 private:
  std::fenv_t callers_{};
};

// A thread with them: every thread that computes is started here.
template <class Work>
std::jthread StartThread(Work work) {
  return std::jthread([work = std::move(work)]() mutable {
    SetDefaultFloats();
    work();
  });
}

}  // namespace dp2trace
