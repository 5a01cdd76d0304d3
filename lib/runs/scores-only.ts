import type { History } from '#lib/core/history.ts';
import { withIssueIds } from '#lib/core/issues/identify-issues.ts';

/**
 * A history without its texts: what `whatIf` needs of it, but for the outputs. Issues and answers stay, stop rules compare them; so do the
 * arguments of tools, by which an agent is seen to stall. Of a tuning run, which has no what if, cases and tries are left out.
 */
export function scoresOnly(stored: History): History {
  const history = withIssueIds(stored);
  return {
    ...history,
    cases: [],
    tries: [],
    versions: history.versions.map((version) => ({
      ...version,
      output: '',
      improvementsApplied: [],
      recalledLessons: [],
    })),
    evaluations: history.evaluations.map((evaluation) => ({
      ...evaluation,
      reasons: {},
      suggestions: [],
      feedback: '',
      detail: '',
    })),
    critiques: history.critiques.map((critique) => ({
      ...critique,
      text: '',
      issues: critique.issues.map((issue) => ({ ...issue, text: '' })),
      suggestions: [],
    })),
    lessons: history.lessons.map((lesson) => ({ ...lesson, text: '', fields: {} })),
    turns: history.turns.map((turn) => ({ ...turn, thought: '', answer: turn.answer === null ? null : '' })),
    observations: history.observations.map((observation) => ({ ...observation, text: '' })),
  };
}
