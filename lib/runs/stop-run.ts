import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import { decide } from './decide.ts';
import { loadRun } from './load-run.ts';

/** Stops a run in any state. Aborts calls in flight and keeps what is stored. The stop is also the decision on a waiting run's pause. */
export async function stopRun(
  context: AppContext,
  actor: Actor,
  runId: string,
): Promise<Result<{ status: RunStatus }>> {
  const pauseId = (await loadRun(context.database, runId, 'scores'))?.history.pause?.pauseId;
  const decided = await decide(context, actor, runId, {
    decision: 'stop',
    ...(pauseId === undefined ? {} : { pauseId }),
  });
  if (!decided.ok) return decided;
  const after = await loadRun(context.database, runId, 'scores');
  return succeed({ status: after?.run.status ?? 'stopped' });
}
