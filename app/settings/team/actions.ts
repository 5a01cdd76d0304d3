'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import type { ChangedMember } from '#lib/auth/member-schema.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { getRunningApp } from '#lib/context/running-app.ts';
import type { Result } from '#lib/core/problem.ts';
import { changeMember, endMemberSessions } from '#lib/team/change-member.ts';
import { inviteToTeam, linkToNewPassword, type ShownLink, withdrawLink } from '#lib/team/team-links.ts';

/** Changes a member's role, or disables or enables the member. */
export const changeTeamMemberAction = defineAction(
  'changeTeamMemberAction',
  { role: 'owner', id: 'member', audit: ['changed_role', 'disabled', 'enabled'] },
  async (actor, memberId: string, input: unknown): Promise<Result<ChangedMember>> => {
    const result = await changeMember(await getAppContext(), actor, memberId, input);
    // The layout of every page depends on the current user's role.
    if (result.ok) revalidatePath('/', 'layout');
    return result;
  },
);

/** Ends all sessions of a member. */
export const endTeamMemberSessionsAction = defineAction(
  'endTeamMemberSessionsAction',
  { role: 'owner', id: 'member', audit: 'revoked' },
  async (actor, memberId: string): Promise<Result<{ ended: number }>> => {
    const result = await endMemberSessions(await getAppContext(), actor, memberId);
    if (result.ok) revalidatePath('/settings/team');
    return result;
  },
);

/** Creates a password reset link. The link is returned only once. */
export const makeMemberPasswordLinkAction = defineAction(
  'makeMemberPasswordLinkAction',
  { role: 'owner', id: 'member', limit: 'password', audit: 'made_password_link' },
  async (actor, memberId: string): Promise<Result<ShownLink>> => {
    const { address } = getRunningApp();
    return linkToNewPassword({ ...(await getAppContext()), address }, actor, memberId);
  },
);

/** Creates an invitation. Its link is returned only once. */
export const inviteTeamMemberAction = defineAction(
  'inviteTeamMemberAction',
  { role: 'owner', limit: 'password', audit: 'invited' },
  async (actor, input: unknown): Promise<Result<ShownLink>> => {
    const { address } = getRunningApp();
    return inviteToTeam({ ...(await getAppContext()), address }, actor, input);
  },
);

/** Revokes an invitation or a password reset link. */
export const withdrawTeamLinkAction = defineAction(
  'withdrawTeamLinkAction',
  { role: 'owner', id: 'invitation', audit: 'withdrew' },
  async (actor, id: string): Promise<Result<unknown>> => {
    const result = await withdrawLink(await getAppContext(), actor, id);
    if (result.ok) revalidatePath('/settings/team');
    return result;
  },
);
