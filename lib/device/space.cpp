// The surface table: creation, sub-surface handles, look-up.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "base/plain_text.h"
#include "device/buffer_kind.h"
#include "device/resource.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

constexpr uint32_t kFaceBits = 0x3F;

const d3d::FormatInfo* FormatOf(const trace::SurfaceCreate& event) {
  if (event.format != 0) return d3d::FindFormat(event.format);
  if (IsBuffer(event.kind)) return d3d::FindFormat(d3d::Format::VertexData);
  if (!event.pixel_format) return nullptr;
  const d3d::PixelFormat& p = *event.pixel_format;
  return d3d::FormatFromPixelFormat(p.flags, p.four_cc, p.bit_count, p.red_mask, p.green_mask,
                                    p.blue_mask, p.alpha_mask);
}

// Everything but the texels.
void Describe(const trace::SurfaceCreate& event, Resource& resource) {
  resource.kind = event.kind;
  resource.format = event.format;
  resource.caps = event.caps;
  resource.caps2 = event.caps2;
  resource.caps3 = event.caps3;
  resource.present_faces = event.faces == 0 ? 1 : event.faces & kFaceBits;
  resource.empty_face_color = event.empty_face_color;
  resource.color_key = event.color_key;
  resource.is_declared_volume = (event.caps2 & kCaps2Volume) != 0;
  resource.sample_count = std::max(event.samples, 1U);
}

uint64_t CostOf(const Resource& resource) {
  return resource.surface.size_bytes() + sizeof(Resource);
}

std::string SizeText(uint64_t bytes) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  if (bytes < kMiB) return Counted(bytes, "byte");
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / static_cast<double>(kMiB));
}

// The sum of all surfaces.
Status OverTheLimit(uint32_t handle, uint64_t cost, uint64_t used, uint64_t limit, uint64_t live) {
  Diagnostic finding = MakeDiagnostic(
      Rule::kReplaySurface001,
      fmt::format("there is no memory for surface {} of {}: {} of its space (are they ever "
                  "destroyed?) and those of others have {} of {}",
                  handle, SizeText(cost), Counted(live, "live surface"), SizeText(used),
                  SizeText(limit)));
  finding.actual = SizeText(used + cost);
  finding.expected =
      fmt::format("at most {} of all surfaces, see --max-surface-memory", SizeText(limit));
  return Status(std::move(finding));
}

std::unique_ptr<Resource> MakeResource(uint32_t handle, const trace::SurfaceCreate& event,
                                       image::Surface surface) {
  auto resource = std::make_unique<Resource>(
      Resource{.handle = handle, .color_key = {}, .surface = std::move(surface)});
  Describe(event, *resource);
  resource->is_announced = handle == event.handle;
  return resource;
}

// Root handle and back buffers, each once, without 0.
std::vector<uint32_t> HandlesOf(const trace::SurfaceCreate& event) {
  std::vector<uint32_t> handles = {event.handle};
  for (const uint32_t handle : event.flip_chain) {
    if (handle != 0) handles.push_back(handle);
  }
  std::ranges::sort(handles);
  handles.erase(std::unique(handles.begin(), handles.end()),
                handles.end());  // NOLINT(modernize-use-ranges): Clang 14
  return handles;
}

// The masks that the flags of a DDPIXELFORMAT give a meaning. Source: lib/opcode/dp2.md 13.5.
std::vector<uint32_t> MasksOf(const d3d::PixelFormat& format) {
  std::vector<uint32_t> masks;
  const auto has = [&format](uint32_t flag) { return (format.flags & flag) != 0; };
  if (has(d3d::ddpf::kFourCc | d3d::ddpf::kD3dFormat)) return masks;
  if (has(d3d::ddpf::kRgb))
    masks.insert(masks.end(), {format.red_mask, format.green_mask, format.blue_mask});
  if (has(d3d::ddpf::kLuminance)) masks.push_back(format.red_mask);
  if (has(d3d::ddpf::kBumpDuDv)) masks.insert(masks.end(), {format.red_mask, format.green_mask});
  if (has(d3d::ddpf::kBumpLuminance)) masks.push_back(format.blue_mask);
  if (has(d3d::ddpf::kZBuffer)) masks.push_back(format.green_mask);
  if (has(d3d::ddpf::kZBuffer) && has(d3d::ddpf::kStencilBuffer)) masks.push_back(format.blue_mask);
  if (has(d3d::ddpf::kAlphaPixels)) masks.push_back(format.alpha_mask);
  return masks;
}

Status Refusal(Rule rule, std::string path, std::string message, std::string actual,
               std::string expected) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.path = std::move(path);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  return Status(std::move(finding));
}

// " (RAWZ)"; nothing for a number that is not four characters.
std::string FourCcWords(uint32_t format) {
  std::string code;
  for (uint32_t i = 0; i < 4; ++i)
    code += static_cast<char>(format >> (8 * i) & 0xFF);
  const bool is_text =
      std::ranges::all_of(code, [](char character) { return character > ' ' && character <= '~'; });
  return is_text ? fmt::format(" ({})", code) : std::string();
}

Status UnknownFormat(const trace::SurfaceCreate& event) {
  const std::string defect =
      event.pixel_format ? FindPixelFormatDefect(*event.pixel_format) : std::string();
  if (!defect.empty()) {
    return Refusal(Rule::kDp2Surf015, "pixel_format",
                   fmt::format("surface {}: {}", event.handle, defect), defect,
                   "masks inside the bit count, apart from each other");
  }
  const bool has_layout = event.pixel_format && event.format == 0;
  return Refusal(
      Rule::kDp2Surf014, has_layout ? "pixel_format" : "format",
      has_layout
          ? fmt::format("surface {}: no format has the layout of the DDPIXELFORMAT", event.handle)
          : fmt::format("surface {}: format {}{} is not known", event.handle, event.format,
                        FourCcWords(event.format)),
      has_layout ? "a layout without a format" : fmt::format("{}", event.format),
      "a format of `dp2trace list formats`");
}

bool IsTargetFormat(const d3d::FormatInfo& info) {
  return !info.is_depth() && !info.has_palette() && !info.is_block() && !info.is_buffer();
}

}  // namespace

Space::Space(const Space& other, uint64_t& total_bytes)
    : aliases_(other.aliases_),
      aliases_by_root_(other.aliases_by_root_),
      history_(other.history_),
      size_bytes_(other.size_bytes_),
      total_bytes_(&total_bytes) {
  for (const auto& [handle, resource] : other.roots_)
    roots_.emplace(handle, std::make_unique<Resource>(*resource));
}

bool CanBeTarget(const Resource& resource) {
  const bool is_able = resource.kind == d3d::SurfaceKind::kTarget ||
                       (resource.caps & kCaps3dDevice) != 0 || resource.lacks_caps();
  return is_able && IsTargetFormat(resource.surface.info());
}

bool CanBeDepth(const Resource& resource) {
  const bool is_able = resource.kind == d3d::SurfaceKind::kDepth ||
                       (resource.caps & kCapsZBuffer) != 0 || resource.lacks_caps();
  return is_able && resource.surface.info().is_depth();
}

bool CanBeTexture(const Resource& resource) {
  return !resource.is_buffer() && (resource.is_texture() || resource.lacks_caps());
}

std::string FindPixelFormatDefect(const d3d::PixelFormat& format) {
  constexpr uint32_t kSize = 32;
  if (format.size != kSize)
    return fmt::format("dwSize of the DDPIXELFORMAT is {}, not 32", format.size);
  const uint64_t all = format.bit_count >= 32 ? UINT32_MAX : (uint64_t{1} << format.bit_count) - 1;
  uint32_t seen = 0;
  for (const uint32_t mask : MasksOf(format)) {
    if ((mask & ~all) != 0)
      return fmt::format("mask {:#x} lies outside {} bits", mask, format.bit_count);
    if ((mask & seen) != 0) return fmt::format("mask {:#x} overlaps another one", mask);
    seen |= mask;
  }
  return {};
}

std::string Describe(const Resource& resource) {
  std::string kind(NameOf(trace::kSurfaceKindNames, static_cast<uint32_t>(resource.kind)));
  std::ranges::replace(kind, '_', ' ');
  if (resource.is_buffer()) return fmt::format("{} {}", kind.starts_with('i') ? "an" : "a", kind);
  return fmt::format("a {} of format {}", kind, resource.surface.info().name);
}

bool HasSubSurface(const Resource& resource, uint32_t face, uint32_t level) {
  return resource.surface.HasLevel(face, level) && (resource.present_faces >> face & 1) != 0;
}

bool IsSameSurface(const trace::SurfaceCreate& create, const Resource& resource) {
  const Result<image::SurfaceDescription> description = DescribeSurface(create);
  if (!description.ok()) return true;  // the creation reports it
  image::SurfaceDescription live = resource.surface.description();
  live.samples = description->samples;  // rounded
  return live == *description && (resource.kind == create.kind || !resource.is_announced);
}

Result<image::SurfaceDescription> DescribeSurface(const trace::SurfaceCreate& event) {
  const d3d::FormatInfo* info = FormatOf(event);
  if (info == nullptr) return UnknownFormat(event);
  if (event.depth == 0) {
    return Refusal(
        Rule::kDp2Surf013, "depth",
        fmt::format("surface {} is {} x {} x 0", event.handle, event.width, event.height), "0",
        "1 or more");
  }
  if (event.levels == 0) {
    return Refusal(
        Rule::kDp2Surf020, "levels",
        fmt::format("surface {} has 0 levels: a surface is its own level 0", event.handle), "0",
        "1 or more");
  }
  if (event.faces != 0 && event.width != event.height) {
    return Refusal(
        Rule::kDp2Surf011, "height",
        fmt::format("a face of cube {} is {} x {}", event.handle, event.width, event.height),
        fmt::format("{}", event.height), fmt::format("{}", event.width));
  }
  image::SurfaceDescription description;
  description.format = info->format;
  description.width = event.width;
  description.height = event.height;
  description.depth = event.depth;
  description.levels = event.levels;
  description.faces = event.faces == 0 ? 1 : image::kCubeFaces;
  description.samples = event.samples;
  return description;
}

Status Space::Create(const trace::SurfaceCreate& event, const image::SurfaceLimits& limits,
                     uint64_t max_bytes) {
  const Status status = TryCreate(event, limits, max_bytes);
  if (!status.ok()) Refuse(event);
  return status;
}

// What lives under a handle goes on living.
void Space::Refuse(const trace::SurfaceCreate& event) {
  const auto refuse = [this](uint32_t handle) {
    if (handle != 0 && !Find(handle)) history_.NoteRefused(handle);
  };
  refuse(event.handle);
  for (const uint32_t handle : event.flip_chain)
    refuse(handle);
  for (const trace::SubSurface& sub : event.sub_surfaces)
    refuse(sub.handle);
}

Status Space::TryCreate(const trace::SurfaceCreate& event, const image::SurfaceLimits& limits,
                        uint64_t max_bytes) {
  if (event.handle == 0) {
    return Refusal(Rule::kDp2Surf001, "handle", "a surface is announced with handle 0", "0",
                   "a handle other than 0");
  }
  const Result<image::SurfaceDescription> description = DescribeSurface(event);
  if (!description.ok()) return description.status();
  std::vector<std::unique_ptr<Resource>> created;
  const uint64_t used = total_bytes_ != nullptr ? *total_bytes_ : size_bytes_;
  uint64_t rest = max_bytes;
  const auto refuse = [&](uint32_t handle, uint64_t cost, uint64_t left) {
    const uint64_t limit = used + max_bytes;
    return OverTheLimit(handle, cost, limit - left, limit, roots_.size() + created.size());
  };
  for (const uint32_t handle : HandlesOf(event)) {
    const auto root = roots_.find(handle);
    image::SurfaceLimits surface_limits = limits;
    if (root == roots_.end()) surface_limits.max_bytes = std::min(rest, limits.max_bytes);
    Result<image::Surface> surface = image::Surface::Create(*description, surface_limits);
    if (!surface.ok() && surface_limits.max_bytes < limits.max_bytes) {
      // Alone it may be possible: its layout says what it needs.
      surface_limits = limits;
      surface_limits.keeps_pixels = false;
      const Result<image::Surface> layout = image::Surface::Create(*description, surface_limits);
      if (layout.ok()) return refuse(handle, layout->size_bytes() + sizeof(Resource), rest);
    }
    const bool is_kept = root != roots_.end() && surface.ok() &&
                         root->second->surface.description() == surface->description();
    if (is_kept) continue;
    if (!surface.ok()) return surface.status();
    created.push_back(MakeResource(handle, event, std::move(*surface)));
    const uint64_t cost = CostOf(*created.back());
    if (cost > rest) return refuse(handle, cost, rest);
    rest -= cost;
  }
  for (const uint32_t handle : HandlesOf(event)) {
    if (const auto root = roots_.find(handle);
        root != roots_.end() && (handle == event.handle || !root->second->is_announced))
      Describe(event, *root->second);
  }
  for (std::unique_ptr<Resource>& resource : created)
    Insert(std::move(resource));
  roots_.at(event.handle)->is_announced = true;
  AddAliases(event);
  return OkStatus();
}

void Space::Insert(std::unique_ptr<Resource> resource) {
  const uint32_t handle = resource->handle;
  if (roots_.contains(handle)) Destroy(handle);
  EraseAlias(handle);
  history_.NoteMade(handle);
  AddBytes(CostOf(*resource));
  roots_[handle] = std::move(resource);
}

void Space::AddAliases(const trace::SurfaceCreate& event) {
  const Resource& root = *roots_.at(event.handle);
  (void)TakeAliasesOf(event.handle);
  for (const trace::SubSurface& sub : event.sub_surfaces) {
    // Unspecified: a sub-surface handle that is a live root; chosen: the root keeps it.
    if (sub.handle == 0 || roots_.contains(sub.handle)) continue;
    if (!HasSubSurface(root, sub.face, sub.level)) {
      if (!aliases_.contains(sub.handle)) history_.NoteRefused(sub.handle);
      continue;
    }
    SetAlias(sub.handle, {event.handle, sub.face, sub.level});
    history_.NoteMade(sub.handle);
  }
}

bool Space::Destroy(uint32_t handle) {
  const auto root = roots_.find(handle);
  if (root == roots_.end()) {
    const auto alias = aliases_.find(handle);
    if (alias != aliases_.end()) history_.NoteEnded(handle, alias->second);
    EraseAlias(handle);
    return history_.TakeEnding(handle);
  }
  RemoveBytes(CostOf(*root->second));
  roots_.erase(root);
  history_.NoteDestroyed(handle);
  for (const auto& [alias, part] : TakeAliasesOf(handle))
    history_.NoteEnded(alias, part);
  return true;
}

void Space::AddBytes(uint64_t bytes) {
  size_bytes_ += bytes;
  if (total_bytes_ != nullptr) *total_bytes_ += bytes;
}

void Space::RemoveBytes(uint64_t bytes) {
  size_bytes_ -= bytes;
  if (total_bytes_ != nullptr) *total_bytes_ -= bytes;
}

void Space::SetAlias(uint32_t handle, const Alias& alias) {
  EraseAlias(handle);
  aliases_[handle] = alias;
  aliases_by_root_.insert({alias.root, handle});
}

bool Space::EraseAlias(uint32_t handle) {
  const auto alias = aliases_.find(handle);
  if (alias == aliases_.end()) return false;
  aliases_by_root_.erase({alias->second.root, handle});
  aliases_.erase(alias);
  return true;
}

std::vector<std::pair<uint32_t, Space::Alias>> Space::TakeAliasesOf(uint32_t root) {
  std::vector<std::pair<uint32_t, Alias>> taken;
  for (auto of_root = aliases_by_root_.lower_bound({root, 0});
       of_root != aliases_by_root_.end() && of_root->first == root; ++of_root)
    taken.emplace_back(of_root->second, aliases_.at(of_root->second));
  for (const auto& [handle, alias] : taken)
    EraseAlias(handle);
  return taken;
}

SurfaceRef Space::Find(uint32_t handle) const {
  if (const auto root = roots_.find(handle); root != roots_.end()) {
    // The root of a cube map is its first existing face. Source: lib/opcode/dp2.md 13.3.
    const auto face = static_cast<uint32_t>(std::countr_zero(root->second->present_faces));
    return {root->second.get(), face < image::kCubeFaces ? face : 0, 0};
  }
  const auto alias = aliases_.find(handle);
  if (alias == aliases_.end()) return {};
  return {roots_.at(alias->second.root).get(), alias->second.face, alias->second.level};
}

}  // namespace dp2trace::device
