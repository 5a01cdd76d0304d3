import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { isSameName, type MemberSession, memberName } from '#lib/auth/member-schema.ts';
import { deleteSession, findMemberAccount, listSessions, listTakenNames, updateMember } from '#lib/auth/members.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { lockMembers } from '#lib/database/locks.ts';
import { tryInTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { endMemberSessions } from './change-member.ts';

/** In local mode there are no members: what is about them can't be done. */
export function refuseWithoutSignIn(): Result<never> {
  return fail(
    'conflict',
    'Hone runs in local mode: nobody signs in, and there are no members. Start it with HONE_MODE=team for a team.',
  );
}

const renameSchema = z.strictObject({ name: memberName });

/** Gives oneself another name, which nobody else has. What was decided and written before keeps the name it was done under. */
export async function renameSelf(
  context: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<Result<{ name: string }>> {
  const { memberId } = actor;
  if (memberId === undefined) return refuseWithoutSignIn();
  const parsed = parseInput(renameSchema, input);
  if (!parsed.ok) return parsed;
  const { name } = parsed.value;
  return tryInTransaction(context.database, async (client): Promise<Result<{ name: string }>> => {
    await lockMembers(client);
    const before = await findMemberAccount(client, memberId);
    if (before === null) return fail('not_found', 'This member no longer exists.');
    if (before.name === name) return succeed({ name });
    if ((await listTakenNames(client, memberId)).some((other) => isSameName(other.name, name)))
      return fail('conflict', 'Another member already uses this name. Choose a different one.', 'name');
    await updateMember(client, memberId, { name }, context.now());
    await recordChange(client, actor, {
      act: 'changed',
      subject: { kind: 'member', id: memberId, name },
      change: { before: before.name, after: name },
    });
    return succeed({ name });
  });
}

/**
 * The browser and system that a User-Agent header names, for people: `Firefox on Linux`. It is what the browser says of itself, so
 * it tells sessions apart and proves nothing.
 */
export function deviceOf(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (browser === undefined && system === undefined) return 'An unknown browser';
  return `${browser ?? 'A browser'}${system === undefined ? '' : ` on ${system}`}`;
}

/** In this order: most name others too. */
const BROWSERS: [string, RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome|Chromium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];

const SYSTEMS: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad|iPod)\b/],
  ['macOS', /\bMac OS X\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** The browsers in which who asks is signed in, the one used last first. */
export async function listOwnSessions(
  context: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
): Promise<Result<{ items: MemberSession[] }>> {
  if (actor.memberId === undefined) return refuseWithoutSignIn();
  const rows = await listSessions(context.database, actor.memberId, context.now());
  return succeed({
    items: rows.map(({ userAgent, ...session }) => ({
      ...session,
      device: deviceOf(userAgent),
      isThis: session.id === actor.sessionId,
    })),
  });
}

/** Ends one of one's own sessions; another member's is as if it were not there. */
export async function revokeOwnSession(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  sessionId: string,
): Promise<Result<{ ended: number }>> {
  const { memberId } = actor;
  if (memberId === undefined) return refuseWithoutSignIn();
  return tryInTransaction(database, async (client): Promise<Result<{ ended: number }>> => {
    if (!(await deleteSession(client, { memberId, id: sessionId })))
      return fail('not_found', 'You have no session with this id: it has ended already.');
    await recordChange(client, actor, {
      act: 'revoked',
      subject: { kind: 'session', name: actor.name },
      change: { sessionsEnded: 1 },
    });
    return succeed({ ended: 1 });
  });
}

/** Ends all of one's own sessions but the one that asks. */
export async function revokeOtherSessions(
  context: Pick<AppContext, 'database'>,
  actor: Actor,
): Promise<Result<{ ended: number }>> {
  return actor.memberId === undefined ? refuseWithoutSignIn() : endMemberSessions(context, actor, actor.memberId);
}
