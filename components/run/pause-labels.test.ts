import { expect, test } from 'vitest';
import { pauseLabel } from './pause-labels.ts';

type Pause = Parameters<typeof pauseLabel>[0];
const PAUSE: Pause = { hook: 'onReflection', version: 1, asks: [], wouldStopAs: null };
const ASKS = [{ criterion: 'taste', question: null }];

test.each<[string, Pause, string]>([
  ['goes on', PAUSE, ': without you the run would go on with the next revision.'],
  ['would stop', { ...PAUSE, wouldStopAs: 'plateau' }, ': without you the run would stop as plateau.'],
  ['asks a score', { ...PAUSE, asks: ASKS }, ': it waits for your score of taste.'],
  ['is not judged yet', { ...PAUSE, hook: 'onRevision' }, ': revision v1 waits to be looked at before it is judged.'],
])('to who may answer, a run that %s', (_name, pause, expected) => {
  expect(pauseLabel(pause, { mode: 'revise' }, true)).toBe(expected);
});

test.each<[string, Pause, string]>([
  ['goes on', PAUSE, ': without an answer the run would go on with the next revision.'],
  ['would stop', { ...PAUSE, wouldStopAs: 'plateau' }, ': without an answer the run would stop as plateau.'],
  ['asks a score', { ...PAUSE, asks: ASKS }, ': it waits for a person’s score of taste.'],
])('to who may not, a run that %s', (_name, pause, expected) => {
  expect(pauseLabel(pause, { mode: 'revise' }, false)).toBe(expected);
});
