'use client';

import { useEffect, useState } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { sentInput, type TypedInput, takePassedInput, typedText } from '#components/case/typed-input.ts';
import {
  EMPTY_IMPORT,
  type ImportDraft,
  type ImportPreview,
  importRequest,
  useImportPreview,
} from '#components/datasets/import-draft.ts';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { type FieldProblem, fail, type Result, succeed } from '#lib/core/problem.ts';
import type { DatasetFormat } from '#lib/datasets/detect-format.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import type { CaseSource } from './case-sources.ts';

type OfferedDataset = { id: string; name: string; caseCount: number };

/** Cases in the format of a start request. */
type CasesRequest = { input: string | ChatMessage[]; reference?: string } | { datasetId: string };

/** Cases of a start while they are edited: a typed input, parsed text or a file, or a dataset. */
export type Cases = TypedInput & {
  source: CaseSource;
  reference: string;
  datasetId: string;
  imported: ImportDraft;
  /** Detected format of the pasted cases. Null if nothing is pasted. */
  format: DatasetFormat | null;
  /** Null if nothing is pasted or it is not parsed yet. */
  preview: ImportPreview | null;
  /** Like `preview`, but keeps the previous one while cases are parsed again, to avoid flicker. */
  lastPreview: ImportPreview | null;
  datasets: readonly OfferedDataset[];
  change: (changes: Partial<CasesDraft>) => void;
  changeImport: (changes: Partial<ImportDraft>) => void;
  /** Error of the pasted cases as a whole. Null for other sources, which the start request validates. */
  importProblem: string | null;
  /** Number of cases. Null if unknown. */
  count: number | null;
  /** Returns the cases for the start request. Pasted cases are first stored as a dataset named after the experiment. */
  store: (experiment: string) => Promise<Result<CasesRequest>>;
};

type CasesDraft = Pick<Cases, 'source' | 'input' | 'messages' | 'reference' | 'datasetId' | 'imported'>;

/** Maximum characters of the experiment's name in the dataset's name, which may have 120. */
const MAX_EXPERIMENT_NAME_LENGTH = 110;

type Offered = {
  datasets: readonly OfferedDataset[];
  datasetId: string | null;
  source: CaseSource;
  /** Target the form opened with. The input of its test may have been passed on. */
  target?: string | null;
};

/** Manages the cases of a form. `source` and `datasetId` are the defaults. */
export function useCases({ datasets: listed, datasetId, source, target = null }: Offered): Cases {
  const [draft, setDraft] = useState<CasesDraft>({
    source,
    input: '',
    messages: null,
    reference: '',
    datasetId: datasetId ?? listed[0]?.id ?? '',
    imported: EMPTY_IMPORT,
  });
  useEffect(() => {
    const input = takePassedInput(target);
    if (input !== null) setDraft((before) => ({ ...before, input }));
  }, [target]);
  // Lists datasets stored in this form before the page is refreshed.
  const [stored, setStored] = useState<OfferedDataset[]>([]);
  const datasets = [...stored, ...listed.filter(({ id }) => !stored.some((one) => one.id === id))];
  const looked = useImportPreview(draft.imported, null);
  const preview = looked.isLooking ? null : looked.preview;
  const change = (changes: Partial<CasesDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const changeImport = (changes: Partial<ImportDraft>) =>
    setDraft((before) => ({ ...before, imported: { ...before.imported, leaveOutWrong: false, ...changes } }));

  async function store(experiment: string): Promise<Result<CasesRequest>> {
    if (draft.source === 'dataset') return succeed({ datasetId: draft.datasetId });
    const { reference } = draft;
    if (draft.source === 'text')
      return succeed({ input: sentInput(draft), ...(reference.trim() === '' ? {} : { reference }) });
    const { format } = looked;
    if (format === null || format === 'promptfoo') return fail('invalid', NO_CASES, 'start.import');
    const { query, file } = importRequest(draft.imported, format, preview?.mapping ?? null);
    const name = `${experiment.slice(0, MAX_EXPERIMENT_NAME_LENGTH)}, cases`;
    const wrongLines = draft.imported.leaveOutWrong ? ('leave_out' as const) : null;
    const made = await callApi('POST /api/v1/datasets', { query: { ...query, wrongLines, name }, file });
    if (!made.ok) return { ok: false, problem: { ...made.problem, field: 'start.import' } };
    const { id, caseCount } = made.value;
    setStored((before) => [{ id, name, caseCount }, ...before]);
    change({ source: 'dataset', datasetId: id });
    return succeed({ datasetId: id });
  }

  return {
    ...draft,
    format: looked.format,
    preview,
    lastPreview: looked.preview,
    datasets,
    change,
    changeImport,
    importProblem: draft.source === 'import' ? importProblem(looked, draft.imported) : null,
    count: countOf(draft, datasets, preview),
    store,
  };
}

function countOf(draft: CasesDraft, datasets: readonly OfferedDataset[], preview: ImportPreview | null): number | null {
  if (draft.source === 'text') return 1;
  if (draft.source === 'import') return preview === null || preview.ready === 0 ? null : preview.ready;
  return datasets.find(({ id }) => id === draft.datasetId)?.caseCount ?? null;
}

const NO_CASES = 'Paste at least one case, or choose a file.';

function importProblem(
  { format, preview, problem, isLooking }: ReturnType<typeof useImportPreview>,
  { leaveOutWrong }: ImportDraft,
): string | null {
  if (format === 'promptfoo') return 'This is a promptfoo configuration. Import it under Datasets.';
  if (format === null) return NO_CASES;
  if (problem !== null) return problem.message;
  if (isLooking || preview === null) return 'Hone is still reading the cases. Try again.';
  if (preview.wrong > 0 && !leaveOutWrong) {
    const [first] = preview.faults;
    const at = first === undefined ? '' : ` Line ${first.line}: ${first.message.replaceAll('`', '')}.`;
    return `${formatNumberOf(preview.wrong, 'line')} cannot be read.${at}`;
  }
  return preview.ready === 0 ? NO_CASES : null;
}

/** Maximum characters of a case sent with an estimate. For longer ones only the length is sent. */
const MAX_SENT_CHARACTERS = 4_000;

/** Maximum number of pasted cases in an estimate. For more, a single run is estimated. */
const MAX_ESTIMATED_CASES = 500;

type Estimated = Pick<Cases, 'source' | 'input' | 'messages' | 'datasetId'> & {
  preview: { ready: number; rows: readonly Pick<ImportPreview['rows'][number], 'state' | 'input'>[] } | null;
};

/** Returns the cases for an estimate. Empty if there are none. Pasted cases are estimated by the length of the previewed ones. */
export function estimatedCases({ source, datasetId, preview, ...typed }: Estimated) {
  if (source === 'dataset') return datasetId === '' ? {} : { datasetId };
  if (source === 'import') {
    const inputs = (preview?.rows ?? []).flatMap(({ state, input: shown }) =>
      state === 'ready' && shown ? [shown] : [],
    );
    if (preview === null || inputs.length === 0 || preview.ready > MAX_ESTIMATED_CASES) return {};
    return { cases: Array.from({ length: preview.ready }, (_, at) => ({ input: inputs[at % inputs.length] })) };
  }
  const { length } = typedText(typed);
  if (length === 0) return {};
  return length <= MAX_SENT_CHARACTERS ? { input: sentInput(typed) } : { inputLength: Math.min(length, 200_000) };
}

/** Converts the problem of pasted cases to form errors. */
export function casesProblems({ importProblem: message }: Pick<Cases, 'importProblem'>): FieldProblem[] {
  return message === null ? [] : [{ field: 'start.import', message }];
}

/** Returns the label of the start button: `Run`, `Run 24 cases`, `Run 24 cases, 72 runs`. */
export function runLabel({ source, count }: Pick<Cases, 'source' | 'count'>, repetitions = 1): string {
  if (source === 'text') return repetitions > 1 ? `Run it ${formatNumberOf(repetitions, 'time')}` : 'Run';
  if (count === null) return 'Run cases';
  const cases = `Run ${formatNumberOf(count, 'case')}`;
  return repetitions > 1 ? `${cases}, ${formatCount(count * repetitions)} runs` : cases;
}
