/** A character of a value, as a text spells it; an escape, or white space of several characters, is one. */
export interface Unit {
  readonly raw: string
  readonly value: string
}

/**
 * Writes a value so that what it shares at its start and end with the one before keeps its spelling; a blank
 * at the end stays there.
 */
export function inForm(units: readonly Unit[], value: string, spell: (part: string) => string): string {
  let [start, first] = [0, 0]
  const most = units.at(-1)?.value.trim() === '' ? units.length - 1 : units.length
  while (first < most && startsAt(value, units[first], start)) start += units[first++]?.value.length ?? 0
  let [end, last] = [value.length, units.length]
  while (last > first) {
    const unit = units[last - 1]
    const from = end - (unit?.value.length ?? 0)
    if (from < start || !startsAt(value, unit, from)) break
    end = from
    last -= 1
  }
  const shared = (each: readonly Unit[]): string => each.map(({ raw }) => raw).join('')
  return shared(units.slice(0, first)) + spell(value.slice(start, end)) + shared(units.slice(last))
}

const startsAt = (value: string, unit: Unit | undefined, at: number): boolean =>
  unit !== undefined && unit.value !== '' && value.startsWith(unit.value, at)
