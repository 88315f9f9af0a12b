// A DirectDraw driver that is recorded at its tables of callbacks: the replay shows what the calls draw.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "toy_hal.h"
// after the headers of the driver
#include "dp2trace_capture_hal.h"
#include "rules/rule_info.h"
#include "session.h"
#include "trace/call_results.h"
#include "trace/reader.h"
#include "verify/verifier.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr DWORD kSystem = 0x800, kTexture = 0x1000, kTarget = 0x2000, kPrimary = 0x200,
                kMipMap = 0x400000, kBuffer = 0x800000;
constexpr DWORD kSubLevel = 0x10000, kVolume = 0x200000, kFlip = 0x10;
constexpr auto kBusy = static_cast<HRESULT>(0x8876021C);  // DDERR_WASSTILLDRAWING
constexpr DDPIXELFORMAT kDisplay = {32, 0x40, 0, 32, 0xFF0000, 0xFF00, 0xFF, 0};

int calls = 0;

template <class>
struct Stub;
template <class Data>
struct Stub<DWORD (*)(Data)> {
  static DWORD Call(Data) {
    ++calls;
    return 1;
  }
};
// The first context of a process is 0x77, as each has one.
DWORD CreateContext(LPD3DHAL_CONTEXTCREATEDATA p) {
  p->dwhContext = 0x77 + p->dwPID;
  return Stub<DWORD (*)(LPD3DHAL_CONTEXTCREATEDATA)>::Call(p);
}
DWORD DrawPrimitives2(LPD3DHAL_DRAWPRIMITIVES2DATA p) {
  p->ddrval = 0;
  return Stub<DWORD (*)(LPD3DHAL_DRAWPRIMITIVES2DATA)>::Call(p);
}
DWORD CreateTexture(LPD3DHAL_TEXTURECREATEDATA p) {
  static DWORD handles = 0;
  p->dwHandle = 0x500 + ++handles;
  return Stub<DWORD (*)(LPD3DHAL_TEXTURECREATEDATA)>::Call(p);
}

// A surface of 32 bits, or a buffer of `width` bytes, and its memory.
struct Surface {
  Surface(DWORD caps, WORD width, WORD height, DWORD handle, DWORD caps2 = 0)
      : pixels(size_t{width} * height) {
    local.lpSurfMore = &more;
    local.lpGbl = &global;
    local.ddsCaps.dwCaps = caps;
    more.dwSurfaceHandle = handle;
    more.ddsCapsEx.dwCaps2 = caps2;
    global.fpVidMem = reinterpret_cast<ULONG_PTR>(pixels.data());
    global.lPitch = width * 4;
    global.dwLinearSize = width;
    global.wWidth = width;
    global.wHeight = height;
    interface.lpLcl = &local;
  }
  void Attach(Surface& below) {
    links.push_back({nullptr, &below.local});
    links.back().lpLink = local.lpAttachList;
    local.lpAttachList = &links.back();
  }
  std::vector<uint32_t> pixels;
  struct surface_local local {};
  surface_global global{};
  surface_more more{};
  _DDRAWI_DDRAWSURFACE_INT interface {};
  std::list<attach_list> links;
};

// The driver's tables, recorded into a session of the library.
class Driver {
 public:
  explicit Driver(uint32_t level) : session_(capture, level == 5 ? 6 : level) {
    calls = 0;
    d2c_hal_init(recording.get(), &capture, level, &kDisplay);
    Fill(dd.CreateSurface);
    d2c_hal_directdraw(recording.get(), &dd);
    for (auto* member : {&surfaces.DestroySurface})
      Fill(*member);
    Fill(surfaces.Flip);
    Fill(surfaces.Lock);
    Fill(surfaces.Unlock);
    Fill(surfaces.Blt);
    Fill(surfaces.SetColorKey);
    d2c_hal_surfaces(recording.get(), &surfaces);
    Fill(buffers.CreateExecuteBuffer);
    Fill(buffers.DestroyExecuteBuffer);
    Fill(buffers.UnlockExecuteBuffer);
    d2c_hal_buffers(recording.get(), &buffers);
    d3d.ContextCreate = CreateContext;
    Fill(d3d.ContextDestroy);
    Fill(d3d.ContextDestroyAll);
    Fill(d3d.RenderState);
    Fill(d3d.RenderPrimitive);
    d3d.TextureCreate = CreateTexture;
    Fill(d3d.TextureDestroy);
    Fill(d3d.TextureSwap);
    d2c_hal_direct3d(recording.get(), &d3d);
    Fill(d3d2.SetRenderTarget);
    Fill(d3d2.Clear);
    Fill(d3d2.DrawOnePrimitive);
    Fill(d3d2.DrawOneIndexedPrimitive);
    Fill(d3d2.DrawPrimitives);
    Answer({0xE1, 0x84, 0xA5, 0x0B, 0xB6, 0x70, 0xD0, 0x11, 0x88, 0x9D, 0x00, 0xAA, 0x00, 0xBB,
            0xB7, 0x6A},
           &d3d2);
    Fill(d3d3.Clear2);
    d3d3.DrawPrimitives2 = DrawPrimitives2;
    Answer({0x30, 0x12, 0xF4, 0xDD, 0x0A, 0xEC, 0xD0, 0x11, 0xA9, 0xB6, 0x00, 0xAA, 0x00, 0xC0,
            0x99, 0x3E},
           &d3d3);
    Fill(misc2.CreateSurfaceEx);
    Fill(misc2.DestroyDDLocal);
    Answer({0x00, 0x2F, 0x6B, 0x40, 0x5A, 0x3E, 0xD1, 0x11, 0xB6, 0x40, 0x00, 0xAA, 0x00, 0xA1,
            0xF9, 0x6A},
           &misc2);
  }

  void Announce(Surface& surface, void* object = nullptr) {
    std::remove_pointer_t<LPDDHAL_CREATESURFACEEXDATA> p{0, object, &surface.local, 0};
    misc2.CreateSurfaceEx(&p);
  }
  void Create(Surface& surface) {
    LPDDRAWI_DDRAWSURFACE_LCL list = &surface.local;
    std::remove_pointer_t<LPDDHAL_CREATESURFACEDATA> p{&list, 1, 0};
    dd.CreateSurface(&p);
  }
  void Destroy(Surface& surface) {
    std::remove_pointer_t<LPDDHAL_DESTROYSURFACEDATA> p{&surface.local, 0};
    surfaces.DestroySurface(&p);
  }
  void Write(Surface& surface, const RECT& area, uint32_t color) {
    std::remove_pointer_t<LPDDHAL_LOCKDATA> lock{};
    lock.lpDDSurface = &surface.local;
    lock.bHasRect = 1;
    lock.rArea = area;
    surfaces.Lock(&lock);
    for (LONG y = area.top; y < area.bottom; ++y) {
      for (LONG x = area.left; x < area.right; ++x)
        surface.pixels[static_cast<size_t>(y * surface.global.wWidth + x)] = color;
    }
    std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&surface.local, 0};
    surfaces.Unlock(&unlock);
  }
  void Context(void* target, void* object = nullptr, DWORD process = 0, DWORD runtime = 3) {
    D3DHAL_CONTEXTCREATEDATA p{};
    p.lpDDLcl = object;
    p.lpDDSLcl = static_cast<LPDDRAWI_DDRAWSURFACE_LCL>(target);
    p.dwPID = process;
    p.dwhContext = runtime;
    d3d.ContextCreate(&p);
  }
  void EndProcess(DWORD process) {
    std::remove_pointer_t<LPD3DHAL_CONTEXTDESTROYALLDATA> p{process, 0};
    d3d.ContextDestroyAll(&p);
  }
  void EndObject(void* object) {
    std::remove_pointer_t<LPDDHAL_DESTROYDDLOCALDATA> p{0, object, 0};
    misc2.DestroyDDLocal(&p);
  }
  void Call(std::vector<uint32_t> tokens, DWORD process = 0) {
    Surface commands(kBuffer, static_cast<WORD>(tokens.size() * 4), 1, 0, 0x40);
    commands.pixels = std::move(tokens);
    commands.global.fpVidMem = reinterpret_cast<ULONG_PTR>(commands.pixels.data());
    D3DHAL_DRAWPRIMITIVES2DATA p{};
    p.dwhContext = 0x77 + process;
    p.lpDDCommands = &commands.local;
    p.dwCommandLength = static_cast<DWORD>(commands.pixels.size() * 4);
    d3d3.DrawPrimitives2(&p);
  }
  // The frame is drawn with a clear, locked in part, and shown. `flipped`: what the driver says of the flip.
  void Frame(Surface& front, Surface& back, uint32_t color, uint32_t locked, HRESULT flipped = 0) {
    Call({0x00010029, back.more.dwSurfaceHandle, 0, 0x0001002A, 1, color, 0, 0, 0, 0, 16, 8});
    Write(back, {0, 0, 4, 4}, locked);
    Flip(front, back, flipped);
  }
  void Flip(Surface& front, Surface& back, HRESULT flipped = 0) {
    std::remove_pointer_t<LPDDHAL_FLIPDATA> flip{&front.local, &back.local, 0, flipped};
    surfaces.Flip(&flip);
    if (flipped >= 0) Turn(front, back);
  }
  // What the runtime does: Microsoft's page "D3dCreateSurfaceEx Handles and Flip".
  static void Turn(Surface& front, Surface& back) {
    std::swap(front.more.dwSurfaceHandle, back.more.dwSurfaceHandle);
    std::swap(front.global.fpVidMem, back.global.fpVidMem);
    std::swap(front.pixels, back.pixels);
  }
  uint32_t Pixel(const Surface& surface, uint32_t x, uint32_t y, uint32_t level = 0) {
    return session_.Pixel(
        d2c_hal_number(recording.get(), const_cast<surface_local*>(&surface.local)), x, y, 0,
        level);
  }
  // The driver's picture of 8 x 8 pixels at the origin, of which each pixel of the surface has its color.
  void Picture(Surface& surface) {
    struct d2c_picture picture;
    d2c_picture_init(&picture);
    picture.handle = d2c_hal_number(recording.get(), &surface.local);
    picture.has_rect = 1;
    picture.rect.right = picture.rect.bottom = 8;
    picture.has_pitch = 1;
    picture.pitch = static_cast<uint32_t>(surface.global.lPitch);
    picture.data = d2c_bytes_of(surface.pixels.data(), picture.pitch * 8);
    d2c_picture(&capture, &picture);
  }
  RecordedSession& session() { return session_; }

  DDHAL_DDCALLBACKS dd{};
  DDHAL_DDSURFACECALLBACKS surfaces{};
  DDHAL_DDEXEBUFCALLBACKS buffers{};
  DDHAL_DDMISCELLANEOUS2CALLBACKS misc2{};
  D3DHAL_CALLBACKS d3d{};
  D3DHAL_CALLBACKS2 d3d2{};
  D3DHAL_CALLBACKS3 d3d3{};
  d2c capture{};
  std::unique_ptr<d2c_hal> recording = std::make_unique<d2c_hal>();

 private:
  template <class Function>
  static void Fill(Function& member) {
    member = Stub<Function>::Call;
  }
  void Answer(const std::array<BYTE, 16>& guid, void* table) {
    std::remove_pointer_t<LPDDHAL_GETDRIVERINFODATA> p{};
    std::memcpy(p.guidInfo, guid.data(), guid.size());
    p.lpvData = table;
    p.dwActualSize = 64;
    d2c_hal_driver_info(recording.get(), &p);
  }

  RecordedSession session_;
};

// What `verify` says of the recording, and how many of its pictures are those of the replay.
struct Verified {
  std::string findings;  // "RULE EVENT"
  size_t equal = 0;
  size_t pictures = 0;
};

Verified Verify(const std::vector<uint8_t>& bytes) {
  DiagnosticList findings;
  verify::Verifier verifier({}, findings);
  Result<trace::Reader> reader = trace::Reader::FromBytes(bytes, findings);
  REQUIRE(reader.ok());
  trace::ResultJoiner joiner(
      [&reader](trace::EventRecord& record) { return reader->Next(record); });
  for (trace::EventRecord record; joiner.Next(record);)
    REQUIRE(verifier.OnEvent(record.number, record.event).ok());
  REQUIRE(verifier.Finish().ok());
  Verified verified;
  for (const Diagnostic& finding : findings.items())
    verified.findings += fmt::format("{} {}\n", Info(finding.rule).id, finding.event.value_or(0));
  verified.pictures = verifier.pictures().size();
  verified.equal = verified.pictures - (verifier.first_different() != nullptr ? 1 : 0);
  return verified;
}

// A palette as the runtime keeps it.
struct Palette {
  explicit Palette(PALETTEENTRY color, DWORD flags = 1) {
    colors.fill(color);
    global = {flags, colors.data()};
    local = {&global};
    interface = {&local};
  }
  std::array<PALETTEENTRY, 256> colors{};
  palette_global global{};
  palette_local local{};
  palette_interface interface {};
};

// A texture of 4 x 4 indices.
struct PalettedTexture : Surface {
  explicit PalettedTexture(uint8_t index) : Surface(kTexture, 1, 4, 0) {
    local.dwFlags = 0x2000;                             // DDRAWISURF_HASPIXELFORMAT
    global.ddpfSurface = {32, 0x20, 0, 8, 0, 0, 0, 0};  // DDPF_PALETTEINDEXED8
    global.wWidth = 4;
    global.lPitch = 4;
    std::memset(pixels.data(), index, 16);
  }
};

// The driver's handle of a texture.
DWORD TextureHandle(Driver& driver, Surface& texture) {
  std::remove_pointer_t<LPD3DHAL_TEXTURECREATEDATA> create{0x77, &texture.interface, 0, 0};
  driver.d3d.TextureCreate(&create);
  return create.dwHandle;
}

// Fills the target of 16 x 8 pixels with the texture: its texels, not filtered.
void DrawTexture(Driver& driver, DWORD handle, bool is_blended = false) {
  driver.Call({0x00050008, 22, 1, 7, 0, 27, is_blended, 19, 5, 20, 6});      // RENDERSTATE
  driver.Call({0x00040019, 0, handle, 1 << 16, 2, 2 << 16, 2, 4 << 16, 2});  // TEXTURESTAGESTATE
  std::vector<uint32_t> vertices;
  for (const auto& [x, y] : {std::pair{0.F, 0.F}, {64.F, 0.F}, {0.F, 32.F}}) {
    const std::array<float, 4> position{x, y, 0.5F, 1};
    for (const float value : position) {
      vertices.emplace_back();
      std::memcpy(&vertices.back(), &value, 4);
    }
    vertices.insert(vertices.end(), {0xFFFFFFFF, 0, 0, 0});
  }
  std::remove_pointer_t<LPD3DHAL_DRAWONEPRIMITIVEDATA> draw{0x77, 0, 4, 3, vertices.data(), 3, 0};
  driver.d3d2.DrawOnePrimitive(&draw);
}

}  // namespace

TEST_CASE("DirectDraw driver: a program of DirectX 7, recorded at the tables") {
  Driver driver(7);
  Surface screen(kPrimary | kTarget, 16, 8, 1), back(kTarget, 16, 8, 2);
  screen.Attach(back);
  back.Attach(screen);  // a flip chain is a circle
  driver.Announce(screen);
  driver.Announce(back);
  driver.Context(&back.local);
  driver.Call({0x0001002A, 1, 0xFF102030, 0, 0, 0, 0, 16, 8});  // CLEAR
  CHECK(driver.Pixel(back, 15, 7) == 0x102030);
  driver.Write(back, {2, 3, 5, 6}, 0xFFAABBCC);
  CHECK(driver.Pixel(back, 4, 5) == 0xAABBCC);
  CHECK(driver.Pixel(back, 5, 5) == 0x102030);

  // A managed texture: the runtime fills the system's copy without a call.
  Surface system(kSystem | kTexture | kMipMap, 2, 2, 3),
      system_level(kSystem | kTexture | kMipMap, 1, 1, 4, kSubLevel);
  Surface video(kTexture | kMipMap, 2, 2, 5), video_level(kTexture | kMipMap, 1, 1, 6, kSubLevel);
  system.Attach(system_level);
  video.Attach(video_level);
  driver.Announce(system);
  driver.Announce(video);
  system.pixels.assign(4, 0xFF445566);
  system_level.pixels.assign(1, 0xFF778899);
  const std::vector<uint32_t> copy{0x00010026, 5, 3, 0, 0, 0, 0, 2, 2, 0};  // TEXBLT
  driver.Call(copy);
  CHECK(driver.Pixel(video, 1, 1) == 0x445566);
  CHECK(driver.session().Pixel(5, 0, 0, 0, 1) == 0x778899);
  system_level.pixels[0] = 0xFF000001;
  driver.Call(copy);
  CHECK(driver.session().Pixel(5, 0, 0, 0, 1) == 0x000001);

  // A blit from system memory, with a colour key of the surface, to the screen: a frame.
  Surface sprite(kSystem, 4, 4, 7);
  driver.Announce(sprite);
  sprite.pixels.assign(16, 0xFF00FF00);
  sprite.pixels[5] = 0xFF112233;
  std::remove_pointer_t<LPDDHAL_SETCOLORKEYDATA> key{&sprite.local, 8, {0x00FF00, 0x00FF00}, 0};
  driver.surfaces.SetColorKey(&key);
  std::remove_pointer_t<LPDDHAL_BLTDATA> blt{};
  blt.lpDDDestSurface = &screen.local;
  blt.rDest = {0, 0, 4, 4};
  blt.lpDDSrcSurface = &sprite.local;
  blt.rSrc = {0, 0, 4, 4};
  blt.dwFlags = 0x8000;  // DDBLT_KEYSRC
  driver.surfaces.Blt(&blt);
  CHECK(driver.Pixel(screen, 1, 1) == 0x112233);
  CHECK(driver.Pixel(screen, 0, 0) == 0);
  CHECK(driver.session().statistics().frames == 1);
  std::remove_pointer_t<LPDDHAL_FLIPDATA> flip{&screen.local, &back.local, 0, 0};
  driver.surfaces.Flip(&flip);
  CHECK(driver.session().statistics().frames == 2);
  std::remove_pointer_t<LPDDHAL_LOCKDATA> read{};
  read.lpDDSurface = &back.local;
  read.dwFlags = 0x10;
  driver.surfaces.Lock(&read);
  back.pixels.assign(128, 0);
  std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&back.local, 0};
  driver.surfaces.Unlock(&unlock);  // what was locked for reading is not recorded
  CHECK(driver.Pixel(back, 4, 5) == 0xAABBCC);

  // The other callbacks of DirectX 7.
  Surface vertices(kBuffer, 64, 1, 8, 0x20);
  driver.Announce(vertices);
  vertices.pixels.assign(64, 0x01020304);
  std::remove_pointer_t<LPDDHAL_UNLOCKDATA> filled{&vertices.local, 0};
  driver.buffers.UnlockExecuteBuffer(&filled);
  CHECK(driver.Pixel(vertices, 3, 0) == 0x020304);
  RECT area{0, 0, 1, 1};
  std::remove_pointer_t<LPD3DHAL_CLEAR2DATA> clear{0x77, 1, 0xFF123123, 1, 0, &area, 1, 0};
  driver.d3d3.Clear2(&clear);
  CHECK(driver.Pixel(back, 0, 0) == 0x123123);
  std::remove_pointer_t<LPD3DHAL_SETRENDERTARGETDATA> target{0x77, &screen.local, nullptr, 0};
  driver.d3d2.SetRenderTarget(&target);
  std::remove_pointer_t<LPD3DHAL_CONTEXTDESTROYDATA> end{0x77, 0};
  driver.d3d.ContextDestroy(&end);
  // Surfaces go one by one, levels, too; one in system memory by losing its memory.
  driver.Destroy(video);
  driver.Destroy(video_level);
  system.global.fpVidMem = 0;
  driver.Announce(system);
  CHECK(d2c_hal_number(driver.recording.get(), &system.local) == 3);
  driver.Destroy(sprite);
  driver.Destroy(back);
  driver.Destroy(screen);
  CHECK(driver.session().Findings() == "");
  CHECK(driver.recording->left_out == 0);
}

TEST_CASE("DirectDraw driver: recording stops and starts at run time, with what surfaces hold") {
  Driver driver(7);
  Surface screen(kTarget, 16, 8, 1), depth(0x20000, 16, 8, 2);
  Surface texture(kTexture | kMipMap, 2, 2, 5), level(kTexture | kMipMap, 1, 1, 6, kSubLevel);
  depth.local.dwFlags = 0x2000;                                        // DDRAWISURF_HASPIXELFORMAT
  depth.global.ddpfSurface = {32, 0x400, 0, 32, 0, 0xFFFFFFFF, 0, 0};  // D32
  texture.Attach(level);
  for (Surface* const surface : {&screen, &depth, &texture})
    driver.Announce(*surface);
  D3DHAL_CONTEXTCREATEDATA p{};
  p.lpDDSLcl = &screen.local;
  p.lpDDSZLcl = &depth.local;
  p.dwhContext = 3;
  driver.d3d.ContextCreate(&p);
  CHECK(d2c_pause(&driver.capture) == D2C_OK);
  // The driver goes on; nobody records.
  screen.pixels.assign(128, 0xFF111111);
  depth.pixels.assign(128, 0x00222222);
  texture.pixels.assign(4, 0xFF333333);
  level.pixels.assign(1, 0xFF444444);
  driver.Call({0x0001002A, 1, 0xFFFFFFFF, 0, 0, 0, 0, 16, 8});
  Surface gone(kTexture, 2, 2, 9), later(kTexture, 2, 2, 10);
  driver.Announce(gone);
  driver.Announce(later);
  driver.Destroy(gone);
  later.pixels.assign(4, 0xFF555555);

  struct d2c_header header;
  d2c_header_init(&header);
  header.driver_level = 7;
  const auto fill = [](void* user, struct d2c_u64 context, struct d2c_state* state) {
    CHECK(context.lo == 0x77);
    state->render_states = static_cast<const d2c_u32*>(user);
    state->render_states_count = 1;
  };
  std::array<d2c_u32, 2> states{22, 1};
  CHECK(d2c_hal_snapshot(driver.recording.get(), &header, fill, states.data()) == D2C_OK);
  CHECK(driver.Pixel(screen, 3, 3) == 0x111111);
  CHECK(driver.Pixel(depth, 3, 3) == 0x222222);
  CHECK(driver.Pixel(texture, 1, 1) == 0x333333);
  CHECK(driver.session().Pixel(5, 0, 0, 0, 1) == 0x444444);
  CHECK(driver.Pixel(later, 1, 1) == 0x555555);
  driver.Call({0x0001002A, 1, 0xFF102030, 0, 0, 0, 0, 16, 8});
  CHECK(driver.Pixel(screen, 3, 3) == 0x102030);
  CHECK(driver.session().Findings() == "");
  CHECK(driver.session().CallsWithoutResult() == 0);  // of the state, either
  CHECK(d2c_hal_snapshot(nullptr, &header, nullptr, nullptr) == D2C_E_ARGUMENT);
}

TEST_CASE("DirectDraw driver: a flip exchanges the names of the surfaces, as the runtime does") {
  // Once both surfaces are announced, once only the root, as of a chain that is created as a whole.
  for (const bool is_root_alone : {false, true}) {
    CAPTURE(is_root_alone);
    Driver driver(7);
    Surface front(kPrimary | kTarget | kFlip, 16, 8, 1), back(kTarget | kFlip, 16, 8, 2),
        depth(0x20000, 16, 8, 3);
    depth.local.dwFlags = 0x2000;  // DDRAWISURF_HASPIXELFORMAT
    depth.global.ddpfSurface = {32, 0x400, 0, 32, 0, 0xFFFFFFFF, 0, 0};  // D32
    front.Attach(back);
    back.Attach(depth);
    back.Attach(front);
    driver.Announce(front);
    if (!is_root_alone) driver.Announce(back);
    driver.Context(&back.local);
    for (uint32_t i = 0; i < 5; ++i) {
      CAPTURE(i);
      const uint32_t shown = back.more.dwSurfaceHandle;
      CHECK(shown == 2 - i % 2);
      driver.Frame(front, back, 0xFF000011 * (i + 1), 0xFFAA0000 + i);
      CHECK(driver.session().statistics().frames == i + 1);
      // What is on the screen now.
      CHECK(d2c_hal_number(driver.recording.get(), &front.local) == shown);
      CHECK(driver.Pixel(front, 15, 7) == 0x11 * (i + 1));
      CHECK(driver.Pixel(front, 3, 3) == 0xAA0000 + i);
      CHECK(driver.session().Pixel(shown, 3, 3) == 0xAA0000 + i);
      CHECK(driver.session().Pixel(3 - shown, 3, 3) == (i == 0 ? 0 : 0xAA0000 + i - 1));
    }
    // The driver is still drawing: the runtime asks again, and the frame is one.
    driver.Frame(front, back, 0xFF123456, 0xFF654321, kBusy);
    driver.Flip(front, back);
    CHECK(driver.session().statistics().frames == 6);

    struct d2c_header header;
    d2c_header_init(&header);
    header.driver_level = 7;
    front.pixels.assign(128, 0xFF0F0F0F);
    back.pixels.assign(128, 0xFF0B0B0B);
    front.global.fpVidMem = reinterpret_cast<ULONG_PTR>(front.pixels.data());
    back.global.fpVidMem = reinterpret_cast<ULONG_PTR>(back.pixels.data());
    driver.Flip(front, back);
    CHECK(d2c_hal_snapshot(driver.recording.get(), &header, nullptr, nullptr) == D2C_OK);
    CHECK(driver.Pixel(front, 9, 7) == 0x0B0B0B);
    CHECK(driver.Pixel(back, 9, 7) == 0x0F0F0F);
    CHECK(driver.session().Pixel(front.more.dwSurfaceHandle, 9, 7) == 0x0B0B0B);
    CHECK(driver.Pixel(depth, 1, 1) == 0);
    std::remove_pointer_t<LPD3DHAL_CONTEXTDESTROYDATA> end{0x77, 0};
    driver.d3d.ContextDestroy(&end);
    driver.Destroy(back);
    driver.Destroy(depth);
    driver.Destroy(front);
    CHECK(driver.session().Findings() == "");
  }
}

TEST_CASE(
    "DirectDraw driver: before DirectX 7 a number goes with the memory that a flip exchanges") {
  Driver driver(6);
  std::list<Surface> chain;
  for (int i = 0; i < 3; ++i) {
    chain.emplace_back(kTarget | kFlip | (i == 0 ? kPrimary : 0), WORD{16}, WORD{8}, 0U);
    driver.Create(chain.back());
  }
  Surface& front = chain.front();
  Surface& back = *std::next(chain.begin());
  Surface& last = chain.back();
  driver.Context(&back.interface);
  const auto name = [&](Surface& surface) {
    return d2c_hal_number(driver.recording.get(), &surface.local);
  };
  const uint32_t first_name = name(front);
  RECT whole{0, 0, 16, 8};
  std::remove_pointer_t<LPD3DHAL_CLEARDATA> clear{0x77, 1, 0, 0, &whole, 1, 0};
  for (uint32_t i = 0; i < 7; ++i) {
    CAPTURE(i);
    clear.dwFillColor = 0xFF000011 * (i + 1);
    driver.d3d2.Clear(&clear);
    driver.Write(back, {0, 0, 4, 4}, 0xFFAA0000 + i);
    // The whole chain turns: front, back and last become back, last and front.
    driver.Flip(front, back);
    driver.Turn(back, last);
    CHECK(driver.Pixel(front, 15, 7) == 0x11 * (i + 1));
    CHECK(driver.Pixel(front, 3, 3) == 0xAA0000 + i);
    CHECK(driver.Pixel(last, 3, 3) == (i == 0 ? 0 : 0xAA0000 + i - 1));
    CHECK(driver.Pixel(back, 3, 3) == (i < 2 ? 0 : 0xAA0000 + i - 2));
    CHECK((name(front) == first_name) == (i % 3 == 2));
    if (i % 2 == 0) driver.Write(back, {4, 4, 5, 5}, 0xFFBB0000 + i);  // between flips
    if (i % 2 == 0) CHECK(driver.Pixel(back, 4, 4) == 0xBB0000 + i);
  }
  driver.EndProcess(0);
  for (Surface& surface : chain)
    driver.Destroy(surface);
  CHECK(driver.recording->surfaces_used == 0);
  const std::string findings = driver.session().Findings();
  // Both are tokens of level 7, which a driver before has not; nothing else.
  CHECK(findings.starts_with("DP2-LEVEL-003 5: CLEAR"));
  CHECK(findings.find("\nDP2-LEVEL-003 10: SETRENDERTARGET") == findings.find('\n'));
  CHECK(std::ranges::count(findings, '\n') == 2);
}

TEST_CASE("DirectDraw driver: before DirectX 7 a texture has its levels from its handle on") {
  for (const bool is_attached_first : {false, true}) {
    CAPTURE(is_attached_first);
    Driver driver(6);
    Surface screen(kTarget, 16, 8, 0), texture(kTexture | kMipMap, 4, 4, 0),
        level(kTexture | kMipMap, 2, 2, 0), smallest(kTexture | kMipMap, 1, 1, 0);
    const auto attach = [&] {
      texture.Attach(level);
      level.Attach(smallest);
    };
    driver.Create(screen);
    if (is_attached_first) attach();
    for (Surface* const surface : {&texture, &level, &smallest})
      driver.Create(*surface);
    if (!is_attached_first) attach();
    driver.Context(&screen.interface);
    texture.pixels.assign(16, 0xFF111111);
    level.pixels.assign(4, 0xFF222222);
    smallest.pixels.assign(1, 0xFF333333);
    std::remove_pointer_t<LPD3DHAL_TEXTURECREATEDATA> create{0x77, &texture.interface, 0, 0};
    driver.d3d.TextureCreate(&create);
    CHECK(driver.session().Pixel(create.dwHandle, 3, 3) == 0x111111);
    CHECK(driver.session().Pixel(create.dwHandle, 1, 1, 0, 1) == 0x222222);
    CHECK(driver.session().Pixel(create.dwHandle, 0, 0, 0, 2) == 0x333333);
    driver.Write(level, {1, 1, 2, 2}, 0xFF444444);
    CHECK(driver.session().Pixel(create.dwHandle, 1, 1, 0, 1) == 0x444444);
    std::remove_pointer_t<LPD3DHAL_TEXTUREDESTROYDATA> gone{0x77, create.dwHandle, 0};
    driver.d3d.TextureDestroy(&gone);
    CHECK(driver.Pixel(texture, 3, 3) == 0x111111);
    CHECK(driver.Pixel(level, 1, 1) == 0x444444);
    driver.EndProcess(0);
    for (Surface* const surface : {&texture, &level, &smallest, &screen})
      driver.Destroy(*surface);
    CHECK(driver.recording->surfaces_used == 0);
    CHECK(driver.session().Findings() == "");
  }
}

TEST_CASE("DirectDraw driver: two processes draw at once, each with handles 1, 2, ...") {
  Driver driver(7);
  std::array<int, 2> objects{};
  const auto clear = [](uint32_t color) {
    return std::vector<uint32_t>{0x0001002A, 1, color, 0, 0, 0, 0, 16, 8};
  };
  for (int round = 0; round < 2; ++round) {
    CAPTURE(round);
    std::list<Surface> targets, systems, videos;
    for (DWORD process = 0; process < 2; ++process) {
      targets.emplace_back(kTarget | kPrimary, WORD{16}, WORD{8}, 1U);
      systems.emplace_back(kSystem | kTexture, WORD{2}, WORD{2}, 2U);
      videos.emplace_back(kTexture, WORD{2}, WORD{2}, 3U);
      for (auto* list : {&targets, &systems, &videos})
        driver.Announce(list->back(), &objects[process]);
      driver.Context(&targets.back().local, &objects[process], process);
      systems.back().pixels.assign(4, 0xFF111111 * (process + 1));
    }
    const std::vector<uint32_t> copy{0x00010026, 3, 2, 0, 0, 0, 0, 2, 2, 0};  // TEXBLT
    driver.Call(copy, 1);
    driver.Call(clear(0xFF0000AA), 0);
    driver.Call(clear(0xFF0000BB), 1);
    driver.Call(copy, 0);
    driver.Write(targets.back(), {2, 3, 5, 6}, 0xFF00CC00);
    driver.Flip(targets.back(), targets.back());
    CHECK(driver.session().Pixel(1, 9, 7, 0, 0, 0) == 0x0000AA);
    CHECK(driver.session().Pixel(1, 3, 4, 0, 0, 0) == 0x0000AA);
    CHECK(driver.session().Pixel(1, 9, 7, 0, 0, 1) == 0x0000BB);
    CHECK(driver.session().Pixel(1, 3, 4, 0, 0, 1) == 0x00CC00);
    CHECK(driver.session().Pixel(3, 1, 1, 0, 0, 0) == 0x111111);
    CHECK(driver.session().Pixel(3, 1, 1, 0, 0, 1) == 0x222222);
    // The first process ends, as the runtime says it; the other one draws on.
    driver.EndProcess(0);
    driver.EndObject(objects.data());
    driver.Call(clear(0xFF0000DD), 1);
    CHECK(driver.session().Pixel(1, 9, 7, 0, 0, 1) == 0x0000DD);
    CHECK(!driver.session().Has(1, 0));
    CHECK(driver.session().Has(1, 1));
    // An object may end while its contexts live.
    driver.EndObject(objects.data() + 1);
    CHECK(!driver.session().Has(1, 1));
    CHECK(driver.recording->surfaces_used == 0);
  }
  CHECK(driver.session().Findings() == "");
  CHECK(driver.recording->left_out == 0);
}

TEST_CASE("DirectDraw driver: processes come and go under a driver that is not told of their end") {
  Driver driver(7);
  std::array<int, 3 * D2C_HAL_SPACES> objects{};
  for (int& object : objects) {
    Surface surface(kTarget, 16, 8, 1);
    driver.Announce(surface, &object);
    driver.Destroy(surface);
  }
  CHECK(driver.recording->left_out == 0);
  std::list<Surface> living;
  for (DWORD i = 0; i <= D2C_HAL_SPACES; ++i) {
    living.emplace_back(kTarget, WORD{16}, WORD{8}, 1U);
    driver.Announce(living.back(), &objects[i]);
    CHECK(driver.recording->left_out == (i < D2C_HAL_SPACES ? 0U : 1U));
  }
}

TEST_CASE("DirectDraw driver: a texture in system memory is found after a flip of its chain") {
  Driver driver(7);
  Surface first(kSystem | kTexture | kFlip, 2, 2, 3), second(kSystem | kTexture | kFlip, 2, 2, 4);
  Surface third(kSystem | kTexture | kFlip, 2, 2, 5), video(kTexture, 2, 2, 6);
  for (Surface* const surface : {&first, &second, &third, &video})
    driver.Announce(*surface);
  Surface target(kTarget, 2, 2, 7);
  driver.Announce(target);
  driver.Context(&target.local);
  first.pixels.assign(4, 0xFF111111);
  second.pixels.assign(4, 0xFF222222);
  third.pixels.assign(4, 0xFF333333);
  // The chain turns: 3, 4, 5 become 4, 5, 3. No driver is asked.
  for (const auto& [a, b] : {std::pair{&first, &second}, {&second, &third}}) {
    std::swap(a->more.dwSurfaceHandle, b->more.dwSurfaceHandle);
    std::swap(a->global.fpVidMem, b->global.fpVidMem);
  }
  const std::array<uint32_t, 3> colors{0x111111, 0x222222, 0x333333};
  for (uint32_t i = 0; i < 3; ++i) {
    driver.Call({0x00010026, 6, 3 + i, 0, 0, 0, 0, 2, 2, 0});  // TEXBLT
    CHECK(driver.Pixel(video, 1, 1) == colors[i]);
  }
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: a surface at offset 0 of the frame buffer is announced and read") {
  Driver driver(7);
  Surface primary(kPrimary | kTarget, 16, 8, 1), back(kTarget, 16, 8, 2);
  std::vector<uint32_t> frame_buffer(256);
  driver.recording->user = frame_buffer.data();
  driver.recording->memory = [](void* user, LPDDRAWI_DDRAWSURFACE_LCL surface) -> const void* {
    return static_cast<const uint8_t*>(user) + surface->lpGbl->fpVidMem;
  };
  primary.global.fpVidMem = 0;
  back.global.fpVidMem = 512;
  driver.Announce(primary);
  driver.Announce(back);
  frame_buffer[5] = 0xFF334455;
  std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&primary.local, 0};
  driver.surfaces.Unlock(&unlock);
  CHECK(driver.Pixel(primary, 5, 0) == 0x334455);
  std::remove_pointer_t<LPDDHAL_FLIPDATA> flip{&primary.local, &back.local, 0, 0};
  driver.surfaces.Flip(&flip);
  CHECK(driver.session().statistics().frames == 1);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: a blit with a raster operation is what the driver makes of it") {
  Driver driver(7);
  Surface source(kTarget, 16, 8, 1), target(kTarget, 16, 8, 2);
  driver.Announce(source);
  driver.Announce(target);
  driver.Write(source, {0, 0, 16, 8}, 0xFF00FF00);
  driver.Write(target, {0, 0, 16, 8}, 0xFF0000FF);
  std::remove_pointer_t<LPDDHAL_BLTDATA> blt{};
  blt.lpDDDestSurface = &target.local;
  blt.lpDDSrcSurface = &source.local;
  blt.rDest = {0, 0, 4, 4};
  blt.rSrc = {0, 0, 4, 4};
  blt.dwFlags = 0x20000;  // DDBLT_ROP
  const auto draw = [&](DWORD rop) {
    blt.dwROPFlags = rop;
    driver.surfaces.Blt(&blt);
    return driver.Pixel(target, 1, 1);
  };
  CHECK(draw(0x00000042) == 0);         // BLACKNESS
  CHECK(draw(0x00FF0062) == 0xFFFFFF);  // WHITENESS
  CHECK(draw(0x00CC0020) == 0x00FF00);  // SRCCOPY
  // DSTINVERT: what the driver has drawn in the rectangle.
  target.pixels.assign(128, 0xFFFFFF00);
  CHECK(draw(0x00550009) == 0xFFFF00);
  CHECK(driver.Pixel(target, 5, 5) == 0x0000FF);
  CHECK(driver.session().statistics().draws == 0);
  // A fill is a fill, whatever the raster operation.
  blt.dwFlags = 0x20400;
  blt.bltFX.dwFillColor = 0xFF123456;
  CHECK(draw(0x00550009) == 0x123456);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: a blit that the driver cannot do yet is one blit") {
  Driver driver(7);
  Surface target(kTarget, 8, 1, 2);
  driver.Announce(target);
  for (LONG x = 0; x < 8; ++x)
    driver.Write(target, {x, 0, x + 1, 1}, 0xFF000000 + static_cast<uint32_t>(x));
  std::remove_pointer_t<LPDDHAL_BLTDATA> scroll{};
  scroll.lpDDDestSurface = scroll.lpDDSrcSurface = &target.local;
  scroll.rDest = {0, 0, 7, 1};
  scroll.rSrc = {1, 0, 8, 1};
  for (const HRESULT value : {kBusy, kBusy, 0}) {
    scroll.ddRVal = value;
    driver.surfaces.Blt(&scroll);
  }
  CHECK(driver.Pixel(target, 0, 0) == 1);
  CHECK(driver.Pixel(target, 6, 0) == 7);
  // The same where no event describes it: mirrored, with a destination key, in rectangles.
  scroll.dwFlags = 0x800;  // DDBLT_DDFX
  scroll.bltFX.dwDDFX = 2;
  scroll.ddRVal = kBusy;
  target.pixels.assign(8, 0xFF445566);
  driver.surfaces.Blt(&scroll);
  CHECK(driver.Pixel(target, 6, 0) == 7);
  scroll.ddRVal = 0;
  driver.surfaces.Blt(&scroll);
  CHECK(driver.Pixel(target, 6, 0) == 0x445566);
  scroll.dwFlags = 0x2000;  // DDBLT_KEYDEST
  target.pixels.assign(8, 0xFF112233);
  driver.surfaces.Blt(&scroll);
  CHECK(driver.Pixel(target, 6, 0) == 0x112233);
  scroll.dwFlags = 0;
  scroll.IsClipped = 1;
  target.pixels.assign(8, 0xFF556677);
  driver.surfaces.Blt(&scroll);
  CHECK(driver.Pixel(target, 6, 0) == 0x556677);
  CHECK(driver.Pixel(target, 7, 0) == 7);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: a source in system memory is recorded where it has changed") {
  Driver driver(7);
  Surface sheet(kSystem, 64, 64, 1), target(kTarget, 8, 8, 2);
  driver.Announce(sheet);
  driver.Announce(target);
  std::remove_pointer_t<LPDDHAL_BLTDATA> sprite{};
  sprite.lpDDDestSurface = &target.local;
  sprite.lpDDSrcSurface = &sheet.local;
  sprite.rDest = {0, 0, 4, 4};
  sprite.rSrc = {8, 8, 12, 12};
  sheet.pixels.assign(size_t{64} * 64, 0xFF111111);
  const uint64_t before = driver.session().statistics().events;
  for (int i = 0; i < 50; ++i)
    driver.surfaces.Blt(&sprite);
  CHECK(driver.session().statistics().events == before + 101);  // the source, blits and results
  CHECK(driver.Pixel(target, 3, 3) == 0x111111);
  sheet.pixels.assign(size_t{64} * 64, 0xFF222222);
  driver.surfaces.Blt(&sprite);
  CHECK(driver.Pixel(target, 3, 3) == 0x222222);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: locks that fail, that reach beyond the surface, and two at once") {
  Driver driver(7);
  Surface target(kTarget, 8, 8, 1);
  driver.Announce(target);
  std::remove_pointer_t<LPDDHAL_LOCKDATA> lock{};
  std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&target.local, 0};
  const auto begin = [&](const RECT& area, HRESULT value = 0, DWORD flags = 0) {
    lock.lpDDSurface = &target.local;
    lock.bHasRect = 1;
    lock.rArea = area;
    lock.dwFlags = flags;
    lock.ddRVal = value;
    driver.surfaces.Lock(&lock);
  };
  const uint64_t before = driver.session().statistics().events;
  for (int i = 0; i < 100; ++i)
    begin({0, 0, 2, 2}, kBusy, i % 2 == 0 ? 0x10 : 0);
  CHECK(driver.session().statistics().events == before);
  begin({0, 0, 8, 8});
  target.pixels.assign(64, 0xFF111111);
  driver.surfaces.Unlock(&unlock);
  CHECK(driver.Pixel(target, 7, 7) == 0x111111);
  for (const RECT& area : {RECT{-4000, -4000, 4000, 4000}, RECT{6, 6, 4000, 4000}}) {
    begin(area);
    target.pixels.assign(64, area.left < 0 ? 0xFF222222 : 0xFF333333);
    driver.surfaces.Unlock(&unlock);
  }
  CHECK(driver.Pixel(target, 5, 7) == 0x222222);
  CHECK(driver.Pixel(target, 6, 6) == 0x333333);
  begin({4, 4, 0, 0});
  driver.surfaces.Unlock(&unlock);
  // One is for reading. Each may end first.
  begin({0, 0, 2, 2}, 0, 0x10);
  begin({4, 4, 6, 6});
  begin({6, 0, 8, 2});
  target.pixels[36] = 0xFF444444;
  driver.surfaces.Unlock(&unlock);
  target.pixels[45] = 0xFF555555;
  driver.surfaces.Unlock(&unlock);
  target.pixels[7] = 0xFF666666;
  driver.surfaces.Unlock(&unlock);
  CHECK(driver.Pixel(target, 4, 4) == 0x444444);
  CHECK(driver.Pixel(target, 5, 5) == 0x555555);
  CHECK(driver.Pixel(target, 7, 0) == 0x666666);
  CHECK(driver.recording->locks_used == 0);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: a colour key leaves a texture its levels") {
  Driver driver(7);
  Surface texture(kTexture | kMipMap, 2, 2, 5), level(kTexture | kMipMap, 1, 1, 6, kSubLevel);
  texture.Attach(level);
  driver.Announce(texture);
  driver.Write(texture, {0, 0, 2, 2}, 0xFF111111);
  driver.Write(level, {0, 0, 1, 1}, 0xFF222222);
  for (const DWORD flags : {2U, 8U}) {  // DDCKEY_DESTBLT, DDCKEY_SRCBLT
    std::remove_pointer_t<LPDDHAL_SETCOLORKEYDATA> key{&texture.local, flags, {0x1, 0x1}, 0};
    const uint64_t before = driver.session().statistics().events;
    driver.surfaces.SetColorKey(&key);
    CHECK(driver.session().statistics().events == before + (flags == 8 ? 1 : 0));
  }
  CHECK(driver.Pixel(texture, 1, 1) == 0x111111);
  CHECK(driver.session().Pixel(5, 0, 0, 0, 1) == 0x222222);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: a volume has all of its slices") {
  Driver driver(8);
  Surface volume(kTexture, 2, 8, 5, kVolume), system(kTexture | kSystem, 2, 8, 6, kVolume);
  for (Surface* const surface : {&volume, &system}) {
    surface->global.wHeight = 2;
    surface->more.ddsCapsEx.dwCaps4 = 4;
    surface->global.dwBlockSizeY = 16;
    for (uint32_t i = 0; i < 16; ++i)
      surface->pixels[i] = 0xFF000000 + i;
    driver.Announce(*surface);
  }
  std::remove_pointer_t<LPDDHAL_LOCKDATA> lock{};
  lock.lpDDSurface = &volume.local;
  lock.bHasRect = 1;
  lock.rArea = {1 << 16, 0, (3 << 16) + 2, 2};  // slices 1 and 2
  lock.dwFlags = 0x4000;                        // DDLOCK_HASVOLUMETEXTUREBOXRECT
  driver.surfaces.Lock(&lock);
  std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&volume.local, 0};
  driver.surfaces.Unlock(&unlock);
  CHECK(driver.Pixel(volume, 1, 1) == 3);
  CHECK(driver.session().Slice(5, 1, 1, 3) == 15);
  // A managed one: VOLUMEBLT from system memory.
  Surface target(kTarget, 2, 2, 7);
  driver.Announce(target);
  driver.Context(&target.local, nullptr, 0, 4);
  system.pixels[14] = 0xFFABCDEF;
  driver.Call({0x0001003F, 5, 6, 0, 0, 0, 0, 0, 2, 2, 0, 4, 0});
  CHECK(driver.session().Slice(5, 0, 1, 3) == 0xABCDEF);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: the mode of the screen changes") {
  Driver driver(7);
  constexpr DDPIXELFORMAT k16 = {32, 0x40, 0, 16, 0xF800, 0x7E0, 0x1F, 0};
  d2c_hal_display(driver.recording.get(), &k16);
  d2c_hal_display(nullptr, &k16);
  Surface screen(kPrimary | kTarget, 16, 8, 1);
  screen.global.lPitch = 32;
  driver.Announce(screen);
  screen.pixels.assign(128, 0x12345678);
  std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&screen.local, 0};
  driver.surfaces.Unlock(&unlock);
  CHECK(driver.Pixel(screen, 7, 7) == 0x345678);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: FourCC formats whose bit count is 0") {
  Driver driver(7);
  Surface video(kTexture, 2, 2, 5), unknown(kTexture, 2, 2, 6);
  video.local.dwFlags = unknown.local.dwFlags = 0x2000;           // DDRAWISURF_HASPIXELFORMAT
  video.global.ddpfSurface = {32, 4, 0x32595559, 0, 0, 0, 0, 0};  // YUY2
  video.global.lPitch = 4;
  video.pixels.assign(4, 0x80408040);
  driver.Announce(video);
  std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&video.local, 0};
  driver.surfaces.Unlock(&unlock);
  CHECK(driver.Pixel(video, 0, 1) == 0x408040);
  CHECK(driver.recording->left_out == 0);
  unknown.global.ddpfSurface = {32, 4, 0x20202020, 0, 0, 0, 0, 0};
  unlock.lpDDSurface = &unknown.local;
  driver.surfaces.Unlock(&unlock);
  CHECK(driver.recording->left_out == 1);
}

TEST_CASE("DirectDraw driver: the recording begins twice, and each callback reaches the driver") {
  Driver driver(7);
  calls = 0;
  d2c_hal_init(driver.recording.get(), &driver.capture, 7, &kDisplay);
  driver.surfaces.Blt(nullptr);  // its table is from before
  CHECK(calls == 1);
  d2c_hal_surfaces(driver.recording.get(), &driver.surfaces);
  driver.surfaces.Blt(nullptr);
  CHECK(calls == 2);
  const auto other = std::make_unique<d2c_hal>();
  d2c_hal_init(other.get(), &driver.capture, 7, &kDisplay);
  d2c_hal_surfaces(other.get(), &driver.surfaces);
  driver.surfaces.Flip(nullptr);
  driver.buffers.UnlockExecuteBuffer(nullptr);
  driver.d3d.ContextDestroy(nullptr);
  driver.misc2.CreateSurfaceEx(nullptr);
  CHECK(calls == 6);
}

TEST_CASE("DirectDraw driver: what finds no room is lost, and the trace says so") {
  Driver driver(7);
  std::list<Surface> surfaces;
  for (DWORD i = 0; i < D2C_HAL_LOCKS + 1; ++i) {
    surfaces.emplace_back(kTarget, WORD{4}, WORD{4}, i + 1);
    driver.Announce(surfaces.back());
    std::remove_pointer_t<LPDDHAL_LOCKDATA> lock{};
    lock.lpDDSurface = &surfaces.back().local;
    driver.surfaces.Lock(&lock);
  }
  CHECK(driver.recording->left_out == 1);
  CHECK(driver.capture.lost == 1);
  CHECK(driver.capture.lost_cause == D2C_LOST_CAUSE_ROOM);
}

TEST_CASE("DirectDraw driver: surfaces that lack structures, or hang in a circle, do no harm") {
  Driver driver(7);
  Surface root(kTexture | kMipMap, 4, 4, 1), level(kTexture | kMipMap, 2, 2, 2, kSubLevel);
  Surface bare(kTexture, 4, 4, 3);
  root.Attach(level);
  root.Attach(bare);
  level.Attach(level);
  bare.Attach(root);
  bare.local.lpSurfMore = nullptr;
  level.local.lpGbl = nullptr;
  driver.Announce(root);
  driver.Announce(bare);
  bare.local.lpGbl = nullptr;
  driver.Announce(bare);
  root.local.lpAttachList->lpAttached = nullptr;
  driver.Announce(root);
  driver.Destroy(bare);
  driver.Destroy(level);
  driver.Destroy(root);
  Driver old(5);
  old.Create(root);
  bare.local.lpSurfMore = nullptr;
  old.Create(bare);
  CHECK(calls > 0);
}

TEST_CASE(
    "DirectDraw driver: before DirectX 7 surfaces have numbers of the recorder's, textures the driver's") {
  Driver driver(5);
  Surface screen(kPrimary | kTarget, 16, 8, 0), first(kTexture, 2, 2, 0), second(kTexture, 2, 2, 0);
  driver.Create(screen);
  driver.Create(first);
  driver.Create(second);
  driver.Context(&screen.interface);
  RECT area{0, 0, 16, 8};
  std::remove_pointer_t<LPD3DHAL_CLEARDATA> clear{0x77, 1, 0xFF808080, 0, &area, 1, 0};
  driver.d3d2.Clear(&clear);
  CHECK(driver.Pixel(screen, 15, 7) == 0x808080);
  first.pixels.assign(4, 0xFF0000FF);
  second.pixels.assign(4, 0xFFFF0000);
  std::array<DWORD, 2> handles{};
  for (Surface* const texture : {&first, &second}) {
    std::remove_pointer_t<LPD3DHAL_TEXTURECREATEDATA> create{0x77, &texture->interface, 0, 0};
    driver.d3d.TextureCreate(&create);
    handles[texture == &second] = create.dwHandle;
  }
  CHECK(driver.Pixel(first, 1, 1) == 0x0000FF);
  std::remove_pointer_t<LPD3DHAL_TEXTURESWAPDATA> swap{0x77, handles[0], handles[1], 0};
  driver.d3d.TextureSwap(&swap);
  CHECK(driver.session().Pixel(handles[0], 0, 0) == 0xFF0000);
  CHECK(driver.session().Pixel(handles[1], 0, 0) == 0x0000FF);

  // An execute buffer: states, and a triangle of transformed vertices.
  Surface exe(kBuffer, 64, 1, 0), tl(kBuffer, 96, 1, 0);
  driver.Create(exe);
  exe.pixels = {22, 1,          14,        0, 7,
                0,  0x00010000, 0x00000002};  // CULLMODE, ZWRITEENABLE, ZENABLE; vertices 0, 1, 2
  exe.global.fpVidMem = reinterpret_cast<ULONG_PTR>(exe.pixels.data());
  tl.pixels.clear();
  for (const auto& [x, y] : {std::pair{0.F, 0.F}, {16.F, 0.F}, {0.F, 8.F}}) {
    const std::array<float, 4> position{x, y, 0.5F, 1};
    for (const float value : position) {
      uint32_t bits = 0;
      std::memcpy(&bits, &value, 4);
      tl.pixels.push_back(bits);
    }
    tl.pixels.insert(tl.pixels.end(), {0xFF00FFFF, 0, 0, 0});
  }
  tl.global.fpVidMem = reinterpret_cast<ULONG_PTR>(tl.pixels.data());
  std::remove_pointer_t<LPD3DHAL_RENDERSTATEDATA> states{0x77, 0, 3, &exe.interface, 0};
  driver.d3d.RenderState(&states);
  std::remove_pointer_t<LPD3DHAL_RENDERPRIMITIVEDATA> draw{
      0x77, 24, 0, &exe.interface, 0, &tl.interface, {3, 8, 1}, 0};
  driver.d3d.RenderPrimitive(&draw);
  CHECK(driver.Pixel(screen, 2, 2) == 0x00FFFF);
  CHECK(driver.Pixel(screen, 15, 7) == 0x808080);
  WORD indices[] = {2, 1, 0};  // NOLINT(modernize-avoid-c-arrays)
  std::remove_pointer_t<LPD3DHAL_DRAWONEPRIMITIVEDATA> one{0x77, 0, 4, 3, tl.pixels.data(), 3, 0};
  driver.d3d2.DrawOnePrimitive(&one);
  std::remove_pointer_t<LPD3DHAL_DRAWONEINDEXEDPRIMITIVEDATA> indexed{
      0x77, 0, 4, 3, tl.pixels.data(), 3, indices, 3, 0};
  driver.d3d2.DrawOneIndexedPrimitive(&indexed);
  CHECK(driver.Pixel(screen, 2, 2) == 0x00FFFF);
  CHECK(driver.session().statistics().draws == 4);
  std::remove_pointer_t<LPD3DHAL_TEXTUREDESTROYDATA> gone{0x77, handles[0], 0};
  driver.d3d.TextureDestroy(&gone);
  driver.Destroy(second);
  driver.Destroy(first);
  // A clear is a token of level 7, which a driver before has not; nothing else.
  const std::string findings = driver.session().Findings();
  CHECK(findings.starts_with("DP2-LEVEL-003 5: CLEAR"));
  CHECK(findings.find('\n') == findings.size() - 1);
}

TEST_CASE("DirectDraw driver: before DirectX 7 textures have the palettes that the runtime keeps") {
  for (const uint32_t level : {5U, 6U}) {
    CAPTURE(level);
    Driver driver(level);
    Surface screen(kPrimary | kTarget, 16, 8, 0);
    PalettedTexture first(7), second(9);
    Palette red({0xC0, 0x10, 0x20, 4}), green({0x30, 0xD0, 0x40, 0});
    for (Surface* const surface :
         {&screen, static_cast<Surface*>(&first), static_cast<Surface*>(&second)})
      driver.Create(*surface);
    driver.Context(&screen.interface);
    const std::array<DWORD, 2> handles{TextureHandle(driver, first), TextureHandle(driver, second)};
    first.local.lpDDPalette = second.local.lpDDPalette = &red.interface;
    const auto draw = [&](size_t texture, uint32_t color) {
      DrawTexture(driver, handles[texture]);
      CHECK(driver.Pixel(screen, 15, 7) == color);
      screen.pixels.assign(128, 0xFF000000 | color);
      driver.Picture(screen);
    };
    draw(0, 0xC01020);
    draw(1, 0xC01020);
    // Nothing is new: three calls with their results, and the picture.
    const uint64_t before = driver.session().statistics().events;
    draw(1, 0xC01020);
    CHECK(driver.session().statistics().events == before + 7);
    red.colors[9] = {0x11, 0x22, 0x33, 0};  // no callback says so
    draw(0, 0xC01020);
    draw(1, 0x112233);
    second.local.lpDDPalette = &green.interface;
    draw(1, 0x30D040);
    draw(0, 0xC01020);
    // One texture goes, another one gets its handle and the memory of its palette.
    driver.Destroy(second);
    green.colors.fill({1, 2, 3, 0});
    first.local.lpDDPalette = &green.interface;
    draw(0, 0x010203);
    // Another context has no palettes yet.
    driver.EndProcess(0);
    driver.Context(&screen.interface, nullptr, 0);
    draw(0, 0x010203);
    driver.EndProcess(0);
    CHECK(d2c_finish(&driver.capture) == D2C_OK);
    const Verified verified = Verify(driver.session().bytes());
    CHECK(verified.findings == "");
    CHECK(verified.pictures == 9);
    CHECK(verified.equal == 9);
    CHECK(driver.recording->left_out == 0);
  }
}

TEST_CASE(
    "DirectDraw driver: before DirectX 7 a palette may have alpha, and a snapshot has palettes") {
  Driver driver(6);
  Surface screen(kTarget, 16, 8, 0);
  PalettedTexture texture(3);
  Palette palette({0x80, 0x40, 0xC0, 0}, 0x2001);  // DDRAWIPAL_ALPHA
  driver.Create(screen);
  driver.Create(texture);
  driver.Context(&screen.interface);
  const DWORD handle = TextureHandle(driver, texture);
  texture.local.lpDDPalette = &palette.interface;
  driver.Write(screen, {0, 0, 16, 8}, 0xFF0A0B0C);
  CHECK(driver.Pixel(screen, 5, 5) == 0x0A0B0C);
  DrawTexture(driver, handle, true);
  CHECK(driver.Pixel(screen, 5, 5) == 0x0A0B0C);  // all of it is transparent
  palette.colors[3].peFlags = 0xFF;
  DrawTexture(driver, handle, true);
  CHECK(driver.Pixel(screen, 5, 5) == 0x8040C0);
  struct d2c_header header;
  d2c_header_init(&header);
  header.driver_level = 6;
  CHECK(d2c_hal_snapshot(driver.recording.get(), &header, nullptr, nullptr) == D2C_OK);
  palette.colors[3] = {0x12, 0x34, 0x56, 0xFF};
  DrawTexture(driver, handle, true);
  CHECK(driver.Pixel(screen, 5, 5) == 0x123456);
}

TEST_CASE("DirectDraw driver: before DirectX 7 there is room for palettes that come and go") {
  Driver driver(6);
  Surface screen(kTarget, 16, 8, 0);
  PalettedTexture texture(3), other(4);
  Palette kept({1, 1, 1, 0});
  driver.Create(screen);
  driver.Create(texture);
  driver.Create(other);
  driver.Context(&screen.interface);
  const DWORD handle = TextureHandle(driver, texture);
  other.local.lpDDPalette = &kept.interface;
  std::list<Palette> palettes;
  for (uint32_t i = 0; i < 2 * D2C_HAL_PALETTES; ++i) {
    palettes.emplace_back(PALETTEENTRY{static_cast<BYTE>(i), static_cast<BYTE>(i / 16), 5, 0});
    texture.local.lpDDPalette = &palettes.back().interface;
    DrawTexture(driver, handle);
    REQUIRE(driver.Pixel(screen, 5, 5) == ((i & 0xFF) << 16 | i / 16 << 8 | 5));
  }
  CHECK(driver.recording->left_out == 0);
  // As many textures as have room, and one.
  std::list<PalettedTexture> textures;
  for (uint32_t i = 0; i < D2C_HAL_PALETTES - 1; ++i) {
    textures.emplace_back(uint8_t{1});
    driver.Create(textures.back());
  }
  CHECK(driver.recording->left_out == 1);
}

TEST_CASE("DirectDraw driver: an append to a buffer costs its blocks") {
  for (const bool is_system : {false, true}) {
    CAPTURE(is_system);
    Driver driver(8);
    constexpr WORD kSize = 65535;
    Surface vertices(kBuffer | (is_system ? kSystem : 0), kSize, 1, 8, 0x20),
        screen(kTarget, 16, 8, 1);
    driver.Announce(vertices);
    driver.Announce(screen);
    driver.Context(&screen.local, nullptr, 0, 4);
    driver.Call({0x00010031, 0, 8, 32});  // SETSTREAMSOURCE
    auto* const bytes = reinterpret_cast<uint8_t*>(vertices.pixels.data());
    std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&vertices.local, 0};
    const auto append = [&](size_t offset, uint8_t value) {
      std::memset(bytes + offset, value, 3200);  // 100 vertices of 32 bytes
      driver.buffers.UnlockExecuteBuffer(&unlock);
      const std::vector<uint32_t> clear{0x0001002A, 1, 0xFF102030, 0, 0, 0, 0, 16, 8};
      driver.Call(clear);
    };
    append(0, 1);
    const auto recorded = [&] { return driver.session().bytes().size(); };
    size_t before = recorded();
    for (uint8_t i = 1; i <= 20; ++i)
      append(size_t{i} * 3200, i);
    CHECK(recorded() - before < size_t{20} * (5 * 1024 + 512));
    for (uint32_t i = 0; i < 20; ++i)
      CHECK(driver.Pixel(vertices, (i * 3200 + 3196) / 4, 0) ==
            i * 0x010101U + (i == 0) * 0x010101U);
    // The same bytes again cost nothing, and the end of the buffer is no whole block.
    before = recorded();
    for (int i = 0; i < 20; ++i)
      driver.buffers.UnlockExecuteBuffer(&unlock);
    CHECK(recorded() == before);
    bytes[kSize - 4] = bytes[kSize - 3] = bytes[kSize - 2] = 0x55;
    driver.buffers.UnlockExecuteBuffer(&unlock);
    const dp2trace_statistics statistics = driver.session().statistics();
    bytes[0] = bytes[kSize / 2] = bytes[kSize - 1] = 0x66;
    driver.buffers.UnlockExecuteBuffer(&unlock);
    CHECK(driver.session().statistics().events == statistics.events + 3);
    CHECK(driver.Pixel(vertices, 0, 0) == 0x010166);
    // Another buffer with this handle, and a snapshot, have nothing in the trace yet.
    driver.Announce(vertices);
    driver.buffers.UnlockExecuteBuffer(&unlock);
    CHECK(driver.Pixel(vertices, 0, 0) == 0x010166);
    struct d2c_header header;
    d2c_header_init(&header);
    header.driver_level = 8;
    CHECK(d2c_hal_snapshot(driver.recording.get(), &header, nullptr, nullptr) == D2C_OK);
    CHECK(driver.Pixel(vertices, 0, 0) == 0x010166);
    CHECK(driver.session().Findings() == "");
  }
}

TEST_CASE("DirectDraw driver: a buffer that BUFFERBLT has written is recorded as it is unlocked") {
  Driver driver(8);
  Surface source(kBuffer | kSystem, 512, 1, 8, 0x20), target(kBuffer, 512, 1, 9, 0x20),
      screen(kTarget, 16, 8, 1);
  for (Surface* const surface : {&source, &target, &screen})
    driver.Announce(*surface);
  driver.Context(&screen.local, nullptr, 0, 4);
  std::remove_pointer_t<LPDDHAL_UNLOCKDATA> unlock{&target.local, 0};
  source.pixels.assign(128, 0x222222);
  target.pixels.assign(128, 0x111111);
  driver.buffers.UnlockExecuteBuffer(&unlock);
  driver.Call({0x00010040, 9, 8, 0, 0, 512, 0});  // BUFFERBLT: the driver would copy
  CHECK(driver.Pixel(target, 3, 0) == 0x222222);
  driver.buffers.UnlockExecuteBuffer(&unlock);  // the program has written what was there before
  CHECK(driver.Pixel(target, 3, 0) == 0x111111);
  CHECK(driver.session().Findings() == "");
}

TEST_CASE("DirectDraw driver: every callback reaches the driver, with nothing, too") {
  Driver driver(7);
  calls = 0;
  driver.dd.CreateSurface(nullptr);
  driver.surfaces.DestroySurface(nullptr);
  driver.surfaces.Flip(nullptr);
  driver.surfaces.Lock(nullptr);
  driver.surfaces.Unlock(nullptr);
  driver.surfaces.Blt(nullptr);
  driver.surfaces.SetColorKey(nullptr);
  driver.buffers.CreateExecuteBuffer(nullptr);
  driver.buffers.DestroyExecuteBuffer(nullptr);
  driver.buffers.UnlockExecuteBuffer(nullptr);
  driver.misc2.CreateSurfaceEx(nullptr);
  driver.misc2.DestroyDDLocal(nullptr);
  driver.d3d.ContextDestroy(nullptr);
  driver.d3d.ContextDestroyAll(nullptr);
  driver.d3d.RenderState(nullptr);
  driver.d3d.RenderPrimitive(nullptr);
  driver.d3d.TextureDestroy(nullptr);
  driver.d3d.TextureSwap(nullptr);
  driver.d3d2.SetRenderTarget(nullptr);
  driver.d3d2.Clear(nullptr);
  driver.d3d2.DrawOnePrimitive(nullptr);
  driver.d3d2.DrawOneIndexedPrimitive(nullptr);
  driver.d3d2.DrawPrimitives(nullptr);
  driver.d3d3.Clear2(nullptr);
  CHECK(calls == 24);
  // Tables that are given twice are recorded once, and what is no table is left alone.
  d2c_hal_surfaces(driver.recording.get(), &driver.surfaces);
  driver.surfaces.Flip(nullptr);
  CHECK(calls == 25);
  d2c_hal_surfaces(nullptr, &driver.surfaces);
  d2c_hal_buffers(driver.recording.get(), nullptr);
  d2c_hal_driver_info(driver.recording.get(), nullptr);
  CHECK(d2c_hal_number(nullptr, nullptr) == 0);
}
