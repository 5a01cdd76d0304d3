import { expect, test } from 'vitest';
import { nameOf } from './import-prompt.tsx';

test.each([
  ['help.json', 'help'],
  ['help.prompty', 'help'],
  ['help.prompt', 'help'],
  ['help.prompt.yml', 'help'],
  ['Help me.YAML', 'Help-me'],
  ['help.v2.json', 'help.v2'],
])('the file %s suggests the name %s', (file, name) => {
  expect(nameOf(file)).toBe(name);
});
