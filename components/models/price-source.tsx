import { TriangleAlert } from 'lucide-react';
import type { ShownPrice } from './price-draft.ts';

/** Where a price comes from, and what it means where there is none. */
export function PriceSource({ price: { own, list, isNew = false } }: { price: ShownPrice }) {
  if (own !== null) {
    const isFree = own.inputPerMillionUsd === 0 && own.outputPerMillionUsd === 0;
    return <span className="text-ink-2">{isFree ? 'yours: free' : 'yours'}</span>;
  }
  if (isNew) return <span className="text-ink-2">enter both, then save</span>;
  if (list === null)
    return (
      <>
        <span className="whitespace-nowrap font-semibold text-wait">
          <TriangleAlert className="size-3.25" aria-hidden /> no price:
        </span>{' '}
        <span className="text-ink-2">a cost budget can’t hold it</span>
      </>
    );
  if (list.from === 'practice') return <span className="text-ink-2">practice price</span>;
  return (
    <span className="text-ink-2">
      {list.url === null ? (
        `${list.from}’s list`
      ) : (
        <a className="link" href={list.url} target="_blank" rel="noreferrer">
          {list.from}’s list
        </a>
      )}
      {list.tiered ? ', more for long prompts' : ''}
    </span>
  );
}
