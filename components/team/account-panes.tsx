'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { problemAt, refusalOf } from '#components/access/refusal-of.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { MemberSession } from '#lib/auth/member-schema.ts';
import type { Problem, Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';

type AccountNameProps = { name: string; rename: (input: unknown) => Promise<Result<{ name: string }>> };

/** One's own name, to be changed. */
export function AccountName({ name: stored, rename }: AccountNameProps) {
  const router = useRouter();
  const toast = useToast();
  const [name, setName] = useState(stored);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, startSending] = useTransition();
  function send(event: FormEvent) {
    event.preventDefault();
    startSending(async () => {
      const result = await rename({ name }).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing changed.'),
      );
      setError(result.ok ? null : result.problem.message);
      if (!result.ok) return;
      setName(result.value.name);
      toast(`Your name is now ${result.value.name}`);
      router.refresh();
    });
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={send} noValidate>
      <Field label="Name" help="Used from now on. Past actions keep your previous name." error={error}>
        <Input value={name} maxLength={80} autoComplete="name" onChange={(event) => setName(event.target.value)} />
      </Field>
      <div>
        <Button type="submit" disabled={isBusy || name.trim() === stored}>
          {isBusy ? 'Saving' : 'Save name'}
        </Button>
      </div>
    </form>
  );
}

type AccountPasswordProps = { change: (input: unknown) => Promise<Result<null>> };

/** Changes one's own password, after the current one. */
export function AccountPassword({ change }: AccountPasswordProps) {
  const router = useRouter();
  const toast = useToast();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, startSending] = useTransition();
  const errorAt = (field: string) => problemAt(problem, field);
  const isElsewhere = problem !== null && errorAt('current') === null && errorAt('next') === null;
  function send(event: FormEvent) {
    event.preventDefault();
    startSending(async () => {
      const result = await change({ current, next }).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Try to sign in with the new password first.'),
      );
      setProblem(result.ok ? null : result.problem);
      if (!result.ok) return;
      setCurrent('');
      setNext('');
      toast('Password changed. Your other sessions ended.');
      router.refresh();
    });
  }
  return (
    <form className="flex flex-col gap-3" onSubmit={send} noValidate>
      <Field label="Current password" error={errorAt('current')}>
        <Input
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
      </Field>
      <Field label="New password" help="At least 12 characters" error={errorAt('next')}>
        <Input
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
      </Field>
      {isElsewhere ? (
        <p className="text-sm text-worse" role="alert">
          ✕ {problem.message}
        </p>
      ) : null}
      <div>
        <Button type="submit" disabled={isBusy || current === '' || next === ''}>
          {isBusy ? 'Changing' : 'Change password'}
        </Button>
      </div>
    </form>
  );
}

type Ended = Promise<Result<{ ended: number }>>;
type SessionListProps = {
  sessions: readonly MemberSession[];
  now: string;
  end: (id: string) => Ended;
  endOthers: () => Ended;
};

/** The browsers one is signed in with, each to be signed out. */
export function SessionList({ sessions, now, end, endOthers }: SessionListProps) {
  const router = useRouter();
  const toast = useToast();
  const [isBusy, startSending] = useTransition();
  function send(act: () => Ended) {
    startSending(async () => {
      const result = await act().catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Check the sessions before you try again.'),
      );
      const done = result.ok ? `${formatNumberOf(result.value.ended, 'browser')} signed out` : result.problem.message;
      toast(done, result.ok ? 'done' : 'problem');
      router.refresh();
    });
  }
  return (
    <>
      <ScrollX label="Sessions">
        <Table isInset data-testid="sessions">
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col" className="max-narrow:hidden">
                Address
              </th>
              <th scope="col" className="max-narrow:hidden">
                Signed in
              </th>
              <th scope="col">Last seen</th>
              <th scope="col">
                <span className="sr-only">Sign out</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.map(({ id, device, address, createdAt, lastSeenAt, isThis }) => (
              <tr key={id}>
                <td>
                  {device} {isThis ? <Badge>This browser</Badge> : null}
                </td>
                <td className="wrap-anywhere text-ink-2 text-sm max-narrow:hidden">{address ?? 'unknown'}</td>
                <td className="text-ink-2 text-sm max-narrow:hidden">
                  <TimeAgo moment={createdAt} now={now} />
                </td>
                <td className="text-ink-2 text-sm">
                  <TimeAgo moment={lastSeenAt} now={now} />
                </td>
                <td className="whitespace-nowrap text-right">
                  {isThis ? null : (
                    <Button
                      variant="ghost"
                      size="small"
                      disabled={isBusy}
                      aria-label={`Sign out ${device}`}
                      onClick={() => send(() => end(id))}
                    >
                      Sign out
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollX>
      {sessions.length > 1 ? (
        <Pane className="border-b-0 py-3">
          <Button size="small" disabled={isBusy} onClick={() => send(endOthers)}>
            Sign out all others
          </Button>
        </Pane>
      ) : null}
    </>
  );
}
