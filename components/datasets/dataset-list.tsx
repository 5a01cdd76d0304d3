import { Database } from 'lucide-react';
import Link from 'next/link';
import { formatNumberOf } from '#lib/format.ts';
import { SidesBar } from './sides-bar.tsx';
import { type SidesOfDataset, splitWords } from './split-words.ts';

export type ListedDataset = SidesOfDataset & { id: string; name: string; usedBy: string | null };

type DatasetListProps = {
  datasets: readonly ListedDataset[];
  current: string | null;
  search: string;
  /** Leads to the next ones; null at the end. */
  next: string | null;
};

/** All datasets with their sides and who uses them; beside the one that is open. */
export function DatasetList({ datasets, current, search, next }: DatasetListProps) {
  return (
    <>
      <form action="/datasets" className="pane px-4 py-2.5">
        <label className="vh" htmlFor="dataset-search">
          Search datasets
        </label>
        <input
          id="dataset-search"
          className="input"
          type="search"
          name="search"
          defaultValue={search}
          placeholder="Name, tag or text of a case"
        />
      </form>
      {datasets.map((dataset) => (
        <Link
          key={dataset.id}
          className="qi no-underline"
          href={
            search === '' ? `/datasets/${dataset.id}` : `/datasets/${dataset.id}?search=${encodeURIComponent(search)}`
          }
          aria-current={dataset.id === current ? 'page' : undefined}
        >
          <Database className="i" aria-hidden />
          <span className="a trunc">{dataset.name}</span>
          <span className="t">{formatNumberOf(dataset.caseCount, 'case')}</span>
          <span className="m">
            <SidesBar className="mt-1 mb-1" sides={dataset} />
            <span className="row wrap gap-x-3 gap-y-0">
              <span>{splitWords(dataset)}</span>
              {dataset.usedBy === null ? null : <span className="faint wrap-anywhere">{dataset.usedBy}</span>}
            </span>
          </span>
        </Link>
      ))}
      {datasets.length === 0 ? <p className="sm muted px-4 py-3">No dataset has “{search}” in it.</p> : null}
      {next === null ? null : (
        <p className="sm px-4 py-2">
          <Link className="link" href={next}>
            Older datasets
          </Link>
        </p>
      )}
      <p className="sm faint px-4 py-2.5">
        <span className="halves inline-flex w-6 min-w-0 align-middle" aria-hidden>
          <i className="tune flex-1" />
        </span>{' '}
        tune on &nbsp;{' '}
        <span className="halves inline-flex w-6 min-w-0 align-middle" aria-hidden>
          <i className="held flex-1" />
        </span>{' '}
        held out, never shown to a tuning run
      </p>
    </>
  );
}
