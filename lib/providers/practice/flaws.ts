import { hash, shuffled } from './hash.ts';
import { paragraphsOf, sentencesOf, tidyText, withParagraph, withSentence, wordCount } from './read-prompt.ts';
import { type TaskTerms, upperFirst } from './task-terms.ts';

/** Detectable weakness of a text that can be fixed in place. */
export type Flaw = {
  id: string;
  /** Type of fix: a change in place, or an addition. */
  scope: 'local' | 'missing';
  /**
   * Returns the evidence for the issue's text, or null if the text is free of the flaw. An empty text means found, without evidence to
   * show.
   */
  find(text: string, task: TaskTerms): string | null;
  /** Returns the description of the problem for the evidence found. */
  issue(found: string): string;
  suggestion: string;
  /** Advice of a lesson, after "Next time, ". */
  advice: string;
  /** Matches remarks that mention the flaw. */
  mentions: RegExp;
  /** `flawed` returns the sentence or paragraph of a flawed draft ('' = missing), `good` the correct one. */
  flawed(task: TaskTerms): string;
  good(task: TaskTerms): string;
  /** Fixes a text with as few changes as possible. */
  fix(text: string, task: TaskTerms): string;
};

const VAGUE = /\b(various things|a lot of stuff|stuff|things|various|somehow|a lot of|and so on|etc\.)/gi;
const CONCRETE: Record<string, string> = {
  'various things': 'three points',
  'a lot of stuff': 'many details',
  stuff: 'details',
  things: 'points',
  various: 'several',
  somehow: '',
  'a lot of': 'many',
  'and so on': '',
  'etc.': '',
};

const vagueWords: Flaw = {
  id: 'vague_words',
  scope: 'local',
  find: (text, task) => firstOf(withoutTopic(text, task), VAGUE),
  issue: (found) => `Vague words such as "${found}" leave unclear what is meant.`,
  suggestion: 'Replace vague words by what is really meant.',
  advice: 'replace vague words by what is really meant',
  mentions: /\bvague|\bconcrete|\bspecific|\bprecise/i,
  flawed: ({ name }) => `There are various things to keep in mind about ${name}, and a lot of stuff to learn.`,
  good: ({ name }) => `Three points matter about ${name}: the purpose, the rules, and the usual mistakes.`,
  fix: (text) => tidyText(text.replace(VAGUE, (word) => CONCRETE[word.toLowerCase()] ?? '')),
};

const HEDGES =
  /,?\s{0,3}\b(?:I think|I guess|I suppose|it seems that|it seems|sort of|kind of|perhaps|maybe|possibly|probably)\b,?\s*/gi;

const hedging: Flaw = {
  id: 'hedging',
  scope: 'local',
  find: (text, task) =>
    firstOf(withoutTopic(text, task), HEDGES)
      ?.replace(/[,\s]+/g, ' ')
      .trim() ?? null,
  issue: (found) => `Hedging ("${found}") makes the text sound unsure.`,
  suggestion: 'Drop the hedging and state it plainly.',
  advice: 'drop the hedging and state it plainly',
  mentions: /\bhedg|\bunsure|\bplainly|\bconfident/i,
  flawed: () => 'Perhaps it might be best to begin with the basics, I think.',
  good: () => 'Begin with the basics.',
  fix: (text) => tidyText(text.replace(/\bit might be best to\b/gi, 'it is best to').replace(HEDGES, ' ')),
};

const MAX_SENTENCE_WORDS = 35;

const longSentence: Flaw = {
  id: 'long_sentence',
  scope: 'local',
  find(text) {
    const found = sentencesOf(text).find((sentence) => wordCount(sentence) > MAX_SENTENCE_WORDS);
    return found === undefined ? null : `${found.split(/\s+/).slice(0, 5).join(' ')} …`;
  },
  issue: (found) => `The sentence "${found}" is over-long and hard to follow.`,
  suggestion: 'Split the over-long sentence in two.',
  advice: 'split any over-long sentence in two',
  mentions: /\blong sentence|over-?long|\bsplit|sentence.{0,30}(?:long|hard to follow)|shorter sentence/i,
  flawed: ({ topic }) =>
    `The main idea behind ${topic} is a set of rules that was agreed on long ago and stays the same from day to day and lets everyone ` +
    'who works with it plan ahead, compare notes with others, and avoid surprises that would otherwise cost a good deal of time and patience.',
  good: ({ topic }) =>
    `The main idea behind ${topic} is a set of rules that stays the same from day to day. ` +
    'Everyone who works with it can plan ahead and avoid surprises.',
  fix(text) {
    let changed = text;
    for (let round = 0; round < 8; round++) {
      const long = sentencesOf(changed).filter((sentence) => wordCount(sentence) > MAX_SENTENCE_WORDS);
      if (long.length === 0) return changed;
      changed = long.reduce((before, sentence) => before.replace(sentence, () => inTwo(sentence)), changed);
    }
    return changed;
  },
};

/** Splits a sentence at the joint nearest its middle. */
function inTwo(sentence: string): string {
  const joints = [...sentence.matchAll(/,? (?:and|but|which|so that|so|while)\s|[;,]\s/g)];
  const middle = sentence.length / 2;
  const joint = joints.toSorted((one, other) => Math.abs(one.index - middle) - Math.abs(other.index - middle))[0];
  if (joint === undefined) {
    const words = sentence.split(' ');
    const half = Math.ceil(words.length / 2);
    return `${words.slice(0, half).join(' ')}. ${upperFirst(words.slice(half).join(' '))}`;
  }
  const rest = sentence.slice(joint.index + joint[0].length);
  const subject = /^,? (?:and|but|which|so|while)/.test(joint[0]) && /^\p{Ll}+s?\s/u.test(rest) ? 'It ' : '';
  const verb = /^(?:stays|lets|is|has|was|can|will|means|gives|makes|keeps|helps|shows)\b/.test(rest);
  return `${sentence.slice(0, joint.index)}. ${verb ? subject + rest : upperFirst(rest)}`;
}

const repeatedSentence: Flaw = {
  id: 'repeated_sentence',
  scope: 'local',
  find(text) {
    const seen = new Set<string>();
    for (const sentence of sentencesOf(text)) {
      const plain = sentence
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
      if (seen.has(plain) && wordCount(sentence) >= 3) return sentence;
      seen.add(plain);
    }
    return null;
  },
  issue: (found) => `The sentence "${found}" is repeated.`,
  suggestion: 'Say it once: remove the repeated sentence.',
  advice: 'say everything once, without a repeated sentence',
  mentions: /\brepeat|\brepetiti|\bredundan|\btwice\b|\bonce\b/i,
  flawed: () => 'It pays to know this well. With that said, it helps to look closer. It pays to know this well.',
  good: () => 'It pays to know this well.',
  fix(text) {
    let changed = text;
    for (let round = 0; round < 50; round++) {
      const found = repeatedSentence.find(changed, NO_WORDS);
      if (found === null) return changed;
      const at = changed.lastIndexOf(found);
      changed = tidyText(changed.slice(0, at) + changed.slice(at + found.length)).replace(/\n{3,}/g, '\n\n');
    }
    return changed;
  },
};

const NO_WORDS = { topic: '', name: '', audience: '', plural: false };
const SHOUTED = /\b\p{Lu}[\p{Lu}']+(?:[\s,]+\p{Lu}[\p{Lu}']*){2,}(?![\p{Ll}])/gu;

const shouting: Flaw = {
  id: 'shouting',
  scope: 'local',
  find: (text, task) => firstOf(withoutTopic(text, task), SHOUTED) ?? firstOf(text, /\S{1,40}!{2,}/g),
  issue: (found) => `The tone shouts ("${found.slice(0, 40)}").`,
  suggestion: 'Write calmly: no capitals for whole words, one mark at the end.',
  advice: 'write calmly, without capitals for whole sentences or rows of exclamation marks',
  mentions: /\bshout|\bcalm|\bcapitals\b|exclamation/i,
  flawed: () => 'DO NOT SKIP THIS PART!!',
  good: () => 'This part is worth the time.',
  fix: (text) => tidyText(text.replace(SHOUTED, (run) => run.toLowerCase()).replace(/!{2,}/g, '.')),
};

const CLAIMS =
  /\b(?:obviously|everyone knows(?: that)?|of course|without any doubt|undoubtedly|needless to say)\b,?\s*/gi;

const bareClaim: Flaw = {
  id: 'bare_claim',
  scope: 'local',
  find: (text, task) => firstOf(withoutTopic(text, task), CLAIMS)?.replace(/(?<![,\s])[,\s]+$/, '') ?? null,
  issue: (found) => `"${found}" claims agreement instead of giving support.`,
  suggestion: 'Drop claims that everybody agrees, or give support for them.',
  advice: 'drop claims that everybody agrees, or give support for them',
  mentions: /\bclaim|\bsupport|\bunsupported|\bobvious/i,
  flawed: ({ topic, plural }) => `Obviously, everyone knows that ${topic} ${plural ? 'are' : 'is'} useful.`,
  good: ({ topic, plural }) => `Used with care, ${topic} ${plural ? 'are' : 'is'} useful.`,
  fix: (text) => tidyText(text.replace(CLAIMS, '')),
};

const FLAWS_OF_WORDING: Flaw[] = [vagueWords, hedging, longSentence, repeatedSentence, shouting, bareClaim];

/** The words of the task's own name are not a flaw: "things to do", "HTTP API URL". */
function withoutTopic(text: string, task: TaskTerms): string {
  return task.name === '' ? text : text.replaceAll(task.topic, '…').replaceAll(task.name, '…');
}

function firstOf(text: string, pattern: RegExp): string | null {
  return text.match(pattern)?.[0] ?? null;
}

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
  fix(text, task) {
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
  fix(text, task) {
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
  fix: (text, task) => withSentence(text, noReason.good(task), 1),
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
  fix: (text, task) => withParagraph(text, missingSteps.good(task), either(EXAMPLE, CAVEAT, SUMMARY)),
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
  fix: (text, task) => withParagraph(text, noExample.good(task), either(CAVEAT, SUMMARY)),
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
  fix: (text, task) => withParagraph(text, noCaveat.good(task), SUMMARY),
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
  fix: (text, task) => withParagraph(text, noSummary.good(task), null),
};

const FLAWS_OF_CONTENT: Flaw[] = [noOpening, ignoresReader, noReason, missingSteps, noExample, noCaveat, noSummary];

/** Returns true if a sentence uses a word of the topic (singular and plural match). */
function namesTopic(sentence: string, task: TaskTerms): boolean {
  const sentenceWords = (sentence.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map(singular);
  const words = (task.topic.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !COMMON.test(word));
  return words.length === 0 ? sentence.trim() !== '' : words.some((word) => sentenceWords.includes(singular(word)));
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

export const FLAWS: Flaw[] = [...FLAWS_OF_WORDING, ...FLAWS_OF_CONTENT];

type FoundFlaw = { flaw: Flaw; found: string };

/** Returns the flaws of any text. */
export function flawsIn(text: string, task: TaskTerms): FoundFlaw[] {
  return FLAWS.flatMap((flaw) => {
    const found = flaw.find(text, task);
    return found === null ? [] : [{ flaw, found }];
  });
}

/** Returns the flaws that a remark, issue or lesson mentions. Quotations from a text do not count. */
export function mentionedFlaws(remark: string): Flaw[] {
  const own = remark.replace(/"[^"\n]*"/g, '""');
  return FLAWS.filter((flaw) => flaw.mentions.test(own));
}

/** Flaws relevant to each criterion of the offered criteria sets. */
const CONCERNS: Record<string, string[]> = {
  clarity: ['vague_words', 'long_sentence', 'hedging'],
  coherence: ['repeated_sentence', 'no_opening', 'no_reason'],
  completeness: ['missing_steps', 'no_example', 'no_caveat', 'no_summary'],
  tone: ['shouting', 'ignores_reader', 'bare_claim', 'hedging'],
  accuracy: ['bare_claim', 'vague_words', 'hedging'],
  depth: ['no_reason', 'no_example', 'no_caveat'],
  relevance: ['no_opening', 'repeated_sentence', 'ignores_reader'],
  objectivity: ['bare_claim', 'shouting', 'no_reason'],
  logical_validity: ['no_reason', 'bare_claim', 'missing_steps'],
  correctness: ['missing_steps', 'bare_claim', 'vague_words'],
  efficiency: ['repeated_sentence', 'long_sentence', 'no_summary'],
  readability: ['long_sentence', 'vague_words', 'no_opening'],
  edge_cases: ['no_caveat', 'no_example', 'no_reason'],
};

/** Returns the flaws that lower a criterion: by its name if known, else those its description mentions, else four derived from its name. */
export function flawsConcerning(name: string, description: string): Flaw[] {
  const known =
    CONCERNS[
      name
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_')
    ];
  if (known !== undefined) return FLAWS.filter((flaw) => known.includes(flaw.id));
  const mentioned = mentionedFlaws(`${name} ${description}`);
  return mentioned.length > 0 ? mentioned : shuffled(FLAWS, `${hash(name)}`).slice(0, 4);
}
