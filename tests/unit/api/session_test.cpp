// The C interface: what it says of a trace is what the program says, in whatever pieces the bytes come.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "api/dp2trace.h"
#include "base/file.h"
#include "capture/toy_driver.h"
#include "replay/replayer.h"
#include "rules/rule_info.h"
#include "support/random.h"
#include "trace/call_results.h"
#include "trace/reader.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

struct Finding {
  std::string rule, path, message, actual, expected;
  int severity = 0;
  uint64_t event = 0, offset = 0, length = 0;
  bool operator==(const Finding&) const = default;
};

// Surfaces by space, handle, face and level.
using Surfaces = std::map<std::array<uint32_t, 4>, std::vector<uint8_t>>;

struct Outcome {
  std::vector<Finding> findings;
  Surfaces surfaces;
  uint64_t draws = 0, frames = 0, errors = 0;
  bool operator==(const Outcome&) const = default;
};

class NoImages final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
};

std::vector<std::array<uint32_t, 4>> LevelsOf(const device::Device& device) {
  std::vector<std::array<uint32_t, 4>> keys;
  for (const auto& [id, space] : device.spaces()) {
    for (const auto& [handle, resource] : space->roots()) {
      const image::SurfaceDescription& is = resource->surface.description();
      for (uint32_t face = 0; face < is.faces; ++face) {
        for (uint32_t level = 0; level < is.levels; ++level)
          keys.push_back({id, handle, face, level});
      }
    }
  }
  return keys;
}

// What the verbs of the program do with a file; `keys` are its surfaces.
Outcome Replay(Bytes file, std::vector<std::array<uint32_t, 4>>& keys) {
  Outcome outcome;
  DiagnosticList findings;
  NoImages images;
  replay::Options options;
  options.validation.rules = validate::RuleSet(validate::Preset::kRecommended);
  replay::Replayer replayer(options, findings, images);
  Result<trace::Reader> reader = trace::Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  trace::ResultJoiner joiner([&](trace::EventRecord& record) { return reader->Next(record); });
  for (trace::EventRecord record; joiner.Next(record);)
    REQUIRE(replayer.OnEvent(record.number, record.event).ok());
  REQUIRE(replayer.Finish().ok());
  for (const Diagnostic& d : findings.items()) {
    outcome.findings.push_back({std::string(Info(d.rule).id), d.path, d.message, d.actual,
                                d.expected, static_cast<int>(d.severity),
                                d.event.value_or(DP2TRACE_NONE), d.offset.value_or(DP2TRACE_NONE),
                                d.length});
  }
  keys = LevelsOf(replayer.device());
  for (const auto& key : keys) {
    const device::SurfaceRef surface = replayer.device().FindSpace(key[0])->Find(key[1]);
    const image::ConstLevel bits =
        std::as_const(surface.surface()).level(surface.face + key[2], surface.level + key[3]);
    outcome.surfaces[key].assign(bits.bytes, bits.bytes + bits.slices * bits.slice_pitch);
  }
  outcome.draws = replayer.statistics().draws;
  outcome.frames = replayer.statistics().frames;
  outcome.errors = findings.count(Severity::kError);
  return outcome;
}

void TakeFindings(dp2trace_session* session, std::vector<Finding>& to) {
  while (const dp2trace_finding* f = dp2trace_next_finding(session)) {
    to.push_back({f->rule, f->path, f->message, f->actual, f->expected, f->severity, f->event,
                  f->offset, f->length});
  }
}

struct Session {
  explicit Session(const dp2trace_options* options = nullptr) {
    CHECK(dp2trace_open(options, &session) == DP2TRACE_OK);
    REQUIRE(session != nullptr);
  }
  ~Session() { dp2trace_close(session); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  std::string Error() const { return dp2trace_last_error(session); }
  dp2trace_session* session = nullptr;
};

// The same by the C interface, in pieces of up to `largest` bytes.
Outcome Feed(Bytes file, const std::vector<std::array<uint32_t, 4>>& keys, uint32_t largest,
             const dp2trace_options* options = nullptr) {
  Outcome outcome;
  const Session s(options);
  testing::Random random(file.size());
  while (!file.empty()) {
    const size_t size = std::min<size_t>(file.size(), 1 + random.Below(largest));
    REQUIRE(dp2trace_feed(s.session, file.data(), size) == DP2TRACE_OK);
    TakeFindings(s.session, outcome.findings);
    file = file.subspan(size);
  }
  REQUIRE(dp2trace_finish(s.session) == DP2TRACE_OK);
  TakeFindings(s.session, outcome.findings);
  for (const auto& key : keys) {
    const dp2trace_level* const level =
        dp2trace_get_level(s.session, key[0], key[1], key[2], key[3]);
    REQUIRE(level != nullptr);
    const auto* const bytes = static_cast<const uint8_t*>(level->bytes);
    outcome.surfaces[key].assign(bytes, bytes + level->slices * level->slice_pitch);
  }
  const dp2trace_statistics* const statistics = dp2trace_get_statistics(s.session);
  outcome.draws = statistics->draws;
  outcome.frames = statistics->frames;
  outcome.errors = statistics->errors;
  return outcome;
}

std::vector<uint8_t> ReadFile(const std::string& path) {
  Result<std::vector<uint8_t>> file = ReadWholeFile(path, 1 << 24);
  REQUIRE(file.ok());
  return std::move(*file);
}

int Append(void* file, const void* bytes, d2c_u32 size) {
  const auto* const from = static_cast<const uint8_t*>(bytes);
  auto& to = *static_cast<std::vector<uint8_t>*>(file);
  to.insert(to.end(), from, from + size);
  return 0;
}

// A recording of the toy driver: two frames of a screen (handle 1), the second one drawn badly.
std::vector<uint8_t> Recording() {
  std::vector<uint8_t> file;
  std::memset(toy_pixels, 0, sizeof toy_pixels);
  toy_capture(Append, &file, 0);
  D3dCreateSurfaceEx(&toy_screen);
  D3DHAL_CONTEXTCREATEDATA create;
  std::memset(&create, 0, sizeof create);
  create.lpDDSLcl = &toy_screen;
  create.dwhContext = 3;
  D3dContextCreate(&create);
  toy_clear(0xFF102030, 0, 0, 16, 8);
  DdFlip(&toy_screen);
  toy_clear(0xFF405060, 3, 3, 1, 1);  // right of it is left of its left: a finding
  toy_clear(0xFF405060, 1, 1, 3, 3);
  DdFlip(&toy_screen);
  REQUIRE(d2c_finish(&capture) == D2C_OK);
  return file;
}

// Traces of the repository, in the binary form, that are one.
std::vector<std::vector<uint8_t>> Traces() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(DP2TRACE_SOURCE_DIR "/traces")) {
    if (entry.path().extension() == ".dp2t") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::vector<uint8_t>> traces;
  for (const auto& path : paths) {
    std::vector<uint8_t> file = ReadFile(path.string());
    DiagnosticList findings;
    if (trace::Reader::FromBytes(file, findings).ok()) traces.push_back(std::move(file));
  }
  return traces;
}

}  // namespace

TEST_CASE("dp2trace.h: findings and surfaces of every trace are those of a replay, in any pieces") {
  const std::vector<std::vector<uint8_t>> traces = Traces();
  CHECK(traces.size() > 100);
  for (size_t i = 0; i < traces.size(); ++i) {
    CAPTURE(i);
    std::vector<std::array<uint32_t, 4>> keys;
    const Outcome expected = Replay(traces[i], keys);
    CHECK(Feed(traces[i], keys, 1 << 20) == expected);
    CHECK(Feed(traces[i], keys, 200) == expected);
  }
}

TEST_CASE("dp2trace.h: a driver's recording, as it is made: pixels and findings of each call") {
  const std::vector<uint8_t> file = Recording();
  std::vector<std::array<uint32_t, 4>> keys;
  const Outcome expected = Replay(file, keys);
  CHECK(expected.frames == 2);
  CHECK(expected.draws == 3);
  CHECK(expected.errors == 1);
  CHECK(Feed(file, keys, 1) == expected);
}

TEST_CASE("dp2trace.h: a call without a result is executed when somebody looks") {
  std::vector<uint8_t> file = Recording();
  const Session s;
  REQUIRE(dp2trace_feed(s.session, file.data(), file.size()) == DP2TRACE_OK);
  const dp2trace_level* const screen = dp2trace_get_level(s.session, 0, 1, 0, 0);
  REQUIRE(screen != nullptr);
  CHECK(std::string(screen->format_name) == "X8R8G8B8");
  CHECK(screen->format == 22);
  CHECK(screen->width == 16);
  CHECK(screen->height == 8);
  CHECK(screen->slices == 1);
  CHECK(screen->rows == 8);
  CHECK(screen->row_size == 64);
  CHECK(screen->pitch == 64);
  CHECK(screen->block_size == 4);
  const auto* const pixels = static_cast<const uint8_t*>(screen->bytes);
  for (uint32_t y = 0; y < 8; ++y) {
    for (uint32_t x = 0; x < 16; ++x)
      CHECK(std::memcmp(pixels + y * 64 + x * 4, &toy_pixels[y][x], 3) == 0);  // X is nobody's
  }
  CHECK(s.Error().empty());
  CHECK(dp2trace_get_level(s.session, 0, 2, 0, 0) == nullptr);
  CHECK(s.Error() == "no surface has this handle in this space");
  CHECK(dp2trace_get_level(s.session, 7, 1, 0, 0) == nullptr);
  for (const uint32_t number : {1U, 6U, 0xFFFFFFFFU}) {
    CHECK(dp2trace_get_level(s.session, 0, 1, number, 0) == nullptr);
    CHECK(dp2trace_get_level(s.session, 0, 1, 0, number) == nullptr);
  }
  CHECK(dp2trace_get_level(s.session, 0, 1, 0, 0) != nullptr);
}

TEST_CASE("dp2trace.h: sessions in threads of their own do not know of each other") {
  const std::vector<uint8_t> file = Recording();
  const std::vector<std::vector<uint8_t>> traces = Traces();
  std::vector<std::array<uint32_t, 4>> keys;
  const Outcome expected = Replay(file, keys);
  std::vector<std::vector<std::array<uint32_t, 4>>> their_keys(traces.size());
  std::vector<Outcome> their_expected;
  for (size_t i = 0; i < traces.size(); ++i)
    their_expected.push_back(Replay(traces[i], their_keys[i]));
  std::vector<std::thread> threads;
  std::vector<int> right(8);
  for (uint32_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = t; i < traces.size(); i += 4) {
        right[t] += Feed(traces[i], their_keys[i], 5000) == their_expected[i] ? 0 : 1;
        right[t] += Feed(file, keys, 100) == expected ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  CHECK(right == std::vector<int>(8));
}

TEST_CASE("dp2trace.h: the caller's floating-point environment changes nothing and stays") {
  std::vector<std::array<uint32_t, 4>> keys;
  const std::vector<uint8_t> file =
      ReadFile(DP2TRACE_SOURCE_DIR "/traces/examples/e02-indexed-strip.dp2t");
  const Outcome expected = Replay(file, keys);
  CHECK(expected.draws != 0);
  REQUIRE(std::fesetround(FE_UPWARD) == 0);
  const Outcome outcome = Feed(file, keys, 1000);
  CHECK(std::fegetround() == FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  CHECK(outcome == expected);
}

TEST_CASE("dp2trace.h: what is not a trace ends the session, with a reason") {
  const Session s;
  const std::string text = "\x89PNG\r\n\x1a\n" + std::string(100, 'x');
  CHECK(dp2trace_feed(s.session, text.data(), text.size()) == DP2TRACE_E_INPUT);
  CHECK(s.Error().starts_with("TRACE-002: the file is not a dp2trace container"));
  CHECK(dp2trace_feed(s.session, text.data(), text.size()) == DP2TRACE_E_INPUT);
  CHECK(s.Error().starts_with("TRACE-002"));
  CHECK(dp2trace_finish(s.session) == DP2TRACE_E_INPUT);
  CHECK(dp2trace_get_level(s.session, 0, 1, 0, 0) == nullptr);
  CHECK(dp2trace_next_finding(s.session) == nullptr);
  CHECK(dp2trace_get_statistics(s.session)->events == 0);
}

TEST_CASE(
    "dp2trace.h: text without a trace ends the session: when it is finished, or after 16 MiB") {
  const std::string text(size_t{16} << 20, 'x');
  const Session finished;
  CHECK(dp2trace_feed(finished.session, text.data(), text.size() - 1) == DP2TRACE_OK);
  CHECK(dp2trace_finish(finished.session) == DP2TRACE_E_INPUT);
  CHECK(finished.Error().starts_with("TRACE-002: the file is not a dp2trace container"));
  CHECK(dp2trace_finish(finished.session) == DP2TRACE_E_INPUT);
  const Session fed;
  CHECK(dp2trace_feed(fed.session, text.data(), text.size() - 1) == DP2TRACE_OK);
  CHECK(dp2trace_feed(fed.session, text.data(), 1) == DP2TRACE_E_INPUT);
  CHECK(fed.Error().starts_with("TRACE-002"));
}

TEST_CASE("dp2trace.h: text before a trace is a finding, and changes no pixel") {
  const std::vector<uint8_t> file = Recording();
  std::vector<uint8_t> later(1000, 'x');
  later.insert(later.end(), file.begin(), file.end());
  std::vector<std::array<uint32_t, 4>> keys;
  const Outcome plain = Replay(file, keys);
  const Outcome expected = Replay(later, keys);
  CHECK(expected.surfaces == plain.surfaces);
  CHECK(expected.findings.size() == plain.findings.size() + 1);
  CHECK(expected.findings[0].rule == "TRACE-013");
  for (const uint32_t largest : {1U, 100U, 1U << 20})
    CHECK(Feed(later, keys, largest) == expected);
}

TEST_CASE("dp2trace.h: arguments without meaning are refused and change nothing") {
  CHECK(dp2trace_open(nullptr, nullptr) == DP2TRACE_E_ARGUMENT);
  dp2trace_options options;
  const auto is_refused = [&options] {
    dp2trace_session* session = nullptr;
    const int result = dp2trace_open(&options, &session);
    dp2trace_close(session);
    return result == DP2TRACE_E_ARGUMENT && session == nullptr;
  };
  dp2trace_options_init(&options, sizeof options);
  CHECK_FALSE(is_refused());
  options.preset = "strict";
  CHECK(is_refused());
  options.preset = "minimal";
  CHECK_FALSE(is_refused());
  options.renderer = "slow";
  CHECK(is_refused());
  options.renderer = "reference";
  options.driver_level = 5;
  CHECK(is_refused());
  options.driver_level = 9;
  CHECK_FALSE(is_refused());
  options.tolerance = 256;
  CHECK_FALSE(is_refused());
  options.is_verify = 1;
  CHECK(is_refused());
  options.tolerance = 255;
  CHECK_FALSE(is_refused());

  const Session s;
  CHECK(dp2trace_feed(s.session, nullptr, 1) == DP2TRACE_E_ARGUMENT);
  CHECK(s.Error() == "the bytes are null");
  CHECK(dp2trace_feed(s.session, nullptr, 0) == DP2TRACE_OK);
  const std::vector<uint8_t> file = Recording();
  CHECK(dp2trace_feed(s.session, file.data(), file.size()) == DP2TRACE_OK);
  CHECK(dp2trace_finish(s.session) == DP2TRACE_OK);
  CHECK(dp2trace_finish(s.session) == DP2TRACE_OK);
  CHECK(dp2trace_feed(s.session, file.data(), 1) == DP2TRACE_E_ENDED);
  CHECK(dp2trace_get_level(s.session, 0, 1, 0, 0) != nullptr);

  CHECK(dp2trace_feed(nullptr, file.data(), 1) == DP2TRACE_E_ARGUMENT);
  CHECK(dp2trace_settle(nullptr) == DP2TRACE_E_ARGUMENT);
  CHECK(dp2trace_finish(nullptr) == DP2TRACE_E_ARGUMENT);
  CHECK(dp2trace_next_finding(nullptr) == nullptr);
  CHECK(dp2trace_get_level(nullptr, 0, 1, 0, 0) == nullptr);
  CHECK(dp2trace_get_statistics(nullptr) == nullptr);
  CHECK(std::string(dp2trace_last_error(nullptr)).empty());
  dp2trace_close(nullptr);
  CHECK(std::string(dp2trace_version()).find('.') != std::string::npos);
  for (int i = -1; i < 9; ++i)
    CHECK(std::string(dp2trace_describe(i)).size() > 5);
}

TEST_CASE("dp2trace.h: a recording is verified where that was asked for, as by `verify`") {
  std::vector<uint8_t> file;
  std::memset(toy_pixels, 0, sizeof toy_pixels);
  toy_capture(Append, &file, 0);
  D3dCreateSurfaceEx(&toy_screen);
  D3DHAL_CONTEXTCREATEDATA create{};
  create.lpDDSLcl = &toy_screen;
  create.dwhContext = 3;
  D3dContextCreate(&create);
  toy_clear(0xFF102030, 0, 0, 16, 8);
  toy_pixels[5][7] ^= 0x000300;  // the driver draws one pixel wrong, by 3
  struct d2c_picture picture;
  d2c_picture_init(&picture);
  picture.handle = 1;
  picture.data = d2c_bytes_of(toy_pixels, sizeof toy_pixels);
  REQUIRE(d2c_picture(&capture, &picture) == D2C_OK);
  REQUIRE(d2c_finish(&capture) == D2C_OK);

  const auto rules = [&file](const dp2trace_options& options) {
    std::vector<std::string> found;
    for (const Finding& finding : Feed(file, {}, 50, &options).findings)
      found.push_back(finding.rule);
    return found;
  };
  using Rules = std::vector<std::string>;
  dp2trace_options options;
  dp2trace_options_init(&options, sizeof options);
  options.lists_leaks = 1;
  CHECK(rules(options) == Rules{});
  options.is_verify = 1;
  CHECK(rules(options) == Rules{"RECORD-PICTURE-001", "RECORD-LEAK-001", "RECORD-LEAK-001"});
  options.tolerance = 3;
  options.lists_leaks = 0;
  CHECK(rules(options) == Rules{});
}

TEST_CASE("dp2trace.h: options of an older caller take the defaults of what it does not know") {
  dp2trace_options options;
  std::memset(&options, 0xEE, sizeof options);
  dp2trace_options_init(&options, offsetof(dp2trace_options, max_surface_memory));
  CHECK(options.max_memory == uint64_t{1} << 30);
  CHECK(options.max_surface_memory == 0xEEEEEEEEEEEEEEEE);
}

TEST_CASE("dp2trace.h: limits are kept, and what is beyond them is a finding") {
  const std::vector<uint8_t> file = Recording();
  const auto rules = [&file](const dp2trace_options& options) {
    const Session s(&options);
    REQUIRE(dp2trace_feed(s.session, file.data(), file.size()) == DP2TRACE_OK);
    REQUIRE(dp2trace_finish(s.session) == DP2TRACE_OK);
    std::vector<Finding> findings;
    TakeFindings(s.session, findings);
    std::string names;
    for (const Finding& finding : findings)
      names += finding.rule + " ";
    return names;
  };
  dp2trace_options options;
  dp2trace_options_init(&options, sizeof options);
  CHECK(rules(options).find("TRACE-010") == std::string::npos);
  options.max_memory = 200;
  CHECK(rules(options).find("TRACE-010") != std::string::npos);
  dp2trace_options_init(&options, sizeof options);
  options.max_surface_memory = 100;
  CHECK(rules(options).find("REPLAY-SURFACE-001") != std::string::npos);
  dp2trace_options_init(&options, sizeof options);
  options.is_lint = 1;
  const Session s(&options);
  REQUIRE(dp2trace_feed(s.session, file.data(), file.size()) == DP2TRACE_OK);
  CHECK(dp2trace_get_level(s.session, 0, 1, 0, 0) == nullptr);
  CHECK(s.Error() == "the session only checks: its surfaces have no pixels");
}

TEST_CASE("dp2trace.h: damaged bytes are findings, never more") {
  const std::vector<uint8_t> file = Recording();
  testing::Random random(14);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    std::vector<uint8_t> damaged = file;
    for (uint32_t i = 1 + random.Below(8); i != 0; --i)
      damaged[random.Below(static_cast<uint32_t>(damaged.size()))] = random.Byte();
    const Session s;
    const int fed = dp2trace_feed(s.session, damaged.data(), damaged.size());
    REQUIRE((fed == DP2TRACE_OK || fed == DP2TRACE_E_INPUT));
    const int finished = dp2trace_finish(s.session);
    // Bytes that hold no header at all may be text before a trace until nothing follows.
    REQUIRE((finished == fed || (fed == DP2TRACE_OK && finished == DP2TRACE_E_INPUT)));
    if (finished == DP2TRACE_E_INPUT) CHECK(dp2trace_get_statistics(s.session)->events == 0);
    dp2trace_get_level(s.session, 0, 1, 0, 0);
    std::vector<Finding> findings;
    TakeFindings(s.session, findings);
    const dp2trace_statistics* const statistics = dp2trace_get_statistics(s.session);
    CHECK(statistics->errors + statistics->warnings + statistics->advice == findings.size());
  }
}

TEST_CASE("dp2trace.h: a view is cancelled by another thread, and answers the next question") {
  const std::vector<uint8_t> file =
      ReadFile(DP2TRACE_SOURCE_DIR "/traces/scenes/lit-textured-knot.json");
  dp2trace_view* view = nullptr;
  REQUIRE(dp2trace_view_open(nullptr, &view) == DP2TRACE_OK);
  REQUIRE(dp2trace_view_load(view, "knot.json", file.data(), file.size()) == DP2TRACE_OK);
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (!is_over) {
      uint64_t done = 0;
      uint64_t size = 0;
      dp2trace_view_get_progress(view, &done, &size);
      dp2trace_view_cancel(view);
    }
  });
  int code = DP2TRACE_OK;
  // One may be over before the other thread runs.
  for (int i = 0; i < 1000 && code == DP2TRACE_OK; ++i)
    code = dp2trace_view_ask(view, "frames/1");
  is_over = true;
  other.join();
  CHECK(code == DP2TRACE_E_ENDED);
  CHECK(dp2trace_view_ask(view, "frames/1") == DP2TRACE_OK);
  dp2trace_view_close(view);
}
