import { createServer } from 'node:http';

/**
 * Fake model server with the OpenAI chat API, streamed or not, so that the examples need no key. It sorts a ticket only by the rules in the
 * system prompt. A proposal adds a rule for each failed case; a merge combines the rules of all prompts.
 */
const RULE = /tickets? about (\w+): (\w+)/gi;
const TOPICS = ['refund', 'invoice', 'crash', 'error', 'password', 'login', 'slow', 'timeout'];

type Message = { role: string; content: string | { text?: string }[] };

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');
}

function sort(prompt: string): string {
  const rules = [...prompt.matchAll(RULE)];
  // The ticket comes last, after the rules and the format examples.
  const ticket = prompt.slice(prompt.toLowerCase().lastIndexOf('ticket:'));
  const rule = rules.find(([, topic = '']) => ticket.toLowerCase().includes(topic.toLowerCase()));
  return rule?.[2]?.toLowerCase() ?? 'other';
}

/** Returns the text between the tags of a prompt. Tag names may end in a random suffix. */
function quoted(prompt: string, tag: string): string {
  return new RegExp(`<(${tag}[^>]*)>\\n([\\s\\S]*?)\\n</\\1>`).exec(prompt)?.[2] ?? '';
}

function propose(prompt: string): string {
  const before = quoted(prompt, 'current_prompt');
  const failed = quoted(prompt, 'tried_cases')
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ score }) => score < 1);
  const rules = failed.flatMap(({ input, expected }) => {
    const topic = TOPICS.find((one) => input.toLowerCase().includes(one));
    return topic === undefined ? [] : [`Tickets about ${topic}: ${expected}`];
  });
  const added = [...new Set(rules)].filter((rule) => !before.includes(rule));
  return `Rules are missing.\n~~~~\n${[before, ...added].join('\n')}\n~~~~`;
}

/** Merges the rules of several prompts into one prompt. */
function combine(prompt: string): string {
  const texts = quoted(prompt, 'accepted_prompts')
    .split('\n')
    .map((line) => String(JSON.parse(line).prompt));
  const lines = texts.flatMap((text) => text.split('\n'));
  return `Each has other rules.\n~~~~\n${[...new Set(lines)].join('\n')}\n~~~~`;
}

function answer(messages: Message[]): string {
  const prompt = messages.map(textOf).join('\n');
  if (prompt.includes('<tried_cases')) return propose(prompt);
  if (prompt.includes('<accepted_prompts')) return combine(prompt);
  const label = sort(prompt);
  // DSPy expects fields between markers.
  return prompt.includes('[[ ##') ? `[[ ## label ## ]]\n${label}\n\n[[ ## completed ## ]]` : label;
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  if (request.method !== 'POST')
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[{"id":"demo"}]}');
  const { messages, stream, model } = JSON.parse(body);
  const content = answer(messages);
  const usage = {
    prompt_tokens: Math.ceil(body.length / 4),
    completion_tokens: 4,
    total_tokens: Math.ceil(body.length / 4) + 4,
  };
  const about = { id: 'demo', created: 1, model };
  if (stream !== true) {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ ...about, object: 'chat.completion', choices, usage }));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (chunk: object) =>
    response.write(`data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', ...chunk })}\n\n`);
  send({ choices: [{ index: 0, delta: { role: 'assistant', content } }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage });
  response.end('data: [DONE]\n\n');
});
server.listen(Number(process.env.PORT ?? 8788), '127.0.0.1', () => console.log('The model server is ready.'));
