import { diffArrays } from 'diff';
import { z } from 'zod';
import { withLimits } from '#lib/core/budget-settings.ts';
import {
  type History,
  NEW_VERSION,
  type ProposalProblem,
  type TuningCase,
  type Version,
  versionNumbered,
} from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { signTest } from '#lib/core/sign-test.ts';
import { parametersOf } from '#lib/core/tuning/candidate-parameters.ts';
import { validationPositions } from '#lib/core/tuning/cases-of.ts';
import { dueTries, type TryStep } from '#lib/core/tuning/due-try.ts';
import { shuffled } from '#lib/core/tuning/minibatch.ts';
import { FEWEST_CHANGED } from '#lib/core/tuning/paired-evidence.ts';
import { formProblems } from '#lib/core/tuning/proposal-problems.ts';
import { SIGNIFICANT } from './write-chance.ts';

/** The most parts that a prompt's changes are measured in. */
const MOST_PARTS = 8;
/** A shorter part is joined with the next line, such as a heading with its list. */
const FEWEST_CHARACTERS = 20;
/** A rewritten passage with so many more lines than before is taken line by line, not as a whole. */
const MORE_LINES = 2;

const count = z.int().min(0);
/** Lines `start` up to `end` (excluded) of a prompt, and the lines of the first prompt that take their place. */
const editSchema = z.object({ start: count, end: count, restored: z.array(z.string()) });
type Edit = z.infer<typeof editSchema>;

/** A part of the changes from the first prompt to another one: lines that can be taken out of it again, in their order. */
export const ablationPartSchema = z.object({ edits: z.array(editSchema).min(1) });
export type AblationPart = z.infer<typeof ablationPartSchema>;

/** A part with the lines of the prompt that it takes out, and the lines of the first prompt that it puts back. */
export const changedLinesSchema = ablationPartSchema.extend({
  removed: z.array(z.string()),
  restored: z.array(z.string()),
});
type ChangedLines = z.infer<typeof changedLinesSchema>;

/** Lines that changed and cannot be taken out alone, and why. */
type FixedChange = { part: AblationPart; problem: ProposalProblem };

/** The prompt without these parts: their lines are removed, or have the text of the first prompt again. */
export function withoutParts(prompt: string, parts: readonly AblationPart[]): string {
  const lines = prompt.split('\n');
  const edits = parts.flatMap((part) => part.edits).sort((one, other) => other.start - one.start);
  for (const { start, end, restored } of edits) lines.splice(start, end - start, ...restored);
  return lines.join('\n');
}

/** A part with its lines. */
export function linesOfPart(prompt: string, { edits }: AblationPart): ChangedLines {
  const lines = prompt.split('\n');
  return {
    edits,
    removed: edits.flatMap(({ start, end }) => lines.slice(start, end)),
    restored: edits.flatMap(({ restored }) => restored),
  };
}

/**
 * The changes from the first prompt to another one, in at most 8 parts. A new line is a part; a replaced passage is one, unless it became
 * much longer. Short parts and the smallest neighbors are joined. `fixed`: changes without which the prompt could not be used, for example
 * because it would lose a variable.
 */
export function ablationParts(
  first: string,
  prompt: string,
  cases: readonly TuningCase[],
): { parts: AblationPart[]; fixed: FixedChange[] } {
  const lines = prompt.split('\n');
  const problemOf = (part: AblationPart) => formProblems(withoutParts(prompt, [part]), [...cases], prompt)[0];
  const parts: AblationPart[] = [];
  const fixed: FixedChange[] = [];
  for (const edit of changedEdits(first.split('\n'), lines)) {
    const part = { edits: [edit] };
    const problem = problemOf(part);
    if (problem === undefined) parts.push(part);
    else fixed.push({ part, problem });
  }
  return { parts: joined(parts, lines, (part) => problemOf(part) === undefined), fixed };
}

/** Joins parts where the prompt without both can still be used. */
function joined(
  parts: readonly AblationPart[],
  lines: readonly string[],
  isFree: (part: AblationPart) => boolean,
): AblationPart[] {
  const left = [...parts];
  const charactersOf = ({ edits }: AblationPart) =>
    edits.reduce(
      (sum, { start, end, restored }) => sum + Math.max(lengthOf(lines.slice(start, end)), lengthOf(restored)),
      0,
    );
  const areAdjacent = (one: AblationPart | undefined, next: AblationPart | undefined) =>
    one !== undefined && next !== undefined && one.edits.at(-1)?.end === next.edits[0]?.start;
  const pairAt = (place: number): AblationPart | null => {
    const [one, next] = left.slice(place, place + 2);
    const pair = one && next ? { edits: [...one.edits, ...next.edits] } : null;
    return pair !== null && isFree(pair) ? pair : null;
  };
  for (let place = 0; place < left.length; place++) {
    for (let part = left[place]; part !== undefined && charactersOf(part) < FEWEST_CHARACTERS; ) {
      const pair = areAdjacent(part, left[place + 1]) ? pairAt(place) : null;
      if (pair === null) break;
      left.splice(place, 2, pair);
      part = pair;
    }
  }
  // Lines that do not follow each other are joined only where that keeps the parts small.
  const joinAt = (place: number) => {
    const pair = pairAt(place);
    return pair && { pair, cost: charactersOf(pair) * (areAdjacent(left[place], left[place + 1]) ? 1 : 2) };
  };
  const joins = left.map((_, place) => joinAt(place));
  while (left.length > MOST_PARTS) {
    const possible = joins.flatMap((join, place) => (join === null ? [] : [{ ...join, place }]));
    const [smallest] = possible.sort((one, other) => one.cost - other.cost);
    if (smallest === undefined) break;
    const { place, pair } = smallest;
    left.splice(place, 2, pair);
    // Each join is checked on the whole prompt, so only the two that the new part takes part in are made anew.
    joins.splice(place, 2, joinAt(place));
    if (place > 0) joins[place - 1] = joinAt(place - 1);
  }
  return left;
}

function lengthOf(lines: readonly string[]): number {
  return lines.join('\n').length;
}

/** The changes from one list of lines to another, at the places of the other list. Blank lines are no change. */
function changedEdits(before: readonly string[], after: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let at = 0;
  let [removed, added]: [string[], string[]] = [[], []];
  const close = () => {
    edits.push(...editsOf(removed, added, at));
    at += added.length;
    [removed, added] = [[], []];
  };
  for (const change of diffArrays([...before], [...after])) {
    if (change.removed) removed.push(...change.value);
    else if (change.added) added.push(...change.value);
    else {
      close();
      at += change.value.length;
    }
  }
  close();
  return edits;
}

function editsOf(removed: readonly string[], added: readonly string[], start: number): Edit[] {
  const isWritten = (line: string) => line.trim() !== '';
  const [old, written] = [removed.filter(isWritten), added.filter(isWritten)];
  if (old.length === 0 && written.length === 0) return [];
  const isRewritten = old.length > 0 && written.length <= old.length + MORE_LINES;
  if (isRewritten) return [{ start, end: start + added.length, restored: [...removed] }];
  return added.flatMap((line, at) =>
    isWritten(line) ? [{ start: start + at, end: start + at + 1, restored: [] }] : [],
  );
}

/** The prompt that is measured, its parts, the cases it is tried on, and the try limit. */
export type AblationPlan = { version: number; parts: AblationPart[]; positions: number[]; maxTries: number };

/**
 * Fewest tries that can show that a part helps or hurts, and those of all cases. Each case is tried with the whole prompt and without each
 * part.
 */
export function ablationTries(parts: number, cases: number): { least: number; most: number } {
  return { least: (parts + 1) * Math.min(leastCases(parts), cases), most: (parts + 1) * cases };
}

/** Fewest cases on which a part is significant if each of them changes without it: by the exact sign test, after Holm's correction. */
function leastCases(parts: number): number {
  let cases = FEWEST_CHANGED;
  while (signTest(cases, 0) * parts >= SIGNIFICANT) cases++;
  return cases;
}

/**
 * The cases that so many tries are enough for, drawn by the seed from those that candidates are validated on; held-out cases never.
 * `before`: cases that were tried already, which come first.
 */
export function ablationPositions(
  history: Pick<History, 'cases'>,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  { parts, maxTries, before = [] }: { parts: number; maxTries: number; before?: readonly number[] },
): number[] {
  const validated = validationPositions(history);
  const drawn = shuffled(validated, String, 'ablation', String(tune.seed));
  const order = [...new Set([...before.filter((position) => validated.includes(position)), ...drawn])];
  return order.slice(0, Math.floor(maxTries / (parts + 1)));
}

/**
 * A history of the ablation alone, which its tries are planned by and made in: version 0 is the whole prompt, version n the one without
 * part n. The run's own history stays as it is.
 */
export function ablationHistory(
  history: History,
  { version, parts }: Pick<AblationPlan, 'version' | 'parts'>,
  tries: History['tries'],
): History {
  const { output, createdAt } = versionNumbered(history, version);
  const parameters = parametersOf(history, version);
  // Without the changes, a prompt is tried with the model and temperature of the whole one.
  const proposal = { round: 0, positions: [], diagnosis: '', problems: [], parameters };
  const texts = [output, ...parts.map((part) => withoutParts(output, [part]))];
  const versions = texts.map(
    (text, number): Version => ({
      ...NEW_VERSION,
      ...{ number, iteration: 0, origin: 'edited', output: text, createdAt, step: 0 },
      ...(Object.keys(parameters).length > 0 && { proposal }),
    }),
  );
  return {
    ...history,
    versions,
    tries,
    step: 0,
    evaluations: [],
    critiques: [],
    decisions: [],
    redraw: null,
    failure: null,
  };
}

/** Cases that are tried with all prompts before the next ones, so that an ablation that ends early has whole pairs. */
const CASES_AT_ONCE = 8;

/** The next tries of an ablation, or null if all prompts were tried on all cases or the limit is reached. Unscorable cases are skipped. */
export function dueAblation(
  ablation: History,
  { positions, maxTries }: Pick<AblationPlan, 'positions' | 'maxTries'>,
): TryStep | null {
  const left = maxTries - ablation.tries.length;
  if (left <= 0) return null;
  for (let at = 0; at < positions.length; at += CASES_AT_ONCE) {
    const together = positions.slice(at, at + CASES_AT_ONCE);
    const wanted = ablation.versions.map(({ number: version }) => ({ version, positions: together }));
    const due = dueTries(ablation, wanted, 'held_out');
    if (due !== null) return firstTries(due, left);
  }
  return null;
}

function firstTries(step: TryStep, most: number): TryStep {
  let left = most;
  const parts = step.parts.flatMap(({ version, positions }) => {
    const taken = positions.slice(0, left);
    left -= taken.length;
    return taken.length === 0 ? [] : [{ version, positions: taken }];
  });
  return { ...step, parts };
}

/** The settings that an ablation is tried with: its own number of tries limits it, not the limits of the run. */
export function ablationSettings(settings: ExperimentSettings): ExperimentSettings {
  return withLimits(settings, {
    maxCalls: null,
    maxTokens: null,
    maxCostUsd: null,
    maxSeconds: null,
    maxTries: null,
  });
}
