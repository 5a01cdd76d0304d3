/**
 * A normalized text that ASCII patterns can search, with a mapping to positions in the original text. `from` maps the first position of a
 * match, `to` maps the position after its end.
 */
type PlainView = { text: string; from: (start: number) => number; to: (end: number) => number };

/**
 * Returns the plain view of a text. Compatible forms (fullwidth, mathematical, ligatures) and lookalike letters of other alphabets become
 * Latin, digits of all scripts become 0 to 9, dashes become `-`, spaces become ` `. Accents and invisible characters (zero-width, direction
 * marks, tags) are removed.
 */
export function plainView(text: string): PlainView {
  if (PLAIN.test(text)) return { text, from: (start) => start, to: (end) => end };
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = plainCharacter(character);
    parts.push(plain);
    for (let unit = 0; unit < plain.length; unit++) {
      starts.push(at);
      ends.push(at + character.length);
    }
    at += character.length;
  }
  return {
    text: parts.join(''),
    from: (start) => starts[start] ?? text.length,
    to: (end) => (end === 0 ? 0 : (ends[end - 1] ?? text.length)),
  };
}

const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
/** Invisible characters: format characters, fillers, selectors and tags. */
const INVISIBLE =
  /^(?:\p{Cf}|\u034f|[\u115f\u1160]|\u17b4|\u17b5|\u3164|\uffa0|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}])$/u;
const MARKS = /\p{M}/gu;

const known = new Map<string, string>();
const MAX_CACHED_CHARACTERS = 5_000;

function plainCharacter(character: string): string {
  if (PLAIN.test(character)) return character;
  const before = known.get(character);
  if (before !== undefined) return before;
  const plain = INVISIBLE.test(character)
    ? ''
    : Array.from(character.normalize('NFKD').replace(MARKS, ''), plainSign).join('');
  if (known.size >= MAX_CACHED_CHARACTERS) known.clear();
  known.set(character, plain);
  return plain;
}

function plainSign(sign: string): string {
  if (PLAIN.test(sign)) return sign;
  if (/\p{Nd}/u.test(sign)) return digit(sign);
  if (/\p{Pd}|[\u2212\u2043]/u.test(sign)) return '-';
  if (/\p{Zs}/u.test(sign)) return ' ';
  return LOOKALIKES.get(sign) ?? sign;
}

/** Converts a digit. Each script has its ten digits in sequence, starting at a code that ends in 0 or 6. */
function digit(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const row = code & ~15;
  const zero = /\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6;
  return String(code - zero);
}

/** Lookalike letters of Cyrillic, Greek and phonetic alphabets, by Latin letter. */
const LOOKALIKES_OF = {
  a: '\u0430\u03b1\u0251\u1d00',
  b: '\u0432\u03b2\u0299',
  c: '\u0441\u1d04',
  d: '\u0501\u1d05',
  e: '\u0435\u03b5\u1d07',
  f: '\u0192\ua730',
  g: '\u0261\u0262',
  h: '\u04bb\u043d\u029c',
  i: '\u0456\u03b9\u0131\u026a',
  j: '\u0458\u1d0a',
  k: '\u043a\u03ba\u1d0b',
  l: '\u04cf\u029f\u04c0',
  m: '\u043c\u1d0d',
  n: '\u043f\u03b7\u0274',
  o: '\u043e\u03bf\u03c3\u1d0f',
  p: '\u0440\u03c1\u1d18',
  q: '\u051b',
  r: '\u0433\u0280',
  s: '\u0455\ua731',
  t: '\u0442\u03c4\u1d1b',
  u: '\u03c5\u03bc\u1d1c',
  v: '\u03bd\u0475\u1d20',
  w: '\u051d\u03c9\u1d21',
  x: '\u0445\u03c7',
  y: '\u0443\u03b3\u028f',
  z: '\u1d22',
  A: '\u0410\u0391',
  B: '\u0412\u0392',
  C: '\u0421\u03f9',
  E: '\u0415\u0395',
  G: '\u050c',
  H: '\u041d\u0397',
  I: '\u0406\u0399',
  J: '\u0408',
  K: '\u041a\u039a',
  M: '\u041c\u039c',
  N: '\u039d',
  O: '\u041e\u039f',
  P: '\u0420\u03a1',
  Q: '\u051a',
  S: '\u0405',
  T: '\u0422\u03a4',
  W: '\u051c',
  X: '\u0425\u03a7',
  Y: '\u0423\u03a5',
  Z: '\u0396',
};
const LOOKALIKES = new Map(
  Object.entries(LOOKALIKES_OF).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);

/** Decodes ROT13, which shifts letters by 13 places. Other characters are unchanged. */
export function decodeRot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
}
