#include "json/tape.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/float_text.h"
#include "base/plain_text.h"
#include "json/excerpt.h"
#include "rules/rule.h"

namespace dp2trace::json {

namespace {

// Walks through a text and shows others where it is: nlohmann tells positions for syntax errors only.
class TrackingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackingIterator(const char* at, const char** tracked) : at_(at), tracked_(tracked) {}
  reference operator*() const { return *at_; }
  TrackingIterator& operator++() {
    *tracked_ = ++at_;
    return *this;
  }
  TrackingIterator operator++(int) {
    const TrackingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const TrackingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const TrackingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** tracked_;
};

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." without what stands before the reason.
std::string Reason(const char* what) {
  const std::string_view text(what);
  const size_t column = text.find("column ");
  const size_t start = text.find(": ", column == std::string_view::npos ? 0 : column);
  return std::string(start == std::string_view::npos ? text : text.substr(start + 2));
}

// What both handlers do with a syntax error.
bool TakeParseError(std::string_view text, size_t position,
                    const nlohmann::detail::exception& exception, TapeError& error) {
  constexpr int kNumberOutOfRange = 406;
  error.rule = exception.id == kNumberOutOfRange ? Rule::kJson009 : Rule::kJson001;
  error.position = position == 0 ? 0 : position - 1;
  error.at_end = error.rule == Rule::kJson001 && position > text.size();
  error.message = DescribeHabit(text, error.position);
  if (!error.message.empty()) return false;
  error.message = Reason(exception.what());
  const bool may_end =
      error.message.ends_with("expected '}'") || error.message.ends_with("expected ']'");
  const size_t begin = BeginOfToken(text, error.position);
  if (may_end && !error.at_end && LacksComma(text, begin)) {
    error.position = begin;
    error.message = "a comma is missing";
  }
  return false;
}

// Appends what the parser reports to the nodes.
class TapeBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  TapeBuilder(std::string_view text, uint32_t max_depth, Arena& arena, std::vector<Node>& nodes,
              TapeError& error)
      : text_(text), max_depth_(max_depth), arena_(&arena), nodes_(&nodes), error_(&error) {}

  bool Run() {
    nodes_->clear();
    TrackingIterator first(text_.data(), &at_);
    const TrackingIterator last(text_.data() + text_.size(), &at_);
    return nlohmann::json::sax_parse(first, last, this);
  }

  bool null() { return Add(NodeType::kNull) != nullptr; }
  bool boolean(bool value) { return AddNumber(NodeType::kBool, value ? 1 : 0); }
  bool number_unsigned(number_unsigned_t value) { return AddNumber(NodeType::kUnsigned, value); }
  bool number_integer(number_integer_t value) {
    if (!AddNumber(value < 0 ? NodeType::kNegative : NodeType::kUnsigned,
                   static_cast<uint64_t>(value)))
      return false;
    nodes_->back().is_negative_zero = value == 0;  // 0 comes here only as "-0"
    return true;
  }
  bool number_float(number_float_t value, const string_t& digits) {
    Node* const node = Add(NodeType::kFloat);
    if (node == nullptr) return false;
    const std::optional<float> nearest = FloatOf(digits);
    if (!nearest) node->fits_float = std::fabs(value) < 1;
    const float rounded = nearest.value_or(std::copysign(0.0F, static_cast<float>(value)));
    std::memcpy(&node->float_bits, &rounded, sizeof rounded);
    return true;
  }
  bool string(string_t& value) {
    Node* const node = Add(NodeType::kString);
    if (node == nullptr) return false;
    node->text = Keep(value);
    node->size = static_cast<uint32_t>(value.size());
    return node->text != nullptr;
  }
  bool binary(binary_t& /*value*/) { return false; }  // not in JSON text
  bool key(string_t& value) {
    key_ = Keep(value);
    key_size_ = static_cast<uint32_t>(value.size());
    return key_ != nullptr;
  }
  bool start_object(size_t /*size*/) { return Open(NodeType::kObject); }
  bool start_array(size_t /*size*/) { return Open(NodeType::kArray); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool parse_error(size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& exception) {
    return TakeParseError(text_, position, exception, *error_);
  }

 private:
  size_t position() const { return static_cast<size_t>(at_ - text_.data()); }

  bool Fail(Rule rule, std::string message) {
    *error_ = {rule, position(), false, std::move(message)};
    return false;
  }
  bool FailMemory() {
    return Fail(Rule::kJson014, "the event needs more memory than --max-memory allows");
  }

  Node* Add(NodeType type) {
    if (!arena_->Charge(sizeof(Node))) {
      FailMemory();
      return nullptr;
    }
    const auto index = static_cast<uint32_t>(nodes_->size());
    if (!open_.empty()) ++(*nodes_)[open_.back()].size;
    Node& node = nodes_->emplace_back();
    node.type = type;
    node.position = static_cast<uint32_t>(position());
    node.next = index + 1;
    node.key = key_;
    node.key_size = key_size_;
    key_ = nullptr;
    key_size_ = 0;
    return &node;
  }
  bool AddNumber(NodeType type, uint64_t value) {
    Node* const node = Add(type);
    if (node != nullptr) node->number = value;
    return node != nullptr;
  }

  bool Open(NodeType type) {
    if (open_.size() == max_depth_)
      return Fail(Rule::kJson004, "objects and arrays are nested too deep");
    if (Add(type) == nullptr) return false;
    open_.push_back(static_cast<uint32_t>(nodes_->size() - 1));
    return true;
  }
  bool Close() {
    (*nodes_)[open_.back()].next = static_cast<uint32_t>(nodes_->size());
    open_.pop_back();
    return true;
  }

  // A string that was just read, as a view that lives as long as the text: the text itself where it has no escapes.
  const char* Keep(const string_t& value) {
    const size_t end = position() - 1;  // the closing quote
    if (value.size() < end) {
      const char* const in_text = text_.data() + end - value.size();
      if (std::memcmp(in_text, value.data(), value.size()) == 0) return in_text;
    }
    uint8_t* const copy = arena_->Allocate(value.size() + 1);  // never null for an empty string
    if (copy == nullptr) {
      FailMemory();
      return nullptr;
    }
    // NOLINTNEXTLINE(bugprone-not-null-terminated-result): its size is kept
    std::memcpy(copy, value.data(), value.size());
    return reinterpret_cast<const char*>(copy);
  }

  std::string_view text_;
  uint32_t max_depth_;
  Arena* arena_;
  std::vector<Node>* nodes_;
  TapeError* error_;
  const char* at_ = nullptr;
  const char* key_ = nullptr;
  uint32_t key_size_ = 0;
  std::vector<uint32_t> open_;
};

// Accepts everything; only the syntax counts.
class SyntaxHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  SyntaxHandler(std::string_view text, TapeError& error) : text_(text), error_(&error) {}
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*digits*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(size_t /*size*/) override { return true; }
  bool key(string_t& /*value*/) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t /*size*/) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& exception) override {
    return TakeParseError(text_, position, exception, *error_);
  }

 private:
  std::string_view text_;
  TapeError* error_;
};

// Long ones are cut.
void AppendEscapedKey(std::string_view key, std::string& out) {
  for (const char c : PlainStart(key)) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out.push_back(c);
    }
  }
}

}  // namespace

std::string_view Describe(NodeType type) {
  switch (type) {
    case NodeType::kNull:
      return "null";
    case NodeType::kBool:
      return "true or false";
    case NodeType::kUnsigned:
      return "a number";
    case NodeType::kNegative:
      return "a negative number";
    case NodeType::kFloat:
      return "a number with a fraction or exponent";
    case NodeType::kString:
      return "a string";
    case NodeType::kArray:
      return "an array";
    case NodeType::kObject:
      return "an object";
  }
  return "nothing";
}

bool Tape::Parse(std::string_view text, uint32_t max_depth, Arena& arena, TapeError& error) {
  return TapeBuilder(text, max_depth, arena, nodes_, error).Run();
}

std::string Tape::PointerTo(const Node& node) const {
  std::string pointer;
  const uint32_t target = IndexOf(node);
  uint32_t at = 0;
  while (at != target) {
    const bool in_array = nodes_[at].type == NodeType::kArray;
    uint32_t child = at + 1;
    uint32_t number = 0;
    while (target >= nodes_[child].next) {
      child = nodes_[child].next;
      ++number;
    }
    pointer.push_back('/');
    if (in_array) {
      pointer += std::to_string(number);
    } else {
      AppendEscapedKey(nodes_[child].key_view(), pointer);
    }
    at = child;
  }
  return pointer;
}

bool IsPrefixOfJson(std::string_view text, TapeError& error) {
  SyntaxHandler handler(text, error);
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &handler)) return true;
  return error.at_end;
}

}  // namespace dp2trace::json
