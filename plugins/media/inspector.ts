import { createCounter, type Counter } from './counter.ts'
import type { Kind } from './kinds.ts'
import { refusals } from './refusals.ts'
import { createTail } from './tail.ts'

/** Looks at a file part by part, from beginning to end. */
export interface Inspector {
  add(part: Buffer): void
  /** Warnings about the whole file. Refuses one that does not end as its type does, or has another document in it. */
  end(): string[]
}

const tailBytes = 1024

/** Makes the inspector of a stored file. */
export function createInspector({ kind, type }: Kind): Inspector {
  let [size, announced] = [0, 0]
  const tail = createTail(tailBytes)
  const { counters, judge } = kind === 'pdf' ? ofPdf() : ofImage(type)
  return {
    add(part) {
      if (size === 0 && type === 'image/webp') announced = part.readUInt32LE(4) + 8
      size += part.length
      tail.add(part)
      for (const counter of counters) counter.add(part)
    },
    end: () => judge({ size, announced, tail: tail.bytes }),
  }
}

interface Whole {
  readonly size: number
  /** The size that a WebP states in its header. */
  readonly announced: number
  /** The last bytes. */
  readonly tail: Buffer
}

interface Rules {
  readonly counters: readonly Counter[]
  judge(file: Whole): string[]
}

const endOfPng = Buffer.from('IEND\xae\x42\x60\x82', 'latin1')
const endOfGif = Buffer.from(';')

/** Rules for images. Zeros at the end are let pass, and a JPEG may have more behind it, as those of many telephones do. */
function ofImage(type: string): Rules {
  const documents = createCounter('%PDF-')
  // Each JPEG has a beginning and an end, also the small one that a camera puts into the large one.
  const [beginnings, ends] = [createCounter('\xff\xd8\xff'), createCounter('\xff\xd9')]
  const isWhole: Readonly<Record<string, (file: Whole) => boolean>> = {
    'image/png': ({ tail }) => endsWith(tail, endOfPng),
    'image/gif': ({ tail }) => endsWith(tail, endOfGif),
    'image/webp': ({ size, announced }) => size === announced,
    'image/jpeg': () => ends.count >= beginnings.count,
  }
  return {
    counters: type === 'image/jpeg' ? [documents, beginnings, ends] : [documents],
    judge(file) {
      if (documents.count > 0) throw refusals.contentMismatch()
      if (!isWhole[type]?.(file)) throw refusals.fileDamaged()
      return []
    },
  }
}

function endsWith(tail: Buffer, ending: Buffer): boolean {
  let end = tail.length
  while (end > 0 && tail[end - 1] === 0) end--
  return tail.subarray(0, end).subarray(-ending.length).equals(ending)
}

/** Names of what a viewer may run or unpack. */
const activeNames = ['/JavaScript', '/JS', '/Launch', '/EmbeddedFile', '/XFA']

function ofPdf(): Rules {
  const encrypted = createCounter('/Encrypt')
  const active = activeNames.map(createCounter)
  return {
    counters: [encrypted, ...active],
    judge({ tail }) {
      if (!tail.includes('%%EOF')) throw refusals.pdfInvalid()
      const hasActive = active.some(({ count }) => count > 0)
      return [...(encrypted.count > 0 ? ['encrypted'] : []), ...(hasActive ? ['active_content'] : [])]
    },
  }
}
