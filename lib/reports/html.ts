/** Markup that is safe to stand in a page; out of texts that people wrote only `html` makes it. */
export type Html = { readonly markup: string };
type Part = Html | string | number | null | readonly Part[];

/** A piece of HTML or SVG. What is put into it is escaped, but for other pieces and lists of them; null is nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: texts.map((text, place) => text + markupOf(parts[place] ?? null)).join('') };
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it may stand between tags and inside of quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => NAMES[character] ?? character);
}
