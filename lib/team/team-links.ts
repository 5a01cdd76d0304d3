import type { Actor } from '#lib/auth/actor.ts';
import { inviteMember, type MadeLink, makePasswordLink, withdrawInvitation } from '#lib/auth/create-member-links.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { refuseWithoutSignIn } from './own-account.ts';

/** A link that is known this once: only a hash of it is kept. `expiresAt` is ISO 8601. */
export type ShownLink = { id: string; url: string; expiresAt: string };
/** `address`: where people reach Hone, without a slash at the end. */
type Team = Pick<AppContext, 'database' | 'now'> & { address: string };

/** Makes a link by which somebody joins the team, once. */
export async function inviteToTeam(team: Team, actor: Actor, input: unknown): Promise<Result<ShownLink>> {
  if (actor.memberId === undefined) return refuseWithoutSignIn();
  return shown(await inviteMember(team.database, actor, input, team.now()), team);
}

/** Makes a link by which a member sets a new password, once; the one before holds no more. */
export async function linkToNewPassword(team: Team, actor: Actor, memberId: string): Promise<Result<ShownLink>> {
  if (actor.memberId === undefined) return refuseWithoutSignIn();
  return shown(await makePasswordLink(team.database, actor, memberId, team.now()), team);
}

/** Withdraws an invitation, or a link to a new password, that is still open. */
export async function withdrawLink(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
  id: string,
): Promise<Result<{ id: string }>> {
  return actor.memberId === undefined ? refuseWithoutSignIn() : withdrawInvitation(database, actor, id, now());
}

function shown(made: Result<MadeLink>, { address }: Team): Result<ShownLink> {
  if (!made.ok) return made;
  const { id, path, expiresAt } = made.value;
  return succeed({ id, url: `${address}${path}`, expiresAt });
}
