#include "validate/missing_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include "d3d/interface.h"
#include "device/buffer_kind.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "stream/records.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::SurfaceKind;
using opcode::Op;

// What an invented surface is where nothing says more.
constexpr uint32_t kTextureExtent = 64;
constexpr uint32_t kVolumeExtent = 16;
constexpr uint32_t kBufferBytes = 1U << 20;
constexpr uint32_t kMaxGuessedExtent = 4096;
constexpr uint32_t kFirstFreeHandle = 0xFFFFFFF0;
constexpr uint32_t kFarthest = 0xFFFFFF00;  // depth 1 and stencil 0 of D24S8
constexpr uint32_t kWhite = 0xFFFFFFFF;
constexpr uint32_t kFirstRuntimeLevel = 4;  // runtime version 2 (DirectX 6) is that of level 6
constexpr uint32_t kAllocationElement = 8;

uint32_t Raw(d3d::Format format) {
  return static_cast<uint32_t>(format);
}

// The colour format whose texels have this many bytes; the usual one of its size.
uint32_t FormatOfSize(uint64_t bytes) {
  if (bytes == 1) return Raw(d3d::Format::L8);
  if (bytes == 2) return Raw(d3d::Format::R5G6B5);
  return Raw(d3d::Format::A8R8G8B8);
}

}  // namespace

void MissingObjectMaker::Prepare(const trace::Event& event, device::Device& device,
                                 device::KmtObjects& kmt, EventFindings& findings) {
  device_ = &device;
  kmt_ = &kmt;
  findings_ = &findings;
  std::visit([this](const auto& e) { On(e); }, event);
}

void MissingObjectMaker::Report(std::string_view path, std::string message) {
  findings_->Add(Rule::kTrace016, std::string(path), std::move(message));
}

// ---------- surfaces ----------

bool MissingObjectMaker::IsUnknown(uint32_t space, uint32_t handle) {
  if (handle == 0) return false;
  const device::Space& owner = device_->space(space);
  if (owner.Find(handle)) return false;
  const device::Absence absence = owner.history().Find(handle);
  return absence != device::Absence::kDestroyed && absence != device::Absence::kRefused;
}

uint32_t MissingObjectMaker::FreeHandle(uint32_t space) {
  uint32_t handle = kFirstFreeHandle;
  while (device_->space(space).Find(handle))
    --handle;
  return handle;
}

void MissingObjectMaker::Create(uint32_t space, uint32_t handle, const Guess& guess) {
  trace::SurfaceCreate create;
  create.space = space;
  create.handle = handle;
  create.kind = guess.kind;
  create.format = guess.format;
  create.levels = guess.levels;
  if (device::IsBuffer(guess.kind)) {
    create.width = guess.width;
  } else {
    create.width =
        std::clamp(guess.width == 0 ? extent_.width : guess.width, 1U, kMaxGuessedExtent);
    create.height =
        std::clamp(guess.height == 0 ? extent_.height : guess.height, 1U, kMaxGuessedExtent);
    create.depth = guess.depth;
    if (guess.depth > 1) create.caps2 = device::kCaps2Volume | device::kCapsTexture;
    if (guess.is_cube) {
      create.faces = d3d::kAllCubeFaces;
      create.width = create.height = std::max(create.width, create.height);
    }
  }
  AddDefects(device_->OnSurfaceCreate(create), *findings_);
  const bool is_texture = guess.kind == SurfaceKind::kTexture && !guess.is_cube && guess.depth == 1;
  if (guess.kind != SurfaceKind::kDepth && !is_texture) return;
  // A texture of which nothing is known lets the colours through; a depth surface of which nothing is known lets everything through.
  trace::Blt fill;
  fill.space = space;
  fill.dest = handle;
  fill.kind = is_texture ? trace::BltKind::kColorFill : trace::BltKind::kDepthFill;
  fill.fill = is_texture ? kWhite : kFarthest;
  for (fill.dest_level = 0; fill.dest_level < guess.levels; ++fill.dest_level)
    AddDefects(device_->OnBlt(fill), *findings_);
}

void MissingObjectMaker::InventSurface(uint32_t space, uint32_t handle, const Guess& guess,
                                       std::string_view path) {
  if (!IsUnknown(space, handle)) return;
  Create(space, handle, guess);
  const device::SurfaceRef made = device_->space(space).Find(handle);
  if (!made) return;  // refused, and reported
  const image::SurfaceDescription& is = made.surface().description();
  Report(path, fmt::format("surface {} is invented: {} x {}{}, {}", handle, is.width, is.height,
                           is.depth > 1 ? fmt::format(" x {}", is.depth) : "",
                           made.surface().info().name));
}

void MissingObjectMaker::ClaimTarget(uint32_t space, uint32_t handle,
                                     const std::optional<d3d::Rect>& rect, std::string_view path) {
  if (!IsUnknown(space, handle)) return;
  if (const auto unclaimed = unclaimed_.find(space); unclaimed != unclaimed_.end()) {
    device_->space(space).AddAlias(handle, unclaimed->second);
    unclaimed_.erase(unclaimed);
    return Report(path, fmt::format("surface {} is taken for the target of the context that was "
                                    "invented before",
                                    handle));
  }
  Guess guess;
  guess.kind = SurfaceKind::kTarget;
  guess.format = Raw(d3d::Format::X8R8G8B8);
  if (rect && rect->right > 0 && rect->bottom > 0) {
    guess.width = static_cast<uint32_t>(rect->right);
    guess.height = static_cast<uint32_t>(rect->bottom);
  }
  InventSurface(space, handle, guess, path);
}

uint32_t MissingObjectMaker::MakeTarget(uint32_t space) {
  const uint32_t handle = FreeHandle(space);
  Create(space, handle, {.kind = SurfaceKind::kTarget, .format = Raw(d3d::Format::X8R8G8B8)});
  unclaimed_[space] = handle;
  return handle;
}

uint32_t MissingObjectMaker::MakeDepth(uint32_t space) {
  const uint32_t handle = FreeHandle(space);
  Create(space, handle, {.kind = SurfaceKind::kDepth, .format = Raw(d3d::Format::D24S8)});
  return handle;
}

// ---------- what tokens name ----------

void MissingObjectMaker::LearnExtent(const stream::Command& command) {
  if (command.op->op != Op::kViewportInfo) return;
  for (const stream::Record& record : stream::Records(command, {})) {
    const uint64_t right = uint64_t{record.U32(stream::Field(layout::kViewportInfo, "x"))} +
                           record.U32(stream::Field(layout::kViewportInfo, "width"));
    const uint64_t bottom = uint64_t{record.U32(stream::Field(layout::kViewportInfo, "y"))} +
                            record.U32(stream::Field(layout::kViewportInfo, "height"));
    if (right == 0 || bottom == 0 || right > kMaxGuessedExtent || bottom > kMaxGuessedExtent)
      continue;
    extent_ = {static_cast<uint32_t>(right), static_cast<uint32_t>(bottom)};
  }
}

MissingObjectMaker::Guess MissingObjectMaker::GuessOf(const kmt::HandleWord& word) const {
  const auto op = static_cast<Op>(word.desc->op);
  if (op == Op::kSetStreamSource || op == Op::kSetStreamSource2 || op == Op::kBufferBlt)
    return {.kind = SurfaceKind::kVertexBuffer, .width = kBufferBytes};
  if (op == Op::kSetIndices) return {.kind = SurfaceKind::kIndexBuffer, .width = kBufferBytes};
  const bool is_depth =
      op == Op::kSetDepthStencil || (op == Op::kSetRenderTarget && word.desc->at != 0);
  if (is_depth) return {.kind = SurfaceKind::kDepth, .format = Raw(d3d::Format::D24S8)};
  if (op == Op::kSetRenderTarget || op == Op::kSetRenderTarget2)
    return {.kind = SurfaceKind::kTarget, .format = Raw(d3d::Format::X8R8G8B8)};
  Guess texture = {
      .format = Raw(d3d::Format::A8R8G8B8), .width = kTextureExtent, .height = kTextureExtent};
  if (op == Op::kVolumeBlt || op == Op::kAddDirtyBox)
    texture.width = texture.height = texture.depth = kVolumeExtent;
  // Blits on the screen are as large as the screen.
  if (op == Op::kBlt || op == Op::kSurfaceBlt || op == Op::kColorFill || op == Op::kComposeRects) {
    texture.kind = SurfaceKind::kTarget;
    texture.width = texture.height = 0;
  }
  return texture;
}

void MissingObjectMaker::InventHandles(uint32_t space, Bytes commands,
                                       const stream::Environment& environment) {
  stream::Decoder decoder(commands, environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    LearnExtent(command);
    kmt::HandleWordCursor words(command.bytes);
    for (kmt::HandleWord word; words.Next(word);) {
      if (IsUnknown(space, word.value))
        InventSurface(space, word.value, GuessOf(word), fmt::format("commands/{}", command.index));
    }
  }
}

// ---------- events ----------

void MissingObjectMaker::InventContext(uint32_t space, uint64_t id) {
  if (id == 0 || device_->FindContext(space, id) != nullptr ||
      device_->WasContextDestroyed(space, id))
    return;
  trace::ContextCreate create;
  create.space = space;
  create.context = id;
  create.target = MakeTarget(space);
  create.depth = MakeDepth(space);
  create.runtime_version = device_->level() - kFirstRuntimeLevel;
  AddDefects(device_->OnContextCreate(create), *findings_);
  Report("context",
         fmt::format("context {} is invented, with a target of {} x {}, a depth surface, runtime "
                     "version {} and default state",
                     id, extent_.width, extent_.height, create.runtime_version));
}

void MissingObjectMaker::On(const trace::ContextCreate& event) {
  InventSurface(event.space, event.target,
                {.kind = SurfaceKind::kTarget, .format = Raw(d3d::Format::X8R8G8B8)}, "target");
  InventSurface(event.space, event.depth,
                {.kind = SurfaceKind::kDepth, .format = Raw(d3d::Format::D24S8)}, "depth");
}

void MissingObjectMaker::On(const trace::ContextDestroy& event) {
  InventContext(event.space, event.context);
}

void MissingObjectMaker::On(const trace::SurfaceDestroy& event) {
  InventSurface(event.space, event.handle,
                {.format = Raw(d3d::Format::A8R8G8B8), .width = 1, .height = 1}, "handle");
}

void MissingObjectMaker::On(const trace::SurfaceUpdate& event) {
  if (!IsUnknown(event.space, event.handle)) return;
  const auto size = static_cast<uint64_t>(event.data.size());
  if (event.range) {
    const uint64_t end =
        uint64_t{event.range->offset} + std::max<uint64_t>(event.range->size, size);
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(end, UINT32_MAX));
    return InventSurface(
        event.space, event.handle,
        {.kind = SurfaceKind::kVertexBuffer, .width = std::max(bytes, kBufferBytes)}, "handle");
  }
  Guess guess;
  uint64_t rows = 0;
  uint64_t columns = 0;
  if (event.box) {
    guess.depth = std::clamp(event.box->back, 1U, kMaxGuessedExtent);
    columns = event.box->right - event.box->left;
    rows = event.box->bottom - event.box->top;
    guess.width = event.box->right;
    guess.height = event.box->bottom;
  } else if (event.rect && event.rect->right > 0 && event.rect->bottom > 0) {
    columns = static_cast<uint64_t>(event.rect->right) - static_cast<uint64_t>(event.rect->left);
    rows = static_cast<uint64_t>(event.rect->bottom) - static_cast<uint64_t>(event.rect->top);
    guess.width = static_cast<uint32_t>(event.rect->right);
    guess.height = static_cast<uint32_t>(event.rect->bottom);
  } else {
    // The whole level, of unknown size: texels of 4 bytes, as many rows as the pitch leaves, or a square.
    const uint64_t pitch = event.pitch.value_or(0);
    const uint64_t texels = size / 4;
    const auto side = static_cast<uint64_t>(std::sqrt(static_cast<double>(texels)));
    columns = std::max<uint64_t>(1, pitch >= 4 ? pitch / 4 : side);
    rows = std::max<uint64_t>(1, texels / columns);
    guess.width = static_cast<uint32_t>(std::min<uint64_t>(columns, kMaxGuessedExtent));
    guess.height = static_cast<uint32_t>(std::min<uint64_t>(rows, kMaxGuessedExtent));
  }
  const uint64_t pitch = event.pitch ? *event.pitch : rows == 0 ? 0 : size / rows;
  guess.format = FormatOfSize(columns == 0 ? 4 : pitch / columns);
  guess.is_cube = event.face != 0;
  const uint32_t level = std::min(event.level, 11U);
  guess.levels = level + 1;
  guess.width = std::min(guess.width << level, kMaxGuessedExtent);
  guess.height = std::min(guess.height << level, kMaxGuessedExtent);
  InventSurface(event.space, event.handle, guess, "handle");
}

void MissingObjectMaker::On(const trace::SurfaceRead& event) {
  ClaimTarget(event.space, event.handle, event.rect, "handle");
}

void MissingObjectMaker::On(const trace::Picture& event) {
  ClaimTarget(event.space, event.handle, event.rect, "handle");
}

void MissingObjectMaker::On(const trace::Present& event) {
  ClaimTarget(event.space, event.handle, event.rect, "handle");
}

void MissingObjectMaker::On(const trace::Blt& event) {
  if (event.kind == trace::BltKind::kDepthFill) {
    return InventSurface(event.space, event.dest,
                         {.kind = SurfaceKind::kDepth, .format = Raw(d3d::Format::D24S8)}, "dest");
  }
  if (event.kind == trace::BltKind::kCopy)
    ClaimTarget(event.space, event.src, event.src_rect, "src");
  ClaimTarget(event.space, event.dest, event.dest_rect, "dest");
}

void MissingObjectMaker::On(const trace::Dp2& event) {
  const stream::Environment environment = {.command_offset = event.command_offset,
                                           .vertex_size = event.vertex_size};
  stream::Decoder decoder(event.commands, environment, nullptr);
  for (stream::Command command; decoder.Next(command);)
    LearnExtent(command);  // before the target of the context is made
  InventContext(event.space, event.context);
  InventHandles(event.space, event.commands, environment);
  InventSurface(event.space, event.vertex_buffer,
                {.kind = SurfaceKind::kVertexBuffer, .width = kBufferBytes}, "vertex_buffer");
}

void MissingObjectMaker::On(const trace::Render& event) {
  InventPacketContext(event);
  InventAllocations(event);
  if (event.payload != trace::PayloadKind::kDp2) return;
  const auto key = kmt_->FindContext(event.process, event.context);
  const auto offset = std::min<size_t>(event.command_offset, event.command_buffer.size());
  InventHandles(key ? key->space : event.space, event.command_buffer.subspan(offset),
                {.command_offset = event.command_offset,
                 .vertex_size = event.dp2_env ? event.dp2_env->vertex_size : 0});
}

// The adapter and device of a packet are not named by it: they are made with the context.
void MissingObjectMaker::InventPacketContext(const trace::Render& event) {
  if (event.context == 0 || kmt_->Look(event.process, event.context)) return;
  uint32_t handle = kFirstFreeHandle;
  while (kmt_->Look(event.process, handle) || kmt_->Look(event.process, handle + 1))
    --handle;
  trace::AdapterOpen adapter;
  adapter.process = event.process;
  adapter.adapter = handle;
  kmt_->On(adapter);
  trace::DeviceCreate device;
  device.space = event.space;
  device.process = event.process;
  device.adapter = handle;
  device.device = handle + 1;
  kmt_->On(device);
  trace::KmtContextCreate context;
  context.process = event.process;
  context.device = device.device;
  context.context = event.context;
  if (event.payload == trace::PayloadKind::kDp2) {
    context.d3d =
        trace::D3dContext{.target = MakeTarget(event.space), .depth = MakeDepth(event.space)};
  }
  if (const auto create = kmt_->OnContextCreate(context))
    AddDefects(device_->OnContextCreate(*create), *findings_);
  Report("context",
         fmt::format("context {} is invented, with its adapter and device", event.context));
}

void MissingObjectMaker::InventAllocations(const trace::Render& event) {
  const device::KmtContext* const context = kmt_->FindKmtContext(event.process, event.context);
  if (context == nullptr) return;
  trace::AllocationCreate create;
  create.process = event.process;
  create.device = context->device;
  create.allocations.resize(1);
  for (size_t at = 0; at + kAllocationElement <= event.allocation_list.size();
       at += kAllocationElement) {
    const uint32_t handle = LoadU32(&event.allocation_list[at]);
    if (handle == 0 || kmt_->Look(event.process, handle)) continue;
    create.allocations[0].allocation = handle;
    kmt_->On(create);
    Report(fmt::format("allocation_list/{}", at / kAllocationElement),
           fmt::format("allocation {:#x} is invented", handle));
  }
}

}  // namespace dp2trace::validate
