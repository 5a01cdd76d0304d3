// Runs as a separate process: an OpenAI-compatible server. The URL sets the latency, and the requested model sets the response.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readAfter, serveBench } from './bench-child.ts';

const PIECES = Array.from({ length: 24 }, (_, piece) => `step ${piece + 1} of the way, `);
const TEXT = `${PIECES.join('')}Finish[no]`;
const USAGE = { prompt_tokens: 80, completion_tokens: 120, total_tokens: 200 };
const COMMON = { id: 'canned', created: 0, model: 'canned-1' };
const WORDS =
  'a plan that can be checked beats one which only sounds good so each claim names its source limit method and the person who could prove it wrong';
const REASON = 'Names its source; the second claim still lacks a number.';
const CRITERION = { name: 'quality', score: 0.5, reason: REASON, issues: [REASON], suggestions: [] };
const VERDICT = JSON.stringify({ criteria: [CRITERION], confidence: 0.9, stillOpen: [] });
const ISSUE = { text: REASON, criterion: 'quality', scope: 'whole', sameAs: null };
const CRITIQUE = JSON.stringify({ summary: REASON, issues: [ISSUE], suggestions: ['Add the number.'] });
let answered = 0;

/** Returns a draft of about 1.5 KB, different on each call. */
function draft(): string {
  const words = WORDS.split(' ');
  return Array.from({ length: 270 }, (_, at) => words[(answered * 7 + at * at + at) % words.length]).join(' ');
}

function textFor(body: Buffer): string {
  if (body.includes('"model":"writer"')) return `${answered}: ${draft()}`;
  if (body.includes('"model":"judge"')) return VERDICT;
  return body.includes('"model":"critic"') ? CRITIQUE : TEXT;
}
const STREAM = [
  ...[...PIECES, 'Finish[no]'].map((content) => ({
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
  })),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: USAGE },
].map((fields) => `data: ${JSON.stringify({ ...COMMON, object: 'chat.completion.chunk', ...fields })}\n\n`);

await serveBench(answer);

/** `/200/v1/chat/completions` responds after 200 ms; `/answered` returns the number of responses so far. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/answered') return void response.end(JSON.stringify(answered));
  const body = await readAfter(request, Number(request.url?.split('/')[1] ?? 0));
  answered += 1;
  if (!body.includes('"stream":true')) {
    const choices = [{ index: 0, message: { role: 'assistant', content: textFor(body) }, finish_reason: 'stop' }];
    const whole = JSON.stringify({ ...COMMON, object: 'chat.completion', choices, usage: USAGE });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(whole) });
    response.end(whole);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const piece of STREAM) response.write(piece);
  response.end('data: [DONE]\n\n');
}
