// The allocation list and the patch list of a D3DKMT_RENDER packet as text.
#pragma once

#include <string>

#include "base/bytes.h"

namespace dp2trace::text {

// One indented line per element, "  allocation 1 handle=0xc0000100 WriteOperation", and one for bytes that are no whole element.
void AppendAllocationList(std::string& out, Bytes list);
void AppendPatchList(std::string& out, Bytes list);

}  // namespace dp2trace::text
