import { savedReplies } from '#lib/db/journal.ts';
import { loadRun, type StoredRun } from '#lib/db/load-run.ts';
import {
  hasWaitingRescores,
  RESCORE_LEASE_MS,
  recordRescoreCalls,
  releaseRescores,
  renewRescores,
  type SettledRescore,
  settleRescore,
  takeRescore,
} from '#lib/db/rescores.ts';
import type { History } from '#lib/reflection/history.ts';
import type { StepResult } from '#lib/reflection/step.ts';
import { withoutPeople } from '#lib/reflection/without-people.ts';
import { CallBuffer } from './call-buffer.ts';
import { journalledCall } from './journalled-call.ts';
import type { Bench } from './perform-run.ts';
import { performStep } from './perform-step.ts';

/**
 * Does the re-scores of a run that wait, one after another, whatever state the run is in. Each is held by one worker at a time and
 * finds the replies it was already given, so a kill anywhere costs at most the call under way. Throws when the worker stops or
 * another worker holds what is left: the queue then sends the run again.
 */
export async function performRescores(bench: Bench, runId: string): Promise<void> {
  const { database, signal } = bench;
  if (!(await hasWaitingRescores(database, runId))) return;
  const holder = bench.newId();
  const renewal = setInterval(() => renewRescores(database, holder).catch(() => undefined), RESCORE_LEASE_MS / 3);
  try {
    for (;;) {
      if (signal.aborted) throw new Error('the worker stops');
      const taken = await takeRescore(database, runId, holder);
      const stored = taken === null ? null : await loadRun(database, runId);
      if (taken === null || stored === null) break;
      const settled = await rescored(bench, stored, taken);
      if (settled !== null) await settleRescore(database, { runId, holder, ...taken }, settled, bench.now());
    }
    if (await hasWaitingRescores(database, runId)) throw new Error('another worker holds the re-scores');
  } finally {
    clearInterval(renewal);
    await releaseRescores(database, holder);
  }
}

/** Judges a version once more; null when the worker stops meanwhile. */
async function rescored(
  bench: Bench,
  { run, history, settings }: StoredRun,
  { number, version }: { number: number; version: number },
): Promise<SettledRescore | null> {
  const { database, signal } = bench;
  const step = -number;
  const buffer = new CallBuffer((entries) => recordRescoreCalls(database, run.id, entries));
  const call = journalledCall({
    call: bench.call,
    saved: await savedReplies(database, run.id, step),
    record: (entry) => buffer.add(entry),
    signal: () => signal,
    onText: () => null,
    now: bench.now,
  });
  const result = await performStep(
    { type: 'evaluate', version },
    {
      history: upTo(history, version, step),
      settings: withoutPeople(settings),
      case: run,
      call,
      python: bench.python,
      validate: (webhook, request) => bench.validate(webhook, { ...request, run: run.id }, signal),
      now: bench.now,
      newId: bench.newId,
    },
  );
  await buffer.flush();
  return result === null ? null : settledOf(result);
}

function settledOf(result: StepResult): SettledRescore {
  switch (result.type) {
    case 'evaluation': {
      const { status, overallScore, criteriaScores, tokenUsage, costUsd, durationMs } = result.evaluation;
      return { status, overallScore, criteriaScores, message: null, tokenUsage, costUsd, durationMs };
    }
    case 'failure': {
      const { message, remedy, tokenUsage, costUsd, durationMs } = result.failure;
      const failed = {
        status: 'failed' as const,
        overallScore: null,
        criteriaScores: {},
        tokenUsage,
        costUsd,
        durationMs,
      };
      return { ...failed, message: `${message} ${remedy}`.trim() };
    }
    case 'version':
    case 'critique':
    case 'lesson':
    case 'decision':
    case 'pause':
    case 'end':
      throw new Error(`an evaluation came out as a ${result.type}`);
  }
}

/** The history as it was when the version was judged for the first time; `step` keeps its calls apart from the loop's own. */
function upTo(history: History, version: number, step: number): History {
  return {
    ...history,
    step,
    versions: history.versions.filter(({ number }) => number <= version),
    evaluations: history.evaluations.filter((evaluation) => evaluation.version < version),
  };
}
