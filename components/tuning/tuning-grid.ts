import type { History, Split } from '#lib/core/history.ts';
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
