/** Texts around a chart in its exported picture: title and notes (such as n and the interval) above, the source below. */
export type PictureTexts = { title: string; notes: readonly string[]; source: string };
export type ChartPicture = { svg: string; width: number; height: number };

/** Returns the last line of a picture, which names the source of its numbers. */
export function sourceLine(parts: readonly string[]): string {
  return ['Hone', ...parts].join(' · ');
}

const PADDING = 20;
/** Minimum width, so that the picture of a small chart has room for its title. */
const MIN_WIDTH = 480;
const TITLE = { size: 15, weight: 600, line: 20 };
const NOTE = { size: 12, weight: 400, line: 17 };

/** Style properties copied to each element of an exported chart. */
const PROPERTIES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-opacity', 'opacity', 'font-size', 'font-weight', 'text-anchor', 'paint-order', 'visibility', 'display'],
] as const;

/**
 * Draws a self-contained picture of the given charts, stacked vertically. They keep their current appearance, with colors, sizes, the
 * embedded font and the background of the current theme.
 */
export async function drawChartPicture(charts: readonly SVGSVGElement[], texts: PictureTexts): Promise<ChartPicture> {
  const parts = charts.map(partOf);
  const inner = Math.max(MIN_WIDTH, ...parts.map(({ box }) => box.width));
  const root = getComputedStyle(document.documentElement);
  const colour = (name: string) => escaped(root.getPropertyValue(name).trim());
  const family = getComputedStyle(document.body).fontFamily;
  let y = PADDING;
  const line = (text: string, { size, weight, line: height }: typeof TITLE, fill: string, isRightToLeft: boolean) => {
    y += height;
    return `<text x="${isRightToLeft ? PADDING + inner : PADDING}" y="${y - 5}" font-size="${size}" font-weight="${weight}" fill="${fill}"${isRightToLeft ? ' direction="rtl"' : ''}>${escaped(text)}</text>`;
  };
  const lines = (text: string, look: typeof TITLE, fill: string) =>
    wrapText(text, inner, measureBy(`${look.weight} ${look.size}px ${family}`)).map((part) =>
      line(part, look, fill, RIGHT_TO_LEFT.test(text)),
    );
  const drawn = [
    ...lines(texts.title, TITLE, colour('--ink')),
    ...texts.notes.flatMap((note) => lines(note, NOTE, colour('--ink-2'))),
  ];
  y += 10;
  for (const { box, markup } of parts) {
    drawn.push(
      `<svg x="${PADDING}" y="${y}" width="${box.width}" height="${box.height}" viewBox="${box.x} ${box.y} ${box.width} ${box.height}">${markup}</svg>`,
    );
    y += box.height + 10;
  }
  drawn.push(...lines(texts.source, NOTE, colour('--ink-3')));
  const width = Math.ceil(inner + 2 * PADDING);
  const height = Math.ceil(y + PADDING - 4);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(family)}">`,
    `<title>${escaped(texts.title)}</title>`,
    `<style>${await fontFace(family)}text{font-variant-numeric:tabular-nums}</style>`,
    `<rect width="${width}" height="${height}" fill="${colour('--bg')}"/>`,
    ...drawn,
    '</svg>',
  ].join('');
  return { svg: svg.replaceAll(INVALID_XML_CHARACTERS, ''), width, height };
}

/** Returns the picture as PNG at twice the resolution of the page. */
export async function toPng({ svg, width, height }: ChartPicture): Promise<Blob> {
  const address = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture could not be drawn')) : resolve(blob))),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function svgBlob(svg: string): Blob {
  return new Blob([svg], { type: 'image/svg+xml' });
}

/** Returns a file name derived from the title. */
export function pictureName(title: string): string {
  const slug = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return [...slug].slice(0, 80).join('') || 'chart';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these characters
const INVALID_XML_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** Matches text whose first letter belongs to a right-to-left script. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

type Box = { x: number; y: number; width: number; height: number };

/** Returns a chart as markup that needs no style sheet, and its bounding box. Labels may extend beyond the chart's own frame. */
function partOf(chart: SVGSVGElement): { box: Box; markup: string } {
  const { width, height } = chart.viewBox.baseVal;
  const drawn = chart.getBBox();
  const [left, top] = [Math.min(0, drawn.x), Math.min(0, drawn.y)];
  const box = {
    ...{ x: left, y: top },
    width: Math.max(width, drawn.x + drawn.width) - left,
    height: Math.max(height, drawn.y + drawn.height) - top,
  };
  const copy = chart.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('a chart is no drawing');
  const copies = [...copy.querySelectorAll('*')];
  [...chart.querySelectorAll('*')].forEach((element, index) => {
    const twin = copies[index];
    if (twin === undefined) return;
    const style = getComputedStyle(element);
    for (const name of ['class', 'style', 'tabindex', 'role']) twin.removeAttribute(name);
    // Set as attributes, because the page's Content Security Policy blocks inline styles.
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (value !== '') twin.setAttribute(property, value);
    }
  });
  for (const title of copy.querySelectorAll('title, desc')) title.remove();
  const writer = new XMLSerializer();
  return { box, markup: [...copy.childNodes].map((node) => writer.serializeToString(node)).join('') };
}

function measureBy(font: string): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return (text) => text.length * 7;
  context.font = font;
  return (text) => context.measureText(text).width;
}

/** Returns a style with the page's font embedded. Returns an empty string if the font cannot be loaded; the system font is used then. */
async function fontFace(family: string): Promise<string> {
  const name = family.split(',')[0]?.replaceAll(/["']/g, '').trim() ?? '';
  for (const sheet of document.styleSheets)
    for (const rule of rulesOf(sheet)) {
      if (!(rule instanceof CSSFontFaceRule)) continue;
      const named = rule.style.getPropertyValue('font-family').replaceAll(/["']/g, '').trim();
      const source = /url\(["']?([^"')]+)["']?\)/.exec(rule.style.getPropertyValue('src'))?.[1];
      if (named !== name || source === undefined) continue;
      const address = await fontAddress(new URL(source, sheet.href ?? document.baseURI));
      if (address === null) return '';
      const weight = rule.style.getPropertyValue('font-weight') || '100 900';
      return `@font-face{font-family:"${named}";font-weight:${weight};src:url(${address}) format("woff2")}`;
    }
  return '';
}

/** Returns a font as a data URL. Null if it cannot be loaded. */
async function fontAddress(url: URL): Promise<string | null> {
  try {
    const response = await fetch(url);
    return response.ok ? await dataAddress(await response.blob()) : null;
  } catch {
    return null;
  }
}

function rulesOf(sheet: CSSStyleSheet): CSSRule[] {
  try {
    return [...sheet.cssRules];
  } catch {
    // The rules of cross-origin style sheets are not readable.
    return [];
  }
}

function dataAddress(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });
}

/** Wraps a text into lines no wider than `width`, using `measure`. A single word that is too wide is broken. */
export function wrapText(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const letter of word) {
      if (line !== '' && measure(line + letter) > width) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}
