import { Hone } from 'hone-sdk';

/**
 * Tunes one component of a target on support tickets and prints the gain on held-out tickets. Usage: node tune.ts TARGET. `MODEL_URL` is
 * the URL of the model that proposes texts.
 */
const LABELS = {
  refund: 'billing',
  invoice: 'billing',
  crash: 'bug',
  error: 'bug',
  password: 'account',
  login: 'account',
  slow: 'speed',
  timeout: 'speed',
};
const SENTENCES = [
  (topic: string) => `Hello, I have a question about my ${topic}.`,
  (topic: string) => `The ${topic} again, third time this week!`,
  (topic: string) => `Could somebody look into the ${topic} please?`,
  (topic: string) => `Since yesterday there is a ${topic} that I cannot explain.`,
  (topic: string) => `My colleague reported a ${topic} on Monday.`,
];

const [name = ''] = process.argv.slice(2);
const hone = new Hone();
const target = await hone.api.getTarget(name);
const components = Object.fromEntries(Object.entries(target.components).map(([key, { text }]) => [key, text]));
const baseUrl = process.env.MODEL_URL ?? 'http://127.0.0.1:8788/v1';
await hone.api.createProvider({ name: 'demo', kind: 'openai-compatible', baseUrl }).catch((error) => {
  if (error.code !== 'conflict') throw error;
});
const cases = SENTENCES.flatMap((say) =>
  Object.entries(LABELS).map(([topic, reference]) => ({ input: say(topic), reference })),
);
const { runIds } = await hone.experiments.run({
  experiment: {
    name: `Tune ${name}`,
    mode: 'tune',
    generator: {
      provider: 'demo',
      model: 'demo',
      target: { name, components, tuned: Object.keys(components)[0] ?? null },
    },
    criteria: [{ name: 'label', evaluator: 'reference', config: { match: 'exact', normalize: 'lower' } }],
    qualityThreshold: 1,
    maxIterations: 8,
    tune: { heldOutShare: 0.4, minibatchSize: 4 },
  },
  cases,
});
const run = await hone.api.getRun(runIds[0] ?? '');
const gain = run.tuning?.gain?.heldOut;
if (gain === null || gain === undefined)
  throw new Error(`The run ended without a gain: ${run.convergenceReason ?? run.status}`);
const { lift, low, high, n, verdict } = gain;
console.log(
  `${name}: held-out gain ${lift.toFixed(2)} (95% ${low.toFixed(2)} to ${high.toFixed(2)}, n ${n}), ${verdict}`,
);
console.log(run.versions.find(({ number }) => number === run.bestVersion)?.output);
