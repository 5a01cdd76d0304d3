import { LONGEST_OBSERVATION, type ToolOutcome } from '#lib/core/agents/agent-records.ts';
import { readArguments } from './read-arguments.ts';
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
