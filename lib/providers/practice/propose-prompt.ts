import { z } from 'zod';
import { parseJson } from '#lib/core/json-values.ts';
import { labelNamed, listLines, phrasesIn, readClassificationPrompt } from './classification-prompt.ts';
import { mentionedFlaws } from './flaws.ts';
import { hash } from './hash.ts';
import { listItems, type PromptParts } from './read-prompt.ts';
import { upperFirst } from './task-terms.ts';

/** Minimum score of a response that needs no improvement. */
const GOOD = 0.9;
/** One in this many proposals only asks for more care, until feedback says that this was rejected. */
const IDLE_ONE_IN = 4;
const MAX_PHRASES = 4;
const MAX_PHRASE_WORDS = 4;

/**
 * Proposes a prompt from an existing one and its results: a diagnosis, then the whole new prompt between two lines `~~~~`. Adds people's
 * guidance and one lesson from the feedback of failed cases. Without either, it only asks for more care, which changes no response.
 */
export function proposePrompt(parts: PromptParts): string {
  const current = parts.get('current_prompt') ?? '';
  const cases = [...readCases(parts.get('tried_cases') ?? ''), ...readDiagnoses(parts.get('group_diagnoses') ?? '')];
  const failed = cases.filter(({ score }) => score !== null && score < GOOD);
  const requirements = listItems(parts.get('guidance')).filter((line) => !current.includes(line));
  const rejected = listItems(parts.get('rejected_proposals'));
  const isIdle =
    requirements.length === 0 &&
    rejected.length === 0 &&
    hash(current, parts.get('tried_cases') ?? '') % IDLE_ONE_IN === 0;
  const learned = isIdle ? [] : learnedFrom(failed, current);
  const rules = [...requirements, ...learned];
  // A repeated proposal would be rejected, so one more line is added.
  const lines =
    rules.length > 0 && repeats(rejected) === 0
      ? rules
      : [...rules, care(current, rejected, parts.get('tried_cases') ?? '')];
  const diagnosis = [
    `${failed.length} of ${cases.length} answers fell short.`,
    rules.length > 0
      ? 'The prompt does not say yet:'
      : 'What they have in common is not clear. The prompt could ask for more care:',
    ...lines.map((line) => `- ${line}`),
  ];
  return `${diagnosis.join('\n')}\n\n~~~~\n${withLines(current, lines)}\n~~~~`;
}

/** Diagnoses a prompt from some of its cases, by the feedback of those that failed. */
export function diagnoseCases(parts: PromptParts): string {
  const failed = readCases(parts.get('tried_cases') ?? '').filter(({ score }) => score !== null && score < GOOD);
  const complaints = [...new Set(failed.map(({ feedback }) => feedback))].filter((feedback) => feedback !== '');
  return [`${failed.length} answers fell short.`, ...complaints].join('\n');
}

/** Writes a first prompt: the description of the task, and the input. */
export function firstPrompt(parts: PromptParts): string {
  return `~~~~\n${parts.get('task_description') ?? ''}\n\n{{input}}\n~~~~`;
}

/** Combines improvements of the same prompt: keeps every list line that any of them adds. */
export function combinePrompts(parts: PromptParts): string {
  const current = parts.get('current_prompt') ?? '';
  const known = listLines(current);
  const added = readLines(parts.get('accepted_prompts') ?? '', acceptedPromptSchema)
    .flatMap(({ prompt }) => listLines(prompt))
    .filter((item) => !known.includes(item));
  return `Each adds to the prompt; the new one has all of it.\n\n~~~~\n${withLines(current, [...new Set(added)])}\n~~~~`;
}

const acceptedPromptSchema = z.object({ prompt: z.string() });

const triedCaseSchema = z.object({ score: z.number().nullable().catch(null), feedback: z.string().catch('') });
type TriedCase = z.infer<typeof triedCaseSchema>;

/** Returns the lines that are JSON of a schema. */
function readLines<Line>(part: string, schema: z.ZodType<Line>): Line[] {
  return part.split('\n').flatMap((line) => {
    const read = schema.safeParse(parseJson(line));
    return read.success ? [read.data] : [];
  });
}

function readCases(part: string): TriedCase[] {
  return readLines(part, triedCaseSchema);
}

/** Returns each diagnosis of a group of cases as the feedback of a failed case. */
function readDiagnoses(part: string): TriedCase[] {
  return readLines(part, diagnosisSchema).map(({ diagnosis }) => ({ score: 0, feedback: diagnosis }));
}

const diagnosisSchema = z.object({ diagnosis: z.string() });

/** Returns lines to add to the prompt: the format, if feedback mentions it, and one more. Lines already in the prompt are left out. */
function learnedFrom(failed: TriedCase[], current: string): string[] {
  const sorting = readClassificationPrompt(current);
  const isNew = (line: string) => !current.includes(line);
  const texts = failed.map(({ feedback }) => feedback);
  if (sorting === null) {
    const known = mentionedFlaws(current);
    const advice = mentionedFlaws(texts.join('\n')).filter((flaw) => !known.includes(flaw));
    return advice.slice(0, 1).map((flaw) => `${upperFirst(flaw.advice)}.`);
  }
  const form = sorting.labelOnly || !texts.some((text) => FORMAT_FEEDBACK_PATTERN.test(text)) ? [] : [LABEL_ONLY];
  const rules = texts.flatMap((text) => ruleFrom(text, sorting.labels) ?? []).filter(isNew);
  return [...form, ...rules.slice(0, 1)];
}

const FORMAT_FEEDBACK_PATTERN = /\blabel\b[^.\n]{0,30}\b(?:only|alone|nothing else)\b|\bonly\b[^.\n]{0,20}\blabel\b/i;
const LABEL_ONLY = 'Answer with the label only.';

/**
 * Returns a rule for the phrases quoted in feedback if it names their label. Long quotations are left out because they may be text of the
 * case.
 */
function ruleFrom(feedback: string, labels: string[]): string | null {
  const phrases = phrasesIn(feedback)
    .filter((phrase) => phrase.split(/\s+/).length <= MAX_PHRASE_WORDS)
    .slice(0, MAX_PHRASES);
  const unquoted = feedback.replace(/["“][^"“”\n]*["”]/g, ' ');
  const label = findParaphrasedLabel(unquoted, labels) ?? labelNamed(unquoted, labels);
  if (label === null || phrases.length === 0) return null;
  return `If it mentions ${phrases.map((phrase) => `"${phrase}"`).join(' or ')}: ${label}`;
}

const CARE = [
  'Read it to the end before you answer.',
  'Take the time you need.',
  'Be careful and precise.',
  'Weigh what the sender wants.',
  'Decide as an expert would.',
  'Think it over once more.',
  'Keep a cool head.',
  'Do not guess.',
  'Look at the whole of it.',
  'Go by what is written there.',
  'Mind every word.',
  'Check yourself at the end.',
];

/** Returns a request for more care: the one after the last rejected one, if the prompt does not contain it yet. */
function care(current: string, rejected: string[], cases: string): string {
  const tried = rejected.map((reason) => CARE.findIndex((line) => reason.includes(line)));
  const last = tried.findLast((at) => at >= 0) ?? hash(current, cases);
  const first = last + 1 + repeats(rejected);
  const inTurn = CARE.map((_line, at) => CARE[(first + at) % CARE.length] ?? '');
  return inTurn.find((line) => !current.includes(line)) ?? `Read it ${rejected.length + 2} times before you answer.`;
}

/** Returns the number of proposals rejected as duplicates. */
function repeats(rejected: string[]): number {
  return rejected.filter((reason) => /\bsame text\b/.test(reason)).length;
}

/** Adds the lines to the last list before the input text, or in a new list before it. All other text is unchanged. */
function withLines(prompt: string, lines: string[]): string {
  const all = prompt.split('\n');
  const items = lines.map((line) => `- ${line}`);
  const variable = all.findIndex((line) => line.includes('{{'));
  const end = variable < 0 ? all.length : variable;
  const last = all.slice(0, end).findLastIndex((line) => /^ {0,3}[-*] /.test(line));
  if (last >= 0) {
    const nextTopLevel = all.slice(last + 1, end).findIndex((line) => !/^\s+\S/.test(line));
    const at = nextTopLevel < 0 ? end : last + 1 + nextTopLevel;
    return [...all.slice(0, at), ...items, ...all.slice(at)].join('\n');
  }
  const before = all.slice(0, end);
  const gap = before.length > 0 && before.at(-1)?.trim() !== '' ? [''] : [];
  return [...before, ...gap, ...items, '', ...all.slice(end)].join('\n');
}

/** Prior knowledge of the practice model about a kind of label. */
type Meaning = {
  /** Labels with this meaning. */
  names: RegExp;
  /** Matches phrases that refer to it without naming the label. */
  pattern: RegExp;
  /** Matches single words as evidence, so it is often wrong. */
  sign: RegExp | null;
};

/** Everything about money is billing, everything broken a bug, and outages are unknown. The first match counts. */
const MEANINGS: Meaning[] = [
  {
    names: /^(?:billing|payments?|invoices?|finance)$/,
    pattern: /\b(?:book-?keep(?:ing|ers?)|finance|accounting)\b/i,
    sign: /\b(?:pay|pays|paid|payments?|payouts?|charged?|charges|refund(?:s|ed)?|invoices?|bills?|billing|fees?|prices?|card|receipts?)\b/i,
  },
  {
    names: /^(?:bugs?|defects?|errors?|technical)$/,
    pattern: /\b(?:defects?|engineers?|developers?)\b/i,
    sign: /\b(?:errors?|fail(?:s|ed|ing)?|broken|breaks?|crash(?:es|ed)?|wrong|can't|cannot|doesn't|don't work|down|times out|timeouts?|stuck|missing|twice)\b/i,
  },
  {
    names: /^(?:accounts?|access|users?|login)$/,
    pattern: /\b(?:access|sign-in|rights of (?:people|users)|who may)\b/i,
    sign: /\b(?:accounts?|passwords?|log in|login|sign in|admins?|users?|owner|colleagues?)\b/i,
  },
  {
    names: /^(?:outages?|incidents?|downtime)$/,
    pattern: /\b(?:on call|on duty|out of service|service is gone)\b/i,
    sign: null,
  },
  {
    names: /^(?:others?|none|misc(?:ellaneous)?|rest)$/,
    pattern: /\b(?:no team|nobody|no answer|nothing to do)\b/i,
    sign: null,
  },
];

/** Returns the label of a text by first impression. */
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

/** Returns the label that a remark paraphrases ("a defect for the engineers"). Returns null if it refers to none or several. */
function findParaphrasedLabel(remark: string, labels: string[]): string | null {
  const meant = MEANINGS.filter((meaning) => meaning.pattern.test(remark)).flatMap(({ names }) =>
    labels.filter((label) => names.test(label)),
  );
  return meant.length === 1 ? (meant[0] ?? null) : null;
}
