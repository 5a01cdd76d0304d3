// Service that scores outputs for Hone. Start: HONE_WEBHOOK_SECRET=… node server.ts (Node 22.18 or newer)
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.HONE_WEBHOOK_SECRET;
if (!secret) throw new Error('Set HONE_WEBHOOK_SECRET to the secret of the webhook, which Hone shows once.');
const port = Number(process.env.PORT ?? 8787);
const OLDEST_SECONDS = 300;

type Request = {
  criterion: { name: string; description: string; threshold: number };
  output: string;
  input: string;
  reference: string | null;
};

/** Returns the score of an output, 0 to 1. Here it depends on a limit of 50 words. */
function score({ output }: Request) {
  const words = output.trim().split(/\s+/).length;
  if (words <= 50) return { score: 1, reason: `${words} words` };
  return { score: 50 / words, reason: `${words} words, at most 50 are allowed`, suggestions: ['Shorten the text.'] };
}

function isSigned(timestamp: string, body: string, signature: string): boolean {
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > OLDEST_SECONDS) return false;
  const expected = createHmac('sha256', secret ?? '')
    .update(`${timestamp}.${body}`)
    .digest('hex');
  const [given, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  const timestamp = String(request.headers['hone-timestamp'] ?? '');
  if (!isSigned(timestamp, body, String(request.headers['hone-signature'] ?? ''))) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(score(JSON.parse(body))));
}).listen(port, '127.0.0.1', () => console.log(`scoring at http://127.0.0.1:${port}`));
