#include "golden/order.h"

#include <doctest/doctest.h>

#include <string>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

golden::Order SomeOrder() {
  golden::Order order;
  order.path = "folder/\xff\\x5c.json";  // no UTF-8, and what looks like an escape
  order.name = "\xff\\x5c.json";
  order.max_memory = UINT64_MAX;
  order.store = "store";
  order.actual = "actual";
  order.keeps_all = true;
  order.is_sandboxed = true;
  order.drawing.renderer = "reference";
  order.drawing.raster = {.clips_transformed_z = false,
                          .max_patch_segments = 3,
                          .max_draw_steps = 4,
                          .threads = 5,
                          .isa = "sse2"};
  order.own = {.command = "draw {trace} \xff",
               .folder = "own",
               .timeout_s = 6,
               .tolerance = 7,
               .max_pixels = 8};
  order.expected = golden::ManifestTrace{
      .path = "a.json",
      .hash = std::string(32, 'a'),
      .tags = {"x"},
      .skip = {},
      .expected_fail = {},
      .tolerance = golden::Tolerance{2, 3, 1, {"why", "2027-01-31", {}}},
      .findings = {{"DP2-STREAM-006", 3}},
      .images = {{{replay::ImageKind::kFrame, 1, {}, false}, 22, std::string(32, 'b'), {}}}};
  return order;
}

}  // namespace

TEST_CASE("Order: all of it comes back") {
  const golden::Order order = SomeOrder();
  const Result<golden::Order> back = golden::ParseOrder(golden::OrderText(order));
  REQUIRE(back.ok());
  CHECK(back->path == order.path);
  CHECK(back->name == order.name);
  CHECK(back->max_memory == order.max_memory);
  CHECK(back->store == "store");
  CHECK(back->actual == "actual");
  CHECK(back->keeps_all);
  CHECK(back->is_sandboxed);
  CHECK(back->drawing.renderer == "reference");
  CHECK_FALSE(back->drawing.raster.clips_transformed_z);
  CHECK(back->drawing.raster.max_patch_segments == 3);
  CHECK(back->drawing.raster.max_draw_steps == 4);
  CHECK(back->drawing.raster.threads == 5);
  CHECK(back->drawing.raster.isa == "sse2");
  REQUIRE(back->expected.has_value());
  CHECK(*back->expected == *order.expected);
  CHECK_FALSE(back->unexplained.has_value());
  CHECK(back->own.command == order.own.command);
  CHECK(back->own.folder == "own");
  CHECK(back->own.timeout_s == 6);
  CHECK(back->own.tolerance == 7);
  CHECK(back->own.max_pixels == 8);
}

TEST_CASE("Order: of a trace that is new, and of a result that is to be explained") {
  golden::Order order = SomeOrder();
  order.expected.reset();
  order.actual.clear();
  order.unexplained = golden::TraceResult{};
  order.unexplained->path = "a.json";
  order.unexplained->hash = std::string(32, 'a');
  order.unexplained->message = "frame 1 differs";
  const Result<golden::Order> back = golden::ParseOrder(golden::OrderText(order));
  REQUIRE(back.ok());
  CHECK_FALSE(back->expected.has_value());
  CHECK(back->actual.empty());
  REQUIRE(back->unexplained.has_value());
  CHECK(golden::ResultLine(*back->unexplained) == golden::ResultLine(*order.unexplained));
}

TEST_CASE("Order: what is none has no result") {
  CHECK_FALSE(golden::ParseOrder("").ok());
  CHECK_FALSE(golden::ParseOrder("{}").ok());
  CHECK(golden::CarryOut("{}").empty());
}
