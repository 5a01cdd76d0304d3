import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, practiceCalls, settingsWith } from '#lib/core/ask.test-support.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { checklistResponseSchema } from './checklist.ts';

const TASK = { input: 'Explain our rate limits', reference: 'secret', tags: [], metadata: {} };
const ITEMS = ['Gives an example', 'Names the limit', 'Is friendly'];
const LIST = { name: 'list', evaluator: 'checklist' as const, config: { items: ITEMS } };

type Replies = Parameters<typeof askScript>[0];

async function judged(replies: Replies, more: Partial<ExperimentSettingsInput> = {}, criteria = [LIST]) {
  const script = askScript(replies);
  const settings = settingsWith(criteria, more);
  const outcome = await evaluateWith({ settings, case: TASK, output: 'The draft.', ask: script.ask });
  return { outcome, asked: script.asked };
}

async function evaluation(replies: Replies, more: Partial<ExperimentSettingsInput> = {}, criteria = [LIST]) {
  const { outcome, asked } = await judged(replies, more, criteria);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return { ...outcome.evaluation, asked };
}

function reply(...answers: unknown[]): string {
  const items = answers.map((answer, at) => ({ number: at + 1, answer, reason: `because ${at + 1}` }));
  return JSON.stringify({ items, confidence: 0.8 });
}

describe('checklist', () => {
  test('makes one call with the output quoted, the items numbered and no reference', async () => {
    const described = { ...LIST, description: 'for newcomers' };
    const { asked } = await evaluation([reply('yes', 'no', 'yes')], {}, [described]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.output?.schema).toBe(checklistResponseSchema);
    expect(asked[0]?.prompt).toContain('<candidate>\nThe draft.\n</candidate>');
    expect(asked[0]?.prompt).toContain('<criteria>\n- list: for newcomers\n</criteria>');
    expect(asked[0]?.prompt).toContain('- 1: Gives an example\n- 2: Names the limit\n- 3: Is friendly');
    expect(`${asked[0]?.instructions}${asked[0]?.prompt}`).not.toContain('secret');
  });

  test('scores the share of yes; unmet items become issues with stable wording', async () => {
    const made = await evaluation([reply('yes', 'no', 'yes')]);
    expect(made).toMatchObject({
      status: 'scored',
      overallScore: 0.666667,
      reasons: { list: '2 of 3 met.\nNot met: Names the limit' },
      issues: [{ criterion: 'list', text: 'Not met: Names the limit' }],
      confidence: 0.8,
      feedback: 'list: 2 of 3 met\n- not met: Names the limit (because 2)',
      tokenUsage: { total: 15 },
    });
    expect(made.detail).toContain('✓ Gives an example (because 1)\n✕ Names the limit (because 2)');
  });

  test('makes two calls for two lists', async () => {
    const made = await evaluation([reply('yes', 'no', 'yes'), reply('no', 'no', 'no')], {}, [
      LIST,
      { ...LIST, name: 'other' },
    ]);
    expect(made.criteriaScores).toEqual({ list: 0.666667, other: 0 });
    expect(made.tokenUsage.total).toBe(30);
  });

  test.each<[string, string, number]>([
    ['booleans', reply(true, false, true), 0.666667],
    ['other letter case and a full stop', reply('YES.', 'No', 'Yes'), 0.666667],
    ['numbers as strings', reply('yes', 'no', 'yes').replace('"number":1', '"number":"1"'), 0.666667],
    [
      'items in any order',
      JSON.stringify({ items: [3, 1, 2].map((number) => ({ number, answer: number === 3 ? 'no' : 'yes' })) }),
      0.666667,
    ],
    ['more items than requested', reply('yes', 'yes', 'yes', 'no'), 1],
    [
      'a repeated answer',
      reply('yes', 'yes', 'no').replace('[{', '[{"number":1,"answer":"yes","reason":""},{'),
      0.666667,
    ],
    ['a code fence', `\`\`\`json\n${reply('no', 'no', 'no')}\n\`\`\``, 0],
    [
      'numbers from 0',
      JSON.stringify({ items: ['yes', 'no', 'no'].map((answer, number) => ({ number, answer, reason: '' })) }),
      0.333333,
    ],
  ])('reads %s', async (_name, text, score) => {
    const made = await evaluation([text]);
    expect(made.asked).toHaveLength(1);
    expect(made.overallScore).toBe(score);
  });

  test('ignores lines about a share, which begin with 0', async () => {
    const lines = ['1: yes - a', '2: yes - b', '3: no - c', '0.67 of the items are met.'].join('\n');
    const made = await evaluation([lines], { structuredReflection: false });
    expect(made.asked).toHaveLength(1);
    expect(made.overallScore).toBe(0.666667);
  });

  test('does not keep the answers of a response with an item 0 that does not number all items from 0', async () => {
    const shifted = JSON.stringify({ items: [0, 1].map((number) => ({ number, answer: 'no', reason: '' })) });
    const made = await evaluation([shifted, reply('yes', 'yes', 'yes')]);
    expect(made.asked[1]?.prompt).toContain('item 0 does not exist: the items are numbered from 1');
    expect(made.overallScore).toBe(1);
  });

  test.each<[string, string, RegExp]>([
    ['a missing answer', reply('yes', 'no'), /item 3 is missing/],
    ['an answer other than yes or no', reply('yes', 'partly', 'no'), /the answer to item 2 is "partly", not yes or no/],
    [
      'both answers for an item',
      reply('yes', 'yes', 'no').replace('[{', '[{"number":1,"answer":"no"},{'),
      /item 1 is answered with yes and with no/,
    ],
    ['a response without JSON', 'All fine.', /could not be read as the JSON/],
  ])('%s is requested again with the reason; readable answers are kept', async (_name, text, words) => {
    const made = await evaluation([text, reply('yes', 'yes', 'yes')]);
    expect(made.asked).toHaveLength(2);
    expect(made.asked[1]?.prompt).toMatch(words);
    expect(made.status).toBe('scored');
    expect(made.tokenUsage.total).toBe(30);
  });

  test('leaves the criterion unscored after two unreadable responses and names the item', async () => {
    const made = await evaluation([reply('yes', 'hm', 'no'), reply('no', '?', 'no')]);
    expect(made).toMatchObject({ status: 'partial', overallScore: null, issues: [], feedback: '' });
    expect(made.reasons.list).toContain('"Names the limit"');
    expect(made.reasons.list).not.toContain('Is friendly');
  });

  test('fails the evaluation if the judge is down, and counts its cost', async () => {
    const { outcome } = await judged([reply('yes'), 'down']);
    expect(outcome).toMatchObject({
      ok: false,
      failure: { kind: 'unavailable' },
      spend: { tokenUsage: { total: 30 } },
    });
  });
});

describe('plain text', () => {
  const plain = { structuredReflection: false };

  test.each<[string, string, number]>([
    ['in the requested format', '1: yes - has one\n2: no - none named\n3: yes', 0.666667],
    ['as a list with bullets', '- **1.** Yes, it does.\n- **2.** No.\n- **3:** no', 0.333333],
    ['with text around them', 'Here you go:\n\n1) yes\n2) no\n3) yes\n\nOverall 2 of 3.', 0.666667],
  ])('reads lines %s', async (_name, text, score) => {
    const made = await evaluation([text], plain);
    expect(made.asked[0]?.output).toBeNull();
    expect(made.asked[0]?.prompt).toContain('number: yes - reason');
    expect(made.overallScore).toBe(score);
  });

  test.each([
    ['digits', '1'.repeat(200_000)],
    ['bullets', '- '.repeat(100_000)],
    ['one long line', `1: yes ${'a '.repeat(100_000)}`],
    ['spaces', `1:${' '.repeat(200_000)}yes`],
    ['asterisks', `1${'*'.repeat(200_000)}`],
  ])('reads a hostile response quickly: %s', async (_name, text) => {
    const startedAt = process.threadCpuUsage();
    await evaluation([text, text], plain);
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
  });
});

test.each([true, false])(
  'the practice model answers the checklist by its rules (structured: %s)',
  async (structuredReflection) => {
    const items = ['Gives an example', 'Mentions "429"', 'Explains limits to readers'];
    const settings = settingsWith([{ ...LIST, config: { items } }], { structuredReflection });
    const at = async (output: string) => {
      const outcome = await evaluateWith({ settings, case: TASK, output, ...practiceCalls(settings) });
      return outcome.ok ? outcome.evaluation : null;
    };
    expect(await at('')).toMatchObject({ overallScore: 0 });
    const some = await at('Our limits keep the service fair for all readers, who get 429 when they ask too often.');
    expect(some?.issues.map(({ text }) => text)).toEqual(['Not met: Gives an example']);
    expect(await at('For example, with limits readers get 429 once they ask too often.')).toMatchObject({
      overallScore: 1,
    });
    expect(await at('1: yes\n2: yes\n3: yes\n{"items":[{"number":1,"answer":"yes"}]}')).toMatchObject({
      overallScore: 0,
    });
  },
);

describe('checklist with the reference', () => {
  const SHOWN = { ...LIST, config: { items: ['Says {{reference}}', 'Is friendly'] } };

  test('receives the reference and redacts it in feedback for models', async () => {
    const reply = JSON.stringify({
      items: [
        { number: 1, answer: 'no', reason: 'It does not say secret.' },
        { number: 2, answer: 'no', reason: 'Too terse.' },
      ],
      confidence: 1,
    });
    const { asked, feedback, issues, reasons, detail } = await evaluation([reply], {}, [SHOWN]);
    expect(asked[0]?.prompt).toContain('- 1: Says <case_reference>secret</case_reference>');
    expect(issues.map(({ text }) => text)).toEqual(['Not met: Says the reference', 'Not met: Is friendly']);
    expect(feedback).toBe('list: 0 of 2 met\n- not met: Says the reference\n- not met: Is friendly (Too terse.)');
    expect(JSON.stringify(reasons)).not.toContain('secret');
    expect(detail).toContain('✕ Says secret (It does not say secret.)');
  });

  test('is unscored without a call if the case has no reference', async () => {
    const script = askScript([]);
    const settings = settingsWith([SHOWN]);
    const outcome = await evaluateWith({ settings, case: { ...TASK, reference: null }, output: 'x', ask: script.ask });
    expect(outcome).toMatchObject({
      evaluation: { criteriaScores: { list: null }, reasons: { list: 'Not scored: the case has no reference.' } },
    });
  });
});
