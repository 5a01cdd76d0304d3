'use client';

import { CodeEditor } from '#components/ui/code-editor.tsx';
import { CodeExamples } from '#components/ui/code-examples.tsx';
import { Field } from '#components/ui/field.tsx';
import { JSON_SCHEMA_EXAMPLES } from '#lib/evaluators/examples.ts';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** The schema that the output must fit. */
export function CriterionConfigJsonSchema({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <>
      <Field
        label="JSON Schema"
        help="Draft 2020-12. The output, or its last code fence, must be JSON that fits it: 1, else 0. Patterns are RE2; format is not checked."
        error={errorAt('config.schema')}
      >
        <CodeEditor
          language="json"
          value={criterion.schema}
          example={JSON_SCHEMA_EXAMPLES[0]?.code ?? ''}
          onChange={(schema) => onChange({ schema })}
        />
      </Field>
      <CodeExamples examples={JSON_SCHEMA_EXAMPLES} onUse={(schema) => onChange({ schema })} />
    </>
  );
}
