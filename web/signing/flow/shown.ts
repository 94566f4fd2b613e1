import { visible, visibleLines } from '../../../shared/runtime/visible.ts';
import { clustersOf } from '../../../shared/typesetting/scripts.ts';
import type { RequestView } from '../contract.ts';

/** Removes invisible characters from the view, which could hide or reorder what a signer reads. */
export function shownView(view: RequestView): RequestView {
  const { request, signer, document } = view;
  return {
    ...view,
    request: {
      ...request,
      title: visible(request.title),
      message: visibleLines(request.message),
      sender_name: visible(request.sender_name),
    },
    signer: {
      ...signer,
      // Without a name, the address is used as the name.
      name: signer.name === signer.email ? signer.name : visible(signer.name),
      representing_as_invited: signer.representing_as_invited && visible(signer.representing_as_invited),
    },
    document: {
      ...document,
      filename: visible(document.filename),
      ...(document.attachments && { attachments: shownAttachments(document.attachments) }),
    },
  };
}

const shownAttachments = ({ count, listed }: NonNullable<RequestView['document']['attachments']>) => ({
  count,
  listed: listed.map(({ filename, size }) => ({ filename: shortened(visible(filename)), size })),
});

const LONGEST_NAME = 80;
const NAME_END = 20;

/** Shortens a long name in the middle, to keep the file extension. */
function shortened(name: string): string {
  const characters = clustersOf(name);
  if (characters.length <= LONGEST_NAME) return name;
  const start = characters.slice(0, LONGEST_NAME - NAME_END).join('');
  return `${start}…${characters.slice(-NAME_END).join('')}`;
}
