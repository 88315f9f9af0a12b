#include "renderer_options.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "fast/machine/isa.h"
#include "replay/renderers.h"

namespace dp2trace::app {

void AddRendererOptions(CLI::App& command, std::string& renderer, raster::Options& options) {
  std::vector<std::string> renderers;
  for (const raster::RendererType& type : replay::Renderers())
    renderers.emplace_back(type.name);
  std::vector<std::string> isas;
  for (const fast::Isa& isa : fast::SupportedIsas())
    isas.emplace_back(isa.name);
  command
      .add_option("--renderer", renderer,
                  "Which renderer draws: all give the same pixels, check compares two (fast)")
      ->check(OneOf(renderers))
      ->type_name(fmt::format("{}", fmt::join(renderers, "|")));
  command
      .add_option("--threads", options.threads, "Threads that draw (as many as there are cores)")
      ->type_name("N");
  command
      .add_option("--isa", options.isa,
                  "Instruction set of the fast renderer (the best of the machine)")
      ->check(OneOf(isas))
      ->type_name("NAME");
}

}  // namespace dp2trace::app
