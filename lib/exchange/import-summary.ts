import { roundTo6 } from '#lib/core/round.ts';
import type { Collected, CollectedAttempt } from './collect-histories.ts';
import type { RunImport } from './run-import.ts';

/** What an import holds, whether it is stored or not. */
export type ImportSummary = Omit<RunImport, 'name' | 'experimentId' | 'batchId' | 'repeated' | 'problems'>;

const SHOWN = 50;

/** Sums up what was read; an attempt whose line does not say whether it solved its case did from the score `solvedFrom` on. */
export function importSummary(collected: Collected, solvedFrom: number): ImportSummary {
  const { histories } = collected;
  const isSolved = ({ score, solved }: CollectedAttempt) =>
    solved ?? (score !== null && roundTo6(score) >= roundTo6(solvedFrom));
  const solvedAt = histories.map(({ attempts }) => attempts.findIndex(isSolved));
  const longest = histories.reduce((most, { attempts }) => Math.max(most, attempts.length), 0);
  return {
    runs: histories.length,
    cases: new Set(histories.map(({ caseKey }) => caseKey)).size,
    attempts: collected.attempts,
    unscored: histories.reduce(
      (sum, { attempts }) => sum + attempts.filter(({ score, solved }) => score === null && solved === null).length,
      0,
    ),
    lessons: collected.lessons,
    models: collected.models.slice(0, SHOWN),
    solvedByAttempt: Array.from(
      { length: longest },
      (_, place) => solvedAt.filter((at) => at !== -1 && at <= place).length,
    ),
    histories: histories.slice(0, SHOWN).map(({ run, caseId, attempts }, place) => ({
      ...{ run, caseId, line: attempts[0]?.line ?? 1 },
      scores: attempts.map(({ score, solved }) => score ?? (solved === null ? null : Number(solved))),
      solvedAt: solvedAt[place] === undefined || solvedAt[place] === -1 ? null : solvedAt[place] + 1,
    })),
  };
}
