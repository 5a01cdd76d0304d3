/** Returns the sentences of a text unchanged. List lines and headings are separate sentences. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.match(/[^.!?]+(?:[.!?]+(?=\s|$)|$|[.!?]+)+/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}

export function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
}

/** Inserts a paragraph before the first one that matches, or at the end. */
export function withParagraph(text: string, paragraph: string, before: RegExp | null): string {
  const paragraphs = paragraphsOf(text.trimEnd());
  const found = before === null ? -1 : paragraphs.findIndex((candidate, at) => at > 0 && before.test(candidate));
  paragraphs.splice(found < 0 ? paragraphs.length : found, 0, paragraph);
  return paragraphs.join('\n\n');
}

/** Appends a sentence to the nth paragraph of prose (the last one if there are fewer). */
export function withSentence(text: string, sentence: string, nth: number): string {
  const paragraphs = paragraphsOf(text.trimEnd());
  if (paragraphs.length === 0) return sentence;
  const at = Math.min(nth, paragraphs.length - 1);
  paragraphs[at] = `${(paragraphs[at] ?? '').trimEnd()} ${sentence}`;
  return paragraphs.join('\n\n');
}

export function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
}

/** Removes spaces left by a deletion, and capitalizes the beginnings of sentences. */
export function tidyText(text: string): string {
  return text
    .replace(/[^\S\n]{2,}/g, ' ')
    .replace(/[^\S\n]+([,.;:!?])/g, '$1')
    .replace(/,\s*([.!?])/g, '$1')
    .replace(/^[^\S\n]+/gm, '')
    .replace(/(^|[.!?]\s+)(\p{Ll})/gu, (_whole, before: string, letter: string) => before + letter.toUpperCase())
    .trim();
}
