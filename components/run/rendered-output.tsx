'use client';

import { type ComponentProps, useMemo } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeText } from '#components/ui/code-text.tsx';
import { highlightCode } from '#components/ui/highlight-lines.ts';
import { isJson } from '#components/ui/is-json.ts';
import { JsonText } from '#components/ui/json-text.tsx';
import { OutputText } from '#components/ui/output-text.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { canRenderMarkdown } from './markdown-limits.ts';

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
