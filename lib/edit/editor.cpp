#include "edit/editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "base/plain_text.h"
#include "d3d/enums.h"
#include "d3d/interface.h"
#include "device/place.h"
#include "history/report.h"
#include "image/encoder.h"
#include "rules/rule.h"
#include "trace_file/form.h"
#include "trace_model/scratch_device.h"
#include "trim/state_token.h"

namespace dp2trace::edit {
namespace {

using trace_model::ModelEvent;

bool ChangesTokens(ChangeKind kind) {
  return kind == ChangeKind::kSet || kind == ChangeKind::kInsert || kind == ChangeKind::kDrop;
}

// The token draws vertices that its call has, not those of buffers or of its own.
bool ReadsCall(const opcode::OpInfo& op, const device::State& state) {
  if (op.op == opcode::Op::kClear) return false;
  if (op.level < d3d::kFirstStreamLevel)
    return op.tails.empty() || op.tails[0].counting != opcode::TailCount::kVertices;
  return std::ranges::any_of(state.streams, &device::StreamBinding::is_user_memory);
}

// The level with the picture, in its format. Fails where it has another size, or a format that is not written by colours.
Result<std::vector<uint8_t>> TexelsOf(const image::Picture& picture,
                                      const device::SurfaceRef& place, const std::string& text) {
  const image::Level level = place.bits();
  const d3d::FormatInfo& info = place.surface().info();
  const image::Encoder encoder(info);
  if (picture.width != level.width || picture.height != level.height) {
    return Failure(Rule::kReplaySurface001,
                   fmt::format("{}: the picture is {}x{}, expected {}x{}, the size of the level",
                               text, picture.width, picture.height, level.width, level.height));
  }
  if (!encoder.can_encode()) {
    return Failure(
        Rule::kReplaySurface001,
        fmt::format("{}: the format of the level is {}; expected one that drawing writes, "
                    "without blocks or a palette",
                    text, info.name));
  }
  std::vector<uint8_t> bytes(size_t{picture.width} * picture.height * info.block_size);
  uint8_t* out = bytes.data();
  for (uint32_t y = 0; y < picture.height; ++y) {
    for (uint32_t x = 0; x < picture.width; ++x, out += info.block_size) {
      const auto pixel = picture.at(x, y);
      image::Texel texel;
      for (size_t channel = 0; channel < 4; ++channel)
        texel[channel] = static_cast<float>(pixel[channel]) / 255;
      encoder.Encode(texel, out);
    }
  }
  return bytes;
}

// An element of a vertex with the values of the change, in its type. Fails where it takes other ones.
Result<std::vector<uint8_t>> BytesOf(const Change& change, uint8_t type) {
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  if (change.color) {
    if (type != d3d::Value(d3d::DeclType::D3dColor)) {
      return Failure(Rule::kJson006,
                     fmt::format("{}: {} is not a colour", change.text, change.element));
    }
    writer.Write(*change.color);
    return bytes;
  }
  const size_t expected = size_t{type} + 1;  // FLOAT1 to FLOAT4
  if (type > d3d::Value(d3d::DeclType::Float4) || change.values.size() != expected) {
    return Failure(Rule::kJson006,
                   fmt::format("{}: {} has {}", change.text, change.element,
                               type > d3d::Value(d3d::DeclType::Float4)
                                   ? "no numbers of 32 bits, and only those can be set"
                                   : Counted(expected, "number")));
  }
  for (const float value : change.values)
    writer.Write(value);
  return bytes;
}

void ChangeVertices(ModelEvent& event, const std::map<size_t, std::vector<uint8_t>>& changes) {
  Bytes& data = *trace_model::VerticesOf(event.event).data;
  std::vector<uint8_t> bytes(data.begin(), data.end());
  for (const auto& [offset, changed] : changes)
    std::ranges::copy(changed, bytes.begin() + static_cast<ptrdiff_t>(offset));
  event.storage.push_back(trace_model::Share(std::move(bytes)));
  data = *event.storage.back();
}

ModelEvent EventOf(uint64_t id, trace::SurfaceUpdate update, std::vector<uint8_t> bytes) {
  ModelEvent event;
  event.id = id;
  event.storage.push_back(trace_model::Share(std::move(bytes)));
  update.data = *event.storage.back();
  event.event = std::move(update);
  return event;
}

// Bytes of a buffer.
ModelEvent UpdateOf(uint64_t id, uint32_t space, uint32_t handle, uint32_t offset,
                    std::vector<uint8_t> bytes) {
  trace::SurfaceUpdate update;
  update.space = space;
  update.handle = handle;
  update.range = trace::Range{offset, static_cast<uint32_t>(bytes.size())};
  return EventOf(id, std::move(update), std::move(bytes));
}

}  // namespace

Editor::Editor(const Patch& patch, const trace_model::WorkBounds& bounds)
    : patch_(&patch),
      matches_(patch.size()),
      player_({.validation = trace_model::SilentOptions(bounds), .raster = {}}, {this}) {}

play::Detail Editor::detail() const {
  return Has(ChangeKind::kVertex) ? play::Detail::kContents : play::Detail::kStates;
}

bool Editor::Has(ChangeKind kind) const {
  return std::ranges::find(*patch_, kind, &Change::kind) != patch_->end();
}

bool Editor::OnDraw(const device::Draw& draw) {
  const uint64_t number = player_.position().draw;
  for (size_t i = 0; i < patch_->size() && status_.ok(); ++i) {
    const Change& change = (*patch_)[i];
    if (change.kind != ChangeKind::kVertex || !change.draws.Contains(number)) continue;
    const Result<bool> is_changed = ChangeVertex(change, draw);
    if (!is_changed.ok())
      status_ = is_changed.status();
    else
      matches_[i] += *is_changed ? 1U : 0U;
  }
  return true;
}

Result<bool> Editor::ChangeVertex(const Change& change, const device::Draw& draw) {
  const auto is_named = [&change](const device::VertexElement& element) {
    return history::InputName(element) == change.element;
  };
  const auto element = std::ranges::find_if(draw.layout->elements, is_named);
  if (element == draw.layout->elements.end() || element->stream >= device::kStreamCount)
    return false;
  Result<std::vector<uint8_t>> bytes = BytesOf(change, element->type);
  if (!bytes.ok()) return bytes.status();
  const device::VertexStream& stream = draw.streams[element->stream];
  const Bytes place = stream.At(change.vertex, element->offset, bytes->size());
  if (stream.divider != 1 || place.empty()) return false;
  // Pointers into different arrays are compared as numbers.
  const auto offset_in = [&](Bytes all) -> std::optional<size_t> {
    const auto start = reinterpret_cast<uintptr_t>(all.data());
    const auto from = reinterpret_cast<uintptr_t>(place.data());
    if (from < start || from - start >= all.size()) return std::nullopt;
    return from - start;
  };
  trace::Event event = *event_;
  if (const Bytes* const data = trace_model::VerticesOf(event).data; data != nullptr) {
    if (const auto offset = offset_in(*data)) {
      vertices_[events_][*offset] = std::move(*bytes);
      return true;
    }
  }
  const device::Context& context = *context_;
  if (context.space == nullptr) return false;
  const uint32_t bound = context.state.streams[element->stream].buffer;
  const auto* const call = std::get_if<trace::Dp2>(event_);
  for (const uint32_t handle : {bound, call != nullptr ? call->vertex_buffer : 0}) {
    const device::SurfaceRef buffer = context.space->Find(handle);
    if (!buffer || !buffer.resource->is_buffer()) continue;
    const auto offset =
        offset_in({buffer.bits().bytes, static_cast<size_t>(buffer.surface().size_bytes())});
    if (!offset) continue;
    buffers_.push_back({context.space_id,
                        handle,
                        static_cast<uint32_t>(*offset),
                        {place.begin(), place.end()},
                        place.data()});
    less_.emplace(events_, UpdateOf(next_id_++, context.space_id, handle,
                                    static_cast<uint32_t>(*offset), std::move(*bytes)));
    return true;
  }
  return false;
}

void Editor::BeforeApply(const device::Context& context, const stream::Command& command) {
  context_ = &context;
  if (Has(ChangeKind::kInstruction)) handles_.Note(command, player_.environment());
  const uint64_t draw = player_.position().draw;
  if (draw == 0) return;
  ChangeShaders(context, command);
  for (size_t i = 0; i < patch_->size(); ++i) {
    const Change& change = (*patch_)[i];
    if (change.kind == ChangeKind::kMove && status_.ok() &&
        (draw == change.before || change.draws.Contains(draw)))
      status_ = NoteMove(i, context, command);
    if (!ChangesTokens(change.kind) || !change.draws.Contains(draw)) continue;
    ++matches_[i];
    TokenChange& token = tokens_[events_][command.index];
    token.is_dropped |= change.kind == ChangeKind::kDrop;
    token.before.insert(token.before.end(), change.tokens.begin(), change.tokens.end());
    if (change.kind != ChangeKind::kSet) continue;
    runtime::TokenBuffer restored;
    for (const device::StateKey key : change.states) {
      device::StateWords words{};
      device::ReadState(context.state, key, words);
      (void)trim::AppendStateToken(context, key, words, restored);
    }
    // The first change is taken back last.
    token.after.insert(token.after.begin(), restored.bytes().begin(), restored.bytes().end());
  }
}

void Editor::ChangeShaders(const device::Context& context, const stream::Command& command) {
  const uint64_t draw = player_.position().draw;
  if (command.op->op == opcode::Op::kClear) return;
  for (size_t i = 0; i < patch_->size() && status_.ok(); ++i) {
    const Change& change = (*patch_)[i];
    if (change.kind != ChangeKind::kInstruction || !change.draws.Contains(draw)) continue;
    ++matches_[i];
    status_ = AddInstruction(change, draw, context, tokens_[events_][command.index].shaders);
  }
}

void Editor::AddShaders() {
  for (auto& [event, tokens] : tokens_) {
    for (auto& [place, token] : tokens) {
      for (const EditedShader& shader : token.shaders) {
        const DrawTokens added = TokensOf(shader, handles_);
        token.before.insert(token.before.begin(), added.before.begin(), added.before.end());
        token.after.insert(token.after.end(), added.after.begin(), added.after.end());
      }
    }
  }
}

Status Editor::NoteMove(size_t change, const device::Context& context,
                        const stream::Command& command) {
  const Change& asked = (*patch_)[change];
  Move& move = moves_[change];
  const bool is_target = player_.position().draw == asked.before;
  std::optional<DrawPlace>& place = is_target ? move.to : move.from;
  if (is_target && asked.draws.Contains(asked.before))
    return Failure(Rule::kJson006, asked.text + ": a draw does not come before itself");
  if (place) return Failure(Rule::kJson006, asked.text + ": one draw is moved at a time");
  place = DrawPlace{.number = player_.position().draw,
                    .event = events_,
                    .token = command.index,
                    .space = context.space_id,
                    .context = context.id,
                    .has_own_vertices = ReadsCall(*command.op, context.state),
                    .state = context.state,
                    .targets = context.targets};
  return move.from && move.to ? Prepare(change, context) : OkStatus();
}

Status Editor::Prepare(size_t change, const device::Context& context) {
  const std::string& text = (*patch_)[change].text;
  Move& move = moves_[change];
  const DrawPlace& from = *move.from;
  const DrawPlace& to = *move.to;
  if (from.space != to.space || from.context != to.context)
    return Failure(Rule::kJson006, text + ": both draws are not of one context");
  if (from.targets != to.targets)
    return Failure(Rule::kJson006, text + ": both draws do not have the same targets");
  if (from.has_own_vertices && from.event != to.event) {
    return Failure(
        Rule::kJson006,
        text + ": the draw has the vertices of its call, and the other one is of another call");
  }
  const auto changes_vertex = [&from](const Change& other) {
    return other.kind == ChangeKind::kVertex && other.draws.Contains(from.number);
  };
  if (from.event != to.event && std::ranges::any_of(*patch_, changes_vertex)) {
    return Failure(
        Rule::kJson006,
        text + ": a vertex of the draw is changed, and the other draw is of another call");
  }
  const std::vector<device::StateKey> own_keys = trim::KeysOf(from.state);
  std::set<device::StateKey> keys(own_keys.begin(), own_keys.end());
  for (const device::StateKey key : trim::KeysOf(to.state))
    keys.insert(key);
  runtime::TokenBuffer before, after;
  for (const device::StateKey key : keys) {
    device::StateWords own{}, other{};
    device::ReadState(from.state, key, own);
    device::ReadState(to.state, key, other);
    if (own == other) continue;
    if (!trim::AppendStateToken(context, key, own, before) ||
        !trim::AppendStateToken(context, key, other, after)) {
      return Failure(Rule::kJson006,
                     text + ": a state that differs between both draws cannot be set back");
    }
  }
  move.before.assign(before.bytes().begin(), before.bytes().end());
  move.after.assign(after.bytes().begin(), after.bytes().end());
  tokens_[from.event][from.token].is_moved = true;
  tokens_[to.event][to.token].moved.insert(change);
  ++matches_[change];
  return OkStatus();
}

Status Editor::AddPictures(const trace::SurfaceUpdate& update) {
  for (size_t i = 0; i < patch_->size(); ++i) {
    const Change& change = (*patch_)[i];
    if (change.kind != ChangeKind::kReplace || change.handle != update.handle ||
        change.face != update.face || change.level != update.level)
      continue;
    const device::SurfaceRef place =
        device::FindPlace(player_.device(), update.space, update.handle, update.face, update.level);
    if (!place) continue;
    Result<std::vector<uint8_t>> bytes = TexelsOf(change.picture, place, change.text);
    if (!bytes.ok()) return bytes.status();
    ++matches_[i];
    trace::SurfaceUpdate whole;
    whole.space = update.space;
    whole.handle = update.handle;
    whole.face = update.face;
    whole.level = update.level;
    more_.emplace(events_, EventOf(next_id_++, std::move(whole), std::move(*bytes)));
  }
  return OkStatus();
}

Status Editor::Add(const trace::EventRecord& record) {
  event_ = &record.event;
  DP2TRACE_RETURN_IF_ERROR(player_.OnEvent(record.number, record.event));
  DP2TRACE_RETURN_IF_ERROR(status_);
  for (BufferChange& buffer : buffers_) {
    // Where the call itself wrote there, that stays.
    if (std::ranges::equal(buffer.before, std::span(buffer.place, buffer.before.size())))
      more_.emplace(events_, UpdateOf(next_id_++, buffer.space, buffer.handle, buffer.offset,
                                      std::move(buffer.before)));
  }
  buffers_.clear();
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&record.event))
    DP2TRACE_RETURN_IF_ERROR(AddPictures(*update));
  loader_.Add(record);
  ++events_;
  return OkStatus();
}

ModelEvent Editor::Changed(const trace_model::Model& model, const ModelEvent& event,
                           const std::map<uint32_t, TokenChange>& changes) {
  ModelEvent changed = event;
  changed.tokens.clear();
  const auto add = [&](Bytes tokens) {
    stream::Decoder decoder(tokens, {}, nullptr);
    for (stream::Command command; decoder.Next(command);)
      changed.tokens.push_back(trace_model::TokenOf(command, next_id_++));
  };
  for (uint32_t i = 0; i < event.tokens.size(); ++i) {
    const auto found = changes.find(i);
    if (found != changes.end()) {
      for (const size_t moved : found->second.moved) {
        const Move& move = moves_.at(moved);
        const TokenChange& own = tokens_.at(move.from->event).at(move.from->token);
        add(move.before);
        add(own.before);
        if (!own.is_dropped) {
          changed.tokens.push_back(model.events[move.from->event]->tokens[move.from->token]);
          changed.tokens.back().id = next_id_++;
        }
        add(own.after);
        add(move.after);
      }
      if (!found->second.is_moved) add(found->second.before);
    }
    if (found == changes.end() || (!found->second.is_dropped && !found->second.is_moved))
      changed.tokens.push_back(event.tokens[i]);
    if (found != changes.end() && !found->second.is_moved) add(found->second.after);
  }
  return changed;
}

trace_model::Model Editor::Take() {
  AddShaders();
  const trace_model::Model loaded = loader_.Take();
  trace_model::Model model;
  const auto add = [&model](auto& events, uint64_t place) {
    const auto [first, last] = events.equal_range(place);
    for (auto at = first; at != last; ++at)
      model.events.push_back(std::make_shared<const ModelEvent>(std::move(at->second)));
  };
  for (uint64_t i = 0; i < loaded.events.size(); ++i) {
    add(less_, i);
    const auto tokens = tokens_.find(i);
    const auto vertices = vertices_.find(i);
    if (tokens == tokens_.end() && vertices == vertices_.end()) {
      model.events.push_back(loaded.events[i]);
    } else {
      ModelEvent changed = tokens == tokens_.end()
                               ? *loaded.events[i]
                               : Changed(loaded, *loaded.events[i], tokens->second);
      if (vertices != vertices_.end()) ChangeVertices(changed, vertices->second);
      model.events.push_back(std::make_shared<const ModelEvent>(std::move(changed)));
    }
    add(more_, i);
  }
  return model;
}

Result<EditResult> EditTrace(trace_file::Source& source, const Patch& patch,
                             const std::string& output, uint64_t max_bytes,
                             const trace_model::WorkBounds& bounds, const trace_model::Walk& walk) {
  Editor editor(patch, bounds);
  Status status;
  DP2TRACE_RETURN_IF_ERROR(walk(source, "edit", [&](const trace::EventRecord& record) {
    status = editor.Add(record);
    return status.ok() && editor.size_bytes() <= max_bytes;
  }));
  if (!status.ok()) return status;
  DP2TRACE_RETURN_IF_ERROR(editor.CheckWork());
  if (editor.size_bytes() > max_bytes)
    return Failure(Rule::kTrace010, "the trace that is changed needs more than --max-memory");
  EditResult result = {.events = 0, .draws = editor.draws(), .matches = editor.matches()};
  if (std::ranges::find(result.matches, 0U) != result.matches.end()) return result;
  const trace_model::Model model = editor.Take();
  result.events = model.events.size();
  Result<std::unique_ptr<trace_file::Sink>> sink = trace_file::Sink::Create(
      output, trace_file::FormOfPath(output).value_or(trace_file::Form::kBinary));
  if (!sink.ok()) return sink.status();
  DP2TRACE_RETURN_IF_ERROR(trace_model::BuiltTrace(model).Write(**sink));
  return result;
}

}  // namespace dp2trace::edit
