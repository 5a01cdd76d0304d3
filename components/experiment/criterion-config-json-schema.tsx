'use client';

import { CodeEditor } from '#components/ui/code-editor.tsx';
import { Field } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** The schema that the output must fit. */
export function CriterionConfigJsonSchema({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <Field
      label="JSON Schema"
      help="Draft 2020-12. The output, or its last code fence, must be JSON that fits it. Patterns are RE2; format is not checked"
      error={errorAt('config.schema')}
    >
      <CodeEditor
        language="json"
        value={criterion.schema}
        example={EXAMPLE}
        onChange={(schema) => onChange({ schema })}
      />
    </Field>
  );
}

const EXAMPLE = `{
  "type": "object",
  "required": ["title"],
  "properties": { "title": { "type": "string", "maxLength": 80 } }
}`;
