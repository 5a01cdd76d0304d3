import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { freePort } from '../free-port.ts';
import { startPreparedPostgres } from '../prepared-postgres.ts';
import { startApp } from '../start-app.ts';

test('pages answer 503 while the database is unreachable, log no stack, and load when it is back', async ({ page }) => {
  test.setTimeout(180_000);
  const postgres = await startPreparedPostgres();
  const link = await startLink(postgres.connectionString);
  const app = await startApp({
    env: { DATABASE_URL: link.connectionString, HONE_SECRET: 'a secret of this test only, long' },
  });
  try {
    await page.goto(`${app.address}/experiments`);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('Experiments');
    await link.cut();
    const first = await fetch(`${app.address}/runs`);
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '5']);
    await app.waitForOutput(/the database is unreachable/);
    const later = await fetch(`${app.address}/runs`);
    expect([later.status, later.headers.get('retry-after')]).toEqual([503, '5']);
    await page.getByRole('link', { name: 'Lessons', exact: true }).first().click();
    await expect(heading).toHaveText('The database does not respond');
    await link.open();
    await expect(heading).toHaveText('Lessons', { timeout: 30_000 });
    expect(app.output()).not.toMatch(/^ {4}at /m);
  } finally {
    await app.stop();
    await link.cut();
    await postgres.stop();
  }
});

/** Starts a server that passes connections on to the Unix socket of PostgreSQL, until it is cut. */
async function startLink(connectionString: string) {
  const target = new URL(connectionString);
  const socketPath = `${target.searchParams.get('host')}/.s.PGSQL.${target.port || '5432'}`;
  const port = await freePort();
  const sockets = new Set<Socket>();
  let server: Server;
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((client) => {
        const peer = connect(socketPath);
        for (const [one, other] of [
          [client, peer],
          [peer, client],
        ] as const) {
          sockets.add(one);
          one.on('error', () => undefined).on('close', () => other.destroy());
          one.pipe(other);
        }
      }).listen(port, '127.0.0.1', resolve);
    });
  await open();
  target.searchParams.delete('host');
  target.host = `127.0.0.1:${port}`;
  return {
    connectionString: target.href,
    open,
    cut: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
