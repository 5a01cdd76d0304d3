'use client';

import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { withArticle } from '#components/access/role-labels.ts';
import { usePerson } from '#components/access/role-provider.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Avatar, initialsOf } from '#components/ui/avatar.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Select } from '#components/ui/field.tsx';
import { LocalTime, TimeAgo } from '#components/ui/local-time.tsx';
import { Options } from '#components/ui/options.tsx';
import { ColumnHead, NumberCell, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { ChangedMember, Invitation, Member } from '#lib/auth/member-schema.ts';
import { ROLES } from '#lib/auth/role.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { ShownLink } from '#lib/team/team-links.ts';
import { MadeLink } from './invite.tsx';

const changeMember = (id: string, body: object) => submitApi('PATCH /api/v1/members/{id}', { params: { id }, body });

/** Lists the members of the team and the open links, with the actions of an owner. */
export function MemberTable({ members, invitations }: { members: Member[]; invitations: Invitation[] }) {
  return (
    <Table scrollLabel="Members" isInset data-testid="members">
      <TableHead>
        <ColumnHead>Member</ColumnHead>
        <ColumnHead>Role</ColumnHead>
        <ColumnHead className="max-narrow:hidden">This month</ColumnHead>
        <ColumnHead className="max-narrow:hidden">Last seen</ColumnHead>
        <ColumnHead hideLabel>More</ColumnHead>
      </TableHead>
      <tbody>
        {members.map((member) => (
          <MemberRow key={member.id} member={member} />
        ))}
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </tbody>
    </Table>
  );
}

/** True if the domain has non-ASCII letters. These are encoded with `xn--` and can imitate a well-known domain. */
function hasEncodedDomain(email: string): boolean {
  return /[@.]xn--/.test(email);
}

function MemberRow({ member }: { member: Member }) {
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
              {hasEncodedDomain(email) ? (
                <b className="text-worse"> has letters of other scripts (xn--): compare it with the address you know</b>
              ) : null}
            </span>
          </span>
        </span>
      </td>
      <td>
        <RoleChoice member={member} />
      </td>
      <td className="text-ink-2 text-sm max-narrow:hidden">
        {formatNumberOf(thisMonth.decisions, 'decision')}, {formatNumberOf(thisMonth.reviews, 'lesson')} reviewed
        {isLastOwner ? <span className="block text-ink-3">last owner</span> : null}
      </td>
      <td className="text-ink-2 text-sm max-narrow:hidden">
        {lastSeenAt === null ? 'not yet' : <TimeAgo moment={lastSeenAt} />}
      </td>
      <NumberCell>
        <MemberActions member={member} />
      </NumberCell>
    </tr>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, label, role, purpose, createdBy, expiresAt } = invitation;
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. The link still works.', { refreshes: 'always' });
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
      <td className="text-ink-2 text-sm max-narrow:hidden">by {createdBy}, works once</td>
      <td className="text-ink-2 text-sm max-narrow:hidden">
        expires <LocalTime moment={expiresAt} />
      </td>
      <NumberCell>
        <Button
          variant="ghost"
          size="small"
          disabled={isBusy}
          aria-label={`Withdraw the ${isNew ? 'invitation' : 'link'} of ${label}`}
          onClick={() =>
            submitWithToast(
              submitApi('DELETE /api/v1/invitations/{id}', { params: { id } }),
              `The link of ${label} no longer works`,
            )
          }
        >
          Withdraw
        </Button>
      </NumberCell>
    </tr>
  );
}

/** Select for a member's role. Users who give up their own role must confirm. */
function RoleChoice({ member }: { member: Member }) {
  const { id, name, role, isLastOwner } = member;
  const person = usePerson();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAsked, setAsked] = useState(false);
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond.', { refreshes: 'always' });

  function send(next: string) {
    setAsked(false);
    setChosen(next);
    const done = (changed: ChangedMember) => `${name} is ${withArticle(changed.role)} now${withdrawnLabel(changed)}`;
    submitWithToast(changeMember(id, { role: next }), done, () => setChosen(null));
  }
  return (
    <>
      <Select
        size="small"
        className="pointer-coarse:min-h-10"
        aria-label={`Role of ${name}`}
        value={chosen ?? role}
        disabled={isLastOwner || isBusy || member.disabledAt !== null}
        title={isLastOwner ? 'The last owner stays owner' : undefined}
        onValue={(value) => {
          if (id !== person.id) return send(value);
          setChosen(value);
          setAsked(true);
        }}
      >
        <Options of={ROLES} />
      </Select>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={(isOpen) => {
          setAsked(isOpen);
          if (!isOpen) setChosen(null);
        }}
        title="Give up the owner role?"
        description="You lose access to settings, team and this page. Another owner can restore your role."
        action="Give up role"
        onConfirm={() => chosen !== null && send(chosen)}
      />
    </>
  );
}

function MemberActions({ member }: { member: Member }) {
  const { id, name } = member;
  const toast = useToast();
  const isSelf = usePerson().id === id;
  const isDisabled = member.disabledAt !== null;
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<ShownLink | null>(null);
  const { isBusy, settle } = useSubmit('Hone did not respond. Check the list before you try again.', {
    refreshes: 'always',
  });

  function send<Value>(request: Promise<Result<Value>>, onDone: (value: Value) => void) {
    settle(request, (result) => {
      if (result.ok) onDone(result.value);
      else toast(result.problem.message, 'problem');
    });
  }
  function close(message: string) {
    toast(message);
    setOpen(false);
  }
  return (
    <>
      <IconButton icon={Ellipsis} label={`More for ${name}`} onClick={() => setOpen(true)} />
      <Dialog
        open={isOpen}
        onOpenChange={(next) => {
          setOpen(next);
          setMade(null);
        }}
        title={name}
        description={member.email}
      >
        <ul className="divide-y divide-line">
          <MemberAction
            label="Create password link"
            description="Creates a link to set a new password. It works once, within a day."
            hindrance={isDisabled ? 'Enable the member first.' : null}
            isBusy={isBusy}
            onClick={() => send(submitApi('POST /api/v1/members/{id}/password-link', { params: { id } }), setMade)}
          />
          {made === null ? null : (
            <li className="py-2">
              <MadeLink link={made} title={`Password link for ${name} created`} />
            </li>
          )}
          <MemberAction
            label="Sign out everywhere"
            description={
              isSelf
                ? 'Signs out all your other browsers.'
                : `Signs them out of ${formatNumberOf(member.sessions, 'browser')}.`
            }
            hindrance={member.sessions === 0 ? 'No active sessions.' : null}
            isBusy={isBusy}
            onClick={() =>
              send(submitApi('DELETE /api/v1/members/{id}/sessions', { params: { id } }), ({ ended }) =>
                close(`${name}: ${formatNumberOf(ended, 'session')} ended`),
              )
            }
          />
          {isDisabled ? (
            <MemberAction
              label="Enable"
              description="They can sign in again, and their tokens work again."
              hindrance={null}
              isBusy={isBusy}
              onClick={() => send(changeMember(id, { disabled: false }), () => close(`${name} can sign in again`))}
            />
          ) : (
            <MemberAction
              label="Disable"
              description="Ends their sessions, tokens and open links. They cannot sign in. Their past actions keep their name."
              hindrance={
                isSelf
                  ? 'You cannot disable yourself. Ask another owner.'
                  : member.isLastOwner
                    ? 'The last owner cannot be disabled.'
                    : null
              }
              isBusy={isBusy}
              onClick={() =>
                send(changeMember(id, { disabled: true }), (changed) =>
                  close(`${name} is disabled${withdrawnLabel(changed)}`),
                )
              }
            />
          )}
        </ul>
      </Dialog>
    </>
  );
}

type MemberActionProps = {
  label: string;
  description: string;
  /** Why the action is impossible. Null if it is possible. */
  hindrance: string | null;
  isBusy: boolean;
  onClick: () => void;
};

function MemberAction({ label, description, hindrance, isBusy, onClick }: MemberActionProps) {
  return (
    <li className="flex flex-wrap items-center gap-2 py-2.5">
      <span className="min-w-40 flex-1 text-ink-2 text-sm">{hindrance ?? description}</span>
      <Button disabled={isBusy || hindrance !== null} onClick={onClick}>
        {label}
      </Button>
    </li>
  );
}

/** Returns the side effects of a member change as a suffix: `; 2 links withdrawn`. Empty if there are none. */
export function withdrawnLabel({
  linksWithdrawn,
  assignmentsTaken,
}: Pick<ChangedMember, 'linksWithdrawn' | 'assignmentsTaken'>): string {
  const links = linksWithdrawn === 0 ? [] : [`${formatNumberOf(linksWithdrawn, 'link')} withdrawn`];
  const assignments = assignmentsTaken === 0 ? [] : [`${formatNumberOf(assignmentsTaken, 'assignment')} taken back`];
  return [...links, ...assignments].map((part) => `; ${part}`).join('');
}
