#include "renderer_options.h"

#include <string>
#include <vector>

#include "fast/machine/isa.h"
#include "play/renderers.h"

namespace dp2trace::app {

void AddRendererOptions(Verb& command, std::string& renderer, raster::Options& options) {
  std::vector<std::string> renderers;
  for (const raster::RendererType& type : play::Renderers())
    renderers.emplace_back(type.name);
  std::vector<std::string> isas;
  for (const fast::Isa& isa : fast::SupportedIsas())
    isas.emplace_back(isa.name);
  command
      .Add("--renderer", renderer,
           "Which renderer draws: all give the same pixels, check compares two (fast)")
      .OneOf(renderers);
  command.Add("--threads", options.threads, "Threads that draw (as many as there are cores)")
      .Value("N");
  command
      .Add("--isa", options.isa, "Instruction set of the fast renderer (the best of the machine)")
      .OneOf(isas)
      .Value("NAME");
  const auto set_codegen = [&options](const std::string& word) {
    options.has_codegen = word == "auto";
    return std::string();
  };
  command
      .AddParsed(
          "--codegen", set_codegen,
          "auto: the fast renderer makes machine code of shaders and states, where it can (auto)")
      .OneOf({"auto", "off"});
}

}  // namespace dp2trace::app
