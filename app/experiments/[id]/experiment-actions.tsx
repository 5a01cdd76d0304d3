import { Pencil } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { DeleteButton } from '#components/ui/delete-button.tsx';
import type { ExperimentView } from '#lib/db/find-experiment.ts';
import { removeExperiment } from './actions.ts';

/** What can be done with an experiment as a whole: the buttons of its page's head. */
export function ExperimentActions({ experiment, path }: { experiment: ExperimentView; path: string }) {
  return (
    <>
      <DeleteButton
        name={experiment.name}
        what="The experiment, all its versions, batches and runs"
        remove={removeExperiment.bind(null, experiment.id)}
        goTo="/experiments"
      />
      <Button asChild>
        <Link href={`${path}/edit`}>
          <Pencil className="i s" aria-hidden />
          Change settings
        </Link>
      </Button>
    </>
  );
}
