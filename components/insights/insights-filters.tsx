'use client';

import { Download } from 'lucide-react';
import Form from 'next/form';
import { address } from '#components/layout/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { INSIGHT_SPANS, type InsightsView } from './insights-view.ts';

type InsightsFiltersProps = {
  view: InsightsView;
  experiments: readonly { experimentId: string; name: string; practice: boolean }[];
  models: 'real' | 'practice' | 'all';
};

/**
 * Filters the insights by experiment and period, and exports them. A plain form that works before hydration. Changing a select submits it.
 */
export function InsightsFilters({ view, experiments, models }: InsightsFiltersProps) {
  const send = ({ target }: { target: HTMLSelectElement }) => target.form?.requestSubmit();
  const isMixed = experiments.some(({ practice }) => practice) && experiments.some(({ practice }) => !practice);
  const { experiment, days } = view;
  return (
    <Form action="/insights" className="flex flex-wrap items-center gap-2 max-narrow:w-full" scroll={false}>
      <Select
        name="of"
        className="w-auto max-w-64"
        aria-label="Experiments"
        defaultValue={experiment ?? models}
        onChange={send}
      >
        {isMixed ? (
          <>
            <option value="real">All with real models</option>
            <option value="practice">All with the practice model</option>
            <option value="all">All, including practice</option>
          </>
        ) : (
          <option value={models}>All experiments</option>
        )}
        <Options
          of={experiments.map(({ experimentId, name, practice }) => [
            experimentId,
            `${name}${isMixed && practice ? ' (practice)' : ''}`,
          ])}
        />
      </Select>
      <Select name="days" className="w-auto" aria-label="Period" defaultValue={days ?? ''} onChange={send}>
        <option value="">All time</option>
        <Options of={INSIGHT_SPANS.map((span) => [span, `The last ${span} days`])} />
      </Select>
      {view.against === null ? null : <input type="hidden" name="against" value={view.against} />}
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
      <Button asChild>
        <a
          href={address('/api/v1/insights/export', {
            experimentId: experiment,
            models: view.models,
            days: days === null ? null : String(days),
          })}
          download
        >
          <Download />
          Export CSV
        </a>
      </Button>
    </Form>
  );
}
