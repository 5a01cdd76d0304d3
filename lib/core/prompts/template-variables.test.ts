import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { templateVariables } from './judge-texts.ts';
import { renderTemplate } from './render-template.ts';

describe('templateVariables', () => {
  test.each([
    { name: 'no variables', template: 'Do the task { x } {{}} {{ }}', found: [] },
    { name: 'the input with spaces', template: 'Do {{ input }}', found: [{ name: 'input', known: true }] },
    { name: 'metadata', template: '{{metadata.the-tone}}', found: [{ name: 'metadata.the-tone', known: true }] },
    { name: 'a misspelled variable', template: '{{inptu}}', found: [{ name: 'inptu', known: false }] },
    {
      name: 'the reference, which must not be revealed',
      template: '{{reference}}',
      found: [{ name: 'reference', known: false }],
    },
    { name: 'a variable in another case', template: '{{Input}}', found: [{ name: 'Input', known: false }] },
    {
      name: 'a repeated variable once',
      template: '{{input}} {{x}} {{input}}',
      found: [
        { name: 'input', known: true },
        { name: 'x', known: false },
      ],
    },
  ])('$name', ({ template, found }) => {
    expect(templateVariables(template)).toEqual(found);
  });

  test('output and reference are known in judge prompts', () => {
    expect(templateVariables('{{reference}} {{output}} {{x}}', 'judge')).toEqual([
      { name: 'reference', known: true },
      { name: 'output', known: true },
      { name: 'x', known: false },
    ]);
  });

  test('a variable is known exactly if it is substituted', () => {
    const names = fc.constantFrom(
      'input',
      'metadata.a',
      'metadata.',
      'metadata',
      'reference',
      'x.y',
      'in put',
      'metadata.a.b',
    );
    fc.assert(
      fc.property(fc.array(names, { maxLength: 5 }), (used) => {
        const template = used.map((name) => `{{${name}}}`).join(' ');
        const rendered = renderTemplate(template, { input: 'I', reference: 'R', tags: [], metadata: { a: 'A' } });
        for (const { name, known } of templateVariables(template))
          expect(rendered.includes(`{{${name}}}`)).toBe(!known);
      }),
    );
  });
});
