import { continuesRun, decisionsSince } from '#lib/core/decisions.ts';
import { buildDraftInput } from '#lib/core/draft-input.ts';
import { findExceededBudgets } from '#lib/core/estimate-next-step.ts';
import type { History, RecalledLesson, Version } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import type { CutOff, Step, StepResult } from '#lib/core/step.ts';
import { nextVersion, type StepContext } from '#lib/core/step-context.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import { type AgentSteps, agentBase, agentProgress, agentSteps, mainTask } from './agent-progress.ts';
import { plainCall } from './agent-records.ts';
import type { AgentBase } from './base-settings.ts';
import { performTools } from './perform-tools.ts';
import { performTurn } from './perform-turn.ts';

/**
 * Returns the next step of an agent towards the next version: the turns of all active agents, all tool calls that need no further approval,
 * a reflection between two turns, a question to a person, or the end of the attempt. Steps that need no person come first. A started
 * attempt ends here if its budgets do not allow another turn. Source: ReAct (Yao et al. 2022).
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
    return { type: 'wait', hook: 'onToolCall', version, wouldStopAs: null, asks: [], toolCall: plainCall(toolCall) };
  const turn: Step = { type: 'turn', version, iteration, agents: due };
  if (way.turns.length === 0) return turn;
  const critique = due.some(({ delegation }) => delegation === null) ? dueCritique(history, settings, version) : null;
  if (critique !== null && findExceededBudgets(critique, history, settings).length === 0) return critique;
  return findExceededBudgets(turn, history, settings).length === 0
    ? turn
    : { type: 'conclude', iteration, cutOff: 'budget' };
}

/**
 * Returns the reflection that is due before the agent's next turn: on tool results since its last turn, or after a number of turns. Source:
 * Reflection requirements 2.3 (tool_result, step_interval).
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

/**
 * Returns the version that results from an agent's attempt: its answer, or its partial output if it was cut off. The version's cost
 * includes all turns of the attempt, also those of workers, so they are not counted separately.
 */
function concludedVersion(
  { iteration, cutOff }: Extract<Step, { type: 'conclude' }>,
  context: StepContext,
  recalledLessons: RecalledLesson[],
): Version {
  const way = agentSteps(context.history, context.history.versions.length);
  return nextVersion(context, {
    ...sumSpend(way.turns),
    iteration,
    origin: context.settings.mode === 'retry' ? 'retried' : 'generated',
    ...outputOf(way, cutOff),
    interrupted: cutOff !== null,
    recalledLessons,
  });
}

/** Returns the answer of an agent. If it was cut off: its last thought or result. */
export function outputOf(way: AgentSteps, cutOff: CutOff | null): Pick<Version, 'output' | 'finishReason'> {
  const last = way.turns.findLast(({ delegation }) => delegation === null);
  return {
    output: cutOff === null ? (last?.answer ?? '') : findPartialOutput(way),
    // An answer may have been cut off at the model's own token limit.
    finishReason: cutOff ?? (last?.finishReason === 'length' ? 'length' : 'stop'),
  };
}

/** Returns the agent's last thought, else its last tool result. */
function findPartialOutput({ turns, observations }: AgentSteps): string {
  const own = turns.filter(({ delegation }) => delegation === null);
  const thought = own.findLast((turn) => turn.thought.trim() !== '')?.thought;
  if (thought !== undefined) return thought;
  const ids = new Set(own.flatMap(({ calls }) => calls.map(({ id }) => id)));
  return observations.findLast(({ callId, status }) => status === 'ok' && ids.has(callId))?.text ?? '';
}

type AgentStep = Extract<Step, { type: 'turn' | 'use_tools' | 'conclude' }>;

/** Performs one step of an agent. Returns null if it was aborted. Throws if the attempts are not made by an agent. */
export async function performAgentStep(step: AgentStep, context: StepContext): Promise<StepResult | null> {
  const base = agentBase(context.settings);
  if (base === null) throw new Error('the run has no agent');
  switch (step.type) {
    case 'turn':
      return performTurn(step, context, base);
    case 'use_tools':
      return performTools(step, context, base);
    case 'conclude': {
      const drafted = await buildDraftInput(context);
      if (drafted === null) return null;
      return { type: 'version', version: concludedVersion(step, context, drafted.lessons.recalledLessons) };
    }
  }
}

/**
 * Returns the reasons to end a run whose last version comes from an agent that was cut off: the budgets that did not allow its next turn,
 * and in revise mode that there is nothing to revise. Empty once someone continues or resumes the run.
 */
export function cutOffReasons(history: History, settings: ExperimentSettings): StopReason[] {
  const last = history.versions.at(-1);
  const base = agentBase(settings);
  if (last === undefined || !last.interrupted || base === null) return [];
  if (decisionsSince(history, last).some((one) => one.decision === 'resume' || continuesRun(one))) return [];
  const other: StopReason[] = settings.mode === 'retry' ? [] : ['cut_off'];
  if (last.finishReason !== 'budget') return other;
  const before: History = { ...history, versions: history.versions.slice(0, -1) };
  const progress = agentProgress(agentSteps(before, last.number), base, mainTask(base));
  if (progress.type === 'done') return other;
  const turn = { type: 'turn' as const, version: last.number, iteration: last.iteration, agents: progress.due };
  const exceeded = findExceededBudgets(turn, before, settings);
  return exceeded.length > 0 ? exceeded : other;
}
