'use client';

import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { EMBEDDING_MODELS } from './embedding-models.ts';
import type { FormPartProps } from './form-part-props.ts';
import { ModelChoice, type ProviderChoice } from './model-choice.tsx';
import { TaskTypeInput } from './task-type-input.tsx';
import { TemperatureFields } from './temperature-fields.tsx';

/** What the models are told, and which models they are. */
export function TaskFields({
  draft,
  change,
  errorAt,
  providers,
}: FormPartProps & { providers: readonly ProviderChoice[] }) {
  return (
    <>
      <Field
        label="Instructions"
        help={
          draft.mode === 'tune'
            ? 'System prompt sent with each prompt; it is not tuned. Judges see it as the rules of the task.'
            : 'System prompt of drafts, attempts and revisions. Judges, critics and lesson writers see it as the rules of the task.'
        }
        error={errorAt('generator.instructions')}
      >
        <Textarea
          rows={draft.mode === 'tune' ? 2 : 4}
          value={draft.instructions}
          onChange={(event) => change({ instructions: event.target.value })}
        />
      </Field>
      <ModelChoice
        label={draft.mode === 'tune' ? 'Answers' : 'Drafts'}
        help={draft.mode === 'tune' ? 'Answers each case by the prompt' : 'Writes and revises'}
        none={null}
        value={{ provider: draft.provider, model: draft.model }}
        providers={providers}
        providerError={errorAt('generator.provider')}
        modelError={errorAt('generator.model')}
        onChange={(model) => model && change({ provider: model.provider, model: model.model })}
      />
      <ModelChoice
        label="Judges"
        help="Judging with another model lowers self-praise"
        none={draft.mode === 'tune' ? 'the one that answers' : 'same as drafts'}
        value={draft.evaluatorModel}
        providers={providers}
        providerError={errorAt('evaluatorModel.provider')}
        modelError={errorAt('evaluatorModel.model')}
        onChange={(evaluatorModel) => change({ evaluatorModel })}
      />
      <ModelChoice
        label="Reflects"
        help={draft.mode === 'tune' ? 'Proposes prompts from what failed' : 'Writes critiques and lessons'}
        none={draft.mode === 'tune' ? 'the one that answers' : 'same as drafts'}
        value={draft.reflectionModel}
        providers={providers}
        providerError={errorAt('reflectionModel.provider')}
        modelError={errorAt('reflectionModel.model')}
        onChange={(reflectionModel) => change({ reflectionModel })}
      />
      <ModelChoice
        label="Embeds"
        help="Tells how alike texts are in meaning, for criteria that compare by embedding"
        none="none, the default"
        value={draft.embeddingModel}
        providers={providers.map(({ name }) => ({ name, models: EMBEDDING_MODELS[name] ?? [] }))}
        providerError={errorAt('embeddingModel') ?? errorAt('embeddingModel.provider')}
        modelError={errorAt('embeddingModel.model')}
        onChange={(embeddingModel) => change({ embeddingModel })}
      />
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        {draft.mode === 'tune' ? null : (
          <Field
            label="Task type"
            help="Choose or enter a name, such as web scraping. Lessons of the same type are recalled first. Empty means custom."
            error={errorAt('taskType')}
          >
            <TaskTypeInput value={draft.taskType} onChange={(taskType) => change({ taskType })} />
          </Field>
        )}
        <Field
          label="Temperature"
          help={`Of ${draft.mode === 'tune' ? 'answers' : 'drafts'}, 0 to 2; empty: not sent`}
          error={errorAt('generator.temperature')}
        >
          <Input numeric value={draft.temperature} onChange={(event) => change({ temperature: event.target.value })} />
        </Field>
      </div>
      <TemperatureFields draft={draft} change={change} errorAt={errorAt} />
    </>
  );
}
