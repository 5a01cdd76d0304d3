import { parseAsInteger, parseAsStringLiteral, useQueryState } from 'nuqs';

const SPLITS = ['all', 'train', 'validation', 'held_out'] as const;
const EFFECTS = ['any', 'up', 'down'] as const;

/** What of a tuning run's page stands in the address beside the version: which cases are listed, and the one that is looked into. */
export function useTuningPageState() {
  const [split, setSplit] = useQueryState('split', parseAsStringLiteral(SPLITS).withDefault('all'));
  const [effect, setEffect] = useQueryState('effect', parseAsStringLiteral(EFFECTS).withDefault('any'));
  // The case's texts come from the server.
  const [chosen, setChosen] = useQueryState('case', parseAsInteger.withOptions({ shallow: false }));
  return {
    split,
    effect,
    case: chosen,
    setSplit: (next: (typeof SPLITS)[number]) => void setSplit(next),
    setEffect: (next: (typeof EFFECTS)[number]) => void setEffect(next),
    setCase: (next: number | null) => void setChosen(next),
  };
}

export type TuningPageState = ReturnType<typeof useTuningPageState>;
