import { expect, test } from 'vitest';
import { settingsOf } from './history-of.test-support.ts';
import { namedModels } from './named-models.ts';
import { isPractice } from './to-run-record.ts';

const model = (name: string) => ({ provider: 'openai', model: name });
const generator = model('writer');

test('lists all models of an experiment, including the embedding model', () => {
  const settings = settingsOf({
    generator,
    reflectionModel: model('critic'),
    evaluatorModel: model('judge'),
    embeddingModel: model('vectors'),
  });
  expect(namedModels(settings).map((one) => one.model)).toEqual(['writer', 'critic', 'judge', 'vectors']);
  expect(namedModels(settingsOf({ generator }))).toEqual([generator]);
});

test.each(['generator', 'reflectionModel', 'evaluatorModel', 'embeddingModel'])(
  'a practice model in any role makes the experiment practice: %s',
  (role) => {
    expect(isPractice(settingsOf({ generator }))).toBe(false);
    expect(isPractice(settingsOf({ generator, [role]: { provider: 'practice', model: 'm' } }))).toBe(true);
  },
);
