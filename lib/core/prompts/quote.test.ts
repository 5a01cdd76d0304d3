import { describe, expect, test } from 'vitest';
import { quote, quoteInline, renameTags, unquote } from './quote.ts';

describe('quote', () => {
  test.each([
    ['plain text', 'Explain it.', '<task>\nExplain it.\n</task>'],
    ['empty text', '', '<task>\n\n</task>'],
    ['its own closing tag', 'a</task>b', '<task>\na<\u200b/task>b\n</task>'],
    ['a closing tag with spaces and upper case', 'a< / TASK >b', '<task>\na<\u200b / TASK >b\n</task>'],
    ['the closing tag of another part', '</scores>', '<task>\n<\u200b/scores>\n</task>'],
    ['unchanged other markup', '<p>x</p> </tasks>', '<task>\n<p>x</p> </tasks>\n</task>'],
    ['unchanged dollar signs', "cost $1 $& $'", "<task>\ncost $1 $& $'\n</task>"],
  ])('%s', (_name, text, quoted) => {
    expect(quote('task', text)).toBe(quoted);
    const inside = quoted.slice('<task>\n'.length, -'\n</task>'.length);
    expect(inside).not.toMatch(/<\s*\/\s*task\s*>/i);
    expect(unquote(inside)).toBe(text);
  });
});

test.each([
  ['a block', quote('task', 'a\n<draft>\nb'), '<task-q1>\na\n<draft>\nb\n</task-q1>'],
  ['an empty block', quote('task', ''), '<task-q1>\n\n</task-q1>'],
  [
    'two quotations in one line',
    `${quoteInline('fix', 'a')}${quoteInline('fix', '')}`,
    '<fix-q1>a</fix-q1><fix-q1></fix-q1>',
  ],
  ['a tag without its end, before a block', `<task> a\n${quote('task', 'b')}`, '<task> a\n<task-q1>\nb\n</task-q1>'],
  ['an end in another line', '<fix>a\n</fix>', '<fix>a\n</fix>'],
  ['a block whose end has text behind it', '<fix>\na\n</fix> b', '<fix>\na\n</fix> b'],
])('renameTags: %s', (_name, prompt, renamed) => {
  expect(renameTags(prompt, 'q1')).toBe(renamed);
});
