import { parseAsArrayOf, parseAsInteger, parseAsStringLiteral, useQueryState } from 'nuqs';

type RunViewOptions = { view: 'text' | 'rendered' | 'diff'; layout: 'split' | 'unified' };
const DEFAULT_RUN_VIEW: RunViewOptions = { view: 'text', layout: 'split' };

/**
 * State of the run page in the URL: chosen version, view (text, rendered or diff), base version, layout, current change and changes left
 * out. `look` sets the defaults. Set `shallow` to false if the server renders additional data for a version.
 */
export function useRunPageState(
  look: RunViewOptions = DEFAULT_RUN_VIEW,
  { shallow = true }: { shallow?: boolean } = {},
) {
  const [version, setVersion] = useQueryState('v', parseAsInteger.withOptions({ shallow }));
  const [view, setView] = useQueryState(
    'view',
    parseAsStringLiteral(['text', 'rendered', 'diff'] as const).withDefault(look.view),
  );
  const [against, setAgainst] = useQueryState('against', parseAsInteger);
  const [layout, setLayout] = useQueryState(
    'layout',
    parseAsStringLiteral(['split', 'unified'] as const).withDefault(look.layout),
  );
  const [space, setSpace] = useQueryState(
    'space',
    parseAsStringLiteral(['plain', 'shown'] as const).withDefault('plain'),
  );
  const [change, setChange] = useQueryState('change', parseAsInteger);
  const [left, setLeft] = useQueryState('left', parseAsArrayOf(parseAsInteger).withDefault([]));
  return {
    version,
    view,
    against,
    layout,
    space,
    change,
    /** Changes of the diff to leave out. */
    left,
    /** Null selects the default version of the run. */
    setVersion: (next: number | null) => {
      void setVersion(next);
      void setChange(null);
      void setLeft(null);
    },
    setView: (next: 'text' | 'rendered' | 'diff') => void setView(next),
    setAgainst: (next: number) => {
      void setAgainst(next);
      void setChange(null);
      void setLeft(null);
    },
    setSpace: (next: 'plain' | 'shown') => void setSpace(next),
    setChange: (next: number) => void setChange(next),
    setLeft: (next: number[]) => void setLeft(next.length === 0 ? null : next),
    setLayout: (next: 'split' | 'unified') => void setLayout(next),
  };
}

export type RunPageState = ReturnType<typeof useRunPageState>;
