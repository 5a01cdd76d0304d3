'use client';

import Form from 'next/form';
import Link from 'next/link';
import { stopName } from '#components/run/stop-reason-labels.ts';
import { Button } from '#components/ui/button.tsx';
import { Select } from '#components/ui/field.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { RUN_STATUSES } from '#lib/core/run-record.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { RUN_READINGS } from '#lib/statistics/read-target.ts';
import { readingLabel } from './reading-labels.ts';
import { isRunsFiltered, type RunsView } from './runs-view.ts';

type RunsFiltersProps = { view: RunsView; experiments: readonly { id: string; name: string }[] };

/** Which runs are listed. A plain form, so that it works before the page's scripts do; a choice sends it. */
export function RunsFilters({ view, experiments }: RunsFiltersProps) {
  const send = ({ target }: { target: HTMLSelectElement }) => target.form?.requestSubmit();
  const select = 'w-auto max-w-72 min-w-0';
  return (
    <Pane className="py-3">
      <Form action="/runs" className="flex flex-wrap items-center gap-2" role="search" scroll={false}>
        {view.models === null ? null : <input type="hidden" name="models" value={view.models} />}
        {view.days === null ? null : <input type="hidden" name="days" value={view.days} />}
        <Select
          name="experiment"
          className={select}
          aria-label="Experiment"
          defaultValue={view.experiment ?? ''}
          onChange={send}
        >
          <option value="">Every experiment</option>
          {experiments.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Select
          name="reading"
          className={select}
          aria-label="Reads as"
          defaultValue={view.reading ?? ''}
          onChange={send}
        >
          <option value="">However it reads</option>
          {RUN_READINGS.map((reading) => (
            <option key={reading} value={reading}>
              {readingLabel(reading)}
            </option>
          ))}
        </Select>
        {view.reading === null ? (
          <>
            <Select
              name="status"
              className={select}
              aria-label="Status"
              defaultValue={view.status ?? ''}
              onChange={send}
            >
              <option value="">Any status</option>
              {RUN_STATUSES.map((status) => (
                <option key={status} value={status}>
                  {status}
                </option>
              ))}
            </Select>
            <Select
              name="reason"
              className={select}
              aria-label="Stopped by"
              defaultValue={view.reason ?? ''}
              onChange={send}
            >
              <option value="">Whatever stopped it</option>
              {STOP_REASONS.map((reason) => (
                <option key={reason} value={reason}>
                  {stopName(reason)}
                </option>
              ))}
            </Select>
          </>
        ) : null}
        <Button type="submit">Show</Button>
        {isRunsFiltered(view) ? (
          <Link className="link text-sm" href="/runs">
            Show all
          </Link>
        ) : null}
      </Form>
    </Pane>
  );
}
