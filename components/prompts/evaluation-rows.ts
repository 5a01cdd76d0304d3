import { diffParts } from '#components/ui/diff/diff-parts.ts';
import { callsOfEvaluation } from '#lib/core/criterion.ts';
import type { ModelFailureKind } from '#lib/core/model-request.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import {
  type AnswerComparison,
  type AnswerSum,
  compareAnswers,
  type ScoredAnswer,
} from '#lib/prompts/compare-answers.ts';
import type { EvaluationEvent, PromptEvaluation } from '#lib/prompts/evaluation-schema.ts';
import { isSamePrompt, optionsKey, type PromptBody } from '#lib/prompts/prompt-body.ts';
import type { PromptSetup } from '#lib/prompts/schema.ts';
import { meanInterval } from '#lib/statistics/intervals.ts';
import type { PlaygroundCase } from './choose-cases.ts';

/** What is asked for: every prompt on every case under every model. */
export type EvaluationRequest = {
  texts: readonly PromptBody[];
  models: readonly ModelReference[];
  positions: readonly number[];
  /** Off: only what is kept. */
  pay: boolean;
  again: boolean;
};

export type AskedCells = Pick<EvaluationRequest, 'texts' | 'models' | 'positions'>;

/** What a change of the prompt did to a case under one model; null where one of the two is not scored yet. */
export type CaseEffect = 'fixed' | 'broken' | 'same' | null;

/** A case under one model: what the earlier text made of it, what the draft did, and what changed. */
export type EvaluationPair = {
  model: ModelReference;
  before: CellState | null;
  after: CellState | null;
  effect: CaseEffect;
};
export type EvaluationRow = { case: PlaygroundCase; pairs: EvaluationPair[] };

/** What is set against each other: two texts on cases, under one to four models. `before` is null where there is no version yet. */
type EvaluationView = {
  before: PromptBody | null;
  after: PromptBody;
  models: readonly ModelReference[];
  cases: readonly PlaygroundCase[];
};

/** One row a case, with a pair for each model. */
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

/** How the answer in a cell was scored; null while there is none. */
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

/** Whether a row stands under a filter: under any of its models. `wrong`: the draft's answer is not good enough, or there is none. */
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
      return pairs.some(({ after }) => isWrong(after));
  }
}

/** An answer that was made and is not good enough, or that failed. */
export function isWrong(cell: CellState | null): boolean {
  return cell?.state === 'failed' || (cell?.state === 'made' && !cell.evaluation.satisfactory);
}

/** The two texts over all rows, under the model in this place. */
export function compareRows(rows: readonly EvaluationRow[], model: number): AnswerComparison {
  const pairs = rows.flatMap(({ case: one, pairs }) => {
    const pair = pairs[model];
    if (pair === undefined) return [];
    return [{ case: String(one.position), before: scoredOf(pair.before), after: scoredOf(pair.after) }];
  });
  return compareAnswers(pairs, 'proof');
}

/** The draft alone under the model in this place, over the cases that it is scored on. */
export function sumOfDraft(rows: readonly EvaluationRow[], place: number): AnswerSum {
  const scored = rows.flatMap(({ pairs }) => scoredOf(pairs[place]?.after ?? null) ?? []);
  const scores = scored.flatMap(({ score }) => score ?? []);
  return {
    right: scored.filter(({ score, satisfactory }) => score !== null && satisfactory).length,
    scores: meanInterval(scores),
  };
}

/** The first failure of the draft under the model in this place, and how many there are; null unless all that was tried of it failed. */
export function failedAlike(rows: readonly EvaluationRow[], place: number) {
  const tried = rows.flatMap(({ pairs }) => pairs[place]?.after ?? []);
  const failed = tried.flatMap((cell) => (cell.state === 'failed' ? cell : []));
  const [first] = failed;
  return first === undefined || failed.length < tried.length ? null : { ...first, count: failed.length };
}

/** Of the answers that would be asked for: all, those that are known, and about how many calls the others take. Equal texts count once. */
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

/** How one answer stands: asked for, being written, made (`known`: kept before), or failed. */
export type CellState =
  | { state: 'waiting' }
  | { state: 'writing'; text: string }
  | { state: 'made'; evaluation: PromptEvaluation; known: boolean }
  | { state: 'failed'; cause?: ModelFailureKind | undefined; message: string; remedy: string };

/** Answers by what they are answers to. */
export type CellStates = ReadonlyMap<string, CellState>;

/** What an answer is kept under on the page: the prompt that was tried, the model and the case. */
export function cellKey(prompt: PromptBody, { provider, model }: ModelReference, position: number): string {
  return JSON.stringify([provider, model, position, promptKey(prompt)]);
}

/** A prompt as a text to know it by. */
export function promptKey(prompt: PromptBody): string {
  return JSON.stringify([prompt.text, optionsKey(prompt)]);
}

/** What was asked for, in the order that the events name it by. */
type AskedTexts = { texts: readonly PromptBody[]; models: readonly ModelReference[] };

/** The cells after an event. Text is added to what is written; what is there of other texts stays. */
export function withEvaluationEvent(cells: CellStates, event: EvaluationEvent, asked: AskedTexts): CellStates {
  if (event.type === 'begin' || event.type === 'end') return cells;
  const text = asked.texts[event.text];
  const model = asked.models[event.model];
  // Equal texts share a cell, and each of them is told of: the words of one of them are enough.
  if (
    text === undefined ||
    model === undefined ||
    asked.texts.findIndex((one) => isSamePrompt(one, text)) !== event.text
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

/** Without what was asked for and not answered: nobody works on it any more. */
export function withoutPending(cells: CellStates): CellStates {
  return new Map([...cells].filter(([, { state }]) => state === 'made' || state === 'failed'));
}

/** How many lines of a text are new and how many are gone, against another one. */
export function changedLines(before: string, after: string): { added: number; removed: number } {
  const changes = diffParts(`${before}\n`, `${after}\n`).filter((part) => part.kind === 'change');
  const count = (texts: string[]) => texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return {
    added: count(changes.map((change) => change.after)),
    removed: count(changes.map((change) => change.before)),
  };
}
