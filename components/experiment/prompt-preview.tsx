'use client';

import { useState } from 'react';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { DELEGATE_TOOL } from '#lib/core/agents/agent-records.ts';
import type { BaseSettings } from '#lib/core/agents/base-settings.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import type { ModelRole } from '#lib/core/settings.ts';
import { previewPrompt } from '#lib/estimates/preview-prompt.ts';
import type { ExperimentDraft } from './experiment-draft.ts';
import { previewSettings } from './preview-settings.ts';

/** The whole prompt of a role as it would be sent for a case that is typed in; what the loop brings stands in round brackets. */
export function PromptPreview({ role, draft }: { role: ModelRole; draft: ExperimentDraft }) {
  const [input, setInput] = useState('Explain how to page through results.');
  const [isOpen, setOpen] = useState(false);
  const settings = isOpen ? previewSettings(draft) : null;
  const sent =
    settings &&
    previewPrompt(settings, role, { input, reference: SAMPLE_REFERENCE, tags: [], metadata: sampleMetadata(draft) });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-ink-2 text-sm">Preview for a sample case</summary>
      <div className="mt-2 flex flex-col gap-3">
        <Field label="Input of the sample case">
          <Textarea rows={2} value={input} onChange={(event) => setInput(event.target.value)} />
        </Field>
        {sent ? (
          <div className="flex flex-col gap-1" data-testid={`preview-${role}`}>
            <span className="font-medium text-ink text-sm">Instructions</span>
            <CodeBlock>{sent.instructions}</CodeBlock>
            <span className="mt-2 font-medium text-ink text-sm">Prompt</span>
            <CodeBlock>{sent.prompt}</CodeBlock>
            {role === 'generate' && settings !== null ? <ToldTools base={settings.generator.base} /> : null}
          </div>
        ) : null}
      </div>
    </details>
  );
}

const SAMPLE_REFERENCE = '(the case’s reference)';

/** The tools that the agent is told of beside its prompt. */
function ToldTools({ base }: { base: BaseSettings }) {
  if (base.type === 'single') return null;
  const tools = base.type === 'supervisor' ? [DELEGATE_TOOL, ...base.tools] : base.tools;
  return (
    <>
      <span className="mt-2 font-medium text-ink text-sm">Tools</span>
      <p className="wrap-anywhere font-mono text-sm">{tools.join(', ') || 'none'}</p>
    </>
  );
}

/** A value for each metadata field that the prompts and criteria name. */
function sampleMetadata(draft: ExperimentDraft): Record<string, unknown> {
  const texts = [
    ...Object.values(draft.prompts),
    ...draft.criteria.flatMap(({ description, rubric, items }) => [description, rubric, items]),
  ];
  const names = texts
    .flatMap((text) => templateVariables(text, 'judge'))
    .flatMap(({ name, known }) => (known && name.startsWith('metadata.') ? [name.slice('metadata.'.length)] : []));
  return Object.fromEntries(names.map((name) => [name, `(the case’s ${name})`]));
}
