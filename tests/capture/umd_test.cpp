// A Direct3D 9 user-mode driver that is recorded at its table of device functions: the replay shows what the calls draw.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "d3d/formats.h"
#include "d3dumddi.h"
#include "dp2trace_capture_umd.h"
#include "session.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr UINT kX8R8G8B8 = 22, kA8R8G8B8 = 21, kD16 = 80, kDxt1 = 0x31545844;
constexpr UINT kRenderTarget = 1, kZBuffer = 2, kPrimary = 0x8000, kTexture = 0x10000,
               kCube = 0x20000, kVolume = 0x40000, kVertexBuffer = 0x80000, kIndexBuffer = 0x100000;
constexpr auto kTriangleList = static_cast<D3DPRIMITIVETYPE>(4);
constexpr HRESULT kFailed = static_cast<HRESULT>(0x8876086Cu);  // D3DERR_INVALIDCALL

// The driver: it has memory for what is locked, and draws nothing.
struct DriverResource {
  std::vector<std::vector<uint8_t>> memory;
  std::vector<UINT> pitches;
};

struct Driver {
  std::vector<std::unique_ptr<DriverResource>> resources;
  uint64_t calls = 0;
  UINT handles = 0;
  bool fails = false;
};
Driver driver;

HANDLE NewHandle() {
  return reinterpret_cast<HANDLE>(static_cast<size_t>(0x1000 + 16 * ++driver.handles));
}

// Any function of the table.
template <class>
struct Stub;
template <class... A>
struct Stub<HRESULT (*)(A...)> {
  static HRESULT Call(A...) {
    ++driver.calls;
    return driver.fails ? kFailed : 0;
  }
};

HRESULT CreateResource(HANDLE, D3DDDIARG_CREATERESOURCE* p) {
  ++driver.calls;
  if (driver.fails) return kFailed;
  auto resource = std::make_unique<DriverResource>();
  for (UINT i = 0; i < p->SurfCount; ++i) {
    const D3DDDI_SURFACEINFO& s = p->pSurfList[i];
    const UINT pitch = s.Width * 16 + 64;  // wider than a row
    resource->pitches.push_back(pitch);
    resource->memory.emplace_back(size_t{pitch} * std::max(s.Height, 1U) * std::max(s.Depth, 1U));
  }
  p->hResource = resource.get();
  driver.resources.push_back(std::move(resource));
  return 0;
}

template <class Arguments>
HRESULT Lock(HANDLE, Arguments* p) {
  ++driver.calls;
  auto& resource = *static_cast<DriverResource*>(p->hResource);
  uint8_t* memory = resource.memory[p->SubResourceIndex].data();
  p->Pitch = resource.pitches[p->SubResourceIndex];
  p->SlicePitch = p->Pitch * 2;
  if (p->Flags.RangeValid) memory += p->Range.Offset;
  if (p->Flags.AreaValid) memory += p->Area.top * static_cast<LONG>(p->Pitch) + p->Area.left * 4;
  p->pSurfData = memory;
  return 0;
}

template <class Arguments, class... Code>
HRESULT CreateShader(HANDLE, Arguments* p, Code...) {
  ++driver.calls;
  p->ShaderHandle = driver.fails ? nullptr : NewHandle();
  return driver.fails ? kFailed : 0;
}

HRESULT CreateQuery(HANDLE, D3DDDIARG_CREATEQUERY* p) {
  ++driver.calls;
  p->hQuery = NewHandle();
  return 0;
}

HRESULT StateSet(HANDLE, D3DDDIARG_STATESET* p) {
  ++driver.calls;
  if (p->Operation == 0 || p->Operation == 5) p->hStateSet = NewHandle();
  return 0;
}

D3DDDI_DEVICEFUNCS Table() {
  D3DDDI_DEVICEFUNCS table{};
#define TEST_WRAPPED(Name, TYPE) table.pfn##Name = Stub<decltype(table.pfn##Name)>::Call;
#define TEST_NOT_WRAPPED(Name) table.pfn##Name = Stub<decltype(table.pfn##Name)>::Call;
#include "umd_functions.def"
  table.pfnCreateResource = CreateResource;
  table.pfnLock = Lock<D3DDDIARG_LOCK>;
  table.pfnLockAsync = Lock<D3DDDIARG_LOCKASYNC>;
  table.pfnCreateVertexShaderFunc = CreateShader;
  table.pfnCreateVertexShaderDecl = CreateShader;
  table.pfnCreatePixelShader = CreateShader;
  table.pfnCreateQuery = CreateQuery;
  table.pfnStateSet = StateSet;
  return table;
}

// A surface of a resource: in the driver's memory, or where the runtime has it.
struct Size {
  UINT width = 0, height = 0, depth = 0;
  const void* memory = nullptr;
  UINT pitch = 0, slice_pitch = 0;
};

struct Vertex {
  float x, y, z, w;
  uint32_t color;
  float u, v;
};

// The runtime: a device with two back buffers of 16 x 8 and a depth surface, recorded into a session of the library.
class Runtime {
 public:
  Runtime() {
    driver = {};
    d2c_umd_init(recording_.get(), &capture_);
    d2c_umd_keep(recording_.get(), memory_.data(), static_cast<d2c_u32>(memory_.size()));
    table = Table();
    D3DDDIARG_CREATEDEVICE create{};
    create.hDevice = device;
    create.pDeviceFuncs = &table;
    REQUIRE(d2c_umd_wrap(recording_.get(), &create) == D2C_OK);
    back = Create(kX8R8G8B8, kRenderTarget | kPrimary, {{16, 8}, {16, 8}});
    depth = Create(kD16, kZBuffer, {{16, 8}});
    SetTarget(back, 1);
    const D3DDDIARG_SETDEPTHSTENCIL zbuffer{depth};
    table.pfnSetDepthStencil(device, &zbuffer);
    const D3DDDIARG_VIEWPORTINFO viewport{0, 0, 16, 8};
    table.pfnSetViewport(device, &viewport);
    const D3DDDIARG_ZRANGE range{0, 1};
    table.pfnSetZRange(device, &range);
    const D3DDDIARG_CLEAR clear{1 | 2 | 8, 0xFF102030, 1, 0};
    table.pfnClear(device, &clear, 0, nullptr);
    State(7, 0);    // ZENABLE
    State(22, 1);   // CULLMODE: NONE
    State(137, 0);  // LIGHTING
    Stage(0, 1, 2);
    Stage(0, 2, 0);  // the diffuse colour
    Stage(1, 1, 1);
    const std::array<D3DDDIVERTEXELEMENT, 4> elements{
        {{0, 0, 3, 0, 9, 0}, {0, 16, 4, 0, 10, 0}, {0, 20, 1, 0, 5, 0}, {0xFF, 0, 17, 0, 0, 0}}};
    D3DDDIARG_CREATEVERTEXSHADERDECL declaration{static_cast<UINT>(elements.size()), nullptr};
    table.pfnCreateVertexShaderDecl(device, &declaration, elements.data());
    table.pfnSetVertexShaderDecl(device, declaration.ShaderHandle);
    table.pfnSetVertexShaderFunc(device, nullptr);
    table.pfnSetPixelShader(device, nullptr);
  }
  ~Runtime() {
    table.pfnDestroyDevice(device);
    // Of the driver's calls and of the recorder's own.
    CHECK(session_.CallsWithoutResult() == 0);
    d2c_umd_init(recording_.get(), &capture_);
  }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  HANDLE Create(UINT format, UINT flags, const std::vector<Size>& sizes, UINT levels = 1,
                D3DDDI_POOL pool = D3DDDIPOOL_VIDEOMEMORY) {
    std::vector<D3DDDI_SURFACEINFO> surfaces;
    for (const Size& s : sizes)
      surfaces.push_back({s.width, s.height, s.depth, s.memory, s.pitch, s.slice_pitch});
    D3DDDIARG_CREATERESOURCE create{};
    create.Format = format;
    create.Pool = pool;
    create.pSurfList = surfaces.data();
    create.SurfCount = static_cast<UINT>(surfaces.size());
    create.MipLevels = levels;
    create.Flags.Value = flags;
    create.hResource = this;  // the runtime's own
    return table.pfnCreateResource(device, &create) < 0 ? nullptr : create.hResource;
  }
  void State(UINT state, UINT value) {
    const D3DDDIARG_RENDERSTATE p{state, value};
    table.pfnSetRenderState(device, &p);
  }
  void Stage(UINT stage, UINT state, UINT value) {
    const D3DDDIARG_TEXTURESTAGESTATE p{stage, state, value};
    table.pfnSetTextureStageState(device, &p);
  }
  void SetTarget(HANDLE resource, UINT index) {
    const D3DDDIARG_SETRENDERTARGET p{0, resource, index};
    table.pfnSetRenderTarget(device, &p);
  }
  // Writes through a lock of a buffer.
  void Fill(HANDLE buffer, UINT offset, const void* bytes, UINT size) {
    D3DDDIARG_LOCK lock{};
    lock.hResource = buffer;
    lock.Flags.RangeValid = 1;
    lock.Range = {offset, size};
    REQUIRE(table.pfnLock(device, &lock) == 0);
    std::memcpy(lock.pSurfData, bytes, size);
    Unlock(buffer, 0);
  }
  // Of a surface of 32 bits: one colour.
  void FillArea(HANDLE resource, UINT index, const RECT& area, uint32_t color) {
    D3DDDIARG_LOCK lock{};
    lock.hResource = resource;
    lock.SubResourceIndex = index;
    lock.Flags.AreaValid = 1;
    lock.Area = area;
    REQUIRE(table.pfnLock(device, &lock) == 0);
    for (LONG y = 0; y < area.bottom - area.top; ++y) {
      for (LONG x = 0; x < area.right - area.left; ++x) {
        std::memcpy(
            static_cast<uint8_t*>(lock.pSurfData) + y * static_cast<LONG>(lock.Pitch) + x * 4,
            &color, 4);
      }
    }
    Unlock(resource, index);
  }
  void Unlock(HANDLE resource, UINT index) {
    const D3DDDIARG_UNLOCK unlock{resource, index, {}};
    REQUIRE(table.pfnUnlock(device, &unlock) == 0);
  }
  void UserVertices(const std::vector<Vertex>& vertices) {
    const D3DDDIARG_SETSTREAMSOURCEUM p{0, sizeof(Vertex)};
    table.pfnSetStreamSourceUm(device, &p, vertices.data());
  }
  void Draw(UINT type, UINT start, UINT count) {
    const D3DDDIARG_DRAWPRIMITIVE p{static_cast<D3DPRIMITIVETYPE>(type), start, count};
    CHECK(table.pfnDrawPrimitive(device, &p, nullptr) == 0);
  }
  void Present() {
    const D3DDDIARG_PRESENT p{back, 1, nullptr, 0};
    table.pfnPresent(device, &p);
  }
  d2c_u32 Number(HANDLE resource, UINT index = 0) const {
    return d2c_umd_surface(recording_.get(), resource, index);
  }

  // The pixel of a surface of 32 bits in the replay, without its highest byte.
  uint32_t Pixel(HANDLE resource, UINT index, UINT x, UINT y, UINT face = 0, UINT level = 0) {
    table.pfnFlush(device);
    return session_.Pixel(Number(resource, index), x, y, face, level);
  }
  uint32_t Pixel(UINT x, UINT y) { return Pixel(back, 1, x, y); }
  std::string Findings() { return session_.Findings(); }
  std::vector<uint32_t> Results() { return session_.Results(); }
  const dp2trace_statistics& statistics() { return session_.statistics(); }
  d2c_umd& recording() { return *recording_; }
  void Pause() { CHECK(d2c_pause(&capture_) == D2C_OK); }
  void Snapshot() {
    struct d2c_header header;
    d2c_header_init(&header);
    header.driver_level = 9;
    CHECK(d2c_umd_snapshot(recording_.get(), &header) == D2C_OK);
  }

  D3DDDI_DEVICEFUNCS table{};
  HANDLE const device = &driver;
  HANDLE back = nullptr;
  HANDLE depth = nullptr;

 private:
  std::vector<uint8_t> memory_ = std::vector<uint8_t>(size_t{1} << 18);
  d2c capture_{};
  RecordedSession session_{capture_, 9};
  // One for the process: its functions have no other way to it.
  static std::unique_ptr<d2c_umd> Recording() { return std::make_unique<d2c_umd>(); }
  static inline const std::unique_ptr<d2c_umd> recording_ = Recording();
};

D3DDDIARG_SETTRANSFORM Identity(UINT transform) {
  constexpr std::array<float, 16> kWords{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  D3DDDIARG_SETTRANSFORM p{};
  std::memcpy(&p, &transform, 4);
  std::memcpy(reinterpret_cast<uint8_t*>(&p) + 4, kWords.data(), sizeof kWords);
  return p;
}

std::vector<Vertex> Quad(float left, float top, float right, float bottom, uint32_t color) {
  const Vertex a{left, top, 0, 1, color, 0, 0}, b{right, top, 0, 1, color, 1, 0},
      c{left, bottom, 0, 1, color, 0, 1}, d{right, bottom, 0, 1, color, 1, 1};
  return {a, b, c, c, b, d};
}

}  // namespace

TEST_CASE("User-mode driver: draws from user memory and from buffers") {
  Runtime r;
  CHECK(r.Pixel(0, 0) == 0x102030);
  const std::vector<Vertex> red = Quad(0, 0, 8, 8, 0xFFFF0000);
  r.UserVertices(red);
  r.Draw(4, 0, 2);

  // Indices in user memory, after three that are not read.
  const std::vector<Vertex> green = Quad(8, 0, 16, 4, 0xFF00FF00);
  const std::vector<uint16_t> indices{9, 9, 9, 0, 1, 2, 3, 4, 5};
  r.UserVertices(green);
  r.table.pfnSetIndicesUm(r.device, 2, indices.data());
  const D3DDDIARG_DRAWINDEXEDPRIMITIVE indexed{kTriangleList, 0, 0, 6, 3, 2};
  CHECK(r.table.pfnDrawIndexedPrimitive(r.device, &indexed) == 0);

  // Both in buffers.
  const std::vector<Vertex> blue = Quad(8, 4, 12, 8, 0xFF0000FF);
  const UINT size = static_cast<UINT>(blue.size() * sizeof(Vertex));
  const std::vector<uint32_t> wide{0, 1, 2, 3, 4, 5};
  const HANDLE vertices = r.Create(100, kVertexBuffer, {{64 + size, 1}});
  const HANDLE index_buffer = r.Create(102, kIndexBuffer, {{24, 1}});
  r.Fill(vertices, 64, blue.data(), size);
  r.Fill(index_buffer, 0, wide.data(), 24);
  const D3DDDIARG_SETSTREAMSOURCE stream{0, vertices, 64, sizeof(Vertex)};
  r.table.pfnSetStreamSource(r.device, &stream);
  const D3DDDIARG_SETINDICES bound{index_buffer, 4};
  r.table.pfnSetIndices(r.device, &bound);
  const D3DDDIARG_DRAWINDEXEDPRIMITIVE whole{kTriangleList, 0, 0, 6, 0, 2};
  r.table.pfnDrawIndexedPrimitive(r.device, &whole);

  // A buffer that is drawn from while it is locked, and the indices of a call that the runtime has transformed.
  const std::vector<Vertex> white = Quad(12, 4, 16, 8, 0xFFFFFFFF);
  D3DDDIARG_LOCK lock{};
  lock.hResource = vertices;
  lock.Flags.RangeValid = lock.Flags.MightDrawFromLocked = 1;
  lock.Range = {64, size};
  r.table.pfnLock(r.device, &lock);
  std::memcpy(lock.pSurfData, white.data(), size);
  const std::vector<uint16_t> order{3, 4, 5, 0, 1, 2};
  const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 second{kTriangleList, 0, 0, 6, 0, 2};
  r.table.pfnDrawIndexedPrimitive2(r.device, &second, 2, order.data(), nullptr);
  r.Unlock(vertices, 0);
  r.Present();

  CHECK(r.Pixel(3, 3) == 0xFF0000);
  CHECK(r.Pixel(10, 2) == 0x00FF00);
  CHECK(r.Pixel(9, 6) == 0x0000FF);
  CHECK(r.Pixel(14, 6) == 0xFFFFFF);
  CHECK(r.statistics().frames == 1);
  CHECK(r.statistics().draws == 5);  // and the clear
  CHECK(r.Findings() == "");

  // The indices that were bound before are bound again; larger ones in user memory need a larger buffer.
  r.Fill(vertices, 64, blue.data(), size);
  r.table.pfnDrawIndexedPrimitive(r.device, &whole);
  const std::vector<uint16_t> many(100000, 0);
  const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 large{kTriangleList, 0, 0, 6, 199994, 1};
  r.table.pfnDrawIndexedPrimitive2(r.device, &large, 2, many.data(), nullptr);
  CHECK(r.Findings() == "");
  r.table.pfnDestroyResource(r.device, vertices);
  const std::string bound_still = r.Findings();
  CHECK(bound_still.starts_with("DP2-SURF-007"));
  CHECK(bound_still.find('\n') == bound_still.size() - 1);
}

TEST_CASE("User-mode driver: textures come out of system memory, when a copy reads them") {
  Runtime r;
  std::array<uint32_t, 4> texels{0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF};
  std::array<uint32_t, 1> small{0xFF808080};
  const HANDLE system =
      r.Create(kA8R8G8B8, kTexture, {{2, 2, 1, texels.data(), 8}, {1, 1, 1, small.data(), 4}}, 2,
               D3DDDIPOOL_SYSTEMMEM);
  const HANDLE video = r.Create(kA8R8G8B8, kTexture, {{2, 2}, {1, 1}}, 2);
  const D3DDDIARG_TEXBLT copy{video, system, 0, {0, 0}, {0, 0, 2, 2}};
  r.table.pfnTexBlt(r.device, &copy);
  CHECK(r.Pixel(video, 0, 0, 1) == 0x0000FF);
  CHECK(r.Pixel(video, 0, 0, 0, 0, 1) == 0x808080);
  texels[2] = 0xFF123456;  // the runtime writes without a call
  r.table.pfnTexBlt(r.device, &copy);
  CHECK(r.Pixel(video, 0, 0, 1) == 0x123456);

  // A draw that samples it, and a lock of a part of a level.
  r.FillArea(video, 0, {1, 1, 2, 2}, 0xFFABCDEF);
  r.table.pfnSetTexture(r.device, 0, video);
  r.Stage(0, 2, 2);  // the texture
  const std::vector<Vertex> quad = Quad(0, 0, 8, 8, 0xFFFFFFFF);
  r.UserVertices(quad);
  r.Draw(4, 0, 2);
  CHECK(r.Pixel(1, 1) == 0xFF0000);
  CHECK(r.Pixel(1, 6) == 0x123456);
  CHECK(r.Pixel(6, 6) == 0xABCDEF);

  // A cube: one face of it, by index.
  std::vector<std::array<uint32_t, 4>> faces(6);
  std::vector<Size> memory, sizes;
  for (uint32_t face = 0; face < 6; ++face) {
    faces[face].fill(0xFF000000 + face * 0x111111);
    memory.push_back({2, 2, 1, faces[face].data(), 8});
    sizes.push_back({2, 2, 1, nullptr, 0});
  }
  const HANDLE from = r.Create(kA8R8G8B8, kTexture | kCube, memory, 1, D3DDDIPOOL_SYSTEMMEM);
  const HANDLE cube = r.Create(kA8R8G8B8, kTexture | kCube, sizes, 1);
  for (UINT face = 0; face < 6; ++face) {
    const D3DDDIARG_TEXBLT one{cube, from, face, {0, 0}, {0, 0, 2, 2}};
    r.table.pfnTexBlt(r.device, &one);
  }
  CHECK(r.Pixel(cube, 0, 1, 1, 5) == 0x555555);
  // A face as source of a copy, by its own number.
  D3DDDIARG_BLT blt{};
  blt.hSrcResource = from;
  blt.SrcSubResourceIndex = 3;
  blt.SrcRect = {0, 0, 2, 2};
  blt.hDstResource = r.back;
  blt.DstSubResourceIndex = 1;
  blt.DstRect = {10, 2, 14, 6};
  blt.Flags.Value = 1;
  faces[3].fill(0xFF998877);
  r.table.pfnBlt(r.device, &blt);
  CHECK(r.Pixel(12, 4) == 0x998877);

  // A volume by boxes, and blocks.
  std::array<uint32_t, 8> box{};
  box.fill(0xFF654321);
  const HANDLE solid = r.Create(kA8R8G8B8, kTexture | kVolume, {{2, 2, 2, box.data(), 8, 16}}, 1,
                                D3DDDIPOOL_SYSTEMMEM);
  const HANDLE volume = r.Create(kA8R8G8B8, kTexture | kVolume, {{2, 2, 2}}, 1);
  const D3DDDIARG_VOLUMEBLT slices{volume, solid, 0, 0, 0, {0, 0, 2, 2, 0, 2}};
  r.table.pfnVolBlt(r.device, &slices);
  CHECK(r.Pixel(volume, 0, 1, 1) == 0x654321);
  const HANDLE blocks = r.Create(kDxt1, kTexture, {{8, 8}}, 1);
  D3DDDIARG_LOCK lock{};
  lock.hResource = blocks;
  r.table.pfnLock(r.device, &lock);
  r.Unlock(blocks, 0);
  D3DDDIARG_LOCKASYNC async{};
  async.hResource = volume;
  async.Flags.BoxValid = 1;
  async.Box = {0, 0, 2, 2, 0, 2};
  r.table.pfnLockAsync(r.device, &async);
  const D3DDDIARG_UNLOCKASYNC unlock{volume, 0};
  r.table.pfnUnlockAsync(r.device, &unlock);
  CHECK(r.Pixel(volume, 0, 1, 1) == 0);

  // Reads are events, too.
  D3DDDIARG_LOCK read{};
  read.hResource = r.back;
  read.SubResourceIndex = 1;
  read.Flags.ReadOnly = 1;
  r.table.pfnLock(r.device, &read);
  r.Unlock(r.back, 1);
  CHECK(r.Pixel(12, 4) == 0x998877);
  CHECK(r.Findings() == "");
  CHECK(r.recording().left_out == 0);
}

TEST_CASE("User-mode driver: what the driver returns for a copy is the result of its call") {
  Runtime r;
  const HANDLE texture = r.Create(kA8R8G8B8, kTexture | kRenderTarget, {{2, 2}, {1, 1}}, 2);
  const auto results = [&r] {
    r.table.pfnFlush(r.device);
    return r.Results();
  };
  const size_t before = results().size();
  driver.fails = true;
  const D3DDDIARG_COLORFILL fill{texture, 0, {0, 0, 2, 2}, 0xFF445566};
  CHECK(r.table.pfnColorFill(r.device, &fill) == kFailed);
  driver.fails = false;
  CHECK(r.table.pfnColorFill(r.device, &fill) == 0);
  r.State(27, 1);  // waits, and leaves with the present
  r.Present();
  const std::vector<uint32_t> all = results();
  CHECK(std::vector<uint32_t>(all.begin() + static_cast<ptrdiff_t>(before), all.end()) ==
        std::vector<uint32_t>{static_cast<uint32_t>(kFailed), 0, 0});
}

TEST_CASE("User-mode driver: copies, fills, levels as targets") {
  Runtime r;
  const HANDLE target =
      r.Create(kA8R8G8B8, kTexture | kRenderTarget, {{8, 8}, {4, 4}, {2, 2}, {1, 1}}, 4);
  r.SetTarget(target, 1);
  const D3DDDIARG_CLEAR clear{1, 0xFF00FFFF, 1, 0};
  const RECT part{0, 0, 2, 4};
  r.table.pfnClear(r.device, &clear, 1, &part);
  r.SetTarget(r.back, 1);
  CHECK(r.Pixel(target, 0, 1, 3, 0, 1) == 0x00FFFF);
  D3DDDIARG_BLT blt{};
  blt.hSrcResource = target;
  blt.SrcSubResourceIndex = 1;
  blt.SrcRect = {0, 0, 2, 4};
  blt.hDstResource = r.back;
  blt.DstSubResourceIndex = 1;
  blt.DstRect = {2, 2, 4, 6};
  r.table.pfnBlt(r.device, &blt);
  CHECK(r.Pixel(3, 5) == 0x00FFFF);
  CHECK(r.Pixel(4, 5) == 0x102030);
  const D3DDDIARG_COLORFILL fill{r.back, 0, {0, 0, 16, 8}, 0xFF445566};
  r.table.pfnColorFill(r.device, &fill);
  CHECK(r.Pixel(r.back, 0, 15, 7) == 0x445566);
  // With a colour key: what has it is not copied.
  blt = {};
  blt.hSrcResource = r.back;
  blt.SrcRect = {0, 0, 16, 8};
  blt.hDstResource = r.back;
  blt.DstSubResourceIndex = 1;
  blt.DstRect = {0, 0, 16, 8};
  blt.ColorKey = 0x445566;
  blt.Flags.Value = 4;
  r.FillArea(r.back, 0, {0, 0, 1, 1}, 0xFF010203);
  r.table.pfnBlt(r.device, &blt);
  CHECK(r.Pixel(0, 0) == 0x010203);
  CHECK(r.Pixel(1, 0) == 0x102030);
  const D3DDDIARG_DEPTHFILL depth{r.depth, 0, {0, 0, 16, 8}, 0x1234};
  r.table.pfnDepthFill(r.device, &depth);
  CHECK((r.Pixel(r.depth, 0, 0, 0) & 0xFFFF) == 0x1234);
  const HANDLE from = r.Create(100, kVertexBuffer, {{64, 1}});
  const HANDLE to = r.Create(100, kVertexBuffer, {{64, 1}});
  r.Fill(from, 0, "0123456789abcdef", 16);
  const D3DDDIARG_BUFFERBLT bytes{to, from, 32, {4, 8}};
  r.table.pfnBufBlt(r.device, &bytes);
  CHECK(r.Pixel(to, 0, 8, 0) == 0x363534);
  CHECK(r.Findings() == "");
}

TEST_CASE(
    "User-mode driver: state blocks, shaders, constants, queries, lights, patches, palettes are tokens that are right") {
  Runtime r;
  // A state block that is recorded, and one of all states.
  D3DDDIARG_STATESET set{0, 0, nullptr};
  r.table.pfnStateSet(r.device, &set);
  const HANDLE block = set.hStateSet;
  r.State(27, 1);
  set = {1, 0, block};
  r.table.pfnStateSet(r.device, &set);
  for (const UINT operation : {4U, 3U, 2U}) {
    set = {operation, 0, block};
    r.table.pfnStateSet(r.device, &set);
  }
  set = {5, 1, nullptr};
  r.table.pfnStateSet(r.device, &set);
  set = {2, 0, set.hStateSet};
  r.table.pfnStateSet(r.device, &set);
  r.State(27, 0);

  // ps_2_0: mov oC0, c1
  const std::array<UINT, 5> pixel{0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40001, 0x0000FFFF};
  D3DDDIARG_CREATEPIXELSHADER create{sizeof pixel, nullptr};
  r.table.pfnCreatePixelShader(r.device, &create, pixel.data());
  r.table.pfnSetPixelShader(r.device, create.ShaderHandle);
  // vs_2_0: dcl_position v0; dcl_color v1 ...: mov oPos, v0
  const std::array<UINT, 8> vertex{0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000,
                                   0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF};
  D3DDDIARG_CREATEVERTEXSHADERFUNC function{sizeof vertex, nullptr};
  r.table.pfnCreateVertexShaderFunc(r.device, &function, vertex.data());
  const std::array<D3DDDIVERTEXELEMENT, 2> elements{{{0, 0, 3, 0, 0, 0}, {0xFF, 0, 17, 0, 0, 0}}};
  D3DDDIARG_CREATEVERTEXSHADERDECL declaration{2, nullptr};
  r.table.pfnCreateVertexShaderDecl(r.device, &declaration, elements.data());
  r.table.pfnSetVertexShaderDecl(r.device, declaration.ShaderHandle);
  r.table.pfnSetVertexShaderFunc(r.device, function.ShaderHandle);
  const std::array<float, 8> constants{0, 0, 0, 0, 1, 0.2F, 0.4F, 1};
  const D3DDDIARG_SETPIXELSHADERCONST two{0, 2};
  r.table.pfnSetPixelShaderConst(r.device, &two, constants.data());
  const D3DDDIARG_SETVERTEXSHADERCONST many{0, 256};
  const std::vector<float> all(1024, 0.5F);
  r.table.pfnSetVertexShaderConst(r.device, &many, all.data());
  const D3DDDIARG_SETVERTEXSHADERCONST one{3, 1};
  const std::array<INT, 4> integers{1, 2, 3, 0};
  r.table.pfnSetVertexShaderConstI(r.device, &one, integers.data());
  r.table.pfnSetVertexShaderConstB(r.device, &one, integers.data());
  const std::vector<Vertex> quad = Quad(-1, -1, 1, 1, 0);
  r.UserVertices(quad);
  D3DDDIARG_CREATEQUERY query{9, nullptr};  // OCCLUSION
  r.table.pfnCreateQuery(r.device, &query);
  D3DDDIARG_ISSUEQUERY issue{query.hQuery, {1}};
  r.table.pfnIssueQuery(r.device, &issue);
  r.Draw(4, 0, 2);
  issue.Flags.Value = 2;
  r.table.pfnIssueQuery(r.device, &issue);
  r.table.pfnDestroyQuery(r.device, query.hQuery);
  CHECK(r.Pixel(5, 5) == 0xFF3366);
  r.table.pfnSetPixelShader(r.device, nullptr);
  r.table.pfnDeletePixelShader(r.device, create.ShaderHandle);

  const D3DDDIARG_CREATELIGHT light{2};
  r.table.pfnCreateLight(r.device, &light);
  const D3DDDI_LIGHT properties{
      static_cast<D3DLIGHTTYPE>(3), {1, 1, 1, 1}, {}, {}, {}, {0, 0, 1}, 100, 1, 1, 0, 0, 0, 0};
  D3DDDIARG_SETLIGHT data{2, 2};
  r.table.pfnSetLight(r.device, &data, &properties);
  data.DataType = 0;
  r.table.pfnSetLight(r.device, &data, nullptr);
  const D3DDDIARG_SETMATERIAL material{{1, 1, 1, 1}, {1, 1, 1, 1}, {}, {}, 2};
  r.table.pfnSetMaterial(r.device, &material);
  const D3DDDIARG_SETTRANSFORM transform = Identity(256);
  r.table.pfnSetTransform(r.device, &transform);
  r.table.pfnMultiplyTransform(r.device, &transform);
  const D3DDDIARG_SETCLIPPLANE plane{1, {0, 0, 1, 0}};
  r.table.pfnSetClipPlane(r.device, &plane);
  const D3DDDIARG_WINFO w{0, 1};
  r.table.pfnUpdateWInfo(r.device, &w);
  const RECT scissor{0, 0, 16, 8};
  r.table.pfnSetScissorRect(r.device, &scissor);
  const std::array<PALETTEENTRY, 2> entries{};
  const D3DDDIARG_UPDATEPALETTE palette{1, 0, 2};
  r.table.pfnUpdatePalette(r.device, &palette, entries.data());
  // The largest shader does not fit what waits: it leaves at once.
  std::vector<UINT> large{0xFFFF0200, 5000U << 16 | 0xFFFE};  // a comment
  large.resize(large.size() + 5000);
  large.insert(large.end(), pixel.begin() + 1, pixel.end());
  D3DDDIARG_CREATEPIXELSHADER big{static_cast<UINT>(large.size() * 4), nullptr};
  r.table.pfnCreatePixelShader(r.device, &big, large.data());
  // So does a clear of many rectangles: its results are those of the calls that it is recorded as.
  const D3DDDIARG_CLEAR clear{1, 0xFF00FFFF, 1, 0};
  const std::vector<RECT> rects(5000, RECT{0, 0, 1, 1});
  r.table.pfnClear(r.device, &clear, 5000, rects.data());
  r.table.pfnFlush(r.device);
  // What the driver refuses is taken back.
  driver.fails = true;
  D3DDDIARG_CREATEPIXELSHADER refused{sizeof pixel, nullptr};
  CHECK(r.table.pfnCreatePixelShader(r.device, &refused, pixel.data()) == kFailed);
  CHECK(r.Create(kA8R8G8B8, kTexture, {{2, 2}}) == nullptr);
  driver.fails = false;
  r.table.pfnFlush(r.device);
  CHECK(r.Findings() == "");
  // All of it once more, from the middle.
  r.Snapshot();
  r.table.pfnFlush(r.device);
  CHECK(r.Findings() == "");
  CHECK(r.recording().unread == 0);
}

namespace {

// ps_2_0: mov oC0, c1
constexpr std::array<UINT, 5> kConstantShader{0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40001,
                                              0x0000FFFF};

void SetConstant(Runtime& r, UINT index, const std::array<float, 4>& value) {
  const D3DDDIARG_SETPIXELSHADERCONST one{index, 1};
  r.table.pfnSetPixelShaderConst(r.device, &one, value.data());
}

}  // namespace

TEST_CASE("User-mode driver: a recording begins in the middle, with all that was there") {
  Runtime r;
  const HANDLE texture = r.Create(kA8R8G8B8, kTexture, {{2, 2}, {1, 1}}, 2);
  r.FillArea(texture, 0, {0, 0, 2, 2}, 0xFF0000FF);
  const HANDLE gone = r.Create(kA8R8G8B8, kTexture, {{2, 2}});
  r.table.pfnFlush(r.device);
  r.Pause();

  // The program goes on; nobody records.
  const uint64_t events = r.statistics().draws;
  r.FillArea(texture, 0, {0, 0, 2, 2}, 0xFF808080);
  r.FillArea(texture, 1, {0, 0, 1, 1}, 0xFF404040);
  r.table.pfnDestroyResource(r.device, gone);
  std::vector<uint32_t> later_pixels(4, 0xFF00FFFF);
  const HANDLE later = r.Create(kA8R8G8B8, kTexture, {{2, 2, 0, later_pixels.data(), 8, 16}}, 1,
                                D3DDDIPOOL_SYSTEMMEM);
  const HANDLE copy = r.Create(kA8R8G8B8, kTexture, {{2, 2}});
  const std::vector<Vertex> quad = Quad(0, 0, 8, 8, 0xFFFFFFFF);
  const UINT size = static_cast<UINT>(quad.size() * sizeof(Vertex));
  const HANDLE vertices = r.Create(100, kVertexBuffer, {{size, 1}});
  r.Fill(vertices, 0, quad.data(), size);
  const D3DDDIARG_SETSTREAMSOURCE stream{0, vertices, 0, sizeof(Vertex)};
  r.table.pfnSetStreamSource(r.device, &stream);
  r.table.pfnSetTexture(r.device, 0, texture);
  r.Stage(0, 1, 4);  // COLOROP: MODULATE, of the texture and the diffuse colour
  r.Stage(0, 2, 2);
  r.Stage(0, 3, 0);
  D3DDDIARG_CREATEPIXELSHADER shader{sizeof kConstantShader, nullptr};
  r.table.pfnCreatePixelShader(r.device, &shader, kConstantShader.data());
  D3DDDIARG_CREATEPIXELSHADER dropped{sizeof kConstantShader, nullptr};
  r.table.pfnCreatePixelShader(r.device, &dropped, kConstantShader.data());
  r.table.pfnDeletePixelShader(r.device, dropped.ShaderHandle);
  SetConstant(r, 1, {0, 1, 0, 1});
  SetConstant(r, 1, {1, 0.2F, 0.4F, 1});
  const std::vector<uint16_t> order{0, 1, 2, 3, 4, 5};
  const std::vector<Vertex> user = Quad(0, 0, 4, 4, 0xFF00FF00);
  r.UserVertices(user);
  const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 drawn{kTriangleList, 0, 0, 6, 0, 2};
  r.table.pfnDrawIndexedPrimitive2(r.device, &drawn, 2, order.data(), nullptr);
  r.table.pfnSetStreamSource(r.device, &stream);
  CHECK(r.statistics().draws == events);
  // What the driver has drawn, and its depths.
  std::ranges::fill(static_cast<DriverResource*>(r.back)->memory[1], uint8_t{0x11});
  std::ranges::fill(static_cast<DriverResource*>(r.depth)->memory[0], uint8_t{0x22});

  r.Snapshot();
  CHECK(r.recording().unread == 0);
  CHECK(r.Pixel(3, 3) == 0x111111);
  CHECK((r.Pixel(r.depth, 0, 0, 0) & 0xFFFF) == 0x2222);
  CHECK(r.Pixel(texture, 0, 1, 1) == 0x808080);
  CHECK(r.Pixel(texture, 0, 0, 0, 0, 1) == 0x404040);
  r.Draw(4, 0, 2);
  CHECK(r.Pixel(3, 3) == 0x808080);
  r.table.pfnSetPixelShader(r.device, shader.ShaderHandle);
  r.Draw(4, 0, 2);
  CHECK(r.Pixel(3, 3) == 0xFF3366);
  const D3DDDIARG_TEXBLT blt{copy, later, 0, {0, 0}, {0, 0, 2, 2}};
  r.table.pfnTexBlt(r.device, &blt);
  CHECK(r.Pixel(copy, 0, 1, 1) == 0x00FFFF);
  r.UserVertices(user);
  r.table.pfnSetPixelShader(r.device, nullptr);
  r.table.pfnSetTexture(r.device, 0, nullptr);
  r.Stage(0, 1, 2);
  r.Stage(0, 2, 0);
  r.table.pfnDrawIndexedPrimitive2(r.device, &drawn, 2, order.data(), nullptr);
  CHECK(r.Pixel(1, 1) == 0x00FF00);
  CHECK(r.Findings() == "");
}

TEST_CASE("User-mode driver: a snapshot of the last of many states, in little memory") {
  Runtime r;
  // More than there is room for at once: the last of each is kept.
  for (UINT i = 0; i < 20'000; ++i) {
    const float value = static_cast<float>(i);
    SetConstant(r, 1 + i % 7, {value, value, value, value});
    std::vector<UINT> code(kConstantShader.begin(), kConstantShader.end());
    code.insert(code.begin() + 1, i % 50 + 1, 0);  // NOP
    D3DDDIARG_CREATEPIXELSHADER shader{static_cast<UINT>(code.size() * 4), nullptr};
    r.table.pfnCreatePixelShader(r.device, &shader, code.data());
    r.table.pfnDeletePixelShader(r.device, shader.ShaderHandle);
    if (i % 100 == 0) r.table.pfnFlush(r.device);
  }
  SetConstant(r, 1, {0, 1, 0, 1});
  CHECK(r.recording().left_out == 0);
  D3DDDIARG_CREATEPIXELSHADER shader{sizeof kConstantShader, nullptr};
  r.table.pfnCreatePixelShader(r.device, &shader, kConstantShader.data());
  r.table.pfnSetPixelShader(r.device, shader.ShaderHandle);
  // A palette in two parts, and matrices after each other.
  const std::array<PALETTEENTRY, 2> entries{{{1, 2, 3, 4}, {5, 6, 7, 8}}};
  for (const UINT first : {0U, 2U}) {
    const D3DDDIARG_UPDATEPALETTE palette{1, first, 2};
    r.table.pfnUpdatePalette(r.device, &palette, entries.data());
  }
  const D3DDDIARG_SETTRANSFORM transform = Identity(2);
  for (int i = 0; i < 5; ++i) {
    r.table.pfnSetTransform(r.device, &transform);
    for (int k = 0; k < i; ++k)
      r.table.pfnMultiplyTransform(r.device, &transform);
  }
  r.table.pfnFlush(r.device);
  r.Snapshot();
  const std::vector<Vertex> quad = Quad(0, 0, 8, 8, 0xFFFFFFFF);
  r.UserVertices(quad);
  r.Draw(4, 0, 2);
  CHECK(r.Pixel(3, 3) == 0x00FF00);
  CHECK(r.Findings() == "");

  // Without room, and without memory.
  std::vector<UINT> large(1U << 17, 0);
  D3DDDIARG_CREATEPIXELSHADER big{static_cast<UINT>(large.size() * 4), nullptr};
  r.Pause();
  r.table.pfnCreatePixelShader(r.device, &big, large.data());
  // So does a clear of many rectangles: its results are those of the calls that it is recorded as.
  const D3DDDIARG_CLEAR clear{1, 0xFF00FFFF, 1, 0};
  const std::vector<RECT> rects(5000, RECT{0, 0, 1, 1});
  r.table.pfnClear(r.device, &clear, 5000, rects.data());
  CHECK(r.recording().left_out == 1);
  r.table.pfnLock = nullptr;
  r.recording().devices[0].driver.pfnLock = [](HANDLE, D3DDDIARG_LOCK*) { return kFailed; };
  r.Snapshot();
  CHECK(r.recording().unread == 3);
  r.recording().kept = nullptr;
  struct d2c_header header;
  d2c_header_init(&header);
  CHECK(d2c_umd_snapshot(&r.recording(), &header) == D2C_E_ARGUMENT);
  CHECK(d2c_umd_snapshot(nullptr, &header) == D2C_E_ARGUMENT);
  d2c_umd_keep(nullptr, nullptr, 0);
  d2c_umd_keep(&r.recording(), &header, 100);
  CHECK(r.recording().kept == nullptr);
}

TEST_CASE(
    "User-mode driver: every function reaches the driver, with nothing and from strangers, too") {
  Runtime r;
  const auto call = [&](auto function, HANDLE device, auto... rest) { function(device, rest...); };
  uint64_t functions = 0;
  for (const HANDLE device : {r.device, static_cast<HANDLE>(&r), static_cast<HANDLE>(nullptr)}) {
    driver.calls = 0;
    functions = 0;
    // Null arguments of each function but those of this test's driver, which reads them.
#define TEST_WRAPPED(Name, TYPE)                                                             \
  if (std::set<std::string>{"CreateResource", "Lock", "LockAsync", "CreateVertexShaderFunc", \
                            "CreateVertexShaderDecl", "CreatePixelShader", "CreateQuery",    \
                            "StateSet", "DestroyDevice"}                                     \
          .count(#Name) == 0) {                                                              \
    ++functions;                                                                             \
    [&]<class... A>(HRESULT (*function)(HANDLE, A...)) {                                     \
      call(function, device, A{}...);                                                        \
    }(r.table.pfn##Name);                                                                    \
  }
#define TEST_NOT_WRAPPED(Name)
#include "umd_functions.def"
    CHECK(driver.calls == functions);
  }
  CHECK(functions == 58);
  CHECK(d2c_umd_wrap(nullptr, nullptr) == D2C_E_ARGUMENT);
  CHECK(d2c_umd_wrap(&r.recording(), nullptr) == D2C_E_ARGUMENT);
  CHECK(d2c_umd_surface(nullptr, nullptr, 0) == 0);
}

TEST_CASE(
    "User-mode driver: a shared resource is what the driver says, a device without targets has a context all the same") {
  Runtime r;
  struct d2c_surface_create opened;
  d2c_surface_create_init(&opened);
  opened.kind = D2C_SURFACE_KIND_TARGET;
  opened.format = kA8R8G8B8;
  opened.width = opened.height = 4;
  const HANDLE shared = NewHandle();
  CHECK(d2c_umd_opened(&r.recording(), shared, &opened) == D2C_OK);
  const D3DDDIARG_COLORFILL fill{shared, 0, {0, 0, 4, 4}, 0xFF777777};
  r.table.pfnColorFill(r.device, &fill);
  CHECK(r.Pixel(shared, 0, 3, 3) == 0x777777);

  D3DDDI_DEVICEFUNCS table = Table();
  D3DDDIARG_CREATEDEVICE create{};
  create.hDevice = &table;
  create.pDeviceFuncs = &table;
  REQUIRE(d2c_umd_wrap(&r.recording(), &create) == D2C_OK);
  const D3DDDIARG_RENDERSTATE state{7, 0};
  table.pfnSetRenderState(&table, &state);
  table.pfnFlush(&table);
  table.pfnDestroyDevice(&table);
  CHECK(r.Findings() == "");
  // Too many devices.
  std::vector<D3DDDI_DEVICEFUNCS> tables(D2C_UMD_DEVICES, Table());
  for (D3DDDI_DEVICEFUNCS& each : tables) {
    create.hDevice = &each;
    create.pDeviceFuncs = &each;
    CHECK((d2c_umd_wrap(&r.recording(), &create) == D2C_OK) == (&each != &tables.back()));
  }
  CHECK(r.recording().left_out == 1);
  CHECK(r.recording().capture->lost == 1);
  CHECK(r.recording().capture->lost_cause == D2C_LOST_CAUSE_ROOM);
  for (D3DDDI_DEVICEFUNCS& each : tables)
    each.pfnDestroyDevice(&each);
}

TEST_CASE(
    "User-mode driver: a table that is recorded twice, and one from before, reach the driver") {
  Runtime r;
  const auto set = [&r](UINT value) {
    const D3DDDIARG_RENDERSTATE state{7, value};
    const uint64_t before = driver.calls;
    CHECK(r.table.pfnSetRenderState(r.device, &state) == 0);
    return driver.calls - before;
  };
  D3DDDIARG_CREATEDEVICE create{};
  create.hDevice = r.device;
  create.pDeviceFuncs = &r.table;
  REQUIRE(d2c_umd_wrap(&r.recording(), &create) == D2C_OK);
  CHECK(set(1) == 1);
  // A second device with the same table.
  D3DDDI_DEVICEFUNCS table = r.table;
  create.hDevice = &table;
  create.pDeviceFuncs = &table;
  REQUIRE(d2c_umd_wrap(&r.recording(), &create) == D2C_OK);
  const D3DDDIARG_RENDERSTATE state{7, 0};
  CHECK(table.pfnSetRenderState(&table, &state) == 0);
  table.pfnDestroyDevice(&table);
  CHECK(r.Findings() == "");
  // OpenAdapter once more: the device lives on, unrecorded.
  d2c_umd_init(&r.recording(), r.recording().capture);
  CHECK(set(0) == 1);
  r.table.pfnFlush(r.device);
  // And again with its own table.
  create.hDevice = r.device;
  create.pDeviceFuncs = &r.table;
  REQUIRE(d2c_umd_wrap(&r.recording(), &create) == D2C_OK);
  CHECK(set(1) == 1);
}

TEST_CASE("User-mode driver: the recorder and the table of formats know the same blocks") {
  for (const d3d::FormatInfo& format : d3d::AllFormats()) {
    d2c_u32 width = 0, height = 0;
    const d2c_u32 size = d2c_umd_block(static_cast<d2c_u32>(format.format), &width, &height);
    CAPTURE(format.name);
    CHECK(size == format.block_size);
    CHECK(width == format.block_width);
    CHECK(height == format.block_height);
  }
  d2c_u32 width = 0, height = 0;
  CHECK(d2c_umd_block(0x20202020, &width, &height) == 0);
  CHECK(d2c_umd_block(0x31545844, nullptr, nullptr) == 8);
}

TEST_CASE("User-mode driver: the page names each function that is not recorded") {
  std::ifstream file(std::string(DP2TRACE_SOURCE_DIR) + "/lib/capture/README.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
#define TEST_WRAPPED(Name, TYPE)
#define TEST_NOT_WRAPPED(Name) CHECK_MESSAGE(page.find("`" #Name "`") != std::string::npos, #Name);
#include "umd_functions.def"
}
