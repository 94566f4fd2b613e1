import type { TargetedMouseEvent } from 'preact';

/** For clicks on a file input: choosing the same file again, such as after a new export, would otherwise be no change. */
export function forgetFile({ currentTarget }: TargetedMouseEvent<HTMLInputElement>) {
  currentTarget.value = '';
}
