/** The look of an owner's mails; null for each member that the owner has not chosen. */
export interface MailBrand {
  name: string | null;
  /** As #rrggbb, dark enough for white letters. */
  accent: string | null;
  replyTo: string | null;
  imprintUrl: string | null;
  privacyUrl: string | null;
  supportUrl: string | null;
  timeZone: string | null;
}

export type MaybeBrand = MailBrand | undefined;

export const shownSender = (ownerName: string, brand: MaybeBrand): string => brand?.name ?? ownerName;
