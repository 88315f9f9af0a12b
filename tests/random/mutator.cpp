#include "mutator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "d3d/interface.h"
#include "device/device.h"
#include "trace/codec.h"
#include "trace_file/form.h"
#include "trace_file/sink.h"
#include "trace_file/source.h"
#include "trim/event_cut.h"

namespace dp2trace::testing {
namespace {

using trace_model::Model;
using trace_model::ModelEvent;
using trace_model::ModelToken;

constexpr uint64_t kMostBytes = uint64_t{4} << 20;   // of a trace
constexpr uint64_t kMostPixels = uint64_t{1} << 20;  // of a surface, all levels and faces apart

template <class T>
concept Structure = requires {
  trace::VisitFields<T>([](const trace::Field&, auto) {});
};
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

uint32_t OddNumber(Random& random, uint32_t old) {
  constexpr std::array<uint32_t, 16> kOdd = {
      0, 1, 2, 3, 4, 7, 8, 16, 64, 255, 256, 65535, 0x8000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  switch (random.Below(6)) {
    case 0:
      return old + 1;
    case 1:
      return old - 1;
    case 2:
      return random.Below(300);
    case 3:
      return old ^ (1U << random.Below(32));
    case 4:
      return random.U32();
    default:
      return kOdd[random.Below(kOdd.size())];
  }
}

// Changes one of the numbers in a structure, chosen by counting down.
class FieldMutator {
 public:
  explicit FieldMutator(Random& random) : random_(random) {}

  template <class T>
  void Change(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = !value;
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(OddNumber(random_, static_cast<uint32_t>(value)));
    } else if constexpr (std::is_same_v<T, Bytes>) {
      if (!value.empty()) value = value.first(random_.Below(static_cast<uint32_t>(value.size())));
    } else if constexpr (kIsOptional<T>) {
      if (value && random_.OneIn(3)) {
        value.reset();
      } else if (value) {
        Change(*value);
      } else {
        value.emplace();
        if (random_.OneIn(2)) Change(*value);
      }
    } else if constexpr (requires {
                           value.begin();
                           value.erase(value.begin());
                         }) {
      if (value.empty()) return;
      auto& element = value[random_.Below(static_cast<uint32_t>(value.size()))];
      if constexpr (!std::is_same_v<std::decay_t<decltype(element)>, char>) Change(element);
    } else if constexpr (Structure<T>) {
      uint32_t count = 0;
      trace::VisitFields<T>([&](const trace::Field&, auto) { ++count; });
      uint32_t chosen = random_.Below(std::max(count, 1U));
      trace::VisitFields<T>([&](const trace::Field& /*field*/, auto member) {
        if (chosen-- == 0) Change(value.*member);
      });
    }
  }

 private:
  Random& random_;
};

bool IsRepeatable(const trace::Event& event) {
  return std::holds_alternative<trace::Dp2>(event) ||
         std::holds_alternative<trace::Render>(event) ||
         std::holds_alternative<trace::SurfaceUpdate>(event) ||
         std::holds_alternative<trace::Blt>(event) ||
         std::holds_alternative<trace::Present>(event) ||
         std::holds_alternative<trace::SurfaceRead>(event);
}

bool IsModest(const trace::Event& event) {
  const auto* const create = std::get_if<trace::SurfaceCreate>(&event);
  if (create == nullptr) return true;
  const uint64_t depth = std::max(create->depth, 1U);
  return create->width <= kMostPixels && create->height <= kMostPixels && depth <= kMostPixels &&
         uint64_t{create->width} * std::max(create->height, 1U) <= kMostPixels &&
         uint64_t{create->width} * std::max(create->height, 1U) * depth <= kMostPixels;
}

using Shared = std::shared_ptr<const ModelEvent>;

size_t Choose(const Model& model, Random& random) {
  return 1 + random.Below(static_cast<uint32_t>(model.events.size() - 1));  // not the header
}

void ChangeToken(ModelEvent& event, Random& random) {
  const size_t at = random.Below(static_cast<uint32_t>(event.tokens.size()));
  switch (random.Below(8)) {
    case 0:
      event.tokens.erase(event.tokens.begin() + static_cast<ptrdiff_t>(at));
      return;
    case 1:
      event.tokens.insert(event.tokens.begin() + static_cast<ptrdiff_t>(at), event.tokens[at]);
      return;
    case 2:
      std::swap(event.tokens[at],
                event.tokens[random.Below(static_cast<uint32_t>(event.tokens.size()))]);
      return;
    default:
      break;
  }
  std::vector<uint8_t> bytes = *event.tokens[at].bytes;
  const auto words = static_cast<uint32_t>(bytes.size() / sizeof(uint32_t));
  if (words < 2) return;
  // Records stand near the front, their contents after them.
  const uint32_t word = 1 + random.Below(random.OneIn(4) ? words - 1 : std::min(words - 1, 10U));
  const size_t place = word * sizeof(uint32_t);
  Store(bytes.data() + place, OddNumber(random, LoadU32(bytes.data() + place)));
  event.tokens[at].bytes = trace_model::Share(std::move(bytes));
}

void ChangeEvent(Shared& shared, Random& random) {
  ModelEvent event = *shared;
  if (!event.tokens.empty() && !random.OneIn(8)) {
    ChangeToken(event, random);
  } else {
    FieldMutator mutator(random);
    std::visit([&](auto& e) { mutator.Change(e); }, event.event);
    if (!IsModest(event.event)) return;
  }
  shared = std::make_shared<const ModelEvent>(std::move(event));
}

// A call that runs from its first token to its last.
bool IsWhole(const ModelEvent& event) {
  const auto* const call = std::get_if<trace::Dp2>(&event.event);
  return call != nullptr && event.is_call && !device::HasFailed(call->ddrval) &&
         call->ddrval != d3d::kWasStillDrawing && !call->command_length;
}

// The calls that `is_good` takes.
template <class IsGood>
std::vector<size_t> FindCalls(const Model& model, const IsGood& is_good) {
  std::vector<size_t> found;
  for (size_t i = 0; i < model.events.size(); ++i)
    if (IsWhole(*model.events[i]) && is_good(*model.events[i])) found.push_back(i);
  return found;
}

bool SetsState(const ModelToken& token) {
  return token.op != nullptr && (token.op->op == opcode::Op::kRenderState ||
                                 token.op->op == opcode::Op::kTextureStageState);
}

}  // namespace

bool LoadModel(const std::string& path, Model& model) {
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source =
      trace_file::WithResults(trace_file::Source::Open(path, kMostBytes, findings, error));
  if (source == nullptr) return false;
  trace_model::ModelLoader loader;
  for (trace::EventRecord record; source->Next(record);) {
    loader.Add(record);
    if (loader.size_bytes() > kMostBytes || !IsModest(record.event)) return false;
  }
  model = loader.Take();
  return !source->is_incomplete() && model.events.size() > 1 &&
         std::holds_alternative<trace::Header>(model.events[0]->event);
}

void AddFrames(Model& model, Random& random) {
  std::vector<Shared> pool;
  size_t end = 0;
  Shared present;
  for (size_t i = 0; i < model.events.size(); ++i) {
    if (!IsRepeatable(model.events[i]->event)) continue;
    pool.push_back(model.events[i]);
    end = i + 1;
    if (std::holds_alternative<trace::Present>(model.events[i]->event)) present = model.events[i];
  }
  if (pool.empty()) return;
  std::vector<Shared> added;
  const uint32_t frames = 1 + random.Below(3);
  for (uint32_t frame = 0; frame < frames; ++frame) {
    const uint32_t events = 1 + random.Below(4);
    for (uint32_t i = 0; i < events; ++i) {
      added.push_back(pool[random.Below(static_cast<uint32_t>(pool.size()))]);
      if (random.OneIn(2)) ChangeEvent(added.back(), random);
    }
    if (present != nullptr) added.push_back(present);
  }
  model.events.insert(model.events.begin() + static_cast<ptrdiff_t>(end), added.begin(),
                      added.end());
}

void Mutate(Model& model, Random& random) {
  if (model.events.size() < 2) return;
  const size_t at = Choose(model, random);
  const auto place = model.events.begin() + static_cast<ptrdiff_t>(at);
  switch (random.Below(12)) {
    case 0:
      model.events.erase(place);
      return;
    case 1: {
      const Shared copy = *place;
      model.events.insert(place, copy);
      return;
    }
    case 2:
      std::swap(*place, model.events[Choose(model, random)]);
      return;
    default:
      return ChangeEvent(*place, random);
  }
}

// Bytes that cannot be read at their offset may be a token at another one: immediate vertices without the filler before them.
bool IsUnread(const ModelToken& token) {
  return token.op == nullptr;
}

bool SplitCall(Model& model, Random& random) {
  const std::vector<size_t> calls = FindCalls(model, [](const ModelEvent& event) {
    return event.tokens.size() > 1 && std::ranges::none_of(event.tokens, IsUnread);
  });
  if (calls.empty()) return false;
  const size_t at = calls[random.Below(static_cast<uint32_t>(calls.size()))];
  ModelEvent first = *model.events[at];
  ModelEvent second = first;
  const size_t cut = 1 + random.Below(static_cast<uint32_t>(first.tokens.size() - 1));
  first.tokens.resize(cut);
  second.tokens.erase(second.tokens.begin(), second.tokens.begin() + static_cast<ptrdiff_t>(cut));
  model.events[at] = std::make_shared<const ModelEvent>(std::move(first));
  model.events.insert(model.events.begin() + static_cast<ptrdiff_t>(at + 1),
                      std::make_shared<const ModelEvent>(std::move(second)));
  return true;
}

bool RepeatStates(Model& model, Random& random) {
  const std::vector<size_t> calls = FindCalls(
      model, [](const ModelEvent& event) { return std::ranges::any_of(event.tokens, SetsState); });
  if (calls.empty()) return false;
  Shared& shared = model.events[calls[random.Below(static_cast<uint32_t>(calls.size()))]];
  ModelEvent event = *shared;
  std::vector<ModelToken> tokens;
  for (const ModelToken& token : event.tokens) {
    tokens.push_back(token);
    if (SetsState(token)) tokens.push_back(token);
  }
  event.tokens = std::move(tokens);
  shared = std::make_shared<const ModelEvent>(std::move(event));
  return true;
}

bool WriteTrace(const Model& model, const std::string& path) {
  const auto form = trace_file::FormOfPath(path).value_or(trace_file::Form::kBinary);
  const auto sink = trace_file::Sink::Create(path, form);
  return sink.ok() && trace_model::BuiltTrace(model).Write(**sink).ok();
}

}  // namespace dp2trace::testing
