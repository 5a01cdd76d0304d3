'use client';

import { Field, Textarea } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** What a person is asked when the run waits for their score. */
export function CriterionConfigHuman({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <Field
      label="Question"
      help="What the person is asked; empty for just the criterion. Each version’s run waits for their score"
      error={errorAt('config.question')}
    >
      <Textarea rows={2} value={criterion.question} onChange={(event) => onChange({ question: event.target.value })} />
    </Field>
  );
}
