// Values of enumerations, flags and floats in words, for findings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/enum_info.h"

namespace dp2trace {

// "TARGET|ZBUFFER|0x10"; 0 is "0", or its name.
std::string FlagsText(const EnumInfo& names, uint32_t value);
// "CUBIC (3)"; "7" where no row has the value.
std::string ValueText(const EnumInfo& names, uint32_t value);
// Those of the ascending rows that `holds` is true for, runs of numbers as ranges: "ZERO (1) to SRCALPHASAT (11), BLENDFACTOR (14)".
std::string ValueRangesText(const EnumInfo& names, const std::function<bool(uint32_t)>& holds);
// "0.5", "infinity", "-infinity"; "NaN" whatever its sign, which means nothing.
std::string RealText(float value);
// All rows: "BEZIER (0), BSPLINE (1) or CATMULL_ROM (2)".
std::string AllValuesText(const EnumInfo& names);

}  // namespace dp2trace
