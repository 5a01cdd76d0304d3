import { describe, expect, test } from 'vitest';
import type { TuningCase } from '../history.ts';
import { proposalProblems } from './proposal-problems.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';
import { tuningHistory } from './tuning-history.test-support.ts';

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

describe('the guards', () => {
  test.each<{ name: string; prompt: string; kinds: string[] }>([
    { name: 'nothing wrong', prompt: `${PARENT} Be brief.`, kinds: [] },
    { name: 'the same text', prompt: PARENT, kinds: ['unchanged'] },
    { name: 'the same but for blanks', prompt: ` ${PARENT.replace(' ', '\n  ')} `, kinds: ['unchanged'] },
    { name: 'the text of an earlier version', prompt: 'Sort:  {{input}} {{metadata.tone}}', kinds: ['repeated'] },
    { name: 'a variable lost', prompt: 'Sort {{ input }} well.', kinds: ['missing_variable'] },
    { name: 'all variables lost', prompt: 'Sort it well.', kinds: ['missing_variable', 'missing_variable'] },
    { name: 'a variable that nothing fills', prompt: `${PARENT} {{output}}`, kinds: ['unknown_variable'] },
    { name: 'metadata that no case has', prompt: `${PARENT} {{metadata.mood}}`, kinds: ['unknown_variable'] },
    { name: 'metadata that cases have', prompt: `${PARENT} {{metadata.place}}`, kinds: [] },
    { name: 'more tokens than allowed', prompt: `${PARENT} ${'x'.repeat(240)}`, kinds: ['too_long'] },
  ])('$name', ({ prompt, kinds }) => {
    expect(problemsOf(prompt).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('of a reply that could not be read nothing else is said', () => {
    const problem = { kind: 'truncated' as const, text: 'cut' };
    const settings = tuningSettingsOf();
    const history = tuningHistory(settings, { train: 1 }, []);
    expect(proposalProblems({ prompt: '', problem }, history, settings, { output: PARENT })).toEqual([problem]);
  });
});

describe('a copied example', () => {
  test.each<{ name: string; added: string; given: Partial<TuningCase>; copied: string | null }>([
    { name: 'twelve words in a row', added: WORDS, given: { input: `Well, ${WORDS} and so on` }, copied: WORDS },
    {
      name: 'capitals and signs aside',
      added: WORDS.toUpperCase().replaceAll(' ', ', '),
      given: { input: WORDS },
      copied: WORDS,
    },
    { name: 'eleven of them', added: WORDS.slice(0, -7), given: { input: `${WORDS} and so on` }, copied: null },
    {
      name: 'all of a shorter input',
      added: 'when does the shop open',
      given: { input: 'When does the shop open?' },
      copied: 'when does the shop open',
    },
    {
      name: 'a part of a shorter input',
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
      name: 'what its parent says too',
      added: 'sort the mail input',
      given: { input: 'Sort the mail: input' },
      copied: null,
    },
  ])('$name', ({ added, given, copied }) => {
    const found = problemsOf(`${PARENT} ${added}`, given);
    expect(found.map(({ kind }) => kind)).toEqual(copied === null ? [] : ['copied_example']);
    if (copied !== null) {
      expect(found[0]?.text).toContain(`case 3: “${copied}”`);
      expect(found[0]?.text).toContain(given.input === undefined ? 'the reference of' : 'the input of');
    }
  });
});
