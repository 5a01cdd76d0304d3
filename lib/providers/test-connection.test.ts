import { describe, expect, test } from 'vitest';
import { type Answer, raw, status } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';
import { testConnection } from './test-connection.ts';

const LOCAL = { allowLoopback: true, allowedPrivateHosts: [] };
const KEY = 'sk-test-0123456789abcdef';
async function tryOut(answer: Answer, changes: Partial<ProviderConfiguration> = {}, timeoutMs = 2_000) {
  const server = await serveScript([answer]);
  const configuration: ProviderConfiguration = {
    name: 'local',
    kind: 'openai-compatible',
    baseUrl: server.baseUrl,
    apiKey: KEY,
    prices: {},
    ...changes,
  };
  return { result: await testConnection(configuration, { addresses: LOCAL, timeoutMs }), request: server.requests[0] };
}

describe('a working provider', () => {
  const openAiList = raw('{"object":"list","data":[{"id":"small"},{"id":"large"}]}');

  test.each<[string, Partial<ProviderConfiguration>, Answer, string, Record<string, string>]>([
    ['OpenAI-compatible', {}, openAiList, '/v1/models', { authorization: `Bearer ${KEY}` }],
    ['OpenAI', { kind: 'openai' }, openAiList, '/v1/models', { authorization: `Bearer ${KEY}` }],
    [
      'Anthropic',
      { kind: 'anthropic' },
      openAiList,
      '/v1/models?limit=1000',
      { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    ],
    [
      'Google',
      { kind: 'google' },
      raw('{"models":[{"name":"models/small"},{"name":"models/large"}]}'),
      '/v1/models?pageSize=1000',
      { 'x-goog-api-key': KEY },
    ],
  ])('%s', async (_name, changes, answer, url, headers) => {
    const { result, request } = await tryOut(answer, changes);
    expect(result).toMatchObject({ ok: true, message: 'Connected: 2 models.', models: ['small', 'large'] });
    expect(request?.url).toBe(url);
    expect(request?.headers).toMatchObject(headers);
  });

  test('the practice model', async () => {
    const { result, request } = await tryOut(openAiList, { kind: 'practice', baseUrl: null, apiKey: null });
    expect(result).toMatchObject({ ok: true, models: ['practice-1'] });
    expect(request).toBeUndefined();
  });

  test('an empty model list', async () => {
    expect((await tryOut(raw('{"data":[]}'))).result).toMatchObject({ ok: true, models: [] });
  });
});

describe('a failing provider', () => {
  test.each<[string, Answer, Partial<ProviderConfiguration>, RegExp]>([
    ['a wrong key', status(401, `bad key ${KEY}`), {}, /did not accept the API key \(HTTP 401\): bad key \[key\]/],
    ['a forbidden key', status(403, 'no'), {}, /HTTP 403/],
    ['a wrong path', status(404, 'no'), {}, /no list of models at http:.*\/v1\/models/],
    ['a server error', status(500, 'no'), {}, /not available/],
    ['a redirect', status(301, 'moved', { location: 'http://127.0.0.1:1/' }), {}, /redirects/],
    ['a web page', raw('<html></html>', 'text/html'), {}, /could not be read/],
    ['other JSON', raw('{"hello":1}'), {}, /could not be read/],
    ['no response', () => {}, {}, /did not respond within 0.3 s/],
    ['a dropped connection', (response) => void response.socket?.destroy(), {}, /No connection/],
    ['a closed port', status(500, 'unused'), { baseUrl: 'http://127.0.0.1:9/v1' }, /No connection/],
    ['no base URL', status(500, 'unused'), { baseUrl: null }, /no usable base URL/],
    ['a missing key', status(500, 'unused'), { kind: 'openai', apiKey: null }, /no API key/],
  ])('%s', async (_name, answer, changes, words) => {
    const { result } = await tryOut(answer, changes, 300);
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(words) });
    expect(JSON.stringify(result)).not.toContain(KEY);
    if (!result.ok) expect(result.remedy.length).toBeGreaterThan(15);
  });

  test('a status 400 for the list has a remedy about the key and the address', async () => {
    const { result } = await tryOut(status(400, 'Malformed request.'));
    expect(result).toMatchObject({
      failed: 'bad_request',
      message: expect.stringMatching(/HTTP 400\): Malformed request\./),
      remedy: 'Check that the key and the base URL are right, then test again.',
    });
  });
});
