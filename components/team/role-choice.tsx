'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Select } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { ROLES } from '#lib/reflection/role.ts';
import type { Member } from '#lib/reflection/team/member.ts';
import { goneWords } from './gone-words.ts';
import { refusalOf } from './refusal-of.ts';
import { usePerson } from './role-provider.tsx';
import { withArticle } from './role-words.ts';
import type { TeamActions } from './team-actions.ts';

/** The role of a member, to be chosen; to give up one's own is asked about first. */
export function RoleChoice({ member, change }: { member: Member } & Pick<TeamActions, 'change'>) {
  const { id, name, role, isLastOwner } = member;
  const router = useRouter();
  const toast = useToast();
  const person = usePerson();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [isBusy, startSending] = useTransition();

  function send(next: string) {
    setAsked(false);
    setChosen(next);
    startSending(async () => {
      const result = await change(id, { role: next }).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer.'),
      );
      const done = result.ok
        ? `${name} is ${withArticle(result.value.role)} now${goneWords(result.value)}`
        : result.problem.message;
      toast(done, result.ok ? 'done' : 'problem');
      setChosen(null);
      router.refresh();
    });
  }
  return (
    <>
      <Select
        aria-label={`Role of ${name}`}
        value={chosen ?? role}
        disabled={isLastOwner || isBusy || member.disabledAt !== null}
        title={isLastOwner ? 'The last owner stays owner' : undefined}
        onChange={({ target: { value } }) => {
          if (id !== person.id) return send(value);
          setChosen(value);
          setAsked(true);
        }}
      >
        {ROLES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </Select>
      <Dialog
        open={isAsked}
        onOpenChange={(isOpen) => {
          setAsked(isOpen);
          if (!isOpen) setChosen(null);
        }}
        title="Give up being an owner?"
        description="From then on the settings, the team and this page are not yours. Another owner can give them back."
      >
        <div className="flex items-center gap-2">
          <Button onClick={() => chosen !== null && send(chosen)}>Give it up</Button>
          <Button
            variant="ghost"
            onClick={() => {
              setAsked(false);
              setChosen(null);
            }}
          >
            Stay owner
          </Button>
        </div>
      </Dialog>
    </>
  );
}
