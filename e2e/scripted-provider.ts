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
export type ScriptedReply =
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

export type Script = (request: ScriptedRequest) => ScriptedReply | Promise<ScriptedReply>;

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
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/models'))
      return void sendJson(response, 200, { object: 'list', data: [{ id: 'scripted-1', object: 'model' }] });
    now += 1;
    most = Math.max(most, now);
    response.on('close', () => {
      now -= 1;
    });
    answer(request, response).catch((error: unknown) => sendJson(response, 500, { error: { message: String(error) } }));
  });
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, calls.length + 1);
    calls.push(request);
    await sendReply(response, request, await current(request));
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

async function sendReply(response: ServerResponse, request: ScriptedRequest, reply: ScriptedReply): Promise<void> {
  if ('hang' in reply) return;
  if ('cut' in reply) return void response.destroy();
  if ('malformed' in reply)
    return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(reply.malformed);
  if (reply.delayMs) await sleep(reply.delayMs);
  if ('status' in reply)
    return sendJson(
      response,
      reply.status,
      reply.body ?? { error: { message: `scripted ${reply.status}` } },
      reply.headers,
    );
  const usage = countTokens(request, reply);
  const tool_calls = (reply.toolCalls ?? []).map(([name, given], index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(given) },
  }));
  const used = tool_calls.length === 0 ? {} : { tool_calls };
  const finish_reason = reply.finishReason ?? (tool_calls.length === 0 ? 'stop' : 'tool_calls');
  const common = { id: `scripted-${request.number}`, created: 0, model: request.model };
  if (!request.stream) {
    const choice = { index: 0, message: { role: 'assistant', content: reply.text, ...used }, finish_reason };
    return sendJson(response, 200, { ...common, object: 'chat.completion', choices: [choice], usage }, reply.headers);
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', ...reply.headers });
  const send = (fields: object) =>
    response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...fields })}\n\n`);
  for (const piece of reply.text.match(/[\s\S]{1,12}/g) ?? []) {
    send({ choices: [{ index: 0, delta: { role: 'assistant', content: piece }, finish_reason: null }] });
    if (reply.pieceDelayMs) await sleep(reply.pieceDelayMs);
  }
  if (tool_calls.length > 0)
    send({ choices: [{ index: 0, delta: { role: 'assistant', tool_calls }, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason }] });
  send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

/** Defaults to one token per four characters. */
function countTokens(
  request: ScriptedRequest,
  reply: { text: string; inputTokens?: number; outputTokens?: number },
): object {
  const prompt = reply.inputTokens ?? Math.ceil(JSON.stringify(request.messages).length / 4);
  const completion = reply.outputTokens ?? Math.ceil(reply.text.length / 4);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
