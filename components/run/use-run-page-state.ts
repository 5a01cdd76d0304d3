import { parseAsInteger, parseAsStringLiteral, useQueryState } from 'nuqs';

/** What of the run page stands in the address: the chosen version, text, rendered or diff, against which version, how, and at which change. */
export function useRunPageState() {
  const [version, setVersion] = useQueryState('v', parseAsInteger);
  const [view, setView] = useQueryState(
    'view',
    parseAsStringLiteral(['text', 'rendered', 'diff'] as const).withDefault('text'),
  );
  const [against, setAgainst] = useQueryState('against', parseAsInteger);
  const [layout, setLayout] = useQueryState(
    'layout',
    parseAsStringLiteral(['split', 'unified'] as const).withDefault('split'),
  );
  const [space, setSpace] = useQueryState(
    'space',
    parseAsStringLiteral(['plain', 'shown'] as const).withDefault('plain'),
  );
  const [change, setChange] = useQueryState('change', parseAsInteger);
  return {
    version,
    view,
    against,
    layout,
    space,
    change,
    setVersion: (next: number) => {
      void setVersion(next);
      void setChange(null);
    },
    setView: (next: 'text' | 'rendered' | 'diff') => void setView(next),
    setAgainst: (next: number) => {
      void setAgainst(next);
      void setChange(null);
    },
    setSpace: (next: 'plain' | 'shown') => void setSpace(next),
    setChange: (next: number) => void setChange(next),
    setLayout: (next: 'split' | 'unified') => void setLayout(next),
  };
}

export type RunPageState = ReturnType<typeof useRunPageState>;
