#include "runtime/direct3d/device.h"

#include "device_fixture.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

TEST_CASE(
    "Device: creation announces back buffer and depth surface, then the context and its viewport") {
  const DeviceFixture fixture;
  CHECK(Has(
      fixture.creation,
      "1 surface_create handle=1 kind=target caps=3DDEVICE|VIDEOMEMORY|LOCALVIDMEM format=A8R8G8B8 width=64 height=48\n"));
  CHECK(Has(
      fixture.creation,
      "2 surface_create handle=2 kind=depth caps=VIDEOMEMORY|ZBUFFER|LOCALVIDMEM format=D24S8 width=64 height=48\n"));
  CHECK(Has(fixture.creation, "3 context_create context=1 target=1 depth=2\n"));
  CHECK(Commands(fixture.creation) ==
        "VIEWPORTINFO 1 {x=0 y=0 width=64 height=48}\n"
        "ZRANGE 1 {min_z=0 max_z=1}\n"
        "SETSCISSORRECT 1 [left=0 top=0 right=64 bottom=48]\n");
}

TEST_CASE("Device: level 8 has runtime version 4 and no scissor rectangle") {
  const DeviceFixture fixture(8, false);
  CHECK(Has(fixture.creation, "context_create context=1 target=1 runtime_version=4\n"));
  CHECK_FALSE(Has(fixture.creation, "SETSCISSORRECT"));
}

TEST_CASE("Device: a back buffer of no size takes 640 x 480, of no format X8R8G8B8") {
  LineSink sink;
  Recorder recorder(sink, {});
  const Device device(recorder, 9, {});
  CHECK(Has(sink.Take(), "format=X8R8G8B8 width=640 height=480\n"));
}

TEST_CASE("Device: present shows the back buffer or a part of it") {
  DeviceFixture fixture;
  fixture.device->swap_chain()->Present(std::nullopt);
  fixture.device->swap_chain()->Present(d3d::Rect{1, 2, 3, 4});
  CHECK(fixture.Lines() ==
        "5 present handle=1\n6 present handle=1 rect={left=1 top=2 right=3 bottom=4}\n");
}

TEST_CASE("Device: a texture that is released while bound lives until it is unbound") {
  DeviceFixture fixture;
  fixture.device->SetObject(StateKind::kTexture, 0, fixture.Texture());
  CHECK(fixture.Tokens() == "TEXTURESTAGESTATE 1 {stage=0 ts_state=TEXTUREMAP value=3}\n");
  fixture.device->SetObject(StateKind::kTexture, 0, nullptr);
  const std::string lines = fixture.Lines();
  CHECK(lines.find("value=0") < lines.find("surface_destroy handle=3"));
}

TEST_CASE("Device: reset gives new surfaces, then destroys the old ones, and sets states back") {
  DeviceFixture fixture;
  fixture.device->SetWord(StateKind::kRenderState, 22, 0, 1);
  fixture.Lines();
  fixture.device->Reset(DeviceFixture::Parameters(32, 16));
  const std::string lines = fixture.Lines();
  CHECK(Has(lines, "{render_state=CULLMODE state=CCW}"));
  CHECK(lines.find("surface_create handle=3 kind=target") < lines.find("surface_destroy handle=1"));
  CHECK(Has(
      Commands(lines),
      "SETRENDERTARGET2 1 {rt_index=0 render_target=3}\nVIEWPORTINFO 1 {x=0 y=0 width=32 height=16}\n"));
  CHECK(Has(lines, "SETDEPTHSTENCIL 1 {z_buffer=4}"));
  CHECK(Has(lines, "surface_destroy handle=2"));
}

TEST_CASE(
    "SwapChain: a flip moves the memory through back buffers and front buffer, and the bound target follows") {
  LineSink sink;
  Recorder recorder(sink, {});
  PresentParameters parameters = DeviceFixture::Parameters(64, 48, false);
  parameters.count = 2;
  parameters.swap_effect = 2;
  Device device(recorder, 9, parameters);
  const SurfaceRef first = device.swap_chain()->BackBuffer(0);
  const SurfaceRef second = device.swap_chain()->BackBuffer(1);
  CHECK_FALSE(device.swap_chain()->BackBuffer(2));
  CHECK(device.swap_chain()->FrontBuffer().handle() == 3);
  recorder.Flush();
  sink.Take();
  device.Present(*device.swap_chain(), std::nullopt);
  recorder.Flush();
  const std::string lines = sink.Take();
  CHECK(Has(lines, "present handle=1\n"));
  CHECK(Commands(lines) == "SETRENDERTARGET2 1 {rt_index=0 render_target=2}\n");
  CHECK(first.handle() == 2);
  CHECK(second.handle() == 3);
  CHECK(device.swap_chain()->FrontBuffer().handle() == 1);
  device.Present(*device.swap_chain(), std::nullopt);
  device.Present(*device.swap_chain(), std::nullopt);
  CHECK(first.handle() == 1);
}

TEST_CASE("SwapChain: DISCARD flips where there are several back buffers, COPY does not") {
  const auto rotates = [](uint32_t swap_effect, uint32_t count) {
    LineSink sink;
    Recorder recorder(sink, {});
    PresentParameters parameters = DeviceFixture::Parameters(64, 48, false);
    parameters.count = count;
    parameters.swap_effect = swap_effect;
    Device device(recorder, 9, parameters);
    const SurfaceRef first = device.swap_chain()->BackBuffer(0);
    const uint32_t handle = first.handle();
    device.Present(*device.swap_chain(), std::nullopt);
    return first.handle() != handle;
  };
  CHECK(rotates(1, 3));
  CHECK_FALSE(rotates(1, 1));
  CHECK_FALSE(rotates(3, 2));
}

TEST_CASE("SwapChain: without a flip contents stay, and the source rectangle is what is shown") {
  DeviceFixture fixture;
  fixture.device->Present(*fixture.device->swap_chain(), d3d::Rect{1, 2, 30, 40});
  CHECK(fixture.Lines().ends_with(" present handle=1 rect={left=1 top=2 right=30 bottom=40}\n"));
  CHECK(fixture.device->swap_chain()->FrontBuffer() == fixture.device->swap_chain()->BackBuffer(0));
}

TEST_CASE("Device: the end of the device ends the context first and sends no token after it") {
  DeviceFixture fixture;
  const uint8_t code[] = {0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0};
  auto shader =
      std::make_shared<Shader>(fixture.device->link(), ShaderKind::kPixelShader, Bytes(), code);
  fixture.Lines();
  fixture.device->Close();
  shader.reset();
  const std::string lines = fixture.Lines();
  CHECK(lines.find("context_destroy") < lines.find("surface_destroy handle=1"));
  CHECK_FALSE(Has(lines, "DELETEPIXELSHADER"));
}

TEST_CASE("Device: a silent device records nothing more") {
  DeviceFixture fixture;
  std::shared_ptr<Resource> texture = fixture.Texture();
  fixture.device->Silence();
  fixture.device.reset();
  texture.reset();
  CHECK(fixture.Lines().empty());
}

TEST_CASE("Resource: faces of a cube have handles of their own") {
  DeviceFixture fixture;
  ResourceDescription description;
  description.type = ResourceType::kCubeTexture;
  description.width = description.height = 4;
  description.levels = 2;
  description.format = 21;
  const Resource cube(fixture.device->link(), description);
  CHECK(cube.FaceHandle(0) == 3);
  CHECK(cube.Handle(0, 1) == 4);
  CHECK(cube.FaceHandle(1) == 5);
  CHECK(cube.FaceHandle(5) == 13);
  CHECK(Has(fixture.Lines(), "faces=POSITIVEX|NEGATIVEX|POSITIVEY|NEGATIVEY|POSITIVEZ|NEGATIVEZ"));
}

TEST_CASE("Resource: levels of a target have handles, those of other textures have none") {
  DeviceFixture fixture;
  const std::shared_ptr<Resource> target = fixture.Texture(2, kUsageRenderTarget);
  CHECK(target->Handle(0, 1) == 4);
  const std::shared_ptr<Resource> texture = fixture.Texture(2);
  CHECK(texture->Handle(0, 1) == texture->handle());
}

TEST_CASE("Resource: level count 0 is the full chain") {
  DeviceFixture fixture;
  CHECK(fixture.Texture(0)->description().levels == 4);
}

TEST_CASE("Query: create, issue, delete") {
  DeviceFixture fixture;
  {
    Query query(fixture.device->link(), 9);
    query.Issue(2);
    query.Issue(1);
  }
  CHECK(fixture.Tokens() ==
        "CREATEQUERY 1 {query_id=1 query_type=OCCLUSION}\n"
        "ISSUEQUERY 1 {query_id=1 flags=BEGIN}\n"
        "ISSUEQUERY 1 {query_id=1 flags=END}\n"
        "DELETEQUERY 1 {query_id=1}\n");
}
