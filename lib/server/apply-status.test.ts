import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { STATUS_HEADER } from '#lib/auth/page-request-kind.ts';
import type { RequestFacts } from '#lib/log/request-facts.ts';
import { applyStatus } from './serve-pages.ts';

type Answer = { status: number; named: number | null; refused: RequestFacts['refused'] };

async function answeredWith({ status, named, refused }: Answer): Promise<{ status: number; header: string | null }> {
  const server = createServer((_request, response) => {
    applyStatus(response, { actorId: null, route: null, refused });
    if (named !== null) response.setHeader(STATUS_HEADER, String(named));
    response.statusCode = status;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  await new Promise((resolve) => server.close(resolve));
  return { status: answer.status, header: answer.headers.get(STATUS_HEADER) };
}

test.each<[string, Answer, number]>([
  ['an unchanged status', { status: 200, named: null, refused: null }, 200],
  ['the given status without the internal header', { status: 200, named: 403, refused: null }, 403],
  ['401 for an action without a session', { status: 500, named: null, refused: 401 }, 401],
  ['403 for an action of a higher role', { status: 500, named: null, refused: 403 }, 403],
  ['429 above the rate limit', { status: 500, named: null, refused: 429 }, 429],
  ['503 for a page without its database', { status: 500, named: null, refused: 503 }, 503],
  ['500 for a bug', { status: 500, named: null, refused: null }, 500],
  ['a redirect to the sign-in page', { status: 307, named: null, refused: 401 }, 307],
])('returns %s', async (_name, answer, status) => {
  expect(await answeredWith(answer)).toEqual({ status, header: null });
});
