#include "import/limits.h"

namespace dp2trace::import {
namespace {

// Steps that a file is allowed, and for each of its bytes; and where its size is not known.
constexpr uint64_t kLeastSteps = uint64_t{8} << 30, kStepsPerByte = 16384,
                   kStepsWithoutSize = uint64_t{1} << 40;

}  // namespace

// Three eighths of the memory are left to what is not counted: buffers of the writer, and what the allocator of the system takes beside.
std::shared_ptr<Allowance> MakeAllowance(uint64_t max_memory, std::optional<uint64_t> max_steps,
                                         std::optional<uint64_t> file_size) {
  const uint64_t steps = file_size ? kLeastSteps + *file_size * kStepsPerByte : kStepsWithoutSize;
  return std::make_shared<Allowance>(max_memory / 8 * 5, max_steps.value_or(steps));
}

}  // namespace dp2trace::import
