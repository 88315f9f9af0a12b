#include "os/progress.h"

// What engine.js gives the module.
extern "C" [[clang::import_module("dp2trace"), clang::import_name("progress")]] void
dp2trace_progress(double done, double size);

namespace dp2trace {

void OfferProgress(double done, double size) {
  dp2trace_progress(done, size);
}

}  // namespace dp2trace
