#include "import/bind/ddraw.h"

#include <doctest/doctest.h>

#include <deque>
#include <initializer_list>
#include <utility>
#include <variant>

#include "trace/event_kind.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::import;  // NOLINT(google-build-using-namespace): test file

namespace {

// Builds values; what they point to lives as long as the builder.
class Values {
 public:
  static Value Number(uint64_t number) {
    Value value;
    value.kind = ValueKind::kUint;
    value.integer = static_cast<int64_t>(number);
    return value;
  }
  static Value Pointer(uint64_t number) {
    Value value = Number(number);
    value.kind = number == 0 ? ValueKind::kNull : ValueKind::kPointer;
    return value;
  }
  static Value Blob(Bytes bytes) {
    Value value;
    value.kind = ValueKind::kBlob;
    value.blob = bytes;
    return value;
  }
  Value Array(std::initializer_list<Value> items) {
    Value value;
    value.kind = ValueKind::kArray;
    value.items = items_.emplace_back(items);
    return value;
  }
  // &value
  Value To(const Value& value) { return Array({value}); }
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
  Value Rect(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
    return To(Structure({{"left", Number(left)},
                         {"top", Number(top)},
                         {"right", Number(right)},
                         {"bottom", Number(bottom)}}));
  }

 private:
  std::deque<std::vector<Value>> items_;
  std::deque<StructSignature> structures_;
};

class Program : private runtime::EventSink {
 public:
  Program() : recorder_(*this, {}), session_{recorder_, LockTable()}, binding_(session_) {}

  Outcome Call(const char* name, std::initializer_list<Value> args, uint64_t result = 0) {
    FunctionSignature& function = functions_.emplace_back();
    function.name = name;
    import::Call call;
    call.number = ++calls_;
    call.function = &function;
    for (const Value& value : args)
      call.args.emplace_back(value);
    call.result = Values::Number(result);
    return binding_.OnCall(call);
  }
  // Makes surface 1 of 4 x 2 pixels.
  void MakeSurface() {
    const Value description = v.Structure({{"dwFlags", Values::Number(6)},
                                           {"dwWidth", Values::Number(4)},
                                           {"dwHeight", Values::Number(2)}});
    CHECK(Call("IDirectDraw7::CreateSurface", {Values::Pointer(9), v.To(description),
                                               v.To(Values::Pointer(1)), Values::Pointer(0)}) ==
          Outcome::kDone);
  }
  Outcome Lock(const char* name, const Value& rect, uint32_t flags, uint64_t pointer) {
    const Value description =
        v.Structure({{"lPitch", Values::Number(16)}, {"lpSurface", Values::Pointer(pointer)}});
    return Call(name, {Values::Pointer(1), rect, v.To(description), Values::Number(flags),
                       Values::Pointer(0)});
  }
  // Kinds of the events so far, but markers and the header.
  std::vector<trace::EventKind> Kinds() {
    recorder_.Flush();
    return std::exchange(kinds_, {});
  }
  Session& session() { return session_; }

  Values v;
  std::optional<d3d::Rect> last_rect;
  size_t last_size = 0;

 private:
  Status OnEvent(const trace::Event& event) override {
    if (std::holds_alternative<trace::Header>(event) ||
        std::holds_alternative<trace::Marker>(event))
      return OkStatus();
    if (const auto* update = std::get_if<trace::SurfaceUpdate>(&event)) {
      last_rect = update->rect;
      last_size = update->data.size();
    }
    if (const auto* read = std::get_if<trace::SurfaceRead>(&event)) last_rect = read->rect;
    if (const auto* blt = std::get_if<trace::Blt>(&event)) last_rect = blt->dest_rect;
    kinds_.push_back(static_cast<trace::EventKind>(trace::CodeOf(event)));
    return OkStatus();
  }

  runtime::Recorder recorder_;
  Session session_;
  DirectDrawBinding binding_;
  std::deque<FunctionSignature> functions_;
  std::vector<trace::EventKind> kinds_;
  uint64_t calls_ = 0;
};

using enum trace::EventKind;
using Kinds = std::vector<trace::EventKind>;

}  // namespace

TEST_CASE("DirectDraw binding: functions are found for all versions of an interface") {
  CHECK(DirectDrawBinding::FindHandler("IDirectDrawSurface7::Blt") == &DirectDrawBinding::OnBlt);
  CHECK(DirectDrawBinding::FindHandler("IDirectDrawSurface::Blt") == &DirectDrawBinding::OnBlt);
  CHECK(DirectDrawBinding::FindHandler("IDirectDraw4::CreateSurface") ==
        &DirectDrawBinding::OnCreateSurface);
  CHECK(DirectDrawBinding::FindHandler("IDirect3DDevice7::GetCaps") ==
        &DirectDrawBinding::OnNoEffect);
  CHECK(DirectDrawBinding::FindHandler("IDirect3DDevice7::Release") ==
        &DirectDrawBinding::OnSetReferences);
  CHECK(DirectDrawBinding::FindHandler("IDirect3DDevice3::DrawPrimitive") ==
        &DirectDrawBinding::OnLegacyDraw);
  CHECK(DirectDrawBinding::FindHandler("IDirect3DDevice7::DrawPrimitive") ==
        &DirectDrawBinding::OnDrawPrimitive);
  CHECK(DirectDrawBinding::FindHandler("IDirect3DViewport2::Clear") ==
        &DirectDrawBinding::OnClearViewport);
}

TEST_CASE("DirectDraw binding: other functions are unknown") {
  for (const char* name : {"IDirect3DDevice9::Clear", "IDirect3DDevice8::GetCaps",
                           "Direct3DCreate9", "IDirectDraw7::Frobnicate", "glClear"}) {
    CHECK(DirectDrawBinding::FindHandler(name) == nullptr);
  }
}

TEST_CASE("DirectDraw binding: read-only locks count through IDirectDrawSurface7 only") {
  Program program;
  program.MakeSurface();
  program.Kinds();
  CHECK(program.Lock("IDirectDrawSurface7::Lock", program.v.Rect(1, 0, 3, 2), 0x10, 0) ==
        Outcome::kDone);
  CHECK(program.Kinds() == Kinds{kSurfaceRead});
  CHECK(program.last_rect == d3d::Rect{1, 0, 3, 2});
  CHECK(program.Lock("IDirectDrawSurface4::Lock", Values::Pointer(0), 0x10, 0) == Outcome::kDone);
  CHECK(program.Kinds() == Kinds{kSurfaceRead});
  CHECK(program.Lock("IDirectDrawSurface7::Lock", Values::Pointer(0), 0, 0) == Outcome::kNoEffect);
  CHECK(program.Kinds().empty());
}

TEST_CASE("DirectDraw binding: a read of an unknown surface or area keeps its number") {
  Program program;
  CHECK(program.Lock("IDirectDrawSurface7::Lock", Values::Pointer(0), 0x10, 0) ==
        Outcome::kUnsupported);
  CHECK(program.Kinds() == Kinds{kSurfaceRead});
  program.MakeSurface();
  program.Kinds();
  CHECK(program.Lock("IDirectDrawSurface7::Lock", program.v.Rect(0, 0, 9, 9), 0x10, 0) ==
        Outcome::kUnsupported);
  CHECK(program.Kinds() == Kinds{kSurfaceRead});
}

TEST_CASE("DirectDraw binding: what is copied between Lock and Unlock is written at Unlock") {
  Program program;
  program.MakeSurface();
  program.Kinds();
  const std::vector<uint8_t> bytes(32);
  program.Lock("IDirectDrawSurface7::Lock", Values::Pointer(0), 0, 0x5000);
  CHECK(program.session().locks.Write(0x5000, bytes));
  CHECK(program.Kinds().empty());
  CHECK(program.Call("IDirectDrawSurface7::Unlock", {Values::Pointer(1), Values::Pointer(0)}) ==
        Outcome::kDone);
  CHECK(program.Kinds() == Kinds{kSurfaceUpdate});
  CHECK(program.last_size == 32);
  CHECK(program.Call("IDirectDrawSurface7::Unlock", {Values::Pointer(1), Values::Pointer(0)}) ==
        Outcome::kNoEffect);
}

TEST_CASE(
    "DirectDraw binding: Unlock names its lock by rectangle, or in old interfaces by pointer") {
  Program program;
  program.MakeSurface();
  const std::vector<uint8_t> bytes(16);
  const Value top = program.v.Rect(0, 0, 4, 1);
  const Value bottom = program.v.Rect(0, 1, 4, 2);
  program.Lock("IDirectDrawSurface7::Lock", top, 0, 0x5000);
  program.Lock("IDirectDrawSurface7::Lock", bottom, 0, 0x5010);
  CHECK(program.session().locks.Write(0x5010, bytes));
  program.Kinds();
  program.Call("IDirectDrawSurface7::Unlock", {Values::Pointer(1), top});
  CHECK(program.Kinds().empty());
  program.Call("IDirectDrawSurface2::Unlock", {Values::Pointer(1), Values::Pointer(0x5010)});
  CHECK(program.Kinds() == Kinds{kSurfaceUpdate});
  CHECK(program.last_rect == d3d::Rect{0, 1, 4, 2});
}

TEST_CASE(
    "DirectDraw binding: a clear with a count of 0 needs a null pointer to clear the viewport") {
  Program program;
  program.MakeSurface();
  CHECK(program.Call("IDirect3D7::CreateDevice",
                     {Values::Pointer(9), Values::Pointer(0), Values::Pointer(1),
                      program.v.To(Values::Pointer(2))}) == Outcome::kDone);
  program.Kinds();
  const auto clear = [&](uint32_t count, const Value& rects) {
    program.Call("IDirect3DDevice7::Clear",
                 {Values::Pointer(2), Values::Number(count), rects, Values::Number(1),
                  Values::Number(0), Values::Number(0), Values::Number(0)});
    return program.Kinds();
  };
  CHECK(clear(0, Values::Pointer(0)) == Kinds{kDp2});
  CHECK(clear(1, Values::Pointer(0)) == Kinds{kDp2});
  CHECK(clear(0, program.v.Array({})).empty());
}

TEST_CASE(
    "DirectDraw binding: surfaces of an object that GetDDInterface returned share its space") {
  Program program;
  program.MakeSurface();
  program.Call("IDirectDrawSurface7::GetDDInterface",
               {Values::Pointer(1), program.v.To(Values::Pointer(77))});
  const Value description = program.v.Structure({{"dwFlags", Values::Number(6)},
                                                 {"dwWidth", Values::Number(4)},
                                                 {"dwHeight", Values::Number(2)}});
  program.Call("IDirectDraw7::CreateSurface",
               {Values::Pointer(77), program.v.To(description), program.v.To(Values::Pointer(3)),
                Values::Pointer(0)});
  CHECK(program.Call("IDirectDrawSurface7::Blt",
                     {Values::Pointer(1), Values::Pointer(0), Values::Pointer(3),
                      Values::Pointer(0), Values::Number(0), Values::Pointer(0)}) ==
        Outcome::kDone);
}

TEST_CASE(
    "DirectDraw binding: an indexed draw whose indices were not all recorded draws what is there and says so") {
  Program program;
  program.MakeSurface();
  program.Call("IDirect3D7::CreateDevice", {Values::Pointer(9), Values::Pointer(0),
                                            Values::Pointer(1), program.v.To(Values::Pointer(2))});
  program.Kinds();
  const std::vector<uint8_t> vertices(48);
  const std::vector<uint8_t> indices = {0, 0, 1, 0, 2, 0};
  const auto draw = [&](uint32_t count) {
    return program.Call(
        "IDirect3DDevice7::DrawIndexedPrimitive",
        {Values::Pointer(2), Values::Number(4), Values::Number(4), Values::Blob(vertices),
         Values::Number(3), Values::Blob(indices), Values::Number(count), Values::Number(0)});
  };
  CHECK(draw(3) == Outcome::kDone);
  CHECK(draw(6) == Outcome::kUnsupported);
  CHECK(program.Kinds() == Kinds{kDp2, kDp2});
}

TEST_CASE("DirectDraw binding: palette entries are structures or bytes") {
  Values v;
  FunctionSignature function{"IDirectDraw7::CreatePalette", {}};
  Call call;
  call.function = &function;
  const Value entry = v.Structure({{"peRed", Values::Number(1)},
                                   {"peGreen", Values::Number(2)},
                                   {"peBlue", Values::Number(3)},
                                   {"peFlags", Values::Number(4)}});
  const std::vector<uint8_t> bytes = {1, 2, 3, 4};
  call.args = {v.Array({entry, entry}), Values::Blob(bytes)};
  CHECK(PaletteEntriesAt(call, 0) == std::vector<uint32_t>{0x04030201, 0x04030201});
  CHECK(PaletteEntriesAt(call, 1) == std::vector<uint32_t>{0x04030201});
}

TEST_CASE("DirectDraw binding: a clip list of one rectangle cuts blits; of several, the bounds") {
  Program program;
  Values& v = program.v;
  program.MakeSurface();
  const auto list = [&v](uint32_t count) {
    return v.To(v.Structure({{"rdh", v.Structure({{"dwSize", Values::Number(32)},
                                                  {"iType", Values::Number(1)},
                                                  {"nCount", Values::Number(count)},
                                                  {"nRgnSize", Values::Number(16 * count)},
                                                  {"rcBound", v.Structure({
                                                                  {"left", Values::Number(1)},
                                                                  {"top", Values::Number(0)},
                                                                  {"right", Values::Number(3)},
                                                                  {"bottom", Values::Number(1)},
                                                              })}})}}));
  };
  const auto fill = [&] {
    const Value effects = v.Structure({{"dwFillColor", Values::Number(1)}});
    program.last_rect.reset();
    CHECK(program.Call("IDirectDrawSurface7::Blt",
                       {Values::Pointer(1), Values::Pointer(0), Values::Pointer(0),
                        Values::Pointer(0), Values::Number(0x400), v.To(effects)}) ==
          Outcome::kDone);
    return program.last_rect;
  };
  CHECK(program.Call("IDirectDraw7::CreateClipper",
                     {Values::Pointer(9), Values::Number(0), v.To(Values::Pointer(5)),
                      Values::Pointer(0)}) == Outcome::kNoEffect);
  CHECK(program.Call("IDirectDrawSurface7::SetClipper", {Values::Pointer(1), Values::Pointer(5)}) ==
        Outcome::kNoEffect);
  CHECK(fill() == std::nullopt);
  const d3d::Rect bounds = {1, 0, 3, 1};
  const auto set = [&](const Value& value) {
    return program.Call("IDirectDrawClipper::SetClipList",
                        {Values::Pointer(5), value, Values::Number(0)});
  };
  CHECK(set(list(1)) == Outcome::kNoEffect);
  CHECK(fill() == bounds);
  CHECK(set(Values::Pointer(0)) == Outcome::kNoEffect);
  CHECK(fill() == std::nullopt);
  CHECK(set(list(2)) == Outcome::kUnsupported);
  CHECK(fill() == bounds);
  const auto set_window = [&](uint64_t window) {
    return program.Call("IDirectDrawClipper::SetHWnd",
                        {Values::Pointer(5), Values::Number(0), Values::Pointer(window)});
  };
  CHECK(set_window(77) == Outcome::kNoEffect);
  CHECK(fill() == std::nullopt);
  CHECK(set_window(0) == Outcome::kNoEffect);
  CHECK(fill() == bounds);
  // A clipper of no DirectDraw object.
  CHECK(program.Call("DirectDrawCreateClipper", {Values::Number(0), v.To(Values::Pointer(6)),
                                                 Values::Pointer(0)}) == Outcome::kNoEffect);
  CHECK(program.Call("IDirectDrawSurface7::SetClipper", {Values::Pointer(1), Values::Pointer(6)}) ==
        Outcome::kNoEffect);
  CHECK(fill() == std::nullopt);
}

TEST_CASE("DirectDraw binding: what GDI drew is in the trace where a lock to write follows") {
  Program program;
  Values& v = program.v;
  program.MakeSurface();
  const auto missing = [&] { return program.session().gdi.Missing(); };
  const auto get_dc = [&] {
    CHECK(program.Call("IDirectDrawSurface7::GetDC",
                       {Values::Pointer(1), v.To(Values::Pointer(77))}) == Outcome::kNoEffect);
    CHECK(program.Call("IDirectDrawSurface7::ReleaseDC",
                       {Values::Pointer(1), Values::Pointer(77)}) == Outcome::kNoEffect);
  };
  const auto write = [&](const Value& rect, size_t size) {
    program.Lock("IDirectDrawSurface7::Lock", rect, 0, 0x1000);
    CHECK(program.session().locks.Write(0x1000, std::vector<uint8_t>(size)));
    CHECK(program.Call("IDirectDrawSurface7::Unlock", {Values::Pointer(1), rect}) ==
          Outcome::kDone);
  };
  const std::map<std::string, uint64_t> two = {{"IDirectDrawSurface7::GetDC", 2}};
  get_dc();
  get_dc();
  CHECK(missing() == two);
  write(v.Rect(0, 0, 2, 2), 16);  // a part
  CHECK(missing() == two);
  write(Values::Pointer(0), 32);
  CHECK(missing().empty());
  // A read before the write has not seen it.
  get_dc();
  program.Lock("IDirectDrawSurface7::Lock", Values::Pointer(0), 0x10, 0x2000);
  CHECK(program.Call("IDirectDrawSurface7::Unlock", {Values::Pointer(1), Values::Pointer(0)}) ==
        Outcome::kDone);
  write(Values::Pointer(0), 32);
  CHECK(missing().size() == 1);
  get_dc();
  CHECK(missing() == two);
  write(Values::Pointer(0), 32);
  CHECK(missing().at("IDirectDrawSurface7::GetDC") == 1);
}

TEST_CASE("DirectDraw binding: an overlay is in what is presented, once per call that changes it") {
  Program program;
  Values& v = program.v;
  const auto create = [&](uint64_t id, uint64_t caps, uint64_t width) {
    const Value description =
        v.Structure({{"dwFlags", Values::Number(7)},
                     {"dwWidth", Values::Number(width)},
                     {"dwHeight", Values::Number(2)},
                     {"ddsCaps", v.Structure({{"dwCaps", Values::Number(caps)}})}});
    CHECK(program.Call("IDirectDraw7::CreateSurface",
                       {Values::Pointer(9), v.To(description), v.To(Values::Pointer(id)),
                        Values::Pointer(0)}) == Outcome::kDone);
  };
  create(1, 0x200, 4);  // DDSCAPS_PRIMARYSURFACE
  create(2, 0x80, 2);   // DDSCAPS_OVERLAY
  (void)program.Kinds();
  const auto update = [&](uint64_t flags) {
    const Value effects = v.Structure({{"dwDDFX", Values::Number(2)}});
    return program.Call(
        "IDirectDrawSurface7::UpdateOverlay",
        {Values::Pointer(2), Values::Pointer(0), Values::Pointer(1), v.Rect(1, 0, 3, 2),
         Values::Number(flags), flags == 0x84000 ? v.To(effects) : Values::Pointer(0)});
  };
  using enum trace::EventKind;
  const std::vector<trace::EventKind> plain = {kPresent};
  const std::vector<trace::EventKind> overlaid = {kSurfaceCreate, kBlt, kBlt, kPresent,
                                                  kSurfaceDestroy};
  CHECK(update(0x4000) == Outcome::kDone);
  CHECK(program.Kinds() == overlaid);
  const auto move = [&](const char* name, uint64_t first, uint64_t second) {
    return program.Call(name, {Values::Pointer(2), Values::Number(first), Values::Number(second)});
  };
  CHECK(move("IDirectDrawSurface7::SetOverlayPosition", 2, 0) == Outcome::kDone);
  CHECK(program.Kinds() == overlaid);
  CHECK(move("IDirectDrawSurface7::UpdateOverlayZOrder", 0, 0) == Outcome::kDone);
  CHECK(program.Kinds().empty());
  // Mirrored: columns of one pixel.
  CHECK(update(0x84000) == Outcome::kDone);
  CHECK(program.Kinds().size() == overlaid.size() + 1);
  CHECK(update(0x4010) == Outcome::kUnsupported);
  CHECK(program.Kinds().empty());
  CHECK(update(0x200) == Outcome::kDone);
  CHECK(program.Kinds() == plain);
  CHECK(move("IDirectDrawSurface7::SetOverlayPosition", 2, 0) == Outcome::kUnsupported);
}
