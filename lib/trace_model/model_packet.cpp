#include "trace_model/model_packet.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "kmt/handle_words.h"
#include "trace/command_stream.h"
#include "trace_model/model.h"

namespace dp2trace::trace_model {
namespace {

using device::KmtKey;

// Where a token stands in the command buffer. Later tokens have larger ids.
struct TokenPlace {
  uint64_t id = 0;
  uint64_t begin = 0, end = 0;
};

const TokenPlace* PlaceOf(const std::vector<TokenPlace>& places, uint64_t offset) {
  const auto next = std::ranges::upper_bound(places, offset, {}, &TokenPlace::begin);
  if (next == places.begin() || offset >= (next - 1)->end) return nullptr;
  return &*(next - 1);
}

const TokenPlace* Find(const std::vector<TokenPlace>& places, uint64_t id) {
  const auto found = std::ranges::lower_bound(places, id, {}, &TokenPlace::id);
  return found != places.end() && found->id == id ? &*found : nullptr;
}

// The handle word at an offset from the start of the token.
std::optional<kmt::HandleWord> WordAt(Bytes token, uint64_t offset) {
  kmt::HandleWordCursor cursor(token);
  for (kmt::HandleWord word; cursor.Next(word);)
    if (word.offset == offset) return word;
  return std::nullopt;
}

// The NULL element, those that words name in the order of the first, and the others.
std::vector<ModelElement> Ordered(const std::vector<ModelElement>& elements,
                                  const trace::Render& packet, Bytes buffer,
                                  const std::vector<TokenPlace>& places,
                                  const PacketBindings& bindings) {
  std::vector<ModelElement> ordered;
  std::vector<bool> is_taken(elements.size());
  const auto take = [&](size_t i) {
    if (!is_taken[i]) ordered.push_back(elements[i]);
    is_taken[i] = true;
  };
  if (!elements.empty() && elements[0].element.handle == 0) take(0);
  for (const TokenPlace& place : places) {
    kmt::HandleWordCursor cursor(buffer.subspan(place.begin, place.end - place.begin));
    for (kmt::HandleWord word; cursor.Next(word);) {
      const uint32_t allocation = bindings.Find(packet, word.value);
      for (size_t i = 0; allocation != 0 && i < elements.size(); ++i) {
        if (elements[i].element.handle != allocation) continue;
        take(i);
        break;
      }
    }
  }
  for (size_t i = 0; i < elements.size(); ++i)
    take(i);
  return ordered;
}

// Adds what is expected and not there.
void AddExpected(const std::vector<kmt::AllocationElement>& expected,
                 std::vector<ModelElement>& elements) {
  for (const kmt::AllocationElement& element : expected) {
    if (element.handle == 0) continue;
    const auto found = std::ranges::find(elements, element.handle,
                                         [](const ModelElement& e) { return e.element.handle; });
    if (found != elements.end()) {
      found->element.value |= element.value;
    } else {
      elements.push_back({.id = 0, .index = UINT32_MAX, .element = element});
    }
  }
}

bool HoldsAll(const std::vector<kmt::AllocationElement>& expected,
              std::vector<ModelElement> elements) {
  const std::vector<ModelElement> before = elements;
  AddExpected(expected, elements);
  return std::ranges::equal(before, elements, {}, &ModelElement::element, &ModelElement::element);
}

// What recorded an amount of something counts as many fewer or more.
void Shift(std::optional<uint32_t>& count, size_t before, size_t now) {
  if (count) *count += static_cast<uint32_t>(now) - static_cast<uint32_t>(before);
}

// Takes what stands in the command extent apart; false where that is nothing.
bool TakeTokens(ModelEvent& event, const trace::CommandStream& stream, uint64_t& next_id,
                std::vector<TokenPlace>& places) {
  stream::Decoder decoder(stream.bytes, stream.environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    places.push_back({next_id, command.offset, command.offset + command.bytes.size()});
    event.tokens.push_back(TokenOf(command, next_id++));
  }
  const Bytes rest = decoder.rest();
  if (!rest.empty()) {
    const uint64_t begin = stream.environment.command_offset + stream.bytes.size() - rest.size();
    places.push_back({next_id, begin, begin + rest.size()});
    event.tokens.push_back(
        {.id = next_id++, .op = nullptr, .bytes = Share({rest.begin(), rest.end()})});
  }
  return !event.tokens.empty();
}

void TakePatches(const trace::Render& packet, const std::vector<TokenPlace>& places,
                 PacketParts& parts, uint64_t& next_id) {
  const kmt::PatchListView list(packet.patch_location_list);
  for (size_t i = 0; i < list.size(); ++i) {
    ModelPatch patch = {.id = next_id++, .element = list[i]};
    if (const TokenPlace* const place = PlaceOf(places, patch.element.patch_offset)) {
      patch.token = place->id;
      patch.element.patch_offset -= static_cast<uint32_t>(place->begin);
      const auto word =
          WordAt(packet.command_buffer.subspan(place->begin, place->end - place->begin),
                 patch.element.patch_offset);
      patch.follows_word = word && word->driver_id() == patch.element.driver_id &&
                           word->slot == patch.element.slot_id();
    }
    if (const TokenPlace* const place = PlaceOf(places, patch.element.split_offset)) {
      patch.split_token = place->id;
      patch.element.split_offset -= static_cast<uint32_t>(place->begin);
    }
    parts.patches.push_back(patch);
  }
}

}  // namespace

// ---------- what is bound ----------

void PacketBindings::OnEvent(const trace::Event& event) {
  std::visit(
      [&](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::Header>) {
          StartSession(e);
        } else if constexpr (std::is_same_v<T, trace::KmtContextCreate>) {
          (void)objects_.OnContextCreate(e);
          streams_.erase({e.process, e.context});
          if (e.d3d && !device::HasKmtFailed(e.status)) StreamOf({e.process, e.context}, *e.d3d);
        } else if constexpr (std::is_same_v<T, trace::KmtContextDestroy>) {
          (void)objects_.OnContextDestroy(e);
        } else if constexpr (std::is_same_v<T, trace::DeviceDestroy>) {
          (void)objects_.OnDeviceDestroy(e);
        } else if constexpr (requires { objects_.On(e); }) {
          objects_.On(e);
        }
        if constexpr (std::is_same_v<T, trace::Dp2Unbind>) Release(e.process, e.device, e.handle);
      },
      event);
}

void PacketBindings::StartSession(const trace::Header& header) {
  streams_.clear();
  objects_ = {};
  profile_ = validate::PacketProfile(header);
  objects_.OnHeader(header);
}

runtime::PacketStream& PacketBindings::StreamOf(const KmtKey& key, const trace::D3dContext& d3d) {
  const auto found = streams_.find(key);
  if (found != streams_.end()) return found->second;
  const auto find = [this, key](uint32_t handle) -> runtime::SurfaceBinding {
    const device::KmtContext* const context = objects_.FindKmtContext(key.first, key.second);
    const auto target =
        context != nullptr && handle != 0 ? objects_.Resolve(*context, handle) : std::nullopt;
    if (!target) return {};
    return {target->allocation, static_cast<uint32_t>(target->base_offset)};
  };
  const auto send = [this](const trace::Render& packet) {
    const kmt::AllocationListView list(packet.allocation_list);
    for (size_t i = 0; i < list.size(); ++i)
      expected_.push_back(list[i]);
  };
  const runtime::PacketStreamOptions options = {
      .process = key.first, .context = key.second, .target = d3d.target, .depth = d3d.depth};
  return streams_.emplace(key, runtime::PacketStream(options, find, send)).first->second;
}

void PacketBindings::Release(uint32_t process, uint32_t device, uint32_t handle) {
  for (auto& [key, stream] : streams_) {
    const device::KmtContext* const context = objects_.FindKmtContext(key.first, key.second);
    if (context != nullptr && context->process == process && context->device == device)
      stream.Release(handle);
  }
}

uint32_t PacketBindings::Find(const trace::Render& packet, uint32_t handle) const {
  const device::KmtContext* const context = objects_.FindKmtContext(packet.process, packet.context);
  if (context == nullptr || handle == 0) return 0;
  const auto target = objects_.Resolve(*context, handle);
  return target ? target->allocation : 0;
}

std::vector<kmt::AllocationElement> PacketBindings::OnPacket(const trace::Render& packet,
                                                             Bytes commands) {
  expected_.clear();
  if (!device::HasKmtFailed(packet.status)) {
    StreamOf({packet.process, packet.context}, {})
        .Write(commands, packet.dp2_env.value_or(trace::Dp2Env()));
  }
  return std::move(expected_);
}

// ---------- apart and together ----------

void TakeApart(ModelEvent& event, PacketBindings& bindings, uint64_t& next_id) {
  auto& render = std::get<trace::Render>(event.event);
  const trace::Render packet = validate::WithRawFields(render, bindings.profile());
  const auto stream = trace::StreamOf(trace::Event(packet), bindings.profile().length_origin);
  if (!stream || stream->bytes.empty() ||
      packet.allocation_list.size() % kmt::kAllocationElementSize != 0 ||
      packet.patch_location_list.size() % kmt::kPatchElementSize != 0)
    return;
  std::vector<TokenPlace> places;
  if (!TakeTokens(event, *stream, next_id, places)) return;
  event.is_call = true;
  PacketParts& parts = event.packet.emplace();
  const kmt::AllocationListView list(packet.allocation_list);
  for (uint32_t i = 0; i < list.size(); ++i)
    parts.elements.push_back({.id = next_id++, .index = i, .element = list[i]});
  TakePatches(packet, places, parts, next_id);
  parts.command_bytes = packet.command_buffer.size();
  parts.recorded_elements = parts.elements.size();
  parts.recorded_patches = parts.patches.size();
  parts.rest = packet.command_buffer.subspan(packet.command_offset + stream->bytes.size());
  const std::vector<ModelElement> ordered =
      Ordered(parts.elements, packet, packet.command_buffer, places, bindings);
  parts.is_ordered =
      std::ranges::equal(ordered, parts.elements, {}, &ModelElement::index, &ModelElement::index);
  parts.has_bindings = HoldsAll(bindings.OnPacket(packet, stream->bytes), parts.elements);
  render.command_buffer = packet.command_buffer.first(packet.command_offset);
  render.allocation_list = {};
  render.patch_location_list = {};
}

namespace {

class Assembler {
 public:
  Assembler(const ModelEvent& event, PacketBindings& bindings, PacketBytes& out)
      : event_(event),
        parts_(*event.packet),
        bindings_(bindings),
        packet_(std::get<trace::Render>(event.event)),
        out_(out) {}

  trace::Render Run() {
    AddCommands();
    AddElements();
    AddPatches();
    Shift(packet_.command_length, parts_.command_bytes, out_.commands.size());
    Shift(packet_.allocation_count, parts_.recorded_elements, elements_.size());
    Shift(packet_.patch_location_count, parts_.recorded_patches,
          out_.patches.size() / kmt::kPatchElementSize);
    packet_.command_buffer = out_.commands;
    packet_.allocation_list = out_.allocations;
    packet_.patch_location_list = out_.patches;
    return std::move(packet_);
  }

 private:
  void AddCommands() {
    out_.commands.assign(packet_.command_buffer.begin(), packet_.command_buffer.end());
    first_ = out_.commands.size();
    for (const ModelToken& token : event_.tokens) {
      const size_t begin = out_.commands.size();
      AppendToken(token, 0, out_.commands);
      places_.push_back({token.id, begin, out_.commands.size()});
    }
    end_ = out_.commands.size();
    out_.commands.insert(out_.commands.end(), parts_.rest.begin(), parts_.rest.end());
  }

  void AddElements() {
    const Bytes buffer = out_.commands;
    const std::vector<kmt::AllocationElement> expected =
        bindings_.OnPacket(packet_, buffer.subspan(first_, end_ - first_));
    elements_ = parts_.is_ordered ? Ordered(parts_.elements, packet_, buffer, places_, bindings_)
                                  : parts_.elements;
    if (parts_.has_bindings) AddExpected(expected, elements_);
    ByteWriter writer(out_.allocations);
    for (const ModelElement& element : elements_)
      kmt::EncodeAllocation(element.element, writer);
    if (packet_.dp2_env && packet_.dp2_env->vertex_source == trace::VertexSource::kAllocation) {
      packet_.dp2_env->allocation_index =
          NewIndex(packet_.dp2_env->allocation_index).value_or(UINT32_MAX);
    }
  }

  // Of an element that was left out: nothing. After the list as before.
  std::optional<uint32_t> NewIndex(uint32_t index) const {
    if (index >= parts_.recorded_elements) return index;
    const auto found = std::ranges::find(elements_, index, &ModelElement::index);
    if (found == elements_.end()) return std::nullopt;
    return static_cast<uint32_t>(found - elements_.begin());
  }

  void AddPatches() {
    ByteWriter writer(out_.patches);
    for (const ModelPatch& patch : parts_.patches) {
      const std::optional<uint32_t> index = NewIndex(patch.element.allocation_index);
      const TokenPlace* const place = Find(places_, patch.token);
      if (!index || (patch.token != 0 && place == nullptr)) continue;
      kmt::PatchElement element = patch.element;
      element.allocation_index = *index;
      if (patch.follows_word && !FollowWord(*place, element)) continue;
      if (place != nullptr) element.patch_offset += static_cast<uint32_t>(place->begin);
      if (const TokenPlace* const split = Find(places_, patch.split_token)) {
        element.split_offset += static_cast<uint32_t>(split->begin);
      } else if (patch.split_token != 0) {
        element.split_offset = place != nullptr ? static_cast<uint32_t>(place->begin) : 0;
      }
      kmt::EncodePatch(element, writer);
    }
  }

  // False where no word stands there any more.
  bool FollowWord(const TokenPlace& place, kmt::PatchElement& element) const {
    const auto word = WordAt(Bytes(out_.commands).subspan(place.begin, place.end - place.begin),
                             element.patch_offset);
    if (!word) return false;
    element.driver_id = word->driver_id();
    if (word->slot) element.value = kmt::kSlotId.Set(element.value, *word->slot);
    return true;
  }

  const ModelEvent& event_;
  const PacketParts& parts_;
  PacketBindings& bindings_;
  trace::Render packet_;
  PacketBytes& out_;
  size_t first_ = 0, end_ = 0;  // of the tokens in the buffer
  std::vector<TokenPlace> places_;
  std::vector<ModelElement> elements_;
};

}  // namespace

trace::Render Assemble(const ModelEvent& event, PacketBindings& bindings, PacketBytes& out) {
  return Assembler(event, bindings, out).Run();
}

}  // namespace dp2trace::trace_model
