import { Button } from './button.tsx';

type CodeExamplesProps = {
  examples: readonly { name: string; code: string }[];
  onUse: (code: string) => void;
};

/** Buttons that replace the editor content with an example. Undo in the editor restores the previous content. */
export function CodeExamples({ examples, onUse }: CodeExamplesProps) {
  return (
    <div className="flex flex-wrap items-center gap-1">
      <span className="text-ink-2 text-sm">{examples.length === 1 ? 'Example:' : 'Examples:'}</span>
      {examples.map(({ name, code }) => (
        <Button
          key={name}
          size="small"
          aria-label={`Insert example: ${name}`}
          title="Replaces the current code. You can undo this."
          onClick={() => onUse(code)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
