'use client';

import dynamic from 'next/dynamic';
import { type FormEvent, useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { useMay } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { TimelineItem } from '#components/ui/timeline.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatAgo, formatMoment, formatTitle } from '#lib/format.ts';
import type { Note } from '#lib/notes/note.ts';
import type { NoteActions } from './notes-pane.tsx';
import { sendNote } from './send-note.ts';

/** In the browser alone: no stored text costs the server any work. */
const RenderedOutput = dynamic(
  () => import('#components/run/rendered-output.tsx').then((module) => module.RenderedOutput),
  { ssr: false, loading: () => <p className="animate-appear text-ink-2">Loading</p> },
);

type NoteItemProps = { note: Note; actions: NoteActions; now: string };

/** One note: who wrote it, when, and its text; its writer changes or deletes it in place, an owner may delete it too. */
export function NoteItem({ note, actions, now }: NoteItemProps) {
  const toast = useToast();
  const { may } = useMay('reviewer');
  const { may: isOwner } = useMay('owner');
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, startWork] = useTransition();
  const title = formatTitle(note.text, 40);
  function save(event: FormEvent) {
    event.preventDefault();
    if (draft === null) return;
    startWork(async () => {
      const problem = await sendNote(draft, (text) => actions.edit(note.id, text));
      setError(problem);
      if (problem === null) setDraft(null);
    });
  }
  function remove() {
    startWork(async () => {
      const result = await actions.remove(note.id).catch((error: unknown) => refusalOf(error, 'Hone did not answer.'));
      toast(result.ok ? 'Note deleted' : result.problem.message, result.ok ? 'done' : 'problem');
    });
  }
  return (
    <TimelineItem isPerson>
      <div className="flex max-w-[68ch] flex-wrap items-center gap-2">
        <span>
          <b className="font-medium">{note.actor}</b>{' '}
          <time className="text-ink-3" dateTime={note.createdAt} title={formatMoment(note.createdAt)}>
            {formatAgo(note.createdAt, new Date(now))}
          </time>
          {note.updatedAt === note.createdAt ? null : (
            <span className="text-ink-3" title={formatMoment(note.updatedAt)}>
              , changed
            </span>
          )}
        </span>
        {may && (note.isMine || isOwner) && draft === null ? (
          <span className="ml-auto flex items-center gap-2">
            {note.isMine ? (
              <Button variant="ghost" size="small" onClick={() => setDraft(note.text)}>
                Change<span className="sr-only"> the note {title}</span>
              </Button>
            ) : null}
            <Button variant="ghost" size="small" disabled={isBusy} onClick={remove}>
              Delete<span className="sr-only"> the note {title}</span>
            </Button>
          </span>
        ) : null}
      </div>
      {draft === null ? (
        <RenderedOutput text={note.text} isBoxed={false} />
      ) : (
        <form className="mt-1 flex max-w-[68ch] flex-col gap-2" onSubmit={save} noValidate>
          <Field label="Change the note" hideLabel error={error}>
            <Textarea rows={4} value={draft} onChange={(event) => setDraft(event.target.value)} />
          </Field>
          <div className="flex items-center gap-2">
            <Button type="submit" size="small" disabled={isBusy}>
              {isBusy ? 'Storing' : 'Keep the change'}
            </Button>
            <Button variant="ghost" size="small" onClick={() => setDraft(null)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </TimelineItem>
  );
}
