'use client';

import { ImageDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import {
  type ChartPicture,
  drawChartPicture,
  type PictureTexts,
  pictureName,
  svgBlob,
  toPng,
} from './chart-picture.ts';
import { Dialog } from './dialog.tsx';
import { saveFile } from './save-file.ts';
import { useToast } from './toaster.tsx';

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
    const pane = button.current?.closest('[data-slot="pane"]');
    const charts = [...(pane?.querySelectorAll<SVGSVGElement>(CHARTS) ?? [])];
    if (charts.length === 0) return toast('There is no chart to share yet.', 'problem');
    const picture = await drawChartPicture(charts, texts);
    setShown({ picture, address: URL.createObjectURL(svgBlob(picture.svg)) });
  }
  function close() {
    if (shown !== null) URL.revokeObjectURL(shown.address);
    setShown(null);
  }
  return (
    <>
      <Button ref={button} variant="ghost" size="small" className="ml-auto print:hidden" onClick={() => void open()}>
        <ImageDown />
        Save picture<span className="sr-only"> of {of}</span>
      </Button>
      <Dialog open={shown !== null} onOpenChange={close} title="Save picture" isWide>
        {shown === null ? null : <PictureChoices {...shown} title={texts.title} of={of} />}
      </Dialog>
    </>
  );
}

type PictureChoicesProps = { picture: ChartPicture; address: string; title: string; of: string };

/** Preview of the picture, with the ways to save or copy it. */
function PictureChoices({ picture, address, title, of }: PictureChoicesProps) {
  const toast = useToast();
  const name = pictureName(title);
  async function attempt(work: () => Promise<unknown>, done: string, remedy: string) {
    try {
      await work();
      toast(done);
    } catch {
      toast(remedy, 'problem');
    }
  }
  const savePng = () =>
    attempt(
      async () => saveFile(await toPng(picture), `${name}.png`),
      'PNG saved',
      'The PNG could not be drawn. Download the SVG.',
    );
  const copy = (work: () => Promise<unknown>) => () =>
    attempt(
      work,
      'Picture copied',
      'The browser blocked copying. Copying requires HTTPS or localhost. Download the picture instead.',
    );
  return (
    <div className="flex flex-col gap-4">
      {/* biome-ignore lint/performance/noImgElement: it is made here, and no server can make it smaller */}
      <img
        src={address}
        alt={`${title}: ${of}`}
        className="max-h-[60vh] w-full rounded-2 border border-line object-contain"
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void savePng()}>
          Download PNG
        </Button>
        <Button onClick={() => saveFile(svgBlob(picture.svg), `${name}.svg`)}>Download SVG</Button>
        <Button onClick={copy(() => navigator.clipboard.write([new ClipboardItem({ 'image/png': toPng(picture) })]))}>
          Copy PNG
        </Button>
        <Button onClick={copy(() => navigator.clipboard.writeText(picture.svg))}>Copy SVG</Button>
      </div>
    </div>
  );
}
