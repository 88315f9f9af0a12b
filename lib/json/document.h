// A JSON file that is not a trace, read whole: a manifest, results, a baseline, caps. The text is parsed onto a tape and read
// through the checked getters of values.h; what does not fit is a finding with line, offset and JSON pointer (JSON-*).
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "json/arena.h"
#include "json/reader.h"
#include "json/tape.h"
#include "json/values.h"

namespace dp2trace::json {

struct DocumentLimits {
  uint64_t max_memory = uint64_t{1} << 30;  // bytes: of the text, and of its values
  uint32_t max_depth = kMaxDepth;           // objects and arrays inside each other
};

// Reusable: one document after the other, such as the lines of a file, in the same memory.
//
//   Document document;
//   DP2TRACE_RETURN_IF_ERROR(document.Parse(text));
//   ObjectReader object = document.root_object();
//   const Node* version = object.Require("version");
//   if (version == nullptr || !document.values().U32(*version, number) || !object.Finish()) return document.status();
class Document {
 public:
  explicit Document(const DocumentLimits& limits = {});
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // Takes a text; what an earlier one left behind is gone. `first_line` is the number of its first line in the file, and `first_offset`
  // that of its first byte.
  Status Parse(std::string text, uint64_t first_line = 1, uint64_t first_offset = 0);
  // The same with the content of a file; fails as ReadWholeFile does where it cannot be read.
  Status Read(const std::string& path);

  // Only after a Parse() that succeeded. Nodes, and strings in them, live until the next one.
  Node& root() { return tape_.nodes().front(); }
  ObjectReader root_object() { return {values_, root()}; }
  // The elements of a node that was checked to be an array.
  ElementIterator Elements(const Node& array) { return {tape_, array}; }
  // Getters fail with a finding, which status() returns.
  Values& values() { return values_; }
  // The first finding of the getters, placed in the file.
  Status status() const;
  // Records a finding of the caller's own about a node, where none is recorded yet, and returns the first.
  Status Fail(const Node& node, Rule rule, std::string message);

 private:
  Diagnostic Placed(Diagnostic finding) const;

  DocumentLimits limits_;
  ReaderOptions options_;
  std::string text_;
  uint64_t first_line_ = 1;
  uint64_t first_offset_ = 0;
  Arena arena_;
  Tape tape_;
  Values values_;
};

}  // namespace dp2trace::json
