import { encoded } from '../../../llm/port.ts'

/** Something that a model is shown: whole where there is room, else by a mark. */
export interface Piece {
  /** What it shows, such as a block or a page. */
  readonly of: object
  readonly mark: object
  /** Left out where the mark says all. */
  readonly whole?: object
}

/** Bytes of a key and of the signs around a piece. */
const around = 32

/**
 * Chooses how each piece is shown, and which are whole, in `room` bytes. Marks come first and take at most half of the room;
 * then every piece that still fits is whole. The first pieces are the most important ones; one without a mark is left out.
 */
export function fitted(pieces: readonly Piece[], room: number): { readonly as: ReadonlyMap<object, object>; readonly whole: ReadonlySet<object> } {
  const as = new Map<object, object>()
  const whole = new Set<object>()
  let left = room
  for (const { of, mark } of pieces) {
    const bytes = bytesOf(mark)
    if (as.has(of)) continue
    if (left - bytes < room / 2) break
    left -= bytes
    as.set(of, mark)
  }
  for (const { of, mark, whole: all } of pieces) {
    if (!all || whole.has(of) || !as.has(of)) continue
    const more = bytesOf(all) - bytesOf(mark)
    if (more > left) continue
    left -= more
    as.set(of, all)
    whole.add(of)
  }
  return { as, whole }
}

/** The bytes that a piece takes in a request. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(encoded(value)) + around
