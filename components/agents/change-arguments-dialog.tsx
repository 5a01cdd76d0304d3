'use client';

import { useState } from 'react';
import { AskDialog } from '#components/run/ask-dialog.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import type { ToolCall } from '#lib/reflection/agents/agent-records.ts';
import { argumentsText } from './agent-words.ts';
import { argumentsProblem } from './approval-words.ts';

type ChangeArgumentsDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  call: ToolCall;
  onSend: (toolArguments: string) => void;
};

/** Allows the use of a tool with arguments that a person wrote. What was written stays while the page does, also after an undo. */
export function ChangeArgumentsDialog({ open, onOpenChange, call, onSend }: ChangeArgumentsDialogProps) {
  const { full } = argumentsText(call.arguments);
  const [text, setText] = useState(full);
  const [error, setError] = useState<string | null>(null);
  function send() {
    const problem = text === full ? 'change something, or allow the use as it is' : argumentsProblem(text);
    setError(problem);
    if (problem === null) onSend(text);
  }
  return (
    <AskDialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title={`Use ${call.tool} with other arguments`}
      description="The tool is used with your arguments. The agent sees what came of it, and the run keeps both: what it wanted and what you changed."
      send="Allow with these"
      onSubmit={send}
      aside={
        <Button variant="ghost" className="ml-auto" onClick={() => setText(full)} disabled={text === full}>
          Back to the agent’s
        </Button>
      }
    >
      <Field label="Arguments as JSON" error={error}>
        <Textarea
          rows={10}
          className="font-mono text-code"
          spellCheck={false}
          maxLength={100_000}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
    </AskDialog>
  );
}
