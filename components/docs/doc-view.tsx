/// <reference types="next/image-types/global" />

import { classNames } from '#components/ui/class-names.ts';
import { DOC_PATHS, DOC_SECTIONS, type DocPath } from '#lib/docs/navigation.ts';
import { type Doc, readDoc } from '#lib/docs/read-doc.ts';
import homeDark from '../../docs/pictures/home-dark.png';
import homeDarkNarrow from '../../docs/pictures/home-dark-narrow.webp';
import homeLight from '../../docs/pictures/home-light.png';
import homeLightNarrow from '../../docs/pictures/home-light-narrow.webp';
import lessonsDark from '../../docs/pictures/lessons-dark.png';
import lessonsDarkNarrow from '../../docs/pictures/lessons-dark-narrow.webp';
import lessonsLight from '../../docs/pictures/lessons-light.png';
import lessonsLightNarrow from '../../docs/pictures/lessons-light-narrow.webp';
import newExperimentDark from '../../docs/pictures/new-experiment-dark.png';
import newExperimentDarkNarrow from '../../docs/pictures/new-experiment-dark-narrow.webp';
import newExperimentLight from '../../docs/pictures/new-experiment-light.png';
import newExperimentLightNarrow from '../../docs/pictures/new-experiment-light-narrow.webp';
import reviewDark from '../../docs/pictures/review-dark.png';
import reviewDarkNarrow from '../../docs/pictures/review-dark-narrow.webp';
import reviewLight from '../../docs/pictures/review-light.png';
import reviewLightNarrow from '../../docs/pictures/review-light-narrow.webp';
import runDark from '../../docs/pictures/run-dark.png';
import runDarkNarrow from '../../docs/pictures/run-dark-narrow.webp';
import runLight from '../../docs/pictures/run-light.png';
import runLightNarrow from '../../docs/pictures/run-light-narrow.webp';
import tuningDark from '../../docs/pictures/tuning-dark.png';
import tuningDarkNarrow from '../../docs/pictures/tuning-dark-narrow.webp';
import tuningLight from '../../docs/pictures/tuning-light.png';
import tuningLightNarrow from '../../docs/pictures/tuning-light-narrow.webp';
import { ClientSideLinks, DocBody } from './doc-body.tsx';
import { type DocPictures, docHtml } from './doc-html.ts';
import { DocSearch } from './doc-search.tsx';

/** Documentation page between the list of all pages and its own table of contents. */
export function DocView({ doc }: { doc: Doc }) {
  return (
    <ClientSideLinks className="grid flex-1 grid-cols-1 medium:grid-cols-[15rem_minmax(0,1fr)] roomy:grid-cols-[15rem_minmax(0,1fr)_14rem]">
      <article className="min-w-0 px-6 py-6 max-narrow:px-4">
        <h1 className="text-2xl leading-[1.2]">{doc.title}</h1>
        <p className="prose mt-1 text-ink-2">{doc.description}</p>
        <DocBody key={doc.path} html={docHtml(doc, PICTURES)} className={ARTICLE} />
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
  '[&>:not(section)]:mt-3 [&>section>*]:mt-3 [&_h2]:mt-8 [&_h2]:text-xl [&_h3]:mt-6 [&_h3]:text-md',
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

/** Documentation images by file name. `npm run screenshots -- --docs` creates them. */
const PICTURES: DocPictures = {
  'home-light.png': { light: [homeLight, homeLightNarrow], dark: [homeDark, homeDarkNarrow] },
  'lessons-light.png': { light: [lessonsLight, lessonsLightNarrow], dark: [lessonsDark, lessonsDarkNarrow] },
  'new-experiment-light.png': {
    light: [newExperimentLight, newExperimentLightNarrow],
    dark: [newExperimentDark, newExperimentDarkNarrow],
  },
  'review-light.png': { light: [reviewLight, reviewLightNarrow], dark: [reviewDark, reviewDarkNarrow] },
  'run-light.png': { light: [runLight, runLightNarrow], dark: [runDark, runDarkNarrow] },
  'tuning-light.png': { light: [tuningLight, tuningLightNarrow], dark: [tuningDark, tuningDarkNarrow] },
};
