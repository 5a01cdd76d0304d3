import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { type StopReason, stopName, stopReason } from '#lib/core/stop-reasons.ts';
import { STRATEGY_LABELS } from '#lib/core/tuning/strategies/strategy-labels.ts';
import { formatChange, formatCost, formatCount, formatDuration, formatNumberOf, formatScore } from '#lib/format.ts';
import { isImportedRun } from '#lib/models/imported-runs.ts';
import { currentEvaluation, currentScore } from './run-versions.ts';

/** Texts for the end of a run: `title` is the label at the end of the line, `detail` contains the deciding numbers. */
type StopLabels = { title: string; detail: string; tone: 'stop' | 'person' | 'broke' };

type Decided = Pick<RunRecord, 'decisions'>;

/** Returns the texts for the end of a run, with its own numbers. */
export function stopLabels(reason: StopReason, record: RunRecord, settings: ExperimentSettings): StopLabels {
  return {
    title: stopTitle(reason, record, settings),
    detail: stopDetail(reason, record, settings),
    tone: toneOf(reason),
  };
}

/** The maker of the decision that ended a run by accept or stop. */
type EndedBy = Pick<Decided['decisions'][number], 'by' | 'actor'>;

/** Returns who ended the run. Null if a person did, or if no decision ended it. */
function endedByTitle(reason: StopReason, decision: EndedBy | null): string | null {
  const what = reason === 'user_accepted' ? 'Accepted' : 'Stopped';
  switch (decision?.by) {
    case 'webhook':
      return `${what} by the webhook ${decision.actor ?? ''}`.trim();
    case 'code':
      return `${what} by code`;
    case 'timeout':
      return `${what}: nobody answered in time`;
    case 'person':
    case 'policy':
    case undefined:
      return null;
  }
}

/** Returns the last accept or stop decision that was not made by the rules. */
function findEndingDecision({ decisions }: Decided) {
  return decisions.findLast(({ by, decision }) => by !== 'policy' && (decision === 'accept' || decision === 'stop'));
}

/**
 * A stop reason in a few words, for chips and lists. The decisions of `record` name who ended the run if that was no person.
 * With `settings`, runs of another system get a name that fits them.
 */
export function stopTitle(
  reason: StopReason,
  record: Decided | null = null,
  settings: ExperimentSettings | null = null,
): string {
  const name = stopName(reason, settings !== null && isImportedRun(settings));
  switch (toneOf(reason)) {
    case 'person':
      return endedByTitle(reason, record === null ? null : (findEndingDecision(record) ?? null)) ?? name;
    case 'broke':
      return `Failed: ${name}`;
    case 'stop':
      return `Stopped: ${name}`;
  }
}

/** Returns the status of a run as text for its page header. `mayDecide`: the reader may answer a waiting run. */
export function runStatusLabel(
  record: Pick<RunRecord, 'status' | 'convergenceReason' | 'decisions'>,
  mayDecide: boolean,
  settings: ExperimentSettings | null = null,
): string {
  const { status, convergenceReason: reason } = record;
  switch (status) {
    case 'queued':
      return 'Queued';
    case 'running':
      return 'Running';
    case 'waiting':
      return mayDecide ? 'Waiting for you' : 'Waiting for a reviewer';
    case 'failed':
    case 'stopped':
    case 'finished':
      return reason === null
        ? { failed: 'Failed', stopped: 'Stopped', finished: 'Finished' }[status]
        : stopTitle(reason, record, settings);
  }
}

/** Returns a stop reason in one or two words, for tables. Includes who ended the run if it was not a person. */
export function stopNameBy(reason: StopReason, endedBy: EndedBy | null, isImported = false): string {
  return (toneOf(reason) === 'person' ? endedByTitle(reason, endedBy) : null) ?? stopName(reason, isImported);
}

/** A stop reason as a filter names it, for runs of Hone and of other systems. */
export function stopFilterName(reason: StopReason): string {
  const { name, importedName } = stopReason(reason);
  return importedName === undefined ? name : `${name} or ${importedName}`;
}

/** Explains a stop reason under these settings as a sentence: `No rise over the last 2 versions`. */
export function stopMeaning(reason: StopReason, settings: ExperimentSettings): string {
  return LABELS[reason].meaning(settings);
}

function stopDetail(reason: StopReason, record: RunRecord, settings: ExperimentSettings): string {
  const { meaning, detail } = LABELS[reason];
  const own =
    detail?.(record, settings) ??
    (reason === 'plateau' || reason === 'diminishing' ? meaning(settings) : meaning(settings).toLowerCase());
  return reason === 'max_iterations' ? [own, ...withheldBy(record)].join(', ') : own;
}

/** Returns what prevented the evaluation at the cap. Budgets only count there if the last version was still to be evaluated. */
function withheldBy({ alsoHeld }: RunRecord): string[] {
  const budgets = alsoHeld.filter((reason) => stopReason(reason).budget !== undefined);
  return budgets.length === 0
    ? []
    : [`the last not fully evaluated: ${budgets.map((one) => stopName(one)).join(', ')}`];
}

type StopReasonLabels = {
  /** Returns a sentence without its full stop. */
  meaning(settings: ExperimentSettings): string;
  /** Returns the deciding numbers of such a run. Null or omitted if the meaning is sufficient. */
  detail?(record: RunRecord, settings: ExperimentSettings): string | null;
};

const LABELS: Record<StopReason, StopReasonLabels> = {
  user_accepted: {
    meaning: () => 'A reviewer accepted a version',
    detail: (record) => endedByDetail(record, record.finalVersion === null ? '' : `v${record.finalVersion}`),
  },
  user_stopped: {
    meaning: () => 'A person or a webhook stopped the run',
    detail: (record) => endedByDetail(record, ''),
  },
  model_failed: {
    meaning: () => 'A model call failed. The run can be resumed',
    detail: brokenDetail,
  },
  evaluation_failed: {
    meaning: () => 'A version could not be scored, twice',
    detail: brokenDetail,
  },
  internal_error: {
    meaning: () => 'Hone had an internal error. The run can be resumed',
    detail: brokenDetail,
  },
  quality_met: {
    meaning: (settings) =>
      `Overall at least ${formatScore(settings.qualityThreshold)}${hasOwnThresholds(settings) ? ' and each criterion at least its threshold' : ''}`,
    detail: (record, settings) => {
      const version = satisfactoryVersion(record);
      const score = version === undefined ? null : currentScore(version);
      if (version === undefined || score === null) return '';
      if (score >= settings.qualityThreshold)
        return `${formatScore(score)} ≥ ${formatScore(settings.qualityThreshold)}${hasOwnThresholds(settings) ? ', each criterion at least its threshold' : ''}`;
      // The version was scored again after the run ended.
      return `now ${formatScore(score)}${currentEvaluation(version)?.by === 'person' ? ', by a person' : ''}`;
    },
  },
  semantic_stability: {
    meaning: (settings) =>
      settings.mode === 'retry'
        ? `The same answer ${patienceOf(settings) + 1} times in a row`
        : 'The last revisions hardly changed the text',
  },
  repeated_issues: { meaning: () => 'The same issues three times in a row' },
  oscillation: {
    meaning: () => 'The score oscillated without improving',
    detail: (record) =>
      scoresOf(record)
        .slice(-4)
        .map(({ score }) => formatScore(score))
        .join(' '),
  },
  plateau: {
    meaning: (settings) => `No rise over the last ${formatNumberOf(patienceOf(settings), 'version')}`,
    detail: (record, settings) => {
      const { bestBefore, names } = risesOf(record, settings);
      return bestBefore === null ? null : `best ${formatScore(bestBefore)} did not rise in ${names}`;
    },
  },
  diminishing: {
    meaning: (settings) =>
      `Rose by less than ${formatScore(getMinImprovement(settings))} over the last ${formatNumberOf(patienceOf(settings), 'version')}`,
    detail: (record, settings) => {
      const { bestBefore, best, names } = risesOf(record, settings);
      return bestBefore === null
        ? null
        : `best ${formatChange(best - bestBefore)} over ${names} (needs ${formatChange(getMinImprovement(settings))})`;
    },
  },
  nothing_to_mend: {
    meaning: ({ tune }) => STRATEGY_LABELS[tune.strategy].exhausted,
  },
  cut_off: {
    meaning: () => 'The agent gave no answer, so there is nothing to revise. The run can be resumed',
    detail: brokenDetail,
  },
  try_limit: {
    meaning: ({ tune }) =>
      `Prompts were tried on ${formatNumberOf(tune.maxTries ?? 0, 'case')}, the most that the settings allow`,
  },
  max_iterations: {
    meaning: (settings) => {
      if (isImportedRun(settings)) return 'No attempt after the last one was imported';
      const [cap, noun] = capOf(settings);
      return cap === 1 ? `The only ${noun} was used` : `All ${formatNumberOf(cap, noun)} were used`;
    },
    detail: (record, settings) =>
      isImportedRun(settings)
        ? formatNumberOf(record.versions.length, 'attempt')
        : `${settings.mode === 'retry' ? record.versions.length : record.iterationsUsed} of ${formatNumberOf(...capOf(settings))}`,
  },
  call_budget: {
    meaning: ({ budget }) => budgetExceededLabel(formatNumberOf(budget.maxCalls ?? 0, 'call')),
    detail: (_record, { budget }) => `${formatCount(budget.maxCalls ?? 0)} were allowed`,
  },
  token_budget: {
    meaning: ({ budget }) => budgetExceededLabel(`${formatCount(budget.maxTokens ?? 0)} tokens`),
    detail: (record, { budget }) =>
      `${formatCount(record.tokenUsage.total)} of ${formatCount(budget.maxTokens ?? 0)} tokens spent`,
  },
  cost_budget: {
    meaning: ({ budget }) => budgetExceededLabel(formatCost(budget.maxCostUsd ?? 0, false)),
    detail: (record, { budget }) =>
      `${formatCost(record.costUsd, record.unpriced)} of ${formatCost(budget.maxCostUsd ?? 0, false)} spent`,
  },
  time_budget: {
    meaning: ({ budget }) => budgetExceededLabel(formatDuration((budget.maxSeconds ?? 0) * 1000)),
    detail: (record, { budget }) =>
      `${formatDuration(record.executionTimeMs)} of ${formatDuration((budget.maxSeconds ?? 0) * 1000)} used`,
  },
  experiment_budget: {
    meaning: () => 'The runs of the experiment used up its budget. The run can be resumed',
  },
  month_budget: {
    meaning: () => 'The monthly budget is used up. The run can be resumed',
  },
};

function budgetExceededLabel(budget: string): string {
  return `The next call would exceed ${budget}. The run can be resumed with a larger budget`;
}

function patienceOf({ convergence }: ExperimentSettings): number {
  return convergence?.plateauIterations ?? 2;
}

function getMinImprovement({ convergence }: ExperimentSettings): number {
  return convergence?.improvementThreshold ?? 0.05;
}

function endedByDetail(record: RunRecord, version: string): string {
  const decision = findEndingDecision(record);
  return [version, decision?.reason].filter(Boolean).join(': ') || `by ${decision?.actor ?? 'a person'}`;
}

function brokenDetail({ failure, versions }: RunRecord): string {
  if (failure?.kind === 'no_reference') return 'the case has no reference to score against';
  return versions.length === 0 ? 'can be resumed' : `can be resumed after v${versions.at(-1)?.number}`;
}

/**
 * Returns the version that ended the run as satisfactory, even if its score was lowered later. Versions created together in a tuning run
 * are evaluated together.
 */
function satisfactoryVersion({ versions }: RunRecord): VersionRecord | undefined {
  return (
    versions.findLast((version) => currentEvaluation(version)?.satisfactory === true) ??
    versions.findLast(({ evaluations }) => evaluations.some(({ satisfactory }) => satisfactory))
  );
}

function scoresOf({ versions }: RunRecord): { number: number; score: number }[] {
  return versions.flatMap((version) => {
    const score = currentScore(version);
    return score === null ? [] : [{ number: version.number, score }];
  });
}

/** Returns the best score, the best score before the patience window (null if there is none), and the versions in the window. */
function risesOf(record: RunRecord, settings: ExperimentSettings) {
  const scored = scoresOf(record);
  const patience = patienceOf(settings);
  const before = scored.slice(0, -patience).map(({ score }) => score);
  return {
    best: Math.max(...scored.map(({ score }) => score)),
    bestBefore: before.length === 0 ? null : Math.max(...before),
    names: scored
      .slice(-patience)
      .map(({ number }) => `v${number}`)
      .join(', '),
  };
}

function hasOwnThresholds({ criteria }: ExperimentSettings): boolean {
  return criteria.some(({ threshold }) => threshold !== null);
}

/** Returns the cap and the unit it counts. */
function capOf({ mode, maxAttempts, maxIterations }: ExperimentSettings): [number, string] {
  const caps: Record<typeof mode, [number, string]> = {
    retry: [maxAttempts, 'attempt'],
    revise: [maxIterations, 'revision'],
    tune: [maxIterations, 'proposal'],
  };
  return caps[mode];
}

function toneOf(reason: StopReason): StopLabels['tone'] {
  if (reason === 'user_accepted' || reason === 'user_stopped') return 'person';
  return stopReason(reason).status === 'failed' ? 'broke' : 'stop';
}
