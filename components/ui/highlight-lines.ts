import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { isJson } from './is-json.ts';

/** A piece of code with its kind as named in the style sheet. Null is plain. */
export type CodeToken = { text: string; kind: CodeKind | null };
export type CodeKind = 'word' | 'text' | 'number' | 'name' | 'note';

const lowlight = createLowlight({ bash, css, javascript, json, python, sql, typescript, xml, yaml });

/** Maximum length in characters. Longer texts stay plain, because highlighting them would block the page. */
const MAX_HIGHLIGHT_LENGTH = 100_000;

/**
 * Returns the lines of a text with highlighted code: a complete JSON document, or fenced Markdown blocks in a known language. Joining the
 * lines with `\n` restores the text.
 */
export function highlightLines(text: string): CodeToken[][] {
  const lines = text.split('\n');
  const plain = lines.map((line): CodeToken[] => [{ text: line, kind: null }]);
  if (text.length > MAX_HIGHLIGHT_LENGTH) return plain;
  if (isJson(text)) return highlightCode(text, 'json');
  const fences = findFences(lines);
  for (const { from, to, language } of fences)
    for (const [at, line] of highlightCode(lines.slice(from, to).join('\n'), language).entries())
      if (from + at < to) plain[from + at] = line;
  return plain;
}

/** Returns the highlighted lines of code in one language. Plain if the language is unknown. */
export function highlightCode(code: string, language: string): CodeToken[][] {
  if (!lowlight.registered(language) || code.length > MAX_HIGHLIGHT_LENGTH)
    return code.split('\n').map((line) => [{ text: line, kind: null }]);
  const lines: CodeToken[][] = [[]];
  const append = (text: string, kind: CodeKind | null) =>
    text.split('\n').forEach((piece, index) => {
      if (index > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ text: piece, kind });
    });
  const walk = (nodes: readonly TreeNode[], kind: CodeKind | null) => {
    for (const node of nodes) {
      if (node.type === 'text') append(node.value, kind);
      else if (node.type === 'element') walk(node.children, kindOf(node.properties.className) ?? kind);
    }
  };
  walk(lowlight.highlight(language, code).children, null);
  return lines;
}

type TreeNode = ReturnType<typeof lowlight.highlight>['children'][number];

const KINDS: Record<string, CodeKind> = {
  'hljs-keyword': 'word',
  'hljs-built_in': 'word',
  'hljs-literal': 'number',
  'hljs-number': 'number',
  'hljs-string': 'text',
  'hljs-regexp': 'text',
  'hljs-attr': 'name',
  'hljs-title': 'name',
  'hljs-attribute': 'name',
  'hljs-name': 'name',
  'hljs-property': 'name',
  'hljs-comment': 'note',
  'hljs-meta': 'note',
};

function kindOf(className: unknown): CodeKind | null {
  const names = Array.isArray(className) ? className.map(String) : [];
  return names.map((name) => KINDS[name]).find((kind) => kind !== undefined) ?? null;
}

/** Returns the line ranges of fenced Markdown blocks, starting at 0, without the fences. */
function findFences(lines: readonly string[]): { from: number; to: number; language: string }[] {
  const fences: { from: number; to: number; language: string }[] = [];
  let open: { from: number; mark: string; language: string } | null = null;
  lines.forEach((line, index) => {
    const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    if (fence === null) return;
    const [, mark = '', language = ''] = fence;
    if (open === null) open = { from: index + 1, mark, language: language.toLowerCase() };
    else if (mark.startsWith(open.mark) && language === '') {
      fences.push({ from: open.from, to: index, language: open.language });
      open = null;
    }
  });
  return fences;
}
