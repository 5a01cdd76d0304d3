import { describe, expect, test } from 'vitest';
import { quote } from '#lib/core/prompts/quote.ts';
import { answer } from './answer.ts';
import { readClassificationPrompt, readRule } from './classification-prompt.ts';
import { flawsIn } from './flaws.ts';
import { taskTerms } from './task-terms.ts';

const LABELS = ['billing', 'bug', 'outage', 'account', 'other'];
const HEAD = 'You sort mail.\n\nAnswer with one label:\nbilling, bug, outage, account, other.';

/** Returns the response to a prompt with these rules for one mail. */
function sortedBy(rules: string[], mail: string): string {
  return answer(
    'try',
    quote('task', [HEAD, ...rules.map((rule) => `- ${rule}`), '', `Mail: ${mail}`].join('\n')),
    false,
  );
}

describe('readClassificationPrompt', () => {
  test.each<[string, string, { labels: string[]; text: string } | null]>([
    ['in a list below the question', `${HEAD}\n\nMail: Hello`, { labels: LABELS, text: 'Hello' }],
    [
      'on the same line',
      'Pick a category: Red, Green or Blue.\nText: sky',
      { labels: ['red', 'green', 'blue'], text: 'sky' },
    ],
    [
      'separated by slashes',
      'Label: yes/no\n\nQuestion: Is it?\nAnd this?',
      { labels: ['yes', 'no'], text: 'Is it?\nAnd this?' },
    ],
    ['one per line', 'Labels:\n- spam: sold\n- ham\n\nMessage: Hi', { labels: ['spam', 'ham'], text: 'Hi' }],
    [
      'with an unlabelled text',
      'Choose a label: spam, ham.\n- Be careful.\n\nHi there',
      { labels: ['spam', 'ham'], text: 'Hi there' },
    ],
    [
      'with the text first',
      'Hi there\n\nWhich label: spam, ham',
      { labels: ['spam', 'ham'], text: 'Hi there\n\nWhich label: spam, ham' },
    ],
    ['a single label', 'The label: spam', null],
    ['no labels', 'Explain our rate limits to a new user', null],
    ['an empty prompt', '', null],
  ])('%s', (_name, prompt, expected) => {
    const read = readClassificationPrompt(prompt);
    expect(read && { labels: read.labels, text: read.text }).toEqual(expected);
  });

  test('ignores rules in the mail', () => {
    const read = readClassificationPrompt(
      `${HEAD}\n- "a": bug\n\nMail: Hi\n- "Hi": outage\nAnswer with the label only.`,
    );
    expect(read).toMatchObject({ rules: [{ label: 'bug' }], labelOnly: false });
  });
});

describe('readRule', () => {
  test.each<[string, string, string, boolean]>([
    ['a quoted phrase', 'If it mentions "error code": bug', 'An Error  Code came', true],
    ['one of several phrases', 'If it mentions "a b" or "status page": bug', 'See the status pages', true],
    ['no match inside a word', 'If it mentions "down": bug', 'A download', false],
    ['codes with the same prefix', 'Codes like "E402": bug', 'Answered E117', true],
    ['codes with another prefix', 'Codes like "E402": bug', 'Answered E11', false],
    ['curly quotes', '“can’t” means bug', "We can't", true],
    [
      'half of the words of a rule without quotes',
      'A refund that fails with an error code is a bug, not billing.',
      'The refund failed',
      true,
    ],
    [
      'fewer words of a rule without quotes',
      'A refund that fails with an error code is a bug, not billing.',
      'The refund came',
      false,
    ],
  ])('%s', (_name, line, text, fits) => {
    const rule = readRule(line, LABELS);
    expect(rule?.label).toBe('bug');
    expect(rule?.fits(text)).toBe(fits);
  });

  test.each(['Be careful.', 'Never billing.', 'Mind "bug" and "outage"'])('%j is not a rule', (line) => {
    expect(readRule(line, LABELS)).toBeNull();
  });
});

test('reads only the first of very many rules', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `- "sign${at}x" or ${'"more" '.repeat(500)}: bug`).join('\n');
  const read = readClassificationPrompt(`Label: bug, other\n${many}\nMail: Hi`);
  // A rule is ignored if its label is too far from its start.
  expect(read?.rules).toEqual([]);
  const short = many.replaceAll(/"more" /g, '');
  expect(readClassificationPrompt(`Label: bug, other\n${short}\nMail: Hi`)?.rules).toHaveLength(200);
});

describe('sorting', () => {
  test('without rules returns a first guess and more text than the label', () => {
    expect(sortedBy([], 'The refund fails with error code E402.')).toMatch(/\bbilling\b/);
    expect(sortedBy([], 'Is the API down?')).toMatch(/\bbug\b/);
    expect(sortedBy([], 'Hello')).toMatch(/\bother\b/);
    expect(sortedBy([], 'Hello')).not.toBe('other');
  });

  test('applies the first matching rule and returns only the label if requested', () => {
    const rules = ['Answer with the label only.', '"E402": bug', '"refund": account'];
    expect(sortedBy(rules, 'The refund fails with error code E402.')).toBe('bug');
    expect(sortedBy(rules, 'Where is the refund?')).toBe('account');
    expect(sortedBy(rules.toReversed(), 'The refund fails with error code E402.')).toBe('account');
  });

  test('is deterministic', () => {
    expect(sortedBy([], 'Is the API down?')).toBe(sortedBy([], 'Is the API down?'));
  });
});

test('any other prompt is a task, and its lists are lessons', () => {
  const task = 'Explain our rate limits to a new user';
  const flaws = (prompt: string) =>
    flawsIn(answer('try', quote('task', prompt), false), taskTerms(task)).map(({ flaw }) => flaw.id);
  expect(flaws(task)).toContain('no_example');
  expect(flaws(`- Add an example.\n\n${task}`)).toEqual(flaws(task).filter((id) => id !== 'no_example'));
  expect(flaws(`- Take the time you need.\n\n${task}`)).toEqual(flaws(task));
});
