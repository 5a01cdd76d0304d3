'use client';

import Image from 'next/image';
import { useState } from 'react';
import { Dialog } from '#components/ui/dialog.tsx';
import type { ChatFile } from '#lib/core/chat/chat-message.ts';

/** Renders a file of a message: an image that can be enlarged, or a download link. */
export function CaseFile({ file }: { file: ChatFile }) {
  const [isLarge, setLarge] = useState(false);
  const [isGone, setGone] = useState(false);
  const source = `/api/v1/files/${file.file}`;
  const name = file.name ?? (file.mediaType.startsWith('image/') ? 'Image' : 'File');
  if (isGone) return <p className="text-ink-3 text-sm">{name} could not be loaded</p>;
  if (!file.mediaType.startsWith('image/'))
    return (
      <p>
        <a href={source} download className="wrap-anywhere">
          {name}
        </a>{' '}
        <span className="text-ink-3 text-sm">{file.mediaType}</span>
      </p>
    );
  const image = { unoptimized: true, width: 0, height: 0, src: source };
  return (
    <>
      <button
        type="button"
        className="my-1 block max-w-full cursor-zoom-in"
        aria-label={`Enlarge ${name}`}
        onClick={() => setLarge(true)}
      >
        <Image
          {...image}
          alt={name}
          loading="lazy"
          className="h-auto max-h-48 min-h-6 w-auto min-w-6 max-w-full rounded-2 border border-line object-contain"
          onError={() => setGone(true)}
        />
      </button>
      <Dialog open={isLarge} onOpenChange={setLarge} title={name} isWide>
        <Image {...image} alt={name} className="mx-auto h-auto max-h-[70vh] w-auto max-w-full object-contain" />
      </Dialog>
    </>
  );
}
