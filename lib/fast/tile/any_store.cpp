#include "fast/tile/any_store.h"

#include <optional>

#include "d3d/enums.h"
#include "raster/texture/srgb_table.h"

namespace dp2trace::fast {
namespace {

using Kind = TexelChannel::Kind;

uint32_t BitsOf(const TexelChannel& channel) {
  return channel.bits == 32 ? ~0U : ((1U << channel.bits) - 1) << channel.shift;
}

}  // namespace

AnyStore AnyStoreOf(const raster::TargetWriter& writer) {
  const d3d::FormatInfo& info = *writer.level().info;
  AnyStore store;
  store.pixel_size = info.block_size;
  store.word_count = (info.block_size + 3U) / 4;
  store.range = writer.range();
  store.is_srgb = writer.is_srgb();
  store.dithers = writer.dithers();
  store.has_logic = writer.has_logic();
  store.rop2 = writer.rop2();
  store.plane_mask = writer.plane_mask();
  store.blend = writer.blend();
  store.blends = store.blend.is_enabled && store.rop2 == d3d::Value(d3d::Rop2::CopyPen);
  store.reads = store.blends || store.has_logic;
  const std::optional<TexelChannels> texel = ChannelsOf(info);
  for (size_t i = 0; texel && i < 4; ++i) {
    StoredChannel& channel = store.channels[i];
    static_cast<TexelChannel&>(channel) = texel->channels[i];
    const bool is_color = i < 3;
    if (store.is_srgb && is_color) channel.linear = raster::LinearOfStoredTable(channel.bits);
    channel.is_dithered =
        store.dithers && is_color && channel.kind == Kind::kUnsigned && channel.bits < 8;
    if (channel.linear != nullptr && !channel.is_dithered)
      channel.steps = &SrgbStepsOf(channel.bits);
    // One stored channel has one writer: luminance takes red.
    const bool is_copy = info.kind == d3d::FormatKind::kLuminance && (i == 1 || i == 2);
    channel.is_stored = channel.kind != Kind::kMissing && !is_copy;
    if (!channel.is_stored) continue;
    const bool is_written = (writer.write_mask() >> i & 1U) != 0;
    (is_written ? store.written_bits : store.kept_bits)[channel.word] |= BitsOf(channel);
    store.reads = store.reads || !is_written;
  }
  return store;
}

}  // namespace dp2trace::fast
