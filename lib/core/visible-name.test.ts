import { expect, test } from 'vitest';
import { nameSchema } from './setting-parts.ts';
import { visibleName } from './visible-name.ts';

test.each([
  ['a bidirectional override', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['bidirectional embeddings', '\u202aa\u202b b\u202c\u202d', 'a b'],
  ['bidirectional isolates', '\u2066a\u2067b\u2068c\u2069', 'abc'],
  ['bidirectional marks', 'a\u200eb\u200fc\u061c', 'abc'],
  ['zero-width spaces', 'Ad\u200ba\u2060 \ufeffLove', 'Ada Love'],
  ['joiners between Latin letters', 'Ad\u200da \u200cLove', 'Ada Love'],
  ['soft hyphens, fillers and tags', 'a\u00adb\u3164c\u{e0041}', 'abc'],
])('a name loses %s', (_name, given, expected) => {
  expect(visibleName(given)).toBe(expected);
  expect(nameSchema.parse(given)).toBe(expected);
});

test.each([
  ['Hebrew', 'ניסוי ראשון'],
  ['Arabic with Latin letters', 'تجربة GPT الأولى'],
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['Hindi with a joiner', 'क्\u200dष'],
  ['an emoji of a family', 'Team \u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['an emoji of a profession with a skin tone', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}'],
  ['a rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['accents', 'Zoë Ångström'],
])('%s is unchanged', (_name, given) => {
  expect(visibleName(given)).toBe(given);
});

test('refuses a name without visible characters', () => {
  expect(nameSchema.safeParse('\u200b\u202e').success).toBe(false);
});
