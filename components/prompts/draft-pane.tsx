'use client';

import { Check, FileDiff, PencilLine, TriangleAlert } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { RoleButton, RoleRequired } from '#components/access/role-controls.tsx';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { OptionsEditor } from '#components/prompt-editor/options-editor.tsx';
import { PromptTextEditor } from '#components/prompt-editor/prompt-text-editor.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { isComparedOnServer } from '#components/ui/diff/diff-lines.tsx';
import { DiffView } from '#components/ui/diff/lazy-diff-view.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { useIsHydrating } from '#components/ui/hydration.ts';
import { LocalTime } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { WithSignInLink } from '#components/ui/with-sign-in-link.tsx';
import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { isSamePrompt, promptDocument } from '#lib/prompts/prompt.ts';
import { checkVariables, variableNotes } from './check-variables.ts';
import type { PlaygroundCase } from './choose-cases.ts';
import { changedLines } from './evaluation-rows.ts';
import type { SaveDraft } from './use-playground-state.ts';
import type { DraftBase, PromptDraftState } from './use-prompt-draft.ts';

type DraftPaneProps = {
  draft: PromptDraftState;
  against: DraftBase;
  cases: readonly PlaygroundCase[];
  view: 'edit' | 'diff';
  onView: (view: 'edit' | 'diff') => void;
  /** Control that saves the draft as a version. Null if the draft equals its base version. */
  save: ReactNode;
};

const NO_LINES = { added: 0, removed: 0 };

/** Edits the draft or shows its diff from a version, with checked variables and save status. */
export function DraftPane({ draft, against, cases, view, onView, save }: DraftPaneProps) {
  const { text, body, base } = draft;
  const document = promptDocument(body);
  const before = promptDocument(base);
  const { may, why } = useRoleAccess('editor');
  const waits = useIsHydrating() && !isComparedOnServer(before, document);
  const lines = useMemo(() => (waits ? NO_LINES : changedLines(before, document)), [waits, before, document]);
  const checked = useMemo(() => checkVariables(text, cases), [text, cases]);
  const notes = variableNotes(checked, cases.length, messagesOfPrompt(text) !== null);
  return (
    <Pane aria-label="The prompt">
      <PaneHeader>
        <Segmented
          label="View"
          value={view}
          onChange={onView}
          choices={[
            {
              value: 'edit',
              label: (
                <>
                  <PencilLine />
                  Edit
                </>
              ),
            },
            {
              value: 'diff',
              label: (
                <>
                  <FileDiff />
                  Diff to v{against.number}
                </>
              ),
            },
          ]}
        />
        <span className="text-ink-3 text-sm">
          {lines.added + lines.removed === 0 ? (
            <>same as v{base.number}</>
          ) : (
            <>
              {lines.added > 0 ? <span className="text-better">+{formatCount(lines.added)}</span> : null}{' '}
              {lines.removed > 0 ? <span className="text-worse">−{formatCount(lines.removed)}</span> : null}{' '}
              {lines.added + lines.removed === 1 ? 'line' : 'lines'} since v{base.number}
            </>
          )}{' '}
          · about {formatNumberOf(estimatedTokens(document), 'token')}
        </span>
        <span className="ml-auto flex items-center gap-2">{save}</span>
      </PaneHeader>
      <DraftNotice draft={draft} />
      <RoleRequired why={why} />
      {view === 'edit' && !may ? (
        <CodeBlock>{document}</CodeBlock>
      ) : view === 'edit' ? (
        <>
          <PromptTextEditor value={text} onChange={(next) => draft.edit({ text: next })}>
            <Field label="Prompt" hideLabel>
              <CodeEditor
                value={text}
                language="prompt"
                example="Sort this mail. Answer with one label.\n\nMail: {{input}}"
                onChange={(next) => draft.edit({ text: next })}
              />
            </Field>
          </PromptTextEditor>
          <OptionsEditor value={draft.options} onChange={(options) => draft.edit({ options })} />
        </>
      ) : (
        <DiffView
          before={promptDocument(against)}
          after={document}
          layout="unified"
          label={`Draft against v${against.number}`}
        />
      )}
      <div className="mt-2 flex flex-wrap items-center gap-2 gap-x-3 text-ink-2 text-sm">
        <span>
          {checked.length === 0 ? 'No variables' : 'Variables '}
          {checked.map(({ name }) => (
            <code key={name} className="mr-1">{`{{${name}}}`}</code>
          ))}
        </span>
        <span className="ml-auto" role="status">
          <WithSignInLink>{saveStatusLabel(draft)}</WithSignInLink>
        </span>
      </div>
      <ul className="mt-1 text-sm" aria-label="Variables checked">
        {notes.map(({ isGood, text }) => (
          <li key={text} className={isGood ? 'text-ink-2' : 'text-wait'}>
            {isGood ? <Check /> : <TriangleAlert />} {text}
          </li>
        ))}
      </ul>
    </Pane>
  );
}

function saveStatusLabel({ status, failure }: PromptDraftState): string {
  const texts: Record<typeof status, string> = {
    same: '',
    typing: 'Unsaved edit',
    kept: 'Draft saved',
    failed: `Draft not saved: ${failure}`,
    changed: 'Draft not saved: changed in another window',
  };
  return texts[status];
}

/** Shown in the later of two windows if the draft changed in the other one. The user chooses; nothing is lost before that. */
function DraftNotice({ draft }: { draft: PromptDraftState }) {
  const { status, theirs } = draft;
  if (status !== 'changed') return null;
  const title =
    theirs === null ? 'The draft was saved or discarded in another window' : 'The draft was changed in another window';
  return (
    <Notice
      tone="wait"
      alert
      className="mb-2"
      title={title}
      actions={
        <>
          <RoleButton needs="editor" size="small" onClick={() => draft.keepMine(theirs)}>
            Keep this draft
          </RoleButton>
          <Button size="small" onClick={() => (theirs === null ? window.location.reload() : draft.takeTheirs(theirs))}>
            Use other draft
          </Button>
        </>
      }
    >
      {theirs === null ? null : (
        <>
          The other draft was saved on <LocalTime moment={theirs.updatedAt} />.{' '}
        </>
      )}
      This draft is not saved until you choose.
    </Notice>
  );
}

type SaveVersionProps = {
  draft: PromptDraftState;
  /** Newest version known to the page. */
  latest: number;
  save: SaveDraft;
};

/** Saves the draft as the next version, with a message. */
export function SaveVersion({ draft, latest, save }: SaveVersionProps) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const [message, setMessage] = useState('');
  const { isBusy, problem, errorAt, submit } = useSubmit(
    'Hone did not respond. Check whether the version was saved before you try again.',
  );
  const isSame = isSamePrompt(draft.body, draft.base);

  function send() {
    const { body, base } = draft;
    // Wait for a pending draft save. Otherwise it would recreate the deleted draft.
    const saved = draft.keep().then(() => save({ ...body, message, parent: base.number, latest }));
    submit(saved, ({ version }) => {
      draft.saved({ number: version, ...body });
      setOpen(false);
      setMessage('');
      toast(`Saved as v${version}`);
    });
  }

  return (
    <>
      <RoleButton
        needs="editor"
        size="small"
        disabled={isSame}
        title={isSame ? `The draft is the same as v${draft.base.number}, so there is nothing to save` : undefined}
        onClick={() => setOpen(true)}
      >
        Save as v{latest + 1}
      </RoleButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Save as v${latest + 1}`}
        description="A version never changes. Programs get it once it has a label."
      >
        <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
          <Field label="Message" help="What changed. Required, up to 300 characters." error={errorAt('message')}>
            <Input value={message} maxLength={300} onValue={setMessage} />
          </Field>
          <DialogFoot
            action={`Save v${latest + 1}`}
            busy="Saving"
            isBusy={isBusy}
            isReady={message.trim() !== ''}
            onCancel={() => setOpen(false)}
            problem={
              problem !== null && problem.field !== 'message' ? { title: 'Not saved', message: problem.message } : null
            }
          />
        </SubmitForm>
      </Dialog>
    </>
  );
}
