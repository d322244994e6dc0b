import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { limitConcurrency } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import { refusals } from './refusals.ts'

const maxCharacters = 50_000

export interface Excerpt {
  readonly text: string
  readonly textTruncated?: true
}

const wholeCharacters = (text: string): string => text.replace(/[\ud800-\udbff]$/, '')

/** Returns the first 50,000 characters of a text, without splitting a surrogate pair. */
const toExcerpt = (text: string): Excerpt =>
  text.length > maxCharacters
    ? { text: wholeCharacters(text.slice(0, maxCharacters)), textTruncated: true }
    : { text }

/** Reads the first 50,000 characters of a UTF-8 text. Refuses other bytes with 415 `content_mismatch`. */
export async function readText(bytes: AsyncIterable<Uint8Array>): Promise<Excerpt> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let isCut = false
  const add = (more: string): void => {
    if (more.includes('\0')) throw refusals.contentMismatch()
    isCut ||= text.length + more.length > maxCharacters
    text += more.slice(0, maxCharacters - text.length)
  }
  for await (const part of bytes) add(decode(() => decoder.decode(part, { stream: true })))
  add(decode(() => decoder.decode()))
  return isCut ? { text: wholeCharacters(text), textTruncated: true } : { text }
}

function decode(read: () => string): string {
  try {
    return read()
  } catch {
    throw refusals.contentMismatch()
  }
}

/** The text of a PDF. */
export interface PdfText extends Excerpt {
  readonly pageCount: number
}

/** Reads the text of a stored PDF; `undefined` if it is unreadable, encrypted, or exceeds the limits. */
export type ReadPdf = (file: Pick<OpenBlob, 'size' | 'bytes'>) => Promise<PdfText | undefined>

export interface ReadPdfOptions {
  /** The time limit per file, in milliseconds. */
  readonly timeoutMs?: number
  /** Bytes by which the process may grow while reading: decompressed data is outside of V8's heap limit. */
  readonly maxBytes?: number
  /** The package name, or the path of another module. */
  readonly library?: string
}

const mebibyte = 1024 * 1024
/** The maximum array size for a decompressed stream, in bytes. Arrays double as they grow, so 16 MiB fit. */
const maxDecompressed = 20 * mebibyte
/** The maximum number of queued files; further files are not read. */
const maxWaiting = 8
const pollMs = 25

/** A string: bundlers leave the file of a worker out of a server. */
const program = `
  const { createRequire } = require('node:module')
  const { parentPort, workerData: { from, library, bytes, timeoutMs, most, maxDecompressed } } = require('node:worker_threads')
  // The library does not limit decompression. Without this class it uses its own decoders, which grow one array each.
  delete globalThis.DecompressionStream
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, [first, ...rest], asked) {
      if (first > maxDecompressed) throw new RangeError('decompressed stream is too large')
      return Reflect.construct(target, [first, ...rest], asked)
    },
  })
  // Resolved from this module or, in a bundle, from the working directory.
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
    const until = performance.now() + timeoutMs
    let text = ''
    let page = 0
    while (page < pdf.numPages && text.length <= most && performance.now() < until) {
      const { items } = await (await pdf.getPage(++page)).getTextContent()
      text += items.map(({ str = '', hasEOL }) => (hasEOL ? str + '\\n' : str)).join('').slice(0, most + 1) + '\\n\\n'
    }
    parentPort.postMessage({ pageCount: pdf.numPages, text, isWhole: page === pdf.numPages })
  }
  read().catch(() => process.exit(1))`
/** Milliseconds after which no further page is started. */
const workMs = 2_000
const Reply = v.object({ pageCount: v.number(), text: v.string(), isWhole: v.boolean() })

/** Creates the PDF reader, which reads one file at a time in a worker. Needs the optional package unpdf. */
export function createReadPdf({
  timeoutMs = 10_000,
  maxBytes = 256 * mebibyte,
  library = 'unpdf',
}: ReadPdfOptions = {}): ReadPdf {
  const limited = limitConcurrency(1)
  let waiting = 0
  let isMissing = false

  const read: ReadPdf = async (file) => {
    const bytes = await readAll(file)
    const workerData = {
      from: import.meta.url,
      library,
      bytes,
      timeoutMs: workMs,
      most: maxCharacters,
      maxDecompressed,
    }
    const resourceLimits = { maxOldGenerationSizeMb: maxBytes / mebibyte, maxYoungGenerationSizeMb: 32 }
    const worker = new Worker(program, {
      eval: true,
      workerData,
      transferList: [bytes.buffer],
      resourceLimits,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    })
    const [started, baseline] = [performance.now(), process.memoryUsage.rss()]
    const isOverLimit = (): boolean =>
      performance.now() - started > timeoutMs || process.memoryUsage.rss() - baseline > maxBytes
    const watchdog = setInterval(() => isOverLimit() && void worker.terminate(), pollMs)
    try {
      const reply = await new Promise<unknown>((resolve, reject) => {
        worker
          .once('message', resolve)
          .once('error', reject)
          .once('exit', () => reject(new Error('the worker exited early')))
      })
      isMissing = reply === 'missing'
      return isMissing ? undefined : toText(v.parse(Reply, reply))
    } finally {
      clearInterval(watchdog)
      await worker.terminate()
    }
  }

  return async (file) => {
    if (isMissing || waiting >= maxWaiting) return undefined
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

/** Reads into memory that is transferred to the worker, so that the process holds the file once. */
async function readAll({ size, bytes }: Pick<OpenBlob, 'size' | 'bytes'>): Promise<Uint8Array<ArrayBuffer>> {
  const joined = new Uint8Array(size)
  let at = 0
  for await (const part of bytes) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

function toText({ pageCount, text, isWhole }: v.InferOutput<typeof Reply>): PdfText {
  const clean = text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
  const excerpt = toExcerpt(clean)
  return { pageCount, ...excerpt, ...(!isWhole && { textTruncated: true }) }
}
