# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # inner shells expand; set and used where this is sourced
# The systems of tools/check_fresh: minimal Debians in folders, and how a command runs in one. To be sourced, after
# common.sh and apt_sources.sh.
#
# Nothing is ever mounted where this process sees it: debootstrap and every command run in a mount namespace of their own,
# which ends with them. So removing the folder cannot reach through a mount.
suite=bookworm
work=''      # the folder of everything
system=''    # the root of the present system
clone=''     # the clone of HEAD in it, as seen from outside
user=root    # who runs commands
network=true # false: commands run without
took=0       # seconds of the last command
job=''       # its process group

make_work_folder() {
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/benchctl_fresh.XXXXXX")
  chmod 755 "$work"
  trap remove_work_folder EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

remove_work_folder() {
  local tries
  # unshare ignores everything softer, and takes what runs in its namespaces with it.
  for ((tries = 0; tries < 100; ++tries)); do
    if [[ -z $job ]] || ! kill -KILL -- "-$job" 2>/dev/null; then break; fi
    sleep 0.1
  done
  if grep -qF " $work/" /proc/self/mountinfo; then
    warn "something is mounted in $work; unmount it and remove the folder by hand"
    return 0
  fi
  rm -rf --one-file-system "$work"
}

# apart COMMAND…: runs it in namespaces of its own, its output also in $work/output; sets took.
apart() {
  local started=$SECONDS
  local -a options=(--mount --propagation private --pid --fork --kill-child)
  $network || options+=(--net)
  rm -f "$work/code"
  set -m # a process group of its own, which remove_work_folder can end
  {
    unshare "${options[@]}" "$@" </dev/null 2>&1 || echo $? >"$work/code"
  } | tee "$work/output" &
  set +m
  job=$(jobs -p %%)
  wait $! 2>/dev/null || true
  job=''
  took=$((SECONDS - started))
  if [[ -e $work/code ]]; then return "$(cat "$work/code")"; fi
}

# The mirror of this machine: URI <TAB> SUITE <TAB> KEY, without backports, which tools/setup adds.
mirrors() { list_apt_sources /etc/apt | awk -F '\t' -v suite="$suite" 'index($2, suite) == 1 && $2 !~ /-backports$/'; }

# make_base: a minimal system in $work/base, or a copy of the folder that --base named.
make_base() {
  local uri key
  IFS=$'\t' read -r uri key < <(mirrors | awk -F '\t' -v suite="$suite" -v OFS='\t' '$2 == suite { print $1, $3; exit }') ||
    die "found no apt source for $suite in /etc/apt to take the mirror from"
  if [[ -n ${base:-} ]]; then
    cp -a "$base" "$work/base"
  else
    apart bash -c 'exec debootstrap --variant=minbase ${2:+--keyring="$2"} "$1" "$3/base" "$4" >"$3/debootstrap.log" 2>&1' \
      debootstrap "$suite" "$key" "$work" "$uri" || {
      tail -n 5 "$work/debootstrap.log" | sed -E 's#://[^/ ]+#://(mirror)#g' >&2
      die "debootstrap failed"
    }
  fi
  # Packages are not what is timed: no waiting for the disk after each file.
  echo force-unsafe-io >"$work/base/etc/dpkg/dpkg.cfg.d/unsafe-io"
  give_network "$work/base"
}

# give_network ROOT: how this machine reaches its mirrors: names, apt's sources with their keys, proxies, npm's settings.
give_network() {
  local root=$1 uri suite_name key file
  rm -f "$root/etc/resolv.conf" "$root/etc/hosts"
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  : >"$root/etc/apt/sources.list"
  while IFS=$'\t' read -r uri suite_name key; do
    printf 'deb %s%s %s main\n' "${key:+[signed-by=$key] }" "$uri" "$suite_name" >>"$root/etc/apt/sources.list"
    if [[ -n $key && ! -e $root$key ]]; then install -D -m 644 "$key" "$root$key"; fi
  done < <(mirrors)
  cp -r /etc/apt/trusted.gpg.d /etc/apt/auth.conf.d "$root/etc/apt/" 2>/dev/null || true
  apt-config dump | grep -E '^Acquire::(https?|ftp|Check-Date|Check-Valid-Until)\b' \
    >"$root/etc/apt/apt.conf.d/80network" || true
  mkdir -p "$root/usr/local/share/ca-certificates"
  cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
  for file in "$(npm config get globalconfig 2>/dev/null)" ~/.npmrc; do
    if [[ -r $file ]]; then cat "$file"; fi
  done >"$root/root/.npmrc"
  chmod 600 "$root/root/.npmrc"
}

# new_system: a copy of the base with a clone of HEAD, in place of the one before.
new_system() {
  if [[ -n $system ]]; then rm -rf --one-file-system "$system"; fi
  system=$work/system user=root network=true clone=$work/system/root/benchctl
  cp -a "$work/base" "$system"
  git clone --quiet --depth 1 "file://$benchctl_root" "$clone"
}

# in_system COMMAND…: runs it in the clone, as $user, with an environment of its own.
in_system() {
  local home=/root name
  [[ $user == root ]] || home=/home/$user
  local -a environment=("HOME=$home" "USER=$user" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    LANG=C.UTF-8 TERM=dumb)
  while IFS= read -r name; do environment+=("$name=${!name}"); done < <(compgen -e |
    grep -iE '^((https?|ftp|all|no)_proxy|npm_config_.*)$')
  apart bash -c '
    set -e
    root=$1 user=$2 folder=$3
    shift 3
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mount --rbind --read-only /sys "$root/sys"
    exec chroot "$root" runuser -u "$user" -- env -i --chdir="$folder" "$@"
  ' in_system "$system" "$user" "$home/benchctl" "${environment[@]}" "$@"
}

# A user who may do everything through sudo without a password owns the clone.
add_user_with_sudo() {
  step "a user with sudo"
  in_system bash -c 'apt-get -qq update && apt-get -qq --yes --no-install-recommends install sudo &&
    useradd --create-home --shell /bin/bash someone' >/dev/null
  printf 'someone ALL=(ALL) NOPASSWD: ALL\n' >"$system/etc/sudoers.d/someone"
  mv "$clone" "$system/home/someone/benchctl"
  mv "$system/root/.npmrc" "$system/home/someone/.npmrc"
  clone=$system/home/someone/benchctl
  user=someone
  chroot "$system" chown -R someone: /home/someone
}

# A package nodejs as others make it: it conflicts with npm, which dpkg knows from then on. There is no program in it.
install_node_from_elsewhere() {
  local package=$system/tmp/nodejs
  step "Node.js from elsewhere"
  mkdir -p "$package/DEBIAN"
  printf '%s\n' 'Package: nodejs' 'Version: 20.0.0-1elsewhere' 'Architecture: all' 'Maintainer: nobody <nobody@localhost>' \
    'Conflicts: npm' 'Provides: npm' 'Replaces: npm' 'Description: made up by tools/check_fresh' >"$package/DEBIAN/control"
  if ! in_system bash -c 'dpkg-deb --build /tmp/nodejs /tmp/nodejs.deb && dpkg --install /tmp/nodejs.deb &&
    [[ $(dpkg-query --show --showformat "\${db:Status-Abbrev}" npm) == un* ]]' >"$work/node.log"; then
    cat "$work/node.log" >&2
    die "dpkg does not know npm as it should"
  fi
}
