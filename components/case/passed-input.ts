const PASSED_AT = 'hone:passed-input';

/** Passes an input to the form that opens next. It may be too long for a URL. */
export function passInput(input: string): void {
  sessionStorage.setItem(PASSED_AT, input);
}

/** Returns the input that was passed to this form, once. */
export function takePassedInput(): string | null {
  const input = sessionStorage.getItem(PASSED_AT);
  sessionStorage.removeItem(PASSED_AT);
  return input;
}
