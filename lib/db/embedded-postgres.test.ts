import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts';

let dataFolder: string;

beforeEach(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'hone-embedded-'));
  // As root the server's own user must get in.
  chmodSync(dataFolder, 0o711);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Does `act` when the server is asked to make Hone's database, which is the last step of its start. */
function whenDatabaseIsMade(act: () => void): void {
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    if (given[0] === 'CREATE DATABASE hone') act();
    return query.apply(this, given);
  });
}

const start = (signal: AbortSignal) =>
  startEmbeddedPostgres({ dataFolder, say: () => undefined, signal, durable: false });

function serversLeft(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf)
    .filter((command) => command.includes(dataFolder));
}

function commandOf(processId: string): string {
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test.runIf(process.platform === 'linux')(
  'a start given up while the database is being made leaves no server',
  async () => {
    const givingUp = new AbortController();
    whenDatabaseIsMade(() => givingUp.abort());
    const started = await start(givingUp.signal);
    expect(serversLeft()).toEqual([]);
    expect(started).toMatchObject({ ok: false, problem: { message: expect.stringContaining('given up') } });
  },
);

test.runIf(process.platform === 'linux')('a database that can not be made is told, and leaves no server', async () => {
  whenDatabaseIsMade(() => {
    throw new Error('no space left');
  });
  const started = await start(new AbortController().signal);
  expect(serversLeft()).toEqual([]);
  expect(started).toMatchObject({ ok: false, problem: { message: expect.stringContaining('no space left') } });
});
