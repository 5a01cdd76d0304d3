'use client';

import { FieldGrid } from '#components/ui/field.tsx';
import { type ExperimentSettings, LESSON_STORES, LESSON_WRITES, RECALLED_AGENTS } from '#lib/core/settings.ts';
import type { FormSettings } from './form-settings.ts';
import { STORE_LABELS, WRITE_LABELS } from './form-summary.ts';
import {
  CheckField,
  LinesField,
  ModelField,
  NumberField,
  SelectField,
  TextField,
  useSettingsForm,
} from './setting-fields.tsx';

/** Selects the lessons recalled in a run and how new ones are stored. Tuning runs write no lessons. */
export function LessonsFields() {
  const { settings } = useSettingsForm();
  const { store } = settings.lessons;
  const isTuning = settings.mode === 'tune';
  return (
    <>
      <FieldGrid>
        <SelectField
          path="lessons.store"
          label="Recalled"
          help={isTuning ? TUNED_STORE_MEANING[store] : STORE_MEANING[store]}
          options={LESSON_STORES}
          labelOf={(one) => STORE_LABELS[one]}
        />
        {isTuning ? null : (
          <SelectField
            path="lessons.write"
            label="Written"
            help={writeMeaning(settings)}
            options={LESSON_WRITES}
            labelOf={(write) => WRITE_LABELS[write]}
          />
        )}
        {store === 'recall' ? (
          <NumberField
            path="lessons.topK"
            label="Maximum lessons"
            help="1 to 20, default 3. Fewer lessons often work better."
          />
        ) : null}
        {store === 'none' ? null : (
          <NumberField
            path="lessons.tokenBudget"
            label="Maximum tokens"
            help="1 to 100,000, default 1,500. Estimated tokens that recalled lessons may use in a prompt."
          />
        )}
        {isTuning && store !== 'block' ? null : (
          <TextField
            path="lessons.block"
            label="Block"
            help={
              isTuning
                ? 'Default reflexion_lessons. Name of the group that is recalled.'
                : 'Default reflexion_lessons. Name of the group that new lessons belong to. Runs can recall a whole block.'
            }
          />
        )}
        {isTuning && store === 'none' ? null : (
          <TextField
            path="lessons.agent"
            label="Agent"
            help={
              isTuning
                ? 'Default “default”. The agent whose lessons are recalled.'
                : 'Default “default”. New lessons belong to this agent.'
            }
          />
        )}
        {store === 'none' ? null : (
          <SelectField
            path="lessons.recallAgents"
            label="Recall from"
            help="Lessons for all agents are always included."
            options={RECALLED_AGENTS}
            labelOf={(agents) => RECALLED_LABELS[agents]}
          />
        )}
        {isTuning ? null : <KeptFields />}
      </FieldGrid>
      {store === 'recall' ? (
        <ModelField
          path="lessons.embeddings"
          label="Embedding model for recall"
          help="Recalls lessons by similarity in addition to keywords. Each new text takes one embedding call."
          none="none (default), keywords and synonyms only"
          embeds
        />
      ) : null}
      {isTuning ? null : <WrittenFields />}
      <LinesField
        path="lessons.pinned"
        label="Pinned lessons"
        help="One lesson ID per line, at most 20. Every prompt includes them while they are promoted."
      />
    </>
  );
}

/** Sets the maximum number of lessons and how often Hone reviews past runs. */
function KeptFields() {
  const { lookBackEvery } = useSettingsForm().settings.lessons;
  return (
    <>
      <NumberField
        path="lessons.retentionPerAgent"
        label="Lessons kept per agent"
        help="1 to 10,000, default 30. Older lessons that were not promoted are archived. Leave empty to keep all."
      />
      <NumberField
        path="lessons.lookBackEvery"
        label="Retrospective every (runs)"
        help="1 to 10,000 ended runs. Hone then proposes principles, procedures and other lessons for review. Default: empty, only on request."
      />
      {lookBackEvery === null ? null : (
        <NumberField
          path="lessons.lookBackRuns"
          label="Runs per retrospective"
          help="1 to 20, default 1. Runs with reviewer decisions come first, then unsolved runs. Each takes 1 or 2 calls."
        />
      )}
    </>
  );
}

/** Sets which runs write a lesson and how new lessons are checked. */
function WrittenFields() {
  return (
    <>
      <ModelField
        path="lessons.check"
        label="Check new lessons with a model"
        help="One more call for each new lesson that passes pattern screening. Suspicious or unchecked lessons are held for review."
        none="none (default), patterns only"
      />
      <CheckField
        path="lessons.reflectOnEnd"
        label="Reflect at the end of a run"
        help="Default: off. One more call per run writes a lesson that suits its result."
      />
      <CheckField
        path="lessons.alwaysReflect"
        label="Always reflect on failed and partial runs"
        help="Default: off. Includes runs that end by a model failure, a cut-off or a budget. The budget of the run reserves one call for it."
      />
    </>
  );
}

const RECALLED_LABELS: Record<ExperimentSettings['lessons']['recallAgents'], string> = {
  own: 'this agent (default)',
  all: 'every agent',
};

const STORE_MEANING: Record<ExperimentSettings['lessons']['store'], string> = {
  recall: 'Default. Promoted lessons most relevant to the input, task type or tool, quoted as advice.',
  block: 'All promoted lessons of the block, newest first, quoted as advice.',
  none: 'Prompts include no lessons from the library. A retry run still uses its own lessons.',
};

const TUNED_STORE_MEANING: Record<ExperimentSettings['lessons']['store'], string> = {
  recall: 'Default. The reflection model sees the promoted lessons most relevant to the prompt and training cases.',
  block: 'The reflection model sees all promoted lessons of the block, newest first.',
  none: 'The reflection model sees no lessons from the library.',
};

function writeMeaning({ lessons, mode }: FormSettings): string {
  switch (lessons.write) {
    case 'learn':
      return mode === 'retry'
        ? 'Default. Each failed attempt writes a lesson, which the next attempts see in their prompt.'
        : 'Default. New lessons are stored and wait for review.';
    case 'stage':
      return 'New lessons are only stored. They are screened on request and not used before.';
    case 'off':
      return 'No lessons are stored. Use this for evaluations.';
  }
}
