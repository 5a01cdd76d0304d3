import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const requestSchema = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.object({ role: z.string(), content: z.string().nullable().default('') })),
  tools: z.array(z.object({ function: z.object({ name: z.string(), parameters: z.object() }) })).default([]),
});
type Request = z.infer<typeof requestSchema>;
type Answer = { content: string; tool?: { name: string; arguments: string } };

const LESSON = 'Use at most twelve words.';
const DRAFT = JSON.stringify({ title: 'Mug', text: 'A mug.' });
const REVISION = JSON.stringify({ title: 'Mug', text: 'It keeps coffee warm for an hour.' });
const LONG = 'A lighthouse is a tower with a light that is built on a coast so that ships see it at night.';
const TOPIC = 'Say what it does.';

/** Returns the output of a fake model that depends on the prompt: it applies a critique or a lesson, and calls an offered tool. */
function answerOf({ messages, tools }: Request): Answer {
  const all = messages.map(({ content }) => content ?? '').join('\n');
  const found = messages.findLast(({ role }) => role === 'tool')?.content;
  if (found !== undefined) return { content: `Your order was ${found}.` };
  const order = /A-\d+/.exec(all)?.[0] ?? '';
  const [tool] = tools;
  if (tool !== undefined)
    return { content: '', tool: { name: tool.function.name, arguments: JSON.stringify({ order }) } };
  if (all.includes('<tried_cases')) return { content: proposal(all) };
  if (all.includes('Ticket: ')) return { content: label(all) };
  if (all.includes('Write ONE sentence')) return { content: all.includes('at most 12 words') ? LESSON : 'Try harder.' };
  if (all.includes('lighthouse')) return { content: all.includes(LESSON) ? 'It warns ships of the coast.' : LONG };
  if (all.includes('Count from')) return { content: Array.from({ length: 100 }, (_one, at) => at + 1).join(' ') };
  if (all.includes('You review a draft'))
    return {
      content: JSON.stringify({ summary: '', issues: [{ text: TOPIC, criterion: 'clarity' }], suggestions: [] }),
    };
  if (!messages[0]?.content?.startsWith('You write product')) return { content: judgement(all) };
  return { content: all.includes(TOPIC) ? REVISION : DRAFT };
}

function judgement(prompt: string): string {
  const isClear = prompt.includes('It keeps coffee warm');
  if (!isClear && !prompt.includes('A mug.')) return 'There is no output.';
  const score = { name: 'clarity', score: isClear ? 1 : 0.2, reason: '', suggestions: [] };
  return JSON.stringify({ criteria: [{ ...score, issues: isClear ? [] : [TOPIC] }], confidence: 1 });
}

function label(prompt: string): string {
  const ticket = prompt.slice(prompt.lastIndexOf('Ticket: '));
  const rules = [...prompt.matchAll(/Tickets about (\w+): (\w+)/g)];
  return rules.find(([, topic = '']) => ticket.includes(topic))?.[2] ?? 'other';
}

/** Adds a rule for each failed case. */
function proposal(prompt: string): string {
  const quoted = (tag: string) => new RegExp(`<(${tag}[^>]*)>\\n([\\s\\S]*?)\\n</\\1>`).exec(prompt)?.[2] ?? '';
  const failed = quoted('tried_cases')
    .split('\n')
    .map((line) => z.object({ input: z.string(), expected: z.string(), score: z.number() }).parse(JSON.parse(line)))
    .filter(({ score }) => score < 1);
  const rules = failed.map(({ input, expected }) => {
    const topic = /refund|invoice|crash|error|password|login/.exec(input)?.[0];
    return `Tickets about ${topic}: ${expected}`;
  });
  return `Rules are missing.\n~~~~\n${[...new Set(rules), quoted('current_prompt')].join('\n')}\n~~~~`;
}

/** Starts an OpenAI-compatible server with that model. It streams text in chunks of ten characters. */
export async function startExampleModel(): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (incoming, response) => {
    const request = requestSchema.parse(JSON.parse(await text(incoming)));
    const { content, tool } = answerOf(request);
    const calls = tool && [{ index: 0, id: 'call_1', type: 'function', function: tool }];
    const finish = calls === undefined ? 'stop' : 'tool_calls';
    const message = { role: 'assistant', content, ...(calls && { tool_calls: calls }) };
    const base = { id: 'a', created: 1, model: request.model };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    if (!request.stream) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const choices = [{ index: 0, finish_reason: finish, message }];
      response.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of content.match(/[\s\S]{1,10}/g) ?? []) {
      const choices = [{ index: 0, delta: { role: 'assistant', content: piece }, finish_reason: null }];
      response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices })}\n\n`);
    }
    const end = [{ index: 0, delta: calls === undefined ? {} : { tool_calls: calls }, finish_reason: finish }];
    response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: end, usage })}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.custom<AddressInfo>().parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
