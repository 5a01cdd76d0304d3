'use client';

import { CodeEditor } from '#components/ui/code-editor.tsx';
import { CodeExamples } from '#components/ui/code-examples.tsx';
import { Field } from '#components/ui/field.tsx';
import { FUNCTION_EXAMPLES } from '#lib/evaluators/examples.ts';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** The JavaScript that scores, and what it is given and may return. */
export function CriterionConfigFunction({ criterion, errorAt, onChange }: CriterionConfigProps) {
  return (
    <>
      <Field
        label="JavaScript"
        help="Defines a function evaluate({ output, input, reference, metadata }). It runs shut off: no network, files, clock or chance, at most 1 second and 64 MB."
        error={errorAt('config.code')}
      >
        <CodeEditor
          language="javascript"
          value={criterion.code}
          example={FUNCTION_EXAMPLES[0]?.code ?? ''}
          onChange={(code) => onChange({ code })}
        />
      </Field>
      <CodeExamples examples={FUNCTION_EXAMPLES} onUse={(code) => onChange({ code })} />
      <details>
        <summary className="cursor-pointer text-ink-2 text-sm">What it may return</summary>
        <ul className="mt-1 list-disc pl-5 text-ink-2 text-sm">
          <li>
            a score from <code>0</code> to <code>1</code>, or <code>true</code> or <code>false</code>
          </li>
          <li>
            <code>[passed, message]</code>, where passed may be a score too
          </li>
          <li>
            <code>{'{ score, message, issues, suggestions }'}</code>, where issues and suggestions are lists of texts
          </li>
          <li>anything else leaves the criterion unscored, and so does an error</li>
        </ul>
        <p className="mt-1 text-ink-2 text-sm">
          Models are told the message, issues and suggestions, except those that quote the reference: only people see
          these.
        </p>
      </details>
    </>
  );
}
