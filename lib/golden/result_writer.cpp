#include "golden/result_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dp2trace::golden {

namespace {

constexpr GoldenForm kForms[] = {
#define DP2TRACE_GOLDEN_FORM(name, make, remark) {name, make, remark},
#include "golden/forms.def"
};

}  // namespace

std::span<const GoldenForm> GoldenForms() {
  return kForms;
}

std::unique_ptr<GoldenWriter> MakeGoldenWriter(std::string_view format, TextSink sink) {
  const auto* const form = std::ranges::find(kForms, format, &GoldenForm::name);
  return form == std::end(kForms) ? nullptr : form->make(std::move(sink));
}

uint64_t CountFailures(const StatusCounts& counts) {
  uint64_t failures = 0;
  for (size_t i = 0; i < kGoldenStatusCount; ++i) {
    if (IsFailure(static_cast<GoldenStatus>(i))) failures += counts[i];
  }
  return failures;
}

}  // namespace dp2trace::golden
