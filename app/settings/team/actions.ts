'use server';

import { revalidatePath } from 'next/cache';
import { fail, type Result } from '#lib/reflection/problem.ts';
import type { ChangedMember } from '#lib/reflection/team/member.ts';
import { changeMember } from '#lib/runs/members/change-member.ts';
import { endMemberSessions } from '#lib/runs/members/end-member-sessions.ts';
import { inviteToTeam, linkToNewPassword, type ShownLink, withdrawLink } from '#lib/runs/members/team-links.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { authorize } from '#lib/team/authorize.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Gives a member another role, or disables or enables them. */
export async function changeTeamMember(memberId: string, input: unknown): Promise<Result<ChangedMember>> {
  const actor = await authorize({ name: 'action changeTeamMember', role: 'owner' });
  const result = await changeMember(await getWorkshop(), actor, String(memberId), input);
  // A role of one's own shows in the frame of all pages.
  if (result.ok) revalidatePath('/', 'layout');
  return result;
}

/** Signs a member out everywhere. */
export async function endTeamMemberSessions(memberId: string): Promise<Result<{ ended: number }>> {
  const actor = await authorize({ name: 'action endTeamMemberSessions', role: 'owner' });
  const result = await endMemberSessions(await getWorkshop(), actor, String(memberId));
  if (result.ok) revalidatePath('/settings/team');
  return result;
}

/** Makes a link for a new password, answered this once. */
export async function makeMemberPasswordLink(memberId: string): Promise<Result<ShownLink>> {
  const actor = await authorize({ name: 'action makeMemberPasswordLink', role: 'owner' });
  const { address } = getRunningApp();
  return linkToNewPassword({ ...(await getWorkshop()), address }, actor, String(memberId));
}

/** Makes an invitation, whose link is answered this once. */
export async function inviteTeamMember(input: unknown): Promise<Result<ShownLink>> {
  const actor = await authorize({ name: 'action inviteTeamMember', role: 'owner' });
  const { address } = getRunningApp();
  return inviteToTeam({ ...(await getWorkshop()), address }, actor, input);
}

/** Withdraws an invitation or a link for a new password. */
export async function withdrawTeamLink(id: string): Promise<Result<unknown>> {
  const actor = await authorize({ name: 'action withdrawTeamLink', role: 'owner' });
  if (!UUID.test(String(id))) return fail('not_found', 'There is no open invitation with this id.');
  const result = await withdrawLink(await getWorkshop(), actor, id);
  if (result.ok) revalidatePath('/settings/team');
  return result;
}
