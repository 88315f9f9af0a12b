// What the vertices of a trace consist of, by the draws that read them: for events that do not say it themselves.
// Source: lib/opcode/dp2.md 6 and 18; traces/README.md, "Vertices".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "play/listener.h"

namespace dp2trace::state {

// Listens to a player over the whole trace.
class VertexWords final : public play::Listener {
 public:
  Status BeforeEvent(const trace::Event& event) override;
  bool OnDraw(const device::Draw& draw) override;

  // After the last event: one letter for each 4 bytes of a vertex, f a float, x other bits; of the vertices of a call, or of what an upload puts into a
  // vertex buffer. Null where no draw reads them, or draws do so in several ways.
  const std::string* Find(uint64_t event) const;
  // The event puts bytes into a vertex buffer.
  bool IsVertexUpload(uint64_t event) const { return uploads_.contains(event); }

 private:
  struct Format {
    uint32_t stride = 0;  // bytes; 0: not known yet
    // Of the first vertex, bytes from the start of the buffer, below the stride.
    uint64_t phase = 0;
    std::string words = {};  // a blank: nobody has read them
    bool is_mixed = false;
  };
  struct Upload {
    uint64_t buffer = 0;  // event that created it
    uint64_t begin = 0;   // bytes
  };
  static void Merge(Format& format, const Format& other);
  const Format* FormatOf(uint64_t event) const;

  std::map<std::pair<uint32_t, uint32_t>, uint64_t> creations_;  // by space and handle
  std::map<uint64_t, Upload> uploads_;                           // by event
  std::map<uint64_t, Format> calls_, buffers_;                   // by event; of its creation
  mutable std::string found_;
};

}  // namespace dp2trace::state
