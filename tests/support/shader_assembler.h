// Shader assembly text to token arrays, for tests: the language that lib/shader/disassembler prints. It checks nothing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dp2trace::testing {

// Lines end with ';' or a newline; the first names the version ("ps_2_0"). Unknown words give tokens without meaning.
std::vector<uint32_t> AssembleWords(std::string_view text);
std::vector<uint8_t> AssembleShader(std::string_view text);

std::vector<uint8_t> BytesOf(const std::vector<uint32_t>& words);

}  // namespace dp2trace::testing
