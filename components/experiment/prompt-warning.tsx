import { TriangleAlert } from 'lucide-react';
import { type TemplateReader, templateVariables } from '#lib/core/prompts/judge-texts.ts';

/**
 * Warns about unknown variables in a prompt. A task prompt can still be saved, unless it uses the reference. A judge text with unknown
 * variables is rejected on save.
 */
export function PromptWarning({ text, reader = 'task' }: { text: string; reader?: TemplateReader }) {
  const unknown = templateVariables(text, reader).filter(({ known }) => !known);
  return (
    <div role="status">
      {unknown.length > 0 ? (
        <p className="wrap-anywhere text-sm text-wait">
          <TriangleAlert /> {unknown.map(({ name }) => `{{${name}}}`).join(', ')}{' '}
          {unknown.length === 1 ? 'is not a known variable.' : 'are not known variables.'}
          {reader === 'judge'
            ? ' Use {{input}}, {{output}}, {{reference}} or {{metadata.name}}.'
            : ' Hone sends the text unchanged.'}
          {unknown.some(({ name }) => name === 'reference')
            ? ' Only judges may see {{reference}}. Remove it to save.'
            : ''}
        </p>
      ) : null}
    </div>
  );
}
