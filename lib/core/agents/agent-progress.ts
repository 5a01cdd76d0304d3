import type { Decision } from '../history.ts';
import type { CutOff, DueTurn } from '../step.ts';
import { type AgentTurn, DELEGATE_TOOL, MAIN_AGENT, type Observation, type ToolCall } from './agent-records.ts';
import type { AgentBase } from './base-settings.ts';
import { cutOff } from './cut-off.ts';
import { readArguments } from './read-arguments.ts';
import { type Delegation, readDelegation } from './read-delegation.ts';

/** What agents did on their way to one version, and what people said of the tools they want to use. */
export type AgentSteps = {
  turns: readonly AgentTurn[];
  observations: readonly Observation[];
  decisions: readonly Decision[];
};

/** A task of an agent: the attempt itself, or what a supervisor gave to a worker. */
export type AgentTask = Pick<AgentTurn, 'agent' | 'delegation'> & { tools: readonly string[]; maxSteps: number };

/**
 * How far an agent is with a task. At work: the calls that can be made now (also of those that it gave tasks to), the turns that are due,
 * and the calls that a person is to be asked about.
 */
export type AgentProgress =
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
    const given = delegationOf(call, base, task);
    if (given !== null) {
      const worker = agentProgress(way, base, workerTask(given, call));
      if (worker.type === 'done') work.ready.push(call);
      else {
        work.ready.push(...worker.ready);
        work.due.push(...worker.due);
        work.asking.push(...worker.asking);
      }
    } else if (mustAsk(call, base, task) && answerOn(way, last, call) === null) work.asking.push(call);
    else work.ready.push(call);
  }
  return work;
}

/** The task of the agent that makes the attempt. */
export function mainTask({ tools, maxSteps }: AgentBase): AgentTask {
  return { agent: MAIN_AGENT, delegation: null, tools, maxSteps };
}

export function workerTask({ worker: { name, tools, maxSteps } }: Delegation, call: Pick<ToolCall, 'id'>): AgentTask {
  return { agent: name, delegation: call.id, tools, maxSteps };
}

/** What a call gives to whom, where it is a supervisor's and can be read; null for all other calls. */
export function delegationOf(
  call: ToolCall,
  base: AgentBase,
  { delegation }: Pick<AgentTask, 'delegation'>,
): Delegation | null {
  if (base.type !== 'supervisor' || delegation !== null || call.tool !== DELEGATE_TOOL) return null;
  const read = readDelegation(call, base);
  return read.ok ? read : null;
}

/** What is not used anyhow needs nobody's word. */
function mustAsk(call: ToolCall, { approve }: AgentBase, { tools }: AgentTask): boolean {
  return approve.includes(call.tool) && tools.includes(call.tool) && readArguments(call.arguments) !== null;
}

/**
 * What was said on a call of a turn: it may be used, or not. Null while nobody has spoken. Ids are the same in every attempt: what was
 * said counts from the turn on.
 */
export function answerOn(
  { decisions }: Pick<AgentSteps, 'decisions'>,
  { step }: Pick<AgentTurn, 'step'>,
  { id }: Pick<ToolCall, 'id'>,
): Decision | null {
  return (
    decisions.findLast(
      (one) =>
        one.hook === 'onToolCall' &&
        one.toolCallId === id &&
        one.step > step &&
        (one.decision === 'allow' || one.decision === 'refuse' || one.decision === 'auto'),
    ) ?? null
  );
}
