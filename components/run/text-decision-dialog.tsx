'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { DecisionDialog } from '#components/ui/decision-dialog.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';

type TextDecisionDialogProps = Omit<ComponentProps<typeof DecisionDialog>, 'onSubmit' | 'aside' | 'children'> &
  Pick<ComponentProps<typeof Textarea>, 'rows' | 'maxLength' | 'isCode'> & {
    label: string;
    help?: string;
    /** Text to edit, and the button that restores it. Omitted if the field is empty at first. */
    original?: { text: string; restore: string };
    /** Returns the error of a text. Null if it can be sent. */
    problemOf?: (text: string) => string | null;
    onSend: (text: string) => void;
    children?: ReactNode;
  };

/** Dialog for a decision with one text. The text is kept until the page is left, even after an undo. `children`: shown above it. */
export function TextDecisionDialog(props: TextDecisionDialogProps) {
  const { label, help, original, problemOf, onSend, rows, maxLength, isCode, children, ...dialog } = props;
  const [text, setText] = useState(original?.text ?? '');
  const [error, setError] = useState<string | null>(null);
  function send() {
    const problem = problemOf?.(text) ?? null;
    setError(problem);
    if (problem !== null) return;
    dialog.onOpenChange(false);
    onSend(text);
  }
  return (
    <DecisionDialog
      {...dialog}
      onSubmit={send}
      aside={
        original ? (
          <Button
            variant="ghost"
            className="ml-auto"
            onClick={() => setText(original.text)}
            disabled={text === original.text}
          >
            {original.restore}
          </Button>
        ) : null
      }
    >
      {children}
      <Field label={label} help={help} error={error}>
        <Textarea rows={rows} maxLength={maxLength} isCode={isCode} data-autofocus value={text} onValue={setText} />
      </Field>
    </DecisionDialog>
  );
}
