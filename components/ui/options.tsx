type Option = string | number | readonly [value: string | number, label: string];

/** Options of a `Select`. Each is a value, or a value with its label. */
export function Options({ of }: { of: readonly Option[] }) {
  return of.map((option) => {
    const [value, label] = typeof option === 'object' ? option : [option, option];
    return (
      <option key={value} value={value}>
        {label}
      </option>
    );
  });
}
