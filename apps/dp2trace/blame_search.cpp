#include "blame_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "base/plain_text.h"
#include "blame/bisection.h"
#include "blame/draw_list.h"
#include "blame_pictures.h"
#include "console.h"
#include "history_frame.h"
#include "os/path.h"
#include "rules/rule.h"
#include "work.h"

namespace dp2trace::app {
namespace {

namespace fs = std::filesystem;
using blame::ListedDraw;

// "frame-000012.png" of the prefix "frame-": 12.
std::optional<uint64_t> NumberOf(std::string_view name, std::string_view prefix) {
  constexpr std::string_view kExtension = ".png";
  if (!name.starts_with(prefix) || !HasExtension(name, kExtension)) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(std::min(name.size(), kExtension.size()));
  uint64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || last != end || number == 0) return std::nullopt;
  return number;
}

class Searcher {
 public:
  Searcher(const BlameVerb& options, ExitCode& code) : options_(options), code_(code) {}

  std::optional<Suspect> Find() {
    std::error_code error;
    if (!options_.run.empty()) return FindByRunning();
    if (options_.against == kRecorded) return FindRecorded();
    if (fs::is_directory(ToPath(options_.against), error)) return FindInFolder();
    if (options_.frame == 0 && options_.read == 0)
      return Fail(ExitCode::kUsage, "one picture needs --frame N or --read N");
    Result<image::Picture> picture = image::ReadPng(options_.against, kPictureLimits);
    if (!picture.ok()) return Report(options_.against, picture.status());
    return SuspectPicture({options_.frame, 0, options_.read}, std::move(*picture));
  }

 private:
  std::nullopt_t Fail(ExitCode code, std::string_view message) {
    PrintError(message);
    code_ = Worse(code_, code);
    return std::nullopt;
  }
  std::nullopt_t Report(std::string_view file, const Status& status) {
    code_ = Worse(code_, ReportFailure(file, status));
    return std::nullopt;
  }
  // `what` was compared, in words.
  std::nullopt_t SayEqual(std::string_view what, uint64_t pictures) {
    const std::string text =
        options_.json ? fmt::format("{{\"equal\":true,\"search\":{{\"pictures\":{}}}}}\n", pictures)
                      : fmt::format("equal: {}\n", what);
    code_ = Worse(code_, ReportOutput(WriteResult(text)));
    return std::nullopt;
  }

  // That of a read or of a frame.
  std::optional<Suspect> SuspectPicture(const PictureName& name, image::Picture picture) {
    Suspect suspect;
    const ExitCode code =
        name.read != 0 ? FindRead(options_.trace, name.read, options_.max_memory, suspect.span)
                       : FindFrame(options_.trace, name.frame, options_.max_memory,
                                   options_.play.validation, suspect.span);
    code_ = Worse(code_, code);
    if (code != ExitCode::kOk) return std::nullopt;
    suspect.picture = std::move(picture);
    return suspect;
  }

  // The last draw of which that holds; null: there is none.
  template <class Holds>
  const ListedDraw* FindLastDraw(const Holds& holds) const {
    const auto found = std::find_if(draws_.rbegin(), draws_.rend(), holds);
    return found == draws_.rend() ? nullptr : &*found;
  }

  // The draw is exact where the one before, of the same target, is `last_right`.
  Suspect SuspectAfter(const ListedDraw& draw, const ListedDraw* last_right,
                       image::Picture picture) {
    const ListedDraw* const before = FindLastDraw([&](const ListedDraw& other) {
      return other.number < draw.number && other.target == draw.target;
    });
    return SuspectDraw(draw, last_right, last_right == before, std::move(picture));
  }

  // `last_right`: the draw before that is known to be right; null: there is none.
  Suspect SuspectDraw(const ListedDraw& draw, const ListedDraw* last_right, bool is_exact,
                      image::Picture picture) {
    Suspect suspect;
    suspect.span = draw.Span();
    suspect.draw = draw.number;
    suspect.picture = std::move(picture);
    suspect.search.first_draw = draw.number;
    suspect.search.last_right_draw = last_right != nullptr ? last_right->number : 0;
    suspect.search.is_exact = is_exact;
    return suspect;
  }

  // False where the trace cannot be read.
  bool ListDraws() {
    blame::DrawLister lister(options_.frame);
    play::Player player(options_.play, {&lister});
    Status status;  // the lister does not fail
    if (!PlayTrace({options_.trace, options_.max_memory, "list the draws", false}, player, status,
                   code_))
      return false;
    draws_ = lister.draws();
    frames_ = player.position().frame - 1;
    return true;
  }

  const ListedDraw* FindDraw(uint64_t number) const {
    const auto found = std::ranges::lower_bound(draws_, number, {}, &ListedDraw::number);
    return found != draws_.end() && found->number == number ? &*found : nullptr;
  }

  std::optional<Suspect> FindRecorded();
  std::optional<Suspect> FindInFolder();
  std::optional<Suspect> FindByRunning();
  std::optional<Suspect> BisectDraws();
  std::optional<Suspect> BisectFrames();
  // Whether the picture that the command makes differs; keeps it then.
  Result<bool> Look(size_t index, const PictureName& name);

  const BlameVerb& options_;
  ExitCode& code_;
  std::vector<ListedDraw> draws_;
  uint64_t frames_ = 0;  // that end with a present
  std::map<size_t, image::Picture> wrong_;
};

// The pictures that a recorder wrote into the trace, each after the last draw into its surface.
std::optional<Suspect> Searcher::FindRecorded() {
  if (!ListDraws()) return std::nullopt;
  uint64_t pictures = 0;
  uint64_t outside = 0;                         // of the region
  std::map<uint64_t, const ListedDraw*> right;  // the last one of each target
  std::optional<Suspect> suspect;
  const Status status = ForEachRecorded(options_, [&](RecordedPicture&& recorded) {
    const ListedDraw* const draw = FindLastDraw([&](const ListedDraw& listed) {
      return listed.event < recorded.event && listed.space == recorded.space &&
             listed.handle == recorded.handle;
    });
    if (draw == nullptr) return true;
    const Result<Likeness> likeness =
        CompareWith(options_, recorded.replay, recorded.driver, TextOf({0, draw->number}));
    if (!likeness.ok() || *likeness == Likeness::kNotCompared) {
      ++outside;
      return true;
    }
    ++pictures;
    if (*likeness == Likeness::kEqual) {
      right[draw->target] = draw;
      return true;
    }
    const ListedDraw* const last_right = right[draw->target];
    suspect = SuspectAfter(*draw, last_right, std::move(recorded.driver));
    suspect->search.pictures = pictures;
    if (last_right != nullptr && last_right->frame < draw->frame)
      suspect->search.last_right_frame = last_right->frame;
    return false;
  });
  if (!status.ok()) return Report(options_.trace, status);
  if (suspect) return suspect;
  if (pictures == 0) {
    return Fail(ExitCode::kNothingToDo,
                outside != 0 ? "nothing was compared: the region is outside of the pictures"
                             : "the trace has no picture of a surface that a draw wrote before");
  }
  return SayEqual(Counted(pictures, "recorded picture") + " compared", pictures);
}

std::optional<Suspect> Searcher::FindInFolder() {
  if (!ListDraws()) return std::nullopt;
  std::map<uint64_t, std::string> frames;
  std::map<uint64_t, std::string> draws;
  std::map<uint64_t, std::string> reads;  // paths
  std::error_code error;
  for (fs::directory_iterator entry(ToPath(options_.against), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = ToText(entry->path().filename());
    const auto frame = NumberOf(name, "frame-");
    const auto draw = NumberOf(name, "draw-");
    const auto read = NumberOf(name, "read-");
    const bool is_any = options_.frame == 0 && options_.read == 0;
    if (read && (is_any || *read == options_.read)) reads.emplace(*read, ToText(entry->path()));
    if (frame && (is_any || *frame == options_.frame))
      frames.emplace(*frame, ToText(entry->path()));
    if (draw && options_.read == 0 && FindDraw(*draw) != nullptr)
      draws.emplace(*draw, ToText(entry->path()));
  }
  if (error)
    return Fail(ExitCode::kInput, fmt::format("{}: {}", options_.against, error.message()));
  WantedPictures wanted;
  for (const auto& [number, path] : frames)
    wanted.frames.push_back(number);
  for (const auto& [number, path] : draws)
    wanted.draws.push_back(number);
  for (const auto& [number, path] : reads)
    wanted.reads.push_back(number);

  uint64_t pictures = 0;
  uint64_t outside = 0;                         // of the region
  std::map<uint64_t, const ListedDraw*> right;  // the last one of each target
  std::optional<Suspect> suspect;
  PictureName wrong;         // of a frame or read
  uint64_t right_frame = 0;  // the last one
  image::Picture wrong_picture;
  const auto visit = [&](const replay::ImageInfo& info, const image::Picture& replay) {
    const bool is_draw = info.kind == replay::ImageKind::kDraw;
    const bool is_read = info.kind == replay::ImageKind::kRead;
    const PictureName name = {is_draw || is_read ? 0 : info.sequence, is_draw ? info.sequence : 0,
                              is_read ? info.sequence : 0};
    const std::string& path = (is_draw ? draws : is_read ? reads : frames)[info.sequence];
    Result<image::Picture> picture = image::ReadPng(path, kPictureLimits);
    if (!picture.ok()) {
      Report(path, picture.status());
      return false;
    }
    const Result<Likeness> likeness = CompareWith(options_, replay, *picture, TextOf(name));
    if (!likeness.ok()) {
      Report(path, likeness.status());
      return false;
    }
    if (*likeness == Likeness::kNotCompared) {
      ++outside;
      return true;
    }
    ++pictures;
    const ListedDraw* const draw = is_draw ? FindDraw(info.sequence) : nullptr;
    if (*likeness == Likeness::kEqual) {
      if (draw != nullptr) right[draw->target] = draw;
      if (name.frame != 0) right_frame = name.frame;
      return true;
    }
    if (draw == nullptr) {
      wrong = name;
      wrong_picture = std::move(*picture);
      return false;
    }
    suspect = SuspectAfter(*draw, right[draw->target], std::move(*picture));
    return false;
  };
  const Status status = ForEachPicture(options_, wanted, visit);
  if (!status.ok()) return Report(options_.trace, status);
  if (code_ != ExitCode::kOk) return std::nullopt;
  if (wrong.frame != 0 || wrong.read != 0) {
    suspect = SuspectPicture(wrong, std::move(wrong_picture));
    if (suspect) suspect->search.first_frame = wrong.frame;
    if (suspect) suspect->search.first_read = wrong.read;
  }
  if (suspect) suspect->search.last_right_frame = right_frame;
  if (suspect) suspect->search.pictures = pictures;
  if (suspect || code_ != ExitCode::kOk) return suspect;
  if (pictures == 0 && outside != 0) {
    return Fail(ExitCode::kNothingToDo,
                "nothing was compared: the region is outside of the pictures");
  }
  if (pictures == 0) {
    return Fail(
        ExitCode::kNothingToDo,
        fmt::format("{} has no frame-N.png, draw-N.png or read-N.png that the replay has, too",
                    options_.against));
  }
  return SayEqual(Counted(pictures, "picture") + " compared", pictures);
}

Result<bool> Searcher::Look(size_t index, const PictureName& name) {
  const Result<image::Picture> replay = ReplayPicture(options_, name);
  if (!replay.ok()) return replay.status();
  Result<image::Picture> driver = MakePicture(options_, name);
  if (!driver.ok()) return driver.status();
  const Result<Likeness> likeness = CompareWith(options_, *replay, *driver, TextOf(name));
  if (!likeness.ok()) return likeness.status();
  if (*likeness == Likeness::kNotCompared) {
    return Failure(Rule::kIo002, fmt::format("nothing was compared: the region is outside of the "
                                             "picture of {}",
                                             TextOf(name)));
  }
  const bool differs = *likeness == Likeness::kDifferent;
  PrintNote(fmt::format("{}: {}", TextOf(name), differs ? "differs" : "equal"));
  if (differs) wrong_[index] = std::move(*driver);
  return differs;
}

std::optional<Suspect> Searcher::BisectDraws() {
  if (draws_.empty()) return Fail(ExitCode::kNothingToDo, "there is no draw to look at");
  std::vector<blame::Shown> pictures;
  for (const ListedDraw& draw : draws_)
    pictures.push_back({draw.number, draw.target});
  uint64_t looks = 0;
  const auto found = blame::FindFirstWrong(pictures, [&](size_t i) {
    ++looks;
    return Look(i, {draws_[i].frame, draws_[i].number});
  });
  if (!found.ok()) return Report("--run", found.status());
  if (!found->has_value())
    return SayEqual(fmt::format("draw {}, the last one", draws_.back().number), looks);
  const blame::FirstWrong& first = **found;
  Suspect suspect =
      SuspectDraw(draws_[first.index], first.last_right ? &draws_[*first.last_right] : nullptr,
                  true, std::move(wrong_[first.index]));
  suspect.search.pictures = looks;
  return suspect;
}

std::optional<Suspect> Searcher::BisectFrames() {
  const uint64_t first_frame = options_.frame != 0 ? options_.frame : 1;
  const uint64_t last_frame = options_.frame != 0 ? options_.frame : frames_;
  std::vector<blame::Shown> pictures;
  for (uint64_t frame = first_frame; frame <= last_frame; ++frame)
    pictures.push_back({frame, 0});
  if (pictures.empty() || last_frame > frames_) {
    return Fail(ExitCode::kUsage, "there is no such frame; " + RangeOf("frame", frames_));
  }
  uint64_t looks = 0;
  const auto found = blame::FindFirstWrong(pictures, [&](size_t i) {
    ++looks;
    return Look(i, {pictures[i].number, 0});
  });
  if (!found.ok()) return Report("--run", found.status());
  if (!found->has_value())
    return SayEqual(fmt::format("frame {}, the last one", last_frame), looks);
  const uint64_t frame = pictures[(*found)->index].number;
  std::optional<Suspect> suspect = SuspectPicture({frame}, std::move(wrong_[(*found)->index]));
  if (!suspect) return suspect;
  suspect->search.first_frame = frame;
  suspect->search.pictures = looks;
  if ((*found)->last_right)
    suspect->search.last_right_frame = pictures[*(*found)->last_right].number;
  return suspect;
}

std::optional<Suspect> Searcher::FindByRunning() {
  const auto names = [&](std::string_view place) {
    return options_.run.find(place) != std::string::npos;
  };
  if (!names("{out}") || (!names("{draw}") && !names("{frame}")))
    return Fail(ExitCode::kUsage, "--run needs {out}, and {draw} or {frame}");
  if (!ListDraws()) return std::nullopt;
  return names("{draw}") ? BisectDraws() : BisectFrames();
}

}  // namespace

std::optional<Suspect> FindSuspect(const BlameVerb& options, ExitCode& code) {
  return Searcher(options, code).Find();
}

}  // namespace dp2trace::app
