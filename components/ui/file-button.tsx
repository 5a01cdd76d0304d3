import { type ComponentProps, useRef } from 'react';
import { Button } from './button.tsx';

type FileButtonProps = ComponentProps<typeof Button> & {
  /** Name of the field for screen readers. */
  label: string;
  /** File types to offer, as in the `accept` attribute. */
  accept: string;
  onFile: (file: File) => unknown;
};

/** Button that opens the file chooser. The same file can be chosen again. */
export function FileButton({ label, accept, onFile, ...button }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="small" {...button} onClick={() => chooser.current?.click()} />
      <input
        ref={chooser}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
