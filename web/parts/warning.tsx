import type { ComponentChildren } from 'preact';
import { Changing } from './changing.tsx';
import { AlertIcon } from './icons.tsx';

export const Warning = ({ children }: { children: ComponentChildren }) => (
  <p class="notice notice-warn">
    <AlertIcon />
    <Changing>{children}</Changing>
  </p>
);
