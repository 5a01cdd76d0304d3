'use client';

import { useState } from 'react';
import { DatasetSelect } from '#components/datasets/dataset-select.tsx';
import { PromptTextEditor } from '#components/prompt-editor/prompt-text-editor.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, FieldGrid, Input } from '#components/ui/field.tsx';
import { useErrorAt } from '#components/ui/form-errors.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import {
  ACCEPTANCE_RULES,
  CANDIDATE_SELECTIONS,
  MINIBATCH_RULES,
  settingsSchema,
  TUNING_STRATEGIES,
} from '#lib/core/settings.ts';
import { STRATEGIES } from '#lib/core/tuning/strategies/registry.ts';
import { promptPath } from '#lib/prompts/prompt.ts';
import type { FormSettings } from './form-settings.ts';
import { ACCEPTANCE_LABELS, MINIBATCH_LABELS, SELECTION_LABELS } from './form-summary.ts';
import { ModelList } from './model-choice.tsx';
import { PromptWarning } from './prompt-warning.tsx';
import {
  CheckField,
  LongTextField,
  NumberField,
  NumbersField,
  SelectField,
  useSettingsForm,
} from './setting-fields.tsx';
import { countSplits, SplitCounts } from './split-counts.tsx';

/** Edits the prompt to tune. */
export function TunedPromptField() {
  const { settings, set } = useSettingsForm();
  const text = settings.prompts.generate ?? '';
  const isWritten = settings.tune.task !== null;
  const [source, setSource] = useState(settings.tune.prompt);
  const choice = (
    <CheckboxField
      label="Write the first prompt for me"
      checked={isWritten}
      onChange={({ target }) => {
        set('tune.task', target.checked ? text : null);
        set('prompts.generate', target.checked ? null : settings.tune.task);
        set('tune.prompt', target.checked ? null : source);
        if (target.checked) setSource(settings.tune.prompt);
      }}
    />
  );
  if (isWritten)
    return (
      <>
        <LongTextField
          path="tune.task"
          also="prompts.generate"
          label="Task description"
          help="The reflection model writes the first prompt from it and from up to 8 training cases."
          rows={5}
        />
        {choice}
      </>
    );
  return (
    <>
      <PromptTextEditor value={text} onChange={(next) => set('prompts.generate', next)}>
        <LongTextField
          isCode
          path="prompts.generate"
          also="tune.prompt"
          label="Prompt to tune"
          help={<PromptHelp settings={settings} />}
          rows={8}
        />
      </PromptTextEditor>
      <PromptWarning text={text} />
      {choice}
    </>
  );
}

/** Edits the split of the cases and the conditions for accepting a proposal. */
export function TuneFields({ datasetId, onDataset }: TuneFieldsProps) {
  return (
    <>
      <FieldGrid>
        <NumberField
          path="tune.heldOutShare"
          label="Share held out"
          help="0 to 0.9, default 0.25. Used only at the end, to compare the first and the best prompt."
        />
        <NumberField
          path="tune.validationShare"
          label="Share for validation"
          help="0 to 0.9 of the rest, default 0.4. Candidates are chosen by these cases. At 0, training cases are used."
        />
      </FieldGrid>
      {onDataset === null ? null : <TuneSplit datasetId={datasetId} onDataset={onDataset} />}
      <StrategyField />
      <FieldGrid>
        <NumberField path="tune.minibatchSize" label="Cases per proposal" help="1 to 50, default 3 (minibatch size)." />
        <NumberField
          path="tune.maxPromptTokens"
          label="Maximum prompt length (tokens)"
          help="20 to 100,000, default 2,000. Longer proposals are discarded."
        />
        <SelectField
          path="tune.selection"
          label="Next proposal starts from"
          options={CANDIDATE_SELECTIONS}
          labelOf={(one) => SELECTION_LABELS[one]}
        />
        <SelectField
          path="tune.minibatches"
          label="Cases of a proposal"
          help="All training cases come up in turn. Known failures come up more often if you choose them."
          options={MINIBATCH_RULES}
          labelOf={(one) => MINIBATCH_LABELS[one]}
        />
        <NumberField
          path="tune.proposalsAtOnce"
          label="Proposals at the same time"
          help="1 to 16, default 4. Each uses different training cases. Those that improve are combined into one prompt."
        />
        <SelectField
          path="tune.acceptance"
          label="Validate a proposal if"
          help="Compared on the cases of the proposal. Only the sign test on validation cases decides which is better."
          options={ACCEPTANCE_RULES}
          labelOf={(one) => ACCEPTANCE_LABELS[one]}
        />
        <NumberField
          path="tune.maxRepeats"
          label="Maximum tries per held-out case"
          help="1 to 16, default 4. If scores vary, the first and the best prompt are tried again until a test is decided."
        />
        <NumberField
          path="tune.smallestGain"
          label="Smallest gain to find"
          help="0.01 to 1, default 0.1. The test finds a gain of this size in 4 of 5 runs. It may miss smaller ones."
        />
        <NumberField
          path="tune.falseAcceptance"
          label="False positive rate"
          help="0.001 to 0.5, default 0.05. Highest chance that the test claims a gain without one."
        />
        <NumberField
          path="tune.demonstrations"
          label="Worked examples"
          help="0 to 20, default 0. Number of solved training cases added to the best prompt. Uses one proposal. With a few-shot strategy, the largest set (0: 4)."
        />
        <NumberField
          path="tune.maxTries"
          label="Maximum cases tried"
          help="Empty: no limit. Counts every prompt on every case. The held-out cases at the end are not counted."
        />
        <WeightField />
        <NumberField path="tune.seed" label="Seed" help="Default 0. Determines the split and the order of cases." />
      </FieldGrid>
      <ParameterFields />
      <CheckField
        path="tune.feedback"
        label="Show evaluator feedback to the reflection model"
        help="Default: on. If off, proposals see only inputs, outputs and scores. Turn it off for a control run."
      />
      <CheckField
        path="tune.references"
        label="Show references of training cases to the reflection model"
        help="Default: on. References of validation and held-out cases are never sent."
      />
    </>
  );
}

function WeightField() {
  const { settings, set } = useSettingsForm();
  return (
    <Field
      label="Weight of a case (metadata key)"
      help="Empty: all cases count the same. The values are numbers above 0, at most 100. Cases without one weigh 1."
      path="tune.weightKey"
    >
      <Input
        value={settings.tune.weightKey ?? ''}
        onValue={(value) => set('tune.weightKey', value === '' ? null : value)}
      />
    </Field>
  );
}

/** Edits the other models and temperatures to evaluate the best prompt with. Not shown for targets, which have their own. */
function ParameterFields() {
  const { choices, settings, set } = useSettingsForm();
  const errorAt = useErrorAt();
  if (settings.generator.target !== null) return null;
  const { models } = settings.tune.parameters;
  return (
    <section className="flex flex-col gap-4" aria-label="Parameter search">
      <h3>Parameter search</h3>
      <ModelList
        kind="Alternative"
        models={models}
        help="The best prompt is also tried with this model. Each try uses one proposal."
        providers={choices.providers}
        path="tune.parameters.models"
        least={0}
        most={8}
        errorAt={errorAt}
        onChange={(next) => set('tune.parameters.models', next)}
      />
      <NumbersField
        path="tune.parameters.temperatures"
        label="Alternative temperatures"
        help="0 to 2, comma-separated. Empty: none. The best prompt is also tried with each, one per round of proposals."
      />
    </section>
  );
}

/** Selects the search strategy, with its abilities and limits. */
function StrategyField() {
  const { strategy } = useSettingsForm().settings.tune;
  const { description, limits, source } = STRATEGIES[strategy];
  return (
    <SelectField
      path="tune.strategy"
      label="Strategy"
      help={
        <>
          {description} {limits} Source: {source}.{' '}
          <TextLink href="/docs/reference/tuning-strategies">Compare strategies</TextLink>
        </>
      }
      options={TUNING_STRATEGIES}
      labelOf={(one) => STRATEGIES[one].label}
    />
  );
}

/** Shows the variables of the prompt and its version in the prompt library. */
function PromptHelp({ settings: { prompts, tune } }: { settings: FormSettings }) {
  const known = templateVariables(prompts.generate ?? '').filter(({ known: isKnown }) => isKnown);
  const from = tune.prompt;
  return (
    <>
      {known.length === 0 && messagesOfPrompt(prompts.generate ?? '') !== null ? (
        'The messages of the case are added to the prompt.'
      ) : known.length === 0 ? (
        <>
          <code>{'{{input}}'}</code> and <code>{'{{metadata.name}}'}</code> are filled in from the case. Without a
          variable, the prompt is the system message, and the input follows as the user message.
        </>
      ) : (
        <>Variables: {known.map(({ name }) => `{{${name}}}`).join(', ')}.</>
      )}
      {from ? (
        <>
          {' '}
          From v{from.version} of <TextLink href={promptPath(from.name)}>{from.name}</TextLink>. You can save an
          accepted candidate as its next version.
        </>
      ) : null}
    </>
  );
}

type TuneFieldsProps = {
  datasetId: string | null;
  /** Selects a dataset to preview its split. Null if the form already has the cases of the run. */
  onDataset: ((id: string) => void) | null;
};

/** Shows the split counts of the selected dataset. */
function TuneSplit({ datasetId, onDataset }: { datasetId: string | null; onDataset: (id: string) => void }) {
  const { choices, settings } = useSettingsForm();
  const { datasets } = choices;
  const dataset = datasets.find(({ id }) => id === datasetId);
  if (dataset === undefined)
    return (
      <p className="text-ink-2 text-sm">
        {datasets.length === 0
          ? 'No datasets yet. A run can also use pasted cases.'
          : 'Choose a dataset to see how its cases are split.'}
      </p>
    );
  const tune = settingsSchema.shape.tune.safeParse(settings.tune);
  const counts = tune.success ? countSplits(tune.data, dataset) : null;
  return (
    <FieldGrid>
      <Field label="Dataset" help="The tags train, validation and held_out assign cases. The shares split the rest.">
        <DatasetSelect datasets={datasets} value={dataset.id} onChange={onDataset} />
      </Field>
      <div className="flex flex-col gap-1" role="status" aria-label="Cases by split">
        <span className="font-medium text-ink text-sm">Split</span>
        {counts === null ? (
          <span className="text-ink-2 text-sm">Correct the shares to see the split.</span>
        ) : (
          <SplitCounts counts={counts} />
        )}
      </div>
    </FieldGrid>
  );
}
