import type { ToolDefinition } from './agents/agent-records.ts';
import type { AgentTurn, Observation } from './history.ts';

/**
 * A log in the format that ReAct (Yao et al. 2022) and Reflexion (Shinn et al. 2023) publish for questions over an encyclopedia: two trials
 * of one question with the reflection between them. The content is made up.
 */
export const PUBLISHED_LOG = `Question: In which year was the tower built whose keeper wrote The Salt Ledger?

Trial 1
Thought 1: I need to search The Salt Ledger, find who wrote it, then find the tower that the writer kept and when it was built.
Action 1: Search[The Salt Ledger]
Observation 1: The Salt Ledger is a book of 1911 by Maren Holt, who kept the lighthouse of Skerry Point for thirty years.
Thought 2: Maren Holt kept the lighthouse of Skerry Point. I need to search Skerry Point and find when it was built.
Action 2: Search[Skerry Point]
Observation 2: Could not find [Skerry Point]. Similar: ['Skerry Point Light', 'Skerry (island)', 'The Point: A Novel'].
Thought 3: I can search Skerry Point Light.
Action 3: Search[Skerry Point Light]
Observation 3: Skerry Point Light is a lighthouse on the northern coast. Its first tower of 1832 fell in the storm of 1870.
Thought 4: The lighthouse was built in 1832. So the answer is 1832.
Action 4: Finish[1832]
Observation 4: Answer is INCORRECT

Reflection: I took the year of the first tower, which fell before Maren Holt wrote. Next time I should look up when the present tower was built.

Trial 2
Thought 1: The first tower fell in 1870, so the keeper had another one. I need to search Skerry Point Light.
Action 1: Search[Skerry Point Light]
Observation 1: Skerry Point Light is a lighthouse on the northern coast. Its first tower of 1832 fell in the storm of 1870.
Thought 2: I need to look up "present tower".
Action 2: Lookup[present tower]
Observation 2: (Result 1 / 1) The present tower, which Maren Holt kept from 1881, was built in 1874.
Thought 3: The tower that Maren Holt kept was built in 1874. So the answer is 1874.
Action 3: Finish[1874]
Observation 3: Answer is CORRECT`;

type LoggedStep = { thought: string; action: string; argument: string; observation: string };
type PublishedLog = {
  question: string;
  trials: { steps: LoggedStep[]; text: string }[];
  reflection: string;
  reference: string;
};

/** Parses a log in that format. */
export function readLog(log: string): PublishedLog {
  const [head = '', ...rest] = log.split(/^Trial \d+\n/m);
  const reflection = /^Reflection: (.*)$/m.exec(log)?.[1] ?? '';
  const trials = rest.map((part) => {
    const text = part.replace(/^Reflection: .*$/m, '').trim();
    const line = (kind: string, number: number) => new RegExp(`^${kind} ${number}: (.*)$`, 'm').exec(text)?.[1] ?? '';
    const count = [...text.matchAll(/^Thought \d+:/gm)].length;
    const steps = Array.from({ length: count }, (_, index): LoggedStep => {
      const [, action = '', argument = ''] = /^(\w+)\[(.*)\]$/.exec(line('Action', index + 1)) ?? [];
      return { thought: line('Thought', index + 1), action, argument, observation: line('Observation', index + 1) };
    });
    return { steps, text };
  });
  const last = trials.at(-1)?.steps.at(-1);
  return { question: head.replace('Question: ', '').trim(), trials, reflection, reference: last?.argument ?? '' };
}

/** Formats the steps of a loop towards a version like the log. `names`: the log's names of the loop's tools. */
export function inLogForm(
  {
    turns,
    observations,
  }: { turns: readonly Omit<AgentTurn, 'step'>[]; observations: readonly Omit<Observation, 'step'>[] },
  version: number,
  names: Record<string, string>,
  verdict: string,
): string {
  const own = turns.filter((turn) => turn.version === version);
  return own
    .flatMap(({ number, thought, calls, answer }) => [
      `Thought ${number + 1}: ${thought}`,
      ...calls.flatMap((call) => [
        `Action ${number + 1}: ${names[call.tool] ?? call.tool}[${Object.values(JSON.parse(call.arguments)).join()}]`,
        `Observation ${number + 1}: ${observations.find((one) => one.version === version && one.callId === call.id)?.text ?? 'none'}`,
      ]),
      ...(answer === null ? [] : [`Action ${number + 1}: Finish[${answer}]`, `Observation ${number + 1}: ${verdict}`]),
    ])
    .join('\n');
}

/** Returns the tools of the log with their names in the loop. */
export function logTools(names: string[]): ToolDefinition[] {
  return names.map((name) => ({
    name,
    description: 'Looks into an encyclopedia.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  }));
}
