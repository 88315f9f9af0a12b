// Why the pixel is what it is, in a sentence; and the names that both reports use.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/plain_text.h"
#include "d3d/notation.h"
#include "history/numbers.h"
#include "history/report.h"
#include "raster/pixel/quad.h"
#include "raster/shader/linkage.h"

namespace dp2trace::history {
namespace {

using raster::Fate;
using raster::ProbedFragment;

// "event 12, offset 0x40, DRAWPRIMITIVE"
std::string PlaceOf(const Operation& operation) {
  std::string place = fmt::format("event {}", operation.event);
  if (operation.offset) place += fmt::format(", offset {:#x}", *operation.offset);
  return place + ", " + operation.name;
}

// "2 fragments failed the depth test (draw 4.1, draw 5.2)"; nothing where all were stored. Back faces of what is seen explain nothing.
std::string FailuresOf(const History& history, size_t first, bool names_culled) {
  struct Group {
    uint64_t count = 0;
    std::string draws;
  };
  constexpr uint64_t kNamed = 3;
  std::map<Fate, Group> groups;
  for (size_t i = first; i < history.operations.size(); ++i) {
    for (const ProbedFragment& fragment : history.operations[i].fragments) {
      if (fragment.fate == Fate::kStored || (fragment.fate == Fate::kCulled && !names_culled))
        continue;
      Group& group = groups[fragment.fate];
      ++group.count;
      if (group.count <= kNamed) {
        group.draws +=
            (group.count == 1 ? "" : ", ") + DrawName(history.operations[i], fragment.primitive);
      }
      if (group.count == kNamed + 1) group.draws += ", ...";
    }
  }
  std::string words;
  for (const auto& [fate, group] : groups) {
    words += fmt::format("{}{} {} ({})", words.empty() ? "" : "; ",
                         Counted(group.count, "fragment"), raster::Words(fate), group.draws);
  }
  return words;
}

// "left plane, near plane": behind which all lie; where there is none, "left plane 8, right plane 4".
std::string PlanesOf(const raster::ProbedOutside& outside) {
  std::string common;
  std::string each;
  for (uint32_t plane = 0; plane < raster::kVolumePlanes; ++plane) {
    const uint64_t count = outside.behind[plane];
    if (count == 0) continue;
    const std::string name = raster::Words(static_cast<raster::VolumePlane>(plane));
    each += fmt::format("{}{} {}", each.empty() ? "" : ", ", name, count);
    if (count == outside.primitives) common += (common.empty() ? "" : ", ") + name;
  }
  return common.empty() ? each : common;
}

// "draw 7: all 12 primitives are outside of the view volume (left plane)": of the draws after an operation.
std::string OutsideOf(const History& history, const Operation* operation) {
  constexpr uint64_t kNamed = 3;
  std::string words;
  uint64_t count = 0;
  for (const OutsideDraw& draw : history.outside) {
    const auto place = std::pair(draw.event, draw.offset);
    if (operation != nullptr && place < std::pair(operation->event, operation->offset.value_or(0)))
      continue;
    if (++count > kNamed) continue;
    const uint64_t primitives = draw.primitives.primitives;
    words += fmt::format(
        "; draw {}: {} outside of the view volume ({})", draw.draw,
        primitives == 1 ? "its primitive is" : fmt::format("all {} primitives are", primitives),
        PlanesOf(draw.primitives));
  }
  if (count > kNamed)
    words += fmt::format("; so are those of {}", Counted(count - kNamed, "more draw"));
  return words;
}

std::string WritesOf(const Operation& operation) {
  const auto last =
      std::find_if(operation.fragments.rbegin(), operation.fragments.rend(),
                   [](const ProbedFragment& fragment) { return fragment.fate == Fate::kStored; });
  if (last == operation.fragments.rend())
    return fmt::format("{} ({}) changed it", DrawName(operation, 0), PlaceOf(operation));
  const bool blends = std::ranges::any_of(
      last->writes, [](const raster::ProbedWrite& write) { return write.blends; });
  return fmt::format("{} ({}) stored it{}", DrawName(operation, last->primitive),
                     PlaceOf(operation),
                     blends                 ? ", blended with what was there"
                     : last->writes.empty() ? ""
                                            : ", without blending");
}

std::string BlitWords(const Operation& operation) {
  const BlitSource& blit = *operation.blit;
  if (blit.fill)
    return fmt::format("the fill with {} ({}) wrote it", d3d::ColorText(*blit.fill),
                       PlaceOf(operation));
  return fmt::format("the blit from surface {} ({}) copied it", blit.handle, PlaceOf(operation));
}

// Where the value came from, and how to ask further.
std::string HintOf(const Operation& operation) {
  if (!operation.blit || !operation.blit->pixel) return "";
  const auto& [x, y] = *operation.blit->pixel;
  return fmt::format("; see --surface {} --pixel {},{}", operation.blit->handle, x, y);
}

std::string CauseOf(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kClear:
      return fmt::format("the clear of {} ({}) wrote it", DrawName(operation, 0),
                         PlaceOf(operation));
    case Kind::kDraw:
      return WritesOf(operation);
    case Kind::kBlit:
      if (operation.blit) return BlitWords(operation);
      break;
    case Kind::kUpload:
      return fmt::format("the upload ({}) wrote it", PlaceOf(operation));
    case Kind::kSurface:
      return fmt::format("the surface was made ({}), and holds zeros", PlaceOf(operation));
    case Kind::kOther:
      break;
  }
  return fmt::format("{} changed it", PlaceOf(operation));
}

// The same without what happens past the end of the surface.
History WhileAlive(const History& history) {
  History alive = history;
  while (!alive.operations.empty() && !alive.operations.back().after)
    alive.operations.pop_back();
  alive.after = alive.operations.empty() ? alive.before : alive.operations.back().after;
  return alive;
}

}  // namespace

std::string DrawName(const Operation& operation, uint64_t primitive) {
  return primitive == 0 ? fmt::format("draw {}", operation.draw)
                        : fmt::format("draw {}.{}", operation.draw, primitive);
}

std::string Because(const History& history) {
  if (!history.after) {
    const History alive = WhileAlive(history);
    return alive.after
               ? "the surface is gone at the end of the frame; before that, " + Because(alive)
               : "the surface does not exist at the end of the frame";
  }
  const auto& all = history.operations;
  const auto last = std::find_if(all.rbegin(), all.rend(),
                                 [](const Operation& operation) { return operation.writes; });
  std::string words = "the pixel is " + ValueText(*history.after);
  if (last == all.rend()) {
    words += " because nothing wrote to it in this frame: it holds what was there before";
  } else {
    words += " because " + CauseOf(*last);
    if (last == all.rbegin() && !history.is_cut) words += ", and nothing touched it after that";
    words += HintOf(*last);
  }
  const bool is_drawn = last != all.rend() && last->kind == Kind::kDraw;
  const size_t first = last == all.rend() ? 0 : static_cast<size_t>(last.base() - all.begin()) - 1;
  const std::string failures = FailuresOf(history, first, !is_drawn);
  if (!failures.empty()) words += "; " + failures;
  return is_drawn ? words : words + OutsideOf(history, last == all.rend() ? nullptr : &*last);
}

std::string SlotName(const Operation& operation, uint32_t slot) {
  constexpr uint32_t kVersion3 = 0x30;
  if (operation.pixel_shader != nullptr && operation.pixel_shader->version.code() >= kVersion3)
    return fmt::format("slot {}", slot);
  if (slot == raster::kDiffuseSlot) return "diffuse";
  if (slot == raster::kSpecularSlot) return "specular";
  return fmt::format("texcoord {}", slot - raster::kTexcoordSlot);
}

std::string ElementName(const device::VertexElement& element) {
  std::string name = NameText(d3d::kDeclUsageNames, element.usage);
  const bool is_single = element.usage_index == 0 &&
                         element.usage != d3d::Value(d3d::DeclUsage::Texcoord) &&
                         element.usage != d3d::Value(d3d::DeclUsage::Color);
  return is_single ? name : name + std::to_string(element.usage_index);
}

std::string InputName(const device::VertexElement& element) {
  return element.shader_register != 0xFF ? fmt::format("v{}", element.shader_register)
                                         : ElementName(element);
}

namespace {

// The number of D3DTA: the sources are in its order.
std::string ArgumentText(const raster::Argument& argument) {
  constexpr uint32_t kComplement = 0x10;
  constexpr uint32_t kAlphaReplicate = 0x20;
  return NameText(d3d::kTextureArgNames, static_cast<uint32_t>(argument.source) |
                                             (argument.is_complemented ? kComplement : 0) |
                                             (argument.replicates_alpha ? kAlphaReplicate : 0));
}

}  // namespace

std::string EquationText(const raster::Equation& equation) {
  const std::string op = NameText(d3d::kTextureOpNames, d3d::Value(equation.op));
  switch (equation.op) {
    case d3d::TextureOp::Disable:
      return op;
    case d3d::TextureOp::SelectArg1:
      return fmt::format("{}({})", op, ArgumentText(equation.a));
    case d3d::TextureOp::SelectArg2:
      return fmt::format("{}({})", op, ArgumentText(equation.b));
    case d3d::TextureOp::MultiplyAdd:
    case d3d::TextureOp::Lerp:
      return fmt::format("{}({}, {}, {})", op, ArgumentText(equation.c), ArgumentText(equation.a),
                         ArgumentText(equation.b));
    default:
      return fmt::format("{}({}, {})", op, ArgumentText(equation.a), ArgumentText(equation.b));
  }
}

std::string FogSourceText(const raster::FogPlan& fog) {
  switch (fog.source) {
    case raster::FogSource::kZ:
      return fog.depth_bias != 0 ? "z and DEPTHBIAS" : "z";
    case raster::FogSource::kW:
      return "w";
    case raster::FogSource::kNone:
    case raster::FogSource::kFactor:
      break;
  }
  switch (fog.factor) {
    case raster::FogFactorSource::kShader:
      return "oFog";
    case raster::FogFactorSource::kElement:
      return "FOG of the vertices";
    case raster::FogFactorSource::kSpecularAlpha:
      return "specular alpha";
    case raster::FogFactorSource::kEquation:
      return "FOGVERTEXMODE";
    case raster::FogFactorSource::kNothing:
      break;
  }
  return "a missing specular alpha";
}

std::string BlendText(const raster::BlendEquation& equation) {
  return fmt::format("{} {} {}", NameText(d3d::kBlendFactorNames, d3d::Value(equation.source)),
                     NameText(d3d::kBlendFactorNames, d3d::Value(equation.destination)),
                     NameText(d3d::kBlendOpNames, d3d::Value(equation.operation)));
}

std::string_view FilterText(raster::Filter filter) {
  // The numbers are those of D3DTEXTUREFILTERTYPE.
  return NameOf(d3d::kTextureFilterNames, static_cast<uint32_t>(filter));
}

}  // namespace dp2trace::history
