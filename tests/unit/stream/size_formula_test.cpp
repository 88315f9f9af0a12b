// The decoder's sizes against the total_bytes formulas of dp2-ops.json, read by a small evaluator: two ways to one number.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stream/framing.h"
#include "stream/records.h"
#include "support/stream_generator.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::stream;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

using Variables = std::map<std::string, int64_t>;

// Sums, products, (a ? b : c), == and &, max(a, b), and sum(x) over the records.
class Formula {
 public:
  Formula(std::string text, Variables variables, std::vector<Variables> records)
      : text_(std::move(text)), variables_(std::move(variables)), records_(std::move(records)) {
    std::erase(text_, ' ');
  }

  int64_t Value() {
    const int64_t value = Choice();
    CHECK_MESSAGE(at_ == text_.size(), text_);
    return value;
  }

 private:
  // True where the next character is of the class.
  bool At(int (*is_of_class)(int)) const {
    return at_ < text_.size() && is_of_class(static_cast<unsigned char>(text_[at_])) != 0;
  }

  bool Accept(std::string_view token) {
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  int64_t Choice() {
    const int64_t condition = Comparison();
    if (!Accept("?")) return condition;
    const int64_t yes = Choice();
    Accept(":");
    const int64_t no = Choice();
    return condition != 0 ? yes : no;
  }
  int64_t Comparison() {
    const int64_t left = Sum();
    if (Accept("==")) return left == Sum() ? 1 : 0;
    if (Accept("&")) return left & Sum();
    return left;
  }
  int64_t Sum() {
    int64_t value = Product();
    while (Accept("+"))
      value += Product();
    return value;
  }
  int64_t Product() {
    int64_t value = Atom();
    while (Accept("*"))
      value *= Atom();
    return value;
  }
  int64_t Atom() {
    if (Accept("(")) return Closed(Choice());
    if (Accept("max(")) {
      const int64_t left = Choice();
      Accept(",");
      return Closed(std::max(left, Choice()));
    }
    if (Accept("sum(")) return SumOverRecords();
    if (At(std::isdigit)) return Number();
    return variables_.at(Word());
  }
  int64_t Closed(int64_t value) {
    CHECK(Accept(")"));
    return value;
  }
  int64_t SumOverRecords() {
    const size_t start = at_;
    int64_t sum = 0;
    const Variables outer = variables_;
    for (auto& record : records_) {
      at_ = start;
      variables_ = record;
      sum += Choice();
    }
    variables_ = outer;
    // The sum ends with the text in every formula; with no record it has not been read.
    at_ = text_.size() - 1;
    return Closed(sum);
  }
  int64_t Number() {
    int64_t value = 0;
    while (At(std::isdigit))
      value = value * 10 + (text_[at_++] - '0');
    return value;
  }
  std::string Word() {
    std::string word;
    while (At(std::isalnum))
      word += text_[at_++];
    return word;
  }

  std::string text_;
  Variables variables_;
  std::vector<Variables> records_;
  size_t at_ = 0;
};

// The formula without the words around it.
std::string Cleaned(std::string text) {
  for (const std::string_view end : {" when ", " = 6", " (D3DHAL"})
    text = text.substr(0, text.find(end));
  const std::string_view total = "dwTotalSize = ";
  return text.starts_with(total) ? text.substr(total.size()) : text;
}

Variables FieldsOf(const opcode::StructDesc& layout, const uint8_t* at) {
  Variables variables;
  for (size_t i = 0; i < layout.fields.size(); ++i) {
    variables[std::string(layout.fields[i].spec_name)] = FieldU32(layout, at, i);
  }
  return variables;
}

// The tail of operation 97, which the file describes in words.
int64_t ConvolutionTail(const Variables& record) {
  const int64_t flags = record.at("dwFlags");
  return ((flags & 1) != 0 ? 4 * record.at("dwWidth") : 0) +
         ((flags & 2) != 0 ? 4 * record.at("dwHeight") : 0);
}

int64_t SpecifiedSize(const std::string& formula, const Command& command,
                      const Environment& environment) {
  const opcode::OpInfo& op = *command.op;
  Variables variables;
  if (op.fixed != nullptr) variables = FieldsOf(*op.fixed, FixedAt(command));
  const uint64_t behind_fixed =
      command.offset + op.header_size() + (op.fixed != nullptr ? op.fixed->size : 0);
  variables["count"] = command.count;
  variables["pad"] = static_cast<int64_t>((4 - behind_fixed % 4) % 4);
  variables["dwVertexSize"] = environment.vertex_size;
  std::vector<Variables> records;
  for (const Record& record : Records(command, environment)) {
    records.push_back(FieldsOf(*op.record, record.at()));
    if (op.op == opcode::Op::kSetConvolutionKernelMono)
      records.back()["tail"] = ConvolutionTail(records.back());
  }
  return Formula(formula, std::move(variables), std::move(records)).Value();
}

}  // namespace

TEST_CASE("Sizes agree with the formulas of the specification for every operation") {
  std::ifstream file(DP2TRACE_SOURCE_DIR "/tests/data/dp2-ops.json");
  const auto spec = nlohmann::json::parse(file);
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    if (op.direction != opcode::Direction::kToDriver) continue;
    CAPTURE(op.name);
    const std::string formula =
        Cleaned(spec["ops"][static_cast<size_t>(op.op)]["total_bytes"].get<std::string>());
    CAPTURE(formula);
    const opcode::Op only[] = {op.op};
    for (uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      Random random(seed);
      const Environment environment = RandomEnvironment(random);
      const auto bytes = RandomStream(random, environment, {.commands = 8, .only = only});
      Decoder decoder(bytes, environment, nullptr);
      for (Command command; decoder.Next(command);) {
        CHECK(static_cast<int64_t>(command.bytes.size()) ==
              SpecifiedSize(formula, command, environment));
      }
      CHECK(decoder.end() == StreamEnd::kComplete);
    }
  }
}
