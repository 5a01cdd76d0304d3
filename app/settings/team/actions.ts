'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { getRunningApp } from '#lib/context/running-app.ts';
import type { Result } from '#lib/core/problem.ts';
import { changeMember, endMemberSessions } from '#lib/team/change-member.ts';
import { inviteToTeam, linkToNewPassword, type ShownLink, withdrawLink } from '#lib/team/team-links.ts';

/** Changes a member's role, or disables or enables the member. */
export const changeTeamMemberAction = defineAction(
  'changeTeamMemberAction',
  { role: 'owner', id: 'member', audit: ['changed_role', 'disabled', 'enabled'], refreshes: 'always' },
  async (actor, memberId: string, input: unknown) => changeMember(await getAppContext(), actor, memberId, input),
);

/** Ends all sessions of a member. */
export const endTeamMemberSessionsAction = defineAction(
  'endTeamMemberSessionsAction',
  { role: 'owner', id: 'member', audit: 'revoked', refreshes: 'always' },
  async (actor, memberId: string) => endMemberSessions(await getAppContext(), actor, memberId),
);

/** Creates a password reset link. The link is returned only once. */
export const makeMemberPasswordLinkAction = defineAction(
  'makeMemberPasswordLinkAction',
  { role: 'owner', id: 'member', limit: 'password', audit: 'made_password_link', refreshes: 'always' },
  async (actor, memberId: string): Promise<Result<ShownLink>> => {
    const { address } = getRunningApp();
    return linkToNewPassword({ ...(await getAppContext()), address }, actor, memberId);
  },
);

/** Creates an invitation. Its link is returned only once. */
export const inviteTeamMemberAction = defineAction(
  'inviteTeamMemberAction',
  { role: 'owner', limit: 'password', audit: 'invited', refreshes: true },
  async (actor, input: unknown): Promise<Result<ShownLink>> => {
    const { address } = getRunningApp();
    return inviteToTeam({ ...(await getAppContext()), address }, actor, input);
  },
);

/** Revokes an invitation or a password reset link. */
export const withdrawTeamLinkAction = defineAction(
  'withdrawTeamLinkAction',
  { role: 'owner', id: 'invitation', audit: 'withdrew', refreshes: 'always' },
  async (actor, id: string) => withdrawLink(await getAppContext(), actor, id),
);
