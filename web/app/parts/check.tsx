interface CheckProps {
  label: string;
  isChecked: boolean;
  onChange(isChecked: boolean): void;
}

export const Check = ({ label, isChecked, onChange }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);
