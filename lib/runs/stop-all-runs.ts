import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { countUnfinished, findStopAll, holdBackQueued, stateOf, writeStopAll } from './stop-all.ts';
import { type StopAllState, stopAllInputSchema } from './stop-all-record.ts';

/**
 * Asks for all runs to be stopped that are queued or under way now, and on request those that wait for a person. From then on none that is queued
 * begins; workers stop them one by one (`continueStopAll`), each as if somebody had stopped it alone, so each can be resumed. What is asked for
 * is stored: a kill in the middle changes nothing. Answers how many they are.
 */
export async function stopAllRuns(context: AppContext, actor: Actor, input: unknown): Promise<Result<StopAllState>> {
  const parsed = parseInput(stopAllInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database, now, newId } = context;
  const [counts, before] = await Promise.all([countUnfinished(database), findStopAll(database)]);
  const isUnderWay = before !== null && before.doneAt === null;
  const waiting = parsed.value.waiting || (isUnderWay && before.waiting);
  const total = counts.queued + counts.running + (waiting ? counts.waiting : 0);
  const { id, name, role, memberId, entry, address } = actor;
  const asked = {
    id: newId(),
    actor: { id, name, role, memberId, entry, address },
    askedBy: name,
    askedAt: now().toISOString(),
    waiting,
    total,
    stopped: 0,
    doneAt: total === 0 ? now().toISOString() : null,
    upToNumber: counts.upToNumber,
  };
  await inTransaction(database, async (client) => {
    await writeStopAll(client, asked);
    await holdBackQueued(client, counts.upToNumber);
    await recordChange(client, actor, {
      act: 'stopped',
      subject: { kind: 'batch', name: 'all runs' },
      change: { runs: total, waiting },
    });
  });
  return succeed(stateOf(asked));
}
