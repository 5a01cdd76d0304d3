import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseClient } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { withIsoTimes } from '#lib/database/query-values.ts';
import { type ApiToken, apiTokenSchema } from './api-token.ts';

/** Maximum number of revoked tokens listed. */
const MAX_REVOKED = 20;

/** Stores a new token by its hexadecimal SHA-256. */
export async function insertApiToken(
  transaction: Prisma.TransactionClient,
  token: Omit<ApiToken, 'lastUsedAt' | 'revokedAt' | 'memberId'> & { hash: string; memberId?: string | null },
): Promise<void> {
  await transaction.apiToken.create({ data: token });
}

/** Returns the token with this hash, even if expired or revoked. Null if there is none. */
export async function findApiToken({ prisma }: DatabaseClient, hash: string): Promise<ApiToken | null> {
  const row = await prisma.apiToken.findUnique({ where: { hash } });
  return row === null ? null : toApiToken(row);
}

/** Lists all valid tokens and the latest revoked ones, newest first. `memberId`: only tokens of that member. */
export async function listApiTokens(
  { prisma }: DatabaseClient,
  { memberId }: { memberId?: string } = {},
): Promise<ApiToken[]> {
  const whose = memberId === undefined ? {} : { memberId };
  const [active, revoked] = await Promise.all([
    prisma.apiToken.findMany({ where: { ...whose, revokedAt: null }, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] }),
    prisma.apiToken.findMany({
      where: { ...whose, revokedAt: { not: null } },
      orderBy: [{ revokedAt: 'desc' }, { id: 'asc' }],
      take: MAX_REVOKED,
    }),
  ]);
  return [...active, ...revoked].map(toApiToken);
}

/**
 * Revokes a token. Repeating it keeps the first time. `memberId`: only if it belongs to that member. Returns null if there is none.
 * `isChanged`: false if the token was already revoked.
 */
export async function revokeApiToken(
  transaction: Prisma.TransactionClient,
  id: string,
  now: Date,
  { memberId }: { memberId?: string } = {},
): Promise<{ token: ApiToken; isChanged: boolean } | null> {
  const which = { id, ...(memberId === undefined ? {} : { memberId }) };
  const { count } = await transaction.apiToken.updateMany({
    where: { ...which, revokedAt: null },
    data: { revokedAt: now },
  });
  const row = await transaction.apiToken.findFirst({ where: which });
  return row === null ? null : { token: toApiToken(row), isChanged: count > 0 };
}

function toApiToken(row: object): ApiToken {
  return apiTokenSchema.parse(withIsoTimes(row));
}

/** Format of an API token. The prefix lets scanners of leaked keys recognize it. */
const FORM = /^hone_[A-Za-z0-9_-]{43}$/;

/** Creates a token of 256 random bits. */
export function makeToken(): string {
  return `hone_${randomBytes(32).toString('base64url')}`;
}

/** Returns the stored form of a token: its hexadecimal SHA-256. With 256 random bits, no salt or slow hash is needed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns the token of an `Authorization` header. Null for another scheme, empty if it is not a token of Hone. */
export function bearerToken(authorization: string | null): string | null {
  const match = /^bearer(?: +(.*))?$/is.exec(authorization?.trim() ?? '');
  if (match === null) return null;
  const token = (match[1] ?? '').trim();
  return FORM.test(token) ? token : '';
}
