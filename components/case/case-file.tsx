'use client';

import { useState } from 'react';
import { Dialog } from '#components/ui/dialog.tsx';
import type { ChatFile } from '#lib/core/chat/chat-message.ts';

/** Renders a file of a message: an image that can be enlarged, or a download link. */
export function CaseFile({ file }: { file: ChatFile }) {
  const [isLarge, setLarge] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const source = `/api/v1/files/${file.file}`;
  const name = file.name ?? (file.mediaType.startsWith('image/') ? 'Image' : 'File');
  if (isMissing) return <p className="text-ink-3 text-sm">{name} could not be loaded</p>;
  if (!file.mediaType.startsWith('image/'))
    return (
      <p>
        <a href={source} download className="wrap-anywhere">
          {name}
        </a>{' '}
        <span className="text-ink-3 text-sm">{file.mediaType}</span>
      </p>
    );
  return (
    <>
      <button
        type="button"
        className="my-1 block max-w-full cursor-zoom-in"
        aria-label={`Enlarge ${name}`}
        onClick={() => setLarge(true)}
      >
        {/* biome-ignore lint/performance/noImgElement: the file is not resized, so `next/image` would only add code */}
        <img
          ref={loadAgain}
          src={source}
          alt={name}
          loading="lazy"
          className="h-auto max-h-48 min-h-6 w-auto min-w-6 max-w-full rounded-2 border border-line object-contain"
          onError={() => setMissing(true)}
        />
      </button>
      <Dialog open={isLarge} onOpenChange={setLarge} title={name} isWide>
        {/* biome-ignore lint/performance/noImgElement: the same file */}
        <img src={source} alt={name} className="mx-auto h-auto max-h-[70vh] w-auto max-w-full object-contain" />
      </Dialog>
    </>
  );
}

/** Sets the source again, because React does not report an error from before hydration. */
function loadAgain(image: HTMLImageElement | null): void {
  image?.setAttribute('src', image.getAttribute('src') ?? '');
}
