// A trace as parts that can be left out and changed: events, the tokens of calls, the records of tokens. Cheap to copy.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "opcode/opcode.h"
#include "stream/stream.h"
#include "trace/events.h"
#include "trace/reader.h"
#include "trace_file/sink.h"
#include "trace_model/model_packet.h"

namespace dp2trace::trace_model {

using SharedBytes = std::shared_ptr<const std::vector<uint8_t>>;
SharedBytes Share(std::vector<uint8_t> bytes);

// A token; what could not be framed at the end of a call is one without operation.
struct ModelToken {
  uint64_t id = 0;
  const opcode::OpInfo* op = nullptr;
  SharedBytes bytes;       // with the command header, without the filler before immediate vertices
  uint32_t filler_at = 0;  // where the filler goes; 0: there is none
  std::vector<uint8_t> filler = {};  // as it was: 0 to 3 bytes
};

ModelToken TokenOf(const stream::Command& command, uint64_t id);
// Appends the token to a buffer whose first byte stands at `offset`, with the filler that it needs there.
void AppendToken(const ModelToken& token, uint64_t offset, std::vector<uint8_t>& out);

// An event. Of a DP2 call, and of a packet that carries one, the command bytes are its tokens.
struct ModelEvent {
  uint64_t id = 0;
  trace::Event event;  // views into `storage`
  std::vector<SharedBytes> storage;
  bool is_call = false;
  std::vector<ModelToken> tokens;
  std::optional<PacketParts> packet = {};  // of a packet with tokens
};

// What a call or a packet says of the vertices of its tokens; all null where the event is neither, or says nothing.
struct VertexFields {
  Bytes* data = nullptr;
  uint32_t* size = nullptr;  // bytes of one
  uint32_t* type = nullptr;  // FVF code
  std::optional<uint32_t>* length = nullptr;
};
VertexFields VerticesOf(trace::Event& event);
// The environment of only one of its tokens.
stream::Environment TokenEnvironment(const ModelEvent& event);

struct Model {
  std::vector<std::shared_ptr<const ModelEvent>> events;

  // Tokens of all calls and packets.
  size_t token_count() const;
  // Bytes of tokens, contents and vertices.
  size_t byte_count() const;
  // The event with this id, or null.
  const ModelEvent* Find(uint64_t id) const;
  // Puts another event in the place of the one with its id.
  void Replace(ModelEvent event);
};

// Collects the events of a trace, `call_result` left out: the calls carry their results (trace_file::WithResults).
class ModelLoader {
 public:
  void Add(const trace::EventRecord& record);
  Model Take() { return std::move(model_); }
  // Of the events so far, as they are kept.
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  void AddCall(ModelEvent& event);

  PacketBindings bindings_;
  Model model_;
  uint64_t next_id_ = 1;
  uint64_t size_bytes_ = 0;
};

// The events of a model as a trace has them. Views into the model and into this object, which does not move.
class BuiltTrace {
 public:
  explicit BuiltTrace(const Model& model);
  BuiltTrace(const BuiltTrace&) = delete;
  BuiltTrace& operator=(const BuiltTrace&) = delete;

  const std::vector<trace::Event>& events() const { return events_; }
  Status Write(trace_file::Sink& sink) const;

 private:
  Bytes Encode(const ModelEvent& call);
  void Add(const ModelEvent& event);

  PacketBindings bindings_;
  std::deque<std::vector<uint8_t>> commands_;
  std::deque<PacketBytes> packets_;
  std::vector<trace::Event> events_;
};

// The command of a token, as a stream of its own has it; nothing for a token without operation.
struct FramedToken {
  std::vector<uint8_t> bytes;
  stream::Command command;
};
std::optional<FramedToken> Frame(const ModelToken& token, const stream::Environment& environment);

}  // namespace dp2trace::trace_model
