// Improves a prompt over cases and measures the gain on held-out cases.
import { tunePrompt } from 'hone/engine';
import { model } from './model.ts';

const LABELS = {
  refund: 'billing',
  invoice: 'billing',
  crash: 'bug',
  error: 'bug',
  password: 'account',
  login: 'account',
};
const SENTENCES = [
  (topic: string) => `Hello, I have a question about my ${topic}.`,
  (topic: string) => `The ${topic} again, third time this week!`,
  (topic: string) => `Could somebody look into the ${topic} please?`,
  (topic: string) => `Since yesterday there is a ${topic} that I cannot explain.`,
];

const { prompt, gain, convergenceReason } = await tunePrompt({
  model,
  prompt: 'Sort the ticket. Answer with one word.\nTicket: {{input}}',
  cases: SENTENCES.flatMap((say) =>
    Object.entries(LABELS).map(([topic, reference]) => ({ input: say(topic), reference })),
  ),
  settings: {
    criteria: [{ name: 'label', evaluator: 'reference', config: { match: 'exact', normalize: 'lower' } }],
    qualityThreshold: 1,
    maxIterations: 8,
    tune: { heldOutShare: 0.4, minibatchSize: 4 },
  },
});
const heldOut = gain?.heldOut;
console.log(`stopped: ${convergenceReason}`);
if (heldOut) console.log(`held-out gain ${heldOut.lift?.toFixed(2)} over ${heldOut.n} cases: ${heldOut.verdict}`);
console.log(prompt);
