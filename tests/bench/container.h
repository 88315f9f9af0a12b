// Traces of any form as raw containers in memory: what reads them spends no time on text or compression.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/writer.h"

namespace dp2trace::bench {

trace::Writer WriterInto(std::vector<uint8_t>& file);
// Empty where the trace cannot be read to its end.
std::vector<uint8_t> Container(const std::string& path);

}  // namespace dp2trace::bench
