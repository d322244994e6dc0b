/**
 * Shifts the clock of a process; loaded before its files by `--import`, with the seconds as `?seconds=` of its
 * address.
 */
const shiftMs = Number(new URL(import.meta.url).searchParams.get('seconds')) * 1000
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number]) {
    super(...((given.length === 0 ? [RealDate.now() + shiftMs] : given) as [number]))
  }
  static override now(): number {
    return RealDate.now() + shiftMs
  }
} as DateConstructor
