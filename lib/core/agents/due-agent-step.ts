import { heldBudgets } from '../held-budgets.ts';
import type { History } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import type { Step } from '../step.ts';
import { agentProgress, mainTask } from './agent-progress.ts';
import type { AgentBase } from './base-settings.ts';
import { agentSteps } from './progress-of.ts';

/**
 * The next step of an agent on its way to the next version: a turn of all that are at work, the use of all tools that need nobody's
 * word any more, a reflection between two turns, a question to a person, or the end of the attempt. What can be done without a person is
 * done first. An attempt that has begun ends here where its budgets do not hold another turn. Source: ReAct (Yao et al. 2022).
 */
export function dueAgentStep(history: History, settings: ExperimentSettings, base: AgentBase, iteration: number): Step {
  const version = history.versions.length;
  const way = agentSteps(history, version);
  const progress = agentProgress(way, base, mainTask(base));
  if (progress.type === 'done') return { type: 'conclude', iteration, cutOff: progress.cutOff };
  const { ready, due, asking } = progress;
  if (ready.length > 0) return { type: 'use_tools', version, calls: ready };
  const [toolCall] = asking;
  if (due.length === 0 && toolCall !== undefined)
    return { type: 'wait', hook: 'onToolCall', version, wouldStopAs: null, asks: [], toolCall };
  const turn: Step = { type: 'turn', version, iteration, agents: due };
  if (way.turns.length === 0) return turn;
  const critique = due.some(({ delegation }) => delegation === null) ? dueCritique(history, settings, version) : null;
  if (critique !== null && heldBudgets(critique, history, settings).length === 0) return critique;
  return heldBudgets(turn, history, settings).length === 0 ? turn : { type: 'conclude', iteration, cutOff: 'budget' };
}

/**
 * The reflection that is wanted before the agent's next turn: on what a tool answered since its last one, or after so many turns.
 * Source: Reflection requirements 2.3 (tool_result, step_interval).
 */
function dueCritique(history: History, { triggers }: ExperimentSettings, version: number): Step | null {
  const { turns, observations } = agentSteps(history, version);
  const own = turns.filter(({ delegation }) => delegation === null);
  const since = own.at(-1)?.step ?? 0;
  const isMade = (trigger: 'tool_result' | 'step_interval') =>
    history.critiques.some((one) => one.version === version && one.trigger === trigger && one.step > since);
  const isWatched = observations.some(
    ({ tool, step, status }) => triggers.onTools.includes(tool) && step > since && status !== 'refused',
  );
  if (isWatched && !isMade('tool_result')) return { type: 'critique', version, trigger: 'tool_result' };
  const { stepInterval } = triggers;
  if (stepInterval !== null && own.length % stepInterval === 0 && !isMade('step_interval'))
    return { type: 'critique', version, trigger: 'step_interval' };
  return null;
}
