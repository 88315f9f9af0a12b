#include "blame/levels.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "history/recorder.h"

namespace dp2trace::blame {
namespace {

constexpr size_t kPixels = 8;      // of each kind
constexpr size_t kFewest = 4;      // right pixels that say something
constexpr size_t kRightShare = 4;  // at most one in so many right pixels may sample the level

struct Place {
  uint32_t x = 0, y = 0;   // of the picture
  uint32_t operation = 0;  // that it shows last: place in Frame::operations
};

// A level of a texture as a sampler of a draw reads it.
using SampledLevel = std::tuple<uint32_t, uint32_t, uint32_t>;  // sampler, texture, level

bool HasLevels(const Frame& frame, const Operation& operation) {
  return std::ranges::any_of(operation.facts, [&](FactNumber number) {
    const Fact& fact = frame.facts.at(number);
    return fact.name.starts_with("levels of texture") && fact.value != "1";
  });
}

// The pixels of the picture that show a draw last, by the draw: those that differ, and the others.
struct ShownPlaces {
  std::vector<Place> wrong, right;
};

std::map<uint32_t, ShownPlaces> FindShown(const Frame& frame, const image::Picture& actual,
                                          const image::LooseOptions& options) {
  const Differences differences(frame.picture, actual, options);
  const image::Area& area = frame.layers.area();
  std::map<uint32_t, ShownPlaces> shown;
  for (uint32_t y = 0; y < differences.height(); ++y) {
    for (uint32_t x = 0; x < differences.width(); ++x) {
      const std::optional<uint32_t> last = frame.layers.LastWriter(area.left + x, area.top + y);
      if (!last || frame.operations[*last].draw == 0) continue;
      ShownPlaces& of = shown[*last];
      (differences.At(x, y) ? of.wrong : of.right).push_back({x, y, *last});
    }
  }
  return shown;
}

// The textures that the draw may read, as its facts have them.
std::set<std::string_view> TexturesOf(const Frame& frame, const Operation& operation) {
  constexpr std::string_view kPrefix = "texture ";
  std::set<std::string_view> textures;
  for (const FactNumber number : operation.facts) {
    const Fact& fact = frame.facts.at(number);
    const bool is_slot =
        fact.name.starts_with(kPrefix) &&
        fact.name.find_first_not_of("0123456789", kPrefix.size()) == fact.name.npos;
    if (is_slot && fact.value != "none") textures.insert(fact.value);
  }
  return textures;
}

// The right pixels of the other draws that have a texture of the draw.
std::vector<Place> RightOfOthers(const Frame& frame, const std::map<uint32_t, ShownPlaces>& shown,
                                 uint32_t draw) {
  const std::set<std::string_view> textures = TexturesOf(frame, frame.operations[draw]);
  std::vector<Place> places;
  for (const auto& [other, of] : shown) {
    const std::set<std::string_view> others = TexturesOf(frame, frame.operations[other]);
    const bool shares = std::ranges::any_of(
        others, [&](std::string_view texture) { return textures.contains(texture); });
    if (other != draw && shares) places.insert(places.end(), of.right.begin(), of.right.end());
  }
  return places;
}

// Some of them, spread over all.
std::vector<Place> Choose(const std::vector<Place>& places) {
  if (places.size() <= kPixels) return places;
  std::vector<Place> chosen;
  for (size_t i = 0; i < kPixels; ++i)
    chosen.push_back(places[(2 * i + 1) * places.size() / (2 * kPixels)]);
  return chosen;
}

// Stops in front of an event.
class Stop final : public play::Listener {
 public:
  explicit Stop(uint64_t event) : event_(event) {}
  bool is_done() const override { return player().position().event + 1 >= event_; }

 private:
  play::Detail detail() const override { return play::Detail::kPictures; }
  uint64_t event_;
};

class Finder {
 public:
  Finder(const Frame& frame, const history::FrameSpan& span, const play::Options& play,
         play::Feed& feed)
      : frame_(frame), span_(span), play_(play), feed_(feed) {}

  Status Start() {
    if (span_.first == 0) return OkStatus();
    Stop stop(span_.first);
    play::Player player(play_, {&stop});
    DP2TRACE_RETURN_IF_ERROR(feed_.Play("blame", player));
    start_ = player.Save();
    return OkStatus();
  }

  // The levels that the draw of the pixel samples there.
  Result<std::set<SampledLevel>> LevelsAt(const Place& place) const {
    const Operation& draw = frame_.operations[place.operation];
    history::Options options;
    options.x = frame_.layers.area().left + place.x;
    options.y = frame_.layers.area().top + place.y;
    options.surface = frame_.surface;
    history::Recorder recorder(options, span_);
    play::Options play = play_;
    play.start = start_.get();
    play::Player player(play, {&recorder});
    DP2TRACE_RETURN_IF_ERROR(feed_.Play("blame", player));
    std::set<SampledLevel> levels;
    for (const history::Operation& operation : recorder.Finish().operations) {
      if (operation.event != draw.event || operation.offset != draw.offset) continue;
      for (const raster::ProbedFragment& fragment : operation.fragments) {
        for (const raster::ProbedSample& sample : fragment.shading.samples) {
          for (const raster::ProbedTexel& texel : sample.texels) {
            if (!texel.is_border && texel.weight > 0)
              levels.emplace(sample.sampler, sample.texture, texel.level);
          }
        }
      }
    }
    return levels;
  }

 private:
  const Frame& frame_;
  const history::FrameSpan& span_;
  const play::Options& play_;
  play::Feed& feed_;
  std::unique_ptr<const play::Snapshot> start_;
};

}  // namespace

Result<std::optional<BlamedLevel>> FindLevel(const Frame& frame, const Blame& blame,
                                             const image::Picture& actual,
                                             const image::LooseOptions& options,
                                             const history::FrameSpan& span,
                                             const play::Options& play, play::Feed& feed) {
  const std::optional<BlamedLevel> none;
  const std::map<uint32_t, ShownPlaces> shown = FindShown(frame, actual, options);
  const std::set<uint32_t> wrong_draws(blame.wrong_draws.begin(), blame.wrong_draws.end());
  const auto most = std::ranges::max_element(shown, {}, [&](const auto& entry) {
    return wrong_draws.contains(entry.first) ? entry.second.wrong.size() : 0;
  });
  if (most == shown.end() || !wrong_draws.contains(most->first) || most->second.wrong.empty() ||
      !HasLevels(frame, frame.operations[most->first]))
    return none;
  const bool has_right = most->second.right.size() >= kFewest;
  const std::vector<Place> right =
      Choose(has_right ? most->second.right : RightOfOthers(frame, shown, most->first));
  if (right.size() < kFewest) return none;
  Finder finder(frame, span, play, feed);
  DP2TRACE_RETURN_IF_ERROR(finder.Start());
  const std::vector<Place> wrong = Choose(most->second.wrong);
  std::set<SampledLevel> suspects;
  for (size_t i = 0; i < wrong.size(); ++i) {
    Result<std::set<SampledLevel>> levels = finder.LevelsAt(wrong[i]);
    if (!levels.ok()) return levels.status();
    if (i == 0) suspects = *levels;
    std::erase_if(suspects, [&](const SampledLevel& level) { return !levels->contains(level); });
    if (suspects.empty()) return none;
  }
  std::vector<std::set<SampledLevel>> sampled;  // by right pixels
  for (const Place& place : right) {
    Result<std::set<SampledLevel>> levels = finder.LevelsAt(place);
    if (!levels.ok()) return levels.status();
    sampled.push_back(std::move(*levels));
  }
  // Another draw may have the texture at another sampler.
  const auto count = [&](const SampledLevel& suspect) {
    return static_cast<uint64_t>(
        std::ranges::count_if(sampled, [&](const std::set<SampledLevel>& levels) {
          return std::ranges::any_of(levels, [&](const SampledLevel& level) {
            return std::get<1>(level) == std::get<1>(suspect) &&
                   std::get<2>(level) == std::get<2>(suspect);
          });
        }));
  };
  const SampledLevel best = *std::ranges::min_element(suspects, {}, count);
  if (kRightShare * count(best) > right.size()) return none;
  const auto& [sampler, texture, level] = best;
  return std::optional(BlamedLevel{frame.operations[most->first].draw, sampler, texture, level,
                                   wrong.size(), right.size(), count(best), !has_right});
}

}  // namespace dp2trace::blame
