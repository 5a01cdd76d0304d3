import { afterEach, expect, test } from 'vitest';
import { boundedFetch, ReplyTooLargeError } from './bounded-fetch.ts';
import { raw, type ScriptedServer, startScriptedServer, status } from './scripted-server.test-support.ts';

let server: ScriptedServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

test.each([
  ['within the bound', 1_000, true],
  ['at the bound', 500, true],
  ['over the bound', 499, false],
])('%s', async (_name, maxBytes, fits) => {
  server = await startScriptedServer([raw('x'.repeat(500))]);
  const response = await boundedFetch(maxBytes)(server.baseUrl);
  if (fits) expect(await response.text()).toHaveLength(500);
  else await expect(response.text()).rejects.toThrow(ReplyTooLargeError);
});

test('a redirect is given back, not followed', async () => {
  server = await startScriptedServer([status(302, 'moved', { location: '/elsewhere' })]);
  expect((await boundedFetch(1_000)(server.baseUrl)).status).toBe(302);
  expect(server.requests).toHaveLength(1);
});
