import { type Answer, completion, raw, toolCompletion } from '#lib/testing/scripted-server.test-support.ts';
import type { ProviderKind } from './provider-kinds.ts';

export const TURN_KINDS = ['openai-compatible', 'openai', 'anthropic', 'google'] as const satisfies ProviderKind[];
type TurnKind = (typeof TURN_KINDS)[number];

/**
 * Returns the response of a kind of server to an agent's turn: a text, and tool calls with their arguments. Uses 12 input tokens, two of
 * them cached if there are tool calls, and 5 output tokens.
 */
export function turnAnswer(kind: TurnKind, text: string, calls: [name: string, given: object][] = []): Answer {
  switch (kind) {
    case 'openai-compatible':
    case 'openai':
      if (calls.length === 0) return completion(text);
      return toolCompletion(
        text,
        calls.map(([name, given]) => [name, JSON.stringify(given)]),
      );
    case 'anthropic': {
      const used = calls.map(([name, input], index) => ({ type: 'tool_use', id: `t${index}`, name, input }));
      return anthropicAnswer([{ type: 'text', text }, ...used], calls.length > 0 ? 'tool_use' : 'end_turn');
    }
    case 'google':
      return googleAnswer([{ text }, ...calls.map(([name, args]) => ({ functionCall: { name, args } }))]);
  }
}

/** Returns a message of Anthropic's API with this content. */
export function anthropicAnswer(content: object[], stopReason: string): Answer {
  const message = { type: 'message', id: 'm', role: 'assistant', model: 'm', content, stop_reason: stopReason };
  const usage = { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 5 };
  return raw(JSON.stringify({ ...message, usage }));
}

function googleAnswer(parts: object[]): Answer {
  const candidates = [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }];
  const tokens = { promptTokenCount: 12, candidatesTokenCount: 5, totalTokenCount: 17, cachedContentTokenCount: 2 };
  return raw(JSON.stringify({ candidates, usageMetadata: tokens }));
}

/** Returns the error response of a kind of server. Each kind has its own format. */
export function failing(kind: ProviderKind, code: number, message: string): Answer {
  const forms: Partial<Record<ProviderKind, object>> = {
    anthropic: { type: 'error', error: { type: 'api_error', message } },
    google: { error: { code, message, status: 'UNKNOWN' } },
  };
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify(forms[kind] ?? { error: { message } }));
  };
}
