import { redactLesson } from './redact-lesson.ts';

/**
 * Redacts what a model answered. Where it holds JSON, texts with escapes in them are also redacted as they will be read; what comes
 * out is JSON as before.
 */
export async function redactReply(text: string): Promise<string> {
  const { text: redacted } = await redactLesson(await redactEscaped(text));
  return isJson(text) && !isJson(redacted) ? redactStrings(text) : redacted;
}

/** Redacts each string of a JSON text alone, so that nothing found reaches past its end. A string after a name is read with the name. */
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

/** From each quotation mark to the next one that is not escaped. */
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

/** Null where the marks stand around something else than a text of JSON. */
function parse(literal: string): string | null {
  try {
    return String(JSON.parse(literal));
  } catch {
    return null;
  }
}
