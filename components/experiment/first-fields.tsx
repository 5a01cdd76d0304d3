'use client';

import { RoleTextLink } from '#components/access/role-link.tsx';
import { typedText } from '#components/case/sent-input.ts';
import { PromptTextEditor } from '#components/prompt-editor/prompt-text-editor.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { settingsSchema } from '#lib/core/settings.ts';
import type { TargetChoice } from '#lib/targets/schema.ts';
import { CasesFields } from './cases-fields.tsx';
import { countSplits, shareToHoldOut, type TunableDataset } from './count-splits.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { promptOf, promptPath, suggestedName, withPrompt } from './first-prompt.ts';
import type { FormSettings } from './form-settings.ts';
import { ModelChoice, type ProviderChoice } from './model-choice.tsx';
import { previewSettings } from './preview-settings.ts';
import { PromptWarning } from './prompt-warning.tsx';
import { referenceUse } from './reference-use.ts';
import { TextField, useSettingsForm } from './setting-fields.tsx';
import { SplitCounts } from './split-counts.tsx';
import { ComponentFields, GeneratorField } from './target-fields.tsx';
import { TunedPromptField } from './tune-fields.tsx';
import type { Cases } from './use-cases.ts';

type FirstFieldsProps = {
  onSettings: (change: (settings: FormSettings) => FormSettings) => void;
  /** True if the settings are a copy of another experiment's, for comparison with it. */
  isCopy: boolean;
  providers: readonly ProviderChoice[];
  targets: readonly TargetChoice[];
  datasets: readonly TunableDataset[];
  /** Cases to run. Null if the form only saves. */
  cases: Cases | null;
  /** Selected template. Null for an existing experiment. */
  template: { id: string; choose: (id: string) => void } | null;
  /** Change description. Null for a new experiment. */
  message: { text: string; change: (text: string) => void } | null;
};

/** Fields required for a first run: prompt, cases and model. */
export function FirstFields({
  onSettings,
  isCopy,
  providers,
  targets,
  datasets,
  cases,
  template,
  message,
}: FirstFieldsProps) {
  const { settings, set } = useSettingsForm();
  const { mode, generator } = settings;
  const isTuning = mode === 'tune';
  const suggested = cases === null ? '' : suggestedName(settings, cases.source === 'text' ? typedText(cases) : '');
  return (
    <>
      <Pane className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {template === null ? null : (
          <Field label="Start from" help={EXPERIMENT_TEMPLATES.find(({ id }) => id === template.id)?.meaning}>
            <Select value={template.id} onChange={(event) => template.choose(event.target.value)}>
              {EXPERIMENT_TEMPLATES.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <TextField path="name" label="Name" placeholder={suggested || 'API guides, revise'} />
        {message === null ? null : (
          <Field label="Change description" help="Shown next to the version. Not sent to models." path="message">
            <Input
              value={message.text}
              placeholder="Give attempts room to use their lessons"
              onChange={(event) => message.change(event.target.value)}
            />
          </Field>
        )}
      </Pane>
      <Pane className="flex flex-col gap-4">
        <GeneratorField targets={targets} />
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
        {cases !== null && isTuning ? <CaseSplit cases={cases} datasets={datasets} /> : null}
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
function CaseSplit({ cases, datasets }: { cases: Cases; datasets: readonly TunableDataset[] }) {
  const { settings, set } = useSettingsForm();
  const { source, datasetId, count } = cases;
  const known = source === 'dataset' ? datasets.find(({ id }) => id === datasetId) : undefined;
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
function PromptField({ onSettings, isCopy }: Pick<FirstFieldsProps, 'onSettings' | 'isCopy'>) {
  const { settings } = useSettingsForm();
  const text = promptOf(settings);
  return (
    <>
      <PromptTextEditor value={text} onChange={(next) => onSettings((current) => withPrompt(current, next, isCopy))}>
        <Field
          label="Prompt"
          help={
            <>
              The text sent to the model. Use <code>{'{{input}}'}</code> to insert the input. Without it, Hone appends
              the input to the prompt.
            </>
          }
          path={promptPath(settings)}
        >
          <Textarea
            rows={5}
            value={text}
            placeholder="Summarize the support ticket in one sentence."
            onChange={({ target }) => onSettings((current) => withPrompt(current, target.value, isCopy))}
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
      The practice model needs no key, but only works with Hone’s samples.{' '}
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
