#!/usr/bin/env bash
# Installs the program of this source tree on a CI machine (Debian, Ubuntu). It is built once: the package lies in a folder that the CI system keeps.
# usage: scripts/ci/install.sh FOLDER     FOLDER is kept between jobs, under a key with the tag of this tree
set -euo pipefail
[ $# -eq 1 ] || {
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
}
folder=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
find_package() { find "$folder" -maxdepth 1 -name 'dp2trace*.deb' 2> /dev/null | head -n 1; }
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
install_packages() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"; }
if [ -z "$(find_package)" ]; then
  ./scripts/setup.sh
  install_packages dpkg-dev file # find what the package depends on
  cmake --preset release
  cmake --build --preset release --target installable
  made=$(mktemp -d)
  trap 'rm -rf "$made"' EXIT
  cpack --config build/release/CPackConfig.cmake -G DEB -B "$made"
  mkdir -p "$folder"
  mv "$made"/dp2trace*.deb "$folder"
fi
"${as_root[@]}" apt-get update -q || echo "install.sh: note: not every package source could be read; going on with what is known" >&2
install_packages "$(find_package)"
dp2trace --version
