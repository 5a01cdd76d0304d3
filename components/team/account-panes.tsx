'use client';

import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { ColumnHead, NumberCell, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { MemberSession } from '#lib/auth/member-schema.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';

type AccountNameProps = { name: string; rename: (input: unknown) => Promise<Result<{ name: string }>> };

/** Form to change the user's name. */
export function AccountName({ name: stored, rename }: AccountNameProps) {
  const toast = useToast();
  const [name, setName] = useState(stored);
  const { isBusy, problem, submit } = useSubmit('Hone did not respond. Nothing changed.');
  function send() {
    submit(rename({ name }), (renamed) => {
      setName(renamed.name);
      toast(`Your name is now ${renamed.name}`);
    });
  }
  return (
    <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
      <Field
        label="Name"
        help="Used from now on. Past actions keep your previous name."
        error={problem?.message ?? null}
      >
        <Input value={name} maxLength={80} autoComplete="name" onValue={setName} />
      </Field>
      <div>
        <Button type="submit" disabled={isBusy || name.trim() === stored}>
          {isBusy ? 'Saving' : 'Save name'}
        </Button>
      </div>
    </SubmitForm>
  );
}

/** Form to change the user's password. Requires the current one. */
export function AccountPassword({ change }: { change: (input: unknown) => Promise<Result<null>> }) {
  const toast = useToast();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { isBusy, problem, errorAt, submit } = useSubmit(
    'Hone did not respond. Try to sign in with the new password first.',
  );
  const isElsewhere = problem !== null && errorAt('current') === null && errorAt('next') === null;
  function send() {
    submit(change({ current, next }), () => {
      setCurrent('');
      setNext('');
      toast('Password changed. Your other sessions ended.');
    });
  }
  return (
    <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
      <Field label="Current password" error={errorAt('current')}>
        <Input type="password" autoComplete="current-password" value={current} onValue={setCurrent} />
      </Field>
      <Field label="New password" help="At least 12 characters" error={errorAt('next')}>
        <Input type="password" autoComplete="new-password" value={next} onValue={setNext} />
      </Field>
      {isElsewhere ? <InlineError>{problem.message}</InlineError> : null}
      <div>
        <Button type="submit" disabled={isBusy || current === '' || next === ''}>
          {isBusy ? 'Changing' : 'Change password'}
        </Button>
      </div>
    </SubmitForm>
  );
}

type Ended = Promise<Result<{ ended: number }>>;

/** Lists the user's sessions. Each can be signed out. */
export function SessionList({ sessions }: { sessions: readonly MemberSession[] }) {
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. Check the sessions before you try again.', {
    refreshes: 'always',
  });
  function send(ending: Ended) {
    submitWithToast(ending, ({ ended }) => `${formatNumberOf(ended, 'browser')} signed out`);
  }
  return (
    <>
      <Table scrollLabel="Sessions" isInset data-testid="sessions">
        <TableHead>
          <ColumnHead>Browser</ColumnHead>
          <ColumnHead className="max-narrow:hidden">Address</ColumnHead>
          <ColumnHead className="max-narrow:hidden">Signed in</ColumnHead>
          <ColumnHead>Last seen</ColumnHead>
          <ColumnHead hideLabel>Sign out</ColumnHead>
        </TableHead>
        <tbody>
          {sessions.map(({ id, device, address, createdAt, lastSeenAt, isThis }) => (
            <tr key={id}>
              <td>
                {device} {isThis ? <Badge>This browser</Badge> : null}
              </td>
              <td className="wrap-anywhere text-ink-2 text-sm max-narrow:hidden">{address ?? 'unknown'}</td>
              <td className="text-ink-2 text-sm max-narrow:hidden">
                <TimeAgo moment={createdAt} />
              </td>
              <td className="text-ink-2 text-sm">
                <TimeAgo moment={lastSeenAt} />
              </td>
              <NumberCell>
                {isThis ? null : (
                  <Button
                    variant="ghost"
                    size="small"
                    disabled={isBusy}
                    aria-label={`Sign out ${device}`}
                    onClick={() => send(submitApi('DELETE /api/v1/account/sessions/{id}', { params: { id } }))}
                  >
                    Sign out
                  </Button>
                )}
              </NumberCell>
            </tr>
          ))}
        </tbody>
      </Table>
      {sessions.length > 1 ? (
        <Pane className="border-b-0 py-3">
          <Button size="small" disabled={isBusy} onClick={() => send(submitApi('DELETE /api/v1/account/sessions'))}>
            Sign out all others
          </Button>
        </Pane>
      ) : null}
    </>
  );
}
