# SPDX-License-Identifier: MIT
# Shared by tools/gpusim and tools/test: finds out which packages are missing, installs them where that is allowed, and
# builds a preset with its output in a log. Sourced with $root set to the repository; says everything on stderr.
# shellcheck shell=bash disable=SC2154

readonly kOldestCmake=3.25 # CMakePresets.json has version 6
readonly kLinesOfLog=20
readonly kCompilerKib=1000000 # memory that one compiler may take

say() { printf '%s: %s\n' "${self:-gpusim}" "$*" >&2; }

die() {
  local code=$1
  shift
  say "$@"
  exit "$code"
}

show_tail() { tail -n "$kLinesOfLog" -- "$1" >&2; }

# is_present PROBE: python:NAME is a module, a probe with a dot or a slash a header, anything else a command.
is_present() {
  local folder
  if [[ $1 == python:* ]]; then
    python3 -c "import ${1#python:}" 2>/dev/null
    return
  fi
  if [[ $1 != *[./]* ]]; then
    command -v -- "$1" >/dev/null
    return
  fi
  for folder in /usr/include /usr/local/include "/usr/include/$(uname -m)-linux-gnu"; do
    [[ -e $folder/$1 ]] && return
  done
  return 1
}

# missing_packages GROUP...: the Debian names, one a line.
missing_packages() {
  local group name probe
  while read -r group name probe; do
    if [[ " $* " == *" $group "* ]] && ! is_present "$probe"; then
      printf '%s\n' "$name"
    fi
  done < <(grep -v '^#' "$root/tools/packages")
}

install_as_root() {
  local log=$1
  shift
  say "installing $* (log: $log)"
  export DEBIAN_FRONTEND=noninteractive
  # An update that fails (one unreachable source among several) need not keep the packages from installing.
  apt-get update >"$log" 2>&1 </dev/null || say "apt-get update reported problems; going on"
  if ! apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1 </dev/null; then
    show_tail "$log"
    die 2 "apt-get could not install the packages; everything it said is in $log"
  fi
}

tell_the_apt_line() {
  local prefix=""
  command -v sudo >/dev/null && prefix="sudo "
  say "some packages are missing. Please run"
  printf '\n    %sapt-get update && %sapt-get install -y --no-install-recommends %s\n\n' "$prefix" "$prefix" "$*" >&2
  say "and start this command again (on other distributions: the packages that match these names)."
  exit 2
}

# ensure_packages LOG GROUP...: returns when everything is there, exits 2 otherwise.
ensure_packages() {
  local log=$1 missing
  shift
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} > 0)); then
    if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
      tell_the_apt_line "${missing[@]}"
    fi
    install_as_root "$log" "${missing[@]}"
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} == 0)) || die 2 "installed, but not of a fitting version (Debian 12 has it): ${missing[*]}"
  fi
  ensure_cmake_version
}

# offer_packages LOG GROUP...: installs what is missing where that is allowed, and goes on without it where it is not.
offer_packages() {
  local log=$1 missing
  shift
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    say "not installed, tests that need it are skipped: ${missing[*]}"
  elif ! (install_as_root "$log" "${missing[@]}"); then
    say "tests that need it are skipped"
  fi
}

ensure_cmake_version() {
  local have
  have=$(cmake --version | sed -n '1s/[^0-9]*\([0-9][0-9.]*\).*/\1/p')
  if [[ $(printf '%s\n%s\n' "$kOldestCmake" "$have" | sort -V | head -n 1) != "$kOldestCmake" ]]; then
    die 2 "cmake $have is too old; $kOldestCmake or newer is needed (Debian 12, Ubuntu 24.04)"
  fi
}

# Compilers at once: as many as cores, fewer where the memory would not do.
jobs_that_fit() {
  local cores kib by_memory
  cores=$(nproc)
  kib=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
  by_memory=$((${kib:-$kCompilerKib} / kCompilerKib))
  ((by_memory >= 1)) || by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# Reads a build's output, keeps it in the log, and shows how many files are built of how many: always on a terminal, at
# each tenth elsewhere.
follow_build() {
  local line built total tenths=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    built=${BASH_REMATCH[1]}
    total=${BASH_REMATCH[2]}
    if [[ -t 2 ]]; then
      printf '\r%s: %s of %s files built ' "$self" "$built" "$total" >&2
    elif ((total >= kLinesOfLog && built * 10 / total > tenths)); then
      tenths=$((built * 10 / total))
      say "$built of $total files built"
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# minutes_of SECONDS: what a build that takes so many processor seconds takes on the cores of this machine.
minutes_of() { echo $((($1 / $(jobs_that_fit) + 59) / 60)); }

# discard_if_moved FOLDER [SOURCE]: a build folder that came along with a copied or moved tree points at the old place
# and would not configure.
discard_if_moved() {
  local cache=$root/build/$1/CMakeCache.txt
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=${2:-$root}" "$cache"; then
    rm -rf -- "$root/build/$1"
  fi
}

# folder_of PRESET: where it is built. A program and its tests share a folder.
folder_of() { printf '%s' "$root/build/${1%-tests}"; }

# stamp_of PROGRAM: a file that names this tree, and is as old as the start of the last good build.
stamp_of() { printf '%s' "$root/build/$1.stamp"; }
# begin_stamp PROGRAM: call it when a build begins; the stamp gets its name when the build was good.
begin_stamp() { printf '%s' "$root" >"$(stamp_of "$1").new"; }

# lock_build FOLDER: waits, with file 9 open on its lock, until nobody else builds there.
lock_build() { flock -n 9 || { say "waiting for another build in $1" && flock 9; }; }

# build_preset PRESET LOG TARGET...: configures and builds; false when either fails.
build_preset() {
  local preset=$1 log=$2 folder
  folder=$(folder_of "$1")
  shift 2
  discard_if_moved "${folder##*/}"
  # A compiler cache needs a home to keep its files in. Clones of one commit share what they compiled.
  [[ -w ${HOME:-/nonexistent} ]] || export CCACHE_DISABLE=1
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros # for precompiled headers
  : >"$log"
  (
    set -o pipefail
    cd -- "$root" || exit 1
    {
      cmake --preset "$preset" && cmake --build "$folder" -j "$(jobs_that_fit)" --target "$@"
    } 2>&1 </dev/null | follow_build "$log"
  )
}
