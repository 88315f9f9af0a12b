#include "image/stb.h"

#include <libdeflate.h>

#include <cstdlib>
#include <memory>

namespace {

constexpr int kCompressionLevel = 6;

// The zlib hook of stb_image_write: the result is freed by stb with free().
unsigned char* CompressZlib(unsigned char* data, int size, int* out_size, int /*quality*/) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(kCompressionLevel), libdeflate_free_compressor);
  if (!compressor) return nullptr;
  const auto in_size = static_cast<size_t>(size);
  const size_t bound = libdeflate_zlib_compress_bound(compressor.get(), in_size);
  auto* out = static_cast<unsigned char*>(std::malloc(bound));  // NOLINT: stb owns it
  if (out == nullptr) return nullptr;
  *out_size =
      static_cast<int>(libdeflate_zlib_compress(compressor.get(), data, in_size, out, bound));
  return out;
}

unsigned int Crc32(const unsigned char* data, int size) {
  return libdeflate_crc32(0, data, static_cast<size_t>(size));
}

}  // namespace

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#define STBIW_ZLIB_COMPRESS CompressZlib
#define STBIW_CRC32 Crc32
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace dp2trace::image {

std::vector<uint8_t> StbWritePng(const Picture& picture) {
  const auto width = static_cast<int>(picture.width);
  int size = 0;
  unsigned char* png = stbi_write_png_to_mem(picture.rgba.data(), 4 * width, width,
                                             static_cast<int>(picture.height), 4, &size);
  if (png == nullptr) return {};
  std::vector<uint8_t> result(png, png + size);
  std::free(png);  // NOLINT: allocated by stb with malloc
  return result;
}

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
