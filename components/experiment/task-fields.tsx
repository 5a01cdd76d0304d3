'use client';

import { TaskTypeInput } from '#components/lessons/task-type-input.tsx';
import { OptionsEditor } from '#components/prompt-editor/options-editor.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, FieldGrid } from '#components/ui/field.tsx';
import { OpeningDetails } from '#components/ui/fold-section.tsx';
import { useErrorAt } from '#components/ui/form-errors.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { refusedParameterText } from '#lib/providers/refused-parameter-record.ts';
import { type FormSettings, rolesOf, sentBaseType } from './form-settings.ts';
import { ModelSettingsFields } from './model-settings-fields.tsx';
import { emptyValueAt, refusedSettings } from './refused-settings.ts';
import { LongTextField, ModelField, NumberField, useSettingsForm } from './setting-fields.tsx';

/** Selects the models that judge, reflect and embed, and their temperatures. */
export function TaskFields() {
  const { settings, set } = useSettingsForm();
  const isTuning = settings.mode === 'tune';
  const hasTarget = settings.generator.target !== null;
  const same = hasTarget ? 'same as above' : isTuning ? 'the one that answers' : 'same as drafts';
  return (
    <>
      {isTuning && !hasTarget ? (
        <LongTextField
          path="generator.instructions"
          label="Instructions"
          help="System prompt for every call. It is not tuned. Judges see it as the rules of the task."
          rows={2}
        />
      ) : null}
      <ModelField
        path="evaluatorModel"
        label="Judge model"
        help="A different model than the writer reduces self-preference."
        none={same}
      />
      <ModelField
        path="reflectionModel"
        label="Reflection model"
        help={isTuning ? 'Proposes prompts from failed cases' : 'Writes critiques and lessons'}
        none={same}
      />
      <ModelField
        path="embeddingModel"
        label="Embedding model"
        help="Measures similarity for criteria that compare by embedding."
        none="none (default)"
        embeds
      />
      <FieldGrid>
        {isTuning ? null : (
          <Field
            label="Task type"
            help="Choose or enter a name, such as web scraping. Lessons of the same type are recalled first. Empty means custom."
            path="taskType"
          >
            <TaskTypeInput value={settings.taskType} onChange={(taskType) => set('taskType', taskType)} />
          </Field>
        )}
        {hasTarget ? null : (
          <NumberField
            path="generator.temperature"
            label="Temperature"
            help={`For ${isTuning ? 'answers' : 'drafts'}, 0 to 2. Leave empty for the provider default.`}
          />
        )}
      </FieldGrid>
      {hasTarget || sentBaseType(settings) !== 'single' ? null : (
        <OptionsEditor
          at="generator."
          value={settings.generator}
          onChange={(options) => set('generator', { ...settings.generator, ...options })}
        />
      )}
      <TemperatureFields />
      <ModelSettingsFields />
      <RefusedSettingsNotice />
    </>
  );
}

/** Temperatures of all roles except drafts. Collapsed if none is set. */
function TemperatureFields() {
  const { settings } = useSettingsForm();
  const errorAt = useErrorAt();
  const roles = rolesOf(settings).flatMap(({ role, label }) => (role === 'generate' ? [] : [{ role, label }]));
  const isSet = roles.some(({ role }) => settings.temperatures[role] !== null || errorAt(`temperatures.${role}`));
  return (
    <OpeningDetails isOpen={isSet} title="Temperature of each role">
      <div className="mt-2 grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {roles.map(({ role, label }) => (
          <NumberField
            key={role}
            path={`temperatures.${role}`}
            label={`Temperature of ${label}`}
            help={`Empty: ${emptyTemperature(role, settings.mode)}`}
          />
        ))}
      </div>
    </OpeningDetails>
  );
}

function emptyTemperature(role: keyof FormSettings['temperatures'], mode: FormSettings['mode']): string {
  if (role === 'revise' || role === 'worker') return 'as for drafts';
  return role === 'evaluate' ? `0 if ${mode === 'tune' ? 'answers' : 'drafts'} have one, else not sent` : 'not sent';
}

/** Lists settings that their models refuse, each with a button to remove it. Renders nothing if there are none. */
function RefusedSettingsNotice() {
  const { choices, settings, set } = useSettingsForm();
  return refusedSettings(settings, choices.providers).map(({ model, parameter, paths }) => (
    <Notice
      key={`${model} ${parameter}`}
      tone="wait"
      title={refusedParameterText(model, parameter)}
      actions={
        <Button
          size="small"
          onClick={() => {
            for (const path of paths) set(path, emptyValueAt(path));
          }}
        >
          Remove from settings
        </Button>
      }
    >
      The setting has no effect. If the model supports it now, choose Send again on the Models page.
    </Notice>
  ));
}
