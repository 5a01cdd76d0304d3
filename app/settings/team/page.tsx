import { RoleLink } from '#components/access/role-link.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { TokenTable } from '#components/settings/tokens-part.tsx';
import { Invite } from '#components/team/invite.tsx';
import { LocalMode } from '#components/team/local-mode.tsx';
import { MemberTable } from '#components/team/member-table.tsx';
import { RoleTable } from '#components/team/role-table.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { listApiTokens } from '#lib/auth/api-tokens.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { listInvitations } from '#lib/auth/member-links.ts';
import { listMembers } from '#lib/auth/members.ts';
import { isTeamMode } from '#lib/auth/mode.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatNumberOf } from '#lib/format.ts';
import { revokeApiTokenAction } from '../token-actions.ts';

export default async function TeamPage() {
  await authorizePage('/settings/team');
  return (
    <Page crumbs={[{ label: 'Settings', href: '/settings' }, { label: 'Team' }]}>
      {isTeamMode() ? <Team /> : <NoTeam />}
    </Page>
  );
}

async function Team() {
  const { database, now } = await getAppContext();
  const moment = now();
  const [members, invitations, tokens] = await Promise.all([
    listMembers(database, moment),
    listInvitations(database, moment),
    listApiTokens(database),
  ]);
  const activeTokens = tokens.filter(({ revokedAt }) => revokedAt === null).length;
  return (
    <>
      <PageHead
        title="Team"
        facts={
          <>
            <span>
              <b>{members.length}</b> {members.length === 1 ? 'member' : 'members'}
            </span>
            <span>
              <b>{invitations.length}</b> open {invitations.length === 1 ? 'link' : 'links'}
            </span>
            <span>{formatNumberOf(activeTokens, 'token')}</span>
          </>
        }
        actions={<Invite />}
      />
      <SettingsTabs />
      <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_27rem]">
        <div className="min-w-0">
          <Pane className="border-b-0 pb-1">
            <PaneHeader
              title="Members"
              note="nobody can promote a lesson they edited, not even owners"
              className="m-0"
            />
          </Pane>
          <MemberTable members={members} invitations={invitations} />
          <Pane className="border-line border-t border-b-0 pb-1">
            <PaneHeader
              title="API tokens"
              note="limited to the permissions of the member who created them"
              className="m-0"
            >
              <span className="ml-auto">
                <RoleLink needs="viewer" size="small" href="/account#tokens">
                  Create token
                </RoleLink>
              </span>
            </PaneHeader>
          </Pane>
          {tokens.length === 0 ? (
            <PaneNote>No API tokens yet.</PaneNote>
          ) : (
            <TokenTable tokens={tokens} revoke={revokeApiTokenAction} />
          )}
        </div>
        <RoleTable />
      </Columns>
    </>
  );
}

function NoTeam() {
  return (
    <>
      <PageHead title="Team" facts={<span>local mode: one person, no sign-in</span>} />
      <SettingsTabs />
      <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_27rem]">
        <LocalMode />
        <RoleTable />
      </Columns>
    </>
  );
}
