import type { ChangedMember } from '#lib/auth/member-schema.ts';
import type { Result } from '#lib/core/problem.ts';

/** A link that is there this once. */
export type ShownLink = { id: string; url: string; expiresAt: string };

/** What an owner can do with the team. */
export type TeamActions = {
  change: (memberId: string, input: unknown) => Promise<Result<ChangedMember>>;
  endSessions: (memberId: string) => Promise<Result<{ ended: number }>>;
  makePasswordLink: (memberId: string) => Promise<Result<ShownLink>>;
  invite: (input: unknown) => Promise<Result<ShownLink>>;
  withdraw: (invitationId: string) => Promise<Result<unknown>>;
};
