import { describe, expect, test } from 'vitest';
import { readArmName, writeArmName } from './arm-name.ts';
import { armNamesSchema } from './schema.ts';

const ONE = '0b7e0f8a-1c2d-4e3f-8a9b-0c1d2e3f4a5b';
const OTHER = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

describe('readArmName', () => {
  test.each([
    ['an experiment', ONE, { experimentId: ONE, version: null }],
    ['a version of an experiment', `${ONE}@12`, { experimentId: ONE, version: 12 }],
    ['upper case and surrounding white space', ` ${ONE.toUpperCase()}@3 `, { experimentId: ONE, version: 3 }],
  ])('parses %s', (_name, text, arm) => {
    expect(readArmName(text)).toEqual(arm);
    expect(readArmName(writeArmName(arm))).toEqual(arm);
  });

  test.each(['', 'katas', `${ONE}@0`, `${ONE}@`, `${ONE}@1.5`, `${ONE}@-1`, `${ONE},${OTHER}`])(
    'rejects %j',
    (text) => {
      expect(readArmName(text)).toBeNull();
    },
  );
});

describe('list of arms', () => {
  test('is parsed in order', () => {
    expect(armNamesSchema.parse(`${OTHER},${ONE}@2,${ONE}`)).toEqual([
      { experimentId: OTHER, version: null },
      { experimentId: ONE, version: 2 },
      { experimentId: ONE, version: null },
    ]);
  });

  test.each([
    ['a single arm', ONE, 'must be 2 to 5 experiments, separated by commas'],
    ['no arms', ',', 'must be 2 to 5 experiments, separated by commas'],
    [
      'six arms',
      [1, 2, 3, 4, 5, 6].map((version) => `${ONE}@${version}`).join(),
      'must be 2 to 5 experiments, separated by commas',
    ],
    ['the same arm twice', `${ONE}@1,${ONE.toUpperCase()}@1`, 'must not name an experiment twice'],
    ['an invalid name', `${ONE},katas`, expect.stringContaining('must be the id of an experiment')],
  ])('is rejected: %s', (_name, text, message) => {
    expect(armNamesSchema.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
