'use client';

import { TaskTypeInput } from '#components/lessons/task-type-input.tsx';
import { Field } from '#components/ui/field.tsx';
import { useErrorAt } from '#components/ui/form-errors.tsx';
import type { FormSettings } from './form-settings.ts';
import { EMBEDDING_MODELS, type ProviderChoice } from './model-choice.tsx';
import { LongTextField, ModelField, NumberField, useSettingsForm } from './setting-fields.tsx';

/** Which models judge, reflect and embed, and how freely each of them writes. */
export function TaskFields({ providers }: { providers: readonly ProviderChoice[] }) {
  const { settings, set } = useSettingsForm();
  const isTuning = settings.mode === 'tune';
  return (
    <>
      {isTuning ? (
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
        none={isTuning ? 'the one that answers' : 'same as drafts'}
        providers={providers}
      />
      <ModelField
        path="reflectionModel"
        label="Reflection model"
        help={isTuning ? 'Proposes prompts from failed cases' : 'Writes critiques and lessons'}
        none={isTuning ? 'the one that answers' : 'same as drafts'}
        providers={providers}
      />
      <ModelField
        path="embeddingModel"
        label="Embedding model"
        help="Measures similarity for criteria that compare by embedding."
        none="none (default)"
        providers={providers.map(({ name }) => ({ name, models: EMBEDDING_MODELS[name] ?? [] }))}
      />
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {isTuning ? null : (
          <Field
            label="Task type"
            help="Choose or enter a name, such as web scraping. Lessons of the same type are recalled first. Empty means custom."
            path="taskType"
          >
            <TaskTypeInput value={settings.taskType} onChange={(taskType) => set('taskType', taskType)} />
          </Field>
        )}
        <NumberField
          path="generator.temperature"
          label="Temperature"
          help={`For ${isTuning ? 'answers' : 'drafts'}, 0 to 2. Leave empty for the provider default.`}
        />
      </div>
      <TemperatureFields />
    </>
  );
}

/** Temperatures of the single roles, folded away while there is none. */
function TemperatureFields() {
  const { settings } = useSettingsForm();
  const errorAt = useErrorAt();
  const roles = rolesOf(settings);
  const isSet = roles.some(({ role }) => settings.temperatures[role] !== null || errorAt(`temperatures.${role}`));
  return (
    <details open={isSet}>
      <summary className="cursor-pointer text-ink-2 text-sm">Temperature of each role</summary>
      <div className="mt-2 grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {roles.map(({ role, label, help }) => (
          <NumberField key={role} path={`temperatures.${role}`} label={`Temperature of ${label}`} help={help} />
        ))}
      </div>
    </details>
  );
}

type Role = { role: keyof FormSettings['temperatures']; label: string; help: string };

/** The roles that the experiment has. */
function rolesOf({ mode, generator }: FormSettings): Role[] {
  const judges = { role: 'evaluate', label: 'judges', help: 'Empty: 0 if drafts have one, else not sent' } as const;
  if (mode === 'tune')
    return [
      { ...judges, help: 'Empty: 0 if answers have one, else not sent' },
      { role: 'reflect', label: 'proposals', help: 'Empty: not sent' },
    ];
  const revise = { role: 'revise', label: 'revisions', help: 'Empty: as for drafts' } as const;
  const worker = { role: 'worker', label: 'workers', help: 'Empty: as for drafts' } as const;
  return [
    ...(mode === 'revise' ? [revise] : []),
    judges,
    { role: 'reflect', label: 'critiques', help: 'Empty: not sent' },
    { role: 'lesson', label: 'lessons', help: 'Empty: not sent' },
    ...(generator.base.type === 'supervisor' ? [worker] : []),
  ];
}
