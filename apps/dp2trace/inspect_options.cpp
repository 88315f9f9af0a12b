#include "inspect_options.h"

#include "history_frame.h"
#include "limit_options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddInspectOptions(CLI::App& command, InspectVerb& options) {
  command.add_option("TRACE", options.trace, "Trace to read, .dp2t or .json")->required();
  command
      .add_option("-o,--output", options.output,
                  "Folder for the page; replaced where it is an earlier one")
      ->required()
      ->type_name("DIR");
  AddSelection(command, "--frames", options.inspect.frames, "Frames to show: 24, 3-5, last")
      ->required();
  AddSelection(command, "--draws", options.inspect.draws,
               "Draws of these frames that are items of their own; what lies between is one (all)");
  command
      .add_option_function<std::vector<std::string>>(
          "--history",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              HistoryPixel& pixel = options.pixels.emplace_back();
              if (!ParsePixel(text, pixel.x, pixel.y))
                throw CLI::ValidationError("--history", "'" + text + "' is no pixel; expected X,Y");
            }
          },
          "The whole history of this pixel of the frames, too")
      ->type_name("X,Y");
  inspect::Limits& limits = options.inspect.limits;
  command.add_option("--max-items", limits.items, "Most items of a frame (10000)")->type_name("N");
  AddSize(command, "--max-data", limits.bytes,
          "Size of the data behind which items are not shown alone, with K, M or G (256M)");
  AddSize(command, "--max-surface-copies", limits.surfaces,
          "Memory for copies of the surfaces that a frame writes, with K, M or G (192M)");
  AddFormat(command, options.json);
  AddRendererOptions(command, options.inspect.renderer, options.inspect.raster);
  AddRuleOptions(command, options.rules);
  AddLimitOptions(command, options.trace, options.inspect.validation, options.inspect.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
