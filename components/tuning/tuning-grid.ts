import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import type { ExampleScore, History, Split, TuningCase } from '#lib/core/history.ts';
import { CUT_OFFS } from '#lib/core/step.ts';
import { isSameCandidate } from '#lib/core/tuning/candidate-parameters.ts';
import { effectiveScores } from '#lib/core/tuning/case-scores.ts';
import type { TuningSummary, WholeTuningSummary } from '#lib/statistics/tuning-summary.ts';
import { isRejected } from './tuning-trajectory.ts';

/** Result of a prompt on a case. `score` is null if it could not be scored. `isLead`: no candidate scores higher. */
export type GridCell = { score: number | null; isGood: boolean; isLead: boolean };
/** A case with the beginning of its input. `weight`: if it is not 1. */
export type GridCase = { position: number; split: Split; title: string; weight?: number };
/** The newest of the candidates that lead on a case, and their number. */
export type GridLeader = { version: number; count: number };

/**
 * Compact payload of cases × prompts, without texts and field names. `marks` has a character per case: `+` good, `*` good and leading, `x`
 * not good, `X` not good and leading, `-` not tested. `scores` contains only the tested cases.
 */
export type TuningGrid = {
  positions: number[];
  /** One character per case: `t` training, `v` validation, `h` held-out. */
  splits: string;
  titles: string[];
  /** Index and weight of each case whose weight is not 1. */
  weights: [place: number, weight: number][];
  columns: { version: number; marks: string; scores: (number | null)[] }[];
  /** For each case with leading candidates: its index, the newest leader, and the number of leaders. */
  leaders: [place: number, version: number, count: number][];
  /** Number of cases that each leading candidate leads on. */
  leads: [version: number, count: number][];
  /** True if only some of the validated prompts have a column. */
  isPart: boolean;
};

/** The expanded grid. A column has one cell per case in case order, undefined if its prompt was not evaluated on it. */
export type CaseGrid = {
  cases: GridCase[];
  columns: { version: number; cells: (GridCell | undefined)[] }[];
  leaders: ReadonlyMap<number, GridLeader>;
};

const TITLE_LENGTH = 100;
/** Maximum number of columns. With more prompts, only the selected one, its parent, the original and the best one have columns. */
const MAX_COLUMNS = 8;

/** Returns the scores of prompts by case. A long run has columns only for the `selected` prompt and those it is compared with. */
export function tuningGrid(
  history: History,
  { versions }: Pick<WholeTuningSummary, 'versions'>,
  { selected, best }: { selected: number | null; best: number | null },
): TuningGrid {
  const [parent] = versions.find(({ number }) => number === selected)?.parents ?? [];
  const compared = [0, parent, selected, best].filter((number) => number !== undefined && number !== null);
  const shown = versions.flatMap((version) => (isRejected(version) ? [] : [version.number]));
  const isPart = shown.length > MAX_COLUMNS;
  const numbers = [...new Set(isPart ? compared : [...shown, ...compared])].toSorted((one, other) => one - other);
  const { cases } = history;
  const leaders = leadersByCase(versions);
  return {
    positions: cases.map(({ position }) => position),
    splits: cases.map(({ split }) => split[0]).join(''),
    titles: cases.map(({ input }) => input.slice(0, TITLE_LENGTH)),
    weights: cases.flatMap(({ weight = 1 }, index): TuningGrid['weights'] => (weight === 1 ? [] : [[index, weight]])),
    columns: numbers.map((number) => gridColumn(history, number, versions)),
    leaders: cases.flatMap(({ position }, index): TuningGrid['leaders'] => {
      const leading = leaders.get(position);
      return leading === undefined ? [] : [[index, leading.version, leading.count]];
    }),
    leads: versions.flatMap(({ number, leads }): [number, number][] =>
      leads.length === 0 ? [] : [[number, leads.length]],
    ),
    isPart,
  };
}

function gridColumn(
  history: History,
  version: number,
  versions: WholeTuningSummary['versions'],
): TuningGrid['columns'][number] {
  const tries = effectiveScores(history, version);
  const leads = new Set(versions.find(({ number }) => number === version)?.leads);
  const tested = history.cases.flatMap(({ position }) => tries.get(position) ?? []);
  return {
    version,
    scores: tested.map(({ score }) => score),
    marks: history.cases.map(({ position }) => markOf(tries.get(position), leads.has(position))).join(''),
  };
}

function markOf(tried: ExampleScore | undefined, isLead: boolean): string {
  if (tried === undefined) return '-';
  if (tried.satisfactory) return isLead ? '*' : '+';
  return isLead ? 'X' : 'x';
}

function leadersByCase(versions: WholeTuningSummary['versions']): Map<number, GridLeader> {
  const leaders = new Map<number, GridLeader>();
  for (const { number, leads } of versions)
    for (const position of leads)
      leaders.set(position, { version: number, count: 1 + (leaders.get(position)?.count ?? 0) });
  return leaders;
}

/** Removes the leads of single cases from the summary, because the grid contains them. */
export function withoutLeads({ versions, ...summary }: WholeTuningSummary): TuningSummary {
  return { ...summary, versions: versions.map(({ leads: _leads, ...version }) => version) };
}

const SPLIT_OF: Record<string, Split> = { t: 'train', v: 'validation', h: 'held_out' };

/** Expands a grid created by `tuningGrid`. */
export function readGrid({ positions, splits, titles, weights, columns, leaders }: TuningGrid): CaseGrid {
  const weightAt = new Map(weights);
  return {
    cases: positions.map((position, index) => ({
      position,
      split: SPLIT_OF[splits[index] ?? ''] ?? 'train',
      title: titles[index] ?? '',
      ...(weightAt.has(index) && { weight: weightAt.get(index) ?? 1 }),
    })),
    columns: columns.map(({ version, marks, scores }) => {
      const left = scores.values();
      return { version, cells: Array.from(marks, (mark) => cellOf(mark, left)) };
    }),
    leaders: new Map(leaders.map(([index, version, count]) => [index, { version, count }])),
  };
}

function cellOf(mark: string, scores: Iterator<number | null>): GridCell | undefined {
  if (mark === '-') return undefined;
  const score = scores.next().value ?? null;
  return { score, isGood: mark === '+' || mark === '*', isLead: mark === '*' || mark === 'X' };
}

/** Output of a prompt for a case, with its scores and feedback. */
export type PromptCaseResult = Pick<
  ExampleScore,
  | 'output'
  | 'trace'
  | 'score'
  | 'satisfactory'
  | 'criteriaScores'
  | 'feedback'
  | 'detail'
  | 'finishReason'
  | 'paidBefore'
> & { version: number };

/** True if the answer is missing or incomplete: the model reached its token limit, or the agent was stopped before it answered. */
export function isCutOff({ finishReason }: Pick<PromptCaseResult, 'finishReason'>): boolean {
  return finishReason === 'length' || CUT_OFFS.some((reason) => reason === finishReason);
}

/** Details of one case: its text, its weight if it is not 1, and the result of each prompt evaluated on it. */
export type CaseResults = {
  position: number;
  split: Split;
  input: string;
  messages?: ChatMessage[] | null;
  reference: string | null;
  weight?: number;
  tries: PromptCaseResult[];
};

/** Returns the weight of a case, omitted if it is the default. */
function weightOf({ weight = 1 }: TuningCase): Pick<GridCase, 'weight'> {
  return weight === 1 ? {} : { weight };
}

/**
 * Returns the case at a position with its example scores, in version order. Null if there is no such case. The example scores in the
 * history must include their texts.
 */
export function findCaseResults(history: History, position: number): CaseResults | null {
  const found = history.cases.find((one) => one.position === position);
  if (found === undefined) return null;
  return {
    position,
    split: found.split,
    input: found.input,
    messages: found.messages ?? null,
    reference: found.reference,
    ...weightOf(found),
    tries: history.versions.flatMap(({ number }) => {
      const tried = effectiveScores(history, number).get(position);
      return tried === undefined ? [] : [{ ...toPromptCaseResult(tried), version: number }];
    }),
  };
}

/**
 * Cases that a proposal was made from, with its results and those of its parent, without traces. Null for a version that no model proposed.
 */
export type ProposalEffect = { version: number; parent: number; cases: CaseResults[] };

export function proposalEffect(history: History, number: number): ProposalEffect | null {
  const version = history.versions.find((candidate) => candidate.number === number);
  const [parent] = version?.parents ?? [];
  if (version === undefined || version.proposal === null || parent === undefined) return null;
  return {
    version: number,
    parent,
    cases: version.proposal.positions.flatMap((position) => {
      const look = findCaseResults(history, position);
      if (look === null) return [];
      const compared = look.tries.filter((tried) => tried.version === number || tried.version === parent);
      return [{ ...look, tries: compared.map(({ trace: _trace, ...tried }) => tried) }];
    }),
  };
}

/**
 * Returns the versions whose example scores show the effect of a proposal: the proposal, its parent, and versions with the same candidate
 * as either.
 */
export function effectVersions(history: Pick<History, 'versions'>, number: number): number[] {
  const { versions } = history;
  const [parent] = versions.find((one) => one.number === number)?.parents ?? [];
  const compared = versions.filter((one) => one.number === number || one.number === parent);
  return versions.flatMap((one) =>
    compared.some((other) => isSameCandidate(history, other, one)) ? [one.number] : [],
  );
}

function toPromptCaseResult(tried: ExampleScore): Omit<PromptCaseResult, 'version'> {
  const { output, trace, score, satisfactory, criteriaScores, feedback, detail, finishReason, paidBefore } = tried;
  const traced = trace === undefined ? {} : { trace };
  return { output, ...traced, score, satisfactory, criteriaScores, feedback, detail, finishReason, paidBefore };
}
