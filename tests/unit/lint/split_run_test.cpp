// One trace on several threads has the findings of one thread.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"
#include "lint/lint_run.h"
#include "support/test_folder.h"
#include "text/command.h"
#include "trace/writer.h"
#include "trace_file/source.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::lint;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

using opcode::Op;

constexpr uint32_t kTarget = 1, kFirstTexture = 10, kTextures = 4, kContexts = 3;
constexpr uint32_t kProcess = 1, kAdapter = 0x100, kDevice = 0x200, kFirstContext = 0x300;

// What carries the tokens of a trace.
enum class Carrier : uint8_t { kCalls, kPackets };

// Pedantic rules remember render states that the others pass over.
constexpr validate::Preset kPresets[] = {validate::Preset::kRecommended,
                                         validate::Preset::kPedantic};

LintJob Job(uint32_t threads, uint64_t part_size,
            validate::Preset preset = validate::Preset::kPedantic) {
  LintJob job;
  job.validation.rules = validate::RuleSet(preset);
  job.validation.device.surfaces.keeps_pixels = false;
  job.validation.token_text = text::AppendCommand;
  job.max_memory = uint64_t{1} << 28;
  job.limits = {200, 20};
  job.threads = threads;
  job.part_size = part_size;
  return job;
}

void CheckEqual(const LintResult& one, const LintResult& other) {
  CHECK(one.findings.items() == other.findings.items());
  CHECK(one.findings.dropped_by_rule() == other.findings.dropped_by_rule());
  CHECK(one.findings.disabled() == other.findings.disabled());
  for (size_t i = 0; i < kSeverityCount; ++i) {
    CHECK(one.findings.count(static_cast<Severity>(i)) ==
          other.findings.count(static_cast<Severity>(i)));
  }
  CHECK(one.frame_ends == other.frame_ends);
  CHECK(one.is_incomplete == other.is_incomplete);
}

// Copies a trace of either form; damaged containers as they are. False where it cannot be opened.
bool ToContainer(const std::string& path, const std::string& copy) {
  if (path.ends_with(".dp2t")) {
    std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
    return true;
  }
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source = trace_file::Source::Open(path, uint64_t{1} << 28, findings, error);
  Result<OutputFile> file = OutputFile::Create(copy);
  if (source == nullptr || !file.ok()) return false;
  trace::Writer writer(*file);
  for (trace::EventRecord record; source->Next(record);)
    REQUIRE(writer.Add(record.event).ok());
  REQUIRE(writer.Finish().ok());
  return file->Commit().ok();
}

// Calls of a few contexts whose tokens are right most of the time, and surfaces that come and go.
class RandomTrace {
 public:
  explicit RandomTrace(uint32_t seed, Carrier carrier = Carrier::kCalls)
      : random_(seed), carrier_(carrier) {}

  void Write(const std::string& path, uint32_t calls, uint32_t sessions = 2) {
    Result<OutputFile> file = OutputFile::Create(path);
    REQUIRE(file.ok());
    trace::Writer writer(*file);
    Session(writer);
    for (uint32_t i = 0; i < calls; ++i) {
      if (OneIn(40)) Rare(writer);
      if (OneIn(calls / sessions)) Session(writer);
      std::vector<uint8_t> commands;
      for (uint32_t token = Below(30); token != 0; --token)
        Token(commands);
      vertex_type_ = OneIn(2) ? 0x44 : 0x42;  // XYZRHW|DIFFUSE, XYZ|DIFFUSE
      std::vector<uint8_t> vertices;
      for (uint32_t vertex = 0; vertex < 3; ++vertex) {
        Put(vertices, 1.0F, OneIn(300) ? std::numeric_limits<float>::quiet_NaN() : 1.0F, 0.5F);
        if (vertex_type_ == 0x44) Put(vertices, 1.0F);
        Put(vertices, 0U);
      }
      if (carrier_ == Carrier::kCalls) {
        Call(writer, commands, vertices);
      } else {
        Packet(writer, commands, vertices);
      }
    }
    REQUIRE(writer.Finish().ok());
    REQUIRE(file->Commit().ok());
  }

 private:
  uint32_t Below(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  bool OneIn(uint32_t count) { return Below(count) == 0; }

  template <class... Values>
  static void Put(std::vector<uint8_t>& out, Values... values) {
    const auto put = [&out](auto value) {
      const size_t at = out.size();
      out.resize(at + sizeof value);
      std::memcpy(out.data() + at, &value, sizeof value);
    };
    (put(values), ...);
  }
  static void Header(std::vector<uint8_t>& out, Op op, uint16_t count = 1) {
    Put(out, static_cast<uint8_t>(op), uint8_t{0}, count);
  }

  void Call(trace::Writer& writer, Bytes commands, Bytes vertices) {
    trace::Dp2 call;
    call.context = 1 + Below(kContexts);
    call.flags = 1;  // USERMEMVERTICES
    call.vertex_type = vertex_type_;
    call.vertex_size = vertex_type_ == 0x44 ? 20 : 16;
    call.commands = commands;
    call.vertices = vertices;
    REQUIRE(writer.Add(call).ok());
  }

  // Some have no recorded status: whether they run hangs on what is found in them.
  void Packet(trace::Writer& writer, Bytes commands, Bytes vertices) {
    trace::Render render;
    render.process = kProcess;
    render.context = kFirstContext + 1 + Below(kContexts);
    render.command_buffer = commands;
    std::vector<uint8_t> allocations;
    Put(allocations, 0U, 0U, kTarget, 1U);  // written
    for (uint32_t i = 0; i < kTextures; ++i)
      Put(allocations, kFirstTexture + i, 0U);
    render.allocation_list = allocations;
    trace::Dp2Env environment;
    environment.flags = 1;  // USERMEMVERTICES
    environment.vertex_type = vertex_type_;
    environment.vertex_size = vertex_type_ == 0x44 ? 20 : 16;
    environment.vertex_source = trace::VertexSource::kInline;
    environment.vertices = vertices;
    render.dp2_env = environment;
    if (!OneIn(3)) render.status = OneIn(20) ? 0xC000000D : 0;  // STATUS_INVALID_PARAMETER
    REQUIRE(writer.Add(render).ok());
  }

  static void Surface(trace::Writer& writer, uint32_t handle, d3d::SurfaceKind kind) {
    trace::SurfaceCreate create;
    create.handle = handle;
    create.kind = kind;
    create.format = static_cast<uint32_t>(d3d::Format::X8R8G8B8);
    create.width = create.height = 64;
    REQUIRE(writer.Add(create).ok());
  }
  void Context(trace::Writer& writer, uint32_t id) {
    if (carrier_ == Carrier::kPackets) {
      trace::KmtContextCreate create;
      create.process = kProcess;
      create.device = kDevice;
      create.context = kFirstContext + id;
      create.triple = trace::Triple{0x10000, 0x10000, 0x20000, 64, 0x30000, 64};
      create.d3d = trace::D3dContext{.target = kTarget};
      create.status = 0;
      REQUIRE(writer.Add(create).ok());
      return;
    }
    REQUIRE(writer.Add(trace::ContextCreate{.context = id, .target = kTarget, .ddrval = {}}).ok());
  }

  void ContextDestroy(trace::Writer& writer, uint32_t id) {
    if (carrier_ == Carrier::kPackets) {
      REQUIRE(writer
                  .Add(trace::KmtContextDestroy{
                      .process = kProcess, .context = kFirstContext + id, .status = 0})
                  .ok());
    } else {
      REQUIRE(writer.Add(trace::ContextDestroy{.context = id}).ok());
    }
  }
  static void Allocations(trace::Writer& writer) {
    trace::AllocationCreate create;
    create.process = kProcess;
    create.device = kDevice;
    create.status = 0;
    create.allocations.emplace_back().allocation = kTarget;
    for (uint32_t i = 0; i < kTextures; ++i)
      create.allocations.emplace_back().allocation = kFirstTexture + i;
    REQUIRE(writer.Add(create).ok());
  }

  void Session(trace::Writer& writer) {
    trace::Header header;
    header.dp2_handle_mode = trace::Dp2HandleMode::kIdentity;
    REQUIRE(writer.Add(header).ok());
    Surface(writer, kTarget, d3d::SurfaceKind::kTarget);
    for (uint32_t i = 0; i < kTextures; ++i)
      Surface(writer, kFirstTexture + i, d3d::SurfaceKind::kTexture);
    if (carrier_ == Carrier::kPackets) {
      trace::AdapterOpen adapter;
      adapter.process = kProcess;
      adapter.adapter = kAdapter;
      adapter.max_allocation_list_slot_id = 127;
      REQUIRE(writer.Add(adapter).ok());
      trace::DeviceCreate device;
      device.process = kProcess;
      device.adapter = kAdapter;
      device.device = kDevice;
      REQUIRE(writer.Add(device).ok());
      Allocations(writer);
    }
    for (uint32_t id = 1; id <= kContexts; ++id)
      Context(writer, id);
  }

  // Objects that go, objects that come back.
  void Rare(trace::Writer& writer) {
    const uint32_t texture = kFirstTexture + Below(kTextures);
    trace::SurfaceDestroy destroy;
    destroy.handle = texture;
    switch (Below(4)) {
      case 0:
        REQUIRE(writer.Add(destroy).ok());
        break;
      case 1:
        Surface(writer, texture, d3d::SurfaceKind::kTexture);
        break;
      case 2: {
        const uint32_t id = 1 + Below(kContexts);
        ContextDestroy(writer, id);
        if (!OneIn(3)) Context(writer, id);
        break;
      }
      default:
        REQUIRE(writer.Add(trace::Present{.handle = kTarget, .rect = {}}).ok());
    }
  }

  void Matrix(std::vector<uint8_t>& out) {
    const float scale = OneIn(3) ? 1.0F : 2.0F;
    for (uint32_t i = 0; i < 16; ++i)
      Put(out, i % 5 == 0 ? scale : 0.0F);
  }

  void Token(std::vector<uint8_t>& out) {
    switch (Below(OneIn(20) ? 10 : 7)) {
      case 0:
      case 1: {
        const auto count = static_cast<uint16_t>(1 + Below(3));
        Header(out, Op::kRenderState, count);  // ZENABLE, CULLMODE, ALPHABLENDENABLE, SCENECAPTURE
        for (uint32_t i = 0; i < count; ++i)
          Put(out, std::vector<uint32_t>{7, 22, 27, 62}[Below(4)], 1 + Below(OneIn(50) ? 9 : 2));
        return;
      }
      case 2:  // TEXTUREMAP, TEXTURETRANSFORMFLAGS, COLOROP
        Header(out, Op::kTextureStageState, 2);
        Put(out, static_cast<uint16_t>(Below(2)), uint16_t{0}, kFirstTexture + Below(kTextures));
        Put(out, static_cast<uint16_t>(Below(OneIn(50) ? 20 : 2)),
            static_cast<uint16_t>(OneIn(2) ? 24 : 1), Below(OneIn(50) ? 99 : 3));
        return;
      case 3:
      case 4:
        Header(out, Op::kTriangleList);
        Put(out, static_cast<uint16_t>(OneIn(100) ? 1 : 0));
        Put(out, uint8_t{28}, uint8_t{0},
            uint16_t{0});  // WINFO without records: aligns, DP2-COUNT-004
        return;
      case 5:
        Header(out, Op::kSetTransform);
        Put(out, OneIn(2) ? 16 + Below(2) : 256 + Below(60));
        Matrix(out);
        return;
      case 6:
        Header(out, Op::kMultiplyTransform);  // DP2-XFORM-008 where it was never set
        Put(out, 256 + Below(60));
        Matrix(out);
        return;
      case 7:
        Header(out, Op::kSetClipPlane);
        Put(out, Below(7), 0.0F, 0.0F, 0.0F, OneIn(2) ? 1.0F : 0.0F);
        return;
      case 8:
        Header(out, Op::kStateSet);
        Put(out, Below(5), 1 + Below(3), 1U);
        return;
      default:
        Header(out, static_cast<Op>(Below(100)));
        Put(out, Below(1000));
    }
  }

  std::mt19937 random_;
  Carrier carrier_;
  uint32_t vertex_type_ = 0;  // of the call that is being written
};

}  // namespace

TEST_CASE(
    "lint: every trace of the repository has the same findings on several threads, an event at a time") {
  const TestFolder folder;
  const std::string copy = folder / "a.dp2t";
  uint32_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(DP2TRACE_SOURCE_DIR) / "traces")) {
    const std::string path = entry.path().string();
    const bool is_trace = path.ends_with(".json") || path.ends_with(".dp2t");
    if (!entry.is_regular_file() || !is_trace || entry.file_size() > 100000) continue;
    CAPTURE(path);
    if (!ToContainer(path, copy)) continue;
    for (const validate::Preset preset : kPresets)
      CheckEqual(LintFile(copy, Job(1, 1, preset)), LintFile(copy, Job(3, 1, preset)));
    ++count;
  }
  CHECK(count > 2000);
}

TEST_CASE("lint: random calls and packets have the same findings on several threads") {
  const TestFolder folder;
  const std::string path = folder / "a.dp2t";
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    CAPTURE(seed);
    const Carrier carrier = seed <= 12 ? Carrier::kCalls : Carrier::kPackets;
    const validate::Preset preset = kPresets[seed / 2 % 2];
    RandomTrace(seed, carrier).Write(path, 400, seed % 2 == 0 ? 40 : 2);
    const LintResult one = LintFile(path, Job(1, 1, preset));
    // Tokens were executed: their own rules have findings.
    CHECK(std::ranges::any_of(one.findings.items(), [](const Diagnostic& finding) {
      return finding.rule == Rule::kDp2Rs027;
    }));
    for (const uint32_t part_size : {1U, 3000U, 40000U}) {
      CAPTURE(part_size);
      CheckEqual(one, LintFile(path, Job(2, part_size, preset)));
      CheckEqual(one, LintFile(path, Job(5, part_size, preset)));
    }
  }
}

TEST_CASE("lint: a trace of too much work ends at the same event on several threads") {
  const TestFolder folder;
  const std::string path = folder / "a.dp2t";
  RandomTrace(1).Write(path, 300);
  for (const uint64_t steps : {1U << 16, 1U << 20, 1U << 22}) {
    CAPTURE(steps);
    lint::LintJob one = Job(1, 1);
    lint::LintJob three = Job(3, 500);
    one.validation.max_steps = three.validation.max_steps = steps;
    one.limits = three.limits = {100000, 100000};  // the last finding is there
    const LintResult ended = LintFile(path, one);
    CHECK(ended.findings.items().back().rule == Rule::kReplayWork001);
    CheckEqual(ended, LintFile(path, three));
  }
}

TEST_CASE("lint: a trace that is cut off has the same findings on several threads") {
  const TestFolder folder;
  const std::string path = folder / "a.dp2t";
  RandomTrace(1).Write(path, 300);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  const LintResult one = LintFile(path, Job(1, 1));
  CHECK(one.is_incomplete);
  CheckEqual(one, LintFile(path, Job(3, 500)));
}
