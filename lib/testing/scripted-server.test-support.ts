import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A response handler of a scripted server. Receives the raw response, the request's JSON body or form, and the request. */
export type Answer = (response: ServerResponse, body: Record<string, unknown>, request: IncomingMessage) => void;

export type ScriptedServer = {
  baseUrl: string;
  requests: { url: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }[];
  close(): Promise<void>;
};

/** Starts a real HTTP server on loopback for tests. It uses the handlers in order and repeats the last one. */
export async function startScriptedServer(answers: Answer[]): Promise<ScriptedServer> {
  const requests: ScriptedServer['requests'] = [];
  const server = createServer((request, response) => {
    let raw = '';
    request.on('data', (chunk) => {
      raw += chunk;
    });
    request.on('end', () => {
      const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
      const body = raw === '' ? {} : isForm ? Object.fromEntries(new URLSearchParams(raw)) : JSON.parse(raw);
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push({ url: request.url ?? '', headers: request.headers, body });
      answer?.(response, body, request);
    });
  });
  const { url, close } = await listenLocally(server);
  return { baseUrl: `${url}/v1`, requests, close };
}

/** Starts a server on a free port of loopback. */
export async function listenLocally(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function status(code: number, message: string, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
  };
}

export function raw(text: string, type = 'application/json'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(text);
  };
}

const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };

/**
 * Returns a chat completion with reasoning and tool calls, each given by its name and raw arguments. Streamed if the request asks for it.
 */
export function toolCompletion(
  content: string,
  calls: readonly (readonly [name: string, given: string])[],
  idOf = (index: number) => `call_${index}`,
  reasoning: string | null = null,
  counted: Record<string, number> | null = USAGE,
): Answer {
  const usage = counted && { ...counted, prompt_tokens_details: { cached_tokens: 2 } };
  const toolCalls = calls.map(([name, given], index) => ({
    ...{ index, id: idOf(index), type: 'function' },
    function: { name, arguments: given },
  }));
  return (response, body) => {
    const base = { id: 'test', created: 1, model: String(body.model), ...(usage && { usage }) };
    const thought = reasoning === null ? {} : { reasoning_content: reasoning };
    const message = { role: 'assistant', content, ...thought, tool_calls: toolCalls };
    if (body.stream !== true) {
      const choices = [{ index: 0, finish_reason: 'tool_calls', message }];
      return raw(JSON.stringify({ ...base, object: 'chat.completion', choices }))(response, body, response.req);
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [delta, finish] of [
      [message, null],
      [{}, 'tool_calls'],
    ])
      response.write(
        `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    response.end('data: [DONE]\n\n');
  };
}

/** Returns a chat completion, streamed if the request asks for it. */
export function completion(
  content: string,
  finishReason = 'stop',
  usage: Record<string, number> | null = USAGE,
): Answer {
  return (response, body) => {
    const base = { id: 'test', created: 1, model: String(body.model) };
    if (body.stream !== true) {
      const choices = [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', content } }];
      return raw(JSON.stringify({ ...base, object: 'chat.completion', choices, ...(usage && { usage }) }))(
        response,
        body,
        response.req,
      );
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, finish: string | null, extra: object = {}) =>
      response.write(
        `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], ...extra })}\n\n`,
      );
    send({ role: 'assistant' }, null);
    for (const piece of content.match(/[\s\S]{1,20000}/g) ?? []) send({ content: piece }, null);
    send({}, finishReason, usage ? { usage } : {});
    response.end('data: [DONE]\n\n');
  };
}

/** Starts streaming and then calls `end`. */
export function brokenStream(pieces: string[], end: (response: ServerResponse) => void): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of pieces) {
      response.write(
        `data: ${JSON.stringify({ id: 'x', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
      );
    }
    setTimeout(() => end(response), 30);
  };
}
