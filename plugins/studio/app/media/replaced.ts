/** Content with another picture. */
import { isRow } from '../stores/place.ts'

const ofAddress = /[\w%~./:-]/
const ofName = /^\.?[\w%~-]/

/** A text with another address; one that is a part of a longer name, such as `/a.jpg` in `/a.jpg.webp`, stays. */
function withAddress(text: string, address: string, next: string): string {
  const [first = '', ...others] = text.split(address)
  return others.reduce((before, rest) => {
    const isWhole = !ofAddress.test(before.at(-1) ?? '') && !ofName.test(rest)
    return before + (isWhole ? next : address) + rest
  }, first)
}

/** A value in which the addresses of one picture are those of another, also inside markup. */
export function withPicture(value: unknown, written: readonly string[], next: string): unknown {
  if (typeof value === 'string') {
    if (written.includes(value.split('?', 1)[0] ?? '')) return next
    const longestFirst = [...new Set(written)].toSorted((a, b) => b.length - a.length)
    return longestFirst.reduce((text, address) => withAddress(text, address, next), value)
  }
  if (Array.isArray(value)) return value.map((each) => withPicture(each, written, next))
  if (!isRow(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withPicture(each, written, next)]),
  )
}
