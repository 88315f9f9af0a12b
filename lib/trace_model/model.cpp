#include "trace_model/model.h"

#include <algorithm>
#include <utility>

#include "stream/records.h"
#include "stream/stream.h"
#include "trace/codec.h"

namespace dp2trace::trace_model {
namespace {

// Bytes from the start of the token to the filler that aligns its vertices; nothing where it has none.
std::optional<uint32_t> FillerPlace(const opcode::OpInfo& op) {
  if (op.tails.empty() || op.tails[0].counting != opcode::TailCount::kVertices) return std::nullopt;
  return opcode::kCommandHeaderSize + (op.fixed != nullptr ? op.fixed->size : 0);
}

}  // namespace

ModelToken TokenOf(const stream::Command& command, uint64_t id) {
  ModelToken token = {.id = id, .op = command.op, .bytes = {}};
  std::vector<uint8_t> bytes(command.bytes.begin(), command.bytes.end());
  if (const std::optional<uint32_t> place = FillerPlace(*command.op)) {
    token.filler_at = *place;
    const auto first = bytes.begin() + *place;
    const auto end = first + stream::VertexPadding(command.offset + *place);
    token.filler.assign(first, end);
    bytes.erase(first, end);
  }
  token.bytes = Share(std::move(bytes));
  return token;
}

void AppendToken(const ModelToken& token, uint64_t offset, std::vector<uint8_t>& out) {
  const uint64_t start = offset + out.size();
  const std::vector<uint8_t>& bytes = *token.bytes;
  out.insert(out.end(), bytes.begin(), bytes.begin() + token.filler_at);
  if (token.filler_at != 0) {
    std::vector<uint8_t> filler(stream::VertexPadding(start + token.filler_at));
    if (filler.size() == token.filler.size()) filler = token.filler;
    out.insert(out.end(), filler.begin(), filler.end());
  }
  out.insert(out.end(), bytes.begin() + token.filler_at, bytes.end());
}

SharedBytes Share(std::vector<uint8_t> bytes) {
  return std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
}

size_t Model::token_count() const {
  size_t count = 0;
  for (const auto& event : events)
    count += event->tokens.size();
  return count;
}

size_t Model::byte_count() const {
  size_t count = 0;
  for (const auto& event : events) {
    for (const ModelToken& token : event->tokens)
      count += token.bytes->size();
    if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event->event))
      count += update->data.size();
    trace::Event copy = event->event;
    if (const VertexFields vertices = VerticesOf(copy); vertices.data != nullptr)
      count += vertices.data->size();
  }
  return count;
}

const ModelEvent* Model::Find(uint64_t id) const {
  const auto found = std::ranges::find(events, id, [](const auto& event) { return event->id; });
  return found != events.end() ? found->get() : nullptr;
}

void Model::Replace(ModelEvent event) {
  const auto found = std::ranges::find(events, event.id, [](const auto& e) { return e->id; });
  if (found != events.end()) *found = std::make_shared<const ModelEvent>(std::move(event));
}

void ModelLoader::Add(const trace::EventRecord& record) {
  if (std::holds_alternative<trace::CallResult>(record.event)) return;
  ModelEvent event;
  event.id = next_id_++;
  std::vector<uint8_t> payload;
  trace::EncodePayload(record.event, payload);
  // Each is an allocation or a few; whoever builds the trace has its events a second time.
  constexpr uint64_t kEventCost = sizeof(ModelEvent) + sizeof(trace::Event) + 256;
  constexpr uint64_t kTokenCost = sizeof(ModelToken) + 128;
  size_bytes_ += 2 * payload.size() + kEventCost;  // tokens are kept beside the payload
  event.storage.push_back(Share(std::move(payload)));
  trace::DecodePayload(record.kind, record.flags, *event.storage[0], event.event);
  bindings_.OnEvent(event.event);
  AddCall(event);
  size_bytes_ += event.tokens.size() * kTokenCost;
  model_.events.push_back(std::make_shared<const ModelEvent>(std::move(event)));
}

void ModelLoader::AddCall(ModelEvent& event) {
  if (std::holds_alternative<trace::Render>(event.event))
    return TakeApart(event, bindings_, next_id_);
  auto* const call = std::get_if<trace::Dp2>(&event.event);
  if (call == nullptr) return;
  event.is_call = true;
  const uint64_t size =
      std::min<uint64_t>(call->commands.size(), call->command_length.value_or(UINT32_MAX));
  if (call->command_length == call->commands.size()) call->command_length.reset();
  stream::Decoder decoder(
      call->commands.first(static_cast<size_t>(size)),
      {.command_offset = call->command_offset, .vertex_size = call->vertex_size, .event = {}},
      nullptr);
  for (stream::Command command; decoder.Next(command);)
    event.tokens.push_back(TokenOf(command, next_id_++));
  const Bytes rest = call->commands.subspan(call->commands.size() - decoder.rest().size() -
                                            (call->commands.size() - static_cast<size_t>(size)));
  if (!rest.empty()) {
    event.tokens.push_back(
        {.id = next_id_++, .op = nullptr, .bytes = Share({rest.begin(), rest.end()})});
  }
}

BuiltTrace::BuiltTrace(const Model& model) {
  events_.reserve(model.events.size());
  for (const auto& event : model.events)
    Add(*event);
}

void BuiltTrace::Add(const ModelEvent& event) {
  bindings_.OnEvent(event.event);
  if (event.packet) {
    events_.emplace_back(Assemble(event, bindings_, packets_.emplace_back()));
    return;
  }
  events_.push_back(event.event);
  if (event.is_call) std::get<trace::Dp2>(events_.back()).commands = Encode(event);
}

Bytes BuiltTrace::Encode(const ModelEvent& call) {
  std::vector<uint8_t>& out = commands_.emplace_back();
  const uint64_t offset = std::get<trace::Dp2>(call.event).command_offset;
  for (const ModelToken& token : call.tokens)
    AppendToken(token, offset, out);
  return out;
}

Status BuiltTrace::Write(trace_file::Sink& sink) const {
  for (const trace::Event& event : events_)
    DP2TRACE_RETURN_IF_ERROR(sink.Add(event));
  return sink.Finish();
}

VertexFields VerticesOf(trace::Event& event) {
  if (auto* const call = std::get_if<trace::Dp2>(&event))
    return {&call->vertices, &call->vertex_size, &call->vertex_type, &call->vertex_length};
  auto* const packet = std::get_if<trace::Render>(&event);
  if (packet == nullptr || !packet->dp2_env) return {};
  trace::Dp2Env& env = *packet->dp2_env;
  return {&env.vertices, &env.vertex_size, &env.vertex_type, &env.vertex_length};
}

stream::Environment TokenEnvironment(const ModelEvent& event) {
  uint32_t size = 0;
  if (const auto* const call = std::get_if<trace::Dp2>(&event.event)) size = call->vertex_size;
  const auto* const packet = std::get_if<trace::Render>(&event.event);
  if (packet != nullptr && packet->dp2_env) size = packet->dp2_env->vertex_size;
  return {.command_offset = 0, .vertex_size = size, .event = {}};
}

std::optional<FramedToken> Frame(const ModelToken& token, const stream::Environment& environment) {
  if (token.op == nullptr) return std::nullopt;
  FramedToken framed;
  AppendToken(token, 0, framed.bytes);
  stream::Decoder decoder(framed.bytes, environment, nullptr);
  // The vector's memory moves with it.
  return decoder.Next(framed.command) ? std::optional(std::move(framed)) : std::nullopt;
}

}  // namespace dp2trace::trace_model
