/** Makes `Date` return the local cloud's time: the machine's plus this offset in ms. */
export function followLocalClock(offset: Float64Array): void {
  const realNow = Date.now;
  const now = (): number => realNow() + (offset[0] ?? 0);
  const RealDate = Date;
  const LocalDate = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.now = now;
  RealDate.prototype.constructor = LocalDate;
  globalThis.Date = LocalDate;
}
