// The members of an object of a document, read into plain variables. Each getter returns false after a finding in the document;
// a member that is absent and may be leaves its variable as it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/document.h"

namespace dp2trace::json {

class Members {
 public:
  Members(Document& document, Node& object)
      : document_(&document), object_(document.values(), object) {}

  bool Require(std::string_view key, uint64_t& out, uint64_t max = UINT64_MAX);
  bool Require(std::string_view key, uint32_t& out);
  bool Require(std::string_view key, std::string& out);
  bool Find(std::string_view key, uint64_t& out, uint64_t max = UINT64_MAX);
  bool Find(std::string_view key, std::optional<uint64_t>& out, uint64_t max = UINT64_MAX);
  bool Find(std::string_view key, uint32_t& out);
  bool Find(std::string_view key, bool& out);
  bool Find(std::string_view key, std::string& out);
  bool Find(std::string_view key, std::vector<std::string>& out);
  // The member as a node of this type; null where it is absent, and after a finding.
  Node* FindNode(std::string_view key, NodeType type);
  // A finding where the member is absent.
  Node* RequireNode(std::string_view key, NodeType type);
  // True when nothing failed so far and no member is left.
  bool Finish() { return document_->status().ok() && object_.Finish(); }

 private:
  Document* document_;
  ObjectReader object_;
};

}  // namespace dp2trace::json
