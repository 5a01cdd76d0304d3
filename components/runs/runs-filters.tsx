'use client';

import Form from 'next/form';
import { stopFilterName } from '#components/run/stop-reason-labels.ts';
import { Button } from '#components/ui/button.tsx';
import { Input, Select } from '#components/ui/field.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { RUN_STATUSES } from '#lib/core/run-statuses.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { RUN_READINGS } from '#lib/statistics/run-readings.ts';
import { isRunsFiltered, RUN_DAYS, type RunsView, readingLabel } from './runs-view.ts';

type RunsFiltersProps = { view: RunsView; experiments: readonly { id: string; name: string }[] };

/** Filters of the list of runs. A plain form, so that it works before hydration. Choosing an option submits it. */
export function RunsFilters({ view, experiments }: RunsFiltersProps) {
  return (
    <Pane className="py-3">
      <Form
        action="/runs"
        className="flex max-narrow:grid max-narrow:grid-cols-2 flex-wrap items-center gap-2"
        role="search"
        scroll={false}
      >
        {view.models === null ? null : <input type="hidden" name="models" value={view.models} />}
        {view.reading === null ? (
          <Input
            name="q"
            type="search"
            className="narrow:w-auto min-w-0 narrow:max-w-64 flex-[1_1_12rem] max-narrow:col-span-2"
            aria-label="Text or number"
            placeholder="Text or number"
            defaultValue={view.q ?? ''}
            maxLength={200}
          />
        ) : null}
        <Filter
          name="experiment"
          label="Experiment"
          value={view.experiment}
          all="Every experiment"
          choices={experiments.map(({ id, name }) => [id, name])}
        />
        <Filter
          name="days"
          label="Created"
          value={view.days === null ? null : String(view.days)}
          all="Any time"
          choices={RUN_DAYS.filter((days) => days > 1 || view.reading === null).map((days) => [
            String(days),
            days === 1 ? 'Last 24 hours' : `Last ${days} days`,
          ])}
        />
        <Filter
          name="reading"
          label="Result"
          value={view.reading}
          all="Any result"
          choices={RUN_READINGS.map((reading) => [reading, readingLabel(reading)])}
        />
        {view.reading === null ? (
          <>
            <Filter
              name="status"
              label="Status"
              value={view.status}
              all="Any status"
              choices={RUN_STATUSES.map((status) => [status, status])}
            />
            <Filter
              name="reason"
              label="Stopped by"
              value={view.reason}
              all="Any stop reason"
              choices={STOP_REASONS.map((reason) => [reason, stopFilterName(reason)])}
            />
          </>
        ) : null}
        <Button type="submit">Search</Button>
        {isRunsFiltered(view) ? (
          <TextLink className="text-sm" href="/runs">
            Clear filters
          </TextLink>
        ) : null}
      </Form>
    </Pane>
  );
}

type FilterProps = {
  name: string;
  label: string;
  value: string | null;
  /** Label of the option that disables the filter. */
  all: string;
  choices: readonly [value: string, label: string][];
};

function Filter({ name, label, value, all, choices }: FilterProps) {
  return (
    <Select
      name={name}
      className="narrow:w-auto min-w-0 narrow:max-w-56"
      aria-label={label}
      defaultValue={value ?? ''}
      onChange={({ target }) => target.form?.requestSubmit()}
    >
      <option value="">{all}</option>
      <Options of={choices} />
    </Select>
  );
}
