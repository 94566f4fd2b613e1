import type { ComponentChildren, HTMLAttributes } from 'preact';

interface FactProps extends Pick<HTMLAttributes<HTMLElement>, 'lang' | 'dir' | 'class'> {
  label: string;
  children: ComponentChildren;
}

/** A label with its value. Attributes apply to the value. */
export const Fact = ({ label, children, ...attributes }: FactProps) => (
  <div>
    <dt>{label}</dt>
    <dd {...attributes}>{children}</dd>
  </div>
);
