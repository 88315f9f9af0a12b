// Replays a JSON trace in memory and keeps its pictures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "expectation.h"
#include "image/picture.h"

namespace dp2trace::testing {

struct ReplayedScene {
  std::map<PictureKey, image::Picture> pictures;
  DiagnosticList findings;
};

// Replays the file with the renderer that a header's primitive_misc_caps asks for: without CLIPTLVERTS transformed vertices are not
// clipped in z. Fails where the file cannot be read.
Status ReplayScene(const std::string& path, ReplayedScene& scene);

// Paths of the .expected files below traces/facts/FOLDER, without their extension, sorted.
std::vector<std::string> ScenesOf(const std::string& folder);
// The text of a file; fails where it cannot be read.
Result<std::string> ReadText(const std::string& path);

}  // namespace dp2trace::testing
