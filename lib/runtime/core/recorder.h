// Turns what a Direct3D runtime does to its driver into trace events: surface handles, surface events, and command batches.
// Knows no API: the models of Direct3D 7, 8 and 9 call it.
// Source: lib/opcode/dp2.md 1, 2 and 12; lib/design.md 3.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/allowance.h"
#include "base/bytes.h"
#include "base/status.h"
#include "opcode/opcode.h"
#include "runtime/core/token.h"
#include "trace/events.h"

namespace dp2trace::runtime {

// Takes the events in order; what an event points to lives until OnEvent returns.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual Status OnEvent(const trace::Event& event) = 0;
};

enum class Transport : uint8_t { kDp2, kKmt };

struct RecorderOptions {
  uint32_t level = 9;            // of the driver, 7-9
  uint32_t runtime_version = 5;  // of contexts: 3 = 7.0, 4 = 8.0, 5 = 9.0
  bool d3d9ex = false;
  Transport transport = Transport::kDp2;
  std::string generator = "dp2trace";
  std::string source = {};        // of markers: the name of the capture
  size_t batch_size = 64 * 1024;  // bytes of commands after which a batch ends
  // What the models hold and do counts against it.
  std::shared_ptr<Allowance> allowance = std::make_shared<Allowance>();
};

// Writes the packets of the transport that is not the plain DP2 call. Source: lib/kmt/packets.md 6.
class PacketWriter;

// A failure of the sink stays: later calls do nothing. Calls may come in any order; the header is written before the first event.
class Recorder {
 public:
  Recorder(EventSink& sink, RecorderOptions options);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  const RecorderOptions& options() const { return options_; }
  const Status& status() const { return status_; }
  uint64_t event_count() const { return event_count_; }
  uint64_t draw_count() const { return draw_count_; }  // tokens of the kind draw
  // Tokens, blits, presents and reads: while it stays the same, nobody has looked at a surface.
  uint64_t use_count() const { return use_count_; }

  // Asks for memory to keep the content of a buffer; not granted where it is too much. Nothing is exceeded by that.
  MemoryShare KeepMemory(uint64_t size) const;
  // The program made something of that size that the models keep; the allowance is exceeded where it is too much.
  void Hold(uint64_t size) const { (void)options_.allowance->Take(size); }
  void GiveBack(uint64_t size) const { options_.allowance->Give(size); }
  MemoryShare HoldShare(uint64_t size) const { return {options_.allowance, size}; }
  // Counts work that is not a token or an event. False once there was too much.
  bool Spend(uint64_t steps) const { return options_.allowance->Spend(steps); }
  // What an entry of a table counts for: a node of a map, and what its value may hold beside.
  template <class Map>
  static constexpr uint64_t kEntrySize = sizeof(typename Map::value_type) + 128;
  // The value at a key of a table of a model. What entries take is counted.
  template <class Map>
  typename Map::mapped_type& At(Map& table, const typename Map::key_type& key) const {
    const auto [entry, is_new] = table.try_emplace(key);
    if (is_new) (void)options_.allowance->Take(kEntrySize<Map>);
    return entry->second;
  }
  template <class Map>
  bool Erase(Map& table, const typename Map::key_type& key) const {
    if (table.erase(key) == 0) return false;
    options_.allowance->Give(kEntrySize<Map>);
    return true;
  }

  // A name space of surface handles: one DirectDraw object, or one Direct3D 8 or 9 device. Numbered from 0.
  uint32_t NewSpace();
  // The smallest free handle from 1.
  uint32_t NewHandle(uint32_t space);
  void FreeHandle(uint32_t space, uint32_t handle);

  // The handles of the event come from NewHandle(). Repeat for a live handle: the description changes, the contents stay.
  void CreateSurface(const trace::SurfaceCreate& surface);
  // Frees the handle and those of its sub-surfaces (given to the first CreateSurface of the handle).
  void DestroySurface(uint32_t space, uint32_t handle);
  void UpdateSurface(const trace::SurfaceUpdate& update) { Emit(update); }
  void ReadSurface(const trace::SurfaceRead& read) {
    ++use_count_;
    Emit(read);
  }
  void Blt(const trace::Blt& blt) {
    ++use_count_;
    Emit(blt);
  }
  void Present(const trace::Present& present) {
    ++use_count_;
    Emit(present);
  }
  // `position` is the number of the API call.
  void Mark(std::string_view text, uint64_t position);

  // The new context's id, from 1, never used again. Without `runtime_version` that of the options.
  uint64_t CreateContext(uint32_t space, uint32_t target, uint32_t depth,
                         std::optional<uint32_t> runtime_version = {});
  void DestroyContext(uint64_t context);

  // Appends a token to the batch of the context. `values` are the elements of the operation's fixed structure and then of its records,
  // in the order of the table, floats as bits (Bits()). `tail` follows the last record. Consecutive RENDERSTATE and
  // TEXTURESTAGESTATE tokens become one. `count` is the header's count where it does not follow from the number of records.
  void Token(uint64_t context, opcode::Op op, std::span<const uint32_t> values, Bytes tail = {},
             std::optional<uint16_t> count = {});
  void Token(uint64_t context, opcode::Op op, std::initializer_list<uint32_t> values,
             Bytes tail = {}, std::optional<uint16_t> count = {}) {
    Token(context, op, std::span<const uint32_t>(values.begin(), values.size()), tail, count);
  }

  // Adds vertices to the batch's call (dwVertexType, dwVertexSize, user memory) and returns the number of the first one. The batch is
  // ended first where its vertices have another type or size, or where the number would not leave 16 bits for an index. The next
  // draw token stays in the same call.
  uint32_t AddVertices(uint64_t context, uint32_t vertex_type, uint32_t vertex_size,
                       Bytes vertices);

  // Ends the batch: one `dp2` (or `render`) event.
  void Flush();
  // Ends the batch; a recording without events gets its header.
  void Finish();

 private:
  friend class PacketWriter;

  struct Space {
    std::set<uint32_t> free;  // freed handles
    uint32_t next = 1;
    std::map<uint32_t, std::vector<uint32_t>> sub_handles;  // by root handle
  };
  struct Batch {
    uint64_t context = 0;
    TokenBuffer tokens;
    std::vector<uint8_t> vertices;
    uint32_t vertex_type = 0;
    uint32_t vertex_size = 0;
    bool is_pinned = false;  // vertices were added and their draw has not come
  };

  // Ends the batch and gives the event to the sink.
  template <class T>
  void Emit(const T& event) {
    Flush();
    Send(trace::Event(event));
  }
  void Send(const trace::Event& event);
  void SendHeader();
  void SendBatch();
  void SwitchTo(uint64_t context);

  EventSink& sink_;
  RecorderOptions options_;
  Status status_;
  uint64_t event_count_ = 0;
  uint64_t draw_count_ = 0;
  uint64_t use_count_ = 0;
  uint32_t space_count_ = 0;
  uint64_t next_context_ = 1;
  std::map<uint32_t, Space> spaces_;
  std::map<uint64_t, uint32_t> context_spaces_;
  Batch batch_;
  std::unique_ptr<PacketWriter> packets_;  // null: plain DP2 calls
};

}  // namespace dp2trace::runtime
