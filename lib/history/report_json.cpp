#include <fmt/format.h>

#include "d3d/notation.h"
#include "history/numbers.h"
#include "history/report.h"
#include "json/output.h"
#include "text/report_list.h"
#include "text/value.h"

namespace dp2trace::history {
namespace {

std::string AreaJson(const image::Area& area) {
  return json::RectangleJson(area.left, area.top, area.right, area.bottom);
}

std::string MarkerJson(const trace::MarkerText& marker) {
  JsonObject object;
  object.AddText("text", marker.text);
  object.AddText("source", marker.source);
  if (marker.position) object.Add("position", *marker.position);
  return object.Take();
}

std::string ClearJson(const raster::ProbedClear& clear) {
  JsonObject object;
  if (clear.clears_color) object.AddText("color", d3d::ColorText(clear.color));
  if (clear.clears_depth) object.AddRaw("depth", FloatJson(clear.depth));
  if (clear.clears_stencil) object.Add("stencil", uint64_t{clear.stencil});
  return object.Take();
}

std::string BlitJson(const BlitSource& blit) {
  JsonObject object;
  object.AddRaw("to", AreaJson(blit.to));
  if (blit.fill) return object.AddText("fill", d3d::ColorText(*blit.fill)).Take();
  object.Add("surface", uint64_t{blit.handle});
  object.Add("face", uint64_t{blit.face});
  object.Add("level", uint64_t{blit.level});
  object.AddRaw("from", AreaJson(blit.from));
  if (blit.pixel)
    object.AddRaw("pixel",
                  fmt::format(R"({{"x":{},"y":{}}})", blit.pixel->first, blit.pixel->second));
  return object.Take();
}

std::string OperationJson(const Operation& operation) {
  JsonObject object;
  object.AddText("kind", Name(operation.kind));
  object.Add("event", operation.event);
  if (operation.offset) object.Add("offset", *operation.offset);
  object.AddText("operation", operation.name);
  if (operation.draw != 0) object.Add("draw", operation.draw);
  if (operation.marker) object.AddRaw("marker", MarkerJson(*operation.marker));
  if (operation.clear) object.AddRaw("clear", ClearJson(*operation.clear));
  if (operation.blit) object.AddRaw("blit", BlitJson(*operation.blit));
  if (!operation.fragments.empty()) {
    object.AddRaw("fragments",
                  JsonArray(operation.fragments, [&](const raster::ProbedFragment& fragment) {
                    return FragmentJson(operation, fragment);
                  }));
  }
  object.AddBool("writes", operation.writes);
  object.AddRaw("before", ValueJson(operation.before));
  object.AddRaw("after", ValueJson(operation.after));
  return object.Take();
}

std::string OutsideJson(const OutsideDraw& draw) {
  JsonObject object;
  object.Add("draw", draw.draw);
  object.Add("event", draw.event);
  object.Add("offset", draw.offset);
  object.Add("primitives", draw.primitives.primitives);
  JsonObject behind;
  for (uint32_t plane = 0; plane < raster::kVolumePlanes; ++plane) {
    const uint64_t count = draw.primitives.behind[plane];
    if (count != 0) behind.Add(raster::Name(static_cast<raster::VolumePlane>(plane)), count);
  }
  object.AddRaw("behind", behind.Take());
  return object.Take();
}

}  // namespace

std::string ReportJson(std::string_view trace, const History& history) {
  std::string out = json::OutputHead("history", trace);
  out += fmt::format(
      ",\"frame\":{},\"unfinished\":{},\"space\":{},\"surface\":{},\"face\":{},\"level\":{},\"slice\":{},\"x\":{},"
      "\"y\":{},\"format\":\"{}\",\"width\":{},\"height\":{},\"samples\":{},\n\"before\":{}",
      history.frame, history.is_unfinished, history.pixel.space, history.pixel.handle,
      history.pixel.face, history.pixel.level, history.pixel.slice, history.pixel.x,
      history.pixel.y, history.format, history.width, history.height, history.samples,
      ValueJson(history.before));
  if (history.read != 0) out += fmt::format(",\n\"read\":{}", history.read);
  out += ",\n\"refused\":" + RefusedJson(history.refused);
  text::AppendList(
      out, "operations", history.operations,
      [](std::string& to, const Operation& operation) { to += OperationJson(operation); });
  text::AppendList(out, "outside", history.outside,
                   [](std::string& to, const OutsideDraw& draw) { to += OutsideJson(draw); });
  out += fmt::format(",\n\"fragments_not_listed\":{},\n\"after\":{},\n\"because\":",
                     history.dropped_fragments, ValueJson(history.after));
  text::AppendQuoted(out, Because(history));
  return out + "}\n";
}

}  // namespace dp2trace::history
