#include "os/progress.h"

namespace dp2trace {

void OfferProgress(double /*done*/, double /*size*/) {}

}  // namespace dp2trace
