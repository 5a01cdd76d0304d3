import { z } from 'zod';
import { BUILT_IN_TOOLS, type BuiltInTool } from '#lib/core/agents/base-settings.ts';
import { JAVASCRIPT_TIME_MS, runJavascript } from '#lib/evaluators/javascript/run-javascript.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { calculatorTool } from './calculator-tool.ts';
import { httpGetTool } from './http-get-tool.ts';
import type { Tool, ToolAnswer } from './toolbox.ts';

const scriptSchema = z.object({ code: z.string().max(50_000) });
const scriptResultSchema = z.object({ value: z.json().optional(), lines: z.array(z.string()) });

/**
 * Tool that runs a model's JavaScript in the sandbox of function criteria: no network, files, clock or randomness, and a limit of one
 * second.
 */
const javascriptTool: Tool = {
  definition: {
    name: 'javascript',
    description: `Runs JavaScript and returns the value of its last expression and the output of console.log. It runs in a sandbox: no network, no files, no imports, no timers, no Date, no Math.random; at most ${JAVASCRIPT_TIME_MS / 1000} second. Nothing is kept between calls.`,
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', maxLength: 50_000, description: 'JavaScript, such as [3, 1, 2].sort()' } },
      required: ['code'],
      additionalProperties: false,
    },
  },
  timeoutMs: null,
  async run(input) {
    const { code } = scriptSchema.parse(input);
    const answer = await runJavascript({ code: AROUND, argument: JSON.stringify({ code }) });
    switch (answer.type) {
      case 'returned':
        return formatScriptResult(answer.json);
      case 'threw':
      case 'syntax_error':
        // The line number would refer to the wrapper code.
        return failed(`The code threw an error: ${answer.message.replace(/ \(line \d+\)$/, '')}`);
      case 'too_large':
        return failed('The result of the code is too large. Return less.');
      case 'out_of_time':
        return failed(`The code ran longer than ${JAVASCRIPT_TIME_MS / 1000} second and was stopped.`);
      case 'out_of_memory':
        return failed('The code used more than 64 MB of memory and was stopped.');
      case 'broken':
        return failed(`The code could not be run: ${answer.message}.`);
      case 'checked':
      case 'no_function':
        throw new Error(`unexpected response of the sandbox: ${answer.type}`);
    }
  },
};

/**
 * Wrapper that evaluates the code as a script and returns the value of its last expression. If it is not a valid script, evaluates it as a
 * function body, which may return a value.
 */
const AROUND = `
let lines = [];
const show = (value) => typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
const log = (...values) => { lines.push(values.map(show).join(' ')); };
globalThis.console = { log, info: log, warn: log, error: log, debug: log };
async function evaluate({ code }) {
  let value;
  try {
    value = (0, eval)(code);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    let body;
    try { body = new Function(code); } catch { throw error; }
    lines = [];
    value = body();
  }
  return { value: await value, lines };
}`;

function formatScriptResult(json: string | null): ToolAnswer {
  const read = json === null ? null : scriptResultSchema.safeParse(JSON.parse(json));
  if (!read?.success) return failed('The result of the code cannot be serialized as JSON.');
  const { value, lines } = read.data;
  const shown = value === undefined ? [] : [typeof value === 'string' ? value : JSON.stringify(value)];
  const text = [...lines, ...shown].join('\n');
  return {
    status: 'ok',
    text: text === '' ? 'The code ran without a result. End it with the expression whose value you want.' : text,
  };
}

function failed(text: string): ToolAnswer {
  return { status: 'failed', text };
}

type FoundLesson = { kind: string; text: string };
/** Finds promoted lessons, best match first. Null if aborted. */
export type SearchLessons = (query: string, most: number, signal: AbortSignal) => Promise<FoundLesson[] | null>;

const MAX_RESULTS = 10;
const MAX_QUERY_LENGTH = 2_000;
const searchSchema = z.object({
  query: z.string().min(1).max(MAX_QUERY_LENGTH),
  limit: z.int().min(1).max(MAX_RESULTS).default(5),
});

/** Returns a tool that searches the library's promoted lessons by their text and their source input. */
export function lessonSearchTool(search: SearchLessons): Tool {
  return {
    definition: {
      name: 'lesson_search',
      description:
        'Searches the lessons learned from earlier tasks by words. Use it before a task that may be similar to an earlier one. A lesson is advice that may not apply, so check it first.',
      parameters: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            minLength: 1,
            maxLength: MAX_QUERY_LENGTH,
            description: 'What to search for, in a few words',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_RESULTS,
            description: 'Maximum number of lessons, 5 by default',
          },
        },
        required: ['query'],
        additionalProperties: false,
      },
    },
    timeoutMs: null,
    async run(input, signal) {
      const { query, limit } = searchSchema.parse(input);
      const found = await search(query, limit, signal);
      if (found === null) return failed('The search was canceled.');
      if (found.length === 0) return { status: 'ok', text: 'No lesson was found. Try other words.' };
      return { status: 'ok', text: found.map(({ kind, text }, at) => `${at + 1}. (${kind}) ${text}`).join('\n') };
    },
  };
}

type BuiltInOptions = {
  httpHosts: readonly string[];
  addresses: AddressRules;
  resolve?: Resolve | undefined;
  searchLessons: SearchLessons;
};

/** Factories of the built-in tools. */
const MAKERS = {
  calculator: () => calculatorTool,
  javascript: () => javascriptTool,
  lesson_search: ({ searchLessons }) => lessonSearchTool(searchLessons),
  http_get: ({ httpHosts, addresses, resolve }) =>
    httpGetTool({ hosts: httpHosts, rules: { ...addresses, neverLoopback: true }, resolve }),
} satisfies Record<BuiltInTool, (options: BuiltInOptions) => Tool>;

/** Returns all built-in tools. */
export function builtInTools(options: BuiltInOptions): Tool[] {
  return BUILT_IN_TOOLS.map((name) => MAKERS[name](options));
}
