#!/bin/sh
# inside.sh DIRECTORY NAME=VALUE... COMMAND...: becomes a command in an image's files, as a careful
# runtime has it: the root read-only, memory at /tmp and /dev/shm, no rights, nothing of the caller's
# environment. It is called in namespaces of its own, so that the mounts end with it.
set -eu

root=$1
shift

mount --bind "$root" "$root"
mount -o remount,bind,ro,nosuid "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
for device in null zero full random urandom; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec,size=64m tmpfs "$root/dev/shm"
mount -o remount,ro "$root/dev"
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec,size=64m tmpfs "$root/tmp"

exec chroot "$root" /usr/bin/setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all /usr/bin/env --ignore-environment --chdir=/ "$@"
