#include "inspect/frame_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "json/append.h"

namespace dp2trace::inspect {
namespace {

constexpr size_t kPackSize = size_t{256} << 10;
// A whole content for every four times its size of differences: a quarter more data at most, and no jump walks more than that.
constexpr uint64_t kBytesPerKey = 4, kLeastBytesPerKey = uint64_t{1} << 20, kLeastPerKey = 64;

void AppendArea(json::Builder& out, const image::Area& area) {
  out.Key("rect");
  out.Raw(fmt::format("[{},{},{},{}]", area.left, area.top, area.right, area.bottom));
}

void AppendMarker(json::Builder& out, const trace::MarkerText& marker) {
  AppendList(out, "marker", std::array{std::string_view(marker.text)},
             [&](std::string_view text) { out.String(text); });
  AppendText(out, "source", marker.source);
  if (marker.position) AppendNumber(out, "call", *marker.position);
}

void AppendFindings(json::Builder& out, const Item& item) {
  const auto count = [&](Severity severity) {
    return item.findings[static_cast<size_t>(severity)];
  };
  if (count(Severity::kError) + count(Severity::kWarning) + count(Severity::kAdvice) == 0) return;
  AppendList(
      out, "findings",
      std::array{count(Severity::kError), count(Severity::kWarning), count(Severity::kAdvice)},
      [&](uint64_t number) { out.Number(number); });
  AppendList(out, "rules", item.rules, [&](std::string_view rule) { out.String(rule); });
}

// All but what it writes.
void AppendItem(json::Builder& out, const Item& item, uint64_t number) {
  AppendNumber(out, "n", number);
  AppendText(out, "kind", Name(item.kind));
  AppendText(out, "name", item.name);
  AppendNumber(out, "event", item.event);
  if (item.offset) AppendNumber(out, "offset", *item.offset);
  AppendCount(out, "draw", item.draw);
  AppendCount(out, "read", item.read);
  if (item.marker) AppendMarker(out, *item.marker);
  if (item.target) AppendNumber(out, "target", *item.target);
  if (item.depth) AppendNumber(out, "depth", *item.depth);
  AppendText(out, "surface", item.surface);
  AppendText(out, "refused", item.refused);
  AppendText(out, "primitive", item.primitive);
  AppendCount(out, "primitives", item.primitives);
  AppendCount(out, "pixels", item.pixels);
  AppendCount(out, "steps", item.steps);
  AppendCount(out, "count", item.count);
  AppendFindings(out, item);
  if (!item.states.empty())
    AppendList(out, "states", item.states, [&](std::string_view state) { out.String(state); });
  if (!item.textures.empty())
    AppendList(out, "textures", item.textures, [&](uint32_t handle) { out.Number(handle); });
}

}  // namespace

std::string_view Name(ItemKind kind) {
  constexpr std::array<std::string_view, 9> kNames = {
      "draw", "clear", "blit", "upload", "surface", "read", "present", "other", "skipped"};
  return kNames[static_cast<size_t>(kind)];
}

void FrameWriter::AppendPixels(json::Builder& out, const PlanePixels& pixels) {
  out.Raw('{');
  AppendArea(out, pixels.area);
  AppendText(out, "format", FormatOf(pixels.plane));
  out.Key("data");
  data_->AppendPixels(out, pixels.bytes);
  out.Raw('}');
}

Status FrameWriter::AddBase(const PlanePixels& base) {
  json::Builder out;
  AppendPixels(out, base);
  growth_[base.target].whole = out.size();
  return data_->Write(fmt::format("base/{}-{}", frame_, base.target), out.string());
}

bool FrameWriter::NeedsKey(uint32_t target) const {
  const auto found = growth_.find(target);
  if (found == growth_.end()) return false;
  const Growth& growth = found->second;
  return growth.count >= kLeastPerKey &&
         growth.changes >= std::max(kLeastBytesPerKey, kBytesPerKey * growth.whole);
}

Status FrameWriter::AddKey(const PlanePixels& content) {
  json::Builder out;
  AppendPixels(out, content);
  Growth& growth = growth_[content.target];
  growth.whole = out.size();
  growth.changes = growth.count = 0;
  growth.keys.push_back(items_);
  return data_->Write(fmt::format("keys/{}-{}-{}", frame_, content.target, items_), out.string());
}

Status FrameWriter::Add(const Item& item, const std::vector<PlanePixels>& changes,
                        std::string_view details) {
  list_.Raw(items_ == 0 ? "\n{" : ",\n{");
  AppendItem(list_, item, items_);
  list_.Key("writes");
  list_.Raw('[');
  for (const PlanePixels& change : changes) {
    list_.Separate();
    list_.Raw('{');
    AppendNumber(list_, "target", change.target);
    AppendArea(list_, change.area);
    AppendNumber(list_, "patches", patch_packs_);
    AppendNumber(list_, "at", in_pack_++);
    list_.Raw('}');
    patches_.Raw(in_pack_ == 1 ? "[\n" : ",\n");
    const size_t size = patches_.size();
    AppendPixels(patches_, change);
    Growth& growth = growth_[change.target];
    growth.changes += patches_.size() - size;
    ++growth.count;
    if (patches_.size() >= kPackSize) DP2TRACE_RETURN_IF_ERROR(WritePatches());
  }
  list_.Raw("]}");
  ++items_;
  details_.Raw(in_details_ == 0 ? "[\n" : ",\n");
  details_.Raw(details.empty() ? "null" : details);
  has_details_ = has_details_ || !details.empty();
  return ++in_details_ < kItemsPerPack ? OkStatus() : WriteDetails();
}

Status FrameWriter::WritePatches() {
  if (in_pack_ == 0) return OkStatus();
  patches_.Raw(']');
  const Status status =
      data_->Write(fmt::format("patches/{}-{}", frame_, patch_packs_++), patches_.string());
  patches_.Clear();
  in_pack_ = 0;
  return status;
}

Status FrameWriter::WriteDetails() {
  if (in_details_ == 0) return OkStatus();
  details_.Raw(']');
  const uint64_t pack = detail_packs_++;
  const std::string text = std::exchange(details_.string(), std::string());
  in_details_ = 0;
  if (std::exchange(has_details_, false))
    return data_->WritePacked(fmt::format("items/{}-{}", frame_, pack), text);
  empty_packs_.emplace_back(pack, text);
  return OkStatus();
}

std::string FrameWriter::TargetsText(const std::vector<TargetPlane>& targets) const {
  json::Builder out;
  out.Raw('[');
  for (uint32_t id = 0; id < targets.size(); ++id) {
    const TargetPlane& target = targets[id];
    out.Separate();
    out.Raw("\n{");
    AppendNumber(out, "id", id);
    AppendCount(out, "space", target.space);
    AppendNumber(out, "surface", target.handle);
    AppendNumber(out, "face", target.face);
    AppendNumber(out, "level", target.level);
    AppendText(out, "plane", Name(target.plane));
    AppendText(out, "format", target.format);
    AppendNumber(out, "width", target.width);
    AppendNumber(out, "height", target.height);
    AppendText(out, "name", fmt::format("{} {}", target.handle, target.format));
    if (shown_ == id) AppendNumber(out, "shown", 1);
    const auto growth = growth_.find(id);
    if (growth != growth_.end() && !growth->second.keys.empty())
      AppendList(out, "keys", growth->second.keys, [&](uint64_t item) { out.Number(item); });
    out.Raw('}');
  }
  out.Raw(']');
  return out.string();
}

Status FrameWriter::Finish(const std::vector<TargetPlane>& targets) {
  DP2TRACE_RETURN_IF_ERROR(WritePatches());
  DP2TRACE_RETURN_IF_ERROR(WriteDetails());
  for (const auto& [pack, text] : empty_packs_)
    DP2TRACE_RETURN_IF_ERROR(data_->Write(fmt::format("items/{}-{}", frame_, pack), text));
  json::Builder out;
  out.Raw('{');
  AppendNumber(out, "frame", frame_);
  out.Key("targets");
  out.Raw(TargetsText(targets));
  out.Raw(",\n\"items\":[");
  out.Raw(list_.string());
  out.Raw("]}");
  return data_->WritePacked(fmt::format("frames/{}", frame_), out.string());
}

}  // namespace dp2trace::inspect
