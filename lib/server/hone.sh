#!/bin/sh
# The `hone` command of the package. Uses the Node version that npm installed with it, otherwise the one on the PATH.
dist=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
for node in "$dist/../../node/bin/node" "$dist/../node_modules/node/bin/node"; do
  [ -x "$node" ] && exec "$node" "$dist/lib/server/start.mjs" "$@"
done
exec node "$dist/lib/server/start.mjs" "$@"
