import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { limitConcurrency, withInterval, workerResult } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import type { PdfReply, PdfRequest } from './pdf-worker.ts'
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

/** Reads the first 50,000 characters of a text. Refuses other bytes with 415 `content_mismatch`. */
export async function readText(bytes: AsyncIterable<Uint8Array>): Promise<Excerpt> {
  // Copied, because the buffer of a chunk may be reused for the next one.
  const text = decodeText(Buffer.concat(await Array.fromAsync(bytes, (part) => Buffer.from(part))))
  if (text === undefined) throw refusals.notText()
  return toExcerpt(text)
}

/**
 * Decodes a text in UTF-8, in UTF-16 with its byte order mark, or in windows-1252, the Latin-1 of browsers;
 * returns `undefined` for other bytes.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return encoding === 'utf-8' ? western(bytes) : undefined
  }
}

/** A control, or a byte to which windows-1252 gives no character. */
const noCharacter = /[^\P{Cc}\t\n\f\r]/u
/** Three accented letters in a row, or most signs in a word: in western texts, they come from another encoding. */
const otherLetters = /(?:(?!\p{ASCII})\p{L}){3}|\p{L}(?![’‘´·\xad\xa0–—…])[^\p{ASCII}\p{L}]\p{L}/u
const ofUtf8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g
const nonAscii = /[\x80-\xff]/g

/** Decodes windows-1252; `undefined` for what looks like another encoding, or like UTF-8 that is damaged. */
function western(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('windows-1252').decode(bytes)
  if (noCharacter.test(text) || otherLetters.test(text)) return undefined
  const raw = Buffer.from(bytes).toString('latin1')
  const countIn = (part: string): number => part.match(nonAscii)?.length ?? 0
  return countIn(raw.replace(ofUtf8, '')) * 2 < countIn(raw) ? undefined : text
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

/** Milliseconds after which no further page is started. */
const workMs = 2_000
const Reply: v.GenericSchema<PdfReply> = v.union([
  v.literal('missing'),
  v.object({ pageCount: v.number(), text: v.string(), isWhole: v.boolean() }),
])

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
    const workerData: PdfRequest = {
      bytes,
      library,
      from: import.meta.url,
      workMs,
      maxCharacters,
      maxDecompressed,
    }
    const resourceLimits = { maxOldGenerationSizeMb: maxBytes / mebibyte, maxYoungGenerationSizeMb: 32 }
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
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
    const watch = (): void => void (isOverLimit() && worker.terminate())
    const reply = v.parse(Reply, await withInterval(pollMs, watch, () => workerResult(worker)))
    if (reply !== 'missing') return toText(reply)
    isMissing = true
    return undefined
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

function toText({ pageCount, text, isWhole }: Exclude<PdfReply, 'missing'>): PdfText {
  const clean = text
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
  const excerpt = toExcerpt(clean)
  return { pageCount, ...excerpt, ...(!isWhole && { textTruncated: true }) }
}
