/** Elements whose content is no text of the page. */
const LEFT_OUT = ['script', 'style', 'template', 'noscript', 'svg', 'head'];
/** Tags that end a line. */
const BLOCK =
  /^\/?(?:p|div|br|hr|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|main|nav|pre|blockquote|dt|dd|title)$/;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The words of a page, without tags, scripts and styles; its title first. Takes time by the length of the page. */
export function htmlToText(html: string): string {
  const lower = inSmallLetters(html);
  const title = titleOf(html, lower);
  const parts = title === null ? [] : [title, '\n'];
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, open));
    const name = /^\/?[a-z][a-z0-9]*/.exec(lower.slice(open + 1, open + 20))?.[0];
    if (name === undefined && !/^[!?/]/.test(html.slice(open + 1, open + 2))) {
      parts.push('<');
      at = open + 1;
      continue;
    }
    const isComment = html.startsWith('<!--', open);
    const end = isComment
      ? endOf(html, '-->', open)
      : endOf(html, '>', LEFT_OUT.includes(name ?? '') ? startOf(lower, `</${name}`, open) : open);
    if (name !== undefined && BLOCK.test(name)) parts.push('\n');
    at = end;
  }
  return tidy(decoded(parts.join('')));
}

/** Of the same length, as `toLowerCase` is not for every sign. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function titleOf(html: string, lower: string): string | null {
  const open = lower.indexOf('<title');
  const from = open === -1 ? -1 : lower.indexOf('>', open);
  const to = from === -1 ? -1 : lower.indexOf('</title', from);
  return to === -1 ? null : html.slice(from + 1, to);
}

function startOf(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found;
}

function endOf(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found + part.length;
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hexadecimal, name) => {
    if (typeof name === 'string') return NAMED[name.toLowerCase()] ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hexadecimal), 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t\r\f]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
