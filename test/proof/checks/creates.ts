import type { Snapshot } from '../snapshot.ts';
import { countBy, type Violation, violation } from './violation.ts';

/** Every accepted create exists once, and nothing exists that nobody asked for. */
export function checkCreates({ creates, requests, interruptions }: Snapshot): Violation[] {
  const byId = new Map(requests.map((request) => [request.id, request]));
  const titles = countBy(requests, ({ state }) => state.title);
  const asked = new Set(creates.map(({ title }) => title));
  return [
    ...creates.flatMap(({ title, id, ending }) => {
      const subject = { id: id ?? title };
      const found = byId.get(id ?? '');
      if (id !== null && found?.state.title !== title)
        return [violation('lost create', subject, `“${title}” was answered and does not exist`)];
      const isWrong = interruptions === 0 && ending !== null && found?.state.status !== ending;
      return isWrong
        ? [violation('wrong end', subject, `${found?.state.status}, where nothing kept it from ${ending}`)]
        : [];
    }),
    ...requests.flatMap((request) => {
      const { title } = request.state;
      if (!asked.has(title)) return [violation('uninvited request', request, `nobody created “${title}”`)];
      const copies = titles.get(title) ?? 0;
      return copies > 1 ? [violation('doubled create', request, `“${title}” exists ${copies} times`)] : [];
    }),
  ];
}
