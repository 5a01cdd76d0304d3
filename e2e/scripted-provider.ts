import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { withPlainTags } from '#lib/core/prompts/quote.ts';

/** Call that the provider received. */
export type ScriptedRequest = {
  /** Number of the call, starting at 1. */
  number: number;
  headers: IncomingMessage['headers'];
  model: string;
  stream: boolean;
  messages: { role: string; content: string }[];
  /** Last user message, which holds the prompt, with plain tags around quoted data. */
  prompt: string;
  /** Complete request body. */
  body: Record<string, unknown>;
};

/** Response of the provider to a call. */
export type ScriptedResponse =
  | {
      text: string;
      /** Tool calls of the response, each with name and arguments. */
      toolCalls?: readonly (readonly [name: string, given: object])[];
      delayMs?: number;
      headers?: Record<string, string>;
      inputTokens?: number;
      outputTokens?: number;
      finishReason?: 'stop' | 'length' | 'content_filter';
      /** Delay between the chunks of a streamed response. */
      pieceDelayMs?: number;
    }
  /** Response with this status and a JSON body, or text sent unchanged. */
  | { status: number; body?: unknown; headers?: Record<string, string>; delayMs?: number }
  /** Invalid response body with status 200. */
  | { malformed: string }
  /** Accepts the call and never responds. */
  | { hang: true }
  /** Closes the connection. */
  | { cut: true };

export type Script = (request: ScriptedRequest) => ScriptedResponse | Promise<ScriptedResponse>;

export type ScriptedProvider = {
  /** Base URL for an `openai-compatible` provider. Ends with /v1. */
  baseUrl: string;
  /** All calls so far, oldest first. */
  calls: ScriptedRequest[];
  /** Returns the number of open calls and the maximum so far. */
  open(): { now: number; most: number };
  /** Replaces the script for all further calls. */
  setScript(script: Script): void;
  stop(): Promise<void>;
};

/** Starts an OpenAI-compatible fake server in this process. `script` determines the response to each call. */
export async function startScriptedProvider(script: Script): Promise<ScriptedProvider> {
  const calls: ScriptedRequest[] = [];
  let current = script;
  let now = 0;
  let most = 0;
  const server = createServer((request, outgoing) => {
    if (request.url?.endsWith('/models'))
      return void sendJson(outgoing, 200, { object: 'list', data: [{ id: 'scripted-1', object: 'model' }] });
    now += 1;
    most = Math.max(most, now);
    outgoing.on('close', () => {
      now -= 1;
    });
    answer(request, outgoing).catch((error: unknown) => sendJson(outgoing, 500, { error: { message: String(error) } }));
  });
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, calls.length + 1);
    calls.push(request);
    await sendResponse(outgoing, request, await current(request));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    calls,
    open: () => ({ now, most }),
    setScript: (next) => {
      current = next;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const content = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional() }))
    .transform((parts) => parts.map((part) => part.text ?? '').join('')),
  z.null().transform(() => ''),
]);
const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.object({ role: z.string(), content })),
});

async function readRequest(incoming: IncomingMessage, number: number): Promise<ScriptedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  const raw: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  const body = bodySchema.parse(raw);
  const prompt = withPlainTags(body.messages.findLast((message) => message.role === 'user')?.content ?? '');
  return {
    number,
    headers: incoming.headers,
    model: body.model,
    stream: body.stream,
    messages: body.messages,
    prompt,
    body: z.record(z.string(), z.unknown()).parse(raw),
  };
}

async function sendResponse(
  outgoing: ServerResponse,
  request: ScriptedRequest,
  response: ScriptedResponse,
): Promise<void> {
  if ('hang' in response) return;
  if ('cut' in response) return void outgoing.destroy();
  if ('malformed' in response)
    return void outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(response.malformed);
  if (response.delayMs) await sleep(response.delayMs);
  if ('status' in response)
    return sendJson(
      outgoing,
      response.status,
      response.body ?? { error: { message: `scripted ${response.status}` } },
      response.headers,
    );
  const usage = countTokens(request, response);
  const tool_calls = (response.toolCalls ?? []).map(([name, given], index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(given) },
  }));
  const used = tool_calls.length === 0 ? {} : { tool_calls };
  const finish_reason = response.finishReason ?? (tool_calls.length === 0 ? 'stop' : 'tool_calls');
  const common = { id: `scripted-${request.number}`, created: 0, model: request.model };
  if (!request.stream) {
    const choice = { index: 0, message: { role: 'assistant', content: response.text, ...used }, finish_reason };
    return sendJson(
      outgoing,
      200,
      { ...common, object: 'chat.completion', choices: [choice], usage },
      response.headers,
    );
  }
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream', ...response.headers });
  const send = (fields: object) =>
    outgoing.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...fields })}\n\n`);
  for (const piece of response.text.match(/[\s\S]{1,12}/g) ?? []) {
    send({ choices: [{ index: 0, delta: { role: 'assistant', content: piece }, finish_reason: null }] });
    if (response.pieceDelayMs) await sleep(response.pieceDelayMs);
  }
  if (tool_calls.length > 0)
    send({ choices: [{ index: 0, delta: { role: 'assistant', tool_calls }, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason }] });
  send({ choices: [], usage });
  outgoing.end('data: [DONE]\n\n');
}

/** Defaults to one token per four characters. */
function countTokens(
  request: ScriptedRequest,
  response: { text: string; inputTokens?: number; outputTokens?: number },
): object {
  const prompt = response.inputTokens ?? Math.ceil(JSON.stringify(request.messages).length / 4);
  const completion = response.outputTokens ?? Math.ceil(response.text.length / 4);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function sendJson(outgoing: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  if (outgoing.headersSent) return void outgoing.destroy();
  outgoing.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
}
