'use client';

import { Save } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { DatasetSelect } from '#components/datasets/dataset-select.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { OptionsEditor } from '#components/prompt-editor/options-editor.tsx';
import { PromptTextEditor } from '#components/prompt-editor/prompt-text-editor.tsx';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { FormErrors } from '#components/ui/form-errors.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { problemsOf, type Result } from '#lib/core/problem.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import type { PlaygroundRun, PlaygroundSetup } from '#lib/prompts/playground-schema.ts';
import { promptPath } from '#lib/prompts/prompt.ts';
import { PromptNameField } from './prompt-name-field.tsx';
import type { SetupChoices } from './setup-form-dialog.tsx';
import { firstTypedState, TypedPane, typedSetup } from './typed-pane.tsx';
import { fromEdited } from './use-prompt-draft.ts';
import { useTypedRun } from './use-typed-run.ts';
import { useUnsavedPrompt } from './use-unsaved-prompt.ts';

type NewPlaygroundProps = {
  choices: SetupChoices;
  /** Initial setup of a new prompt, with the default models. */
  setup: PlaygroundSetup;
  runs: readonly PlaygroundRun[];
  save: (input: unknown, runIds: readonly string[]) => Promise<Result<{ name: string; version: number }>>;
};

const EXAMPLE = 'Sort this mail. Answer with one label: billing, bug, other.\n\nMail: {{input}}';

/** Playground of an unsaved prompt. The prompt gets its name when it is saved. */
export function NewPlayground({ choices, setup, runs, save }: NewPlaygroundProps) {
  const router = useRouter();
  const { edited, edit, discard } = useUnsavedPrompt();
  const { text } = edited;
  const [state, setState] = useState(() => firstTypedState(setup, undefined));
  const run = useTypedRun(runs);
  const [older] = useState(() => new Set(runs.map(({ id }) => id)));

  async function saveAs(entries: { name: string; message: string; datasetId: string | null }) {
    const { datasetId, name, message } = entries;
    const note = message.trim() === '' ? {} : { message };
    const made = run.history.flatMap(({ id }) => (older.has(id) ? [] : [id]));
    const saved = await save(
      { name, ...fromEdited(edited), ...note, setup: { ...typedSetup(state), datasetId } },
      made,
    );
    if (saved.ok) discard();
    return saved;
  }

  const variables = templateVariables(text);
  return (
    <>
      <PageHead
        title="New prompt"
        facts={<span>Run the prompt on an input, then save it.</span>}
        actions={
          <SavePrompt
            datasets={choices.datasets}
            isEmpty={text.trim() === ''}
            save={saveAs}
            onSaved={(name) => router.push(promptPath(name))}
          />
        }
      />
      <Columns className="following:min-w-0 flex-1 medium:grid-cols-2 border-b-0 [--editor-height:60vh]">
        <Pane aria-label="The prompt" className="border-b-0">
          <PromptTextEditor value={text} onChange={(next) => edit({ text: next })}>
            <Field label="Prompt" help="{{input}} and {{metadata.NAME}} are filled in from each case">
              <CodeEditor value={text} language="prompt" example={EXAMPLE} onChange={(next) => edit({ text: next })} />
            </Field>
          </PromptTextEditor>
          <OptionsEditor value={edited.options} onChange={(options) => edit({ options })} />
          <p className="mt-2 text-ink-2 text-sm" role="status" data-testid="variables">
            {variables.length === 0 ? null : 'Variables '}
            {variables.map(({ name }) => (
              <code key={name} className="mr-1">{`{{${name}}}`}</code>
            ))}
            {variables.some(({ name }) => name === 'reference')
              ? '{{reference}} is only available to judges. Remove it, because models that work on the task must not see it.'
              : null}
          </p>
        </Pane>
        <div className="min-w-0">
          <TypedPane
            prompt={null}
            edited={edited}
            onEdit={edit}
            state={state}
            onState={setState}
            run={run}
            choices={choices}
          />
        </div>
      </Columns>
    </>
  );
}

type SavePromptProps = {
  datasets: SetupChoices['datasets'];
  isEmpty: boolean;
  save: (entries: { name: string; message: string; datasetId: string | null }) => Promise<Result<{ name: string }>>;
  /** Called with the stored name, unless the user has left the page. */
  onSaved: (name: string) => void;
};

const FIELDS = ['name', 'message', 'setup.datasetId'];

function SavePrompt({ datasets, isEmpty, save, onSaved }: SavePromptProps) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [message, setMessage] = useState('');
  const [datasetId, setDatasetId] = useState('');
  const { isBusy, problem, setProblem, submit } = useSubmit(
    'Hone did not respond. Check the list of prompts before you try again.',
  );
  const problems = problemsOf(problem);
  const other = problems.find(({ field }) => !FIELDS.includes(field ?? ''));

  return (
    <>
      <RoleButton
        needs="editor"
        disabled={isEmpty}
        title={isEmpty ? 'Write a prompt first' : undefined}
        onClick={() => {
          setProblem(null);
          setOpen(true);
        }}
      >
        <Save />
        Save prompt
      </RoleButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Save prompt"
        description="Saved as version 1, with its models and checks."
      >
        <FormErrors problems={problems}>
          <div className="flex flex-col gap-4">
            <PromptNameField value={name} onChange={setName} />
            <Field label="Message" help="Describes this version. Default: First version" path="message">
              <Input value={message} maxLength={300} onValue={setMessage} />
            </Field>
            <Field label="Dataset" help="For evaluation. You can choose it later." path="setup.datasetId">
              <DatasetSelect datasets={datasets} value={datasetId} onChange={setDatasetId} none="None" />
            </Field>
            <DialogFoot
              action="Save"
              busy="Saving"
              isBusy={isBusy}
              onAction={() =>
                submit(save({ name, message, datasetId: datasetId || null }), ({ name }) => onSaved(name))
              }
              onCancel={() => setOpen(false)}
              problem={other === undefined ? null : { title: 'Not saved', message: other.message }}
            />
          </div>
        </FormErrors>
      </Dialog>
    </>
  );
}
