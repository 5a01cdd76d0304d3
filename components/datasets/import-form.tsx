'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { fail, type Problem, type Result } from '#lib/reflection/problem.ts';

type Format = 'jsonl' | 'csv';
type ImportFormProps = {
  save: (input: { name: string; format: Format; text: string }) => Promise<Result<{ id: string; caseCount: number }>>;
};

/** Largest text a form takes, in characters; larger files go through the API. */
const LARGEST = 900_000;

/** Cases by paste or from a file. A line that is wrong is named, and then nothing is stored. */
export function ImportForm({ save }: ImportFormProps) {
  const router = useRouter();
  const [name, setName] = useState('');
  const [format, setFormat] = useState<Format>('jsonl');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();

  async function read(file: File | undefined) {
    if (!file) return;
    setText(await file.text());
    setFormat(file.name.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl');
    if (name === '') setName(file.name.replace(/\.[^.]+$/, ''));
  }

  function send(event: FormEvent) {
    event.preventDefault();
    if (text.length > LARGEST) {
      setProblem({
        code: 'too_large',
        field: 'text',
        message: 'This is too much for a form. Send it to POST /api/v1/datasets, which takes files of any size.',
      });
      return;
    }
    startSaving(async () => {
      const result = await save({ name, format, text }).catch(() =>
        fail('unavailable', 'Hone did not answer. Nothing was stored.'),
      );
      if (!result.ok) return setProblem(result.problem);
      router.push(`/datasets/${result.value.id}`);
    });
  }

  return (
    <form className="stack max-w-200 gap-4" onSubmit={send} noValidate>
      <Field label="Name" error={problem?.field === 'name' ? problem.message : null}>
        <Input value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <div className="row wrap">
        <Segmented
          label="Format"
          value={format}
          onChange={setFormat}
          choices={[
            { value: 'jsonl', label: 'JSONL' },
            { value: 'csv', label: 'CSV' },
          ]}
        />
        <label className="sm muted row">
          or from a file
          <input
            type="file"
            accept=".jsonl,.json,.csv,.txt"
            className="filepick sm max-w-72"
            onChange={(event) => void read(event.target.files?.[0])}
          />
        </label>
      </div>
      <Field
        label="Cases"
        help={
          format === 'jsonl'
            ? 'One JSON object a line: {"input": "…", "reference": "…", "tags": [], "metadata": {}}; only input is needed'
            : 'The first line names the columns: input, and if there are, reference and tags'
        }
        error={problem && problem.field !== 'name' ? problem.message : null}
      >
        <Textarea
          rows={14}
          className="mono"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div>
        <Button type="submit" variant="primary" size="large" disabled={isSaving}>
          {isSaving ? 'Storing' : 'Store these cases'}
        </Button>
      </div>
    </form>
  );
}
