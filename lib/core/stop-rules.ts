import { areAlike } from './edit-similarity.ts';
import type { History, StopReason } from './history.ts';
import { foundIssueIds } from './issues/found-issues.ts';
import { withIssueIds } from './issues/identify-issues.ts';
import { iterationCap, iterationsUsed } from './iteration-cap.ts';
import { normalizeAnswer } from './normalize-answer.ts';
import { roundTo6 } from './round.ts';
import { type ScoredVersion, scoredVersions } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { isHeldBack } from './tuning/candidate-state.ts';
import { decisionsSince, letsGoOn } from './verdicts.ts';

/** From which edit similarity on a revision counts as having changed nothing. */
const STABLE_SIMILARITY = 0.98;
/** A set of issues that comes up this often running is an endless loop. */
const REPEATED_TIMES = 3;

/**
 * The rules between quality_met and max_iterations that hold now, in the order of the table; the first is the stop reason.
 * Looks at fully scored versions only. Whoever lets the run go on suspends them for the versions judged so far.
 * Source: Reflection requirements 2.6 (convergence); Shinn et al. 2023 for retry mode, where only repeated answers stop early. In tune
 * mode a score is a candidate's, and only a plateau of candidates stops early: proposals that were rejected have none.
 */
export function heldStopRules(history: History, settings: ExperimentSettings): StopReason[] {
  const scored = scoredVersions(history).filter(({ version }) => !isHeldBack(version));
  const capReached = history.versions.length > 0 && iterationsUsed(history) >= iterationCap(history, settings);
  const isFree = isSuspended(history, scored) || isBeforeRedraw(history, scored);
  const held: StopReason[] = isFree ? [] : qualityAndConvergence(history, scored, settings);
  if (capReached) held.push('max_iterations');
  return held;
}

function qualityAndConvergence(history: History, scored: ScoredVersion[], settings: ExperimentSettings): StopReason[] {
  const held: StopReason[] = [];
  if (scored.at(-1)?.evaluation.satisfactory) held.push('quality_met');
  const { convergence } = settings;
  if (settings.mode === 'tune') {
    const rise = convergence === null ? null : riseOver(scored, convergence.plateauIterations);
    if (rise !== null && rise <= 0) held.push('plateau');
    return held;
  }
  if (settings.mode === 'retry') {
    if (convergence?.detectStability && sameAnswer(scored, convergence.plateauIterations + 1))
      held.push('semantic_stability');
    return held;
  }
  const rise = convergence === null ? null : riseOver(scored, convergence.plateauIterations);
  const isSmall = convergence !== null && rise !== null && rise < convergence.improvementThreshold;
  if (isSmall && convergence.detectStability && isStable(scored)) held.push('semantic_stability');
  if ((isSmall || hasNoRise(scored)) && repeatsIssues(history, scored)) held.push('repeated_issues');
  if (convergence === null || rise === null) return held;
  if (isSmall && convergence.detectOscillation && oscillates(scored)) held.push('oscillation');
  // No rise at all is a plateau whatever the threshold, also with a threshold of 0.
  if (rise <= 0) held.push('plateau');
  else if (isSmall) held.push('diminishing');
  return held;
}

/** Whether somebody let the run go on after the last version that is judged was made: nothing new has been judged since. */
function isSuspended(history: History, scored: ScoredVersion[]): boolean {
  return decisionsSince(history, scored.at(-1)?.version ?? { step: -1 }).some(letsGoOn);
}

/**
 * Whether no version was scored that was made since the validation set was drawn anew: the older ones lost missed cases by it, so their
 * new means meet no threshold and make no plateau.
 */
function isBeforeRedraw({ redraw }: History, scored: ScoredVersion[]): boolean {
  return redraw !== null && (scored.at(-1)?.version.step ?? -1) < redraw.step;
}

/** Best of all minus best before the last `iterations` versions; null while there are not more than that. */
export function riseOver(scored: ScoredVersion[], iterations: number): number | null {
  const before = scored.slice(0, -iterations);
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

/** A text that was not kept is like no other. */
function hasText(scored: ScoredVersion | undefined): scored is ScoredVersion {
  return scored !== undefined && !scored.version.outputDropped;
}

/**
 * Whether the score did not rise while the same issues may have come up: then they end the loop whatever the convergence settings say.
 * Source: Reflection requirements 4.4 (infinite loop: the same issues are identified again and again).
 */
function hasNoRise(scored: ScoredVersion[]): boolean {
  const rise = riseOver(scored, REPEATED_TIMES - 1);
  return rise !== null && rise <= 0;
}

/** Of a version that nobody looked at yet nothing is known: the ones before it count. */
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
    .map((one) => one.evaluation.answer ?? (hasText(one) ? normalizeAnswer(one.version.output) : null));
  return answers.length === times && answers.every((answer) => answer !== null && answer === answers[0]);
}
