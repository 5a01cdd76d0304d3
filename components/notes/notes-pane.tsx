'use client';

import { type FormEvent, useState, useTransition } from 'react';
import { OnlyFor } from '#components/access/only-for.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { Result } from '#lib/core/problem.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { Note } from '#lib/notes/note.ts';
import { NoteItem } from './note-item.tsx';
import { sendNote } from './send-note.ts';

/** What can be done with notes; each renews the page it is on. */
export type NoteActions = {
  add: (text: string) => Promise<Result<unknown>>;
  edit: (noteId: string, text: string) => Promise<Result<unknown>>;
  remove: (noteId: string) => Promise<Result<unknown>>;
};

type NotesPaneProps = { notes: readonly Note[]; hasMore: boolean; actions: NoteActions; now: string };

/** What people wrote on a run or an experiment, latest first, and a field to write more. */
export function NotesPane({ notes, hasMore, actions, now }: NotesPaneProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSending, startSending] = useTransition();
  function send(event: FormEvent) {
    event.preventDefault();
    startSending(async () => {
      const problem = await sendNote(text, actions.add);
      setError(problem);
      if (problem === null) setText('');
    });
  }
  return (
    <Pane aria-labelledby="notes-title" data-testid="notes">
      <PaneHeader>
        <h2 id="notes-title">Notes</h2>
        <span className="text-ink-3 text-sm">
          {notes.length === 0
            ? 'none yet'
            : hasMore
              ? `the newest ${notes.length}`
              : formatNumberOf(notes.length, 'note')}
        </span>
      </PaneHeader>
      {notes.length === 0 ? null : (
        <ol className="mb-3">
          {notes.map((note) => (
            <NoteItem key={note.id} note={note} actions={actions} now={now} />
          ))}
        </ol>
      )}
      <OnlyFor needs="reviewer">
        <form className="flex max-w-[68ch] flex-col gap-2" onSubmit={send} noValidate>
          <Field label="Write a note" help="Markdown; seen by everybody here, and never by a model" error={error}>
            <Textarea rows={2} value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
          <div className="flex items-center gap-2">
            <Button type="submit" size="small" disabled={isSending}>
              {isSending ? 'Storing' : 'Add the note'}
            </Button>
          </div>
        </form>
      </OnlyFor>
    </Pane>
  );
}
