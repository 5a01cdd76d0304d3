'use client';

import { Wrench } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useMemo } from 'react';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { isJson } from '#components/ui/is-json.ts';
import { keyed } from '#components/ui/keyed.ts';
import { readToolAnswer } from '#lib/formats/tool-answer.ts';

// Highlighting is loaded only for JSON.
const JsonText = dynamic(() => import('#components/ui/json-text.tsx').then((file) => file.JsonText));

type AnswerTextProps = {
  text: string;
  /** The frame of an answer that is plain text. */
  plain?: (text: string) => ReactNode;
};

/** An answer of a model: calls of tools one by one, JSON in colour, or plain text. */
export function AnswerText({ text, plain = (words) => <CodeBlock>{words}</CodeBlock> }: AnswerTextProps) {
  const calls = useMemo(() => readToolAnswer(text), [text]);
  const isWholeJson = useMemo(() => isJson(text), [text]);
  if (calls !== null)
    return (
      <div className="flex flex-col gap-2" data-testid="tool-calls">
        {calls.text === '' ? null : plain(calls.text)}
        <ol className="flex flex-col gap-2" aria-label="Tool calls">
          {keyed(calls.toolCalls).map(([key, { name, arguments: given }]) => (
            <li key={key} className="min-w-0">
              <p className="wrap-anywhere mb-1 text-sm">
                <Wrench className="text-ink-3" /> Calls <b className="font-mono">{name}</b>
              </p>
              <JsonText text={typeof given === 'string' ? given : JSON.stringify(given, null, 2)} />
            </li>
          ))}
        </ol>
      </div>
    );
  return isWholeJson ? <JsonText text={text} /> : plain(text);
}
