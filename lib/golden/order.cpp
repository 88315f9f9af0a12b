#include "golden/order.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/plain_text.h"
#include "golden/json.h"
#include "image/loose_compare.h"
#include "os/sandbox.h"
#include "trace_file/form.h"

namespace dp2trace::golden {
namespace {

constexpr uint64_t kMaxOrderMemory = uint64_t{4} << 30;

// Messages name the trace by its path on this machine; results must not depend on it.
void NameByManifest(const Order& order, std::string& message) {
  const size_t place = message.find(order.path);
  if (place != std::string::npos) message.replace(place, order.path.size(), order.name);
}

// It reads the trace and the accepted pictures, and writes the others. A command of the user may do what the user may.
void Confine(const Order& order, const PictureStore& store) {
  if (!order.is_sandboxed || !order.own.command.empty()) return;
  SandboxPaths paths = {trace_file::ReadPathsOf(order.path), {}};
  paths.readable.push_back(store.folder());
  // A picture of the store may be a link to where something keeps large files.
  if (order.expected) {
    for (const GoldenImage& image : order.expected->images)
      paths.readable.push_back(store.PathOf(image.hash));
  }
  if (!order.actual.empty()) paths.writable.push_back(order.actual);
  if (!order.own.folder.empty()) paths.readable.push_back(order.own.folder);
  EnterSandbox(paths);
}

void AppendDrawing(json::Builder& out, const DrawingOptions& drawing) {
  out.Key("renderer");
  out.String(drawing.renderer);
  out.Key("isa");
  out.String(drawing.raster.isa);
  out.Key("has_codegen");
  out.Raw(drawing.raster.has_codegen ? "true" : "false");
  out.Key("threads");
  out.Number(drawing.raster.threads);
  out.Key("max_draw_steps");
  out.Number(drawing.raster.max_draw_steps);
  out.Key("max_patch_segments");
  out.Number(drawing.raster.max_patch_segments);
  out.Key("clips_transformed_z");
  out.Raw(drawing.raster.clips_transformed_z ? "true" : "false");
}

bool ReadDrawing(json::Members& members, DrawingOptions& drawing) {
  return members.Find("renderer", drawing.renderer) && members.Find("isa", drawing.raster.isa) &&
         members.Find("has_codegen", drawing.raster.has_codegen) &&
         members.Require("threads", drawing.raster.threads) &&
         members.Require("max_draw_steps", drawing.raster.max_draw_steps) &&
         members.Require("max_patch_segments", drawing.raster.max_patch_segments) &&
         members.Find("clips_transformed_z", drawing.raster.clips_transformed_z);
}

void AppendOwn(json::Builder& out, const OwnPictures& own) {
  if (!own.is_used()) return;
  out.Key("command");
  out.String(EncodeName(own.command));
  out.Key("own_folder");
  out.String(EncodeName(own.folder));
  out.Key("own_timeout_s");
  out.Number(own.timeout_s);
  out.Key("own_max_memory");
  out.Number(own.max_memory);
  out.Key("tolerance");
  out.Number(own.tolerance);
  out.Key("max_pixels");
  out.Number(own.max_pixels);
  out.Key("edge_pixels");
  out.Number(uint64_t{own.edge_pixels});
}

bool ReadOwn(json::Members& members, OwnPictures& own) {
  uint64_t edge_pixels = 0;
  const bool is_read =
      members.Find("command", own.command) && members.Find("own_folder", own.folder) &&
      members.Find("own_timeout_s", own.timeout_s) &&
      members.Find("own_max_memory", own.max_memory) && members.Find("tolerance", own.tolerance) &&
      members.Find("max_pixels", own.max_pixels) &&
      members.Find("edge_pixels", edge_pixels, image::kMaxEdgePixels);
  own.edge_pixels = static_cast<uint8_t>(edge_pixels);
  own.command = DecodeName(own.command);
  own.folder = DecodeName(own.folder);
  return is_read;
}

// The manifest with its one trace, and the result, are texts in the text: what they are has one reader.
bool ReadOrder(json::Document& document, Order& order, std::string& expected,
               std::string& unexplained) {
  json::Members members(document, document.root());
  const bool is_read =
      members.Require("path", order.path) && members.Require("name", order.name) &&
      members.Require("max_memory", order.max_memory) && members.Require("store", order.store) &&
      members.Find("actual", order.actual) && members.Find("keeps_all", order.keeps_all) &&
      members.Find("sandboxed", order.is_sandboxed) && ReadDrawing(members, order.drawing) &&
      ReadOwn(members, order.own) && members.Find("expected", expected) &&
      members.Find("unexplained", unexplained) && members.Finish();
  for (std::string* const name : {&order.path, &order.name, &order.store, &order.actual})
    *name = DecodeName(*name);
  return is_read;
}

}  // namespace

std::string OrderText(const Order& order) {
  json::Builder out;
  out.Raw('{');
  const auto name = [&out](std::string_view key, const std::string& value) {
    out.Key(key);
    out.String(EncodeName(value));
  };
  name("path", order.path);
  name("name", order.name);
  name("store", order.store);
  if (!order.actual.empty()) name("actual", order.actual);
  out.Key("max_memory");
  out.Number(order.max_memory);
  out.Key("keeps_all");
  out.Raw(order.keeps_all ? "true" : "false");
  out.Key("sandboxed");
  out.Raw(order.is_sandboxed ? "true" : "false");
  AppendDrawing(out, order.drawing);
  AppendOwn(out, order.own);
  if (order.expected) {
    out.Key("expected");
    out.String(ManifestText({.include = {}, .limits = {}, .traces = {*order.expected}}));
  }
  if (order.unexplained) {
    out.Key("unexplained");
    out.String(ResultLine(*order.unexplained));
  }
  out.Raw("}\n");
  return std::move(out.string());
}

Result<Order> ParseOrder(std::string text) {
  json::Document document({.max_memory = kMaxOrderMemory});
  DP2TRACE_RETURN_IF_ERROR(document.Parse(std::move(text)));
  Order order;
  std::string expected;
  std::string unexplained;
  if (!ReadOrder(document, order, expected, unexplained)) return document.status();
  if (!expected.empty()) {
    Result<Manifest> manifest = ParseManifest(std::move(expected));
    if (!manifest.ok()) return manifest.status();
    if (!manifest->traces.empty()) order.expected = std::move(manifest->traces.front());
  }
  if (!unexplained.empty()) {
    Result<TraceResult> result = ParseResultLine(document, std::move(unexplained), 1);
    if (!result.ok()) return result.status();
    order.unexplained = std::move(*result);
  }
  return order;
}

std::string CarryOut(const std::string& text) {
  Result<Order> parsed = ParseOrder(text);
  if (!parsed.ok()) return {};  // no whole result
  Order& order = *parsed;
  const PictureStore store(order.store);
  const PictureStore actual(order.actual);
  Confine(order, store);
  if (order.unexplained) {
    TraceResult& result = *order.unexplained;
    if (order.own.is_used()) {
      ExplainOwnPicture(order.path, order.max_memory, actual, order.drawing, order.own, result);
    } else {
      ExplainDifference(order.path, order.max_memory, store, order.drawing, result);
    }
    return ResultLine(result);
  }
  const PictureKeeping keeping = {&store, order.actual.empty() ? nullptr : &actual,
                                  order.keeps_all};
  const ManifestTrace* const expected = order.expected ? &*order.expected : nullptr;
  const auto start = std::chrono::steady_clock::now();
  RenderRecord record =
      order.own.is_used()
          ? CompareOwnPictures(order.path, order.max_memory, expected, keeping, order.drawing,
                               order.own)
          : RenderTrace(order.path, order.max_memory, expected, keeping, order.drawing);
  const auto spent = std::chrono::steady_clock::now() - start;
  record.milliseconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(spent).count());
  std::ranges::sort(record.images, {},
                    [](const RenderedImage& rendered) { return rendered.image.key; });
  NameByManifest(order, record.error);
  return RecordLine(record);
}

}  // namespace dp2trace::golden
