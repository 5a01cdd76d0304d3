#!/bin/sh
# The command of the package. Runs Hone on the Node that npm installed beside it, else on the system's.
dist=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
for node in "$dist/../../node/bin/node" "$dist/../node_modules/node/bin/node"; do
  [ -x "$node" ] && exec "$node" "$dist/lib/server/start.mjs" "$@"
done
exec node "$dist/lib/server/start.mjs" "$@"
