import type { Actor } from '#lib/auth/actor.ts';
import {
  type CreatedLink,
  createPasswordLink,
  inviteMember,
  withdrawInvitation,
} from '#lib/auth/create-member-links.ts';
import type { TimedContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { refuseWithoutSignIn } from './own-account.ts';

/** A link that is shown only once, because only its hash is stored. `expiresAt` is ISO 8601. */
export type ShownLink = { id: string; url: string; expiresAt: string };
/** `address`: Hone's public URL without a trailing slash. */
type Team = TimedContext & { address: string };

/** Creates a single-use invitation link. */
export async function inviteToTeam(team: Team, actor: Actor, input: unknown): Promise<Result<ShownLink>> {
  if (actor.memberId === undefined) return refuseWithoutSignIn();
  return shown(await inviteMember(team.database, actor, input, team.now()), team);
}

/** Creates a single-use link with which a member sets a new password. Invalidates the previous one. */
export async function linkToNewPassword(team: Team, actor: Actor, memberId: string): Promise<Result<ShownLink>> {
  if (actor.memberId === undefined) return refuseWithoutSignIn();
  return shown(await createPasswordLink(team.database, actor, memberId, team.now()), team);
}

/** Withdraws an open invitation or password link. */
export async function withdrawLink(
  { database, now }: TimedContext,
  actor: Actor,
  id: string,
): Promise<Result<{ id: string }>> {
  return actor.memberId === undefined ? refuseWithoutSignIn() : withdrawInvitation(database, actor, id, now());
}

function shown(made: Result<CreatedLink>, { address }: Team): Result<ShownLink> {
  if (!made.ok) return made;
  const { id, path, expiresAt } = made.value;
  return succeed({ id, url: `${address}${path}`, expiresAt });
}
