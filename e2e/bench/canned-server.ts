// A process of its own: a plain OpenAI-compatible server that answers every call alike, after the time its address says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerBench } from './bench-child.ts';

const PIECES = Array.from({ length: 24 }, (_, piece) => `step ${piece + 1} of the way, `);
const TEXT = `${PIECES.join('')}Finish[no]`;
const USAGE = { prompt_tokens: 80, completion_tokens: 120, total_tokens: 200 };
const COMMON = { id: 'canned', created: 0, model: 'canned-1' };
const CHOICE = { index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' };
const WHOLE = JSON.stringify({ ...COMMON, object: 'chat.completion', choices: [CHOICE], usage: USAGE });
const STREAM = [
  ...[...PIECES, 'Finish[no]'].map((content) => ({
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
  })),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: USAGE },
].map((fields) => `data: ${JSON.stringify({ ...COMMON, object: 'chat.completion.chunk', ...fields })}\n\n`);

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('no port was given');
answerBench({ port: address.port });
process.once('disconnect', () => process.exit(0));

/** `/200/v1/chat/completions` answers after 200 ms. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedMs = performance.now();
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const latencyMs = Number(request.url?.split('/')[1] ?? 0);
  const leftMs = latencyMs - (performance.now() - arrivedMs);
  if (leftMs > 0) await sleep(leftMs);
  if (!Buffer.concat(pieces).includes('"stream":true')) {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(WHOLE) });
    response.end(WHOLE);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const piece of STREAM) response.write(piece);
  response.end('data: [DONE]\n\n');
}
