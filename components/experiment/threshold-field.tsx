'use client';

import { Field, Input } from '#components/ui/field.tsx';
import type { FormPartProps } from './form-part-props.ts';

/** From which overall score a version is good enough. */
export function ThresholdField({ draft, change, errorAt }: FormPartProps) {
  return (
    <Field
      label="Quality threshold"
      help="0 to 1, default 0.8. A version passes when its overall score reaches it. A criterion with its own threshold must reach that too."
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
