'use client';

import { type ComponentProps, useMemo } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { CodeText } from './code-text.tsx';
import { highlightCode, highlightLines, isJson } from './highlight-lines.ts';
import { canRenderMarkdown } from './markdown-limits.ts';

/** An output as Markdown. Raw HTML stays text, and nothing is loaded from elsewhere: a picture shows its address. */
export function RenderedOutput({ text, isBoxed = true }: { text: string; isBoxed?: boolean }) {
  const json = useMemo(() => (isJson(text) ? highlightLines(text) : null), [text]);
  const isMarkdown = useMemo(() => canRenderMarkdown(text), [text]);
  if (json) return <CodeText lines={json} />;
  if (!isMarkdown)
    return (
      <>
        <p className="muted sm">This text is too long or too deeply nested to render, so it is shown as plain text.</p>
        <div className={isBoxed ? 'prose output' : 'prose whitespace-pre-wrap'} data-testid="rendered">
          {text}
        </div>
      </>
    );
  return (
    <div className={isBoxed ? 'prose output markdown' : 'prose markdown'} data-testid="rendered">
      <Markdown remarkPlugins={[remarkGfm]} components={PARTS}>
        {text}
      </Markdown>
    </div>
  );
}

/** All headings are of one level under the page's own, so that the outline of the page stays whole. */
function Heading({ children }: ComponentProps<'h3'>) {
  return <h3>{children}</h3>;
}

const PARTS: Components = {
  h1: ({ children }) => <h3 className="big">{children}</h3>,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  img: ({ src, alt }) => (
    <span className="faint">
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
      <table className="t tight">{children}</table>
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
