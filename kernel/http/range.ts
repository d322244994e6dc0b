import { refusals } from '../refusals.ts'

/** A part of a file, both ends inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses a Range header for a file of this size; `undefined` means the complete file, as for several ranges
 * and an invalid header. Refuses a range without a byte of the file with 416 `range_not_satisfiable`.
 */
export function readRange(range: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start > end) throw refusals.rangeNotSatisfiable(size)
  return { start, end }
}
