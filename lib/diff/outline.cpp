#include "diff/outline.h"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/hash.h"
#include "device/device.h"
#include "diff/transport.h"
#include "kmt/lists.h"
#include "trace/event_kind.h"
#include "trace_model/field_roles.h"
#include "trace_model/names.h"

namespace dp2trace::diff {
namespace {

using opcode::Meaning;

constexpr uint16_t kToken = 0x100;

template <class T>
inline constexpr bool kIsBytes = std::is_same_v<T, Bytes> || std::is_same_v<T, std::string_view>;
template <class T>
concept Structure = requires {
  trace::VisitFields<T>([](const trace::Field&, auto) {});
};

Bytes BytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
Bytes BytesOf(Bytes bytes) {
  return bytes;
}

// Hashes what fields mean; `Match` gives the number of a match for an object's name.
template <class Match>
class FieldHasher {
 public:
  FieldHasher(const Scope& scope, const Match& match) : scope_(scope), match_(match) {}

  template <class T>
  FieldHashes Of(const T& event) {
    FieldHashes hashes;
    trace::VisitFields<T>([&](const trace::Field& field, auto member) {
      if (Counts(event, field)) hashes.emplace_back(field.name, Field<T>(field, event.*member));
    });
    return hashes;
  }

 private:
  // Tokens are compared one by one; without a buffer nothing hangs on where vertices began; only a failure has an offset. What a surface
  // is, says its creation; which one it is, what is done with it.
  template <class T>
  static bool Counts(const T& event, const trace::Field& field) {
    if constexpr (std::is_same_v<T, trace::Dp2>) {
      if (field.name == "commands") return false;
      if (field.name == "vertex_offset") return event.vertex_buffer != 0;
      if (field.name == "error_offset") return device::HasFailed(event.ddrval);
    } else if constexpr (std::is_same_v<T, trace::Render>) {
      if (field.name == "command_buffer") return event.payload != trace::PayloadKind::kDp2;
    } else if constexpr (std::is_same_v<T, trace::SurfaceCreate> ||
                         std::is_same_v<T, trace::SubSurface>) {
      return field.name != "handle";
    }
    return true;
  }

  template <class T, class Value>
  uint64_t Field(const trace::Field& field, const Value& value) {
    switch (trace_model::RoleOf<T, Value>(field)) {
      case trace_model::FieldRole::kNothing:
        return 0;
      case trace_model::FieldRole::kPointer:
        return IsThere(value) ? 1 : 0;
      case trace_model::FieldRole::kResult:
        return Result(value);
      case trace_model::FieldRole::kSurface:
        return Names(value, [&](uint64_t number) { return scope_.Surface(U32(number)); });
      case trace_model::FieldRole::kContext:
        return Names(value, [&](uint64_t number) { return scope_.Context(number); });
      case trace_model::FieldRole::kKmtObject:
        return Names(value, [&](uint64_t number) { return scope_.KmtObject(U32(number)); });
      case trace_model::FieldRole::kValue:
        break;
    }
    if constexpr (std::is_same_v<Value, Bytes>) {
      if (field.form == trace::Form::kAllocationList) return AllocationList(value);
    }
    return Hash(value);
  }

  static uint32_t U32(uint64_t number) { return static_cast<uint32_t>(number); }

  template <class Value>
  static bool IsThere(const Value& value) {
    if constexpr (std::is_same_v<Value, std::optional<uint64_t>>) return value.value_or(0) != 0;
    if constexpr (std::is_same_v<Value, uint64_t>) return value != 0;
    return false;
  }

  template <class Value>
  static uint64_t Result(const Value& value) {
    if constexpr (std::is_same_v<Value, std::optional<uint32_t>>) {
      return device::HasFailed(value) ? *value : 0;
    } else if constexpr (std::is_same_v<Value, uint32_t>) {
      return value;
    } else {
      return 0;
    }
  }

  template <class Value, class Name>
  uint64_t Names(const Value& value, const Name& name) {
    if constexpr (std::is_integral_v<Value>) {
      return value != 0 ? match_(name(static_cast<uint64_t>(value))) : 0;
    } else if constexpr (std::is_same_v<Value, std::vector<uint32_t>>) {
      uint64_t hash = value.size();
      for (const uint32_t number : value)
        hash = Combine(hash, number != 0 ? match_(name(number)) : 0);
      return hash;
    } else {
      return 0;
    }
  }

  uint64_t AllocationList(Bytes list) {
    uint64_t hash = list.size();
    const size_t whole = list.size() - list.size() % kmt::kAllocationElementSize;
    for (size_t at = 0; at < whole; at += kmt::kAllocationElementSize) {
      const uint32_t handle = LoadU32(list.data() + at);
      hash = Combine(hash, handle != 0 ? match_(scope_.KmtObject(handle)) : 0);
      hash = Combine(hash, LoadU32(list.data() + at + 4));
    }
    return Xxh3_64(list.subspan(whole), hash);
  }

  template <class Value>
  uint64_t Hash(const Value& value) {
    if constexpr (kIsBytes<Value>) {
      return Xxh3_64(BytesOf(value), value.size());
    } else if constexpr (requires { static_cast<uint64_t>(value); }) {
      return static_cast<uint64_t>(value);
    } else if constexpr (requires { value.has_value(); }) {
      return value ? Combine(1, Hash(*value)) : 0;
    } else if constexpr (requires { value.begin(); }) {
      uint64_t hash = value.size();
      for (const auto& element : value)
        hash = Combine(hash, Hash(element));
      return hash;
    } else {
      static_assert(Structure<Value>);
      uint64_t hash = 1;
      for (const auto& [name, field] : Of(value))
        hash = Combine(hash, field);
      return hash;
    }
  }

  const Scope& scope_;
  const Match& match_;
};

// A call that says nothing beside its tokens.
bool IsPlain(const FieldHashes& fields) {
  static const FieldHashes kPlain = [] {
    const auto match = [](const ObjectName&) { return uint64_t{0}; };
    const Scope scope;
    return FieldHasher(scope, match).Of(trace::Dp2{});
  }();
  for (size_t i = 0; i < kPlain.size(); ++i) {
    if (i < fields.size() && fields[i] != kPlain[i] && fields[i].first != "context") return false;
  }
  return fields.size() == kPlain.size();
}

bool HasTokens(const trace::Event& event) {
  const auto* const packet = std::get_if<trace::Render>(&event);
  return std::holds_alternative<trace::Dp2>(event) ||
         (packet != nullptr && packet->payload == trace::PayloadKind::kDp2);
}

// Calls and packets, and what makes their contexts, are of one kind.
uint16_t CommonKind(const trace::Event& event) {
  if (HasTokens(event)) return trace::CodeOf(trace::Event(trace::Dp2()));
  if (std::holds_alternative<trace::KmtContextCreate>(event))
    return trace::CodeOf(trace::Event(trace::ContextCreate()));
  return trace::CodeOf(event);
}

// Immediate vertices begin at a multiple of 4 of the buffer: what fills the gap hangs on the tokens before.
class FillerEraser final : public stream::Visitor {
 public:
  FillerEraser(const uint8_t* start, std::vector<uint8_t>& bytes) : start_(start), bytes_(bytes) {}
  void OnFixed(const opcode::StructDesc& /*layout*/, const uint8_t* /*at*/) override {}
  void OnRecord(uint32_t /*index*/, const opcode::StructDesc& /*layout*/,
                const uint8_t* /*at*/) override {}
  void OnTail(uint32_t /*record*/, const opcode::TailDesc& /*desc*/, Bytes padding,
              Bytes /*bytes*/) override {
    if (padding.empty()) return;
    const auto at = bytes_.begin() + (padding.data() - start_);
    bytes_.erase(at, at + static_cast<ptrdiff_t>(padding.size()));
  }

 private:
  const uint8_t* start_;
  std::vector<uint8_t>& bytes_;
};

void EraseFiller(const stream::Command& command, const stream::Environment& environment,
                 std::vector<uint8_t>& bytes) {
  const bool has_filler = std::ranges::any_of(command.op->tails, [](const opcode::TailDesc& tail) {
    return tail.counting == opcode::TailCount::kVertices;
  });
  if (!has_filler) return;
  FillerEraser eraser(command.bytes.data(), bytes);
  stream::Visit(command, environment, eraser);
}

}  // namespace

// The bytes that a call or packet of tokens has beyond those that it submits, as a field: a packet with such bytes is refused
// (KMT-DEC-004). Nothing for a call that has none.
std::optional<FieldHashes::value_type> Surplus(const trace::Event& event,
                                               trace::LengthOrigin length_origin) {
  const auto stream = trace::StreamOf(event, length_origin);
  if (!stream) return std::nullopt;
  const auto* const packet = std::get_if<trace::Render>(&event);
  const Bytes commands =
      packet != nullptr ? packet->command_buffer : std::get<trace::Dp2>(event).commands;
  const Bytes surplus = commands.subspan(
      static_cast<size_t>(stream->bytes.data() + stream->bytes.size() - commands.data()));
  if (packet == nullptr && surplus.empty()) return std::nullopt;
  return FieldHashes::value_type(packet != nullptr ? "command_buffer" : "commands",
                                 Xxh3_64(surplus, surplus.size()));
}

uint64_t Outliner::MatchOf(const ObjectName& name) {
  const uint32_t number = objects_.NumberOf(name);
  return match_ != nullptr && number < match_->size() ? (*match_)[number] : 0;
}

FieldHashes Outliner::Fields(const trace::Event& event) {
  const Scope scope = objects_.ScopeOf(event);
  const auto match = [&](const ObjectName& name) { return MatchOf(name); };
  FieldHasher hasher(scope, match);
  if (leaves_out_transport_) {
    if (const auto made = ContextOf(event)) {
      const auto surface = [&](uint32_t handle) {
        return handle != 0 ? MatchOf(scope.Surface(handle)) : 0;
      };
      return {{"runtime_version", made->runtime_version},
              {"target", surface(made->target)},
              {"depth", surface(made->depth)},
              {"pure_device", made->is_pure ? 1 : 0}};
    }
    if (HasTokens(event)) {
      const auto carried = VerticesWith(event);
      if (!carried) return {};
      return {{"vertices", Xxh3_64(carried->bytes)},
              {"vertex_type", carried->type},
              {"vertex_size", carried->size}};
    }
    if (IsOfTransport(event)) return {};
  }
  FieldHashes fields = std::visit(
      [&](const auto& e) -> FieldHashes {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::Unknown>) {
          return {{"payload", Xxh3_64(e.payload)}};
        } else if constexpr (std::is_same_v<T, trace::Marker> ||
                             std::is_same_v<T, trace::CallResult>) {
          return {};
        } else {
          return hasher.Of(e);
        }
      },
      event);
  if (leaves_out_transport_) {
    std::erase_if(fields, [&](const FieldHashes::value_type& field) {
      return std::holds_alternative<trace::Header>(event) && IsOfTransport(field.first);
    });
  }
  if (const auto surplus = Surplus(event, naming_.length_origin())) fields.push_back(*surplus);
  return fields;
}

// A long call may become several packets with its vertices.
bool Outliner::AddsEvent(const trace::Event& event, const FieldHashes& fields) {
  if (fields.empty()) return false;
  if (leaves_out_transport_)
    return !HasTokens(event) || std::exchange(last_vertices_, fields) != fields;
  return !std::holds_alternative<trace::Dp2>(event) || !IsPlain(fields);
}

void Outliner::Add(uint64_t number, const trace::Event& event) {
  naming_.Apply(event);
  objects_.OnEvent(event);
  parts_.clear();
  const auto short_number = static_cast<uint32_t>(number);
  const FieldHashes fields = Fields(event);
  if (AddsEvent(event, fields)) {
    const uint16_t kind = leaves_out_transport_ ? CommonKind(event) : trace::CodeOf(event);
    uint64_t hash = kind;
    for (const auto& [name, field] : fields)
      hash = Combine(hash, field);
    parts_.push_back({hash, short_number, kNoToken, kind});
  }
  AddTokens(short_number, event);
}

std::optional<OutlineUnit> Outliner::whole() const {
  if (parts_.empty()) return std::nullopt;
  OutlineUnit whole = parts_[0];
  for (const OutlineUnit& part : std::span(parts_).subspan(1))
    whole.hash = Combine(whole.hash, part.hash);
  whole.token = kNoToken;
  return whole;
}

uint64_t Outliner::TokenHash(const Scope& scope, const stream::Command& command,
                             const stream::Environment& environment) {
  uint64_t hash = MatchOf(scope.Context(scope.context));  // tokens of several contexts do not mix
  buffer_.assign(command.bytes.begin(), command.bytes.end());
  trace_model::VisitNames(command, environment,
                          [&](Meaning kind, uint32_t handle, uint32_t offset) {
                            hash = Combine(hash, MatchOf(scope.OfToken(kind, handle)));
                            Store(buffer_.data() + offset, uint32_t{0});
                          });
  if (work_ == Work::kObjectsOnly) return 0;
  EraseFiller(command, environment, buffer_);
  return Xxh3_64(buffer_, hash);
}

std::vector<uint8_t> Outliner::TokenBytes(const trace::Event& event, const stream::Command& command,
                                          const stream::Environment& environment) {
  const Scope scope = objects_.ScopeOf(event);
  std::vector<uint8_t> bytes(command.bytes.begin(), command.bytes.end());
  trace_model::VisitNames(
      command, environment, [&](Meaning kind, uint32_t handle, uint32_t offset) {
        Store(bytes.data() + offset, static_cast<uint32_t>(MatchOf(scope.OfToken(kind, handle))));
      });
  EraseFiller(command, environment, bytes);
  return bytes;
}

void Outliner::AddTokens(uint32_t number, const trace::Event& event) {
  const auto stream = trace::StreamOf(event, naming_.length_origin());
  if (!stream) return;
  const auto* const packet = std::get_if<trace::Render>(&event);
  if (leaves_out_transport_ && packet != nullptr && IsOnlyRequest(*packet, *stream)) return;
  const Scope scope = objects_.ScopeOf(event);
  stream::Decoder decoder(stream->bytes, stream->environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    objects_.OnCommand(event, command, stream->environment);
    const auto kind = static_cast<uint16_t>(kToken + static_cast<uint16_t>(command.op->op));
    parts_.push_back({TokenHash(scope, command, stream->environment), number, command.index, kind});
  }
  if (!decoder.rest().empty())
    parts_.push_back({Xxh3_64(decoder.rest(), 1), number, kNoToken, kToken});
}

}  // namespace dp2trace::diff
