// Palettes reach a driver by tokens of a context. A DirectDraw object whose program makes no Direct3D device gets a context only for them, so
// that blits and pictures of its surfaces have their colours.
// Unspecified: how a driver learns the palettes of such a program (DdSetPalette, DdSetEntries are no events); chosen: by the same tokens.
// Source: lib/opcode/dp2.md 13.3.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "runtime/core/recorder.h"
#include "runtime/ddraw/surface.h"

namespace dp2trace::runtime::ddraw {

// Entries [first, first + count), as far as they are known.
void SendPalette(Recorder& recorder, uint64_t context, const Palette& palette, uint32_t first,
                 uint32_t count);
// Which palette the surface has.
void SendSurfacePalette(Recorder& recorder, uint64_t context, const Surface& surface);

class PaletteContexts {
 public:
  explicit PaletteContexts(Recorder& recorder) : recorder_(recorder) {}

  // SetPalette in a space without a device.
  void OnSurfacePalette(const Surface& root);
  // SetEntries.
  void OnEntries(const Palette& palette, uint32_t first, uint32_t count);
  // A device of the space takes over.
  void Close(uint32_t space);

 private:
  struct Holder {
    uint32_t target = 0;  // handle of a surface of one pixel, since a context has a target
    uint64_t context = 0;
    std::set<uint32_t> palettes;  // by number
  };
  Holder& HolderOf(uint32_t space);

  Recorder& recorder_;
  std::map<uint32_t, Holder> holders_;  // by space
};

}  // namespace dp2trace::runtime::ddraw
