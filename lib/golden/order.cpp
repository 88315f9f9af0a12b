#include "golden/order.h"

#include <utility>

#include "base/plain_text.h"
#include "golden/json.h"
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

// It reads the trace and the accepted pictures, and writes the others.
void Confine(const Order& order, const PictureStore& store) {
  if (!order.is_sandboxed) return;
  SandboxPaths paths = {trace_file::ReadPathsOf(order.path), {}};
  paths.readable.push_back(store.folder());
  // A picture of the store may be a link to where something keeps large files.
  if (order.expected) {
    for (const GoldenImage& image : order.expected->images)
      paths.readable.push_back(store.PathOf(image.hash));
  }
  if (!order.actual.empty()) paths.writable.push_back(order.actual);
  EnterSandbox(paths);
}

void AppendDrawing(json::Text& out, const DrawingOptions& drawing) {
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

// The manifest with its one trace, and the result, are texts in the text: what they are has one reader.
bool ReadOrder(json::Document& document, Order& order, std::string& expected,
               std::string& unexplained) {
  json::Members members(document, document.root());
  const bool is_read =
      members.Require("path", order.path) && members.Require("name", order.name) &&
      members.Require("max_memory", order.max_memory) && members.Require("store", order.store) &&
      members.Find("actual", order.actual) && members.Find("keeps_all", order.keeps_all) &&
      members.Find("sandboxed", order.is_sandboxed) && ReadDrawing(members, order.drawing) &&
      members.Find("expected", expected) && members.Find("unexplained", unexplained) &&
      members.Finish();
  for (std::string* const name : {&order.path, &order.name, &order.store, &order.actual})
    *name = DecodeName(*name);
  return is_read;
}

}  // namespace

std::string OrderText(const Order& order) {
  json::Text out;
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
    ExplainDifference(order.path, order.max_memory, store, order.drawing, *order.unexplained);
    return ResultLine(*order.unexplained);
  }
  const PictureKeeping keeping = {&store, order.actual.empty() ? nullptr : &actual,
                                  order.keeps_all};
  RenderRecord record =
      RenderTrace(order.path, order.max_memory, order.expected ? &*order.expected : nullptr,
                  keeping, order.drawing);
  NameByManifest(order, record.error);
  return RecordLine(record);
}

}  // namespace dp2trace::golden
