import { MODES } from '#lib/core/modes.ts';
import {
  EXPERIMENT_SORTS,
  EXPERIMENT_STATES,
  type ExperimentFilter,
  type ExperimentSort,
  ORIGIN_CHOICES,
} from '#lib/experiments/schema.ts';

/** What the list of experiments shows, as its address says. */
export type ExperimentsView = ExperimentFilter & { sort: ExperimentSort };

const MODELS = ['real', 'practice'] as const;

/** Reads the address; what it does not understand is as if it were not there. */
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

/** The same as parameters of an address. */
export function experimentsParams({ search, sort, ...filter }: ExperimentsView): Record<string, string | null> {
  return { q: search === '' ? null : search, ...filter, sort: sort === 'newest' ? null : sort };
}

/** The same as it stands after the question mark; empty for the whole list, newest first. */
export function experimentsQuery(view: ExperimentsView): string {
  const given = Object.entries(experimentsParams(view)).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return new URLSearchParams(given).toString();
}

/** Whether anything is left out of the list. */
export function isListFiltered({ sort: _sort, search, ...filter }: ExperimentsView): boolean {
  return search !== '' || Object.values(filter).some((value) => value !== null);
}
