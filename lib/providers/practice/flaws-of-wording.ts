import type { Flaw } from './flaw.ts';
import { type TaskTerms, upperFirst } from './task-terms.ts';
import { sentencesOf, tidied, wordCount } from './text-parts.ts';

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
  mend: (text) => tidied(text.replace(VAGUE, (word) => CONCRETE[word.toLowerCase()] ?? '')),
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
  mend: (text) => tidied(text.replace(/\bit might be best to\b/gi, 'it is best to').replace(HEDGES, ' ')),
};

const LONGEST_SENTENCE = 35;

const longSentence: Flaw = {
  id: 'long_sentence',
  scope: 'local',
  find(text) {
    const found = sentencesOf(text).find((sentence) => wordCount(sentence) > LONGEST_SENTENCE);
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
  mend(text) {
    let changed = text;
    for (let round = 0; round < 8; round++) {
      const long = sentencesOf(changed).filter((sentence) => wordCount(sentence) > LONGEST_SENTENCE);
      if (long.length === 0) return changed;
      changed = long.reduce((before, sentence) => before.replace(sentence, () => inTwo(sentence)), changed);
    }
    return changed;
  },
};

/** Cuts a sentence at the joint nearest its middle. */
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
  mend(text) {
    let changed = text;
    for (let round = 0; round < 50; round++) {
      const found = repeatedSentence.find(changed, NO_WORDS);
      if (found === null) return changed;
      const at = changed.lastIndexOf(found);
      changed = tidied(changed.slice(0, at) + changed.slice(at + found.length)).replace(/\n{3,}/g, '\n\n');
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
  mend: (text) => tidied(text.replace(SHOUTED, (run) => run.toLowerCase()).replace(/!{2,}/g, '.')),
};

const CLAIMS =
  /\b(?:obviously|everyone knows(?: that)?|of course|without any doubt|undoubtedly|needless to say)\b,?\s*/gi;

const bareClaim: Flaw = {
  id: 'bare_claim',
  scope: 'local',
  find: (text, task) => firstOf(withoutTopic(text, task), CLAIMS)?.replace(/[,\s]+$/, '') ?? null,
  issue: (found) => `"${found}" claims agreement instead of giving support.`,
  suggestion: 'Drop claims that everybody agrees, or give support for them.',
  advice: 'drop claims that everybody agrees, or give support for them',
  mentions: /\bclaim|\bsupport|\bunsupported|\bobvious/i,
  flawed: ({ topic, plural }) => `Obviously, everyone knows that ${topic} ${plural ? 'are' : 'is'} useful.`,
  good: ({ topic, plural }) => `Used with care, ${topic} ${plural ? 'are' : 'is'} useful.`,
  mend: (text) => tidied(text.replace(CLAIMS, '')),
};

export const FLAWS_OF_WORDING: Flaw[] = [vagueWords, hedging, longSentence, repeatedSentence, shouting, bareClaim];

/** What a task is called by is nobody's flaw: "things to do", "HTTP API URL". */
function withoutTopic(text: string, task: TaskTerms): string {
  return task.name === '' ? text : text.replaceAll(task.topic, '…').replaceAll(task.name, '…');
}

function firstOf(text: string, pattern: RegExp): string | null {
  return text.match(pattern)?.[0] ?? null;
}
