import { z } from 'zod';
import { accessTokens, readServiceAccount } from './google-token.ts';
import { authHeadersOf } from './language-model.ts';
import { baseUrlOf, type ProviderConfiguration } from './provider-configuration.ts';

/** Requests JSON with a provider's headers added. Throws the error of a failed call. */
type GetJson = (url: string, headers: Record<string, string>) => Promise<unknown>;

type ListModels = (
  configuration: ProviderConfiguration,
  get: GetJson,
  fetch: typeof globalThis.fetch,
) => Promise<string[]>;

/** Model lists of clouds. Each cloud has its own endpoint, called with the credentials for its models. */
export const CLOUD_MODEL_LISTS: Partial<Record<ProviderConfiguration['kind'], ListModels>> = {
  azure: listDeployments,
  'amazon-bedrock': listBedrockModels,
  'google-vertex': listPublisherModels,
};

const deploymentsSchema = z.object({ data: z.array(z.object({ id: z.string(), status: z.string().optional() })) });

/** The only version of Azure's data plane that lists deployments. */
const DEPLOYMENTS_VERSION = '2022-12-01';

async function listDeployments(configuration: ProviderConfiguration, get: GetJson): Promise<string[]> {
  const url = `${baseUrlOf(configuration)}/deployments?api-version=${DEPLOYMENTS_VERSION}`;
  const { data } = deploymentsSchema.parse(await get(url, authHeadersOf(configuration)));
  return data.filter(({ status = 'succeeded' }) => status === 'succeeded').map(({ id }) => id);
}

const profilesSchema = z.object({
  inferenceProfileSummaries: z.array(z.object({ inferenceProfileId: z.string(), status: z.string().optional() })),
});
const foundationModelsSchema = z.object({
  modelSummaries: z.array(
    z.object({ modelId: z.string(), inferenceTypesSupported: z.array(z.string()).default(['ON_DEMAND']) }),
  ),
});

/** Returns inference profiles, then models that can be called without one. */
async function listBedrockModels(configuration: ProviderConfiguration, get: GetJson): Promise<string[]> {
  const { options: { region = 'us-east-1', accessKeyId } = {}, apiKey } = configuration;
  // Lists are served by another host than the models.
  const base = configuration.baseUrl?.trim().replace(/\/+$/, '') || `https://bedrock.${region}.amazonaws.com`;
  const headersFor = async (url: string): Promise<Record<string, string>> => {
    if (accessKeyId === undefined) return authHeadersOf(configuration);
    const { AwsV4Signer } = await import('aws4fetch');
    const credentials = { accessKeyId, secretAccessKey: apiKey?.trim() ?? '' };
    const { headers } = await new AwsV4Signer({ url, region, service: 'bedrock', ...credentials }).sign();
    return Object.fromEntries(headers);
  };
  const read = async (path: string) => get(`${base}${path}`, await headersFor(`${base}${path}`));
  const [profiles, models] = await Promise.all([
    read('/inference-profiles?maxResults=1000'),
    read('/foundation-models'),
  ]);
  return [
    ...profilesSchema
      .parse(profiles)
      .inferenceProfileSummaries.filter(({ status = 'ACTIVE' }) => status === 'ACTIVE')
      .map(({ inferenceProfileId }) => inferenceProfileId),
    ...foundationModelsSchema
      .parse(models)
      .modelSummaries.filter(({ inferenceTypesSupported }) => inferenceTypesSupported.includes('ON_DEMAND'))
      .map(({ modelId }) => modelId),
  ];
}

const publisherModelsSchema = z.object({
  publisherModels: z.array(z.object({ name: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});
const MAX_PAGES = 10;
/** Published Google models that Hone can call. */
const ASKED_MODELS = { google: /^(gemini|text-embedding|text-multilingual-embedding)/, anthropic: /^claude/ };

/** Returns Gemini models, and with a service account also Claude models. */
async function listPublisherModels(
  configuration: ProviderConfiguration,
  get: GetJson,
  fetch: typeof globalThis.fetch,
): Promise<string[]> {
  const { apiKey, options = {} } = configuration;
  const root = baseUrlOf(configuration)?.replace(/\/v1(beta1)?\/.*$/, '');
  const account = readServiceAccount(apiKey ?? '');
  const headers: Record<string, string> =
    account === null
      ? authHeadersOf(configuration)
      : {
          authorization: `Bearer ${await accessTokens(account, fetch)()}`,
          ...(options.project !== undefined && { 'x-goog-user-project': options.project }),
        };
  const listOf = async (publisher: keyof typeof ASKED_MODELS) => {
    const names: string[] = [];
    let page = '';
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const url = `${root}/v1beta1/publishers/${publisher}/models?pageSize=200${page}`;
      const { publisherModels, nextPageToken = '' } = publisherModelsSchema.parse(await get(url, headers));
      names.push(...publisherModels.map(({ name }) => name.slice(name.lastIndexOf('/') + 1)));
      if (nextPageToken === '') break;
      page = `&pageToken=${encodeURIComponent(nextPageToken)}`;
    }
    return names.filter((name) => ASKED_MODELS[publisher].test(name));
  };
  return [...(await listOf('google')), ...(account === null ? [] : await listOf('anthropic'))];
}
