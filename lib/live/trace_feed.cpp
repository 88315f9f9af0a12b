#include "live/trace_feed.h"

namespace dp2trace::live {

std::unique_ptr<trace_file::Source> TraceFeed::Open(const play::Snapshot* start, Status& status) {
  trace_file::OpenError error;
  auto source =
      trace_file::WithResults(trace_file::Source::Open(path_, max_memory_, reading_, error));
  status = error.status;
  if (source != nullptr && start != nullptr) source->SkipTo(start->next_event(), start->session());
  return source;
}

Status TraceFeed::Read(const std::string& /*purpose*/,
                       const std::function<bool(const trace::EventRecord&)>& visit) {
  Status status;
  const auto source = Open(nullptr, status);
  if (source == nullptr) return status;
  return watch_->walk()(*source, {}, visit);
}

Status TraceFeed::Play(const std::string& /*purpose*/, play::Player& player) {
  return Play(player, {});
}

Status TraceFeed::Play(play::Player& player, const std::function<void()>& after_event) {
  Status status;
  const auto source = Open(player.options().start, status);
  if (source == nullptr) return status;
  for (trace::EventRecord record; !player.is_done() && source->Next(record);) {
    DP2TRACE_RETURN_IF_ERROR(player.OnEvent(record.number, record.event));
    if (after_event) after_event();
    DP2TRACE_RETURN_IF_ERROR(watch_->Look(source->position(), source->size()));
  }
  DP2TRACE_RETURN_IF_ERROR(source->status());
  return player.CheckWork();
}

}  // namespace dp2trace::live
