import type { ToolCall } from '../agents/agent-records.ts';
import { decisionOnCall } from '../agents/decision-on-call.ts';
import { MAIN_AGENT, omittedCallsLabel } from '../agents/tool-calls.ts';
import type { AgentTurn, History } from '../history.ts';
import { cutText, withoutMiddle } from '../text-values.ts';

/** Maximum characters of one thought, of the arguments of one action and of one observation. */
const MAX_PART_LENGTH = 400;

/** Maximum characters of a trajectory in a prompt about one attempt. */
export const MAX_TRAJECTORY_LENGTH = 12_000;

type TrajectoryHistory = Pick<History, 'versions' | 'turns' | 'observations' | 'decisions'>;

/**
 * Formats the steps of an agent towards a version as lines for prompts: thought, actions and observations of each turn, those of workers
 * below their task. Each text is on one line and truncated. If it exceeds about `longest` characters, the middle is replaced by a note. For
 * a target, returns the trace that it sent. Empty if a single call made the version. The texts are untrusted: quote the whole. Source:
 * ReAct (Yao et al. 2022).
 */
export function formatAgentTrajectory(history: TrajectoryHistory, version: number, longest: number): string {
  const trace = history.versions.find(({ number }) => number === version)?.target?.trace ?? '';
  if (trace !== '') return withoutMiddle(trace.split('\n'), longest, 'line').join('\n');
  const turns = history.turns
    .filter((turn) => turn.version === version && turn.agent === MAIN_AGENT)
    .map((turn) => turnLines(history, turn, '').join('\n'));
  return withoutMiddle(turns, longest, 'turn').join('\n');
}

function turnLines(history: TrajectoryHistory, turn: AgentTurn, indent: string): string[] {
  const { number, thought, calls, answer, agent } = turn;
  const name = agent === MAIN_AGENT ? 'Turn' : `${agent}, turn`;
  const leftOut = omittedCallsLabel(turn);
  const text = thought === answer ? '' : thought;
  return [
    `${indent}${name} ${number + 1}:${text.trim() === '' ? '' : ` ${part(text)}`}`,
    ...calls.flatMap((call) => callLines(history, turn.version, call, indent)),
    ...(leftOut === null ? [] : [`${indent}(${leftOut})`]),
    ...(answer === null ? [] : [`${indent}Answer: ${part(answer)}`]),
  ];
}

function callLines(history: TrajectoryHistory, version: number, call: ToolCall, indent: string): string[] {
  const observation = history.observations.find((one) => one.version === version && one.callId === call.id);
  const changed = decisionOnCall(history.decisions, version, call.id)?.toolArguments ?? null;
  const workers = history.turns.filter((turn) => turn.version === version && turn.delegation === call.id);
  const status = observation === undefined || observation.status === 'ok' ? '' : ` (${observation.status})`;
  return [
    `${indent}Action: ${part(call.tool)} ${part(changed ?? call.arguments)}${changed === null ? '' : ' (changed by a person)'}`,
    ...workers.flatMap((turn) => turnLines(history, turn, `${indent}  `)),
    `${indent}Observation${status}: ${observation === undefined ? 'none' : part(observation.text)}`,
  ];
}

/** A single line, so that no text can imitate a line of the format. */
function part(text: string): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), MAX_PART_LENGTH);
}
