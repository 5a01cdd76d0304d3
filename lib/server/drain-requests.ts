import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Shuts down a page server without interrupting requests in progress. */
export type RequestDrain = {
  /** Sends `Connection: close` with every response from now on, so that clients do not reuse connections. */
  begin(): void;
  /**
   * Stops accepting connections after a short time without new ones, or after one second, because connections in the accept queue would be
   * reset. Open connections stay: a request in flight on one of them still gets a response.
   */
  stopAccepting(): Promise<void>;
  /** Waits until no request is in progress, at most `limitMs`. Returns the number of requests left. */
  rest(limitMs: number): Promise<number>;
};

const LOOK_MS = 20;
/** Idle time is counted in polls, not by the clock. A process that was suspended has not read its new requests yet. */
const SETTLED_LOOKS = 5;
const MAX_SETTLING_MS = 1_000;
const QUIET_LOOKS = 10;

/** Tracks all requests of a server. Must be called before the server listens. */
export function drainRequests(server: Server): RequestDrain {
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  /** Incremented for every new connection and request, and for every finished response. */
  let events = 0;
  const requestClose = (response: ServerResponse) => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };
  server.on('connection', () => {
    events += 1;
  });
  server.prependListener('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    events += 1;
    if (isDraining) requestClose(response);
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
    // Runs after pending input has been read.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    begin: () => {
      isDraining = true;
      for (const response of underWay) requestClose(response);
    },
    stopAccepting: async () => {
      await waitForQuiet(SETTLED_LOOKS, MAX_SETTLING_MS, () => true);
      // The `close` of the HTTP server would also close idle connections.
      NetServer.prototype.close.call(server);
    },
    rest: async (limitMs) => {
      await waitForQuiet(QUIET_LOOKS, limitMs, () => underWay.size === 0);
      server.closeIdleConnections();
      return underWay.size;
    },
  };
}
