import { isolated } from '../../../shared/texts/isolate.ts';
import { type Locale, PAGE_TEXTS } from '../../../shared/texts/languages.ts';
import { Arriving } from '../../parts/arriving.tsx';
import { Button } from '../../parts/button.tsx';
import { Connection } from '../../parts/connection.tsx';
import { formatMoment } from '../../parts/format.ts';
import { Header } from '../../parts/header.tsx';
import { Heading } from '../../parts/heading.tsx';
import { useStepFocus } from '../../parts/step-focus.ts';
import { Warning } from '../../parts/warning.tsx';
import { Footer, useBrand } from '../brand.tsx';
import type { Copy } from '../contract.ts';
import { OpeningCard } from '../steps/opening.tsx';
import { TroubleCard } from '../steps/trouble.tsx';
import type { CopyController } from './copy.ts';

interface CopyPageProps {
  controller: CopyController;
  locale: Locale;
  chooseLanguage(locale: Locale): void;
  tryNow(): void;
}

export function CopyPage(props: CopyPageProps) {
  const { controller, locale, chooseLanguage, tryNow } = props;
  const texts = PAGE_TEXTS[locale];
  const { shown } = controller;
  useStepFocus(shown.screen);
  const brand = useBrand(shown.screen === 'copy' ? shown.copy.brand : undefined);
  return (
    <div class="frame">
      <Header brand={brand} locale={locale} onLanguage={chooseLanguage} />
      <Connection delay={controller.delay} texts={texts.connection} tryNow={tryNow} />
      <main class="main">
        <Content {...props} />
      </main>
      <Footer brand={brand} locale={locale} />
    </div>
  );
}

function Content({ controller, locale }: CopyPageProps) {
  const texts = PAGE_TEXTS[locale];
  const { shown } = controller;
  switch (shown.screen) {
    case 'opening':
      return <OpeningCard texts={texts} />;
    case 'copy':
      return <Downloads {...{ controller, locale }} copy={shown.copy} />;
    case 'trouble':
      return <TroubleCard texts={texts} text={texts.copy.fault} reach={controller.reach} />;
    case 'document_purged': {
      const { purged, purgedPlain } = texts.done;
      const text = shown.at ? purged(formatMoment(shown.at, locale)) : purgedPlain;
      return <Ended heading={texts.copy.purged} text={text} />;
    }
    case 'not_found':
    case 'link_expired':
      return <Ended heading={texts.ended[shown.screen].heading} text={texts.copy[shown.screen]} />;
  }
}

const Ended = ({ heading, text }: { heading: string; text: string }) => (
  <div class="card card-narrow">
    <Heading>{heading}</Heading>
    <p class="lead">{text}</p>
  </div>
);

function Downloads({
  controller,
  locale,
  copy,
}: Pick<CopyPageProps, 'controller' | 'locale'> & { copy: Copy }) {
  const texts = PAGE_TEXTS[locale];
  const { task } = controller;
  const downloading = <Arriving words={texts.done.downloading} part={controller.progress} locale={locale} />;
  return (
    <div class="card card-narrow">
      {copy.test && <Warning>{texts.test}</Warning>}
      <Heading>{texts.copy.heading}</Heading>
      <div class="request-name">
        <p class="request-title" dir="auto">
          {copy.title}
        </p>
        <p class="request-sender">{texts.document.from(isolated(copy.sender_name))}</p>
      </div>
      <p>{texts.done.sealed}</p>
      <p class="actions">
        <Button
          kind="main"
          busy={task === 'document'}
          waiting={task === 'evidence'}
          onClick={() => void controller.save('document')}
        >
          {task === 'document' ? downloading : texts.done.download}
        </Button>
        {copy.evidence && (
          <Button
            busy={task === 'evidence'}
            waiting={task === 'document'}
            onClick={() => void controller.save('evidence')}
          >
            {task === 'evidence' ? downloading : texts.done.downloadEvidence}
          </Button>
        )}
      </p>
      <p role="status">{controller.downloaded && texts.document.downloaded}</p>
      {controller.downloaded && <p class="hint">{texts.done.noFile}</p>}
      <div role="alert">{controller.failed && <Warning>{texts.copy.fault}</Warning>}</div>
      <p class="muted">{texts.copy.until(formatMoment(copy.available_until, locale))}</p>
    </div>
  );
}
