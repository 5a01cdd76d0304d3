'use client';

import { Button } from './button.tsx';
import { type ChartPicture, pictureName, svgBlob, toPng } from './chart-picture.ts';
import { saveFile } from './save-file.ts';
import { useToast } from './toaster.tsx';

type PictureChoicesProps = { picture: ChartPicture; address: string; title: string; of: string };

/** Preview of the picture, with the ways to save or copy it. */
export function PictureChoices({ picture, address, title, of }: PictureChoicesProps) {
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
      {/* biome-ignore lint/performance/noImgElement: the picture exists only in the browser */}
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
