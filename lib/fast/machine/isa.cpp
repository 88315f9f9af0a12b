#include "fast/machine/isa.h"

#include "fast/machine/targets.h"

#include <hwy/highway.h>

#include <algorithm>
#include <mutex>

#include "fast/machine/kernels.h"

namespace dp2trace::fast {
namespace {

// Best first.
constexpr Isa kIsas[] = {{"avx512", HWY_AVX3},
                         {"avx2", HWY_AVX2},
                         {"sse4", HWY_SSE4},
                         {"neon", HWY_NEON},
                         {"portable", HWY_EMU128}};

}  // namespace

std::vector<Isa> SupportedIsas() {
  const int64_t compiled = HWY_TARGETS | HWY_EMU128;
  // Asked once: virtual machines take microseconds to answer.
  static const int64_t supported = hwy::SupportedTargets() | HWY_EMU128;
  std::vector<Isa> isas;
  std::ranges::copy_if(kIsas, std::back_inserter(isas),
                       [&](const Isa& isa) { return (isa.target & compiled & supported) != 0; });
  return isas;
}

std::optional<Isa> FindIsa(std::string_view name) {
  const std::vector<Isa> isas = SupportedIsas();
  if (name.empty()) return isas.front();
  const auto found = std::ranges::find(isas, name, &Isa::name);
  return found == isas.end() ? std::nullopt : std::optional(*found);
}

void WithTarget(const Isa& isa, void (*choose)(void*), void* argument) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  hwy::GetChosenTarget().Update(isa.target);
  choose(argument);
}

const KernelTable& KernelsOf(const Isa& isa) {
  static std::mutex mutex;
  static std::array<std::optional<KernelTable>, std::size(kIsas)> tables;
  const std::lock_guard lock(mutex);
  const auto index =
      static_cast<size_t>(std::ranges::find(kIsas, isa.name, &Isa::name) - std::begin(kIsas));
  std::optional<KernelTable>& table = tables[index];
  if (!table) {
    table.emplace();
    WithTarget(
        isa,
        [](void* made) {
          auto& kernels = *static_cast<KernelTable*>(made);
          AddArithmeticKernels(kernels);
          AddControlKernels(kernels);
          AddFunctionKernels(kernels);
          AddLookupKernels(kernels);
          AddSampleKernels(kernels);
          for (size_t op = 0; op < kernels.few.size(); ++op) {
            if (kernels.few[op] == nullptr) kernels.few[op] = kernels.kernels[op];
          }
        },
        &*table);
  }
  return *table;
}

}  // namespace dp2trace::fast
