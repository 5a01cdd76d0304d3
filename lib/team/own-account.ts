import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { isSameName, type MemberSession, memberName } from '#lib/auth/member-schema.ts';
import { deleteSession, findMemberAccount, listSessions, listTakenNames, updateMember } from '#lib/auth/members.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { DatabaseContext, TimedContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { lockMembers } from '#lib/database/locks.ts';
import { tryInTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { endMemberSessions } from './change-member.ts';

/** Returns an error in local mode, which has no members. */
export function refuseWithoutSignIn(): Result<never> {
  return fail(
    'conflict',
    'Hone runs in local mode: nobody signs in, and there are no members. Start it with HONE_MODE=team for a team.',
  );
}

const renameSchema = z.strictObject({ name: memberName });

/** Changes the actor's name, which must be unique. Earlier decisions and texts keep the old name. */
export async function renameSelf(
  context: TimedContext,
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
 * Returns the browser and system from a User-Agent header for display: `Firefox on Linux`. The browser sends this value itself, so it only
 * helps to distinguish sessions and proves nothing.
 */
export function deviceOf(userAgent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  if (browser === undefined && system === undefined) return 'An unknown browser';
  return `${browser ?? 'A browser'}${system === undefined ? '' : ` on ${system}`}`;
}

/** The order matters, because most browsers also name others. */
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

/** Returns the actor's sessions, most recently used first. */
export async function listOwnSessions(
  context: TimedContext,
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

/** Ends one of the actor's sessions. Another member's session is reported as not found. */
export async function revokeOwnSession(
  { database }: DatabaseContext,
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

/** Ends all of the actor's sessions except the current one. */
export async function revokeOtherSessions(context: DatabaseContext, actor: Actor): Promise<Result<{ ended: number }>> {
  return actor.memberId === undefined ? refuseWithoutSignIn() : endMemberSessions(context, actor, actor.memberId);
}
