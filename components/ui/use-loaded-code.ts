import { useCallback, useEffect, useState } from 'react';

/** Code that is loaded on demand. Null until it is there. */
type LoadedCode<Code> = { code: Code | null; isFailed: boolean; retry: () => void };

/**
 * Loads code when `isWanted` is first true. `load` must not change. After a failure, `retry` or the next time it is wanted loads it again.
 */
export function useLoadedCode<Code>(isWanted: boolean, load: () => Promise<Code>): LoadedCode<Code> {
  const [loaded, setLoaded] = useState<{ code: Code } | null>(null);
  const [isFailed, setFailed] = useState(false);
  const retry = useCallback(() => {
    setFailed(false);
    load().then(
      (code) => setLoaded({ code }),
      () => setFailed(true),
    );
  }, [load]);
  const isDue = isWanted && loaded === null;
  useEffect(() => {
    if (isDue) retry();
  }, [isDue, retry]);
  return { code: loaded?.code ?? null, isFailed, retry };
}
