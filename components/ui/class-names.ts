import { type ClassValue, clsx } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';

const any = () => true;
// The validators of the library are larger, because they know all kinds of values.
const matches = (pattern: RegExp) => (value: string) => pattern.test(value);
const isNumber = matches(/^[\d.]+$/);
const isArbitraryImage = matches(/^\[(?:url|image|[a-z-]*gradient)[:(]/);
const isArbitraryLength = matches(/^\[(?:length:|calc\(|min\(|max\(|clamp\(|-?[\d.]+(?:%|[a-z]+)\]|0\])/);
const isArbitraryNumber = matches(/^\[(?:number:.*|[\d.]+)\]$/);
const isArbitraryValue = matches(/^\[.+\]$/);
const width = ['', isNumber, isArbitraryLength];

/** Prefixes whose classes set the same property for any value. */
const SIMPLE = [
  'p px py pt pr pb pl m mx my mt mr mb ml scroll-mt gap gap-x gap-y space-x space-y',
  'inset inset-x inset-y top right bottom left w min-w max-w h min-h max-h size basis grow shrink z order resize',
  'grid-cols grid-rows col-span col-start row-start columns items place-items justify self align',
  'leading tracking whitespace wrap list line-clamp underline-offset cursor select',
  'rounded rotate shadow opacity fill outline-offset overflow overflow-x overflow-y',
].flatMap((prefixes) => prefixes.split(' '));
/** Prefixes that are also valid without a value. */
const BARE = ['grow', 'shrink', 'rounded', 'shadow', 'resize'];
const PADDINGS = ['px', 'py', 'pt', 'pr', 'pb', 'pl'];
const MARGINS = ['mx', 'my', 'mt', 'mr', 'mb', 'ml'];
const OVERFLOWS = ['overflow-x', 'overflow-y'];

/**
 * Groups of conflicting classes for `createTailwindMerge`. Contains only classes used by the components, because the full Tailwind groups
 * are larger than the rest of the page shell. A test compares both for every class in the source.
 */
const CLASS_GROUPS = {
  ...Object.fromEntries(SIMPLE.map((prefix) => [prefix, [{ [prefix]: BARE.includes(prefix) ? ['', any] : [any] }]])),
  display: 'block inline-block inline flex inline-flex grid inline-grid contents table hidden'.split(' '),
  position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
  sr: ['sr-only'],
  visibility: ['visible', 'invisible', 'collapse'],
  'flex-direction': [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
  'flex-wrap': [{ flex: ['wrap', 'nowrap'] }],
  flex: [{ flex: [any] }],
  'font-weight': [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
  'font-family': [{ font: [any] }],
  'text-align': [{ text: ['left', 'center', 'right'] }],
  'text-wrap': [{ text: ['wrap', 'nowrap', 'balance'] }],
  // Font sizes of the theme in `app/globals.css`.
  'font-size': [{ text: ['xs', 'sm', 'code', 'md', 'base', 'xl', '2xl', isArbitraryLength] }],
  'text-color': [{ text: [any] }],
  'text-decoration': ['underline', 'line-through', 'no-underline'],
  'decoration-style': [{ decoration: ['solid', 'dotted', 'dashed', 'wavy'] }],
  'decoration-thickness': [{ decoration: width }],
  'decoration-color': [{ decoration: [any] }],
  content: [{ content: [isArbitraryValue] }],
  'bg-image': [{ bg: [isArbitraryImage] }],
  'bg-color': [{ bg: [any] }],
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
  'border-collapse': [{ border: ['collapse', 'separate'] }],
  'border-w': [{ border: width }],
  'border-w-x': [{ 'border-x': width }],
  'border-w-y': [{ 'border-y': width }],
  'border-w-t': [{ 'border-t': width }],
  'border-w-r': [{ 'border-r': width }],
  'border-w-b': [{ 'border-b': width }],
  'border-w-l': [{ 'border-l': width }],
  'border-color': [{ border: [any] }],
  'stroke-w': [{ stroke: [isNumber, isArbitraryLength, isArbitraryNumber] }],
  stroke: [{ stroke: [any] }],
};

/** Groups overridden by a class of another group. */
const OVERRIDDEN_GROUPS = {
  p: PADDINGS,
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  m: MARGINS,
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  gap: ['gap-x', 'gap-y'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  size: ['w', 'h'],
  flex: ['basis', 'grow', 'shrink'],
  overflow: OVERFLOWS,
  'line-clamp': ['display', 'overflow'],
  'place-items': ['items'],
  sr: ['position', 'size', 'w', 'h', 'p', ...PADDINGS, 'm', ...MARGINS, 'overflow', ...OVERFLOWS, 'whitespace'],
  'border-w': ['border-w-x', 'border-w-y', 'border-w-t', 'border-w-r', 'border-w-b', 'border-w-l'],
  'border-w-x': ['border-w-r', 'border-w-l'],
  'border-w-y': ['border-w-t', 'border-w-b'],
};

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: CLASS_GROUPS,
  conflictingClassGroups: OVERRIDDEN_GROUPS,
  // A font size overrides the line height only if it includes one: `text-md/[1.4]`.
  conflictingClassGroupModifiers: { 'font-size': ['leading'] },
  orderSensitiveModifiers: ['*', '**', 'after', 'before', 'file', 'marker', 'placeholder', 'selection'],
}));

/** Joins class names. If Tailwind classes conflict, the last one wins. */
export function classNames(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
