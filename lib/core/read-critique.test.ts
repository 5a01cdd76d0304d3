import { describe, expect, test } from 'vitest';
import { readCritique } from './prompts/critique-prompt.ts';

describe('a critique', () => {
  test.each<[string, string, boolean, ReturnType<typeof readCritique>]>([
    [
      'in the requested format',
      '{"summary":"So.","issues":[{"text":"Vague","criterion":"clarity","scope":"local"}],"suggestions":["Name it"]}',
      true,
      { text: 'So.', issues: [{ text: 'Vague', criterion: 'clarity', scope: 'local' }], suggestions: ['Name it'] },
    ],
    [
      'without the scope of an issue, or with an unknown one',
      '{"issues":[{"text":"Vague"},{"text":"Long","criterion":null,"scope":"everywhere"}]}',
      true,
      {
        text: '',
        issues: [
          { text: 'Vague', criterion: null, scope: 'whole' },
          { text: 'Long', criterion: null, scope: 'whole' },
        ],
        suggestions: [],
      },
    ],
    ['in prose', 'It rambles.\n- Cut it.', false, { text: 'It rambles.\n- Cut it.', issues: [], suggestions: [] }],
    [
      'in prose despite a requested structure',
      'It rambles.',
      true,
      { text: 'It rambles.', issues: [], suggestions: [] },
    ],
    [
      'in prose with marked issues',
      'So.\n- [local] Vague word\n* **[Missing]**: No example\n1. [whole] Rambles \n- [other] x\n[local] no item\n- [local]',
      false,
      {
        text: 'So.\n- [local] Vague word\n* **[Missing]**: No example\n1. [whole] Rambles \n- [other] x\n[local] no item\n- [local]',
        issues: [
          { text: 'Vague word', criterion: null, scope: 'local' },
          { text: 'No example', criterion: null, scope: 'missing' },
          { text: 'Rambles', criterion: null, scope: 'whole' },
        ],
        suggestions: [],
      },
    ],
  ])('%s', (_name, response, structured, expected) => {
    expect(readCritique(response, structured)).toEqual(expected);
  });

  describe('with open issues', () => {
    const SHOWN = [
      { id: 'i1', criterion: null, text: 'Vague' },
      { id: 'i2', criterion: 'tone', text: 'Rude' },
    ];

    test.each<[string, string, boolean, (string | undefined)[], string[]]>([
      [
        'after the text',
        '{"issues":[{"text":"Unclear","sameAs":"i1"},{"text":"New","sameAs":null},{"text":"Old","sameAs":"i9"},{"text":"Odd","sameAs":3}]}',
        true,
        ['i1', undefined, undefined, undefined],
        ['Unclear', 'New', 'Old', 'Odd'],
      ],
      [
        'before the text',
        '- [local] i2: Rude still\n- [whole] [i1] Unclear\n- [missing] i9: Unknown\n- [whole] New',
        false,
        ['i2', 'i1', undefined, undefined],
        ['Rude still', 'Unclear', 'i9: Unknown', 'New'],
      ],
    ])('reads the ids of its open issues: %s', (_name, response, structured, ids, texts) => {
      const { issues } = readCritique(response, structured, SHOWN);
      expect(issues.map(({ id }) => id)).toEqual(ids);
      expect(issues.map(({ text }) => text)).toEqual(texts);
    });
  });
});
