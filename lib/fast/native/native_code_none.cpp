// Of machines that no code is made for.
#include "fast/native/native_code.h"

namespace dp2trace::fast {

bool HasNativeCode(const Isa& /*isa*/) {
  return false;
}

std::shared_ptr<const NativeCode> MakeNativeCode(const Program& /*program*/,
                                                 std::span<const Operand> /*results*/,
                                                 const Isa& /*isa*/) {
  return nullptr;
}

}  // namespace dp2trace::fast
