import type { History, Version } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { scoreOf } from '../scored-versions.ts';
import { joinComponents, splitComponents, tunedNames } from '../targets/component-texts.ts';
import { isKnownCandidate } from './candidate-parameters.ts';
import { lineageOf, newestWave, startingPoints } from './candidate-state.ts';
import { effectiveScores, validationPositions } from './case-scores.ts';
import { shuffled } from './minibatch.ts';

/** Maximum number of merges in a run. */
export const MAX_MERGES = 5;
/** Number of validation cases that a merged prompt is first scored on. */
export const MERGE_CASES = 5;

/** The merge of two candidates. `parents`: the better one first. `positions`: the cases that the merged prompt is first scored on. */
export type MergePlan = { parents: [number, number]; positions: number[]; text: string };

type Tuned = Pick<ExperimentSettings, 'tune' | 'generator'>;

/**
 * Plans the merge of the newest candidate with another one that improved other components since their common ancestor, or returns null.
 * Each component is taken from the candidate that changed it, and from the better one if both did. A text that was already tried is not
 * tried again. Source: GEPA (Agrawal et al. 2025), system-aware merge.
 */
export function plannedMerge(history: History, settings: Tuned): MergePlan | null {
  const { target } = settings.generator;
  if (!settings.tune.merge || target === null || tunedNames(target).length < 2) return null;
  if (history.versions.filter(({ proposal }) => proposal?.merged === true).length >= MAX_MERGES) return null;
  const all = startingPoints(history);
  const newest = all.at(-1);
  if (newest === undefined || !newestWave(history).includes(newest)) return null;
  const others = all
    .slice(0, -1)
    .sort((one, other) => (scoreOf(history, other.number) ?? 0) - (scoreOf(history, one.number) ?? 0));
  for (const other of others) {
    const plan = mergeOf(history, settings, newest, other);
    if (plan !== null) return plan;
  }
  return null;
}

function mergeOf(history: History, settings: Tuned, one: Version, other: Version): MergePlan | null {
  const [ofOne, ofOther] = [lineageOf(history, one), lineageOf(history, other)];
  if (ofOne.has(other.number) || ofOther.has(one.number)) return null;
  const shared = Math.max(...[...ofOne].filter((number) => ofOther.has(number)));
  const ancestor = history.versions[shared];
  if (ancestor === undefined || ancestor.outputDropped) return null;
  const isLower = (scoreOf(history, one.number) ?? 0) < (scoreOf(history, other.number) ?? 0);
  const [better, worse] = isLower ? [other, one] : [one, other];
  const text = mergedText(ancestor.output, better.output, worse.output);
  if (isKnownCandidate(history, text, better.number)) return null;
  return { parents: [better.number, worse.number], positions: mergePositions(history, settings, better, worse), text };
}

/** Returns the better text, with the components that only the other one changed. */
function mergedText(ancestor: string, better: string, worse: string): string {
  const [before, best, other] = [ancestor, better, worse].map(splitComponents);
  const merged = new Map(best);
  for (const [name, text] of other ?? []) {
    const isChanged = text !== before?.get(name);
    if (isChanged && best?.get(name) === before?.get(name)) merged.set(name, text);
  }
  return joinComponents(merged);
}

/** Orders cases with different scores first, because they show if a merge combines the strengths of both. */
function mergePositions(history: History, { tune }: Tuned, better: Version, worse: Version): number[] {
  const [one, other] = [better, worse].map(({ number }) => effectiveScores(history, number));
  const isSame = (position: number) => one?.get(position)?.score === other?.get(position)?.score;
  const order = shuffled(
    validationPositions(history),
    String,
    'merge',
    String(tune.seed),
    String(history.versions.length),
  );
  return [...order.filter((position) => !isSame(position)), ...order.filter(isSame)].slice(0, MERGE_CASES);
}
