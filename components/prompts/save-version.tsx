'use client';

import { useState } from 'react';
import { RoleButton } from '#components/access/role-button.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { isSamePrompt } from '#lib/prompts/prompt-body.ts';
import type { PlaygroundActions } from './use-playground-state.ts';
import type { PromptDraftState } from './use-prompt-draft.ts';

type SaveVersionProps = {
  draft: PromptDraftState;
  /** Newest version known to the page. */
  latest: number;
  save: PlaygroundActions['saveVersion'];
};

/** Saves the draft as the next version, with a message. */
export function SaveVersion({ draft, latest, save }: SaveVersionProps) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const [message, setMessage] = useState('');
  const { isBusy, problem, errorAt, submit } = useSubmit(
    'Hone did not answer. Check whether the version was saved before you try again.',
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
          <Field label="Message" help="What changed. Up to 300 characters." error={errorAt('message')}>
            <Input value={message} maxLength={300} onChange={(event) => setMessage(event.target.value)} />
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
