// The files of a program without a file system: they are in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dp2trace {

// Null: there is no such file.
std::shared_ptr<std::vector<uint8_t>> FindMemoryFile(const std::string& path);
// Takes the place of one that is there.
void PutMemoryFile(const std::string& path, std::vector<uint8_t> bytes);
// False: there was none.
bool RemoveMemoryFile(const std::string& path);

}  // namespace dp2trace
