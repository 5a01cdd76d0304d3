import { isRecord } from '#lib/core/is-record.ts';

/**
 * Wraps `fetch` for OpenAI-compatible servers that ignore `stream: true` and answer with a whole chat completion. The completion becomes a
 * stream of one chunk. Otherwise a paid response would count as cut off, and be requested again.
 */
export function acceptWholeAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (address, init) => {
    const response = await fetch(address, init);
    const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !isJson || !requestsStream(init?.body)) return response;
    const text = await response.text();
    const chunk = chunkOf(text);
    if (chunk === null) return new Response(text, response);
    const headers = new Headers(response.headers);
    headers.set('content-type', 'text/event-stream');
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { status: response.status, headers });
  };
}

/** Quotes within texts are escaped in JSON, so only the setting itself matches. */
function requestsStream(body: unknown): boolean {
  return typeof body === 'string' && /"stream":\s*true/.test(body);
}

/** Returns the body of a response as a chunk of a stream: a completion converted, an error as it is. Null for any other body. */
function chunkOf(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(body)) return null;
  if (!Array.isArray(body.choices)) return 'error' in body ? body : null;
  const choices = body.choices.map((choice: unknown) => {
    if (!isRecord(choice) || !isRecord(choice.message)) return choice;
    const { message, ...rest } = choice;
    return { ...rest, delta: { ...message, ...indexedCalls(message.tool_calls) } };
  });
  return { ...body, object: 'chat.completion.chunk', choices };
}

/** Only the tool calls of a stream have an index. */
function indexedCalls(calls: unknown): { tool_calls?: unknown[] } {
  if (!Array.isArray(calls)) return {};
  return { tool_calls: calls.map((call: unknown, index) => (isRecord(call) ? { index, ...call } : call)) };
}
