import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import type { ExampleScore, History, Split } from '#lib/core/history.ts';
import { effectiveScores } from '#lib/core/tuning/cases-of.ts';

/** How a prompt did on a case; `score` is null where it could not be scored. */
export type GridCell = { score: number | null; isGood: boolean };
/** A case with the beginning of its input. */
export type GridCase = { position: number; split: Split; title: string };
/** Cases × prompts without their texts. A case that a prompt was not tried on has no cell. */
export type TuningGrid = { cases: GridCase[]; cells: Record<number, Record<number, GridCell>> };

const TITLE_LENGTH = 160;

/** What each prompt of a tuning run (by version) made of each case (by position). */
export function tuningGrid(history: History): TuningGrid {
  return {
    cases: history.cases.map(({ position, split, input }) => ({
      position,
      split,
      title: input.slice(0, TITLE_LENGTH),
    })),
    cells: Object.fromEntries(
      history.versions.map(({ number }) => [
        number,
        Object.fromEntries(
          [...effectiveScores(history, number)].map(([position, { score, satisfactory }]) => [
            position,
            { score, isGood: satisfactory },
          ]),
        ),
      ]),
    ),
  };
}

/** What a prompt made of a case, with all that was said of it. */
export type LookedTry = Pick<
  ExampleScore,
  'output' | 'score' | 'satisfactory' | 'criteriaScores' | 'feedback' | 'detail' | 'finishReason' | 'paidBefore'
> & { version: number };

/** A case to be looked into: its text, and what each prompt that was tried on it made of it. */
export type CaseLook = {
  position: number;
  split: Split;
  input: string;
  messages?: ChatMessage[] | null;
  reference: string | null;
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
