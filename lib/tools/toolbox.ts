import {
  MAX_OBSERVATION_LENGTH,
  type ToolCall,
  type ToolDefinition,
  type ToolOutcome,
} from '#lib/core/agents/agent-records.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { checkSchema } from '#lib/evaluators/check-schema.ts';
import { readJsonOutput } from '#lib/evaluators/read-json-output.ts';
import { storableText } from '#lib/providers/call/redact-secrets.ts';

/** The tools of one run. */
export type Toolbox = {
  /** Definitions sent to models, without `delegate`, which the loop handles. */
  definitions: ToolDefinition[];
  /**
   * Uses a tool once. Never throws for errors of a tool or for arguments that are not JSON. Returns null if aborted by `signal`. The text
   * is sanitized but untrusted, and has at most `MAX_OBSERVATION_LENGTH` characters.
   */
  use(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome | null>;
};

/** A tool of a toolbox. */
export type Tool = {
  definition: ToolDefinition;
  /** Time limit of one use, in milliseconds. Null uses the default of the toolbox. */
  timeoutMs: number | null;
  /** Runs the tool with arguments that match its `parameters`. May throw, which counts as a `failed` result. */
  run(input: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer>;
};

/** The result of a tool, of any length. `failed`: the tool was called, or the call was attempted, but did not succeed. */
export type ToolAnswer = { status: 'ok' | 'failed'; text: string };

/**
 * Returns a tool result as stored in an observation. U+0000 and lone surrogates become U+FFFD. A text longer than `MAX_OBSERVATION_LENGTH`
 * characters is truncated, with a note about its length.
 */
function observationText(text: string): string {
  if (text.length <= MAX_OBSERVATION_LENGTH) return storableText(text);
  const note = `\n[cut: the answer is ${text.length.toLocaleString('en-US')} characters long, its beginning is shown]`;
  return storableText(text.slice(0, MAX_OBSERVATION_LENGTH - note.length)) + note;
}

/** Default time limit of one tool use, in milliseconds. */
const TOOL_TIME_MS = 30_000;

/** Maximum number of tool names in a message to a model. */
const MAX_LISTED_TOOLS = 40;

/**
 * Returns a toolbox of these tools. If two have the same name, the first is used. Tools start in the order of the requests, although
 * threads validate their arguments in parallel.
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
        return outcome('timed_out', `${call.tool} did not respond within ${limitMs / 1000} seconds and was canceled.`);
      return outcome(used.status, used.text);
    },
  };
}

function unknownTool(name: string, names: string[]): string {
  const shown = names.slice(0, MAX_LISTED_TOOLS).join(', ');
  const more = names.length > MAX_LISTED_TOOLS ? ` and ${names.length - MAX_LISTED_TOOLS} more` : '';
  const remedy = names.length === 0 ? 'There are no tools: answer without one.' : `Use one of these: ${shown}${more}.`;
  return `There is no tool ${JSON.stringify(name.slice(0, 80).toWellFormed())}. ${remedy}`;
}

type Used = Awaited<ReturnType<Tool['run']>> | 'timed_out' | 'called_off';

/** Runs a tool with a time limit. A tool that ignores the abort signal keeps running, and its result is discarded. */
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
    // Runs inside a promise, so that a synchronous throw also counts as a failed tool.
    Promise.resolve()
      .then(() => tool.run(given, stopping.signal))
      .then(end, (error: unknown) =>
        end({ status: 'failed', text: `${tool.definition.name} failed: ${messageOf(error)}` }),
      );
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'no reason was given';
}

/** The arguments of a call as an object that matches the tool's schema, or an error message for the model. */
type ReadArguments = { ok: true; value: Record<string, unknown> } | { ok: false; problem: string };

const MAX_FAULTS = 5;
/** Maximum length of a schema that is repeated in a message, in characters. */
const MAX_SCHEMA_LENGTH = 2_000;
const MAX_ARGUMENTS_LENGTH = 100_000;

/** Parses the arguments that a model wrote for a call. An empty text becomes an empty object. */
async function readArguments({ name, parameters }: ToolDefinition, text: string): Promise<ReadArguments> {
  const refuse = (what: string): ReadArguments => ({
    ok: false,
    problem: `${name} was not used: ${what} Send a JSON object that fits this schema:\n${shownSchema(parameters)}`,
  });
  if (text.length > MAX_ARGUMENTS_LENGTH)
    return refuse(`its arguments are longer than ${MAX_ARGUMENTS_LENGTH.toLocaleString('en-US')} characters.`);
  const read = text.trim() === '' ? { ok: true as const, value: {} } : readJsonOutput(text);
  if (!read.ok) return refuse(`its arguments are not JSON (${read.problem}).`);
  if (!isRecord(read.value)) return refuse('its arguments are JSON, but no object.');
  const checked = await checkSchema(parameters, JSON.stringify(read.value), 'The object');
  // An MCP server may provide an invalid schema. In that case the server must validate the arguments.
  if (checked.type !== 'checked' || checked.count === 0) return { ok: true, value: read.value };
  return refuse(`its arguments do not fit: ${checked.faults.slice(0, MAX_FAULTS).join('; ')}.`);
}

function shownSchema(parameters: Record<string, unknown>): string {
  const text = JSON.stringify(parameters);
  return text.length > MAX_SCHEMA_LENGTH ? `${text.slice(0, MAX_SCHEMA_LENGTH).toWellFormed()}…` : text;
}
