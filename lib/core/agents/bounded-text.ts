/**
 * A model's or tool's text as it is kept and asked with: at most so many characters, and none that the database would replace, for a
 * question must be the same whether it is asked at once or after a restart.
 */
export function boundedText(text: string, longest: number): string {
  return text.slice(0, longest).replaceAll('\u0000', '\uFFFD').toWellFormed();
}
