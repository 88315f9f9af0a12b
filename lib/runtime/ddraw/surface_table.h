// All surfaces of a process: creation, attachment, life time, colour keys, flips; and the surface events of all of these.
// Source: lib/design.md 3 ("Surfaces", "Present"); lib/opcode/dp2.md 12 and 13.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "runtime/core/recorder.h"
#include "runtime/ddraw/blt_placement.h"
#include "runtime/ddraw/surface.h"

namespace dp2trace::runtime::ddraw {

struct DisplayMode {
  uint32_t width = 1024;
  uint32_t height = 768;
  uint32_t bit_count = 32;
};

// What a lock gave to the program.
struct LockedArea {
  d3d::Rect rect;  // whole blocks for block formats
  bool is_whole = false;
  uint32_t pitch = 0;     // bytes from row (of blocks) to row
  uint32_t row_size = 0;  // bytes of a row of `rect`
  uint32_t rows = 0;      // rows (of blocks) of `rect`
  uint32_t flags = 0;
  uint64_t size() const { return uint64_t{pitch} * rows; }
};

class SurfaceTable {
 public:
  explicit SurfaceTable(Recorder& recorder) : recorder_(recorder) {}
  SurfaceTable(const SurfaceTable&) = delete;
  SurfaceTable& operator=(const SurfaceTable&) = delete;

  // The new surface with all its parts; null when the description cannot be one (no size, no known format).
  Surface* Create(uint32_t space, const DisplayMode& mode, const SurfaceDescription& description,
                  ObjectId id);
  // Null where no live surface has this interface.
  Surface* Find(ObjectId id) const;
  // The same, for those who only watch whether it lives.
  std::shared_ptr<Surface> Share(ObjectId id) const;
  static std::shared_ptr<Surface> Share(const Surface& surface);

  // A call returned the interface of this surface: one more reference.
  void AddInterface(ObjectId id, Surface& surface);
  // AddRef and Release returned this count. False where no surface has this interface.
  bool SetReferences(ObjectId id, uint32_t count);
  // The driver side (a device, an attachment) holds a reference through this interface.
  void Hold(ObjectId id);
  // Nothing where the interface is gone, or its pointer serves another surface by now.
  void LetGo(ObjectId id, const Surface& surface);
  // The driver side uses the surface, whatever references the program holds.
  void Pin(Surface& surface) { ++surface.complex->pins; }
  void Unpin(Surface& surface);

  // GetAttachedSurface: the attachment that has these caps, or null.
  static Surface* FindAttached(Surface& surface, uint32_t caps, uint32_t caps2);
  void AttachDepth(Surface& surface, Surface& depth, ObjectId depth_interface);
  // Null: whatever is attached.
  void DetachDepth(Surface& surface, const Surface* depth);
  void DetachAll(Surface& surface);
  // A surface that is not a depth buffer.
  void Attach(Surface& surface, Surface& attached, ObjectId attached_interface);
  // The same; false where it was not attached. Null: all of them.
  bool Detach(Surface& surface, const Surface* attached);
  // The buffers that Flip exchanges, the front one first: those of the complex, or those that the program attached one by one.
  static std::vector<Surface*> ChainOf(Surface& front);

  // SetColorKey; no key removes it.
  void SetColorKey(Surface& surface, uint32_t flags, std::optional<d3d::ColorKey> key);
  // A call returned this description: corrects a size or format that was taken from the display mode.
  // True where the surface has other handles now.
  bool Learn(Surface& surface, const SurfaceDescription& description);
  // Flip: presents the next buffer (or `override`), where the chain is the primary's, and exchanges the memory of the chain: of all its
  // buffers, or of the front buffer and `override`. False without a chain.
  bool Flip(Surface& front, Surface* override);

  // Blt and BltFast, cut at the edges and at the clip list of the destination; mirrored blits and cut stretched ones become several.
  // `takes_source_dest_key`: the interface looks for the destination key at the source. False: nothing recorded.
  struct BltCall {
    Surface* dest = nullptr;
    std::optional<d3d::Rect> dest_rect;
    Surface* source = nullptr;
    std::optional<d3d::Rect> source_rect;
    uint32_t flags = 0;  // ddblt
    std::optional<BltEffects> effects;
    bool takes_source_dest_key = false;
  };
  bool Blt(const BltCall& call);

  // An overlay is in no memory that a program can read: it is seen in what is presented. Each call that changes what is seen presents
  // the primary surface anew. False: nothing changes, since the destination is not a primary surface of more than 8 bits, the source
  // rectangle is not on the overlay, or alpha is asked for.
  struct OverlayCall {
    Surface* overlay = nullptr;
    std::optional<d3d::Rect> source_rect = std::nullopt;
    Surface* dest = nullptr;
    std::optional<d3d::Rect> dest_rect = std::nullopt;
    uint32_t flags = 0;  // ddover
    std::optional<OverlayEffects> effects = std::nullopt;
  };
  bool UpdateOverlay(const OverlayCall& call);
  // False where the overlay is not shown, or the reference of an order that needs one is not.
  bool SetOverlayPosition(const Surface& overlay, int32_t x, int32_t y);
  bool SetOverlayOrder(const Surface& overlay, OverlayOrder order, const Surface* reference);

  // Empty where the area is not on the surface.
  static std::optional<LockedArea> AreaOf(const Surface& surface,
                                          const std::optional<d3d::Rect>& rect,
                                          const SurfaceDescription& locked, uint32_t flags);
  // The program wrote `bytes` at `offset` after the pointer of the lock.
  void Write(const Surface& surface, const LockedArea& area, uint64_t offset, Bytes bytes);
  // The program looked at the area.
  void Read(const Surface& surface, const LockedArea& area);

  const std::vector<std::unique_ptr<Complex>>& complexes() const { return complexes_; }

 private:
  struct Interface {
    Surface* surface = nullptr;
    uint32_t references = 0;
  };
  struct Overlay {
    std::weak_ptr<Surface> surface;
    std::weak_ptr<Surface> primary;
    BltCall call;  // without its surfaces
  };

  void AddParts(Complex& complex, const SurfaceDescription& description);
  void AddChain(Complex& complex, uint32_t count);
  void Announce(const Surface& root);
  void Replace(Complex& complex);
  void AnnounceAll(const Complex& complex);
  void Drop(ObjectId id);
  void DestroyIfUnused(Complex& complex);
  void RecordBlt(trace::Blt event, const d3d::Rect& dest, const d3d::Rect& source);
  void MirrorBlt(const trace::Blt& event, const BltPlacement& placement);
  bool BltThroughTemporary(const BltCall& call, const trace::Blt& event,
                           const BltPlacement& placement);
  bool BltCopy(const BltCall& call, trace::Blt& event, const BltPlacement& placement);
  // Presents the memory of the primary surface that `handle` names, with the overlays above it.
  void Show(const Surface& primary, uint32_t handle, const std::optional<d3d::Rect>& rect);
  // The overlay has another image or place: presents what is below it. Nothing for a surface that is not a visible overlay.
  void ShowBelow(const Surface& overlay);
  size_t OverlayIndex(const Surface& overlay) const;
  void UpdateRows(const Surface& surface, const LockedArea& area, const d3d::Rect& rect,
                  Bytes bytes);

  Recorder& recorder_;
  std::vector<std::unique_ptr<Complex>> complexes_;
  std::map<ObjectId, Interface> interfaces_;
  std::vector<Overlay> overlays_;  // those that are shown, the lowest first
};

}  // namespace dp2trace::runtime::ddraw
