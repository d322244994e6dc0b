import type { Kind } from './intake.ts'
import { refusals } from './refusals.ts'

/** Inspects a file chunk by chunk, from start to end. */
interface Inspector {
  add(part: Buffer): void
  /** Returns warnings. Refuses a file without the end that its type requires, or with another one inside. */
  end(): string[]
}

interface Inspected {
  readonly size: number
  /** The size in the header of a WebP file. */
  readonly announced: number
  /** The last bytes. */
  readonly tail: Buffer
  /** Counts the occurrences of a mark. */
  readonly count: (mark: string) => number
}

const tailBytes = 1024
const documentMark = '%PDF-'
// Every JPEG has a start and an end marker, including the thumbnail that cameras embed.
const jpegMarks = { beginning: '\xff\xd8\xff', end: '\xff\xd9' } as const
const encryptedMark = '/Encrypt'
/** The names of PDF features that make a viewer run or unpack something. */
const activeMarks = ['/JavaScript', '/JS', '/Launch', '/EmbeddedFile', '/XFA']

const marksOf = (type: string): readonly string[] => {
  if (type === 'application/pdf') return [encryptedMark, ...activeMarks]
  return type === 'image/jpeg' ? [documentMark, ...Object.values(jpegMarks)] : [documentMark]
}

/** Creates the inspector of one file. */
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
      const file: Inspected = { size, announced, tail: tail.bytes, count: counter.of }
      if (kind === 'pdf') return pdfWarnings(file)
      if (file.count(documentMark) > 0) throw refusals.contentMismatch()
      if (!isComplete[type]?.(file)) throw refusals.fileDamaged()
      return []
    },
  }
}

const endOfPng = Buffer.from('IEND\xae\x42\x60\x82', 'latin1')
const endOfGif = Buffer.from(';')

/** Accepts trailing zeros, and more data after a JPEG, as in files of many phones. */
const isComplete: Readonly<Record<string, (file: Inspected) => boolean>> = {
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

function pdfWarnings({ tail, count }: Inspected): string[] {
  if (!tail.includes('%%EOF')) throw refusals.pdfInvalid()
  const isActive = activeMarks.some((mark) => count(mark) > 0)
  return [...(count(encryptedMark) > 0 ? ['encrypted'] : []), ...(isActive ? ['active_content'] : [])]
}

/** Counts occurrences of Latin-1 texts in a stream, including those across chunk boundaries. */
export function createCounter(texts: readonly string[]) {
  const wanted = texts.map((text) => ({ text, bytes: Buffer.from(text, 'latin1'), count: 0 }))
  const half = Math.max(...texts.map(({ length }) => length))
  const before = createTail(half)
  const boundary = Buffer.alloc(2 * half)
  return {
    add(part: Buffer): void {
      before.bytes.copy(boundary)
      part.copy(boundary.fill(0, half), half)
      for (const each of wanted) {
        const { bytes } = each
        const across = boundary.indexOf(bytes, half - bytes.length + 1)
        if (across !== -1 && across < half) each.count++
        for (let at = part.indexOf(bytes); at !== -1; at = part.indexOf(bytes, at + bytes.length))
          each.count++
      }
      before.add(part)
    },
    of: (text: string): number => wanted.find((each) => each.text === text)?.count ?? 0,
  }
}

/** Keeps the last bytes of a stream in one zero-padded buffer: copying each chunk would cost too much. */
function createTail(length: number) {
  const bytes = Buffer.alloc(length)
  return {
    bytes,
    add(part: Buffer): void {
      const count = Math.min(part.length, length)
      bytes.copyWithin(0, count)
      part.copy(bytes, length - count, part.length - count)
    },
  }
}
