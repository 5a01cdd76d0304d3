/** A text from a provider made fit to show: the key, bearer tokens, key-like words and passwords in addresses blotted out. */
export function redactSecrets(text: string, apiKey: string | null): string {
  const withoutKey = apiKey !== null && apiKey.length >= 4 ? text.replaceAll(apiKey, '[key]') : text;
  return withoutKey
    .replace(/\b(?:bearer|basic)\s+[\w.~+/=-]{6,}/gi, '[key]')
    .replace(/\b(?:(?:sk|pk|rk|gsk|xai)[-_]|AIza)[\w*.-]{8,}/g, '[key]')
    .replace(/([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi, '$1[key]')
    .replace(/\/\/[^/\s:@]*:[^/\s@]*@/g, '//');
}
