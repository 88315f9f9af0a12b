#include "edit/editor.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/place.h"
#include "image/encoder.h"
#include "rules/rule.h"
#include "trace_file/form.h"
#include "trace_model/scratch.h"
#include "trim/state_token.h"

namespace dp2trace::edit {
namespace {

using trace_model::ModelEvent;

// The level with the picture, in its format. Fails where it has another size, or a format that is not written by colours.
Result<std::vector<uint8_t>> TexelsOf(const image::Picture& picture,
                                      const device::SurfaceRef& place, const std::string& text) {
  const image::Level level = place.bits();
  const d3d::FormatInfo& info = place.surface().info();
  const image::Encoder encoder(info);
  if (picture.width != level.width || picture.height != level.height) {
    return Failure(Rule::kReplaySurface001,
                   fmt::format("{}: the picture is {}x{}, the level {}x{}", text, picture.width,
                               picture.height, level.width, level.height));
  }
  if (!encoder.can_encode()) {
    return Failure(Rule::kReplaySurface001,
                   fmt::format("{}: pictures cannot be written as {}", text, info.name));
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

}  // namespace

Editor::Editor(const Patch& patch, const trace_model::WorkBounds& bounds)
    : patch_(&patch),
      matches_(patch.size()),
      player_({.validation = trace_model::SilentOptions(bounds), .raster = {}}, {this}) {}

void Editor::BeforeApply(const device::Context& context, const stream::Command& command) {
  const uint64_t draw = player_.position().draw;
  if (draw == 0) return;
  for (size_t i = 0; i < patch_->size(); ++i) {
    const Change& change = (*patch_)[i];
    if (change.kind == ChangeKind::kReplace || !change.draws.Contains(draw)) continue;
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
    ModelEvent more;
    more.id = next_id_++;
    more.storage.push_back(trace_model::Share(std::move(*bytes)));
    trace::SurfaceUpdate whole;
    whole.space = update.space;
    whole.handle = update.handle;
    whole.face = update.face;
    whole.level = update.level;
    whole.data = *more.storage.back();
    more.event = whole;
    more_.emplace(events_, std::move(more));
  }
  return OkStatus();
}

Status Editor::Add(const trace::EventRecord& record) {
  DP2TRACE_RETURN_IF_ERROR(player_.OnEvent(record.number, record.event));
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&record.event))
    DP2TRACE_RETURN_IF_ERROR(AddPictures(*update));
  loader_.Add(record);
  ++events_;
  return OkStatus();
}

ModelEvent Editor::Changed(const ModelEvent& event,
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
    if (found != changes.end()) add(found->second.before);
    if (found == changes.end() || !found->second.is_dropped)
      changed.tokens.push_back(event.tokens[i]);
    if (found != changes.end()) add(found->second.after);
  }
  return changed;
}

trace_model::Model Editor::Take() {
  const trace_model::Model loaded = loader_.Take();
  trace_model::Model model;
  for (uint64_t i = 0; i < loaded.events.size(); ++i) {
    const auto tokens = tokens_.find(i);
    model.events.push_back(tokens == tokens_.end() ? loaded.events[i]
                                                   : std::make_shared<const ModelEvent>(Changed(
                                                         *loaded.events[i], tokens->second)));
    const auto [first, last] = more_.equal_range(i);
    for (auto at = first; at != last; ++at)
      model.events.push_back(std::make_shared<const ModelEvent>(std::move(at->second)));
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
