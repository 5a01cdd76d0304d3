import { type RefObject, useEffect } from 'react';

/** Scrolls the list around a table to the row of a version. Never scrolls the page. */
export function useScrollToVersion(table: RefObject<HTMLElement | null>, version: number | null): void {
  useEffect(() => {
    const row = table.current?.querySelector<HTMLElement>(`tr[data-version="${version}"]`);
    const frame = row?.closest('[data-slot="scroll-x"]');
    if (!frame || !row || frame.scrollHeight <= frame.clientHeight) return;
    const isSeen = row.offsetTop > frame.scrollTop + 40 && row.offsetTop + 40 < frame.scrollTop + frame.clientHeight;
    if (!isSeen) frame.scrollTop = row.offsetTop - frame.clientHeight / 2;
  }, [table, version]);
}
