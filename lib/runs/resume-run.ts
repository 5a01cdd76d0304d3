import { experimentOriginSchema } from '#lib/reflection/experiment-origin.ts';
import type { Decision } from '#lib/reflection/history.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { lackOfRun } from '#lib/reflection/unscored-failure.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { changeRun } from './change-run.ts';
import { refuseImported } from './refuse-imported.ts';
import type { Workshop } from './workshop.ts';

/** Lets a failed or stopped run go on where it was: saved replies are not asked for again. */
export async function resumeRun(
  workshop: Workshop,
  actor: Actor,
  runId: string,
): Promise<Result<{ status: 'queued' }>> {
  const refusal = await refuseRunImported(workshop, runId);
  if (refusal !== null) return refusal;
  const result = await changeRun(
    workshop,
    runId,
    ({ run, history, settings }) => {
      if (run.status !== 'failed' && run.status !== 'stopped') {
        return fail(
          'conflict',
          `Only a failed or stopped run can be resumed; this one is ${run.status}${run.convergence_reason === null ? '' : ` (${run.convergence_reason})`}.`,
        );
      }
      const lack = lackOfRun(history, settings, run);
      if (lack !== null) return fail('conflict', `${lack.message} ${lack.remedy}`);
      const last = history.versions.at(-1);
      const decision: Decision = {
        hook: 'onReflection',
        version: last?.number ?? null,
        iteration: last?.iteration ?? 0,
        decision: 'resume',
        by: 'person',
        actor: actor.name,
        reason: null,
        score: null,
        criterion: null,
        guidance: null,
        toolCallId: null,
        toolArguments: null,
        seen: null,
        pauseId: null,
        at: workshop.now().toISOString(),
        step: history.step,
      };
      return succeed({
        history: { ...history, failure: null, decisions: [...history.decisions, decision] },
        results: [{ type: 'decision', decision }],
        verdict: true,
      });
    },
    {
      actor,
      of: ({ run, experimentName }) => ({ act: 'resumed', subject: { kind: 'run', id: run.id, name: experimentName } }),
    },
  );
  return result.ok ? succeed({ status: 'queued' }) : result;
}

async function refuseRunImported({ database }: Workshop, runId: string): Promise<Result<never> | null> {
  const run = await database.prisma.run.findUnique({
    where: { id: runId },
    select: { experiment: { select: { name: true, origin: true } } },
  });
  if (run === null) return null;
  return refuseImported({ name: run.experiment.name, origin: experimentOriginSchema.parse(run.experiment.origin) });
}
