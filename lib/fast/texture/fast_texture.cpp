#include "fast/texture/fast_texture.h"

#include <algorithm>
#include <span>

#include "base/bytes.h"
#include "d3d/enums.h"
#include "image/decoder.h"
#include "raster/texture/address.h"

namespace dp2trace::fast {
namespace {

// Writes the texels of rows as words.
class RowReader {
 public:
  explicit RowReader(const raster::Sampler& sampler)
      : decoder_(sampler.resource().surface.info(), sampler.palette()) {}

  const image::Decoder& decoder() const { return decoder_; }
  void Read(const image::ConstLevel& level, uint32_t y, uint32_t* to) const {
    const d3d::Format format = decoder_.info().format;
    // By far the most common.
    if (format == d3d::Format::A8R8G8B8 || format == d3d::Format::X8R8G8B8)
      return ReadArgb(level, y, format == d3d::Format::A8R8G8B8, to);
    for (uint32_t x = 0; x < level.width; ++x)
      to[x] = Pack(decoder_.Stored(level, x, y));
  }

 private:
  static uint32_t Pack(const image::StoredTexel& texel) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; ++i)
      word |= static_cast<uint32_t>(texel[i]) << (8 * i);
    return word;
  }
  static void ReadArgb(const image::ConstLevel& level, uint32_t y, bool has_alpha, uint32_t* to) {
    const uint32_t opaque = has_alpha ? 0 : 0xFF000000U;
    const uint8_t* row = level.block(0, y);
    for (uint32_t x = 0; x < level.width; ++x) {
      const uint32_t word = LoadU32(row + 4 * size_t{x});
      to[x] = (word & 0xFF00FF00U) | (word >> 16 & 0xFFU) | (word & 0xFFU) << 16 | opaque;
    }
  }

  const image::Decoder decoder_;
};

using d3d::TextureAddress;

bool Is(uint32_t address, TextureAddress mode) {
  return address == d3d::Value(mode);
}

// Words, also at the end of a level.
constexpr uint32_t kReadAtOnce = 4;

struct IndexRange {
  int32_t low, high;
};

// Every index that a tap may have stands for one of these, and so does the next one.
IndexRange RangeOf(uint32_t address, int32_t size) {
  if (Is(address, TextureAddress::Mirror)) return {0, 2 * size - 1};
  if (Is(address, TextureAddress::Clamp)) return {-1, size - 1};
  if (Is(address, TextureAddress::Border)) return {-2, size};
  if (Is(address, TextureAddress::MirrorOnce)) return {-size - 1, size - 1};
  return {0, size - 1};
}

uint32_t CountOf(const FastAxis& axis) {
  return static_cast<uint32_t>(axis.high - axis.low) + 1;
}

// The columns of the stored rows: numbers of texels, or raster::kBorderTap.
std::vector<int32_t> TapsOf(const FastAxis& axis, uint32_t address) {
  std::vector<int32_t> taps(CountOf(axis) + 1);
  for (size_t i = 0; i < taps.size(); ++i) {
    taps[i] = raster::ResolveTap(axis.low + static_cast<int32_t>(i), address,
                                 static_cast<uint32_t>(axis.size));
  }
  return taps;
}

// Writes the stored rows of a level.
class LevelWriter {
 public:
  LevelWriter(const FastForm& form, const FastLevel& level, const RowReader& reader,
              const image::ConstLevel& from, uint32_t* to, uint32_t workers)
      : form_(form),
        level_(level),
        reader_(reader),
        from_(from),
        columns_(TapsOf(level.x, form.address[0])),
        rows_(TapsOf(level.y, form.address[1])),
        to_(to) {
    if (form.has_pairs) pairs_.resize(2 * columns_.size() * workers);
  }

  uint32_t rows() const { return CountOf(level_.y); }
  void Write(uint32_t worker, uint32_t begin, uint32_t end) {
    const size_t columns = columns_.size();
    if (!form_.has_pairs) {
      for (size_t row = begin; row < end; ++row)
        Fill(rows_[row], {to_ + row * columns, columns});
      return;
    }
    std::span<uint32_t> upper(&pairs_[2 * columns * worker], columns);
    std::span<uint32_t> lower(upper.data() + columns, columns);
    Fill(rows_[begin], upper);
    for (size_t row = begin; row < end; ++row) {
      Fill(rows_[row + 1], lower);
      uint32_t* const to = to_ + 2 * row * columns;
      for (size_t i = 0; i < columns; ++i) {
        to[2 * i] = upper[i];
        to[2 * i + 1] = lower[i];
      }
      std::swap(upper, lower);
    }
  }

 private:
  void Fill(int32_t row, std::span<uint32_t> out) const {
    if (row == raster::kBorderTap) {
      std::ranges::fill(out, form_.border);
      return;
    }
    const auto first = static_cast<size_t>(-level_.x.low);  // texel 0; the others follow
    const auto width = static_cast<size_t>(level_.x.size);
    reader_.Read(from_, static_cast<uint32_t>(row), &out[first]);
    const auto fill = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const int32_t column = columns_[i];
        out[i] =
            column == raster::kBorderTap ? form_.border : out[first + static_cast<size_t>(column)];
      }
    };
    fill(0, first);
    fill(first + width, out.size());
  }

  const FastForm& form_;
  const FastLevel& level_;
  const RowReader& reader_;
  const image::ConstLevel from_;
  const std::vector<int32_t> columns_, rows_;
  uint32_t* const to_;
  std::vector<uint32_t> pairs_;  // two rows of each worker, which must not allocate
};

FastLevel LevelOf(const FastForm& form, uint32_t width, uint32_t height) {
  FastLevel level = {.x = AxisOf(form.address[0], width), .y = AxisOf(form.address[1], height)};
  level.stride = CountOf(level.x) + 1;
  return level;
}

uint64_t WordsOf(const FastForm& form, const FastLevel& level) {
  return uint64_t{level.stride} * CountOf(level.y) * (form.has_pairs ? 2 : 1);
}

}  // namespace

FastAxis AxisOf(uint32_t address, uint32_t texels) {
  const auto size = static_cast<int32_t>(texels);
  const IndexRange range = RangeOf(address, size);
  FastAxis axis = {.size = size, .low = range.low, .high = range.high};
  axis.scale = static_cast<float>(size) * 256.0F;
  axis.limit = 1048576.0F / static_cast<float>(size);
  if (Is(address, TextureAddress::Mirror)) {
    axis.period = 2.0F;
    axis.rate = 0.5F;
  }
  return axis;
}

bool HasFastForm(const raster::Sampler& sampler) {
  const device::Resource& resource = sampler.resource();
  if (!sampler.reader().filters_exactly() || sampler.may_kill()) return false;
  if (resource.is_cube() || resource.is_volume()) return false;
  const image::SurfaceDescription& d = resource.surface.description();
  // 1 GiB at most, with MIRROR along both axes.
  constexpr uint64_t kMaxTexels = uint64_t{1} << 24;
  if (uint64_t{d.width} * d.height > kMaxTexels || d.samples > 1) return false;
  const image::Decoder decoder(resource.surface.info(), sampler.palette());
  return std::ranges::none_of(decoder.stored_channels(), &image::StoredChannel::is_signed);
}

bool IsPeriodic(uint32_t address) {
  return Is(address, TextureAddress::Mirror) ||
         !(Is(address, TextureAddress::Clamp) || Is(address, TextureAddress::Border) ||
           Is(address, TextureAddress::MirrorOnce));
}

bool HasBorder(std::span<const uint32_t> address) {
  return std::ranges::find(address, d3d::Value(TextureAddress::Border)) != address.end();
}

std::shared_ptr<const FastTexture> MakeFastTexture(const raster::Sampler& sampler,
                                                   const FastForm& form, Workers& workers) {
  const image::Surface& surface = sampler.resource().surface;
  const RowReader reader(sampler);
  auto texture = std::make_shared<FastTexture>();
  texture->form = form;
  for (size_t i = 0; i < 4; ++i) {
    texture->scales[i] =
        image::UnormScale(reader.decoder().stored_channels()[i].bits) * (1.0F / 65536.0F);
  }
  const uint32_t levels = surface.description().levels;
  for (uint32_t n = 0; n < levels; ++n) {
    const image::ConstLevel from = surface.level(0, n);
    FastLevel level = LevelOf(form, from.width, from.height);
    level.offset = texture->word_count;
    texture->word_count += static_cast<uint32_t>(WordsOf(form, level)) + kReadAtOnce;
    texture->levels.push_back(level);
  }
  // Written as a whole: zeros before would cost as much.
  texture->words = std::make_unique_for_overwrite<uint32_t[]>(texture->word_count);
  for (uint32_t n = 0; n < levels; ++n) {
    const FastLevel& level = texture->levels[n];
    uint32_t* const to = &texture->words[level.offset];
    LevelWriter writer(form, level, reader, surface.level(0, n), to, workers.count());
    workers.RunRanges(
        writer.rows(), kTexelsAtOnce / level.stride,
        [&](uint32_t worker, uint32_t begin, uint32_t end) { writer.Write(worker, begin, end); });
    std::fill_n(to + WordsOf(form, level), kReadAtOnce, 0U);
  }
  return texture;
}

}  // namespace dp2trace::fast
