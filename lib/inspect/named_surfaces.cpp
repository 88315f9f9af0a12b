#include "inspect/named_surfaces.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "device/blt_record.h"
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

// Nothing: the whole level.
std::optional<image::Area> AreaOf(const std::optional<d3d::Rect>& rect) {
  if (!rect) return std::nullopt;
  // What begins at negative coordinates is refused, and writes nothing.
  const auto edge = [](int32_t x) { return static_cast<uint32_t>(std::max(x, 0)); };
  return image::Area{edge(rect->left), edge(rect->top), edge(rect->right), edge(rect->bottom)};
}

image::Area AreaOf(const d3d::Box& box) {
  return {box.left, box.top, box.right, box.bottom, box.front, box.back};
}

void AddPlaces(uint32_t space, device::SurfaceRef surface, std::vector<Place>& places) {
  const image::SurfaceDescription& description = surface.surface().description();
  for (surface.face = 0; surface.face < description.faces; ++surface.face) {
    for (surface.level = 0; surface.level < description.levels; ++surface.level)
      places.push_back({space, surface});
  }
}

// Places, each surface once: with the area around all that was added of it.
class Collector {
 public:
  explicit Collector(uint32_t space) : space_(space) {}

  void Add(const device::BltSide& side) {
    const device::BltPlace& to = side.place;
    device::SurfaceRef surface = side.surface;
    surface.face = to.face;
    surface.level = to.level;
    const auto [known, is_new] =
        known_.try_emplace({surface.surface().id(), to.face, to.level}, places.size());
    if (is_new) return places.push_back({space_, surface, to.area});
    image::Area& area = *places[known->second].area;
    area = {.left = std::min(area.left, to.area.left),
            .top = std::min(area.top, to.area.top),
            .right = std::max(area.right, to.area.right),
            .bottom = std::max(area.bottom, to.area.bottom)};
  }

  std::vector<Place> places;

 private:
  uint32_t space_;
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, size_t> known_;
};

using BltReader = device::RecordDefects (*)(const device::Space& space,
                                            const stream::Record& record, device::BltRecord& blt);

// Null for operations that are no such blits.
BltReader ReaderOf(opcode::Op op) {
  if (op == opcode::Op::kBlt) return device::ReadBlt;
  if (op == opcode::Op::kSurfaceBlt) return device::ReadSurfaceBlt;
  if (op != opcode::Op::kColorFill) return nullptr;
  return [](const device::Space& space, const stream::Record& record, device::BltRecord& blt) {
    return device::ReadColorFill(space, record, blt.destination);
  };
}

}  // namespace

std::vector<Place> PlacesOf(const device::Context& context, const stream::Command& command,
                            const stream::Environment& environment) {
  if (const BltReader read = ReaderOf(command.op->op); read != nullptr) {
    Collector collector(context.space_id);
    for (const stream::Record& record : stream::Records(command, environment)) {
      device::BltRecord blt;
      if (read(*context.space, record, blt).empty()) collector.Add(blt.destination);
    }
    return std::move(collector.places);
  }
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
    place.area = update->box ? AreaOf(*update->box) : AreaOf(update->rect);
  } else if (const auto* const blt = std::get_if<trace::Blt>(&event)) {
    place.space = blt->space;
    place.surface =
        device::FindPlace(device, blt->space, blt->dest, blt->dest_face, blt->dest_level);
    place.area = AreaOf(blt->dest_rect);
  }
  return place.surface ? std::optional(place) : std::nullopt;
}

}  // namespace dp2trace::inspect
