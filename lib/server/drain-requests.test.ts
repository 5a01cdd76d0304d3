import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { drainRequests, type RequestDrain } from './drain-requests.ts';

const open = new Set<Server>();
const agents = new Set<Agent>();
afterEach(() => {
  for (const agent of agents) agent.destroy();
  for (const server of open) server.closeAllConnections();
  agents.clear();
  open.clear();
});

type Backend = { server: Server; drain: RequestDrain; port: number };

async function startBackend(answerAfterMs: () => number, port = 0): Promise<Backend> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => {
    void sleep(answerAfterMs()).then(() => response.end('answered'));
  });
  const drain = drainRequests(server);
  open.add(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  return { server, drain, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

function openAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  agents.add(agent);
  return agent;
}

type Answer = { text: string; connection: string | undefined; localPort: number };

function ask(port: number, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, agent, host: '127.0.0.1', method: 'POST' }, async (response: IncomingMessage) => {
      const localPort = response.socket.localPort ?? 0;
      let text = '';
      try {
        for await (const piece of response) text += String(piece);
        resolve({ text, connection: response.headers.connection, localPort });
      } catch (error) {
        reject(error);
      }
    });
    asked.on('error', reject).end('asked');
  });
}

test('responses close their connections while draining, including requests already in progress', async () => {
  const { server, drain, port } = await startBackend(() => 50);
  const agent = openAgent();
  expect((await ask(port, agent)).connection).toBe('keep-alive');
  const arrived = once(server, 'request');
  const underWay = ask(port, agent);
  await arrived;
  drain.begin();
  expect(await underWay).toMatchObject({ text: 'answered', connection: 'close' });
  expect(await ask(port, agent)).toMatchObject({ text: 'answered', connection: 'close' });
});

test('serves an open connection after it stops accepting new ones', async () => {
  const { drain, port } = await startBackend(() => 0);
  const agent = openAgent();
  const { localPort } = await ask(port, agent);
  drain.begin();
  await drain.stopAccepting();
  expect(await ask(port, agent)).toMatchObject({ text: 'answered', connection: 'close', localPort });
  await expect(ask(port, openAgent())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('waits for requests in progress and returns the number that exceed the timeout', async () => {
  let waitMs = 300;
  const { server, drain, port } = await startBackend(() => waitMs);
  const arrived = once(server, 'request');
  const first = ask(port, openAgent());
  await arrived;
  drain.begin();
  await drain.stopAccepting();
  expect(await drain.rest(30_000)).toBe(0);
  expect(await first).toMatchObject({ text: 'answered' });

  waitMs = 60_000;
  const slow = await startBackend(() => waitMs);
  const left = ask(slow.port, openAgent());
  left.catch(() => undefined);
  await once(slow.server, 'request');
  slow.drain.begin();
  await slow.drain.stopAccepting();
  expect(await slow.drain.rest(100)).toBe(1);
});

test('three rolling restarts fail no request behind a proxy that retries only failed connections', async () => {
  const answerAfterMs = () => Math.random() * 30;
  const backends = [await startBackend(answerAfterMs), await startBackend(answerAfterMs)];
  const ready = new Set(backends.map(({ port }) => port));
  const agent = openAgent();
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  let turn = 0;
  const send = async (): Promise<void> => {
    // Backends that are not ready come last.
    turn += 1;
    const order = backends
      .map((_, at) => backends[(at + turn) % backends.length])
      .filter((backend) => backend !== undefined)
      .toSorted((one, other) => Number(ready.has(other.port)) - Number(ready.has(one.port)));
    for (const { port } of order) {
      try {
        await ask(port, agent);
        answered += 1;
        return;
      } catch (error) {
        if (!(error instanceof Error && 'syscall' in error && error.syscall === 'connect')) {
          failures.push(String(error));
          return;
        }
      }
    }
    failures.push('no process took it');
  };
  const load = Promise.all(
    Array.from({ length: 12 }, async () => {
      while (!isOver) await send();
    }),
  );
  for (let round = 0; round < 3; round += 1) {
    for (const [at, backend] of [...backends.entries()]) {
      const before = answered;
      while (answered < before + 100) await sleep(10);
      backend.drain.begin();
      // Half of the proxy's check interval, so that requests still arrive.
      await sleep(25);
      ready.delete(backend.port);
      await sleep(25);
      await backend.drain.stopAccepting();
      expect(await backend.drain.rest(60_000)).toBe(0);
      backend.server.closeAllConnections();
      const next = await startBackend(answerAfterMs, backend.port);
      backends[at] = next;
      ready.add(next.port);
    }
  }
  isOver = true;
  await load;
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(600);
}, 120_000);
