import { Copy, GitCompareArrows, Pencil } from 'lucide-react';
import Link from 'next/link';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { MayLink } from '#components/access/may-link.tsx';
import { compareAddress } from '#components/compare/compare-address.ts';
import { ExportExperiment } from '#components/experiment/export-experiment.tsx';
import { StartRunDialog } from '#components/experiment/start-run-dialog.tsx';
import { address } from '#components/layout/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { writeArmName } from '#lib/compare/schema.ts';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { removeExperimentAction } from './actions.ts';
import { readStartForm } from './read-start-form.ts';

/** What can be done with an experiment as a whole: the buttons of its page's head. */
export async function ExperimentActions({ experiment, path }: { experiment: ExperimentView; path: string }) {
  const { id, name, latestVersion, settings, batches, origin } = experiment;
  // Before the first run, and where a prompt is tuned, the form stands on the page.
  const startsHere = batches.length > 0 && settings.mode !== 'tune' && origin !== 'imported';
  return (
    <>
      <DeleteButton
        name={name}
        what="The experiment, all its versions, batches and runs"
        remove={removeExperimentAction.bind(null, id)}
        goTo="/experiments"
      />
      {batches.length > 0 ? <ExportExperiment experimentId={id} isTuning={settings.mode === 'tune'} /> : null}
      <MayLink
        needs="editor"
        variant="ghost"
        href={address('/experiments/new', { from: id, version: String(latestVersion) })}
      >
        <Copy className="size-3.25" aria-hidden />
        Duplicate
      </MayLink>
      {batches.length > 0 && settings.mode !== 'tune' ? (
        <Button asChild>
          <Link href={compareAddress({ arms: comparedWith(experiment), metric: null, shown: null })}>
            <GitCompareArrows className="size-3.25" aria-hidden />
            Compare
          </Link>
        </Button>
      ) : null}
      <MayLink needs="editor" href={`${path}/edit`}>
        <Pencil className="size-3.25" aria-hidden />
        Change settings
      </MayLink>
      {startsHere ? <StartRunDialog {...(await readStartForm(experiment))} /> : null}
    </>
  );
}

/** Beside what it was made from where that is known; else the other side is chosen. */
function comparedWith({ id, parent }: ExperimentView): string[] {
  return parent === null ? [id] : [writeArmName({ experimentId: parent.id, version: parent.version }), id];
}
