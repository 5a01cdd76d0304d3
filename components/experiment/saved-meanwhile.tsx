import { ExternalLink } from 'lucide-react';
import { formatMoment } from '#lib/format.ts';

/** An experiment that is there: its page, and its newest version as far as the form's page knows. */
export type SavedExperiment = {
  path: string;
  newest: { version: number; actor: string | null; createdAt: string; message: string | null };
};

/** Tells whoever was about to save over somebody else's version whose it is, and leads to it in another tab. */
export function SavedMeanwhile({ path, newest }: SavedExperiment) {
  const { version, actor, createdAt, message } = newest;
  return (
    <>
      It was edited meanwhile{actor === null ? '' : ` by ${actor}`}: v{version}, {formatMoment(createdAt)}
      {message === null ? '' : ` (“${message}”)`}. Nothing was saved, and what you typed is still here. Saved on top, it
      takes the place of what v{version} changed.{' '}
      <a className="link" href={`${path}?tab=settings&version=${version}`} target="_blank" rel="noreferrer">
        Look at v{version} in another tab <ExternalLink className="size-3.25" aria-hidden />
      </a>
    </>
  );
}
