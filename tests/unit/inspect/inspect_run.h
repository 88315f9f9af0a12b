// Writes an inspect folder of a trace that is written as JSON, and reads it as the page does.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/inspector.h"

namespace dp2trace::testing {

// The text of a zlib stream in base64.
std::vector<uint8_t> Inflate(const std::string& base64);

class InspectRun {
 public:
  // data/NAME.js as JSON, unpacked; fails the test where there is none.
  const nlohmann::json& Data(const std::string& name) const;
  bool Has(const std::string& name) const { return data.contains(name); }
  const nlohmann::json& Items(uint64_t frame) const;
  // Details of item `n` of a frame.
  const nlohmann::json& Details(uint64_t frame, uint64_t n) const;
  // The place of the item that is this draw.
  uint64_t ItemOf(uint64_t frame, uint64_t draw) const;
  // What a target holds after item `n`: its base, and the differences up to there.
  std::vector<uint8_t> Compose(uint64_t frame, uint32_t target, uint64_t n) const;

  std::map<std::string, nlohmann::json> data;
  std::map<std::string, std::string> texts;  // of the files, as they are
  std::vector<inspect::Inspector::FrameSummary> frames;
  std::vector<std::string> left_out;
};

// `trace` is the text of a whole trace.
InspectRun InspectTrace(const std::string& trace, const inspect::Options& options = {});
// `events` are the elements of the array after the header.
InspectRun InspectEvents(std::string_view events, const inspect::Options& options = {});

// An 8x8 target 1 with context 1.
inline constexpr std::string_view kTarget =
    R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},)";
inline constexpr std::string_view kPresent = R"({"event":"present","handle":1})";
// A call of context 1 with these commands.
std::string Call(std::string_view commands, std::string_view more = "");
// A clear of the target's rectangle [left, top, right, bottom].
std::string Clear(std::string_view color, std::string_view rect = "[0,0,8,8]");

Selection Select(std::string_view text);

}  // namespace dp2trace::testing
