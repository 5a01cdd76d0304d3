'use client';

import { type ComponentProps, useMemo } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeText } from '#components/ui/code-block.tsx';
import { highlightCode } from '#components/ui/highlight-lines.ts';
import { isJson } from '#components/ui/is-json.ts';
import { JsonText } from '#components/ui/json-text.tsx';
import { OutputText } from '#components/ui/output-text.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';

const MARKDOWN = [
  'prose whitespace-normal following:mt-[0.7rem] [&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-[0.7rem] [&_blockquote]:text-ink-2',
  '[:where(&_h3)]:text-base [&_ol]:list-decimal [&_ol]:pl-[1.4rem] [&_ul]:list-disc [&_ul]:pl-[1.4rem]',
  '[&_:is(p,li,h3,blockquote,td,th)]:[unicode-bidi:plaintext]',
].join(' ');

/** Renders an output as Markdown. Raw HTML stays text and nothing is loaded from other hosts: images show their URL. */
export function RenderedOutput({ text, isBoxed = true }: { text: string; isBoxed?: boolean }) {
  const isWholeJson = useMemo(() => isJson(text), [text]);
  const isMarkdown = useMemo(() => canRenderMarkdown(text), [text]);
  if (isWholeJson) return <JsonText text={text} />;
  if (!isMarkdown)
    return (
      <>
        <p className="text-ink-2 text-sm">
          This text is too long or too deeply nested to render, so it is shown as plain text.
        </p>
        {isBoxed ? (
          <OutputText data-testid="rendered">{text}</OutputText>
        ) : (
          <div className="prose whitespace-pre-wrap" data-testid="rendered">
            {text}
          </div>
        )}
      </>
    );
  const Frame = isBoxed ? OutputText : 'div';
  return (
    <Frame className={MARKDOWN} data-testid="rendered">
      <Markdown remarkPlugins={[remarkGfm]} components={PARTS}>
        {text}
      </Markdown>
    </Frame>
  );
}

/** All headings are `h3`, below the page's own headings, to keep the page outline intact. */
function Heading({ children }: ComponentProps<'h3'>) {
  return <h3>{children}</h3>;
}

const PARTS: Components = {
  h1: ({ children }) => <h3 className="text-xl">{children}</h3>,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  img: ({ src, alt }) => (
    <span className="text-ink-3">
      [picture{alt ? `: ${alt}` : ''}
      {typeof src === 'string' && src !== '' ? `, ${src}` : ''}]
    </span>
  ),
  a: ({ href, children }) => (
    <a className="link" href={href} title={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
  table: ({ children }) => (
    <ScrollX label="Table">
      <Table isTight>{children}</Table>
    </ScrollX>
  ),
  pre: ({ children }) => children,
  code: ({ className, children }) => {
    const code = String(children);
    const language = /language-([\w+-]+)/.exec(className ?? '')?.[1];
    if (language === undefined && !code.includes('\n')) return <code>{code}</code>;
    return <CodeText lines={highlightCode(code.replace(/\n$/, ''), language ?? '')} />;
  },
};

/** Maximum length in characters. Longer texts are shown as plain text. */
const MAX_CHARACTERS = 50_000;
/** Each line can be a block, such as a heading or a table row. */
const MAX_LINES = 5_000;
/** Maximum number of lists and quotations opened on one line. Each level multiplies the parser's work. */
const MAX_CONTAINERS_PER_LINE = 16;
const MAX_CONTAINERS = 4_000;
/** Limits on emphasis markers and closing brackets. The parser compares each with all earlier ones. */
const MAX_EMPHASIS_MARKERS = 2_500;
const MAX_CLOSING_BRACKETS = 2_500;

const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$)))+/gm;
const CONTAINER = />|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)]/g;

/**
 * True if a text renders as Markdown in well under a second. The parser is quadratic or worse for some artificial texts: 9 kB of nested
 * list markers took 41 s. Such texts are shown as plain text. This check is linear in the text length.
 */
export function canRenderMarkdown(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return false;
  if (countOf(text, /\n/g, MAX_LINES) > MAX_LINES) return false;
  if (countOf(text, /[*_~]/g, MAX_EMPHASIS_MARKERS) > MAX_EMPHASIS_MARKERS) return false;
  if (countOf(text, /\]/g, MAX_CLOSING_BRACKETS) > MAX_CLOSING_BRACKETS) return false;
  let containers = 0;
  for (const [markers] of text.matchAll(CONTAINERS)) {
    const count = countOf(markers, CONTAINER, MAX_CONTAINERS_PER_LINE);
    containers += count;
    if (count > MAX_CONTAINERS_PER_LINE || containers > MAX_CONTAINERS) return false;
  }
  return true;
}

/** Counts the matches of a global pattern and stops once the count exceeds `most`. */
function countOf(text: string, pattern: RegExp, most: number): number {
  let count = 0;
  for (const _match of text.matchAll(pattern)) {
    count += 1;
    if (count > most) break;
  }
  return count;
}
