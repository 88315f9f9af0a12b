#include "live/surface_list.h"

#include <vector>

#include "inspect/resource_writer.h"
#include "json/append.h"
#include "live/memory_data.h"
#include "live/picture_place.h"
#include "trace/events.h"

namespace dp2trace::live {
namespace {

std::string ListText(const device::Device& device) {
  json::Builder out;
  out.Raw("{\"surfaces\":[");
  for (const auto& [id, space] : device.spaces()) {
    for (const auto& [handle, resource] : space->roots()) {
      const image::SurfaceDescription& description = resource->surface.description();
      out.Separate();
      out.Raw('{');
      json::AppendNumber(out, "space", id);
      json::AppendNumber(out, "handle", handle);
      json::AppendString(out, "type",
                         NameOf(trace::kSurfaceKindNames, static_cast<uint32_t>(resource->kind)));
      inspect::AppendShape(out, *resource);
      json::AppendNumber(out, "levels", description.levels);
      json::AppendNumber(out, "shows", inspect::ShowsPicture(*resource) ? 1 : 0);
      out.Raw('}');
    }
  }
  out.Raw("]}");
  return std::move(out.string());
}

// Empty where it shows nothing.
std::string ContentOf(const device::Device& device, uint32_t space,
                      const device::Resource& resource) {
  MemoryData data;
  inspect::ResourceWriter writer(data);
  const Result<std::string> name = writer.Add(resource, device.PaletteOf(space, resource));
  return name.ok() && !name->empty() ? data.Take().at(*name) : std::string();
}

}  // namespace

std::optional<SurfacePlace> ParseSurfacePlace(std::string_view text) {
  auto numbers = NumbersOf(text);
  if (!numbers || numbers->size() < 2 || numbers->size() > 5) return std::nullopt;
  SurfacePlace place;
  if (numbers->size() > 3) {
    const uint64_t handle = numbers->back();
    numbers->pop_back();
    const uint64_t space = numbers->back();
    numbers->pop_back();
    if (space > UINT32_MAX || handle > UINT32_MAX) return std::nullopt;
    place.surface = {static_cast<uint32_t>(space), static_cast<uint32_t>(handle)};
  }
  place.frame = (*numbers)[0];
  place.event = (*numbers)[1];
  if (numbers->size() == 3) place.offset = (*numbers)[2];
  return place;
}

void SurfaceLister::BeforeApply(const device::Context& /*context*/,
                                const stream::Command& command) {
  // The token may have been refused: what follows it is executed.
  if (IsThere() && place_.offset && command.offset > *place_.offset) Take();
}

Status SurfaceLister::AfterEvent(const trace::Event& /*event*/) {
  if (IsThere()) Take();
  return OkStatus();
}

void SurfaceLister::Take() {
  if (!answer_.empty()) return;
  const device::Device& device = player().device();
  if (!place_.surface) {
    answer_ = ListText(device);
    return;
  }
  const auto& [id, handle] = *place_.surface;
  const device::Space* const space = device.FindSpace(id);
  const device::Resource* const resource = space != nullptr ? space->FindRoot(handle) : nullptr;
  if (resource == nullptr) return;
  player().FinishDrawing();
  answer_ = ContentOf(device, id, *resource);
}

}  // namespace dp2trace::live
