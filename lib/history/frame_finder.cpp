#include "history/frame_finder.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "opcode/layouts.h"
#include "stream/records.h"
#include "trace/command_stream.h"

namespace dp2trace::history {
namespace {

namespace layout = opcode::layout;

}  // namespace

void FrameFinder::OnEvent(uint64_t number, const trace::Event& event) {
  if (is_done_) return;
  span_.last = number;
  const auto* const present = std::get_if<trace::Present>(&event);
  if (present == nullptr) return;
  ++presents_;
  if (presents_ + 1 == span_.frame) span_.first = number + 1;
  if (presents_ != span_.frame) return;
  span_.space = present->space;
  span_.handle = present->handle;
  span_.rect = present->rect;
  is_done_ = true;
}

void ReadFinder::OnEvent(uint64_t number, const trace::Event& event) {
  if (is_done_) return;
  span_.last = number;
  if (std::holds_alternative<trace::Dp2>(event) || std::holds_alternative<trace::Render>(event))
    has_call_ = true;
  if (std::holds_alternative<trace::Present>(event)) {
    ++span_.frame;
    first_before_ = std::exchange(span_.first, number + 1);
    has_call_ = false;
  }
  const auto* const read = std::get_if<trace::SurfaceRead>(&event);
  if (read == nullptr || ++reads_ != span_.read) return;
  is_done_ = true;
  if (!has_call_) {
    --span_.frame;
    span_.first = first_before_;
  }
  if (read->range || read->box) return;
  span_.space = read->space;
  span_.handle = read->handle;
  span_.rect = read->rect;
  span_.face = read->face;
  span_.level = read->level;
}

void TargetGuess::OnEvent(uint64_t number, const trace::Event& event) {
  std::visit(
      [&](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::Header>) {
          targets_.clear();
          spaces_.clear();
          length_origin_ = e.length_origin;
        } else if constexpr (std::is_same_v<T, trace::ContextCreate>) {
          targets_[{false, e.space, e.context}] = {e.space, e.target};
        } else if constexpr (std::is_same_v<T, trace::DeviceCreate>) {
          spaces_[{e.process, e.device}] = e.space;
        } else if constexpr (std::is_same_v<T, trace::KmtContextCreate>) {
          targets_[{true, e.process, e.context}] = {spaces_[{e.process, e.device}],
                                                    e.d3d ? e.d3d->target : 0};
        } else if constexpr (std::is_same_v<T, trace::Dp2>) {
          OnTokens({false, e.space, e.context}, event, number >= first_);
        } else if constexpr (std::is_same_v<T, trace::Render>) {
          OnTokens({true, e.process, e.context}, event, number >= first_);
        }
      },
      event);
}

void TargetGuess::OnTokens(const Key& key, const trace::Event& event, bool counts) {
  const auto stream = trace::StreamOf(event, length_origin_);
  if (!stream) return;
  constexpr stream::FieldRef kTarget = stream::Field(layout::kSetRenderTarget, "render_target");
  constexpr stream::FieldRef kIndex = stream::Field(layout::kSetRenderTarget2, "rt_index");
  constexpr stream::FieldRef kTarget2 = stream::Field(layout::kSetRenderTarget2, "render_target");
  play::DrawnTarget& target = targets_[key];
  stream::Decoder decoder(stream->bytes, stream->environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    if (command.op->op == opcode::Op::kSetRenderTarget) {
      target.handle = stream::FieldU32(command, kTarget);
    } else if (command.op->op == opcode::Op::kSetRenderTarget2) {
      for (const stream::Record& record : stream::Records(command, stream->environment))
        if (record.U32(kIndex) == 0) target.handle = record.U32(kTarget2);
    }
    if (counts && command.op->is(opcode::kDraw)) target_ = target;
  }
}

}  // namespace dp2trace::history
