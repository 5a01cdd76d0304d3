import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a server of pages without breaking what is under way. */
export type RequestDrain = {
  /** From now on every answer says `Connection: close`, so that no further request comes by its connection. */
  begin(): void;
  /**
   * Takes no new connection, once none came in for a moment or a second is over: those that wait to be taken would be reset. The ones
   * that are there stay: a request that is on its way by one of them is still answered.
   */
  stopAccepting(): Promise<void>;
  /** Waits until nothing is under way, at most `limitMs`; answers how many requests are left. */
  rest(limitMs: number): Promise<number>;
};

const LOOK_MS = 20;
/** Quiet is counted in looks, not by the clock: a process that stood still has not read yet what came in meanwhile. */
const SETTLED_LOOKS = 5;
const LONGEST_SETTLING_MS = 1_000;
const QUIET_LOOKS = 10;

/** Follows all requests of a server; to be called before it listens. */
export function drainRequests(server: Server): RequestDrain {
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  /** Grows with every connection and request that comes in, and with every answer. */
  let events = 0;
  const sayClose = (response: ServerResponse) => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };
  server.on('connection', () => {
    events += 1;
  });
  server.prependListener('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    events += 1;
    if (isDraining) sayClose(response);
    response.once('close', () => {
      underWay.delete(response);
      events += 1;
    });
  });
  const waitForQuiet = async (looks: number, limitMs: number, isFree: () => boolean): Promise<void> => {
    const until = performance.now() + limitMs;
    let seen = events;
    for (let quiet = 0; quiet < looks && performance.now() < until; ) {
      await sleep(LOOK_MS);
      quiet = isFree() && events === seen ? quiet + 1 : 0;
      seen = events;
    }
    // Right after what had come in was read.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    begin: () => {
      isDraining = true;
      for (const response of underWay) sayClose(response);
    },
    stopAccepting: async () => {
      await waitForQuiet(SETTLED_LOOKS, LONGEST_SETTLING_MS, () => true);
      // The server's own would close the connections too on which nothing is under way just now.
      NetServer.prototype.close.call(server);
    },
    rest: async (limitMs) => {
      await waitForQuiet(QUIET_LOOKS, limitMs, () => underWay.size === 0);
      server.closeIdleConnections();
      return underWay.size;
    },
  };
}
