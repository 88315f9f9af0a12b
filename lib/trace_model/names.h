// The handles that a token names, by the meaning of its fields in the operation table.
#pragma once

#include <cstdint>
#include <functional>

#include "opcode/opcode.h"
#include "stream/stream.h"

namespace dp2trace::trace_model {

// `kind` is one of the meanings that are handles, kSurface to kPatch; FVF codes and the handle 0 are none.
// `offset`: of the field, from the start of the command.
using NameVisitor = std::function<void(opcode::Meaning kind, uint32_t handle, uint32_t offset)>;
// Calls the visitor for each handle, in the order of the bytes. The command comes from a Decoder with this environment.
void VisitNames(const stream::Command& command, const stream::Environment& environment,
                const NameVisitor& visit);

}  // namespace dp2trace::trace_model
