/** Returns the sentences of a Markdown text: prose and list items, without code, tables, headings and link URLs. */
export function sentencesOf(markdown: string): string[] {
  const prose = markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^[#|].*$/gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/[*_>]/g, '');
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?:])\s+(?=[A-Z0-9])/))
    .map((sentence) => sentence.replace(/^\s*(?:[-*]|\d+\.) /, '').trim())
    .filter((sentence) => sentence.split(' ').length > 2);
}

/**
 * Returns the Flesch-Kincaid grade level: the years of school a reader needs. Source: Kincaid et al. 1975. Syllables are counted as groups
 * of vowels, without a silent e.
 */
export function gradeOf(sentences: readonly string[]): number {
  const words = sentences.flatMap((sentence) => sentence.split(' ').filter((word) => /\p{L}/u.test(word)));
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59;
}

function syllablesOf(word: string): number {
  const letters = word
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/(?:[^laeiouy]es|ed|[^laeiouy]e)$/, '');
  return Math.max(1, letters.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}
