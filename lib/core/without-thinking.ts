/**
 * A reply without the thinking that some reasoning models put before their answer: `<think>…</think>` (or `<thinking>`) blocks
 * at its beginning, and text up to a closing tag at the end of a line where the opening tag was part of the model's own prompt. A
 * block that never ends leaves nothing: the model did not come to its answer. Such tags further on belong to the answer.
 */
export function withoutThinking(reply: string): string {
  let rest = reply;
  for (;;) {
    const opening = /^\s*<(think(?:ing)?)>/i.exec(rest);
    if (opening === null) return rest === reply ? withoutUnopened(reply) : rest;
    const end = endOfClosing(rest, opening[1] ?? 'think', opening[0].length);
    if (end === null) return '';
    rest = rest.slice(end).replace(/^\s+/, '');
  }
}

function endOfClosing(text: string, tag: string, from: number): number | null {
  const closing = new RegExp(`</${tag}>`, 'gi');
  closing.lastIndex = from;
  return closing.exec(text) === null ? null : closing.lastIndex;
}

function withoutUnopened(reply: string): string {
  const closing = /<\/think(?:ing)?>[^\S\n]*(?:\n|$)/i.exec(reply);
  if (closing === null || /<think(?:ing)?>/i.test(reply.slice(0, closing.index))) return reply;
  return reply.slice(closing.index + closing[0].length).replace(/^\s+/, '');
}
