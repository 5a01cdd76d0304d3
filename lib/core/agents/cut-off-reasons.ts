import { heldBudgets } from '../held-budgets.ts';
import type { History, StopReason } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { decisionsSince, letsGoOn } from '../verdicts.ts';
import { agentBase } from './agent-base.ts';
import { agentProgress, mainTask } from './agent-progress.ts';
import { agentSteps } from './progress-of.ts';

/**
 * What ends a run whose last version is what its agent came to before it was cut off: the budgets that did not hold its next turn, and
 * in revise mode that there is nothing to revise. Nothing once somebody lets the run go on, or resumes it.
 */
export function cutOffReasons(history: History, settings: ExperimentSettings): StopReason[] {
  const last = history.versions.at(-1);
  const base = agentBase(settings);
  if (last === undefined || !last.interrupted || base === null) return [];
  if (decisionsSince(history, last).some((one) => one.decision === 'resume' || letsGoOn(one))) return [];
  const other: StopReason[] = settings.mode === 'retry' ? [] : ['cut_off'];
  if (last.finishReason !== 'budget') return other;
  const before: History = { ...history, versions: history.versions.slice(0, -1) };
  const progress = agentProgress(agentSteps(before, last.number), base, mainTask(base));
  if (progress.type === 'done') return other;
  const turn = { type: 'turn' as const, version: last.number, iteration: last.iteration, agents: progress.due };
  const held = heldBudgets(turn, before, settings);
  return held.length > 0 ? held : other;
}
