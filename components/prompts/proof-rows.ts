import type { ModelReference } from '#lib/core/settings.ts';
import { type AnswerComparison, compareAnswers, type ScoredAnswer } from '#lib/prompts/compare-answers.ts';
import type { PlaygroundCase } from './playground-case.ts';
import { type CellState, cellKey, type ProofCells } from './proof-cells.ts';

/** What a change of the prompt did to a case under one model; null where one of the two is not scored yet. */
export type CaseEffect = 'fixed' | 'broken' | 'same' | null;

/** A case under one model: what the earlier text made of it, what the draft did, and what changed. */
export type ProofPair = {
  model: ModelReference;
  before: CellState | null;
  after: CellState | null;
  effect: CaseEffect;
};
export type ProofRow = { case: PlaygroundCase; pairs: ProofPair[] };

/** What is set against each other: two texts on cases, under one to four models. `before` is null where there is no version yet. */
export type ProofView = {
  before: string | null;
  after: string;
  models: readonly ModelReference[];
  cases: readonly PlaygroundCase[];
};

/** One row a case, with a pair for each model. */
export function proofRows(cells: ProofCells, { before, after, models, cases }: ProofView): ProofRow[] {
  return cases.map((one) => ({
    case: one,
    pairs: models.map((model) => {
      const at = (text: string | null) =>
        text === null ? null : (cells.get(cellKey(text, model, one.position)) ?? null);
      const pair = { model, before: at(before), after: at(after) };
      return { ...pair, effect: effectOf(scoredOf(pair.before), scoredOf(pair.after)) };
    }),
  }));
}

/** How the answer in a cell was scored; null while there is none. */
export function scoredOf(cell: CellState | null): ScoredAnswer | null {
  return cell?.state === 'made' ? { score: cell.proof.score, satisfactory: cell.proof.satisfactory } : null;
}

function effectOf(before: ScoredAnswer | null, after: ScoredAnswer | null): CaseEffect {
  if (before === null || after === null || before.score === null || after.score === null) return null;
  if (before.satisfactory === after.satisfactory) return 'same';
  return after.satisfactory ? 'fixed' : 'broken';
}

export const PROOF_FILTERS = ['all', 'fixed', 'broken', 'same', 'wrong'] as const;
export type ProofFilter = (typeof PROOF_FILTERS)[number];

/** Whether a row stands under a filter: under any of its models. `wrong`: the draft's answer is not good enough, or there is none. */
export function isShown({ pairs }: ProofRow, filter: ProofFilter): boolean {
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
  return cell?.state === 'failed' || (cell?.state === 'made' && !cell.proof.satisfactory);
}

/** The two texts over all rows, under the model in this place. */
export function compareRows(rows: readonly ProofRow[], model: number): AnswerComparison {
  const pairs = rows.flatMap(({ case: one, pairs }) => {
    const pair = pairs[model];
    if (pair === undefined) return [];
    return [{ case: String(one.position), before: scoredOf(pair.before), after: scoredOf(pair.after) }];
  });
  return compareAnswers(pairs, 'proof');
}
