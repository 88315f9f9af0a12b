#include "state/vertex_words.h"

#include <algorithm>
#include <variant>

#include "d3d/enums.h"
#include "device/draw.h"
#include "play/player.h"
#include "validate/dp2/legacy_draw.h"

namespace dp2trace::state {
namespace {

constexpr uint32_t kWord = 4;  // bytes
constexpr char kFloat = 'f', kColor = 'c', kBits = 'x', kUnread = ' ';

// What each word of an element with this D3DDECLTYPE is.
char WordOf(uint32_t type) {
  if (type == d3d::Value(d3d::DeclType::D3dColor)) return kColor;
  return type <= d3d::Value(d3d::DeclType::Float4) ? kFloat : kBits;
}

// The words that the layout has in a stream; what it leaves out is unread.
std::string WordsOf(const device::VertexLayout& layout, uint32_t stream, uint32_t stride) {
  std::string words(stride / kWord, kUnread);
  for (const device::VertexElement& element : layout.elements) {
    if (element.stream != stream) continue;
    const char word = element.offset % kWord == 0 ? WordOf(element.type) : kBits;
    const uint32_t end = element.offset + d3d::DeclTypeSize(element.type);
    for (uint32_t at = element.offset / kWord; at * kWord < end && at < words.size(); ++at)
      words[at] = word;
  }
  return words;
}

}  // namespace

Status VertexWords::BeforeEvent(const trace::Event& event) {
  const uint64_t number = player().position().event;
  if (const auto* const create = std::get_if<trace::SurfaceCreate>(&event)) {
    creations_.erase({create->space, create->handle});
    if (create->kind == d3d::SurfaceKind::kVertexBuffer)
      creations_[{create->space, create->handle}] = number;
  } else if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event)) {
    const auto buffer = creations_.find({update->space, update->handle});
    if (buffer != creations_.end())
      uploads_[number] = {buffer->second, update->range ? uint64_t{update->range->offset} : 0};
  }
  return OkStatus();
}

bool VertexWords::OnDraw(const device::Draw& draw) {
  const device::Context& context = *player().context();
  const play::Position& position = player().position();
  // Legacy tokens have the format of their call.
  if (position.token != nullptr && validate::UsesCallFormat(*position.token->op)) return true;
  if (draw.layout == nullptr) return true;
  for (uint32_t i = 0; i < device::kStreamCount; ++i) {
    const device::StreamBinding& binding = context.state.streams[i];
    const uint32_t stride = draw.streams[i].stride;
    if (stride == 0) continue;
    const Format format = {stride, binding.is_user_memory ? 0 : binding.offset % stride,
                           WordsOf(*draw.layout, i, stride), stride % kWord != 0};
    if (binding.is_user_memory) {
      Merge(calls_[position.event], format);
    } else if (const auto buffer = creations_.find({context.space_id, binding.buffer});
               buffer != creations_.end()) {
      Merge(buffers_[buffer->second], format);
    }
  }
  return true;
}

void VertexWords::Merge(Format& format, const Format& other) {
  if (format.stride == 0) {
    format = other;
    return;
  }
  format.is_mixed = format.is_mixed || other.is_mixed || format.stride != other.stride ||
                    format.phase != other.phase;
  if (format.is_mixed) return;
  for (size_t i = 0; i < format.words.size(); ++i) {
    char& word = format.words[i];
    if (word == kUnread) word = other.words[i];
    if (other.words[i] != kUnread && other.words[i] != word) word = kBits;
  }
}

const VertexWords::Format* VertexWords::FormatOf(uint64_t event) const {
  if (const auto call = calls_.find(event); call != calls_.end()) return &call->second;
  const auto upload = uploads_.find(event);
  if (upload == uploads_.end()) return nullptr;
  const auto buffer = buffers_.find(upload->second.buffer);
  if (buffer == buffers_.end() || buffer->second.is_mixed) return nullptr;
  const Format& format = buffer->second;
  return upload->second.begin % format.stride == format.phase ? &format : nullptr;
}

const std::string* VertexWords::Find(uint64_t event) const {
  const Format* const format = FormatOf(event);
  if (format == nullptr || format->is_mixed || format->words.empty()) return nullptr;
  found_ = format->words;
  std::ranges::replace(found_, kUnread, kBits);
  return &found_;
}

}  // namespace dp2trace::state
