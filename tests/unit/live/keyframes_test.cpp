#include "live/keyframes.h"

#include <doctest/doctest.h>

#include <string>

#include "inspect_run.h"
#include "support/json_events.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

class Pictures final : public play::Listener {
  play::Detail detail() const override { return play::Detail::kPictures; }
};

// Offers the start of each of so many frames, whose targets differ.
void PlayFrames(live::Keyframes& keyframes, int count) {
  std::string text = R"([{"event":"header"},)" + std::string(kTarget);
  for (int i = 0; i < count; ++i)
    text += Call(Clear("0xFF00" + std::to_string(1000 + i))) + "," + std::string(kPresent) + ",";
  text.back() = ']';
  Pictures pictures;
  state::StateWrites writes;
  play::Player player({}, {&writes, &pictures});
  ForEachJsonEvent(text, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(player.OnEvent(number, event).ok());
    keyframes.Offer(player, writes);
    return true;
  });
}

uint64_t FoundFor(const live::Keyframes& keyframes, uint64_t frame) {
  const live::Keyframe* const found = keyframes.Find(frame);
  return found == nullptr ? 1 : found->player->frame();
}

}  // namespace

TEST_CASE("Keyframes: the nearest start of a frame, and that of the frame that somebody looks at") {
  live::Keyframes keyframes(uint64_t{1} << 24);
  keyframes.Want(8);
  PlayFrames(keyframes, 20);
  CHECK(FoundFor(keyframes, 1) == 1);
  CHECK(FoundFor(keyframes, 4) == 1);
  CHECK(FoundFor(keyframes, 7) == 5);
  CHECK(FoundFor(keyframes, 8) == 8);
  CHECK(FoundFor(keyframes, 20) == 17);
  CHECK(FoundFor(keyframes, 999) == 21);
  keyframes.Want(6);
  CHECK(FoundFor(keyframes, 8) == 5);
}

TEST_CASE(
    "Keyframes: there are fewer of them where there is less room, and none where one is too large") {
  live::Keyframes all(uint64_t{1} << 30);
  PlayFrames(all, 1000);
  CHECK(all.size() > 20);
  CHECK(all.size() <= 64);
  CHECK(FoundFor(all, 900) > 850);
  live::Keyframes few(all.bytes() / 4);
  PlayFrames(few, 1000);
  CHECK(few.size() < all.size() / 2);
  CHECK(few.size() > 2);
  CHECK(few.bytes() <= all.bytes() / 4);
  live::Keyframes none(1000);
  none.Want(5);
  PlayFrames(none, 20);
  CHECK(none.size() == 0);
  CHECK(none.bytes() == 0);
}
