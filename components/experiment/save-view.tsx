'use client';

import { Bookmark, BookmarkX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';
import type { KeptView } from './experiments-tabs.tsx';

type SaveViewProps = {
  /** What stands after the question mark of the address. */
  query: string;
  /** The view that is kept of just this; null where none is. */
  kept: KeptView | null;
  save: (input: unknown) => Promise<Result<unknown>>;
  remove: (id: string) => Promise<Result<unknown>>;
};

/** Keeps the list as it is filtered now under a name, or forgets the view that is looked at. */
export function SaveView({ query, kept, save, remove }: SaveViewProps) {
  const router = useRouter();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, startSending] = useTransition();

  function send(act: () => Promise<Result<unknown>>, done: string) {
    startSending(async () => {
      const result = await act().catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing was changed.'),
      );
      if (!result.ok && isOpen) return setError(result.problem.message);
      toast(result.ok ? done : result.problem.message, result.ok ? 'done' : 'problem');
      setOpen(false);
      setName('');
      setError(null);
      router.refresh();
    });
  }

  function keep(event: FormEvent) {
    event.preventDefault();
    send(() => save({ page: 'experiments', name, query }), `Kept as ${name.trim()}`);
  }

  if (kept !== null)
    return (
      <MayButton
        needs="reviewer"
        variant="ghost"
        disabled={isBusy}
        onClick={() => send(() => remove(kept.id), `${kept.name} is no longer kept`)}
      >
        <BookmarkX className="size-3.25" aria-hidden />
        Remove this view
      </MayButton>
    );
  return (
    <>
      <MayButton needs="reviewer" variant="ghost" onClick={() => setOpen(true)}>
        <Bookmark className="size-3.25" aria-hidden />
        Save this view
      </MayButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Save this view"
        description="Search, filters and order stand beside the tabs under this name, for you alone."
      >
        <form className="flex flex-col gap-3" onSubmit={keep} noValidate>
          <Field label="Name of the view" error={error}>
            <Input value={name} maxLength={40} onChange={(event) => setName(event.target.value)} />
          </Field>
          <div className="flex items-center gap-2">
            <Button type="submit" disabled={isBusy}>
              {isBusy ? 'Saving' : 'Save'}
            </Button>
            <Button variant="ghost" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
