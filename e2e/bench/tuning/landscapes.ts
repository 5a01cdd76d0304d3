/** How one call of the reflection model goes, as chances from 0 to 1. They are drawn anew for each call. */
export type ReflectionChances = {
  /** For each failure that it sees: that it writes the right rule, or else a wrong one. */
  finds: number;
  mistakes: number;
  /** Most failures that it handles in one proposal. */
  most: number;
  /** That it loses a rule of the text, and that it adds the harmful sentence. */
  drops: number;
  harms: number;
  /** That it adds the sentence that is worth `boost`. */
  boosts: number;
  /** That it adds the sentence that handles every topic in part. */
  shortcuts: number;
};

/**
 * A task with a known optimum. Tickets have one to three topics. The text of each component should hold the right rule for every topic.
 * A ticket's score is the mean over its topics. The share of a topic that is handled is the sum over its components of `worth`.
 */
export type Landscape = {
  name: string;
  about: string;
  components: {
    name: string;
    /** What a topic is worth with the right rule in this component alone. With the right rules in all components it is worth 1. */
    worth: number;
  }[];
  topics: number;
  /** Topics that have their rules from the start. */
  known: number;
  /** The share of tickets that have a topic without rules at the start. Null: topics are drawn evenly. */
  rare: number | null;
  /** The true score of a ticket with no topic handled, and with all. */
  range: readonly [number, number];
  /** The standard deviation of a score around the true one. Scores are cut off at 0 and 1. */
  noise: number;
  /** What the harmful sentence costs on three tickets of ten. */
  harm: number;
  /** What a topic is worth under the sentence that handles every topic in part, whatever the rules say. */
  shortcut: number;
  /** What the boosting sentence adds to every ticket. */
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

/** The landscapes of the comparison. To add one, add an entry. */
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

/** Proposals that reword the text without effect. In those named `gain`, one proposal in four is worth +0.1. */
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
