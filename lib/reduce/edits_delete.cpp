#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "device/kmt/types.h"
#include "reduce/edits.h"
#include "stream/records.h"
#include "trace_model/field_roles.h"
#include "trace_model/names.h"

namespace dp2trace::reduce {
namespace {

using Ids = std::set<uint64_t>;

// Leaves out what has one of these ids.
void Erase(const Ids& ids, trace_model::ModelEvent& event) {
  const auto is_out = [&](const auto& part) { return ids.contains(part.id); };
  std::erase_if(event.tokens, is_out);
  if (!event.packet) return;
  std::erase_if(event.packet->elements, is_out);
  std::erase_if(event.packet->patches, is_out);
}

bool HasAny(const Ids& ids, const trace_model::ModelEvent& event) {
  const auto is_out = [&](const auto& part) { return ids.contains(part.id); };
  return std::ranges::any_of(event.tokens, is_out) ||
         (event.packet && (std::ranges::any_of(event.packet->elements, is_out) ||
                           std::ranges::any_of(event.packet->patches, is_out)));
}

// Without the events, tokens and elements of lists that have these ids; a call without tokens goes.
std::optional<trace_model::Model> Without(const trace_model::Model& model, const Ids& ids) {
  trace_model::Model result;
  bool is_changed = false;
  for (const auto& event : model.events) {
    if (ids.contains(event->id)) {
      is_changed = true;
      continue;
    }
    if (!HasAny(ids, *event)) {
      result.events.push_back(event);
      continue;
    }
    is_changed = true;
    trace_model::ModelEvent rest = *event;
    Erase(ids, rest);
    if (!rest.tokens.empty())
      result.events.push_back(std::make_shared<const trace_model::ModelEvent>(std::move(rest)));
  }
  return is_changed ? std::optional(std::move(result)) : std::nullopt;
}

std::vector<uint64_t> AtomsOf(const trace_model::Model& model) {
  std::vector<uint64_t> atoms;
  for (size_t i = 1; i < model.events.size(); ++i) {
    const trace_model::ModelEvent& event = *model.events[i];
    for (const trace_model::ModelToken& token : event.tokens)
      atoms.push_back(token.id);
    if (event.tokens.empty()) atoms.push_back(event.id);
  }
  return atoms;
}

Edit Deletion(Ids ids) {
  return [ids = std::make_shared<const Ids>(std::move(ids))](const trace_model::Model& model) {
    return Without(model, *ids);
  };
}

// The surface that an event is about; 0 for others.
uint32_t SurfaceOf(const trace::Event& event) {
  return std::visit(
      [](const auto& e) -> uint32_t {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::SurfaceCreate> ||
                      std::is_same_v<T, trace::SurfaceDestroy> ||
                      std::is_same_v<T, trace::SurfaceUpdate> ||
                      std::is_same_v<T, trace::SurfaceRead> || std::is_same_v<T, trace::Picture> ||
                      std::is_same_v<T, trace::Dp2Bind> || std::is_same_v<T, trace::Dp2Unbind>) {
          return e.handle;
        } else {
          return 0;
        }
      },
      event);
}

struct ShorterToken {
  trace_model::ModelToken token;
  uint32_t begin = 0, size = 0;  // bytes that are left out
};

using KmtIds = std::map<device::KmtKey, Ids>;

// Files the event, or the elements of its allocation list, under the KMT objects that it names.
void AddKmtNames(const trace_model::ModelEvent& event, KmtIds& objects) {
  std::visit(
      [&](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (requires { e.process; } && !std::is_same_v<T, trace::ContextCreate>) {
          trace_model::VisitKmtHandles(e, [&](const trace::Field& /*field*/, uint32_t handle) {
            if (handle != 0) objects[{e.process, handle}].insert(event.id);
          });
          if constexpr (std::is_same_v<T, trace::AllocationCreate>) {
            for (const trace::AllocationInfo& info : e.allocations)
              objects[{e.process, info.allocation}].insert(event.id);
          }
          if (event.packet) {
            for (const trace_model::ModelElement& element : event.packet->elements)
              objects[{e.process, element.element.handle}].insert(element.id);
          }
        }
      },
      event.event);
}

// Elements of the allocation list, entries that stand for no handle word, and all entries at once.
void AddListDeletions(const trace_model::PacketParts& parts, Edits& edits) {
  for (size_t i = parts.elements.size(); i-- != 0;)
    edits.push_back(Deletion({parts.elements[i].id}));
  Ids all;
  for (const trace_model::ModelPatch& patch : parts.patches) {
    all.insert(patch.id);
    if (!patch.follows_word) edits.push_back(Deletion({patch.id}));
  }
  if (all.size() > 1) edits.push_back(Deletion(std::move(all)));
}

// The token with some records left out; nothing where its operation has none that could be.
std::optional<ShorterToken> WithoutRecords(const trace_model::ModelToken& token,
                                           const stream::Environment& environment, uint32_t first,
                                           uint32_t count) {
  const std::optional<trace_model::FramedToken> framed = trace_model::Frame(token, environment);
  if (!framed || framed->command.op->first_record_field != opcode::kNoField) return std::nullopt;
  const stream::Command& command = framed->command;
  const uint32_t records = command.op->RecordCount(command.count);
  if (count >= records || first + count > records || count > command.count) return std::nullopt;
  ShorterToken rest = {.token = token};
  std::vector<uint8_t> bytes;
  for (const stream::Record& record : stream::Records(command, environment)) {
    if (bytes.empty()) bytes.assign(command.bytes.data(), record.bytes.data());
    if (record.index == first)
      rest.begin = static_cast<uint32_t>(record.bytes.data() - command.bytes.data());
    if (record.index >= first && record.index < first + count) {
      rest.size += static_cast<uint32_t>(record.bytes.size());
      continue;
    }
    bytes.insert(bytes.end(), record.bytes.begin(), record.bytes.end());
  }
  Store(bytes.data() + 2, static_cast<uint16_t>(command.count - count));
  rest.token.bytes = trace_model::Share(std::move(bytes));
  return rest;
}

// Patch entries of words after what is left out move with them.
void MovePatches(const ShorterToken& shorter, trace_model::PacketParts& parts) {
  const auto is_of_token = [&](const trace_model::ModelPatch& patch) {
    return patch.token == shorter.token.id;
  };
  std::erase_if(parts.patches, [&](const trace_model::ModelPatch& patch) {
    return is_of_token(patch) && patch.element.patch_offset >= shorter.begin &&
           patch.element.patch_offset < shorter.begin + shorter.size;
  });
  for (trace_model::ModelPatch& patch : parts.patches) {
    if (is_of_token(patch) && patch.element.patch_offset >= shorter.begin)
      patch.element.patch_offset -= shorter.size;
  }
}

Edit RecordDeletion(uint64_t event_id, uint64_t token_id, uint32_t first, uint32_t count) {
  return [=](const trace_model::Model& model) -> std::optional<trace_model::Model> {
    const trace_model::ModelEvent* const found = model.Find(event_id);
    if (found == nullptr) return std::nullopt;
    trace_model::ModelEvent event = *found;
    const auto token = std::ranges::find(event.tokens, token_id, &trace_model::ModelToken::id);
    if (token == event.tokens.end()) return std::nullopt;
    std::optional<ShorterToken> rest =
        WithoutRecords(*token, trace_model::TokenEnvironment(event), first, count);
    if (!rest) return std::nullopt;
    if (event.packet) MovePatches(*rest, *event.packet);
    *token = std::move(rest->token);
    trace_model::Model result = model;
    result.Replace(std::move(event));
    return result;
  };
}

}  // namespace

size_t CountAtoms(const trace_model::Model& model) {
  return AtomsOf(model).size();
}

Edits DeleteChunks(const trace_model::Model& model, size_t size) {
  const std::vector<uint64_t> atoms = AtomsOf(model);
  Edits edits;
  for (size_t end = atoms.size(); end != 0; end -= std::min(end, size)) {
    const size_t begin = end - std::min(end, size);
    edits.push_back(Deletion(Ids(atoms.begin() + static_cast<std::ptrdiff_t>(begin),
                                 atoms.begin() + static_cast<std::ptrdiff_t>(end))));
  }
  return edits;
}

Edits DeleteObjects(const trace_model::Model& model) {
  std::map<std::pair<opcode::Meaning, uint32_t>, Ids> objects;
  KmtIds kmt_objects;
  for (size_t i = 1; i < model.events.size(); ++i) {
    const trace_model::ModelEvent& event = *model.events[i];
    if (const uint32_t surface = SurfaceOf(event.event); surface != 0)
      objects[{opcode::Meaning::kSurface, surface}].insert(event.id);
    AddKmtNames(event, kmt_objects);
    for (const trace_model::ModelToken& token : event.tokens) {
      const stream::Environment environment = trace_model::TokenEnvironment(event);
      const std::optional<trace_model::FramedToken> framed = trace_model::Frame(token, environment);
      if (!framed) continue;
      trace_model::VisitNames(framed->command, environment,
                              [&](opcode::Meaning kind, uint32_t handle, uint32_t /*offset*/) {
                                objects[{kind, handle}].insert(token.id);
                              });
    }
  }
  Edits edits;
  for (auto& [name, ids] : objects)
    edits.push_back(Deletion(std::move(ids)));
  for (auto& [key, ids] : kmt_objects)
    edits.push_back(Deletion(std::move(ids)));
  return edits;
}

Edits DeleteRecords(const trace_model::Model& model) {
  Edits edits;
  for (const auto& event : model.events) {
    for (const trace_model::ModelToken& token : event->tokens) {
      if (token.op == nullptr || token.op->record == nullptr) continue;
      const uint32_t records = token.op->RecordCount(LoadU16(token.bytes->data() + 2));
      for (uint32_t size = records / 2; size != 0; size /= 2) {
        for (uint32_t end = records; end >= size; end -= size)
          edits.push_back(RecordDeletion(event->id, token.id, end - size, size));
      }
    }
    if (event->packet) AddListDeletions(*event->packet, edits);
  }
  return edits;
}

}  // namespace dp2trace::reduce
