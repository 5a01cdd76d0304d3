import { afterEach, expect, test } from 'vitest';
import {
  type Answer,
  raw,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import { findLocalServers } from './detect-local-servers.ts';

let servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

const SILENCE: Answer = () => {};

async function lookAt(answer: Answer) {
  const server = await startScriptedServer([answer]);
  servers.push(server);
  const [found] = await findLocalServers(
    [{ name: 'one', label: 'One', baseUrl: server.baseUrl }],
    answer === SILENCE ? 200 : 10_000,
  );
  return { found, requests: server.requests };
}

test.each<[string, Answer, string, string[]]>([
  ['a list of models', raw('{"object":"list","data":[{"id":"a"},{"id":"b"}]}'), 'found', ['a', 'b']],
  ['an empty list', raw('{"object":"list","data":[]}'), 'found', []],
  ['a null list, as Ollama sends it', raw('{"object":"list","data":null}'), 'found', []],
  ['a server that requires a key', status(401, 'no'), 'needs_key', []],
  ['a web page', raw('<html></html>', 'text/html'), 'other', []],
  ['another API', raw('{"hello":"world"}'), 'other', []],
  ['a server without the path', status(404, 'no'), 'other', []],
  ['a redirect, which is not followed', status(302, 'go', { location: 'http://127.0.0.1:1/' }), 'other', []],
  ['no response', SILENCE, 'nothing', []],
  ['a server that closes the connection', (response) => void response.socket?.destroy(), 'nothing', []],
  ['AirPlay on a Mac', status(403, '', { server: 'AirTunes' }), 'other', []],
])('%s', async (_name, answer, state, models) => {
  const { found, requests } = await lookAt(answer);
  expect(found).toMatchObject({ name: 'one', state, models });
  expect(requests.map(({ url }) => url)).toEqual(['/v1/models']);
  expect(requests[0]?.headers.authorization).toBeUndefined();
});

test('findLocalServers reports no server on a closed port', async () => {
  const server = { name: 'one', label: 'One', baseUrl: 'http://127.0.0.1:9/v1' };
  expect(await findLocalServers([server])).toEqual([{ ...server, state: 'nothing', models: [] }]);
});
