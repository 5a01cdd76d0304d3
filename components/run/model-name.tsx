/** The name of a model among the facts of a page: a long one is cut, and whole on hover. */
export function ModelName({ children }: { children: string }) {
  return (
    <b className="inline-block max-w-72 truncate align-bottom" title={children}>
      {children}
    </b>
  );
}
