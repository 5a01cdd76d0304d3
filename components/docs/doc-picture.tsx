/// <reference types="next/image-types/global" />
import Image, { type StaticImageData } from 'next/image';
import homeDark from '../../docs/pictures/home-dark.png';
import homeLight from '../../docs/pictures/home-light.png';
import lessonsDark from '../../docs/pictures/lessons-dark.png';
import lessonsLight from '../../docs/pictures/lessons-light.png';
import newExperimentDark from '../../docs/pictures/new-experiment-dark.png';
import newExperimentLight from '../../docs/pictures/new-experiment-light.png';
import reviewDark from '../../docs/pictures/review-dark.png';
import reviewLight from '../../docs/pictures/review-light.png';
import runDark from '../../docs/pictures/run-dark.png';
import runLight from '../../docs/pictures/run-light.png';
import tuningDark from '../../docs/pictures/tuning-dark.png';
import tuningLight from '../../docs/pictures/tuning-light.png';

/** The pictures of the docs by the file that a page names. `npm run screenshots -- --docs` takes them. */
const PICTURES: Record<string, { light: StaticImageData; dark: StaticImageData }> = {
  'home-light.png': { light: homeLight, dark: homeDark },
  'lessons-light.png': { light: lessonsLight, dark: lessonsDark },
  'new-experiment-light.png': { light: newExperimentLight, dark: newExperimentDark },
  'review-light.png': { light: reviewLight, dark: reviewDark },
  'run-light.png': { light: runLight, dark: runDark },
  'tuning-light.png': { light: tuningLight, dark: tuningDark },
};

/** A picture in the colors of the theme. A browser loads only the one that it shows. */
export function DocPicture({ source, alt }: { source: string; alt: string }) {
  const picture = PICTURES[source.split('/').at(-1) ?? ''];
  if (picture === undefined) return null;
  return (
    <span className="block max-w-full [&_img]:h-auto [&_img]:w-full [&_img]:rounded-2 [&_img]:border [&_img]:border-line">
      <Image unoptimized src={picture.light} alt={alt} className="dark:hidden" />
      <Image unoptimized src={picture.dark} alt={alt} className="hidden dark:block" />
    </span>
  );
}
