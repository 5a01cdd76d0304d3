'use client';

import { Upload } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { RoleTextLink } from '#components/access/role-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { CODE_NOTE } from '#components/ui/code-note.ts';
import { Field, Select } from '#components/ui/field.tsx';
import { FileButton } from '#components/ui/file-button.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import type { LineNote } from '#components/ui/mount-code-editor.ts';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { DatasetFormat } from '#lib/datasets/detect-format.ts';
import { formatCount } from '#lib/format.ts';
import type { ImportDraft } from './import-draft.ts';

type ImportSourceProps = {
  draft: ImportDraft;
  format: DatasetFormat | null;
  notes: readonly LineNote[];
  /** Error that concerns the whole import. */
  error: string | null;
  onChange: (changes: Partial<ImportDraft>) => void;
  onFile: (file: File) => void;
  onNote: (key: string) => void;
};

const READ_AS: Record<DatasetFormat, [string, string]> = {
  jsonl: ['JSONL', ', one case a line'],
  csv: ['CSV', ', the first line names the columns'],
  json: ['JSON', ', a list of cases'],
  promptfoo: ['promptfoo', ', a configuration'],
};

const EXAMPLE =
  '{"input": "How long is a cursor valid?", "reference": "10 minutes", "tags": ["paging"]}\nOnly input is required. You can also paste CSV, JSON or a promptfoo configuration.';

/** Selects the source of the cases: a file, or text in an editor that shows errors below each line. */
export function ImportSourcePane({ draft, format, notes, error, onChange, onFile, onNote }: ImportSourceProps) {
  const [isOver, setOver] = useState(false);
  const { source } = draft;
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  }
  const [name, rest] = format === null ? ['', ''] : READ_AS[format];
  return (
    <Pane className="border-b-0">
      <PaneHeader>
        <span className="text-ink-3 text-sm">
          {format === null ? (
            'Paste cases or choose a file'
          ) : (
            <>
              detected <b className="font-medium text-ink">{name}</b>
              {rest}
            </>
          )}
        </span>
        <Select
          className="ml-auto w-auto"
          aria-label="Format"
          value={draft.format ?? 'detect'}
          onValue={(value) => onChange({ format: formatOf(value) })}
        >
          <option value="detect">Detect the format</option>
          <option value="jsonl">JSONL</option>
          <option value="csv">CSV</option>
          <option value="json">JSON</option>
          <option value="promptfoo">promptfoo</option>
        </Select>
      </PaneHeader>
      {source.kind === 'text' ? (
        <Field label="Cases to import" hideLabel error={error}>
          <CodeEditor
            language="plain"
            example={EXAMPLE}
            value={source.text}
            notes={notes}
            onNote={onNote}
            onChange={(text) => onChange({ source: { kind: 'text', text } })}
          />
        </Field>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <b className="wrap-anywhere min-w-0 font-medium">{source.file.name}</b>
            <span className="text-ink-2 text-sm">
              {formatCount(Math.ceil(source.file.size / 1_000))} kB, too large to edit here
            </span>
            <Button size="small" onClick={() => onChange({ source: { kind: 'text', text: '' } })}>
              Remove file
            </Button>
          </div>
          {error === null ? null : <InlineError className="mt-2">{error}</InlineError>}
          <FileNotes notes={notes} onNote={onNote} />
        </>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside has the same effect by keyboard */}
      <div
        className="mt-2.5 flex flex-wrap items-center justify-center gap-x-3 gap-y-2 rounded-2 border border-line-input border-dashed px-3 py-2.5 text-ink-2 text-sm data-[over=true]:border-brand data-[over=true]:bg-brand-tint"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Upload />
        <span>or drop a JSONL, CSV, JSON or promptfoo file here, up to 50 MB</span>
        <FileButton label="File" accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt,.yaml,.yml" onFile={onFile}>
          Choose file
        </FileButton>
        <RoleTextLink needs="editor" href="/runs/import">
          Import past runs
        </RoleTextLink>
      </div>
    </Pane>
  );
}

function FileNotes({ notes, onNote }: { notes: readonly LineNote[]; onNote: (key: string) => void }) {
  const wrong = notes.filter(({ tone }) => tone === 'wrong');
  if (wrong.length === 0) return null;
  return (
    <ul className="mt-2" data-testid="file-faults">
      {wrong.slice(0, 50).map(({ key, head, message, action }) => (
        <li key={key} data-slot="code-note" className={CODE_NOTE}>
          <b className="text-worse">✕ {head}</b> {message.replaceAll('`', '')}{' '}
          {action === null || action === 'Insert' || action === 'Remove' ? null : (
            <button type="button" onClick={() => onNote(key)}>
              {action}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function formatOf(value: string): DatasetFormat | null {
  return value === 'jsonl' || value === 'csv' || value === 'json' || value === 'promptfoo' ? value : null;
}
