#include "compare_options.h"

#include <array>
#include <charconv>
#include <optional>

#include "options.h"
#include "sandbox_option.h"

namespace dp2trace::app {
namespace {

// "X,Y,WIDTH,HEIGHT", a size without zeros.
std::optional<image::Region> ParseRegion(const std::string& text) {
  std::array<uint32_t, 4> numbers = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0 && (at == end || *at++ != ',')) return std::nullopt;
    const auto result = std::from_chars(at, end, numbers[i]);
    if (result.ec != std::errc()) return std::nullopt;
    at = result.ptr;
  }
  if (at != end || numbers[2] == 0 || numbers[3] == 0) return std::nullopt;
  return image::Region{numbers[0], numbers[1], numbers[2], numbers[3]};
}

}  // namespace

Argument& AddIgnoreEdges(Verb& command, uint8_t& edge_pixels) {
  return command
      .Add("--ignore-edges", edge_pixels,
           "By how many pixels edges of triangles and borders of texels may lie elsewhere (0)")
      .Range(0, image::kMaxEdgePixels)
      .Value("N");
}

Argument& AddMaxPixels(Verb& command, uint64_t& max_pixels) {
  return command
      .Add("--max-pixels", max_pixels, "How many pixels of a picture may be further off (0)")
      .Value("N");
}

void AddLooseOptions(Verb& command, image::LooseOptions& options) {
  command.Add("--tolerance", options.tolerance, "How far a channel may be off (0)")
      .Range(0, 255)
      .Value("N");
  AddIgnoreEdges(command, options.edge_pixels);
  command.AddSwitch("--ignore-alpha", options.ignores_alpha, "Compare only colours");
  const auto parse = [&options](const std::string& text) -> std::string {
    const std::optional<image::Region> region = ParseRegion(text);
    if (!region) return "'" + text + "' is not a region; expected X,Y,WIDTH,HEIGHT";
    options.region = *region;
    return {};
  };
  command.AddParsed("--region", parse, "Compare only this part of the pictures")
      .Value("X,Y,WIDTH,HEIGHT");
}

void AddCompareOptions(Verb& command, CompareOptions& options) {
  command.Add("A", options.expected, "Expected PNG file or folder").Required();
  command.Add("B", options.actual, "Actual PNG file or folder").Required();
  command
      .Add("-o,--output", options.output,
           "Where to write a map of how far the pixels are apart (for folders: a folder)")
      .Value("DIFF.png");
  AddForce(command, options.is_forced, "Replace maps that exist");
  AddLooseOptions(command, options.pairs.loose);
  AddMaxPixels(command, options.pairs.max_pixels);
  AddFormat(command, options.json);
  AddSandboxOption(command, options.is_sandboxed);
}

}  // namespace dp2trace::app
