#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "edit/edits.h"
#include "edit/names.h"
#include "stream/records.h"

namespace dp2trace::edit {
namespace {

using Ids = std::set<uint64_t>;

// Without the events and tokens that have these ids; a call without tokens goes.
std::optional<Model> Without(const Model& model, const Ids& ids) {
  Model result;
  bool is_changed = false;
  for (const auto& event : model.events) {
    if (ids.contains(event->id)) {
      is_changed = true;
      continue;
    }
    const bool has_deleted = std::ranges::any_of(
        event->tokens, [&](const ModelToken& token) { return ids.contains(token.id); });
    if (!has_deleted) {
      result.events.push_back(event);
      continue;
    }
    is_changed = true;
    ModelEvent rest = *event;
    std::erase_if(rest.tokens, [&](const ModelToken& token) { return ids.contains(token.id); });
    if (!rest.tokens.empty())
      result.events.push_back(std::make_shared<const ModelEvent>(std::move(rest)));
  }
  return is_changed ? std::optional(std::move(result)) : std::nullopt;
}

std::vector<uint64_t> AtomsOf(const Model& model) {
  std::vector<uint64_t> atoms;
  for (size_t i = 1; i < model.events.size(); ++i) {
    const ModelEvent& event = *model.events[i];
    for (const ModelToken& token : event.tokens)
      atoms.push_back(token.id);
    if (event.tokens.empty()) atoms.push_back(event.id);
  }
  return atoms;
}

Edit Deletion(Ids ids) {
  return [ids = std::make_shared<const Ids>(std::move(ids))](const Model& model) {
    return Without(model, *ids);
  };
}

uint32_t VertexSizeOf(const ModelEvent& event) {
  const auto* const call = std::get_if<trace::Dp2>(&event.event);
  return call != nullptr ? call->vertex_size : 0;
}

// The surface that an event is about; 0 for others.
uint32_t SurfaceOf(const trace::Event& event) {
  return std::visit(
      [](const auto& e) -> uint32_t {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::SurfaceCreate> ||
                      std::is_same_v<T, trace::SurfaceDestroy> ||
                      std::is_same_v<T, trace::SurfaceUpdate> ||
                      std::is_same_v<T, trace::SurfaceRead> || std::is_same_v<T, trace::Picture>) {
          return e.handle;
        } else {
          return 0;
        }
      },
      event);
}

// The token with some records left out; nothing where its operation has none that could be.
std::optional<ModelToken> WithoutRecords(const ModelToken& token, uint32_t vertex_size,
                                         uint32_t first, uint32_t count) {
  const std::optional<FramedToken> framed = Frame(token, vertex_size);
  if (!framed || framed->command.op->first_record_field != opcode::kNoField) return std::nullopt;
  const stream::Command& command = framed->command;
  const uint32_t records = command.op->RecordCount(command.count);
  if (count >= records || first + count > records || count > command.count) return std::nullopt;
  std::vector<uint8_t> bytes;
  for (const stream::Record& record :
       stream::Records(command, {.command_offset = 0, .vertex_size = vertex_size, .event = {}})) {
    if (bytes.empty()) bytes.assign(command.bytes.data(), record.bytes.data());
    if (record.index >= first && record.index < first + count) continue;
    bytes.insert(bytes.end(), record.bytes.begin(), record.bytes.end());
  }
  Store(bytes.data() + 2, static_cast<uint16_t>(command.count - count));
  ModelToken rest = token;
  rest.bytes = Share(std::move(bytes));
  return rest;
}

Edit RecordDeletion(uint64_t event_id, uint64_t token_id, uint32_t first, uint32_t count) {
  return [=](const Model& model) -> std::optional<Model> {
    const ModelEvent* const found = model.Find(event_id);
    if (found == nullptr) return std::nullopt;
    ModelEvent event = *found;
    const auto token = std::ranges::find(event.tokens, token_id, &ModelToken::id);
    if (token == event.tokens.end()) return std::nullopt;
    std::optional<ModelToken> rest = WithoutRecords(*token, VertexSizeOf(event), first, count);
    if (!rest) return std::nullopt;
    *token = std::move(*rest);
    Model result = model;
    result.Replace(std::move(event));
    return result;
  };
}

}  // namespace

size_t CountAtoms(const Model& model) {
  return AtomsOf(model).size();
}

Edits DeleteChunks(const Model& model, size_t size) {
  const std::vector<uint64_t> atoms = AtomsOf(model);
  Edits edits;
  for (size_t end = atoms.size(); end != 0; end -= std::min(end, size)) {
    const size_t begin = end - std::min(end, size);
    edits.push_back(Deletion(Ids(atoms.begin() + static_cast<std::ptrdiff_t>(begin),
                                 atoms.begin() + static_cast<std::ptrdiff_t>(end))));
  }
  return edits;
}

Edits DeleteObjects(const Model& model) {
  std::map<std::pair<opcode::Meaning, uint32_t>, Ids> objects;
  for (size_t i = 1; i < model.events.size(); ++i) {
    const ModelEvent& event = *model.events[i];
    if (const uint32_t surface = SurfaceOf(event.event); surface != 0)
      objects[{opcode::Meaning::kSurface, surface}].insert(event.id);
    for (const ModelToken& token : event.tokens) {
      const std::optional<FramedToken> framed = Frame(token, VertexSizeOf(event));
      if (!framed) continue;
      VisitNames(framed->command,
                 {.command_offset = 0, .vertex_size = VertexSizeOf(event), .event = {}},
                 [&](opcode::Meaning kind, uint32_t handle, uint32_t /*offset*/) {
                   objects[{kind, handle}].insert(token.id);
                 });
    }
  }
  Edits edits;
  for (auto& [name, ids] : objects)
    edits.push_back(Deletion(std::move(ids)));
  return edits;
}

Edits DeleteRecords(const Model& model) {
  Edits edits;
  for (const auto& event : model.events) {
    for (const ModelToken& token : event->tokens) {
      if (token.op == nullptr || token.op->record == nullptr) continue;
      const uint32_t records = token.op->RecordCount(LoadU16(token.bytes->data() + 2));
      for (uint32_t size = records / 2; size != 0; size /= 2) {
        for (uint32_t end = records; end >= size; end -= size)
          edits.push_back(RecordDeletion(event->id, token.id, end - size, size));
      }
    }
  }
  return edits;
}

}  // namespace dp2trace::edit
