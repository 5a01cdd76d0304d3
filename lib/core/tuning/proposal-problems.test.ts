import { describe, expect, test } from 'vitest';
import type { TuningCase } from '../history.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { copiedExamples, proposalProblems } from './proposal-problems.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const PARENT = 'Sort the mail: {{input}} ({{metadata.tone}}) {{kept}}';
const WORDS = 'one two three four five six seven eight nine ten eleven twelve';

function problemsOf(prompt: string, changes: Partial<TuningCase> = {}) {
  const settings = tuningSettingsOf({ tune: { maxPromptTokens: 60 } });
  const history = tuningHistory(settings, { train: 2, held_out: 1 }, [
    { output: 'Sort: {{input}} {{metadata.tone}}' },
    { output: PARENT, origin: 'edited' },
  ]);
  const cases = history.cases.map((one) => ({ ...one, metadata: { tone: 'dry', place: 'Rome' } }));
  const [first, second, last] = cases;
  if (first === undefined || second === undefined || last === undefined) throw new Error('three cases were given');
  const given = { ...history, cases: [first, second, { ...last, ...changes }] };
  return proposalProblems({ prompt, problem: null }, given, settings, { output: PARENT });
}

describe('proposal guards', () => {
  test.each<{ name: string; prompt: string; kinds: string[] }>([
    { name: 'no problem', prompt: `${PARENT} Be brief.`, kinds: [] },
    { name: 'the same text', prompt: PARENT, kinds: ['unchanged'] },
    { name: 'the same text except for white space', prompt: ` ${PARENT.replace(' ', '\n  ')} `, kinds: ['unchanged'] },
    { name: 'the text of an earlier version', prompt: 'Sort:  {{input}} {{metadata.tone}}', kinds: ['repeated'] },
    { name: 'a missing variable', prompt: 'Sort {{ input }} well.', kinds: ['missing_variable'] },
    { name: 'no variables', prompt: 'Sort it well.', kinds: ['missing_variable', 'missing_variable'] },
    { name: 'an unknown variable', prompt: `${PARENT} {{output}}`, kinds: ['unknown_variable'] },
    { name: 'metadata that no case has', prompt: `${PARENT} {{metadata.mood}}`, kinds: ['unknown_variable'] },
    { name: 'metadata that cases have', prompt: `${PARENT} {{metadata.place}}`, kinds: [] },
    { name: 'more tokens than allowed', prompt: `${PARENT} ${'x'.repeat(240)}`, kinds: ['too_long'] },
  ])('$name', ({ prompt, kinds }) => {
    expect(problemsOf(prompt).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('report only the problem of an unreadable response', () => {
    const problem = { kind: 'truncated' as const, text: 'cut' };
    const settings = tuningSettingsOf();
    const history = tuningHistory(settings, { train: 1 }, []);
    expect(proposalProblems({ prompt: '', problem }, history, settings, { output: PARENT })).toEqual([problem]);
  });
});

describe('messages of a chat prompt', () => {
  const CHAT = '{{role "system"}}\nSort the mail.\n\n{{history}}\n\n{{role "user"}}\n{{input}}';
  const problemOf = (prompt: string, parent = CHAT) => {
    const settings = tuningSettingsOf();
    const history = tuningHistory(settings, { train: 1 }, [{ output: parent }]);
    return proposalProblems({ prompt, problem: null }, history, settings, { output: parent });
  };

  test.each<[string, string, RegExp | null]>([
    ['changed texts', CHAT.replace('Sort the mail.', 'Sort the mail.\nAnswer with one label.'), null],
    ['the same roles in other quotes', CHAT.replace('"system"', "'system'").replace('Sort', 'Always sort'), null],
    ['no role lines', 'Sort the mail. {{input}}', /lost its role lines/],
    [
      'no history',
      CHAT.replace('{{history}}\n\n', ''),
      /are system, user\. They must be: system, \{\{history\}\}, user/,
    ],
    ['an added message', `${CHAT}\n{{role "assistant"}}\nLabel:`, /They must be: system/],
    ['another role', CHAT.replace('"user"', '"assistant"'), /are system, \{\{history\}\}, assistant/],
    ['an unknown role', CHAT.replace('"user"', '"robot"'), /unknown role "robot"/],
    ['an empty message', CHAT.replace('Sort the mail.', ''), /the system message is empty/],
  ])('with %s', (_name, prompt, problem) => {
    const found = problemOf(prompt).filter(({ kind }) => kind === 'changed_roles');
    if (problem === null) expect(found).toEqual([]);
    else expect(found.map(({ text }) => text).join(' ')).toMatch(problem);
  });

  test('cannot be added to a plain prompt', () => {
    expect(problemOf(CHAT, 'Sort the mail: {{input}}')).toMatchObject([{ kind: 'changed_roles' }]);
  });
});

describe('copied examples', () => {
  test.each<{ name: string; added: string; given: Partial<TuningCase>; copied: string | null }>([
    { name: 'twelve consecutive words', added: WORDS, given: { input: `Well, ${WORDS} and so on` }, copied: WORDS },
    {
      name: 'twelve consecutive words, ignoring case and punctuation',
      added: WORDS.toUpperCase().replaceAll(' ', ', '),
      given: { input: WORDS },
      copied: WORDS,
    },
    {
      name: 'eleven consecutive words',
      added: WORDS.slice(0, -7),
      given: { input: `${WORDS} and so on` },
      copied: null,
    },
    {
      name: 'a complete shorter input',
      added: 'when does the shop open',
      given: { input: 'When does the shop open?' },
      copied: 'when does the shop open',
    },
    {
      name: 'part of a shorter input',
      added: 'when does the shop',
      given: { input: 'When does the shop open?' },
      copied: null,
    },
    {
      name: 'a reference',
      added: 'ask for the number first',
      given: { reference: 'Ask for the number first.' },
      copied: 'ask for the number first',
    },
    { name: 'a label', added: 'billing or shipping', given: { reference: 'billing' }, copied: null },
    {
      name: 'text that the parent also contains',
      added: 'sort the mail input',
      given: { input: 'Sort the mail: input' },
      copied: null,
    },
    {
      name: 'twelve characters of a script without spaces',
      added: '我无法登录我的账户请尽快帮我',
      given: { input: '你好，我无法登录我的账户请尽快帮我，谢谢' },
      copied: '我 无 法 登 录 我 的 账 户 请 尽 快',
    },
    {
      name: 'four characters of a script without spaces',
      added: '无法登录',
      given: { input: '无法登录' },
      copied: null,
    },
  ])('$name', ({ added, given, copied }) => {
    for (const split of ['train', 'held_out'] as const) {
      const found = problemsOf(`${PARENT} ${added}`, { ...given, split });
      const kind = split === 'train' ? 'copied_cases' : 'copied_example';
      expect(found.map((problem) => problem.kind)).toEqual(copied === null ? [] : [kind]);
      if (copied === null) continue;
      expect(found[0]?.text).toContain(`case 3: “${copied}”`);
      expect(found[0]?.text).toContain(given.input === undefined ? 'the reference of' : 'the input of');
    }
  });

  /** Builds training cases with these inputs and references. */
  const cases = (given: [string, string][]): TuningCase[] =>
    given.map(([input, reference], position) => ({
      ...{ input, reference, position },
      tags: [],
      metadata: {},
      split: 'train',
    }));
  const kinds = (added: string, given: TuningCase[], outputs = new Map<number, string>()) =>
    copiedExamples(`${PARENT}\n${added}`, given, PARENT, outputs).map(({ kind }) => kind);

  test('detects a copied model output by twelve consecutive words', () => {
    const given = cases([['a', 'b']]);
    expect(kinds(WORDS, given, new Map([[0, `So: ${WORDS}.`]]))).toEqual(['copied_cases']);
    expect(kinds('this looks like a bug', given, new Map([[0, 'This looks like a bug.']]))).toEqual([]);
  });

  test('allows wording shared by three different cases, but not wording unique to one', () => {
    const preamble = 'Dear team, please look at the following ticket and send it to';
    const given = cases(['Rome', 'Oslo', 'Bern'].map((city) => [`${preamble} ${city}`, city]));
    expect(kinds(`Tickets begin with: ${preamble}`, given)).toEqual([]);
    expect(kinds(`${preamble} Oslo`, given)).toEqual(['copied_cases']);
    // Three identical texts count as one.
    expect(kinds(preamble, cases([1, 2, 3].map(() => [preamble, 'x'])))).not.toEqual([]);
  });

  test('allows a long label that several cases share', () => {
    const label = 'needs an answer by a person';
    const given = cases([
      ['first', label],
      ['second', label],
    ]);
    expect(kinds(`Else: ${label}`, given)).toEqual([]);
    expect(kinds(`Else: ${label}`, given.slice(1))).toEqual(['copied_cases']);
  });

  describe('list of inputs with their answers', () => {
    const INPUTS = ['card', 'plan', 'door', 'link', 'tree'].map((word) => `my ${word} is not working since monday`);
    const given = cases(INPUTS.map((input, at) => [input, at % 2 === 0 ? 'blue' : 'red']));
    const short = (input: string) => input.split(' ').slice(0, 5).join(' ');
    const listed = (count: number, line: (input: string, label: string) => string) =>
      given
        .slice(0, count)
        .map(({ input, reference }) => line(short(input), reference ?? ''))
        .join('\n');

    test.each<[string, (input: string, label: string) => string]>([
      ['on one line', (input, label) => `- ${input}: ${label}`],
      ['with the answer first', (input, label) => `- ${label}: ${input}`],
      ['on two lines', (input, label) => `Input: ${input}\nAnswer: ${label}`],
    ])('%s: more than three are rejected', (_name, line) => {
      expect(kinds(listed(3, line), given)).toEqual([]);
      expect(kinds(listed(4, line), given)).toEqual(['copied_cases']);
    });

    test('is detected when inputs are grouped under their answer', () => {
      const blue = given.filter(({ reference }) => reference === 'blue').map(({ input }) => `- ${short(input)}`);
      const red = given.filter(({ reference }) => reference === 'red').map(({ input }) => `- ${short(input)}`);
      expect(kinds(['blue:', ...blue, 'red:', ...red].join('\n'), given)).toEqual(['copied_cases']);
    });

    test('is not detected in rules with labels and phrases, or in inputs with other answers', () => {
      expect(kinds('- card, door or tree: blue\n- If it says "is not working": red', given)).toEqual([]);
      expect(
        kinds(
          listed(5, (input) => `- ${input}: green`),
          given,
        ),
      ).toEqual([]);
    });
  });
});
