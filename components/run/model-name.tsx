/** Shows the name of a model. A long name is truncated and shown in full on hover. */
export function ModelName({ children }: { children: string }) {
  return (
    <b className="inline-block max-w-72 truncate align-bottom" title={children}>
      {children}
    </b>
  );
}
