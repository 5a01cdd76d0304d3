import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerForm } from '#lib/core/prompts/sections.ts';
import { historyOf, settingsOf } from '../history-of.test-support.ts';
import { revisePrompt } from '../prompts/revise-prompt.ts';
import { STRATEGIES } from './choose-strategy.ts';
import type { AppliedStrategy } from './strategy.ts';

const DRAFT = 'First part.\n\nSecond part.';
const TASK = { input: 'Write two parts', reference: 'SECRET', tags: [], metadata: {} };
const NAMES: AppliedStrategy[] = ['full_rewrite', 'targeted_edit', 'incremental'];

/** A response that adds `Third.` to the draft in the format of each strategy, as plain text and as JSON. */
const ADDING: Record<AppliedStrategy, { plain: (draft: string) => string; json: ((draft: string) => object) | null }> =
  {
    full_rewrite: { plain: (draft) => `${draft}\n\nThird.`, json: null },
    targeted_edit: {
      plain: () => '<find>\nSecond part.\n</find>\n<replace>\nSecond part.\n\nThird.\n</replace>',
      json: () => ({ edits: [{ find: 'Second part.', replace: 'Second part.\n\nThird.', occurrence: null }] }),
    },
    incremental: {
      plain: () => '<add after="2">\nThird.\n</add>',
      json: () => ({ changes: [{ change: 'add_after', section: 2, text: 'Third.' }] }),
    },
  };

describe.each(NAMES)('%s', (name) => {
  const strategy = STRATEGIES[name];
  const settings = (structuredReflection: boolean) => settingsOf({ structuredReflection });
  const promptFor = (structured: boolean, wrong: string[] = []) => {
    const given = settings(structured);
    const history = historyOf(given, [{ score: 0.5, output: DRAFT, issues: [{ criterion: null, text: 'Too short' }] }]);
    const [from] = history.versions;
    if (from === undefined) throw new Error('no version');
    return revisePrompt(given, TASK, history, from, null, { strategy, wrong });
  };

  test('is registered by name', () => {
    expect(strategy.name).toBe(name);
    expect(strategy.instructions).toMatch(/\S/);
  });

  test('reads both the plain and the JSON format of a response', () => {
    const { plain, json } = ADDING[name];
    expect(strategy.read(DRAFT, plain(DRAFT))).toEqual({ ok: true, output: `${DRAFT}\n\nThird.` });
    if (json === null) return expect(strategy.output).toBeNull();
    const answer = json(DRAFT);
    expect(strategy.read(DRAFT, JSON.stringify(answer))).toEqual({ ok: true, output: `${DRAFT}\n\nThird.` });
    // The response matches the requested schema exactly.
    expect(strategy.output?.schema.parse(answer)).toEqual(answer);
  });

  test('describes its format after the task, the draft and the issues, without the reference', () => {
    for (const structured of [true, false]) {
      const { prompt, instructions } = promptFor(structured);
      expect(prompt).toContain(`<draft>\n${DRAFT}\n</draft>`);
      expect(prompt).toContain('<issues>\n- Too short\n</issues>');
      expect(prompt.indexOf('<answer_form>')).toBe(name === 'full_rewrite' ? -1 : prompt.lastIndexOf('<answer_form>'));
      for (const section of strategy.form(DRAFT, structured))
        expect(prompt.indexOf(section)).toBeGreaterThan(prompt.indexOf('<issues>'));
      expect(instructions).toBe(strategy.instructions);
      expect(prompt).not.toContain('SECRET');
    }
  });

  test('includes the errors of the previous response', () => {
    expect(promptFor(true, ['edit 1: no\nsuch text']).prompt).toContain(
      '<not_applied>\n- edit 1: no such text\n</not_applied>',
    );
    expect(promptFor(true).prompt).not.toContain('not_applied');
  });

  test('never throws: returns a text or the errors for any draft and response', () => {
    const piece = fc.constantFrom(
      '<find>',
      '</find>',
      '<replace>',
      '</replace>',
      '<add after="1">',
      '</add>',
      '<fix section="9">',
      '</fix>',
      '{"edits":[',
      '{"find":"a"',
      '"changes":[]}',
      'a',
      '\n\n',
      '```',
      '<think>',
      '\r\n',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, (draft, response) => {
        const revised = strategy.read(draft, response);
        if (revised.ok) expect(typeof revised.output).toBe('string');
        else expect(revised.wrong.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});

test('format descriptions show complete tags, and data cannot close them', () => {
  const forms = NAMES.flatMap((name) => STRATEGIES[name].form('</answer_form>\n</outline>', false));
  const shown = forms.join('\n');
  for (const tag of ['find', 'replace', 'add', 'fix']) expect(shown).toMatch(new RegExp(`^</${tag}>$`, 'm'));
  expect(shown.match(/<\/answer_form>/g)).toHaveLength(2);
  expect(shown.match(/<\/outline>/g)).toHaveLength(1);
  expect(answerForm('x')).toBe('<answer_form>\nx\n</answer_form>');
});

test('restores tags of the draft that quoting escaped', () => {
  expect(STRATEGIES.full_rewrite.read('', 'A <\u200b/task> B')).toEqual({ ok: true, output: 'A </task> B' });
});

test.each([
  ['the tags of the prompt', '<draft>\nA new text.\n</draft>\n', 'Old text.', 'A new text.'],
  ['a fence for prose', '```markdown\n# A\n\n```js\n1\n```\n```', '# Old', '# A\n\n```js\n1\n```'],
  ['no tags that the draft has too', '<draft>\nNew\n</draft>', '<draft>\nOld\n</draft>', '<draft>\nNew\n</draft>'],
  ['no tags inside the text', 'Use <draft> and </draft>', 'Old', 'Use <draft> and </draft>'],
  ['no fence of code', '```python\n1\n```', 'Old', '```python\n1\n```'],
])('a whole rewrite loses %s', (_name, response, draft, output) => {
  expect(STRATEGIES.full_rewrite.read(draft, response)).toEqual({ ok: true, output });
});
