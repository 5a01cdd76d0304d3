'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { MemberSession } from '#lib/auth/member-schema.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';

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
        refusalOf(error, 'Hone did not answer. Look before you try again.'),
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
                  {device} {isThis ? <Badge>This one</Badge> : null}
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
