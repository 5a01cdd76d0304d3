import { describe, expect, test } from 'vitest';
import {
  type CaseDraft,
  emptyInputs,
  externalVariables,
  renameExternalVariable,
  toCaseDrafts,
  toTypedCases,
  variablesOf,
} from './typed-cases.ts';
import { answerKey, answersOf, closeOpenAnswers, type TypedAnswers, withAnswer } from './use-typed-run.ts';

const draft = (values: Record<string, string>, reference = ''): CaseDraft => ({
  key: 0,
  values,
  messages: null,
  reference,
});
const TEXT = 'Answer {{input}} for {{metadata.reader}} in {{ metadata.tone }}';

describe('fields of a prompt', () => {
  test.each([
    ['', ['Input']],
    ['No variable', ['Input']],
    [TEXT, ['Input', 'reader', 'tone']],
    ['For {{metadata.reader}}', ['reader']],
    ['{{role "system"}}\nFor {{metadata.reader}}', ['Input', 'reader']],
    ['{{input.title}} by {{input.user.name}}', ['Input']],
  ])('fields of %j', (text, labels) => {
    expect(variablesOf(text).map(({ label }) => label)).toEqual(labels);
  });

  test('rewrites variables of other tools to Hone variables', () => {
    const text = 'Q: {{question}} {{ question }} {{reference}} {{input}}';
    expect(externalVariables(text)).toEqual([{ name: 'question', as: 'metadata.question' }]);
    expect(renameExternalVariable(text, { name: 'question', as: 'metadata.question' })).toBe(
      'Q: {{metadata.question}} {{metadata.question}} {{reference}} {{input}}',
    );
  });
});

test('cases contain the variables of the prompt and round-trip', () => {
  const sent = toTypedCases([draft({ input: 'Why?', 'metadata.tone': 'dry', 'metadata.old': 'x' }, 'So')], TEXT);
  expect(sent).toEqual([{ input: 'Why?', messages: null, reference: 'So', metadata: { reader: '', tone: 'dry' } }]);
  expect(toTypedCases(toCaseDrafts(sent), TEXT)).toEqual(sent);
});

test('sends messages instead of the input', () => {
  const messages = [{ role: 'user' as const, content: 'Why?' }];
  const sent = toTypedCases([{ ...draft({ input: 'old' }), messages }], '{{input}}');
  expect(sent).toMatchObject([{ input: '', messages }]);
  expect(toTypedCases(toCaseDrafts(sent), '{{input}}')).toEqual(sent);
});

test('omits empty messages', () => {
  const message = (content: string) => ({ role: 'user' as const, content });
  const sent = (messages: CaseDraft['messages']) => toTypedCases([{ ...draft({ input: 'x' }), messages }], 'Say hello');
  expect(sent([message(' ')])).toMatchObject([{ input: '', messages: null }]);
  expect(sent([message(''), message('Why?')])).toMatchObject([{ input: '', messages: [message('Why?')] }]);
});

test('reports a missing input that the prompt requires', () => {
  const empty = { ...draft({ input: 'x' }), messages: [{ role: 'user' as const, content: '' }] };
  expect(emptyInputs([empty], TEXT)).toEqual([0]);
  expect(emptyInputs([draft({ input: ' ' })], TEXT)).toEqual([0]);
  expect(emptyInputs([draft({})], 'Say hello')).toEqual([]);
});

test('answers stream, complete, fail with partial text, and stop', () => {
  const at = { text: 0, model: 0, position: 1 };
  let answers: TypedAnswers = new Map([[answerKey(1, 1), { state: 'waiting' as const }]]);
  for (const piece of ['He', 'llo']) answers = withAnswer(answers, { type: 'text', ...at, piece });
  expect(answers.get(answerKey(0, 1))).toEqual({ state: 'writing', text: 'Hello' });
  expect(closeOpenAnswers(answers)).toEqual(new Map([[answerKey(0, 1), { state: 'stopped', text: 'Hello' }]]));
  const failed = withAnswer(answers, { type: 'failed', ...at, message: 'No.', remedy: 'Wait.' });
  expect(failed.get(answerKey(0, 1))).toMatchObject({ state: 'failed', message: 'No.', text: 'Hello' });
  const kept = [{ state: 'failed' as const, model: 0, case: 1, message: 'No.', remedy: 'Wait.' }];
  expect(answersOf({ answers: kept }).get(answerKey(0, 1))).toMatchObject({ message: 'No.', text: '' });
});
