/** Style of a note below a line of code, including `code` and `button` elements in it. */
export const CODE_NOTE = [
  'border-b border-line bg-worse-bg px-2.5 pt-[0.2rem] pb-1 font-sans glyphs-plain text-sm/[1.45] whitespace-normal text-ink wrap-anywhere',
  '[&_code]:rounded-1 [&_code]:bg-surface [&_code]:px-[0.2rem]',
  '[&_button]:cursor-pointer [&_button]:text-brand [&_button]:underline [&_button]:underline-offset-2 pointer-coarse:[&_button]:min-h-8',
].join(' ');
