/// <reference types="next/image-types/global" />

import Image, { type StaticImageData } from 'next/image';
import { isValidElement, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { classNames } from '#components/ui/class-names.ts';
import { CodeText } from '#components/ui/code-text.tsx';
import { highlightCode } from '#components/ui/highlight-lines.ts';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { DOC_PATHS, DOC_SECTIONS, type DocPath } from '#lib/docs/navigation.ts';
import { type Doc, docHref, headingId, readDoc } from '#lib/docs/read-doc.ts';
import homeDark from '../../docs/pictures/home-dark.png';
import homeLight from '../../docs/pictures/home-light.png';
import lessonsDark from '../../docs/pictures/lessons-dark.png';
import lessonsLight from '../../docs/pictures/lessons-light.png';
import newExperimentDark from '../../docs/pictures/new-experiment-dark.png';
import newExperimentLight from '../../docs/pictures/new-experiment-light.png';
import reviewDark from '../../docs/pictures/review-dark.png';
import reviewLight from '../../docs/pictures/review-light.png';
import runDark from '../../docs/pictures/run-dark.png';
import runLight from '../../docs/pictures/run-light.png';
import tuningDark from '../../docs/pictures/tuning-dark.png';
import tuningLight from '../../docs/pictures/tuning-light.png';
import { ClientSideLinks } from './client-side-links.tsx';
import { CopyCode } from './copy-code.tsx';
import { DocSearch } from './doc-search.tsx';

/** A page of the documentation between the list of all pages and its own headings. */
export function DocView({ doc }: { doc: Doc }) {
  return (
    <ClientSideLinks className="grid flex-1 grid-cols-1 medium:grid-cols-[15rem_minmax(0,1fr)] roomy:grid-cols-[15rem_minmax(0,1fr)_14rem]">
      <article className="min-w-0 px-6 py-6 max-narrow:px-4">
        <h1 className="text-2xl leading-[1.2]">{doc.title}</h1>
        <p className="prose mt-1 text-ink-2">{doc.description}</p>
        <div className={ARTICLE}>
          <Markdown remarkPlugins={[remarkGfm]} components={partsOf(doc.path)}>
            {doc.body}
          </Markdown>
        </div>
        <Neighbours current={doc.path} />
      </article>
      <aside className="border-line px-4 py-4 max-medium:border-t medium:order-first medium:border-r">
        <DocSearch />
        <DocNavigation current={doc.path} />
      </aside>
      <nav className="hidden px-4 py-6 text-sm roomy:block" aria-label="On this page">
        {doc.headings.length > 1 ? (
          <div className="sticky top-6">
            <h2 className="mb-1 text-sm">On this page</h2>
            <ul>
              {doc.headings.map(({ id, text, level }) => (
                <li key={id} className={level === 3 ? 'pl-3' : undefined}>
                  <a className="block py-1.25 text-ink-2 hover:text-ink" href={`#${id}`}>
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </nav>
    </ClientSideLinks>
  );
}

const ARTICLE = [
  'mt-4 max-w-[46rem] text-base/[1.6]',
  '[&>*]:mt-3 [&_h2]:mt-8 [&_h2]:text-xl [&_h3]:mt-6 [&_h3]:text-md',
  '[&_ol]:list-decimal [&_ol]:pl-[1.4rem] [&_ul]:list-disc [&_ul]:pl-[1.4rem] [&_li]:mt-1',
].join(' ');

function DocNavigation({ current }: { current: DocPath }) {
  return (
    <nav aria-label="Documentation" className="mt-4 text-sm">
      {DOC_SECTIONS.map(({ folder, title, pages }) => (
        <details key={folder} className="mb-2" open={current.startsWith(`${folder}/`)}>
          <summary className="cursor-pointer py-1 font-semibold">{title}</summary>
          <ul className="mt-0.5 border-line border-l pl-2">
            {pages.map((name) => {
              const path = `${folder}/${name}` as DocPath;
              return (
                <li key={name}>
                  <a
                    className={classNames(
                      'block py-1.25 text-ink-2 hover:text-ink',
                      path === current && 'font-medium text-ink',
                    )}
                    aria-current={path === current ? 'page' : undefined}
                    href={`/docs/${path}`}
                  >
                    {readDoc(path).title}
                  </a>
                </li>
              );
            })}
          </ul>
        </details>
      ))}
    </nav>
  );
}

function Neighbours({ current }: { current: DocPath }) {
  const at = DOC_PATHS.indexOf(current);
  const [before, after] = [DOC_PATHS[at - 1], DOC_PATHS[at + 1]];
  return (
    <nav aria-label="Previous and next page" className="mt-10 flex gap-4 border-line border-t pt-3 text-sm">
      {before ? (
        <a className="link" href={`/docs/${before}`} rel="prev">
          ← {readDoc(before).title}
        </a>
      ) : null}
      {after ? (
        <a className="link ml-auto text-right" href={`/docs/${after}`} rel="next">
          {readDoc(after).title} →
        </a>
      ) : null}
    </nav>
  );
}

function partsOf(path: DocPath): Components {
  const heading = (Level: 'h2' | 'h3'): Components['h2'] =>
    function DocHeading({ children }) {
      const id = headingId(textOf(children));
      return (
        <Level id={id} className="group scroll-mt-4">
          {children}{' '}
          <a
            className="text-ink-3 opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
            href={`#${id}`}
            aria-label={`Link to ${textOf(children)}`}
          >
            #
          </a>
        </Level>
      );
    };
  let tables = 0;
  return {
    h2: heading('h2'),
    h3: heading('h3'),
    a: ({ href = '', children }) => {
      const target = docHref(path, href);
      const isOurs = target.startsWith('/') || target.startsWith('#');
      return (
        <a className="link" href={target} rel={isOurs ? undefined : 'noreferrer noopener'}>
          {children}
        </a>
      );
    },
    table: ({ children }) => (
      <ScrollX label={`Table ${++tables}`}>
        <Table isTight>{children}</Table>
      </ScrollX>
    ),
    img: ({ src, alt = '' }) => (typeof src === 'string' ? <DocPicture source={src} alt={alt} /> : null),
    pre: ({ children }) => children,
    code: ({ className, children }) => {
      const code = String(children);
      if (!code.endsWith('\n')) return <code>{children}</code>;
      return <Code code={code.trimEnd()} language={/language-(\w+)/.exec(className ?? '')?.[1] ?? ''} />;
    },
  };
}

/** The language of a code block as the highlighter names it. */
const LANGUAGES: Record<string, string> = { sh: 'bash', ts: 'typescript', js: 'javascript' };

function Code({ code, language }: { code: string; language: string }) {
  return (
    <div className="relative [&_pre]:pr-14">
      <CodeText lines={highlightCode(code, LANGUAGES[language] ?? language)} />
      <CopyCode code={code} />
    </div>
  );
}

/** The words of a heading without its markup. */
function textOf(children: ReactNode): string {
  if (typeof children === 'string' || typeof children === 'number') return String(children);
  if (Array.isArray(children)) return children.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(children) ? textOf(children.props.children) : '';
}

/** The pictures of the docs by the file that a page names. `npm run screenshots -- --docs` takes them. */
const PICTURES: Record<string, { light: StaticImageData; dark: StaticImageData }> = {
  'home-light.png': { light: homeLight, dark: homeDark },
  'lessons-light.png': { light: lessonsLight, dark: lessonsDark },
  'new-experiment-light.png': { light: newExperimentLight, dark: newExperimentDark },
  'review-light.png': { light: reviewLight, dark: reviewDark },
  'run-light.png': { light: runLight, dark: runDark },
  'tuning-light.png': { light: tuningLight, dark: tuningDark },
};

/** A picture in the colors of the theme. A browser loads only the one that it shows. */
function DocPicture({ source, alt }: { source: string; alt: string }) {
  const picture = PICTURES[source.split('/').at(-1) ?? ''];
  if (picture === undefined) return null;
  return (
    <span className="block max-w-full [&_img]:h-auto [&_img]:w-full [&_img]:rounded-2 [&_img]:border [&_img]:border-line">
      <Image unoptimized src={picture.light} alt={alt} className="dark:hidden" />
      <Image unoptimized src={picture.dark} alt={alt} className="hidden dark:block" />
    </span>
  );
}
