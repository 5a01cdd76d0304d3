'use client';

import { CodeEditor } from '#components/ui/code-editor.tsx';
import { Field } from '#components/ui/field.tsx';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** The JavaScript that scores, and what it is given and may return. */
export function CriterionConfigFunction({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <>
      <Field
        label="JavaScript"
        help="It defines a function evaluate({ output, input, reference, metadata })"
        error={errorAt('config.code')}
      >
        <CodeEditor
          language="javascript"
          value={criterion.code}
          example={EXAMPLE}
          onChange={(code) => onChange({ code })}
        />
      </Field>
      <p className="sm muted">
        It returns a score from 0 to 1 or true or false, or [passed, message], or{' '}
        {'{ score, message, issues, suggestions }'}. It runs shut off: no network, files, clock or chance, at most 1
        second and 64 MB. What it says is told to models, but for what quotes the reference.
      </p>
    </>
  );
}

const EXAMPLE = `function evaluate({ output, input, reference, metadata }) {
  const words = output.trim().split(/\\s+/).length;
  return [words <= 100, \`\${words} words; at most 100 are asked for\`];
}`;
