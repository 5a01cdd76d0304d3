/** Probabilities (0 to 1) of the outcomes of one reflection call, drawn independently for each call. */
export type ReflectionChances = {
  /** Per visible failure: probability of writing the correct rule instead of a wrong one. */
  finds: number;
  mistakes: number;
  /** Maximum number of failures handled in one proposal. */
  most: number;
  /** Probabilities of dropping a rule of the text and of adding the harmful sentence. */
  drops: number;
  harms: number;
  /** Probability of adding the sentence worth `boost`. */
  boosts: number;
  /** Probability of adding the sentence that partly handles every topic. */
  shortcuts: number;
};

/**
 * A task with a known optimum: one correct rule per topic in each component. A ticket has one to three topics, and its score is the mean
 * over them. A topic's score is the sum of `worth` over components with its rule.
 */
export type Landscape = {
  name: string;
  about: string;
  components: {
    name: string;
    /** Score of a topic with the correct rule in this component only. All components together give 1. */
    worth: number;
  }[];
  topics: number;
  /** Number of topics that have their rules from the start. */
  known: number;
  /** Share of tickets with a topic that has no rules at the start. null draws topics uniformly. */
  rare: number | null;
  /** True score of a ticket with no topic handled and with all topics handled. */
  range: readonly [number, number];
  /** Standard deviation of scores around the true score. Scores are clamped to 0 to 1. */
  noise: number;
  /** Penalty of the harmful sentence on three of ten tickets. */
  harm: number;
  /** Score of a topic under the shortcut sentence, regardless of the rules. */
  shortcut: number;
  /** Score that the boost sentence adds to every ticket. */
  boost: number;
  reflection: ReflectionChances;
  cases: { train: number; validation: number; heldOut: number };
  metricCalls: number;
};

const REFLECTION: ReflectionChances = {
  finds: 0.6,
  mistakes: 0.15,
  most: 2,
  drops: 0.15,
  harms: 0.1,
  boosts: 0,
  shortcuts: 0,
};
const SINGLE: Omit<Landscape, 'name' | 'about'> = {
  components: [{ name: 'answer', worth: 1 }],
  topics: 12,
  known: 2,
  rare: null,
  range: [0, 1],
  noise: 0,
  harm: 0.3,
  shortcut: 0.5,
  boost: 0,
  reflection: REFLECTION,
  cases: { train: 24, validation: 24, heldOut: 100 },
  metricCalls: 300,
};

/** Landscapes of the comparison. */
export const LANDSCAPES: Landscape[] = [
  { ...SINGLE, name: 'single', about: 'One component, exact scores.' },
  {
    ...SINGLE,
    name: 'two-components',
    about: 'Two components that need each other: a rule in one of them is worth little.',
    components: [
      { name: 'label', worth: 0.3 },
      { name: 'answer', worth: 0.2 },
    ],
    topics: 8,
  },
  { ...SINGLE, name: 'noisy-0.1', about: 'One component, scores with σ = 0.1.', range: [0.1, 0.7], noise: 0.1 },
  { ...SINGLE, name: 'noisy-0.2', about: 'One component, scores with σ = 0.2.', range: [0.1, 0.7], noise: 0.2 },
  {
    ...SINGLE,
    name: 'rare-failures',
    about: 'One component. One ticket in ten fails at the start.',
    topics: 16,
    known: 10,
    rare: 0.1,
  },
  {
    ...SINGLE,
    name: 'local-optimum',
    about: 'One component. A sentence that is easy to find handles every topic by half, and then rules have no effect.',
    reflection: { ...REFLECTION, shortcuts: 0.1 },
  },
];

/** Returns landscapes in which proposals only reword the text. In those named `gain`, one of four proposals is worth +0.1. */
export function nilLandscapes(): Landscape[] {
  return (['nil', 'gain'] as const).flatMap((kind) =>
    [0.1, 0.2].map((noise) => ({
      ...SINGLE,
      name: `${kind}-${noise}`,
      about: 'Proposals reword the text.',
      known: 6,
      range: [0.2, 0.7] as const,
      noise,
      boost: 0.1,
      reflection: {
        finds: 0,
        mistakes: 0,
        most: 0,
        drops: 0,
        harms: 0,
        shortcuts: 0,
        boosts: kind === 'nil' ? 0 : 0.25,
      },
      cases: { train: 24, validation: 24, heldOut: 40 },
      metricCalls: 200,
    })),
  );
}

export function landscapeNamed(name: string): Landscape {
  const found = [...LANDSCAPES, ...nilLandscapes()].find((one) => one.name === name);
  if (found === undefined)
    throw new Error(`there is no landscape ${name}: ${LANDSCAPES.map((one) => one.name).join(', ')}`);
  return found;
}
