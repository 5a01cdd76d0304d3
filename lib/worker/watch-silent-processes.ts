import type { AppContext } from '#lib/context/app-context.ts';
import { isUnreachable } from '#lib/database/while-unreachable.ts';
import { getLog } from '#lib/log/log.ts';
import type { Queue } from '#lib/queue/queue.ts';
import { type SilentProcess, silentProcesses } from '#lib/queue/silent-processes.ts';
import { takeOver } from './take-over.ts';

/** How often it is looked for processes that are gone, in milliseconds. */
const LOOK_MS = 1_500;

/**
 * Takes over from processes that are gone, from now on: within about three seconds from one that was killed, and after 30 s of
 * silence from one whose machine is gone. Looks only while `hasOthers`. Answers how to stop, which waits for what is under way.
 */
export function watchSilentProcesses(
  context: Pick<AppContext, 'database'> & { queue: Pick<Queue, 'sendAnew'> },
  ownId: string,
  hasOthers: (ownId: string) => Promise<boolean>,
): () => Promise<void> {
  let before: SilentProcess[] = [];
  let underWay: Promise<void> | null = null;
  async function look(): Promise<void> {
    if (!(await hasOthers(ownId))) return;
    const silent = await silentProcesses(context.database, ownId);
    const gone = silent.filter((one) => one.isLong || before.some((other) => isSame(one, other)));
    before = silent;
    for (const process of gone) {
      const runs = await takeOver(context, process);
      if (runs !== null)
        getLog().warn(`process ${process.processId} on ${process.host} is gone; ${runs} of its runs go on elsewhere`);
    }
  }
  const looking = setInterval(() => {
    underWay ??= look()
      .catch((error: unknown) => {
        if (!isUnreachable(error)) getLog().error('taking over', error);
      })
      .finally(() => {
        underWay = null;
      });
  }, LOOK_MS).unref();
  return async () => {
    clearInterval(looking);
    await underWay;
  };
}

/** Not heard of between two looks. */
function isSame(one: SilentProcess, other: SilentProcess): boolean {
  return one.id === other.id && one.seenAt.getTime() === other.seenAt.getTime();
}
