import { redirect } from 'next/navigation';
import { JoinForm } from '#components/team/join-form.tsx';
import { StandalonePage } from '#components/team/standalone-page.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { admitAnyone } from '#lib/auth/authorize.ts';
import { findOpenLink, type MemberLink } from '#lib/auth/member-links.ts';
import { findMemberAccount } from '#lib/auth/members.ts';
import { isTeamMode } from '#lib/auth/mode.ts';
import { getAppDatabase } from '#lib/context/app-database.ts';
import { joinByLinkAction } from './actions.ts';

/** Landing page of an invitation or password link. Opening it does not redeem the link. */
export default async function JoinPage({ params }: { params: Promise<{ token: string }> }) {
  const { actor, address } = await admitAnyone({ name: 'page /join/{token}' });
  if (!isTeamMode()) redirect('/');
  const { token } = await params;
  const database = getAppDatabase();
  const found = await findOpenLink(database, token, { now: new Date(), address });
  if (!found.ok)
    return (
      <StandalonePage title="This link is not valid">
        <Notice tone="worse">{found.problem.message}</Notice>
      </StandalonePage>
    );
  const link = found.value;
  const member = link.memberId === null ? null : await findMemberAccount(database.prisma, link.memberId);
  const { title, text } = linkLabels(link, member?.name ?? null);
  return (
    <StandalonePage title={title} text={text}>
      {actor === null || actor.memberId === link.memberId ? null : (
        <Notice className="mb-4">
          You are signed in as {actor.name}.{' '}
          {link.purpose === 'password' ? 'Setting the password signs you out.' : 'Joining signs you out.'}
        </Notice>
      )}
      <JoinForm
        action={joinByLinkAction.bind(null, token)}
        isPassword={link.purpose === 'password'}
        email={member?.email ?? null}
      />
    </StandalonePage>
  );
}

function linkLabels({ purpose, role, createdBy }: MemberLink, name: string | null): { title: string; text: string } {
  switch (purpose) {
    case 'first_owner':
      return { title: 'Become the first owner', text: 'You invite the other members, and set up models and keys.' };
    case 'member':
      return { title: 'Join Hone', text: `${createdBy} invited you as ${role}.` };
    case 'password':
      return {
        title: 'Set a new password',
        text: `For ${name ?? 'your account'}. This ends all your sessions.`,
      };
  }
}
