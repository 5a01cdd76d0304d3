/** The Python in an output: its longest block marked as Python, else its longest block without a mark, else all of it. */
export function candidateCode(output: string): string {
  const blocks = [
    ...output.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm),
  ];
  const marked = blocks.filter(([, , mark = '']) => /^(python|py|python3)$/i.test(mark));
  const plain = blocks.filter(([, , mark = '']) => mark === '');
  const candidates = (marked.length > 0 ? marked : plain).map(([, , , code = '']) => code);
  return candidates.toSorted((one, other) => other.length - one.length)[0] ?? output;
}
