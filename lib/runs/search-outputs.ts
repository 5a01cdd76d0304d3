import type { DatabaseClient } from '#lib/database/database.ts';
import { type Page, pageOf, prefixQuery } from '#lib/database/query-values.ts';
import { findByWords, MAX_SNIPPET_SEARCH_LENGTH } from './queries.ts';
import { unsearchedRuns } from './run-measures.ts';
import type { OutputHit } from './schema.ts';

/** An excerpt of a text around the search hits. `marks` are the positions of the hits in it, start and end. */
type Snippet = { text: string; marks: [from: number, to: number][]; found: number };

/** Number of characters before the first hit. `LENGTH` is that of the whole excerpt. */
const BEFORE = 60;
const LENGTH = 240;

/** Returns the distinct words of a query, in lower case and without punctuation. */
export function searchTerms(typed: string): string[] {
  return [...new Set(typed.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/**
 * Returns the excerpt of a text that contains most of the words (`searchTerms`), or the first such excerpt. Words match as prefixes and
 * case-insensitively. `found` is the number of distinct words in it. Null if no word occurs in the text.
 */
export function findSnippet(text: string, words: readonly string[]): Snippet | null {
  const hits = hitsIn(text, words);
  let best: { from: number; found: number } | null = null;
  for (const [at, hit] of hits.entries()) {
    const end = hit.from - BEFORE + LENGTH;
    const inside = new Set<string>();
    for (let next = at; next < hits.length; next++) {
      const other = hits[next];
      if (other === undefined || other.to > end) break;
      inside.add(other.word);
    }
    if (inside.size > (best?.found ?? 0)) best = { from: hit.from, found: inside.size };
    if (best?.found === words.length) break;
  }
  if (best === null) return null;
  const from = Math.max(0, best.from - BEFORE);
  const to = Math.min(text.length, from + LENGTH);
  const lead = from > 0 ? '… ' : '';
  const marks = hits.flatMap((hit): Snippet['marks'] =>
    hit.from >= from && hit.to <= to ? [[hit.from - from + lead.length, hit.to - from + lead.length]] : [],
  );
  return {
    text: `${lead}${text.slice(from, to).toWellFormed()}${to < text.length ? ' …' : ''}`,
    marks,
    found: best.found,
  };
}

/** Maximum number of hits compared. More do not lead to a better excerpt. */
const MAX_HITS = 2_000;

function hitsIn(text: string, words: readonly string[]): { from: number; to: number; word: string }[] {
  if (words.length === 0) return [];
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  // Words contain only letters and digits, so they need no escaping in a pattern.
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})`, 'giu');
  const hits: { from: number; to: number; word: string }[] = [];
  for (const match of text.matchAll(pattern)) {
    hits.push({ from: match.index, to: match.index + match[0].length, word: match[0].toLowerCase() });
    if (hits.length === MAX_HITS) break;
  }
  return hits;
}

type OutputSearch = { query: string; experimentId: string | null; cursor: string | null; limit: number };

/**
 * Returns ended runs whose input and outputs contain all words as prefixes, newest first. Each has the excerpt with most of the words. A
 * query without letters and digits finds nothing. The cursor is a run number.
 */
export async function searchOutputs(
  { prisma }: DatabaseClient,
  { query, experimentId, cursor, limit }: OutputSearch,
): Promise<Page<OutputHit>> {
  const words = searchTerms(query);
  if (words.length === 0) return { items: [], nextCursor: null };
  const before = cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : null;
  const rows = await findByWords({ prisma }, prefixQuery(query), { experimentId, before, limit: limit + 1 });
  const page = pageOf(rows, limit, ({ number }) => String(number));
  const texts = await textsOf(
    { prisma },
    page.items.map(({ runId }) => runId),
  );
  const items = page.items.map(({ wholeInput, bestVersion, ...hit }) => {
    const outputs = texts.get(hit.runId) ?? [];
    // Among texts with equally many words, the best version comes first, then the latest, then the input.
    const inTurn = [
      ...outputs.filter(({ number }) => number === bestVersion),
      ...outputs.filter(({ number }) => number !== bestVersion).toReversed(),
      { number: null, output: wholeInput },
    ];
    return { ...hit, ...bestPiece(inTurn, words) };
  });
  return { items, nextCursor: page.nextCursor };
}

/** Returns true if texts of ended runs are still being made searchable. */
export async function isIndexing(database: DatabaseClient): Promise<boolean> {
  return (await unsearchedRuns(database, 1)).length > 0;
}

type Text = { number: number | null; output: string };

async function textsOf({ prisma }: DatabaseClient, runIds: string[]): Promise<Map<string, Text[]>> {
  const versions = await prisma.reflectionVersion.findMany({
    where: { runId: { in: runIds }, output: { not: '' } },
    select: { runId: true, number: true, output: true },
    orderBy: [{ runId: 'asc' }, { number: 'asc' }],
  });
  const texts = versions.map((version) => ({ ...version, output: version.output.slice(0, MAX_SNIPPET_SEARCH_LENGTH) }));
  return Map.groupBy(texts, ({ runId }) => runId);
}

/** Returns the excerpt with most of the words. If no text contains any of them literally, returns the beginning of the first text. */
function bestPiece(texts: readonly Text[], words: readonly string[]): Pick<OutputHit, 'version' | 'snippet'> {
  let best: { version: number | null; snippet: Snippet } | null = null;
  for (const { number, output } of texts) {
    const snippet = findSnippet(output, words);
    if (snippet !== null && snippet.found > (best?.snippet.found ?? 0)) best = { version: number, snippet };
    if (best?.snippet.found === words.length) break;
  }
  if (best !== null) return { version: best.version, snippet: { text: best.snippet.text, marks: best.snippet.marks } };
  const [first] = texts;
  return {
    version: first?.number ?? null,
    snippet: { text: first?.output.slice(0, 240).toWellFormed() ?? '', marks: [] },
  };
}
