import { APICallError } from '@ai-sdk/provider';
import { z } from 'zod';
import { parseJson } from '#lib/core/json-values.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { modelFetch } from '#lib/providers/call/attempt-once.ts';
import { type FailedAttempt, failureOf } from '#lib/providers/call/failure-of.ts';
import type { ModelFailure, ModelFailureKind } from '#lib/providers/call/model-caller.ts';
import { redactSecrets, secretsOf } from '#lib/providers/call/redact-secrets.ts';
import { CLOUD_MODEL_LISTS } from './cloud-model-lists.ts';
import { authHeadersOf, languageModel } from './language-model.ts';
import { baseUrlOf, type ProviderConfiguration } from './provider-configuration.ts';
import { PROVIDER_DEFINITIONS } from './provider-kinds.ts';

const listSchema = z.union([
  z
    .object({ data: z.array(z.object({ id: z.string() })).nullable() })
    .transform(({ data }) => (data ?? []).map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, ''))),
]);

/**
 * Parses the names in a provider's model list, in order and without duplicates, sanitized for display. Returns null if the body is not such
 * a list.
 */
export function readModelList(body: string): string[] | null {
  const parsed = listSchema.safeParse(parseJson(body));
  return parsed.success ? readNames(parsed.data) : null;
}

function readNames(listed: readonly string[]): string[] {
  const names = listed.map((name) => name.replaceAll(UNFIT, '\ufffd').toWellFormed().trim());
  return [...new Set(names.filter((name) => name !== '' && name.length <= MAX_NAME_LENGTH))].slice(0, MAX_MODEL_NAMES);
}

/** Control characters, and those that change the text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain these characters
const UNFIT = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;
const MAX_NAME_LENGTH = 200;
const MAX_MODEL_NAMES = 2_000;

/** Returns the remedy for a failed test, for a user in the provider's settings. No run is waiting for it. */
export function testRemedy(
  failure: Pick<ModelFailure, 'kind' | 'remedy'>,
  configuration: ProviderConfiguration,
): string {
  const isLocal = !PROVIDER_DEFINITIONS[configuration.kind].needsKey && configuration.apiKey === null;
  switch (failure.kind) {
    case 'no_key':
      return 'Enter its key, then test again.';
    case 'unauthorized':
      return isLocal
        ? 'The server requires a key, but none is stored. Enter it, then test again.'
        : 'Usually the key was deleted or belongs to another workspace. Create a new key in the provider’s console, enter it, then test again.';
    case 'forbidden':
      return 'Check in the provider’s console what the key may do and whether the account has credit, then test again.';
    case 'rate_limited':
      return 'The key is valid. Wait a minute, or check its quota in the provider’s console, then test again.';
    case 'timeout':
      return 'A local server may still be loading the model: wait, then test again. Otherwise check that the address is right and that no firewall blocks it.';
    case 'unavailable':
      return 'The address is right, but the server has a problem. Wait, then test again.';
    case 'network':
      if (configuration.baseUrl === null)
        return 'Check that this machine reaches the internet and that no firewall blocks it, then test again.';
      return 'Check that the server is running and that host and port of the base URL are right, then test again. Inside a container, localhost is the container itself.';
    case 'empty':
      return 'The model returned an empty text. Try another model.';
    default:
      return failure.remedy.replace(/(?:, | ?; ?)?then resume the run\.$/, ', then test again.');
  }
}

/** Result of a connection test with the provider's key. `models` are the names it lists, in order. */
type ConnectionTest =
  | { ok: true; message: string; models: string[]; latencyMs: number }
  | { ok: false; failed: ModelFailureKind | 'no_list'; message: string; remedy: string; latencyMs: number };

const MAX_LIST_BYTES = 8_000_000;

/**
 * Requests a provider's model list, which is free. Returns the failure and remedy if it fails. `addresses` defines the permitted addresses.
 * `timeoutMs` defaults to 10,000.
 */
export async function testConnection(
  configuration: ProviderConfiguration,
  options: { addresses: AddressRules; resolve?: Resolve; timeoutMs?: number },
): Promise<ConnectionTest> {
  const startedAtMs = Date.now();
  const latencyMs = () => Math.max(0, Date.now() - startedAtMs);
  const known = PROVIDER_DEFINITIONS[configuration.kind].models;
  if ('fixed' in known)
    return { ok: true, message: 'The practice model is ready.', models: [...known.fixed], latencyMs: latencyMs() };
  const ask = modelFetch(options.addresses, MAX_LIST_BYTES, options.resolve);
  const reachable = await languageModel(configuration, 'any', { role: 'generate', practicePaceMs: 0, fetch: ask });
  if (!reachable.ok) {
    const { kind, message } = reachable;
    return { ok: false, failed: kind, message, remedy: testRemedy(reachable, configuration), latencyMs: latencyMs() };
  }

  const timeoutMs = options.timeoutMs ?? 10_000;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const models = await listModels(configuration, ask, limit);
    return { ok: true, message: reachedText(models), models, latencyMs: latencyMs() };
  } catch (error) {
    const cutOff = limit.aborted ? 'timeout' : null;
    const failed = failureOf(error, { configuration, model: 'the list of models', timeoutMs, cutOff });
    if ('entered' in known && MAY_NOT_LIST.includes(failed.status ?? 0)) {
      const message = `The list of models is not available with this key. Enter a ${known.entered} to test it.`;
      return { ok: true, message, models: [], latencyMs: latencyMs() };
    }
    return {
      ok: false,
      ...(NO_LIST.includes(failed.status ?? 0)
        ? noList(configuration)
        : { failed: failed.kind, message: failed.message, remedy: listRemedy(failed, configuration) }),
      latencyMs: latencyMs(),
    };
  }
}

/** Some servers answer 400 to a wrong key. The request has no prompt and no settings that could be wrong. */
function listRemedy(failed: FailedAttempt, configuration: ProviderConfiguration): string {
  return failed.status === 400 && failed.kind === 'bad_request'
    ? 'Check that the key and the base URL are right, then test again.'
    : testRemedy(failed, configuration);
}

const NO_LIST = [404, 405, 501];
/** A cloud may permit a key to call models but not to list them. */
const MAY_NOT_LIST = [403, ...NO_LIST];

function noList(configuration: ProviderConfiguration) {
  return {
    failed: 'no_list' as const,
    message: `The server of provider "${configuration.name}" responds, but has no list of models at ${baseUrlOf(configuration)}/models.`,
    remedy:
      'Check that the base URL is that of the API (it often ends in /v1). If the server has no such list, enter the name of the model.',
  };
}

function reachedText(models: string[]): string {
  if (models.length === 0) return 'Connected. The provider lists no models, so enter the name of the model.';
  return models.length === 1 ? 'Connected: 1 model.' : `Connected: ${models.length} models.`;
}

async function listModels(
  configuration: ProviderConfiguration,
  ask: typeof fetch,
  signal: AbortSignal,
): Promise<string[]> {
  const request = async (url: string, headers: Record<string, string>): Promise<string> => {
    const response = await ask(url, { headers: { ...configuration.headers, ...headers }, signal });
    const body = await response.text();
    if (response.ok) return body;
    throw new APICallError({
      message: errorBodySchema.safeParse(parseJson(body)).data?.error ?? response.statusText,
      url,
      requestBodyValues: {},
      statusCode: response.status,
      responseBody: body,
    });
  };
  const ofCloud = CLOUD_MODEL_LISTS[configuration.kind];
  const models =
    ofCloud === undefined
      ? readModelList(await request(listUrl(configuration), authHeadersOf(configuration)))
      : readNames(await ofCloud(configuration, async (url, headers) => parseJson(await request(url, headers)), ask));
  if (models === null) throw new Error('the response is not a list of models');
  // If a server echoes the key, it must not be shown.
  const secrets = secretsOf(configuration);
  return models.filter((name) => secrets.reduce(redactSecrets, name) === name);
}

function listUrl(configuration: ProviderConfiguration): string {
  const configuredQuery = configuration.options?.query;
  const { models } = PROVIDER_DEFINITIONS[configuration.kind];
  const query = configuredQuery === undefined ? ('query' in models ? models.query : '') : `?${configuredQuery}`;
  return `${baseUrlOf(configuration)}/models${query}`;
}

const errorBodySchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((error) => error.message)]),
});
