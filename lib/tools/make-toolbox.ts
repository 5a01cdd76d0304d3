import { LONGEST_OBSERVATION, type ToolDefinition, type ToolOutcome } from '#lib/core/agents/agent-records.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { checkSchema } from '#lib/evaluators/check-schema.ts';
import { readJsonOutput } from '#lib/evaluators/read-json-output.ts';
import type { Tool, Toolbox } from './toolbox.ts';

/**
 * What a tool answered as an observation keeps it: U+0000 and lone surrogates become U+FFFD, and of a text longer than
 * `LONGEST_OBSERVATION` characters the beginning, and how much was left out.
 */
function observationText(text: string): string {
  if (text.length <= LONGEST_OBSERVATION) return clean(text);
  const note = `\n[cut: the answer is ${text.length.toLocaleString('en-US')} characters long, its beginning is shown]`;
  return clean(text.slice(0, LONGEST_OBSERVATION - note.length)) + note;
}

function clean(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/** How long one use of a tool may take, in milliseconds, where the tool does not say itself. */
const TOOL_TIME_MS = 30_000;

/** Names of tools that a message to a model holds at most. */
const MOST_NAMED = 40;

/**
 * A toolbox of these tools. Of two with one name the first is taken. Tools start in the order in which they are asked for, though threads
 * check their arguments at the same time.
 */
export function makeToolbox(tools: readonly Tool[], { timeoutMs = TOOL_TIME_MS } = {}): Toolbox {
  const byName = new Map<string, Tool>();
  for (const tool of tools) if (!byName.has(tool.definition.name)) byName.set(tool.definition.name, tool);
  let checkedBefore: Promise<unknown> = Promise.resolve();

  return {
    definitions: [...byName.values()].map(({ definition }) => definition),
    async use(call, signal) {
      const startedAt = performance.now();
      const outcome = (status: ToolOutcome['status'], text: string): ToolOutcome => ({
        status,
        text: observationText(text),
        durationMs: Math.round(performance.now() - startedAt),
      });
      const tool = byName.get(call.tool);
      if (tool === undefined) return outcome('unknown_tool', unknownTool(call.tool, [...byName.keys()]));
      const reading = readArguments(tool.definition, call.arguments);
      const checked = Promise.all([checkedBefore, reading]).catch(() => undefined);
      checkedBefore = checked;
      const given = await reading;
      await checked;
      if (!given.ok) return outcome('malformed', given.problem);
      const limitMs = tool.timeoutMs ?? timeoutMs;
      const used = await withinLimit(tool, given.value, limitMs, signal);
      if (used === 'called_off') return null;
      if (used === 'timed_out')
        return outcome('timed_out', `${call.tool} did not answer within ${limitMs / 1000} seconds and was broken off.`);
      return outcome(used.status, used.text);
    },
  };
}

function unknownTool(name: string, names: string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const remedy = names.length === 0 ? 'There are no tools: answer without one.' : `Use one of these: ${shown}${more}.`;
  return `There is no tool ${JSON.stringify(name.slice(0, 80).toWellFormed())}. ${remedy}`;
}

type Used = Awaited<ReturnType<Tool['run']>> | 'timed_out' | 'called_off';

/** A tool that heeds no signal is left behind: what it still answers is not looked at. */
function withinLimit(tool: Tool, given: Record<string, unknown>, limitMs: number, signal: AbortSignal): Promise<Used> {
  if (signal.aborted) return Promise.resolve('called_off');
  return new Promise((settle) => {
    const stopping = new AbortController();
    const end = (used: Used) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', callOff);
      settle(used);
      stopping.abort();
    };
    const callOff = () => end('called_off');
    const timer = setTimeout(() => end('timed_out'), limitMs);
    signal.addEventListener('abort', callOff);
    // Inside a promise, so that a tool that throws at once is a failed one too.
    Promise.resolve()
      .then(() => tool.run(given, stopping.signal))
      .then(end, (error: unknown) =>
        end({ status: 'failed', text: `${tool.definition.name} failed: ${messageOf(error)}` }),
      );
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'it gave no reason';
}

/** The arguments of a call as an object that fits the tool's schema, or in words for the model why they are not. */
type ReadArguments = { ok: true; value: Record<string, unknown> } | { ok: false; problem: string };

/** Faults that a message names at most. */
const MOST_FAULTS = 5;
/** A schema longer than this is not told again. */
const LONGEST_SCHEMA = 2_000;
/** Longest arguments, in characters. */
const LONGEST_ARGUMENTS = 100_000;

/** Reads what a model wrote as the arguments of a call; nothing at all is an empty object. */
async function readArguments({ name, parameters }: ToolDefinition, text: string): Promise<ReadArguments> {
  const refuse = (what: string): ReadArguments => ({
    ok: false,
    problem: `${name} was not used: ${what} Send a JSON object that fits this schema:\n${shownSchema(parameters)}`,
  });
  if (text.length > LONGEST_ARGUMENTS)
    return refuse(`its arguments are longer than ${LONGEST_ARGUMENTS.toLocaleString('en-US')} characters.`);
  const read = text.trim() === '' ? { ok: true as const, value: {} } : readJsonOutput(text);
  if (!read.ok) return refuse(`its arguments are not JSON (${read.problem}).`);
  if (!isRecord(read.value)) return refuse('its arguments are JSON, but no object.');
  const checked = await checkSchema(parameters, JSON.stringify(read.value), 'The object');
  // What a server says of its own tool may be no schema at all: then it is for the server to judge.
  if (checked.type !== 'checked' || checked.count === 0) return { ok: true, value: read.value };
  return refuse(`its arguments do not fit: ${checked.faults.slice(0, MOST_FAULTS).join('; ')}.`);
}

function shownSchema(parameters: Record<string, unknown>): string {
  const text = JSON.stringify(parameters);
  return text.length > LONGEST_SCHEMA ? `${text.slice(0, LONGEST_SCHEMA).toWellFormed()}…` : text;
}
