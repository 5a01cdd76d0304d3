'use client';

import { Avatar } from '#components/ui/avatar.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
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
      <Table isInset data-testid="members">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Role</th>
            <th scope="col" className="max-narrow:hidden">
              This month
            </th>
            <th scope="col" className="max-narrow:hidden">
              Last seen
            </th>
            <th scope="col">
              <span className="sr-only">More</span>
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
      </Table>
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
        <span className="flex items-center gap-2">
          <Avatar>{initialsOf(name)}</Avatar>
          <span className="min-w-0">
            <b className="wrap-anywhere font-medium">{name}</b> {isSelf ? <Badge>You</Badge> : null}
            {disabledAt === null ? null : <Badge tone="worse">✕ disabled</Badge>}
            <span className="wrap-anywhere block text-ink-3 text-sm">
              <bdi>{email}</bdi>
              {hasForeignLetters(email) ? (
                <b className="text-worse"> has letters of other scripts (xn--): compare it with the address you know</b>
              ) : null}
            </span>
          </span>
        </span>
      </td>
      <td>
        <RoleChoice member={member} change={actions.change} />
      </td>
      <td className="text-ink-2 text-sm max-narrow:hidden">
        {formatNumberOf(thisMonth.decisions, 'decision')}, {formatNumberOf(thisMonth.reviews, 'lesson')} reviewed
        {isLastOwner ? <span className="block text-ink-3">the last owner stays owner</span> : null}
      </td>
      <td className="text-ink-2 text-sm max-narrow:hidden">
        {lastSeenAt === null ? 'not yet' : <TimeAgo moment={lastSeenAt} now={now} />}
      </td>
      <td className="whitespace-nowrap text-right">
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
        <span className="flex items-center gap-2">
          <Avatar>+</Avatar>
          <span className="min-w-0">
            <b className="wrap-anywhere font-medium">{label}</b>
            <span className="block text-ink-3 text-sm">
              {isNew ? 'Open invitation' : 'Open link for a new password'}
            </span>
          </span>
        </span>
      </td>
      <td className="text-sm">{role}</td>
      <td className="text-ink-2 text-sm max-narrow:hidden">by {createdBy}; the link works once</td>
      <td className="text-ink-2 text-sm max-narrow:hidden">ends {formatMoment(expiresAt)}</td>
      <td className="whitespace-nowrap text-right">
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
