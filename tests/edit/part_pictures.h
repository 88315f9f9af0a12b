// What a trace shows, and what a part that was cut out of it should show.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "replay/replayer.h"
#include "trace_file/source.h"
#include "trim/trim.h"

namespace dp2trace::testing {

inline constexpr uint64_t kMaxMemory = uint64_t{1} << 30;

// A picture. Numbers differ between the whole and its part.
struct Shown {
  replay::ImageKind kind;
  uint64_t sequence, event;
  uint32_t target;
  std::string hash;
  std::string Describe(uint64_t first) const;
};

struct Replayed {
  std::vector<Shown> images;
  std::set<Rule> rules;
  replay::Statistics statistics;
  bool is_read = false;  // to its end, and all of it
};

// Null where the trace cannot be opened.
std::unique_ptr<trace_file::Source> OpenQuietly(const std::string& path);

// Draws that would take forever end soon, and alike. `visit` sees each event.
Replayed Replay(const std::string& path, const std::string& draws,
                const std::function<void(const trace::EventRecord&)>& visit = {});

// A choice of frames or draws.
struct Chosen {
  trim::Unit unit = trim::Unit::kFrames;
  uint64_t first = 1, last = 1;
  std::string Describe() const;
};

// What the verb does. Not ok where nothing was chosen (then `part.is_found` is false), and where it failed.
Status Trim(const std::string& input, const std::string& output, const Chosen& chosen,
            trim::Part& part);

// The first picture of the part that the whole, replayed with pictures of the chosen draws, does not show; empty where there is none.
std::string CompareWithWhole(const Replayed& whole, const Replayed& cut, const trim::Part& part,
                             const Chosen& chosen);
// The draws of the part that the chosen ones became, as a selection; "none" for frames.
std::string DrawsOfPart(const trim::Part& part, const Chosen& chosen);

}  // namespace dp2trace::testing
