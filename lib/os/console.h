// Standard input, output and error.
#pragma once

#include <cstdint>
#include <string>

namespace dp2trace {

enum class Stream : uint8_t { kInput, kOutput, kError };

// Once, at the start. Bytes go in and out as they are, and text is UTF-8. What the caller has closed is held, so that no file or pipe gets
// its number: reading and writing it fails, as before. A reader that has seen enough (`dp2trace dump ... | head`) ends the program,
// quietly.
void PrepareStreams();

// Whether somebody sits at the other end: it understands escape sequences.
bool IsTerminal(Stream stream);
// Columns of the terminal at the other end; 0 where there is none, or it does not say.
uint32_t ColumnsOf(Stream stream);

// Whether a path is a terminal that takes some bytes for keys and line ends ("cooked"). A sandbox may keep that secret.
bool ChangesBytes(const std::string& path);

}  // namespace dp2trace
