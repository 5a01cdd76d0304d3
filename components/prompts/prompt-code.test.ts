import { expect, test } from 'vitest';
import { CODE_LANGUAGES, promptCode } from './prompt-code.ts';

const AT = 'http://localhost:3000/api/v1/prompts/support%2Ftriage';
const prompt = { origin: 'http://localhost:3000', name: 'support/triage' };

test.each(CODE_LANGUAGES)('%s asks for the label or the version', (language) => {
  expect(promptCode(language, { ...prompt, by: { label: 'production' } })).toContain(`'${AT}?label=production'`);
  expect(promptCode(language, { ...prompt, by: { version: 7 } })).toContain(`'${AT}?version=7'`);
});
