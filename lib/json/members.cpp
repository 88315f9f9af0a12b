#include "json/members.h"

namespace dp2trace::json {

bool Members::Require(std::string_view key, uint64_t& out, uint64_t max) {
  const Node* const node = object_.Require(key);
  return node != nullptr && document_->values().Unsigned(*node, max, out);
}

bool Members::Require(std::string_view key, uint32_t& out) {
  const Node* const node = object_.Require(key);
  return node != nullptr && document_->values().U32(*node, out);
}

bool Members::Require(std::string_view key, std::string& out) {
  const Node* const node = object_.Require(key);
  std::string_view text;
  if (node == nullptr || !document_->values().String(*node, text)) return false;
  out = text;
  return true;
}

bool Members::Find(std::string_view key, uint64_t& out, uint64_t max) {
  const Node* const node = object_.Find(key);
  return node == nullptr || document_->values().Unsigned(*node, max, out);
}

bool Members::Find(std::string_view key, std::optional<uint64_t>& out, uint64_t max) {
  const Node* const node = object_.Find(key);
  return node == nullptr || document_->values().Unsigned(*node, max, out.emplace());
}

bool Members::Find(std::string_view key, uint32_t& out) {
  const Node* const node = object_.Find(key);
  return node == nullptr || document_->values().U32(*node, out);
}

bool Members::Find(std::string_view key, bool& out) {
  const Node* const node = object_.Find(key);
  return node == nullptr || document_->values().Bool(*node, out);
}

bool Members::Find(std::string_view key, std::string& out) {
  const Node* const node = object_.Find(key);
  std::string_view text;
  if (node == nullptr) return true;
  if (!document_->values().String(*node, text)) return false;
  out = text;
  return true;
}

bool Members::Find(std::string_view key, std::vector<std::string>& out) {
  const Node* const node = object_.Find(key);
  if (node == nullptr) return true;
  if (!document_->values().Expect(*node, NodeType::kArray)) return false;
  ElementIterator elements = document_->Elements(*node);
  while (const Node* const element = elements.Next()) {
    std::string_view text;
    if (!document_->values().String(*element, text)) return false;
    out.emplace_back(text);
  }
  return true;
}

Node* Members::FindNode(std::string_view key, NodeType type) {
  Node* const node = object_.Find(key);
  return node != nullptr && document_->values().Expect(*node, type) ? node : nullptr;
}

Node* Members::RequireNode(std::string_view key, NodeType type) {
  Node* const node = object_.Require(key);
  return node != nullptr && document_->values().Expect(*node, type) ? node : nullptr;
}

}  // namespace dp2trace::json
