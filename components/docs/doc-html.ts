import type { Element, ElementContent, Properties, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { buttonVariants } from '#components/ui/button.tsx';
import { codeBlockClasses } from '#components/ui/code-block.tsx';
import { highlightCode } from '#components/ui/highlight-lines.ts';
import { tableClasses } from '#components/ui/table.tsx';
import type { DocPath } from '#lib/docs/navigation.ts';
import { type Doc, docHref, headingId } from '#lib/docs/read-doc.ts';

/** An image file as the bundler serves it. Sizes are in pixels. */
type ImageFile = { src: string; width: number; height: number };

/** A documentation image in one theme, and a smaller copy for phones. */
type DocPicture = [wide: ImageFile, narrow: ImageFile];

/** Documentation images by the file name used in a page. */
export type DocPictures = Record<string, { light: DocPicture; dark: DocPicture }>;

/** Pages do not change while Hone runs. */
const rendered = new Map<DocPath, string>();

/**
 * Returns the body of a documentation page as HTML, rendered once per process. It is inserted as raw HTML, so the browser has nothing to
 * hydrate. All text is escaped. HTML within the Markdown is dropped.
 */
export function docHtml(doc: Doc, pictures: DocPictures): string {
  const known = rendered.get(doc.path);
  if (known !== undefined) return known;
  const html = renderDoc(doc, pictures);
  rendered.set(doc.path, html);
  return html;
}

/** Like `docHtml`, but not cached. */
export function renderDoc({ path, body }: Pick<Doc, 'path' | 'body'>, pictures: DocPictures): string {
  const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype);
  const tree = markdown.runSync(markdown.parse(body));
  let tables = 0;
  let isTop = true;
  const parts: Record<string, (element: Element) => ElementContent> = {
    h2: (heading) => {
      isTop = false;
      return withAnchor(heading);
    },
    h3: withAnchor,
    a: (link) => docLink(link, path),
    table: (table) => renderScrollableTable(table, `Table ${++tables}`),
    img: (image) => picture(image, pictures, isTop),
    pre: codeBlock,
  };
  return toHtml(withSections(replaceParts(tree, parts)));
}

/** Browsers then defer styling and layout of a section until it nears the viewport. The API reference has thousands of elements. */
const SECTION = '[content-visibility:auto] [contain-intrinsic-size:auto_30rem] [overflow-clip-margin:0.5rem]';

function withSections(tree: Root): Root {
  const children: Root['children'] = [];
  let section: Element | null = null;
  for (const node of tree.children) {
    if (node.type === 'doctype') continue;
    if (node.type === 'element' && node.tagName === 'h2') {
      section = element('section', { className: [SECTION] });
      children.push(section);
    }
    (section?.children ?? children).push(node);
  }
  return { ...tree, children };
}

/** Returns a copy of a tree with elements replaced by tag name, innermost first. */
function replaceParts(tree: Root, replacements: Record<string, (element: Element) => ElementContent>): Root {
  const replace = (node: ElementContent): ElementContent => {
    if (node.type !== 'element') return node;
    const children = BLOCKS.has(node.tagName) ? node.children.filter(isNoLineBreak) : node.children;
    const copy = { ...node, children: children.map(replace) };
    return replacements[node.tagName]?.(copy) ?? copy;
  };
  const children = tree.children.flatMap((node) =>
    node.type === 'doctype' || !isNoLineBreak(node) ? [] : [replace(node)],
  );
  return { ...tree, children };
}

/** Elements whose line breaks between children have no effect. A page of tables contains a thousand of them. */
const BLOCKS: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tr', 'ul', 'ol']);

function isNoLineBreak(node: ElementContent): boolean {
  return node.type !== 'text' || node.value !== '\n';
}

function element(tagName: string, properties: Properties, children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

function withAnchor(heading: Element): Element {
  const name = textOf(heading);
  const id = headingId(name);
  const anchor = element(
    'a',
    {
      className: ['text-ink-3 opacity-0 focus-visible:opacity-100 group-hover:opacity-100'],
      href: `#${id}`,
      ariaLabel: `Link to ${name}`,
    },
    [text('#')],
  );
  return element(heading.tagName, { id, className: ['group scroll-mt-4'] }, [...heading.children, text(' '), anchor]);
}

function docLink(link: Element, path: DocPath): Element {
  const href = docHref(path, String(link.properties.href ?? ''));
  const isOurs = href.startsWith('/') || href.startsWith('#');
  // Markdown links may contain `javascript:` URLs.
  if (!isOurs && !/^https?:/.test(href)) return element('span', {}, link.children);
  return element(
    'a',
    { className: ['link'], href, ...(isOurs ? {} : { rel: ['noreferrer', 'noopener'] }) },
    link.children,
  );
}

/** Makes the table focusable for keyboard scrolling. The page removes the tab stop if the table fits (`doc-body.tsx`). */
function renderScrollableTable(table: Element, label: string): Element {
  const inner = element('table', { className: [tableClasses({ isTight: true })] }, table.children);
  const reach = { tabIndex: 0, role: 'region', ariaLabel: label };
  return element('div', { dataScrollX: label, ...reach, className: ['relative overflow-x-auto'] }, [inner]);
}

/**
 * Renders an image in the theme of the system, and one for readers who chose the other theme. Browsers load the other one only when it is
 * shown. At the top of a page, the first one loads at once, so that it appears with the text.
 */
function picture({ properties }: Element, pictures: DocPictures, isTop: boolean): ElementContent {
  const found = pictures[String(properties.src).split('/').at(-1) ?? ''];
  if (found === undefined) return text('');
  const source = (media: string, { src }: ImageFile) => element('source', { media, srcSet: src });
  const themed = (
    [light, narrowLight]: DocPicture,
    [dark, narrowDark]: DocPicture,
    loading: Properties,
    className: string,
  ) =>
    element('picture', { className: [className] }, [
      source(`${PHONE} and ${DARK}`, narrowDark),
      source(PHONE, narrowLight),
      source(DARK, dark),
      element('img', {
        src: light.src,
        width: light.width,
        height: light.height,
        alt: properties.alt ?? '',
        ...loading,
      }),
    ]);
  const lazy = { loading: 'lazy', decoding: 'async' };
  const frame = 'block max-w-full [&_img]:h-auto [&_img]:w-full [&_img]:rounded-2 [&_img]:border [&_img]:border-line';
  return element('span', { className: [frame] }, [
    themed(found.light, found.dark, isTop ? { decoding: 'sync' } : lazy, SYSTEM_THEME),
    themed(found.dark, found.light, lazy, OTHER_THEME),
  ]);
}

const PHONE = '(max-width: 40rem)';
const DARK = '(prefers-color-scheme: dark)';

/** Shown while the theme is that of the system. */
const SYSTEM_THEME =
  '[@media(prefers-color-scheme:light)]:dark:hidden [@media(prefers-color-scheme:dark)]:not-dark:hidden';
const OTHER_THEME =
  'hidden [@media(prefers-color-scheme:light)]:dark:block [@media(prefers-color-scheme:dark)]:not-dark:block';

/** Language names of the highlighter by the name in a code block. */
const LANGUAGES: Record<string, string> = { sh: 'bash', ts: 'typescript', js: 'javascript' };

function codeBlock(block: Element): Element {
  const [inner] = block.children;
  const className = inner?.type === 'element' ? String(inner.properties.className ?? '') : '';
  const language = /language-(\w+)/.exec(className)?.[1] ?? '';
  const lines = highlightCode(textOf(block).trimEnd(), LANGUAGES[language] ?? language);
  const colored = lines.flatMap((line, index) => [
    ...line.map((token) =>
      token.kind === null ? text(token.text) : element('span', { className: [`k-${token.kind}`] }, [text(token.text)]),
    ),
    ...(index < lines.length - 1 ? [text('\n')] : []),
  ]);
  const copy = element(
    'button',
    {
      type: 'button',
      dataCopy: '',
      className: [`absolute top-1 right-1 ${buttonVariants({ variant: 'ghost', size: 'small' })}`],
    },
    [text('Copy')],
  );
  return element('div', { className: ['relative [&_pre]:pr-16'] }, [
    element('pre', { className: [`${codeBlockClasses} code`] }, colored),
    copy,
  ]);
}
