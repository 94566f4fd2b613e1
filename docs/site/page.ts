export interface Page {
  /** Below `/docs`; the home page has none. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly body: () => string;
}

export interface MenuGroup {
  readonly title: string;
  readonly pages: readonly Page[];
}
