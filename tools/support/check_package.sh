#!/usr/bin/env bash
# Proves a Debian package in a system of its own: installs it, runs it from any folder, removes it, and looks for
# what it left. To be run as root; the system needs a network for the package's dependencies.
#
#   tools/support/check_package.sh DEB ROOT
#
#   DEB   the package, as tools/bundle makes it
#   ROOT  folder of a minimal Debian 12 (debootstrap makes one); it is changed: dependencies stay installed
#
# `benchctl run tile_sweep` is run with each flavour of OpenBLAS, and the run must have recorded which one it was.
# Prints what took how long. Exits 1 at the first thing that is wrong.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/support/common.sh
source "$here/support/common.sh"
case ${1:-} in --help | -h) print_help && exit 0 ;; esac
(($# == 2)) || die "give the package and the folder of a system; --help says more"
package=$1
root=$2
[[ $package == *.deb && -f $package ]] || die "there is no package '$package'; tools/bundle makes one"
[[ -x $root/usr/bin/apt-get ]] || die "'$root' is no Debian system; debootstrap --variant=minbase bookworm '$root' makes one"
((EUID == 0)) || die "only root may change into another system"
root=$(cd "$root" && pwd)
[[ $root != / ]] || die "not in this machine's own system: give a folder with another one"

work=$root/tmp/check_package
mounted=()
leave() {
  rm -rf "$work"
  for folder in "${mounted[@]}"; do umount "$folder"; done
}
trap leave EXIT
mkdir -p "$work/elsewhere" "$work/home"
cp "$package" "$work/benchctl.deb"
# /proc tells the program where its files are; /sys tells PoCL of the processors.
mount_here() {
  if mountpoint --quiet "$root/$2"; then return; fi
  mount -t "$1" "$1" "$root/$2"
  mounted+=("$root/$2")
}
mount_here proc proc
mount_here sysfs sys

inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp/check_package/home LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
}
apt() {
  inside apt-get -o APT::Sandbox::User=root --yes --quiet "$@" >>"$work/apt.log" 2>&1 ||
    { tail -n 30 "$work/apt.log" >&2 && die "apt-get $* failed"; }
}
# From a folder that has nothing to do with it.
benchctl() { inside sh -c 'cd /tmp/check_package/elsewhere && exec benchctl "$@"' sh "$@"; }
# timed WHAT COMMAND…: says how long the command took, whatever becomes of its output.
exec 3>&1
timed() {
  local what=$1 begin=$EPOCHREALTIME
  shift
  "$@"
  say "$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%6.1f s", b - a }')  $what" >&3
}
# Every path of the system but what changes by itself.
all_files() {
  (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./var/cache -o \
    -path ./var/log -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print | sort)
}
# run_with FLAVOUR: the installed config, with that OpenBLAS.
run_with() {
  rm -f "$work/elsewhere/benchctl.db"
  timed "benchctl run tile_sweep with the $1 flavour of OpenBLAS" benchctl run tile_sweep \
    >"$work/table" 2>"$work/progress" || { cat "$work/progress" "$work/table" >&2 && die "benchctl run tile_sweep failed"; }
  benchctl export --format json >"$work/run.json"
  for lane in cpu_avx:0 opencl:pocl:0; do
    grep -q "$lane" "$work/run.json" || { cat "$work/table" >&2 && die "the run has no point on $lane"; }
  done
  recorded=$(grep -o '"key":"library.blas","value":"[^"]*"' "$work/run.json" | cut -d '"' -f 8)
  [[ $recorded == "$1, OpenBLAS "* ]] || die "the run recorded another OpenBLAS than the $1 flavour: '$recorded'"
  say "          $(grep -E '^[0-9]+ points:' "$work/table")"
  say "          recorded: $recorded"
}
# libopenblas0 is what the package depends on when the flavour is another than pthread.
use_openmp() { apt install libopenblas0 libopenblas0-openmp libopenblas0-pthread-; }

timed "apt-get update" apt update
# What an earlier check that failed has left.
if inside dpkg --status benchctl >/dev/null 2>&1; then apt purge benchctl; fi
all_files >"$work/before"
timed "apt-get install ./${package##*/} with what it depends on and recommends" apt install /tmp/check_package/benchctl.deb
mapfile -t owned < <(inside dpkg --listfiles benchctl)
((${#owned[@]} > 50)) || die "the package has ${#owned[@]} files"
benchctl --version
timed "benchctl list --configs" benchctl list --configs >"$work/configs"
grep -q '^tile_sweep ' "$work/configs" || die "benchctl list --configs does not list tile_sweep"
run_with pthread
timed "the OpenMP flavour of OpenBLAS instead" use_openmp
run_with openmp

timed "apt-get purge benchctl" apt purge benchctl
left=()
for path in "${owned[@]}"; do
  # Folders that other packages have, too, stay.
  if [[ $path == *benchctl* && -e $root$path ]]; then left+=("$path"); fi
done
while IFS= read -r path; do left+=("$path"); done < <(all_files | comm -13 "$work/before" - | grep -i benchctl || true)
((${#left[@]} == 0)) || die "left behind: ${left[*]}"
timed "apt-get autoremove" apt autoremove --purge
say "check_package: installed, ran, removed; nothing left of ${#owned[@]} files and folders"
