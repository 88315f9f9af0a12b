// --renderer, --threads and --isa of the verbs that draw.
#pragma once

#include "options.h"
#include "replay/replayer.h"

namespace dp2trace::app {

void AddRendererOptions(CLI::App& command, replay::Options& options);

}  // namespace dp2trace::app
