import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a server of pages without breaking what is under way. */
export type RequestDrain = {
  /** From now on every answer says `Connection: close`, so that no further request comes by its connection. */
  begin(): void;
  /** Takes no new connection. Those that are there stay: a request that is on its way by one of them is still answered. */
  stopAccepting(): void;
  /** Waits until nothing is under way, at most `limitMs`; answers how many requests are left. */
  rest(limitMs: number): Promise<number>;
};

const LOOK_MS = 20;
/** So long nothing must have come in before connections on which nothing is under way are closed. */
const QUIET_MS = 200;

/** Follows all requests of a server; to be called before it listens. */
export function drainRequests(server: Server): RequestDrain {
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  let lastAtMs = 0;
  const sayClose = (response: ServerResponse) => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };
  server.prependListener('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    lastAtMs = performance.now();
    if (isDraining) sayClose(response);
    response.once('close', () => {
      underWay.delete(response);
      lastAtMs = performance.now();
    });
  });
  return {
    begin: () => {
      isDraining = true;
      for (const response of underWay) sayClose(response);
    },
    // The server's own would close the connections too on which nothing is under way just now.
    stopAccepting: () => void NetServer.prototype.close.call(server),
    rest: async (limitMs) => {
      const until = performance.now() + limitMs;
      const isQuiet = () => underWay.size === 0 && performance.now() - lastAtMs >= QUIET_MS;
      while (!isQuiet() && performance.now() < until) await sleep(LOOK_MS);
      server.closeIdleConnections();
      return underWay.size;
    },
  };
}
