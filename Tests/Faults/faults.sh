#!/usr/bin/env bash
# Injects an error at each place of a copy of the sources at which one can begin, and sees to it that somebody is told of it.
# usage: faults.sh [--short] [--list] [--verbose] [--only POINT] [--scenario NAME]
#   --short      each point once, in one scenario
#   --only       some points, as --list names them; `*` stands for anything
#   --verbose    what was seen of each run that is wrong
set -euo pipefail
cd "$(dirname "$0")/../.."

[[ $(uname) == Linux ]] || { echo "faults: skipped, because only Linux runs a test bundle as a program"; exit 0; }
# What a machine says about recording is not what is tested.
unset CI REWIND_MODE REWIND_CASSETTES REWIND_MANIFEST REWIND_LOG
exec python3 Tests/Faults/faults.py "$@"
