import { calculate } from '#lib/calculator/calculate.ts';
import { hash } from './hash.ts';
import { wordCount } from './read-prompt.ts';

/** Task with one right answer, and the practice model's behavior for it. */
type ExactTask = {
  answer: number;
  /** Returns an attempt with the task's typical mistakes, except those mentioned in the lessons. */
  attempt(lessons: string[]): string;
  /** Agent's input for a calculator (`expression`) or, for counting tasks, a sandbox (`code`). The other one is null. */
  expression(lessons: string[]): string | null;
  code: string | null;
  /** Returns an answer from a tool's result. It can still contain a copying error or have the wrong format. */
  attemptFrom(value: number, tool: string, lessons: string[]): string;
  judge(candidate: string): { score: number; reason: string; issues: string[]; suggestions: string[] };
  /** Returns one sentence about the mistake in a failed attempt. */
  lesson(attempt: string, earlierLessons: string): string;
};

type Mistake = 'form' | 'precedence' | 'slip';
type Question = {
  working: string;
  answer: number;
  reversed: number;
  slipped: number;
  expression: string | null;
  code: string | null;
};

const MISTAKES: Record<Mistake, { issue: string; advice: (form: string) => string; mentions: RegExp }> = {
  form: {
    issue: 'The answer is not in the form the task asks for.',
    advice: (form) => `end with the answer in the form the task asks for, ${form}, with nothing after it`,
    mentions: /\bform\b|\bformat\b/i,
  },
  precedence: {
    issue: 'It adds before it multiplies.',
    advice: () => 'multiply and divide before adding and subtracting',
    mentions: /\bmultipl|\bprecedence\b|\border of operations/i,
  },
  slip: {
    issue: 'The result is wrong: a slip in the working.',
    advice: () => 'work it out a second time, piece by piece, and compare the two results',
    mentions: /\bsecond time\b|\bpiece by piece\b|\bslip\b|\bcheck the (?:result|working)/i,
  },
};

/** Parses sums ("What is 17 × 23 + 4?"), word counts and letter counts. Returns null for every other task. */
export function exactTask(task: string): ExactTask | null {
  const question = wordQuestion(task) ?? letterQuestion(task) ?? sumQuestion(task);
  if (question === null) return null;
  const wrapper = /\b(\p{L}{1,30})\[[^\]\n]{0,60}\]/u.exec(task)?.[1] ?? null;
  const formed = (value: number) =>
    wrapper === null ? `The answer is ${shown(value)}.` : `${wrapper}[${shown(value)}]`;
  const example = wrapper === null ? 'the number alone' : `${wrapper}[number]`;
  const usual = mistakesOf(task, question, wrapper !== null);

  return {
    answer: question.answer,
    attempt(lessons) {
      const made = usual.filter((one) => one.stays || !isCured(one.mistake, lessons)).map(({ mistake }) => mistake);
      const value = made.includes('precedence')
        ? question.reversed
        : made.includes('slip')
          ? question.slipped
          : question.answer;
      return written(`${question.working} ${shown(value)}.`, value, made);
    },
    expression(lessons) {
      if (question.expression === null) return null;
      const isReversed = usual.some(({ mistake }) => mistake === 'precedence' && !isCured(mistake, lessons));
      return isReversed ? sumsFirst(question.expression) : question.expression;
    },
    code: question.code,
    attemptFrom(value, tool, lessons) {
      const made = usual.map(({ mistake }) => mistake).filter((mistake) => !isCured(mistake, lessons));
      const slips = made.includes('slip') && !made.includes('precedence');
      const copied = slips ? value + question.slipped - question.answer : value;
      return written(`The ${tool} comes to ${shown(copied)}.`, copied, made);
    },
    judge(candidate) {
      const mistakes = mistakesIn(candidate);
      if (mistakes.length === 0)
        return { score: 0.97, reason: 'The answer is right and in the form asked for.', issues: [], suggestions: [] };
      const issues = mistakes.map((mistake) => MISTAKES[mistake].issue);
      const suggestions = mistakes.map((mistake) => `Next, ${MISTAKES[mistake].advice(example)}.`);
      return {
        score: mistakes.includes('form') && mistakes.length === 1 ? 0.45 : 0.15,
        reason: issues.join(' '),
        issues,
        suggestions,
      };
    },
    lesson(attempt, earlierLessons) {
      const mistakes = mistakesIn(attempt);
      const fresh = mistakes.find((mistake) => !MISTAKES[mistake].mentions.test(earlierLessons)) ?? mistakes[0];
      if (fresh === undefined)
        return 'Next time, read the question once more: the result was worked out right, but it is not what was asked.';
      return `Next time, ${MISTAKES[fresh].advice(example)}.`;
    },
  };

  function written(working: string, value: number, made: Mistake[]): string {
    return made.includes('form')
      ? `${working} So it comes to ${shown(value)}, I would say.`
      : `${working}\n${formed(value)}`;
  }

  function mistakesIn(text: string): Mistake[] {
    const inForm =
      wrapper === null ? null : [...text.matchAll(new RegExp(`${wrapper}\\[([^\\]]{0,200})\\]`, 'gu'))].at(-1)?.[1];
    const value = numberIn(inForm ?? text);
    const missesForm = wrapper !== null && inForm === undefined;
    if (value === question?.answer) return missesForm ? ['form'] : [];
    const wrong: Mistake = question !== null && value === question.reversed ? 'precedence' : 'slip';
    return missesForm ? ['form', wrong] : [wrong];
  }
}

function isCured(mistake: Mistake, lessons: string[]): boolean {
  return lessons.some((text) => MISTAKES[mistake].mentions.test(text));
}

/**
 * Returns the mistakes of a task's first attempt, always the same. Of ten tasks, about four have none, three have one, two have two or
 * three, and one keeps a slip regardless of lessons.
 */
function mistakesOf(task: string, question: Question, hasForm: boolean): { mistake: Mistake; stays: boolean }[] {
  const luck = hash(task, 'how hard') % 10;
  const value: Mistake = question.reversed === question.answer ? 'slip' : 'precedence';
  if (luck < 4) return [];
  if (luck < 7) return [{ mistake: hasForm && luck % 2 === 0 ? 'form' : value, stays: false }];
  if (luck === 9) return [{ mistake: 'slip', stays: true }];
  const mistakes: Mistake[] = [
    ...(hasForm ? (['form'] as const) : []),
    value,
    ...(luck === 8 ? (['slip'] as const) : []),
  ];
  return [...new Set(mistakes)].map((mistake) => ({ mistake, stays: false }));
}

function sumQuestion(task: string): Question | null {
  const expression = expressionIn(task);
  if (expression === null) return null;
  const answer = sumOf(expression);
  const reversed = reversedSumOf(expression);
  const working = `Working it out: ${expression.replaceAll('*', '×').replaceAll('/', '÷')} =`;
  return {
    ...{ working, answer, expression, code: null, slipped: answer + 10 },
    reversed: Number.isFinite(reversed) ? reversed : answer,
  };
}

function wordQuestion(task: string): Question | null {
  const quoted = /\bhow many words\b|\bcount the words\b|\bnumber of words\b/i.test(task) ? quotedIn(task) : null;
  if (quoted === null) return null;
  const answer = wordCount(quoted);
  const code = `(${JSON.stringify(quoted)}.match(/[\\p{L}\\p{N}][\\p{L}\\p{N}'’-]*/gu) ?? []).length`;
  return {
    ...{ working: `Counting the words of "${quoted}":`, answer, reversed: answer, slipped: answer + 1 },
    ...{ expression: null, code },
  };
}

function letterQuestion(task: string): Question | null {
  const match =
    /\b(?:letters?|times)\b.{0,20}?["“']?\b(\p{L})\b["”']?.{0,30}?\bin\b.{0,20}?["“']?(\p{L}{3,})["”']?/iu.exec(task);
  const [, letter, word] = match ?? [];
  if (!/\bhow (?:many|often)\b/i.test(task) || letter === undefined || word === undefined) return null;
  const answer = word.toLowerCase().split(letter.toLowerCase()).length - 1;
  return {
    working: `Going through "${word}" letter by letter, "${letter}" comes up:`,
    answer,
    reversed: answer,
    slipped: answer - 1,
    expression: null,
    code: `${JSON.stringify(word.toLowerCase())}.split(${JSON.stringify(letter.toLowerCase())}).length - 1`,
  };
}

function quotedIn(task: string): string | null {
  return /["“«]([^"”»]+)["”»]/.exec(task)?.[1] ?? null;
}

function numberIn(text: string): number | null {
  const last = text.match(/-?\d[\d,]*(?:\.\d+)?/g)?.at(-1);
  return last === undefined ? null : Number(last.replaceAll(',', ''));
}

/** Formats a number with at most six decimals and no trailing zeros. */
function shown(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}

const EXPRESSION =
  /\({0,5}\s?-?\d[\d,]{0,15}(?:\.\d{1,9})?\s{0,2}\){0,5}(?:\s{0,2}[+\-−–×xX*·/÷:]\s{0,2}\({0,5}\s?\d[\d,]{0,15}(?:\.\d{1,9})?\s{0,2}\){0,5})+/g;

/** Returns the longest sum in a text with plain operators, such as `17 * 23 + 4`, or null. */
function expressionIn(text: string): string | null {
  const found = (text.match(EXPRESSION) ?? []).toSorted((one, other) => other.length - one.length)[0];
  if (found === undefined) return null;
  const plain = found
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/[×xX·]/g, '*')
    .replace(/[÷:]/g, '/')
    .replace(/[−–]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
  return Number.isFinite(sumOf(plain)) ? plain : null;
}

/** Returns the value of a sum with the decimals that answers show, or NaN if it has none. */
function sumOf(expression: string): number {
  const calculated = calculate(expression);
  return calculated.ok ? Number(shown(Number(calculated.text))) : Number.NaN;
}

/** Returns the value of a sum with the common mistake of adding and subtracting first, or NaN. */
function reversedSumOf(expression: string): number {
  const nested = expression.replaceAll('(', '((').replaceAll(')', '))');
  return sumOf(`(${nested.replace(/[*/]/g, ')$&(')})`);
}

/** Adds parentheses around additions and subtractions, so that they come first. A sum with parentheses is returned unchanged. */
function sumsFirst(expression: string): string {
  if (expression.includes('(')) return expression;
  return expression
    .split(/ ?([*/]) ?/)
    .map((part, at) => (at % 2 === 0 && /\d ?[+-]/.test(part) ? `(${part})` : part))
    .join(' ');
}
