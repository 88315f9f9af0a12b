#include "diff/diff.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "diff/align.h"
#include "rules/rule.h"
#include "text/command.h"
#include "text/fields.h"
#include "trace/draw_counter.h"
#include "trace/event_kind.h"

namespace dp2trace::diff {
namespace {

using Units = std::vector<OutlineUnit>;

// Bytes of tokens that are kept to find where they differ.
constexpr size_t kMostTokenBytes = size_t{64} << 20;

// One trace, of which more is known with each pass.
class Side {
 public:
  Side(const DiffSide& side, const std::vector<uint64_t>& match, bool leaves_out_transport,
       const trace_model::Walk& walk)
      : side_(&side), match_(&match), leaves_out_transport_(leaves_out_transport), walk_(&walk) {}

  // A unit for each event.
  Status ReadEvents() {
    return Read("compare", Outliner::Work::kHash,
                [&](const trace::EventRecord& /*record*/, Outliner& outliner) {
                  if (const auto whole = outliner.whole()) events_.push_back(*whole);
                  return true;
                });
  }

  // Takes the events from `begin` to `end` of each range apart: a unit for each token.
  Status ReadTokens(const std::vector<std::pair<size_t, size_t>>& ranges, size_t most) {
    std::vector<size_t> chosen;
    for (const auto& [begin, end] : ranges) {
      for (size_t i = begin; i < end; ++i)
        chosen.push_back(i);
    }
    std::vector<size_t> starts;  // in units_, of each chosen event
    const auto take = [&](const trace::EventRecord& record, Outliner& outliner) {
      if (starts.size() == chosen.size()) return false;
      if (events_[chosen[starts.size()]].event != static_cast<uint32_t>(record.number)) return true;
      starts.push_back(units_.size());
      if (units_.size() + outliner.parts().size() <= most) {
        units_.insert(units_.end(), outliner.parts().begin(), outliner.parts().end());
      } else {
        units_.push_back(*outliner.whole());
      }
      return true;
    };
    if (!chosen.empty())
      DP2TRACE_RETURN_IF_ERROR(Read("compare tokens", Outliner::Work::kHash, take));
    starts.resize(chosen.size() + 1, units_.size());
    size_t at = 0;
    for (const auto& [begin, end] : ranges) {
      ranges_.emplace_back(starts[at], starts[at + end - begin]);
      at += end - begin;
    }
    return OkStatus();
  }

  const Units& events() const { return events_; }
  const Units& units() const { return units_; }
  // In units(), by number of the range.
  const std::pair<size_t, size_t>& range(size_t number) const { return ranges_[number]; }

  // What is shown of the places that are there, and what helps to say how they differ.
  struct Detail {
    DiffPlace* place = nullptr;
    FieldHashes fields;
    std::vector<uint8_t> bytes;
  };
  // By event, and of an event by token.
  using Details = std::map<uint32_t, std::multimap<uint32_t, Detail*>>;
  Status Describe(const Details& details) const {
    if (details.empty()) return OkStatus();
    trace::NamingContext naming;
    trace::DrawCounter draws;
    uint64_t frame = 1;
    size_t kept = 0;
    const auto describe = [&](const trace::EventRecord& record, Outliner& outliner) {
      naming.Apply(record.event);
      draws.Add(record.event);
      const auto event = details.find(static_cast<uint32_t>(record.number));
      if (event != details.end()) {
        DescribeEvent(record, frame, event->second, outliner);
        DescribeTokens(record, event->second, naming, draws, outliner, kept);
      }
      if (std::holds_alternative<trace::Present>(record.event)) ++frame;
      return record.number < details.rbegin()->first;
    };
    return Read("describe", Outliner::Work::kObjectsOnly, describe);
  }

 private:
  using Take = std::function<bool(const trace::EventRecord& record, Outliner& outliner)>;

  Status Read(const std::string& label, Outliner::Work work, const Take& take) const {
    const auto source = side_->open();
    if (source == nullptr) return Failure(Rule::kTrace001, "the trace cannot be read again");
    Outliner outliner(work, match_, leaves_out_transport_);
    return (*walk_)(*source, label, [&](const trace::EventRecord& record) {
      outliner.Add(record.number, record.event);
      return take(record, outliner);
    });
  }

  static void DescribeEvent(const trace::EventRecord& record, uint64_t frame,
                            const std::multimap<uint32_t, Detail*>& details, Outliner& outliner) {
    for (const auto& [token, detail] : details) {
      detail->place->frame = frame;
      if (token != kNoToken) continue;
      detail->place->text = trace::EventName(record.kind);
      text::AppendFields(detail->place->text, record.event);
      detail->fields = outliner.Fields(record.event);
    }
  }

  static void DescribeTokens(const trace::EventRecord& record,
                             const std::multimap<uint32_t, Detail*>& details,
                             const trace::NamingContext& naming, const trace::DrawCounter& draws,
                             Outliner& outliner, size_t& kept) {
    const auto stream = trace::StreamOf(record.event, naming.length_origin());
    if (!stream) return;
    stream::Decoder decoder(stream->bytes, stream->environment, nullptr);
    for (stream::Command command; decoder.Next(command);) {
      const auto [first, end] = details.equal_range(command.index);
      for (auto it = first; it != end; ++it) {
        Detail& detail = *it->second;
        const trace::DrawToken* const draw = draws.Find(command.offset);
        detail.place->offset = command.offset;
        detail.place->draw = draw != nullptr ? draw->number : 0;
        text::AppendNumbered(detail.place->text, command, stream->environment,
                             naming.RuntimeVersion(record.event), draw);
        if (kept + command.bytes.size() > kMostTokenBytes) continue;
        kept += command.bytes.size();
        detail.bytes = outliner.TokenBytes(record.event, command, stream->environment);
      }
    }
  }

  const DiffSide* side_;
  const std::vector<uint64_t>* match_;
  bool leaves_out_transport_;
  const trace_model::Walk* walk_;
  Units events_, units_;
  std::vector<std::pair<size_t, size_t>> ranges_;
};

// Takes hunks apart: what has the same kind on both sides, in order, is changed.
class Pairing {
 public:
  Pairing(const Side& a, const Side& b, uint64_t most) : a_(a), b_(b), most_(most) {}

  // `whole` is the hunk of events that the hunk of units is in.
  void Add(const OutlineHunk& hunk, size_t range, const OutlineHunk& whole) {
    size_t i = hunk.a_begin;
    size_t k = hunk.b_begin;
    const auto removed = [&] {
      ++result.removed;
      Show(&a_.units()[i++], nullptr, EventBefore(b_, k, range, whole.b_begin));
    };
    const auto added = [&] {
      ++result.added;
      Show(nullptr, &b_.units()[k++], EventBefore(a_, i, range, whole.a_begin));
    };
    while (i < hunk.a_end && k < hunk.b_end) {
      // The next of b that is of the kind of the next of a, if any.
      size_t partner = k;
      while (partner < hunk.b_end && b_.units()[partner].kind != a_.units()[i].kind)
        ++partner;
      if (partner == hunk.b_end) {
        removed();
        continue;
      }
      while (k < partner)
        added();
      ++result.changed;
      Show(&a_.units()[i++], &b_.units()[k++], 0);
    }
    while (i < hunk.a_end)
      removed();
    while (k < hunk.b_end)
      added();
  }

  struct Origin {
    const OutlineUnit* a = nullptr;
    const OutlineUnit* b = nullptr;
  };
  const std::vector<Origin>& origins() const { return origins_; }  // of what is shown

  DiffResult result;

 private:
  // The event of what stands before a unit.
  static uint64_t EventBefore(const Side& side, size_t unit, size_t range, size_t event) {
    if (unit > side.range(range).first) return side.units()[unit - 1].event;
    return event > 0 ? side.events()[event - 1].event : 0;
  }

  void Show(const OutlineUnit* a, const OutlineUnit* b, uint64_t event_before) {
    if (result.shown.size() >= most_) return;
    Difference& difference = result.shown.emplace_back();
    difference.a.is_there = a != nullptr;
    difference.b.is_there = b != nullptr;
    difference.a.event = a != nullptr ? a->event : event_before;
    difference.b.event = b != nullptr ? b->event : event_before;
    origins_.push_back({a, b});
  }

  const Side& a_;
  const Side& b_;
  uint64_t most_;
  std::vector<Origin> origins_;
};

void Compare(const Side::Detail& a, const Side::Detail& b, Difference& difference) {
  // A field that counts on one side only hangs on another one, which differs.
  for (const auto& [name, hash] : a.fields) {
    const auto other = std::ranges::find(b.fields, name, &FieldHashes::value_type::first);
    if (other != b.fields.end() && other->second != hash) difference.fields.push_back(name);
  }
  if (a.bytes.empty() || b.bytes.empty()) return;
  const auto [at, other] = std::ranges::mismatch(a.bytes, b.bytes);
  difference.byte = static_cast<uint64_t>(at - a.bytes.begin());
}

Status DescribeAll(const Side& a, const Side& b, Pairing& pairing) {
  std::vector<Difference>& shown = pairing.result.shown;
  std::vector<Side::Detail> of_a(shown.size());
  std::vector<Side::Detail> of_b(shown.size());
  Side::Details details_a;
  Side::Details details_b;
  for (size_t i = 0; i < shown.size(); ++i) {
    of_a[i].place = &shown[i].a;
    of_b[i].place = &shown[i].b;
    const Pairing::Origin& origin = pairing.origins()[i];
    if (origin.a != nullptr) details_a[origin.a->event].emplace(origin.a->token, &of_a[i]);
    if (origin.b != nullptr) details_b[origin.b->event].emplace(origin.b->token, &of_b[i]);
  }
  DP2TRACE_RETURN_IF_ERROR(a.Describe(details_a));
  DP2TRACE_RETURN_IF_ERROR(b.Describe(details_b));
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i].a.is_there && shown[i].b.is_there) Compare(of_a[i], of_b[i], shown[i]);
  }
  return OkStatus();
}

}  // namespace

std::string_view Difference::change() const {
  return !b.is_there ? "removed" : a.is_there ? "changed" : "added";
}

Status FindObjects(trace_file::Source& source, const trace_model::Walk& walk, DiffSide& side) {
  Outliner outliner(Outliner::Work::kObjectsOnly, nullptr);
  DP2TRACE_RETURN_IF_ERROR(walk(source, "find objects", [&](const trace::EventRecord& record) {
    outliner.Add(record.number, record.event);
    side.transports.Add(record.event);
    return true;
  }));
  side.objects = outliner.objects().objects();
  return OkStatus();
}

Result<DiffResult> Diff(const DiffSide& side_a, const DiffSide& side_b, const DiffOptions& options,
                        const trace_model::Walk& walk) {
  const ObjectMatch match = MatchObjects(side_a.objects, side_b.objects);
  const bool are_unlike = AreUnlike(side_a.transports, side_b.transports);
  Side a(side_a, match.a, are_unlike, walk);
  Side b(side_b, match.b, are_unlike, walk);
  DP2TRACE_RETURN_IF_ERROR(a.ReadEvents());
  DP2TRACE_RETURN_IF_ERROR(b.ReadEvents());
  const std::vector<OutlineHunk> hunks = Align(a.events(), b.events());
  std::vector<std::pair<size_t, size_t>> ranges_a;
  std::vector<std::pair<size_t, size_t>> ranges_b;
  for (const OutlineHunk& hunk : hunks) {
    ranges_a.emplace_back(hunk.a_begin, hunk.a_end);
    ranges_b.emplace_back(hunk.b_begin, hunk.b_end);
  }
  DP2TRACE_RETURN_IF_ERROR(a.ReadTokens(ranges_a, options.most_tokens));
  DP2TRACE_RETURN_IF_ERROR(b.ReadTokens(ranges_b, options.most_tokens));
  Pairing pairing(a, b, options.most);
  for (size_t i = 0; i < hunks.size(); ++i) {
    const OutlineHunk part = {a.range(i).first, a.range(i).second, b.range(i).first,
                              b.range(i).second};
    for (const OutlineHunk& hunk : Align(a.units(), b.units(), part))
      pairing.Add(hunk, i, hunks[i]);
  }
  DP2TRACE_RETURN_IF_ERROR(DescribeAll(a, b, pairing));
  return std::move(pairing.result);
}

}  // namespace dp2trace::diff
