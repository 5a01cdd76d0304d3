'use client';

import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { LESSON_STORES, LESSON_WRITES, RECALLED_AGENTS } from '#lib/core/settings.ts';
import { EMBEDDING_MODELS } from './embedding-models.ts';
import type { ExperimentDraft } from './experiment-draft.ts';
import type { FormPartProps } from './form-part-props.ts';
import { STORE_LABELS, WRITE_LABELS } from './form-summary.ts';
import { ModelChoice, type ProviderChoice } from './model-choice.tsx';

/** Which lessons stand in the prompts of a run, and what becomes of those it writes. */
export function LessonsFields({
  draft,
  change,
  errorAt,
  providers,
}: FormPartProps & { providers: readonly ProviderChoice[] }) {
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field label="Recalled" help={STORE_MEANING[draft.lessonStore]} error={errorAt('lessons.store')}>
          <Select
            value={draft.lessonStore}
            onChange={({ target }) =>
              change({ lessonStore: LESSON_STORES.find((store) => store === target.value) ?? draft.lessonStore })
            }
          >
            {LESSON_STORES.map((store) => (
              <option key={store} value={store}>
                {STORE_LABELS[store]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Written" help={writeMeaning(draft)} error={errorAt('lessons.write')}>
          <Select
            value={draft.lessonWrite}
            onChange={({ target }) =>
              change({ lessonWrite: LESSON_WRITES.find((write) => write === target.value) ?? draft.lessonWrite })
            }
          >
            {LESSON_WRITES.map((write) => (
              <option key={write} value={write}>
                {WRITE_LABELS[write]}
              </option>
            ))}
          </Select>
        </Field>
        {draft.lessonStore === 'recall' ? (
          <Field
            label="Lessons at most"
            help="1 to 20, default 3. One to three did better than five"
            error={errorAt('lessons.topK')}
          >
            <Input numeric value={draft.lessonTopK} onChange={(event) => change({ lessonTopK: event.target.value })} />
          </Field>
        ) : null}
        {draft.lessonStore === 'none' ? null : (
          <Field
            label="Tokens at most"
            help="1 to 100,000, default 1,500, estimated: what recalled lessons may take of a prompt"
            error={errorAt('lessons.tokenBudget')}
          >
            <Input
              numeric
              value={draft.lessonTokens}
              onChange={(event) => change({ lessonTokens: event.target.value })}
            />
          </Field>
        )}
        <Field
          label="Block"
          help="Default reflexion_lessons. What runs write is kept under this name; a whole block is recalled by it"
          error={errorAt('lessons.block')}
        >
          <Input value={draft.lessonBlock} onChange={(event) => change({ lessonBlock: event.target.value })} />
        </Field>
        <Field
          label="Agent"
          help="Default “default”. What runs write is kept under this name"
          error={errorAt('lessons.agent')}
        >
          <Input value={draft.agent} onChange={(event) => change({ agent: event.target.value })} />
        </Field>
        {draft.lessonStore === 'none' ? null : (
          <Field
            label="Recall from"
            help="Lessons for all agents are always recalled"
            error={errorAt('lessons.recallAgents')}
          >
            <Select
              value={draft.recallAgents}
              onChange={({ target }) =>
                change({
                  recallAgents: RECALLED_AGENTS.find((agents) => agents === target.value) ?? draft.recallAgents,
                })
              }
            >
              {RECALLED_AGENTS.map((agents) => (
                <option key={agents} value={agents}>
                  {AGENTS_WORDS[agents]}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field
          label="Lessons kept per agent"
          help="1 to 10,000, default 30. Older lessons of any kind that nobody promoted go to the yearly archive. Empty: all"
          error={errorAt('lessons.retentionPerAgent')}
        >
          <Input
            numeric
            value={draft.retentionPerAgent}
            onChange={(event) => change({ retentionPerAgent: event.target.value })}
          />
        </Field>
        <Field
          label="Look back every (runs)"
          help="1 to 10,000 ended runs. Then Hone proposes decisions, principles, procedures and other lessons for review. Empty, the default: only on request"
          error={errorAt('lessons.lookBackEvery')}
        >
          <Input
            numeric
            value={draft.lookBackEvery}
            onChange={(event) => change({ lookBackEvery: event.target.value })}
          />
        </Field>
        {draft.lookBackEvery.trim() === '' ? null : (
          <Field
            label="Runs per look back"
            help="1 to 20, default 1: those with decisions of people first, then unsolved ones. Each costs 1 or 2 calls, within the budgets of experiment and month"
            error={errorAt('lessons.lookBackRuns')}
          >
            <Input
              numeric
              value={draft.lookBackRuns}
              onChange={(event) => change({ lookBackRuns: event.target.value })}
            />
          </Field>
        )}
      </div>
      {draft.lessonStore === 'recall' ? (
        <ModelChoice
          label="Meaning by"
          help="Finds lessons by meaning as well as by words; each new text costs one embedding"
          none="none, the default: by words and synonyms"
          value={draft.lessonEmbeddings}
          providers={providers.map(({ name }) => ({ name, models: EMBEDDING_MODELS[name] ?? [] }))}
          providerError={errorAt('lessons.embeddings') ?? errorAt('lessons.embeddings.provider')}
          modelError={errorAt('lessons.embeddings.model')}
          onChange={(lessonEmbeddings) => change({ lessonEmbeddings })}
        />
      ) : null}
      <ModelChoice
        label="Check new lessons with a model"
        help="One more call for each new lesson that pattern screening lets through; suspicious or unchecked lessons are held for review"
        none="none, the default: patterns alone"
        value={draft.lessonCheck}
        providers={providers}
        providerError={errorAt('lessons.check') ?? errorAt('lessons.check.provider')}
        modelError={errorAt('lessons.check.model')}
        onChange={(lessonCheck) => change({ lessonCheck })}
      />
      <CheckboxField
        label="Reflect at the end of a run"
        help="Off by default. On: one more call writes what the run learned, in the form of how it came out"
        checked={draft.reflectOnEnd}
        onChange={(event) => change({ reflectOnEnd: event.target.checked })}
      />
      <CheckboxField
        label="Always reflect on failed and partial runs"
        help="Off by default. On: also after a model failure, a cut-off or a budget stop. The run's own budgets reserve one call for it"
        checked={draft.alwaysReflect}
        onChange={(event) => change({ alwaysReflect: event.target.checked })}
      />
      <Field
        label="Always given"
        help="Ids of lessons, one a line, at most 20; they stand in every prompt while they are promoted. None by default"
        error={pinnedError(draft, errorAt)}
      >
        <Textarea
          rows={2}
          className="font-mono text-code"
          spellCheck={false}
          value={draft.pinnedLessons.join('\n')}
          onChange={({ target }) => change({ pinnedLessons: target.value === '' ? [] : target.value.split('\n') })}
        />
      </Field>
    </>
  );
}

const AGENTS_WORDS: Record<ExperimentDraft['recallAgents'], string> = {
  own: 'this agent (default)',
  all: 'every agent',
};

const STORE_MEANING: Record<ExperimentDraft['lessonStore'], string> = {
  recall: 'Default. Promoted lessons that fit the input best, or of the same task type or tool, quoted as advice',
  block: 'All promoted lessons of the block, newest first, quoted as advice',
  none: 'No lesson of the library stands in a prompt; a retry run still has its own',
};

function writeMeaning({ lessonWrite, mode }: ExperimentDraft): string {
  switch (lessonWrite) {
    case 'learn':
      return mode === 'retry'
        ? 'Default. A failed attempt writes one; the next attempts have them in their prompt'
        : 'Default. What the run learns is stored, and waits for a review';
    case 'stage':
      return 'Only stored: screened when somebody asks, and in no prompt before that';
    case 'off':
      return 'For an evaluation: the run leaves nothing behind';
  }
}

function pinnedError({ pinnedLessons }: ExperimentDraft, errorAt: FormPartProps['errorAt']): string | null {
  const own = pinnedLessons.map((_, index) => errorAt(`lessons.pinned.${index}`)).find((error) => error !== null);
  return errorAt('lessons.pinned') ?? own ?? null;
}
