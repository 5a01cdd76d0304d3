'use client';

import { MayTextLink } from '#components/access/may-link.tsx';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { CodeExamples } from '#components/ui/code-examples.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PYTHON_TESTS_EXAMPLES } from '#lib/evaluators/examples.ts';
import type { CriterionConfigProps } from './criterion-config-props.ts';

/** The Python tests, and how long they may take. */
export function CriterionConfigPythonTests({ criterion, isPythonOn, errorAt, onChange }: CriterionConfigProps) {
  return (
    <>
      {isPythonOn ? null : (
        <Notice tone="person" title="Python is turned off here.">
          No run of this experiment can start before an owner turns it on under{' '}
          <MayTextLink needs="owner" href="/settings">
            Settings
          </MayTextLink>
          .
        </Notice>
      )}
      <Field
        label="Python tests"
        help="Functions test_… with assert, or unittest.TestCase. The output’s names are there; import solution works too"
        error={errorAt('config.tests')}
      >
        <CodeEditor
          language="python"
          value={criterion.tests}
          example={PYTHON_TESTS_EXAMPLES[0]?.code ?? ''}
          onChange={(tests) => onChange({ tests })}
        />
      </Field>
      <CodeExamples examples={PYTHON_TESTS_EXAMPLES} onUse={(tests) => onChange({ tests })} />
      <Field label="Time, ms" help="100 to 60,000; empty for 5,000" error={errorAt('config.timeoutMs')}>
        <Input numeric value={criterion.timeoutMs} onChange={(event) => onChange({ timeoutMs: event.target.value })} />
      </Field>
      <p className="text-ink-2 text-sm">
        The score is the share of tests that pass. Models are told which tests failed and why, but nothing of those
        whose name begins with <code>test_hidden</code> or whose class begins with <code>TestHidden</code>. The code is
        taken from a block marked python in the output, else it is the whole output. <code>{'{{metadata.tests}}'}</code>{' '}
        stands for a text of the case, so that each case can bring its own tests.
      </p>
    </>
  );
}
