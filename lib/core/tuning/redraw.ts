import type { History, Redraw, Split, TuningCase, Version } from '../history.ts';
import { scoreOf } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { Step } from '../step.ts';
import { isHeldBack } from './candidate-state.ts';
import { effectiveScores, isRight, positionsOf } from './cases-of.ts';
import { dueTries } from './due-try.ts';
import { firstPromptCases, shuffled } from './minibatch.ts';

/** Which cases change sides. */
type RedrawPlan = Pick<Redraw, 'toTraining' | 'toValidation'>;

/**
 * The validation cases to learn from where a prompt is right on every training case, and those that take their places; null where it
 * missed none, where the set was redrawn before, or none would be left.
 *
 * Half of the missed cases move, drawn by the seed: the rest stays, so that the new set still shows whether the next prompts do better.
 * Their places are taken by training cases that no proposal was made from, so the model that writes prompts has seen none of the new
 * set; where there are too few, the set gets smaller. Held-out cases stay what they are.
 */
export function plannedRedraw(
  history: History,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  version: number,
): RedrawPlan | null {
  if (history.redraw !== null) return null;
  const validation = positionsOf(history, 'validation');
  const tries = effectiveScores(history, version);
  const missed = validation.filter((position) => !isRight(tries.get(position)));
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
 * The next step towards a new validation set: every validated prompt is tried on the cases that join it, then they change sides. All of
 * it is paid for before the sides change, so no ending leaves scores over two different sets side by side. Null where there is nothing to
 * redraw.
 */
export function dueRedraw(history: History, settings: ExperimentSettings, version: number): Step | null {
  const plan = plannedRedraw(history, settings, version);
  if (plan === null) return null;
  const wanted = validated(history).map(({ number: version }) => ({ version, positions: plan.toValidation }));
  return dueTries(history, wanted, 'validation') ?? { type: 'redraw', ...plan };
}

/** The evaluation of a prompt on the new validation set, the best on the old one first; null where all have theirs. */
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

/** The cases with the sides they are on since. */
export function redrawnCases(cases: readonly TuningCase[], redraw: RedrawPlan | null): TuningCase[] {
  if (redraw === null) return [...cases];
  const sides = new Map<number, Split>([
    ...redraw.toTraining.map((position): [number, Split] => [position, 'train']),
    ...redraw.toValidation.map((position): [number, Split] => [position, 'validation']),
  ]);
  return cases.map((one) => ({ ...one, split: sides.get(one.position) ?? one.split }));
}
