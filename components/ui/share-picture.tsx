'use client';

import { ImageDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import type { ChartPicture, PictureTexts } from './chart-picture.ts';
import { Dialog } from './dialog.tsx';
import { loadOrRetry } from './load-or-retry.tsx';
import { useToast } from './toaster.tsx';

const PictureChoices = dynamic(
  () => loadOrRetry(() => import('./picture-choices.tsx').then((file) => file.PictureChoices)),
  {
    ssr: false,
  },
);

const CHARTS = '.recharts-wrapper > svg, svg[data-slot="chart"]';

/** Exports the charts of the surrounding pane as a picture, to save or copy as PNG or SVG. */
export function SharePicture({
  of,
  texts,
}: {
  /** Name of the drawing, used in the button's label. */ of: string;
  texts: PictureTexts;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const toast = useToast();
  const [shown, setShown] = useState<{ picture: ChartPicture; address: string } | null>(null);

  async function open() {
    const { drawChartPicture, svgBlob } = await import('./chart-picture.ts');
    // Found after the code is loaded, because a chart is replaced when it becomes interactive.
    const pane = button.current?.closest('[data-slot="pane"]');
    const charts = [...(pane?.querySelectorAll<SVGSVGElement>(CHARTS) ?? [])];
    if (charts.length === 0) return toast('There is no chart to share yet.', 'problem');
    const picture = await drawChartPicture(charts, texts);
    setShown({ picture, address: URL.createObjectURL(svgBlob(picture.svg)) });
  }
  function openOrReport() {
    open().catch(() => toast('The picture could not be drawn. Reload the page, then try again.', 'problem'));
  }
  function close() {
    if (shown !== null) URL.revokeObjectURL(shown.address);
    setShown(null);
  }
  return (
    <>
      <Button ref={button} variant="ghost" size="small" className="ml-auto print:hidden" onClick={openOrReport}>
        <ImageDown />
        Save picture<span className="sr-only"> of {of}</span>
      </Button>
      <Dialog open={shown !== null} onOpenChange={close} title="Save picture" isWide>
        {shown === null ? null : <PictureChoices {...shown} title={texts.title} of={of} />}
      </Dialog>
    </>
  );
}
