import type { CaseFormat } from '#lib/runs/exchange/read-case-rows.ts';

/** The media types of cases; all are read as they arrive. */
export const UPLOAD_FORMATS = new Map<string, CaseFormat>([
  ['application/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/x-ndjson', 'jsonl'],
  ['text/csv', 'csv'],
]);
