#include "text/dump.h"

#include <doctest/doctest.h>

#include "rules/rule.h"
#include "trace/event_kind.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// RENDERSTATE(ZENABLE = 1, FOGSTART = 0.5); SETRENDERTARGET(1, 2)
constexpr uint8_t kCommands[] = {0x08, 0, 2, 0,    7,    0, 0, 0, 1, 0, 0, 0, 36, 0, 0, 0,
                                 0,    0, 0, 0x3F, 0x29, 0, 1, 0, 1, 0, 0, 0, 2,  0, 0, 0};

trace::Dp2 Call(Bytes commands) {
  trace::Dp2 call;
  call.context = 1;
  call.commands = commands;
  return call;
}

std::string Dump(const std::vector<trace::Event>& events, const text::DumpOptions& options = {}) {
  std::string out;
  const auto append = [&out](std::string_view piece) {
    out += piece;
    return OkStatus();
  };
  text::Dumper dumper(append, options);
  for (size_t i = 0; i < events.size(); ++i)
    CHECK(dumper.Add(i, events[i]).ok());
  CHECK(dumper.Finish().ok());
  return out;
}

text::DumpOptions Events(std::string_view selection) {
  std::string error;
  text::DumpOptions options;
  options.events = *Selection::Parse(selection, error);
  return options;
}

std::vector<trace::Event> TwoFrames() {
  return {trace::Header{}, Call(kCommands), trace::Present{0, 1, std::nullopt},
          trace::Present{0, 2, std::nullopt}};
}

}  // namespace

TEST_CASE("Dump: one line per event and per command, with names and typed values") {
  CHECK(
      Dump({trace::Header{}, Call(kCommands)}) ==
      "0 header\n"
      "1 dp2 context=1 commands=32 bytes\n"
      "  0x0000 RENDERSTATE 2 {render_state=ZENABLE state=TRUE} {render_state=FOGSTART state=0.5}\n"
      "  0x0014 SETRENDERTARGET 1 {render_target=1 z_buffer=2}\n");
}

TEST_CASE("Dump: offsets count from the start of the command buffer") {
  trace::Dp2 call = Call(Bytes(kCommands).subspan(20));
  call.command_offset = 100;
  CHECK(Dump({call}).find("  0x0064 SETRENDERTARGET") != std::string::npos);
}

TEST_CASE("Dump: what cannot be framed is shown as bytes, with the reason") {
  CHECK(Dump({Call(Bytes(kCommands).first(30))})
            .find("  0x0014 (truncated command) 10 bytes [29 00") != std::string::npos);
  constexpr uint8_t kUnknown[] = {0xF0, 0, 1, 0};
  CHECK(Dump({Call(kUnknown)}).find("  0x0000 (unknown operation) 4 bytes [f0 00 01 00]") !=
        std::string::npos);
}

TEST_CASE("Dump: only fields that differ from their defaults, optional ones when they are there") {
  trace::SurfaceCreate surface;
  surface.handle = 3;
  surface.format = 21;
  surface.width = 64;
  surface.pitch = 0;
  surface.color_key = d3d::ColorKey{1, 0};
  surface.flip_chain = {4, 5};
  CHECK(
      Dump({surface}) ==
      "0 surface_create handle=3 format=A8R8G8B8 width=64 pitch=0 color_key={low=0x00000001} flip_chain=[4 5]\n");
}

TEST_CASE("Dump: events are chosen by number") {
  CHECK(Dump(TwoFrames(), Events("0,2-")) == "0 header\n2 present handle=1\n3 present handle=2\n");
}

TEST_CASE("Dump: frame n ends with the n-th present") {
  std::string error;
  text::DumpOptions options;
  options.frames = *Selection::Parse("2", error);
  CHECK(Dump(TwoFrames(), options) == "3 present handle=2\n");
}

TEST_CASE("Dump: operations choose commands and the events that hold them") {
  text::DumpOptions options;
  options.operations.set(static_cast<uint8_t>(opcode::Op::kSetRenderTarget));
  CHECK(Dump(TwoFrames(), options) ==
        "1 dp2 context=1 commands=32 bytes\n"
        "  0x0014 SETRENDERTARGET 1 {render_target=1 z_buffer=2}\n");
}

TEST_CASE("Dump: kinds of events are chosen by name, with all or with the named commands") {
  text::DumpOptions options;
  options.kinds = {static_cast<uint16_t>(trace::EventKind::kPresent)};
  CHECK(Dump(TwoFrames(), options) == "2 present handle=1\n3 present handle=2\n");
  options.kinds = {static_cast<uint16_t>(trace::EventKind::kDp2)};
  CHECK(Dump(TwoFrames(), options) == Dump(TwoFrames(), Events("1")));
  options.operations.set(static_cast<uint8_t>(opcode::Op::kSetRenderTarget));
  options.kinds.insert(static_cast<uint16_t>(trace::EventKind::kHeader));
  CHECK(Dump(TwoFrames(), options) ==
        "0 header\n"
        "1 dp2 context=1 commands=32 bytes\n"
        "  0x0014 SETRENDERTARGET 1 {render_target=1 z_buffer=2}\n");
}

TEST_CASE("Dump: a draw has its number, by which it is chosen") {
  // TRIANGLELIST from vertex 0; RENDERSTATE(ZENABLE = 0); TRIANGLELIST from vertex 3
  constexpr uint8_t kDraws[] = {18, 0, 1, 0, 0, 0, 8,  0, 1, 0, 7, 0,
                                0,  0, 0, 0, 0, 0, 18, 0, 1, 0, 3, 0};
  const std::vector<trace::Event> events = {trace::Header{}, Call(kDraws), Call(kDraws)};
  CHECK(Dump(events).find("  0x0012 draw 4: TRIANGLELIST 1 {v_start=3}\n") != std::string::npos);
  text::DumpOptions options;
  std::string error;
  options.draws = *Selection::Parse("2-3", error);
  CHECK(Dump(events, options) ==
        "1 dp2 context=1 commands=24 bytes\n"
        "  0x0012 draw 2: TRIANGLELIST 1 {v_start=3}\n"
        "2 dp2 context=1 commands=24 bytes\n"
        "  0x0000 draw 3: TRIANGLELIST 1 {v_start=0}\n");
}

TEST_CASE("Dump: the lists of a packet, one line per element") {
  constexpr uint8_t kAllocations[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0xC0, 1, 0, 0, 0, 0xEE};
  constexpr uint8_t kPatches[] = {1, 0, 0, 0, 1, 0, 0, 0, 0x29, 0, 0, 0,
                                  0, 0, 0, 0, 4, 0, 0, 0, 0,    0, 0, 0};
  trace::Render packet;
  packet.command_buffer = Bytes(kCommands).subspan(20);
  packet.allocation_list = kAllocations;
  packet.patch_location_list = kPatches;
  CHECK(
      Dump({packet}) ==
      "0 render command_buffer=12 bytes allocation_list=17 bytes patch_location_list=24 bytes\n"
      "  0x0000 SETRENDERTARGET 1 {render_target=1 z_buffer=2}\n"
      "  allocation 0 handle=0x0\n"
      "  allocation 1 handle=0xc0000100 WriteOperation\n"
      "  allocation list ends with 1 byte [ee]\n"
      "  patch 0 AllocationIndex=1 SlotId=0x1 DriverId=0x29 AllocationOffset=0x0 PatchOffset=0x4 SplitOffset=0x0\n");
}

TEST_CASE("Dump: the tokens of a packet are those of its command extent") {
  std::vector<uint8_t> buffer(8, 0xFF);  // the prefix
  buffer.insert(buffer.end(), std::begin(kCommands) + 20, std::end(kCommands));
  buffer.insert(buffer.end(), 4, 0xFF);
  trace::Render packet;
  packet.command_buffer = buffer;
  packet.command_offset = 8;
  packet.command_length = 20;
  const std::string token = "  0x0008 SETRENDERTARGET 1 {render_target=1 z_buffer=2}\n";
  CHECK(Dump({packet}).find(token) != std::string::npos);
  packet.command_length = 12;
  trace::Header header;
  header.length_origin = trace::LengthOrigin::kOffset;
  CHECK(Dump({header, packet}).find(token) != std::string::npos);
  packet.payload = trace::PayloadKind::kOpaque;
  CHECK(Dump({header, packet}).find("SETRENDERTARGET") == std::string::npos);
}

TEST_CASE("Dump: filter values are named by the runtime that wrote them") {
  // TEXTURESTAGESTATE(stage 0, MAGFILTER = 3)
  constexpr uint8_t kFilter[] = {0x19, 0, 1, 0, 0, 0, 16, 0, 3, 0, 0, 0};
  trace::ContextCreate context;
  context.context = 1;
  context.runtime_version = 3;
  CHECK(Dump({context, Call(kFilter)}) != Dump({trace::ContextCreate{}, Call(kFilter)}));
}

TEST_CASE("Dump: an unknown event keeps its kind and bytes") {
  constexpr uint8_t kPayload[] = {1, 2};
  trace::Unknown unknown;
  unknown.kind = 999;
  unknown.payload = kPayload;
  CHECK(Dump({unknown}) == "0 unknown kind=999 flags=0 payload=2 bytes [01 02]\n");
  unknown.kind = static_cast<uint16_t>(trace::EventKind::kPresent);
  CHECK(Dump({unknown}).find("damaged=present") != std::string::npos);
}

TEST_CASE("Dump: a failing sink ends the dump") {
  text::Dumper dumper([](std::string_view) { return Status(MakeDiagnostic(Rule::kIo001, "full")); },
                      {});
  CHECK(dumper.Add(0, trace::Header{}).ok());
  CHECK_FALSE(dumper.Finish().ok());
}

TEST_CASE("Dump: the assembly of shaders stands below their commands where it is asked for") {
  // CREATEPIXELSHADER: ps_1_1; mov r0, v0, then code that cannot be read
  constexpr uint8_t kCreate[] = {
      0x36, 0, 2,    0,  // two records
      1,    0, 0,    0,    20,   0,    0,    0,    1, 1, 0xFF, 0xFF,
      1,    0, 0,    0,    0,    0,    0x0F, 0x80,                  // handle 1
      0,    0, 0xE4, 0x90, 0xFF, 0xFF, 0,    0,                     // END
      2,    0, 0,    0,    4,    0,    0,    0,    0, 0, 0,    0};  // handle 2
  text::DumpOptions options;
  const std::string plain = Dump({Call(kCreate)}, options);
  CHECK(plain.find("ps_1_1") == std::string::npos);
  options.shaders = true;
  CHECK(Dump({Call(kCreate)}, options) == plain + "    ps_1_1\n    mov r0, v0\n");
  CHECK(Dump({Call(kCommands)}, options) == Dump({Call(kCommands)}));
}
