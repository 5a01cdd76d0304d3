import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { firstTextModel } from '#lib/models/default-models.ts';
import { providerTestInputSchema } from '#lib/models/provider-input.ts';
import { deleteRefusedParameters } from '#lib/models/provider-state.ts';
import { temperatureOfModel } from '#lib/models/queries.ts';
import { providerResolver, recordKeyState } from '#lib/models/resolve-provider.ts';
import {
  findProvider,
  listEnvironmentTests,
  saveEnvironmentTest,
  saveProviderTest,
} from '#lib/models/stored-provider.ts';
import { DEFAULT_TIMEOUT_SECONDS, type ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import { testConnection } from '#lib/providers/test-connection.ts';
import { sendTestPrompt, tryModel } from '#lib/providers/try-model.ts';
import { withModels } from './stored-models.ts';

/** Time added to the timeout of one call, in milliseconds, because the test makes two calls. */
const MORE_MS = 30_000;

/**
 * Tests the connection to a provider. Returns its models, or the failure and its remedy. With `model`, also calls that model within the
 * month's budget. Saves the result with the provider. If no model list is returned, the previous one is kept.
 */
export async function testProvider(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown = {},
): Promise<Result<ProviderTest & { at: string }>> {
  const parsed = parseInput(providerTestInputSchema, input);
  if (!parsed.ok) return parsed;
  const configuration = await providerResolver(context)(name);
  if (configuration === null) return fail('not_found', `There is no provider named ${JSON.stringify(name)}.`);
  const { model, call, temperature } = parsed.value;
  const connected = await connectionTest(context, configuration);
  const testModel =
    model ??
    (call && connected.ok && configuration.kind !== 'practice' && !isEntered(configuration)
      ? pickTestModel(configuration, connected.models)
      : null);
  // The model may exist even if the server returns no list.
  const tested =
    testModel === null
      ? connected
      : await modelTest(
          context,
          configuration,
          { model: testModel, temperature, isTiny: model === null },
          connected.models,
        );
  // Model calls record the key state themselves.
  if (testModel === null && (tested.failed === 'unauthorized' || tested.failed === 'forbidden'))
    await recordKeyState(context, configuration, 'refused', tested.message);
  const test = cleanJson(tested);
  const now = context.now();
  const { baseUrl, kind } = configuration;
  await context.database.prisma.$transaction(async (transaction) => {
    const isKept = await saveProviderTest(transaction, { name, baseUrl }, test, now);
    if (!isKept && kind !== 'practice' && baseUrl === null)
      await saveEnvironmentTest(transaction, { provider: name, test, by: actor.name, now });
    await recordChange(transaction, actor, {
      act: 'tested',
      subject: { kind: 'provider', name },
      change: { ok: test.ok, failed: test.ok ? null : test.failed, model: testModel },
    });
  });
  return succeed({ ...test, at: now.toISOString() });
}

async function connectionTest(context: AppContext, configuration: ProviderConfiguration): Promise<ProviderTest> {
  const connected = await testConnection(configuration, { addresses: context.addresses });
  return connected.ok
    ? {
        ...{ remedy: '', failed: null, call: null, ...connected },
        // Without a list, keeps the models that were tested by name.
        ...(isEntered(configuration) &&
          connected.models.length === 0 && { models: await modelsBefore(context, configuration.name) }),
      }
    : { models: await modelsBefore(context, configuration.name), call: null, ...connected };
}

/** Returns true if models missing from the provider's list may be entered. Models that a cloud lists need not be enabled for the key. */
function isEntered({ kind }: ProviderConfiguration): boolean {
  return 'entered' in PROVIDER_DEFINITIONS[kind].models;
}

/** Returns the model to test a key with: one that has a price, or else the first text model. */
function pickTestModel({ kind, prices }: ProviderConfiguration, models: readonly string[]): string | null {
  return firstTextModel([...Object.keys(prices), ...models], PROVIDER_DEFINITIONS[kind].usualModels);
}

/** Returns the models of the provider's last list. */
async function modelsBefore({ database }: AppContext, name: string): Promise<string[]> {
  const stored = await findProvider(database, name);
  const test = stored === null ? (await listEnvironmentTests(database))[name]?.test : stored.test;
  return test?.models ?? [];
}

async function modelTest(
  context: AppContext,
  configuration: ProviderConfiguration,
  { model, temperature, isTiny }: { model: string; temperature: number | null; isTiny: boolean },
  models: string[],
): Promise<ProviderTest> {
  const { name } = configuration;
  const limitMs = (configuration.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000 + MORE_MS;
  const limit = AbortSignal.timeout(limitMs);
  // Parameters that were refused before are tried again.
  await deleteRefusedParameters(context.database.prisma, name, [model]);
  const request = {
    model,
    temperature: temperature ?? (await temperatureOfModel(context.database, { provider: name, model })),
  };
  const scope = { experimentId: null, purpose: 'connection_test' } as const;
  const tried = isTiny ? sendTestPrompt : tryModel;
  const trial = await withModels(context, scope, (ask) => tried(ask, configuration, request, limit));
  const { latencyMs } = trial.call;
  const isNew = trial.ok && isEntered(configuration) && !models.includes(model);
  const known = isNew ? [...models, model] : models;
  if (trial.ok || !limit.aborted) return { ...trial, models: known, latencyMs };
  return {
    ...trial,
    failed: 'timeout',
    message: `"${model}" did not respond within ${limitMs / 1_000} s.`,
    remedy: 'A local server may still be loading it: wait, then test again, or try a smaller model.',
    models,
    latencyMs,
  };
}
