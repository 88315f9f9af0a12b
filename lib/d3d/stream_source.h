// SetStreamSourceFreq: a divider is a count and two bits.
// Source: D3D9, "Efficiently Drawing Multiple Instances of Geometry"; D3DHAL_DP2SETSTREAMSOURCEFREQ.
#pragma once

#include <cstdint>

namespace dp2trace::d3d {

inline constexpr uint32_t kIndexedData = 0x40000000;   // D3DSTREAMSOURCE_INDEXEDDATA
inline constexpr uint32_t kInstanceData = 0x80000000;  // D3DSTREAMSOURCE_INSTANCEDATA
inline constexpr uint32_t kDividerMask = 0x3FFFFFFF;   // the count

}  // namespace dp2trace::d3d
