import dynamic from 'next/dynamic';

/** The chart of a run's scores. The code of charts is large, so it is loaded beside the page's and the page works before it is there. */
export const ScoreTrajectory = dynamic(() => import('./score-chart.tsx').then((file) => file.ScoreChart), {
  loading: () => <div className="h-78" />,
});
