// The second pass over a trace: a snapshot of what the part needs, then the part itself.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "play/player.h"
#include "trace/reader.h"
#include "trace_file/sink.h"
#include "trace_model/render_options.h"
#include "trim/creations.h"
#include "trim/kmt_creations.h"
#include "trim/packet_cut.h"
#include "trim/part.h"
#include "trim/snapshot.h"
#include "validate/kmt/packet.h"

namespace dp2trace::trim {

class Trimmer final : private play::Listener {
 public:
  // Part and sink outlive the trimmer.
  Trimmer(const Part& part, const trace_model::RenderOptions& options, trace_file::Sink& sink);
  ~Trimmer() override;

  // Event by event, in order. Fails where the output cannot be written.
  Status OnEvent(const trace::EventRecord& record);
  // After the last event, where gap() is empty.
  Status Finish();
  // Nothing that follows is needed: the part was written, or gap() says why it cannot be.
  bool is_done() const override { return is_done_; }
  // Why a snapshot cannot say what was there before; empty where it can. The output holds no event then: with the gap in the part, another
  // pass writes everything from the beginning of the session, but for what only shows pictures.
  const std::string& gap() const { return gap_; }
  // Events that were written.
  uint64_t written() const { return written_; }

 private:
  bool NeedsSnapshot() const { return !part_.is_from_start && part_.gap.empty(); }
  play::Detail detail() const override { return play::Detail::kPictures; }
  void OnHeader(const trace::Header& header) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;

  Status Execute(uint64_t number, const trace::Event& event);
  Status TakeSnapshot();
  void FindIdle(const Snapshot& snapshot);
  // The event is before the part and would only show a picture.
  bool IsDropped(const trace::EventRecord& record) const;
  Status Copy(const trace::EventRecord& record);
  Status CopyResult(const trace::CallResult& result);
  Status CopyCall(const trace::EventRecord& record, const trace::Dp2& call);
  Status CopyPacket(const trace::EventRecord& record, const trace::Render& packet);
  Status CopyDestroy(const trace::EventRecord& record, const trace::AllocationDestroy& destroy);
  // Where the part cuts the event between tokens.
  PacketRange RangeOf(uint64_t number);
  Status Write(uint64_t number, const trace::Event& event);
  Status AddTokens(uint32_t space, uint64_t context, Bytes tokens);

  const Part& part_;
  trace_file::Sink& sink_;
  std::unique_ptr<play::Player> player_;  // up to the snapshot
  Creations creations_;
  KmtCreations kmt_creations_;
  Status status_;  // of the snapshot
  std::string gap_;
  uint64_t event_ = 0;
  std::set<uint64_t> idle_events_;  // that destroy what the snapshot lacks
  std::map<uint64_t, std::set<device::KmtKey>> idle_objects_;  // of events that destroy others, too
  validate::PacketProfile profile_{trace::Header{}};           // of the session
  bool has_snapshot_ = false;
  bool is_done_ = false;
  uint64_t written_ = 0;
  uint64_t old_session_ = 0, new_session_ = 0;  // numbers of the last header, before and after
  std::map<uint64_t, uint64_t> moved_;          // numbers of the last calls, by those before
};

}  // namespace dp2trace::trim
