#!/bin/sh
# Run Moose as in a container with a read-only root, no HOME and no folder for temporary files (needs root, Linux).
#
#   sh tools/read_only_run.sh ONTOLOGY [MOOSE]
#
# Classifies the ontology and trains a small model; what is to be kept goes to a file system in memory.
set -eu
ontology=$(realpath "$1")
moose=$(realpath "${2:-.venv/bin/moose}")
export ontology moose
exec unshare -m sh -euc '
root=/mnt
mount --make-rprivate /
mount --bind / $root
mount -o remount,bind,ro $root
for one in /dev /proc; do mount --rbind $one $root$one; done
mount -t tmpfs none $root/run
exec chroot $root env -i PATH=/usr/bin:/bin LANG=C.UTF-8 ontology="$ontology" moose="$moose" sh -uc "
cd /
touch /tmp/x 2>/dev/null && { echo the root can be written; exit 1; }
\$moose classify \$ontology > /run/taxonomy.tsv || exit
wc -l /run/taxonomy.tsv
\$moose train mnist1 --data digits --count 64 --epochs 1 --size 8 -o /run/model || exit
ls /run/model"'
