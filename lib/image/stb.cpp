#include "image/stb.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace dp2trace::image {

bool StbReadPng(Bytes bytes, Picture& picture, const char*& reason) {
  int width = 0;
  int height = 0;
  int channels = 0;
  stbi_uc* pixels = stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width,
                                          &height, &channels, 4);
  if (pixels == nullptr) {
    reason = stbi_failure_reason();
    return false;
  }
  picture = Picture(static_cast<uint32_t>(width), static_cast<uint32_t>(height));
  picture.rgba.assign(pixels, pixels + picture.rgba.size());
  stbi_image_free(pixels);
  return true;
}

}  // namespace dp2trace::image
