'use client';

import { Wrench } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useMemo } from 'react';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { isJson } from '#components/ui/is-json.ts';
import { withIndexKeys } from '#components/ui/with-index-keys.ts';
import { readToolAnswer } from '#lib/formats/tool-answer.ts';

// Loads the highlighter only for JSON. If loading fails, the text is shown without highlighting.
const JsonText = dynamic(() =>
  import('#components/ui/json-text.tsx').then(
    (file) => file.JsonText,
    () => PlainJson,
  ),
);

function PlainJson({ text }: { text: string }) {
  return <CodeBlock>{text}</CodeBlock>;
}

type AnswerTextProps = {
  text: string;
  plain?: (text: string) => ReactNode;
};

/** Renders a model output: tool calls one by one, highlighted JSON, or plain text. */
export function AnswerText({ text, plain = (value) => <CodeBlock>{value}</CodeBlock> }: AnswerTextProps) {
  const calls = useMemo(() => readToolAnswer(text), [text]);
  const isWholeJson = useMemo(() => isJson(text), [text]);
  if (calls !== null)
    return (
      <div className="flex flex-col gap-2" data-testid="tool-calls">
        {calls.text === '' ? null : plain(calls.text)}
        <ol className="flex flex-col gap-2" aria-label="Tool calls">
          {withIndexKeys(calls.toolCalls).map(([key, { name, arguments: input }]) => (
            <li key={key} className="min-w-0">
              <p className="wrap-anywhere mb-1 text-sm">
                <Wrench className="text-ink-3" /> Calls <b className="font-mono">{name}</b>
              </p>
              <JsonText text={typeof input === 'string' ? input : JSON.stringify(input, null, 2)} />
            </li>
          ))}
        </ol>
      </div>
    );
  return isWholeJson ? <JsonText text={text} /> : plain(text);
}
