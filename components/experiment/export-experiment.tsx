'use client';

import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';

/** Everything of an experiment that can be taken along: histories, tables, and a report to hand on. */
export function ExportExperiment({ experimentId, isTuning }: { experimentId: string; isTuning: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const runs = `/api/v1/export/runs?experimentId=${experimentId}&format=`;
  // A run that tunes a prompt is over all cases at once: it has no history of one case, and its page is its report.
  const histories = [
    {
      href: `/api/v1/experiments/${experimentId}/report`,
      name: 'Report',
      kind: 'HTML',
      says: 'One file to hand on: curves, targets, comparisons, runs and settings, readable anywhere, without scripts',
    },
    {
      href: `${runs}jsonl`,
      name: 'Histories',
      kind: 'JSONL',
      says: 'All that was stored of the runs that ended, an attempt a line; an import gives the same histories back',
    },
  ];
  const files = [
    ...(isTuning ? [] : histories),
    { href: `${runs}runs`, name: 'Runs', kind: 'CSV', says: 'A row a run: case, end, scores, tokens, cost' },
    {
      href: `${runs}versions`,
      name: 'Versions',
      kind: 'CSV',
      says: 'A row a version: output, scores by criterion, issues, lesson, tokens, cost',
    },
  ];
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Download className="size-3.25" aria-hidden />
        Export
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Export" description="Runs that have not ended are left out.">
        <ul className="divide-y divide-line">
          {files.map(({ href, name, kind, says }) => (
            <li key={href} className="py-2">
              <a className="link font-semibold" href={href} download>
                {name}, {kind}
              </a>
              <p className="text-ink-2 text-sm">{says}</p>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
