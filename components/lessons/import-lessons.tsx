'use client';

import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Field, FileInput, Textarea } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { ColumnHead, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import {
  IMPORT_ACCEPT,
  importKindOf,
  type LessonFile,
  type PreviewRow,
  previewFiles,
  previewLines,
} from './preview-import.ts';

/** Imports lessons from pasted text or exported files. Errors name the file and line, and then nothing is stored. */
export function ImportLessons() {
  const router = useRouter();
  const toast = useToast();
  const errorId = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Exclude<LessonImport, { kind: 'lines' }> | null>(null);
  const { isBusy, problem, setProblem, submit } = useSubmit();
  const input: LessonImport = chosen ?? { kind: 'lines', text };

  async function choose(list: FileList | null) {
    setProblem(null);
    const files = [...(list ?? [])];
    const [first] = files;
    if (first === undefined) return setChosen(null);
    const kind = importKindOf(files.map(({ name }) => name));
    if (!kind.ok) {
      setChosen(null);
      return setProblem(kind.problem);
    }
    if (kind.value === 'archive') return setChosen({ kind: 'archive', file: first });
    if (kind.value === 'lines') {
      setChosen(null);
      return setText(await first.text());
    }
    const read = files.map(async (file): Promise<LessonFile> => ({ path: pathOf(file), text: await file.text() }));
    setChosen({ kind: 'files', files: await Promise.all(read) });
  }

  function send() {
    if (input.kind === 'lines' && input.text.trim() === '')
      return setProblem({ code: 'invalid', field: 'text', message: 'Paste lessons or choose files.' });
    submit(callApi('POST /api/v1/lessons/import', { file: fileOf(input) }), ({ stored, present }) => {
      toast(
        `${formatNumberOf(stored, 'lesson')} imported as candidates${present > 0 ? `, ${present} already existed` : ''}`,
      );
      router.push('/lessons');
    });
  }

  return (
    <SubmitForm className="flex max-w-200 flex-col gap-4" onSubmit={send}>
      <label className="flex flex-wrap items-center gap-2 text-ink-2 text-sm">
        Files: Markdown (one lesson each, with front matter or as reflection protocol files), JSONL, or the archive of
        an export
        <FileInput multiple accept={IMPORT_ACCEPT} onChange={(event) => void choose(event.target.files)} />
      </label>
      {chosen === null ? (
        <Field
          label="Paste JSONL"
          help={'One JSON object per line: {"kind": "lesson", "text": "…"}. Kinds with a form use "fields".'}
        >
          <Textarea
            rows={10}
            className="font-mono text-code"
            spellCheck={false}
            value={text}
            {...(problem === null ? {} : { 'aria-invalid': true, 'aria-describedby': errorId })}
            onValue={setText}
          />
        </Field>
      ) : null}
      {problem === null ? null : (
        <InlineError id={errorId} className="whitespace-pre-wrap" data-testid="import-problem">
          {problem.message}
        </InlineError>
      )}
      <Preview input={input} />
      <div>
        <Button type="submit" variant="primary" size="large" disabled={isBusy}>
          {isBusy ? 'Importing' : 'Import lessons'}
        </Button>
      </div>
    </SubmitForm>
  );
}

function Preview({ input }: { input: LessonImport }) {
  switch (input.kind) {
    case 'lines':
      return input.text.trim() === '' ? null : <ImportPreview rows={previewLines(input.text)} />;
    case 'files':
      return <ImportPreview rows={previewFiles(input.files)} />;
    case 'archive':
      return (
        <p className="text-ink-2 text-sm" role="status">
          {input.file.name}, {formatNumberOf(Math.ceil(input.file.size / 1024), 'kB', 'kB')}: an archive of Markdown
          files
        </p>
      );
  }
}

function pathOf({ name, webkitRelativePath }: File): string {
  return webkitRelativePath === '' ? name : webkitRelativePath;
}

const MAX_PREVIEW_ROWS = 50;

function ImportPreview({ rows }: { rows: readonly PreviewRow[] }) {
  const faulty = rows.filter(({ isFaulty }) => isFaulty).length;
  return (
    <section aria-label="Preview">
      <p className="mb-1 text-ink-2 text-sm" role="status">
        {formatNumberOf(rows.length - faulty, 'lesson')}
        {faulty > 0 ? `, ${formatNumberOf(faulty, 'error')}` : ''}
        {rows.length > MAX_PREVIEW_ROWS ? ` (first ${formatCount(MAX_PREVIEW_ROWS)} shown)` : ''}
      </p>
      <Table scrollLabel="Preview" isCapped isTight data-testid="import-preview">
        <TableHead>
          <ColumnHead>Where</ColumnHead>
          <ColumnHead>Kind</ColumnHead>
          <ColumnHead>Text</ColumnHead>
        </TableHead>
        <tbody>
          {rows.slice(0, MAX_PREVIEW_ROWS).map(({ where, kind, says, isFaulty }) => (
            <tr key={where}>
              <td className="wrap-anywhere text-sm">{where}</td>
              <td className="font-mono text-sm">{kind ?? <span className="text-ink-3">none</span>}</td>
              <td className={classNames('wrap-anywhere text-sm', isFaulty && 'font-medium text-worse')}>
                {isFaulty ? <TriangleAlert /> : null} {says}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

/** Content of an import: JSON Lines, Markdown files, or an exported archive of such files. */
type LessonImport =
  | { kind: 'lines'; text: string }
  | { kind: 'files'; files: LessonFile[] }
  | { kind: 'archive'; file: File };

/** Returns the body of the API request, which accepts files of any size. */
function fileOf(input: LessonImport): { type: string; content: string | File } {
  switch (input.kind) {
    case 'lines':
      return { type: 'application/jsonl', content: input.text };
    case 'files':
      return { type: 'application/json', content: JSON.stringify({ format: 'markdown', files: input.files }) };
    case 'archive':
      return { type: 'application/x-tar', content: input.file };
  }
}
