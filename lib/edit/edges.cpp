#include "edit/edges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "d3d/states.h"
#include "edit/goal.h"
#include "opcode/layouts.h"
#include "stream/records.h"
#include "stream/struct_visitor.h"

namespace dp2trace::edit {
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
    for (uint32_t part = 0; part < field.count; ++part)
      numbers.push_back({&layout, index, info != nullptr ? info->code + 1 : 0,
                         static_cast<uint32_t>(place - start_) + part * size,
                         is_float ? Wire::kF32 : field.wire});
  }

  const uint8_t* start_;
};

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
  EdgeSearch(const Model& model, uint64_t max_work)
      : model_(model),
        max_work_(max_work),
        broken_(FindBroken(model, validate::Preset::kPedantic)) {
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
    if ((result_.tries + 1) * cost_ <= max_work_) return true;
    result_.is_cut = true;
    return false;
  }

  void Try(ModelEvent changed) {
    ++result_.tries;
    Model model = model_;
    model.Replace(std::move(changed));
    for (const Rule rule : FindBroken(model, validate::Preset::kPedantic)) {
      if (!broken_.contains(rule)) result_.rules.insert(rule);
    }
  }

  void TryEvent(const ModelEvent& event) {
    size_t count = 0;
    trace::Event probe = event.event;
    ForEachNumber(probe, [&](auto&) { ++count; });
    for (size_t i = 0; i < count; ++i) {
      for (const Step step : kSteps) {
        if (!HasBudget()) return;
        ModelEvent changed = event;
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

  void TryTokens(const ModelEvent& event) {
    const auto* const call = std::get_if<trace::Dp2>(&event.event);
    for (size_t i = 0; call != nullptr && i < event.tokens.size(); ++i) {
      const std::optional<FramedToken> framed = Frame(event.tokens[i], call->vertex_size);
      if (!framed || event.tokens[i].filler_at != 0) continue;
      OrderedNumberFinder finder(framed->command.bytes.data());
      stream::Visit(framed->command,
                    {.command_offset = 0, .vertex_size = call->vertex_size, .event = {}}, finder);
      for (const Number& number : finder.numbers)
        TryNumber(event, i, number);
    }
  }

  void TryNumber(const ModelEvent& event, size_t token, const Number& number) {
    const std::vector<uint8_t>& bytes = *event.tokens[token].bytes;
    const uint32_t value = stream::LoadWire(number.wire, bytes.data() + number.offset);
    uint32_t& alike =
        alike_[{event.tokens[token].op, number.layout, number.field, number.state, value}];
    if (alike == kMostAlike) return;
    ++alike;
    for (const Step step : kSteps) {
      if (!HasBudget()) return;
      std::vector<uint8_t> stepped = bytes;
      if (!StepNumber(stepped, number, step)) continue;
      ModelEvent changed = event;
      changed.tokens[token].bytes = Share(std::move(stepped));
      Try(std::move(changed));
    }
  }

  using Kind = std::tuple<const opcode::OpInfo*, const StructDesc*, size_t, uint32_t, uint32_t>;

  const Model& model_;
  uint64_t max_work_;
  uint64_t cost_ = 1;  // of one try
  std::set<Rule> broken_;
  std::map<Kind, uint32_t> alike_;  // is looked up, never walked
  EdgeRules result_;
};

}  // namespace

EdgeRules FindOnlyJustKept(const Model& model, uint64_t max_work) {
  return EdgeSearch(model, max_work).Run();
}

}  // namespace dp2trace::edit
