import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import type { ExampleScore, History, Split, TuningCase } from '#lib/core/history.ts';
import { caseWeight } from '#lib/core/tuning/case-weights.ts';
import { effectiveScores } from '#lib/core/tuning/cases-of.ts';
import type { TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { isRejected } from './tuning-trajectory.ts';

/** How a prompt did on a case; `score` is null where it could not be scored. */
export type GridCell = { score: number | null; isGood: boolean };
/** A case with the beginning of its input. `weight`: if it is not 1. */
export type GridCase = { position: number; split: Split; title: string; weight?: number };
/** A prompt on all cases, in their order: its scores, and a mark for each: `+` good, `x` not good, `-` not tested. */
type GridColumn = { version: number; scores: (number | null)[]; marks: string };
/** Cases × prompts without their texts. `isPart`: only some of the prompts that were validated have a column. */
export type TuningGrid = { cases: GridCase[]; columns: GridColumn[]; isPart: boolean };

const TITLE_LENGTH = 100;
/** With more prompts, only the selected one, its parent, the original and the best one have columns. */
const MOST_COLUMNS = 8;

/** Scores of prompts by case. A long run has columns only for the `selected` prompt and those it is compared with. */
export function tuningGrid(
  history: History,
  { versions }: Pick<TuningSummary, 'versions'>,
  { selected, best }: { selected: number | null; best: number | null },
): TuningGrid {
  const [parent] = versions.find(({ number }) => number === selected)?.parents ?? [];
  const compared = [0, parent, selected, best].filter((number) => number !== undefined && number !== null);
  const shown = versions.flatMap((version) => (isRejected(version) ? [] : [version.number]));
  const isPart = shown.length > MOST_COLUMNS;
  const numbers = [...new Set(isPart ? compared : [...shown, ...compared])].toSorted((one, other) => one - other);
  return {
    cases: history.cases.map((one) => ({
      position: one.position,
      split: one.split,
      title: one.input.slice(0, TITLE_LENGTH),
      ...weightOf(one),
    })),
    columns: numbers.map((number) => gridColumn(history, number)),
    isPart,
  };
}

/** The weight of a case, unless it is the usual one. */
function weightOf(one: TuningCase): Pick<GridCase, 'weight'> {
  const weight = caseWeight(one);
  return weight === 1 ? {} : { weight };
}

function gridColumn(history: History, version: number): GridColumn {
  const tries = effectiveScores(history, version);
  const onCases = history.cases.map(({ position }) => tries.get(position));
  return {
    version,
    scores: onCases.map((tried) => tried?.score ?? null),
    marks: onCases.map((tried) => (tried === undefined ? '-' : tried.satisfactory ? '+' : 'x')).join(''),
  };
}

/** A prompt on the case at a place of the grid; undefined where it was not tried or has no column. */
export function cellAt(column: GridColumn | undefined, place: number): GridCell | undefined {
  const mark = column?.marks[place];
  if (column === undefined || mark === undefined || mark === '-') return undefined;
  return { score: column.scores[place] ?? null, isGood: mark === '+' };
}

/** What a prompt made of a case, with all that was said of it. */
export type LookedTry = Pick<
  ExampleScore,
  'output' | 'score' | 'satisfactory' | 'criteriaScores' | 'feedback' | 'detail' | 'finishReason' | 'paidBefore'
> & { version: number };

/** A case to be looked into: its text, its weight if it is not 1, and what each prompt that was tried on it made of it. */
export type CaseLook = {
  position: number;
  split: Split;
  input: string;
  messages?: ChatMessage[] | null;
  reference: string | null;
  weight?: number;
  tries: LookedTry[];
};

/** A case by its position with its tries, in order of the versions; null where there is no such case. */
export function caseLook(history: History, position: number): CaseLook | null {
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
      return tried === undefined ? [] : [{ ...lookedTry(tried), version: number }];
    }),
  };
}

/** The cases a proposal was made from, with what its parent and it made of them; null for a version that no model proposed. */
export type ProposalEffect = { version: number; parent: number; cases: CaseLook[] };

export function proposalEffect(history: History, number: number): ProposalEffect | null {
  const version = history.versions.find((candidate) => candidate.number === number);
  const [parent] = version?.parents ?? [];
  if (version === undefined || version.proposal === null || parent === undefined) return null;
  return {
    version: number,
    parent,
    cases: version.proposal.positions.flatMap((position) => {
      const look = caseLook(history, position);
      return look === null
        ? []
        : [{ ...look, tries: look.tries.filter((tried) => tried.version === number || tried.version === parent) }];
    }),
  };
}

function lookedTry(tried: ExampleScore): Omit<LookedTry, 'version'> {
  const { output, score, satisfactory, criteriaScores, feedback, detail, finishReason, paidBefore } = tried;
  return { output, score, satisfactory, criteriaScores, feedback, detail, finishReason, paidBefore };
}
