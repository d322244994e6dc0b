import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { createLimiter } from '../auth/port.ts'
import type { OpenBlob } from '../blobs/port.ts'
import { refusals } from './refusals.ts'

export const mostCharacters = 50_000

/** The beginning of a text. */
export interface Excerpt {
  readonly text: string
  readonly textTruncated?: true
}

/** The beginning of a text, never half a character of it. */
export const shortened = (text: string): Excerpt => (text.length > mostCharacters ? { text: text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, ''), textTruncated: true } : { text })

/** Reads a text in UTF-8, of which the first 50,000 characters are kept. Refuses other bytes with 415 `content_mismatch`. */
export async function readText(bytes: AsyncIterable<Uint8Array>): Promise<Excerpt> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let isCut = false
  const add = (more: string): void => {
    if (more.includes('\0')) throw refusals.contentMismatch()
    isCut ||= text.length + more.length > mostCharacters
    text += more.slice(0, mostCharacters - text.length)
  }
  for await (const part of bytes) add(decode(() => decoder.decode(part, { stream: true })))
  add(decode(() => decoder.decode()))
  // A cut may leave half of a character that takes two places.
  return isCut ? { text: text.replace(/[\ud800-\udbff]$/, ''), textTruncated: true } : { text }
}

function decode(read: () => string): string {
  try {
    return read()
  } catch {
    throw refusals.contentMismatch()
  }
}

/** What a PDF says. */
export interface PdfText extends Excerpt {
  readonly pageCount: number
}

/** Reads the text of a stored PDF; `undefined` where it cannot be read, is encrypted, or takes too much. */
export type ReadPdf = (file: Pick<OpenBlob, 'size' | 'bytes'>) => Promise<PdfText | undefined>

export interface ReadPdfOptions {
  /** Milliseconds for one file. */
  readonly longestMs?: number
  /** Bytes that the process may grow by meanwhile: what is unpacked is no part of the heap that V8 limits. */
  readonly mostBytes?: number
  /** The name of the package, or the path of another module. */
  readonly library?: string
}

const mebibyte = 1024 * 1024
/** Bytes of an array that one stream of a file is unpacked into. Arrays double while they grow, so 16 MiB is what fits. */
const mostUnpacked = 20 * mebibyte
/** Files that wait to be read; whatever comes then is not. */
const mostWaiting = 8
const everyMs = 25

const program = `
  const { createRequire } = require('node:module')
  const { parentPort, workerData: { from, library, bytes, longestMs, most, mostUnpacked } } = require('node:worker_threads')
  // The library has no limit for what a stream unpacks to. Its own decoders, used without this class, grow one array each.
  delete globalThis.DecompressionStream
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, [first, ...rest], asked) {
      if (first > mostUnpacked) throw new RangeError('too much to unpack')
      return Reflect.construct(target, [first, ...rest], asked)
    },
  })
  // From here, or, in a bundle that is nowhere, from the folder that the process runs in.
  const load = () => {
    try {
      return createRequire(from)(library)
    } catch {
      return require(library)
    }
  }
  const read = async () => {
    let loaded
    try {
      loaded = load()
    } catch {
      return parentPort.postMessage('missing')
    }
    const { getDocumentProxy } = loaded
    const pdf = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false })
    const until = performance.now() + longestMs
    let text = ''
    let page = 0
    while (page < pdf.numPages && text.length <= most && performance.now() < until) {
      const { items } = await (await pdf.getPage(++page)).getTextContent()
      text += items.map(({ str = '', hasEOL }) => (hasEOL ? str + '\\n' : str)).join('').slice(0, most + 1) + '\\n\\n'
    }
    parentPort.postMessage({ pageCount: pdf.numPages, text, isWhole: page === pdf.numPages })
  }
  read().catch(() => process.exit(1))`
/** Milliseconds in which pages are begun. */
const workMs = 2_000
const Said = v.object({ pageCount: v.number(), text: v.string(), isWhole: v.boolean() })

/** Makes what reads PDFs, one at a time and apart from everything else. It takes the optional package unpdf. */
export function createReadPdf({ longestMs = 10_000, mostBytes = 256 * mebibyte, library = 'unpdf' }: ReadPdfOptions = {}): ReadPdf {
  const limited = createLimiter(1)
  let waiting = 0
  let isMissing = false

  const read: ReadPdf = async (file) => {
    const bytes = await wholeOf(file)
    const workerData = { from: import.meta.url, library, bytes, longestMs: workMs, most: mostCharacters, mostUnpacked }
    const resourceLimits = { maxOldGenerationSizeMb: mostBytes / mebibyte, maxYoungGenerationSizeMb: 32 }
    const worker = new Worker(program, { eval: true, workerData, transferList: [bytes.buffer], resourceLimits, env: {}, execArgv: [], stdout: true, stderr: true })
    const [begun, usual] = [performance.now(), process.memoryUsage.rss()]
    const isTooMuch = (): boolean => performance.now() - begun > longestMs || process.memoryUsage.rss() - usual > mostBytes
    const watching = setInterval(() => isTooMuch() && void worker.terminate(), everyMs)
    try {
      const said = await new Promise<unknown>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject).once('exit', () => reject(new Error('the PDF was not read')))
      })
      isMissing = said === 'missing'
      return isMissing ? undefined : toText(v.parse(Said, said))
    } finally {
      clearInterval(watching)
      await worker.terminate()
    }
  }

  return async (file) => {
    if (isMissing || waiting >= mostWaiting) return undefined
    waiting++
    try {
      return await limited(() => read(file))
    } catch {
      return undefined
    } finally {
      waiting--
    }
  }
}

/** In memory that is transferred to the thread, so that a file is in this process once. */
async function wholeOf({ size, bytes }: Pick<OpenBlob, 'size' | 'bytes'>): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(size)
  let at = 0
  for await (const part of bytes) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function toText({ pageCount, text, isWhole }: v.InferOutput<typeof Said>): PdfText {
  const clean = text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '').trim()
  const excerpt = shortened(clean)
  return { pageCount, ...excerpt, ...(!isWhole && { textTruncated: true }) }
}
