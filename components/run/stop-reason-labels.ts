import type { StopReason } from '#lib/core/history.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatChange, formatCost, formatCount, formatDuration, formatNumberOf, formatScore } from '#lib/format.ts';
import { currentScore } from './current-evaluation.ts';

/** How an end reads: `title` at the end of the line, `detail` the numbers that made it so. */
export type StopWords = { title: string; detail: string; tone: 'stop' | 'person' | 'broke' };

type Decided = Pick<RunRecord, 'decisions'>;

/** The words for how a run ended, with its own numbers. */
export function stopWords(reason: StopReason, record: RunRecord, settings: ExperimentSettings): StopWords {
  return { title: stopTitle(reason, record), detail: stopDetail(reason, record, settings), tone: toneOf(reason) };
}

/** Who ended a run by an accept or a stop. */
export type EndedBy = Pick<Decided['decisions'][number], 'by' | 'actor'>;

/** Who ended the run, where that was no person; null where it was one, or no order. */
function orderTitle(reason: StopReason, order: EndedBy | null): string | null {
  const what = reason === 'user_accepted' ? 'Accepted' : 'Stopped';
  switch (order?.by) {
    case 'webhook':
      return `${what} by the webhook ${order.actor ?? ''}`.trim();
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

/** The last word that ended the run, by anyone but the rules. */
function lastOrder({ decisions }: Decided) {
  return decisions.findLast(({ by, decision }) => by !== 'policy' && (decision === 'accept' || decision === 'stop'));
}

/** A stop reason in a few words, for chips and lists; with the run's decisions it says who ended it, where that was no person. */
export function stopTitle(reason: StopReason, record: Decided | null = null): string {
  const name = stopName(reason);
  switch (toneOf(reason)) {
    case 'person':
      return orderTitle(reason, record === null ? null : (lastOrder(record) ?? null)) ?? name;
    case 'broke':
      return `Broke off: ${name}`;
    case 'stop':
      return `Stopped: ${name}`;
  }
}

/** A stop reason in a word or two, for tables; it says who ended the run, where that was no person. */
export function stopNameBy(reason: StopReason, endedBy: EndedBy | null): string {
  return (toneOf(reason) === 'person' ? orderTitle(reason, endedBy) : null) ?? stopName(reason);
}

/** The bare name of a stop reason, as people say it. */
export function stopName(reason: StopReason): string {
  return NAMES[reason];
}

/** What a stop reason means under these settings, in a sentence: `No rise over the last 2 versions`. */
export function stopMeaning(reason: StopReason, settings: ExperimentSettings): string {
  const patience = settings.convergence?.plateauIterations ?? 2;
  const gain = formatScore(settings.convergence?.improvementThreshold ?? 0.05);
  const tries = formatNumberOf(...capOf(settings));
  switch (reason) {
    case 'user_accepted':
      return 'A version was taken as it was';
    case 'user_stopped':
      return 'The run was told to stop';
    case 'model_failed':
      return 'A model did not answer; the run can be resumed';
    case 'evaluation_failed':
      return 'A version could not be scored, twice';
    case 'internal_error':
      return 'Something in Hone broke; the run can be resumed';
    case 'quality_met':
      return `Overall at least ${formatScore(settings.qualityThreshold)}${hasOwnThresholds(settings) ? ' and each criterion above its own' : ''}`;
    case 'semantic_stability':
      return settings.mode === 'retry'
        ? `The same answer ${patience + 1} times running`
        : 'The last revisions hardly changed the text';
    case 'repeated_issues':
      return 'The same issues three times running';
    case 'oscillation':
      return 'The score went up and down without rising';
    case 'plateau':
      return `No rise over the last ${formatNumberOf(patience, 'version')}`;
    case 'diminishing':
      return `Rose by less than ${gain} over the last ${formatNumberOf(patience, 'version')}`;
    case 'nothing_to_mend':
      return 'The prompt is right on every training case, other candidates were tried, and no missed validation case was left to learn from';
    case 'max_iterations':
      return `All ${tries} used`;
    case 'cut_off':
      return 'The agent came to no answer: there is nothing to revise; the run can be resumed';
    case 'call_budget':
      return `The next call would pass ${formatNumberOf(settings.budget.maxCalls ?? 0, 'call')}; the run can be resumed with a larger budget`;
    case 'token_budget':
      return `The next call would pass ${formatCount(settings.budget.maxTokens ?? 0)} tokens; the run can be resumed with a larger budget`;
    case 'cost_budget':
      return `The next call would pass ${formatCost(settings.budget.maxCostUsd ?? 0, false)}; the run can be resumed with a larger budget`;
    case 'time_budget':
      return `The next call would pass ${formatDuration((settings.budget.maxSeconds ?? 0) * 1000)}; the run can be resumed with a larger budget`;
    case 'experiment_budget':
      return 'All runs of the experiment together had spent its budget; the run can be resumed';
    case 'month_budget':
      return 'The budget of the month was spent; the run can be resumed';
  }
}

function hasOwnThresholds({ criteria }: ExperimentSettings): boolean {
  return criteria.some(({ threshold }) => threshold !== null);
}

function stopDetail(reason: StopReason, record: RunRecord, settings: ExperimentSettings): string {
  const scored = record.versions.flatMap((version) => {
    const score = currentScore(version);
    return score === null ? [] : [{ number: version.number, score }];
  });
  const patience = settings.convergence?.plateauIterations ?? 2;
  const recent = scored.slice(-patience);
  const bestBefore = Math.max(...scored.slice(0, -patience).map(({ score }) => score));
  const best = Math.max(...scored.map(({ score }) => score));
  const recentNames = recent.map(({ number }) => `v${number}`).join(', ');
  const decision = lastOrder(record);
  switch (reason) {
    case 'user_accepted':
    case 'user_stopped': {
      const what = reason === 'user_accepted' && record.finalVersion !== null ? `v${record.finalVersion}` : '';
      return [what, decision?.reason].filter(Boolean).join(': ') || `by ${decision?.actor ?? 'a person'}`;
    }
    case 'quality_met': {
      const score = scored.at(-1)?.score;
      return score === undefined
        ? ''
        : `${formatScore(score)} ≥ ${formatScore(settings.qualityThreshold)}${hasOwnThresholds(settings) ? ', each criterion above its own' : ''}`;
    }
    case 'plateau':
      return Number.isFinite(bestBefore)
        ? `best ${formatScore(bestBefore)} did not rise in ${recentNames}`
        : stopMeaning(reason, settings);
    case 'diminishing':
      return Number.isFinite(bestBefore)
        ? `best ${formatChange(best - bestBefore)} over ${recentNames}; needs ${formatChange(settings.convergence?.improvementThreshold ?? 0.05)}`
        : stopMeaning(reason, settings);
    case 'oscillation':
      return scored
        .slice(-4)
        .map(({ score }) => formatScore(score))
        .join(' ');
    case 'max_iterations':
      return settings.mode === 'retry'
        ? `${record.versions.length} of ${formatNumberOf(settings.maxAttempts, 'attempt')}`
        : `${record.iterationsUsed} of ${formatNumberOf(...capOf(settings))}`;
    case 'call_budget':
      return `${formatCount(settings.budget.maxCalls ?? 0)} were allowed`;
    case 'token_budget':
      return `${formatCount(record.tokenUsage.total)} of ${formatCount(settings.budget.maxTokens ?? 0)} tokens spent`;
    case 'cost_budget':
      return `${formatCost(record.costUsd, record.unpriced)} of ${formatCost(settings.budget.maxCostUsd ?? 0, false)} spent`;
    case 'time_budget':
      return `${formatDuration(record.executionTimeMs)} of ${formatDuration((settings.budget.maxSeconds ?? 0) * 1000)} used`;
    case 'evaluation_failed':
    case 'model_failed':
    case 'internal_error':
    case 'cut_off':
      if (record.failure?.kind === 'no_reference') return 'the case lacks what it is scored by';
      return record.versions.length === 0
        ? 'can be resumed'
        : `can be resumed after v${record.versions.at(-1)?.number}`;
    case 'semantic_stability':
    case 'repeated_issues':
    case 'nothing_to_mend':
    case 'experiment_budget':
    case 'month_budget':
      return stopMeaning(reason, settings).toLowerCase();
  }
}

/** What the cap counts, and how much of it there may be. */
function capOf({ mode, maxAttempts, maxIterations }: ExperimentSettings): [number, string] {
  switch (mode) {
    case 'retry':
      return [maxAttempts, 'attempt'];
    case 'revise':
      return [maxIterations, 'revision'];
    case 'tune':
      return [maxIterations, 'proposal'];
  }
}

function toneOf(reason: StopReason): StopWords['tone'] {
  if (reason === 'user_accepted' || reason === 'user_stopped') return 'person';
  return BROKEN.has(reason) ? 'broke' : 'stop';
}

const BROKEN = new Set<StopReason>(['model_failed', 'evaluation_failed', 'internal_error', 'cut_off']);

const NAMES: Record<StopReason, string> = {
  user_accepted: 'Accepted by a person',
  user_stopped: 'Stopped by a person',
  model_failed: 'model failed',
  evaluation_failed: 'unscored twice',
  internal_error: 'internal error',
  quality_met: 'quality met',
  semantic_stability: 'same answer',
  repeated_issues: 'same issues',
  oscillation: 'oscillation',
  plateau: 'plateau',
  diminishing: 'diminishing',
  nothing_to_mend: 'nothing to mend',
  cut_off: 'agent cut off',
  max_iterations: 'cap reached',
  call_budget: 'call budget',
  token_budget: 'token budget',
  cost_budget: 'cost budget',
  time_budget: 'time budget',
  experiment_budget: 'experiment budget',
  month_budget: 'month budget',
};
