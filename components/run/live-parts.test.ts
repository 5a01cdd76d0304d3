import { describe, expect, test } from 'vitest';
import { type LivePart, liveParts } from './live-parts.ts';

const removed = (text: string): LivePart => ({ kind: 'removed', text });
const added = (text: string): LivePart => ({ kind: 'added', text });

describe('a streamed revision', () => {
  test.each<[string, string, LivePart[] | null]>([
    ['is plain text', 'Send the header.', null],
    ['is a JSON draft', '{"find": "x", "total": 3}', null],
    ['is an XML draft', '<note><add>x</add></note>', null],
    ['has no edit yet', '{"edits": [', []],
    ['has an edit in progress', '{"edits":[{"find":"a \\"b\\"","replace":"c\\nd', [removed('a "b"'), added('c\nd')]],
    ['ends inside an escape', '```json\n{"edits": [{"find": "a\\u00', [removed('a')]],
    [
      'has several edits',
      '{"edits":[{"find":"a","replace":"","occurrence":null},{"find":"b","replace":"c"}]}',
      [removed('a'), added(''), removed('b'), added('c')],
    ],
    ['has sections', '{"changes":[{"change":"fix","section":2,"text":"New"}]}', [added('New')]],
    ['has tags', '<find occurrence="2">\na\n</find>\n<replace>\nb <i>c', [removed('a'), added('b <i>c')]],
    ['ends inside a tag', '<find>\na\n</fi', [removed('a')]],
    ['has tags of sections', '<add after="3">\nNew\n</add>\n<fix section="2">\nFixed', [added('New'), added('Fixed')]],
  ])('%s', (_name, text, expected) => {
    expect(liveParts({ role: 'revise', text })).toEqual(expected);
  });
});

test('the fields of a reflection are shown, and other calls are plain text', () => {
  const text = '{"title":"Retries","lesson":"Send the key';
  expect(liveParts({ role: 'lesson', text })).toEqual([added('Retries'), added('Send the key')]);
  expect(liveParts({ role: 'generate', text })).toBeNull();
});
