interface ChoiceProps<T extends string> {
  name: string;
  selected: T;
  options: readonly (readonly [value: T, label: string])[];
  describedBy?: string | undefined;
  onSelect(value: T): void;
}

/** Radio buttons side by side. They are native inputs, for keyboards and screen readers. */
export const Choice = <T extends string>({
  name,
  selected,
  options,
  describedBy,
  onSelect,
}: ChoiceProps<T>) => (
  <div class="choice">
    {options.map(([value, label]) => (
      <label key={value} class={value === selected ? 'choice-selected' : ''}>
        <input
          type="radio"
          id={`${name}-${value}`}
          name={name}
          value={value}
          checked={value === selected}
          aria-describedby={describedBy}
          onChange={() => onSelect(value)}
        />
        <span>{label}</span>
      </label>
    ))}
  </div>
);
