// Any bytes as a capture: parsing and import end, and what was recorded can be written and read.
// The last byte chooses the transport. Memory and events are bounded, so that small inputs cannot ask for much work.
#include <cstdint>
#include <memory>
#include <vector>

#include "import/importer.h"
#include "require.h"
#include "rules/rule.h"
#include "trace/codec.h"

namespace {

using dp2trace::testing::Require;
using namespace dp2trace;  // NOLINT(google-build-using-namespace): one file

constexpr uint64_t kMaxMemory = 16 << 20;
constexpr uint64_t kMaxEvents = 20000;
constexpr uint64_t kMaxSteps = uint64_t{1} << 30;

// Takes events up to a number, then ends the import.
class CountingSink final : public runtime::EventSink {
 public:
  Status OnEvent(const trace::Event& event) override {
    payload_.clear();
    trace::EncodePayload(event, payload_);
    return ++count_ < kMaxEvents ? OkStatus() : Status(MakeDiagnostic(Rule::kIo001, "enough"));
  }
  uint64_t count() const { return count_; }

 private:
  uint64_t count_ = 0;
  std::vector<uint8_t> payload_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto allowance = std::make_shared<Allowance>(kMaxMemory, kMaxSteps);
  Result<import::CallParser> parser = import::CallParser::FromBytes({data, data + size}, allowance);
  if (!parser.ok()) return 0;
  CountingSink sink;
  import::ImportOptions options;
  options.transport =
      size != 0 && (data[size - 1] & 1) != 0 ? runtime::Transport::kKmt : runtime::Transport::kDp2;
  options.allowance = allowance;
  const Result<import::ImportReport> report = import::Import(*parser, sink, options);
  Require(report.ok() ? report->events == sink.count() : sink.count() == kMaxEvents,
          "the import fails for no reason");
  return 0;
}
