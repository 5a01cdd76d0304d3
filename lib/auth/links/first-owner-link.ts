import { randomUUID } from 'node:crypto';
import { countMembers } from '#lib/auth/member-accounts.ts';
import { insertMemberLink } from '#lib/auth/member-links.ts';
import type { Database } from '#lib/database/database.ts';
import { makeLinkToken } from './link-token.ts';

export const FIRST_OWNER_HOURS = 24;

/**
 * The path of a link by which somebody becomes the first owner, for whoever sees what the start prints; null where there are members.
 * Several processes may each make one: the first that is used ends them all.
 */
export async function makeFirstOwnerLink({ pool }: Pick<Database, 'pool'>, now: Date): Promise<string | null> {
  if ((await countMembers(pool)) > 0) return null;
  const { hash, path } = makeLinkToken();
  await insertMemberLink(pool, {
    ...{ id: randomUUID(), purpose: 'first_owner', hash, role: 'owner', label: 'the first owner', memberId: null },
    ...{ createdBy: 'the start', createdById: 'system', createdAt: now },
    expiresAt: new Date(now.getTime() + FIRST_OWNER_HOURS * 60 * 60 * 1000),
  });
  return path;
}
