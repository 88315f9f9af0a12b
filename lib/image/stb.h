// What this folder uses of stb, without its headers. The implementation is compiled only in stb.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "image/picture.h"

namespace dp2trace::image {

// stb_image. False, with stb's reason in `reason`, when the bytes cannot be decoded.
bool StbReadPng(Bytes bytes, Picture& picture, const char*& reason);

}  // namespace dp2trace::image
