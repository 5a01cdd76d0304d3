import { unquote } from '#lib/core/prompts/quote.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { seededNumber } from '#lib/core/text-values.ts';
import { PROPOSAL_FENCE } from '#lib/core/tuning/proposal-prompt.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';

const TEAMS = ['heron', 'lark', 'merlin', 'osprey', 'plover', 'wren'] as const;
const SUBJECTS = ['A parcel', 'The door', 'One lamp', 'The pump', 'A sensor', 'The gate', 'A meter', 'The belt'];
const EVENTS = ['stopped', 'makes a noise', 'was moved', 'shows red', 'is warm', 'came loose', 'reads zero'];
const PLACES = ['at noon', 'since Monday', 'after the storm', 'again', 'in hall 3', 'near the ramp'];

/** Initial prompt of the tuning run. It names the teams but not how to assign tickets to them. */
const TICKET_PROMPT = `Which team takes this ticket? Teams: ${TEAMS.join(', ')}. Answer with the name of the team only.

Ticket: {{input}}`;

/** Returns twelve station codes, each with a team chosen by the seed alone. Nothing in a ticket hints at it. */
function hiddenRule(seed: number): Map<string, string> {
  const codes = Array.from({ length: 12 }, (_code, at) => `${'KQRTVX'[at % 6]}${10 + at * 7}`);
  return new Map(codes.map((code) => [code, pick(TEAMS, 'team', String(seed), code)]));
}

/** Returns tickets with the team as their reference. The team depends on the station code alone. */
export function labelledTickets(count: number, seed: number) {
  const rule = hiddenRule(seed);
  return Array.from({ length: count }, (_case, at) => {
    const keys = [String(seed), String(at)];
    const code = pick([...rule.keys()], 'code', ...keys);
    const text = `${pick(SUBJECTS, 'subject', ...keys)} ${pick(EVENTS, 'event', ...keys)} ${pick(PLACES, 'place', ...keys)}`;
    return { input: `#${1_000 + at}: ${text}, station ${code}.`, reference: rule.get(code) ?? '' };
  });
}

function pick<Item>(items: readonly Item[], ...keys: string[]): Item {
  const item = items[Math.floor(seededNumber(...keys) * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

/** Returns settings with exact match and 12 proposals of 8 cases each. */
export function ticketSettings(tune: ExperimentSettingsInput['tune']): ExperimentSettingsInput {
  return {
    mode: 'tune',
    generator: { provider: 'practice', model: 'practice-1' },
    prompts: { generate: TICKET_PROMPT },
    criteria: [{ name: 'team', evaluator: 'reference', config: { match: 'exact' } }],
    qualityThreshold: 0.98,
    maxIterations: 12,
    convergence: { plateauIterations: 4 },
    tune: { minibatchSize: 8, ...tune },
  };
}

const RULE = /^- Station (\w+): (\w+)$/gm;
const STATION = /station (\w+)/;

/**
 * Returns a scripted generator and reflection model. The generator follows only the rules in its prompt and otherwise answers the first
 * team. The reflection model writes rules only from expected answers in its prompt. `asked`: all calls, oldest first.
 */
export function scriptedTickets(): { call: ModelCaller; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const call: ModelCaller = async (request) => {
    asked.push(request);
    const text = request.role === 'reflect' ? proposal(request.prompt) : answer(request.prompt);
    const spend = { tokenUsage: { input: 300, output: 100, total: 400 }, costUsd: 0.001, latencyMs: 1 };
    return { ok: true, reply: { ...spend, text, finishReason: 'stop', attempts: 1, warnings: [] } };
  };
  return { call, asked };
}

function answer(prompt: string): string {
  const [, ticket = ''] = prompt.split('Ticket: ');
  const [, station] = STATION.exec(ticket) ?? [];
  const rules = new Map([...prompt.matchAll(RULE)].map(([, code = '', team = '']) => [code, team]));
  return rules.get(station ?? '') ?? TEAMS[0];
}

/** Combines accepted prompts into one with all their rules. */
function combination(current: string, accepted: string): string {
  const lines = accepted.split('\n').flatMap((line) => JSON.parse(line).prompt.split('\n') as string[]);
  const rules = new Set(lines.filter((line) => line.startsWith('- ') && !current.includes(line)));
  const [head = '', ticket = ''] = current.split('\n\nTicket:');
  return `Each knows other stations.\n${PROPOSAL_FENCE}\n${[head, ...rules].join('\n')}\n\nTicket:${ticket}\n${PROPOSAL_FENCE}`;
}

function proposal(prompt: string): string {
  const current = unquote(section(prompt, 'current_prompt'));
  const accepted = section(prompt, 'accepted_prompts');
  if (accepted !== '') return combination(current, accepted);
  const cases = section(prompt, 'tried_cases')
    .split('\n')
    .map((line): { input: string; expected?: string } => JSON.parse(line));
  const rules = cases.flatMap(({ input, expected }) => {
    const [, station] = STATION.exec(input) ?? [];
    return expected === undefined || station === undefined ? [] : [`- Station ${station}: ${expected}`];
  });
  const learned = [...new Set(rules)].filter((line) => !current.includes(line));
  // Without expected answers, it can only write a rule that asks for care.
  const care = `- Read the ticket ${prompt.length % 97} times.`;
  const [head = '', ticket = ''] = current.split('\n\nTicket:');
  const lines = learned.length > 0 ? learned : [care];
  return `It does not say which station belongs to which team.\n${PROPOSAL_FENCE}\n${head}\n${lines.join('\n')}\n\nTicket:${ticket}\n${PROPOSAL_FENCE}`;
}

function section(prompt: string, tag: string): string {
  return new RegExp(`^<${tag}>\\n([\\s\\S]*?)\\n</${tag}>$`, 'm').exec(prompt)?.[1] ?? '';
}
