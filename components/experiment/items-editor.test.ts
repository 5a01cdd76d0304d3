import { describe, expect, test } from 'vitest';
import { moveItem } from './items-editor.tsx';

describe('moveItem', () => {
  test.each([
    { name: 'up', from: 2, to: 1, made: ['a', 'c', 'b'] },
    { name: 'down', from: 0, to: 1, made: ['b', 'a', 'c'] },
    { name: 'to the end', from: 0, to: 2, made: ['b', 'c', 'a'] },
    { name: 'nowhere', from: 1, to: 1, made: ['a', 'b', 'c'] },
    { name: 'not beyond the end', from: 1, to: 3, made: ['a', 'b', 'c'] },
    { name: 'not before the beginning', from: 0, to: -1, made: ['a', 'b', 'c'] },
    { name: 'not from nowhere', from: 7, to: 0, made: ['a', 'b', 'c'] },
  ])('$name', ({ from, to, made }) => {
    expect(moveItem(['a', 'b', 'c'], from, to)).toEqual(made);
  });
});
