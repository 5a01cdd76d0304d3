'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, FileInput, Input, Textarea } from '#components/ui/field.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Problem } from '#lib/core/problem.ts';
import type { RunImport } from '#lib/exchange/run-import.ts';
import { formatNumberOf, formatSentence } from '#lib/format.ts';
import { CheckedImport } from './checked-import.tsx';
import { ImportProblems } from './import-problems.tsx';
import { sendRunImport } from './send-run-import.ts';

const EXAMPLE = '{"run": "baseline", "case": {"id": "q1", "input": "…"}, "attempt": 1, "output": "…", "solved": false}';

/** Past runs by file or paste: first everything is checked and shown, then it is stored, all of it or nothing. */
export function ImportRuns() {
  const router = useRouter();
  const toast = useToast();
  const [source, setSource] = useState<'file' | 'paste'>('file');
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const [solvedFrom, setSolvedFrom] = useState('0.8');
  const [checked, setChecked] = useState<RunImport | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, startSending] = useTransition();
  const content = source === 'file' ? file : text.trim() === '' ? null : new Blob([text]);
  const isReady = checked !== null && checked.problems.length === 0 && checked.runs > 0;

  function forget() {
    setChecked(null);
    setProblem(null);
  }

  function look(sent: Blob | null) {
    forget();
    if (sent === null)
      return setProblem({
        code: 'invalid',
        field: 'content',
        message: source === 'file' ? 'Choose a file first.' : 'Paste some lines first.',
      });
    startSending(async () => {
      const result = await sendRunImport({ content: sent, name, solvedFrom, dryRun: true });
      if (!result.ok) return setProblem(result.problem);
      setChecked(result.value);
      if (result.value.runs === 0 && result.value.problems.length === 0)
        setProblem({ code: 'invalid', field: 'content', message: 'There is no run in it.' });
    });
  }

  function store(sent: Blob) {
    startSending(async () => {
      const result = await sendRunImport({ content: sent, name, solvedFrom, dryRun: false });
      if (!result.ok) return setProblem(result.problem);
      const { runs, repeated, experimentId } = result.value;
      toast(repeated ? 'These runs were imported before: here they are' : `${formatNumberOf(runs, 'run')} imported`);
      router.push(`/experiments/${experimentId}`);
      router.refresh();
    });
  }

  function send(event: FormEvent) {
    event.preventDefault();
    if (isReady && content !== null) store(content);
    else look(content);
  }

  return (
    <form className="flex flex-col gap-4" onSubmit={send} noValidate>
      <div>
        <Segmented
          label="Where the lines are"
          value={source}
          onChange={(next) => {
            setSource(next);
            forget();
          }}
          choices={[
            { value: 'file', label: 'File' },
            { value: 'paste', label: 'Paste' },
          ]}
        />
      </div>
      {source === 'file' ? (
        <label className="flex flex-wrap items-center gap-2 text-ink-2 text-sm">
          JSONL, up to 50 MB
          <FileInput
            accept=".jsonl,.ndjson,.json,.txt"
            onChange={(event) => {
              const [chosen = null] = event.target.files ?? [];
              setFile(chosen);
              if (chosen === null) forget();
              else look(chosen);
            }}
          />
        </label>
      ) : (
        <Field label="Lines" help="One JSON object a line, one line an attempt">
          <Textarea
            rows={8}
            className="font-mono text-code"
            spellCheck={false}
            placeholder={EXAMPLE}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              forget();
            }}
          />
        </Field>
      )}
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field
          label="Name of the experiment"
          help="Empty: the name of the runs"
          error={problem?.field === 'name' ? problem.message : null}
        >
          <Input value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field
          label="Solved from a score of"
          help="0 to 1; counts where a line has a score and does not say whether it is solved"
          error={problem?.field === 'solvedFrom' ? problem.message : null}
        >
          <Input
            numeric
            value={solvedFrom}
            onChange={(event) => {
              setSolvedFrom(event.target.value);
              forget();
            }}
          />
        </Field>
      </div>
      {problem !== null && problem.field !== 'name' && problem.field !== 'solvedFrom' ? (
        <p className="text-sm text-worse" role="alert" data-testid="import-problem">
          ✕ {formatSentence(problem.message)}
        </p>
      ) : null}
      {checked !== null && checked.problems.length > 0 ? <ImportProblems problems={checked.problems} /> : null}
      {isReady ? <CheckedImport checked={checked} /> : null}
      <div>
        <Button type="submit" variant="primary" size="large" disabled={isSending}>
          {isSending ? 'Reading' : isReady ? `Import ${formatNumberOf(checked.runs, 'run')}` : 'Check'}
        </Button>
      </div>
    </form>
  );
}
