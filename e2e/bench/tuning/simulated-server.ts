// Runs as a separate process: serves the simulated apps and their reflection model over HTTP to Hone and gepa.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { readAfter, serveBench } from '../bench-child.ts';
import { landscapeNamed } from './landscapes.ts';
import { readReflectionRequest, type SimulatedApp, simulatedApp } from './simulated-app.ts';

const callSchema = z.object({
  case: z.object({ metadata: z.object({ ticket: z.int(), seed: z.int() }) }),
  components: z.record(z.string(), z.string()),
});
const chatSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  stream: z.boolean().default(false),
});
type Counts = { metricCalls: number; reflections: number };

const apps = new Map<string, SimulatedApp>();
const counts = new Map<string, Counts>();
const repeats = new Map<string, number>();

await serveBench(answer);

/**
 * `/app/<tool>/<latency>/<landscape>` handles and scores a ticket. `/model/<tool>/<latency>/v1/chat/completions` proposes a text; the model
 * name holds landscape and seed. `/cases/<landscape>/<seed>` lists tickets without held-out ones. `/counts` returns calls per tool.
 */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, part = '', first = '', second = '', third = ''] = (request.url ?? '').split('/');
  if (part === 'counts') return sendJson(response, Object.fromEntries(counts));
  if (part === 'cases') {
    const { start, tickets, landscape } = appOf(first, Number(second));
    const open = tickets.filter(({ split }) => split !== 'held_out');
    const cases = open.map(({ id, split, input }) => ({ id, split, input }));
    return sendJson(response, { start, cases, metricCalls: landscape.metricCalls });
  }
  const body: unknown = JSON.parse((await readAfter(request, Number(second))).toString('utf8'));
  if (part === 'app') return sendJson(response, handle(first, third, body));
  if (part === 'model') return propose(response, first, body);
  response.writeHead(404).end();
}

function handle(tool: string, landscape: string, body: unknown) {
  const { case: task, components } = callSchema.parse(body);
  const { ticket, seed } = task.metadata;
  countsOf(tool, landscape, seed).metricCalls++;
  const repeat = timesBefore(tool, landscape, seed, 'ticket', ticket, JSON.stringify(components));
  return appOf(landscape, seed).handle(components, ticket, repeat);
}

function propose(response: ServerResponse, tool: string, body: unknown): void {
  const { model, messages, stream } = chatSchema.parse(body);
  const [landscape = '', seed = ''] = model.split(':');
  countsOf(tool, landscape, Number(seed)).reflections++;
  const app = appOf(landscape, Number(seed));
  const { asked, answerWith } = readReflectionRequest(app, messages.at(-1)?.content ?? '');
  const repeat = timesBefore(tool, landscape, seed, 'reflect', JSON.stringify(asked));
  const content = answerWith(app.propose(asked, repeat));
  const usage = { prompt_tokens: 400, completion_tokens: 200, total_tokens: 600 };
  const about = { id: 'simulated', created: 0, model };
  if (!stream) {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
    sendJson(response, { ...about, object: 'chat.completion', choices, usage });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (chunk: object) =>
    response.write(`data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', ...chunk })}\n\n`);
  send({ choices: [{ index: 0, delta: { role: 'assistant', content } }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage });
  response.end('data: [DONE]\n\n');
}

function appOf(landscape: string, seed: number): SimulatedApp {
  const key = `${landscape}:${seed}`;
  const app = apps.get(key) ?? simulatedApp(landscapeNamed(landscape), seed);
  apps.set(key, app);
  return app;
}

function countsOf(tool: string, landscape: string, seed: number): Counts {
  const key = `${tool}:${landscape}:${seed}`;
  const found = counts.get(key) ?? { metricCalls: 0, reflections: 0 };
  counts.set(key, found);
  return found;
}

/** Returns the number of earlier identical requests. */
function timesBefore(...key: (string | number)[]): number {
  const name = key.join('\n');
  const before = repeats.get(name) ?? 0;
  repeats.set(name, before + 1);
  return before;
}

function sendJson(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
