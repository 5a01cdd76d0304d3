import type { ApiQuery } from '#components/api/call-api.ts';
import type { DatasetFormat } from '#lib/datasets/schema.ts';

/** What is to be imported: a text that can be mended, or a file too large for that. */
export type ImportSource = { kind: 'text'; text: string } | { kind: 'file'; file: File };

/** How it is to be read and divided, as the page keeps it. */
export type ImportDraft = {
  source: ImportSource;
  /** null: what it looks like. */
  format: DatasetFormat | null;
  inputFrom: string | null;
  referenceFrom: string | null;
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
  inputFrom: null,
  referenceFrom: null,
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
  | ('sameCases' | 'inputFrom' | 'referenceFrom' | 'otherKeys')
  | ('heldOutShare' | 'validationShare' | 'seed' | 'balanceBy')
>;

const TYPES = { jsonl: 'application/jsonl', csv: 'text/csv', json: 'application/json' };

/** How the API is to read an import, and the file it is sent. */
export function importRequest(
  draft: ImportDraft,
  format: 'jsonl' | 'csv' | 'json',
): { query: ImportQuery; file: { type: string; content: string | File } } {
  const { source, inputFrom, referenceFrom, keepOthers, isDivided, heldOut, validation, seed, balanceBy } = draft;
  return {
    query: {
      sameCases: 'leave_out',
      inputFrom,
      referenceFrom,
      otherKeys: keepOthers ? 'metadata' : null,
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
