import { Database } from 'lucide-react';
import Form from 'next/form';
import { Input } from '#components/ui/field.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { QueueAside, QueueNote, QueueRow, QueueTitle } from '#components/ui/queue.tsx';
import { formatNumberOf } from '#lib/format.ts';
import { type DatasetSplitCounts, SplitBar, SplitSwatch, splitLabel } from './split-bar.tsx';

type ListedDataset = DatasetSplitCounts & { id: string; name: string; usedBy: string | null };

type DatasetListProps = {
  datasets: readonly ListedDataset[];
  current: string | null;
  /** Path of the page, which the search stays on. */
  path: string;
  search: string;
  /** URL of the next page. Null at the end. */
  next: string | null;
};

/** Lists all datasets with their splits and usage, beside the open one. */
export function DatasetList({ datasets, current, path, search, next }: DatasetListProps) {
  return (
    <>
      <Pane asChild className="px-4 py-2.5">
        <Form action={path} scroll={false}>
          <label className="sr-only" htmlFor="dataset-search">
            Search datasets
          </label>
          <Input
            id="dataset-search"
            type="search"
            name="search"
            defaultValue={search}
            placeholder="Name, tag or text of a case"
          />
        </Form>
      </Pane>
      {datasets.map((dataset) => (
        <QueueRow key={dataset.id} asChild>
          <Link
            href={
              search === '' ? `/datasets/${dataset.id}` : `/datasets/${dataset.id}?search=${encodeURIComponent(search)}`
            }
            aria-current={dataset.id === current ? 'page' : undefined}
          >
            <Database />
            <QueueTitle>{dataset.name}</QueueTitle>
            <QueueAside>{formatNumberOf(dataset.caseCount, 'case')}</QueueAside>
            <QueueNote>
              <SplitBar className="mt-1 mb-1" sides={dataset} />
              <span className="flex flex-wrap items-center gap-x-3 gap-y-0">
                <span>{splitLabel(dataset)}</span>
                {dataset.usedBy === null ? null : <span className="wrap-anywhere text-ink-3">{dataset.usedBy}</span>}
              </span>
            </QueueNote>
          </Link>
        </QueueRow>
      ))}
      {datasets.length === 0 && search !== '' ? (
        <p className="px-4 py-3 text-ink-2 text-sm">No dataset matches “{search}”.</p>
      ) : null}
      {next === null ? null : (
        <p className="px-4 py-2 text-sm">
          <TextLink href={next}>Older datasets</TextLink>
        </p>
      )}
      {datasets.length === 0 ? null : (
        <p className="px-4 py-2.5 text-ink-3 text-sm">
          <SplitSwatch side="train" /> training &nbsp; <SplitSwatch side="validation" /> validation &nbsp;{' '}
          <SplitSwatch side="heldOut" /> held out
        </p>
      )}
    </>
  );
}
