interface ChoiceProps<T extends string> {
  name: string;
  chosen: T;
  options: readonly (readonly [value: T, words: string])[];
  describedBy?: string | undefined;
  onChoose(value: T): void;
}

/** Radio buttons side by side: the browser's own, so that keys and readers treat them as such. */
export const Choice = <T extends string>({
  name,
  chosen,
  options,
  describedBy,
  onChoose,
}: ChoiceProps<T>) => (
  <div class="choice">
    {options.map(([value, words]) => (
      <label key={value} class={value === chosen ? 'choice-chosen' : ''}>
        <input
          type="radio"
          id={`${name}-${value}`}
          name={name}
          value={value}
          checked={value === chosen}
          aria-describedby={describedBy}
          onChange={() => onChoose(value)}
        />
        <span>{words}</span>
      </label>
    ))}
  </div>
);
