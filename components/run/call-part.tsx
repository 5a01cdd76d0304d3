import { highlightLines } from '#components/ui/highlight-lines.ts';
import { CodeText } from './code-text.tsx';

/** One text of a call under its name, word for word. */
export function CallPart({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <h3 className="mb-1">{name}</h3>
      {text === '' ? <p className="text-ink-3 text-sm">Nothing.</p> : <CodeText lines={highlightLines(text)} />}
    </div>
  );
}
