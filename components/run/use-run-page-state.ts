import { parseAsInteger, parseAsStringLiteral, useQueryState } from 'nuqs';

/** What of the run page stands in the address: the chosen version, text or diff, against which version, and how. */
export function useRunPageState() {
  const [version, setVersion] = useQueryState('v', parseAsInteger);
  const [view, setView] = useQueryState('view', parseAsStringLiteral(['text', 'diff'] as const).withDefault('text'));
  const [against, setAgainst] = useQueryState('against', parseAsInteger);
  const [layout, setLayout] = useQueryState(
    'layout',
    parseAsStringLiteral(['split', 'unified'] as const).withDefault('split'),
  );
  return {
    version,
    view,
    against,
    layout,
    setVersion: (next: number) => void setVersion(next),
    setView: (next: 'text' | 'diff') => void setView(next),
    setAgainst: (next: number) => void setAgainst(next),
    setLayout: (next: 'split' | 'unified') => void setLayout(next),
  };
}

export type RunPageState = ReturnType<typeof useRunPageState>;
