import type { ExperimentSettings } from '#lib/core/settings.ts';

type Convergence = NonNullable<ExperimentSettings['convergence']>;
type Mode = ExperimentSettings['mode'];

type StopField = {
  name: keyof Convergence;
  label: (mode: Mode) => string;
  help?: string;
  /** Formats the value for a summary. Null if it is left out. */
  summary: (value: unknown) => string | null;
};

const FIELDS: Record<keyof Convergence, Omit<StopField, 'name'> & { modes?: readonly Mode[] }> = {
  plateauIterations: {
    label: (mode) => (mode === 'tune' ? 'Patience, candidates' : 'Patience, versions'),
    help: '1 to 10, default 2',
    summary: (value) => `patience ${value}`,
  },
  improvementThreshold: {
    modes: ['revise', 'retry'],
    label: () => 'Minimum improvement',
    help: '0 to 1, default 0.05. A smaller gain of the best score counts as diminishing returns.',
    summary: (value) => `gain under ${value}`,
  },
  detectOscillation: {
    modes: ['revise', 'retry'],
    label: () => 'Stop when the score oscillates',
    summary: (value) => (value === true ? 'oscillation' : null),
  },
  detectStability: {
    modes: ['revise', 'retry'],
    label: () => 'Stop when the text or answer stays the same',
    summary: (value) => (value === true ? 'stability' : null),
  },
};

const NAMES = Object.keys(FIELDS).filter((name): name is keyof Convergence => name in FIELDS);

/** Returns the early stop settings of a mode. Tuning has only a plateau, because its candidates are not revisions of one text. */
export function stopFieldsOf(mode: Mode): StopField[] {
  return NAMES.flatMap((name) => {
    const { modes, ...field } = FIELDS[name];
    return modes === undefined || modes.includes(mode) ? [{ name, ...field }] : [];
  });
}

/** Summarizes early stops, from settings or form values: `patience 2, gain under 0.05, oscillation`. */
export function stopsLabel(mode: Mode, stops: Record<keyof Convergence, unknown>): string {
  return stopFieldsOf(mode)
    .flatMap(({ name, summary }) => summary(stops[name]) ?? [])
    .join(', ');
}
