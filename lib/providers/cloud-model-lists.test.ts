import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  raw,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import { awsSignature } from './aws-signature.test-support.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';
import { testConnection } from './test-connection.ts';

const servers: ScriptedServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** Responds by the path of a request, and with 404 to all others. */
const byPath =
  (answers: Record<string, object | Answer>): Answer =>
  (response, body, request) => {
    const found = answers[(request.url ?? '').split('?')[0] ?? ''];
    const answer = typeof found === 'function' ? found : found === undefined ? status(404, 'not here') : json(found);
    answer(response, body, request);
  };
const json = (value: object): Answer => raw(JSON.stringify(value));

async function listWith(changes: Pick<ProviderConfiguration, 'kind' | 'apiKey' | 'options'>, answer: Answer) {
  const server = await startScriptedServer([answer]);
  servers.push(server);
  const baseUrl = server.baseUrl.replace(/\/v1$/, '');
  const addresses = { allowLoopback: true, allowedPrivateHosts: [] };
  const result = await testConnection({ name: 'p', prices: {}, baseUrl, ...changes }, { addresses });
  return { result, requests: server.requests };
}

test('Azure OpenAI lists the ready deployments with its key', async () => {
  const data = [
    { id: 'my-gpt', model: 'gpt-5', status: 'succeeded' },
    { id: 'half-made', model: 'gpt-5', status: 'running' },
  ];
  const { result, requests } = await listWith(
    { kind: 'azure', apiKey: 'azure-key' },
    byPath({ '/deployments': { data } }),
  );
  expect(result).toMatchObject({ ok: true, message: 'Connected: 1 model.', models: ['my-gpt'] });
  expect(requests[0]?.url).toBe('/deployments?api-version=2022-12-01');
  expect(requests[0]?.headers).toMatchObject({ 'api-key': 'azure-key' });
});

describe('Amazon Bedrock lists inference profiles, then on-demand models', () => {
  const lists = byPath({
    '/inference-profiles': {
      inferenceProfileSummaries: [
        { inferenceProfileId: 'us.anthropic.claude-sonnet-4-5-v1:0', status: 'ACTIVE' },
        { inferenceProfileId: 'us.old', status: 'DELETED' },
      ],
    },
    '/foundation-models': {
      modelSummaries: [
        { modelId: 'anthropic.claude-sonnet-4-5-v1:0', inferenceTypesSupported: ['INFERENCE_PROFILE'] },
        { modelId: 'amazon.nova-lite-v1:0', inferenceTypesSupported: ['ON_DEMAND'] },
      ],
    },
  });
  const models = ['us.anthropic.claude-sonnet-4-5-v1:0', 'amazon.nova-lite-v1:0'];

  test('with requests signed by the secret access key', async () => {
    const options = { region: 'us-west-2', accessKeyId: 'AKIAEXAMPLEEXAMPLE' };
    const { result, requests } = await listWith(
      { kind: 'amazon-bedrock', apiKey: 'secret-access-key', options },
      lists,
    );
    expect(result).toMatchObject({ ok: true, models });
    expect(requests).toHaveLength(2);
    for (const sent of requests) {
      const signature = String(sent.headers.authorization).split('Signature=')[1];
      expect(signature).toBe(awsSignature('GET', sent, 'secret-access-key'));
      expect(JSON.stringify(sent)).not.toContain('secret-access-key');
    }
  });

  test('with a Bedrock API key', async () => {
    const options = { region: 'us-west-2' };
    const { result, requests } = await listWith({ kind: 'amazon-bedrock', apiKey: 'bedrock-key', options }, lists);
    expect(result).toMatchObject({ ok: true, models });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer bedrock-key', 'Bearer bedrock-key']);
  });
});

describe('Google Vertex AI lists', () => {
  const google = (response: Parameters<Answer>[0], body: Parameters<Answer>[1], request: Parameters<Answer>[2]) => {
    const isSecond = request.url?.includes('pageToken=next') === true;
    const name = isSecond ? 'publishers/google/models/gemini-3-pro' : 'publishers/google/models/gemini-3-flash';
    const other = { name: 'publishers/google/models/imagen-4' };
    json({ publisherModels: [{ name }, other], ...(isSecond ? {} : { nextPageToken: 'next' }) })(
      response,
      body,
      request,
    );
  };
  const lists = byPath({
    '/v1beta1/publishers/google/models': google,
    '/v1beta1/publishers/anthropic/models': {
      publisherModels: [{ name: 'publishers/anthropic/models/claude-sonnet-4-5' }],
    },
  });

  test('Gemini on all pages and Claude, with the access token of a service account', async () => {
    const tokens = await startScriptedServer([json({ access_token: 'token-1', expires_in: 3_600 })]);
    servers.push(tokens);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const account = {
      client_email: 'lab@example.iam',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: tokens.baseUrl,
    };
    const vertex = { kind: 'google-vertex', apiKey: JSON.stringify(account), options: { project: 'lab-1' } } as const;
    const { result, requests } = await listWith(vertex, lists);
    expect(result).toMatchObject({ ok: true, models: ['gemini-3-flash', 'gemini-3-pro', 'claude-sonnet-4-5'] });
    for (const { headers } of requests)
      expect(headers).toMatchObject({ authorization: 'Bearer token-1', 'x-goog-user-project': 'lab-1' });
  });

  test('only Gemini with an API key', async () => {
    const { result, requests } = await listWith({ kind: 'google-vertex', apiKey: 'vertex-key' }, lists);
    expect(result).toMatchObject({ ok: true, models: ['gemini-3-flash', 'gemini-3-pro'] });
    expect(requests[0]?.headers['x-goog-api-key']).toBe('vertex-key');
  });
});

describe('a key', () => {
  const azure = { kind: 'azure', apiKey: 'azure-key' } as const;

  test.each([
    ['that may not list models', status(403, 'not allowed')],
    ['for a base URL without a model list', status(404, 'not here')],
  ])('%s can still be tested with a model name', async (_name, answer) => {
    const { result } = await listWith(azure, answer);
    const message = 'The list of models is not available with this key. Enter a deployment to test it.';
    expect(result).toMatchObject({ ok: true, message, models: [] });
  });

  test('that is invalid fails the test', async () => {
    const { result } = await listWith(azure, status(401, 'wrong key'));
    expect(result).toMatchObject({ ok: false, failed: 'unauthorized' });
  });
});
