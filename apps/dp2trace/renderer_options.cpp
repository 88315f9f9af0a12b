#include "renderer_options.h"

#include <string>
#include <vector>

#include "fast/machine/isa.h"
#include "replay/renderers.h"

namespace dp2trace::app {

void AddRendererOptions(CLI::App& command, replay::Options& options) {
  std::vector<std::string> renderers;
  for (const raster::RendererType& type : replay::Renderers())
    renderers.emplace_back(type.name);
  std::vector<std::string> isas;
  for (const fast::Isa& isa : fast::SupportedIsas())
    isas.emplace_back(isa.name);
  command.add_option("--renderer", options.renderer, "Which renderer draws")
      ->check(OneOf(renderers));
  command.add_option("--threads", options.raster.threads,
                     "Threads that draw (default: one for each core)");
  command.add_option("--isa", options.raster.isa, "Instruction set that the fast renderer uses")
      ->check(OneOf(isas));
}

}  // namespace dp2trace::app
