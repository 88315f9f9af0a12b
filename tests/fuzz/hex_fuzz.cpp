// Any text of hex dumps: it ends with a trace or with the line that is not understood. What is delivered is written and read again, and
// does not depend on how lines end.
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "import/hex/hex_trace.h"
#include "require.h"
#include "rules/rule.h"
#include "trace/codec.h"
#include "trace/event_kind.h"

namespace {

using dp2trace::Status;
using dp2trace::testing::Require;

struct Delivered {
  Status status = dp2trace::OkStatus();
  std::vector<std::vector<uint8_t>> payloads;
};

std::vector<uint8_t> PayloadOf(const dp2trace::trace::Event& event) {
  std::vector<uint8_t> payload;
  dp2trace::trace::EncodePayload(event, payload);
  return payload;
}

uint16_t KindOf(const dp2trace::trace::Event& event) {
  return std::visit(
      []<class T>(const T&) { return static_cast<uint16_t>(dp2trace::trace::kKindOf<T>); }, event);
}

Delivered Read(std::string_view text) {
  Delivered delivered;
  delivered.status = dp2trace::import::ReadHexTrace(text, [&](const dp2trace::trace::Event& event) {
    const std::vector<uint8_t>& payload = delivered.payloads.emplace_back(PayloadOf(event));
    dp2trace::trace::Event again;
    const auto defect = dp2trace::trace::DecodePayload(KindOf(event), 0, payload, again);
    Require(!defect && PayloadOf(again) == payload, "an event changes when it is read");
    return dp2trace::OkStatus();
  });
  return delivered;
}

std::string WithCarriageReturns(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Delivered delivered = Read(text);
  Require(delivered.status.ok() || delivered.status.diagnostic().rule == dp2trace::Rule::kHex001,
          "a text is refused by another rule");
  if (text.find('\r') != std::string_view::npos) return 0;
  const Delivered again = Read(WithCarriageReturns(text));
  Require(again.status.ok() == delivered.status.ok() && again.payloads == delivered.payloads,
          "carriage returns change a trace");
  return 0;
}
