// A relay of players, each of which goes on where the one before stood: together they find and draw what one does.
#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/hash.h"
#include "play/player.h"
#include "support/json_events.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// What a trace does, as text.
struct Course {
  DiagnosticList findings;
  std::string text;
  uint64_t players = 0;
};

// Writes down draws, presents and, at the end, what all surfaces hold.
class Chronicle final : public play::Listener {
 public:
  explicit Chronicle(std::string& text) : text_(&text) {}

  void AddSurfaces() {
    player().FinishDrawing();
    for (const auto& [id, space] : std::as_const(player().device()).spaces()) {
      for (const auto& [handle, resource] : space->roots()) {
        const image::Surface& surface = resource->surface;
        if (surface.size_bytes() == 0) continue;
        const Bytes bytes(surface.level(0, 0).bytes, static_cast<size_t>(surface.size_bytes()));
        *text_ += std::to_string(handle) + ":" + std::to_string(Xxh3_64(bytes)) + " ";
      }
    }
  }

 private:
  play::Detail detail() const override { return play::Detail::kPictures; }
  Status OnApplied(device::Context& context, const stream::Command& command) override {
    const play::Position& at = player().position();
    *text_ += std::to_string(at.frame) + "/" + std::to_string(at.event) + "/" +
              std::to_string(at.draw) + std::string(command.op->name) +
              (player().marker() ? player().marker()->text : "") +
              std::to_string(context.object_bytes) + " ";
    return OkStatus();
  }
  Status OnPresent(const trace::Present& /*present*/) override {
    AddSurfaces();
    return OkStatus();
  }

  std::string* text_;
};

struct Leg {
  Chronicle notes;
  play::Player player;
  Leg(const play::Options& options, Course& course)
      : notes(course.text), player(options, course.findings, {&notes}) {}
};

// `step`: so many events per player; 0: one plays all of it.
Course PlayRelay(const std::string& text, uint64_t step, const play::Options& options) {
  Course course;
  auto now = std::make_unique<Leg>(options, course);
  std::unique_ptr<const play::Snapshot> last;
  ForEachJsonEvent(text, [&](uint64_t number, const trace::Event& event) {
    if (step != 0 && number % step == 0 && number != 0 && !now->player.has_ended()) {
      last = now->player.Save(last.get());
      CHECK(last->next_event() == number);
      play::Options later = options;
      later.start = last.get();
      now = std::make_unique<Leg>(later, course);
      CHECK(now->player.options().start == last.get());  // who reads the trace for it asks
      ++course.players;
    }
    return now->player.OnEvent(number, event).ok();
  });
  now->player.Finish();
  now->notes.AddSurfaces();
  course.text += std::to_string(now->player.draws().count());
  return course;
}

// Of all traces in the folder; returns how many players took part.
uint64_t CompareAll(const char* folder, uint64_t step) {
  uint64_t players = 0;
  play::Options options;
  options.validation.checks_recording = true;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const bool is_trace = entry.path().extension() == ".json" &&
                          entry.path().string().find("/malformed/") == std::string::npos;
    if (!is_trace) continue;
    CAPTURE(entry.path().string());
    const std::string text = ReadText(entry.path().string());
    const Course whole = PlayRelay(text, 0, options);
    const Course relay = PlayRelay(text, step, options);
    CHECK(relay.text == whole.text);
    CHECK(relay.findings.items() == whole.findings.items());
    players += relay.players;
  }
  return players;
}

}  // namespace

TEST_CASE("Snapshot: a relay draws the scenes as one player does") {
  CHECK(CompareAll(DP2TRACE_SOURCE_DIR "/traces/scenes", 3) > 50);
  CHECK(CompareAll(DP2TRACE_SOURCE_DIR "/traces/features", 1) > 50);
}

TEST_CASE("Snapshot: a relay finds in the traces of the rules what one player does") {
  CHECK(CompareAll(DP2TRACE_RULE_TRACES, 1) > 3000);
}

TEST_CASE(
    "Snapshot: what has not changed is there once, and a snapshot does not change with its player") {
  const std::string target =
      R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":64,"height":64})";
  const std::string texture =
      R"({"event":"surface_create","handle":2,"kind":"texture","format":"A8R8G8B8","width":64,"height":64})";
  const std::string fill = R"({"event":"blt","kind":"color_fill","dest":1,"fill":4278190335})";
  std::string text;
  Chronicle notes(text);
  play::Player player({}, {&notes});
  std::unique_ptr<const play::Snapshot> first;
  std::unique_ptr<const play::Snapshot> second;
  ForEachJsonEvent(
      R"([{"event":"header"},)" + target + "," + texture + "," + fill + "," + fill + "]",
      [&](uint64_t number, const trace::Event& event) {
        if (number == 3) first = player.Save();
        REQUIRE(player.OnEvent(number, event).ok());
        if (number == 3) second = player.Save(first.get());
        return true;
      });
  const auto surface = [](const play::Snapshot& snapshot,
                          uint32_t handle) -> const image::Surface& {
    return snapshot.runner.device.FindSpace(0)->FindRoot(handle)->surface;
  };
  CHECK(surface(*second, 2).SharesBytes(surface(*first, 2)));
  CHECK_FALSE(surface(*second, 1).SharesBytes(surface(*first, 1)));
  CHECK(LoadU32(surface(*first, 1).level(0, 0).bytes) == 0);
  CHECK(LoadU32(surface(*second, 1).level(0, 0).bytes) == 0xFF0000FF);
  CHECK(first->runner.device.BytesBeside(nullptr) > 2 * 64 * 64 * 4);
  CHECK(second->runner.device.BytesBeside(&first->runner.device) < 2 * 64 * 64 * 4);
  CHECK_FALSE(player.device().FindSpace(0)->Find(1).surface().SharesBytes(surface(*second, 1)));
}
