// Which part of a texture's system copy the driver gets, and when. Source: lib/raster/rendering-facts.md T13.
#include "device_fixture.h"
#include "runtime/direct3d/device.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kReadOnly = 0x10, kNoDirtyUpdate = 0x8000;

d3d::Box FlatBox(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
  return {left, top, right, bottom, 0, 1};
}

// Locks a part of a level, writes all of it, unlocks.
void Fill(const SurfaceRef& surface, const std::optional<d3d::Box>& box, uint32_t flags) {
  const LockedArea area = BeginLock(surface, box, surface.extent().width * 4, 0, flags);
  const size_t rows = area.box.bottom - area.box.top;
  const MemoryWrite write{0, std::vector<uint8_t>(area.pitch * (rows - 1) +
                                                  size_t{area.box.right - area.box.left} * 4)};
  WriteArea(surface, area, std::span(&write, 1));
}

// Textures 3 (system) and 4 (video) of 8 x 8 pixels; texture 3 is clean.
struct Copies {
  explicit Copies(uint32_t levels = 1)
      : system(fixture.Texture(levels, 0, Pool::kSystemMemory)), video(fixture.Texture(levels)) {
    fixture.device->UpdateTexture(*system, *video);
    first = fixture.Tokens();
  }
  std::string Update() {
    fixture.device->UpdateTexture(*system, *video);
    return fixture.Tokens();
  }
  DeviceFixture fixture;
  std::shared_ptr<Resource> system, video;
  std::string first;
};

std::string TexBlt(const std::string& point, const std::string& rect) {
  return "TEXBLT 1 {dest_surface=4 src_surface=3 dest_point=[" + point + "] src_rect=[" + rect +
         "] flags=0x0}\n";
}

}  // namespace

TEST_CASE("UpdateTexture: a new texture is copied as a whole, a clean one not at all") {
  Copies copies;
  CHECK(copies.first == TexBlt("x=0 y=0", "left=0 top=0 right=8 bottom=8"));
  CHECK(copies.Update().empty());
}

TEST_CASE(
    "UpdateTexture: copies what was locked, unless the lock says that it makes nothing dirty") {
  Copies copies;
  const SurfaceRef top{copies.system, 0, 0};
  Fill(top, FlatBox(1, 2, 3, 4), 0);
  Fill(top, FlatBox(4, 4, 8, 8), 0);
  Fill(top, FlatBox(0, 0, 8, 1), kNoDirtyUpdate);
  (void)BeginLock(top, std::nullopt, 32, 0, kReadOnly);
  CHECK(copies.Update() == TexBlt("x=1 y=2", "left=1 top=2 right=3 bottom=4") +
                               TexBlt("x=4 y=4", "left=4 top=4 right=8 bottom=8"));
}

TEST_CASE("UpdateTexture: AddDirtyRect is enough, of the destination it does nothing") {
  Copies copies;
  copies.video->AddDirty(0, 0, FlatBox(0, 0, 8, 8));
  CHECK(copies.Update().empty());
  copies.system->AddDirty(0, 0, FlatBox(6, 6, 100, 100));
  CHECK(copies.Update() == TexBlt("x=6 y=6", "left=6 top=6 right=8 bottom=8"));
}

TEST_CASE("UpdateTexture: a lower level stands for its part of the top level") {
  Copies copies(4);
  Fill({copies.system, 0, 1}, FlatBox(1, 0, 2, 1), 0);
  CHECK(copies.Update() == TexBlt("x=2 y=0", "left=2 top=0 right=4 bottom=2"));
}

TEST_CASE("UpdateTexture: the place in a smaller destination is that of its top level") {
  DeviceFixture fixture;
  const std::shared_ptr<Resource> system = fixture.Texture(2, 0, Pool::kSystemMemory);
  ResourceDescription description = fixture.Texture()->description();
  description.width = description.height = 4;
  Resource small(fixture.device->link(), description);
  fixture.device->UpdateTexture(*system, small);
  system->AddDirty(0, 0, FlatBox(4, 2, 8, 6));
  fixture.Lines();
  fixture.device->UpdateTexture(*system, small);
  CHECK(Has(fixture.Tokens(), "dest_point=[x=2 y=1] src_rect=[left=4 top=2 right=8 bottom=6]"));
}

TEST_CASE("UpdateTexture: faces of a cube and slices of a volume are dirty for themselves") {
  DeviceFixture fixture;
  ResourceDescription description;
  description.type = ResourceType::kCubeTexture;
  description.width = description.height = 4;
  description.format = 21;
  Resource cube(fixture.device->link(), description);
  description.pool = Pool::kSystemMemory;
  Resource cube_copy(fixture.device->link(), description);
  fixture.Lines();
  fixture.device->UpdateTexture(cube_copy, cube);
  CHECK(fixture.Tokens().ends_with("flags=0x0}\n"));
  cube_copy.AddDirty(2, 0, FlatBox(0, 0, 2, 2));
  fixture.device->UpdateTexture(cube_copy, cube);
  CHECK(fixture.Tokens().ends_with("src_rect=[left=0 top=0 right=2 bottom=2] flags=0x1000}\n"));
  description.type = ResourceType::kVolumeTexture;
  description.depth = 4;
  Resource volume_copy(fixture.device->link(), description);
  description.pool = Pool::kDefault;
  Resource volume(fixture.device->link(), description);
  fixture.device->UpdateTexture(volume_copy, volume);
  volume_copy.AddDirty(0, 0, {0, 1, 4, 4, 2, 3});
  fixture.Lines();
  fixture.device->UpdateTexture(volume_copy, volume);
  CHECK(fixture.Tokens().ends_with(
      "dest_x=0 dest_y=1 dest_z=2 src_box=[left=0 top=1 right=4 bottom=4 front=2 back=3] flags=0x0}\n"));
}

TEST_CASE(
    "ManagedTexture: what is written without making it dirty waits for its place to be dirty") {
  DeviceFixture fixture;
  const std::shared_ptr<Resource> texture = fixture.Texture(1, 0, Pool::kManaged);
  const SurfaceRef top{texture, 0, 0};
  fixture.device->SetObject(StateKind::kTexture, 0, texture);
  // A new texture is dirty until it is used.
  Fill(top, std::nullopt, kNoDirtyUpdate);
  CHECK(Has(fixture.Lines(), "surface_update handle=3 flags=NODIRTYUPDATE data=256 bytes"));
  fixture.device->Draw(4, 0, 1);
  fixture.Lines();
  Fill(top, std::nullopt, kNoDirtyUpdate);
  CHECK(fixture.Lines().empty());
  texture->AddDirty(0, 0, FlatBox(2, 0, 4, 3));
  CHECK(
      Has(fixture.Lines(), "surface_update handle=3 rect={left=2 right=4 bottom=3} data=24 bytes"));
  // A lock that makes it dirty writes, and brings what waits in its part.
  Fill(top, FlatBox(0, 0, 1, 2), 0);
  const std::string lines = fixture.Lines();
  CHECK(Has(lines, "surface_update handle=3 rect={right=1 bottom=2}"));
  texture->RecordHeld();
  CHECK(Has(fixture.Lines(), "surface_update handle=3 rect={left=1 right=2 bottom=8}"));
  CHECK(fixture.Lines().empty());
}

TEST_CASE("ManagedTexture: PreLoad is a use; of other pools it is nothing") {
  DeviceFixture fixture;
  const std::shared_ptr<Resource> texture = fixture.Texture(1, 0, Pool::kManaged);
  const SurfaceRef top{texture, 0, 0};
  CHECK(texture->dirty(0).size() == 1);
  fixture.device->PreLoad(*texture);
  CHECK(texture->dirty(0).empty());
  fixture.Lines();
  Fill(top, std::nullopt, kNoDirtyUpdate);
  CHECK(fixture.Lines().empty());
  texture->AddDirty(0, 0, FlatBox(2, 0, 4, 3));
  CHECK(
      Has(fixture.Lines(), "surface_update handle=3 rect={left=2 right=4 bottom=3} data=24 bytes"));
  const std::shared_ptr<Resource> system = fixture.Texture(1, 0, Pool::kSystemMemory);
  fixture.device->PreLoad(*system);
  CHECK(system->dirty(0).size() == 1);
}

TEST_CASE("ManagedTexture: a lock that outlives a draw is recorded at its end") {
  DeviceFixture fixture;
  const std::shared_ptr<Resource> texture = fixture.Texture(1, 0, Pool::kManaged);
  const SurfaceRef top{texture, 0, 0};
  fixture.device->SetObject(StateKind::kTexture, 0, texture);
  const LockedArea area = BeginLock(top, std::nullopt, 32, 0, 0);
  fixture.device->Draw(4, 0, 1);
  fixture.Lines();
  const MemoryWrite write{0, std::vector<uint8_t>(256)};
  WriteArea(top, area, std::span(&write, 1));
  CHECK(Has(fixture.Lines(), "surface_update handle=3 data=256 bytes"));
}
