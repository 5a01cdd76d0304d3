'use client';

import { type ExperimentSettings, LESSON_STORES, LESSON_WRITES, RECALLED_AGENTS } from '#lib/core/settings.ts';
import type { FormSettings } from './form-settings.ts';
import { STORE_LABELS, WRITE_LABELS } from './form-summary.ts';
import { EMBEDDING_MODELS, type ProviderChoice } from './model-choice.tsx';
import {
  CheckField,
  LinesField,
  ModelField,
  NumberField,
  SelectField,
  TextField,
  useSettingsForm,
} from './setting-fields.tsx';

/** Which lessons stand in the prompts of a run, and what becomes of those it writes. */
export function LessonsFields({ providers }: { providers: readonly ProviderChoice[] }) {
  const { settings } = useSettingsForm();
  const { store, lookBackEvery } = settings.lessons;
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <SelectField
          path="lessons.store"
          label="Recalled"
          help={STORE_MEANING[store]}
          options={LESSON_STORES}
          labelOf={(one) => STORE_LABELS[one]}
        />
        <SelectField
          path="lessons.write"
          label="Written"
          help={writeMeaning(settings)}
          options={LESSON_WRITES}
          labelOf={(write) => WRITE_LABELS[write]}
        />
        {store === 'recall' ? (
          <NumberField
            path="lessons.topK"
            label="Lessons at most"
            help="1 to 20, default 3. One to three did better than five"
          />
        ) : null}
        {store === 'none' ? null : (
          <NumberField
            path="lessons.tokenBudget"
            label="Tokens at most"
            help="1 to 100,000, default 1,500, estimated: what recalled lessons may take of a prompt"
          />
        )}
        <TextField
          path="lessons.block"
          label="Block"
          help="Default reflexion_lessons. What runs write is kept under this name; a whole block is recalled by it"
        />
        <TextField
          path="lessons.agent"
          label="Agent"
          help="Default “default”. What runs write is kept under this name"
        />
        {store === 'none' ? null : (
          <SelectField
            path="lessons.recallAgents"
            label="Recall from"
            help="Lessons for all agents are always recalled"
            options={RECALLED_AGENTS}
            labelOf={(agents) => RECALLED_LABELS[agents]}
          />
        )}
        <NumberField
          path="lessons.retentionPerAgent"
          label="Lessons kept per agent"
          help="1 to 10,000, default 30. Older lessons of any kind that nobody promoted go to the yearly archive. Empty: all"
        />
        <NumberField
          path="lessons.lookBackEvery"
          label="Look back every (runs)"
          help="1 to 10,000 ended runs. Then Hone proposes decisions, principles, procedures and other lessons for review. Empty, the default: only on request"
        />
        {lookBackEvery === null ? null : (
          <NumberField
            path="lessons.lookBackRuns"
            label="Runs per look back"
            help="1 to 20, default 1: those with decisions of people first, then unsolved ones. Each costs 1 or 2 calls, within the budgets of experiment and month"
          />
        )}
      </div>
      {store === 'recall' ? (
        <ModelField
          path="lessons.embeddings"
          label="Meaning by"
          help="Finds lessons by meaning as well as by words; each new text costs one embedding"
          none="none, the default: by words and synonyms"
          providers={providers.map(({ name }) => ({ name, models: EMBEDDING_MODELS[name] ?? [] }))}
        />
      ) : null}
      <ModelField
        path="lessons.check"
        label="Check new lessons with a model"
        help="One more call for each new lesson that pattern screening lets through; suspicious or unchecked lessons are held for review"
        none="none, the default: patterns alone"
        providers={providers}
      />
      <CheckField
        path="lessons.reflectOnEnd"
        label="Reflect at the end of a run"
        help="Off by default. On: one more call writes what the run learned, in the form of how it came out"
      />
      <CheckField
        path="lessons.alwaysReflect"
        label="Always reflect on failed and partial runs"
        help="Off by default. On: also after a model failure, a cut-off or a budget stop. The run's own budgets reserve one call for it"
      />
      <LinesField
        path="lessons.pinned"
        label="Always given"
        help="Ids of lessons, one a line, at most 20; they stand in every prompt while they are promoted. None by default"
      />
    </>
  );
}

const RECALLED_LABELS: Record<ExperimentSettings['lessons']['recallAgents'], string> = {
  own: 'this agent (default)',
  all: 'every agent',
};

const STORE_MEANING: Record<ExperimentSettings['lessons']['store'], string> = {
  recall: 'Default. Promoted lessons that fit the input best, or of the same task type or tool, quoted as advice',
  block: 'All promoted lessons of the block, newest first, quoted as advice',
  none: 'No lesson of the library stands in a prompt; a retry run still has its own',
};

function writeMeaning({ lessons, mode }: FormSettings): string {
  switch (lessons.write) {
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
