#include <filesystem>

#include "os/wasi/memory_files.h"

namespace std {
inline namespace __2 {
namespace filesystem {

file_status status(const path& name, error_code& error) {
  error = {};
  return file_status(dp2trace::FindMemoryFile(name.native()) != nullptr ? file_type::regular
                                                                        : file_type::not_found);
}

uintmax_t file_size(const path& name, error_code& error) {
  const auto file = dp2trace::FindMemoryFile(name.native());
  error = file == nullptr ? make_error_code(errc::no_such_file_or_directory) : error_code();
  return file == nullptr ? static_cast<uintmax_t>(-1) : file->size();
}

bool remove(const path& name, error_code& error) {
  error = {};
  return dp2trace::RemoveMemoryFile(name.native());
}

}  // namespace filesystem
}  // namespace __2
}  // namespace std
