/** What the practice model knows of a kind of label before any prompt tells it more. */
type Meaning = {
  /** The labels that mean this. */
  names: RegExp;
  /** How people speak of it without naming the label. */
  spokenOf: RegExp;
  /** What it takes for a sign of it: by single words, so that it is often wrong. */
  sign: RegExp | null;
};

/** Whatever speaks of money is billing, whatever is broken a bug; of outages it has never heard. The first sign counts. */
const MEANINGS: Meaning[] = [
  {
    names: /^(?:billing|payments?|invoices?|finance)$/,
    spokenOf: /\b(?:book-?keep(?:ing|ers?)|finance|accounting)\b/i,
    sign: /\b(?:pay|pays|paid|payments?|payouts?|charged?|charges|refund(?:s|ed)?|invoices?|bills?|billing|fees?|prices?|card|receipts?)\b/i,
  },
  {
    names: /^(?:bugs?|defects?|errors?|technical)$/,
    spokenOf: /\b(?:defects?|engineers?|developers?)\b/i,
    sign: /\b(?:errors?|fail(?:s|ed|ing)?|broken|breaks?|crash(?:es|ed)?|wrong|can't|cannot|doesn't|don't work|down|times out|timeouts?|stuck|missing|twice)\b/i,
  },
  {
    names: /^(?:accounts?|access|users?|login)$/,
    spokenOf: /\b(?:access|sign-in|rights of (?:people|users)|who may)\b/i,
    sign: /\b(?:accounts?|passwords?|log in|login|sign in|admins?|users?|owner|colleagues?)\b/i,
  },
  {
    names: /^(?:outages?|incidents?|downtime)$/,
    spokenOf: /\b(?:on call|on duty|out of service|service is gone)\b/i,
    sign: null,
  },
  {
    names: /^(?:others?|none|misc(?:ellaneous)?|rest)$/,
    spokenOf: /\b(?:no team|nobody|no answer|nothing to do)\b/i,
    sign: null,
  },
];

/** The label that a text seems to belong under at first sight. */
export function labelAtFirstSight(text: string, labels: string[]): string {
  const plain = text.replaceAll('’', "'");
  for (const { names, sign } of MEANINGS) {
    const label = labels.find((candidate) => names.test(candidate));
    if (label !== undefined && sign?.test(plain)) return label;
  }
  const words = new Set(plain.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []);
  const rest = MEANINGS.at(-1)?.names;
  return (
    labels.find((label) => words.has(label)) ?? labels.find((label) => rest?.test(label)) ?? labels.at(-1) ?? 'other'
  );
}

/** The label that a remark speaks of in other words ("a defect for the engineers"); null where it speaks of none, or of several. */
export function labelSpokenOf(remark: string, labels: string[]): string | null {
  const spokenOf = MEANINGS.filter((meaning) => meaning.spokenOf.test(remark)).flatMap(({ names }) =>
    labels.filter((label) => names.test(label)),
  );
  return spokenOf.length === 1 ? (spokenOf[0] ?? null) : null;
}
