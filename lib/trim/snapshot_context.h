// The tokens that bring a new context into the state of one that lives, as far as a part of the trace needs it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/device.h"
#include "trace_model/scratch_device.h"
#include "trim/part.h"
#include "trim/state_token.h"

namespace dp2trace::trim {

class ContextSnapshot {
 public:
  // Whether the snapshot has a surface, by space and root handle.
  using HasSurface = std::function<bool(uint32_t space, uint32_t root)>;

  // `scratch` has the surfaces of the snapshot and the new context. All outlive the object.
  ContextSnapshot(const device::Device& device, const device::Context& context,
                  const ContextUse& use, const HasSurface& has_surface,
                  trace_model::ScratchDevice& scratch);

  // Makes the tokens, and applies them to the scratch device. `owns_surfaces`: this context speaks for the surfaces of its space.
  void Make(bool owns_surfaces);
  Bytes commands() const { return commands_; }
  // What no token says; empty where the state is reached.
  const std::string& gap() const { return gap_; }

 private:
  void Flush();
  void Fail(std::string what) {
    if (gap_.empty()) gap_ = std::move(what);
  }
  const device::Context& Reached() const;

  void AddShaders();
  void AddPalettes();
  void AddSurfaceValues();
  void AddLights();
  void AddBlocks();
  void AddBlock(const device::StateBlock& block, bool is_open);
  void AddTargets();
  void AddValues();
  void AddOverrides();
  void MendLegacyBlend();
  void AddQueries();

  // The value that the snapshot gives a key: that of the context, or the one it has where what it names is left out.
  bool Wants(device::StateKey key, device::StateWords& words) const;
  bool HasObject(device::StateKey key, uint32_t handle) const;
  bool HasSurfaceHandle(uint32_t handle) const;
  void Append(opcode::Op op, std::initializer_list<uint32_t> values, Bytes tail = {});

  const device::Device& device_;
  const device::Context& context_;
  const ContextUse& use_;
  const ObjectNames& names_;
  const HasSurface& has_surface_;
  trace_model::ScratchDevice& scratch_;
  runtime::TokenBuffer tokens_;
  std::vector<uint8_t> commands_;
  std::string gap_;
};

}  // namespace dp2trace::trim
