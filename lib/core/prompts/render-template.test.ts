import { describe, expect, test } from 'vitest';
import { renderTemplate } from './render-template.ts';

const task = {
  input: 'Explain {{metadata.topic}} for $5',
  reference: 'SECRET',
  tags: ['one'],
  metadata: { topic: 'limits', 'max-words': 80, audience: { age: 12 }, empty: '', none: null, 'with space': 'x' },
};

describe('renderTemplate', () => {
  test.each([
    ['no variables', 'Do it.', 'Do it.'],
    [
      'the input, several times',
      '{{input}} | {{ input }}',
      'Explain {{metadata.topic}} for $5 | Explain {{metadata.topic}} for $5',
    ],
    ['substituted values are not expanded again', 'Task: {{input}}', 'Task: Explain {{metadata.topic}} for $5'],
    ['metadata', 'On {{metadata.topic}} in {{metadata.max-words}} words', 'On limits in 80 words'],
    ['an object as JSON', '{{metadata.audience}}', '{"age":12}'],
    ['an empty text', '[{{metadata.empty}}]', '[]'],
    ['null is no value', '{{metadata.none}}', '{{metadata.none}}'],
    ['an unknown variable is unchanged', '{{metadata.missing}} {{output}}', '{{metadata.missing}} {{output}}'],
    [
      'the reference is never substituted',
      '{{reference}} {{metadata.reference}}',
      '{{reference}} {{metadata.reference}}',
    ],
    [
      'inherited property names are not metadata',
      '{{metadata.constructor}} {{metadata.toString}}',
      '{{metadata.constructor}} {{metadata.toString}}',
    ],
    ['an unclosed variable', '{{input', '{{input'],
  ])('%s', (_name, template, rendered) => {
    expect(renderTemplate(template, task)).toBe(rendered);
  });
});
