import { TriangleAlert } from 'lucide-react';
import { templateVariables } from '#lib/reflection/prompts/template-variables.ts';

/** Names the variables of a prompt that nothing is filled in for. Such a prompt may be meant so, and is stored. */
export function PromptWarning({ text }: { text: string }) {
  const unknown = templateVariables(text).filter(({ known }) => !known);
  return (
    <div role="status">
      {unknown.length > 0 ? (
        <p className="sm waitc wrap-anywhere">
          <TriangleAlert className="i s" aria-hidden /> {unknown.map(({ name }) => `{{${name}}}`).join(', ')}{' '}
          {unknown.length === 1 ? 'is' : 'are'} not known and will stand in the prompt as written.
          {unknown.some(({ name }) => name === 'reference')
            ? ' The reference is never given to models: it would leak the answer.'
            : ''}
        </p>
      ) : null}
    </div>
  );
}
