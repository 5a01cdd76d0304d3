import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { firstTextModel } from '#lib/models/model-roles.ts';
import { providerTestInputSchema } from '#lib/models/provider-input.ts';
import { temperatureOfModel } from '#lib/models/queries.ts';
import { noteKeyState, providerResolver } from '#lib/models/resolve-provider.ts';
import {
  findProvider,
  listEnvironmentTests,
  saveEnvironmentTest,
  saveProviderTest,
} from '#lib/models/stored-provider.ts';
import { forgetRefusedParameters } from '#lib/models/stored-refused-parameters.ts';
import { DEFAULT_TIMEOUT_SECONDS, type ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import { testConnection } from '#lib/providers/test-connection.ts';
import { askTiny, tryModel } from '#lib/providers/try-model.ts';
import { withModels } from './stored-models.ts';

/** Beyond the time limit of one call, in milliseconds: the test makes two. */
const MORE_MS = 30_000;

/**
 * Tries to reach a provider, and says what failed and what to do, or which models it has; with `model`, also really asks that one,
 * within the month's budget. What came of it is kept with the provider; a list it gave before stays where it gives none now.
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
  const asked =
    model ??
    (call && connected.ok && configuration.kind !== 'practice' && !isEntered(configuration)
      ? modelToAsk(configuration, connected.models)
      : null);
  // A server without a list may still have the model.
  const tested =
    asked === null
      ? connected
      : await modelTest(
          context,
          configuration,
          { model: asked, temperature, isTiny: model === null },
          connected.models,
        );
  // Calls of models tell by themselves.
  if (asked === null && (tested.failed === 'unauthorized' || tested.failed === 'forbidden'))
    await noteKeyState(context, configuration, 'refused', tested.message);
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
      change: { ok: test.ok, failed: test.ok ? null : test.failed, model: asked },
    });
  });
  return succeed({ ...test, at: now.toISOString() });
}

async function connectionTest(context: AppContext, configuration: ProviderConfiguration): Promise<ProviderTest> {
  const connected = await testConnection(configuration, { addresses: context.addresses });
  return connected.ok
    ? {
        ...{ remedy: '', failed: null, call: null, ...connected },
        // Without a list, those that were tested by their names.
        ...(isEntered(configuration) &&
          connected.models.length === 0 && { models: await modelsBefore(context, configuration.name) }),
      }
    : { models: await modelsBefore(context, configuration.name), call: null, ...connected };
}

/** Whether people may enter models that no list of the provider holds. What a cloud lists need not be enabled for the key. */
function isEntered({ kind }: ProviderConfiguration): boolean {
  return 'entered' in PROVIDER_DEFINITIONS[kind].models;
}

/** The model that a key is tested with: one that has a price, else the first that answers in text. */
function modelToAsk({ kind, prices }: ProviderConfiguration, models: readonly string[]): string | null {
  return firstTextModel([...Object.keys(prices), ...models], PROVIDER_DEFINITIONS[kind].usualModels);
}

/** The models it listed when it last did. */
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
  // What it refused before is tried anew.
  await forgetRefusedParameters(context.database.prisma, name, [model]);
  const asked = {
    model,
    temperature: temperature ?? (await temperatureOfModel(context.database, { provider: name, model })),
  };
  const scope = { experimentId: null, purpose: 'connection_test' } as const;
  const tried = isTiny ? askTiny : tryModel;
  const trial = await withModels(context, scope, (ask) => tried(ask, configuration, asked, limit));
  const { latencyMs } = trial.call;
  const isNew = trial.ok && isEntered(configuration) && !models.includes(model);
  const known = isNew ? [...models, model] : models;
  if (trial.ok || !limit.aborted) return { ...trial, models: known, latencyMs };
  return {
    ...trial,
    failed: 'timeout',
    message: `"${model}" did not answer within ${limitMs / 1_000} s.`,
    remedy: 'A local server may still be loading it: wait, then test again, or try a smaller model.',
    models,
    latencyMs,
  };
}
