import type { ComponentChildren, HTMLAttributes } from 'preact';

interface FactProps extends Pick<HTMLAttributes<HTMLElement>, 'lang' | 'dir' | 'class'> {
  label: string;
  children: ComponentChildren;
}

/** One of a list of facts. Its attributes are those of what it tells. */
export const Fact = ({ label, children, ...attributes }: FactProps) => (
  <div>
    <dt>{label}</dt>
    <dd {...attributes}>{children}</dd>
  </div>
);
