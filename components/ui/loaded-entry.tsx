import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Pane } from './pane.tsx';

type EntryQuery<Entry> = {
  queryKey: string[];
  queryFn: (context: { signal: AbortSignal }) => Promise<Entry | null>;
};

/** Returns the options of the query of a queue's entry. Also used to prefetch the next one. */
export function entryQuery<Entry>(query: EntryQuery<Entry>) {
  return { ...query, staleTime: 30_000, retry: 1 };
}

type LoadedEntryProps<Entry> = EntryTexts & {
  /** Result of `entryQuery`. */
  query: EntryQuery<Entry>;
  /** Data sent with the page. Null if it is of another entry. */
  initial: Entry | null;
  /** True while the entry changes and must be read again. */
  isChanging?: (entry: Entry) => boolean;
  onNext: () => void;
  children: (entry: Entry) => ReactNode;
};

/** Loads the chosen entry of a queue. Decisions are possible only after it has loaded. */
export function LoadedEntry<Entry>({ query, initial, isChanging, children, ...rest }: LoadedEntryProps<Entry>) {
  const { data, isError, refetch } = useQuery<Entry | null>({
    ...query,
    refetchInterval: ({ state }) => (state.data && isChanging?.(state.data) ? 1_500 : false),
    ...(initial === null ? {} : { initialData: initial }),
  });
  if (data) return children(data);
  return <UnloadedEntry {...rest} isDeleted={data === null} isError={isError} onRetry={() => void refetch()} />;
}

type EntryTexts = {
  /** Name of the page, and the noun for its entries. */
  page: string;
  what: string;
  next: string;
};

type UnloadedEntryProps = EntryTexts & {
  isDeleted: boolean;
  isError: boolean;
  onNext: () => void;
  onRetry: () => void;
};

/** Placeholder for a chosen entry of a queue that is loading, failed to load or no longer exists. */
function UnloadedEntry({ page, what, next, isDeleted, isError, onNext, onRetry }: UnloadedEntryProps) {
  if (isDeleted)
    return (
      <Pane className="border-b-0">
        <h1>This {what} no longer exists</h1>
        <p className="mt-0.5 mb-3 text-ink-2">It was deleted, or the URL is wrong.</p>
        <Button onClick={onNext}>{next}</Button>
      </Pane>
    );
  if (isError)
    return (
      <Pane className="border-b-0">
        <h1>{page}</h1>
        <Notice tone="worse" alert title={`The ${what} could not be loaded`}>
          Nothing was changed. Check that Hone still runs.{' '}
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        </Notice>
      </Pane>
    );
  return (
    <Pane className="border-b-0" aria-busy="true">
      <h1 className="sr-only">{page}</h1>
      <p className="animate-appear text-ink-2">Reading the {what}</p>
    </Pane>
  );
}

/** Returns the previous or next entry of a list. Null at either end. Returns the first entry if `from` is not listed. */
export function findAdjacentEntry(ids: readonly string[], from: string | null, step: 1 | -1): string | null {
  const index = from === null ? -1 : ids.indexOf(from);
  return ids[index === -1 ? 0 : index + step] ?? null;
}
