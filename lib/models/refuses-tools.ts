import type { FailedTry } from './failure-of.ts';
import type { ModelRequest } from './model-caller.ts';

/**
 * Whether a request failed because its server or its model knows no tools, as far as that can be told from what it said: Ollama ("does not
 * support tools"), vLLM ("requires --enable-auto-tool-choice"), llama.cpp ("tools param requires --jinja flag"), OpenRouter ("No endpoints
 * found that support tool use"), and servers that refuse fields they do not know.
 */
export function refusesTools(request: ModelRequest, failed: Pick<FailedTry, 'status' | 'message'>): boolean {
  if (request.conversation === undefined || request.conversation.tools.length === 0) return false;
  return failed.status !== null && STATUSES.includes(failed.status) && SAYS_TOOLS.test(failed.message);
}

const STATUSES = [400, 404, 405, 415, 422, 500, 501];
const SAYS_TOOLS = /\btools?\b|tool[_ -]?(?:use|call|choice)|function[_ -]?call/i;
