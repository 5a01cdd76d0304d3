import { redactLesson } from './redact-lesson.ts';

/** Redacts a model response. Strings with escapes in JSON are also redacted in unescaped form. JSON stays valid JSON. */
export async function redactReply(text: string): Promise<string> {
  const { text: redacted } = await redactLesson(await redactEscaped(text));
  return isJson(text) && !isJson(redacted) ? redactStrings(text) : redacted;
}

/**
 * Redacts each string in a JSON text separately, so that no match extends beyond its end. A string after a key is scanned together with the
 * key.
 */
async function redactStrings(text: string): Promise<string> {
  const parts: string[] = [];
  let at = 0;
  let name: string | null = null;
  for (const { start, end } of literalsIn(text)) {
    const between = text.slice(at, start);
    const value = parse(text.slice(start, end)) ?? '';
    const alone = await redactLesson(value);
    const [named] = name === null || between.trim() !== ':' ? [] : (await redactLesson(`${name}: ${value}`)).findings;
    const isGivenAwayByName = alone.findings.length === 0 && named !== undefined;
    parts.push(between, JSON.stringify(isGivenAwayByName ? `[redacted: ${named.kind}]` : alone.text));
    name = value;
    at = end;
  }
  return parts.join('') + text.slice(at);
}

function isJson(text: string): boolean {
  return parse(text) !== null;
}

async function redactEscaped(text: string): Promise<string> {
  if (!text.includes('\\')) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of literalsIn(text)) {
    const literal = text.slice(start, end);
    if (!literal.includes('\\')) continue;
    parts.push(text.slice(at, start), await redactLiteral(literal));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

async function redactLiteral(literal: string): Promise<string> {
  const value = parse(literal);
  if (value === null) return literal;
  const { text, findings } = await redactLesson(value);
  return findings.length === 0 ? literal : JSON.stringify(text);
}

/** Yields each range from a quote to the next unescaped quote. */
function* literalsIn(text: string): Generator<{ start: number; end: number }> {
  let start = text.indexOf('"');
  while (start !== -1) {
    let end = start + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    if (end >= text.length) return;
    yield { start, end: end + 1 };
    start = text.indexOf('"', end + 1);
  }
}

/** Returns the parsed string, or null if the quotes do not enclose a JSON string. */
function parse(literal: string): string | null {
  try {
    return String(JSON.parse(literal));
  } catch {
    return null;
  }
}
