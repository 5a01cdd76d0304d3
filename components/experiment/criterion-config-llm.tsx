'use client';

import { Field, Textarea } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';
import { PromptWarning } from './prompt-warning.tsx';

/** A rubric of the criterion's own, folded away while there is none. */
export function CriterionConfigLlm({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <details open={criterion.rubric !== '' || errorAt('config.rubric') !== null}>
      <summary className="cursor-pointer text-ink-2 text-sm">Rubric of its own</summary>
      <Field
        label="Rubric"
        hideLabel
        className="mt-2"
        help="What earns which score, told to the judge. May hold {{input}}, {{output}}, {{reference}} and {{metadata.name}}"
        error={errorAt('config.rubric')}
      >
        <Textarea rows={3} value={criterion.rubric} onChange={(event) => onChange({ rubric: event.target.value })} />
      </Field>
      <PromptWarning text={criterion.rubric} reader="judge" />
    </details>
  );
}
