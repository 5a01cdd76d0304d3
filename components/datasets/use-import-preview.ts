import { useEffect, useState } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { useSettled } from '#components/ui/use-settled.ts';
import type { Problem } from '#lib/core/problem.ts';
import { type DatasetFormat, detectFormat } from '#lib/datasets/schema.ts';
import type { ImportReport } from '#lib/formats/import-report.ts';
import { type ImportDraft, type ImportSource, importRequest } from './import-draft.ts';

export type ImportPreview = ImportReport & { caseCount: number };
/** `isLooking`: what stands here is of an earlier text, or there is nothing yet. */
export type LookedImport = {
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
