import { useEffect, useState } from 'react';

const KEY = 'hone-window';

/** What tells this window of the browser from all others: made at its first visit, kept while it is open. Null until the page's scripts run. */
export function useWindowId(): string | null {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    const kept = sessionStorage.getItem(KEY);
    const next = kept !== null && /^[0-9a-f-]{36}$/.test(kept) ? kept : newId();
    sessionStorage.setItem(KEY, next);
    setId(next);
  }, []);
  return id;
}

/** A random UUID; `crypto.randomUUID` is missing where Hone is reached by plain HTTP from another machine. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = [...bytes].map((byte, place) => {
    const marked = place === 6 ? (byte & 0x0f) | 0x40 : place === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  return [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8), digits.slice(8, 10), digits.slice(10)]
    .map((part) => part.join(''))
    .join('-');
}
