// A file that somebody holds beside a trace: a picture that is compared with what the trace shows, or another trace.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "image/picture.h"
#include "import/importer.h"

namespace dp2trace::live {

struct BesideFile {
  std::string name;      // as the page shows it
  std::string path;      // where it lies
  std::string imported;  // where a trace is written that it becomes, .dp2t (loader.h)
};

struct Beside {
  std::string name = {};
  std::optional<image::Picture> picture = {};
  std::string trace = {};               // path; empty: it is a picture
  std::vector<std::string> notes = {};  // of its import
};

// A PNG is a picture, anything else is loaded as a trace. Fails as Load() does.
Result<Beside> LoadBeside(const BesideFile& file, const std::string& generator, uint64_t max_memory,
                          const import::Progress& progress);
// {"name", "kind":"picture", "width", "height"} or {"name", "kind":"trace", "notes"}.
std::string DescriptionOf(const Beside& beside);

}  // namespace dp2trace::live
