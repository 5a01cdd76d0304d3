import type { History, Redraw, Split, TuningCase, Version } from '../history.ts';
import { scoreOf } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { Step } from '../step.ts';
import { isHeldBack } from './candidate-state.ts';
import { effectiveScores, isPerfect, positionsOf } from './case-scores.ts';
import { dueTries } from './due-try.ts';
import { firstPromptCases, shuffled } from './minibatch.ts';

type RedrawPlan = Pick<Redraw, 'toTraining' | 'toValidation'>;

/**
 * Returns the validation cases to learn from if a prompt is right on every training case, and their replacements. Null if it failed none,
 * if the set was already redrawn, or if none would remain.
 * Half of the failed cases move, drawn by the seed. The others stay, so that the new set still shows if the next prompts improve. Training
 * cases without a proposal based on them replace them, so the model that writes prompts has seen none of the new set. If there are too few,
 * the set becomes smaller. Held-out cases are unchanged.
 */
export function plannedRedraw(
  history: History,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  version: number,
): RedrawPlan | null {
  if (history.redraw !== null) return null;
  const validation = positionsOf(history, 'validation');
  const tries = effectiveScores(history, version);
  const missed = validation.filter((position) => !isPerfect(tries.get(position)));
  if (missed.length === 0) return null;
  const draw = (positions: readonly number[], count: number) =>
    shuffled(positions, String, 'redraw', String(tune.seed))
      .slice(0, count)
      .sort((one, other) => one - other);
  const learnedFrom = new Set([
    ...(history.versions[0]?.origin === 'generated' ? firstPromptCases(history, { tune }) : []),
    ...history.versions.flatMap(({ proposal }) => [
      ...(proposal?.positions ?? []),
      ...(proposal?.demonstrations ?? []),
    ]),
  ]);
  const unseen = positionsOf(history, 'train').filter((position) => !learnedFrom.has(position));
  const toTraining = draw(missed, Math.ceil(missed.length / 2));
  const toValidation = draw(unseen, toTraining.length);
  return validation.length - toTraining.length + toValidation.length === 0 ? null : { toTraining, toValidation };
}

/**
 * Returns the next step towards a new validation set: every validated prompt is scored on the cases that join it, then the splits change.
 * All scores are paid for before the change, so no ending leaves scores over two different sets. Null if there is nothing to redraw.
 */
export function dueRedraw(history: History, settings: ExperimentSettings, version: number): Step | null {
  const plan = plannedRedraw(history, settings, version);
  if (plan === null) return null;
  const wanted = validated(history).map(({ number: version }) => ({ version, positions: plan.toValidation }));
  return dueTries(history, wanted, 'validation') ?? { type: 'redraw', ...plan };
}

/** Returns the evaluation of a prompt on the new validation set, the best on the old one first. Null if all have theirs. */
export function dueReevaluation(history: History): Step | null {
  const { redraw } = history;
  if (redraw === null) return null;
  const isNew = ({ number }: Version) =>
    history.evaluations.some(({ version, step }) => version === number && step > redraw.step);
  const before = {
    ...history,
    redraw: null,
    evaluations: history.evaluations.filter(({ step }) => step < redraw.step),
  };
  const [first] = validated(before)
    .filter((version) => !isNew(version))
    .sort((one, other) => (scoreOf(before, other.number) ?? 0) - (scoreOf(before, one.number) ?? 0));
  return first === undefined ? null : { type: 'evaluate', version: first.number };
}

function validated(history: History): Version[] {
  return history.versions.filter(
    (version) => !isHeldBack(version) && !version.outputDropped && scoreOf(history, version.number) !== null,
  );
}

/** Returns the cases with their new splits. */
export function redrawnCases(cases: readonly TuningCase[], redraw: RedrawPlan | null): TuningCase[] {
  if (redraw === null) return [...cases];
  const sides = new Map<number, Split>([
    ...redraw.toTraining.map((position): [number, Split] => [position, 'train']),
    ...redraw.toValidation.map((position): [number, Split] => [position, 'validation']),
  ]);
  return cases.map((one) => ({ ...one, split: sides.get(one.position) ?? one.split }));
}
