'use client';

import { BookmarkPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { promptPath } from '#lib/prompts/prompt.ts';
import type { RunPrompt } from '#lib/prompts/queries.ts';
import type { TunedVersion } from '#lib/statistics/tuning-summary.ts';

type SavePromptInput = { version: number; name: string; message: string; label: string | null; reason: string };
export type SavePrompt = (
  input: SavePromptInput,
) => Promise<Result<{ name: string; version: number; label: string | null; labelProblem: string | null }>>;

type SavedPromptPaneProps = {
  version: number;
  saved: readonly RunPrompt[];
  /** Model and temperature used for the version. Empty if they equal the settings. */
  triedWith: string;
  /** Button that exports the version. */
  exportAs: ReactNode;
};

/** Shows where the selected version is saved in the prompt library, and exports it. */
export function SavedPromptPane({ version, saved, triedWith, exportAs }: SavedPromptPaneProps) {
  const already = saved.filter(({ runVersion }) => runVersion === version);
  if (already.length === 0 && triedWith === '' && exportAs === null) return null;
  return (
    <Pane className="flex flex-wrap items-center gap-2 max-medium:order-3" aria-label="Prompt library">
      {already.map(({ name, version: number, labels }) => (
        <span key={`${name} ${number}`} className="wrap-anywhere flex min-w-0 flex-wrap items-center gap-x-2">
          v{version} is saved as
          <TextLink className="min-w-0 font-medium" href={promptPath(name)}>
            v{number} of {name}
          </TextLink>
          {labels.map((label) => (
            <Badge key={label} tone="plain">
              {label}
            </Badge>
          ))}
        </span>
      ))}
      {triedWith === '' ? null : (
        <span className="text-sm">
          v{version} was evaluated with {triedWith}. Use the same in your app.
        </span>
      )}
      {exportAs === null ? null : <span className="ml-auto">{exportAs}</span>}
    </Pane>
  );
}

type SavePromptButtonProps = {
  version: number;
  /** Name of the library prompt that the run tunes. Null if the text is not in the library. */
  promptName: string | null;
  /** Suggested name for a new prompt. */
  suggestedName: string;
  /** Model and temperature used for the version. Empty if they equal the settings. */
  triedWith: string;
  /** Note on parts of the setup that are not saved with the prompt. Null if all are. */
  notSaved: string | null;
  save: SavePrompt;
};

/** Saves the selected version to the prompt library. */
export function SavePromptButton(props: SavePromptButtonProps) {
  const { version, promptName } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <RoleButton
        needs="editor"
        className="max-w-full"
        title={promptName === null ? undefined : `Save v${version} as version of ${promptName}`}
        onClick={() => setOpen(true)}
      >
        <BookmarkPlus />
        <span className="max-w-80 truncate">
          Save v{version}
          <span className="max-narrow:sr-only">
            {promptName === null ? ' as a prompt' : ` as version of ${promptName}`}
          </span>
        </span>
      </RoleButton>
      <SaveDialog key={version} {...props} open={isOpen} onOpen={setOpen} />
    </>
  );
}

type SaveDialogProps = SavePromptButtonProps & { open: boolean; onOpen: (open: boolean) => void };

function SaveDialog({ version, promptName, suggestedName, triedWith, notSaved, open, onOpen, save }: SaveDialogProps) {
  const toast = useToast();
  const [name, setName] = useState(promptName ?? suggestedName);
  const [message, setMessage] = useState(
    `From v${version} of a tuning run${triedWith === '' ? '' : `, evaluated with ${triedWith}`}`,
  );
  const [label, setLabel] = useState('');
  const [own, setOwn] = useState('');
  const [reason, setReason] = useState('');
  const { isBusy, problem, setProblem, errorAt, submit } = useSubmit(
    'Hone did not respond. Check the prompt before you try again.',
  );

  function send() {
    const chosen = label === OWN ? own.trim() : label;
    if (label === OWN && chosen === '')
      return setProblem({ code: 'invalid', field: 'label', message: 'Enter a label.' });
    submit(save({ version, name, message, label: chosen === '' ? null : chosen, reason }), (value) => {
      onOpen(false);
      toast(
        value.labelProblem === null
          ? `Saved as v${value.version} of ${value.name}${value.label === null ? '' : `, labeled ${value.label}`}`
          : `Saved as v${value.version} of ${value.name}, but not labeled. ${value.labelProblem}`,
        value.labelProblem === null ? 'done' : 'problem',
      );
    });
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpen}
      title={`Save v${version} as a version`}
      description="The version links to this run. The run does not change."
    >
      <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
        {notSaved === null ? null : <Notice title="The agent is not saved">{notSaved}</Notice>}
        {promptName === null ? (
          <Field
            label="Prompt"
            help="A new name creates a prompt whose first version is the original text. Its setup has the model and temperature of this version."
            error={errorAt('name')}
          >
            <Input value={name} onValue={setName} />
          </Field>
        ) : null}
        <Field label="What changed" help="Shown in the list of versions" error={errorAt('message')}>
          <Input data-autofocus value={message} onValue={setMessage} />
        </Field>
        <Field
          label="Label"
          help="Programs request a prompt by label. Every move is saved."
          error={label === OWN ? null : errorAt('label')}
        >
          <Select
            value={label}
            onValue={(value) => {
              setLabel(value);
              setProblem(null);
            }}
          >
            <option value="">none</option>
            <option value="production">production</option>
            <option value="staging">staging</option>
            <option value={OWN}>custom</option>
          </Select>
        </Field>
        {label === OWN ? (
          <Field label="Label name" error={errorAt('label')}>
            <Input value={own} onValue={setOwn} />
          </Field>
        ) : null}
        {label === '' ? null : (
          <Field
            label="Reason for the move"
            help="Required to move production to a version that loses on held-out cases."
            error={errorAt('reason')}
          >
            <Input value={reason} onValue={setReason} />
          </Field>
        )}
        <DialogFoot
          action="Save version"
          busy="Saving"
          isBusy={isBusy}
          onCancel={() => onOpen(false)}
          problem={
            problem !== null && !['name', 'message', 'label', 'reason'].includes(problem.field ?? '')
              ? { title: 'Not saved', message: problem.message }
              : null
          }
        />
      </SubmitForm>
    </Dialog>
  );
}

const OWN = '(own)';

/** Returns false for a version that checks rejected, and for the first prompt of a run if it comes from the library. */
export function canSaveVersion(
  version: Pick<TunedVersion, 'state'> | undefined,
  { tune }: { tune: Pick<ExperimentSettings['tune'], 'prompt'> },
): boolean {
  if (version === undefined || version.state === 'held_back') return false;
  return version.state !== 'given' || tune.prompt === null;
}
