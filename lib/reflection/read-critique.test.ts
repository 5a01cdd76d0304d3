import { describe, expect, test } from 'vitest';
import { readCritique } from './read-critique.ts';

describe('a critique', () => {
  test.each<[string, string, boolean, ReturnType<typeof readCritique>]>([
    [
      'as it was asked for',
      '{"summary":"So.","issues":[{"text":"Vague","criterion":"clarity","scope":"local"}],"suggestions":["Name it"]}',
      true,
      { text: 'So.', issues: [{ text: 'Vague', criterion: 'clarity', scope: 'local' }], suggestions: ['Name it'] },
    ],
    [
      'that does not say how far an issue reaches, or says it in other words',
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
      'in prose where structure was asked for',
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
  ])('%s', (_name, reply, structured, expected) => {
    expect(readCritique(reply, structured)).toEqual(expected);
  });
});
