import type { z } from 'zod';
import type { Decision, History } from '#lib/core/history.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';
import { effectiveEvaluation, scoreOf } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { type AsideSpend, originalActor } from './history-of-lines.ts';
import type { importLineSchema, StoredAttemptInput } from './import-line.ts';

/** A line of an export, in the format of an import. */
type ExportLine = z.input<typeof importLineSchema>;
type StoredRunInput = NonNullable<StoredAttemptInput['run']>;

/** Names of the run and its case in the source. Imported runs keep their original names. */
type RunNames = { run: string; caseId: string };

/**
 * Converts an ended run to import lines, one per version. Each has generic fields, and all of Hone's data under `stored`. `experiment` is
 * given with the first run of each settings version. Runs without versions and tuning runs have no lines.
 */
export function linesOfRun(
  stored: StoredRun,
  names: RunNames,
  aside: AsideSpend,
  experiment: { name: string; version: number; settings: ExperimentSettings } | null,
): ExportLine[] {
  const { history, run, settings } = stored;
  const facts = settings.mode === 'tune' ? null : runFacts(stored, aside);
  if (facts === null) return [];
  const { input, messages, reference, tags, metadata, criteria } = run;
  return history.versions.map((version, index) => {
    const { number, output } = version;
    const evaluation = effectiveEvaluation(history, number);
    return {
      run: names.run,
      case: { id: names.caseId, input: messages ?? input, reference, tags, metadata, ...(criteria && { criteria }) },
      attempt: number + 1,
      output,
      score: scoreOf(history, number),
      solved: evaluation === null || scoreOf(history, number) === null ? null : evaluation.satisfactory,
      issues:
        evaluation?.issues.slice(0, 200).map(({ criterion, text }) => ({
          criterion: criterion === '' ? null : criterion,
          text: text.slice(0, 5_000),
        })) ?? [],
      feedback: evaluation?.feedback.slice(0, 100_000) ?? '',
      lesson: history.lessons.find((lesson) => lesson.version === number)?.text.slice(0, 20_000) ?? null,
      model: modelFor(settings, version.origin === 'revised' ? 'revise' : 'generate').model,
      tokens: tokensOf(version),
      costUsd: version.costUsd,
      at: version.createdAt,
      ...(index === 0 && experiment !== null && { experiment }),
      stored: { ...attemptOf(stored, number), ...(index === 0 && { run: facts }) },
    };
  });
}

function attemptOf({ history }: StoredRun, number: number): StoredAttemptInput {
  const version = history.versions.find((one) => one.number === number);
  if (version === undefined) throw new Error(`there is no version ${number}`);
  const { iteration, origin, parents, outputDropped, strategy, strategyNote, improvementsApplied, finishReason } =
    version;
  if (origin === 'given') throw new Error('only a run that tunes a prompt is given one');
  const { interrupted, createdAt, step } = version;
  const recalledLessons = version.recalledLessons.map(({ lessonId, rank, score }) => {
    const own = history.lessons.findIndex(({ id }) => id === lessonId);
    return own === -1 ? { own: null, lessonId, rank, score } : { own, lessonId: null, rank, score };
  });
  return {
    ...{ iteration, origin, parents, outputDropped, strategy, strategyNote, improvementsApplied, finishReason },
    ...{ interrupted, recalledLessons, createdAt, step, ...spendOf(version) },
    ...(version.target !== undefined && { target: version.target }),
    evaluations: placed(history.evaluations, number).map(({ version: _version, actor, ...evaluation }) => ({
      ...evaluation,
      actor: originalActor(actor),
      ...spendOf(evaluation),
    })),
    critiques: placed(history.critiques, number).map(({ version: _version, ...critique }) => ({
      ...critique,
      ...spendOf(critique),
    })),
    ...trajectoryOf(history, number),
    lessons: placed(history.lessons, number).map(({ version: _version, id: _id, ...lesson }) => ({
      ...lesson,
      ...spendOf(lesson),
    })),
  };
}

/** Returns an agent's turns and observations for a version, in run order. */
function trajectoryOf({ turns, observations }: History, number: number) {
  return {
    turns: turns
      .filter(({ version }) => version === number)
      .map(({ version: _version, ...turn }) => ({ ...turn, ...spendOf(turn) })),
    observations: observations
      .filter(({ version }) => version === number)
      .map(({ version: _version, durationMs, ...observation }) => ({
        ...observation,
        durationMs: Math.round(durationMs),
      })),
  };
}

/** Returns the records of a version, each with its index among all records of the run. */
function placed<Item extends { version: number }>(
  items: readonly Item[],
  number: number,
): (Item & { place: number })[] {
  return items.map((item, index) => ({ ...item, place: index })).filter(({ version }) => version === number);
}

function tokensOf({ tokenUsage: { input, output } }: Pick<Spend, 'tokenUsage'>) {
  return { input, output };
}

function spendOf(spend: Spend) {
  return { tokenUsage: tokensOf(spend), costUsd: spend.costUsd, durationMs: Math.round(spend.durationMs) };
}

/** Returns the fields of the run, or null if it has not ended. */
function runFacts({ run, history }: StoredRun, aside: AsideSpend): StoredRunInput | null {
  const { status, convergenceReason, finishedAt } = run;
  if (!isEndedStatus(status)) return null;
  if (convergenceReason === null || finishedAt === null) return null;
  const reason: StopReason = convergenceReason;
  const numbers = new Set(history.versions.map(({ number }) => number));
  const orphans = history.critiques
    .map((critique, index) => ({ ...critique, place: index, ...spendOf(critique) }))
    .filter(({ version }) => !numbers.has(version));
  return {
    ...{ experimentVersion: run.experimentVersion, status, convergenceReason: reason, alsoHeld: run.alsoHeld },
    success: run.success,
    ...{ finalVersion: run.finalVersion, failure: run.failure, branchedVersion: run.branchedFromVersion },
    critiques: orphans,
    ...trajectoryOf(history, history.versions.length),
    decisions: decisionsOf(history.decisions),
    tokenUsage: { input: run.tokenUsage.input, output: run.tokenUsage.output },
    ...{ costUsd: run.costUsd, unpriced: run.unpriced, calls: run.callCount },
    ...{ ownBudget: run.ownBudget ?? null, ...aside, activeMs: run.activeMs },
    ...{ step: run.step, createdAt: run.createdAt, startedAt: run.startedAt, finishedAt: finishedAt },
  };
}

function decisionsOf(decisions: readonly Decision[]): StoredRunInput['decisions'] {
  const pauses = [...new Set(decisions.flatMap(({ pauseId }) => pauseId ?? []))];
  return decisions.map(({ pauseId, actor, ...decision }) => ({
    ...decision,
    actor: originalActor(actor),
    pause: pauseId === null ? null : pauses.indexOf(pauseId),
  }));
}
