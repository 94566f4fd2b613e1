import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { SCREENSHOTS } from './browser.ts';

/** Long enough for a busy machine. */
export const STEP_SECONDS = 25;

/** A browser engine beside Chromium's, in which the main ways through the pages are tried as well. */
export interface Engine {
  openTab(size: Size): Promise<EngineTab>;
  stop(): Promise<void>;
}

export interface Size {
  width: number;
  height: number;
}

/** A browser, in which elements are found by their visible text. */
export interface EngineTab {
  open(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  close(): Promise<void>;
  /** Runs a function in the page. */
  run<T>(inPage: () => T): Promise<T>;
  seesCss(selector: string): Promise<unknown>;
  seesHeading(text: string): Promise<unknown>;
  seesText(text: string): Promise<unknown>;
  press(name: string): Promise<void>;
  follow(name: string): Promise<void>;
  choose(label: string): Promise<void>;
  /** Into the field with this label. */
  type(label: string, text: string): Promise<void>;
  typeInto(selector: string, text: string): Promise<void>;
  attach(selector: string, file: string): Promise<void>;
  /** Whether a click would meet this element. */
  isOnTop(selector: string): Promise<boolean>;
  /** Draws a line over so much of an element's width. */
  draw(selector: string): Promise<void>;
  /** Waits for the bytes of the one file that is downloaded. */
  downloaded(): Promise<{ name: string; bytes: Buffer }>;
  screenshot(name: string): Promise<void>;
  /** Errors of scripts, and what policies refused. */
  errors(): string[];
}

/** The one file that a browser downloads, once all its bytes are there. */
export const downloadedInto = (folder: string): Promise<{ name: string; bytes: Buffer }> =>
  until(
    async () => {
      const name = readdirSync(folder).find((file) => !file.endsWith('.part'));
      if (name === undefined) return undefined;
      const bytes = readFileSync(join(folder, name));
      if (!bytes.includes('%%EOF', bytes.length - 64)) return undefined;
      rmSync(join(folder, name));
      return { name, bytes };
    },
    'the downloaded file',
    STEP_SECONDS,
  );

export function storePicture(name: string, png: Buffer) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(join(SCREENSHOTS, `${name}.png`), png);
}
