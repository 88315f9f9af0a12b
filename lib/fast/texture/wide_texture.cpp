#include "fast/texture/wide_texture.h"

#include <algorithm>
#include <optional>
#include <span>

#include "d3d/enums.h"
#include "image/decoder.h"
#include "raster/texture/address.h"
#include "raster/texture/srgb_table.h"

namespace dp2trace::fast {
namespace {

using raster::Float4;
using raster::LevelView;
using raster::Tap;

// Filters look at no more texels beside those of FastAxis.
constexpr int32_t kBeside = 3;
constexpr uint64_t kMaxTexels = uint64_t{1} << 24;
constexpr uint32_t kMaxSize = 1U << 20;

// Reads texels as the texture keeps them.
class TexelSource {
 public:
  TexelSource(const raster::Sampler& sampler, bool is_exact)
      : sampler_(sampler),
        decoder_(sampler.format(), sampler.palette()),
        is_exact_(is_exact),
        compares_depth_(sampler.reader().compares_depth()) {}

  Float4 At(const LevelView& view, const Tap& tap) const {
    const raster::TexelReader& reader = sampler_.reader();
    if (is_exact_) {
      const image::StoredTexel stored = reader.Stored(view, tap);
      return {static_cast<float>(stored[0]), static_cast<float>(stored[1]),
              static_cast<float>(stored[2]), static_cast<float>(stored[3])};
    }
    if (compares_depth_ && !tap.is_border) return decoder_.Decode(view.level, tap.x, tap.y, tap.z);
    return reader.Decode(view, tap, 0);
  }

 private:
  const raster::Sampler& sampler_;
  const image::Decoder decoder_;
  const bool is_exact_, compares_depth_;
};

bool RepeatsFirst(const TexelChannels& texel) {
  return std::ranges::all_of(texel.channels,
                             [&](const TexelChannel& c) { return c == texel.channels[0]; });
}

// Depth, and floats of one channel. The border and faces that are missing have colours of four.
bool IsSingle(const TexelChannels& texel, const raster::Sampler& sampler, const WideForm& form) {
  if (form.is_exact || sampler.is_cube() || HasBorder(form.address)) return false;
  constexpr TexelChannel kOne = {};
  const auto others = std::span(texel.channels).subspan(1);
  return RepeatsFirst(texel) ||
         std::ranges::all_of(others, [&](const TexelChannel& c) { return c == kOne; });
}

// How rows are decoded at once; nothing where each texel has to be looked at.
std::optional<TexelChannels> RowsOf(const raster::Sampler& sampler, const WideForm& form) {
  std::optional<TexelChannels> texel = ChannelsOf(sampler.format());
  if (!texel || form.kills_by_alpha) return std::nullopt;
  const image::Decoder decoder(sampler.format());
  const bool decodes_srgb = decoder.filters_exactly() && !sampler.reader().filters_exactly();
  for (size_t i = 0; i < 4; ++i) {
    TexelChannel& channel = texel->channels[i];
    if (channel.bits == 0) {
      if (form.is_exact) channel.missing *= 255.0F;
      continue;
    }
    if (decodes_srgb && i < 3) channel.linear = raster::LinearOfStoredTable(channel.bits);
    if (!form.is_exact) continue;
    channel.scale = 1.0F;
    channel.lowest = -channel.largest;
  }
  texel->is_single = IsSingle(*texel, sampler, form);
  return texel;
}

class TextureMaker {
 public:
  TextureMaker(const raster::Sampler& sampler, const WideForm& form, DecodeTexels decode)
      : sampler_(sampler),
        form_(form),
        decode_(decode),
        rows_(RowsOf(sampler, form)),
        source_(sampler, form.is_exact),
        surface_(sampler.resource().surface),
        texture_(std::make_shared<WideTexture>()) {}

  std::shared_ptr<const WideTexture> Make(Workers& workers) {
    SetKind();
    const image::SurfaceDescription& d = surface_.description();
    int32_t next = 0;
    for (uint32_t n = 0; n < d.levels; ++n) {
      const LevelView view = sampler_.View(0, n);
      AddLevel(view, 1 + next);
      next += static_cast<int32_t>(view.level.width * view.level.height * view.depth);
    }
    texture_->face_size = next;
    texture_->texel_count = 1 + static_cast<uint32_t>(next) * d.faces;
    texture_->texels = std::make_unique_for_overwrite<float[]>(size_t{texture_->numbers()} *
                                                               texture_->texel_count);
    if (form_.has_key && !form_.kills_by_alpha) texture_->keyed.resize(texture_->texel_count);
    Put(0, source_.At(sampler_.View(0, 0), {.is_border = true}));
    for (uint32_t face = 0; face < d.faces; ++face) {
      for (uint32_t n = 0; n < d.levels; ++n) {
        const LevelView view = sampler_.View(face, n);
        const int32_t first =
            texture_->levels[n].first + static_cast<int32_t>(face) * texture_->face_size;
        workers.RunRanges(
            view.level.height * view.depth, kTexelsAtOnce / view.level.width,
            [&](uint32_t, uint32_t begin, uint32_t end) { Fill(view, first, begin, end); });
      }
    }
    return texture_;
  }

 private:
  void SetKind() {
    WideTexture& t = *texture_;
    t.is_exact = form_.is_exact;
    t.is_single = rows_ && rows_->is_single;
    t.repeats_first = t.is_single && RepeatsFirst(*rows_);
    t.kills_by_alpha = form_.kills_by_alpha;
    t.compares_depth = sampler_.reader().compares_depth();
    t.is_cube = sampler_.is_cube();
    t.is_volume = form_.is_volume;
    if (!t.is_exact) return;
    const image::Decoder decoder(sampler_.format(), sampler_.palette());
    for (size_t i = 0; i < 4; ++i) {
      const image::StoredChannel& channel = decoder.stored_channels()[i];
      t.scales[i] = image::UnormScale(channel.is_signed ? channel.bits - 1U : channel.bits) *
                    (1.0F / 65536.0F);
    }
  }

  void AddLevel(const LevelView& view, int32_t first) {
    const auto width = static_cast<int32_t>(view.level.width);
    const auto height = static_cast<int32_t>(view.level.height);
    WideLevel level = {.first = first, .axes = {}};
    level.axes[0] = AddAxis(view.address[0], width, 1);
    level.axes[1] = AddAxis(view.address[1], height, width);
    if (view.is_volume)
      level.axes[2] = AddAxis(view.address[2], static_cast<int32_t>(view.depth), width * height);
    texture_->levels.push_back(level);
  }

  WideAxis AddAxis(uint32_t address, int32_t size, int32_t stride) {
    WideAxis wide = {.axis = AxisOf(address, static_cast<uint32_t>(size)),
                     .is_periodic = IsPeriodic(address),
                     .first_tap = static_cast<uint32_t>(texture_->taps.size()),
                     .stride = stride};
    wide.axis.low -= kBeside;
    wide.axis.high += kBeside;
    for (int32_t i = wide.axis.low; i <= wide.axis.high; ++i) {
      const int32_t tap = raster::ResolveTap(i, address, static_cast<uint32_t>(size));
      texture_->taps.push_back(tap == raster::kBorderTap ? WideTexture::kBorder : tap * stride);
    }
    return wide;
  }

  float* NumbersOf(int32_t texel) {
    return &texture_->texels[texture_->numbers() * static_cast<size_t>(texel)];
  }

  void Put(int32_t texel, const Float4& color) {
    std::copy_n(color.begin(), texture_->numbers(), NumbersOf(texel));
  }

  // Rows of all slices of the view, whose first texel is `first`.
  void Fill(const LevelView& view, int32_t first, uint32_t begin, uint32_t end) {
    for (uint32_t row = begin; row < end; ++row) {
      const uint32_t y = row % view.level.height;
      const uint32_t z = row / view.level.height;
      const int32_t texel = first + static_cast<int32_t>(row * view.level.width);
      FillRow(view, y, z, texel);
      if (!texture_->keyed.empty()) FindKeyed(view, y, z, texel);
    }
  }

  void FillRow(const LevelView& view, uint32_t y, uint32_t z, int32_t texel) {
    if (rows_ && !view.is_missing) {
      return decode_(*rows_, view.level.block(0, y, z), view.level.width, NumbersOf(texel));
    }
    for (uint32_t x = 0; x < view.level.width; ++x)
      Put(texel++, source_.At(view, {x, y, z}));
  }

  void FindKeyed(const LevelView& view, uint32_t y, uint32_t z, int32_t texel) {
    for (uint32_t x = 0; x < view.level.width; ++x, ++texel) {
      if (sampler_.reader().MatchesColorKey(view, {x, y, z}))
        texture_->keyed[static_cast<size_t>(texel)] = 1;
    }
  }

  const raster::Sampler& sampler_;
  const WideForm& form_;
  const DecodeTexels decode_;
  const std::optional<TexelChannels> rows_;
  const TexelSource source_;
  const image::Surface& surface_;
  const std::shared_ptr<WideTexture> texture_;
};

}  // namespace

bool HasWideForm(const raster::Sampler& sampler) {
  const image::SurfaceDescription& d = sampler.resource().surface.description();
  const uint64_t texels = uint64_t{d.width} * d.height * d.depth * d.faces;
  return texels <= kMaxTexels && std::max({d.width, d.height, d.depth}) <= kMaxSize;
}

WideForm WideFormOf(const raster::Sampler& sampler, bool is_exact) {
  const raster::SamplerState& state = sampler.state();
  const device::Resource& resource = sampler.resource();
  WideForm form = {.is_exact = is_exact,
                   .decodes_srgb = state.srgb,
                   .is_volume = sampler.is_volume(),
                   .kills_by_alpha = sampler.kills_by_alpha()};
  if (sampler.is_cube()) {
    form.faces = resource.present_faces;
    form.empty_face = resource.empty_face_color;
  } else {
    form.address = state.address;
    if (HasBorder(form.address)) form.border = state.border_color;
  }
  form.has_key = sampler.may_kill();
  if (form.has_key) {
    form.key_low = resource.color_key->low;
    form.key_high = resource.color_key->high;
  }
  return form;
}

std::shared_ptr<const WideTexture> MakeWideTexture(const raster::Sampler& sampler,
                                                   const WideForm& form, DecodeTexels decode,
                                                   Workers& workers) {
  return TextureMaker(sampler, form, decode).Make(workers);
}

}  // namespace dp2trace::fast
