import type { FailedTry } from './failure-of.ts';
import type { ModelRequest } from './model-caller.ts';

/**
 * Whether a request failed because of its tools, as far as that can be told from what was said. `for_good`: the server or the model knows
 * none: Ollama ("does not support tools"), vLLM ("requires --enable-auto-tool-choice"), llama.cpp ("tools param requires --jinja flag"),
 * OpenRouter ("No endpoints found that support tool use"), and servers that refuse fields they do not know. `this_time`: these tools, or
 * what the model made of them, such as Groq's "Failed to call a function".
 */
export function toolsRefusal(
  request: ModelRequest,
  failed: Pick<FailedTry, 'status' | 'message'>,
): 'for_good' | 'this_time' | null {
  if (request.conversation === undefined || request.conversation.tools.length === 0) return null;
  if (failed.status === null || !STATUSES.includes(failed.status) || !SAYS_TOOLS.test(failed.message)) return null;
  return SAYS_NEVER.test(failed.message) ? 'for_good' : 'this_time';
}

const STATUSES = [400, 404, 405, 415, 422, 500, 501];
const SAYS_TOOLS = /\btools?\b|\btool[_-]|function[_ -]?call|call a function/i;
const SAYS_NEVER =
  /support|enabl|requires|unknown|unexpected|unrecogni[sz]ed|extra (?:field|input)|not (?:permitted|allowed|available|implemented)/i;
