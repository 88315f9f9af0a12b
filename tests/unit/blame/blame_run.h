// The blame for pictures that a driver with a defect makes: the replay of a trace with another text is that driver.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "blame/analysis.h"
#include "blame/recorder.h"
#include "image/picture.h"

namespace dp2trace::testing {

blame::Frame FrameOf(const std::string& trace, uint64_t frame);
// What a replay shows of a frame.
image::Picture PictureOf(const std::string& trace, uint64_t frame);

// The text with `from` replaced by `to`, at its `place`-th occurrence from 1, or (0) at all; fails the test where it is not there.
std::string Replaced(std::string text, const std::string& from, const std::string& to,
                     size_t place = 0);

struct Blamed {
  blame::Frame frame;
  blame::Blame blame;
  // The number of the draw of rank 1 of each region; 0 where there is none or it is none.
  std::vector<uint64_t> firsts() const;
  // "stage 0 COLOROP = ADDSIGNED": true of all wrong draws and no right one.
  std::vector<std::string> exact_facts() const;
  std::vector<uint64_t> wrong_draws() const;
};
Blamed BlameOf(const std::string& trace, const std::string& driver, uint64_t frame = 1,
               const image::LooseOptions& options = {});

}  // namespace dp2trace::testing
