#include "blame_run.h"

#include <doctest/doctest.h>

#include "support/json_events.h"
#include "unit/history/history_run.h"

namespace dp2trace::testing {

blame::Frame FrameOf(const std::string& trace, uint64_t frame) {
  blame::Recorder recorder({.keeps_content = true}, SpanOf(trace, frame));
  play::Player player({}, {&recorder});
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(player.OnEvent(number, event).ok());
    return !player.is_done();
  });
  return recorder.Finish();
}

image::Picture PictureOf(const std::string& trace, uint64_t frame) {
  Pictures pictures = PicturesOf(trace);
  REQUIRE(pictures.frames.contains(frame));
  return std::move(pictures.frames.at(frame).picture);
}

std::string Replaced(std::string text, const std::string& from, const std::string& to,
                     size_t place) {
  size_t found = 0;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    if (++found == place || place == 0) {
      text.replace(at, from.size(), to);
      at += to.size();
    } else {
      at += from.size();
    }
  }
  REQUIRE(found >= std::max<size_t>(place, 1));
  return text;
}

Blamed BlameOf(const std::string& trace, const std::string& driver, uint64_t frame,
               const image::LooseOptions& options) {
  Blamed blamed;
  blamed.frame = FrameOf(trace, frame);
  blamed.blame = blame::FindBlame(blamed.frame, PictureOf(driver, frame), options);
  return blamed;
}

std::vector<uint64_t> Blamed::firsts() const {
  std::vector<uint64_t> numbers;
  for (const blame::BlamedRegion& region : blame.regions) {
    numbers.push_back(
        region.candidates.empty() ? 0 : frame.operations[region.candidates.front().operation].draw);
  }
  return numbers;
}

std::vector<std::string> Blamed::exact_facts() const {
  std::vector<std::string> facts;
  for (const blame::SharedFact& shared : blame.common.facts) {
    if (shared.wrong != blame.common.wrong_draws || shared.right != 0) continue;
    const blame::Fact& fact = frame.facts.at(shared.fact);
    facts.push_back(fact.name + " = " + fact.value);
  }
  return facts;
}

std::vector<uint64_t> Blamed::wrong_draws() const {
  std::vector<uint64_t> numbers;
  for (const uint32_t place : blame.wrong_draws)
    numbers.push_back(frame.operations[place].draw);
  return numbers;
}

}  // namespace dp2trace::testing
