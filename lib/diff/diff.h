// Two traces side by side by what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/outline.h"
#include "diff/transport.h"
#include "trace_model/walk.h"

namespace dp2trace::diff {

// An event or a token of one side; where the other side has something that this one lacks, the event after which it would stand.
struct DiffPlace {
  bool is_there = false;
  uint64_t event = 0;
  uint64_t frame = 0;              // that the event belongs to, from 1
  std::optional<uint64_t> offset;  // of a token, from the start of the command buffer
  uint64_t draw = 0;               // that the token is; 0: none
  std::string text;  // the event, or the token after its offset and the number of its draw
};

// One difference: removed where `b` is not there, added where `a` is not, else changed.
struct Difference {
  DiffPlace a, b;
  // Of a changed event the fields that differ; of a changed token the first byte of it, by the number in the token.
  std::vector<std::string_view> fields;
  std::optional<uint64_t> byte;
  std::string_view change() const;
};

struct DiffResult {
  uint64_t removed = 0, added = 0, changed = 0;
  std::vector<Difference> shown;  // in order, as many as were asked for
  bool is_equal() const { return removed + added + changed == 0; }
};

struct DiffOptions {
  uint64_t most = 1000;  // differences to show
  // Tokens of a side that are compared one by one; calls after them are compared as a whole.
  size_t most_tokens = size_t{1} << 24;
};

struct DiffSide {
  std::vector<ObjectFacts> objects;  // FindObjects()
  Transports transports;             // likewise
  trace_model::Open open;            // the trace again, calls with their results
};

// The first pass over a side.
Status FindObjects(trace_file::Source& source, const trace_model::Walk& walk, DiffSide& side);
// The others. Where one side has calls and the other packets, their tokens and vertices are compared, and not what carries them. Null sources are failures to read a trace again.
Result<DiffResult> Diff(const DiffSide& a, const DiffSide& b, const DiffOptions& options,
                        const trace_model::Walk& walk);

// A line per place; and one object of JSON.
std::string DiffText(const DiffResult& result);
// `a` and `b` are the names of the traces.
std::string DiffJson(std::string_view a, std::string_view b, const DiffResult& result);

}  // namespace dp2trace::diff
