import { describe, expect, test } from 'vitest';
import { moveItem } from './items-editor.tsx';

describe('moveItem', () => {
  test.each([
    { name: 'moves an item up', from: 2, to: 1, made: ['a', 'c', 'b'] },
    { name: 'moves an item down', from: 0, to: 1, made: ['b', 'a', 'c'] },
    { name: 'moves an item to the end', from: 0, to: 2, made: ['b', 'c', 'a'] },
    { name: 'keeps an item moved to its current position', from: 1, to: 1, made: ['a', 'b', 'c'] },
    { name: 'does not move beyond the end', from: 1, to: 3, made: ['a', 'b', 'c'] },
    { name: 'does not move before the beginning', from: 0, to: -1, made: ['a', 'b', 'c'] },
    { name: 'ignores an unknown start position', from: 7, to: 0, made: ['a', 'b', 'c'] },
  ])('$name', ({ from, to, made }) => {
    expect(moveItem(['a', 'b', 'c'], from, to)).toEqual(made);
  });
});
