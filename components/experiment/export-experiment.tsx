'use client';

import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button, NARROW_ICON } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';

/** Lists the downloads of an experiment: histories, tables and a report. */
export function ExportExperiment({ experimentId, isTuning }: { experimentId: string; isTuning: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const runs = `/api/v1/export/runs?experimentId=${experimentId}&format=`;
  // A tuning run covers all cases at once, so it has no history per case. Its page is its report.
  const histories = [
    {
      href: `/api/v1/experiments/${experimentId}/report`,
      name: 'Report',
      kind: 'HTML',
      says: 'One HTML file to share, with curves, targets, comparisons, runs and settings',
    },
    {
      href: `${runs}jsonl`,
      name: 'Histories',
      kind: 'JSONL',
      says: 'Full histories of ended runs, one attempt per line. Hone can import the file.',
    },
  ];
  const files = [
    ...(isTuning ? [] : histories),
    {
      href: `${runs}runs`,
      name: 'Runs',
      kind: 'CSV',
      says: 'One row per run: case, stop reason, scores, tokens, cost',
    },
    {
      href: `${runs}versions`,
      name: 'Versions',
      kind: 'CSV',
      says: 'One row per version: output, scores by criterion, issues, lesson, tokens, cost',
    },
  ];
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Download />
        <span className={NARROW_ICON}>Export</span>
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Export" description="Active runs are not included.">
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
