import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { openApi } from '../api/open-api.ts';
import { freePort } from '../free-port.ts';
import { startPreparedPostgres } from '../prepared-postgres.ts';
import { type StartedApp, startApp } from '../start-app.ts';

const ROUNDS = 3;
/**
 * Pause in milliseconds between two requests of each client. Two clients send requests continuously; the others limit the load on the
 * machine.
 */
const PAUSES_MS = [50, 50, 250, 250, 250, 250];

test('three rolling restarts of two processes behind a proxy fail no request and drop no connection', async () => {
  test.setTimeout(900_000);
  const postgres = await startPreparedPostgres();
  const ports = [await freePort(), await freePort()];
  const proxy = await startProxy(ports);
  const start = (port: number): Promise<StartedApp> =>
    startApp({
      port,
      env: {
        DATABASE_URL: postgres.connectionString,
        HONE_SECRET: 'the same secret for both of them',
        HONE_WORKER_SLOTS: '1',
        HONE_SHUTDOWN_DELAY_SECONDS: '3',
        HONE_DRAIN_SECONDS: '10',
        APP_URL: proxy.address,
      },
    });
  const apps: StartedApp[] = [];
  try {
    for (const port of ports) apps.push(await start(port));
    await expect.poll(() => proxy.ready()).toBe(2);
    const load = startLoad(proxy.address);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [at, port] of ports.entries()) {
        await sleep(1_000);
        apps[at]?.kill('SIGTERM');
        await apps[at]?.ended;
        apps[at] = await start(port);
        await expect.poll(() => proxy.ready(), { timeout: 30_000 }).toBe(2);
      }
    }
    const { answered, failures, created } = await load.end();
    expect([failures, proxy.failures]).toEqual([[], []]);
    expect(answered).toBeGreaterThan(100);
    const names = JSON.stringify((await openApi(proxy.address).call('GET', '/api/v1/experiments?limit=100')).body);
    expect(created.slice(-20).filter((name) => !names.includes(name))).toEqual([]);
  } finally {
    await proxy.stop();
    await Promise.all(apps.map((app) => app.stop()));
    await postgres.stop();
  }
});

/** Requests pages, reads and writes in sequence from several concurrent clients. */
function startLoad(address: string) {
  const failures: string[] = [];
  const created: string[] = [];
  let answered = 0;
  let isOver = false;
  const api = openApi(address);
  const note = (what: string, status: number, expected: number) => {
    answered += 1;
    if (status !== expected) failures.push(`${what}: ${status}`);
  };
  const client = async (pauseMs: number, number: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      try {
        if (turn % 10 === 0) {
          const name = `Load ${number}-${turn}`;
          await api.createExperiment({ name });
          created.push(name);
          answered += 1;
        } else if (turn % 2 === 0) note('a page', (await fetch(`${address}/experiments`)).status, 200);
        else note('a read', (await api.call('GET', '/api/v1/runs')).status, 200);
      } catch (error) {
        failures.push(String(error));
      }
      await sleep(pauseMs);
    }
  };
  const all = Promise.all(PAUSES_MS.map(client));
  return {
    end: async () => {
      isOver = true;
      await all;
      return { answered, failures, created };
    },
  };
}

/** Starts a proxy that routes each request to a ready process, and to another one only if no connection was made. */
async function startProxy(ports: readonly number[]) {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<number>();
  const failures: string[] = [];
  let turn = 0;
  const look = setInterval(() => {
    for (const port of ports)
      fetch(`http://127.0.0.1:${port}/ready`).then(
        ({ status }) => (status === 200 ? ready.add(port) : ready.delete(port)),
        () => ready.delete(port),
      );
  }, 500);
  const server: Server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(Buffer.from(piece));
    turn += 1;
    const first = ports[turn % ports.length] ?? 0;
    const order = [...ports].sort(
      (one, other) =>
        Number(ready.has(other)) - Number(ready.has(one)) || Number(other === first) - Number(one === first),
    );
    for (const port of order) {
      try {
        const answer = await forward(port, agent, incoming, Buffer.concat(pieces));
        const {
          connection: _connection,
          'transfer-encoding': _encoding,
          'keep-alive': _keepAlive,
          ...headers
        } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        for await (const piece of answer) outgoing.write(piece);
        outgoing.end();
        return;
      } catch (error) {
        if (error instanceof Error && 'syscall' in error && error.syscall === 'connect') continue;
        failures.push(`${incoming.method} ${incoming.url}: ${String(error)}`);
        break;
      }
    }
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${port}`,
    failures,
    ready: () => ready.size,
    stop: async () => {
      clearInterval(look);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(port: number, agent: Agent, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = incoming.headers;
  return new Promise((resolve, reject) => {
    request(
      {
        ...{ port, agent, host: '127.0.0.1', method: incoming.method, path: incoming.url },
        headers: { ...headers, 'content-length': String(body.length) },
      },
      resolve,
    )
      .on('error', reject)
      .end(body);
  });
}
