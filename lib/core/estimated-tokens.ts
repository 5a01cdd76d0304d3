const CHARACTERS_A_TOKEN = 4;

/** About how many tokens a text has, before any model has counted them. */
export function estimatedTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}
