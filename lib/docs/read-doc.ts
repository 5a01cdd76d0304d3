import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { project } from '#lib/system/installation.mjs';
import { DOC_PATHS, type DocPath } from './navigation.ts';

type DocHeading = { level: 2 | 3; text: string; id: string };

/** A documentation page. `body` is Markdown without the front matter. */
export type Doc = { path: DocPath; title: string; description: string; body: string; headings: DocHeading[] };

const frontMatterSchema = z.strictObject({ title: z.string().min(1), description: z.string().min(1) });

const FOLDER = path.join(project, 'docs');
/** The files do not change while Hone runs. */
const docs = new Map<DocPath, Doc>();

/** Reads a page of `docs/` and caches it for the life of the process. Throws if its front matter is malformed, which a test checks. */
export function readDoc(docPath: DocPath): Doc {
  const known = docs.get(docPath);
  if (known !== undefined) return known;
  const doc = parseDoc(docPath, readFileSync(path.join(FOLDER, `${docPath}.md`), 'utf8'));
  docs.set(docPath, doc);
  return doc;
}

/** Splits a file into front matter, Markdown and headings. */
export function parseDoc(docPath: DocPath, text: string): Doc {
  const [, frontMatter = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const { title, description } = frontMatterSchema.parse(parse(frontMatter));
  return { path: docPath, title, description, body: body.trim(), headings: headingsOf(body) };
}

function headingsOf(body: string): DocHeading[] {
  const prose = body.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^(#{2,3}) (.+)$/gm)].map(([, marks = '', text = '']) => ({
    level: marks.length === 2 ? 2 : 3,
    text: plainText(text),
    id: headingId(plainText(text)),
  }));
}

function plainText(markdown: string): string {
  return markdown.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** Returns the anchor of a heading in GitHub's format: lower case, hyphens for spaces, no punctuation. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Converts a link in a page to a URL of the app. Links to other pages become `/docs/…`. Other links stay unchanged. */
export function docHref(from: DocPath, href: string): string {
  const [file = '', anchor] = href.split('#');
  if (/^[a-z]+:/i.test(href) || !file.endsWith('.md')) return href;
  const target = path.posix.join('/docs', path.posix.dirname(from), file.slice(0, -'.md'.length));
  return anchor === undefined ? target : `${target}#${anchor}`;
}

/** A search result in the documentation: a page or one of its sections. */
type DocMatch = { href: string; title: string; section: string | null; excerpt: string };

const EXCERPT_CHARACTERS = 140;

/** Searches pages and sections that contain every word of a query. Matches in the title or heading come first. At most `limit`. */
export function searchDocs(query: string, limit: number): DocMatch[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return DOC_PATHS.flatMap((docPath) => sectionsOf(readDoc(docPath)))
    .map((part) => ({ part, rank: rankOf(part, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, limit)
    .map(({ part }) => ({
      href: part.href,
      title: part.title,
      section: part.section,
      excerpt: excerptOf(part.text, words[0] ?? ''),
    }));
}

type DocPart = Omit<DocMatch, 'excerpt'> & { text: string };

function sectionsOf({ path: docPath, title, description, body, headings }: Doc): DocPart[] {
  const texts = body
    .split(/^#{2,3} .+$/m)
    .map((text) => text.replaceAll(/[`*|]|^-{3,}$/gm, ' ').replaceAll(/\s+/g, ' '));
  const page = { href: `/docs/${docPath}`, title, section: null, text: `${description} ${texts[0] ?? ''}` };
  return [
    page,
    ...headings.map(({ id, text }, index) => ({
      href: `/docs/${docPath}#${id}`,
      title,
      section: text,
      text: texts[index + 1] ?? '',
    })),
  ];
}

function rankOf({ title, section, text }: DocPart, words: readonly string[]): number {
  const heading = (section ?? title).toLowerCase();
  const all = `${heading} ${title.toLowerCase()} ${text.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return 0;
  return 1 + words.filter((word) => heading.includes(word)).length + (section === null ? 0.5 : 0);
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  const from = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const piece = text.slice(from, from + EXCERPT_CHARACTERS).trim();
  return `${from > 0 ? '… ' : ''}${piece}${from + EXCERPT_CHARACTERS < text.length ? ' …' : ''}`;
}
