import { useEffect, useMemo, useState } from 'react';
import type { CodeToken } from './highlight-lines.ts';
import { isJson } from './is-json.ts';

/** The beginning of a fenced block of Markdown that names its language. */
const NAMED_FENCE = /^ {0,3}(?:`{3,}|~{3,})\s*[\w+-]/m;

/** The lines of a text, its code in coloured pieces: see `highlightLines`. The code that colours is loaded where there is something to colour; the lines are plain until then. */
export function useHighlightedLines(text: string): CodeToken[][] {
  const [coloured, setColoured] = useState<{ text: string; lines: CodeToken[][] } | null>(null);
  const plain = useMemo(() => text.split('\n').map((line): CodeToken[] => [{ text: line, kind: null }]), [text]);
  useEffect(() => {
    if (!NAMED_FENCE.test(text) && !isJson(text)) return;
    let isWanted = true;
    const colour = async () => {
      const { highlightLines } = await import('./highlight-lines.ts');
      if (isWanted) setColoured({ text, lines: highlightLines(text) });
    };
    // Without it the lines stay plain.
    colour().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [text]);
  return coloured?.text === text ? coloured.lines : plain;
}
