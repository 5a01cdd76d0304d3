import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { launchApp, makeTemporaryFolder, type StartedApp } from '../start-app.ts';

/** Process of the fleet, with its current app. */
export type Member = { kind: 'web' | 'worker'; name: string; port: number; folder: string; app: StartedApp | null };

/** Several Hone processes on one database. A process that exits is restarted. */
export type Fleet = {
  members: readonly Member[];
  webs: readonly Member[];
  workers: readonly Member[];
  /** Ends a member with a signal and restarts it. Resolves when it is ready or the fleet was stopped. */
  restart(member: Member, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  stop(): Promise<void>;
};

export type FleetOptions = { connectionString: string; webs: number; workers: number; slots: number };

/** Starts all processes in parallel and resolves when they are ready. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const members: Member[] = [];
  for (const kind of ['web', 'worker'] as const)
    for (let number = 1; number <= (kind === 'web' ? options.webs : options.workers); number++)
      members.push({
        kind,
        name: `${kind} ${number}`,
        port: await freePort(),
        folder: makeTemporaryFolder(),
        app: null,
      });
  let isStopping = false;

  /** A start without a database fails as expected. A supervisor then restarts the process. */
  const start = async (member: Member): Promise<void> => {
    while (!isStopping) {
      const app = await launchApp({
        parentFolder: member.folder,
        port: member.port,
        flags: member.kind === 'worker' ? ['--worker'] : [],
        env: {
          DATABASE_URL: options.connectionString,
          HONE_SECRET: 'the same secret for the whole fleet',
          HONE_WORKER_SLOTS: member.kind === 'worker' ? String(options.slots) : '0',
        },
      });
      member.app = app;
      const isReady = await app.waitForOutput(/ready (at|to perform) /, 300_000).then(
        () => true,
        () => false,
      );
      if (isReady) return;
      app.kill('SIGKILL');
      await app.ended;
      if (!/database|DATABASE_URL|connect/i.test(app.output())) throw new Error(`${member.name}:\n${app.output()}`);
      await sleep(300);
    }
  };

  await Promise.all(members.map(start));
  return {
    members,
    webs: members.filter(({ kind }) => kind === 'web'),
    workers: members.filter(({ kind }) => kind === 'worker'),
    restart: async (member, signal) => {
      member.app?.kill(signal);
      await member.app?.ended;
      await start(member);
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(members.map(({ app }) => app?.stop()));
      for (const { folder } of members) rmSync(folder, { recursive: true, force: true });
    },
  };
}
