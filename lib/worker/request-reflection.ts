import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import type { Critique, Version } from '#lib/core/history.ts';
import { failureText } from '#lib/core/model-request.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import type { CritiqueRecord } from '#lib/core/run-record.ts';
import type { Step } from '#lib/core/step.ts';
import { NO_SERVICES } from '#lib/evaluators/evaluator.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { withModels } from '#lib/model-calls/stored-models.ts';
import type { CallEntry } from '#lib/runs/call-schema.ts';
import { versionNumber } from '#lib/runs/decision-input.ts';
import { recordCalls } from '#lib/runs/journal.ts';
import { loadRun, type StoredRun } from '#lib/runs/load-run.ts';
import { updateRun } from '#lib/runs/update-run.ts';
import { performStep } from './perform-step.ts';
import { recordedCall } from './recorded-call.ts';

/** Input of a manual reflection. Without a version, uses the last one, or the best one of an ended run. */
export const reflectionInputSchema = z.strictObject({ version: versionNumber.optional() });

/**
 * Requests a critique of a version immediately and stores it with the run, in any state of the run. A continuing run uses it in its next
 * revision of that version, or in its next attempt. Does not change the run's ending, its pause or its iteration count. The run's budgets
 * do not apply, because a person requested it. Source: Reflection requirements 2.3 (manual).
 */
export async function requestReflection(
  context: AppContext,
  actor: Actor,
  runId: string,
  input: unknown,
  signal: AbortSignal,
): Promise<Result<{ version: number; critique: CritiqueRecord }>> {
  const parsed = parseInput(reflectionInputSchema, input);
  if (!parsed.ok) return parsed;
  const stored = await loadRun(context.database, runId);
  if (stored === null) return notStored('run', runId);
  if (stored.settings.mode === 'tune')
    return fail(
      'conflict',
      'A run that tunes a prompt reflects on failed cases, and proposes in the same call. Guide its next proposal at a pause instead.',
    );
  const version = versionOf(stored, parsed.value.version);
  if (!version.ok) return version;
  const made = await reflect(context, stored, version.value, signal);
  if (!made.ok) return made;
  const updated = await updateRun(
    context,
    runId,
    ({ history }) => {
      const critique = { ...made.value, step: history.step };
      return succeed({
        history: { ...history, critiques: [...history.critiques, critique] },
        results: [{ type: 'critique', critique }],
        verdict: false,
      });
    },
    {
      actor,
      of: ({ experimentName }) => ({
        act: 'requested',
        subject: { kind: 'run', id: runId, name: experimentName },
        change: { what: 'reflection', version: made.value.version },
      }),
    },
  );
  if (!updated.ok) return updated;
  const { version: number, step: _step, ...critique } = made.value;
  return succeed({ version: number, critique });
}

function versionOf({ run, history, settings }: StoredRun, wanted: number | undefined): Result<Version> {
  const { versions } = history;
  if (versions.length === 0) return fail('conflict', 'The run has no version yet that could be reflected on.');
  const best = run.finishedAt !== null ? bestVersion(history, settings.bestVersion) : null;
  const number = wanted ?? best ?? versions.length - 1;
  const version = versions.find((candidate) => candidate.number === number);
  if (version === undefined)
    return fail(
      'invalid',
      `version ${number} does not exist: the run has versions 0 to ${versions.length - 1}.`,
      'version',
    );
  if (version.outputDropped)
    return fail('conflict', `The text of version ${number} was not kept when the run ended.`, 'version');
  return succeed(version);
}

/** The call is journalled under the step that made the version, because no worker makes further calls for that step. */
async function reflect(
  context: AppContext,
  { run, history, settings }: StoredRun,
  version: Version,
  signal: AbortSignal,
): Promise<Result<Critique>> {
  const step: Step = { type: 'critique', version: version.number, trigger: 'manual' };
  const entries: CallEntry[] = [];
  const scope = { experimentId: run.experimentId, purpose: null };
  const result = await withModels(context, scope, async (caller) => {
    const call = recordedCall({
      call: caller,
      saved: new Map(),
      record: (entry) => entries.push(entry),
      signal: () => signal,
      onText: () => null,
      now: context.now,
    });
    const made = await performStep(step, {
      history,
      settings,
      case: run,
      call: (_step, request) => call(version.step, request),
      ...NO_SERVICES,
      now: context.now,
      newId: context.newId,
    });
    await recordCalls(context.database, { runId: run.id, claim: null }, entries);
    return made;
  });
  if (result?.type === 'critique') return succeed(result.critique);
  if (result?.type === 'failure') return fail('unavailable', failureText(result.failure));
  return fail('unavailable', 'The call was canceled before the response.');
}
