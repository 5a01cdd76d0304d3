import type { Case } from '#lib/core/case.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { PromptSetupInput } from '#lib/prompts/schema.ts';

/** The feature that a sample demonstrates. */
export type SampleKind = 'improve' | 'review' | 'tune' | 'learn';

/** A sample experiment with its initial cases. */
export type Sample = {
  kind: SampleKind;
  name: string;
  settings: ExperimentSettingsInput;
  cases: (Pick<Case, 'input'> & Partial<Case>)[];
  /** The dataset of its cases and its prompt in the library, if any. The dataset has a fixed ID, so that it is created only once. */
  kept?: {
    datasetId: string;
    dataset: string;
    prompt: { name: string; text: string; message: string; setup: PromptSetupInput };
  };
};

/** Initial prompt of the tuning sample. It names the labels but none of the sorting rules. */
const WEAK_TRIAGE_PROMPT = `You sort support mail for a payments API.

Read the mail below and answer with one label:
billing, bug, outage, account, other.

Mail: {{input}}`;

/**
 * Compares the label with the expected one. Its feedback quotes the handbook line that leads to the expected label. The line describes only
 * the responsible team, because text that names the expected label would be hidden from models.
 */
const TRIAGE_CHECK = `const LABELS = ["billing", "bug", "outage", "account", "other"];

// What our sorters go by: the right label, what to see in the mail, and the line for who got it wrong.
const HANDBOOK = [
  ["bug", /\\berror code\\b|\\bE\\d{3}\\b/i,
    'An "error code" such as "E402" is a defect for the engineers, whatever was being paid.'],
  ["outage", /status page|\\bdown\\b|times out/i,
    '"status page", "down" or "times out" tell that the service is gone: whoever is on duty takes these.'],
  ["account", /log in|password/i,
    'Who cannot "log in" or speaks of a "password" needs access first, whatever else the mail complains of.'],
  ["other", /all solved|no need to answer/i,
    '"all solved" or "no need to answer" leaves nothing to do for any team.'],
];

function evaluate({ output, input, reference }) {
  const said = LABELS.filter((label) => new RegExp("\\\\b" + label + "\\\\b", "i").test(output));
  const isAlone = LABELS.includes(output.trim().toLowerCase());
  const isRight = said.length === 1 && said[0] === reference;
  if (isRight) return isAlone ? [true, "right"] : { score: 0.8, message: "Right, but answer with the label alone." };
  const line = HANDBOOK.find(([label, sign]) => label === reference && sign.test(input));
  const why = line ? line[2] : "The handbook has no line for such a mail yet.";
  return [false, [said.length === 1 ? "Not " + said[0] + "." : "Not one label.", why,
    ...(isAlone ? [] : ["And answer with the label alone."])].join(" ")];
}
`;

/** Returns mail to the support of a payments API: a subject, followed by the text. */
function supportMail(): Case[] {
  return [...sorted(TUNED_ON, []), ...sorted(HELD_OUT, ['held_out'])];
}

function sorted(mails: Record<string, string[]>, tags: string[]): Case[] {
  const cases = Object.entries(mails).map(([reference, inputs]) =>
    inputs.map((input) => ({ input, reference, tags, metadata: {} })),
  );
  // Interleaves the kinds, as in a real inbox.
  const longest = Math.max(...cases.map((of) => of.length));
  return Array.from({ length: longest }, (_, at) => cases.flatMap((of) => of[at] ?? [])).flat();
}

const TUNED_ON = {
  bug: [
    'Refund fails with E402 since Monday\nSince Monday each refund above 100 euros comes back with error code E402. Smaller ones go through.',
    'Webhook arrives two times\nEvery event reaches our server again after a second. Something in your queue seems broken.',
    'Payout rejected\nThe API answers our payout of 12 May with error code E117. The details of the bank are right.',
    'CSV export is broken\nThe export of the report stops after row 1,000. The rest is missing.',
    'No invoice for Norway\nPOST /invoices gives us error code E209 for every customer in Norway, and only there.',
  ],
  outage: [
    'API times out for us, all regions?\nSince 9:10 every call times out, from Frankfurt and Virginia alike.',
    'Your status page says degraded\nThe status page says degraded performance. For us not one payment gets through.',
    'Payments down?\nNothing can be paid in our shop at the moment. Are you down?',
  ],
  billing: [
    'Please change our billing address\nWe have moved. The next invoice should go to the new place.',
    "How do I export last year's invoices?\nOur accountant asks for all of them by Friday.",
    'Charged two times in March\nOur card shows 49 dollars on the 3rd and again on the 4th. One of them should come back to us.',
    'VAT number\nCan you put our VAT number on the receipts from now on?',
    'Fees for Japan\nWhat are the fees for customers who pay in yen?',
  ],
  account: [
    'Can’t log in, and the invoice is wrong\nThe invoice has the old name on it, and I cannot even log in to correct it.',
    'Add a second admin\nHow do I give a colleague the same rights as mine?',
    'Locked after a wrong code\nI have a new phone, the codes are wrong, and now I can’t log in any more.',
    'New owner\nOur founder leaves. How do I become the owner in your system?',
  ],
  other: [
    'Thanks, all solved!\nThe refund arrived this morning. No need to answer.',
    'Out of the office\nI am back on Monday.',
    'Re: question about fees\nFound it in the docs. No need to answer, and thank you.',
  ],
};

const HELD_OUT = {
  bug: [
    'Test card refused\nThe card from your docs is refused with error code E331, though we changed nothing.',
    'Filter is stuck\nThe filter for currencies stays stuck on USD whatever I choose.',
  ],
  outage: ['Is the API down?\nNone of our shops gets an answer from you since noon.'],
  billing: [
    'Refund for an unused month\nWe paid for June and left in May. Will you return it?',
    'Smaller plan\nWe are fewer people now. What would the smaller plan come to?',
  ],
  account: [
    'Password link expires\nThe link for a new password is too old each time I open it. The invoice waits.',
    'Remove a user\nPlease take out the user of our former agency.',
  ],
  other: ['Talk in May\nWould one of you speak at our meetup in Lisbon?'],
};

const practice = { provider: 'practice', model: 'practice-1' };

const check: NonNullable<PromptSetupInput['criteria']>[number] = {
  name: 'right label',
  description: 'The label alone, and the right one.',
  evaluator: 'function',
  config: { code: TRIAGE_CHECK },
};

const QUALITY_THRESHOLD = 0.9;

/** Tunes a prompt from the library, which only lists the labels, on mail sorted by people. */
export const TUNING_SAMPLE: Sample = {
  kind: 'tune',
  name: 'Support mail, a prompt tuned on its failures',
  settings: {
    mode: 'tune',
    taskType: 'analysis',
    generator: { ...practice, temperature: 0 },
    prompts: { generate: WEAK_TRIAGE_PROMPT },
    criteria: [check],
    qualityThreshold: QUALITY_THRESHOLD,
    maxIterations: 16,
    // Allows a longer plateau, because each round shows different mail.
    convergence: { plateauIterations: 4 },
    tune: { prompt: { name: 'support-triage', version: 1 }, seed: 22 },
  },
  cases: supportMail(),
  kept: {
    datasetId: '5a6f2c1e-9b0d-4f6a-8c57-2d1e90b74a33',
    dataset: 'Support mail',
    prompt: {
      name: 'support-triage',
      text: WEAK_TRIAGE_PROMPT,
      message: 'The labels, without any rule',
      setup: { models: [practice], criteria: [check], qualityThreshold: QUALITY_THRESHOLD },
    },
  },
};
