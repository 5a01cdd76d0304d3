import { describe, expect, test } from 'vitest';
import { quote, unquote } from './quote.ts';

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
