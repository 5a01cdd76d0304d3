/** Returns the number, or the text itself so that the error message can quote it. */
export function typedNumber(text: string): unknown {
  const number = Number(text.trim());
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}
