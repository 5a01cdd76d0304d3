import { isAPIError } from 'better-auth/api';
import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { withdrawPasswordLinks } from '#lib/auth/member-links.ts';
import { newPassword } from '#lib/auth/member-schema.ts';
import { findMemberAccount } from '#lib/auth/members.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { ADDRESS_HEADER } from '../client-address.ts';
import { recordChange } from '../record-change.ts';
import { sentSessionCookie } from './session-cookie.ts';
import type { SignInContext } from './sign-in-by-password.ts';
import { clearAttemptsOf, countAttemptOf, tooManyAttempts } from './sign-in-limits.ts';
import { findPasswordWeakness, PASSWORD_LENGTH } from './weak-password.ts';

const passwordsInput = z.object({ current: z.string().max(PASSWORD_LENGTH.most), next: newPassword });

/**
 * Changes the caller's password, which requires the current one. Ends all their sessions and withdraws open password links. `setCookies`:
 * cookies of the new session for this browser. `headers`: of the request, with its cookie. Failed attempts are counted separately from the
 * sign-in, whose limit others can use up.
 */
export async function changeOwnPassword(
  { database, library }: SignInContext,
  actor: Actor & { memberId: string },
  input: unknown,
  { headers, now }: { headers: Headers; now: Date },
): Promise<Result<{ setCookies: string[] }>> {
  const parsed = passwordsInput.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail('invalid', issue?.message ?? 'must be given', issue?.path.join('.') || null);
  }
  const member = await findMemberAccount(database.prisma, actor.memberId);
  if (member === null) return fail('not_found', 'There is no such member.');
  const counted = actor.sessionId ?? member.id;
  const weakness = findPasswordWeakness(parsed.data.next, member);
  if (weakness !== null) return fail('invalid', weakness, 'next');
  const attempt = await countAttemptOf(database, 'ownPassword', counted, now);
  if (!attempt.isAllowed) return tooManyAttempts(attempt.until, now);
  const sent = new Headers({ 'user-agent': headers.get('user-agent') ?? '' });
  sent.set('cookie', sentSessionCookie(headers, library.cookie) ?? '');
  sent.set(ADDRESS_HEADER, actor.address ?? 'unknown');
  const { current, next } = parsed.data;
  try {
    await library.api.verifyPassword({ body: { password: current }, headers: sent });
    // Runs before the change, which the library makes in a separate transaction, so that no link survives a crash between them.
    const linksWithdrawn = await withdrawPasswordLinks(database.prisma, member.id, now);
    const { headers: answered } = await library.api.changePassword({
      body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
      headers: sent,
      returnHeaders: true,
    });
    await clearAttemptsOf(database, 'ownPassword', counted);
    await recordChange(database.prisma, actor, {
      act: 'changed_password',
      subject: { kind: 'member', id: member.id, name: member.name },
      change: linksWithdrawn === 0 ? {} : { linksWithdrawn },
    });
    return succeed({
      setCookies: [...answered.getSetCookie(), library.knownBrowsers.mark(headers.get('cookie') ?? '', member.email)],
    });
  } catch (error) {
    if (isAPIError(error) && error.statusCode >= 400 && error.statusCode < 500)
      return fail('invalid', 'is not your current password', 'current');
    throw error;
  }
}
