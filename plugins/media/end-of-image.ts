/**
 * A step through a format: bytes to skip, bytes to read as a number, the next marker of a JPEG, or the data
 * blocks of a GIF. The last two are searched at once, because a file can have millions of them.
 */
type FormatStep = { readonly skip: number } | Reading | Search
interface Reading {
  readonly read: 1 | 2 | 4
  /** A file may end before this step. */
  readonly mayEnd?: boolean
}
interface Search {
  readonly find: 'marker' | 'blocks'
  readonly mayEnd: boolean
}
type Steps = Generator<FormatStep, void, number>

const one: Reading = { read: 1 }
const two: Reading = { read: 2 }
const four: Reading = { read: 4 }
/** Of a file that readers cannot show. */
const never: FormatStep = { skip: Infinity }
const [dataOfPng, endOfPng] = [0x49444154, 0x49454e44]

/** Accepts a file without the last chunk, which has no pixels; one that ends within a chunk is truncated. */
function* png(): Steps {
  yield { skip: 8 }
  let [type, mayEnd] = [0, false]
  while (type !== endOfPng) {
    const length = yield { read: 4, mayEnd }
    type = yield four
    yield { skip: length + 4 }
    mayEnd ||= type === dataOfPng
  }
}

/** Passes over what is between markers, as readers do, and accepts a file without its last byte. */
function* jpeg(): Steps {
  yield { skip: 2 }
  for (let mayEnd = false; ;) {
    const code: number = yield { find: 'marker', mayEnd }
    if (code === 0xd9) return
    const isAlone = code === 1 || (code >= 0xd0 && code <= 0xd8)
    if (!isAlone) yield { skip: (yield two) - 2 }
    mayEnd ||= code === 0xda
  }
}

/** Accepts a file without the end of its last block. Readers take a block of an unknown kind for the end. */
function* gif(): Steps {
  yield { skip: 10 }
  yield { skip: 2 + colorBytes(yield one) }
  for (let mayEnd = false; ;) {
    const block: number = yield { read: 1, mayEnd }
    const isImage = block === 0x2c
    if (isImage) {
      yield { skip: 8 }
      yield { skip: 1 + colorBytes(yield one) }
    } else if (block === 0x21) yield { skip: 1 }
    else {
      if (!mayEnd) yield never
      return
    }
    yield { find: 'blocks', mayEnd: isImage }
    mayEnd ||= isImage
  }
}

/** The size of the color table that the flags announce. */
const colorBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Accepts an odd size without padding. */
function* webp(): Steps {
  yield { skip: 4 }
  let remaining = littleEndian(yield four) - 4
  yield { skip: 4 }
  if (remaining < 8) yield never
  while (remaining >= 8) {
    yield { skip: 4 }
    const length = littleEndian(yield four)
    remaining -= 8 + length
    if (remaining < 0) yield never
    const padding = Math.min(length % 2, remaining)
    remaining -= padding
    yield { skip: length + padding }
  }
  yield { skip: remaining }
}

function littleEndian(value: number): number {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes.readUInt32LE()
}

const formats: Readonly<Record<string, () => Steps>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
}

/** Creates a search for the end of an image that arrives chunk by chunk. */
export function createEndSearch(type: string) {
  const steps = formats[type]?.()
  let step: ReturnType<Steps['next']> | undefined
  /** The bytes of earlier chunks, those that the step still takes, and what it has read. */
  let [before, remaining, value] = [0, 0, 0]
  let end: number | undefined
  const proceed = (): void => {
    step = steps?.next(value)
    ;[remaining, value] = [lengthOf(step?.value), 0]
    if (remaining <= 0 && step && !step.done && 'skip' in step.value) proceed()
  }
  const takeMarker = (part: Buffer, at: number): number => {
    for (let next = at; next < part.length; next++) {
      const isMarked = value === 0xff
      value = part[next] ?? 0
      if (!isMarked || value === 0 || value === 0xff) continue
      proceed()
      return next + 1
    }
    return part.length
  }
  const takeBlocks = (part: Buffer, at: number): number => {
    for (let next = at; next < part.length;) {
      const taken = Math.min(remaining, part.length - next)
      next += taken
      remaining -= taken
      if (next === part.length) return next
      value++
      remaining = part[next++] ?? 0
      if (remaining > 0) continue
      proceed()
      return next
    }
    return part.length
  }
  /** Takes from a chunk what belongs to the step, and returns the position after it. */
  const take = (wanted: FormatStep, part: Buffer, at: number): number => {
    if ('find' in wanted) return wanted.find === 'marker' ? takeMarker(part, at) : takeBlocks(part, at)
    const until = Math.min(at + remaining, part.length)
    if ('read' in wanted) for (let each = at; each < until; each++) value = value * 256 + (part[each] ?? 0)
    remaining -= until - at
    if (remaining <= 0) proceed()
    return until
  }
  proceed()
  return {
    add(part: Buffer): void {
      let at = 0
      while (at < part.length) {
        if (!step || step.done) break
        at = take(step.value, part, at)
      }
      if (step?.done) end ??= before + at
      before += part.length
    },
    /** Returns the position after the image; `undefined` if it is truncated. */
    end(): number | undefined {
      const last = step?.value
      if (!last || !('mayEnd' in last && last.mayEnd)) return end
      const isOver =
        'read' in last
          ? remaining === last.read
          : last.find === 'marker'
            ? value === 0xff
            : remaining === 0 && value > 0
      return isOver ? before : undefined
    },
    /**
     * Whether only pixels follow the start of a JPEG: they may be complete, which only a decoder can tell.
     */
    isOpen(): boolean {
      const last = step?.value
      return !!last && 'find' in last && last.find === 'marker' && last.mayEnd
    },
  }
}

const lengthOf = (step: FormatStep | void): number => {
  if (!step || 'find' in step) return 0
  return 'read' in step ? step.read : step.skip
}
