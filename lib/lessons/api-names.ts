/** Most names that are taken from one input, and how much of it is looked through, in characters. */
const MOST_NAMES = 12;
const LOOKED_THROUGH = 20_000;
/** Shorter ones are abbreviations, such as `e.g`. */
const SHORTEST = 5;

/**
 * Names of tools and APIs in a text: hosts, paths of endpoints, and names of several parts such as `fetch_page`, `listOrders` or
 * `orders.list`. Each once, in lower case, at most 12.
 */
export function apiNames(text: string): string[] {
  const found = text.slice(0, LOOKED_THROUGH).match(NAME) ?? [];
  const names = found.flatMap((name) => namesIn(name.replace(/[.,;:!?)\]}'"]+$/, '')));
  return [...new Set(names.map((name) => name.toLowerCase()))]
    .filter((name) => name.length >= SHORTEST)
    .slice(0, MOST_NAMES);
}

/** Whether a text speaks of a name, in lower case, as a whole. */
export function speaksOf(text: string, name: string): boolean {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1)) {
    const before = lower[at - 1] ?? ' ';
    const after = lower[at + name.length] ?? ' ';
    if (!PART.test(before) && !PART.test(after)) return true;
  }
  return false;
}

const PART = /[\p{L}\p{N}_]/u;
const NAME =
  /https?:\/\/[^\s<>"'`]+|(?<![\w./-])\/[a-z][\w-]*(?:\/[\w{}:-]+)+|\b[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*(?:[._][a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g;

function namesIn(name: string): string[] {
  if (!/^https?:/.test(name)) return [name];
  if (!URL.canParse(name)) return [];
  const { hostname, pathname } = new URL(name);
  return pathname.length > 1 ? [hostname, pathname.replace(/\/$/, '')] : [hostname];
}
