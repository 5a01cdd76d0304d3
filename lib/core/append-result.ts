import type { History } from './history.ts';
import { sumSpend } from './spend.ts';
import type { StepResult } from './step.ts';
import { redrawnCases } from './tuning/redraw-validation.ts';

/**
 * Returns the history with one more result. Increments the step counter, and adds the duration of the step to the working time. A failure
 * or an end is not a step: the open step is repeated after a resume and reuses the responses that were already paid for.
 */
export function appendResult(history: History, result: StepResult): History {
  const next = { ...history, step: history.step + 1, activeMs: history.activeMs + durationOf(history, result) };
  if ('lost' in result) next.lostSpend = sumSpend([history.lostSpend, result.lost]);
  switch (result.type) {
    case 'version':
      return { ...next, versions: [...history.versions, result.version] };
    case 'proposals':
      return { ...next, versions: [...history.versions, ...result.versions] };
    case 'turns':
      return { ...next, turns: [...history.turns, ...result.turns] };
    case 'observations':
      return { ...next, observations: [...history.observations, ...result.observations] };
    case 'evaluation':
      return { ...next, evaluations: [...history.evaluations, result.evaluation] };
    case 'critique':
      return {
        ...next,
        // After a reflection on a failure, the failed step is retried.
        failure: result.critique.trigger === 'error' ? null : history.failure,
        critiques: [...history.critiques, result.critique],
      };
    case 'lesson':
      return { ...next, lessons: [...history.lessons, result.lesson] };
    case 'tries':
      return { ...next, tries: [...history.tries, ...result.tries] };
    case 'redraw':
      return { ...next, redraw: result.redraw, cases: redrawnCases(history.cases, result.redraw) };
    case 'decision':
      return { ...next, decisions: [...history.decisions, result.decision] };
    case 'pause':
      return { ...next, pause: result.pause };
    case 'failure':
      return {
        ...next,
        step: history.step,
        failure: result.failure,
        lostSpend: sumSpend([history.lostSpend, result.failure]),
      };
    case 'end':
      return result.decision === null ? history : { ...history, decisions: [...history.decisions, result.decision] };
  }
}

function durationOf({ turns }: History, result: StepResult): number {
  switch (result.type) {
    case 'version':
      // The time of an agent's turns was already added turn by turn.
      return turns.some(({ version }) => version === result.version.number) ? 0 : result.version.durationMs;
    case 'evaluation':
      return result.evaluation.durationMs;
    case 'critique':
      return result.critique.durationMs;
    case 'lesson':
      return result.lesson.durationMs;
    case 'failure':
      return result.failure.durationMs;
    default:
      return 'durationMs' in result ? result.durationMs : 0;
  }
}
