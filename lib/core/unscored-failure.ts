import { effectiveScores } from '#lib/core/tuning/case-scores.ts';
import type { Case } from './case.ts';
import { criterionDefinition } from './criterion.ts';
import type { Evaluation, History } from './history.ts';
import type { RunRecord } from './run-record.ts';
import type { ExperimentSettings } from './settings.ts';
import { unscorableCases, unscorableReason } from './unscorable-cases.ts';

/** A criterion without a score, and the reason as the end of a sentence without its full stop. */
type UnscoredReason = { criterion: string; why: string };

/** Returns the criteria that an evaluation left unscored, in order. */
export function unscoredReasons({
  criteriaScores,
  reasons,
}: Pick<Evaluation, 'criteriaScores' | 'reasons'>): UnscoredReason[] {
  return Object.entries(criteriaScores).flatMap(([criterion, score]) =>
    score === null ? [{ criterion, why: normalizeReason(reasons[criterion] ?? '') }] : [],
  );
}

function normalizeReason(reason: string): string {
  const bare = reason
    .replace(/^Not scored[:.]\s*/, '')
    .trim()
    .replace(/\.$/, '');
  return bare === '' ? 'no score could be read' : `${bare.charAt(0).toLowerCase()}${bare.slice(1)}`;
}

/** Reason why a run could not be scored, and the remedy. `no_reference` if a resume would fail the same way, else `unscored`. */
type UnscoredFailure = NonNullable<RunRecord['failure']> & { kind: 'no_reference' | 'unscored' };

/** Returns why the last version of a run that ended with evaluation_failed was not scored. Null if the run has no version. */
export function unscoredFailure(history: History, settings: ExperimentSettings, task: Case): UnscoredFailure | null {
  const last = history.versions.at(-1);
  if (last === undefined) return null;
  const lacking = findMissingInputOfRun(history, settings, task);
  if (lacking !== null) return lacking;
  const reasons = settings.mode === 'tune' ? triedReasons(history, last.number) : judgedReasons(history, last.number);
  const sentences = reasons.map(({ criterion, why }) => `"${criterion}": ${why}.`);
  const message = [`Version v${last.number} could not be scored, twice.`, ...sentences].join(' ');
  const cause = reasons.some(({ why }) => UNREADABLE.test(why)) ? 'unreadable_judgement' : 'unscored';
  return { ...NO_CALL, kind: 'unscored', cause, message, remedy: remedyOf(settings, reasons) };
}

/** Returns the missing input that prevents any score of a run, or null. Only occurs in runs from before such cases were rejected. */
export function findMissingInputOfRun(
  history: History,
  settings: ExperimentSettings,
  task: Case,
): UnscoredFailure | null {
  const cases = settings.mode === 'tune' ? history.cases.filter(({ split }) => split !== 'held_out') : [task];
  const found = unscorableCases(settings, cases);
  if (found.length === 0) return null;
  const message = unscorableReason(found, cases.length);
  return { ...NO_CALL, kind: 'no_reference', cause: 'no_reference', message, remedy: RESUME_WOULD_FAIL };
}

const NO_CALL = { role: null, provider: null, model: null } as const;
/** Matches evaluators' reasons for a judge response that could not be parsed. */
const UNREADABLE = /could not be read|no score could be read|no readable/i;

const RESUME_WOULD_FAIL =
  'Resuming the run would fail again. Add what is missing and start a new run, or use criteria that do not need it. You can still accept a version as it is.';

function judgedReasons({ evaluations }: History, version: number): UnscoredReason[] {
  const last = evaluations.findLast((one) => one.version === version && one.by === 'machine');
  return last === undefined ? [] : unscoredReasons(last);
}

/** The cases of a tuned prompt contain the reasons, so this only counts them. */
function triedReasons(history: History, version: number): UnscoredReason[] {
  const unscored = [...effectiveScores(history, version).values()].filter(({ score }) => score === null);
  const names = unscored.flatMap(({ criteriaScores }) =>
    Object.entries(criteriaScores).flatMap(([name, score]) => (score === null ? [name] : [])),
  );
  const counted = [...Map.groupBy(names, (name) => name)];
  return counted.map(([criterion, { length }]) => ({
    criterion,
    why: length === 1 ? 'on one case' : `on ${length.toLocaleString('en')} cases`,
  }));
}

function remedyOf({ criteria, evaluation }: ExperimentSettings, reasons: readonly UnscoredReason[]): string {
  const { below, action } = evaluation.confidence;
  if (below !== null && action === 'unscored' && reasons.some(({ why }) => LOW_CONFIDENCE.test(why)))
    return `The settings ignore scores with a confidence below ${below}. Lower that minimum, or choose to judge again or to ask a person instead. Then start a new run.`;
  const first = criteria.find(({ name }) => name === reasons[0]?.criterion);
  return first === undefined ? RESUME : (criterionDefinition(first.evaluator).remedy ?? RESUME);
}

/** Matches evaluators' reason for a score omitted because of low confidence. */
const LOW_CONFIDENCE = /with a confidence of [\d.]+, below [\d.]+$/;
const RESUME = 'Resuming has it scored once more.';
