import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { TokenTable } from '#components/settings/token-table.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { Invite } from '#components/team/invite.tsx';
import { LocalMode } from '#components/team/local-mode.tsx';
import { MayLink } from '#components/team/may-link.tsx';
import { MemberTable } from '#components/team/member-table.tsx';
import { RoleTable } from '#components/team/role-table.tsx';
import { listApiTokens } from '#lib/db/api-tokens.ts';
import { listInvitations } from '#lib/db/list-invitations.ts';
import { listMembers } from '#lib/db/members.ts';
import { formatNumberOf } from '#lib/format.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { isTeamMode } from '#lib/team/team-mode.ts';
import { revokeApiToken } from '../token-actions.ts';
import {
  changeTeamMember,
  endTeamMemberSessions,
  inviteTeamMember,
  makeMemberPasswordLink,
  withdrawTeamLink,
} from './actions.ts';

export default async function TeamPage() {
  await authorize({ name: 'page /settings/team', role: 'owner' });
  return (
    <Page crumbs={[{ label: 'Settings', href: '/settings' }, { label: 'Team' }]}>
      {isTeamMode() ? <Team /> : <NoTeam />}
    </Page>
  );
}

async function Team() {
  const { database, now } = await getWorkshop();
  const moment = now();
  const [members, invitations, tokens] = await Promise.all([
    listMembers(database, moment),
    listInvitations(database, moment),
    listApiTokens(database),
  ]);
  const held = tokens.filter(({ revokedAt }) => revokedAt === null).length;
  const time = moment.toISOString();
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
            <span>{formatNumberOf(held, 'token')}</span>
          </>
        }
        actions={<Invite invite={inviteTeamMember} />}
      />
      <SettingsTabs />
      <div className="cols c3 team flex-1">
        <div className="min-w-0">
          <div className="pane border-b-0 pb-1">
            <div className="ph m-0">
              <h2>Members</h2>
              <span className="note">nobody promotes an own edit, owners included</span>
            </div>
          </div>
          <MemberTable
            members={members}
            invitations={invitations}
            now={time}
            actions={{
              change: changeTeamMember,
              endSessions: endTeamMemberSessions,
              makePasswordLink: makeMemberPasswordLink,
              invite: inviteTeamMember,
              withdraw: withdrawTeamLink,
            }}
          />
          <div className="pane border-t border-b-0 border-line pb-1">
            <div className="ph m-0">
              <h2>API tokens</h2>
              <span className="note">may never do more than whoever made them</span>
              <span className="end">
                <MayLink needs="viewer" size="small" href="/account#tokens">
                  Make one of your own
                </MayLink>
              </span>
            </div>
          </div>
          {tokens.length === 0 ? (
            <p className="pane muted border-b-0">No token yet.</p>
          ) : (
            <TokenTable tokens={tokens} revoke={revokeApiToken} now={time} />
          )}
        </div>
        <RoleTable />
      </div>
    </>
  );
}

function NoTeam() {
  return (
    <>
      <PageHead title="Team" facts={<span>local mode: one person, no sign-in</span>} />
      <SettingsTabs />
      <div className="cols c3 team flex-1">
        <LocalMode />
        <RoleTable />
      </div>
    </>
  );
}
