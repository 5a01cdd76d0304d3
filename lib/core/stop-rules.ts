import { withIssueIds } from '#lib/core/issues/identify-issues.ts';
import { foundIssueIds } from '#lib/core/issues/open-issues.ts';
import { isHeldBack, isRuledOut, waveOf } from '#lib/core/tuning/candidate-state.ts';
import { isVariation } from '#lib/core/tuning/plan-variation.ts';
import { endsAtPlateau } from '#lib/core/tuning/strategies/phases.ts';
import { continuesRun, decisionsSince } from './decisions.ts';
import type { History, Version } from './history.ts';
import { roundTo6 } from './round.ts';
import { type ScoredVersion, scoredVersions, scoreOf } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { type RuleReason, STOP_REASONS, type StopReason } from './stop-reasons.ts';
import { normalizeExactly } from './text-values.ts';

/**
 * True if two texts have at least the similarity `least` (0 to 1), the normalized edit similarity: 1 − Levenshtein distance / longer
 * length. Only computes distances that can still pass, so nearly equal long texts are fast.
 */
export function areAlike(one: string, other: string, least: number): boolean {
  if (one === other) return true;
  const longer = Math.max(one.length, other.length);
  const allowed = Math.floor((1 - least) * longer + 1e-9);
  return editDistanceWithin(one, other, allowed) !== null;
}

/**
 * Returns the Levenshtein distance in UTF-16 units, or null if it exceeds `allowed`. For each number of edits, finds how far into the texts
 * each diagonal gets. Fast for long texts with few edits, unless they repeat the same characters. Sources: Ukkonen 1985; Myers 1986.
 */
export function editDistanceWithin(one: string, other: string, allowed: number): number | null {
  const shift = other.length - one.length;
  if (Math.abs(shift) > allowed) return null;
  // The entry of a diagonal is the number of units of `one` it reaches. `UNREACHED` is lower than any such number.
  const middle = allowed + 1;
  let before = new Int32Array(2 * middle + 1).fill(UNREACHED);
  let reached = new Int32Array(2 * middle + 1).fill(UNREACHED);
  for (let edits = 0; edits <= allowed; edits++) {
    // From further diagonals, the ends of the texts need more edits than are left.
    const from = Math.max(-edits, shift - (allowed - edits));
    const to = Math.min(edits, shift + (allowed - edits));
    for (let diagonal = from; diagonal <= to; diagonal++) {
      const index = middle + diagonal;
      let at =
        edits === 0
          ? 0
          : Math.max((before[index] ?? 0) + 1, before[index - 1] ?? UNREACHED, (before[index + 1] ?? UNREACHED) + 1);
      at = Math.min(at, one.length, other.length - diagonal);
      while (at < one.length && at + diagonal < other.length && one.charCodeAt(at) === other.charCodeAt(at + diagonal))
        at++;
      reached[index] = at;
    }
    if (from <= shift && shift <= to && reached[middle + shift] === one.length) return edits;
    [before, reached] = [reached, before];
  }
  return null;
}

const UNREACHED = -0x4000_0000;

/** Returns the number of revisions (revise mode) or attempts (retry mode) made so far. */
export function iterationsUsed(history: History): number {
  return history.versions.filter((version) => version.origin === 'revised' || version.origin === 'retried').length;
}

/** Returns the iteration limit: the setting, plus one each time someone other than the policy continued the run at the limit. */
export function iterationCap(history: History, settings: ExperimentSettings): number {
  let cap = settings.mode === 'retry' ? settings.maxAttempts : settings.maxIterations;
  for (const decision of history.decisions) {
    if (!continuesRun(decision)) continue;
    const used = settings.mode === 'retry' ? decision.iteration + 1 : decision.iteration;
    if (used >= cap) cap = used + 1;
  }
  return cap;
}

/** Minimum edit similarity at which a revision counts as unchanged. */
const STABLE_SIMILARITY = 0.98;
/** A set of issues that repeats this often in a row is an infinite loop. */
const REPEATED_TIMES = 3;

/**
 * Returns the rules between quality_met and max_iterations that apply now, in the order of the table. The first is the stop reason. Only
 * uses fully scored versions. In tune mode a score belongs to a candidate, and rejected proposals have none. Continuing the run suspends
 * the rules for the versions judged so far. Source: Reflection requirements 2.6 (convergence); Shinn et al. 2023 for retry mode.
 */
export function findTriggeredStopRules(history: History, settings: ExperimentSettings): StopReason[] {
  const judged = scoredVersions(history).filter(({ version }) => !isHeldBack(version));
  // Versions that were proposed in parallel are judged together.
  const scored = settings.mode === 'tune' ? bestOfWaves(history, judged) : judged;
  const capReached = history.versions.length > 0 && iterationsUsed(history) >= iterationCap(history, settings);
  const isFree = isSuspended(history, scored) || isBeforeRedraw(history, scored);
  const triggered: StopReason[] = isFree ? [] : findTriggeredRules(history, scored, settings);
  if (capReached) triggered.push('max_iterations');
  return triggered;
}

/** Input of a rule. `rise`: see `scoreGain`, with the patience of the settings. Null without early stops. */
type RuleInput = {
  history: History;
  scored: ScoredVersion[];
  settings: ExperimentSettings;
  rise: number | null;
  /** True if the rise is below the minimum improvement of the settings. */
  isSmall: boolean;
};

/** Condition of each rule. In retry mode only repeated answers stop early, in tune mode only a plateau. */
const STOP_RULES = {
  quality_met: ({ history, scored }) => {
    const last = scored.at(-1);
    return last?.evaluation.satisfactory === true && !isRuledOut(history, last.version);
  },
  semantic_stability: ({ scored, settings: { mode, convergence }, isSmall }) =>
    convergence?.detectStability === true &&
    ((mode === 'retry' && sameAnswer(scored, convergence.plateauIterations + 1)) ||
      (mode === 'revise' && isSmall && isStable(scored))),
  repeated_issues: ({ history, scored, settings: { mode }, isSmall }) =>
    mode === 'revise' && (isSmall || hasNoRise(scored)) && repeatsIssues(history, scored),
  oscillation: ({ scored, settings: { mode, convergence }, isSmall }) =>
    mode === 'revise' && isSmall && convergence?.detectOscillation === true && oscillates(scored),
  // Also applies if the minimum improvement is 0.
  plateau: ({ history, settings, rise }) =>
    settings.mode !== 'retry' &&
    rise !== null &&
    rise <= 0 &&
    (settings.mode !== 'tune' || endsAtPlateau(history, settings)),
  diminishing: ({ settings: { mode }, rise, isSmall }) => mode === 'revise' && isSmall && rise !== null && rise > 0,
} satisfies Record<RuleReason, (input: RuleInput) => boolean>;

function findTriggeredRules(history: History, scored: ScoredVersion[], settings: ExperimentSettings): StopReason[] {
  const { convergence } = settings;
  const rise = convergence === null ? null : scoreGain(scored, convergence.plateauIterations);
  const isSmall = convergence !== null && rise !== null && rise < convergence.improvementThreshold;
  const rules: Partial<Record<StopReason, (input: RuleInput) => boolean>> = STOP_RULES;
  return STOP_REASONS.filter((reason) => rules[reason]?.({ history, scored, settings, rise, isSmall }));
}

/** Returns the best version of each group of parallel proposals, oldest group first. One that is ruled out only counts if all are. */
function bestOfWaves(history: History, scored: readonly ScoredVersion[]): ScoredVersion[] {
  const waves = Map.groupBy(scored, ({ version }) => waveOf(history, version));
  return [...waves.values()].map((wave) => {
    const eligible = wave.filter(({ version }) => !isRuledOut(history, version));
    return (eligible.length > 0 ? eligible : wave).reduce((best, one) => (one.score > best.score ? one : best));
  });
}

/** True if someone continued the run after the last judged version was made, so nothing new has been judged. */
function isSuspended(history: History, scored: ScoredVersion[]): boolean {
  return decisionsSince(history, scored.at(-1)?.version ?? { step: -1 }).some(continuesRun);
}

/**
 * True if no version since the redraw of the validation set was scored. Older versions have new means without the failed cases, which count
 * for no threshold or plateau.
 */
function isBeforeRedraw({ redraw }: History, scored: ScoredVersion[]): boolean {
  return redraw !== null && (scored.at(-1)?.version.step ?? -1) < redraw.step;
}

/**
 * Returns the best score of all minus the best before the last `iterations` versions. Null if there are not more than that. Variations are
 * not counted, because they do not predict the gain of the next proposal.
 */
export function scoreGain(scored: ScoredVersion[], iterations: number): number | null {
  const counted = scored.flatMap(({ version }, at) => (isVariation(version) ? [] : [at]));
  const before = scored.slice(0, counted.at(-iterations) ?? 0);
  if (before.length === 0) return null;
  const best = (versions: ScoredVersion[]) => Math.max(...versions.map((version) => version.score));
  return roundTo6(best(scored) - best(before));
}

function isStable(scored: ScoredVersion[]): boolean {
  const lastThree = scored.slice(-3);
  if (lastThree.length < 3) return false;
  return lastThree.slice(1).every((revision, position) => {
    const parent =
      scored.find((candidate) => candidate.version.number === revision.version.parents[0]) ?? lastThree[position];
    return (
      hasText(parent) &&
      hasText(revision) &&
      areAlike(parent.version.output, revision.version.output, STABLE_SIMILARITY)
    );
  });
}

/** A deleted text is similar to no other. */
function hasText(scored: ScoredVersion | undefined): scored is ScoredVersion {
  return scored !== undefined && !scored.version.outputDropped;
}

/**
 * True if the score did not rise over the versions that may repeat issues. Repeated issues then end the loop regardless of the convergence
 * settings. Source: Reflection requirements 4.4 (infinite loop: the same issues are identified again and again).
 */
function hasNoRise(scored: ScoredVersion[]): boolean {
  const rise = scoreGain(scored, REPEATED_TIMES - 1);
  return rise !== null && rise <= 0;
}

/** A version without a review is skipped, and the ones before it count. */
function repeatsIssues(history: History, scored: ScoredVersion[]): boolean {
  const identified = withIssueIds(history);
  const sets: Set<string>[] = [];
  for (const { version } of scored.toReversed()) {
    const found = foundIssueIds(identified, version.number);
    if (found !== null) sets.push(found);
    if (sets.length === REPEATED_TIMES) break;
  }
  const [last] = sets;
  if (last === undefined || last.size === 0 || sets.length < REPEATED_TIMES) return false;
  return sets.every((set) => set.size === last.size && [...set].every((id) => last.has(id)));
}

function oscillates(scored: ScoredVersion[]): boolean {
  const scores = scored.slice(-4).map((version) => version.score);
  if (scores.length < 4) return false;
  const signs = scores.slice(1).map((score, position) => Math.sign(roundTo6(score - (scores[position] ?? score))));
  return signs.every((sign, position) => sign !== 0 && (position === 0 || sign === -(signs[position - 1] ?? 0)));
}

function sameAnswer(scored: ScoredVersion[], times: number): boolean {
  const answers = scored
    .slice(-times)
    .map((one) => one.evaluation.answer ?? (hasText(one) ? normalizeExactly(one.version.output) : null));
  return answers.length === times && answers.every((answer) => answer !== null && answer === answers[0]);
}

/** A version that scored lower, the version it is compared with, and the score difference (above the quality-drop threshold). */
type Regression = { version: number; before: number; drop: number };

/** Returns the drop of a version below its parent if it exceeds the quality-drop threshold, else null. */
export function regression(
  history: History,
  settings: ExperimentSettings,
  version: Version,
): Omit<Regression, 'before'> | null {
  const fall = version.parents.length === 0 ? null : qualityDrop(history, settings, version);
  return fall && { version: fall.version, drop: fall.drop };
}

/** Like `regression`, but compares versions without a parent (attempts) with the version before. */
export function qualityDrop(history: History, settings: ExperimentSettings, version: Version): Regression | null {
  const before = version.parents[0] ?? history.versions.findLast(({ number }) => number < version.number)?.number;
  const scoreBefore = before === undefined ? null : scoreOf(history, before);
  const score = scoreOf(history, version.number);
  if (before === undefined || scoreBefore === null || score === null) return null;
  const drop = roundTo6(scoreBefore - score);
  return drop > settings.triggers.qualityDropThreshold ? { version: version.number, before, drop } : null;
}
