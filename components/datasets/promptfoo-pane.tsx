'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { PromptfooImport } from '#lib/datasets/schema.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import type { ImportSource } from './import-draft.ts';
import { usePromptfooPreview } from './use-promptfoo-preview.ts';

/** Imports a promptfoo configuration as a dataset and, optionally, a draft experiment. Lists the unsupported parts first. */
export function PromptfooPane({ name, source, isNew }: { name: string; source: ImportSource; isNew: boolean }) {
  const router = useRouter();
  const toast = useToast();
  const text = source.kind === 'text' ? source.text : '';
  const [withExperiment, setWithExperiment] = useState(true);
  const { isBusy, settle } = useSubmit();
  const { preview, problem, isCurrent, setProblem } = usePromptfooPreview(text, withExperiment);
  function send() {
    const named = name.trim() === '' ? {} : { name: name.trim() };
    const body = { config: text, experiment: withExperiment, ...named };
    settle(callApi('POST /api/v1/datasets/promptfoo', { body }), (stored) => {
      if (!stored.ok) return setProblem(stored.problem);
      const { caseCount, datasetId, experimentId } = stored.value;
      toast(`${formatNumberOf(caseCount, 'case')} imported${experimentId === null ? '' : ', experiment created'}`);
      router.push(experimentId === null ? `/datasets/${datasetId}` : `/experiments/${experimentId}`);
    });
  }
  if (!isNew)
    return (
      <Pane className="border-b-0">
        <p className="text-ink-2 text-sm">
          A promptfoo configuration becomes a new dataset. Paste it under New dataset.
        </p>
      </Pane>
    );
  return (
    <Pane className="border-b-0" data-testid="promptfoo">
      <PaneHeader title="From promptfoo">
        {preview === null ? null : (
          <span className="text-ink-3 text-sm" role="status">
            {formatNumberOf(preview.caseCount, 'case')}, {formatCount(preview.withReference)} with a reference,{' '}
            {formatCount(preview.withCriteria)} with their own criteria
          </span>
        )}
      </PaneHeader>
      {preview === null ? null : <SupportedParts preview={preview} />}
      {problem === null ? null : <InlineError className="mt-2">{problem.message}</InlineError>}
      <div className="mt-3">
        <CheckboxField
          label="Create an experiment"
          help="Uses the prompt, model and assertions. Nothing runs yet."
          checked={withExperiment}
          onChange={(event) => setWithExperiment(event.target.checked)}
        />
      </div>
      <div className="mt-3">
        <Button variant="primary" disabled={preview === null || isBusy || !isCurrent} onClick={send}>
          {isBusy ? 'Importing' : `Import ${preview === null ? 'cases' : formatNumberOf(preview.caseCount, 'case')}`}
        </Button>
      </div>
    </Pane>
  );
}

function SupportedParts({ preview }: { preview: PromptfooImport }) {
  const { inputVariable, prompt, model, criteria, notTaken, first } = preview;
  const rows: [string, string][] = [
    ['First input', first[0]?.input ?? ''],
    ['Input is', inputVariable === null ? 'the test' : `{{${inputVariable}}}`],
    ['Prompt', prompt ?? 'none, uses Hone’s default'],
    ['Model', model],
    ['Criteria', criteria.map(({ name, evaluator }) => `${name} (${evaluator})`).join(', ') || 'only those of cases'],
  ];
  return (
    <>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="wrap-anywhere line-clamp-4">{value}</dd>
          </div>
        ))}
      </dl>
      {notTaken.length === 0 ? (
        <p className="mt-2.5 text-ink-2 text-sm">All of the configuration is imported.</p>
      ) : (
        <>
          <h3 className="mt-3 font-semibold text-sm">Not imported</h3>
          <ul className="mt-1 flex flex-col gap-1 text-ink-2 text-sm" data-testid="not-taken">
            {notTaken.slice(0, 40).map((feature) => (
              <li key={feature} className="wrap-anywhere">
                {feature}
              </li>
            ))}
            {notTaken.length > 40 ? <li>and {formatCount(notTaken.length - 40)} more</li> : null}
          </ul>
        </>
      )}
    </>
  );
}
