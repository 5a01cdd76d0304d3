'use client';

import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { DatasetSelect } from '#components/datasets/dataset-select.tsx';
import { CriteriaEditor } from '#components/experiment/criteria-editor.tsx';
import { type CriterionDraft, fromCriterionDraft, toCriterionDraft } from '#components/experiment/criterion-draft.ts';
import { ModelChoice, ModelList, type ProviderChoice } from '#components/experiment/model-choice.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, FieldGrid, Input, Textarea } from '#components/ui/field.tsx';
import { errorAt as errorIn, errorSentence, FormErrors, withoutPath } from '#components/ui/form-errors.tsx';
import { ModalDialog } from '#components/ui/modal-dialog.tsx';
import { formatNumberEntry, parseNumberEntry } from '#components/ui/parse-entries.ts';
import { problemsOf } from '#lib/core/problem.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { PromptSetup } from '#lib/prompts/schema.ts';
import { fromSamplingDraft, type SamplingDraft, SamplingFields, toSamplingDraft } from './sampling-fields.tsx';

export type SetupChoices = {
  datasets: readonly { id: string; name: string; caseCount: number }[];
  providers: readonly ProviderChoice[];
  webhooks: readonly string[];
  isPythonOn: boolean;
};

/** `prompt`: the name of the prompt. */
export type SetupDialogProps = { prompt: string; setup: PromptSetup; choices: SetupChoices };

type SetupFormDialogProps = SetupDialogProps & { open: boolean; onOpenChange: (open: boolean) => void };

/** Dialog for the test setup of a prompt. Starts with the stored values each time it opens. */
export function SetupFormDialog({ open, onOpenChange, ...props }: SetupFormDialogProps) {
  return (
    <ModalDialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title="Setup"
      description="Used by the playground and as the start of tuning. Answers made with another setup are kept."
    >
      <SetupForm {...props} onClose={() => onOpenChange(false)} />
    </ModalDialog>
  );
}

function SetupForm({ prompt, setup, choices, onClose }: SetupDialogProps & { onClose: () => void }) {
  const [draft, setDraft] = useState<SetupDraft>(() => toSetupDraft(setup));
  const { isBusy, problem, submit } = useSubmit('Hone did not respond. Nothing was changed.');
  const change = (changes: Partial<SetupDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const problems = problemsOf(problem);
  function save() {
    const request = { params: { name: prompt }, body: fromSetupDraft(draft) };
    submit(submitApi('PATCH /api/v1/prompts/{name}', request), onClose);
  }
  const errorAt = (path: string) => errorIn(problems, path);
  return (
    <FormErrors problems={problems}>
      <div className="flex flex-col gap-4">
        <Field label="Dataset" help="Tuning runs use the same held-out cases." error={errorAt('datasetId')}>
          <DatasetSelect
            datasets={choices.datasets}
            value={draft.datasetId}
            onChange={(datasetId) => change({ datasetId })}
            none="None yet"
          />
        </Field>
        <ModelList
          models={draft.models}
          help="Version scores refer to this model."
          providers={choices.providers}
          path="models"
          errorAt={errorAt}
          onChange={(models) => change({ models })}
        />
        <SamplingFields draft={draft.sampling} prefix="" onChange={(sampling) => change({ sampling })} />
        <FieldGrid>
          <Field
            label="Quality threshold"
            help="Overall score, 0 to 1. Each criterion must also reach its own threshold."
            error={errorAt('qualityThreshold')}
          >
            <Input
              numeric
              value={draft.qualityThreshold}
              onValue={(qualityThreshold) => change({ qualityThreshold })}
            />
          </Field>
        </FieldGrid>
        <Field label="Instructions" help="System prompt of each call. It is not tuned." error={errorAt('instructions')}>
          <Textarea rows={2} value={draft.instructions} onValue={(instructions) => change({ instructions })} />
        </Field>
        <section>
          <h3 className="mb-2">Criteria</h3>
          <CriteriaEditor
            criteria={draft.criteria}
            judging={judgingOfSetup(draft)}
            webhooks={choices.webhooks}
            isPythonOn={choices.isPythonOn}
            errorAt={errorAt}
            onChange={(criteria) => change({ criteria })}
          />
        </section>
        <ModelChoice
          label="Judge model"
          help="Scores the criteria that use a judge."
          value={draft.evaluatorModel}
          none="Same as answers"
          providers={choices.providers}
          path="evaluatorModel"
          onChange={(evaluatorModel) => change({ evaluatorModel })}
        />
        <DialogFoot
          action="Save setup"
          busy="Saving"
          isBusy={isBusy}
          onAction={save}
          onCancel={onClose}
          problem={problem && { title: 'Not saved', message: errorSentence('The marked field', withoutPath(problem)) }}
        />
      </div>
    </FormErrors>
  );
}

type SetupDraft = {
  datasetId: string;
  models: ModelReference[];
  sampling: SamplingDraft;
  instructions: string;
  criteria: CriterionDraft[];
  evaluatorModel: ModelReference | null;
  qualityThreshold: string;
};

function toSetupDraft(setup: PromptSetup): SetupDraft {
  return {
    datasetId: setup.datasetId ?? '',
    models: setup.models,
    sampling: toSamplingDraft(setup),
    instructions: setup.instructions,
    criteria: setup.criteria.map(toCriterionDraft),
    evaluatorModel: setup.evaluatorModel,
    qualityThreshold: formatNumberEntry(setup.qualityThreshold),
  };
}

/** Converts form values to the request. Invalid numbers are sent as typed, so that the server can report them. */
function fromSetupDraft(draft: SetupDraft) {
  return {
    datasetId: draft.datasetId === '' ? null : draft.datasetId,
    models: draft.models,
    ...fromSamplingDraft(draft.sampling),
    instructions: draft.instructions,
    criteria: draft.criteria.map(fromCriterionDraft),
    evaluatorModel: draft.evaluatorModel,
    qualityThreshold: parseNumberEntry(draft.qualityThreshold),
  };
}

/** Returns the settings that affect judging, for testing one criterion on an output. */
function judgingOfSetup(draft: SetupDraft): Record<string, unknown> {
  const [model] = draft.models;
  const { instructions, temperature, evaluatorTemperature, evaluatorModel } = fromSetupDraft(draft);
  return {
    generator: { ...model, instructions, temperature },
    temperatures: { evaluate: evaluatorTemperature },
    evaluatorModel,
  };
}
