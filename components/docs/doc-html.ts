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
export type DocPicture = { src: string; width: number; height: number };

/** The pictures of the docs by the file that a page names. */
export type DocPictures = Record<string, { light: DocPicture; dark: DocPicture }>;

/** The pages do not change while Hone runs. */
const rendered = new Map<DocPath, string>();

/**
 * The body of a page of the docs as HTML, made once for the life of the process. It is inserted as HTML and not as elements: a browser then
 * has nothing to hydrate in it. Every text of the page is escaped. HTML within the Markdown is dropped.
 */
export function docHtml(doc: Doc, pictures: DocPictures): string {
  const known = rendered.get(doc.path);
  if (known !== undefined) return known;
  const html = renderDoc(doc, pictures);
  rendered.set(doc.path, html);
  return html;
}

/** As `docHtml`, but made anew. */
export function renderDoc({ path, body }: Pick<Doc, 'path' | 'body'>, pictures: DocPictures): string {
  const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype);
  const tree = markdown.runSync(markdown.parse(body));
  let tables = 0;
  const parts: Record<string, (element: Element) => ElementContent> = {
    h2: withAnchor,
    h3: withAnchor,
    a: (link) => docLink(link, path),
    table: (table) => scrolling(table, `Table ${++tables}`),
    img: (image) => picture(image, pictures),
    pre: codeBlock,
  };
  return toHtml(withSections(replaceParts(tree, parts)));
}

/** A browser styles and lays out a section once it comes near the window: the reference of the API has thousands of elements. */
const SECTION = '[content-visibility:auto] [contain-intrinsic-size:auto_30rem] [overflow-clip-margin:0.5rem]';

/** Puts each heading of the second level and what follows it into a section. */
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

/** A copy of a tree in which elements are replaced by tag, from the inside out. */
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

/** Elements in which line breaks between elements mean nothing. A page of tables has a thousand of them. */
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

/** The text of an element without its markup. */
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
  // Markdown may hold `javascript:`.
  if (!isOurs && !/^https?:/.test(href)) return element('span', {}, link.children);
  return element(
    'a',
    { className: ['link'], href, ...(isOurs ? {} : { rel: ['noreferrer', 'noopener'] }) },
    link.children,
  );
}

/** The keyboard reaches it, to scroll, until the page finds that it fits (`doc-body.tsx`). */
function scrolling(table: Element, label: string): Element {
  const inner = element('table', { className: [tableClasses({ isTight: true })] }, table.children);
  const reach = { tabIndex: 0, role: 'region', ariaLabel: label };
  return element('div', { dataScrollX: label, ...reach, className: ['relative overflow-x-auto'] }, [inner]);
}

/** A picture in the colors of the theme. A browser loads only the one that it shows. */
function picture({ properties }: Element, pictures: DocPictures): ElementContent {
  const found = pictures[String(properties.src).split('/').at(-1) ?? ''];
  if (found === undefined) return text('');
  const image = ({ src, width, height }: DocPicture, className: string) =>
    element('img', {
      src,
      width,
      height,
      alt: properties.alt ?? '',
      loading: 'lazy',
      decoding: 'async',
      className: [className],
    });
  const frame = 'block max-w-full [&_img]:h-auto [&_img]:w-full [&_img]:rounded-2 [&_img]:border [&_img]:border-line';
  return element('span', { className: [frame] }, [
    image(found.light, 'dark:hidden'),
    image(found.dark, 'hidden dark:block'),
  ]);
}

/** The language of a code block as the highlighter names it. */
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
