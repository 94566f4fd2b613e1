import type { IModule } from 'dependency-cruiser';
import { FLOORS, HOUSE } from '../floors.config.ts';

/** Not drawn: tests may import everything, and the generated pages hardly anything. */
const LEFT_OUT = ['docs', 'test'];
const FOLDERS = Object.keys(HOUSE).filter((folder) => !LEFT_OUT.includes(folder));

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** A room of shared/ goes by its own name, everything else by its folder's. */
const roomOf = (file: string) => file.replace(/^shared\//, '').split('/')[0] ?? file;

function arrowsBetweenRooms(modules: readonly IModule[]): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    if (!FOLDERS.some((folder) => source.startsWith(`${folder}/`))) continue;
    const room = roomOf(source);
    const others = arrows.get(room) ?? new Set();
    arrows.set(room, others);
    for (const { resolved, dependencyTypes } of dependencies)
      if (dependencyTypes.includes('local') && roomOf(resolved) !== room) others.add(roomOf(resolved));
  }
  return arrows;
}

const reaches = (arrows: Arrows, from: string, to: string): boolean =>
  [...(arrows.get(from) ?? [])].some((next) => next === to || reaches(arrows, next, to));

/** Leaves out the arrows that other arrows imply, or the drawing could not be read. */
function directArrows(arrows: Arrows, room: string): string[] {
  const others = [...(arrows.get(room) ?? [])];
  return others.filter((other) => !others.some((between) => reaches(arrows, between, other))).sort();
}

/** The rooms as a Mermaid drawing: a box for each floor, an arrow for who imports whom. */
function roomsDrawing(modules: readonly IModule[]): string {
  const arrows = arrowsBetweenRooms(modules);
  const floors = FLOORS.flatMap((rooms, index) => [
    `  subgraph floor${FLOORS.length - index}[" "]`,
    ...rooms.map((room) => `    ${room}`),
    '  end',
  ]);
  const drawn = [...arrows.keys()].sort().map((room) => {
    const others = directArrows(arrows, room);
    return `  ${room}${others.length > 0 ? ` --> ${others.join(' & ')}` : ''}`;
  });
  return ['```mermaid', 'flowchart TD', ...floors, ...drawn, '```', ''].join('\n');
}

/** A page with its drawing of the rooms replaced by the current one. */
export const architecturePage = (page: string, modules: readonly IModule[]) =>
  page.replace(/```mermaid\n.*?```\n/s, roomsDrawing(modules));
