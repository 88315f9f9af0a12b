#include "play/player.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/json_events.h"
#include "unit/replay/replay_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::string kPresent = R"({"event":"present","handle":1})";
const std::string kMarker = R"({"event":"marker","text":"Clear"})";
const std::string kHeader = R"({"event":"header"})";

std::string Clear(const std::string& color, const std::string& more = "") {
  return ClearCall(color, more);
}

// Plays the events after a header, to the end or until the player is done.
void Play(play::Player& player, const std::string& events) {
  ForEachJsonEvent("[" + kHeader + "," + events + "]", [&](uint64_t number, const trace::Event& e) {
    REQUIRE(player.OnEvent(number, e).ok());
    return !player.is_done();
  });
}

// Red, green and blue of the first pixel of surface 1.
uint32_t FirstPixel(play::Player& player) {
  player.FinishDrawing();
  const device::SurfaceRef surface = player.device().FindSpace(0)->Find(1);
  REQUIRE(surface);
  return LoadU32(surface.bits().block(0, 0, 0)) & 0xFFFFFF;
}

// Writes down what it hears.
class Notes final : public play::Listener {
 public:
  explicit Notes(play::Detail detail = play::Detail::kStates, uint64_t last_event = UINT64_MAX)
      : detail_(detail), last_event_(last_event) {}
  bool is_done() const override { return player().position().event >= last_event_; }
  using play::Listener::player;

  std::vector<play::Position> draws;  // at each draw
  std::vector<std::string> markers;   // of these
  std::string calls;
  std::vector<std::string>* order = nullptr;
  std::string name;
  bool leaves_drawing = true;

 private:
  play::Detail detail() const override { return detail_; }
  Status BeforeEvent(const trace::Event& event) override {
    if (order != nullptr) order->push_back(name);
    calls += std::holds_alternative<trace::Present>(event) ? "<p" : "<";
    return OkStatus();
  }
  Status AfterEvent(const trace::Event& /*event*/) override {
    calls += ">";
    return OkStatus();
  }
  Status OnApplied(device::Context& context, const stream::Command& command) override {
    CHECK(player().context() == &context);
    if (!command.op->is(opcode::kDraw)) return OkStatus();
    draws.push_back(player().position());
    markers.push_back(player().marker() ? player().marker()->text : "");
    return OkStatus();
  }
  Status OnSessionEnd() override {
    calls += "end";
    return OkStatus();
  }
  bool OnClear(const device::ClearDraw& /*clear*/) override { return leaves_drawing; }

  play::Detail detail_;
  uint64_t last_event_;
};

}  // namespace

TEST_CASE("Player: the position of each draw") {
  Notes notes;
  play::Player player({}, {&notes});
  const std::string call = Clear("0xFF0000FF");
  Play(player, std::string(kTarget) + call + "," + kPresent + "," + call + "," + call);
  REQUIRE(notes.draws.size() == 3);
  CHECK(notes.draws[0].event == 3);
  CHECK(notes.draws[0].frame == 1);
  CHECK(notes.draws[0].frame_start == 0);
  CHECK(notes.draws[0].draw == 1);
  CHECK(notes.draws[0].token != nullptr);
  CHECK(notes.draws[1].frame == 2);
  CHECK(notes.draws[1].frame_start == 5);
  CHECK(notes.draws[2].draw == 3);
  CHECK(player.position().draw == 0);
  CHECK(player.position().frame == 2);
  CHECK(player.draws().count() == 3);
}

TEST_CASE("Player: a present belongs to the frame that it ends") {
  struct Frames final : play::Listener {
    Status OnPresent(const trace::Present& /*present*/) override {
      numbers.push_back(player().position().frame);
      return OkStatus();
    }
    Status AfterEvent(const trace::Event& event) override {
      if (std::holds_alternative<trace::Present>(event))
        numbers.push_back(player().position().frame);
      return OkStatus();
    }
    std::vector<uint64_t> numbers;
  } frames;
  play::Player player({}, {&frames});
  Play(player, std::string(kTarget) + kPresent + "," + kPresent);
  CHECK(frames.numbers == std::vector<uint64_t>{1, 1, 2, 2});
}

TEST_CASE("Player: all listeners hear everything, in their order, and it is done when all are") {
  std::vector<std::string> order;
  Notes first(play::Detail::kStates, 1);
  Notes second(play::Detail::kStates, 3);
  first.order = second.order = &order;
  first.name = "first";
  second.name = "second";
  play::Player player({}, {&first, nullptr, &second});
  Play(player, std::string(kTarget) + kPresent + "," + kPresent + "," + kPresent);
  CHECK(player.position().event == 3);
  REQUIRE(order.size() == 8);
  CHECK(order[0] == "first");
  CHECK(order[1] == "second");
  CHECK(first.calls == "<><><><p>");
}

TEST_CASE("Player: without listeners it is never done, and knows the last target") {
  play::Player player({}, {});
  CHECK_FALSE(player.is_done());
  Play(player, std::string(kTarget) + Clear("0xFF0000FF"));
  CHECK(player.drawn_target() == play::DrawnTarget{0, 1});
  CHECK(player.drawn_event() == 3);
  CHECK_FALSE(player.is_done());
}

TEST_CASE("Player: the last target is that of the unfinished frame and session") {
  const std::string drawn = std::string(kTarget) + Clear("0xFF0000FF");
  play::Player shown({}, {});
  Play(shown, drawn + "," + kPresent);
  CHECK_FALSE(shown.drawn_target());
  Notes notes;
  play::Player ended({}, {&notes});
  Play(ended, drawn + "," + kHeader);
  CHECK_FALSE(ended.drawn_target());
  CHECK(ended.context() == nullptr);
  CHECK(notes.calls == "<><><><><end>");
}

TEST_CASE("Player: as much is there as one of the listeners needs") {
  const std::string events = std::string(kTarget) + Clear("0xFF00FF00");
  const auto has_pixels = [](play::Player& player) {
    return player.device().FindSpace(0)->Find(1).surface().has_pixels();
  };
  Notes states;
  Notes contents(play::Detail::kContents);
  Notes pictures(play::Detail::kPictures);
  play::Player none({}, {&states});
  Play(none, events);
  CHECK_FALSE(has_pixels(none));
  CHECK(none.renderer() == nullptr);
  play::Player some({}, {&states, &contents});
  Play(some, events);
  CHECK(has_pixels(some));
  CHECK(some.renderer() == nullptr);
  CHECK(FirstPixel(some) == 0);
  play::Player all({}, {&pictures, &states});
  Play(all, events);
  CHECK(FirstPixel(all) == 0x00FF00);
}

TEST_CASE("Player: what a listener keeps from the renderer is not drawn") {
  Notes keeps(play::Detail::kPictures);
  keeps.leaves_drawing = false;
  Notes other;
  play::Player player({}, {&keeps, &other});
  Play(player, std::string(kTarget) + Clear("0xFF00FF00"));
  CHECK(FirstPixel(player) == 0);
  CHECK(other.draws.size() == 1);
}

TEST_CASE("Player: another renderer goes on where the first one was") {
  Notes notes(play::Detail::kPictures);
  play::Player player({}, {&notes});
  const std::string events = "[" + kHeader + "," + std::string(kTarget) + Clear("0xFF0000FF") +
                             "," + kPresent + "," + Clear("0xFF00FF00") + "]";
  ForEachJsonEvent(events, [&](uint64_t number, const trace::Event& event) {
    if (number == 5) {
      player.SetRenderer("reference");
      CHECK(FirstPixel(player) == 0x0000FF);
    }
    REQUIRE(player.OnEvent(number, event).ok());
    return true;
  });
  CHECK(FirstPixel(player) == 0x00FF00);
}

TEST_CASE("Player: a marker is that of the next draw") {
  Notes notes;
  play::Player player({}, {&notes});
  const std::string call = Clear("0xFF0000FF");
  Play(player,
       std::string(kTarget) + kMarker + "," + call + "," + call + "," + kMarker + "," + call);
  CHECK(notes.markers == std::vector<std::string>{"Clear", "", "Clear"});
  REQUIRE(player.last_marker());
  CHECK(player.last_marker()->text == "Clear");
  CHECK_FALSE(player.marker());
}

TEST_CASE("Player: findings go to the list, or are those of one event") {
  const std::string bad = R"({"event":"present","handle":77})";
  struct Counter final : play::Listener {
    Status AfterEvent(const trace::Event& /*event*/) override {
      found.push_back(player().findings().items().size());
      return OkStatus();
    }
    std::vector<size_t> found;
  } counter;
  play::Player forgets({}, {&counter});
  Play(forgets, bad + "," + kPresent + "," + bad);
  CHECK(counter.found == std::vector<size_t>{0, 1, 1, 1});
  counter.found.clear();
  DiagnosticList findings;
  play::Player keeps({}, findings, {&counter});
  Play(keeps, bad + "," + kPresent + "," + bad);
  CHECK(counter.found == std::vector<size_t>{0, 1, 2, 3});
  CHECK(findings.items().size() == 3);
}

TEST_CASE("Player: a listener that fails ends the event") {
  struct Failing final : play::Listener {
    Status BeforeEvent(const trace::Event& event) override {
      return std::holds_alternative<trace::Present>(event) ? Failure(Rule::kIo001, "cannot write")
                                                           : OkStatus();
    }
  } failing;
  Notes notes;
  play::Player player({}, {&failing, &notes});
  Status status;
  ForEachJsonEvent("[" + kHeader + "," + kPresent + "]",
                   [&](uint64_t number, const trace::Event& event) {
                     status = player.OnEvent(number, event);
                     return status.ok();
                   });
  CHECK_FALSE(status.ok());
  CHECK(notes.calls == "<>");
}

TEST_CASE("Player: an interrupt ends the event after the token that it comes after") {
  Notes notes;
  play::Options options;
  options.validation.interrupt = [&notes] {
    return notes.draws.size() == 2 ? Failure(kCannotRead, "it was cancelled") : OkStatus();
  };
  play::Player player(options, {&notes});
  const std::string clear =
      R"({"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF102030","rects":[[0,0,1,1]]})";
  Status status;
  ForEachJsonEvent("[" + kHeader + "," + std::string(kTarget) +
                       R"({"event":"dp2","context":1,"commands":[)" + clear + "," + clear + "," +
                       clear + "]}]",
                   [&](uint64_t number, const trace::Event& event) {
                     status = player.OnEvent(number, event);
                     return status.ok();
                   });
  REQUIRE_FALSE(status.ok());
  CHECK(status.diagnostic().message == "it was cancelled");
  CHECK(notes.draws.size() == 2);
}

TEST_CASE("Player: several plays of a trace share one budget of work") {
  const std::string events = Clear("0xFFFF0000") + "," + kPresent;
  WorkBudget once(UINT64_MAX);
  play::Options options;
  options.validation.work = &once;
  {
    play::Player player(options, {});
    Play(player, events);
  }
  REQUIRE(once.spent() > 0);
  WorkBudget work(once.spent() + once.spent() / 2);
  options.validation.work = &work;
  for (const bool has_ended : {false, true}) {
    play::Player player(options, {});
    Play(player, events);
    CHECK(player.has_ended() == has_ended);
  }
  CHECK(work.is_spent());
}
