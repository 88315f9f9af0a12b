#include "replay_run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "rules/rule.h"
#include "rules/rule_info.h"
#include "support/json_events.h"

namespace dp2trace::testing {
namespace {

class KeepingSink final : public replay::ImageSink {
 public:
  explicit KeepingSink(std::vector<KeptImage>& images) : images_(&images) {}
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    images_->push_back({info, picture});
    return OkStatus();
  }

 private:
  std::vector<KeptImage>* images_;
};

}  // namespace

ReplayRun Replay(std::string_view events, const replay::Options& options) {
  const std::string text = "[\n{\"event\":\"header\"},\n" + std::string(events) + "\n]\n";
  ReplayRun run;
  KeepingSink sink(run.images);
  replay::Replayer replayer(options, run.findings, sink);
  ForEachJsonEvent(text, [&replayer](uint64_t number, const trace::Event& event) {
    REQUIRE(replayer.OnEvent(number, event).ok());
    return true;
  });
  REQUIRE(replayer.Finish().ok());
  run.statistics = replayer.statistics();
  return run;
}

std::string ReplayRun::Files() const {
  std::string files;
  for (const KeptImage& image : images)
    files += (files.empty() ? "" : " ") + image.info.file;
  return files;
}

const KeptImage& ReplayRun::File(std::string_view name) const {
  const auto found = std::ranges::find_if(
      images, [name](const KeptImage& image) { return image.info.file == name; });
  REQUIRE(found != images.end());
  return *found;
}

std::string ReplayRun::Pixel(std::string_view file, uint32_t x, uint32_t y) const {
  const auto pixel = File(file).picture.at(x, y);
  return fmt::format("{:02x}{:02x}{:02x}", pixel[0], pixel[1], pixel[2]);
}

std::string ReplayRun::Rules() const {
  std::string rules;
  for (const Diagnostic& finding : findings.items())
    rules += (rules.empty() ? "" : " ") + std::string(Info(finding.rule).id);
  return rules;
}

std::string ClearCall(std::string_view color, std::string_view more, uint64_t context) {
  return fmt::format(
      R"({{"event":"dp2","context":{},"commands":[{{"op":"CLEAR","flags":["TARGET"],"fill_color":"{}","rects":[[0,0,8,8]]}}]{}}})",
      context, color, more);
}

}  // namespace dp2trace::testing
