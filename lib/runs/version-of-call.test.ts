import { expect, test } from 'vitest';
import { historyOf, settingsOf } from '#lib/core/history-of.test-support.ts';
import { tryOf } from '#lib/core/tuning-history.test-support.ts';
import { versionOfCall } from './schema.ts';

const history = historyOf(settingsOf(), [0.5, 0.6, 0.7]);
const stepOf = {
  version: history.versions[1]?.step ?? -1,
  evaluation: history.evaluations[1]?.step ?? -1,
  critique: history.critiques[1]?.step ?? -1,
};

test.each([
  { name: 'the version it generated', call: { step: stepOf.version, role: 'revise' }, version: 1 },
  { name: 'the version it judged', call: { step: stepOf.evaluation, role: 'evaluate' }, version: 1 },
  { name: 'the version it critiqued', call: { step: stepOf.critique, role: 'reflect' }, version: 1 },
  {
    name: 'the version of a manual reflection, stored under the step that created it',
    call: { step: stepOf.version, role: 'reflect' },
    version: 1,
  },
  { name: 'the next version in an open step', call: { step: history.step, role: 'revise' }, version: 3 },
  { name: 'the last version, judged in an open step', call: { step: history.step, role: 'evaluate' }, version: 2 },
])('the version of a call is $name', ({ call, version }) => {
  expect(versionOfCall(history, call)).toBe(version);
});

test('the version of a tuning call is the evaluated prompt, even if it is not the latest', () => {
  const { step } = history;
  const tried = tryOf(history, 1, 0, 1);
  expect(versionOfCall({ ...history, tries: [tried] }, { step, role: 'judge' })).toBe(1);
});

test('without versions, a draft call belongs to version 0 and a judgement to none', () => {
  const empty = historyOf(settingsOf(), []);
  expect(versionOfCall(empty, { step: 0, role: 'generate' })).toBe(0);
  expect(versionOfCall(empty, { step: 0, role: 'evaluate' })).toBeNull();
});
