/** How keys of model providers and their like begin, as part of a pattern. */
export const KEY_PREFIX =
  '(?:sk|pk|rk|gsk|xai|r8|pplx|nvapi|tgp|whsec|glpat|xox[abopr]|gh[oprsu]|github_pat)[-_]|AIza|GOCSPX-';
const KEY = new RegExp(`\\b(?:${KEY_PREFIX})[\\w*.-]{8,}`, 'g');

/** A text from a provider made fit to show: the key, bearer tokens, key-like words and passwords in addresses blotted out. */
export function redactSecrets(text: string, apiKey: string | null): string {
  const withoutKey = apiKey !== null && apiKey.length >= 4 ? text.replaceAll(apiKey, '[key]') : text;
  return withoutKey
    .replace(/\b(?:bearer|basic)\s+[\w.~+/=-]{6,}/gi, '[key]')
    .replace(KEY, '[key]')
    .replace(/([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi, '$1[key]')
    .replace(/\/\/[^/\s:@]*:[^/\s@]*@/g, '//');
}
