import type { History, Version } from './history.ts';
import { sumSpend } from './spend.ts';
import type { StepResult } from './step.ts';
import type { Spend } from './token-usage.ts';
import { redrawnCases } from './tuning/redraw-validation.ts';

/**
 * Returns the history with one more result. Increments the step counter, and adds the duration of the step to the working time. A failure
 * or an end is not a step: the open step is repeated after a resume and reuses the responses that were already paid for.
 */
export function appendResult(history: History, result: StepResult): History {
  const next = { ...history, step: history.step + 1, activeMs: history.activeMs + (spendOf(result)?.durationMs ?? 0) };
  switch (result.type) {
    case 'version':
      return {
        ...next,
        // The time of an agent's turns was already added turn by turn.
        activeMs: isMadeOfTurns(history, result.version) ? history.activeMs : next.activeMs,
        versions: [...history.versions, result.version],
      };
    case 'proposals':
      return {
        ...next,
        activeMs: history.activeMs + result.durationMs,
        versions: [...history.versions, ...result.versions],
        lostSpend: sumSpend([history.lostSpend, result.lost]),
      };
    case 'turns':
      return {
        ...next,
        activeMs: history.activeMs + result.durationMs,
        turns: [...history.turns, ...result.turns],
        lostSpend: sumSpend([history.lostSpend, result.lost]),
      };
    case 'observations':
      return {
        ...next,
        activeMs: history.activeMs + result.durationMs,
        observations: [...history.observations, ...result.observations],
      };
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
      return {
        ...next,
        activeMs: history.activeMs + result.durationMs,
        tries: [...history.tries, ...result.tries],
        lostSpend: sumSpend([history.lostSpend, result.lost]),
      };
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

/** Returns the spend of a result, or null for results without one. */
function spendOf(result: StepResult): Spend | null {
  switch (result.type) {
    case 'version':
      return result.version;
    case 'evaluation':
      return result.evaluation;
    case 'critique':
      return result.critique;
    case 'lesson':
      return result.lesson;
    case 'failure':
      return result.failure;
    case 'proposals':
      return sumSpend([...result.versions, result.lost]);
    case 'tries':
      return sumSpend([...result.tries, result.lost]);
    case 'turns':
      return sumSpend([...result.turns, result.lost]);
    case 'observations':
    case 'redraw':
    case 'decision':
    case 'pause':
    case 'end':
      return null;
  }
}

function isMadeOfTurns({ turns }: History, { number }: Version): boolean {
  return turns.some(({ version }) => version === number);
}
