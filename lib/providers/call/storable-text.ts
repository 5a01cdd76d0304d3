/** A model's text as it can be stored: U+0000 and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed();
}
