import { rmSync } from 'node:fs';
import { assemblyFolder } from './assembly.ts';

export default function removeAssembly(): void {
  rmSync(assemblyFolder(), { recursive: true, force: true });
}
