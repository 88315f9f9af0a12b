#include "inspect/named_surfaces.h"

#include <set>
#include <variant>

#include "device/place.h"
#include "stream/records.h"
#include "stream/struct_visitor.h"

namespace dp2trace::inspect {
namespace {

class HandleFinder final : public stream::StructVisitor {
 public:
  std::set<uint32_t> handles;

 private:
  void OnStruct(const opcode::StructDesc& layout, const uint8_t* at) override {
    for (size_t i = 0; i < layout.fields.size(); ++i) {
      if (layout.fields[i].meaning == opcode::Meaning::kSurface)
        handles.insert(stream::FieldU32(layout, at, i));
    }
  }
};

void AddPlaces(uint32_t space, device::SurfaceRef surface, std::vector<Place>& places) {
  const image::SurfaceDescription& description = surface.surface().description();
  for (surface.face = 0; surface.face < description.faces; ++surface.face) {
    for (surface.level = 0; surface.level < description.levels; ++surface.level)
      places.push_back({space, surface});
  }
}

}  // namespace

std::vector<Place> PlacesOf(const device::Context& context, const stream::Command& command,
                            const stream::Environment& environment) {
  HandleFinder finder;
  stream::Visit(command, environment, finder);
  std::set<const device::Resource*> roots;
  std::vector<Place> places;
  for (const uint32_t handle : finder.handles) {
    const device::SurfaceRef surface = context.space->Find(handle);
    if (surface && roots.insert(surface.resource).second)
      AddPlaces(context.space_id, surface, places);
  }
  return places;
}

std::vector<Place> TargetsOf(const device::Context& context) {
  std::vector<Place> places;
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    if (const device::SurfaceRef target = context.Target(slot))
      places.push_back({context.space_id, target});
  }
  if (const device::SurfaceRef depth = context.Depth()) places.push_back({context.space_id, depth});
  return places;
}

std::optional<Place> PlaceOf(const device::Device& device, const trace::Event& event) {
  Place place;
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event)) {
    place.space = update->space;
    place.surface =
        device::FindPlace(device, update->space, update->handle, update->face, update->level);
  } else if (const auto* const blt = std::get_if<trace::Blt>(&event)) {
    place.space = blt->space;
    place.surface =
        device::FindPlace(device, blt->space, blt->dest, blt->dest_face, blt->dest_level);
  }
  return place.surface ? std::optional(place) : std::nullopt;
}

}  // namespace dp2trace::inspect
