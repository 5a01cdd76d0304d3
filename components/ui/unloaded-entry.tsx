import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Pane } from './pane.tsx';

type UnloadedEntryProps = {
  /** Name of the page, and the noun for its entries. */
  page: string;
  what: string;
  next: string;
  isGone: boolean;
  isError: boolean;
  onNext: () => void;
  onRetry: () => void;
};

/** Placeholder for a chosen entry of a queue that is loading, failed to load or no longer exists. */
export function UnloadedEntry({ page, what, next, isGone, isError, onNext, onRetry }: UnloadedEntryProps) {
  if (isGone)
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
