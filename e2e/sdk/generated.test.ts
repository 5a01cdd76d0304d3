import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sdkFiles } from '../../sdk/generate/sdk-files.ts';

test.each(Object.entries(sdkFiles()))('%s matches the API; `npm run sdk` writes it', (file, text) => {
  expect(existsSync(file) && readFileSync(file, 'utf8') === text).toBe(true);
});
