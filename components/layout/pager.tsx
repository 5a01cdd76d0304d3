import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';

type PagerProps = {
  path: string;
  params: Record<string, string | null>;
  cursor: string | null;
  nextCursor: string | null;
  /** Label of the current range. */
  words?: string;
  /** Id of the list's heading, for pages with content above the list. */
  at?: string;
};

/** Links to the next page of a list and back to the first. Renders nothing for a single page. */
export function Pager({ path, params, cursor, nextCursor, words, at }: PagerProps) {
  if (cursor === null && nextCursor === null) return null;
  const anchor = at === undefined ? '' : `#${at}`;
  return (
    <Pane asChild className="flex items-center gap-2 border-b-0 py-3">
      <nav aria-label="Pages of the list">
        {cursor === null ? null : (
          <Button asChild size="small">
            <Link href={`${address(path, params)}${anchor}`}>First page</Link>
          </Button>
        )}
        {nextCursor === null ? null : (
          <Button asChild size="small">
            <Link href={`${address(path, { ...params, cursor: nextCursor })}${anchor}`}>Next page</Link>
          </Button>
        )}
        {words === undefined ? null : <span className="text-ink-2 text-sm">{words}</span>}
      </nav>
    </Pane>
  );
}

/** Returns a path with all query parameters that are not null. */
export function address(path: string, params: Record<string, string | null>): string {
  const search = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}
