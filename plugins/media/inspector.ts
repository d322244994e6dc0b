import type { Kind } from './intake.ts'
import { refusals } from './refusals.ts'

/** Looks at a file part by part, from beginning to end. */
export interface Inspector {
  add(part: Buffer): void
  /** Warnings about the whole file. Refuses one that does not end as its type does, or has another document in it. */
  end(): string[]
}

interface Whole {
  readonly size: number
  /** The size that a WebP states in its header. */
  readonly announced: number
  /** The last bytes. */
  readonly tail: Buffer
  /** How often one of the marks is in it. */
  readonly count: (mark: string) => number
}

const tailBytes = 1024
const documentMark = '%PDF-'
// Each JPEG has a beginning and an end, also the small one that a camera puts into the large one.
const jpegMarks = { beginning: '\xff\xd8\xff', end: '\xff\xd9' } as const
const encryptedMark = '/Encrypt'
/** Names of what a viewer may run or unpack. */
const activeMarks = ['/JavaScript', '/JS', '/Launch', '/EmbeddedFile', '/XFA']

const marksOf = (type: string): readonly string[] => {
  if (type === 'application/pdf') return [encryptedMark, ...activeMarks]
  return type === 'image/jpeg' ? [documentMark, ...Object.values(jpegMarks)] : [documentMark]
}

/** Makes the inspector of a stored file. */
export function createInspector({ kind, type }: Kind): Inspector {
  let [size, announced] = [0, 0]
  const tail = createTail(tailBytes)
  const counter = createCounter(marksOf(type))
  return {
    add(part) {
      if (size === 0 && type === 'image/webp') announced = part.readUInt32LE(4) + 8
      size += part.length
      tail.add(part)
      counter.add(part)
    },
    end() {
      const whole: Whole = { size, announced, tail: tail.bytes, count: counter.of }
      if (kind === 'pdf') return judgePdf(whole)
      if (whole.count(documentMark) > 0) throw refusals.contentMismatch()
      if (!isWholeImage[type]?.(whole)) throw refusals.fileDamaged()
      return []
    },
  }
}

const endOfPng = Buffer.from('IEND\xae\x42\x60\x82', 'latin1')
const endOfGif = Buffer.from(';')

/** Zeros at the end are let pass, and a JPEG may have more behind it, as those of many telephones do. */
const isWholeImage: Readonly<Record<string, (file: Whole) => boolean>> = {
  'image/png': ({ tail }) => endsWith(tail, endOfPng),
  'image/gif': ({ tail }) => endsWith(tail, endOfGif),
  'image/webp': ({ size, announced }) => size === announced,
  'image/jpeg': ({ count }) => count(jpegMarks.end) >= count(jpegMarks.beginning),
}

function endsWith(tail: Buffer, ending: Buffer): boolean {
  let end = tail.length
  while (end > 0 && tail[end - 1] === 0) end--
  return tail.subarray(0, end).subarray(-ending.length).equals(ending)
}

function judgePdf({ tail, count }: Whole): string[] {
  if (!tail.includes('%%EOF')) throw refusals.pdfInvalid()
  const isActive = activeMarks.some((mark) => count(mark) > 0)
  return [...(count(encryptedMark) > 0 ? ['encrypted'] : []), ...(isActive ? ['active_content'] : [])]
}

/** Counts texts of one byte a character in a stream, also across the seams of its parts. */
export interface Counter {
  add(part: Buffer): void
  /** How often one of the texts has come. */
  of(text: string): number
}

/** Makes the counter of some texts. */
export function createCounter(texts: readonly string[]): Counter {
  const wanted = texts.map((text) => ({ text, bytes: Buffer.from(text, 'latin1'), count: 0 }))
  const half = Math.max(...texts.map(({ length }) => length))
  const before = createTail(half)
  const seam = Buffer.alloc(2 * half)
  return {
    add(part) {
      before.bytes.copy(seam)
      part.copy(seam.fill(0, half), half)
      for (const each of wanted) {
        const { bytes } = each
        const across = seam.indexOf(bytes, half - bytes.length + 1)
        if (across !== -1 && across < half) each.count++
        for (let at = part.indexOf(bytes); at !== -1; at = part.indexOf(bytes, at + bytes.length)) each.count++
      }
      before.add(part)
    },
    of: (text) => wanted.find((each) => each.text === text)?.count ?? 0,
  }
}

/** The last bytes of a stream, behind zeros while fewer have come. */
export interface Tail {
  add(part: Buffer): void
  readonly bytes: Buffer
}

/** Keeps the last bytes of a stream in one place: a copy for each part would cost more than the file. */
export function createTail(length: number): Tail {
  const bytes = Buffer.alloc(length)
  return {
    bytes,
    add(part) {
      const count = Math.min(part.length, length)
      bytes.copyWithin(0, count)
      part.copy(bytes, length - count, part.length - count)
    },
  }
}
