'use client';

import { Check, TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { formatCount, formatList, formatNumberOf } from '#lib/format.ts';
import {
  EMPTY_IMPORT,
  fixDraft,
  type ImportDraft,
  type ImportPreview,
  importNotes,
  importRequest,
  MAX_EDITABLE_FILE_BYTES,
  MAX_IMPORT_FILE_BYTES,
  useImportPreview,
} from './import-draft.ts';
import { fullMapping, ImportMapping, ImportPreviewTable } from './import-mapping.tsx';
import { ImportSourcePane } from './import-source.tsx';
import { ImportSplits } from './import-splits.tsx';
import { PromptfooPane } from './promptfoo-pane.tsx';

type ImportPaneProps = {
  /** Dataset that receives the cases. Null: a new one, named in this form. */
  dataset: { id: string; isDivided: boolean } | null;
  /** Note on the effect on runs and on the next batch. */
  aftermath: ReactNode;
};

/** Imports cases from pasted text or a file. Previews them while typing, offers repairs, and stores all or none. */
export function ImportPane({ dataset, aftermath }: ImportPaneProps) {
  const router = useRouter();
  const toast = useToast();
  const [name, setName] = useState('');
  const [draft, setDraft] = useState<ImportDraft>({ ...EMPTY_IMPORT, isDivided: dataset?.isDivided ?? false });
  const { isBusy, problem, setProblem, errorAt, submit } = useSubmit();
  const looked = useImportPreview(draft, dataset?.id ?? null);
  const { format, preview, isLooking } = looked;
  // A file that was read slowly must not replace a newer source.
  const newestSource = useRef<object | null>(null);
  const change = (changes: Partial<ImportDraft>) => {
    setProblem(null);
    if (changes.source) newestSource.current = changes.source;
    // The choice to skip invalid lines applies only to the source it was made for.
    setDraft((before) => ({ ...before, ...(changes.source ? { leaveOutWrong: false } : {}), ...changes }));
  };
  const notes = useMemo(
    () => (preview ? importNotes(preview, isLooking ? 'outdated' : 'current') : []),
    [preview, isLooking],
  );

  async function take(file: File) {
    newestSource.current = file;
    setProblem(null);
    if (file.size > MAX_IMPORT_FILE_BYTES)
      return setProblem({ code: 'too_large', field: null, message: `${file.name} is larger than 50 MB.` });
    if (dataset === null && name === '') setName(file.name.replace(/\.[^.]+$/, ''));
    const isEdited = file.size <= MAX_EDITABLE_FILE_BYTES || /\.ya?ml$/i.test(file.name);
    const text = isEdited ? await file.text().catch(() => null) : '';
    if (newestSource.current !== file) return;
    if (text === null) return setProblem({ code: 'invalid', field: null, message: `${file.name} could not be read.` });
    change({ format: null, mapping: null, source: isEdited ? { kind: 'text', text } : { kind: 'file', file } });
  }

  function repair(key: string) {
    const fault = preview?.faults[Number(key.replace('fault-', ''))];
    if (preview && !isLooking && fault?.mend) change(fixDraft(draft, fault.mend, fullMapping(preview, draft.mapping)));
  }

  const isReady = preview !== null && preview.ready > 0 && (preview.wrong === 0 || draft.leaveOutWrong);
  function send() {
    if (format === null || format === 'promptfoo' || isBusy) return;
    if (dataset === null && name.trim() === '')
      return setProblem({ code: 'invalid', field: 'name', message: 'Enter a name for the dataset.' });
    const { query, file } = importRequest(draft, format, preview?.mapping ?? null);
    const storing = { ...query, wrongLines: draft.leaveOutWrong ? ('leave_out' as const) : null };
    const stored =
      dataset === null
        ? callApi('POST /api/v1/datasets', { query: { ...storing, name: name.trim() }, file })
        : callApi('POST /api/v1/datasets/{id}/cases', { params: { id: dataset.id }, query: storing, file });
    submit(stored, ({ added, id }) => {
      toast(`${formatNumberOf(added, 'case')} imported`);
      router.push(`/datasets/${id}`);
    });
  }
  useModEnter(isReady && !isLooking ? send : null);

  const whole = problem?.field === 'name' ? null : (problem ?? looked.problem);
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_21.5rem] border-b-0">
      <div className="min-w-0">
        {dataset === null ? (
          <Pane className="border-b-0 pb-0">
            <Field label="Name" error={errorAt('name')}>
              <Input
                value={name}
                onValue={(value) => {
                  setName(value);
                  setProblem(null);
                }}
              />
            </Field>
          </Pane>
        ) : null}
        <ImportSourcePane
          draft={draft}
          format={format}
          notes={notes}
          error={whole?.message ?? null}
          onChange={change}
          onFile={(file) => void take(file)}
          onNote={repair}
        />
        {preview && preview.mappingSource !== 'own' && preview.columns.length > 0 && format !== 'promptfoo' ? (
          <ImportMapping
            preview={preview}
            mapping={fullMapping(preview, draft.mapping)}
            isTable={format === 'csv'}
            onChange={(mapping) => change({ mapping })}
          />
        ) : null}
        {preview && preview.rows.length > 0 ? <ImportPreviewTable preview={preview} /> : null}
      </div>
      <div className="min-w-0">
        {format === 'promptfoo' ? (
          <PromptfooPane name={name} source={draft.source} isNew={dataset === null} />
        ) : (
          <>
            <ImportSplits draft={draft} preview={preview} onChange={change} />
            {preview && preview.ready > 0 ? <ImportChecks preview={preview} /> : null}
            <ImportActions
              preview={preview}
              isLooking={isLooking}
              isReady={isReady}
              isSaving={isBusy}
              leavesOut={draft.leaveOutWrong}
              onLeaveOut={(leaveOutWrong) => change({ leaveOutWrong })}
              onSend={send}
              aftermath={aftermath}
            />
          </>
        )}
      </div>
    </Columns>
  );
}

/** Warnings about cases that distort results or contain secrets. They do not block the import. */
function ImportChecks({ preview }: { preview: ImportPreview }) {
  const { leaks, answersInside, secrets, noReference, tooManyAnswers } = preview.checks;
  const partly = secrets.looked < preview.ready ? ` in the first ${formatCount(secrets.looked)} cases` : '';
  return (
    <Pane data-testid="import-checks">
      <PaneHeader title="Checks" />
      <ul className="flex flex-col gap-1.5 text-sm">
        <CheckLine isFine={leaks.count === 0}>
          {leaks.count === 0
            ? 'No input appears in held-out cases of other datasets'
            : `${inputsLabel(leaks.count)} held out in ${formatList(leaks.datasets)}: tuning on ${leaks.count === 1 ? 'it' : 'them'} would invalidate that measurement (${linesOf(leaks)})`}
        </CheckLine>
        <CheckLine isFine={answersInside.count === 0}>
          {answersInside.count === 0
            ? 'No input contains its reference'
            : `${formatCount(answersInside.count)} ${answersInside.count === 1 ? 'reference appears' : 'references appear'} in its input, which reveals the answer (${linesOf(answersInside)})`}
        </CheckLine>
        <CheckLine isFine={secrets.count === 0}>
          {secrets.count === 0
            ? `No secrets or card numbers found${partly}`
            : `${formatCount(secrets.count)} ${secrets.count === 1 ? 'case contains' : 'cases contain'} what looks like ${formatList(secrets.kinds)}${partly} (${linesOf(secrets)})`}
        </CheckLine>
        {preview.rows.some(({ reference }) => reference?.startsWith('["')) ? (
          <CheckLine isFine>References that are JSON lists accept each of their texts as an answer</CheckLine>
        ) : null}
        {tooManyAnswers !== undefined && tooManyAnswers.count > 0 ? (
          <CheckLine isFine={false}>
            {formatCount(tooManyAnswers.count)} {tooManyAnswers.count === 1 ? 'reference has' : 'references have'} more
            than 500 right answers. The evaluator Reference answer leaves such cases unscored ({linesOf(tooManyAnswers)}
            )
          </CheckLine>
        ) : null}
        {noReference > 0 ? <NoReferenceLine preview={preview} count={noReference} /> : null}
      </ul>
    </Pane>
  );
}

function NoReferenceLine({ preview: { ready, columns }, count }: { preview: ImportPreview; count: number }) {
  const remedy = ' If a column has the expected answers, import it as Reference under Columns.';
  return (
    <CheckLine isFine={false}>
      {formatCount(count)} of {formatCount(ready)} {count === 1 ? 'has' : 'have'} no reference: only a judge can score{' '}
      {count === 1 ? 'it' : 'them'}
      {count === ready && columns.length > 1 ? `.${remedy}` : ''}
    </CheckLine>
  );
}

function CheckLine({ isFine, children }: { isFine: boolean; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <span className={isFine ? 'text-better' : 'text-wait'}>
        {isFine ? <Check className="mt-0.5" /> : <TriangleAlert className="mt-0.5" />}
        <span className="sr-only">{isFine ? 'Fine: ' : 'Check: '}</span>
      </span>
      <span className="wrap-anywhere min-w-0">{children}</span>
    </li>
  );
}

function inputsLabel(count: number): string {
  return count === 1 ? '1 input is' : `${formatCount(count)} inputs are`;
}

function linesOf({ lines, count }: { lines: number[]; count: number }): string {
  const named = lines.slice(0, 5).map((line) => formatCount(line));
  const rest = count - named.length;
  return `${lines.length === 1 ? 'line' : 'lines'} ${named.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
}

type ImportActionsProps = {
  preview: ImportPreview | null;
  isLooking: boolean;
  isReady: boolean;
  isSaving: boolean;
  leavesOut: boolean;
  onLeaveOut: (leavesOut: boolean) => void;
  onSend: () => void;
  aftermath: ReactNode;
};

/** Footer of an import: number of cases to store, or the reason it is blocked. */
function ImportActions(props: ImportActionsProps) {
  const { preview, isLooking, isReady, isSaving, leavesOut, onLeaveOut, onSend, aftermath } = props;
  const whyId = useId();
  const mod = useModKey();
  const wrong = preview?.wrong ?? 0;
  const ready = preview?.ready ?? 0;
  const canSend = isReady && !isSaving && !isLooking;
  const isBlocked = preview !== null && wrong > 0 && !leavesOut;
  return (
    <Pane className="border-b-0" data-testid="import-actions">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          disabled={!canSend}
          aria-describedby={whyId}
          aria-keyshortcuts="Control+Enter"
          onClick={onSend}
        >
          {isSaving ? 'Importing' : `Import ${ready > 0 ? formatNumberOf(ready, 'case') : 'cases'}`}{' '}
          {canSend ? <kbd aria-hidden>{mod}↵</kbd> : null}
        </Button>
        {wrong > 0 && ready > 0 ? (
          <Button onClick={() => onLeaveOut(!leavesOut)}>
            {leavesOut ? 'Include them' : `Leave out ${formatNumberOf(wrong, 'line')}`}
          </Button>
        ) : null}
      </div>
      <p
        id={whyId}
        className={isBlocked ? 'mt-2 flex items-start gap-1 text-sm text-worse' : 'mt-2 text-ink-2 text-sm'}
        role="status"
      >
        {isBlocked ? (
          <>
            <TriangleAlert className="mt-0.5" />
            <span>{fixLabel(preview)} Nothing is imported while a line is invalid.</span>
          </>
        ) : (
          statusLabel(preview, isLooking, leavesOut)
        )}
      </p>
      <p className="mt-2.5 text-ink-2 text-sm">{aftermath}</p>
    </Pane>
  );
}

function statusLabel(preview: ImportPreview | null, isLooking: boolean, leavesOut: boolean): string {
  if (isLooking) return 'Checking the lines.';
  if (preview === null) return 'Paste cases or choose a file.';
  const { ready, same, wrong } = preview;
  if (ready === 0) return same > 0 ? 'The dataset already has all these cases.' : 'There are no cases to import.';
  if (!leavesOut || wrong === 0) return 'Hone imports all lines or none.';
  return `${formatNumberOf(wrong, 'line')} ${wrong === 1 ? 'is' : 'are'} left out.`;
}

/** Returns the sentence that names the invalid lines. They can be left out if others are ready. */
function fixLabel({ faults, wrong, ready }: ImportPreview): string {
  const lines = [...new Set(faults.map(({ line }) => line))];
  const named = lines.slice(0, 4).map(String);
  const rest = wrong - named.length;
  const list = formatList(rest > 0 ? [...named, `${formatCount(rest)} more`] : named);
  const orElse = ready > 0 ? `, or leave ${wrong === 1 ? 'it' : 'them'} out` : '';
  return `Fix ${lines.length === 1 && rest <= 0 ? 'line' : 'lines'} ${list} first${orElse}.`;
}
