#!/usr/bin/env bash
# Tries the commands of README as a new user would, on bare systems: each Debian release in a folder of its own below build/distributions, with
# the files of the last commit. Prints a table, with seconds of processor time; logs lie beside the folders. Needs root and debootstrap.
# usage: scripts/check_distributions.sh [NAME...]     releases, bookworm trixie testing unless given
# environment: DEMO_ONLY=1 leaves test.sh out
set -euo pipefail
cd "$(dirname "$0")/.."
names=("$@")
[ $# -gt 0 ] || names=(bookworm trixie testing)
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap > /dev/null; then
  echo "check_distributions.sh: skipped: needs root and debootstrap" >&2
  exit 77
fi
# The machine's own package source.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | sort -u | head -n 1)
if [ -z "$mirror" ]; then
  echo "check_distributions.sh: skipped: this machine has no package source of Debian" >&2
  exit 77
fi

folder=build/distributions
mkdir -p "$folder"

# inside NAME COMMAND...: as root in that system, with what ends with it: its own mounts and processes.
inside() {
  local root="$folder/$1"
  shift
  # shellcheck disable=SC2016
  unshare --mount --pid --fork bash -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev/shm" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" &&
      exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' - "$root" "$@"
}

# prepare NAME: a bare system with a fresh clone.
prepare() {
  local root="$folder/$1"
  if [ ! -e "$root.ready" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase "$1" "$root" "$mirror"
    # The locks of a package manager that somebody else holds are no business of a bare system; services do not start in it.
    printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    touch "$root.ready"
  fi
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  rm -rf "$root/root/dp2trace"
  git clone --quiet . "$root/root/dp2trace"
}

# try NAME STEP COMMAND: its exit code in words, and seconds of processor time; what it prints goes into NAME.STEP.log.
try() {
  local status=0 log="$folder/$1.$2.log"
  inside "$1" bash -c "cd /root/dp2trace && TIMEFORMAT='%0U user seconds' && time { $3; }" < /dev/null > "$log" 2>&1 || status=$?
  if [ "$status" -eq 0 ]; then echo "passed, $(tail -n 1 "$log" | cut -d' ' -f1) s"; else echo "failed ($status)"; fi
}

version_of() { inside "$1" dpkg-query -W -f='${Version}' "$2" 2> /dev/null | sed 's/[-+].*//'; }

row='%-10s %-8s %-8s %-8s %-15s %-15s %s\n'
result=0
# shellcheck disable=SC2059
table=$(printf "$row" release g++ cmake CLI11 demo.sh install test.sh)
for name in "${names[@]}"; do
  prepare "$name" > "$folder/$name.debootstrap.log" 2>&1 || {
    echo "check_distributions.sh: $name cannot be installed; see $folder/$name.debootstrap.log" >&2
    result=1
    continue
  }
  demo=$(try "$name" demo ./scripts/demo.sh)
  install=$(try "$name" install 'cmake --install build/release --prefix /tmp/dp2trace && /tmp/dp2trace/bin/dp2trace --version')
  tests="not run"
  [ "${DEMO_ONLY:-0}" = 1 ] || tests=$(try "$name" test ./scripts/test.sh)
  case "$demo$install$tests" in *failed*) result=1 ;; esac
  compiler=$(inside "$name" g++ -dumpfullversion)
  # shellcheck disable=SC2059
  table+=$'\n'$(printf "$row" "$name" "$compiler" "$(version_of "$name" cmake)" "$(version_of "$name" libcli11-dev)" "$demo" "$install" "$tests")
done
echo "$table"
exit $result
