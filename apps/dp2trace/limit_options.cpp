#include "limit_options.h"

#include <filesystem>
#include <system_error>

#include "options.h"

namespace dp2trace::app {
namespace {

std::optional<uint64_t> SizeOfFile(const std::string& path) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  return error ? std::nullopt : std::optional(size);
}

}  // namespace

void BoundByFile(CLI::App& command, const std::string& trace, std::optional<uint64_t>& bytes) {
  command.parse_complete_callback([&trace, &bytes] { bytes = SizeOfFile(trace); });
}

void AddMaxSteps(CLI::App& command, std::optional<uint64_t>& steps) {
  AddSize(
      command, "--max-steps", steps,
      "Work of the whole trace: events, tokens, state blocks, blits, draws, with K, M or G (64G, and 64K for each byte of the file)");
}

void AddMaxSteps(CLI::App& command, const std::string& trace, replay::RunnerOptions& validation) {
  AddMaxSteps(command, validation.max_steps);
  BoundByFile(command, trace, validation.file_bytes);
}

void AddLimitOptions(CLI::App& command, const std::string& trace, replay::RunnerOptions& validation,
                     raster::Options& raster) {
  command.add_option("--max-surface-extent", validation.device.surfaces.max_dimension,
                     "Largest width, height or depth of a surface (16384)");
  AddSize(
      command, "--max-surface-memory", validation.max_surface_bytes,
      "Memory of all surfaces together, with K, M or G (320M, and 32 for each byte of the file, 4G at most)");
  command.add_option("--max-primitives", validation.device.max_primitives,
                     "Largest number of primitives of one draw (16777216)");
  AddSize(command, "--max-draw-steps", raster.max_draw_steps,
          "Work of one draw: vertices, quads of pixels, shader instructions, with K, M or G (1G)");
  command.add_option("--max-patch-segments", raster.max_patch_segments,
                     "Largest number of segments along the edge of a patch (128)");
  AddMaxSteps(command, trace, validation);
}

}  // namespace dp2trace::app
