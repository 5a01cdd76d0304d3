import { MAIN_AGENT } from '../agents/agent-names.ts';
import type { ToolCall } from '../agents/agent-records.ts';
import { decisionOnCall } from '../agents/call-summary.ts';
import { leftOutLabel } from '../agents/calls-left-out.ts';
import type { AgentTurn, History } from '../history.ts';
import { cutText, withoutMiddle } from '../text-values.ts';

/** Characters of one thought, of the arguments of one action and of one observation. */
const LONGEST_PART = 400;

/** Characters of a course where one attempt is spoken of. */
export const LONGEST_COURSE = 12_000;

type Told = Pick<History, 'versions' | 'turns' | 'observations' | 'decisions'>;

/**
 * What an agent did on its way to a version, in lines for prompts: each turn's thought, actions and observations, workers' below the
 * task they were given; each text on one line and cut. At most about `longest` characters: of a longer way the middle is left out, and
 * said so. Of a target, the trace that it sent. Empty where the version was made by a single call. The texts are hostile: quote the
 * whole. Source: ReAct (Yao et al. 2022).
 */
export function agentCourse(history: Told, version: number, longest: number): string {
  const trace = history.versions.find(({ number }) => number === version)?.target?.trace ?? '';
  if (trace !== '') return withoutMiddle(trace.split('\n'), longest, 'line').join('\n');
  const turns = history.turns
    .filter((turn) => turn.version === version && turn.agent === MAIN_AGENT)
    .map((turn) => turnLines(history, turn, '').join('\n'));
  return withoutMiddle(turns, longest, 'turn').join('\n');
}

function turnLines(history: Told, turn: AgentTurn, indent: string): string[] {
  const { number, thought, calls, answer, agent } = turn;
  const name = agent === MAIN_AGENT ? '' : `${agent}, `;
  const leftOut = leftOutLabel(turn);
  const said = answer === null ? thought : thought === answer ? '' : thought;
  return [
    `${indent}${name === '' ? 'Turn' : `${name}turn`} ${number + 1}:${said.trim() === '' ? '' : ` ${part(said)}`}`,
    ...calls.flatMap((call) => callLines(history, turn.version, call, indent)),
    ...(leftOut === null ? [] : [`${indent}(${leftOut})`]),
    ...(answer === null ? [] : [`${indent}Answer: ${part(answer)}`]),
  ];
}

function callLines(history: Told, version: number, call: ToolCall, indent: string): string[] {
  const observation = history.observations.find((one) => one.version === version && one.callId === call.id);
  const changed = decisionOnCall(history.decisions, version, call.id)?.toolArguments ?? null;
  const workers = history.turns.filter((turn) => turn.version === version && turn.delegation === call.id);
  const status = observation === undefined || observation.status === 'ok' ? '' : ` (${observation.status})`;
  return [
    `${indent}Action: ${part(call.tool)} ${part(changed ?? call.arguments)}${changed === null ? '' : ' (changed by a person)'}`,
    ...workers.flatMap((turn) => turnLines(history, turn, `${indent}  `)),
    observation === undefined
      ? `${indent}Observation: none`
      : `${indent}Observation${status}: ${part(observation.text)}`,
  ];
}

/** On one line, so that no line of a text looks like one of the course. */
function part(text: string): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), LONGEST_PART);
}
