import { HONE_ACTOR } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Decision, PLAIN_DECISION } from '#lib/core/history.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { formatDuration } from '#lib/format.ts';
import { seenOf } from './decide.ts';
import { pausedIteration } from './decided-version.ts';
import type { StoredRun } from './load-run.ts';
import { runsWithExpiredPause } from './queries.ts';
import { type RunChange, updateRun } from './update-run.ts';

/**
 * Ends expired pauses as configured in their experiment: the rules decide, or the run stops. The rules never allow a tool use that needs
 * approval. Safe beside concurrent decisions and other workers: each pause ends once. Returns the number of ended pauses.
 */
export async function expirePauses(context: AppContext): Promise<number> {
  const now = context.now();
  let ended = 0;
  for (const runId of await runsWithExpiredPause(context.database, now)) {
    const result = await updateRun(context, runId, (stored) => expiredPause(stored, now), {
      actor: HONE_ACTOR,
      of: ({ experimentName }, { history }) => ({
        act: 'decided',
        subject: { kind: 'run', id: runId, name: experimentName },
        change: { decision: history.decisions.at(-1)?.decision ?? null, by: 'timeout' },
      }),
    });
    if (result.ok) ended++;
  }
  return ended;
}

function expiredPause(stored: StoredRun, now: Date): Result<RunChange> {
  const { history, settings } = stored;
  const { pause } = history;
  if (pause === null || pause.expiresAt === null || pause.expiresAt > now.toISOString())
    return fail('conflict', 'The pause was already answered.');
  const { onTimeout, timeoutSeconds } = settings.callbacks;
  const waited = formatDuration((timeoutSeconds ?? 0) * 1000);
  // The rules cannot judge a version without its score, so it stays unscored and counts as not satisfactory.
  const isUnscored = onTimeout === 'auto' && pause.asks.length > 0;
  const decision: Decision = {
    ...PLAIN_DECISION,
    hook: pause.hook,
    version: pause.version,
    iteration: pausedIteration(stored, pause.version),
    decision: isUnscored ? 'continue' : onTimeout,
    by: 'timeout',
    reason: `Nobody answered within ${waited}.`,
    toolCallId: pause.toolCall?.id ?? null,
    seen: seenOf(stored, pause.version),
    pauseId: pause.pauseId,
    at: now.toISOString(),
    step: history.step,
  };
  return succeed({
    history: { ...history, pause: null, decisions: [...history.decisions, decision] },
    results: [{ type: 'decision', decision }],
    verdict: true,
  });
}
