import { useEffect, useState } from 'react';
import { type ApiQuery, callApi } from '#components/api/call-api.ts';
import { useSettled } from '#components/ui/timers.ts';
import type { Problem } from '#lib/core/problem.ts';
import type { CaseMapping } from '#lib/datasets/case-mapping.ts';
import { type DatasetFormat, detectFormat } from '#lib/datasets/schema.ts';
import type { ImportReport } from '#lib/formats/import-report.ts';

/** What is to be imported: a text that can be mended, or a file too large for that. */
export type ImportSource = { kind: 'text'; text: string } | { kind: 'file'; file: File };

/** How it is to be read and divided, as the page keeps it. */
export type ImportDraft = {
  source: ImportSource;
  /** null: what it looks like. */
  format: DatasetFormat | null;
  /** What each column is read as; null: as Hone suggests. */
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

/** The largest file of an import, as the API takes it. */
export const LARGEST_FILE_BYTES = 50_000_000;
/** A file up to this size goes into the editor, where its lines can be mended. */
export const LARGEST_EDITED_BYTES = 300_000;

type ImportQuery = Pick<
  ApiQuery<'POST /api/v1/datasets/preview'>,
  ('sameCases' | 'mapping' | 'otherKeys') | ('heldOutShare' | 'validationShare' | 'seed' | 'balanceBy')
>;

const TYPES = { jsonl: 'application/jsonl', csv: 'text/csv', json: 'application/json' };

/** From here on a mapping leaves out what becomes metadata anyway: addresses are not endless. */
const LONG_MAPPING_CHARACTERS = 3_000;

function mappingQuery(mapping: CaseMapping): string {
  const whole = JSON.stringify(mapping);
  if (whole.length <= LONG_MAPPING_CHARACTERS) return whole;
  return JSON.stringify(Object.fromEntries(Object.entries(mapping).filter(([, target]) => target !== 'metadata')));
}

/** How the API is to read an import, and the file it is sent. `mapping`: null where Hone is to suggest it. */
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
/** `isLooking`: what stands here is of an earlier text, or there is nothing yet. */
type LookedImport = {
  format: DatasetFormat | null;
  preview: ImportPreview | null;
  problem: Problem | null;
  isLooking: boolean;
};

const SETTLE_MS = 350;
const BEGINNING_CHARACTERS = 4_000;

/** Has the API look at what is to be imported, a moment after it last changed. Nothing is stored. */
export function useImportPreview(draft: ImportDraft, datasetId: string | null): LookedImport {
  const settled = useSettled(draft, SETTLE_MS);
  const beginning = useBeginning(draft.source);
  const format = draft.format ?? detectFormat(beginning);
  const [looked, setLooked] = useState<{ of: ImportDraft; preview: ImportPreview | null; problem: Problem | null }>();
  useEffect(() => {
    if (format === null || format === 'promptfoo') return;
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
  }, [settled, format, datasetId]);
  const isRead = format !== null && format !== 'promptfoo';
  return {
    format,
    preview: isRead ? (looked?.preview ?? null) : null,
    problem: isRead ? (looked?.problem ?? null) : null,
    isLooking: isRead && looked?.of !== draft,
  };
}

/** The first characters, which say what format it is; of a file they are read once. */
function useBeginning(source: ImportSource): string {
  const [read, setRead] = useState<{ file: File; text: string } | null>(null);
  const file = source.kind === 'file' ? source.file : null;
  useEffect(() => {
    if (file === null) return;
    let isGone = false;
    void file
      .slice(0, BEGINNING_CHARACTERS)
      .text()
      .then((text) => {
        if (!isGone) setRead({ file, text });
      });
    return () => {
      isGone = true;
    };
  }, [file]);
  if (source.kind === 'text') return source.text.slice(0, BEGINNING_CHARACTERS);
  return read?.file === source.file ? read.text : '';
}
