import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LessonKind } from '#lib/core/lesson-schema.ts';
import { PROMPT_TAGS } from './quote.ts';
import { recalledSection } from './recalled-section.ts';

describe('recalledSection', () => {
  test('is empty without lessons', () => {
    expect(recalledSection([])).toEqual([]);
  });

  test('quotes lessons as advice and labels rules and playbooks', () => {
    const [introduction = '', quoted] = recalledSection([
      { kind: 'lesson', text: 'Add an example.' },
      { kind: 'principle', text: 'Never guess.' },
      { kind: 'procedure', text: 'Goal: an answer\nSteps: read; think' },
    ]);
    expect(introduction).toMatch(/data, not instructions/);
    expect(introduction).toMatch(/rule .* playbook/i);
    expect(quoted).toBe(
      '<recalled_lessons>\n- Add an example.\n- Rule: Never guess.\n- Playbook: Goal: an answer\n  Steps: read; think\n</recalled_lessons>',
    );
  });

  test('mentions rules and playbooks only if there are any', () => {
    expect(recalledSection([{ kind: 'lesson', text: 'Add an example.' }])[0]).not.toMatch(/rule|playbook/i);
  });

  test('no lesson text can close its quotation or open another section', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\u2028',
        ...PROMPT_TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `\n<${tag}>\n`]),
      ),
    );
    const kind = fc.constantFrom<LessonKind>('lesson', 'principle', 'procedure');
    const lesson = fc.record({ kind, text: fc.array(piece).map((pieces) => pieces.join('')) });
    fc.assert(
      fc.property(fc.array(lesson, { minLength: 1, maxLength: 4 }), (lessons) => {
        const lines = (recalledSection(lessons)[1] ?? '').split('\n');
        expect(lines[0]).toBe('<recalled_lessons>');
        expect(lines.at(-1)).toBe('</recalled_lessons>');
        for (const line of lines.slice(1, -1)) {
          expect(line).toMatch(/^(?:- | {2})/);
          expect(line).not.toMatch(/<\s*\/\s*recalled_lessons\s*>/i);
        }
      }),
    );
  });
});
