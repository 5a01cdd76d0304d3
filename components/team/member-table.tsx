'use client';

import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { formatMoment, formatNumberOf } from '#lib/format.ts';
import type { Invitation, Member } from '#lib/reflection/team/member.ts';
import { initialsOf } from './initials-of.ts';
import { MemberActs } from './member-acts.tsx';
import { RoleChoice } from './role-choice.tsx';
import { usePerson } from './role-provider.tsx';
import type { TeamActions } from './team-actions.ts';
import { useWithdraw } from './use-withdraw.ts';

type MemberTableProps = { members: Member[]; invitations: Invitation[]; actions: TeamActions; now: string };

/** The members of the team and the links that are open, with what an owner can do about each. */
export function MemberTable({ members, invitations, actions, now }: MemberTableProps) {
  return (
    <ScrollX label="Members">
      <table className="t edge" data-testid="members">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Role</th>
            <th scope="col" className="opt">
              This month
            </th>
            <th scope="col" className="opt">
              Last seen
            </th>
            <th scope="col">
              <span className="vh">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} actions={actions} now={now} />
          ))}
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} withdraw={actions.withdraw} />
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

/** Addresses are plain letters; a domain of others is written with `xn--`, and can look like a well-known one. */
function hasForeignLetters(email: string): boolean {
  return /[@.]xn--/.test(email);
}

function MemberRow({ member, actions, now }: { member: Member; actions: TeamActions; now: string }) {
  const { id, name, email, thisMonth, lastSeenAt, disabledAt, isLastOwner } = member;
  const isSelf = usePerson().id === id;
  return (
    <tr>
      <td>
        <span className="row">
          <span className="av" aria-hidden>
            {initialsOf(name)}
          </span>
          <span className="min-w-0">
            <b className="md5 wrap-anywhere">{name}</b> {isSelf ? <Badge>You</Badge> : null}
            {disabledAt === null ? null : <Badge tone="worse">✕ disabled</Badge>}
            <span className="sm faint wrap-anywhere block">
              <bdi>{email}</bdi>
              {hasForeignLetters(email) ? (
                <b className="worse"> has letters of other scripts (xn--): compare it with the address you know</b>
              ) : null}
            </span>
          </span>
        </span>
      </td>
      <td>
        <RoleChoice member={member} change={actions.change} />
      </td>
      <td className="sm muted opt">
        {formatNumberOf(thisMonth.decisions, 'decision')}, {formatNumberOf(thisMonth.reviews, 'lesson')} reviewed
        {isLastOwner ? <span className="faint block">the last owner stays owner</span> : null}
      </td>
      <td className="sm muted opt">{lastSeenAt === null ? 'not yet' : <TimeAgo moment={lastSeenAt} now={now} />}</td>
      <td className="num">
        <MemberActs
          member={member}
          change={actions.change}
          endSessions={actions.endSessions}
          makePasswordLink={actions.makePasswordLink}
        />
      </td>
    </tr>
  );
}

function InvitationRow({ invitation, withdraw }: { invitation: Invitation } & Pick<TeamActions, 'withdraw'>) {
  const { id, label, role, purpose, createdBy, expiresAt } = invitation;
  const { isBusy, send } = useWithdraw(withdraw);
  const isNew = purpose === 'member';
  return (
    <tr>
      <td>
        <span className="row">
          <span className="av" aria-hidden>
            +
          </span>
          <span className="min-w-0">
            <b className="md5 wrap-anywhere">{label}</b>
            <span className="sm faint block">{isNew ? 'Open invitation' : 'Open link for a new password'}</span>
          </span>
        </span>
      </td>
      <td className="sm">{role}</td>
      <td className="sm muted opt">by {createdBy}; the link works once</td>
      <td className="sm muted opt">ends {formatMoment(expiresAt)}</td>
      <td className="num">
        <Button
          variant="ghost"
          size="small"
          disabled={isBusy}
          aria-label={`Withdraw the ${isNew ? 'invitation' : 'link'} of ${label}`}
          onClick={() => send(id, label)}
        >
          Withdraw
        </Button>
      </td>
    </tr>
  );
}
