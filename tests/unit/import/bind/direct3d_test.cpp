#include <doctest/doctest.h>

#include <deque>
#include <initializer_list>
#include <string>
#include <utility>

#include "import/bind/binding.h"
#include "support/shader_assembler.h"
#include "text/dump.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::import;  // NOLINT(google-build-using-namespace): test file

namespace {

// A program whose calls reach the binding; what is recorded becomes the lines of dump.
class Program final : private runtime::EventSink {
 public:
  explicit Program(uint32_t level = 9)
      : recorder_(*this, {.level = level, .runtime_version = level - 4}),
        session_{recorder_, LockTable()} {
    binding_ = MakeDirect3DBinding(session_);
  }

  static Value Number(uint64_t number, ValueKind kind = ValueKind::kUint) {
    Value value;
    value.kind = kind;
    value.integer = static_cast<int64_t>(number);
    return value;
  }
  static Value Pointer(uint64_t number) {
    return Number(number, number == 0 ? ValueKind::kNull : ValueKind::kPointer);
  }
  static Value Null() { return {}; }
  static Value Blob(Bytes bytes) {
    Value value;
    value.kind = ValueKind::kBlob;
    value.blob = bytes;
    return value;
  }
  Value To(const Value& target) { return Array({target}); }
  Value Array(std::initializer_list<Value> items) {
    Value value;
    value.kind = ValueKind::kArray;
    value.items = items_.emplace_back(items);
    return value;
  }
  Value Structure(std::initializer_list<std::pair<const char*, Value>> members) {
    StructSignature& signature = structures_.emplace_back();
    std::vector<Value>& items = items_.emplace_back();
    for (const auto& [name, member] : members) {
      signature.members.emplace_back(name);
      items.push_back(member);
    }
    Value value;
    value.kind = ValueKind::kStruct;
    value.structure = &signature;
    value.items = items;
    return value;
  }

  Outcome Do(const char* name, std::initializer_list<Value> args, uint64_t result = 0) {
    FunctionSignature& function = functions_.emplace_back();
    function.name = name;
    Call call;
    call.number = ++calls_;
    call.function = &function;
    for (const Value& value : args)
      call.args.emplace_back(value);
    call.result = Number(result);
    return binding_->OnCall(call);
  }
  bool Copy(uint64_t pointer, Bytes bytes) { return session_.locks.Write(pointer, bytes); }

  // Device kDevice with a back buffer of 64 x 48, without depth surface.
  void MakeDevice(const char* name = "IDirect3D9::CreateDevice", uint32_t behavior = 0) {
    const Value parameters = Structure({{"BackBufferWidth", Number(64)},
                                        {"BackBufferHeight", Number(48)},
                                        {"BackBufferFormat", Number(21)},
                                        {"BackBufferCount", Number(1)}});
    CHECK(Do(name, {Pointer(1), Number(0), Number(1), Pointer(5), Number(behavior), To(parameters),
                    To(Pointer(kDevice))}) == Outcome::kDone);
    Lines();
  }
  // A managed texture of 4 x 4 pixels A8R8G8B8.
  void MakeTexture(uint64_t pointer) {
    CHECK(Do("IDirect3DDevice9::CreateTexture",
             {Pointer(kDevice), Number(4), Number(4), Number(1), Number(0), Number(21), Number(1),
              To(Pointer(pointer)), Null()}) == Outcome::kDone);
  }
  std::string Lines() {
    recorder_.Flush();
    CHECK(recorder_.status().ok());
    CHECK(dumper_.Finish().ok());
    return std::exchange(lines_, {});
  }

  static constexpr uint64_t kDevice = 0x100;

 private:
  Status OnEvent(const trace::Event& event) override { return dumper_.Add(next_++, event); }

  std::deque<std::vector<Value>> items_;
  std::deque<StructSignature> structures_;
  std::deque<FunctionSignature> functions_;
  uint64_t calls_ = 0;
  uint64_t next_ = 0;
  std::string lines_;
  text::Dumper dumper_{[this](std::string_view text) {
                         lines_ += text;
                         return OkStatus();
                       },
                       text::DumpOptions{}};
  runtime::Recorder recorder_;
  Session session_;
  std::unique_ptr<Binding> binding_;
};

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "Direct3D binding: what was written through a lock becomes an update at the unlock, after a marker") {
  Program p;
  p.MakeDevice();
  p.MakeTexture(0x200);
  p.Lines();
  const Value locked =
      p.Structure({{"Pitch", Program::Number(16)}, {"pBits", Program::Pointer(0x5000)}});
  CHECK(p.Do("IDirect3DTexture9::LockRect", {Program::Pointer(0x200), Program::Number(0),
                                             p.To(locked), Program::Null(), Program::Number(0)}) ==
        Outcome::kDone);
  const std::vector<uint8_t> bytes(64, 7);
  CHECK(p.Copy(0x5000, bytes));
  CHECK(p.Lines().empty());
  CHECK(p.Do("IDirect3DTexture9::UnlockRect", {Program::Pointer(0x200), Program::Number(0)}) ==
        Outcome::kDone);
  const std::string lines = p.Lines();
  CHECK(Has(lines, "marker text=\"IDirect3DTexture9::UnlockRect\" position=4\n"));
  CHECK(Has(lines, "surface_update handle=2 data=64 bytes"));
  CHECK_FALSE(p.Copy(0x5000, bytes));
}

TEST_CASE("Direct3D binding: a rectangle that is locked limits the update") {
  Program p;
  p.MakeDevice();
  p.MakeTexture(0x200);
  const Value locked =
      p.Structure({{"Pitch", Program::Number(16)}, {"pBits", Program::Pointer(0x5000)}});
  const Value rect = p.Structure({{"left", Program::Number(1)},
                                  {"top", Program::Number(2)},
                                  {"right", Program::Number(3)},
                                  {"bottom", Program::Number(4)}});
  p.Do("IDirect3DTexture9::LockRect",
       {Program::Pointer(0x200), Program::Number(0), p.To(locked), p.To(rect), Program::Number(0)});
  CHECK(p.Copy(0x5000, std::vector<uint8_t>(24)));
  p.Do("IDirect3DTexture9::UnlockRect", {Program::Pointer(0x200), Program::Number(0)});
  CHECK(Has(p.Lines(), "rect={left=1 top=2 right=3 bottom=4} pitch=16 data=24 bytes"));
}

TEST_CASE(
    "Direct3D binding: a managed texture gets what was written without dirt when it is dirty") {
  Program p;
  p.MakeDevice();
  p.MakeTexture(0x200);
  const auto fill = [&p](uint32_t flags) {
    const Value locked =
        p.Structure({{"Pitch", Program::Number(16)}, {"pBits", Program::Pointer(0x5000)}});
    p.Do("IDirect3DTexture9::LockRect", {Program::Pointer(0x200), Program::Number(0), p.To(locked),
                                         Program::Null(), Program::Number(flags)});
    CHECK(p.Copy(0x5000, std::vector<uint8_t>(64, 7)));
    p.Do("IDirect3DTexture9::UnlockRect", {Program::Pointer(0x200), Program::Number(0)});
  };
  fill(0);
  p.Do("IDirect3DDevice9::SetTexture",
       {Program::Pointer(Program::kDevice), Program::Number(0), Program::Pointer(0x200)});
  p.Do("IDirect3DDevice9::DrawPrimitive", {Program::Pointer(Program::kDevice), Program::Number(4),
                                           Program::Number(0), Program::Number(1)});
  p.Lines();
  fill(0x8000);
  CHECK_FALSE(Has(p.Lines(), "surface_update"));
  const Value rect = p.Structure({{"left", Program::Number(1)},
                                  {"top", Program::Number(2)},
                                  {"right", Program::Number(3)},
                                  {"bottom", Program::Number(4)}});
  CHECK(p.Do("IDirect3DTexture9::AddDirtyRect", {Program::Pointer(0x200), p.To(rect)}) ==
        Outcome::kDone);
  CHECK(
      Has(p.Lines(), "surface_update handle=2 rect={left=1 top=2 right=3 bottom=4} data=16 bytes"));
  CHECK(p.Do("IDirect3DDevice9::EvictManagedResources", {Program::Pointer(Program::kDevice)}) ==
        Outcome::kDone);
  CHECK(Has(p.Lines(), "surface_update handle=2 rect={right=4 bottom=2} data=32 bytes"));
}

TEST_CASE(
    "Direct3D binding: a read-only lock of a surface is a read when it returns, that of a texture is none") {
  Program p;
  p.MakeDevice();
  p.MakeTexture(0x200);
  p.Do("IDirect3DTexture9::GetSurfaceLevel",
       {Program::Pointer(0x200), Program::Number(0), p.To(Program::Pointer(0x210))});
  p.Lines();
  const Value locked =
      p.Structure({{"Pitch", Program::Number(16)}, {"pBits", Program::Pointer(0x5000)}});
  p.Do("IDirect3DTexture9::LockRect", {Program::Pointer(0x200), Program::Number(0), p.To(locked),
                                       Program::Null(), Program::Number(0x10)});
  CHECK_FALSE(Has(p.Lines(), "surface_read"));
  p.Do("IDirect3DSurface9::LockRect",
       {Program::Pointer(0x210), p.To(locked), Program::Null(), Program::Number(0x10)});
  CHECK(Has(p.Lines(), "surface_read handle=2 flags=READONLY\n"));
}

TEST_CASE("Direct3D binding: the last release of a level ends its texture; a bound one stays") {
  Program p;
  p.MakeDevice();
  p.MakeTexture(0x200);
  p.Do("IDirect3DTexture9::GetSurfaceLevel",
       {Program::Pointer(0x200), Program::Number(0), p.To(Program::Pointer(0x210))});
  p.Do("IDirect3DTexture9::Release", {Program::Pointer(0x200)}, 1);
  CHECK_FALSE(Has(p.Lines(), "surface_destroy"));
  p.Do("IDirect3DDevice9::SetTexture",
       {Program::Pointer(Program::kDevice), Program::Number(0), Program::Pointer(0x200)});
  p.Do("IDirect3DSurface9::Release", {Program::Pointer(0x210)}, 0);
  CHECK_FALSE(Has(p.Lines(), "surface_destroy"));
  p.Do("IDirect3DDevice9::SetTexture",
       {Program::Pointer(Program::kDevice), Program::Number(0), Program::Null()});
  CHECK(Has(p.Lines(), "surface_destroy handle=2\n"));
}

TEST_CASE("Direct3D binding: a pointer may be used again for another object") {
  Program p;
  p.MakeDevice();
  p.MakeTexture(0x200);
  p.Do("IDirect3DTexture9::Release", {Program::Pointer(0x200)}, 0);
  p.MakeTexture(0x200);
  CHECK(Has(p.Lines(), "surface_destroy handle=2\n"));
  p.Do("IDirect3DDevice9::SetTexture",
       {Program::Pointer(Program::kDevice), Program::Number(0), Program::Pointer(0x200)});
  CHECK(Has(p.Lines(), "ts_state=TEXTUREMAP value=2"));
}

TEST_CASE("Direct3D binding: back buffers outlive their last release") {
  Program p;
  p.MakeDevice();
  p.Do("IDirect3DDevice9::GetRenderTarget",
       {Program::Pointer(Program::kDevice), Program::Number(0), p.To(Program::Pointer(0x300))});
  p.Do("IDirect3DSurface9::Release", {Program::Pointer(0x300)}, 0);
  CHECK(p.Lines().empty());
  p.Do("IDirect3DDevice9::ColorFill", {Program::Pointer(Program::kDevice), Program::Pointer(0x300),
                                       Program::Null(), Program::Number(0)});
  CHECK(Has(p.Lines(), "COLORFILL 1 {surface=1"));
}

TEST_CASE(
    "Direct3D binding: an additional swap chain has back buffers of its own, which end with it") {
  Program p;
  p.MakeDevice();
  const Value device = Program::Pointer(Program::kDevice);
  const Value parameters = p.Structure({{"BackBufferWidth", Program::Number(32)},
                                        {"BackBufferHeight", Program::Number(16)},
                                        {"BackBufferFormat", Program::Number(22)}});
  CHECK(p.Do("IDirect3DDevice9::CreateAdditionalSwapChain",
             {device, p.To(parameters), p.To(Program::Pointer(0x500))}) == Outcome::kDone);
  CHECK(p.Do("IDirect3DSwapChain9::GetBackBuffer",
             {Program::Pointer(0x500), Program::Number(0), Program::Number(0),
              p.To(Program::Pointer(0x510))}) == Outcome::kDone);
  CHECK(Has(
      p.Lines(),
      "surface_create handle=2 kind=target caps=3DDEVICE|VIDEOMEMORY|LOCALVIDMEM format=X8R8G8B8 width=32 height=16"));
  const Value rect = p.Structure({{"left", Program::Number(0)},
                                  {"top", Program::Number(0)},
                                  {"right", Program::Number(8)},
                                  {"bottom", Program::Number(4)}});
  p.Do("IDirect3DSwapChain9::Present", {Program::Pointer(0x500), p.To(rect), Program::Null(),
                                        Program::Pointer(7), Program::Null(), Program::Number(0)});
  CHECK(Has(p.Lines(), "present handle=2 rect={right=8 bottom=4}\n"));
  p.Do("IDirect3DDevice9::CreateOffscreenPlainSurface",
       {device, Program::Number(32), Program::Number(16), Program::Number(21), Program::Number(2),
        p.To(Program::Pointer(0x520)), Program::Null()});
  p.Lines();
  CHECK(p.Do("IDirect3DSwapChain9::GetFrontBufferData",
             {Program::Pointer(0x500), Program::Pointer(0x520)}) == Outcome::kDone);
  CHECK(Has(p.Lines(), "BLT 1 {source=2"));
  p.Do("IDirect3DSurface9::Release", {Program::Pointer(0x510)}, 0);
  CHECK(p.Lines().empty());
  p.Do("IDirect3DSwapChain9::Release", {Program::Pointer(0x500)}, 0);
  CHECK(Has(p.Lines(), "surface_destroy handle=2\n"));
}

TEST_CASE("Direct3D binding: ComposeRects names both surfaces and both buffers of descriptors") {
  Program p;
  p.MakeDevice();
  const Value device = Program::Pointer(Program::kDevice);
  for (const uint64_t pointer : {0x200U, 0x210U}) {
    p.Do("IDirect3DDevice9::CreateOffscreenPlainSurface",
         {device, Program::Number(8), Program::Number(8), Program::Number(118), Program::Number(0),
          p.To(Program::Pointer(pointer)), Program::Null()});
  }
  for (const uint64_t pointer : {0x220U, 0x230U}) {
    p.Do("IDirect3DDevice9::CreateVertexBuffer",
         {device, Program::Number(8), Program::Number(0), Program::Number(0), Program::Number(0),
          p.To(Program::Pointer(pointer)), Program::Null()});
  }
  p.Lines();
  CHECK(p.Do("IDirect3DDevice9Ex::ComposeRects",
             {device, Program::Pointer(0x200), Program::Pointer(0x210), Program::Pointer(0x220),
              Program::Number(1), Program::Pointer(0x230), Program::Number(2), Program::Number(3),
              Program::Number(4)}) == Outcome::kDone);
  CHECK(Has(
      p.Lines(),
      "COMPOSERECTS 1 {src_surface_handle=2 dst_surface_handle=3 src_rect_descs_vb_handle=4 num_rects=1 dst_rect_descs_vb_handle=5 operation=OR x_offset=3 y_offset=4}"));
}

TEST_CASE("Direct3D binding: chains of further adapters are reported") {
  Program p;
  p.MakeDevice();
  const Value device = Program::Pointer(Program::kDevice);
  CHECK(p.Do("IDirect3DDevice9::GetSwapChain",
             {device, Program::Number(1), p.To(Program::Pointer(0x500))}) == Outcome::kUnsupported);
  CHECK(p.Do("IDirect3DDevice9::GetBackBuffer",
             {device, Program::Number(1), Program::Number(0), Program::Number(0),
              p.To(Program::Pointer(0x510))}) == Outcome::kUnsupported);
}

TEST_CASE("Direct3D binding: level 8 names shaders and state blocks by number") {
  Program p(8);
  p.MakeDevice("IDirect3D8::CreateDevice");
  const Value device = Program::Pointer(Program::kDevice);
  const uint8_t code[] = {1, 1, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0};
  p.Do("IDirect3DDevice8::CreateVertexShader",
       {device, p.Array({Program::Number(0xFFFFFFFF)}), Program::Blob(code),
        p.To(Program::Number(0xF0000001)), Program::Number(0)});
  p.Do("IDirect3DDevice8::SetVertexShader", {device, Program::Number(0xF0000001)});
  p.Do("IDirect3DDevice8::SetVertexShader", {device, Program::Number(0x42)});
  const std::string lines = p.Lines();
  CHECK(Has(lines, "CREATEVERTEXSHADER 1 {handle=1 decl_size=4 code_size=8}"));
  CHECK(Has(lines, "SETVERTEXSHADER 1 {handle=1}"));
  CHECK(Has(lines, "SETVERTEXSHADER 1 {handle=XYZ|DIFFUSE}"));
  p.Do("IDirect3DDevice8::BeginStateBlock", {device});
  p.Do("IDirect3DDevice8::SetRenderState", {device, Program::Number(22), Program::Number(1)});
  p.Do("IDirect3DDevice8::EndStateBlock", {device, p.To(Program::Number(9))});
  CHECK(p.Lines().empty());
  CHECK(p.Do("IDirect3DDevice8::ApplyStateBlock", {device, Program::Number(9)}) == Outcome::kDone);
  CHECK(Has(p.Lines(), "{render_state=CULLMODE state=NONE}"));
  CHECK(p.Do("IDirect3DDevice8::ApplyStateBlock", {device, Program::Number(8)}) ==
        Outcome::kUnsupported);
}

TEST_CASE("Direct3D binding: level 8 adds the base of SetIndices to indexed draws") {
  Program p(8);
  p.MakeDevice("IDirect3D8::CreateDevice");
  const Value device = Program::Pointer(Program::kDevice);
  p.Do("IDirect3DDevice8::CreateIndexBuffer",
       {device, Program::Number(64), Program::Number(0), Program::Number(101), Program::Number(0),
        p.To(Program::Pointer(0x400))});
  p.Do("IDirect3DDevice8::SetIndices", {device, Program::Pointer(0x400), Program::Number(12)});
  p.Do("IDirect3DDevice8::DrawIndexedPrimitive",
       {device, Program::Number(4), Program::Number(1), Program::Number(3), Program::Number(6),
        Program::Number(2)});
  CHECK(Has(
      p.Lines(),
      "DRAWINDEXEDPRIMITIVE 1 {prim_type=TRIANGLELIST base_vertex_index=12 min_index=1 num_vertices=3 start_index=6 primitive_count=2}"));
}

TEST_CASE("Direct3D binding: ProcessVertices of level 9 and 8 writes the destination buffer") {
  for (const uint32_t level : {9U, 8U}) {
    CAPTURE(level);
    Program p(level);
    const std::string device_name = level == 9 ? "IDirect3DDevice9::" : "IDirect3DDevice8::";
    const std::string buffer_name =
        level == 9 ? "IDirect3DVertexBuffer9::" : "IDirect3DVertexBuffer8::";
    p.MakeDevice(level == 9 ? "IDirect3D9::CreateDevice" : "IDirect3D8::CreateDevice");
    const Value device = Program::Pointer(Program::kDevice);
    const auto call = [&](const std::string& name, std::initializer_list<Value> args) {
      return p.Do((device_name + name).c_str(), args);
    };
    const auto make = [&](uint64_t pointer, uint32_t size, uint32_t fvf) {
      call("CreateVertexBuffer",
           {device, Program::Number(size), Program::Number(0x10), Program::Number(fvf),
            Program::Number(0), p.To(Program::Pointer(pointer))});
    };
    make(0x200, 12, 0x002);
    make(0x300, 16, 0x004);
    p.Do((buffer_name + "Lock").c_str(),
         {Program::Pointer(0x200), Program::Number(0), Program::Number(0),
          p.To(Program::Pointer(0x5000)), Program::Number(0)});
    CHECK(p.Copy(0x5000, std::vector<uint8_t>(12)));
    p.Do((buffer_name + "Unlock").c_str(), {Program::Pointer(0x200)});
    if (level == 9) {
      call("SetFVF", {device, Program::Number(0x002)});
      call("SetStreamSource", {device, Program::Number(0), Program::Pointer(0x200),
                               Program::Number(0), Program::Number(12)});
    } else {
      call("SetVertexShader", {device, Program::Number(0x002)});
      call("SetStreamSource",
           {device, Program::Number(0), Program::Pointer(0x200), Program::Number(12)});
    }
    p.Lines();
    const Value zero = Program::Number(0);
    const Value one = Program::Number(1);
    CHECK((level == 9 ? call("ProcessVertices", {device, zero, zero, one, Program::Pointer(0x300),
                                                 Program::Null(), zero})
                      : call("ProcessVertices", {device, zero, zero, one, Program::Pointer(0x300),
                                                 zero})) == Outcome::kDone);
    // The middle of a target of 64 x 48: (32, 24, 0, 1).
    CHECK(Has(
        p.Lines(),
        "surface_update handle=3 data=16 bytes [00 00 00 42 00 00 c0 41 00 00 00 00 00 00 80 3f]"));
  }
}

TEST_CASE(
    "Direct3D binding: ProcessVertices of a shader of model 3 takes the declaration that it names") {
  Program p;
  constexpr uint32_t kSoftwareProcessing = 0x20;
  p.MakeDevice("IDirect3D9::CreateDevice", kSoftwareProcessing);
  const Value device = Program::Pointer(Program::kDevice);
  const Value zero = Program::Number(0);
  const Value one = Program::Number(1);
  const auto call = [&](const char* name, std::initializer_list<Value> args) {
    return p.Do((std::string("IDirect3DDevice9::") + name).c_str(), args);
  };
  for (const uint64_t pointer : {0x200U, 0x300U}) {
    call("CreateVertexBuffer", {device, Program::Number(20), Program::Number(0x10), zero, zero,
                                p.To(Program::Pointer(pointer))});
  }
  const std::vector<uint8_t> code =
      testing::AssembleShader("vs_3_0; dcl_position v0; dcl_position o0; mov o0, v0");
  call("CreateVertexShader", {device, Program::Blob(code), p.To(Program::Pointer(0x400))});
  call("SetVertexShader", {device, Program::Pointer(0x400)});
  // POSITIONT FLOAT4 at 4
  const auto number = [](uint64_t value) { return Program::Number(value); };
  const Value position = p.Structure({{"Stream", zero},
                                      {"Offset", number(4)},
                                      {"Type", number(3)},
                                      {"Method", zero},
                                      {"Usage", number(9)},
                                      {"UsageIndex", zero}});
  const Value end = p.Structure({{"Stream", number(0xFF)},
                                 {"Offset", zero},
                                 {"Type", number(17)},
                                 {"Method", zero},
                                 {"Usage", zero},
                                 {"UsageIndex", zero}});
  call("CreateVertexDeclaration",
       {device, p.Array({position, end}), p.To(Program::Pointer(0x500))});
  call("SetFVF", {device, number(0x002)});
  call("SetStreamSource", {device, zero, Program::Pointer(0x200), zero, number(12)});
  p.Lines();
  CHECK(call("ProcessVertices", {device, zero, zero, one, Program::Pointer(0x300),
                                 Program::Pointer(0x500), zero}) == Outcome::kDone);
  // What nobody writes, then the middle of a target of 64 x 48: (32, 24, 0, 1).
  CHECK(Has(p.Lines(), "data=20 bytes [00 00 00 00 00 00 00 42 00 00 c0 41 00 00 00 00 ...]"));
  CHECK(call("ProcessVertices", {device, zero, zero, one, Program::Pointer(0x300), Program::Null(),
                                 zero}) == Outcome::kUnsupported);
}

TEST_CASE(
    "Direct3D binding: calls that ask have no effect, unknown ones are reported, unknown objects too") {
  Program p;
  p.MakeDevice();
  CHECK(p.Do("IDirect3DDevice9::GetDeviceCaps", {Program::Pointer(Program::kDevice)}) ==
        Outcome::kNoEffect);
  CHECK(p.Do("IDirect3DDevice9::Teleport", {Program::Pointer(Program::kDevice)}) ==
        Outcome::kUnknown);
  CHECK(p.Do("IDirect3DDevice9::SetRenderState", {Program::Pointer(0x999), Program::Number(22),
                                                  Program::Number(1)}) == Outcome::kUnsupported);
  CHECK(p.Lines().empty());
}

TEST_CASE("Direct3D binding: Reset keeps the states only of a device of 9Ex") {
  for (const bool is_extended : {false, true}) {
    Program p;
    p.MakeDevice(is_extended ? "IDirect3D9Ex::CreateDevice" : "IDirect3D9::CreateDevice");
    const Value device = Program::Pointer(Program::kDevice);
    p.Do("IDirect3DDevice9::SetRenderState", {device, Program::Number(22), Program::Number(1)});
    p.Lines();
    const Value parameters = p.Structure({{"BackBufferWidth", Program::Number(32)},
                                          {"BackBufferHeight", Program::Number(32)},
                                          {"BackBufferFormat", Program::Number(21)},
                                          {"BackBufferCount", Program::Number(1)}});
    CHECK(p.Do("IDirect3DDevice9::Reset", {device, p.To(parameters)}) == Outcome::kDone);
    const std::string lines = p.Lines();
    CHECK(Has(lines, "SETRENDERTARGET2 1 "));
    CHECK(Has(lines, "render_state=CULLMODE state=CCW") == !is_extended);
  }
}

TEST_CASE("Direct3D binding: system memory of the program fills a texture") {
  Program p;
  p.MakeDevice("IDirect3D9Ex::CreateDevice");
  const std::vector<uint8_t> texels = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(p.Do("IDirect3DDevice9::CreateTexture",
             {Program::Pointer(Program::kDevice), Program::Number(2), Program::Number(1),
              Program::Number(1), Program::Number(0), Program::Number(21), Program::Number(2),
              p.To(Program::Pointer(0x300)), p.To(Program::Blob(texels))}) == Outcome::kDone);
  CHECK(Has(p.Lines(), "data=8 bytes [01 02 03 04 05 06 07 08]"));
}

TEST_CASE("Direct3D binding: locks of a buffer nest, and every copy counts in its order") {
  Program p;
  p.MakeDevice();
  const Value device = Program::Pointer(Program::kDevice);
  const Value buffer = Program::Pointer(0x200);
  p.Do("IDirect3DDevice9::CreateVertexBuffer",
       {device, Program::Number(8), Program::Number(0), Program::Number(2), Program::Number(0),
        p.To(buffer), Program::Null()});
  p.Lines();
  const auto lock = [&](uint32_t offset, uint64_t pointer) {
    p.Do("IDirect3DVertexBuffer9::Lock", {buffer, Program::Number(offset), Program::Number(4),
                                          p.To(Program::Pointer(pointer)), Program::Number(0)});
  };
  lock(0, 0x9000);
  lock(4, 0x9004);
  CHECK(p.Copy(0x9004, std::vector<uint8_t>{5, 6, 7, 8}));
  p.Do("IDirect3DVertexBuffer9::Unlock", {buffer});
  CHECK(Has(p.Lines(), "[05 06 07 08]"));
  CHECK(p.Copy(0x9000, std::vector<uint8_t>{1, 2, 3, 4}));
  CHECK(p.Copy(0x9004, std::vector<uint8_t>{9, 9, 9, 9}));
  p.Do("IDirect3DVertexBuffer9::Unlock", {buffer});
  const std::string lines = p.Lines();
  CHECK(Has(lines, "[01 02 03 04]"));
  CHECK(Has(lines, "[09 09 09 09]"));
  CHECK_FALSE(p.Copy(0x9000, std::vector<uint8_t>{1}));
}

TEST_CASE("HasFailed: an HRESULT with the failure bit, no count or pointer") {
  Call call;
  CHECK_FALSE(HasFailed(call));
  call.result = Program::Number(0x8876086C, ValueKind::kEnum);
  CHECK(HasFailed(call));
  call.result = Program::Number(static_cast<uint64_t>(int64_t{-2005530516}), ValueKind::kInt);
  CHECK(HasFailed(call));
  call.result = Program::Number(0, ValueKind::kEnum);
  CHECK_FALSE(HasFailed(call));
  call.result = Program::Number(0xFFFFFFFF, ValueKind::kUint);
  CHECK_FALSE(HasFailed(call));
}

TEST_CASE(
    "LockTable: a copy belongs to the lock that holds its destination and is cut at its end") {
  LockTable locks;
  locks.Open({1, 0}, 0x1000, 16);
  locks.Open({2, 0}, 0x2000, 16);
  CHECK(locks.Write(0x2008, std::vector<uint8_t>(32, 5)));
  CHECK_FALSE(locks.Write(0x1010, std::vector<uint8_t>(1)));
  CHECK(locks.Close({1, 0})->empty());
  const auto writes = locks.Close({2, 0});
  REQUIRE(writes->size() == 1);
  CHECK((*writes)[0].offset == 8);
  CHECK((*writes)[0].bytes.size() == 8);
  CHECK_FALSE(locks.Close({2, 0}));
}

TEST_CASE(
    "LockTable: of overlapping locks the one that starts at the destination gets the copy, else the one that holds more of it") {
  LockTable locks;
  locks.Open({1, 0}, 0x1000, 64);
  locks.Open({1, 1}, 0x1010, 48);
  locks.Open({1, 2}, 0x1018, 4);
  CHECK(locks.Write(0x1010, std::vector<uint8_t>(4)));   // starts there
  CHECK(locks.Write(0x1018, std::vector<uint8_t>(16)));  // starts there, although it is cut
  CHECK(locks.Write(0x1014, std::vector<uint8_t>(8)));   // inside both: the smaller
  CHECK(locks.Write(0x1004, std::vector<uint8_t>(4)));
  CHECK(locks.Close({1, 0})->size() == 1);
  CHECK(locks.Close({1, 1})->size() == 2);
  CHECK(locks.Close({1, 2})->front().bytes.size() == 4);
}

TEST_CASE("LockTable: copies beyond the limit are refused until a lock is closed") {
  // A lock counts for 768 bytes, a write for 96 beside its own.
  LockTable locks(std::make_shared<Allowance>(768 + 2 * 96 + 10));
  locks.Open({1, 0}, 0x1000, 64);
  CHECK(locks.Write(0x1000, std::vector<uint8_t>(8)));
  CHECK_FALSE(locks.Write(0x1000, std::vector<uint8_t>(3)));
  CHECK(locks.Write(0x1000, std::vector<uint8_t>(2)));
  locks.Close({1, 0});
  locks.Open({1, 0}, 0x1000, 64);
  CHECK(locks.Write(0x1000, std::vector<uint8_t>(10)));
}
