'use client';

import { useId } from 'react';
import { RoleTextLink } from '#components/access/role-link.tsx';
import { typedText } from '#components/case/typed-input.ts';
import { PromptTextEditor } from '#components/prompt-editor/prompt-text-editor.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { COMPONENT_RULES, settingsSchema } from '#lib/core/settings.ts';
import { formatNumberOf } from '#lib/format.ts';
import { CasesFields } from './cases-fields.tsx';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { promptOf, promptPath, suggestedName, withPrompt } from './first-prompt.ts';
import { type FormSettings, tunedComponents, withTarget } from './form-settings.ts';
import { ModelChoice } from './model-choice.tsx';
import { previewSettings } from './preview-request.ts';
import { PromptWarning } from './prompt-warning.tsx';
import { referenceUse } from './reference-use.ts';
import { SelectField, TextField, useSettingsForm } from './setting-fields.tsx';
import { countSplits, SplitCounts, shareToHoldOut } from './split-counts.tsx';
import { ToolChecks } from './tool-checks.tsx';
import { TunedPromptField } from './tune-fields.tsx';
import type { Cases } from './use-cases.ts';

type RequiredFieldsProps = {
  onSettings: (change: (settings: FormSettings) => FormSettings) => void;
  /** True if the settings are a copy of another experiment's, for comparison with it. */
  isCopy: boolean;
  /** Cases to run. Null if the form only saves. */
  cases: Cases | null;
  /** Selected template. Null for an existing experiment. */
  template: { id: string; choose: (id: string) => void } | null;
  /** Change description. Null for a new experiment. */
  message: { text: string; change: (text: string) => void } | null;
};

/** Fields required for a first run: prompt, cases and model. */
export function RequiredFields({ onSettings, isCopy, cases, template, message }: RequiredFieldsProps) {
  const { choices, settings, set } = useSettingsForm();
  const { providers } = choices;
  const { mode, generator } = settings;
  const isTuning = mode === 'tune';
  const suggested = cases === null ? '' : suggestedName(settings, cases.source === 'text' ? typedText(cases) : '');
  return (
    <>
      <Pane className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {template === null ? null : (
          <Field label="Start from" help={EXPERIMENT_TEMPLATES.find(({ id }) => id === template.id)?.meaning}>
            <Select value={template.id} onValue={(value) => template.choose(value)}>
              <Options of={EXPERIMENT_TEMPLATES.map(({ id, label }) => [id, label])} />
            </Select>
          </Field>
        )}
        <TextField path="name" label="Name" placeholder={suggested || 'API guides, revise'} />
        {message === null ? null : (
          <Field label="Change description" help="Shown next to the version. Not sent to models." path="message">
            <Input
              value={message.text}
              placeholder="Give attempts room to use their lessons"
              onValue={(value) => message.change(value)}
            />
          </Field>
        )}
      </Pane>
      <Pane className="flex flex-col gap-4">
        <GeneratorField />
        {generator.target !== null ? (
          <ComponentFields target={generator.target} />
        ) : isTuning ? (
          <TunedPromptField />
        ) : (
          <PromptField onSettings={onSettings} isCopy={isCopy} />
        )}
        {cases === null ? null : (
          <CasesFields cases={cases} prefix="start." canType={!isTuning} {...referenceUse(previewSettings(settings))} />
        )}
        {cases !== null && isTuning ? <CaseSplit cases={cases} /> : null}
        <div>
          <ModelChoice
            label="Provider"
            modelLabel="Model"
            help={generator.target === null ? undefined : 'Writes critiques, lessons and proposals, and judges.'}
            none={null}
            path="generator"
            value={generator}
            providers={providers}
            onChange={(model) => {
              if (model !== null) set('generator', { ...generator, ...model });
            }}
          />
          {generator.provider === 'practice' ? <PracticeNote canChoose={providers.length > 1} /> : null}
        </div>
      </Pane>
    </>
  );
}

/** Shows the split of the selected cases. Split tags of pasted cases are ignored. */
function CaseSplit({ cases }: { cases: Cases }) {
  const { choices, settings, set } = useSettingsForm();
  const { source, datasetId, count } = cases;
  const known = source === 'dataset' ? choices.datasets.find(({ id }) => id === datasetId) : undefined;
  const tune = settingsSchema.shape.tune.safeParse(settings.tune);
  if (count === null || !tune.success) return null;
  const counted = known ?? { caseCount: count, tagged: { train: 0, validation: 0, held_out: 0 } };
  const counts = countSplits(tune.data, counted);
  const share = shareToHoldOut(tune.data, counted);
  return (
    <div className="flex flex-col gap-1" role="status" aria-label="Cases by split">
      <SplitCounts counts={counts} onHoldOut={share === null ? undefined : () => set('tune.heldOutShare', share)} />
    </div>
  );
}

/** Edits the prompt. Stored as instructions, or as a template if it contains variables. */
function PromptField({ onSettings, isCopy }: Pick<RequiredFieldsProps, 'onSettings' | 'isCopy'>) {
  const { settings } = useSettingsForm();
  const text = promptOf(settings);
  return (
    <>
      <PromptTextEditor value={text} onChange={(next) => onSettings((current) => withPrompt(current, next, isCopy))}>
        <Field
          label="Prompt"
          help={
            <>
              Use <code>{'{{input}}'}</code> to insert the input. Without a variable, Hone sends the prompt as the
              system message and the input as the user message.
            </>
          }
          path={promptPath(settings)}
        >
          <Textarea
            rows={5}
            value={text}
            placeholder="Summarize the support ticket in one sentence."
            onValue={(value) => onSettings((current) => withPrompt(current, value, isCopy))}
          />
        </Field>
      </PromptTextEditor>
      <PromptWarning text={text} />
    </>
  );
}

function PracticeNote({ canChoose }: { canChoose: boolean }) {
  return (
    <p className="mt-1.5 text-ink-2 text-sm">
      The practice model needs no key. It follows fixed rules, so its answers and scores say nothing about real models.{' '}
      {canChoose ? (
        'Choose another provider for your own work.'
      ) : (
        <>
          <RoleTextLink needs="owner" href="/models#add-provider" target="_blank">
            Connect a model
          </RoleTextLink>{' '}
          for your own work. It opens in a new tab.
        </>
      )}
    </p>
  );
}

/** Selects the generator: a model or a connected target. Renders nothing without targets. */
function GeneratorField() {
  const { choices, settings, set } = useSettingsForm();
  const { targets } = choices;
  const { generator } = settings;
  const { target } = generator;
  if (targets.length === 0 && target === null) return null;
  function choose(name: string) {
    const chosen = targets.find((one) => one.name === name);
    if (chosen === undefined) return set('generator', { ...generator, target: null });
    const next = withTarget(settings, chosen);
    set('generator', next.generator);
    set('prompts', next.prompts);
  }
  const isWaiting = targets.some(({ name, isConnected }) => name === target?.name && !isConnected);
  const isDeleted = target !== null && targets.every(({ name }) => name !== target.name);
  return (
    <Field
      label="Outputs from"
      help={
        target === null ? (
          'A model writes them, from the prompt below.'
        ) : (
          <>
            {isWaiting ? 'Your app is not connected. Runs wait until you start it. See' : 'Your app writes them. See'}{' '}
            <TextLink href="/targets">Targets</TextLink>.
          </>
        )
      }
      path={['generator.target.name', 'generator.target']}
    >
      <Select value={target?.name ?? ''} onValue={choose}>
        <option value="">A model</option>
        {isDeleted ? <option value={target.name}>{target.name} (deleted)</option> : null}
        <Options of={targets.map(({ name, isConnected }) => [name, isConnected ? name : `${name} (not connected)`])} />
      </Select>
    </Field>
  );
}

type Target = NonNullable<FormSettings['generator']['target']>;

/** Edits the components sent to the target with every call, and selects which are tuned. */
function ComponentFields({ target }: { target: Target }) {
  const { settings, set } = useSettingsForm();
  const isTuning = settings.mode === 'tune';
  const names = Object.keys(target.components);
  const change = (next: Partial<Target>) => set('generator.target', { ...target, ...next });
  const listId = useId();
  if (names.length === 0)
    return (
      <p className="text-ink-2 text-sm">
        {isTuning
          ? 'This target has no components, so there is nothing to tune. Declare components in your app.'
          : 'This target has no components. Its texts stay in your app.'}
      </p>
    );
  return (
    <>
      {isTuning ? <TunedComponents target={target} onChange={(next) => change({ tuned: next })} /> : null}
      <fieldset className="flex flex-col gap-4" aria-labelledby={listId}>
        <span id={listId} className="text-ink-2 text-sm">
          {formatNumberOf(names.length, 'component')} of your app. Hone sends these texts with every call.
        </span>
        {names.map((name) => (
          <Field key={name} label={name} path={`generator.target.components.${name}`}>
            <Textarea
              isCode
              rows={4}
              value={target.components[name] ?? ''}
              onValue={(value) => change({ components: { ...target.components, [name]: value } })}
            />
          </Field>
        ))}
      </fieldset>
    </>
  );
}

type TunedProps = { target: Target; onChange: (tuned: string[]) => void };

/** Selects the components to tune. The default is the first one. */
function TunedComponents({ target, onChange }: TunedProps) {
  const names = Object.keys(target.components);
  const chosen = tunedComponents(target);
  return (
    <>
      <ToolChecks
        label="Components to tune"
        help="The reflection model proposes new texts for them. The other components stay as they are."
        offered={names.map((name) => ({ name, description: '', server: null }))}
        chosen={chosen}
        path="generator.target.tuned"
        onChange={(next) => onChange(names.filter((name) => next.includes(name)))}
      />
      {chosen.length > 1 ? (
        <SelectField
          path="tune.components"
          label="A proposal improves"
          options={COMPONENT_RULES}
          labelOf={(one) => COMPONENT_LABELS[one]}
        />
      ) : null}
    </>
  );
}

const COMPONENT_LABELS: Record<(typeof COMPONENT_RULES)[number], string> = {
  round_robin: 'each component in turn',
  blame: 'the component that feedback names',
  all: 'all components at once',
};
