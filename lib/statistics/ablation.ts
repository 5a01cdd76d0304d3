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
import { validationPositions } from '#lib/core/tuning/case-scores.ts';
import { dueTries, type TryStep } from '#lib/core/tuning/due-try.ts';
import { shuffled } from '#lib/core/tuning/minibatch.ts';
import { MIN_CHANGED_CASES } from '#lib/core/tuning/paired-evidence.ts';
import { formProblems } from '#lib/core/tuning/proposal-problems.ts';
import { SIGNIFICANT } from './format-statistics.ts';

/** Maximum number of parts into which a prompt's changes are divided. */
const MAX_PARTS = 8;
/** Minimum number of characters of a part. A shorter one, such as a heading, is joined with the next line. */
const MIN_PART_LENGTH = 20;
/** Maximum number of lines by which a rewritten passage may grow and still be one part. A longer one is divided into lines. */
const MORE_LINES = 2;

const count = z.int().min(0);
/** Lines `start` to `end` (excluded) of a prompt, and the lines of the first prompt that replace them. */
const editSchema = z.object({ start: count, end: count, restored: z.array(z.string()) });
type Edit = z.infer<typeof editSchema>;

/** A part of the changes from the first prompt to another one: edits that can be reverted, in order. */
export const ablationPartSchema = z.object({ edits: z.array(editSchema).min(1) });
export type AblationPart = z.infer<typeof ablationPartSchema>;

/** A part with the lines it removes from the prompt and the lines of the first prompt it restores. */
export const changedLinesSchema = ablationPartSchema.extend({
  removed: z.array(z.string()),
  restored: z.array(z.string()),
});
type ChangedLines = z.infer<typeof changedLinesSchema>;

/** A change that cannot be removed separately, with the reason. */
type FixedChange = { part: AblationPart; problem: ProposalProblem };

/** Returns the prompt without these parts: their lines are removed or replaced by those of the first prompt. */
export function withoutParts(prompt: string, parts: readonly AblationPart[]): string {
  const lines = prompt.split('\n');
  const edits = parts.flatMap((part) => part.edits).sort((one, other) => other.start - one.start);
  for (const { start, end, restored } of edits) lines.splice(start, end - start, ...restored);
  return lines.join('\n');
}

/** Returns a part with its lines. */
export function linesOfPart(prompt: string, { edits }: AblationPart): ChangedLines {
  const lines = prompt.split('\n');
  return {
    edits,
    removed: edits.flatMap(({ start, end }) => lines.slice(start, end)),
    restored: edits.flatMap(({ restored }) => restored),
  };
}

/**
 * Returns the changes from the first prompt to another one, in at most 8 parts. A new line is a part. A replaced passage is one, unless it
 * became much longer. Short parts and the smallest neighbors are joined. `fixed`: changes without which the prompt could not be used, for
 * example because it would lose a variable.
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

/** Joins parts if the prompt is still usable without both. */
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
  const pairAt = (index: number): AblationPart | null => {
    const [one, next] = left.slice(index, index + 2);
    const pair = one && next ? { edits: [...one.edits, ...next.edits] } : null;
    return pair !== null && isFree(pair) ? pair : null;
  };
  for (let index = 0; index < left.length; index++) {
    for (let part = left[index]; part !== undefined && charactersOf(part) < MIN_PART_LENGTH; ) {
      const pair = areAdjacent(part, left[index + 1]) ? pairAt(index) : null;
      if (pair === null) break;
      left.splice(index, 2, pair);
      part = pair;
    }
  }
  // Lines that are not adjacent are joined only if that keeps the parts small.
  const joinAt = (index: number) => {
    const pair = pairAt(index);
    return pair && { pair, cost: charactersOf(pair) * (areAdjacent(left[index], left[index + 1]) ? 1 : 2) };
  };
  const joins = left.map((_, index) => joinAt(index));
  while (left.length > MAX_PARTS) {
    const possible = joins.flatMap((join, index) => (join === null ? [] : [{ ...join, position: index }]));
    const [smallest] = possible.sort((one, other) => one.cost - other.cost);
    if (smallest === undefined) break;
    const { position, pair } = smallest;
    left.splice(position, 2, pair);
    // Each join is checked on the whole prompt, so only the two joins that include the new part are recomputed.
    joins.splice(position, 2, joinAt(position));
    if (position > 0) joins[position - 1] = joinAt(position - 1);
  }
  return left;
}

function lengthOf(lines: readonly string[]): number {
  return lines.join('\n').length;
}

/** Returns the changes from one list of lines to another, with positions in the second list. Ignores blank lines. */
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

/** The measured prompt, its parts, the cases to score, and the limit of example scores. */
export type AblationPlan = { version: number; parts: AblationPart[]; positions: number[]; maxTries: number };

/**
 * Returns the minimum number of example scores that can show that a part helps or hurts, and the number for all cases. Each case is scored
 * with the whole prompt and without each part.
 */
export function ablationTries(parts: number, cases: number): { least: number; most: number } {
  return { least: (parts + 1) * Math.min(leastCases(parts), cases), most: (parts + 1) * cases };
}

/** Returns the minimum number of cases for a significant part if all change without it (exact sign test, Holm's correction). */
function leastCases(parts: number): number {
  let cases = MIN_CHANGED_CASES;
  while (signTest(cases, 0) * parts >= SIGNIFICANT) cases++;
  return cases;
}

/**
 * Returns the cases that the given number of example scores can cover. The seed draws them from the validation cases, never from held-out
 * ones. `before`: cases that were scored already, which come first.
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
 * Returns a history of only the ablation, used to plan and record its example scores. Version 0 is the whole prompt, version n the one
 * without part n. The run's history does not change.
 */
export function ablationHistory(
  history: History,
  { version, parts }: Pick<AblationPlan, 'version' | 'parts'>,
  tries: History['tries'],
): History {
  const { output, createdAt } = versionNumbered(history, version);
  const parameters = parametersOf(history, version);
  // Without its changes, a prompt is still run with the model and temperature of the whole one.
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

/** Number of cases scored with all prompts before the next ones, so that an ablation that ends early has complete pairs. */
const CASES_AT_ONCE = 8;

/** Returns the next example scores to make. Null if all scorable cases were scored with all prompts or the limit is reached. */
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
    const selected = positions.slice(0, left);
    left -= selected.length;
    return selected.length === 0 ? [] : [{ version, positions: selected }];
  });
  return { ...step, parts };
}

/** Returns the settings of an ablation. It is limited by its number of example scores, not by the limits of the run. */
export function ablationSettings(settings: ExperimentSettings): ExperimentSettings {
  return withLimits(settings, {
    maxCalls: null,
    maxTokens: null,
    maxCostUsd: null,
    maxSeconds: null,
    maxTries: null,
  });
}
