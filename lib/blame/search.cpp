#include "blame/search.h"

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
#include "os/path.h"
#include "rules/rule.h"

namespace dp2trace::blame {
namespace {

namespace fs = std::filesystem;

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

std::vector<uint64_t> NumbersOf(const std::map<uint64_t, std::string>& paths) {
  std::vector<uint64_t> numbers;
  for (const auto& [number, path] : paths)
    numbers.push_back(number);
  return numbers;
}

PictureName NameOf(const replay::ImageInfo& info) {
  if (info.kind == replay::ImageKind::kDraw) return {0, info.sequence};
  return info.kind == replay::ImageKind::kRead ? PictureName{0, 0, info.sequence}
                                               : PictureName{info.sequence};
}

SearchEnd End(SearchEnd::Kind kind, std::string message) {
  return {.kind = kind, .message = std::move(message)};
}
SearchEnd Failed(std::string file, const Status& status) {
  return {.kind = SearchEnd::Kind::kFailed, .file = std::move(file), .status = status};
}
SearchEnd CommandFailed(const Status& status) {
  return {.kind = SearchEnd::Kind::kCommandFailed, .status = status};
}
// `what` was compared, in words.
SearchEnd Equal(std::string what, uint64_t pictures) {
  return {.kind = SearchEnd::Kind::kEqual, .message = std::move(what), .pictures = pictures};
}

class Searcher {
 public:
  Searcher(const SearchOptions& options, play::Feed& feed) : options_(options), feed_(feed) {}

  SearchEnd Find() {
    std::error_code error;
    const bool runs = !options_.command.text.empty();
    const bool is_folder =
        !runs && options_.against != kRecorded && fs::is_directory(ToPath(options_.against), error);
    if (!runs && options_.against != kRecorded && !is_folder) return FindNamed();
    if (const Status listed = ListDraws(); !listed.ok()) return Failed({}, listed);
    if (runs) return options_.command.NamesDraw() ? BisectDraws() : BisectFrames();
    return is_folder ? FindInFolder() : FindRecorded();
  }

 private:
  // Paths of the pictures that are wanted, by number.
  struct Folder {
    std::map<uint64_t, std::string> frames, draws, reads;
  };
  struct NamedPicture {
    PictureName name;
    image::Picture picture;
  };

  // The picture that the user names.
  SearchEnd FindNamed() {
    Result<image::Picture> picture = image::ReadPng(options_.against, kPictureLimits);
    if (!picture.ok()) return Failed(options_.against, picture.status());
    return SuspectPicture({options_.frame, 0, options_.read}, std::move(*picture));
  }

  // That of a read or of a frame.
  SearchEnd SuspectPicture(const PictureName& name, image::Picture picture) {
    SearchEnd end = FindPicture(name);
    end.suspect.picture = std::move(picture);
    return end;
  }
  // Where it is; or that the trace lacks it.
  SearchEnd FindPicture(const PictureName& name) {
    Result<history::FoundSpan> found =
        name.read != 0 ? history::FindRead(feed_, name.read)
                       : history::FindFrame(feed_, name.frame, options_.play.validation);
    if (!found.ok()) return Failed({}, found.status());
    SearchEnd end;
    if (!found->absence.empty()) {
      end.kind = SearchEnd::Kind::kAbsent;
      end.absent = std::move(*found);
    }
    end.suspect.span = found->span;
    return end;
  }

  // The last draw of which that holds; null: there is none.
  template <class Holds>
  const ListedDraw* FindLastDraw(const Holds& holds) const {
    const auto found = std::find_if(draws_.rbegin(), draws_.rend(), holds);
    return found == draws_.rend() ? nullptr : &*found;
  }

  // The draw is exact where the one before, of the same target, is `last_right`.
  SearchEnd SuspectAfter(const ListedDraw& draw, const ListedDraw* last_right,
                         image::Picture picture) {
    const ListedDraw* const before = FindLastDraw([&](const ListedDraw& other) {
      return other.number < draw.number && other.target == draw.target;
    });
    return SuspectDraw(draw, last_right, last_right == before, std::move(picture));
  }

  // `last_right`: the draw before that is known to be right; null: there is none.
  SearchEnd SuspectDraw(const ListedDraw& draw, const ListedDraw* last_right, bool is_exact,
                        image::Picture picture) {
    SearchEnd end;
    end.suspect.span = draw.Span();
    end.suspect.draw = draw.number;
    end.suspect.picture = std::move(picture);
    end.suspect.search.first_draw = draw.number;
    end.suspect.search.last_right_draw = last_right != nullptr ? last_right->number : 0;
    end.suspect.search.is_exact = is_exact;
    return end;
  }

  Status ListDraws() {
    DrawLister lister(options_.frame);
    play::Player player(options_.play, {&lister});
    DP2TRACE_RETURN_IF_ERROR(feed_.Play("list the draws", player));
    draws_ = lister.draws();
    frames_ = player.position().frame - 1;
    return OkStatus();
  }

  const ListedDraw* FindDraw(uint64_t number) const {
    const auto found = std::ranges::lower_bound(draws_, number, {}, &ListedDraw::number);
    return found != draws_.end() && found->number == number ? &*found : nullptr;
  }

  // False where nothing was compared.
  bool Count(Likeness likeness) {
    ++(likeness == Likeness::kNotCompared ? outside_ : pictures_);
    return likeness != Likeness::kNotCompared;
  }
  // Several pictures were looked at; `nothing` says why there was none.
  SearchEnd EndOf(std::optional<SearchEnd> suspect, std::string_view noun,
                  std::string nothing) const {
    if (suspect) {
      suspect->suspect.search.pictures = pictures_;
      return std::move(*suspect);
    }
    if (pictures_ != 0) return Equal(Counted(pictures_, noun) + " compared", pictures_);
    return End(SearchEnd::Kind::kNothing,
               outside_ != 0 ? "nothing was compared: the region is outside of the pictures"
                             : std::move(nothing));
  }

  SearchEnd FindRecorded();
  // Nothing where the picture is right, or cannot be compared.
  std::optional<SearchEnd> CompareRecorded(RecordedPicture&& recorded);
  SearchEnd FindInFolder();
  std::error_code ListFolder(Folder& folder) const;
  // Nothing where the next picture has to be looked at, too. A frame or read that differs is in wrong_picture_.
  std::optional<SearchEnd> CompareInFolder(const PictureName& name, const std::string& path,
                                           const image::Picture& replay);
  SearchEnd BisectDraws();
  SearchEnd BisectFrames();
  // Whether the picture that the command makes differs; keeps it then.
  Result<bool> Look(size_t index, const PictureName& name);

  const SearchOptions& options_;
  play::Feed& feed_;
  std::vector<ListedDraw> draws_;
  uint64_t frames_ = 0;  // that end with a present
  // Pictures that were compared, and those outside of the region.
  uint64_t pictures_ = 0, outside_ = 0;
  std::map<uint64_t, const ListedDraw*> right_;  // the last draw of each target
  uint64_t right_frame_ = 0;                     // the last one
  std::optional<NamedPicture> wrong_picture_;    // of a frame or read
  std::map<size_t, image::Picture> wrong_;       // that the command made
};

// The pictures that a recorder wrote into the trace, each after the last draw into its surface.
SearchEnd Searcher::FindRecorded() {
  std::optional<SearchEnd> suspect;
  const Status status = ForEachRecorded(feed_, options_.play, [&](RecordedPicture&& recorded) {
    suspect = CompareRecorded(std::move(recorded));
    return !suspect;
  });
  if (!status.ok()) return Failed({}, status);
  return EndOf(std::move(suspect), "recorded picture",
               "the trace has no recorded picture (d2c_picture) of a surface that was drawn to");
}

std::optional<SearchEnd> Searcher::CompareRecorded(RecordedPicture&& recorded) {
  const ListedDraw* const draw = FindLastDraw([&](const ListedDraw& listed) {
    return listed.event < recorded.event && listed.space == recorded.space &&
           listed.handle == recorded.handle;
  });
  if (draw == nullptr) return std::nullopt;
  const Result<Likeness> likeness =
      CompareWith(options_.tolerance, recorded.replay, recorded.driver, {0, draw->number});
  if (!Count(likeness.ok() ? *likeness : Likeness::kNotCompared)) return std::nullopt;
  if (*likeness == Likeness::kEqual) {
    right_[draw->target] = draw;
    return std::nullopt;
  }
  const ListedDraw* const last_right = right_[draw->target];
  SearchEnd end = SuspectAfter(*draw, last_right, std::move(recorded.driver));
  if (last_right != nullptr && last_right->frame < draw->frame)
    end.suspect.search.last_right_frame = last_right->frame;
  return end;
}

std::error_code Searcher::ListFolder(Folder& folder) const {
  std::error_code error;
  const bool is_any = options_.frame == 0 && options_.read == 0;
  for (fs::directory_iterator entry(ToPath(options_.against), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = ToText(entry->path().filename());
    const std::string path = ToText(entry->path());
    const auto frame = NumberOf(name, "frame-");
    const auto draw = NumberOf(name, "draw-");
    const auto read = NumberOf(name, "read-");
    if (read && (is_any || *read == options_.read)) folder.reads.emplace(*read, path);
    if (frame && (is_any || *frame == options_.frame)) folder.frames.emplace(*frame, path);
    if (draw && options_.read == 0 && FindDraw(*draw) != nullptr) folder.draws.emplace(*draw, path);
  }
  return error;
}

SearchEnd Searcher::FindInFolder() {
  Folder folder;
  if (const std::error_code error = ListFolder(folder)) {
    return End(SearchEnd::Kind::kNotListed,
               fmt::format("{}: {}", options_.against, error.message()));
  }
  std::optional<SearchEnd> end;
  const auto visit = [&](const replay::ImageInfo& info, const image::Picture& replay) {
    const PictureName name = NameOf(info);
    const std::map<uint64_t, std::string>& paths = name.draw != 0   ? folder.draws
                                                   : name.read != 0 ? folder.reads
                                                                    : folder.frames;
    end = CompareInFolder(name, paths.at(info.sequence), replay);
    return !end && !wrong_picture_;
  };
  const WantedPictures wanted = {NumbersOf(folder.frames), NumbersOf(folder.draws),
                                 NumbersOf(folder.reads)};
  const Status status = ForEachPicture(feed_, options_.play, wanted, visit);
  if (!status.ok()) return Failed({}, status);
  if (end && end->kind != SearchEnd::Kind::kSuspect) return std::move(*end);
  if (wrong_picture_) {
    const PictureName& name = wrong_picture_->name;
    end = SuspectPicture(name, std::move(wrong_picture_->picture));
    end->suspect.search.first_frame = name.frame;
    end->suspect.search.first_read = name.read;
  }
  if (end) end->suspect.search.last_right_frame = right_frame_;
  if (!end && pictures_ == 0 && (options_.frame != 0 || options_.read != 0)) {
    SearchEnd named = FindPicture({options_.frame, 0, options_.read});
    if (named.kind != SearchEnd::Kind::kSuspect) return named;
  }
  return EndOf(
      std::move(end), "picture",
      fmt::format("{} has no frame-N.png, draw-N.png or read-N.png that the replay has, too",
                  options_.against));
}

std::optional<SearchEnd> Searcher::CompareInFolder(const PictureName& name, const std::string& path,
                                                   const image::Picture& replay) {
  Result<image::Picture> picture = image::ReadPng(path, kPictureLimits);
  if (!picture.ok()) return Failed(path, picture.status());
  const Result<Likeness> likeness = CompareWith(options_.tolerance, replay, *picture, name);
  if (!likeness.ok()) return Failed(path, likeness.status());
  if (!Count(*likeness)) return std::nullopt;
  const ListedDraw* const draw = name.draw != 0 ? FindDraw(name.draw) : nullptr;
  if (*likeness == Likeness::kEqual) {
    if (draw != nullptr) right_[draw->target] = draw;
    if (name.frame != 0) right_frame_ = name.frame;
    return std::nullopt;
  }
  if (draw != nullptr) return SuspectAfter(*draw, right_[draw->target], std::move(*picture));
  wrong_picture_ = {name, std::move(*picture)};
  return std::nullopt;
}

Result<bool> Searcher::Look(size_t index, const PictureName& name) {
  const Result<image::Picture> replay = ReplayPicture(feed_, options_.play, name);
  if (!replay.ok()) return replay.status();
  Result<image::Picture> driver = MakePicture(options_.command, name);
  if (!driver.ok()) return driver.status();
  const Result<Likeness> likeness = CompareWith(options_.tolerance, *replay, *driver, name);
  if (!likeness.ok()) return likeness.status();
  if (*likeness == Likeness::kNotCompared) {
    return Failure(Rule::kIo002, fmt::format("nothing was compared: the region is outside of the "
                                             "picture of {}",
                                             TextOf(name)));
  }
  if (options_.on_look) options_.on_look(name, *likeness);
  const bool differs = *likeness == Likeness::kDifferent;
  if (differs) wrong_[index] = std::move(*driver);
  return differs;
}

SearchEnd Searcher::BisectDraws() {
  if (draws_.empty()) return End(SearchEnd::Kind::kNothing, "there is no draw to look at");
  std::vector<Shown> pictures;
  for (const ListedDraw& draw : draws_)
    pictures.push_back({draw.number, draw.target});
  uint64_t looks = 0;
  const auto found = FindFirstWrong(pictures, [&](size_t i) {
    ++looks;
    return Look(i, {draws_[i].frame, draws_[i].number});
  });
  if (!found.ok()) return CommandFailed(found.status());
  if (!found->has_value())
    return Equal(fmt::format("draw {}, the last one", draws_.back().number), looks);
  const FirstWrong& first = **found;
  SearchEnd end =
      SuspectDraw(draws_[first.index], first.last_right ? &draws_[*first.last_right] : nullptr,
                  true, std::move(wrong_[first.index]));
  end.suspect.search.pictures = looks;
  return end;
}

SearchEnd Searcher::BisectFrames() {
  const uint64_t first_frame = options_.frame != 0 ? options_.frame : 1;
  const uint64_t last_frame = options_.frame != 0 ? options_.frame : frames_;
  std::vector<Shown> pictures;
  for (uint64_t frame = first_frame; frame <= last_frame; ++frame)
    pictures.push_back({frame, 0});
  if (pictures.empty() || last_frame > frames_) {
    SearchEnd end;
    end.kind = SearchEnd::Kind::kAbsent;
    end.absent.absence =
        options_.frame != 0 ? AbsenceOf("frame", last_frame, frames_) : RangeOf("frame", frames_);
    return end;
  }
  uint64_t looks = 0;
  const auto found = FindFirstWrong(pictures, [&](size_t i) {
    ++looks;
    return Look(i, {pictures[i].number, 0});
  });
  if (!found.ok()) return CommandFailed(found.status());
  if (!found->has_value()) return Equal(fmt::format("frame {}, the last one", last_frame), looks);
  const uint64_t frame = pictures[(*found)->index].number;
  SearchEnd end = SuspectPicture({frame}, std::move(wrong_[(*found)->index]));
  end.suspect.search.first_frame = frame;
  end.suspect.search.pictures = looks;
  if ((*found)->last_right)
    end.suspect.search.last_right_frame = pictures[*(*found)->last_right].number;
  return end;
}

}  // namespace

SearchEnd FindSuspect(const SearchOptions& options, play::Feed& feed) {
  return Searcher(options, feed).Find();
}

}  // namespace dp2trace::blame
