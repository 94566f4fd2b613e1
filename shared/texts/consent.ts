import type { Locale } from '../contract/fields.ts';

/**
 * What a signer agrees to. The version goes into the audit trail with every signature, so a change of any word below
 * needs a new version (a test pins the two together).
 */
export const CONSENT_VERSION = '2026-11-01';

const CONSENT: Record<Locale, string> = {
  en: 'I agree to sign this document electronically. By signing, I confirm that I have read the document, that I intend to sign it and that I accept it in electronic form. My signature is a simple electronic signature. My name, my e-mail address, the time, my IP address and my browser are recorded as evidence of it. The sender can see this record, and parts of it appear in the signed document.',
  fi: 'Suostun allekirjoittamaan tämän asiakirjan sähköisesti. Allekirjoittamalla vahvistan, että olen lukenut asiakirjan, että tarkoitukseni on allekirjoittaa se ja että hyväksyn sen sähköisessä muodossa. Allekirjoitukseni on yksinkertainen sähköinen allekirjoitus. Siitä tallennetaan todisteeksi nimeni, sähköpostiosoitteeni, ajankohta, IP-osoitteeni ja selaimeni tiedot. Lähettäjä näkee nämä tiedot, ja osa niistä näkyy allekirjoitetussa asiakirjassa.',
  fr: 'J’accepte de signer ce document par voie électronique. En signant, je confirme que j’ai lu le document, que j’ai l’intention de le signer et que je l’accepte sous forme électronique. Ma signature est une signature électronique simple. Mon nom, mon adresse e-mail, la date et l’heure, mon adresse IP et mon navigateur sont enregistrés pour en apporter la preuve. L’expéditeur peut consulter ces données, dont une partie figure dans le document signé.',
  de: 'Ich stimme zu, dieses Dokument elektronisch zu unterschreiben. Mit meiner Unterschrift bestätige ich, dass ich das Dokument gelesen habe, dass ich es unterschreiben will und dass ich es in elektronischer Form akzeptiere. Meine Unterschrift ist eine einfache elektronische Signatur. Mein Name, meine E-Mail-Adresse, der Zeitpunkt, meine IP-Adresse und mein Browser werden als Nachweis festgehalten. Der Absender kann diese Angaben einsehen; ein Teil davon erscheint im unterschriebenen Dokument.',
};

export const consentText = (locale: Locale): string => CONSENT[locale];
