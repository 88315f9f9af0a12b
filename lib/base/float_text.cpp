#include "base/float_text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace dp2trace {

std::optional<float> FloatOf(const std::string& digits) {
  float rounded = 0;
#ifdef __cpp_lib_to_chars
  const char* const end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, rounded);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
#else  // libc++ before 20
  char* last = nullptr;
  rounded = std::strtof(digits.c_str(), &last);
  const bool is_lost =
      rounded == 0 && digits.find_first_of("123456789") < digits.find_first_of("eE");
  if (digits.empty() || *last != 0 || !std::isfinite(rounded) || is_lost) return std::nullopt;
#endif
  return rounded;
}

}  // namespace dp2trace
