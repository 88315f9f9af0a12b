#include "golden/result_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/hash.h"
#include "os/path.h"

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

bool IsElsewhere(const std::string& folder) {
  return folder.starts_with("../") || ToPath(folder).is_absolute();
}

std::string FailureName(GoldenStatus status) {
  return "golden-" + std::string(Name(status));
}

std::string FailureHash(const TraceResult& result) {
  const std::string identity = FailureName(result.status) + '\n' + result.path;
  return Xxh3_128({reinterpret_cast<const uint8_t*>(identity.data()), identity.size()});
}

uint64_t CountFailures(const StatusCounts& counts) {
  uint64_t failures = 0;
  for (size_t i = 0; i < kGoldenStatusCount; ++i) {
    if (IsFailure(static_cast<GoldenStatus>(i))) failures += counts[i];
  }
  return failures;
}

}  // namespace dp2trace::golden
