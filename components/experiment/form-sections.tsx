'use client';

import { TriangleAlert } from 'lucide-react';
import type { ComponentType } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { FieldGrid } from '#components/ui/field.tsx';
import { FoldSection } from '#components/ui/fold-section.tsx';
import { errorAt, errorSentence } from '#components/ui/form-errors.tsx';
import { CONFIDENCE_ACTIONS } from '#lib/core/evaluation-settings.ts';
import type { FieldProblem } from '#lib/core/problem.ts';
import { FORM_PARTS, type FormPart } from '#lib/runs/edit-form-path.ts';
import { BaseFields } from './base-fields.tsx';
import { CriteriaEditor } from './criteria-editor.tsx';
import { promptPath } from './first-prompt.ts';
import { changedParts, type DefaultModels, partOf } from './form-part.ts';
import { type FormSettings, judgingOf } from './form-settings.ts';
import { summaryOf } from './form-summary.ts';
import { LessonsFields } from './lessons-fields.tsx';
import { LoopFields, ReflectionFields, StopFields } from './loop-fields.tsx';
import { PeopleFields } from './people-fields.tsx';
import { PromptsFields } from './prompts-fields.tsx';
import { type PreviewScoring, ScoringEffect } from './scoring-effect.tsx';
import { NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';
import { TaskFields } from './task-fields.tsx';
import { TuneFields } from './tune-fields.tsx';

type FormSectionsProps = {
  problems: readonly FieldProblem[];
  /** Default models of a new experiment. Null for an existing one. */
  defaultModels: DefaultModels | null;
  /** Part that is open initially. Null: none. */
  openPart: FormPart | null;
  /** Dataset for tuning. `onDataset` is called when it is changed here. Null if it is that of the cases. */
  datasetId: string | null;
  onDataset: ((id: string) => void) | null;
  /** Recomputes stored scores with edited weights and thresholds. Only for an existing experiment. */
  previewScoring: PreviewScoring | null;
};

type PartProps = Pick<FormSectionsProps, 'problems' | 'datasetId' | 'onDataset' | 'previewScoring'>;
type Part = { title: string; meaning: string; tunedMeaning?: string; Fields: ComponentType<PartProps> };

const PARTS: Record<FormPart, Part> = {
  tuning: {
    title: 'Tuning',
    meaning: 'How cases are split, and when a candidate counts as better.',
    Fields: TuneFields,
  },
  criteria: {
    title: 'Criteria',
    meaning: 'What scores an answer: a judge, a pattern, code or people.',
    Fields: CriteriaFields,
  },
  loop: {
    title: 'Loop',
    meaning: 'How an answer below the threshold is improved, and how often.',
    Fields: LoopFields,
  },
  lessons: {
    title: 'Lessons',
    meaning: 'Which lessons runs recall, and which they write.',
    tunedMeaning: 'Which lessons the reflection model sees.',
    Fields: LessonsFields,
  },
  people: {
    title: 'People and budget',
    meaning: 'When a run pauses for a reviewer, and how much it may spend.',
    Fields: PeopleFields,
  },
  task: {
    title: 'Models',
    meaning: 'Which models judge, reflect and embed, and the temperatures.',
    Fields: TaskFields,
  },
  base: {
    title: 'Generation',
    meaning: 'One call, an agent with tools, or a supervisor with workers.',
    tunedMeaning: 'One call, or an agent with tools.',
    Fields: BaseFields,
  },
  prompts: { title: 'Prompts', meaning: 'Custom prompts instead of Hone’s defaults.', Fields: PromptsFields },
  reflection: {
    title: 'Reflect and revise',
    meaning: 'When a critique is written, and how it is applied.',
    Fields: ReflectionFields,
  },
  stops: { title: 'Stop rules', meaning: 'When a run ends before it reaches the threshold.', Fields: StopFields },
};

/** True if the form has this part. Tuning does not revise, and a target has its own way to make an output. */
function isShown(part: FormPart, { mode, generator }: FormSettings): boolean {
  if (part === 'base') return generator.target === null;
  return part !== (mode === 'tune' ? 'reflection' : 'tuning');
}

/** Collapsed parts for all settings with defaults. Each shows its purpose, its current values, and if they differ from the defaults. */
export function FormSections({ openPart, defaultModels, ...props }: FormSectionsProps) {
  const { problems } = props;
  const { settings } = useSettingsForm();
  const { mode } = settings;
  const changed = changedParts(settings, defaultModels ?? undefined);
  const wrongIn = (part: FormPart) =>
    problems.filter(({ field }) => field !== promptPath(settings) && partOf(field, mode) === part).length;
  return FORM_PARTS.filter((part) => isShown(part, settings)).map((part) => {
    const { title, meaning, tunedMeaning = meaning, Fields } = PARTS[part];
    const wrong = wrongIn(part);
    return (
      <div key={part} id={`part-${part}`} className="scroll-mt-16">
        <FoldSection
          title={title}
          summary={
            <>
              <span className="block truncate max-narrow:whitespace-normal">
                {mode === 'tune' ? tunedMeaning : meaning}
              </span>
              <span className="block truncate text-ink-3 text-sm">{summaryOf(part, settings)}</span>
            </>
          }
          open={part === openPart}
          forceOpen={wrong > 0}
          mark={<PartMark wrong={wrong} customized={changed.get(part) ?? 0} />}
        >
          <div className="flex flex-col gap-4">
            <Fields {...props} />
          </div>
        </FoldSection>
      </div>
    );
  });
}

function PartMark({ wrong, customized }: { wrong: number; customized: number }) {
  if (wrong > 0)
    return (
      <Badge tone="worse">
        <TriangleAlert />
        {wrong} to fix
      </Badge>
    );
  if (customized === 0) return null;
  return <Badge tone="on">{customized === 1 ? 'customized' : `${customized} customized`}</Badge>;
}

function CriteriaFields({ problems, previewScoring }: PartProps) {
  const { choices, initial, settings, set } = useSettingsForm();
  function criteriaErrorAt(path: string) {
    const error = errorAt(problems, path);
    return error === null || path !== 'criteria' ? error : errorSentence('Criteria', error);
  }
  return (
    <>
      <CriteriaEditor
        criteria={settings.criteria}
        judging={judgingOf(settings)}
        webhooks={choices.webhooks}
        isPythonOn={choices.isPythonOn}
        errorAt={criteriaErrorAt}
        onChange={(criteria) => set('criteria', criteria)}
      />
      <ThresholdFields />
      {previewScoring ? <ScoringEffect initial={initial} settings={settings} preview={previewScoring} /> : null}
    </>
  );
}

/** Edits the pass threshold and the action for a judge with low confidence. */
function ThresholdFields() {
  const { mode, evaluation } = useSettingsForm().settings;
  const canAsk = mode !== 'tune' || evaluation.confidence.action === 'ask';
  return (
    <>
      <NumberField
        path="qualityThreshold"
        label="Quality threshold"
        help="0 to 1, default 0.8. A version passes if its overall score and every criterion with a threshold reach them."
      />
      <FieldGrid>
        <NumberField
          path="evaluation.confidence.below"
          label="Minimum judge confidence"
          help="0 to 1. Leave empty for none. Only affects judges that report a confidence."
        />
        <SelectField
          path="evaluation.confidence.action"
          label="If below"
          options={CONFIDENCE_ACTIONS.filter((action) => action !== 'ask' || canAsk)}
          labelOf={(action) => CONFIDENCE_LABELS[action]}
        />
      </FieldGrid>
    </>
  );
}

const CONFIDENCE_LABELS: Record<(typeof CONFIDENCE_ACTIONS)[number], string> = {
  rejudge: 'Judge again, keep the more confident score',
  ask: 'Request a score from a reviewer',
  unscored: 'Count the criterion as unscored',
};
