import { wrapText } from './wrap-text.ts';

/** What stands around a chart in its picture: above it the title and notes such as n and the interval, below it where it is from. */
export type PictureTexts = { title: string; notes: readonly string[]; source: string };
export type ChartPicture = { svg: string; width: number; height: number };

/** Where the numbers of a picture are from, as its last line. */
export function sourceLine(parts: readonly string[]): string {
  return ['Hone', ...parts].join(' · ');
}

const PADDING = 20;
/** A picture of a small chart still has room for its title. */
const LEAST_WIDTH = 480;
const TITLE = { size: 15, weight: 600, line: 20 };
const NOTE = { size: 12, weight: 400, line: 17 };

/** What of a style decides how an element of a chart looks. */
const PROPERTIES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-opacity', 'opacity', 'font-size', 'font-weight', 'text-anchor', 'paint-order', 'visibility', 'display'],
] as const;

/**
 * A picture that stands by itself of charts on the page, one below the other: as they are drawn now, with colours, sizes and the font in
 * it, on the ground of the present theme.
 */
export async function drawChartPicture(charts: readonly SVGSVGElement[], texts: PictureTexts): Promise<ChartPicture> {
  const parts = charts.map(partOf);
  const inner = Math.max(LEAST_WIDTH, ...parts.map(({ box }) => box.width));
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
  return { svg: svg.replaceAll(NO_XML, ''), width, height };
}

/** The picture as PNG, twice as fine as on the page. */
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

/** The name of a picture's file: the title's words. */
export function pictureName(title: string): string {
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return [...words].slice(0, 80).join('') || 'chart';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML must not hold
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** A text whose first letter is of a script that runs from right to left. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

type Box = { x: number; y: number; width: number; height: number };

/** A chart as markup whose looks depend on no style sheet, and the room it takes: labels may stand outside of its own frame. */
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
  [...chart.querySelectorAll('*')].forEach((element, place) => {
    const twin = copies[place];
    if (twin === undefined) return;
    const style = getComputedStyle(element);
    for (const name of ['class', 'style', 'tabindex', 'role']) twin.removeAttribute(name);
    // As attributes: the page's security policy takes style attributes out.
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

/** The page's own font as a style that holds its file; empty where it can't be read, for then the system's is used. */
async function fontFace(family: string): Promise<string> {
  const name = family.split(',')[0]?.replaceAll(/["']/g, '').trim() ?? '';
  for (const sheet of document.styleSheets)
    for (const rule of rulesOf(sheet)) {
      if (!(rule instanceof CSSFontFaceRule)) continue;
      const named = rule.style.getPropertyValue('font-family').replaceAll(/["']/g, '').trim();
      const source = /url\(["']?([^"')]+)["']?\)/.exec(rule.style.getPropertyValue('src'))?.[1];
      if (named !== name || source === undefined) continue;
      const bytes = await fetch(new URL(source, sheet.href ?? document.baseURI)).then((answer) => answer.blob());
      const weight = rule.style.getPropertyValue('font-weight') || '100 900';
      return `@font-face{font-family:"${named}";font-weight:${weight};src:url(${await dataAddress(bytes)}) format("woff2")}`;
    }
  return '';
}

function rulesOf(sheet: CSSStyleSheet): CSSRule[] {
  try {
    return [...sheet.cssRules];
  } catch {
    // Of another origin.
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
