'use client';

import { Ellipsis } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { usePerson } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Member } from '#lib/auth/member-schema.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import { MadeLink } from './made-link.tsx';
import { goneLabel } from './removal-labels.ts';
import type { ShownLink, TeamActions } from './team-actions.ts';

type MemberActsProps = { member: Member } & Pick<TeamActions, 'change' | 'endSessions' | 'makePasswordLink'>;

/** What else an owner can do with a member, each with what comes of it. */
export function MemberActs({ member, change, endSessions, makePasswordLink }: MemberActsProps) {
  const { id, name } = member;
  const router = useRouter();
  const toast = useToast();
  const isSelf = usePerson().id === id;
  const isDisabled = member.disabledAt !== null;
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<ShownLink | null>(null);
  const [isBusy, startSending] = useTransition();

  function send<Value>(act: () => Promise<Result<Value>>, onDone: (value: Value) => void) {
    startSending(async () => {
      const result = await act().catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Look before you try again.'),
      );
      if (result.ok) onDone(result.value);
      else toast(result.problem.message, 'problem');
      router.refresh();
    });
  }
  function close(words: string) {
    toast(words);
    setOpen(false);
  }
  return (
    <>
      <Button variant="ghost" size="smallIcon" aria-label={`More for ${name}`} onClick={() => setOpen(true)}>
        <Ellipsis className="size-3.25" aria-hidden />
      </Button>
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
          <Act
            words="They set a new password by a link that works once, within a day."
            hindrance={isDisabled ? 'Enable them first: a password would not let them in.' : null}
          >
            <Button disabled={isBusy || isDisabled} onClick={() => send(() => makePasswordLink(id), setMade)}>
              New password link
            </Button>
          </Act>
          {made === null ? null : (
            <li className="py-2">
              <MadeLink link={made} title={`The link for a new password of ${name} is made.`} />
            </li>
          )}
          <Act
            words={
              isSelf
                ? 'All your browsers but this one have to sign in again.'
                : `They have to sign in again, in ${formatNumberOf(member.sessions, 'browser')}.`
            }
            hindrance={member.sessions === 0 ? 'They are signed in nowhere.' : null}
          >
            <Button
              disabled={isBusy || member.sessions === 0}
              onClick={() =>
                send(
                  () => endSessions(id),
                  ({ ended }) => close(`${name}: ${formatNumberOf(ended, 'session')} ended`),
                )
              }
            >
              Sign out everywhere
            </Button>
          </Act>
          {isDisabled ? (
            <Act words="They can sign in again, and their tokens hold again." hindrance={null}>
              <Button
                disabled={isBusy}
                onClick={() =>
                  send(
                    () => change(id, { disabled: false }),
                    () => close(`${name} can sign in again`),
                  )
                }
              >
                Enable
              </Button>
            </Act>
          ) : (
            <Act
              words="They are signed out and can’t sign in; their tokens are refused, links they made are withdrawn. What they did stays under their name."
              hindrance={
                isSelf
                  ? 'You can’t disable yourself: ask another owner.'
                  : member.isLastOwner
                    ? 'The last owner stays.'
                    : null
              }
            >
              <Button
                disabled={isBusy || isSelf || member.isLastOwner}
                onClick={() =>
                  send(
                    () => change(id, { disabled: true }),
                    (changed) => close(`${name} is disabled${goneLabel(changed)}`),
                  )
                }
              >
                Disable
              </Button>
            </Act>
          )}
        </ul>
      </Dialog>
    </>
  );
}

function Act({ words, hindrance, children }: { words: string; hindrance: string | null; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-2 py-2.5">
      <span className="min-w-40 flex-1 text-ink-2 text-sm">{hindrance ?? words}</span>
      {children}
    </li>
  );
}
