// What a recording from the middle names and does not describe.
#include "validate/missing_objects.h"

#include <doctest/doctest.h>

#include "helpers.h"
#include "play/runner.h"
#include "rules/rule.h"

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

// A runner after the header of a bare recording.
class Bare {
 public:
  explicit Bare(uint32_t level = 7, trace::RecordingStart start = trace::RecordingStart::kBare)
      : runner_({}, findings_, observer_) {
    trace::Header header;
    header.driver_level = level;
    header.start = start;
    Add(header);
  }
  void Add(const trace::Event& event) { REQUIRE(runner_.OnEvent(number_++, event).ok()); }
  void Dp2(std::string_view hex, uint64_t context = 9) {
    const std::vector<uint8_t> bytes = Hex(hex);
    trace::Dp2 call;
    call.context = context;
    call.commands = bytes;
    Add(call);
  }
  // The findings TRACE-016, as their paths.
  std::vector<std::string> Invented() const {
    std::vector<std::string> paths;
    for (const Diagnostic& finding : findings_.items()) {
      if (finding.rule == Rule::kTrace016) paths.push_back(finding.path);
    }
    return paths;
  }
  device::SurfaceRef Find(uint32_t handle) { return runner_.device().space(0).Find(handle); }
  const device::Context* Context(uint64_t id = 9) { return runner_.device().FindContext(0, id); }
  const DiagnosticList& findings() const { return findings_; }

 private:
  DiagnosticList findings_;
  play::Observer observer_;
  play::Runner runner_;
  uint64_t number_ = 0;
};

using Paths = std::vector<std::string>;

// VIEWPORTINFO x 0, y 0, width 100, height 50.
constexpr std::string_view kViewport = "1c000100 00000000 00000000 64000000 32000000";

}  // namespace

TEST_CASE("Missing objects: a context gets a target and a depth surface as large as its viewport") {
  Bare bare;
  bare.Dp2(kViewport);
  CHECK(bare.Invented() == Paths{"context"});
  const device::Context* const context = bare.Context();
  REQUIRE(context != nullptr);
  CHECK(context->runtime_version == 3);
  REQUIRE(context->Target(0));
  CHECK(context->Target(0).surface().description().width == 100);
  CHECK(context->Target(0).surface().description().height == 50);
  REQUIRE(context->Depth());
  CHECK(context->Depth().surface().info().format == d3d::Format::D24S8);
  bare.Dp2(kViewport);
  CHECK(bare.Invented().size() == 1);  // once
}

TEST_CASE("Missing objects: without a viewport a target has 640 x 480 pixels") {
  Bare bare(8);
  bare.Dp2("08000100 07000000 00000000");
  REQUIRE(bare.Context() != nullptr);
  CHECK(bare.Context()->runtime_version == 4);
  CHECK(bare.Context()->Target(0).surface().description().width == 640);
  CHECK(bare.Context()->Target(0).surface().description().height == 480);
}

TEST_CASE("Missing objects: nothing is invented in a recording from the beginning") {
  Bare beginning(7, trace::RecordingStart::kBeginning);
  beginning.Dp2(kViewport);
  CHECK(beginning.Invented().empty());
  CHECK(beginning.Context() == nullptr);
  CHECK_FALSE(beginning.findings().empty());  // the rules about contexts say so
}

TEST_CASE("Missing objects: a token that names a texture makes a white one") {
  Bare bare;
  bare.Dp2("19000100 0000 0000 2a000000");  // stage 0, TEXTUREMAP, 42
  CHECK(bare.Invented() == Paths{"context", "commands/0"});
  const device::SurfaceRef texture = bare.Find(42);
  REQUIRE(texture);
  CHECK(texture.surface().info().format == d3d::Format::A8R8G8B8);
  const auto bytes = texture.surface().Read(0, 0, {.right = 1, .bottom = 1});
  REQUIRE(bytes.ok());
  CHECK(*bytes == std::vector<uint8_t>{0xFF, 0xFF, 0xFF, 0xFF});
}

TEST_CASE("Missing objects: SETRENDERTARGET names a target and a depth surface") {
  Bare bare;
  bare.Dp2("29000100 05000000 06000000");
  REQUIRE(bare.Find(5));
  CHECK(bare.Find(5).resource->kind == trace::SurfaceKind::kTarget);
  REQUIRE(bare.Find(6));
  CHECK(bare.Find(6).resource->kind == trace::SurfaceKind::kDepth);
}

TEST_CASE(
    "Missing objects: the surface that is shown is the target that was made for the context") {
  Bare bare;
  bare.Dp2(kViewport);
  trace::Present present;
  present.handle = 77;
  bare.Add(present);
  CHECK(bare.Invented() == Paths{"context", "handle"});
  REQUIRE(bare.Find(77));
  CHECK(bare.Find(77).resource == bare.Context()->Target(0).resource);
  present.handle = 78;  // another one is a surface of its own
  bare.Add(present);
  REQUIRE(bare.Find(78));
  CHECK(bare.Find(78).resource != bare.Find(77).resource);
}

TEST_CASE("Missing objects: an update tells size and format of its surface") {
  const auto format_of = [](uint32_t bytes_per_pixel) {
    Bare bare;
    const std::vector<uint8_t> data(size_t{bytes_per_pixel} * 4 * 2);
    trace::SurfaceUpdate update;
    update.handle = 3;
    update.rect = trace::Rect{2, 1, 6, 3};
    update.data = data;
    bare.Add(update);
    CHECK(bare.Invented() == Paths{"handle"});
    CHECK(bare.findings().count(Severity::kError) == 0);
    REQUIRE(bare.Find(3));
    CHECK(bare.Find(3).surface().description().width == 6);
    CHECK(bare.Find(3).surface().description().height == 3);
    return bare.Find(3).surface().info().format;
  };
  CHECK(format_of(1) == d3d::Format::L8);
  CHECK(format_of(2) == d3d::Format::R5G6B5);
  CHECK(format_of(4) == d3d::Format::A8R8G8B8);
}

TEST_CASE("Missing objects: an update of a range makes a buffer that holds it") {
  Bare bare;
  const std::vector<uint8_t> data(16);
  trace::SurfaceUpdate update;
  update.handle = 3;
  update.range = trace::Range{2 << 20, 16};
  update.data = data;
  bare.Add(update);
  REQUIRE(bare.Find(3));
  CHECK(bare.Find(3).resource->is_buffer());
  CHECK(bare.Find(3).surface().description().width == (2 << 20) + 16);
  CHECK(bare.findings().count(Severity::kError) == 0);
}

TEST_CASE("Missing objects: a picture of nothing known is one of the target") {
  Bare bare;
  trace::Picture picture;
  picture.handle = 4;
  picture.rect = trace::Rect{0, 0, 20, 10};
  bare.Add(picture);
  CHECK(bare.Invented() == Paths{"handle"});
  REQUIRE(bare.Find(4));
  CHECK(bare.Find(4).surface().description().width == 20);
}

TEST_CASE("Missing objects: what was destroyed is not invented again") {
  Bare bare;
  trace::SurfaceCreate create;
  create.handle = 42;
  create.format = static_cast<uint32_t>(d3d::Format::A8R8G8B8);
  create.width = create.height = 8;
  bare.Add(create);
  trace::SurfaceDestroy destroy;
  destroy.handle = 42;
  bare.Add(destroy);
  bare.Dp2("19000100 0000 0000 2a000000");
  CHECK(bare.Invented() == Paths{"context"});
  CHECK_FALSE(bare.Find(42));
}

TEST_CASE("Missing objects: sizes that cannot be are bounded") {
  Bare bare;
  trace::SurfaceUpdate update;
  update.handle = 3;
  update.rect = trace::Rect{0, 0, 2000000000, 2000000000};
  bare.Add(update);
  REQUIRE(bare.Find(3));
  CHECK(bare.Find(3).surface().description().width <= 4096);
  bare.Dp2("1c000100 00000000 00000000 ffffffff ffffffff");  // a viewport of 4 G x 4 G
  CHECK(bare.Context()->Target(0).surface().description().width == 640);
}
