'use client';

import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { BEST_VERSION_RULES, PAUSE_RULES } from '#lib/reflection/settings.ts';
import type { ExperimentDraft } from './experiment-draft.ts';
import { PAUSE_WORDS } from './form-summary.ts';
import { ModelChoice, type ProviderChoice } from './model-choice.tsx';

type PartProps = {
  draft: ExperimentDraft;
  change: (changes: Partial<ExperimentDraft>) => void;
  errorAt: (path: string) => string | null;
};

/** What the models are told, and which models they are. */
export function TaskFields({
  draft,
  change,
  errorAt,
  providers,
}: PartProps & { providers: readonly ProviderChoice[] }) {
  return (
    <>
      <Field
        label="Instructions"
        help="What the model is told in each run; the case comes after it."
        error={errorAt('generator.instructions')}
      >
        <Textarea
          rows={4}
          value={draft.instructions}
          onChange={(event) => change({ instructions: event.target.value })}
        />
      </Field>
      <ModelChoice
        label="Drafts"
        help="Writes and revises"
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
        none="same as drafts"
        value={draft.evaluatorModel}
        providers={providers}
        providerError={errorAt('evaluatorModel.provider')}
        modelError={errorAt('evaluatorModel.model')}
        onChange={(evaluatorModel) => change({ evaluatorModel })}
      />
      <ModelChoice
        label="Reflects"
        help="Writes critiques and lessons"
        none="same as drafts"
        value={draft.reflectionModel}
        providers={providers}
        providerError={errorAt('reflectionModel.provider')}
        modelError={errorAt('reflectionModel.model')}
        onChange={(reflectionModel) => change({ reflectionModel })}
      />
      <div className="grid2">
        <Field
          label="Temperature"
          help="0 to 2, default 0; empty leaves it to the provider"
          error={errorAt('generator.temperature')}
        >
          <Input numeric value={draft.temperature} onChange={(event) => change({ temperature: event.target.value })} />
        </Field>
        <Field
          label="Longest answer, tokens"
          help="1 to 1,000,000; empty for the model’s own limit"
          error={errorAt('revision.maxTokens')}
        >
          <Input
            numeric
            value={draft.maxOutputTokens}
            onChange={(event) => change({ maxOutputTokens: event.target.value })}
          />
        </Field>
      </div>
    </>
  );
}

export function ThresholdField({ draft, change, errorAt }: PartProps) {
  return (
    <Field
      label="Quality threshold"
      help="0 to 1, default 0.8. Good enough is: overall reaches it and no criterion is below its own. Computed from the numbers, never asked from the judge."
      error={errorAt('qualityThreshold')}
    >
      <Input
        numeric
        value={draft.qualityThreshold}
        onChange={(event) => change({ qualityThreshold: event.target.value })}
      />
    </Field>
  );
}

/** How the loop goes on from one version to the next. */
export function LoopFields({ draft, change, errorAt }: PartProps) {
  return (
    <>
      <div className="grid2">
        <Field label="Mode" error={errorAt('mode')}>
          <Select
            value={draft.mode}
            onChange={(event) => change({ mode: event.target.value === 'retry' ? 'retry' : 'revise' })}
          >
            <option value="revise">revise: mend the same text</option>
            <option value="retry">retry: try anew, with the lessons of what failed</option>
          </Select>
        </Field>
        {draft.mode === 'retry' ? (
          <Field label="Attempts at most" help="1 to 50, default 3" error={errorAt('maxAttempts')}>
            <Input
              numeric
              value={draft.maxAttempts}
              onChange={(event) => change({ maxAttempts: event.target.value })}
            />
          </Field>
        ) : (
          <Field label="Revisions at most" help="0 to 50, default 3" error={errorAt('maxIterations')}>
            <Input
              numeric
              value={draft.maxIterations}
              onChange={(event) => change({ maxIterations: event.target.value })}
            />
          </Field>
        )}
        <Field label="The best version is" error={errorAt('bestVersion')}>
          <Select
            value={draft.bestVersion}
            onChange={(event) =>
              change({ bestVersion: BEST_VERSION_RULES.find((rule) => rule === event.target.value) ?? 'highest_score' })
            }
          >
            {BEST_VERSION_RULES.map((rule) => (
              <option key={rule} value={rule}>
                {BEST_WORDS[rule]}
              </option>
            ))}
          </Select>
        </Field>
        {draft.mode === 'retry' ? (
          <Field
            label="Lessons"
            help="A failed attempt writes one; the next attempts have them in their prompt"
            error={errorAt('lessons.write')}
          >
            <Select
              value={draft.lessonWrite}
              onChange={(event) => change({ lessonWrite: event.target.value === 'off' ? 'off' : 'learn' })}
            >
              <option value="learn">are written and kept</option>
              <option value="off">are not written</option>
            </Select>
          </Field>
        ) : null}
      </div>
      {draft.mode === 'retry' ? (
        <Field label="Lesson block" help="The name lessons are kept under" error={errorAt('lessons.block')}>
          <Input
            className="mono"
            value={draft.lessonBlock}
            onChange={(event) => change({ lessonBlock: event.target.value })}
          />
        </Field>
      ) : (
        <>
          <CheckboxField
            label="Scores and critique in one call"
            help="Off: the judge answers with a score line and prose"
            checked={draft.structuredReflection}
            onChange={(event) => change({ structuredReflection: event.target.checked })}
          />
          <CheckboxField
            label="Earlier critiques stand in the prompt"
            checked={draft.includeReflectionHistory}
            onChange={(event) => change({ includeReflectionHistory: event.target.checked })}
          />
          <CheckboxField
            label="Earlier versions stand in the prompt"
            checked={draft.includePriorVersions}
            onChange={(event) => change({ includePriorVersions: event.target.checked })}
          />
        </>
      )}
    </>
  );
}

/** When the loop gives up before its cap. */
export function StopFields({ draft, change, errorAt }: PartProps) {
  return (
    <>
      <CheckboxField
        label="Stop early when it does not get better"
        help="Off: it ends only when it is good, or at the cap or budget"
        checked={draft.earlyStops}
        onChange={(event) => change({ earlyStops: event.target.checked })}
      />
      {draft.earlyStops ? (
        <>
          <div className="grid2">
            <Field
              label="Patience, versions"
              help="1 to 10, default 2"
              error={errorAt('convergence.plateauIterations')}
            >
              <Input
                numeric
                value={draft.plateauIterations}
                onChange={(event) => change({ plateauIterations: event.target.value })}
              />
            </Field>
            <Field
              label="Gain that counts"
              help="0 to 1, default 0.05: a smaller rise of the best is diminishing"
              error={errorAt('convergence.improvementThreshold')}
            >
              <Input
                numeric
                value={draft.improvementThreshold}
                onChange={(event) => change({ improvementThreshold: event.target.value })}
              />
            </Field>
          </div>
          <CheckboxField
            label="Stop when the score goes up and down"
            checked={draft.detectOscillation}
            onChange={(event) => change({ detectOscillation: event.target.checked })}
          />
          <CheckboxField
            label="Stop when the text or answer stays the same"
            checked={draft.detectStability}
            onChange={(event) => change({ detectStability: event.target.checked })}
          />
        </>
      ) : null}
    </>
  );
}

/** When a person is asked, and what a run may use up. */
export function PeopleAndBudgetFields({ draft, change, errorAt }: PartProps) {
  return (
    <>
      <div className="grid2">
        <Field label="A person is asked" error={errorAt('callbacks.pause')}>
          <Select
            value={draft.pause}
            onChange={(event) => change({ pause: PAUSE_RULES.find((rule) => rule === event.target.value) ?? 'never' })}
          >
            {PAUSE_RULES.map((rule) => (
              <option key={rule} value={rule}>
                {PAUSE_WORDS[rule]}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label="A drop is"
          help="0 to 1, default 0.1: a version worse than its parent by more"
          error={errorAt('triggers.qualityDropThreshold')}
        >
          <Input
            numeric
            value={draft.qualityDropThreshold}
            onChange={(event) => change({ qualityDropThreshold: event.target.value })}
          />
        </Field>
      </div>
      <div className="grid3">
        <Field label="Budget, $ a run" help="Empty for none" error={errorAt('budget.maxCostUsd')}>
          <Input numeric value={draft.maxCostUsd} onChange={(event) => change({ maxCostUsd: event.target.value })} />
        </Field>
        <Field label="Budget, tokens a run" help="Empty for none" error={errorAt('budget.maxTokens')}>
          <Input numeric value={draft.maxTokens} onChange={(event) => change({ maxTokens: event.target.value })} />
        </Field>
        <Field
          label="Budget, seconds a run"
          help="Empty for none; waiting for people does not count"
          error={errorAt('budget.maxSeconds')}
        >
          <Input numeric value={draft.maxSeconds} onChange={(event) => change({ maxSeconds: event.target.value })} />
        </Field>
      </div>
    </>
  );
}

const BEST_WORDS: Record<ExperimentDraft['bestVersion'], string> = {
  highest_score: 'the one with the highest score',
  latest: 'the latest',
  first_satisfactory: 'the first that is good enough',
  weighted_recency: 'by score, later ones a little before',
};
