'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState, useTransition } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { useSettled } from '#components/ui/use-settled.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import type { PromptfooImport } from '#lib/reflection/datasets/promptfoo-import.ts';
import type { Problem } from '#lib/reflection/problem.ts';
import type { ImportSource } from './import-draft.ts';

type PromptfooPaneProps = { name: string; source: ImportSource; isNew: boolean };

/** A promptfoo configuration as a dataset and, where wanted, a drafted experiment; what is not taken is listed before. */
export function PromptfooPane({ name, source, isNew }: PromptfooPaneProps) {
  const router = useRouter();
  const toast = useToast();
  const text = source.kind === 'text' ? source.text : '';
  const settled = useSettled(text, 350);
  const [looked, setLooked] = useState<{ preview: PromptfooImport | null; problem: Problem | null } | null>(null);
  const [withExperiment, setWithExperiment] = useState(true);
  const [isSaving, startSaving] = useTransition();
  useEffect(() => {
    if (settled.trim() === '') return setLooked(null);
    const left = new AbortController();
    void callApi('POST /api/v1/datasets/promptfoo', {
      body: { config: settled, dryRun: true, experiment: withExperiment },
      signal: left.signal,
    }).then((answer) => {
      if (left.signal.aborted) return;
      setLooked({ preview: answer.ok ? answer.value : null, problem: answer.ok ? null : answer.problem });
    });
    return () => left.abort();
  }, [settled, withExperiment]);
  function send() {
    startSaving(async () => {
      const named = name.trim() === '' ? {} : { name: name.trim() };
      const body = { config: text, experiment: withExperiment, ...named };
      const stored = await callApi('POST /api/v1/datasets/promptfoo', { body });
      if (!stored.ok) return setLooked({ preview: looked?.preview ?? null, problem: stored.problem });
      const { caseCount, datasetId, experimentId } = stored.value;
      toast(`${formatNumberOf(caseCount, 'case')} stored${experimentId === null ? '' : ', and an experiment drafted'}`);
      router.push(experimentId === null ? `/datasets/${datasetId}` : `/experiments/${experimentId}`);
      router.refresh();
    });
  }
  const { preview = null, problem = null } = looked ?? {};
  if (!isNew)
    return (
      <section className="pane border-b-0">
        <p className="sm muted">A promptfoo configuration becomes a dataset of its own: paste it under New dataset.</p>
      </section>
    );
  return (
    <section className="pane border-b-0" data-testid="promptfoo">
      <div className="ph">
        <h2>From promptfoo</h2>
        {preview === null ? null : (
          <span className="note" role="status">
            {formatNumberOf(preview.caseCount, 'case')}, {formatCount(preview.withReference)} with a reference,{' '}
            {formatCount(preview.withCriteria)} with criteria of their own
          </span>
        )}
      </div>
      {preview === null ? null : <Taken preview={preview} />}
      {problem === null ? null : (
        <p className="sm worse mt-2 wrap-anywhere" role="alert">
          {problem.message}
        </p>
      )}
      <div className="mt-3">
        <CheckboxField
          label="Draft an experiment too"
          help="With its prompt, model and assertions; nothing is run"
          checked={withExperiment}
          onChange={(event) => setWithExperiment(event.target.checked)}
        />
      </div>
      <div className="mt-3">
        <Button variant="primary" disabled={preview === null || isSaving || settled !== text} onClick={send}>
          {isSaving ? 'Storing' : `Import ${preview === null ? 'cases' : formatNumberOf(preview.caseCount, 'case')}`}
        </Button>
      </div>
    </section>
  );
}

function Taken({ preview }: { preview: PromptfooImport }) {
  const { inputVariable, prompt, model, criteria, notTaken, first } = preview;
  const rows: [string, string][] = [
    ['First input', first[0]?.input ?? ''],
    ['Input is', inputVariable === null ? 'the test' : `{{${inputVariable}}}`],
    ['Prompt', prompt ?? 'none: Hone’s own'],
    ['Model', model],
    [
      'Criteria',
      criteria.map(({ name, evaluator }) => `${name} (${evaluator})`).join(', ') || 'none but those of cases',
    ],
  ];
  return (
    <>
      <dl className="sm grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="faint">{name}</dt>
            <dd className="line-clamp-4 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {notTaken.length === 0 ? (
        <p className="sm muted mt-2.5">All of it is taken.</p>
      ) : (
        <>
          <h3 className="sm b mt-3">Not taken</h3>
          <ul className="sm muted stack mt-1 gap-1" data-testid="not-taken">
            {notTaken.slice(0, 40).map((words) => (
              <li key={words} className="wrap-anywhere">
                {words}
              </li>
            ))}
            {notTaken.length > 40 ? <li>and {formatCount(notTaken.length - 40)} more</li> : null}
          </ul>
        </>
      )}
    </>
  );
}
