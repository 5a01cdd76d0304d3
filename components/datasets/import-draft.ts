import { useEffect, useState } from 'react';
import { type ApiQuery, callApi } from '#components/api/call-api.ts';
import type { LineNote } from '#components/ui/mount-code-editor.ts';
import { useDebounced } from '#components/ui/timers.ts';
import type { Problem } from '#lib/core/problem.ts';
import type { CaseMapping } from '#lib/datasets/case-mapping-schema.ts';
import { type DatasetFormat, detectFormat } from '#lib/datasets/detect-format.ts';
import type { ImportRepair, ImportReport } from '#lib/formats/import-report.ts';

/** Import source: editable text, or a file that is too large to edit. */
export type ImportSource = { kind: 'text'; text: string } | { kind: 'file'; file: File };

/** Import settings in the state of the page. */
export type ImportDraft = {
  source: ImportSource;
  /** Null: detected from the content. */
  format: DatasetFormat | null;
  /** Target of each column. Null: suggested by Hone. */
  mapping: CaseMapping | null;
  keepOthers: boolean;
  leaveOutWrong: boolean;
  isDivided: boolean;
  /** Percent. */
  heldOut: number;
  validation: number;
  seed: string;
  balanceBy: 'tag' | 'nothing';
};

export const EMPTY_IMPORT: ImportDraft = {
  source: { kind: 'text', text: '' },
  format: null,
  mapping: null,
  keepOthers: false,
  leaveOutWrong: false,
  isDivided: false,
  heldOut: 25,
  validation: 0,
  seed: '0',
  balanceBy: 'tag',
};

/** Maximum size of an imported file. The API has the same limit. */
export const MAX_IMPORT_FILE_BYTES = 50_000_000;
/** Maximum size of a file that opens in the editor, where its lines can be corrected. */
export const MAX_EDITABLE_FILE_BYTES = 300_000;

type ImportQuery = Pick<
  ApiQuery<'POST /api/v1/datasets/preview'>,
  ('sameCases' | 'mapping' | 'otherKeys') | ('heldOutShare' | 'validationShare' | 'seed' | 'balanceBy')
>;

const TYPES = { jsonl: 'application/jsonl', csv: 'text/csv', json: 'application/json' };

/** URLs have a maximum length. Longer mappings omit columns that become metadata by default. */
const LONG_MAPPING_CHARACTERS = 3_000;

function mappingQuery(mapping: CaseMapping): string {
  const whole = JSON.stringify(mapping);
  if (whole.length <= LONG_MAPPING_CHARACTERS) return whole;
  return JSON.stringify(Object.fromEntries(Object.entries(mapping).filter(([, target]) => target !== 'metadata')));
}

/** Returns the query and body of an import request. `mapping`: null to let Hone suggest it. */
export function importRequest(
  draft: ImportDraft,
  format: 'jsonl' | 'csv' | 'json',
  mapping: CaseMapping | null = draft.mapping,
): { query: ImportQuery; file: { type: string; content: string | File } } {
  const { source, keepOthers, isDivided, heldOut, validation, seed, balanceBy } = draft;
  return {
    query: {
      sameCases: 'leave_out',
      mapping: mapping === null ? 'suggest' : mappingQuery(mapping),
      otherKeys: keepOthers || draft.mapping !== null ? 'metadata' : null,
      ...(isDivided && {
        heldOutShare: heldOut / 100,
        validationShare: validation / 100,
        seed: /^\d{1,9}$/.test(seed) ? seed : '0',
        balanceBy,
      }),
    },
    file: { type: TYPES[format], content: source.kind === 'text' ? source.text : source.file },
  };
}

export type ImportPreview = ImportReport & { caseCount: number };
/** `isLooking`: the preview is outdated or not loaded yet. */
type LookedImport = {
  format: DatasetFormat | null;
  preview: ImportPreview | null;
  problem: Problem | null;
  isLooking: boolean;
};

const PREVIEW_DEBOUNCE_MS = 350;
const BEGINNING_CHARACTERS = 4_000;

/** Previews an import through the API, debounced. Stores nothing. */
export function useImportPreview(draft: ImportDraft, datasetId: string | null): LookedImport {
  const settled = useDebounced(draft, PREVIEW_DEBOUNCE_MS);
  const beginning = useBeginning(draft.source);
  const format = draft.format ?? detectFormat(beginning);
  const [looked, setLooked] = useState<{ of: ImportDraft; preview: ImportPreview | null; problem: Problem | null }>();
  // The format is that of the newest cases, and an earlier text, such as an empty one, may have another.
  const isSettled = settled.source === draft.source;
  useEffect(() => {
    if (!isSettled || format === null || format === 'promptfoo') return;
    const left = new AbortController();
    const { query, file } = importRequest(settled, format);
    const call = { query: { ...query, datasetId }, file, signal: left.signal };
    void callApi('POST /api/v1/datasets/preview', call).then((answer) => {
      if (left.signal.aborted) return;
      setLooked({
        of: settled,
        preview: answer.ok ? answer.value : null,
        problem: answer.ok ? null : answer.problem,
      });
    });
    return () => left.abort();
  }, [isSettled, settled, format, datasetId]);
  const isRead = format !== null && format !== 'promptfoo';
  return {
    format,
    preview: isRead ? (looked?.preview ?? null) : null,
    problem: isRead ? (looked?.problem ?? null) : null,
    isLooking: isRead && looked?.of !== draft,
  };
}

/** Returns the first characters of the source, used to detect its format. A file is read once. */
function useBeginning(source: ImportSource): string {
  const [read, setRead] = useState<{ file: File; text: string } | null>(null);
  const file = source.kind === 'file' ? source.file : null;
  useEffect(() => {
    if (file === null) return;
    let isCanceled = false;
    void file
      .slice(0, BEGINNING_CHARACTERS)
      .text()
      .then((text) => {
        if (!isCanceled) setRead({ file, text });
      });
    return () => {
      isCanceled = true;
    };
  }, [file]);
  if (source.kind === 'text') return source.text.slice(0, BEGINNING_CHARACTERS);
  return read?.file === source.file ? read.text : '';
}

/**
 * Returns the notes below the lines of an import: errors, and duplicates of existing cases. The fixes of an `outdated` report are not
 * offered, because its line numbers belong to an earlier text.
 */
export function importNotes(
  { faults, sameAs }: Pick<ImportReport, 'faults' | 'sameAs'>,
  state: 'current' | 'outdated',
): LineNote[] {
  return [
    ...faults.map(
      ({ line, column, length, message, mend }, at): LineNote => ({
        key: `fault-${at}`,
        line,
        column,
        length,
        tone: 'wrong',
        head: column === null ? `Line ${line}:` : `Line ${line}, column ${column}:`,
        message: `${message.replace(/\.$/, '')}.`,
        action: state === 'outdated' ? null : (mend?.label ?? null),
      }),
    ),
    ...sameAs.map(
      ({ line, as }): LineNote => ({
        key: `same-${line}`,
        line,
        column: null,
        length: null,
        tone: 'soft',
        head: `Line ${line}`,
        message: `is the same as ${as} and is left out.`,
        action: null,
      }),
    ),
  ];
}

/** Applies a repair to the draft. `mapping`: the current mapping. Edits do nothing if the source is a file outside the editor. */
export function fixDraft(draft: ImportDraft, repair: ImportRepair, mapping: CaseMapping): ImportDraft {
  switch (repair.kind) {
    case 'edit':
      return draft.source.kind === 'text'
        ? { ...draft, source: { kind: 'text', text: editLine(draft.source.text, repair) } }
        : draft;
    case 'read_as':
      return { ...draft, mapping: { ...mapping, [repair.key]: repair.as } };
    case 'keep_others':
      return { ...draft, keepOthers: true };
  }
}

type Edit = { line: number; column: number; remove: number; insert: string };

/** Lines and columns count from 1. A byte order mark is not part of the first line. */
function editLine(text: string, { line, column, remove, insert }: Edit): string {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text;
    start = end + 1;
  }
  const index = start + column - 1;
  return text.slice(0, index) + insert + text.slice(index + remove);
}
