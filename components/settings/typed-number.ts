/** The number typed, or the text itself so that the answer can name it. */
export function typedNumber(text: string): unknown {
  const number = Number(text.trim());
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}
