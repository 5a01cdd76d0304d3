'use client';

import { Check, TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useState, useTransition } from 'react';
import { problemAt, refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';
import { TEMPLATE_VARIABLES } from '#lib/core/prompts/judge-texts.ts';
import { formatNumberOf } from '#lib/format.ts';
import { promptPath } from '#lib/prompts/prompt-path.ts';
import { checkVariables, variableNotes } from './check-variables.ts';

type NewPromptFormProps = {
  datasets: readonly { id: string; name: string; caseCount: number }[];
  save: (input: unknown) => Promise<Result<{ name: string; version: number }>>;
};

const EXAMPLE = 'Sort this mail. Answer with one label: billing, bug, other.\n\nMail: {{input}}';
const FIELDS = ['name', 'text', 'message', 'setup.datasetId'];

/** A prompt with its first version. What it is tried with beside a dataset is chosen on its page. */
export function NewPromptForm({ datasets, save }: NewPromptFormProps) {
  const router = useRouter();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [message, setMessage] = useState('');
  const [datasetId, setDatasetId] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  const errorAt = (field: string) => problemAt(problem, field);
  useEffect(() => {
    if (problem !== null) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  }, [problem]);

  function send(event: FormEvent) {
    event.preventDefault();
    startSaving(async () => {
      const said = message.trim() === '' ? {} : { message };
      const setup = { datasetId: datasetId === '' ? null : datasetId };
      const result = await save({ name, text, ...said, setup }).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Look whether the prompt is there before you try again.'),
      );
      if (!result.ok) return setProblem(result.problem);
      router.push(promptPath(result.value.name));
    });
  }

  return (
    <form className="flex max-w-200 flex-col gap-4" onSubmit={send} noValidate>
      <Field
        label="Name"
        help="Programs ask for it by this name. Letters, digits and - _ . / such as support/triage"
        error={errorAt('name')}
      >
        <Input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field
        label="Text"
        help={`May hold ${TEMPLATE_VARIABLES.map((one) => `{{${one.name}}} (${one.meaning})`).join(' and ')}`}
        error={errorAt('text')}
      >
        <CodeEditor value={text} language="prompt" example={EXAMPLE} onChange={setText} />
      </Field>
      <Variables text={text} />
      <Field
        label="Message"
        help="What a version’s writer says of it; First version if left empty"
        error={errorAt('message')}
      >
        <Input value={message} maxLength={300} onChange={(event) => setMessage(event.target.value)} />
      </Field>
      <Field
        label="Dataset"
        help="What it is tried on. It may be chosen later, and so may models and criteria."
        error={errorAt('setup.datasetId')}
      >
        <Select value={datasetId} onChange={(event) => setDatasetId(event.target.value)}>
          <option value="">none yet</option>
          {datasets.map((dataset) => (
            <option key={dataset.id} value={dataset.id}>
              {dataset.name}, {formatNumberOf(dataset.caseCount, 'case')}
            </option>
          ))}
        </Select>
      </Field>
      {problem !== null && !FIELDS.includes(problem.field ?? '') ? (
        <Notice tone="worse" alert title={problem.message} />
      ) : null}
      <div>
        <Button type="submit" variant="primary" size="large" disabled={isSaving}>
          {isSaving ? 'Saving' : 'Save the prompt'}
        </Button>
      </div>
    </form>
  );
}

/** The variables of a text, and what is wrong with them. Such a prompt may be meant so, and is stored. */
function Variables({ text }: { text: string }) {
  const checked = checkVariables(text, []);
  const notes = text.trim() === '' ? [] : variableNotes(checked, 0);
  return (
    <div role="status" className="text-sm" data-testid="variables">
      {checked.length > 0 ? (
        <p className="wrap-anywhere text-ink-2">
          {notes.length === 0 ? <Check className="size-3.25" aria-hidden /> : null} Variables{' '}
          {checked.map((variable) => (
            <code key={variable.name} className="mr-1">{`{{${variable.name}}}`}</code>
          ))}
        </p>
      ) : null}
      {notes.map((note) => (
        <p key={note.text} className="wrap-anywhere text-wait">
          <TriangleAlert className="size-3.25" aria-hidden /> {note.text}
        </p>
      ))}
    </div>
  );
}
