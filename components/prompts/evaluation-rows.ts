import { diffParts } from '#components/ui/diff/diff-rows.ts';
import { callsOfEvaluation } from '#lib/core/criterion.ts';
import type { ModelFailureKind } from '#lib/core/model-request.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { unscorableReason } from '#lib/core/unscorable-cases.ts';
import { formatNumberOf } from '#lib/format.ts';
import {
  type AnswerComparison,
  type AnswerSum,
  compareAnswers,
  type ScoredAnswer,
} from '#lib/prompts/compare-answers.ts';
import type { EvaluationEvent, PromptEvaluation } from '#lib/prompts/evaluation-schema.ts';
import { isSamePrompt, optionsKey, type PromptBody } from '#lib/prompts/prompt.ts';
import type { PromptSetup } from '#lib/prompts/schema.ts';
import { meanInterval } from '#lib/statistics/intervals.ts';
import type { PlaygroundCase } from './choose-cases.ts';

/** Request to evaluate every prompt on every case with every model. */
export type EvaluationRequest = {
  texts: readonly PromptBody[];
  models: readonly ModelReference[];
  positions: readonly number[];
  /** False: return only stored results. */
  pay: boolean;
  again: boolean;
};

export type AskedCells = Pick<EvaluationRequest, 'texts' | 'models' | 'positions'>;

/** Effect of a prompt change on a case under one model. Null until both are scored. */
export type CaseEffect = 'fixed' | 'broken' | 'same' | null;

/** Results of a case under one model: the earlier prompt, the draft, and the effect of the change. */
export type EvaluationPair = {
  model: ModelReference;
  before: CellState | null;
  after: CellState | null;
  effect: CaseEffect;
};
export type EvaluationRow = { case: PlaygroundCase; pairs: EvaluationPair[] };

/** Two prompts compared on cases, under one to four models. `before` is null if there is no version yet. */
type EvaluationView = {
  before: PromptBody | null;
  after: PromptBody;
  models: readonly ModelReference[];
  cases: readonly PlaygroundCase[];
};

/** Returns one row per case, with a pair per model. */
export function evaluationRows(cells: CellStates, { before, after, models, cases }: EvaluationView): EvaluationRow[] {
  return cases.map((one) => ({
    case: one,
    pairs: models.map((model) => {
      const at = (prompt: PromptBody | null) =>
        prompt === null ? null : (cells.get(cellKey(prompt, model, one.position)) ?? null);
      const pair = { model, before: at(before), after: at(after) };
      return { ...pair, effect: effectOf(scoredOf(pair.before), scoredOf(pair.after)) };
    }),
  }));
}

/** Returns the number and reasons of the cases that are skipped because they cannot be scored. Null if there are none. */
export function skippedLabel(rows: readonly EvaluationRow[]): { title: string; text: string } | null {
  const skipped = rows.flatMap(({ case: { position, input, skipped } }, index) =>
    skipped ? [{ index, number: position + 1, input, criterion: skipped.criterion, lacks: skipped.missing }] : [],
  );
  if (skipped.length === 0) return null;
  return {
    title: `${formatNumberOf(skipped.length, 'case')} cannot be scored and ${skipped.length === 1 ? 'is' : 'are'} skipped`,
    text: unscorableReason(skipped, rows.length),
  };
}

function scoredOf(cell: CellState | null): ScoredAnswer | null {
  return cell?.state === 'made' ? { score: cell.evaluation.score, satisfactory: cell.evaluation.satisfactory } : null;
}

function effectOf(before: ScoredAnswer | null, after: ScoredAnswer | null): CaseEffect {
  if (before === null || after === null || before.score === null || after.score === null) return null;
  if (before.satisfactory === after.satisfactory) return 'same';
  return after.satisfactory ? 'fixed' : 'broken';
}

export const EVALUATION_FILTERS = ['all', 'fixed', 'broken', 'same', 'wrong'] as const;
export type EvaluationFilter = (typeof EVALUATION_FILTERS)[number];

/** True if any model of a row matches the filter. `wrong`: the draft's output fails the threshold or is missing. */
export function isShown({ pairs }: EvaluationRow, filter: EvaluationFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'fixed':
    case 'broken':
      return pairs.some(({ effect }) => effect === filter);
    case 'same':
      return pairs.length > 0 && pairs.every(({ effect }) => effect === 'same');
    case 'wrong':
      return pairs.some(({ after }) => isFailing(after));
  }
}

/** True if the output fails the threshold or could not be produced. */
export function isFailing(cell: CellState | null): boolean {
  return cell?.state === 'failed' || (cell?.state === 'made' && !cell.evaluation.satisfactory);
}

/** Compares the two prompts over all rows, for the model at an index. */
export function compareRows(rows: readonly EvaluationRow[], model: number): AnswerComparison {
  const pairs = rows.flatMap(({ case: one, pairs }) => {
    const pair = pairs[model];
    if (pair === undefined) return [];
    return [{ case: String(one.position), before: scoredOf(pair.before), after: scoredOf(pair.after) }];
  });
  return compareAnswers(pairs, 'proof');
}

/** Summarizes the draft for the model at an index, over its scored cases. */
export function sumOfDraft(rows: readonly EvaluationRow[], index: number): AnswerSum {
  const scored = rows.flatMap(({ pairs }) => scoredOf(pairs[index]?.after ?? null) ?? []);
  const scores = scored.flatMap(({ score }) => score ?? []);
  return {
    right: scored.filter(({ score, satisfactory }) => score !== null && satisfactory).length,
    scores: meanInterval(scores),
  };
}

/** Returns the first failure of the draft for the model at an index, and the number of failures. Null unless every attempt failed. */
export function findSharedFailure(rows: readonly EvaluationRow[], index: number) {
  const tried = rows.flatMap(({ pairs }) => pairs[index]?.after ?? []);
  const failed = tried.flatMap((cell) => (cell.state === 'failed' ? cell : []));
  const [first] = failed;
  return first === undefined || failed.length < tried.length ? null : { ...first, count: failed.length };
}

/** Counts the requested results, the known ones, and the approximate number of calls for the rest. Equal texts count once. */
export function countOpen(
  cells: CellStates,
  { texts, models, positions }: AskedCells,
  setup: Pick<PromptSetup, 'criteria'>,
): { cells: number; known: number; calls: number } {
  const keys = new Set(
    positions.flatMap((position) => texts.flatMap((text) => models.map((model) => cellKey(text, model, position)))),
  );
  const known = [...keys].filter((key) => cells.get(key)?.state === 'made').length;
  return { cells: keys.size, known, calls: (keys.size - known) * (1 + callsOfEvaluation(setup)) };
}

/** State of one result: requested, streaming, done (`known`: stored before), or failed. */
export type CellState =
  | { state: 'waiting' }
  | { state: 'writing'; text: string }
  | { state: 'made'; evaluation: PromptEvaluation; known: boolean }
  | { state: 'failed'; cause?: ModelFailureKind | undefined; message: string; remedy: string };

/** Results by `cellKey`. */
export type CellStates = ReadonlyMap<string, CellState>;

/** Returns the key of a result: prompt, model and case. */
export function cellKey(prompt: PromptBody, { provider, model }: ModelReference, position: number): string {
  return JSON.stringify([provider, model, position, promptKey(prompt)]);
}

/** Returns a string that identifies a prompt. */
export function promptKey(prompt: PromptBody): string {
  return JSON.stringify([prompt.text, optionsKey(prompt)]);
}

/** Requested prompts and models, in the order of the indexes used by events. */
type AskedTexts = { texts: readonly PromptBody[]; models: readonly ModelReference[] };

/** Applies an event to the cells. Appends streamed text. Results of other prompts are unchanged. */
export function withEvaluationEvent(cells: CellStates, event: EvaluationEvent, requested: AskedTexts): CellStates {
  if (event.type === 'begin' || event.type === 'end') return cells;
  const text = requested.texts[event.text];
  const model = requested.models[event.model];
  // Equal texts share a cell but each sends events. Only those of one are used.
  if (
    text === undefined ||
    model === undefined ||
    requested.texts.findIndex((one) => isSamePrompt(one, text)) !== event.text
  )
    return cells;
  const key = cellKey(text, model, event.position);
  return new Map(cells).set(key, stateAfter(cells.get(key), event));
}

function stateAfter(
  before: CellState | undefined,
  event: Extract<EvaluationEvent, { type: 'text' | 'proof' | 'failed' }>,
): CellState {
  switch (event.type) {
    case 'text':
      return { state: 'writing', text: (before?.state === 'writing' ? before.text : '') + event.piece };
    case 'proof':
      return { state: 'made', evaluation: event.proof, known: event.known };
    case 'failed':
      return { state: 'failed', cause: event.cause, message: event.message, remedy: event.remedy };
  }
}

/** Removes unfinished results, because no process works on them any more. */
export function withoutPending(cells: CellStates): CellStates {
  return new Map([...cells].filter(([, { state }]) => state === 'made' || state === 'failed'));
}

/** Returns the number of added and removed lines of a text compared with another one. */
export function changedLines(before: string, after: string): { added: number; removed: number } {
  const changes = diffParts(`${before}\n`, `${after}\n`).filter((part) => part.kind === 'change');
  const count = (texts: string[]) => texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return {
    added: count(changes.map((change) => change.after)),
    removed: count(changes.map((change) => change.before)),
  };
}
