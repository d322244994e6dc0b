import { createEndSearch } from './end-of-image.ts'
import type { Kind } from './intake.ts'
import { refusals } from './refusals.ts'

/** Inspects a file chunk by chunk, from start to end. */
interface Inspector {
  add(part: Buffer): void
  /**
   * Refuses a file without the end that its type requires, or with another one inside. A file that is `open`
   * is a JPEG without its end, which may have all its pixels.
   */
  end(): { readonly warnings: string[]; readonly isOpen: boolean }
}

const documentMark = '%PDF-'
const encryptedMark = '/Encrypt'
/** The names of PDF features that make a viewer run or unpack something. */
const activeMarks = ['/JavaScript', '/JS', '/Launch', '/EmbeddedFile', '/XFA']
const documentEnd = '%%EOF'
const documentObject = ' 0 obj'
/** The end of an archive in one file. */
const archiveEnd = 'PK\x05\x06\0\0\0\0'

/** Creates the inspector of one file. */
export function createInspector({ kind, type }: Kind): Inspector {
  const ofPdf = [encryptedMark, ...activeMarks, documentEnd, documentObject]
  const counter = createCounter([...(kind === 'pdf' ? ofPdf : [documentMark]), archiveEnd])
  const search = createEndSearch(type)
  return {
    add(part) {
      counter.add(part)
      search.add(part)
    },
    end() {
      if (kind === 'pdf') return { warnings: pdfWarnings(counter), isOpen: false }
      if (counter.of(documentMark) > 0) throw refusals.contentMismatch()
      const end = search.end()
      const isOpen = end === undefined && search.isOpen()
      // Anything may follow an image but an archive, which readers of archives would open.
      if ((end === undefined && !isOpen) || counter.last(archiveEnd) >= (end ?? 0))
        throw refusals.fileDamaged()
      return { warnings: [], isOpen }
    },
  }
}

/** Accepts what follows the end, as readers do, but neither an object of the PDF nor an archive. */
function pdfWarnings({ of: count, last }: Counter): string[] {
  const end = last(documentEnd)
  if (end === -1 || Math.max(last(documentObject), last(archiveEnd)) > end) throw refusals.pdfInvalid()
  const isActive = activeMarks.some((mark) => count(mark) > 0)
  return [...(count(encryptedMark) > 0 ? ['encrypted'] : []), ...(isActive ? ['active_content'] : [])]
}

type Counter = ReturnType<typeof createCounter>

/** Counts occurrences of Latin-1 texts in a stream, including those across chunk boundaries. */
export function createCounter(texts: readonly string[]) {
  const wanted = texts.map((text) => ({ text, bytes: Buffer.from(text, 'latin1'), count: 0, last: -1 }))
  const half = Math.max(...texts.map(({ length }) => length))
  const before = createTail(half)
  const boundary = Buffer.alloc(2 * half)
  let passed = 0
  const found = (each: (typeof wanted)[number], at: number): void => {
    each.count++
    each.last = at
  }
  return {
    add(part: Buffer): void {
      before.bytes.copy(boundary)
      part.copy(boundary.fill(0, half), half)
      for (const each of wanted) {
        const { bytes } = each
        const across = boundary.indexOf(bytes, half - bytes.length + 1)
        if (across !== -1 && across < half) found(each, passed - half + across)
        for (let at = part.indexOf(bytes); at !== -1; at = part.indexOf(bytes, at + bytes.length))
          found(each, passed + at)
      }
      before.add(part)
      passed += part.length
    },
    of: (text: string): number => wanted.find((each) => each.text === text)?.count ?? 0,
    /** Returns the position of the last one; -1 if there is none. */
    last: (text: string): number => wanted.find((each) => each.text === text)?.last ?? -1,
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
