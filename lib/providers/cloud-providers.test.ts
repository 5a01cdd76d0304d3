import { createVerify, generateKeyPairSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import { type Answer, completion, raw, status } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { awsSignature } from './aws-signature.test-support.ts';
import { createModelCaller } from './call/create-model-caller.ts';
import { baseUrlOf, type ProviderConfiguration } from './provider-configuration.ts';
import type { ProviderKind, ProviderOptions } from './provider-kinds.ts';

const request: ModelRequest = {
  ...{ role: 'generate', ordinal: 0, model: { provider: 'p', model: 'm' }, instructions: 'Be brief.', prompt: 'Hi.' },
  ...{ temperature: 0.5, maxOutputTokens: 50, output: null },
};

/** Calls a provider once per model and returns the outcomes. */
async function ask(
  configuration: Pick<ProviderConfiguration, 'kind' | 'apiKey' | 'options' | 'headers'>,
  answers: Answer[],
  models: readonly string[],
  changes: Partial<ModelRequest> = {},
  onText: ((piece: string) => void) | null = null,
) {
  const server = await serveScript(answers);
  const baseUrl = server.baseUrl.replace(/\/v1$/, '');
  const whole = { name: 'p', prices: {}, baseUrl, ...configuration };
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => whole,
    maxAttempts: 1,
  });
  const outcomes = [];
  for (const model of models)
    outcomes.push(
      await call(
        { ...request, ...changes, model: { provider: 'p', model } },
        { signal: new AbortController().signal, onText },
      ),
    );
  return { outcomes, requests: server.requests };
}

const responsesAnswer = raw(
  JSON.stringify({
    id: 'r',
    object: 'response',
    created_at: 1,
    model: 'gpt-5',
    output: [
      {
        ...{ type: 'message', id: 'm', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
      },
    ],
    usage: { input_tokens: 12, output_tokens: 5, total_tokens: 17 },
    status: 'completed',
  }),
);
const converseAnswer = raw(
  JSON.stringify({
    output: { message: { role: 'assistant', content: [{ text: 'Hello' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 12, outputTokens: 5, totalTokens: 17 },
    metrics: { latencyMs: 1 },
  }),
);
const geminiAnswer = raw(
  JSON.stringify({
    candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 5, totalTokenCount: 17 },
  }),
);
const HELLO = { ok: true, reply: { text: 'Hello', tokenUsage: { input: 12, output: 5, total: 17 } } };

describe('the base URL derived from the options of a provider', () => {
  test.each<[ProviderKind, ProviderOptions, string | null]>([
    ['azure', { resourceName: 'research' }, 'https://research.openai.azure.com/openai'],
    ['azure', {}, null],
    ['amazon-bedrock', { region: 'eu-central-1' }, 'https://bedrock-runtime.eu-central-1.amazonaws.com'],
    ['google-vertex', {}, 'https://aiplatform.googleapis.com/v1/publishers/google'],
    [
      'google-vertex',
      { project: 'lab', location: 'us-central1' },
      'https://us-central1-aiplatform.googleapis.com/v1beta1/projects/lab/locations/us-central1/publishers/google',
    ],
    [
      'google-vertex',
      { project: 'lab' },
      'https://aiplatform.googleapis.com/v1beta1/projects/lab/locations/global/publishers/google',
    ],
  ])('%s %j', (kind, options, expected) => {
    expect(baseUrlOf({ kind, baseUrl: null, options })).toBe(expected);
    expect(baseUrlOf({ kind, baseUrl: 'https://gateway.example/x/', options })).toBe('https://gateway.example/x');
  });
});

describe('Azure OpenAI', () => {
  test('uses Chat Completions with the key in its own header', async () => {
    const azure = { kind: 'azure', apiKey: 'azure-key-1234' } as const;
    const { outcomes, requests } = await ask(azure, [completion('Hello')], ['my-deployment']);
    expect(outcomes[0]).toMatchObject(HELLO);
    expect(requests[0]?.url).toBe('/chat/completions');
    expect(requests[0]?.headers).toMatchObject({ 'api-key': 'azure-key-1234' });
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
    expect(requests[0]?.body).toMatchObject({ model: 'my-deployment', temperature: 0.5 });
  });

  test('uses Responses if configured', async () => {
    const azure = { kind: 'azure', apiKey: 'k', options: { api: 'responses' } } as const;
    const { outcomes, requests } = await ask(azure, [responsesAnswer], ['gpt-5-codex']);
    expect(outcomes[0]).toMatchObject(HELLO);
    expect(requests[0]?.url).toBe('/responses');
    expect(requests[0]?.body).toMatchObject({ model: 'gpt-5-codex', store: false });
  });

  test('uses the deployment URL with a dated API version', async () => {
    const azure = { kind: 'azure', apiKey: 'k', options: { apiVersion: '2024-10-21' } } as const;
    const { requests } = await ask(azure, [completion('Hello')], ['my-deployment']);
    expect(requests[0]?.url).toBe('/deployments/my-deployment/chat/completions?api-version=2024-10-21');
  });
});

describe('Amazon Bedrock', () => {
  const MODEL = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
  const options = { region: 'us-west-2', accessKeyId: 'AKIAEXAMPLEEXAMPLE' };

  test('signs requests with the secret access key and never sends the key', async () => {
    const bedrock = { kind: 'amazon-bedrock', apiKey: 'secret-access-key', options } as const;
    const { outcomes, requests } = await ask(bedrock, [converseAnswer], [MODEL]);
    expect(outcomes[0]).toMatchObject(HELLO);
    const [sent] = requests;
    expect(sent?.url).toBe(`/model/${encodeURIComponent(MODEL)}/converse`);
    const authorization = String(sent?.headers.authorization);
    const date = String(sent?.headers['x-amz-date']);
    expect(authorization).toMatch(
      new RegExp(
        `^AWS4-HMAC-SHA256 Credential=${options.accessKeyId}/${date.slice(0, 8)}/us-west-2/bedrock/aws4_request, SignedHeaders=[a-z0-9;-]+, Signature=[0-9a-f]{64}$`,
      ),
    );
    expect(authorization.split('Signature=')[1]).toBe(awsSignature('POST', sent, 'secret-access-key'));
    expect(JSON.stringify(sent)).not.toContain('secret-access-key');
    expect(sent?.body).toMatchObject({ inferenceConfig: { temperature: 0.5, maxTokens: 50 } });
  });

  test('streams a response piece by piece', async () => {
    const stream: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      response.write(frameOf('messageStart', { role: 'assistant' }));
      for (const text of ['Hel', 'lo'])
        response.write(frameOf('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }));
      response.write(frameOf('contentBlockStop', { contentBlockIndex: 0 }));
      response.write(frameOf('messageStop', { stopReason: 'end_turn' }));
      response.end(frameOf('metadata', { usage: { inputTokens: 12, outputTokens: 5, totalTokens: 17 } }));
    };
    const pieces: string[] = [];
    const bedrock = { kind: 'amazon-bedrock', apiKey: 'secret-access-key', options } as const;
    const { outcomes, requests } = await ask(bedrock, [stream], [MODEL], {}, (piece) => pieces.push(piece));
    expect(requests[0]?.url).toBe(`/model/${encodeURIComponent(MODEL)}/converse-stream`);
    expect(outcomes[0]).toMatchObject(HELLO);
    expect(pieces).toEqual(['Hel', 'lo']);
  });

  test('uses a Bedrock API key if there is no access key ID', async () => {
    const bedrock = { kind: 'amazon-bedrock', apiKey: 'bedrock-key', options: { region: 'us-west-2' } } as const;
    const { requests } = await ask(bedrock, [converseAnswer], [MODEL]);
    expect(requests[0]?.headers.authorization).toBe('Bearer bedrock-key');
  });

  test('never uses a key from the environment instead of the stored one', async () => {
    process.env.AWS_BEARER_TOKEN_BEDROCK = 'key-of-the-environment';
    try {
      const bedrock = { kind: 'amazon-bedrock', apiKey: 'secret-access-key', options } as const;
      const { requests } = await ask(bedrock, [converseAnswer], [MODEL]);
      expect(requests[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 /);
    } finally {
      delete process.env.AWS_BEARER_TOKEN_BEDROCK;
    }
  });

  /** Builds a message of an Amazon event stream: lengths, headers and body with checksums. */
  function frameOf(type: string, body: object): Buffer {
    const payload = Buffer.from(JSON.stringify(body));
    const headers = Buffer.concat(
      Object.entries({ ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' }).map(
        ([name, value]) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(value.length);
          return Buffer.concat([
            Buffer.from([name.length]),
            Buffer.from(name),
            Buffer.from([7]),
            length,
            Buffer.from(value),
          ]);
        },
      ),
    );
    const uint = (value: number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    };
    const prelude = Buffer.concat([uint(headers.length + payload.length + 16), uint(headers.length)]);
    const whole = Buffer.concat([prelude, uint(crc32(prelude)), headers, payload]);
    return Buffer.concat([whole, uint(crc32(whole))]);
  }
});

describe('Google Vertex AI', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

  test('uses an API key', async () => {
    const vertex = { kind: 'google-vertex', apiKey: 'vertex-key' } as const;
    const { outcomes, requests } = await ask(vertex, [geminiAnswer], ['gemini-2.5-flash']);
    expect(outcomes[0]).toMatchObject(HELLO);
    expect(requests[0]?.url).toBe('/models/gemini-2.5-flash:generateContent');
    expect(requests[0]?.headers['x-goog-api-key']).toBe('vertex-key');
  });

  /** Issues a token for a signed assertion, and responds to requests with the first token. */
  const tokenServer =
    (tokens: Record<string, unknown>[], answer = geminiAnswer): Answer =>
    (response, body, { url, headers }) => {
      if (url === '/token') {
        tokens.push(body);
        return raw(JSON.stringify({ access_token: `token-${tokens.length}`, expires_in: 3_600 }))(
          response,
          body,
          response.req,
        );
      }
      const isKnown = headers.authorization === 'Bearer token-1' && headers['x-goog-api-key'] === undefined;
      (isKnown ? answer : status(401, 'no token'))(response, body, response.req);
    };

  async function askByAccount(answer: Answer, models: string[]) {
    const tokens = await serveScript([answer]);
    try {
      const account = {
        ...{ type: 'service_account', client_email: 'lab@example.iam', private_key_id: 'key-1' },
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        token_uri: tokens.baseUrl.replace('/v1', '/token'),
      };
      const vertex = { kind: 'google-vertex', apiKey: JSON.stringify(account) } as const;
      return { ...(await ask(vertex, [answer], models)), account };
    } finally {
      await tokens.close();
    }
  }

  test('uses an access token of a service account and requests it once', async () => {
    const given: Record<string, unknown>[] = [];
    const { outcomes, requests, account } = await askByAccount(tokenServer(given), [
      'gemini-2.5-flash',
      'gemini-2.5-flash',
    ]);
    expect(outcomes).toMatchObject([HELLO, HELLO]);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-1']);
    expect(given).toHaveLength(1);
    const [header = '', claims = '', signature = ''] = String(given[0]?.assertion).split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    expect(read(claims)).toMatchObject({ iss: 'lab@example.iam', aud: account.token_uri });
    const isSigned = createVerify('RSA-SHA256')
      .update(`${header}.${claims}`)
      .verify(publicKey, Buffer.from(signature, 'base64url'));
    expect(isSigned).toBe(true);
  });

  test('calls Claude at the Anthropic endpoint, in its own format, with the same token', async () => {
    const claudeAnswer = raw(
      JSON.stringify({
        ...{ type: 'message', id: 'm', role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'end_turn' },
        content: [{ type: 'text', text: 'Hello' }],
        usage: { input_tokens: 12, output_tokens: 5 },
      }),
    );
    const { outcomes, requests } = await askByAccount(tokenServer([], claudeAnswer), ['claude-sonnet-4-5@20250929']);
    expect(outcomes).toMatchObject([HELLO]);
    expect(requests[0]?.url).toBe('/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict');
    expect(requests[0]?.headers.authorization).toBe('Bearer token-1');
    expect(requests[0]?.body).toMatchObject({
      anthropic_version: 'vertex-2023-10-16',
      temperature: 0.5,
      max_tokens: 50,
    });
    expect(requests[0]?.body).not.toHaveProperty('model');
  });

  test('does not call Claude with an API key, which Vertex AI refuses', async () => {
    const vertex = { kind: 'google-vertex', apiKey: 'vertex-key' } as const;
    const { outcomes, requests } = await ask(vertex, [geminiAnswer], ['claude-sonnet-4-5']);
    const message = '"claude-sonnet-4-5" on Vertex AI needs the JSON key of a service account.';
    expect(outcomes[0]).toMatchObject({ ok: false, failure: { kind: 'bad_request', message } });
    expect(requests).toEqual([]);
  });

  test('reports a refused service account', async () => {
    const refuses: Answer = (response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"error":"invalid_grant","error_description":"Invalid JWT Signature."}');
    };
    const { outcomes } = await askByAccount(refuses, ['gemini-2.5-flash']);
    expect(outcomes[0]).toMatchObject({ ok: false, failure: { kind: 'unauthorized' } });
    expect(JSON.stringify(outcomes[0])).not.toContain('PRIVATE KEY');
  });
});

describe('an OpenAI-compatible server', () => {
  test('gets headers and query parameters, whose secrets are redacted in its response', async () => {
    const headers = { 'X-Gateway-Key': 'gateway-secret-1', 'X-Auth': 'Token inner-secret-2' };
    const gateway = {
      kind: 'openai-compatible',
      apiKey: null,
      headers,
      options: { query: 'api-version=2024-10-21&team=a' },
    } as const;
    const echo: Answer = (response, body, { headers: sent }) =>
      completion(`${sent['x-gateway-key']} ${sent['x-auth']} inner-secret-2`)(response, body, response.req);
    const { outcomes, requests } = await ask(gateway, [echo], ['m']);
    expect(requests[0]?.url).toBe('/chat/completions?api-version=2024-10-21&team=a');
    expect(requests[0]?.headers).toMatchObject({
      'x-gateway-key': 'gateway-secret-1',
      'x-auth': 'Token inner-secret-2',
    });
    expect(outcomes[0]).toMatchObject({ ok: true, reply: { text: '[key] [key] [key]' } });
  });

  test('has header secrets redacted in its error messages', async () => {
    const gateway = { kind: 'openai-compatible', apiKey: null, headers: { 'X-Key': 'gateway-secret-1' } } as const;
    const { outcomes } = await ask(gateway, [status(403, 'gateway-secret-1 is not known')], ['m']);
    expect(outcomes[0]).toMatchObject({ ok: false, failure: { kind: 'forbidden' } });
    expect(JSON.stringify(outcomes)).not.toContain('gateway-secret-1');
  });

  test.each([
    ['openai', 'responses', '/responses'],
    ['openai', 'chat', '/chat/completions'],
    ['openai', undefined, '/chat/completions'],
  ] as const)('%s with the API %s uses %s', async (kind, api, url) => {
    const answer = api === 'responses' ? responsesAnswer : completion('Hello');
    const options = api === undefined ? {} : { api };
    const { outcomes, requests } = await ask({ kind, apiKey: 'k', options }, [answer], ['gpt-5-pro']);
    expect(outcomes[0]).toMatchObject(HELLO);
    expect(requests[0]?.url).toBe(url);
  });
});
