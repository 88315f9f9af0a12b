#include "coverage/edges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "d3d/fvf.h"
#include "d3d/states.h"
#include "kmt/handle_words.h"
#include "opcode/layouts.h"
#include "stream/records.h"
#include "stream/struct_visitor.h"
#include "trace_model/broken_rules.h"

namespace dp2trace::coverage {
namespace {

using opcode::FieldDesc;
using opcode::Meaning;
using opcode::StructDesc;
using opcode::Wire;

// Tokens with one value in one field; they differ in what stands before them.
constexpr uint32_t kMostAlike = 3;

enum class Step : uint8_t { kUp, kDown };
constexpr std::array kSteps = {Step::kUp, Step::kDown};

// The next number; nothing where there is none.
template <std::integral T>
std::optional<T> Stepped(T value, Step step) {
  const T end = step == Step::kUp ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  if (value == end) return std::nullopt;
  return static_cast<T>(step == Step::kUp ? value + 1 : value - 1);
}

std::optional<uint32_t> SteppedFloat(uint32_t bits, Step step) {
  const auto value = std::bit_cast<float>(bits);
  if (!std::isfinite(value)) return std::nullopt;
  const float infinity = std::numeric_limits<float>::infinity();
  return std::bit_cast<uint32_t>(std::nextafter(value, step == Step::kUp ? infinity : -infinity));
}

// ---------- numbers in tokens ----------

// A number of a token.
struct Number {
  const StructDesc* layout = nullptr;  // with `field`: what it is
  size_t field = 0;
  uint32_t state = 0;   // whose value it is; 0: it is none
  uint32_t offset = 0;  // in the command
  Wire wire = Wire::kU32;
};

bool IsOrdered(const d3d::StateInfo* info) {
  if (info == nullptr) return false;
  return info->type == d3d::ValueType::kU32 || info->type == d3d::ValueType::kF32 ||
         info->type == d3d::ValueType::kEnum;
}

class OrderedNumberFinder final : public stream::StructVisitor {
 public:
  explicit OrderedNumberFinder(const uint8_t* start) : start_(start) {}

  std::vector<Number> numbers;

 private:
  void OnStruct(const StructDesc& layout, const uint8_t* at) override {
    const d3d::StateInfo* info = nullptr;  // of the value that follows
    for (size_t i = 0; i < layout.fields.size(); ++i) {
      const FieldDesc& field = layout.fields[i];
      const uint8_t* const place = at + opcode::FieldOffset(layout, i);
      const auto number = [&] { return stream::LoadWire(field.wire, place); };
      switch (field.meaning) {
        case Meaning::kRenderState:
          info = d3d::FindRenderState(number());
          break;
        case Meaning::kTextureStageState:
          info = d3d::FindTextureStageState(number());
          break;
        case Meaning::kRenderStateValue:
        case Meaning::kTextureStageStateValue:
          if (IsOrdered(info)) AddField(layout, i, place, info);
          break;
        case Meaning::kNumber:
        case Meaning::kEnum:
          AddField(layout, i, place, nullptr);
          break;
        default:
          break;
      }
    }
  }

  void AddField(const StructDesc& layout, size_t index, const uint8_t* place,
                const d3d::StateInfo* info) {
    const FieldDesc& field = layout.fields[index];
    const bool is_float = info != nullptr && info->type == d3d::ValueType::kF32;
    const uint32_t size = opcode::SizeOf(field.wire);
    for (uint32_t part = 0; part < field.count; ++part) {
      numbers.push_back({&layout, index, info != nullptr ? info->code + 1 : 0,
                         static_cast<uint32_t>(place - start_) + part * size,
                         is_float ? Wire::kF32 : field.wire});
    }
  }

  const uint8_t* start_;
};

// The floats of a vertex: of the formats that FVF codes describe.
std::vector<uint32_t> FloatsOfVertex(uint32_t fvf) {
  const d3d::FvfLayout layout = d3d::DecodeFvf(fvf);
  std::vector<uint32_t> offsets;
  const auto add = [&](uint32_t offset, uint32_t count) {
    for (uint32_t i = 0; offset != d3d::FvfLayout::kAbsent && i < count; ++i)
      offsets.push_back(offset + i * uint32_t{sizeof(float)});
  };
  add(0, layout.position_size / uint32_t{sizeof(float)});
  add(layout.weights, layout.weight_count);
  add(layout.normal, 3);
  add(layout.point_size, 1);
  for (const d3d::FvfLayout::TextureSet& set : layout.texture_sets)
    add(set.offset, set.dimension);
  return offsets;
}

// What the call or packet says of the vertices that tokens hold.
struct VertexFormat {
  uint32_t fvf = 0;
  uint32_t size = 0;
};

// Of TRIANGLEFAN_IMM and LINELIST_IMM.
void AddVertices(const stream::Command& command, const VertexFormat& format,
                 std::vector<Number>& numbers) {
  const opcode::OpInfo& op = *command.op;
  if (op.tails.empty() || op.tails[0].counting != opcode::TailCount::kVertices || format.size == 0)
    return;
  const uint32_t head = opcode::kCommandHeaderSize + (op.fixed != nullptr ? op.fixed->size : 0);
  const uint32_t first = head + stream::VertexPadding(command.offset + head);
  const std::vector<uint32_t> floats = FloatsOfVertex(format.fvf);
  for (size_t at = first; at + format.size <= command.bytes.size(); at += format.size) {
    for (const uint32_t offset : floats) {
      if (offset + sizeof(float) <= format.size)
        numbers.push_back({nullptr, offset, 0, static_cast<uint32_t>(at + offset), Wire::kF32});
    }
  }
}

// Offsets are those in the bytes of the command.
std::vector<Number> NumbersOf(const stream::Command& command,
                              const stream::Environment& environment, const VertexFormat& format) {
  OrderedNumberFinder finder(command.bytes.data());
  stream::Visit(command, environment, finder);
  AddVertices(command, format, finder.numbers);
  return std::move(finder.numbers);
}

// Puts the next number into the bytes; false where there is none.
bool StepNumber(std::vector<uint8_t>& bytes, const Number& number, Step step) {
  uint8_t* const at = bytes.data() + number.offset;
  const auto put = [&](const auto& next) {
    if (next) Store(at, *next);
    return next.has_value();
  };
  switch (number.wire) {
    case Wire::kU8:
      return put(Stepped(*at, step));
    case Wire::kU16:
      return put(Stepped(LoadU16(at), step));
    case Wire::kI16:
      return put(Stepped(Load<int16_t>(at), step));
    case Wire::kU32:
      return put(Stepped(LoadU32(at), step));
    case Wire::kI32:
      return put(Stepped(Load<int32_t>(at), step));
    case Wire::kF32:
      return put(SteppedFloat(LoadU32(at), step));
  }
  return false;
}

// ---------- the count of a token ----------

// Bytes that one more or one less of the header's count adds: a record, a vertex, or nothing.
size_t SizeOfOne(const stream::Command& command, const stream::Environment& environment) {
  const opcode::OpInfo& op = *command.op;
  if (op.record == nullptr) {
    const bool has_vertices =
        !op.tails.empty() && op.tails[0].counting == opcode::TailCount::kVertices;
    return has_vertices ? environment.vertex_size : 0;
  }
  size_t size = op.record->size;
  for (const stream::Record& record : stream::Records(command, environment))
    size = record.bytes.size();
  return size;
}

// The token with one more or one less of what it counts: the last of them comes twice, or is cut off. Nothing where no such token is whole.
std::optional<std::vector<uint8_t>> StepCount(const trace_model::ModelToken& token,
                                              const stream::Command& command,
                                              const stream::Environment& environment, Step step) {
  constexpr size_t kCountAt = 2;
  const std::optional<uint16_t> count = Stepped(command.count, step);
  if (!count) return std::nullopt;
  for (const size_t size : {SizeOfOne(command, environment), size_t{0}}) {
    trace_model::ModelToken changed = token;
    std::vector<uint8_t> bytes = *token.bytes;
    if (size + opcode::kCommandHeaderSize > bytes.size()) continue;
    if (step == Step::kUp) {
      const std::vector<uint8_t> last(bytes.end() - static_cast<std::ptrdiff_t>(size), bytes.end());
      bytes.insert(bytes.end(), last.begin(), last.end());
    } else {
      bytes.resize(bytes.size() - size);
    }
    Store(bytes.data() + kCountAt, *count);
    changed.bytes = trace_model::Share(bytes);
    const std::optional<trace_model::FramedToken> framed = trace_model::Frame(changed, environment);
    if (framed && framed->command.bytes.size() == framed->bytes.size()) return bytes;
  }
  return std::nullopt;
}

// ---------- numbers in events ----------

// Fields of events that are sizes, positions or counts: their numbers have an order.
constexpr std::array<std::string_view, 40> kOrderedFields = {"width",
                                                             "height",
                                                             "depth",
                                                             "levels",
                                                             "level",
                                                             "face",
                                                             "samples",
                                                             "sample_quality",
                                                             "pitch",
                                                             "slice_pitch",
                                                             "src_level",
                                                             "src_face",
                                                             "dest_level",
                                                             "dest_face",
                                                             "rect",
                                                             "src_rect",
                                                             "dest_rect",
                                                             "dst_rect",
                                                             "box",
                                                             "range",
                                                             "vertex_size",
                                                             "vertex_offset",
                                                             "vertex_length",
                                                             "vertex_buffer_size",
                                                             "command_offset",
                                                             "command_length",
                                                             "command_buffer_size",
                                                             "allocation_list_size",
                                                             "allocation_count",
                                                             "allocation_index",
                                                             "patch_location_list_size",
                                                             "patch_location_count",
                                                             "present_count",
                                                             "queued_buffer_count",
                                                             "broadcast_context_count",
                                                             "offset",
                                                             "size",
                                                             "base_offset",
                                                             "model_size",
                                                             "flip_interval"};

template <class T>
concept OrderedNumber = std::integral<T> && !std::same_as<T, bool>;

// Calls visit(number) for the number, or each of the parts of a rectangle and the like.
template <class T, class Visit>
void ForEachPart(T& value, const Visit& visit) {
  if constexpr (OrderedNumber<T>) {
    visit(value);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) ForEachPart(*value, visit);
  } else if constexpr (requires { value.front; }) {
    for (uint32_t* const part :
         {&value.left, &value.top, &value.right, &value.bottom, &value.front, &value.back})
      visit(*part);
  } else if constexpr (requires { value.left; }) {
    for (auto* const part : {&value.left, &value.top, &value.right, &value.bottom})
      visit(*part);
  } else if constexpr (std::same_as<T, d3d::Range>) {
    visit(value.offset);
    visit(value.size);
  }
}

template <class Visit>
void ForEachNumber(trace::Event& event, const Visit& visit) {
  std::visit(
      [&](auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (requires { T::Fields([](const trace::Field&, auto) {}); }) {
          T::Fields([&](const trace::Field& field, auto member) {
            if (std::ranges::find(kOrderedFields, field.name) != kOrderedFields.end())
              ForEachPart(value.*member, visit);
          });
        }
      },
      event);
}

class EdgeSearch {
 public:
  EdgeSearch(const trace_model::Model& model, uint64_t max_work)
      : model_(model),
        max_work_(max_work),
        work_(device::StepsFor(0)),
        broken_(trace_model::FindBroken(model, work_, validate::Preset::kPedantic)) {
    cost_ = model.events.size() + model.token_count() + 1;
  }

  EdgeRules Run() {
    for (const auto& event : model_.events) {
      TryEvent(*event);
      TryTokens(*event);
    }
    return std::move(result_);
  }

 private:
  bool HasBudget() {
    if ((result_.tries + 1) * cost_ <= max_work_ && !work_.is_spent()) return true;
    result_.is_cut = true;
    return false;
  }

  void Try(trace_model::ModelEvent changed) {
    ++result_.tries;
    trace_model::Model model = model_;
    model.Replace(std::move(changed));
    const std::set<Rule> broken =
        trace_model::FindBroken(model, work_, validate::Preset::kPedantic);
    if (work_.is_spent()) return;
    std::ranges::set_difference(broken, broken_, std::inserter(result_.rules, result_.rules.end()));
  }

  void TryEvent(const trace_model::ModelEvent& event) {
    size_t count = 0;
    trace::Event probe = event.event;
    ForEachNumber(probe, [&](auto&) { ++count; });
    for (size_t i = 0; i < count; ++i) {
      for (const Step step : kSteps) {
        if (!HasBudget()) return;
        trace_model::ModelEvent changed = event;
        size_t at = 0;
        bool is_changed = false;
        ForEachNumber(changed.event, [&](auto& number) {
          if (at++ != i) return;
          const auto next = Stepped(number, step);
          is_changed = next.has_value();
          if (next) number = *next;
        });
        if (is_changed) Try(std::move(changed));
      }
    }
  }

  void TryTokens(const trace_model::ModelEvent& event) {
    trace::Event copy = event.event;
    const trace_model::VertexFields vertices = trace_model::VerticesOf(copy);
    const VertexFormat format =
        vertices.data == nullptr ? VertexFormat() : VertexFormat{*vertices.type, *vertices.size};
    const stream::Environment environment = trace_model::TokenEnvironment(event);
    for (size_t i = 0; i < event.tokens.size(); ++i) {
      const trace_model::ModelToken& token = event.tokens[i];
      const std::optional<trace_model::FramedToken> framed = trace_model::Frame(token, environment);
      if (!framed) continue;
      TryCount(event, i, framed->command, environment);
      const uint32_t filler = token.filler_at != 0 ? stream::VertexPadding(token.filler_at) : 0;
      for (Number& number : NumbersOf(framed->command, environment, format)) {
        if (number.offset >= token.filler_at) number.offset -= filler;
        TryNumber(token.op, *token.bytes, number, [&](std::vector<uint8_t> stepped) {
          trace_model::ModelEvent changed = event;
          changed.tokens[i].bytes = trace_model::Share(std::move(stepped));
          return changed;
        });
      }
    }
  }

  // wPrimitiveCount, wStateCount and the like.
  void TryCount(const trace_model::ModelEvent& event, size_t index, const stream::Command& command,
                const stream::Environment& environment) {
    const trace_model::ModelToken& token = event.tokens[index];
    constexpr size_t kCountField = SIZE_MAX;  // no structure has it
    uint32_t& alike = alike_[{token.op, nullptr, kCountField, 0, command.count}];
    if (alike == kMostAlike) return;
    ++alike;
    for (const Step step : kSteps) {
      // A record that comes twice would need patch entries of its own.
      const bool lacks_entries =
          event.packet && step == Step::kUp && !kmt::HandleWordsOf(command.bytes[0]).empty();
      const auto stepped =
          lacks_entries ? std::nullopt : StepCount(token, command, environment, step);
      if (!stepped) continue;
      if (!HasBudget()) return;
      trace_model::ModelEvent changed = event;
      changed.tokens[index].bytes = trace_model::Share(*stepped);
      Try(std::move(changed));
    }
  }

  // `change` makes the event that holds other bytes.
  template <class Change>
  void TryNumber(const opcode::OpInfo* op, const std::vector<uint8_t>& bytes, const Number& number,
                 const Change& change) {
    const uint32_t value = stream::LoadWire(number.wire, bytes.data() + number.offset);
    uint32_t& alike = alike_[{op, number.layout, number.field, number.state, value}];
    if (alike == kMostAlike) return;
    ++alike;
    for (const Step step : kSteps) {
      if (!HasBudget()) return;
      std::vector<uint8_t> stepped = bytes;
      if (StepNumber(stepped, number, step)) Try(change(std::move(stepped)));
    }
  }

  using Kind = std::tuple<const opcode::OpInfo*, const StructDesc*, size_t, uint32_t, uint32_t>;

  const trace_model::Model& model_;
  uint64_t max_work_;
  uint64_t cost_ = 1;  // of one try
  WorkBudget work_;    // of all tries together
  std::set<Rule> broken_;
  std::map<Kind, uint32_t> alike_;  // is looked up, never walked
  EdgeRules result_;
};

}  // namespace

EdgeRules FindBarelyKept(const trace_model::Model& model, uint64_t max_work) {
  return EdgeSearch(model, max_work).Run();
}

}  // namespace dp2trace::coverage
