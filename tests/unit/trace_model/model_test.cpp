#include "trace_model/model.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "trace/codec.h"
#include "trace_file/inputs.h"
#include "trace_file/source.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr const char* kTraces = DP2TRACE_SOURCE_DIR "/traces/";

std::vector<uint8_t> PayloadOf(const trace::Event& event) {
  std::vector<uint8_t> payload;
  trace::EncodePayload(event, payload);
  return payload;
}

// The number of events that a model gives back otherwise than they were.
size_t CountChanges(const std::string& path, size_t& events) {
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source = trace_file::Source::Open(path, UINT64_MAX, findings, error);
  if (source == nullptr) return 0;  // traces that cannot be read
  trace_model::ModelLoader loader;
  std::vector<std::vector<uint8_t>> payloads;
  trace::EventRecord record;
  while (source->Next(record)) {
    loader.Add(record);
    if (std::holds_alternative<trace::CallResult>(record.event)) continue;
    // A length that says what the bytes say is left out.
    if (auto* const call = std::get_if<trace::Dp2>(&record.event)) {
      if (call->command_length == call->commands.size()) call->command_length.reset();
    }
    payloads.push_back(PayloadOf(record.event));
  }
  const trace_model::Model model = loader.Take();
  const trace_model::BuiltTrace built(model);
  REQUIRE(built.events().size() == payloads.size());
  size_t changes = 0;
  for (size_t i = 0; i < payloads.size(); ++i)
    if (PayloadOf(built.events()[i]) != payloads[i]) ++changes;
  events += payloads.size();
  return changes;
}

}  // namespace

TEST_CASE("a model gives back every event, whatever its stream holds") {
  size_t events = 0;
  std::vector<std::string> folders = {DP2TRACE_RULE_TRACES};
  for (const char* const name : {"opcodes", "examples", "events", "packets", "scenes"})
    folders.push_back(std::string(kTraces) + name);
  for (const std::string& path : trace_file::ExpandInputs(folders).paths) {
    CAPTURE(path);
    CHECK(CountChanges(path, events) == 0);
  }
  CHECK(events > 5000);
}

TEST_CASE("immediate vertices are aligned anew where tokens before them go") {
  // Two odd index lists of 2 bytes each, then a fan: the filler hangs on what stands before.
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source = trace_file::Source::Open(
      std::string(kTraces) + "examples/e03-odd-alignment-before-an-immediate-fan.json", UINT64_MAX,
      findings, error);
  REQUIRE(source != nullptr);
  trace_model::ModelLoader loader;
  trace::EventRecord record;
  while (source->Next(record))
    loader.Add(record);
  trace_model::Model model = loader.Take();
  int fans = 0;
  for (const auto& event : std::vector(model.events)) {
    trace_model::ModelEvent fan_alone = *event;
    std::erase_if(fan_alone.tokens,
                  [](const trace_model::ModelToken& token) { return token.filler_at == 0; });
    if (fan_alone.tokens.empty()) continue;
    CHECK(fan_alone.tokens.size() < event->tokens.size());
    model.Replace(fan_alone);
    const trace_model::BuiltTrace built(model);
    for (const trace::Event& built_event : built.events()) {
      const auto* const call = std::get_if<trace::Dp2>(&built_event);
      if (call == nullptr) continue;
      stream::Decoder decoder(
          call->commands,
          {.command_offset = call->command_offset, .vertex_size = call->vertex_size, .event = {}},
          nullptr);
      stream::Command command;
      while (decoder.Next(command))
        ++fans;
      CHECK(decoder.end() == stream::StreamEnd::kComplete);
    }
  }
  CHECK(fans != 0);
}

TEST_CASE("what a model takes counts its events and tokens, and not only their bytes") {
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source = trace_file::Source::Open(std::string(kTraces) + "scenes/mirror-ball.json",
                                               UINT64_MAX, findings, error);
  REQUIRE(source != nullptr);
  trace_model::ModelLoader loader;
  trace::EventRecord record;
  while (source->Next(record))
    loader.Add(record);
  const uint64_t size = loader.size_bytes();
  const trace_model::Model model = loader.Take();
  CHECK(size >= model.events.size() * (sizeof(trace_model::ModelEvent) + sizeof(trace::Event)) +
                    model.token_count() * sizeof(trace_model::ModelToken) + model.byte_count());
}
