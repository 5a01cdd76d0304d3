import { MODES } from '#lib/core/setting-choices.ts';
import {
  EXPERIMENT_SORTS,
  EXPERIMENT_STATES,
  type ExperimentFilter,
  type ExperimentSort,
  ORIGIN_CHOICES,
} from '#lib/experiments/schema.ts';

/** Filters and sort order of the experiment list, as stored in the URL. */
export type ExperimentsView = ExperimentFilter & { sort: ExperimentSort };

const MODELS = ['real', 'practice'] as const;

/** Parses the URL parameters. Invalid ones are ignored. */
export function readExperimentsView(param: (name: string) => string | null): ExperimentsView {
  return {
    search: (param('q') ?? '').slice(0, 200),
    mode: MODES.find((mode) => mode === param('mode')) ?? null,
    model: param('model')?.slice(0, 200) ?? null,
    origin: ORIGIN_CHOICES.find((origin) => origin === param('origin')) ?? null,
    models: MODELS.find((models) => models === param('models')) ?? null,
    state: EXPERIMENT_STATES.find((state) => state === param('state')) ?? null,
    sort: EXPERIMENT_SORTS.find((sort) => sort === param('sort')) ?? 'newest',
  };
}

/** Returns the view as URL parameters. */
export function experimentsParams({ search, sort, ...filter }: ExperimentsView): Record<string, string | null> {
  return { q: search === '' ? null : search, ...filter, sort: sort === 'newest' ? null : sort };
}

/** Returns the view as a query string. Empty for the unfiltered list, newest first. */
export function experimentsQuery(view: ExperimentsView): string {
  const entries = Object.entries(experimentsParams(view)).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return new URLSearchParams(entries).toString();
}

/** True if any filter is active. */
export function isListFiltered({ sort: _sort, search, ...filter }: ExperimentsView): boolean {
  return search !== '' || Object.values(filter).some((value) => value !== null);
}
