'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { TimeAgo, useExactTime } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { TimelineItem } from '#components/ui/timeline.tsx';
import { fail, type Result } from '#lib/core/problem.ts';
import { formatNumberOf, formatTitle } from '#lib/format.ts';
import type { Note, NoteSubject } from '#lib/notes/notes.ts';

type NotesPaneProps = { subject: NoteSubject; notes: readonly Note[]; hasMore: boolean };

/** Shows the notes on a run or an experiment, newest first, with a form to add one. */
export function NotesPane({ subject: { kind, id }, notes, hasMore }: NotesPaneProps) {
  const [text, setText] = useState('');
  const { isBusy, problem, submit } = useSubmit(NOT_SAVED);
  const add = (body: { text: string }) => submitApi(`POST /api/v1/${kind}s/{id}/notes`, { params: { id }, body });
  return (
    <Pane aria-labelledby="notes-title" data-testid="notes">
      <PaneHeader
        titleId="notes-title"
        title="Notes"
        note={
          notes.length === 0
            ? 'none yet'
            : hasMore
              ? `the newest ${notes.length}`
              : formatNumberOf(notes.length, 'note')
        }
      />
      {notes.length === 0 ? null : (
        <ol className="mb-3">
          {notes.map((note) => (
            <NoteItem key={note.id} note={note} />
          ))}
        </ol>
      )}
      <RoleGate needs="reviewer">
        <SubmitForm
          className="flex max-w-[68ch] flex-col gap-2"
          onSubmit={() => submit(sendNote(text, add), () => setText(''))}
        >
          <Field
            label="Write a note"
            help="Markdown. Visible to all members, never sent to models."
            error={problem?.message ?? null}
          >
            <Textarea rows={2} value={text} onValue={setText} />
          </Field>
          <div className="flex items-center gap-2">
            <Button type="submit" size="small" disabled={isBusy}>
              {isBusy ? 'Adding' : 'Add note'}
            </Button>
          </div>
        </SubmitForm>
      </RoleGate>
    </Pane>
  );
}

/** Rendered in the browser only, so that stored text costs no server time. */
const RenderedOutput = dynamic(
  () => loadOrRetry(() => import('#components/run/rendered-output.tsx').then((module) => module.RenderedOutput)),
  { ssr: false, loading: () => <p className="animate-appear text-ink-2">Loading</p> },
);

/** Shows a note with author and time. Its author can edit and delete it; owners can delete it. */
function NoteItem({ note }: { note: Note }) {
  const exactTime = useExactTime();
  const { may } = useRoleAccess('reviewer');
  const { may: isOwner } = useRoleAccess('owner');
  const [draft, setDraft] = useState<string | null>(null);
  const saving = useSubmit(NOT_SAVED);
  const removing = useSubmit('Hone did not respond.');
  const isBusy = saving.isBusy || removing.isBusy;
  const title = formatTitle(note.text, 40);
  function save() {
    if (draft === null) return;
    saving.submit(
      sendNote(draft, (body) => submitApi('PATCH /api/v1/notes/{id}', { params: { id: note.id }, body })),
      () => setDraft(null),
    );
  }
  return (
    <TimelineItem isPerson>
      <div className="flex max-w-[68ch] flex-wrap items-center gap-2">
        <span>
          <b className="font-medium">{note.actor}</b>{' '}
          <span className="text-ink-3">
            <TimeAgo moment={note.createdAt} />
          </span>
          {note.updatedAt === note.createdAt ? null : (
            <span className="text-ink-3" title={exactTime(note.updatedAt)}>
              , changed
            </span>
          )}
        </span>
        {may && (note.isMine || isOwner) && draft === null ? (
          <span className="ml-auto flex items-center gap-2">
            {note.isMine ? (
              <Button variant="ghost" size="small" onClick={() => setDraft(note.text)}>
                Edit<span className="sr-only"> note {title}</span>
              </Button>
            ) : null}
            <Button
              variant="ghost"
              size="small"
              disabled={isBusy}
              onClick={() =>
                removing.submitWithToast(
                  submitApi('DELETE /api/v1/notes/{id}', { params: { id: note.id } }),
                  'Note deleted',
                )
              }
            >
              Delete<span className="sr-only"> the note {title}</span>
            </Button>
          </span>
        ) : null}
      </div>
      {draft === null ? (
        <RenderedOutput text={note.text} isBoxed={false} />
      ) : (
        <SubmitForm className="mt-1 flex max-w-[68ch] flex-col gap-2" onSubmit={save}>
          <Field label="Edit note" hideLabel error={saving.problem?.message ?? null}>
            <Textarea rows={4} value={draft} onValue={setDraft} />
          </Field>
          <div className="flex items-center gap-2">
            <Button type="submit" size="small" disabled={isBusy}>
              {isBusy ? 'Saving' : 'Save note'}
            </Button>
            <Button variant="ghost" size="small" onClick={() => setDraft(null)}>
              Cancel
            </Button>
          </div>
        </SubmitForm>
      )}
    </TimelineItem>
  );
}

const NOT_SAVED = 'Hone did not respond. The note was not saved.';

async function sendNote(
  text: string,
  send: (body: { text: string }) => Promise<Result<unknown>>,
): Promise<Result<unknown>> {
  return text.trim() === '' ? fail('invalid', 'enter a note') : send({ text });
}
