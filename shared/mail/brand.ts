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

/** A brand, or undefined for an owner without one. */
export type MaybeBrand = MailBrand | undefined;

/** The name of the sender: the brand's, or else the owner's. */
export const shownSender = (ownerName: string, brand: MaybeBrand): string => brand?.name ?? ownerName;
