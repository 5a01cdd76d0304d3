import { useEffect, useState } from 'react';
import { fetchVersionText } from './fetch-version-text.ts';
import type { DraftBase } from './use-prompt-draft.ts';

/** The text of the version of this number; null until it is there. `known` are those that the page has already. */
export function useVersionTexts(name: string, known: readonly DraftBase[], number: number): string | null {
  const [fetched, setFetched] = useState<ReadonlyMap<number, string>>(() => new Map());
  const text = known.find((one) => one.number === number)?.text ?? fetched.get(number) ?? null;
  const isMissing = text === null;
  useEffect(() => {
    if (!isMissing) return;
    let isGone = false;
    void fetchVersionText(name, number).then((found) => {
      if (found !== null && !isGone) setFetched((before) => new Map(before).set(number, found));
    });
    return () => {
      isGone = true;
    };
  }, [name, number, isMissing]);
  return text;
}
