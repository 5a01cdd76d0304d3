import type { Decision, History } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { CutOff, DueTurn } from '#lib/core/step.ts';
import type { AgentTurn, Observation } from '../history.ts';
import { sortedMembers } from '../json-values.ts';
import type { ToolCall } from './agent-records.ts';
import type { AgentBase } from './base-settings.ts';
import { type Delegation, readArguments, readDelegation } from './read-arguments.ts';
import { DELEGATE_TOOL, MAIN_AGENT } from './tool-calls.ts';

/** Maximum number of consecutive turns without an answer or a tool call. */
const EMPTY_TURNS = 2;

/**
 * Returns the reason to stop an agent after these turns on one task, the last of which is not an answer, or null if it may continue. The
 * agent is stopped before the tools of its last turn are used, because nothing would read their results.
 */
function cutOff(
  turns: readonly AgentTurn[],
  { maxSteps, stallAfter }: { maxSteps: number; stallAfter: number },
): Exclude<CutOff, 'budget'> | null {
  const empty = turns.slice(-EMPTY_TURNS);
  if (empty.length === EMPTY_TURNS && empty.every(({ calls }) => calls.length === 0)) return 'no_answer';
  const alike = turns.slice(-stallAfter).map(toolCallsKey);
  if (alike.length === stallAfter && alike[0] !== '[]' && alike.every((one) => one === alike[0])) return 'stalled';
  return turns.length >= maxSteps ? 'turn_limit' : null;
}

/** Returns a key of the tool calls of a turn. It ignores the thought and the spacing and key order of arguments. */
function toolCallsKey({ calls }: AgentTurn): string {
  return JSON.stringify(
    calls.map((call) => [call.tool, sortedMembers(readArguments(call.arguments) ?? call.arguments.trim())]),
  );
}

/** Steps of agents towards one version, and people's decisions on their tool calls. */
export type AgentSteps = {
  turns: readonly AgentTurn[];
  observations: readonly Observation[];
  decisions: readonly Decision[];
};

/** A task of an agent: the attempt itself, or a task delegated to a worker. */
export type AgentTask = Pick<AgentTurn, 'agent' | 'delegation'> & { tools: readonly string[]; maxSteps: number };

/**
 * Progress of an agent on a task. `at_work` lists the calls that can be made now (including those of its workers), the turns that are due,
 * and the calls that need a person's approval.
 */
type AgentProgress =
  | { type: 'done'; cutOff: Exclude<CutOff, 'budget'> | null; turns: readonly AgentTurn[] }
  | { type: 'at_work'; ready: ToolCall[]; due: DueTurn[]; asking: ToolCall[] };

export function agentProgress(way: AgentSteps, base: AgentBase, task: AgentTask): AgentProgress {
  const turns = way.turns.filter(({ delegation }) => delegation === task.delegation);
  const last = turns.at(-1);
  const next: AgentProgress = {
    type: 'at_work',
    ready: [],
    due: [{ agent: task.agent, delegation: task.delegation, number: turns.length }],
    asking: [],
  };
  if (last === undefined) return next;
  if (last.answer !== null) return { type: 'done', cutOff: null, turns };
  const stopped = cutOff(turns, { maxSteps: task.maxSteps, stallAfter: base.stallAfter });
  if (stopped !== null) return { type: 'done', cutOff: stopped, turns };
  const open = last.calls.filter(({ id }) => way.observations.every(({ callId }) => callId !== id));
  if (open.length === 0) return next;
  const work: Extract<AgentProgress, { type: 'at_work' }> = { type: 'at_work', ready: [], due: [], asking: [] };
  for (const call of open) {
    const delegated = delegationOf(call, base, task);
    if (delegated !== null) {
      const worker = agentProgress(way, base, workerTask(delegated, call.id));
      if (worker.type === 'done') work.ready.push(call);
      else {
        work.ready.push(...worker.ready);
        work.due.push(...worker.due);
        work.asking.push(...worker.asking);
      }
    } else if (needsApproval(call, base, task) && findCallDecision(way, last, call) === null) work.asking.push(call);
    else work.ready.push(call);
  }
  return work;
}

/** Returns the task of the agent that makes the attempt. */
export function mainTask({ tools, maxSteps }: AgentBase): AgentTask {
  return { agent: MAIN_AGENT, delegation: null, tools, maxSteps };
}

export function workerTask({ worker: { name, tools, maxSteps } }: Delegation, callId: string): AgentTask {
  return { agent: name, delegation: callId, tools, maxSteps };
}

/** Returns the worker and task of a delegation, or null if the call is not a readable delegation by a supervisor. */
export function delegationOf(
  call: ToolCall,
  base: AgentBase,
  { delegation }: Pick<AgentTask, 'delegation'>,
): Delegation | null {
  if (base.type !== 'supervisor' || delegation !== null || call.tool !== DELEGATE_TOOL) return null;
  const read = readDelegation(call, base);
  return read.ok ? read : null;
}

/** Returns the task that was delegated by a call. Throws if there is none. */
export function delegationAt({ turns }: AgentSteps, base: AgentBase, callId: string): Delegation {
  const call = turns.flatMap(({ calls }) => calls).find(({ id }) => id === callId);
  const delegated = call && delegationOf(call, base, { delegation: null });
  if (!delegated) throw new Error(`no worker agent has the task ${callId}`);
  return delegated;
}

/** Calls that would not be performed anyway need no approval. */
function needsApproval(call: ToolCall, { approve }: AgentBase, { tools }: AgentTask): boolean {
  return approve.includes(call.tool) && tools.includes(call.tool) && readArguments(call.arguments) !== null;
}

/** Returns the decision on a call of a turn, or null before it. Ids repeat in every attempt, so only decisions after the turn count. */
export function findCallDecision({ decisions }: AgentSteps, { step }: AgentTurn, { id }: ToolCall): Decision | null {
  const onCall = decisions.findLast(
    (one) =>
      one.hook === 'onToolCall' &&
      one.toolCallId === id &&
      one.step > step &&
      ['allow', 'refuse', 'auto'].includes(one.decision),
  );
  return onCall ?? null;
}

/** Returns the agent that makes an experiment's drafts and attempts. Null if single calls make them, and in tune mode. */
export function agentBase({ mode, generator: { base } }: ExperimentSettings): AgentBase | null {
  return mode === 'tune' || base.type === 'single' ? null : base;
}

/** The agent that answers the cases of a tuning run. Null if single calls answer them, and outside of tune mode. */
export function agentOfTries({
  mode,
  generator: { base },
}: Pick<ExperimentSettings, 'mode' | 'generator'>): AgentBase | null {
  return mode !== 'tune' || base.type === 'single' ? null : base;
}

/** Returns the steps of agents towards a version, which need not exist yet. */
export function agentSteps(
  { turns, observations, decisions }: Pick<History, 'turns' | 'observations' | 'decisions'>,
  version: number,
): AgentSteps {
  return {
    turns: turns.filter((turn) => turn.version === version),
    observations: observations.filter((observation) => observation.version === version),
    decisions,
  };
}
