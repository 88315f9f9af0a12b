#include "base/floats.h"

namespace dp2trace {

void SetDefaultFloats() {
  std::fesetenv(FE_DFL_ENV);
}

DefaultFloats::DefaultFloats() {
  std::fegetenv(&callers_);
  SetDefaultFloats();
}

DefaultFloats::~DefaultFloats() {
  std::fesetenv(&callers_);
}

}  // namespace dp2trace
