#include "blame/analysis.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace dp2trace::blame {
namespace {

constexpr double kLeastShare = 0.25;  // of the largest, for a draw that is wrong
constexpr size_t kEdgeShare = 50;     // one pixel in so many, for a draw whose edges lie off

// Pixels of an operation.
struct Counts {
  uint64_t wrong = 0, reached = 0;
  void Add(bool differs) {
    ++reached;
    wrong += differs ? 1U : 0U;
  }
  double share() const {
    return reached == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(reached);
  }
};
struct Measures {
  Counts written, covered;
};

// Differing pixels of an operation in a region.
struct Hits {
  uint64_t written = 0, covered = 0;
};

struct Fit {
  double value = 0;
  bool is_by_cover = false;
};

Fit FitOf(const Measures& measures, const Hits& hits, uint64_t region_pixels) {
  const auto part = [&](uint64_t pixels) {
    return std::sqrt(static_cast<double>(pixels) / static_cast<double>(region_pixels));
  };
  const double written_share = measures.written.share();
  const double covered_share = measures.covered.share();
  const double of_covered =
      hits.covered == 0 ? 0 : static_cast<double>(hits.written) / static_cast<double>(hits.covered);
  const double written = written_share * written_share * part(hits.written);
  const double covered = covered_share * covered_share * part(hits.covered) * (1 + of_covered) / 2;
  return covered > written ? Fit{covered, true} : Fit{written, false};
}

// What a pixel's layers say of one operation.
struct Reach {
  uint32_t operation = 0;
  bool is_written = false;
};

class Analyst {
 public:
  Analyst(const Frame& frame, const image::Picture& actual, const image::LooseOptions& options)
      : frame_(frame),
        actual_(actual),
        options_(options),
        differences_(frame.picture, actual, options),
        regions_(FindRegions(differences_)),
        measures_(frame.operations.size()),
        is_wrong_(frame.operations.size()) {}

  Blame Run() {
    Blame blame;
    blame.comparison = image::CompareLoosely(frame_.picture, actual_, options_);
    Count();
    for (size_t i = 0; i < regions_.regions.size(); ++i)
      blame.regions.push_back(DescribeRegion(i));
    Vote();
    Sort(blame);
    blame.common = FindCommon(frame_, blame.wrong_draws, blame.right_draws);
    return blame;
  }

 private:
  struct Tally {
    std::map<uint32_t, Hits> hits;  // by operation
    uint64_t unwritten = 0;
    std::optional<image::PixelDifference> first;
  };

  // Each operation once.
  static void Join(const std::vector<Layer>& layers, std::vector<Reach>& reaches) {
    reaches.clear();
    for (const Layer& layer : layers) {
      const auto found = std::ranges::find(reaches, layer.operation, &Reach::operation);
      if (found == reaches.end()) {
        reaches.push_back({layer.operation, !layer.is_held_back});
      } else {
        found->is_written = found->is_written || !layer.is_held_back;
      }
    }
  }

  // Calls visit(x, y, differs, reaches) for each pixel that is compared.
  template <class Visit>
  void ForEachPixel(const Visit& visit) {
    const image::Area& area = frame_.layers.area();
    const image::Region part =
        options_.region.value_or(image::Region{0, 0, differences_.width(), differences_.height()});
    const uint64_t right = std::min<uint64_t>(differences_.width(), uint64_t{part.x} + part.width);
    const uint64_t bottom =
        std::min<uint64_t>(differences_.height(), uint64_t{part.y} + part.height);
    std::vector<Layer> layers;
    std::vector<Reach> reaches;
    for (uint32_t y = part.y; y < bottom; ++y) {
      for (uint32_t x = part.x; x < right; ++x) {
        frame_.layers.Find(area.left + x, area.top + y, layers);
        Join(layers, reaches);
        visit(x, y, differences_.At(x, y), reaches);
      }
    }
  }

  image::PixelDifference DifferenceAt(uint32_t x, uint32_t y) const {
    image::PixelDifference difference;
    difference.x = x;
    difference.y = y;
    std::ranges::copy(frame_.picture.at(x, y), difference.expected.begin());
    std::ranges::copy(actual_.at(x, y), difference.actual.begin());
    return difference;
  }

  void Count() {
    tallies_.resize(regions_.regions.size());
    ForEachPixel([this](uint32_t x, uint32_t y, bool differs, const std::vector<Reach>& reaches) {
      bool is_written = false;
      for (const Reach& reach : reaches) {
        Measures& measures = measures_[reach.operation];
        measures.covered.Add(differs);
        if (reach.is_written) measures.written.Add(differs);
        is_written = is_written || reach.is_written;
      }
      if (!differs) return;
      Tally& tally = tallies_[regions_.At(x, y)];
      if (!tally.first) tally.first = DifferenceAt(x, y);
      tally.unwritten += is_written ? 0U : 1U;
      for (const Reach& reach : reaches) {
        Hits& hits = tally.hits[reach.operation];
        ++hits.covered;
        hits.written += reach.is_written ? 1U : 0U;
      }
    });
  }

  BlamedRegion DescribeRegion(size_t number) const {
    const Tally& tally = tallies_[number];
    BlamedRegion region;
    region.where = regions_.regions[number];
    if (tally.first) region.first = *tally.first;
    region.unwritten = tally.unwritten;
    for (const auto& [operation, hits] : tally.hits) {
      const Fit fit = FitOf(measures_[operation], hits, region.where.pixels);
      const Counts& counts =
          fit.is_by_cover ? measures_[operation].covered : measures_[operation].written;
      region.candidates.push_back({.operation = operation,
                                   .is_by_cover = fit.is_by_cover,
                                   .pixels = fit.is_by_cover ? hits.covered : hits.written,
                                   .written = hits.written,
                                   .wrong = counts.wrong,
                                   .reached = counts.reached,
                                   .fit = fit.value});
    }
    std::ranges::sort(region.candidates, {}, [](const Candidate& candidate) {
      return std::tuple(-candidate.fit, candidate.is_by_cover, UINT32_MAX - candidate.operation);
    });
    if (region.candidates.size() > kMaxCandidates) {
      region.further_candidates = region.candidates.size() - kMaxCandidates;
      region.candidates.resize(kMaxCandidates);
    }
    return region;
  }

  Fit GlobalFit(uint32_t operation) const {
    const Measures& measures = measures_[operation];
    const Hits hits = {measures.written.wrong, measures.covered.wrong};
    return FitOf(measures, hits, differences_.count());
  }

  // Each pixel that differs chooses the operation that explains the picture best, of equal ones the last.
  void Vote() {
    std::vector<Fit> fits;
    for (uint32_t i = 0; i < frame_.operations.size(); ++i)
      fits.push_back(differences_.count() == 0 ? Fit{} : GlobalFit(i));
    std::vector<bool> is_chosen(fits.size());
    ForEachPixel([&](uint32_t, uint32_t, bool differs, const std::vector<Reach>& reaches) {
      if (!differs || reaches.empty()) return;
      const Reach best = *std::ranges::max_element(reaches, {}, [&](const Reach& reach) {
        return std::pair(fits[reach.operation].value, reach.operation);
      });
      is_chosen[best.operation] = true;
    });
    const auto share = [&](size_t i) {
      return (fits[i].is_by_cover ? measures_[i].covered : measures_[i].written).share();
    };
    double largest = 0;
    for (size_t i = 0; i < fits.size(); ++i) {
      if (is_chosen[i]) largest = std::max(largest, share(i));
    }
    for (size_t i = 0; i < fits.size(); ++i)
      is_wrong_[i] = is_chosen[i] && share(i) >= kLeastShare * largest;
  }

  void Sort(Blame& blame) const {
    for (uint32_t i = 0; i < frame_.operations.size(); ++i) {
      if (frame_.operations[i].kind != history::Kind::kDraw) continue;
      const bool is_written = measures_[i].written.reached != 0;
      if (is_wrong_[i]) {
        blame.wrong_draws.push_back(i);
      } else if (is_written && measures_[i].covered.wrong == 0) {
        blame.right_draws.push_back(i);
      } else if (is_written) {
        ++blame.unclear_draws;
      }
    }
  }

  const Frame& frame_;
  const image::Picture& actual_;
  const image::LooseOptions& options_;
  Differences differences_;
  Regions regions_;
  std::vector<Measures> measures_;  // by operation
  std::vector<Tally> tallies_;      // by region
  std::vector<bool> is_wrong_;      // by operation
};

// An edge between two operations is that of the later one, which lies on top.
std::vector<uint32_t> FindEdgeDraws(const Frame& frame,
                                    const std::vector<image::MovedPixel>& moved) {
  const LayerMap& layers = frame.layers;
  const image::Area& area = layers.area();
  std::map<uint32_t, size_t> pixels;
  for (const image::MovedPixel& pixel : moved) {
    const std::optional<uint32_t> top =
        std::max(layers.LastWriter(area.left + pixel.x, area.top + pixel.y),
                 layers.LastWriter(area.left + pixel.from_x, area.top + pixel.from_y));
    if (top && frame.operations[*top].kind == history::Kind::kDraw) ++pixels[*top];
  }
  std::vector<uint32_t> draws;
  for (const auto& [draw, count] : pixels) {
    if (count * kEdgeShare >= moved.size()) draws.push_back(draw);
  }
  std::ranges::stable_sort(draws, std::greater(), [&](uint32_t draw) { return pixels[draw]; });
  return draws;
}

}  // namespace

Blame FindBlame(const Frame& frame, const image::Picture& actual,
                const image::LooseOptions& options) {
  Blame blame = Analyst(frame, actual, options).Run();
  if (!blame.is_equal()) blame.diagnosis = image::Diagnose(frame.picture, actual, options);
  if (blame.diagnosis && blame.diagnosis->fault == image::PictureFault::kHalfPixel) {
    blame.edge_draws =
        FindEdgeDraws(frame, image::FindMoved(frame.picture, actual, options, *blame.diagnosis));
    const auto lies_off = [&](uint32_t draw) {
      return std::ranges::count(blame.edge_draws, draw) != 0;
    };
    blame.unclear_draws += std::erase_if(blame.right_draws, lies_off);
    blame.common = FindCommon(frame, blame.wrong_draws, blame.right_draws);
  }
  return blame;
}

}  // namespace dp2trace::blame
