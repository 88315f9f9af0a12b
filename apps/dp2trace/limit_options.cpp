#include "limit_options.h"

#include <filesystem>
#include <system_error>

#include "options.h"
#include "os/path.h"

namespace dp2trace::app {
namespace {

std::optional<uint64_t> SizeOfFile(const std::string& path) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(ToPath(path), error);
  return error ? std::nullopt : std::optional(size);
}

}  // namespace

void BoundByFile(Verb& command, const std::string& trace, std::optional<uint64_t>& bytes) {
  command.OnRead([&trace, &bytes] { bytes = SizeOfFile(trace); });
}

void AddMaxSteps(Verb& command, std::optional<uint64_t>& steps) {
  AddSize(
      command, "--max-steps", steps,
      "Work of the whole trace: events, tokens, state blocks, blits, draws, with K, M or G (128K for each byte of the file, of a megabyte at least)");
}

void AddMaxSteps(Verb& command, const std::string& trace, play::RunnerOptions& validation) {
  AddMaxSteps(command, validation.max_steps);
  BoundByFile(command, trace, validation.file_bytes);
}

void AddMaxSteps(Verb& command, const std::string& trace, trace_model::WorkBounds& bounds) {
  AddMaxSteps(command, bounds.max_steps);
  BoundByFile(command, trace, bounds.file_bytes);
}

void AddMaxSurfaceMemory(Verb& command, std::optional<uint64_t>& bytes) {
  AddSize(
      command, "--max-surface-memory", bytes,
      "Memory of all surfaces together, with K, M or G (160M, and 32 for each byte of the file, 4G at most)");
}

void AddLimitOptions(Verb& command, const std::string& trace, play::RunnerOptions& validation,
                     raster::Options& raster) {
  command.Add("--max-surface-extent", validation.device.surfaces.max_dimension,
              "Largest width, height or depth of a surface (16384)");
  AddMaxSurfaceMemory(command, validation.max_surface_bytes);
  command.Add("--max-primitives", validation.device.max_primitives,
              "Largest number of primitives of one draw (16777216)");
  AddSize(command, "--max-draw-steps", raster.max_draw_steps,
          "Work of one draw: vertices, quads of pixels, shader instructions, with K, M or G (1G)");
  command.Add("--max-patch-segments", raster.max_patch_segments,
              "Largest number of segments along the edge of a patch (128)");
  AddMaxSteps(command, trace, validation);
}

void AddImportLimits(Verb& command, uint64_t& max_memory, std::optional<uint64_t>& max_steps) {
  AddSize(command, "--max-memory", max_memory,
          "Most memory for the import of a file, with K, M or G (1G)");
  AddSize(
      command, "--max-steps", max_steps,
      "Work on a file: bytes, values, calls, what is written, with K, M or G (8G, and 16K for each byte of the file)");
}

}  // namespace dp2trace::app
