'use client';

import { RotateCcw, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { Fold } from '#components/ui/fold-section.tsx';
import { JUDGE_VARIABLES } from '#lib/core/prompts/judge-texts.ts';
import { MODEL_ROLES, type ModelRole } from '#lib/core/settings.ts';
import { builtInPrompt } from '#lib/estimates/preview-prompt.ts';
import type { ExperimentDraft } from './experiment-draft.ts';
import { previewSettings } from './preview-settings.ts';
import { PromptPreview } from './prompt-preview.tsx';
import { PromptWarning } from './prompt-warning.tsx';

type PromptsFieldsProps = {
  draft: ExperimentDraft;
  change: (changes: Partial<ExperimentDraft>) => void;
  errorAt: (path: string) => string | null;
};

/** What each role is told: Hone's own text, or one that stands in its place. */
export function PromptsFields({ draft, change, errorAt }: PromptsFieldsProps) {
  return (
    <>
      <p className="text-ink-2 text-sm">
        A prompt of your own may hold{' '}
        {JUDGE_VARIABLES.map(({ name, meaning }, position) => (
          <span key={name}>
            {position === 0 ? '' : position === JUDGE_VARIABLES.length - 1 ? ' and ' : ', '}
            <code>{`{{${name}}}`}</code> ({meaning})
          </span>
        ))}
        . The output and the reference are only for judges: the prompt <code>evaluate</code> and the texts of judged
        criteria.
      </p>
      <div>
        {rolesOf(draft.mode).map((role) => (
          <PromptOfRole
            key={role}
            role={role}
            draft={draft}
            error={errorAt(`prompts.${role}`)}
            onChange={(text) => change({ prompts: { ...draft.prompts, [role]: text } })}
          />
        ))}
      </div>
    </>
  );
}

type PromptOfRoleProps = {
  role: ModelRole;
  draft: ExperimentDraft;
  error: string | null;
  onChange: (text: string) => void;
};

function PromptOfRole({ role, draft, error, onChange }: PromptOfRoleProps) {
  const text = draft.prompts[role];
  const [isOpen, setOpen] = useState(false);
  const [wasReplaced, setReplaced] = useState(false);
  // A text that is being emptied stays in its entry; empty is stored as Hone's own.
  const isOwn = wasReplaced || text !== '';
  const builtIn = isOpen || error ? builtInPrompt(previewSettings(draft), role) : '';
  const { title, meaning } = ROLE_LABELS[role];

  return (
    <Fold
      size="inner"
      open={isOpen || error !== null}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      title={<span className="font-medium">{title}</span>}
      summary={meaning}
      mark={<Badge tone={isOwn ? 'on' : 'plain'}>{isOwn ? 'own text' : 'Hone’s own'}</Badge>}
    >
      <div className="flex flex-col gap-3 py-2 pl-6">
        {isOwn ? (
          <>
            <Field label={`Prompt: ${role}`} help={REST_WORDS[role]} error={error}>
              <Textarea
                rows={6}
                className="font-mono text-code"
                spellCheck={false}
                placeholder={builtIn}
                value={text}
                onChange={(event) => {
                  setReplaced(true);
                  onChange(event.target.value);
                }}
              />
            </Field>
            <PromptWarning text={text} reader={role === 'evaluate' ? 'judge' : 'task'} />
          </>
        ) : (
          <div className="flex flex-col gap-1">
            <span className="font-medium text-ink text-sm">Hone’s own text</span>
            <CodeBlock>{builtIn}</CodeBlock>
            <span className="text-ink-3 text-sm">{REST_WORDS[role]}</span>
          </div>
        )}
        <div className="flex items-center gap-2">
          {isOwn ? (
            <Button
              size="small"
              onClick={() => {
                setReplaced(false);
                onChange('');
              }}
            >
              <RotateCcw className="size-3.25" aria-hidden />
              Back to Hone’s own
            </Button>
          ) : (
            <Button
              size="small"
              onClick={() => {
                setReplaced(true);
                onChange(builtIn);
              }}
            >
              <SquarePen className="size-3.25" aria-hidden />
              Replace it
            </Button>
          )}
        </div>
        {isOpen ? <PromptPreview role={role} draft={draft} /> : null}
      </div>
    </Fold>
  );
}

/** The roles a prompt can be written for. The prompt that is tuned stands with the cases, and what proposes the next one is Hone’s own. */
function rolesOf(mode: ExperimentDraft['mode']): readonly ModelRole[] {
  return mode === 'tune' ? ['evaluate'] : MODEL_ROLES;
}

const ROLE_LABELS: Record<ModelRole, { title: string; meaning: string }> = {
  generate: { title: 'generate', meaning: 'the task, as every role sees it' },
  evaluate: { title: 'evaluate', meaning: 'judges a version by the criteria a model scores' },
  reflect: { title: 'reflect', meaning: 'says what is wrong with a version' },
  revise: { title: 'revise', meaning: 'makes the next version' },
  lesson: { title: 'lesson', meaning: 'writes what to do differently (retry mode)' },
};

const REST_WORDS: Record<ModelRole, string> = {
  generate: 'Without {{input}} the case does not reach the models.',
  evaluate: 'The task, the candidate, the criteria and the form of the answer come after it.',
  reflect: 'The task, the candidate, its scores and their feedback come after it.',
  revise: 'The instructions come before it; the task, the draft, its issues and suggestions come after it.',
  lesson: 'The task, the attempt and its feedback come after it.',
};
