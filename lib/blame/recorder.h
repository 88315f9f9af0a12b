// Keeps who wrote which pixel of what a frame shows, up to its end or up to a draw of it, of a trace that plays.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "blame/frame.h"
#include "blame/pixel_coverage.h"
#include "blame/written.h"
#include "history/blit.h"
#include "history/frame_finder.h"
#include "history/refused_draws.h"
#include "play/player.h"

namespace dp2trace::blame {

struct RecorderOptions {
  // Stops after this draw, which the span's event `last` holds; 0: at the end of the span.
  uint64_t last_draw = 0;
  std::optional<TokenPlace> stop = {};  // stops in front of it, which lies in the span's last event
  play::Options play = {};              // of the player; the fast renderer draws
  bool keeps_content = false;           // Operation::content
};

class Recorder final : public play::Listener, private CoverageSink {
 public:
  Recorder(const RecorderOptions& options, const history::FrameSpan& span);

  bool is_done() const override { return is_done_; }
  // After the last event.
  Frame Finish();

 private:
  play::Detail detail() const override { return play::Detail::kPictures; }
  void OnStart() override;
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;
  void OnHeader(const trace::Header& header) override;
  Status OnSessionEnd() override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  Status OnPresent(const trace::Present& present) override;
  bool OnDraw(const device::Draw& draw) override;
  bool OnPatch(const device::PatchDraw& patch) override;
  bool OnClear(const device::ClearDraw& clear) override;
  void OnWritten(uint32_t x, uint32_t y, bool hides_others) override;
  void OnHeldBack(uint32_t x, uint32_t y) override;

  bool is_recording() const { return has_started_ && !is_done_ && !has_picture_; }
  // The surface that the picture will show; empty where its handle names none.
  device::SurfaceRef Named() const;
  // The same where the current context draws into it; else empty.
  device::SurfaceRef Target() const;
  // What follows is noted as this; it is kept where it touches a pixel.
  void Start(history::Kind kind, std::string_view name);
  // The surface may have become another one, or been changed.
  void Look();
  // The surface is another one than before; `is_new`: the current operation made it.
  void Watch(const device::SurfaceRef& surface, bool is_new);
  // Its facts and content are those of the first thing that the token draws.
  template <class MakeFacts, class MakeContent>
  void Describe(const MakeFacts& make_facts, const MakeContent& make_content);
  uint32_t Touch();
  // What the draw that follows reads, and the surfaces beside the picture's that it writes.
  void NoteDraw();
  void NoteClear(const device::ClearDraw& clear);
  void NoteBlits(const std::vector<history::BlitPair>& blits);
  void NoteUpdate(const trace::SurfaceUpdate& update);
  void NoteWriting(const device::SurfaceRef& surface, bool hides_others);
  // Where the blit makes all of the picture.
  void NoteCopy(const history::BlitPair& blit);
  void TakePicture();
  uint64_t event() const { return player().position().event; }
  device::Context* context() const { return player().context(); }

  RecorderOptions options_;
  history::FrameSpan span_;
  std::optional<PixelCoverage> coverage_;  // from OnStart() on
  Frame frame_;
  Writings writings_{frame_};
  history::RefusedDraws refused_;
  ContentReader content_;
  std::optional<PictureCopy> copy_;  // the last blit that made all of the picture
  Operation current_;
  bool is_kept_ = false;  // current_ is the last of the frame's operations
  bool is_described_ = false;
  uint64_t surface_id_ = 0;  // of the surface that coverage_ knows; 0: none
  bool has_started_ = false;
  bool has_picture_ = false;
  bool is_done_ = false;
};

}  // namespace dp2trace::blame
