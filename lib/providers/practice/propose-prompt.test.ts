import { describe, expect, test } from 'vitest';
import { quote } from '#lib/core/prompts/quote.ts';
import { answer } from './answer.ts';
import { bullets } from './loop.test-support.ts';

const PROMPT = 'Sort the mail.\n\nAnswer with one label:\nbilling, bug, outage.\n\nMail: {{input}}';

type Tried = { input: string; output: string; score: number | null; feedback?: string };
type Asked = { current?: string; tried?: Tried[]; guidance?: string[]; rejected?: string[] };

const FAILED: Tried = {
  input: 'The refund fails with error code E402, and nobody of ours knows why it does so today.',
  output: 'billing',
  score: 0,
  feedback: 'label: Not billing. An "error code" such as "E402" is a defect for the engineers.',
};

function propose({ current = PROMPT, tried = [FAILED], guidance = [], rejected = [] }: Asked = {}) {
  const sections = [
    quote('current_prompt', current),
    quote('tried_cases', tried.map((one) => JSON.stringify(one)).join('\n')),
  ];
  if (rejected.length > 0) sections.push(quote('rejected_proposals', bullets(rejected)));
  if (guidance.length > 0) sections.push(quote('guidance', bullets(guidance)));
  const response = answer('reflect', sections.join('\n\n'), false);
  const [diagnosis = '', prompt = '', rest] = response.split(/^~~~~$/m);
  expect(rest).toBe('');
  return { diagnosis, prompt: prompt.trim() };
}

/** Returns the lines that a proposal adds and checks that the rest of the prompt is unchanged. */
function added(asked: Asked = {}): string[] {
  const before = (asked.current ?? PROMPT).split('\n');
  const lines = propose(asked).prompt.split('\n');
  const isFilled = (line: string) => line !== '';
  expect(lines.filter((line) => before.includes(line)).filter(isFilled)).toEqual(before.filter(isFilled));
  return lines.filter((line) => line !== '' && !before.includes(line));
}

const TOLD = ['An earlier one was no better.'];
const RULE = '- If it mentions "error code" or "E402": bug';

describe('a proposal', () => {
  test.each<[string, Asked, string[]]>([
    ['turns feedback into a rule', { rejected: TOLD }, [RULE]],
    [
      'adds the output format and one rule at a time',
      {
        rejected: TOLD,
        tried: [
          { ...FAILED, feedback: `${FAILED.feedback} Answer with the label alone.` },
          { ...FAILED, feedback: '"down" tells that the service is gone: for who is on duty.' },
        ],
      },
      ['- Answer with the label only.', RULE],
    ],
    [
      'omits rules that the prompt already contains',
      {
        rejected: TOLD,
        current: PROMPT.replace('\n\nMail', `\n${RULE}\n\nMail`),
        tried: [FAILED, { ...FAILED, feedback: '"down" is for who is on duty.' }],
      },
      ['- If it mentions "down": outage'],
    ],
    [
      'follows reviewer guidance',
      { guidance: ['Mail about "fees" is billing.'], tried: [] },
      ['- Mail about "fees" is billing.'],
    ],
    [
      'copies no long quotation',
      {
        rejected: TOLD,
        tried: [{ ...FAILED, feedback: '"The refund fails with error code E402" or "E402": a defect.' }],
      },
      ['- If it mentions "E402": bug'],
    ],
    [
      'adds advice to prompts that are not classification prompts',
      { rejected: TOLD, current: 'Explain {{input}}.', tried: [{ ...FAILED, feedback: 'There is no example.' }] },
      ['- Add an example.'],
    ],
  ])('%s', (_name, asked, lines) => {
    expect(added(asked)).toEqual(lines);
    expect(propose(asked).diagnosis).toContain(lines.at(-1));
  });

  test.each<[string, Tried[]]>([
    ['no feedback', [{ input: 'x', output: 'billing', score: 0 }]],
    ['only positive feedback', [{ ...FAILED, score: 1 }]],
    ['feedback without a specific issue', [{ ...FAILED, feedback: 'Wrong: "refund".' }]],
    ['no cases', []],
  ])('with %s it only requests more care, in different words each time', (_name, tried) => {
    const seen: string[] = [];
    for (let turn = 0; turn < 10; turn++) {
      // A reflection prompt contains the last five rejections.
      const [line = '', ...more] = added({ tried, rejected: seen.slice(-5).map((before) => `No better: ${before}`) });
      expect(more).toEqual([]);
      expect(line).not.toMatch(/label|"|refund/);
      expect(seen).not.toContain(line);
      seen.push(line);
    }
  });

  test('is sometimes no better, but not again after a rejection', () => {
    const cases = Array.from({ length: 40 }, (_, at) => ({ ...FAILED, input: `Mail ${at}` }));
    const better = (rejected: string[]) =>
      cases.filter((tried) => added({ tried: [tried], rejected }).includes(RULE)).length;
    expect(better([])).toBeGreaterThan(20);
    expect(better([])).toBeLessThan(40);
    expect(better(TOLD)).toBe(40);
  });

  test('rephrases a rule that is already in the prompt', () => {
    const [rule, care, ...more] = added({ rejected: ['Version 2 has the same text.'] });
    expect(rule).toBe(RULE);
    expect(care).toMatch(/^- \w/);
    expect(more).toEqual([]);
  });

  test('keeps a variable of the first line after the added lines', () => {
    expect(propose({ current: 'Explain {{input}}.', guidance: ['Be brief.'] }).prompt).toBe(
      '- Be brief.\n\nExplain {{input}}.',
    );
  });
});

test('a combined prompt contains every line added by one of the prompts', () => {
  const improved = ['One.', 'Two.'].map((line) => PROMPT.replace('Sort the mail.', `Sort the mail.\n- ${line}`));
  const sections = [
    quote('current_prompt', PROMPT),
    quote('accepted_prompts', improved.map((prompt) => JSON.stringify({ prompt })).join('\n')),
  ];
  const [, prompt = ''] = answer('reflect', sections.join('\n\n'), false).split(/^~~~~$/m);
  expect(prompt).toContain('- One.\n- Two.');
  expect(prompt).toContain('Mail: {{input}}');
});

test('diagnoses groups of cases and proposes rules from the diagnoses', () => {
  const request = [
    'The prompt:',
    quote('current_prompt', PROMPT),
    quote('tried_cases', JSON.stringify(FAILED)),
    'Do not write a new prompt yet. Say what is wrong.',
  ].join('\n\n');
  const diagnosis = answer('reflect', request, false);
  expect(diagnosis).not.toContain('~~~~');
  expect(diagnosis).toContain('"E402" is a defect for the engineers');
  const written = [
    quote('current_prompt', PROMPT),
    quote('group_diagnoses', JSON.stringify({ cases: 12, score: 0.5, diagnosis })),
    quote('rejected_proposals', bullets(TOLD)),
  ].join('\n\n');
  expect(answer('reflect', written, false)).toContain(RULE);
});
