import type { Flaw } from './flaw.ts';
import type { TaskTerms } from './task-terms.ts';
import { paragraphsOf, sentencesOf, withParagraph, withSentence } from './text-parts.ts';

const SUMMARY = /\b(?:in short|in summary|to sum up|in brief|summary|summing up|in conclusion|all in all)\b/i;
const EXAMPLE = /\b(?:for example|for instance|e\.g\.|example:|such as when)/i;
const CAVEAT =
  /\b(?:if|when|in case)\b[^.!?\n]{0,80}\b(?:wrong|fails?|failure|errors?|problems?|stuck|breaks?|exceed\w*|refused|missing|empty)\b/i;
const IN_ORDER = /\bfirst\b[\s\S]{1,400}?\b(?:then|next|second)\b/i;
const REASON = /\b(?:because|therefore|the reason|which is why)\b/i;
const READER = /\b(?:you|your|yours|yourself)\b/i;

const noOpening: Flaw = {
  id: 'no_opening',
  scope: 'local',
  find: (text, task) => (namesTopic(sentencesOf(text)[0] ?? '', task) ? null : ''),
  issue: () => 'The opening does not say what the text is about.',
  suggestion: 'Open with a sentence that names the subject.',
  advice: 'open with a sentence that names the subject',
  mentions: /\bopen(?:s|ing)?\b|\bfirst sentence|\bintroduc/i,
  flawed: () => 'There is something to be said here.',
  good: ({ topic, audience }) => `Here is what ${audience} should know about ${topic}.`,
  mend(text, task) {
    const first = sentencesOf(text)[0];
    const good = noOpening.good(task);
    return first === noOpening.flawed(task) ? text.replace(first, () => good) : `${good} ${text.trimStart()}`;
  },
};

const ignoresReader: Flaw = {
  id: 'ignores_reader',
  scope: 'local',
  find: (text) => (READER.test(text) ? null : ''),
  issue: () => 'The text never addresses the reader.',
  suggestion: 'Address the reader as "you".',
  advice: 'address the reader as "you"',
  mentions: /\baddress|\breader\b|\bsecond person/i,
  flawed: ({ topic, plural }) =>
    `People run into ${topic} early on, and understanding ${plural ? 'them' : 'it'} saves people time.`,
  good: ({ topic, plural }) =>
    `You will run into ${topic} early on, and understanding ${plural ? 'them' : 'it'} saves you time.`,
  mend(text, task) {
    const flawed = ignoresReader.flawed(task);
    if (text.includes(flawed)) return text.replace(flawed, () => ignoresReader.good(task));
    return withSentence(text, `You will meet ${task.topic} soon enough.`, 0);
  },
};

const noReason: Flaw = {
  id: 'no_reason',
  scope: 'missing',
  find: (text) => (REASON.test(text) ? null : ''),
  issue: () => 'It gives no reason why any of this matters.',
  suggestion: 'Give the reason: say why it matters.',
  advice: 'give the reason why it matters',
  mentions: /\breasons?\b|\bwhy\b|\bjustif/i,
  flawed: () => '',
  good: ({ name }) => `This matters because small misunderstandings about ${name} grow costly later.`,
  mend: (text, task) => withSentence(text, noReason.good(task), 1),
};

const missingSteps: Flaw = {
  id: 'missing_steps',
  scope: 'missing',
  find: (text) => (hasSteps(text) ? null : ''),
  issue: () => 'The steps to take are missing.',
  suggestion: 'List the steps in order, numbered.',
  advice: 'list the steps in order, numbered',
  mentions: /\bsteps?\b|\bnumbered|\bin order\b/i,
  flawed: () => '',
  good: ({ topic, plural }) =>
    [
      'Take it in this order:',
      '',
      `1. Read what is written about ${topic}.`,
      `2. Try ${plural ? 'them' : 'it'} on one small case.`,
      '3. Compare the result with what was expected, and ask about any difference.',
    ].join('\n'),
  mend: (text, task) => withParagraph(text, missingSteps.good(task), either(EXAMPLE, CAVEAT, SUMMARY)),
};

const noExample: Flaw = {
  id: 'no_example',
  scope: 'missing',
  find: (text) => (EXAMPLE.test(text) ? null : ''),
  issue: () => 'There is no example.',
  suggestion: 'Add an example.',
  advice: 'add an example',
  mentions: /\bexamples?\b|\billustrat/i,
  flawed: () => '',
  good: ({ name }) =>
    `For example, a first try with ${name} can be one small case: do it, look at the result, and note what was surprising.`,
  mend: (text, task) => withParagraph(text, noExample.good(task), either(CAVEAT, SUMMARY)),
};

const noCaveat: Flaw = {
  id: 'no_caveat',
  scope: 'missing',
  find: (text) => (CAVEAT.test(text) ? null : ''),
  issue: () => 'It does not say what to do when something goes wrong.',
  suggestion: 'Say what to do when something goes wrong.',
  advice: 'say what to do when something goes wrong',
  mentions: /\bgoes wrong|\bgo wrong|\bedge case|\berror case|\bcaveat|\bfailure case/i,
  flawed: () => '',
  good: ({ name }) =>
    `If something goes wrong with ${name}, read the message first, and go back to the last step that worked.`,
  mend: (text, task) => withParagraph(text, noCaveat.good(task), SUMMARY),
};

const noSummary: Flaw = {
  id: 'no_summary',
  scope: 'missing',
  find: (text) =>
    paragraphsOf(text)
      .slice(-2)
      .some((paragraph) => SUMMARY.test(paragraph))
      ? null
      : '',
  issue: () => 'It ends without a summary.',
  suggestion: 'End with a one-line summary.',
  advice: 'end with a one-line summary',
  mentions: /\bsummar|\bconclu|\bwrap(?:s|ping)? up/i,
  flawed: () => '',
  good: ({ topic }) => `In short: get to know ${topic}, start with one small case, and ask early.`,
  mend: (text, task) => withParagraph(text, noSummary.good(task), null),
};

export const FLAWS_OF_CONTENT: Flaw[] = [
  noOpening,
  ignoresReader,
  noReason,
  missingSteps,
  noExample,
  noCaveat,
  noSummary,
];

/** Whether a sentence uses one of the topic's own words (a plural for a singular counts). */
function namesTopic(sentence: string, task: TaskTerms): boolean {
  const said = (sentence.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map(singular);
  const words = (task.topic.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !COMMON.test(word));
  return words.length === 0 ? sentence.trim() !== '' : words.some((word) => said.includes(singular(word)));
}

function singular(word: string): string {
  return word.replace(/s$/, '');
}

const COMMON = /^(?:the|and|for|our|with|that|this|from|are|was|how|why|what|who|does|did|can|you|your|use|using)$/;

function hasSteps(text: string): boolean {
  const numbered = text.split('\n').filter((line) => /^\d+[.)]\s/.test(line.trimStart()));
  return numbered.length >= 2 || IN_ORDER.test(text);
}

function either(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map((pattern) => pattern.source).join('|'), 'i');
}
