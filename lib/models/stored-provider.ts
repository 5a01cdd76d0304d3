import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { Prisma, type Provider } from '#lib/database/generated/client.ts';
import { lockRow } from '#lib/database/locks.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { type ModelPrices, PROVIDER_OPTIONS, STORED_KINDS } from '#lib/providers/provider-kinds.ts';
import { type ProviderTest, providerTestSchema } from '#lib/providers/provider-test.ts';
import { shownHeaderSchema } from '#lib/system/sealed-headers.ts';
import { unsealKey } from '#lib/system/sealed-key.ts';

export const priceSchema = z.object({ inputPerMillionUsd: z.number(), outputPerMillionUsd: z.number() });
const storedProvider = z.object({
  name: z.string(),
  kind: z.enum(STORED_KINDS),
  baseUrl: z.string().nullable(),
  sealedKey: z.string().nullable(),
  keyLastFour: z.string().nullable(),
  maxConcurrency: z.int().nullable(),
  maxRequestsPerMinute: z.int().nullable(),
  prices: z.record(z.string(), priceSchema),
  toolsBy: z.enum(['native', 'prompt']).nullable(),
  timeoutSeconds: z.int().nullable(),
  options: z.partialRecord(z.enum(PROVIDER_OPTIONS), z.string()),
  sealedHeaders: z.string().nullable(),
  headerNames: z.array(shownHeaderSchema),
  test: providerTestSchema.nullable(),
  testedAt: z.date().nullable(),
});
/** Stored provider, with encrypted key and header values. */
export type StoredProvider = z.infer<typeof storedProvider>;

/** Returns a stored model provider, or null. Targets are excluded. */
export async function findProvider(database: Database, name: string): Promise<StoredProvider | null> {
  const row = await database.prisma.provider.findUnique({ where: { name } });
  return row === null || row.kind === 'target' ? null : storedProvider.parse(row);
}

/** Returns all stored model providers by name or in order of creation. */
export async function listStoredProviders(
  database: Database,
  order: 'name' | 'createdAt' = 'name',
): Promise<StoredProvider[]> {
  const rows = await database.prisma.provider.findMany({
    where: { kind: { not: 'target' } },
    orderBy: [{ [order]: 'asc' }, { name: 'asc' }],
  });
  return rows.map((row) => storedProvider.parse(row));
}

type LeftOut = 'toolsBy' | 'timeoutSeconds' | 'options' | 'sealedHeaders' | 'headerNames';
type Written = Omit<StoredProvider, 'test' | 'testedAt' | LeftOut> & Partial<Pick<StoredProvider, LeftOut>>;

/** Inserts a new provider. Returns false if the name is taken. */
export async function insertProvider(
  transaction: Prisma.TransactionClient,
  provider: Written & { now: Date },
): Promise<boolean> {
  const { now, ...data } = provider;
  const { count } = await transaction.provider.createMany({
    data: [{ ...data, createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

/**
 * Updates a provider. Returns false if it no longer exists, or if its URL is no longer that of `known`, because a key must only be stored
 * for the URL it was entered for. `forgetTest` deletes its last test result, which is no longer valid.
 */
export async function changeProvider(
  transaction: Prisma.TransactionClient,
  known: Pick<StoredProvider, 'name' | 'kind' | 'baseUrl' | 'options'>,
  { forgetTest, ...change }: Partial<Omit<Written, 'name' | 'kind'>> & { forgetTest?: boolean },
  now: Date,
): Promise<boolean> {
  const data = { ...change, ...(forgetTest && { test: Prisma.DbNull, testedAt: null }), updatedAt: now };
  const { name, kind, baseUrl, options } = known;
  const where = { name, kind, baseUrl, options: { equals: options } };
  const { count } = await transaction.provider.updateMany({ where, data });
  return count === 1;
}

/** Returns true if a stored provider or target has all the given values already. Undefined values are ignored. */
export function hasValues(stored: object, values: object): boolean {
  return Object.entries(values).every(
    ([field, value]) => value === undefined || isDeepStrictEqual(Reflect.get(stored, field), value),
  );
}

/**
 * Sets and removes own prices of single models. Other prices are kept, including concurrent changes. Returns false if they are all
 * stored already.
 */
export async function changeProviderPrices(
  transaction: Prisma.TransactionClient,
  name: string,
  changes: readonly { model: string; price: ModelPrices | null }[],
  now: Date,
): Promise<boolean> {
  await lockRow(transaction, 'providers', name);
  const row = await transaction.provider.findUnique({ where: { name } });
  if (row === null) return false;
  const before = storedProvider.parse(row).prices;
  const prices = new Map(Object.entries(before));
  for (const { model, price } of changes)
    if (price === null) prices.delete(model);
    else prices.set(model, price);
  const after = Object.fromEntries(prices);
  if (isDeepStrictEqual(before, after)) return false;
  await transaction.provider.updateMany({ where: { name }, data: { prices: after, updatedAt: now } });
  return true;
}

/** Saves the result of a provider's test. Returns false if the provider is not stored or its URL changed since. */
export async function saveProviderTest(
  transaction: Prisma.TransactionClient,
  provider: { name: string; baseUrl: string | null },
  test: ProviderTest,
  now: Date,
): Promise<boolean> {
  const { count } = await transaction.provider.updateMany({ where: provider, data: { test, testedAt: now } });
  return count === 1;
}

export async function deleteStoredProvider(transaction: Prisma.TransactionClient, name: string): Promise<boolean> {
  const { count } = await transaction.provider.deleteMany({ where: { name } });
  return count === 1;
}

/**
 * Returns the host and port of a URL for people and logs, because the rest may contain a password or a key. Returns null for an invalid
 * URL.
 */
export function hostOf(url: string | null | undefined): string | null {
  return url === null || url === undefined ? null : (URL.parse(url)?.host ?? null);
}

/** Returns the names of the fields that a request changes, for the audit log. */
export function changedFields(given: object): string {
  return Object.keys(given)
    .filter((field) => field !== 'seenUrl')
    .join(', ');
}

/** Returns the error for a URL that changed since the request was written. */
export function urlConflict(url: string | null): Result<never> {
  return fail(
    'conflict',
    `Someone changed the URL to ${url} while you were editing. Nothing was saved. Check the URL, then save again.`,
    'url',
  );
}

const PREFIX = 'provider_test.';
const rowSchema = z.object({ key: z.string(), value: providerTestSchema, updatedAt: z.date() });

/** Returns the test results, by provider, of providers that exist only in the environment and have no row. */
export async function listEnvironmentTests(
  database: Database,
): Promise<Record<string, { test: ProviderTest; testedAt: Date }>> {
  const rows = await database.prisma.installationSetting.findMany({ where: { key: { startsWith: PREFIX } } });
  const tests: Record<string, { test: ProviderTest; testedAt: Date }> = Object.create(null);
  for (const row of rows) {
    const { key, value, updatedAt } = rowSchema.parse(row);
    tests[key.slice(PREFIX.length)] = { test: value, testedAt: updatedAt };
  }
  return tests;
}

export async function saveEnvironmentTest(
  transaction: Prisma.TransactionClient,
  tested: { provider: string; test: ProviderTest; by: string; now: Date },
): Promise<void> {
  const key = `${PREFIX}${tested.provider}`;
  const row = { value: tested.test, updatedBy: tested.by, updatedAt: tested.now };
  await transaction.installationSetting.upsert({ where: { key }, create: { key, ...row }, update: row });
}

const storedTarget = z.object({
  name: z.string(),
  kind: z.literal('target'),
  /** URL of the target. Null if the target connects to Hone. */
  baseUrl: z.string().nullable(),
  /** Encrypted secret. */
  sealedKey: z.string().nullable(),
  components: z.record(z.string(), z.object({ text: z.string(), description: z.string() })),
  timeoutSeconds: z.int().nullable(),
  maxConcurrency: z.int().nullable(),
  maxRequestsPerMinute: z.int().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
/** Stored target. It shares the table of providers because limits and encryption are the same. */
export type StoredTarget = z.infer<typeof storedTarget>;

export async function findTarget({ prisma }: DatabaseClient, name: string): Promise<StoredTarget | null> {
  const row = await prisma.provider.findUnique({ where: { name } });
  return row === null || row.kind !== 'target' ? null : readTarget(row);
}

/** Returns all targets by name. */
export async function listStoredTargets({ prisma }: DatabaseClient): Promise<StoredTarget[]> {
  const rows = await prisma.provider.findMany({ where: { kind: 'target' }, orderBy: { name: 'asc' } });
  return rows.map(readTarget);
}

function readTarget(row: Provider): StoredTarget {
  return storedTarget.parse({ ...row, components: row.components ?? {} });
}

/** Returns a target's call configuration with its decrypted secret. */
export function targetConfiguration(
  { secret }: Pick<AppContext, 'secret'>,
  { name, kind, baseUrl, sealedKey, timeoutSeconds }: StoredTarget,
): ProviderConfiguration {
  return {
    name,
    kind,
    baseUrl,
    apiKey: sealedKey === null ? null : unsealKey(secret, name, sealedKey),
    prices: {},
    timeoutSeconds,
  };
}
