'use client';

import dynamic from 'next/dynamic';
import { type FormEvent, useState, useTransition } from 'react';
import { refusalOf } from '#components/team/refusal-of.ts';
import { useMay } from '#components/team/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatAgo, formatMoment, formatTitle } from '#lib/format.ts';
import type { Note } from '#lib/reflection/note.ts';
import type { NoteActions } from './notes-pane.tsx';
import { sendNote } from './send-note.ts';

/** In the browser alone: no stored text costs the server any work. */
const RenderedOutput = dynamic(
  () => import('#components/run/rendered-output.tsx').then((module) => module.RenderedOutput),
  { ssr: false, loading: () => <p className="muted late">Loading</p> },
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
    <li className="person sm">
      <div className="row wrap max-w-[68ch]">
        <span>
          <b className="md5">{note.actor}</b>{' '}
          <time className="faint" dateTime={note.createdAt} title={formatMoment(note.createdAt)}>
            {formatAgo(note.createdAt, new Date(now))}
          </time>
          {note.updatedAt === note.createdAt ? null : (
            <span className="faint" title={formatMoment(note.updatedAt)}>
              , changed
            </span>
          )}
        </span>
        {may && (note.isMine || isOwner) && draft === null ? (
          <span className="row end">
            {note.isMine ? (
              <Button variant="ghost" size="small" onClick={() => setDraft(note.text)}>
                Change<span className="vh"> the note {title}</span>
              </Button>
            ) : null}
            <Button variant="ghost" size="small" disabled={isBusy} onClick={remove}>
              Delete<span className="vh"> the note {title}</span>
            </Button>
          </span>
        ) : null}
      </div>
      {draft === null ? (
        <RenderedOutput text={note.text} isBoxed={false} />
      ) : (
        <form className="stack gap-2 mt-1 max-w-[68ch]" onSubmit={save} noValidate>
          <Field label="Change the note" hideLabel error={error}>
            <Textarea rows={4} value={draft} onChange={(event) => setDraft(event.target.value)} />
          </Field>
          <div className="row">
            <Button type="submit" size="small" disabled={isBusy}>
              {isBusy ? 'Storing' : 'Keep the change'}
            </Button>
            <Button variant="ghost" size="small" onClick={() => setDraft(null)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </li>
  );
}
