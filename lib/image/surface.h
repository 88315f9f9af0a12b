// A surface in memory: every face, level and slice in its stored format, without padding, uninitialised texels 0.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "base/zeroed_bytes.h"
#include "image/level.h"

namespace dp2trace::image {

inline constexpr uint32_t kCubeFaces = 6;

struct SurfaceLimits {
  uint32_t max_dimension = 16384;  // pixels along each axis; not for buffers
  uint64_t max_bytes = uint64_t{1} << 30;
  // False: only buffers hold bytes. What is written to other surfaces is checked and forgotten, and they must not be read.
  bool keeps_pixels = true;
};

struct SurfaceDescription {
  d3d::Format format = d3d::Format::Unknown;
  uint32_t width = 0;  // pixels; bytes for a buffer
  uint32_t height = 1;
  uint32_t depth = 1;
  uint32_t levels = 1;
  uint32_t faces = 1;  // 1, or 6 in the order +X, -X, +Y, -Y, +Z, -Z
  // 0 and 1: none; others are rounded up to 2, 4 or 8 (lib/raster/rendering-geometry.md 1.10).
  uint32_t samples = 1;
  bool operator==(const SurfaceDescription&) const = default;
};

// Part of a level in texels; right, bottom and back are exclusive.
struct Area {
  uint32_t left = 0, top = 0, right = 0, bottom = 0;
  uint32_t front = 0, back = 1;

  uint32_t width() const { return right - left; }
  uint32_t height() const { return bottom - top; }
  uint32_t depth() const { return back - front; }
  bool operator==(const Area&) const = default;
};

// Bytes of an area outside a surface. Pitch 0: without padding. For planar formats the pitch is that of the luma plane.
struct AreaBytes {
  Bytes bytes;
  uint64_t pitch = 0;        // bytes from row (of blocks) to row
  uint64_t slice_pitch = 0;  // bytes from slice to slice
};

// Work that changes a surface and has not been done yet: drawing that a renderer has put off.
class PendingWork {
 public:
  // Does it. The surface has forgotten the work when this is called.
  virtual void Finish() = 0;

 protected:
  ~PendingWork() = default;
};

class Surface {
 public:
  // A copy for a snapshot, with the same id and generation: it shares the bytes until TakeOwnBytes(), and nobody writes to them until then.
  // Pending work is done before.
  explicit Surface(const Surface& other);
  Surface(Surface&& other) noexcept;
  Surface& operator=(Surface&& other) noexcept;
  ~Surface() { FinishPending(); }

  // Fails (REPLAY-SURFACE-001) when the format is unknown, a count is impossible or a limit is exceeded; nothing is allocated then.
  // Volumes have neither faces nor samples; multisampled surfaces have one level and one face.
  static Result<Surface> Create(const SurfaceDescription& description,
                                const SurfaceLimits& limits = {});

  const SurfaceDescription& description() const { return description_; }
  // The layout of the texels. All buffers are VERTEXDATA: rows of bytes.
  const d3d::FormatInfo& info() const { return *info_; }
  // Of the stored form, held or not.
  uint64_t size_bytes() const { return face_size_ * description_.faces; }
  // False where only the layout is known; levels have no bytes then.
  bool has_pixels() const { return has_pixels_; }

  // Has the work done before anybody reads or changes the bytes, and before the surface goes away or moves. The work outlives the
  // surface, or is done or taken back before.
  void SetPending(PendingWork* work) {
    pending_ = work;
    ++generation_;
  }
  // Grows with everything that may have changed the bytes: each writable view, update and SetPending() counts.
  uint64_t generation() const { return generation_; }
  // No two surfaces of the process have the same, but copies.
  uint64_t id() const { return id_; }
  // From here on the bytes are not shared with the surface that this is a copy of. With `earlier`, which is a copy, too, and will not be
  // written: they are its bytes, where these are the same.
  void TakeOwnBytes(const Surface* earlier = nullptr);
  bool SharesBytes(const Surface& other) const { return bytes_.data() == other.bytes_.data(); }

  bool HasLevel(uint32_t face, uint32_t level) const;
  // Only where HasLevel(). Views live as long as the surface does.
  Level level(uint32_t face, uint32_t level);
  ConstLevel level(uint32_t face, uint32_t level) const;
  // All texels of the level; depth 1 for multisampled surfaces.
  Area WholeLevel(uint32_t level) const;

  // Fails: REPLAY-SURFACE-002 no such face, level or area, -003 area not on block borders (planar formats: not the whole level).
  // Areas may end at the end of the block that the edge of the level cuts.
  Status CheckArea(uint32_t face, uint32_t level, const Area& area) const;

  // Writes an area; every sample of a multisampled surface receives the same. An empty area writes nothing. Fails without a change:
  // as CheckArea, or REPLAY-SURFACE-004 pitches or bytes do not fit.
  Status Update(uint32_t face, uint32_t level, const Area& area, const AreaBytes& source);
  // Writes bytes of a level's storage (a buffer's content) from `offset` on. Fails: REPLAY-SURFACE-002.
  Status UpdateRange(uint32_t face, uint32_t level, uint64_t offset, Bytes bytes);
  // The stored bytes of an area without padding, of one sample of multisampled surfaces. Fails as CheckArea does.
  Result<std::vector<uint8_t>> Read(uint32_t face, uint32_t level, const Area& area,
                                    uint32_t sample = 0) const;

 private:
  struct LevelPlace {
    uint64_t offset;  // in a face
    uint64_t pitch;
    uint64_t slice_pitch;
    uint32_t width, height, slices;
  };

  Surface() = default;
  void FinishPending() const;
  template <class Byte>
  BasicLevel<Byte> View(Byte* bytes, uint32_t face, uint32_t level) const;

  SurfaceDescription description_;
  const d3d::FormatInfo* info_ = nullptr;
  std::vector<LevelPlace> levels_;
  uint64_t face_size_ = 0;
  bool has_pixels_ = true;
  ZeroedBytes bytes_;
  mutable PendingWork* pending_ = nullptr;
  uint64_t generation_ = 0;
  uint64_t id_ = 0;
};

// The smallest area of whole blocks around `area`, cut at the edges of the level. Source: lib/raster/rendering-output.md 7.1.
Area AlignToBlocks(const d3d::FormatInfo& info, const Area& area, const ConstLevel& level);

// Copies an area between surfaces of equal format as if the source were read first, so both may be the same. Fails as Update does.
struct TexelPosition {
  uint32_t face = 0, level = 0, x = 0, y = 0, z = 0;
};
Status CopyArea(const Surface& source, uint32_t face, uint32_t level, const Area& area,
                Surface& destination, const TexelPosition& position);

}  // namespace dp2trace::image
