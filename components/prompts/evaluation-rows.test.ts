import { describe, expect, test } from 'vitest';
import type { PromptEvaluation } from '#lib/prompts/evaluation-schema.ts';
import { NO_OPTIONS } from '#lib/prompts/prompt.ts';
import {
  type CellState,
  cellKey,
  changedLines,
  compareRows,
  countOpen,
  EVALUATION_FILTERS,
  evaluationRows,
  isShown,
  skippedLabel,
  sumOfDraft,
  withEvaluationEvent,
  withoutPending,
} from './evaluation-rows.ts';

const model = { provider: 'practice', model: 'practice-1' };
const other = { provider: 'practice', model: 'practice-2' };
const NEW = { text: 'new', ...NO_OPTIONS };
const OLD = { text: 'old', ...NO_OPTIONS };
const asked = { texts: [NEW, OLD], models: [model, other], positions: [0, 1] };

function evaluation(score: number | null): PromptEvaluation {
  return {
    output: 'bug',
    finishReason: 'stop',
    status: score === null ? 'partial' : 'scored',
    score,
    criteriaScores: { exact: score },
    satisfactory: score === 1,
    feedback: '',
    detail: '',
    inputTokens: 1,
    outputTokens: 1,
    costUsd: 0,
    durationMs: 1,
    createdAt: '2026-11-20T10:00:00.000Z',
  };
}

/** `+` right, `-` wrong, `?` unscored, `!` failed, `~` streaming, `.` not evaluated. */
function cell(mark: string | undefined): CellState | null {
  switch (mark) {
    case '+':
    case '-':
      return { state: 'made', evaluation: evaluation(mark === '+' ? 1 : 0), known: false };
    case '?':
      return { state: 'made', evaluation: evaluation(null), known: false };
    case '!':
      return { state: 'failed', message: 'No.', remedy: 'Wait.' };
    case '~':
      return { state: 'writing', text: 'b' };
    default:
      return null;
  }
}

/** Rows of one case each, with one mark pair (old text, new text) per model. */
function rowsOf(...cases: string[][]) {
  const cells = new Map<string, CellState>();
  cases.forEach((marks, position) => {
    marks.forEach((mark, index) => {
      const [before, after] = [cell(mark[0]), cell(mark[1])];
      const of = index === 0 ? model : other;
      if (before) cells.set(cellKey(OLD, of, position), before);
      if (after) cells.set(cellKey(NEW, of, position), after);
    });
  });
  const shown = cases.map((_, position) => ({
    position,
    split: 'train' as const,
    input: `case ${position}`,
    reference: null,
    tags: [],
    fields: [],
    isCut: false,
  }));
  const models = cases[0]?.length === 2 ? [model, other] : [model];
  return evaluationRows(cells, { before: OLD, after: NEW, models, cases: shown });
}

describe('row filters with one model', () => {
  test.each<[string, string | null, string[]]>([
    ['-+', 'fixed', ['all', 'fixed']],
    ['+-', 'broken', ['all', 'broken', 'wrong']],
    ['++', 'same', ['all', 'same']],
    ['--', 'same', ['all', 'same', 'wrong']],
    ['+.', null, ['all']],
    ['.+', null, ['all']],
    ['?+', null, ['all']],
    ['+?', null, ['all', 'wrong']],
    ['+!', null, ['all', 'wrong']],
    ['+~', null, ['all']],
  ])('%s is %s', (marks, effect, filters) => {
    const [row] = rowsOf([marks]);
    expect(row?.pairs[0]?.effect).toBe(effect);
    expect(EVALUATION_FILTERS.filter((filter) => row !== undefined && isShown(row, filter))).toEqual(filters);
  });

  test('a row with two models matches if either model changed, and is unchanged only if both are', () => {
    const [row] = rowsOf(['-+', '++']);
    expect(EVALUATION_FILTERS.filter((filter) => row !== undefined && isShown(row, filter))).toEqual(['all', 'fixed']);
  });
});

test('totals are computed per model over scored cases', () => {
  const rows = rowsOf(['-+', '++'], ['++', '+-'], ['+?', '++'], ['.+', '++']);
  expect(compareRows(rows, 0)).toMatchObject({ n: 2, fixed: 1, broken: 0 });
  expect(compareRows(rows, 1)).toMatchObject({ n: 4, fixed: 0, broken: 1 });
  expect(sumOfDraft(rows, 0)).toMatchObject({ right: 3, scores: { n: 3, mean: 1 } });
});

test('events assemble text pieces, report failures, and ignore cells that were not requested', () => {
  const at = { text: 0, model: 1, position: 1 };
  const key = cellKey(NEW, other, 1);
  let cells: ReadonlyMap<string, CellState> = new Map();
  for (const piece of ['bu', 'g']) cells = withEvaluationEvent(cells, { type: 'text', ...at, piece }, asked);
  expect(cells.get(key)).toEqual({ state: 'writing', text: 'bug' });
  expect(withoutPending(cells).size).toBe(0);
  const failed = withEvaluationEvent(cells, { type: 'failed', ...at, message: 'No.', remedy: 'Wait.' }, asked);
  expect(failed.get(key)).toEqual({ state: 'failed', message: 'No.', remedy: 'Wait.' });
  const made = withEvaluationEvent(failed, { type: 'proof', ...at, known: true, proof: evaluation(1) }, asked);
  expect(withoutPending(made).get(key)).toMatchObject({ state: 'made', known: true });
  expect(withEvaluationEvent(made, { type: 'text', ...at, text: 7, piece: 'x' }, asked)).toBe(made);
});

test('text is not doubled if the draft equals the compared version', () => {
  const same = { ...asked, texts: [NEW, NEW] };
  let cells: ReadonlyMap<string, CellState> = new Map();
  // Equal texts share one response, and its events are sent for each text.
  for (const piece of ['Let ', 'me ', 'think'])
    for (const text of [0, 1])
      cells = withEvaluationEvent(cells, { type: 'text', text, model: 0, position: 0, piece }, same);
  expect(cells.get(cellKey(NEW, model, 0))).toEqual({ state: 'writing', text: 'Let me think' });
});

test.each([
  ['with nothing saved, a response and a judge call per case', [], [NEW, OLD], 8, 0, 16],
  ['with one response saved', [OLD], [NEW, OLD], 8, 1, 14],
  ['identical texts count once', [], [OLD, OLD], 4, 0, 8],
])('calls to be made: %s', (_name, known, texts, count, isKnown, calls) => {
  const made = cell('+');
  const cells = new Map(known.flatMap((text) => (made ? [[cellKey(text, model, 0), made] as const] : [])));
  const criteria = [
    { name: 'clear', evaluator: 'llm' as const, description: '', weight: 1, threshold: 0.7, config: {} },
  ];
  expect(countOpen(cells, { ...asked, texts }, { criteria })).toEqual({ cells: count, known: isKnown, calls });
});

test('names the skipped cases and their number', () => {
  expect(skippedLabel(rowsOf(['++'], ['+-']))).toBeNull();
  const rows = rowsOf(['..'], ['++'], ['..']).map((row, index) =>
    index === 1
      ? row
      : { ...row, case: { ...row.case, skipped: { criterion: 'exact', missing: 'reference' as const } } },
  );
  expect(skippedLabel(rows)).toEqual({
    title: '2 cases cannot be scored and are skipped',
    text: '2 of 3 cases have no reference, and "exact" can score no version without one: case 1 ("case 0") and case 3 ("case 2").',
  });
});

test.each([
  ['identical texts', 'a\nb', 'a\nb', 0, 0],
  ['a line appended', 'a', 'a\nb', 1, 0],
  ['a line removed', 'a\nb\nc', 'a\nc', 0, 1],
  ['a line changed', 'a\nb', 'a\nB', 1, 1],
  ['an empty old text', '', 'a', 1, 1],
])('changedLines: %s', (_name, before, after, added, removed) => {
  expect(changedLines(before, after)).toEqual({ added, removed });
});
