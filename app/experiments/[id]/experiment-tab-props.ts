import type { ExperimentView } from '#lib/experiments/queries.ts';

/** What each part of an experiment's page is given; `asked` are the parameters of the address, `now` an ISO time. */
export type ExperimentTabProps = {
  experiment: ExperimentView;
  path: string;
  asked: Record<string, string | string[] | undefined>;
  now: string;
};
