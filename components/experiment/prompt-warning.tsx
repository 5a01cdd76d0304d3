import { TriangleAlert } from 'lucide-react';
import { type TemplateReader, templateVariables } from '#lib/core/prompts/judge-texts.ts';

/**
 * Names the variables of a prompt that nothing is filled in for. A prompt for the task may be meant so, and is stored, but for the
 * reference; a text for a judge is refused when it is saved.
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
