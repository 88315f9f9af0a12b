#include "page/page.h"

#include <fmt/format.h>

namespace dp2trace::page {

std::string DataFile(std::string_view name) {
  return fmt::format("data/{}.js", name);
}

std::string DataScript(std::string_view name, std::string_view value) {
  return fmt::format("pageData(\"{}\",{});\n", name, value);
}

}  // namespace dp2trace::page
