const LONGEST = 4_000;

/**
 * Takes out keys by their common forms, passwords in addresses, authorization headers and cookies, secrets in queries, and the tokens
 * of links that let somebody in; keeps at most 4,000 characters.
 */
export function withoutSecrets(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/\b(?:(?:sk|pk|rk|key|xai|gsk)[-_]|hone_|AIza)[-_A-Za-z0-9]{12,}/g, '[key]')
    .replace(/(\/join\/)[^\s/?#"']+/g, '$1[link]')
    .replace(/(\/\/)[^\s/@]+@/g, '$1[user]@')
    .replace(/\b((?:set-)?cookie"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\r\n]+)/gi, '$1[cookie]')
    .replace(/\b(bearer|basic)\s+[^\s"',]+/gi, '$1 [token]')
    .replace(/([?&][\w.-]*(?:key|token|secret|password|signature|auth)[\w.-]*=)[^\s&#"']+/gi, '$1[secret]')
    .replace(/("?(?:api[-_]?key|password|secret|token)"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}&]+)/gi, '$1[secret]');
}

/** What was thrown, with its stack and without secrets. */
export function thrownText(thrown: unknown): string {
  return withoutSecrets(
    thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown),
  );
}
