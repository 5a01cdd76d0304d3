/** The end of a prompt that is sent once more: what was wrong with the reply before it. Nothing the first time. */
export function askedAgain(wrong: string[] | null): string[] {
  if (wrong === null) return [];
  return [
    `Your last reply could not be used:\n${wrong.map((line) => `- ${line}`).join('\n')}\nAnswer once more, in full.`,
  ];
}
