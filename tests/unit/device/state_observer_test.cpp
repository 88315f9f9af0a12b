#include "device/state_observer.h"

#include <doctest/doctest.h>

#include "device/state_block.h"
#include "device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

struct SeenWrite {
  StateKey key;
  uint32_t word = 0;
  uint64_t offset = 0;
  uint32_t block = 0;  // 0: none
  bool operator==(const SeenWrite&) const = default;
};

class SeenWrites final : public StateObserver {
 public:
  void OnContext(const device::Context& context) override { contexts.push_back(context.id); }
  void OnSet(const device::Context& /*context*/, const stream::Command& command, StateKey key,
             const StateWords& words, const StateBlock* block) override {
    writes.push_back({key, words[0], command.offset, block == nullptr ? 0 : block->handle()});
  }

  std::vector<uint64_t> contexts;
  std::vector<SeenWrite> writes;
};

constexpr uint64_t kStart = 0x100;  // of the streams of a scene
const StateKey kCull = RenderKey(d3d::RenderState::CullMode);

}  // namespace

TEST_CASE("StateObserver: every value that a token writes, also one that changes nothing") {
  SeenWrites seen;
  Options options;
  options.observer = &seen;
  Scene scene(9, 5, options);
  CHECK(seen.contexts == std::vector<uint64_t>{1});
  scene.Run(Op::kRenderState, {22, 1, 22, 1, 22, 9}, 3);
  scene.Run(TokenBytes().Op(Op::kTextureStageState, 1).U16({2, 1}).U32({5}));
  scene.Run(Op::kSetPixelShader, {0});
  CHECK(seen.writes ==
        std::vector<SeenWrite>{{kCull, 1, kStart, 0},
                               {kCull, 1, kStart, 0},
                               {StageKey(2, d3d::TextureStageState::ColorOp), 5, kStart, 0},
                               {{StateKind::kPixelShader}, 0, kStart, 0}});
}

TEST_CASE("StateObserver: what is recorded into a block is written when the block is executed") {
  SeenWrites seen;
  Options options;
  options.observer = &seen;
  Scene scene(9, 5, options);
  scene.Run(Op::kStateSet, {0, 7, 0});
  scene.Run(Op::kRenderState, {22, 1});
  scene.Run(Op::kStateSet, {1, 7, 0});
  CHECK(seen.writes.empty());
  scene.Run(Op::kStateSet, {3, 7, 0});
  CHECK(seen.writes == std::vector<SeenWrite>{{kCull, 1, kStart, 7}});
}
