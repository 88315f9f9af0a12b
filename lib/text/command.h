// One DP2 command as a line of text.
#pragma once

#include <string>

#include "stream/stream.h"
#include "trace/draw_counter.h"

namespace dp2trace::text {

// "0x0010 RENDERSTATE 2 {state=ZENABLE value=TRUE} {state=FOGSTART value=0.5}": offset from the start of the command buffer,
// operation, count, fixed structure, records, tails. Long lists are cut and their length given. No line end.
void AppendCommand(std::string& out, const stream::Command& command,
                   const stream::Environment& environment, uint32_t runtime_version);
// The same with the number of the draw that it is, where it is one: "0x0010 draw 7: CLEAR 1 {...}"; null: none.
void AppendNumbered(std::string& out, const stream::Command& command,
                    const stream::Environment& environment, uint32_t runtime_version,
                    const trace::DrawToken* draw);

// One structure of a token: "{x=0 y=0 width=64 height=64}". `at` has layout.size bytes.
void AppendStructure(std::string& out, const opcode::StructDesc& layout, const uint8_t* at,
                     uint32_t runtime_version);

}  // namespace dp2trace::text
