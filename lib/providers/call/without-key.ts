import type { ModelOutcome } from '#lib/core/model-request.ts';

/** Shorter ones could stand in any text. */
const SHORTEST_KEY = 8;
const IN_ITS_PLACE = '[key]';

/** An outcome with the provider's key blotted out of every text of it: servers may send back what they were sent. */
export function withoutKey(outcome: ModelOutcome, apiKey: string | null): ModelOutcome {
  if (!isKey(apiKey)) return outcome;
  const without = (text: string) => text.replaceAll(apiKey, IN_ITS_PLACE);
  if (!outcome.ok) {
    const { message, remedy } = outcome.failure;
    return { ok: false, failure: { ...outcome.failure, message: without(message), remedy: without(remedy) } };
  }
  const { text, thought, toolCalls, warnings, finishReason } = outcome.reply;
  if (!JSON.stringify([text, thought, toolCalls, warnings, finishReason]).includes(apiKey)) return outcome;
  return {
    ok: true,
    reply: {
      ...outcome.reply,
      text: without(text),
      finishReason: without(finishReason),
      warnings: warnings.map(without),
      ...(thought !== undefined && { thought: without(thought) }),
      ...(toolCalls !== undefined && {
        toolCalls: toolCalls.map((call) => ({
          id: without(call.id),
          tool: without(call.tool),
          arguments: without(call.arguments),
        })),
      }),
    },
  };
}

/**
 * Passes on the pieces of a streamed text without the key, also where it comes in pieces: what may be its beginning waits for the next
 * piece. Null where nobody watches.
 */
export function piecesWithoutKey(
  onText: ((piece: string) => void) | null,
  apiKey: string | null,
): ((piece: string) => void) | null {
  if (onText === null || !isKey(apiKey)) return onText;
  let held = '';
  return (piece) => {
    const text = (held + piece).replaceAll(apiKey, IN_ITS_PLACE);
    const waits = beginsAtEnd(text, apiKey);
    held = text.slice(text.length - waits);
    if (text.length > waits) onText(text.slice(0, text.length - waits));
  };
}

/** How many of the last characters of a text are the first ones of a key. */
function beginsAtEnd(text: string, apiKey: string): number {
  for (let length = Math.min(text.length, apiKey.length - 1); length > 0; length--)
    if (text.endsWith(apiKey.slice(0, length))) return length;
  return 0;
}

function isKey(apiKey: string | null): apiKey is string {
  return apiKey !== null && apiKey.length >= SHORTEST_KEY;
}
