'use client';

import { RotateCcw, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { Fold } from '#components/ui/fold-section.tsx';
import { useErrorAt } from '#components/ui/form-errors.tsx';
import type { BaseSettings } from '#lib/core/agents/base-settings.ts';
import { DELEGATE_TOOL } from '#lib/core/agents/tool-calls.ts';
import { isJudgedByModel } from '#lib/core/criterion.ts';
import type { ModelRole } from '#lib/core/model-roles.ts';
import { JUDGE_VARIABLES, templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { builtInPrompt, previewPrompt } from '#lib/estimates/preview-prompt.ts';
import { entriesOf } from './criterion-draft.ts';
import type { FormSettings } from './form-settings.ts';
import { getRolesWithOtherPrompts } from './form-summary.ts';
import { previewSettings } from './preview-request.ts';
import { PromptWarning } from './prompt-warning.tsx';
import { useSettingsForm } from './setting-fields.tsx';

/** Edits the prompt of each role: Hone's built-in text or a custom one. */
export function PromptsFields() {
  const { settings } = useSettingsForm();
  return (
    <>
      <p className="text-ink-2 text-sm">
        A custom prompt may contain{' '}
        {JUDGE_VARIABLES.map(({ name, meaning }, position) => (
          <span key={name}>
            {position === 0 ? '' : position === JUDGE_VARIABLES.length - 1 ? ' and ' : ', '}
            <code>{`{{${name}}}`}</code> ({meaning})
          </span>
        ))}
        . The output and the reference are only available to judges, in the prompt <code>evaluate</code> and the texts
        of judged criteria.
      </p>
      <div>
        {rolesOf(settings).map((role) => (
          <PromptOfRole key={role} role={role} />
        ))}
      </div>
    </>
  );
}

function PromptOfRole({ role }: { role: ModelRole }) {
  const { settings, set } = useSettingsForm();
  const path = `prompts.${role}` as const;
  const error = useErrorAt()(path);
  const text = settings.prompts[role] ?? '';
  const [isOpen, setOpen] = useState(false);
  const [wasReplaced, setReplaced] = useState(false);
  // Keep the field open while its text is deleted. An empty text is stored as the built-in prompt.
  const isOwn = wasReplaced || text !== '';
  const builtIn = isOpen || error ? builtInPrompt(previewSettings(settings), role) : '';
  const { title, meaning } = ROLE_LABELS[role];

  return (
    <Fold
      size="inner"
      open={isOpen || error !== null}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      title={<span className="font-medium">{title}</span>}
      summary={meaning}
      mark={<Badge tone={isOwn ? 'on' : 'plain'}>{isOwn ? 'custom' : 'default'}</Badge>}
    >
      <div className="flex flex-col gap-3 py-2 pl-6">
        {isOwn ? (
          <>
            <Field label={`Prompt: ${role}`} help={REST_LABELS[role]} path={path}>
              <Textarea
                isCode
                rows={6}
                placeholder={builtIn}
                value={text}
                onValue={(value) => {
                  setReplaced(true);
                  set(path, value);
                }}
              />
            </Field>
            <PromptWarning text={text} reader={role === 'evaluate' ? 'judge' : 'task'} />
          </>
        ) : (
          <div className="flex flex-col gap-1">
            <span className="font-medium text-ink text-sm">Hone’s default</span>
            <CodeBlock>{builtIn}</CodeBlock>
            <span className="text-ink-3 text-sm">{REST_LABELS[role]}</span>
          </div>
        )}
        <div className="flex items-center gap-2">
          {isOwn ? (
            <Button
              size="small"
              onClick={() => {
                setReplaced(false);
                set(path, '');
              }}
            >
              <RotateCcw />
              Use Hone’s default
            </Button>
          ) : (
            <Button
              size="small"
              onClick={() => {
                setReplaced(true);
                set(path, builtIn);
              }}
            >
              <SquarePen />
              Replace it
            </Button>
          )}
        </div>
        {isOpen ? <PromptPreview role={role} settings={settings} /> : null}
      </div>
    </Fold>
  );
}

/** Returns the roles with an editable prompt. The tuned prompt is edited with the cases, and the proposer's prompt is built in. */
function rolesOf(settings: FormSettings): readonly ModelRole[] {
  return settings.mode === 'tune' ? ['evaluate'] : getRolesWithOtherPrompts(settings);
}

const ROLE_LABELS: Record<ModelRole, { title: string; meaning: string }> = {
  generate: { title: 'generate', meaning: 'the task, as every role sees it' },
  evaluate: { title: 'evaluate', meaning: 'scores a version by the criteria of judges' },
  reflect: { title: 'reflect', meaning: 'lists the issues of a version' },
  revise: { title: 'revise', meaning: 'writes the next version' },
  lesson: { title: 'lesson', meaning: 'writes what to do differently (retry mode)' },
};

const REST_LABELS: Record<ModelRole, string> = {
  generate: 'Without {{input}}, the models do not see the case.',
  evaluate: 'Hone appends the task, the candidate, the criteria and the answer format.',
  reflect: 'Hone appends the task, the candidate, its scores and their feedback.',
  revise: 'Hone puts the instructions before it, and appends the task, the draft, its issues and suggestions.',
  lesson: 'Hone appends the task, the attempt and its feedback.',
};

/** Shows the full prompt of a role for a sample input. Values from the loop are shown as placeholders in parentheses. */
function PromptPreview({ role, settings: form }: { role: ModelRole; settings: FormSettings }) {
  const [input, setInput] = useState('Explain how to page through results.');
  const [isOpen, setOpen] = useState(false);
  const settings = isOpen ? previewSettings(form) : null;
  const sent =
    settings &&
    previewPrompt(settings, role, { input, reference: SAMPLE_REFERENCE, tags: [], metadata: sampleMetadata(form) });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-ink-2 text-sm">Preview for a sample case</summary>
      <div className="mt-2 flex flex-col gap-3">
        <Field label="Input of the sample case">
          <Textarea rows={2} value={input} onValue={setInput} />
        </Field>
        {sent ? (
          <div className="flex flex-col gap-1" data-testid={`preview-${role}`}>
            <span className="font-medium text-ink text-sm">Instructions</span>
            <CodeBlock>{sent.instructions}</CodeBlock>
            <span className="mt-2 font-medium text-ink text-sm">Prompt</span>
            <CodeBlock>{sent.prompt}</CodeBlock>
            {role === 'generate' && settings !== null ? <DescribedTools base={settings.generator.base} /> : null}
          </div>
        ) : null}
      </div>
    </details>
  );
}

const SAMPLE_REFERENCE = '(the case’s reference)';

/** Lists the tools that are described to the agent in addition to its prompt. */
function DescribedTools({ base }: { base: BaseSettings }) {
  if (base.type === 'single') return null;
  const tools = base.type === 'supervisor' ? [DELEGATE_TOOL, ...base.tools] : base.tools;
  return (
    <>
      <span className="mt-2 font-medium text-ink text-sm">Tools</span>
      <p className="wrap-anywhere font-mono text-sm">{tools.join(', ') || 'none'}</p>
    </>
  );
}

/** Returns a sample value for each metadata field used in prompts and criteria. */
function sampleMetadata({ prompts, criteria }: FormSettings): Record<string, unknown> {
  const texts = [
    ...Object.values(prompts).map((text) => text ?? ''),
    ...criteria.flatMap((criterion) => [
      criterion.description,
      ...(isJudgedByModel(criterion) ? Object.values(entriesOf(criterion)).map(String) : []),
    ]),
  ];
  const names = texts
    .flatMap((text) => templateVariables(text, 'judge'))
    .flatMap(({ name, known }) => (known && name.startsWith('metadata.') ? [name.slice('metadata.'.length)] : []));
  return Object.fromEntries(names.map((name) => [name, `(the case’s ${name})`]));
}
