import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { AnswerTooLargeError, type GuardedFetchOptions, guardedFetch } from './guarded-fetch.ts';
import { RefusedAddressError } from './outgoing-address.ts';

const LOCAL = { allowLoopback: true, allowedPrivateHosts: [] };
let server: Server | null = null;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  server = null;
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return `http://127.0.0.1:${address.port}/`;
}

function ask(options: Partial<GuardedFetchOptions> = {}) {
  return guardedFetch({ rules: LOCAL, maxBytes: 1_000, ...options });
}

describe('the size limit of a response', () => {
  test.each([
    ['allows a smaller body', 1_000, true],
    ['allows a body of exactly the limit', 500, true],
    ['rejects a larger body', 499, false],
  ])('%s', async (_name, maxBytes, fits) => {
    const address = await serve((_request, response) => response.end('x'.repeat(500)));
    const response = await ask({ maxBytes })(address);
    if (fits) expect(await response.text()).toHaveLength(500);
    else await expect(response.text()).rejects.toThrow(AnswerTooLargeError);
  });

  const bomb = Buffer.alloc(20_000_000);
  test.each([
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb)],
  ])('applies to the decompressed body of a %s response', async (coding, packed) => {
    const address = await serve((_request, response) => {
      response.setHeader('content-encoding', coding);
      response.end(packed);
    });
    const unpacked = await ask({ unpacks: true, maxBytes: bomb.length })(address);
    expect(unpacked.headers.has('content-encoding')).toBe(false);
    expect((await unpacked.arrayBuffer()).byteLength).toBe(bomb.length);
    const bounded = await ask({ unpacks: true, maxBytes: 100_000 })(address);
    await expect(bounded.text()).rejects.toThrow(AnswerTooLargeError);
    const asItCame = await ask({ maxBytes: bomb.length })(address);
    expect((await asItCame.arrayBuffer()).byteLength).toBe(packed.length);
  });

  test('an invalid compressed body fails when it is read', async () => {
    const address = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end('plain');
    });
    await expect((await ask({ unpacks: true })(address)).text()).rejects.toThrow(/header/);
  });
});

test('returns a redirect without following it', async () => {
  let asked = 0;
  const address = await serve((_request, response) => {
    asked += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect((await ask()(address)).status).toBe(302);
  expect(asked).toBe(1);
});

test('reuses a connection only under the same address rules and if keep-alive is on', async () => {
  const sockets = new Set<Socket>();
  const address = await serve((request, response) => {
    sockets.add(request.socket);
    response.end('x');
  });
  const read = async (get: ReturnType<typeof ask>) => (await get(address)).text();
  const kept = ask({ keepsConnections: true });
  for (let times = 0; times < 3; times++) await read(kept);
  await read(ask({ keepsConnections: true }));
  expect(sockets.size).toBe(1);
  await read(ask({ keepsConnections: true, rules: { ...LOCAL } }));
  expect(sockets.size).toBe(2);
  for (let times = 0; times < 2; times++) await read(ask());
  expect(sockets.size).toBe(4);
  const strict = ask({ keepsConnections: true, rules: { allowLoopback: false, allowedPrivateHosts: [] } });
  await expect(strict(address)).rejects.toThrow(RefusedAddressError);
  expect(sockets.size).toBe(4);
});

test.each(['before its response', 'during its response'])(
  'a request aborted %s throws the abort reason',
  async (when) => {
    const address = await serve((_request, response) => {
      if (when === 'during its response') response.write('half');
    });
    const stop = new AbortController();
    const asked = ask()(address, { signal: stop.signal }).then((response) => response.text());
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(asked).rejects.toThrow('enough');
  },
);

test('a server that switches protocols ends the request with an error', async () => {
  const address = await serve(() => undefined);
  server?.on('connection', (socket: Socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  );
  await expect(ask()(address)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a status that HTTP does not define is an error that names it and closes the connection', async () => {
  const address = await serve((_request, response) => response.writeHead(999).write('no'));
  const connected = once(server ?? createServer(), 'connection');
  await expect(ask()(address)).rejects.toThrow('it responded with the invalid status 999');
  const [socket]: Socket[] = await connected;
  if (socket?.destroyed === false) await once(socket, 'close');
});
