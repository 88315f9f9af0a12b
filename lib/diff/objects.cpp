#include "diff/objects.h"

#include <deque>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/hash.h"
#include "trace/codec.h"
#include "trace/event_kind.h"
#include "trace_model/names.h"

namespace dp2trace::diff {
namespace {

using opcode::Meaning;
using opcode::Op;

// Tokens that make what they name.
bool Makes(Op op) {
  switch (op) {
    case Op::kCreateVertexShader:
    case Op::kCreateVertexShaderDecl:
    case Op::kCreateVertexShaderFunc:
    case Op::kCreatePixelShader:
    case Op::kCreateQuery:
      return true;
    default:
      return false;
  }
}

// The bytes of a token with 0 in the place of what it names.
uint64_t HashWithoutNames(const stream::Command& command, const stream::Environment& environment) {
  std::vector<uint8_t> bytes(command.bytes.begin(), command.bytes.end());
  trace_model::VisitNames(command, environment,
                          [&](Meaning /*kind*/, uint32_t /*handle*/, uint32_t offset) {
                            Store(bytes.data() + offset, uint32_t{0});
                          });
  return Xxh3_64(bytes);
}

template <class T>
uint64_t HashOf(const T& event) {
  std::vector<uint8_t> payload;
  trace::EncodePayload(event, payload);
  return Xxh3_64(payload, static_cast<uint64_t>(trace::kKindOf<T>));
}

}  // namespace

uint64_t Combine(uint64_t hash, uint64_t value) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(&value);
  return Xxh3_64(Bytes(bytes, sizeof value), hash);
}

ObjectName Scope::Surface(uint32_t handle) const {
  return {ObjectKind::kSurface, Meaning::kNumber, space, 0, handle};
}

ObjectName Scope::Context(uint64_t number) const {
  return {ObjectKind::kContext, Meaning::kNumber, space, 0, number};
}

ObjectName Scope::KmtObject(uint32_t handle) const {
  return {ObjectKind::kKmtObject, Meaning::kNumber, process, 0, handle};
}

ObjectName Scope::OfToken(Meaning meaning, uint32_t handle) const {
  if (meaning == Meaning::kSurface) return Surface(handle);
  return {ObjectKind::kOfToken, meaning, space, context, handle};
}

Scope ObjectTable::ScopeOf(const trace::Event& event) const {
  Scope scope;
  // The space of a KMT device, for events that have no other.
  const auto space_of = [&](uint32_t object) {
    const auto found = spaces_.find({scope.process, object});
    return found != spaces_.end() ? found->second : 0;
  };
  std::visit(
      [&](const auto& e) {
        if constexpr (requires { e.process; }) scope.process = e.process;
        if constexpr (requires { e.context; }) scope.context = e.context;
        if constexpr (requires { e.space; }) {
          scope.space = e.space;
        } else if constexpr (requires { e.device; }) {
          scope.space = space_of(e.device);
        }
      },
      event);
  if (const auto* const packet = std::get_if<trace::Render>(&event);
      packet != nullptr && spaces_.contains({packet->process, packet->context}))
    scope.space = space_of(packet->context);
  return scope;
}

uint32_t ObjectTable::Make(const ObjectName& name, uint64_t properties) {
  const auto number = static_cast<uint32_t>(objects_.size());
  numbers_[name] = number;
  const auto kind = static_cast<uint64_t>(name.kind) << 8 | static_cast<uint64_t>(name.meaning);
  objects_.push_back({.properties = Combine(properties, kind)});
  return number;
}

uint32_t ObjectTable::NumberOf(const ObjectName& name) {
  const auto found = numbers_.find(name);
  return found != numbers_.end() ? found->second : Make(name, 0);
}

void ObjectTable::MakeSurface(const trace::SurfaceCreate& create) {
  trace::SurfaceCreate plain = create;
  plain.space = plain.handle = 0;
  plain.flip_chain.assign(plain.flip_chain.size(), 0);
  for (trace::SubSurface& sub : plain.sub_surfaces)
    sub.handle = 0;
  const Scope scope = {.space = create.space, .process = 0, .context = 0};
  const uint64_t properties = HashOf(plain);
  Make(scope.Surface(create.handle), properties);
  // Levels with handles of their own are told apart by face and level.
  for (const trace::SubSurface& sub : create.sub_surfaces) {
    if (sub.handle != 0)
      Make(scope.Surface(sub.handle), properties + (uint64_t{sub.face} + 1) * 64 + sub.level + 1);
  }
}

// Handles that the call returned.
void ObjectTable::MakeKmtObjects(const trace::Event& event, const Scope& scope) {
  const auto make = [&](uint32_t handle, uint64_t properties) {
    if (handle != 0) Make(scope.KmtObject(handle), properties);
  };
  const auto make_allocations = [&](const std::vector<trace::AllocationInfo>& allocations) {
    for (const trace::AllocationInfo& info : allocations) {
      make(info.allocation, Xxh3_64(info.private_driver_data,
                                    info.model_size * 16 + static_cast<uint64_t>(info.model_kind)));
    }
  };
  if (const auto* const adapter = std::get_if<trace::AdapterOpen>(&event)) {
    make(adapter->adapter, 1);
  } else if (const auto* const device = std::get_if<trace::DeviceCreate>(&event)) {
    make(device->device, 2);
    spaces_[{device->process, device->device}] = device->space;
  } else if (const auto* const context = std::get_if<trace::KmtContextCreate>(&event)) {
    make(context->context, 3);
    spaces_[{context->process, context->context}] = scope.space;
    if (context->d3d) Make(scope.Context(context->context), context->d3d->runtime_version + 1);
  } else if (const auto* const sync = std::get_if<trace::SyncCreate>(&event)) {
    make(sync->sync, 4);
  } else if (const auto* const create = std::get_if<trace::AllocationCreate>(&event)) {
    make_allocations(create->allocations);
    make(create->resource_out, 5);
    make(create->global_share, 6);
  } else if (const auto* const open = std::get_if<trace::ResourceOpen>(&event)) {
    make_allocations(open->allocations);
    make(open->resource, 7);
  } else if (const auto* const lock = std::get_if<trace::Lock>(&event)) {
    // The same allocation under another handle.
    if (lock->allocation_out != 0)
      numbers_[scope.KmtObject(lock->allocation_out)] = NumberOf(scope.KmtObject(lock->allocation));
  }
}

void ObjectTable::OnEvent(const trace::Event& event) {
  if (std::holds_alternative<trace::Header>(event)) {
    numbers_.clear();
    spaces_.clear();
    recorded_.clear();
  } else if (const auto* const create = std::get_if<trace::SurfaceCreate>(&event)) {
    MakeSurface(*create);
  } else if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event)) {
    ObjectFacts& surface = objects_[NumberOf(ScopeOf(event).Surface(update->handle))];
    if (surface.content == 0) surface.content = Xxh3_64(update->data, 1) | 1;
  } else if (const auto* const bind = std::get_if<trace::Dp2Bind>(&event)) {
    const Scope scope = ScopeOf(event);
    const uint32_t surface = NumberOf(scope.Surface(bind->handle));
    ObjectFacts& allocation = objects_[NumberOf(scope.KmtObject(bind->allocation))];
    if (allocation.content_of == UINT32_MAX) allocation.content_of = surface;
  } else if (const auto* const context = std::get_if<trace::ContextCreate>(&event)) {
    Make(ScopeOf(event).Context(context->context), context->runtime_version + 1);
  } else {
    MakeKmtObjects(event, ScopeOf(event));
  }
}

void ObjectTable::OnCommand(const trace::Event& event, const stream::Command& command,
                            const stream::Environment& environment) {
  const Scope scope = ScopeOf(event);
  const ObjectName context = scope.Context(scope.context);
  const bool ends = command.op->is(opcode::kStateBlockKind);
  if (const auto block = recorded_.find(context); block != recorded_.end()) {
    ObjectFacts& facts = objects_[block->second];
    facts.content = Xxh3_64(command.bytes, facts.content);
    if (ends) recorded_.erase(block);
  }
  const bool makes = Makes(command.op->op);
  const uint64_t hash = makes ? HashWithoutNames(command, environment) : 0;
  uint64_t place = 0;
  trace_model::VisitNames(command, environment,
                          [&](Meaning kind, uint32_t handle, uint32_t /*offset*/) {
                            const ObjectName name = scope.OfToken(kind, handle);
                            if (makes) {
                              Make(name, hash + ++place);
                            } else if (!numbers_.contains(name)) {
                              const uint32_t number = Make(name, 0);
                              if (kind == Meaning::kPalette)
                                objects_[number].content = HashWithoutNames(command, environment);
                              if (kind == Meaning::kStateBlock) recorded_[context] = number;
                            }
                          });
}

ObjectMatch MatchObjects(const std::vector<ObjectFacts>& a, const std::vector<ObjectFacts>& b) {
  ObjectMatch match;
  match.a.assign(a.size(), 0);
  match.b.assign(b.size(), 0);
  uint64_t next = 1;
  for (const bool looks_at_content : {true, false}) {
    std::unordered_map<uint64_t, std::deque<size_t>> waiting;
    const auto key = [&](const std::vector<ObjectFacts>& objects, size_t i) {
      const ObjectFacts& object = objects[i];
      if (!looks_at_content) return object.properties;
      return Combine(object.properties, object.content_of < objects.size()
                                            ? objects[object.content_of].content
                                            : object.content);
    };
    for (size_t i = 0; i < a.size(); ++i)
      if (match.a[i] == 0) waiting[key(a, i)].push_back(i);
    for (size_t i = 0; i < b.size(); ++i) {
      if (match.b[i] != 0) continue;
      const auto found = waiting.find(key(b, i));
      if (found == waiting.end() || found->second.empty()) continue;
      match.a[found->second.front()] = match.b[i] = next++;
      found->second.pop_front();
    }
  }
  for (uint64_t& number : match.a)
    if (number == 0) number = next++;
  for (uint64_t& number : match.b)
    if (number == 0) number = next++;
  return match;
}

}  // namespace dp2trace::diff
