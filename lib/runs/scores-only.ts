import type { History } from '#lib/core/history.ts';
import { withIssueIds } from '#lib/core/issues/identify-issues.ts';

/**
 * Returns a history without its texts, containing all that `whatIf` needs except the outputs. Keeps issue IDs and answers, which stop rules
 * compare, and tool arguments, which show that an agent stalls. Leaves out the cases and example scores of a tuning run, which has no
 * what-if.
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
