// The recorder of DirectDraw drivers with the structures of Windows 2000 and XP, whose video memory is an offset into the frame buffer.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "d3dnthal.h"
#define D2C_HAL_NT
// after the headers of the driver
#include "dp2trace_capture_hal.h"
#include "session.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr DWORD kSystem = 0x800, kTarget = 0x2000, kPrimary = 0x200, kBuffer = 0x800000;
constexpr DDPIXELFORMAT kDisplay = {32, 0x40, 0, 32, 0xFF0000, 0xFF00, 0xFF, 0};
constexpr ULONG_PTR kSize = 16 * 8;  // pixels of a surface

template <class>
struct Stub;
template <class Data>
struct Stub<DWORD (*)(Data)> {
  static DWORD Call(Data) { return 1; }
};
DWORD CreateContext(LPD3DNTHAL_CONTEXTCREATEDATA p) {
  p->dwhContext = 0x77;
  return 1;
}
DWORD DrawPrimitives2(LPD3DNTHAL_DRAWPRIMITIVES2DATA p) {
  p->ddrval = 0;
  return 1;
}
const void* Memory(void* frame_buffer, PDD_SURFACE_LOCAL surface) {
  return (surface->ddsCaps.dwCaps & kSystem) != 0
             ? reinterpret_cast<const void*>(surface->lpGbl->fpVidMem)
             : static_cast<const uint8_t*>(frame_buffer) + surface->lpGbl->fpVidMem;
}

// 16 x 8 pixels of 32 bits. `memory`: where it is, as the system says it.
struct Surface {
  Surface(DWORD caps, DWORD handle, ULONG_PTR memory, DWORD caps2 = 0) {
    local.lpGbl = &global;
    local.lpSurfMore = &more;
    local.ddsCaps.dwCaps = caps;
    more.dwSurfaceHandle = handle;
    more.ddsCapsEx.dwCaps2 = caps2;
    global.fpVidMem = memory;
    if ((caps & kBuffer) != 0) {
      global.dwLinearSize = kSize * 4;
    } else {
      global.lPitch = 16 * 4;
      global.wWidth = 16;
      global.wHeight = 8;
    }
  }
  DD_SURFACE_LOCAL local{};
  DD_SURFACE_GLOBAL global{};
  DD_SURFACE_MORE more{};
};

class Driver {
 public:
  explicit Driver(bool has_memory) : session_(capture, 7) {
    d2c_hal_init(recording.get(), &capture, 7, &kDisplay);
    if (has_memory) {
      recording->memory = Memory;
      recording->user = frame_buffer.data();
    }
    Fill(dd.CreateSurface);
    d2c_hal_directdraw(recording.get(), &dd);
    Fill(surfaces.DestroySurface);
    Fill(surfaces.Flip);
    Fill(surfaces.Lock);
    Fill(surfaces.Unlock);
    Fill(surfaces.Blt);
    Fill(surfaces.SetColorKey);
    d2c_hal_surfaces(recording.get(), &surfaces);
    Fill(buffers.CreateD3DBuffer);
    Fill(buffers.DestroyD3DBuffer);
    Fill(buffers.UnlockD3DBuffer);
    d2c_hal_buffers(recording.get(), &buffers);
    d3d.ContextCreate = CreateContext;
    Fill(d3d.ContextDestroy);
    Fill(d3d.ContextDestroyAll);
    d2c_hal_direct3d(recording.get(), &d3d);
    Fill(d3d2.SetRenderTarget);
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

  void Announce(Surface& surface) {
    DD_CREATESURFACEEXDATA p{0, &object, &surface.local, 0};
    misc2.CreateSurfaceEx(&p);
  }
  void Context(Surface& target) {
    D3DNTHAL_CONTEXTCREATEDATA p{};
    p.lpDDLcl = &object;
    p.lpDDSLcl = &target.local;
    p.dwhContext = 3;
    d3d.ContextCreate(&p);
  }
  // Fills the surface through a lock of two rows.
  void Write(Surface& surface, uint32_t color) {
    DD_LOCKDATA lock{};
    lock.lpDDSurface = &surface.local;
    lock.bHasRect = 1;
    lock.rArea = {0, 2, 16, 4};
    surfaces.Lock(&lock);
    std::fill_n(frame_buffer.begin() + static_cast<std::ptrdiff_t>(surface.global.fpVidMem / 4),
                kSize, color);
    DD_UNLOCKDATA unlock{};
    unlock.lpDDSurface = &surface.local;
    surfaces.Unlock(&unlock);
  }
  void Call(std::vector<uint32_t> tokens) {
    Surface commands(kBuffer | kSystem, 0, reinterpret_cast<ULONG_PTR>(tokens.data()), 0x40);
    D3DNTHAL_DRAWPRIMITIVES2DATA p{};
    p.dwhContext = 0x77;
    p.lpDDCommands = &commands.local;
    p.dwCommandLength = static_cast<DWORD>(tokens.size() * 4);
    d3d3.DrawPrimitives2(&p);
  }
  RecordedSession& session() { return session_; }

  std::vector<uint32_t> frame_buffer = std::vector<uint32_t>(4 * kSize);
  std::remove_pointer_t<PDD_DIRECTDRAW_LOCAL> object{};
  DD_CALLBACKS dd{};
  DD_SURFACECALLBACKS surfaces{};
  DD_D3DBUFCALLBACKS buffers{};
  DD_MISCELLANEOUS2CALLBACKS misc2{};
  D3DNTHAL_CALLBACKS d3d{};
  D3DNTHAL_CALLBACKS2 d3d2{};
  D3DNTHAL_CALLBACKS3 d3d3{};
  d2c capture{};
  std::unique_ptr<d2c_hal> recording = std::make_unique<d2c_hal>();

 private:
  template <class Function>
  static void Fill(Function& member) {
    member = Stub<Function>::Call;
  }
  void Answer(const std::array<BYTE, 16>& guid, void* table) {
    DD_GETDRIVERINFODATA p{};
    std::memcpy(&p.guidInfo, guid.data(), guid.size());
    p.lpvData = table;
    p.dwActualSize = 64;
    d2c_hal_driver_info(recording.get(), &p);
  }

  RecordedSession session_;
};

}  // namespace

TEST_CASE("DirectDraw driver of NT: a program of DirectX 7, recorded at the tables") {
  Driver driver(true);
  Surface screen(kPrimary | kTarget, 1, 0), back(kTarget, 2, kSize * 4),
      vertices(kBuffer, 3, kSize * 8, 0x20);
  for (Surface* const surface : {&screen, &back, &vertices})
    driver.Announce(*surface);
  driver.Context(back);
  driver.Call({0x0001002A, 1, 0xFF102030, 0, 0, 0, 0, 16, 8});  // CLEAR
  driver.Write(back, 0xFFAABBCC);
  CHECK(driver.session().Pixel(2, 15, 1) == 0x102030);
  CHECK(driver.session().Pixel(2, 15, 3) == 0xAABBCC);
  CHECK(driver.session().Pixel(2, 0, 4) == 0x102030);
  DD_BLTDATA blt{};
  blt.lpDDDestSurface = &screen.local;
  blt.lpDDSrcSurface = &back.local;
  blt.rDest = blt.rSrc = {0, 0, 16, 8};
  driver.surfaces.Blt(&blt);
  CHECK(driver.session().Pixel(1, 15, 3) == 0xAABBCC);
  DD_FLIPDATA flip{};
  flip.lpSurfCurr = &screen.local;
  flip.lpSurfTarg = &back.local;
  driver.surfaces.Flip(&flip);
  CHECK(driver.session().statistics().frames == 2);
  driver.frame_buffer[2 * kSize + 3] = 0x01020304;
  DD_UNLOCKDATA unlock{};
  unlock.lpDDSurface = &vertices.local;
  driver.buffers.UnlockD3DBuffer(&unlock);
  CHECK(driver.session().Pixel(3, 3, 0) == 0x020304);
  D3DNTHAL_SETRENDERTARGETDATA target{0x77, &screen.local, nullptr, 0};
  driver.d3d2.SetRenderTarget(&target);
  RECT area{0, 0, 1, 1};
  D3DNTHAL_CLEAR2DATA clear{0x77, 1, 0xFF123123, 1, 0, &area, 1, 0};
  driver.d3d3.Clear2(&clear);
  CHECK(driver.session().Pixel(1, 0, 0) == 0x123123);
  DD_SETCOLORKEYDATA key{};
  key.lpDDSurface = &screen.local;
  key.dwFlags = 8;
  driver.surfaces.SetColorKey(&key);
  D3DNTHAL_CONTEXTDESTROYDATA end{0x77, 0};
  driver.d3d.ContextDestroy(&end);
  DD_DESTROYSURFACEDATA gone{};
  gone.lpDDSurface = &vertices.local;
  driver.buffers.DestroyD3DBuffer(&gone);
  CHECK_FALSE(driver.session().Has(3, 0));
  DD_DESTROYDDLOCALDATA all{0, &driver.object, 0};
  driver.misc2.DestroyDDLocal(&all);
  CHECK_FALSE(driver.session().Has(1, 0));
  CHECK(driver.session().Findings() == "");
  CHECK(driver.recording->left_out == 0);
}

TEST_CASE("DirectDraw driver of NT: video memory that nobody maps is left out, and not read") {
  Driver driver(false);
  Surface back(kTarget, 2, kSize * 4);
  driver.Announce(back);
  driver.Context(back);
  driver.Write(back, 0xFFAABBCC);  // at the address 0x200 there is nothing
  CHECK(driver.recording->left_out == 1);
  CHECK(driver.capture.lost == 1);
  // What lies in system memory is an address.
  driver.Call({0x0001002A, 1, 0xFF102030, 0, 0, 0, 0, 16, 8});
  CHECK(driver.session().Pixel(2, 15, 3) == 0x102030);
  CHECK(driver.recording->left_out == 1);
}
