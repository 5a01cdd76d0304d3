'use client';

import { Upload } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { TypedInputField } from '#components/case/typed-input-field.tsx';
import { DatasetSelect } from '#components/datasets/dataset-select.tsx';
import { fixDraft, MAX_EDITABLE_FILE_BYTES, MAX_IMPORT_FILE_BYTES } from '#components/datasets/import-draft.ts';
import { fullMapping, ImportMapping, ImportPreviewTable } from '#components/datasets/import-mapping.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { FileButton } from '#components/ui/file-button.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { formatCount, formatNumberOf, formatTitle } from '#lib/format.ts';
import { CASE_SOURCES, type CaseSource } from './case-sources.ts';
import type { ReferenceUse } from './reference-use.ts';
import type { Cases } from './use-cases.ts';

type CasesFieldsProps = ReferenceUse & {
  cases: Cases;
  /** Prefix of the request paths that contain the cases. */
  prefix: 'start.' | '';
  /** True if a single input is enough. Tuning needs several cases. */
  canType?: boolean;
};

const SOURCE_LABELS: Record<CaseSource, string> = { text: 'One input', import: 'CSV or JSON', dataset: 'Dataset' };

/** Selects the cases to run: a typed input, pasted cases or a file, or an existing dataset. */
export function CasesFields({ cases, prefix, canType = true, ...reference }: CasesFieldsProps) {
  const { source, datasets, change } = cases;
  const sources = CASE_SOURCES.filter(
    (one) => (one !== 'text' || canType) && (one !== 'dataset' || datasets.length > 0 || source === 'dataset'),
  );
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label="Run over"
        value={source}
        onChange={(chosen) => change({ source: chosen })}
        choices={sources.map((value) => ({ value, label: SOURCE_LABELS[value] }))}
        className="self-start"
      />
      {source === 'text' ? <TypedCase cases={cases} prefix={prefix} {...reference} /> : null}
      {source === 'import' ? <PastedCases cases={cases} /> : null}
      {source === 'dataset' ? (
        <Field label="Dataset" path={`${prefix}datasetId`}>
          <DatasetSelect datasets={datasets} value={cases.datasetId} onChange={(datasetId) => change({ datasetId })} />
        </Field>
      ) : null}
    </div>
  );
}

function TypedCase({ cases, prefix, reference, isReferenceJudged }: Omit<CasesFieldsProps, 'canType'>) {
  return (
    <>
      <TypedInputField help="The case of this run" path={`${prefix}input`} value={cases} onChange={cases.change} />
      {reference === 'unused' ? null : (
        <Field
          label="Reference answer"
          help={`${reference === 'needed' ? 'Required, because a criterion compares with it. ' : ''}${isReferenceJudged ? 'Shown to judges only' : 'Used for scoring only. Never sent to models.'}`}
          path={`${prefix}reference`}
        >
          <Input value={cases.reference} onValue={(value) => cases.change({ reference: value })} />
        </Field>
      )}
    </>
  );
}

const EXAMPLE = 'input,reference\nHow long is a cursor valid?,10 minutes';

/** Pasted cases or a file. Parsed while typing, and stored as a dataset on start. */
function PastedCases({ cases }: { cases: Cases }) {
  const { imported, preview, changeImport } = cases;
  const { source } = imported;
  const [isTooLarge, setTooLarge] = useState(false);
  async function take(file: File | undefined) {
    if (file === undefined) return;
    setTooLarge(file.size > MAX_IMPORT_FILE_BYTES);
    if (file.size > MAX_IMPORT_FILE_BYTES) return;
    const isEdited = file.size <= MAX_EDITABLE_FILE_BYTES;
    changeImport({
      format: null,
      mapping: null,
      source: isEdited ? { kind: 'text', text: await file.text() } : { kind: 'file', file },
    });
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  }
  return (
    <>
      {source.kind === 'text' ? (
        <Field
          label="Cases"
          help="CSV with a header row, JSON or JSONL. Only an input column is needed."
          path="start.import"
        >
          <Textarea
            isCode
            rows={6}
            placeholder={EXAMPLE}
            value={source.text}
            onDragOver={(event) => event.preventDefault()}
            onDrop={drop}
            onValue={(value) => changeImport({ source: { kind: 'text', text: value } })}
          />
        </Field>
      ) : (
        <Field label="Cases" path="start.import" className="items-start">
          <span className="wrap-anywhere">
            <b className="font-medium">{source.file.name}</b>, {formatCount(Math.ceil(source.file.size / 1_000))} kB
          </span>
          <Button size="small" onClick={() => changeImport({ source: { kind: 'text', text: '' } })}>
            Remove file
          </Button>
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <FileButton label="File" accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt" onFile={take}>
          <Upload />
          Choose file
        </FileButton>
        <span className="text-ink-2 text-sm" role="status">
          {isTooLarge ? 'The file is larger than 50 MB.' : <ReadCases cases={cases} />}
        </span>
      </div>
      {preview === null || preview.wrong === 0 ? null : <Faults cases={cases} />}
      <ColumnMappingFields cases={cases} />
    </>
  );
}

/** Edits the mapping of columns if their headers are not Hone's own. */
function ColumnMappingFields({ cases: { format, lastPreview, imported, changeImport } }: { cases: Cases }) {
  if (lastPreview === null || lastPreview.mappingSource === 'own' || lastPreview.columns.length === 0) return null;
  return (
    <div className="overflow-hidden rounded-2 border border-line *:first:border-t-0">
      <ImportMapping
        preview={lastPreview}
        mapping={fullMapping(lastPreview, imported.mapping)}
        isTable={format === 'csv'}
        onChange={(mapping) => changeImport({ mapping })}
      />
      {lastPreview.rows.length > 0 ? <ImportPreviewTable preview={lastPreview} /> : null}
    </div>
  );
}

/** Shows the number of parsed cases and the first one. */
function ReadCases({ cases: { preview } }: { cases: Cases }) {
  if (preview === null) return null;
  const first = preview.rows.find(({ state }) => state === 'ready');
  return (
    <>
      <b className="font-medium text-ink">{formatNumberOf(preview.ready, 'case')}</b> read
      {preview.same > 0 ? `, ${formatCount(preview.same)} repeated and left out` : ''}
      {first === undefined ? '' : `. First: ${formatTitle(first.input ?? '', 60)}`}
    </>
  );
}

const MAX_SHOWN_FAULTS = 3;

/** Lists invalid lines, each with a repair button, and an option to skip them. */
function Faults({ cases: { preview, imported, changeImport } }: { cases: Cases }) {
  if (preview === null) return null;
  const { faults } = preview;
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <ul className="flex flex-col gap-1">
        {faults.slice(0, MAX_SHOWN_FAULTS).map(({ line, message, mend }) => (
          <li key={`${line} ${message}`} className="wrap-anywhere">
            <b className="text-worse">Line {line}:</b> {message.replaceAll('`', '')}{' '}
            {mend === null ? null : (
              <Button
                size="small"
                onClick={() => changeImport(fixDraft(imported, mend, fullMapping(preview, imported.mapping)))}
              >
                {mend.label}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div>
        <Button size="small" onClick={() => changeImport({ leaveOutWrong: !imported.leaveOutWrong })}>
          {imported.leaveOutWrong ? 'Include these lines' : `Leave out ${formatNumberOf(preview.wrong, 'line')}`}
        </Button>
      </div>
    </div>
  );
}
